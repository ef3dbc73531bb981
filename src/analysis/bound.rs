//! Lengths that may have no end, and values with their origin.

use std::fmt;

use crate::units::Millis;

/// A length of time that may have no end; unlimited is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// At most, or at least, this long.
    For(Millis),
    /// Only size ends it: no length of time follows from the settings.
    BySize,
    /// No end.
    Unlimited,
}

impl Bound {
    /// The length, if there is one.
    #[must_use]
    pub const fn length(self) -> Option<Millis> {
        match self {
            Self::For(length) => Some(length),
            Self::BySize | Self::Unlimited => None,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::For(length) => length.fmt(f),
            Self::BySize => f.pad("bound by size only"),
            Self::Unlimited => f.pad("unlimited"),
        }
    }
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it came from: `retention.ms, topic override`, `jobs/a.yaml:12`.
    pub origin: String,
    /// Whether it is an assumption, which the report lists as such.
    pub assumed: bool,
}

impl<T> Sourced<T> {
    /// A value that was seen or stated.
    #[must_use]
    pub fn new(value: T, origin: impl Into<String>) -> Self {
        Self { value, origin: origin.into(), assumed: false }
    }

    /// A value that nobody stated.
    #[must_use]
    pub fn assumed(value: T, origin: impl Into<String>) -> Self {
        Self { value, origin: origin.into(), assumed: true }
    }
}
