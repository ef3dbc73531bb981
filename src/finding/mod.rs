//! Findings and unknowns: what a rule says, in a form that every report renders.

mod fact;
mod fingerprint;
mod severity;
pub mod state_ttl;

use crate::{manifest::Position, units::Instant};

pub use fact::{Amount, ShownFact};
pub use fingerprint::fingerprint;
pub use severity::{Level, Severity};

/// What a finding is about.
///
/// The text is `<topic, location or operator/state> <kind>`; with the job it gives the finding its identity across audits, so it holds
/// nothing that changes from one quarter to the next: no path of a snapshot, no number, no line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject(pub String);

impl Subject {
    /// The subject `what` of kind `kind`: `dedup-events/seen-event-ids state`.
    #[must_use]
    pub fn new(what: impl std::fmt::Display, kind: &str) -> Self {
        Self(format!("{what} {kind}"))
    }
}

/// What a rule says about one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How loud, before the policy's own word on the rule.
    pub severity: Severity,
    /// One or more sentences; every one holds for an expert in Flink, Kafka or S3.
    pub message: String,
    /// The numbers compared, and what else the message rests on, each with its origin.
    pub facts: Vec<ShownFact>,
    /// The day on which it bites, even if that is past; `None` if it holds already or has no day.
    pub bites_on: Option<Instant>,
    /// What to do: one or several ways out.
    pub remedy: Vec<Remedy>,
    /// Where in the manifest.
    pub position: Position,
}

/// One way out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Remedy {
    /// What it does, and what to know about it.
    pub say: String,
    /// What to paste, if there is something: a command, code, a configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paste: Option<String>,
}

impl Remedy {
    /// A way out that is only said.
    #[must_use]
    pub fn say(say: impl Into<String>) -> Self {
        Self { say: say.into(), paste: None }
    }

    /// A way out with something to paste.
    #[must_use]
    pub fn paste(say: impl Into<String>, paste: impl Into<String>) -> Self {
        Self { say: say.into(), paste: Some(paste.into()) }
    }
}
