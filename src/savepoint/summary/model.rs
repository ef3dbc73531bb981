//! What `ttl-audit snapshot` says about one snapshot. Fields are added, never renamed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::kind::{SnapshotKind, Traits},
    stored::{StoredFile, StoredSnapshot},
};
use crate::units::{Bytes, Millis};

/// The version of [`SnapshotSummary`] as JSON.
pub const SUMMARY_VERSION: u32 = 1;

/// One snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotSummary {
    /// 1.
    pub schema_version: u32,
    /// The folder that holds `_metadata`.
    pub location: String,
    /// The format of `_metadata`: 2 to 6.
    pub format_version: u32,
    /// Which Flink releases write this format.
    pub written_by: String,
    /// The checkpoint's number within its job.
    pub checkpoint_id: u64,
    /// What kind of snapshot it is.
    pub kind: SnapshotKind,
    /// What its handles show.
    pub traits: Traits,
    /// What happened to the job afterwards (`NONE`, `SUSPEND`, `TERMINATE`); only of savepoints in format 4 and later.
    pub then: Option<String>,
    /// How it was asked for, and when Flink deletes it by itself; only in format 4 and later.
    #[serde(default)]
    pub properties: Option<PropertiesSummary>,
    /// The size of `_metadata`.
    #[serde(default)]
    pub metadata_size: Bytes,
    /// The state's size as Flink counts it: a file that several handles name counts for each.
    pub state_size: Bytes,
    /// The operators, by id.
    pub operators: Vec<OperatorSummary>,
    /// The files that a restore needs besides `_metadata`.
    pub reach: ReachSummary,
    /// Files in its own folder that it does not name; `None` if nobody looked. Another snapshot can need them: not named is not the same as
    /// not needed.
    #[serde(default)]
    pub unreferenced: Option<UnreferencedSummary>,
    /// Every operator with the state handles of its subtasks, as `_metadata` has them. Only on demand. A place in `_metadata` itself is
    /// given as `start` and `len`, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handles: Option<serde_json::Value>,
    /// Names of the states of job-manager hooks.
    pub master_states: Vec<String>,
    /// Snapshots in folders beside it whose `_metadata` was read to see what they need too: ten at most, the newest. In S3 only if it names
    /// files by their whole path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared_with: Vec<OtherSnapshot>,
    /// How it is stored; only of a snapshot in S3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredSnapshot>,
}

/// A snapshot that another one was compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OtherSnapshot {
    /// Its folder.
    pub location: String,
    /// How many files both need.
    pub files_in_common: u64,
}

/// How a snapshot was asked for, and when Flink deletes it by itself (`CheckpointProperties`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "they are the fields of Flink's own class")]
pub struct PropertiesSummary {
    /// `Savepoint`, `Checkpoint`, or the class if it is neither.
    pub kind: String,
    /// A savepoint's format: `CANONICAL`, `NATIVE`.
    pub format: Option<String>,
    /// How a checkpoint's files are shared: `FORWARD_BACKWARD`; a checkpoint that was asked for as a full one has `FORWARD` or `NO_SHARING`.
    pub sharing: Option<String>,
    /// It was taken whatever the limits on checkpoints said.
    pub forced: bool,
    /// It is owned by nobody: Flink never deletes it.
    pub unclaimed: bool,
    /// Deleted when a newer one takes its place.
    pub discard_on_subsumed: bool,
    /// Deleted when the job finishes.
    pub discard_on_finished: bool,
    /// Deleted when the job is cancelled.
    pub discard_on_cancelled: bool,
    /// Deleted when the job fails.
    pub discard_on_failed: bool,
    /// Deleted when the job is suspended.
    pub discard_on_suspended: bool,
}

/// One operator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct OperatorSummary {
    /// 32 hex digits.
    pub id: String,
    /// The uid: out of the file (format 5 and later), or the one of those asked for whose hash is the id.
    pub uid: Option<String>,
    /// The name (format 5 and later).
    pub name: Option<String>,
    /// Whether the file could have held a uid: if it could and has none, the id was generated, or set with `setUidHash`.
    pub uid_known: bool,
    /// Parallelism.
    pub parallelism: u32,
    /// Maximum parallelism.
    pub max_parallelism: u32,
    /// All of it had finished.
    pub finished: bool,
    /// Subtasks that had finished.
    pub finished_subtasks: u64,
    /// The state's size as Flink counts it.
    pub state_size: Bytes,
    /// There is keyed state, whether its headers could be read or not.
    #[serde(default)]
    pub keyed_state: bool,
    /// Keyed states, by name. Only those whose headers could be read.
    pub keyed_states: Vec<KeyedStateSummary>,
    /// Timers, by name. Every keyed process function has both kinds, even if it sets none.
    pub timers: Vec<String>,
    /// There is raw keyed state: timers that the backend keeps on the heap.
    pub raw_keyed_state: bool,
    /// Operator states, by name.
    pub operator_states: Vec<OperatorStateSummary>,
    /// In-flight data of an unaligned checkpoint.
    pub in_flight: Bytes,
    /// Where a source goes on, by topic and partition.
    pub positions: Vec<PositionSummary>,
    /// How many headers, positions or changes were read.
    pub parts_read: u64,
    /// How many were not.
    pub parts_not_read: u64,
    /// Why, each reason once.
    pub not_read: Vec<String>,
}

/// One keyed state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyedStateSummary {
    /// Its name in the descriptor.
    pub name: String,
    /// `VALUE`, `LIST`, `MAP`, `REDUCING`, `AGGREGATING`; `None` if the header does not say.
    pub kind: Option<String>,
    /// `KEY_VALUE`, or `KEY_VALUE_V2` (asynchronous API).
    pub backend_type: String,
    /// Whether it has a TTL.
    pub ttl: TtlPresence,
    /// Its settings, which only checkpoints of the changelog backend hold, and only sometimes: what the job ran with when it wrote them.
    pub ttl_settings: Option<TtlSettingsSummary>,
    /// The classes of its serializers, by role.
    pub serializers: BTreeMap<String, String>,
    /// It was found by searching, since a serializer's layout is not known.
    pub best_effort: bool,
}

/// Whether a state has a TTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TtlPresence {
    /// It has, in every header that was read.
    On,
    /// It has not.
    Off,
    /// The headers do not agree.
    Mixed,
    /// What was read does not reach far enough.
    Unknown,
}

/// A state's TTL settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TtlSettingsSummary {
    /// The length.
    pub ttl: Millis,
    /// `OnCreateAndWrite`, `OnReadAndWrite`.
    pub update: String,
    /// `NeverReturnExpired`, `ReturnExpiredIfNotCleanedUp`.
    pub visibility: String,
    /// Cleanup strategies that the job switched on.
    pub cleanup: Vec<String>,
}

/// One operator state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorStateSummary {
    /// Its name.
    pub name: String,
    /// `SPLIT_DISTRIBUTE`, `UNION`, `BROADCAST`.
    pub mode: String,
    /// How many elements all subtasks hold.
    pub elements: u64,
}

/// Where a KafkaSource goes on in one partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct PositionSummary {
    /// The topic.
    pub topic: String,
    /// The partition.
    pub partition: u32,
    /// The next offset to read; `None` if it is a marker.
    pub next_offset: Option<u64>,
    /// `latest`, `earliest`, `committed`: looked up when the job starts.
    pub marker: Option<String>,
    /// The offset before which a bounded source stops.
    pub stopping_offset: Option<i64>,
}

/// The reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReachSummary {
    /// How many files, each once, without `_metadata`.
    pub objects: u64,
    /// Their sizes as the handles state them; of merged files up to the end of the last part that is named.
    pub bytes: Bytes,
    /// Named relative to the folder: these move with it.
    pub relative: u64,
    /// Named absolutely: these keep pointing to where they were written.
    pub absolute: u64,
    /// Handles whose state lies in `_metadata` itself.
    pub inline_handles: u64,
    /// How large that state is.
    pub inline_bytes: Bytes,
    /// Changes of the changelog backend that lie in `_metadata` itself (storage `memory`); they are not among the handles.
    #[serde(default)]
    pub inline_changes: Bytes,
    /// The files, by path.
    pub files: Vec<FileSummary>,
}

/// Files in a snapshot's own folder that it does not name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnreferencedSummary {
    /// How many.
    pub objects: u64,
    /// All their sizes.
    pub bytes: Bytes,
    /// The first few, by name below the folder.
    pub examples: Vec<String>,
    /// Whether the folder was read to its end. Otherwise there may be more.
    pub complete: bool,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileSummary {
    /// The path; a relative one is resolved against the folder.
    pub path: String,
    /// It is named relative to the folder.
    pub relative: bool,
    /// Its size as stated; `None` for merged files, and where Flink did not know it.
    pub size: Option<Bytes>,
    /// It must be at least this long.
    pub min_size: Bytes,
    /// Only parts of it are named (file merging).
    pub merged: bool,
    /// Flink lists it among the files that other checkpoints may share.
    pub shared: bool,
    /// How many handles name it.
    pub references: u64,
    /// How many of the snapshots that it was compared with need it too; absent if it was compared with none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also_in: Option<u64>,
    /// What was found of it; only for a snapshot in S3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredFile>,
}
