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
    // Findings name the report that they are measured by.
    match &report.summary.baseline {
        Some(baseline) => texts::replace(&mut value, &names.clone().and(&baseline.audit, "earlier-audit")),
        None => texts::replace(&mut value, names),
    }
    let mut redacted: Report = serde_json::from_value(value)?;
    redacted.audit = String::from("audit");
    redacted.client = report.client.as_ref().map(|_| "client".to_owned());
    if report.evidence.source != "live" {
        redacted.evidence.source = String::from("evidence");
    }
    let waived = redacted.waived.iter_mut();
    let (findings, unknown): (Vec<_>, Vec<_>) = waived.map(|waived| (waived.finding.as_mut(), waived.unknown.as_mut())).unzip();
    for finding in redacted.findings.iter_mut().chain(findings.into_iter().flatten()) {
        finding.fingerprint = identity(&finding.rule, &finding.job, &finding.subject);
    }
    for unknown in redacted.unknown.iter_mut().chain(unknown.into_iter().flatten()) {
        for wait in &mut unknown.waits {
            wait.fingerprint = identity(&wait.rule, &unknown.job, &wait.subject);
        }
    }
    Ok(redacted)
}

/// A subject begins with its job, which the fingerprint takes apart.
fn identity(rule: &str, job: &str, subject: &str) -> String {
    fingerprint(rule, job, subject.strip_prefix(job).unwrap_or(subject).trim_start())
}
