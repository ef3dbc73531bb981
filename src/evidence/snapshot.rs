//! What was found where snapshots are declared to lie.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fact, ObjectEvidence};
use crate::units::{Instant, S3Location};

/// One declared location and the snapshots below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceEvidence {
    /// What the listing found, newest snapshot first. Seen and empty: nothing is there. *Absent*: the bucket does not exist.
    pub snapshots: Fact<Vec<SnapshotEvidence>>,
    /// Folders that look like snapshots and hold no `_metadata`: unfinished, or being deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<S3Location>,
    /// Snapshots that were seen and not looked into, because newer ones stand for them.
    pub not_looked_into: u64,
}

/// One snapshot: a folder that holds `_metadata`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotEvidence {
    /// The folder.
    pub location: S3Location,
    /// When `_metadata` was last modified; a copy resets this.
    pub taken_at: Instant,
    /// The objects that it needs, `_metadata` first, then by key.
    pub objects: Fact<Vec<ObjectEvidence>>,
}
