//! What a report says of snapshots, and of the places to which they are written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;
use crate::units::{Bytes, Instant};

/// One snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotReport {
    /// Its folder.
    pub location: String,
    /// `savepoint` or `checkpoint`.
    pub kind: String,
    /// When it was taken.
    pub taken_at: TakenAt,
    /// How many objects it needs, `_metadata` included, each once. `null`: not known.
    pub objects: Option<u64>,
    /// Their size. `null`: not known.
    pub bytes: Option<Bytes>,
    /// How many objects by class.
    pub classes: BTreeMap<String, u64>,
    /// `yes`, `no` or `unknown`: whether every object can be read now.
    pub readable: String,
    /// The day from which its files may go, by the bucket's rules or with a restored copy; `null`: none is known.
    #[serde(default)]
    pub files_until: Option<Instant>,
    /// The day from which its first unread record may leave the topic; `null`: none is known.
    #[serde(default)]
    pub records_until: Option<Instant>,
    /// What the bucket's rules do first to one of its objects, whenever that is. `null`: nothing, or not known; see `open`.
    pub first_change: Option<FirstChange>,
    /// Why the first change is not known, or why another one may come sooner; absent if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
    /// Files in its own folder that its `_metadata` does not name; absent where there are none, or nobody compared. For information: they
    /// are not judged, and another snapshot can need them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreferenced: Option<UnreferencedFiles>,
    /// Whether a restart the declared way would use it.
    pub selected: bool,
    /// How many complete snapshots were seen at the declared location, this one included; absent if it is the only one.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub seen_there: u64,
    /// Folders there that look like snapshots and hold no `_metadata`: unfinished, or being deleted; absent if there is none.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unfinished_there: u64,
    /// The verdict.
    pub verdict: Verdict,
}

const fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_one(count: &u64) -> bool {
    *count == 1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Files in a snapshot's own folder that its `_metadata` does not name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnreferencedFiles {
    /// How many.
    pub objects: u64,
    /// All their sizes.
    pub bytes: Bytes,
}

/// What a bucket's rule does to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FirstChange {
    /// The day on which it falls due, even if that is past: S3 acts some time after.
    pub on: Instant,
    /// What it does: `moved to GLACIER (readable only after a restore)`.
    pub what: String,
    /// The rule or Intelligent-Tiering configuration.
    pub rule: String,
    /// Whether it will happen; otherwise it may.
    pub certain: bool,
}

/// A place to which recovery files are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceReport {
    /// The declared location.
    pub location: String,
    /// `savepoint`, `checkpoint`, `high-availability` or `changelog`.
    pub kind: String,
    /// What the bucket's rules do first to a file that is written there at as-of, whenever that is. `null`: nothing, or not known; see
    /// `open`.
    pub first_change: Option<FirstChange>,
    /// Why the first change is not known; absent if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// When a snapshot was taken, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakenAt {
    /// The instant.
    pub at: Instant,
    /// `last modified of _metadata`.
    pub basis: String,
}
