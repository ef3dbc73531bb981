//! The whole file.

use super::{
    cursor::Cursor,
    error::{Problem, ReadError},
    handles::{KeyedHandle, StreamHandle},
    operator::{self, OperatorState},
    properties::{self, Properties},
};

/// `Checkpoints.HEADER_MAGIC_NUMBER`.
const MAGIC: i32 = 0x4960_672d;
/// The first number of a master state.
const MASTER_MAGIC: i32 = 0xc96b_1696_u32.cast_signed();

/// A `_metadata` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The format: 2 to 6.
    pub version: u32,
    /// The checkpoint's number within its job.
    pub checkpoint_id: u64,
    /// State of the job manager's hooks; almost always none.
    pub master_states: Vec<MasterState>,
    /// The operators, in no order.
    pub operators: Vec<OperatorState>,
    /// What kind of snapshot it is; only in format 4 and later.
    pub properties: Option<Properties>,
    /// Bytes behind the end of what the format holds. Flink does not look at them.
    pub trailing_bytes: u64,
}

/// State of one hook of the job manager (`MasterTriggerRestoreHook`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MasterState {
    /// The version of its serializer.
    pub version: i32,
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
}

impl Metadata {
    /// Reads a whole `_metadata` file.
    ///
    /// # Errors
    ///
    /// Where the bytes are no such file, a damaged one, or one of a format or with a handle that this reader does not know.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut cursor = Cursor::new(bytes);
        let version = header(&mut cursor)?;
        let checkpoint_id = cursor.count64("the checkpoint id")?;
        let master_states = master_states(&mut cursor)?;
        let operators = operator::list(&mut cursor, version)?;
        let properties = if version >= 4 { Some(properties::read(&mut cursor)?) } else { None };
        Ok(Self { version, checkpoint_id, master_states, operators, properties, trailing_bytes: cursor.left() as u64 })
    }

    /// The state's size as Flink counts it: a file that several handles name counts for each of them.
    #[must_use]
    pub fn state_size(&self) -> u64 {
        self.operators.iter().map(OperatorState::size).fold(0, u64::saturating_add)
    }

    /// How many bytes of changes of the changelog backend lie in the file itself (storage `memory`).
    #[must_use]
    pub fn inline_changes(&self) -> u64 {
        let mut bytes = 0_u64;
        for operator in &self.operators {
            operator.each_keyed(&mut |handle| {
                if let KeyedHandle::InlineChanges(_) = handle {
                    bytes = bytes.saturating_add(handle.size());
                }
            });
        }
        bytes
    }

    /// Calls `f` with every stream of every subtask, and with whether it is listed among the files that other checkpoints may share. The
    /// coordinators' streams are not among them.
    pub fn each_stream<'a>(&'a self, f: &mut dyn FnMut(&'a StreamHandle, bool)) {
        self.operators.iter().flat_map(OperatorState::states).for_each(|state| state.each_stream(f));
    }

    /// Which releases write this format.
    #[must_use]
    pub const fn written_by(&self) -> &'static str {
        match self.version {
            2 => "about Flink 1.3 to 1.10",
            3 => "Flink 1.11 to 1.15",
            4 => "Flink 1.16 to 1.20",
            5 => "Flink 2.0",
            _ => "Flink 2.1 to 2.3",
        }
    }
}

fn header(cursor: &mut Cursor<'_>) -> Result<u32, ReadError> {
    const ONE: &str = "format 1 is of Flink 1.2 and earlier and has another layout";
    const SEVEN: &str = "format 7 is in no release up to Flink 2.3 and may still change";
    const OTHER: &str = "known are the formats 2 to 6 (Flink 1.3 to 2.3)";
    let magic = cursor.i32("the magic number 0x4960672D")?;
    if magic != MAGIC {
        return Err(cursor.unexpected(0, "the magic number 0x4960672D of a `_metadata` file", format!("0x{magic:08X}")));
    }
    let offset = cursor.at();
    let version = cursor.i32("the format version")?;
    let known = match version {
        2..=6 => return Ok(version.unsigned_abs()),
        1 => ONE,
        7 => SEVEN,
        _ => OTHER,
    };
    Err(cursor.fail_at(offset, Problem::Unsupported { what: "format version", value: i64::from(version), known }))
}

fn master_states(cursor: &mut Cursor<'_>) -> Result<Vec<MasterState>, ReadError> {
    let count = cursor.length(8, "the list of master states")?;
    let mut states = Vec::new();
    for _ in 0..count {
        let offset = cursor.at();
        let magic = cursor.i32("the magic number 0xC96B1696 of a master state")?;
        if magic != MASTER_MAGIC {
            return Err(cursor.unexpected(offset, "the magic number 0xC96B1696 of a master state", format!("0x{magic:08X}")));
        }
        let span = cursor.span("a master state")?;
        let mut inner = cursor.within(span);
        let version = inner.i32("the version of a master state")?;
        let name = inner.utf("the name of a master state")?;
        let size = inner.span("the bytes of a master state")?.len as u64;
        states.push(MasterState { version, name, size });
    }
    Ok(states)
}
