//! Findings and unknowns: what a rule says, in a form that every report renders.

mod fact;
mod fingerprint;
pub mod future;
pub mod kafka;
mod severity;
pub mod shell;
pub mod state_ttl;
mod subject;
pub mod ttl_change;

use crate::{manifest::Position, units::Instant};

pub(crate) use fact::thousands;
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
    /// What that is pasted into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<PasteInto>,
}

/// What something is pasted into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PasteInto {
    /// A file of settings.
    Configuration,
    /// A shell.
    Shell,
    /// The job's code or SQL.
    Code,
}

impl Remedy {
    /// A way out that is only said.
    #[must_use]
    pub fn say(say: impl Into<String>) -> Self {
        Self { say: say.into(), paste: None, into: None }
    }

    /// A way out with commands for a shell.
    #[must_use]
    pub fn paste(say: impl Into<String>, paste: impl Into<String>) -> Self {
        Self { say: say.into(), paste: Some(paste.into()), into: Some(PasteInto::Shell) }
    }

    /// A way out with code, or SQL, of the job.
    #[must_use]
    pub fn code(say: impl Into<String>, paste: impl Into<String>) -> Self {
        Self { into: Some(PasteInto::Code), ..Self::paste(say, paste) }
    }

    /// A way out with settings.
    #[must_use]
    pub fn configuration(say: impl Into<String>, paste: impl Into<String>) -> Self {
        Self { into: Some(PasteInto::Configuration), ..Self::paste(say, paste) }
    }
}
