//! The report, version 1: what every format renders, and what `--format json` writes.
//!
//! Fields are added, never renamed.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BaselineSummary, Notice, ReportedFlink, ReportedWait, Since, Waived, WaivedCounts, WaiverTerms};
use crate::{
    evidence::Tool,
    finding::{Remedy, Severity, ShownFact},
    policy::FailOn,
    units::{Bytes, Instant, Millis},
};

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

/// One job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobReport {
    /// Its name.
    pub job: String,
    /// Who answers for it.
    pub owner: Option<String>,
    /// Which Flink it runs on.
    #[serde(default)]
    pub flink: ReportedFlink,
    /// The verdict.
    pub verdict: Verdict,
    /// Until when it can come back without losing records.
    #[serde(default)]
    pub back_without_loss: BackWithoutLoss,
    /// Whether it can come back without writing records twice, by way.
    #[serde(default)]
    pub back_without_duplicates: BackWithoutDuplicates,
    /// What each way of coming back costs; *snapshot* and *offset-reset* once for each snapshot.
    #[serde(default)]
    pub replay: Vec<ReplayReport>,
    /// One entry for each state.
    pub operators: Vec<OperatorReport>,
    /// Its snapshots: those that were looked into.
    pub snapshots: Vec<SnapshotReport>,
    /// The places to which its recovery files are written.
    #[serde(default)]
    pub places: Vec<PlaceReport>,
    /// The rules that had something of it to judge, in the order of the documentation. One of them that is neither in a finding nor in an
    /// unknown of this job found nothing to say.
    #[serde(default)]
    pub judged: Vec<String>,
}

/// Until when a job can come back without losing records, if it stops at as-of and is restarted the declared way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackWithoutLoss {
    /// `date`, `at-most` (a needed term is not known), `no` or `unknown`.
    pub state: String,
    /// The date, for `date` and `at-most`; `null` with `date`: nothing that is known ends it.
    pub at: Option<Instant>,
    /// What limits it.
    pub because: String,
    /// The snapshot that is judged: the one that `restore.from` selects.
    pub snapshot: Option<String>,
    /// Whether each new checkpoint moves the date on while the job runs.
    pub moves_on: bool,
    /// Another snapshot that allows a later return.
    pub best_alternative: Option<BestAlternative>,
}

impl Default for BackWithoutLoss {
    fn default() -> Self {
        Self {
            state: "unknown".to_owned(),
            at: None,
            because: "not judged".to_owned(),
            snapshot: None,
            moves_on: false,
            best_alternative: None,
        }
    }
}

/// Another snapshot, and until when it allows a return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BestAlternative {
    /// The snapshot.
    pub snapshot: String,
    /// `savepoint` or `checkpoint`.
    pub kind: String,
    /// As in [`BackWithoutLoss`].
    pub state: String,
    /// The date, where there is one.
    pub at: Option<Instant>,
    /// What limits it.
    pub because: String,
}

/// Four answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackWithoutDuplicates {
    /// A task or the job manager dies.
    pub failover: WayAnswer,
    /// A planned restart from the selected snapshot.
    pub snapshot: WayAnswer,
    /// The newest snapshot's state is restored, the source's positions are not.
    pub offset_reset: WayAnswer,
    /// No snapshot is used.
    pub state_loss: WayAnswer,
}

/// Whether one way writes nothing twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WayAnswer {
    /// `yes`, `no` or `unknown`.
    pub state: String,
    /// How many records are written twice.
    pub records: Option<u64>,
    /// `measured`, `interpolated`, `declared` or `unknown`.
    pub basis: String,
    /// Whether the number is an upper bound.
    pub upper_bound: bool,
    /// Why it is not known; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
}

impl Default for WayAnswer {
    fn default() -> Self {
        let unknown = || "unknown".to_owned();
        Self { state: unknown(), records: None, basis: unknown(), upper_bound: false, because: "not judged".to_owned() }
    }
}

/// What one way of coming back costs. `null`: not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayReport {
    /// `failover`, `snapshot`, `offset-reset` or `state-loss`.
    pub way: String,
    /// The snapshot that is restored, where one is.
    pub snapshot: Option<String>,
    /// Records that reach a sink a second time.
    pub records_twice: Option<u64>,
    /// Records that nobody reads any more.
    pub records_lost: Option<u64>,
    /// Records that are read again and recognised, by state or by a sink that merges on a key.
    pub records_suppressed: Option<u64>,
    /// `measured`, `interpolated`, `declared` or `unknown`.
    pub basis: String,
    /// Whether the numbers are upper bounds.
    pub upper_bound: bool,
    /// What to know about them.
    pub note: String,
    /// By day, with `--by-day`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_day: Vec<DayReport>,
}

/// The records of one UTC day, by their timestamps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DayReport {
    /// `2026-09-15`.
    pub day: String,
    /// Written twice.
    pub twice: u64,
    /// Recognised.
    pub suppressed: u64,
    /// Lost.
    pub lost: u64,
}

/// One state of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorReport {
    /// uid or uid hash.
    pub uid: String,
    /// Its name, for people.
    pub name: Option<String>,
    /// The state's name.
    pub state: String,
    /// The role that it is judged by.
    pub role: String,
    /// Its TTL: a duration, or the word `never` or `unknown`.
    pub ttl: Length,
    /// Every topic whose records reach it.
    pub topics: Vec<TopicReport>,
    /// What the TTL has to be at least; absent where no finite TTL is enough, or where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_ttl: Option<Millis>,
    /// The verdict.
    pub verdict: Verdict,
}

/// One topic that an operator reads. Lengths are durations, or `unlimited`, `unknown`, `empty`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TopicReport {
    /// The source's id.
    pub source: String,
    /// The topic.
    pub topic: String,
    /// What a consumer may rely on finding.
    pub floor: Length,
    /// The oldest record that a restart from earliest can receive.
    pub worst_case: Length,
    /// How old the first readable record was at captured-at.
    pub observed: Length,
    /// Where the retention comes from.
    pub origin: String,
}

/// A duration, or a word where there is no number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Length {
    /// A length of time.
    Duration(Millis),
    /// `never`, `unlimited`, `unknown`, `empty`, `bound by size only`.
    Word(String),
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration(length) => length.fmt(f),
            Self::Word(word) => f.pad(word),
        }
    }
}

/// One snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotReport {
    /// Its folder.
    pub location: String,
    /// `savepoint` or `checkpoint`.
    pub kind: String,
    /// When it was taken.
    pub taken_at: TakenAt,
    /// How many objects it needs, `_metadata` included, each once. `null`: not known.
    pub objects: Option<u64>,
    /// Their size. `null`: not known.
    pub bytes: Option<Bytes>,
    /// How many objects by class.
    pub classes: BTreeMap<String, u64>,
    /// `yes`, `no` or `unknown`: whether every object can be read now.
    pub readable: String,
    /// The day from which its files may go, by the bucket's rules or with a restored copy; `null`: none is known.
    #[serde(default)]
    pub files_until: Option<Instant>,
    /// The day from which its first unread record may leave the topic; `null`: none is known.
    #[serde(default)]
    pub records_until: Option<Instant>,
    /// What the bucket's rules do first to one of its objects, whenever that is. `null`: nothing, or not known; see `open`.
    pub first_change: Option<FirstChange>,
    /// Why the first change is not known, or why another one may come sooner; absent if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
    /// Whether a restart the declared way would use it.
    pub selected: bool,
    /// The verdict.
    pub verdict: Verdict,
}

/// What a bucket's rule does to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FirstChange {
    /// The day on which it falls due, even if that is past: S3 acts some time after.
    pub on: Instant,
    /// What it does: `moved to GLACIER (readable only after a restore)`.
    pub what: String,
    /// The rule or Intelligent-Tiering configuration.
    pub rule: String,
    /// Whether it will happen; otherwise it may.
    pub certain: bool,
}

/// A place to which recovery files are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceReport {
    /// The declared location.
    pub location: String,
    /// `savepoint`, `checkpoint`, `high-availability` or `changelog`.
    pub kind: String,
    /// What the bucket's rules do first to a file that is written there at as-of, whenever that is. `null`: nothing, or not known; see
    /// `open`.
    pub first_change: Option<FirstChange>,
    /// Why the first change is not known; absent if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// When a snapshot was taken, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakenAt {
    /// The instant.
    pub at: Instant,
    /// `last modified of _metadata`.
    pub basis: String,
}

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
