//! Reading one file, within bounds.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use crate::yaml::{self, Diagnostic, MAX_BYTES};

/// A path as people and reports see it: with `/`, without a leading `./`.
pub(super) fn name(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let text = text.strip_prefix("./").unwrap_or(&text);
    if text.is_empty() { ".".to_owned() } else { text.to_owned() }
}

/// The text of a manifest or audit file.
pub(super) fn read(path: &Path, shown: &str) -> Result<String, Vec<Diagnostic>> {
    let bytes = bytes(path, shown, MAX_BYTES as u64 + 1)?;
    yaml::decode(shown, &bytes).map(str::to_owned).map_err(|diagnostic| vec![*diagnostic])
}

/// The first `limit` bytes of a regular file. Pipes and devices, which may never end or never begin, are refused.
pub(super) fn bytes(path: &Path, shown: &str, limit: u64) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let failed = |error: io::Error| vec![unreadable(shown, &error)];
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(vec![Diagnostic::of_file(shown, "it is not a regular file", Some("name a file".to_owned()))]);
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// A file that cannot be read.
pub(super) fn unreadable(shown: &str, error: &io::Error) -> Diagnostic {
    let (message, hint) = match error.kind() {
        io::ErrorKind::NotFound => ("it does not exist".to_owned(), Some("check the path")),
        io::ErrorKind::PermissionDenied => ("the right to read it is missing".to_owned(), Some("check its permissions")),
        _ => (format!("it cannot be read: {error}"), None),
    };
    Diagnostic::of_file(shown, message, hint.map(str::to_owned))
}
