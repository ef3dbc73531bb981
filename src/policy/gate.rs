//! The gate: from findings and unknowns to an exit code. Formats never influence it.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{exit::ExitCode, finding::Severity};

/// From which severity on the gate trips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// Errors only.
    #[default]
    Error,
    /// Warnings and errors.
    Warning,
    /// Everything.
    Note,
    /// Nothing.
    Never,
}

impl FailOn {
    /// Whether something of this severity trips the gate.
    #[must_use]
    pub fn trips(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Note => true,
            Self::Never => false,
        }
    }

    /// The word in the audit file and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Never => "never",
        }
    }
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Error, Self::Warning, Self::Note, Self::Never]
            .into_iter()
            .find(|known| known.word() == text)
            .ok_or_else(|| format!("`{text}` is not one of error, warning, note, never"))
    }
}

/// What the gate looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Findings that trip the gate.
    pub tripping: usize,
    /// Unknowns that could have tripped it.
    pub incomplete: usize,
}

/// The exit code of a run whose input was fine. *Incomplete* outranks *tripped*; with `allow_incomplete` it does not count.
#[must_use]
pub const fn exit_code(counts: Counts, allow_incomplete: bool) -> ExitCode {
    if counts.incomplete > 0 && !allow_incomplete {
        ExitCode::Incomplete
    } else if counts.tripping > 0 {
        ExitCode::Tripped
    } else {
        ExitCode::Clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_outranks_tripped_unless_it_is_allowed() {
        let both = Counts { tripping: 1, incomplete: 1 };
        assert_eq!(exit_code(both, false), ExitCode::Incomplete);
        assert_eq!(exit_code(both, true), ExitCode::Tripped);
        assert_eq!(exit_code(Counts { tripping: 0, incomplete: 1 }, true), ExitCode::Clean);
        assert_eq!(exit_code(Counts::default(), false), ExitCode::Clean);
    }

    #[test]
    fn never_never_trips() {
        assert!(!FailOn::Never.trips(Severity::Error));
        assert!(FailOn::Warning.trips(Severity::Error) && !FailOn::Warning.trips(Severity::Note));
    }
}
