//! Handles of streams: where the bytes of a state lie.

use serde::Serialize;

use super::super::{
    cursor::{Cursor, Span},
    error::{Problem, ReadError},
};
use super::keyed::{KeyGroupsForm, KeyGroupsHandle};

/// Where the bytes of a state lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum StreamHandle {
    /// In `_metadata` itself; there is no file.
    Inline {
        /// The file that it would have been.
        name: String,
        /// The state.
        bytes: Span,
    },
    /// In a file, named by an absolute URI.
    File {
        /// The URI as written.
        path: String,
        /// The file's size; `None` if Flink did not know it.
        size: Option<u64>,
    },
    /// In a file next to `_metadata`.
    Relative {
        /// The path below the folder that holds `_metadata`.
        path: String,
        /// The file's size; `None` if Flink did not know it.
        size: Option<u64>,
    },
    /// In a part of a file that several states share (file merging, Flink 1.20 and later).
    Segment {
        /// The URI as written.
        path: String,
        /// Where the part starts.
        start: u64,
        /// How long it is.
        size: u64,
        /// Whose it is.
        scope: SegmentScope,
        /// Flink's own id of the part.
        logical_file: String,
    },
    /// No state at all (file merging).
    EmptySegment,
    /// Key groups as a stream: only in files of Flink before 1.3.
    KeyGroups(Box<KeyGroupsHandle>),
}

/// Whose a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SegmentScope {
    /// Of one checkpoint.
    Exclusive,
    /// Of several checkpoints.
    Shared,
}

impl StreamHandle {
    /// The size that the handle states; of a segment, the segment's.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Inline { bytes, .. } => bytes.len as u64,
            Self::File { size, .. } | Self::Relative { size, .. } => size.unwrap_or(0),
            Self::Segment { size, .. } => *size,
            Self::EmptySegment => 0,
            Self::KeyGroups(handle) => handle.stream.size(),
        }
    }

    /// The handle of the bytes themselves.
    #[must_use]
    pub fn innermost(&self) -> &Self {
        let mut handle = self;
        while let Self::KeyGroups(outer) = handle {
            handle = &outer.stream;
        }
        handle
    }
}

/// The handle types that a stream may have, for errors.
const KNOWN: &str = "known for a stream are 0, 1, 2, 3, 6, 15 and 16";

/// A stream handle; `None` for type 0. At least one byte.
pub(in super::super) fn optional(cursor: &mut Cursor<'_>, depth: usize) -> Result<Option<StreamHandle>, ReadError> {
    let offset = cursor.at();
    cursor.item()?;
    let handle = match cursor.i8("the type of a stream handle")? {
        0 => return Ok(None),
        1 => StreamHandle::Inline { name: cursor.utf("the name of inline state")?, bytes: cursor.span("inline state")? },
        2 => {
            let size = cursor.size("the size of a file")?;
            StreamHandle::File { path: cursor.utf("the path of a file")?, size }
        }
        3 => StreamHandle::KeyGroups(Box::new(super::keyed::key_groups(cursor, KeyGroupsForm::V1, super::deeper(cursor, depth)?)?)),
        6 => StreamHandle::Relative { path: cursor.utf("a relative path")?, size: cursor.size("the size of a file")? },
        15 => segment(cursor)?,
        16 => StreamHandle::EmptySegment,
        other => {
            let problem = Problem::Unsupported { what: "stream handle type", value: i64::from(other), known: KNOWN };
            return Err(cursor.fail_at(offset, problem));
        }
    };
    Ok(Some(handle))
}

/// A stream handle that must be there. At least one byte.
pub(in super::super) fn required(cursor: &mut Cursor<'_>, depth: usize) -> Result<StreamHandle, ReadError> {
    let offset = cursor.at();
    optional(cursor, depth)?.ok_or_else(|| cursor.unexpected(offset, "a stream handle", "none (type 0)"))
}

fn segment(cursor: &mut Cursor<'_>) -> Result<StreamHandle, ReadError> {
    let start = cursor.count64("the start of a segment")?;
    let offset = cursor.at();
    let size = cursor.count64("the size of a segment")?;
    if start.checked_add(size).is_none() {
        return Err(cursor.unexpected(offset, "a segment that ends below 2^64", format!("{start} + {size}")));
    }
    let offset = cursor.at();
    let scope = match cursor.i32("the scope of a segment")? {
        0 => SegmentScope::Exclusive,
        1 => SegmentScope::Shared,
        other => return Err(cursor.unexpected(offset, "a scope, 0 or 1", other)),
    };
    let path = cursor.utf("the path of a segment's file")?;
    Ok(StreamHandle::Segment { path, start, size, scope, logical_file: cursor.utf("the id of a logical file")? })
}
