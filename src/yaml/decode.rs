//! From bytes to text.

use super::Diagnostic;

/// The largest manifest or audit file that is read: 1 MiB.
pub const MAX_BYTES: usize = 1 << 20;

/// The text of a file.
///
/// A byte order mark at the start is dropped. UTF-16, other encodings, NUL bytes and files above [`MAX_BYTES`] are refused.
///
/// # Errors
///
/// A diagnostic that says what it is and what to do.
pub fn decode<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Box<Diagnostic>> {
    let refuse = |message: String, hint: &str| Err(Box::new(Diagnostic::of_file(file, message, Some(hint.to_owned()))));
    if bytes.len() > MAX_BYTES {
        return refuse(format!("larger than {} KiB, which no manifest or audit file is", MAX_BYTES / 1024), "name another file");
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return refuse("written in UTF-16".to_owned(), "save it as UTF-8");
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let line_of = |offset: usize| 1 + bytes.iter().take(offset).filter(|byte| **byte == b'\n').count();
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return refuse(
            format!("line {} holds a NUL byte, so it is not a text file", line_of(offset)),
            "name another file, or save it as UTF-8",
        );
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => refuse(format!("line {} is not valid UTF-8", line_of(error.valid_up_to())), "save it as UTF-8"),
    }
}
