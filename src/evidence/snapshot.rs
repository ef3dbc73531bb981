//! What was found where snapshots are declared to lie.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fact, ObjectEvidence, ReachedObject, Seen};
use crate::{
    savepoint::{SnapshotKind, summary::OperatorSummary},
    units::{Bytes, Instant, S3Location},
};

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
    /// Snapshots whose `_metadata` is hidden by a delete marker: the bytes are there, a restore finds nothing. Only asked where no
    /// snapshot was found in a versioned bucket.
    #[serde(default = "not_asked::<Vec<HiddenSnapshot>>")]
    pub hidden: Fact<Vec<HiddenSnapshot>>,
    /// All files of the place taken together. Only asked for high availability, changelog and file sinks, which hold no snapshots.
    #[serde(default = "not_asked::<FilesSummary>")]
    pub files: Fact<FilesSummary>,
}

fn not_asked<T>() -> Fact<T> {
    Fact::not_asked("this place did not need it", "")
}

impl PlaceEvidence {
    /// A place with these snapshots and nothing else that was asked.
    #[must_use]
    pub fn of(snapshots: Fact<Vec<SnapshotEvidence>>) -> Self {
        Self { snapshots, unfinished: Vec::new(), not_looked_into: 0, hidden: not_asked(), files: not_asked() }
    }
}

/// A snapshot whose `_metadata` has a delete marker as its current version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HiddenSnapshot {
    /// The folder.
    pub location: S3Location,
    /// When the delete marker was written, by a user or by a lifecycle rule.
    pub hidden_at: Instant,
    /// The delete marker's version id; deleting that version brings the file back.
    pub marker: String,
    /// When the newest version behind the marker was written; `None` if no version is left.
    pub taken_at: Option<Instant>,
}

/// The files below a place, taken together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilesSummary {
    /// How many.
    pub objects: u64,
    /// All their sizes.
    pub bytes: Bytes,
    /// The size of the largest one.
    pub largest: Bytes,
    /// When the oldest one was last modified; `None` where there is no file.
    pub oldest: Option<Instant>,
    /// When the newest one was last modified.
    pub newest: Option<Instant>,
    /// How many there are of each class, as the listing says it; the empty text for those without one.
    pub classes: BTreeMap<String, u64>,
    /// Whether the listing was read to its end. Otherwise everything here is of its beginning only.
    pub complete: bool,
}

/// One snapshot: a folder that holds `_metadata`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotEvidence {
    /// The folder.
    pub location: S3Location,
    /// When `_metadata` was last modified; a copy resets this.
    pub taken_at: Instant,
    /// Its reach: every object that it needs, each once, `_metadata` first, then by bucket and key. Not known where `_metadata` cannot be
    /// read.
    pub objects: Fact<Vec<ReachedObject>>,
    /// What was seen of `_metadata` itself. Only where `objects`, which begins with it, is not known.
    #[serde(default = "among_the_objects")]
    pub file: Fact<ObjectEvidence>,
    /// Files in its own folder that it does not name. Another snapshot can need them: not named is not the same as not needed.
    #[serde(default = "not_compared")]
    pub unreferenced: Fact<FilesSummary>,
    /// What its `_metadata` says.
    #[serde(default = "metadata_not_read")]
    pub metadata: Fact<SnapshotMetadata>,
    /// What was read of its state files, for the names and the TTL of keyed states. Only on demand.
    #[serde(default = "state_files_not_read", skip_serializing_if = "Fact::is_not_asked")]
    pub state_files: Fact<StateFilesRead>,
    /// Requests that were made to look into it, once it was found; those of a bucket that was first met there are among them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub requests: u64,
}

/// What was read of a snapshot's state files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateFilesRead {
    /// How many objects were read, each in part.
    pub objects: u64,
    /// How many bytes of them came.
    pub bytes: Bytes,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn state_files_not_read() -> Fact<StateFilesRead> {
    Fact::not_asked("state files are read only with --read-state-headers", "GetObject")
}

fn metadata_not_read() -> Fact<SnapshotMetadata> {
    Fact::not_asked("its _metadata was not read", "GetObject of _metadata")
}

fn among_the_objects() -> Fact<ObjectEvidence> {
    Fact::not_asked("it is the first of the objects", "")
}

fn not_compared() -> Fact<FilesSummary> {
    Fact::not_asked("its folder was not compared with what it names", "ListObjectsV2")
}

impl SnapshotEvidence {
    /// A snapshot that needs exactly these objects of its own bucket, and whose `_metadata` was not read.
    #[must_use]
    pub fn listed(location: S3Location, taken_at: Instant, objects: Fact<Vec<ObjectEvidence>>) -> Self {
        let bucket = location.bucket();
        let (by, call, at) = match &objects {
            Fact::Seen(seen) => (seen.by.clone(), seen.call.clone(), seen.at),
            _ => (String::new(), String::new(), taken_at),
        };
        let beside = |object| ReachedObject::beside(bucket, Seen { value: object, by: by.clone(), call: call.clone(), at });
        let objects = objects.map(|objects| objects.into_iter().map(beside).collect());
        Self {
            location,
            taken_at,
            objects,
            file: among_the_objects(),
            unreferenced: not_compared(),
            metadata: metadata_not_read(),
            state_files: state_files_not_read(),
            requests: 0,
        }
    }
}

/// What the `_metadata` of a snapshot says: who has state in it, and where the sources go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotMetadata {
    /// The format of `_metadata`: 2 to 6.
    pub format_version: u32,
    /// The checkpoint's number within its job; savepoints share the counter.
    pub checkpoint_id: u64,
    /// What kind of snapshot it is.
    pub kind: SnapshotKind,
    /// The state's size as Flink counts it.
    pub state_size: Bytes,
    /// The operators, by id, each with the positions of its Kafka source.
    pub operators: Vec<OperatorSummary>,
}
