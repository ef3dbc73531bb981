//! The JSON report: the model as it is.

use super::Report;

/// The report as JSON text; the same report gives the same text, byte for byte.
///
/// One report is one object. Several audits in one call give an array of such objects, since a document of JSON has one value.
///
/// # Errors
///
/// If a value cannot be written as JSON.
pub fn to_json(reports: &[Report]) -> Result<String, serde_json::Error> {
    let mut text = match reports {
        [report] => serde_json::to_string_pretty(report)?,
        reports => serde_json::to_string_pretty(reports)?,
    };
    text.push('\n');
    Ok(text)
}
