//! Lengths that are not just lengths: a TTL and a retention.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Millis;

/// A state's time to live. Processing time, counted from the last access (Flink: `StateTtlConfig`).
///
/// `never`, `unknown` and a length are three different facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ttl {
    /// TTL removes nothing (`never`, and `0`, as Flink SQL's `table.exec.state.ttl` means it).
    Never,
    /// The author of the manifest does not know it.
    Unknown,
    /// State expires this long after its last access. Never zero.
    After(Millis),
}

impl fmt::Display for Ttl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.pad("never"),
            Self::Unknown => f.pad("unknown"),
            Self::After(length) => length.fmt(f),
        }
    }
}

/// How long a topic, or another source, keeps its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Retention {
    /// For ever: `cleanup.policy` lacks `delete`, or neither time nor size limits it.
    Unlimited,
    /// `retention.ms` is −1 and `retention.bytes` is not: only size limits it, so no length follows from the settings.
    SizeBound,
    /// At least this long, counted from the largest timestamp of a record's segment.
    For(Millis),
}

impl fmt::Display for Retention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlimited => f.pad("unlimited"),
            Self::SizeBound => f.pad("bound by size only"),
            Self::For(length) => length.fmt(f),
        }
    }
}
