//! A fact with its origin, or the reason why it is not there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::Instant;

/// What was asked of the world: a value, or the reason why there is none.
///
/// There is no `Option` for evidence: a rule gets at a value only through [`Fact::known`] or [`Fact::known_or_absent`], and what is not
/// known becomes an [`Unknown`] that it must pass on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fact<T> {
    /// Answered, and this is the value.
    Seen(Seen<T>),
    /// Answered, and there is none: a bucket without lifecycle rules, a topic that does not exist.
    Absent(Gap),
    /// The right to ask is missing.
    Denied(Gap),
    /// Whoever was asked has no such feature, or does not tell.
    Unsupported(Gap),
    /// Asked, and no usable answer came: unreachable, timed out, malformed.
    Failed(Gap),
    /// Not asked.
    NotAsked(Gap),
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seen<T> {
    /// The value.
    pub value: T,
    /// Who answered: a broker, a bucket.
    pub by: String,
    /// The call.
    pub call: String,
    /// When.
    pub at: Instant,
}

/// Why a value is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// One sentence without a full stop, for people; it never holds a secret.
    pub reason: String,
    /// The call that was made, or that would have to be made.
    pub call: String,
}

/// A question without an answer. What a rule returns when a fact that it needs is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// Why: `denied: needs DESCRIBE_CONFIGS on topic orders`.
    pub reason: String,
    /// The call that would answer; empty if none would.
    pub call: String,
}

impl Unknown {
    /// An unknown for `reason`, which `call` would answer.
    #[must_use]
    pub fn new(reason: impl Into<String>, call: impl Into<String>) -> Self {
        Self { reason: reason.into(), call: call.into() }
    }
}

impl<T> Fact<T> {
    /// A value that `by` gave to `call` at `at`.
    #[must_use]
    pub fn seen(value: T, by: impl Into<String>, call: impl Into<String>, at: Instant) -> Self {
        Self::Seen(Seen { value, by: by.into(), call: call.into(), at })
    }

    /// Asked, and there is none.
    #[must_use]
    pub fn absent(reason: impl Into<String>, call: impl Into<String>) -> Self {
        Self::Absent(Gap { reason: reason.into(), call: call.into() })
    }

    /// The right is missing.
    #[must_use]
    pub fn denied(reason: impl Into<String>, call: impl Into<String>) -> Self {
        Self::Denied(Gap { reason: reason.into(), call: call.into() })
    }

    /// No such feature there.
    #[must_use]
    pub fn unsupported(reason: impl Into<String>, call: impl Into<String>) -> Self {
        Self::Unsupported(Gap { reason: reason.into(), call: call.into() })
    }

    /// No usable answer.
    #[must_use]
    pub fn failed(reason: impl Into<String>, call: impl Into<String>) -> Self {
        Self::Failed(Gap { reason: reason.into(), call: call.into() })
    }

    /// Never asked.
    #[must_use]
    pub fn not_asked(reason: impl Into<String>, call: impl Into<String>) -> Self {
        Self::NotAsked(Gap { reason: reason.into(), call: call.into() })
    }

    /// The value with its origin.
    ///
    /// # Errors
    ///
    /// The reason why there is no value; *absent* is such a reason too.
    pub fn known(&self) -> Result<&Seen<T>, Unknown> {
        let (kind, gap) = match self {
            Self::Seen(seen) => return Ok(seen),
            Self::Absent(gap) => ("absent", gap),
            Self::Denied(gap) => ("denied", gap),
            Self::Unsupported(gap) => ("unsupported", gap),
            Self::Failed(gap) => ("failed", gap),
            Self::NotAsked(gap) => ("not asked", gap),
        };
        Err(Unknown { reason: format!("{kind}: {}", gap.reason), call: gap.call.clone() })
    }

    /// The value, or `None` where the answer was that there is none.
    ///
    /// # Errors
    ///
    /// The reason why it is not known whether there is one.
    pub fn known_or_absent(&self) -> Result<Option<&Seen<T>>, Unknown> {
        match self {
            Self::Absent(_) => Ok(None),
            other => other.known().map(Some),
        }
    }

    /// The value, for those that show things and judge nothing.
    #[must_use]
    pub fn shown(&self) -> Option<&T> {
        match self {
            Self::Seen(seen) => Some(&seen.value),
            _ => None,
        }
    }

    /// Whether the answer was that there is none.
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent(_))
    }

    /// Whether nobody asked.
    #[must_use]
    pub const fn is_not_asked(&self) -> bool {
        matches!(self, Self::NotAsked(_))
    }

    /// The same gap for a value of another type, or the value put through `f`.
    #[must_use]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Fact<U> {
        match self {
            Self::Seen(Seen { value, by, call, at }) => Fact::Seen(Seen { value: f(value), by, call, at }),
            Self::Absent(gap) => Fact::Absent(gap),
            Self::Denied(gap) => Fact::Denied(gap),
            Self::Unsupported(gap) => Fact::Unsupported(gap),
            Self::Failed(gap) => Fact::Failed(gap),
            Self::NotAsked(gap) => Fact::NotAsked(gap),
        }
    }
}
