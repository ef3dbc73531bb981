//! Handles of operator state.

use serde::Serialize;

use super::{
    super::{
        cursor::Cursor,
        error::{Problem, ReadError},
    },
    StreamHandle, stream,
};

/// Where the operator state of one subtask lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatorHandle {
    /// The states by name.
    pub states: Vec<OperatorStateInfo>,
    /// The stream with all of them.
    pub stream: StreamHandle,
    /// File merging: the two folders of the merged files.
    pub merged: Option<MergedFolders>,
}

/// One operator state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatorStateInfo {
    /// Its name.
    pub name: String,
    /// How it is spread on a restore.
    pub mode: DistributionMode,
    /// Where each element starts in the stream.
    pub offsets: Vec<i64>,
}

/// How operator state is spread over the subtasks on a restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DistributionMode {
    /// `SPLIT_DISTRIBUTE`: the elements are dealt out.
    #[serde(rename = "SPLIT_DISTRIBUTE")]
    Split,
    /// `UNION`: each subtask gets all elements.
    #[serde(rename = "UNION")]
    Union,
    /// `BROADCAST`: each subtask has the same.
    #[serde(rename = "BROADCAST")]
    Broadcast,
}

impl DistributionMode {
    /// Flink's own word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Split => "SPLIT_DISTRIBUTE",
            Self::Union => "UNION",
            Self::Broadcast => "BROADCAST",
        }
    }
}

/// Folders of merged files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MergedFolders {
    /// The task manager's folder.
    pub task_owned: String,
    /// The subtask's folder.
    pub shared: String,
    /// There is no state.
    pub empty: bool,
}

/// An operator state handle. At least nine bytes.
pub(in super::super) fn read(cursor: &mut Cursor<'_>, depth: usize) -> Result<OperatorHandle, ReadError> {
    const KNOWN: &str = "known for operator state are 4 and 17";
    let offset = cursor.at();
    cursor.item()?;
    let kind = cursor.i8("the type of an operator state handle")?;
    if kind != 4 && kind != 17 {
        let problem = Problem::Unsupported { what: "operator state handle type", value: i64::from(kind), known: KNOWN };
        return Err(cursor.fail_at(offset, problem));
    }
    // A name of no length, a mode and an empty list.
    let count = cursor.length(7, "the list of operator states")?;
    let mut states = Vec::new();
    for _ in 0..count {
        states.push(state(cursor)?);
    }
    let merged = if kind == 17 {
        Some(MergedFolders {
            task_owned: cursor.utf("the folder of the task manager")?,
            shared: cursor.utf("the folder of the subtask")?,
            empty: cursor.bool("whether there is no state")?,
        })
    } else {
        None
    };
    Ok(OperatorHandle { states, stream: stream::required(cursor, depth)?, merged })
}

fn state(cursor: &mut Cursor<'_>) -> Result<OperatorStateInfo, ReadError> {
    let name = cursor.utf("the name of an operator state")?;
    let offset = cursor.at();
    let mode = match cursor.i8("the mode of an operator state")? {
        0 => DistributionMode::Split,
        1 => DistributionMode::Union,
        2 => DistributionMode::Broadcast,
        other => return Err(cursor.unexpected(offset, "a distribution mode, 0 to 2", other)),
    };
    let count = cursor.length(8, "the list of element offsets")?;
    Ok(OperatorStateInfo { name, mode, offsets: cursor.longs(count, "the offset of an element")? })
}
