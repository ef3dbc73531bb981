//! Operators and their subtasks.

use serde::Serialize;

use super::{
    channel::{self, ChannelHandle, Direction},
    cursor::Cursor,
    error::ReadError,
    handles::{KeyedHandle, OperatorHandle, StreamHandle, keyed, operator, stream},
    identity::OperatorId,
};

/// One operator of the job. Operators without state are listed too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatorState {
    /// Its name; only in format 5 and later.
    pub name: Option<String>,
    /// Its uid; only in format 5 and later, and only if the job sets one.
    pub uid: Option<String>,
    /// Its id.
    pub id: OperatorId,
    /// How many subtasks it ran with.
    pub parallelism: u32,
    /// How many key groups its keyed state has.
    pub max_parallelism: u32,
    /// The state of its coordinator: of a source, the enumerator's.
    pub coordinator: Option<StreamHandle>,
    /// All of its subtasks had finished.
    pub finished: bool,
    /// Its subtasks, in no order.
    pub subtasks: Vec<Subtask>,
}

/// One subtask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subtask {
    /// Its index.
    pub index: u32,
    /// Its state; `None`: it had finished.
    pub state: Option<Box<SubtaskState>>,
}

/// The state of one subtask.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SubtaskState {
    /// Operator state.
    pub managed_operator: Option<OperatorHandle>,
    /// Raw operator state.
    pub raw_operator: Option<OperatorHandle>,
    /// Keyed state.
    pub managed_keyed: Option<KeyedHandle>,
    /// Raw keyed state: timers that the backend keeps on the heap.
    pub raw_keyed: Option<KeyedHandle>,
    /// In-flight data of its inputs.
    pub input_channels: Vec<ChannelHandle>,
    /// In-flight data of its results.
    pub result_subpartitions: Vec<ChannelHandle>,
}

impl SubtaskState {
    /// The state's size as Flink counts it.
    #[must_use]
    pub fn size(&self) -> u64 {
        let operator = self.operator().map(|handle| handle.stream.size());
        let keyed = self.keyed().map(KeyedHandle::size);
        let channels = self.channels().map(|handle| handle.size);
        operator.chain(keyed).chain(channels).fold(0, u64::saturating_add)
    }

    /// The operator state, managed first.
    pub fn operator(&self) -> impl Iterator<Item = &OperatorHandle> {
        self.managed_operator.iter().chain(&self.raw_operator)
    }

    /// The keyed state, managed first.
    pub fn keyed(&self) -> impl Iterator<Item = &KeyedHandle> {
        self.managed_keyed.iter().chain(&self.raw_keyed)
    }

    /// The in-flight data, inputs first.
    pub fn channels(&self) -> impl Iterator<Item = &ChannelHandle> {
        self.input_channels.iter().chain(&self.result_subpartitions)
    }

    /// Calls `f` with every stream of the subtask, and with whether it is listed among the files that other checkpoints may share.
    pub fn each_stream<'a>(&'a self, f: &mut dyn FnMut(&'a StreamHandle, bool)) {
        self.operator().for_each(|handle| f(&handle.stream, false));
        self.keyed().for_each(|handle| handle.each_stream(f));
        self.channels().for_each(|handle| f(&handle.stream, false));
    }
}

impl OperatorState {
    /// The states of the subtasks that have not finished.
    pub fn states(&self) -> impl Iterator<Item = &SubtaskState> {
        self.subtasks.iter().filter_map(|subtask| subtask.state.as_deref())
    }

    /// The state's size as Flink counts it, the coordinator's included.
    #[must_use]
    pub fn size(&self) -> u64 {
        let coordinator = self.coordinator.as_ref().map_or(0, StreamHandle::size);
        self.states().map(SubtaskState::size).fold(coordinator, u64::saturating_add)
    }

    /// Calls `f` with every keyed handle, those within others included.
    pub fn each_keyed<'a>(&'a self, f: &mut dyn FnMut(&'a KeyedHandle)) {
        self.states().flat_map(SubtaskState::keyed).for_each(|handle| handle.each(f));
    }
}

/// The list of operators.
pub(super) fn list(cursor: &mut Cursor<'_>, version: u32) -> Result<Vec<OperatorState>, ReadError> {
    let count = cursor.length(28, "the list of operators")?;
    let mut operators = Vec::new();
    for _ in 0..count {
        operators.push(read(cursor, version)?);
    }
    Ok(operators)
}

fn read(cursor: &mut Cursor<'_>, version: u32) -> Result<OperatorState, ReadError> {
    let (name, uid) = if version >= 5 {
        (cursor.optional_utf("the name of an operator")?, cursor.optional_utf("the uid of an operator")?)
    } else {
        (None, None)
    };
    let id = OperatorId(cursor.sixteen("the id of an operator")?);
    let parallelism = cursor.count32("the parallelism of an operator")?;
    let max_parallelism = cursor.count32("the maximum parallelism of an operator")?;
    let coordinator = if version == 2 {
        cursor.i32("the length of a chain")?;
        None
    } else {
        stream::optional(cursor, 0)?
    };
    let offset = cursor.at();
    let finished = cursor.i32("the number of subtasks")? == -1;
    let mut subtasks = Vec::new();
    if !finished {
        cursor.jump(offset);
        // The index alone: a subtask that has finished.
        let count = cursor.length(4, "the list of subtasks")?;
        for _ in 0..count {
            subtasks.push(subtask(cursor, version)?);
        }
    }
    Ok(OperatorState { name, uid, id, parallelism, max_parallelism, coordinator, finished, subtasks })
}

fn subtask(cursor: &mut Cursor<'_>, version: u32) -> Result<Subtask, ReadError> {
    let index = cursor.i32("the index of a subtask")?;
    if index < 0 {
        // −(index + 1), the complement: the subtask had finished.
        return Ok(Subtask { index: (!index).unsigned_abs(), state: None });
    }
    Ok(Subtask { index: index.unsigned_abs(), state: Some(Box::new(subtask_state(cursor, version)?)) })
}

fn subtask_state(cursor: &mut Cursor<'_>, version: u32) -> Result<SubtaskState, ReadError> {
    if version == 2 {
        cursor.i64("the duration of a checkpoint")?;
        let offset = cursor.at();
        let length = cursor.i32("the length of legacy state")?;
        if length != 0 {
            return Err(cursor.unexpected(offset, "no legacy state", format!("{length} pieces of state of Flink 1.1 or earlier")));
        }
    }
    let operator_state = |cursor: &mut Cursor<'_>, what: &'static str| -> Result<Option<OperatorHandle>, ReadError> {
        if cursor.flag(what)? { operator::read(cursor, 0).map(Some) } else { Ok(None) }
    };
    let managed_operator = operator_state(cursor, "whether there is managed operator state")?;
    let raw_operator = operator_state(cursor, "whether there is raw operator state")?;
    let managed_keyed = keyed::optional(cursor, 0)?;
    let raw_keyed = keyed::optional(cursor, 0)?;
    let (input_channels, result_subpartitions) = if version >= 3 {
        (channel::list(cursor, version, Direction::Input)?, channel::list(cursor, version, Direction::Result)?)
    } else {
        (Vec::new(), Vec::new())
    };
    Ok(SubtaskState { managed_operator, raw_operator, managed_keyed, raw_keyed, input_channels, result_subpartitions })
}
