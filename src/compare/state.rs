//! What a report says about each fingerprint.

use std::collections::BTreeMap;

use super::waits;
use crate::{
    finding::Severity,
    report::{Report, ReportedFinding, ReportedUnknown, WaiverTerms},
};

/// What a report says about a fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) enum Status<'r> {
    /// A finding.
    Finding(&'r ReportedFinding),
    /// An unknown, with its severity and reason.
    Unknown(Severity, &'r str),
    /// A finding or an unknown that a waiver covers.
    Waived(&'r WaiverTerms),
}

/// A rule that waits for something.
#[derive(Clone, Debug)]
pub(super) struct Wait<'r> {
    pub(super) unknown: &'r ReportedUnknown,
    pub(super) rule: String,
    pub(super) severity: Severity,
    pub(super) subject: String,
    pub(super) fingerprint: String,
}

/// Everything that a report says, by fingerprint.
pub(super) struct Statuses<'r> {
    report: &'r Report,
    by: BTreeMap<String, Status<'r>>,
    waits: Vec<Wait<'r>>,
}

impl<'r> Statuses<'r> {
    pub(super) fn of(report: &'r Report) -> Self {
        let mut by: BTreeMap<String, Status<'r>> = BTreeMap::new();
        let mut waiting = Vec::new();
        for waived in &report.waived {
            for wait in waived.unknown.iter().flat_map(waits) {
                by.insert(wait.fingerprint, Status::Waived(&waived.waiver));
            }
            if let Some(finding) = &waived.finding {
                by.insert(finding.fingerprint.clone(), Status::Waived(&waived.waiver));
            }
        }
        for unknown in &report.unknown {
            for wait in waits(unknown) {
                by.insert(wait.fingerprint.clone(), Status::Unknown(wait.severity, &unknown.reason));
                let (rule, severity, subject, fingerprint) = (wait.rule, wait.severity, wait.subject, wait.fingerprint);
                waiting.push(Wait { unknown, rule, severity, subject, fingerprint });
            }
        }
        // A finding about one topic of a state stands beside an unknown about another.
        for finding in &report.findings {
            by.insert(finding.fingerprint.clone(), Status::Finding(finding));
        }
        Self { report, by, waits: waiting }
    }

    pub(super) fn says(&self, fingerprint: &str) -> Option<Status<'r>> {
        self.by.get(fingerprint).copied()
    }

    pub(super) fn waits(&self) -> &[Wait<'r>] {
        &self.waits
    }

    pub(super) fn leaves_out(&self, rule: &str) -> bool {
        self.report.left_out.iter().any(|text| text.starts_with(&format!("rule {rule}:")))
    }
}
