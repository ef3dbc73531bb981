//! Findings and unknowns: what a rule says, in a form that every report renders.

mod fact;
mod fingerprint;
mod severity;
pub mod state_ttl;
mod subject;

use crate::{manifest::Position, units::Instant};

pub use fact::{Amount, ShownFact};
pub use fingerprint::fingerprint;
pub use severity::{Level, Severity};
pub use subject::{Scope, Subject};

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
