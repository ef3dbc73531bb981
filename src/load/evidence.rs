//! Reading evidence.

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use flate2::bufread::MultiGzDecoder;

use super::{LoadError, files};
use crate::{
    evidence::{BundleError, Evidence},
    yaml::{self, Diagnostic, Position},
};

/// The largest document that is read, unpacked: 2 GiB.
const MAX_BYTES: u64 = 2 << 30;
/// The names of evidence in an audit's folder.
const NAMES: [&str; 2] = ["evidence.json", "evidence.json.gz"];

/// Evidence, and the file that it was read from as reports name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedEvidence {
    /// The evidence.
    pub evidence: Evidence,
    /// The path of its file, with `/`.
    pub source: String,
}

/// The evidence in an audit's folder: `evidence.json` or `evidence.json.gz`.
///
/// # Errors
///
/// None or both of them are there, or the one that is there cannot be used.
pub fn evidence_in(folder: &Path) -> Result<LoadedEvidence, LoadError> {
    let there: Vec<_> = NAMES.iter().map(|name| folder.join(name)).filter(|path| path.exists()).collect();
    let refuse = |message: &str, hint: &str| Err(Diagnostic::of_file(files::name(folder), message, Some(hint.to_owned())).into());
    match there.as_slice() {
        [one] => evidence(one),
        [] => refuse("there is no evidence.json in this folder", "run `ttl-audit collect` first, or name the file with --evidence"),
        _ => refuse("both evidence.json and evidence.json.gz lie in this folder", "remove the older one, or name one with --evidence"),
    }
}

/// Evidence from a JSON document, gzipped or not.
///
/// # Errors
///
/// The file cannot be read, is too large, damaged, edited, newer than this program, or no evidence.
pub fn evidence(path: &Path) -> Result<LoadedEvidence, LoadError> {
    let shown = files::name(path);
    let text = text(path, &shown, "name a file that `ttl-audit collect` wrote")?;
    match Evidence::from_json(&text) {
        Ok(evidence) => Ok(LoadedEvidence { evidence, source: shown }),
        Err(error) => Err(explain(&shown, &text, &error).into()),
    }
}

/// The text of a JSON document, gzipped or not.
pub(super) fn text(path: &Path, shown: &str, wanted: &str) -> Result<String, LoadError> {
    let refuse = |message: String, hint: &str| LoadError::from(Diagnostic::of_file(shown, message, Some(hint.to_owned())));
    let cannot = |error: std::io::Error| LoadError::from(files::unreadable(shown, &error));
    let metadata = std::fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(refuse("it is not a regular file".to_owned(), "name a file"));
    }
    let mut file = BufReader::new(File::open(path).map_err(cannot)?);
    let zipped = std::io::BufRead::fill_buf(&mut file).map_err(cannot)?.starts_with(&[0x1F, 0x8B]);
    let mut bytes = Vec::new();
    let read = if zipped {
        MultiGzDecoder::new(file).take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)
    };
    match read {
        Err(error) if zipped => return Err(refuse(format!("it cannot be unpacked: {error}"), "write it again")),
        Err(error) => return Err(cannot(error)),
        Ok(read) if read as u64 > MAX_BYTES => {
            return Err(refuse("it is larger than 2 GiB unpacked".to_owned(), "split the audit"));
        }
        Ok(_) => {}
    }
    String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8".to_owned(), wanted))
}

fn explain(shown: &str, text: &str, error: &BundleError) -> Diagnostic {
    match error {
        BundleError::Malformed { line, column, message } => {
            let number = |n: &usize| u32::try_from(*n).unwrap_or(u32::MAX);
            let position = Position { line: number(line), column: number(column) };
            // The place stands before the message already.
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            Diagnostic {
                file: shown.to_owned(),
                position: Some(position),
                message: format!("it is not evidence of this version: {message}"),
                excerpt: yaml::line_excerpt(text, position),
                hint: Some("name a file that `ttl-audit collect` wrote, or collect again".to_owned()),
            }
        }
        // These name the next step themselves.
        BundleError::Version { .. } | BundleError::Digest { .. } => Diagnostic::of_file(shown, error.to_string(), None),
        other => Diagnostic::of_file(shown, other.to_string(), None),
    }
}
