//! `CheckpointProperties`, which formats 4 and later carry at their end as a Java object.

use super::{
    cursor::Cursor,
    error::ReadError,
    java::{self, Value},
};

/// What kind of snapshot it is, and when Flink deletes it by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the fields of Flink's own class")]
pub struct Properties {
    /// Savepoint or checkpoint.
    pub snapshot_type: SnapshotType,
    /// It was asked for, and taken whatever the limits on checkpoints said.
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

/// Savepoint or checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotType {
    /// A savepoint.
    Savepoint {
        /// `CANONICAL` or `NATIVE`; `None` if the file does not say.
        format: Option<SavepointFormat>,
        /// What happened to the job afterwards: `NONE`, `SUSPEND`, `TERMINATE`.
        then: String,
    },
    /// A checkpoint.
    Checkpoint {
        /// How its files are shared: `FORWARD_BACKWARD`, `FORWARD`, `NO_SHARING`.
        sharing: String,
    },
    /// A class that this reader does not know.
    Other(String),
}

/// The format of a savepoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavepointFormat {
    /// The same for all state backends.
    Canonical,
    /// The state backend's own.
    Native,
}

impl SavepointFormat {
    /// Flink's own word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Canonical => "CANONICAL",
            Self::Native => "NATIVE",
        }
    }
}

pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Properties, ReadError> {
    const EXPECTED: &str = "Flink's CheckpointProperties";
    let offset = cursor.at();
    let graph = java::read(cursor)?;
    let object = graph.root().filter(|object| object.class().ends_with(".CheckpointProperties"));
    let object = object.ok_or_else(|| cursor.unexpected(offset, EXPECTED, "another Java object"))?;
    let flag = |name: &str| match object.field(name) {
        Some(Value::Number(value)) => Ok(value != 0),
        _ => Err(cursor.unexpected(offset, EXPECTED, format!("an object without `{name}`"))),
    };
    let kind = object.field("checkpointType").and_then(|value| graph.object(value));
    let kind = kind.ok_or_else(|| cursor.unexpected(offset, EXPECTED, "an object without `checkpointType`"))?;
    let constant = |name: &str| kind.field(name).and_then(|value| graph.constant(value)).unwrap_or("unknown").to_owned();
    let snapshot_type = match kind.class().rsplit('.').next() {
        Some("SavepointType") => SnapshotType::Savepoint {
            format: match constant("formatType").as_str() {
                "CANONICAL" => Some(SavepointFormat::Canonical),
                "NATIVE" => Some(SavepointFormat::Native),
                _ => None,
            },
            then: constant("postCheckpointAction"),
        },
        Some("CheckpointType") => SnapshotType::Checkpoint { sharing: constant("sharingFilesStrategy") },
        _ => SnapshotType::Other(kind.class().to_owned()),
    };
    Ok(Properties {
        snapshot_type,
        forced: flag("forced")?,
        unclaimed: flag("unclaimed")?,
        discard_on_subsumed: flag("discardSubsumed")?,
        discard_on_finished: flag("discardFinished")?,
        discard_on_cancelled: flag("discardCancelled")?,
        discard_on_failed: flag("discardFailed")?,
        discard_on_suspended: flag("discardSuspended")?,
    })
}
