//! What kind of snapshot a `_metadata` file describes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    handles::{KeyGroupsForm, KeyedHandle, NamedStream, StreamHandle},
    metadata::Metadata,
    operator::{OperatorState, SubtaskState},
    properties::{SavepointFormat, SnapshotType},
};

/// What kind of snapshot it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SnapshotKind {
    /// A savepoint in the format that all state backends share.
    CanonicalSavepoint,
    /// A savepoint in the state backend's own format.
    NativeSavepoint,
    /// A savepoint without keyed state, whose format the file does not state (format 3 and earlier).
    Savepoint,
    /// A checkpoint that shares no file with others by its handles. Whether incremental checkpoints are switched on is then not always
    /// known: [`Traits::may_be_incremental`].
    FullCheckpoint,
    /// A checkpoint that shares files with others.
    IncrementalCheckpoint,
    /// A checkpoint of the changelog backend.
    ChangelogCheckpoint,
    /// A checkpoint whose files are merged.
    FileMergingCheckpoint,
    /// Neither the file nor its folder's name tells (format 3 and earlier).
    Unknown,
}

impl SnapshotKind {
    /// The kind, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::CanonicalSavepoint => "canonical savepoint",
            Self::NativeSavepoint => "native savepoint",
            Self::Savepoint => "savepoint, format not stated",
            Self::FullCheckpoint => "full checkpoint",
            Self::IncrementalCheckpoint => "incremental checkpoint",
            Self::ChangelogCheckpoint => "changelog checkpoint",
            Self::FileMergingCheckpoint => "file-merging checkpoint",
            Self::Unknown => "savepoint or checkpoint, not stated",
        }
    }

    /// Whether it is a savepoint; `None` if that is not known.
    #[must_use]
    pub const fn is_savepoint(self) -> Option<bool> {
        match self {
            Self::CanonicalSavepoint | Self::NativeSavepoint | Self::Savepoint => Some(true),
            Self::Unknown => None,
            _ => Some(false),
        }
    }
}

/// What the handles of a snapshot show; several may hold at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Traits {
    /// A handle lists files that other checkpoints may share, or its own files lie in `shared/`, where only incremental ones are written.
    pub shares_files: bool,
    /// RocksDB or ForSt wrote a checkpoint that shares nothing. Their handle is the same with incremental checkpoints switched off and with
    /// nothing to share yet, so that the file does not tell which it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_incremental: bool,
    /// The changelog backend wrote it.
    pub changelog: bool,
    /// Files are merged.
    pub merged_files: bool,
    /// It holds in-flight data: the checkpoint was unaligned.
    pub in_flight_data: bool,
}

/// `…/<job id>/shared/<name>`.
fn is_below_shared(path: &str) -> bool {
    path.rsplit('/').nth(1) == Some("shared")
}

impl Metadata {
    /// What the handles show.
    #[must_use]
    pub fn traits(&self) -> Traits {
        let mut traits = Traits::default();
        let states = || self.operators.iter().flat_map(OperatorState::states);
        self.each_stream(&mut |stream, _| {
            traits.merged_files |= matches!(stream, StreamHandle::Segment { .. } | StreamHandle::EmptySegment);
        });
        traits.in_flight_data = states().any(|state| state.channels().next().is_some());
        let mut files_of_backend = false;
        let in_shared = |file: &NamedStream| matches!(file.stream.innermost(), StreamHandle::File { path, .. } if is_below_shared(path));
        states().flat_map(SubtaskState::keyed).for_each(|handle| {
            handle.each(&mut |handle| {
                traits.changelog |= matches!(handle, KeyedHandle::Changelog(_));
                if let KeyedHandle::Incremental(handle) = handle {
                    files_of_backend = true;
                    traits.shares_files |= !handle.shared.is_empty() || handle.private.iter().any(in_shared);
                }
            });
        });
        // Of a checkpoint that was asked for as a full one, the file says so: FORWARD or NO_SHARING.
        let plain = match self.properties.as_ref().map(|properties| &properties.snapshot_type) {
            Some(SnapshotType::Checkpoint { sharing }) => sharing == "FORWARD_BACKWARD",
            Some(SnapshotType::Savepoint { .. }) => false,
            Some(SnapshotType::Other(_)) | None => true,
        };
        traits.may_be_incremental = plain && files_of_backend && !traits.shares_files;
        traits
    }

    /// The kind. `folder` is the name or path of the folder that holds the file: for format 3 and earlier its name (`savepoint-…`,
    /// `chk-…`) is the only sign.
    #[must_use]
    pub fn kind(&self, folder: &str) -> SnapshotKind {
        let stated = match self.properties.as_ref().map(|properties| &properties.snapshot_type) {
            Some(SnapshotType::Savepoint { format, .. }) => Some((true, *format)),
            Some(SnapshotType::Checkpoint { .. }) => Some((false, None)),
            Some(SnapshotType::Other(_)) | None => {
                let name = folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                let checkpoint = name.strip_prefix("chk-").is_some_and(|number| number.parse::<u64>().is_ok());
                if name.starts_with("savepoint-") { Some((true, None)) } else { checkpoint.then_some((false, None)) }
            }
        };
        match stated {
            Some((true, format)) => match format.or_else(|| self.format_by_handles()) {
                Some(SavepointFormat::Canonical) => SnapshotKind::CanonicalSavepoint,
                Some(SavepointFormat::Native) => SnapshotKind::NativeSavepoint,
                None => SnapshotKind::Savepoint,
            },
            Some((false, _)) => match self.traits() {
                Traits { changelog: true, .. } => SnapshotKind::ChangelogCheckpoint,
                Traits { merged_files: true, .. } => SnapshotKind::FileMergingCheckpoint,
                Traits { shares_files: true, .. } => SnapshotKind::IncrementalCheckpoint,
                _ => SnapshotKind::FullCheckpoint,
            },
            None => SnapshotKind::Unknown,
        }
    }

    /// A savepoint's format, told by the first keyed handle: the canonical form has a type of its own, and native savepoints came later
    /// (Flink 1.15) than the types that only older savepoints use.
    fn format_by_handles(&self) -> Option<SavepointFormat> {
        let first = self.operators.iter().flat_map(OperatorState::states).find_map(|state| state.managed_keyed.as_ref())?;
        Some(match first {
            KeyedHandle::KeyGroups(handle) if handle.form != KeyGroupsForm::V2 => SavepointFormat::Canonical,
            _ => SavepointFormat::Native,
        })
    }
}
