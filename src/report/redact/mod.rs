//! A report without names, for sharing: every cluster, host, bucket, topic, consumer group, job, owner and client is an alias.
//!
//! Aliases are numbered in the order of the names (`topic-1`, `topic-2`), so one name has one alias everywhere in a report, and the same
//! audit gives the same aliases. Every text of the report is searched, so that a field that is added later is covered; what is not text
//! (numbers, instants) and words that belong to the program (rules, severities, verdicts) stay.
//!
//! What is neither of these stays as well: uids and names of operators, states, tables and columns, and folders within a bucket.

mod names;
mod texts;

pub use names::Names;

use super::Report;
use crate::finding::fingerprint;

/// The report, with an alias in place of every one of `names`. Fingerprints are made anew, since they are made from names.
///
/// # Errors
///
/// A name that is also a word of the report's own, so that a report without it would not be one; the text says which field it is.
pub fn redact(report: &Report, names: &Names) -> Result<Report, serde_json::Error> {
    let mut value = serde_json::to_value(report)?;
    texts::replace(&mut value, names);
    let mut redacted: Report = serde_json::from_value(value)?;
    redacted.audit = String::from("audit");
    redacted.client = report.client.as_ref().map(|_| "client".to_owned());
    if report.evidence.source != "live" {
        redacted.evidence.source = String::from("evidence");
    }
    for finding in &mut redacted.findings {
        // A subject begins with its job, which the fingerprint takes apart.
        let subject = finding.subject.strip_prefix(&finding.job).unwrap_or(&finding.subject).trim_start();
        finding.fingerprint = fingerprint(&finding.rule, &finding.job, subject);
    }
    Ok(redacted)
}
