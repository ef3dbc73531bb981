//! What rules said: findings and unknowns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Since, WaiverTerms};
use crate::{
    finding::{Remedy, Severity, ShownFact},
    units::Instant,
};

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedFinding {
    /// The rule's id.
    pub rule: String,
    /// How loud.
    pub severity: Severity,
    /// The job.
    pub job: String,
    /// `<job> <topic, location or operator/state> <kind>`.
    pub subject: String,
    /// What it says.
    pub message: String,
    /// The numbers compared, each with its origin.
    pub facts: Vec<ShownFact>,
    /// The day on which it bites, even if past.
    pub bites_on: Option<Instant>,
    /// What to do.
    pub remedy: Vec<Remedy>,
    /// Where in the manifest.
    pub location: FileLocation,
    /// Its identity across audits.
    pub fingerprint: String,
    /// With a baseline: how it compares with the earlier report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_baseline: Option<Since>,
    /// The waiver that covered it until it expired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver_expired: Option<WaiverTerms>,
}

/// Something that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedUnknown {
    /// The rule whose unknown is the loudest.
    pub rule: String,
    /// The other rules that wait for the same.
    pub also: Vec<String>,
    /// The loudest severity that could apply.
    pub severity: Severity,
    /// The job.
    pub job: String,
    /// What could not be judged.
    pub subject: String,
    /// Why.
    pub reason: String,
    /// What would answer.
    pub call: String,
    /// Where the manifest names the job.
    pub location: FileLocation,
    /// Every rule with every subject for which it waits, loudest first.
    #[serde(default)]
    pub waits: Vec<ReportedWait>,
    /// With a baseline: how it compares with the earlier report. What was a pass or a finding then, or was not judged, is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_baseline: Option<Since>,
    /// The waiver that covered it until it expired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver_expired: Option<WaiverTerms>,
}

/// A rule that waits for a fact about one subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ReportedWait {
    /// The rule.
    pub rule: String,
    /// The loudest severity that could apply.
    pub severity: Severity,
    /// What it would judge.
    pub subject: String,
    /// The fingerprint that its finding would have.
    pub fingerprint: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct FileLocation {
    /// The file, relative to the audit's folder.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based.
    pub column: u32,
}
