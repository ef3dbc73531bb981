//! How loud a finding is.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How loud a finding is; later is louder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Something to plan.
    Warning,
    /// The job cannot come back clean, or will not on a known day.
    Error,
}

impl Severity {
    /// The word in audit files and reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// One step less; a note stays a note.
    #[must_use]
    pub const fn one_less(self) -> Self {
        match self {
            Self::Error => Self::Warning,
            Self::Warning | Self::Note => Self::Note,
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// How loud the policy wants a rule, or a storage class, to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Level {
    /// Silent.
    Off,
    /// Worth knowing.
    Note,
    /// Something to plan.
    Warning,
    /// The job cannot come back clean, or will not on a known day.
    Error,
}

impl Level {
    /// The severity, unless it is off.
    #[must_use]
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }

    /// The word in audit files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Off, Self::Note, Self::Warning, Self::Error]
            .into_iter()
            .find(|known| known.word() == text)
            .ok_or_else(|| format!("`{text}` is not one of error, warning, note, off"))
    }
}
