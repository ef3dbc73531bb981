//! What the comparison of two reports comes to, and what `compare --format json` writes. Fields are added, never renamed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    finding::{Amount, Severity},
    units::Instant,
};

/// The comparison of two reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The earlier report.
    pub old: Side,
    /// The later report.
    pub new: Side,
    /// How many findings and unknowns changed in which way.
    pub summary: ChangeCounts,
    /// Every finding of either report: what became of it. What matters most comes first.
    pub findings: Vec<ComparedFinding>,
    /// Every unknown of either report, one for each job and cause.
    pub unknown: Vec<ComparedUnknown>,
    /// For each job the facts that moved, whether a finding speaks of them or not; jobs without any are left out.
    pub jobs: Vec<ComparedJob>,
    /// What to know before comparing the two.
    pub notes: Vec<String>,
    /// 1 if anything is new or worse, else 0.
    pub exit_code: u8,
}

/// One of the two reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// The audit's name.
    pub audit: String,
    /// The instant that it judges.
    pub as_of: Instant,
    /// When its evidence was captured.
    pub captured_at: Instant,
    /// The version of the program that wrote it.
    pub tool_version: String,
    /// Its own exit code.
    pub exit_code: u8,
}

/// What became of a finding or an unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It was not there, or it was waived.
    New,
    /// It is louder.
    Worse,
    /// A finding whose fact is missing now: nobody knows whether it is fixed.
    NoLongerKnown,
    /// It was there and is not judged any more: its rule or job was left out, or what it is about is gone.
    NotJudged,
    /// It is as loud.
    Same,
    /// It is less loud.
    Better,
    /// It was there and a waiver covers it now.
    Waived,
    /// It was there, and was judged without it; of an unknown: it was answered.
    Fixed,
}

impl Change {
    /// Every change, what matters most first.
    pub const ALL: [Self; 8] =
        [Self::New, Self::Worse, Self::NoLongerKnown, Self::NotJudged, Self::Same, Self::Better, Self::Waived, Self::Fixed];

    /// Whether it makes the exit code 1.
    #[must_use]
    pub const fn counts(self) -> bool {
        matches!(self, Self::New | Self::Worse | Self::NoLongerKnown)
    }

    /// The word for people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse => "worse",
            Self::NoLongerKnown => "no longer known",
            Self::NotJudged => "not judged any more",
            Self::Same => "same",
            Self::Better => "better",
            Self::Waived => "waived now",
            Self::Fixed => "fixed",
        }
    }
}

/// How many changed in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeCounts {
    /// See [`Change::New`].
    pub new: usize,
    /// See [`Change::Worse`].
    pub worse: usize,
    /// See [`Change::NoLongerKnown`].
    pub no_longer_known: usize,
    /// See [`Change::NotJudged`].
    pub not_judged: usize,
    /// See [`Change::Same`].
    pub same: usize,
    /// See [`Change::Better`].
    pub better: usize,
    /// See [`Change::Waived`].
    pub waived: usize,
    /// See [`Change::Fixed`].
    pub fixed: usize,
    /// Unknowns that are new or louder.
    pub new_unknown: usize,
    /// Unknowns that were answered.
    pub answered: usize,
}

impl ChangeCounts {
    /// How many findings changed so.
    #[must_use]
    pub const fn of(&self, change: Change) -> usize {
        match change {
            Change::New => self.new,
            Change::Worse => self.worse,
            Change::NoLongerKnown => self.no_longer_known,
            Change::NotJudged => self.not_judged,
            Change::Same => self.same,
            Change::Better => self.better,
            Change::Waived => self.waived,
            Change::Fixed => self.fixed,
        }
    }
}

/// What became of one finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedFinding {
    /// What became of it.
    pub change: Change,
    /// The rule's id.
    pub rule: String,
    /// The job.
    pub job: String,
    /// `<job> <topic, location or operator/state> <kind>`.
    pub subject: String,
    /// Its identity in both reports.
    pub fingerprint: String,
    /// How loud it was; null if it was not there.
    pub old_severity: Option<Severity>,
    /// How loud it is; null if it is not there.
    pub new_severity: Option<Severity>,
    /// The facts that moved.
    pub moved: Vec<Moved>,
    /// What the later report says; what the earlier one said if it is gone.
    pub message: String,
    /// What else there is to know about the change: the reason why it is no longer known, the waiver that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A fact that is another one in the later report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// Its name: `TTL`, `retention`.
    pub fact: String,
    /// What it was; null if it was not there.
    pub old: Option<MovedFact>,
    /// What it is; null if it is not there.
    pub new: Option<MovedFact>,
}

/// A fact with its origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MovedFact {
    /// Value and unit.
    #[serde(flatten)]
    pub amount: Amount,
    /// Where it came from.
    pub origin: String,
}

/// What became of one unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedUnknown {
    /// What became of it: new, worse, same, better, waived, not-judged, or fixed (it was answered).
    pub change: Change,
    /// The rules that wait, or waited, for it.
    pub rules: Vec<String>,
    /// The loudest severity that could apply.
    pub severity: Severity,
    /// The job.
    pub job: String,
    /// The first of what could not be judged.
    pub subject: String,
    /// Why.
    pub reason: String,
}

/// The facts of a job that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedJob {
    /// The job.
    pub job: String,
    /// What moved.
    pub moved: Vec<Moved>,
}
