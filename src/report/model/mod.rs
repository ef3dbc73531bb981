//! The report, version 1: what every format renders, and what `--format json` writes.
//!
//! Fields are added, never renamed.

mod answer;
mod job;
mod outlook;
mod snapshot;
mod waiver;

pub use answer::{FileLocation, ReportedFinding, ReportedUnknown, ReportedWait};
pub use job::{ClearedReport, JobReport, Length, OperatorReport, ReportedFlink, TopicReport};
pub use outlook::{BackWithoutDuplicates, BackWithoutLoss, BestAlternative, DayReport, ReplayReport, WayAnswer};
pub use snapshot::{FirstChange, PlaceReport, SnapshotReport, TakenAt, UnreferencedFiles};
pub use waiver::{BaselineSummary, Notice, NoticeKind, OldestWaiver, Since, Waived, WaivedCounts, WaiverTerms};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{evidence::Tool, policy::FailOn, units::Instant};

/// The version of the JSON report.
pub const REPORT_VERSION: u32 = 1;

/// The report of one audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// [`REPORT_VERSION`].
    pub schema_version: u32,
    /// Who wrote it.
    pub tool: Tool,
    /// The audit's name.
    pub audit: String,
    /// For whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The instant that is judged.
    pub as_of: AsOfInfo,
    /// What it rests on.
    pub evidence: EvidenceInfo,
    /// Counts and exit code.
    pub summary: Summary,
    /// Every job, worst first, then by name.
    pub jobs: Vec<JobReport>,
    /// Every finding, loudest first, then by job, subject and rule.
    pub findings: Vec<ReportedFinding>,
    /// Everything that could not be judged, loudest first.
    pub unknown: Vec<ReportedUnknown>,
    /// What waivers cover, loudest first: shown, and not counted.
    #[serde(default)]
    pub waived: Vec<Waived>,
    /// What there is to know about waivers and the baseline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// What was assumed.
    pub assumptions: Vec<String>,
    /// What was not checked because nothing needed it.
    pub not_needed: Vec<String>,
    /// What was not judged because the policy or the command line left it out: rules that are off, jobs that were not selected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The instant that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AsOfInfo {
    /// The instant.
    pub at: Instant,
    /// Whether it was pinned rather than read off the clock.
    pub pinned: bool,
}

/// What a report rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceInfo {
    /// When it was captured.
    pub captured_at: Instant,
    /// The digest over its content.
    pub digest: String,
    /// `live`, or the file that it was read from.
    pub source: String,
}

/// Counts and exit code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Jobs by verdict.
    pub jobs: VerdictCounts,
    /// Findings by severity.
    pub findings: Totals,
    /// Unknowns.
    pub unknown: usize,
    /// Whether an unknown could have tripped the gate.
    pub incomplete: bool,
    /// How much is waived.
    #[serde(default)]
    pub waived: WaivedCounts,
    /// With `--baseline`: what the earlier report takes out of the gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineSummary>,
    /// From which severity on the gate trips.
    pub fail_on: FailOn,
    /// The exit code of this audit.
    pub exit_code: u8,
}

/// Jobs by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictCounts {
    /// Nothing at or above `fail_on`.
    pub pass: usize,
    /// At least one finding at or above `fail_on`.
    pub fail: usize,
    /// No such finding, but an unknown that could have been one.
    pub unknown: usize,
}

/// Findings by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Notes.
    pub note: usize,
}

/// The verdict on a job, an operator or a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing at or above `fail_on`.
    Pass,
    /// No such finding, but an unknown that could have been one.
    Unknown,
    /// At least one finding at or above `fail_on`.
    Fail,
}
