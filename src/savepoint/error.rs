//! Why bytes could not be read.

use thiserror::Error;

/// Why bytes could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at byte {offset}: {problem}")]
pub struct ReadError {
    /// The place, counted from the first byte of what was read.
    pub offset: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The bytes end too early.
    #[error("expected {what} ({needed} bytes), but only {left} bytes are left")]
    Truncated {
        /// What should have come.
        what: &'static str,
        /// How many bytes it takes.
        needed: u64,
        /// How many bytes are left.
        left: u64,
    },
    /// Something else stands there.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A count that the remaining bytes cannot hold.
    #[error("{what} has {count} elements of at least {each} bytes, but only {left} bytes are left")]
    Count {
        /// What is counted.
        what: &'static str,
        /// The count.
        count: u64,
        /// The least size of an element.
        each: u64,
        /// How many bytes are left.
        left: u64,
    },
    /// A version, or a type, that this reader does not know. There are no lengths to skip by, so reading stops.
    #[error("{what} {value} is not supported: {known}")]
    Unsupported {
        /// What it is: a version, a type of handle.
        what: &'static str,
        /// The value that stands there.
        value: i64,
        /// What this reader knows about it.
        known: &'static str,
    },
    /// More nesting than any Flink writes.
    #[error("{what} are nested more than {limit} deep")]
    TooDeep {
        /// What is nested.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// More elements than this reader takes.
    #[error("more than {limit} elements; this reader stops there to bound its memory")]
    TooMany {
        /// The limit.
        limit: usize,
    },
}
