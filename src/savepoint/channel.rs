//! In-flight data of unaligned checkpoints.

use serde::Serialize;

use super::{
    cursor::Cursor,
    error::{Problem, ReadError},
    handles::{StreamHandle, stream},
};

/// In-flight data of one channel, or of all channels of a subtask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChannelHandle {
    /// The subtask that wrote it.
    pub subtask: i32,
    /// Which channel; `None`: all of the subtask's, merged (format 6).
    pub channel: Option<Channel>,
    /// This channel's share of the file, in bytes.
    pub size: u64,
    /// The file; several channels usually share it.
    pub stream: StreamHandle,
}

/// One channel: gate and channel of an input, or partition and subpartition of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Channel {
    /// Gate, or partition.
    pub first: i32,
    /// Channel, or subpartition.
    pub second: i32,
    /// Where its buffers start in the file.
    pub offsets: Vec<i64>,
}

/// Which list is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// `inputChannelState`.
    Input,
    /// `resultSubpartitionState`.
    Result,
}

/// One list of channel handles. At least four bytes.
pub(super) fn list(cursor: &mut Cursor<'_>, version: u32, direction: Direction) -> Result<Vec<ChannelHandle>, ReadError> {
    let count = cursor.length(if version >= 6 { 18 } else { 25 }, "the list of channel states")?;
    let mut handles = Vec::new();
    for _ in 0..count {
        handles.push(read(cursor, version, direction)?);
    }
    Ok(handles)
}

fn read(cursor: &mut Cursor<'_>, version: u32, direction: Direction) -> Result<ChannelHandle, ReadError> {
    const KNOWN: &str = "known are 1 and 3 for input, 2 and 4 for results";
    if version >= 6 {
        let offset = cursor.at();
        match (cursor.i8("the type of a channel state")?, direction) {
            (1, Direction::Input) | (2, Direction::Result) => {}
            (3, Direction::Input) | (4, Direction::Result) => return merged(cursor),
            (other, _) => {
                let problem = Problem::Unsupported { what: "channel state type", value: i64::from(other), known: KNOWN };
                return Err(cursor.fail_at(offset, problem));
            }
        }
    }
    let subtask = cursor.i32("the index of a subtask")?;
    let first = cursor.i32("the index of a gate or partition")?;
    let second = cursor.i32("the index of a channel or subpartition")?;
    let count = cursor.length(8, "the list of buffer offsets")?;
    let offsets = cursor.longs(count, "the offset of a buffer")?;
    let size = cursor.count64("the size of channel state")?;
    let stream = stream::required(cursor, 0)?;
    Ok(ChannelHandle { subtask, channel: Some(Channel { first, second, offsets }), size, stream })
}

fn merged(cursor: &mut Cursor<'_>) -> Result<ChannelHandle, ReadError> {
    let subtask = cursor.i32("the index of a subtask")?;
    let size = cursor.count64("the size of channel state")?;
    let stream = stream::required(cursor, 0)?;
    cursor.span("the offsets of merged channels")?;
    Ok(ChannelHandle { subtask, channel: None, size, stream })
}
