//! From bytes to text.

use super::{Diagnostic, Position};

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
    let refuse_at = |offset: usize, message: &str, hint: &str| {
        let before = bytes.get(..offset).unwrap_or_default();
        let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let position = Position {
            line: number(before.split(|byte| *byte == b'\n').count()),
            column: number(1 + String::from_utf8_lossy(line).chars().count()),
        };
        let diagnostic = Diagnostic::of_file(file, message, Some(hint.to_owned()));
        Err(Box::new(Diagnostic { position: Some(position), ..diagnostic }))
    };
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return refuse_at(offset, "a NUL byte stands here, so this is not a text file", "name another file, or save it as UTF-8");
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => refuse_at(error.valid_up_to(), "what stands here is not valid UTF-8", "save it as UTF-8"),
    }
}
