//! Flink's snapshots: the binary layout of `_metadata`, and of the headers of the state files that it points to.
//!
//! Bytes in, structures out. Any bytes give a result or an error that says where and what was expected; memory is bounded by the length of
//! the bytes and by [`MAX_ITEMS`], nesting by fixed limits.
//!
//! The layouts are those of the classes `MetadataV2Serializer` to `MetadataV6Serializer`, `KeyedBackendSerializationProxy` and
//! `OperatorBackendSerializationProxy` of Apache Flink 1.14 to 2.3.

mod changelog;
mod channel;
mod cursor;
mod error;
mod handles;
mod identity;
mod java;
mod kind;
mod metadata;
mod operator;
mod positions;
mod properties;
mod reach;
pub mod state_header;
pub mod summary;
mod ttl;
mod utf;

pub use changelog::{ChangelogState, ChangelogStates, in_file as changelog_file, inline as changelog_inline};
pub use channel::{Channel, ChannelHandle};
pub use cursor::{MAX_ITEMS, Span};
pub use error::{Problem, ReadError};
pub use handles::{
    Change, ChangeFile, ChangeFiles, ChangelogHandle, DistributionMode, IncrementalHandle, InlineChanges, KeyGroupRange, KeyGroupsForm,
    KeyGroupsHandle, KeyedHandle, MergedFolders, NamedStream, OperatorHandle, OperatorStateInfo, SegmentScope, StreamHandle,
};
pub use identity::{Identity, OperatorId};
pub use kind::{SnapshotKind, Traits};
pub use metadata::{MasterState, Metadata};
pub use operator::{OperatorState, Subtask, SubtaskState};
pub use positions::{KafkaSplit, KnownPartition, NextOffset, READER_STATE, enumerator, split, splits};
pub use properties::{Properties, SavepointFormat, SnapshotType};
pub use reach::{Inlined, Reach, ReachedFile};
pub use ttl::TtlSettings;
