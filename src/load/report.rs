//! Reading reports of earlier runs.

use std::path::Path;

use super::{LoadError, evidence, files};
use crate::{
    report::{self, ReadError, Report},
    yaml::{self, Diagnostic, Position},
};

/// The reports in a JSON file, gzipped or not: one, or those of several audits.
///
/// # Errors
///
/// The file cannot be read, is too large, newer than this program, or no report.
pub fn reports(path: &Path) -> Result<Vec<Report>, LoadError> {
    let shown = files::name(path);
    let text = evidence::text(path, &shown, "name a file that `ttl-audit check --format json` wrote")?;
    report::from_json(&text).map_err(|error| explain(&shown, &text, &error).into())
}

fn explain(shown: &str, text: &str, error: &ReadError) -> Diagnostic {
    let hint = Some("name a file that `ttl-audit check --format json` wrote".to_owned());
    match error {
        ReadError::Malformed { line, column, message } => {
            let number = |n: &usize| u32::try_from(*n).unwrap_or(u32::MAX);
            let position = Position { line: number(line), column: number(column) };
            let message = format!("it is not a report of this version: {message}");
            Diagnostic { file: shown.to_owned(), position: Some(position), message, excerpt: yaml::line_excerpt(text, position), hint }
        }
        // It names the next step itself.
        ReadError::Version { .. } => Diagnostic::of_file(shown, error.to_string(), None),
        other => Diagnostic::of_file(shown, other.to_string(), hint),
    }
}
