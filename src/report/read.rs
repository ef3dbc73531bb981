//! Reading JSON reports back.

use serde::Deserialize;

use super::{REPORT_VERSION, Report};

/// Why a document is not a usable report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Not JSON, or not of the shape of a report.
    #[error("line {line}, column {column}: {message}")]
    Malformed {
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// Written by a newer program.
    #[error("it has report version {found}, this program reads version {REPORT_VERSION}; use a newer ttl-audit")]
    Version {
        /// The version in the document.
        found: u64,
    },
    /// An array without a report.
    #[error("it holds no report")]
    Empty,
}

/// The version alone, whatever else a newer program writes.
#[derive(Deserialize)]
struct Head {
    schema_version: u64,
}

/// The reports of a document as `--format json` writes it: one object, or an array of them.
///
/// # Errors
///
/// Not JSON, not a report, a newer version, or no report at all.
pub fn from_json(text: &str) -> Result<Vec<Report>, ReadError> {
    // Which of the two it is shows in the first character; parsed as such, an error keeps its line and column.
    let several = text.trim_start().starts_with('[');
    let read = if several { serde_json::from_str::<Vec<Report>>(text) } else { serde_json::from_str::<Report>(text).map(|one| vec![one]) };
    let reports = read.map_err(|error| newer(text, several).unwrap_or_else(|| malformed(&error)))?;
    if let Some(wrong) = reports.iter().find(|report| report.schema_version != REPORT_VERSION) {
        return Err(ReadError::Version { found: wrong.schema_version.into() });
    }
    if reports.is_empty() { Err(ReadError::Empty) } else { Ok(reports) }
}

/// A newer document is named as such even if its shape is another one.
fn newer(text: &str, several: bool) -> Option<ReadError> {
    let heads = if several { serde_json::from_str::<Vec<Head>>(text) } else { serde_json::from_str::<Head>(text).map(|one| vec![one]) };
    let found = heads.ok()?.into_iter().map(|head| head.schema_version).find(|found| *found != u64::from(REPORT_VERSION))?;
    Some(ReadError::Version { found })
}

fn malformed(error: &serde_json::Error) -> ReadError {
    let text = error.to_string();
    // The place is told apart already.
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
    ReadError::Malformed { line: error.line().max(1), column: error.column().max(1), message }
}
