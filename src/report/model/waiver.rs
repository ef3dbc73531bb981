//! The parts of a report that speak of waivers and of an earlier report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FileLocation, ReportedFinding, ReportedUnknown, Totals};
use crate::{finding::Severity, units::Instant};

/// A finding or an unknown that a waiver covers: shown, and not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waived {
    /// The finding, whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<ReportedFinding>,
    /// The unknown, for the rules that the waiver names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<ReportedUnknown>,
    /// Of an unknown: the rules that wait for the same and that this waiver does not name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_waived: Vec<String>,
    /// The waiver.
    #[serde(flatten)]
    pub waiver: WaiverTerms,
}

impl Waived {
    /// The job.
    #[must_use]
    pub fn job(&self) -> &str {
        match (&self.finding, &self.unknown) {
            (Some(finding), _) => &finding.job,
            (None, Some(unknown)) => &unknown.job,
            (None, None) => "",
        }
    }

    /// How loud it would be.
    #[must_use]
    pub fn severity(&self) -> Severity {
        let unknown = self.unknown.as_ref().map(|unknown| unknown.severity);
        self.finding.as_ref().map(|finding| finding.severity).or(unknown).unwrap_or(Severity::Note)
    }
}

/// What an audit file says of a waiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaiverTerms {
    /// Why it is tolerated.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// The day on which it was granted, `2026-07-01`, if that is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The last day on which it holds, UTC: `2026-12-31`.
    pub expires: String,
}

/// How much is waived.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaivedCounts {
    /// Waived findings by severity.
    #[serde(flatten)]
    pub findings: Totals,
    /// Waived unknowns.
    pub unknown: usize,
    /// Of the waivers in use, the one that was created first; where none says when, the one that ends first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest: Option<OldestWaiver>,
}

/// See [`WaivedCounts::oldest`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OldestWaiver {
    /// The rule that it waives.
    pub rule: String,
    /// The waiver.
    #[serde(flatten)]
    pub waiver: WaiverTerms,
}

/// Something to know about the audit file or the baseline; it never trips the gate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// What kind.
    pub kind: NoticeKind,
    /// What there is to know.
    pub message: String,
    /// Where in the audit file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<FileLocation>,
}

/// What kind of notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// A waiver has ended: what it covered counts again.
    WaiverExpired,
    /// A waiver ends within 30 days.
    WaiverEndsSoon,
    /// A waiver matches nothing.
    WaiverUnmatched,
    /// The baseline is not quite what one would expect.
    Baseline,
}

/// How something compares with an earlier report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Since {
    /// It was not there, or it was waived.
    New,
    /// It is louder.
    Worse,
    /// It is as loud.
    Same,
    /// It is less loud.
    Better,
}

impl Since {
    /// From the severity then, if it was there, to the one now.
    #[must_use]
    pub fn between(then: Option<Severity>, now: Severity) -> Self {
        match then {
            None => Self::New,
            Some(then) if now > then => Self::Worse,
            Some(then) if now < then => Self::Better,
            Some(_) => Self::Same,
        }
    }

    /// Whether the gate looks at it.
    #[must_use]
    pub const fn counts(self) -> bool {
        matches!(self, Self::New | Self::Worse)
    }

    /// What a table says: `new`, `worse`, `known`, `known, and was louder`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse => "worse",
            Self::Same => "known",
            Self::Better => "known, and was louder",
        }
    }
}

/// What the earlier report was, and what it takes out of the gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineSummary {
    /// The audit of the earlier report.
    pub audit: String,
    /// The instant that it judged.
    pub as_of: Instant,
    /// Findings that are new.
    pub new: usize,
    /// Findings that are louder than they were.
    pub worse: usize,
    /// Findings that were there already and do not trip the gate: how many remain.
    pub known: Totals,
    /// Unknowns that are new or louder.
    pub new_unknown: usize,
    /// Unknowns that were unknown already and do not make the audit incomplete: how many remain.
    pub known_unknown: usize,
}
