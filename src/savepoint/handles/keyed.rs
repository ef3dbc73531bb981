//! Handles of keyed state.

use serde::Serialize;

use super::{
    super::{
        cursor::{Cursor, Span},
        error::{Problem, ReadError},
    },
    StreamHandle, deeper, stream,
};

/// Where the keyed state of one subtask lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum KeyedHandle {
    /// One stream with all key groups: canonical savepoints, the hashmap backend, timers on the heap.
    KeyGroups(KeyGroupsHandle),
    /// A RocksDB or ForSt snapshot of many files, incremental or not.
    Incremental(IncrementalHandle),
    /// The changelog backend: materialised state and the changes since.
    Changelog(ChangelogHandle),
    /// Changes, inline.
    InlineChanges(InlineChanges),
    /// Changes, in files.
    ChangeFiles(ChangeFiles),
}

/// A range of key groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KeyGroupRange {
    /// The first.
    pub start: i32,
    /// How many.
    pub count: u32,
}

/// One stream with all key groups of a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyGroupsHandle {
    /// Which of the three layouts.
    pub form: KeyGroupsForm,
    /// Which key groups.
    pub range: KeyGroupRange,
    /// Where each key group starts in the stream. 0 in the canonical form: it is empty.
    pub offsets: Vec<i64>,
    /// The stream; it starts with the header that names the states.
    pub stream: StreamHandle,
    /// The handle's id, in the second layout.
    pub id: Option<String>,
}

/// Which layout a key-groups handle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyGroupsForm {
    /// Type 3.
    V1,
    /// Type 12, with an id (Flink 1.15 and later).
    V2,
    /// Type 7: the canonical form of savepoints.
    Savepoint,
}

/// A snapshot of many files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IncrementalHandle {
    /// The checkpoint that made it.
    pub checkpoint_id: i64,
    /// The backend's own id.
    pub backend: String,
    /// Which key groups.
    pub range: KeyGroupRange,
    /// How much of it was uploaded by this checkpoint; not in the older layout.
    pub checkpointed_size: Option<i64>,
    /// The header that names the states.
    pub meta: StreamHandle,
    /// Files that other checkpoints may share. Empty: a full snapshot.
    pub shared: Vec<NamedStream>,
    /// The other files.
    pub private: Vec<NamedStream>,
    /// The handle's id, in the newer layout.
    pub id: Option<String>,
}

/// A file and its name in the backend's local folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedStream {
    /// `000014.sst`, `CURRENT`, `OPTIONS-000013`.
    pub name: String,
    /// Where it lies.
    pub stream: StreamHandle,
}

/// The changelog backend's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangelogHandle {
    /// Which key groups.
    pub range: KeyGroupRange,
    /// How much of it was uploaded by this checkpoint.
    pub checkpointed_size: i64,
    /// The state as last materialised.
    pub materialized: Vec<KeyedHandle>,
    /// The changes since.
    pub non_materialized: Vec<KeyedHandle>,
    /// The materialisation's number.
    pub materialization_id: i64,
    /// The checkpoint; not in the older layout.
    pub checkpoint_id: Option<i64>,
    /// The handle's id.
    pub id: String,
}

/// Changes of the changelog backend, inline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InlineChanges {
    /// Which key groups.
    pub range: KeyGroupRange,
    /// The first change's number.
    pub from: i64,
    /// The number after the last change.
    pub to: i64,
    /// The changes.
    pub changes: Vec<Change>,
    /// The handle's id.
    pub id: String,
}

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The key group; −1: the change is about a state's metadata.
    pub key_group: i32,
    /// The change.
    pub bytes: Span,
}

/// Changes of the changelog backend, in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeFiles {
    /// Which key groups.
    pub range: KeyGroupRange,
    /// The files, and where in each the changes start.
    pub files: Vec<ChangeFile>,
    /// How many bytes of the files belong to this handle.
    pub size: u64,
    /// How much of it was uploaded by this checkpoint.
    pub checkpointed_size: i64,
    /// The handle's id.
    pub id: String,
    /// `filesystem`; not in the older layout.
    pub storage: Option<String>,
}

/// A file of changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeFile {
    /// Where the changes start, counted from after the first byte of the file.
    pub offset: u64,
    /// The file.
    pub stream: StreamHandle,
}

impl KeyedHandle {
    /// The state's size as Flink counts it.
    #[must_use]
    pub fn size(&self) -> u64 {
        let files = |files: &[NamedStream]| files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.stream.size()));
        let handles = |handles: &[Self]| handles.iter().fold(0_u64, |sum, handle| sum.saturating_add(handle.size()));
        match self {
            Self::KeyGroups(handle) => handle.stream.size(),
            Self::Incremental(handle) => handle.meta.size().saturating_add(files(&handle.shared)).saturating_add(files(&handle.private)),
            Self::Changelog(handle) => handles(&handle.materialized).saturating_add(handles(&handle.non_materialized)),
            Self::InlineChanges(handle) => handle.changes.iter().map(|change| change.bytes.len as u64).sum(),
            Self::ChangeFiles(handle) => handle.size,
        }
    }

    /// Calls `f` with every stream of the handle, and with whether it is listed among the files that other checkpoints may share.
    pub fn each_stream<'a>(&'a self, f: &mut dyn FnMut(&'a StreamHandle, bool)) {
        self.each(&mut |handle| match handle {
            Self::KeyGroups(handle) => f(&handle.stream, false),
            Self::Incremental(handle) => {
                f(&handle.meta, false);
                handle.shared.iter().for_each(|file| f(&file.stream, true));
                handle.private.iter().for_each(|file| f(&file.stream, false));
            }
            Self::ChangeFiles(handle) => handle.files.iter().for_each(|file| f(&file.stream, false)),
            Self::Changelog(_) | Self::InlineChanges(_) => {}
        });
    }

    /// Calls `f` with this handle and every handle within it.
    pub fn each<'a>(&'a self, f: &mut dyn FnMut(&'a Self)) {
        f(self);
        if let Self::Changelog(handle) = self {
            handle.materialized.iter().chain(&handle.non_materialized).for_each(|inner| inner.each(f));
        }
    }

    /// The stream that starts with the header that names the states, if the handle has one.
    #[must_use]
    pub const fn header_stream(&self) -> Option<&StreamHandle> {
        match self {
            Self::KeyGroups(handle) => Some(&handle.stream),
            Self::Incremental(handle) => Some(&handle.meta),
            Self::Changelog(_) | Self::InlineChanges(_) | Self::ChangeFiles(_) => None,
        }
    }
}

/// The handle types that keyed state may have, for errors.
const KNOWN: &str = "known for keyed state are 0, 3, 5 and 7 to 14";

/// A keyed handle; `None` for type 0. At least one byte.
pub(in super::super) fn optional(cursor: &mut Cursor<'_>, depth: usize) -> Result<Option<KeyedHandle>, ReadError> {
    let offset = cursor.at();
    cursor.item()?;
    let handle = match cursor.i8("the type of a keyed state handle")? {
        0 => return Ok(None),
        3 => KeyedHandle::KeyGroups(key_groups(cursor, KeyGroupsForm::V1, depth)?),
        7 => KeyedHandle::KeyGroups(key_groups(cursor, KeyGroupsForm::Savepoint, depth)?),
        12 => KeyedHandle::KeyGroups(key_groups(cursor, KeyGroupsForm::V2, depth)?),
        5 => KeyedHandle::Incremental(incremental(cursor, false, depth)?),
        11 => KeyedHandle::Incremental(incremental(cursor, true, depth)?),
        8 => KeyedHandle::Changelog(changelog(cursor, false, depth)?),
        14 => KeyedHandle::Changelog(changelog(cursor, true, depth)?),
        9 => KeyedHandle::InlineChanges(inline_changes(cursor)?),
        10 => KeyedHandle::ChangeFiles(change_files(cursor, false, depth)?),
        13 => KeyedHandle::ChangeFiles(change_files(cursor, true, depth)?),
        other => {
            let problem = Problem::Unsupported { what: "keyed state handle type", value: i64::from(other), known: KNOWN };
            return Err(cursor.fail_at(offset, problem));
        }
    };
    Ok(Some(handle))
}

fn range(cursor: &mut Cursor<'_>) -> Result<KeyGroupRange, ReadError> {
    Ok(KeyGroupRange { start: cursor.i32("the first key group")?, count: cursor.count32("the number of key groups")? })
}

pub(super) fn key_groups(cursor: &mut Cursor<'_>, form: KeyGroupsForm, depth: usize) -> Result<KeyGroupsHandle, ReadError> {
    let range = range(cursor)?;
    let count = range.count as usize;
    cursor.fits(cursor.at(), count, 8, "the list of key-group offsets")?;
    let offsets = cursor.longs(count, "the offset of a key group")?;
    let stream = stream::required(cursor, depth)?;
    let id = if form == KeyGroupsForm::V2 { Some(cursor.utf("the id of a handle")?) } else { None };
    Ok(KeyGroupsHandle { form, range, offsets, stream, id })
}

fn incremental(cursor: &mut Cursor<'_>, second: bool, depth: usize) -> Result<IncrementalHandle, ReadError> {
    let checkpoint_id = cursor.i64("a checkpoint id")?;
    let backend = cursor.utf("the id of a state backend")?;
    let range = range(cursor)?;
    let checkpointed_size = if second { Some(cursor.i64("the checkpointed size")?) } else { None };
    let meta = stream::required(cursor, depth)?;
    let shared = files(cursor, "the list of shared files", depth)?;
    let private = files(cursor, "the list of private files", depth)?;
    let id = if second { Some(cursor.utf("the id of a handle")?) } else { None };
    Ok(IncrementalHandle { checkpoint_id, backend, range, checkpointed_size, meta, shared, private, id })
}

fn files(cursor: &mut Cursor<'_>, what: &'static str, depth: usize) -> Result<Vec<NamedStream>, ReadError> {
    // A name of no length, and the type of a handle.
    let count = cursor.length(3, what)?;
    let mut files = Vec::new();
    for _ in 0..count {
        files.push(NamedStream { name: cursor.utf("the local name of a file")?, stream: stream::required(cursor, depth)? });
    }
    Ok(files)
}

fn changelog(cursor: &mut Cursor<'_>, second: bool, depth: usize) -> Result<ChangelogHandle, ReadError> {
    let depth = deeper(cursor, depth)?;
    let range = range(cursor)?;
    let checkpointed_size = cursor.i64("the checkpointed size")?;
    let materialized = handles(cursor, "the list of materialised handles", depth)?;
    let non_materialized = handles(cursor, "the list of changes", depth)?;
    let materialization_id = cursor.i64("the id of a materialisation")?;
    let checkpoint_id = if second { Some(cursor.i64("a checkpoint id")?) } else { None };
    let id = cursor.utf("the id of a handle")?;
    Ok(ChangelogHandle { range, checkpointed_size, materialized, non_materialized, materialization_id, checkpoint_id, id })
}

fn handles(cursor: &mut Cursor<'_>, what: &'static str, depth: usize) -> Result<Vec<KeyedHandle>, ReadError> {
    let count = cursor.length(1, what)?;
    let mut handles = Vec::new();
    for _ in 0..count {
        handles.extend(optional(cursor, depth)?);
    }
    Ok(handles)
}

fn inline_changes(cursor: &mut Cursor<'_>) -> Result<InlineChanges, ReadError> {
    let range = range(cursor)?;
    let from = cursor.i64("the number of the first change")?;
    let to = cursor.i64("the number after the last change")?;
    let count = cursor.length(8, "the list of changes")?;
    let mut changes = Vec::with_capacity(count);
    for _ in 0..count {
        changes.push(Change { key_group: cursor.i32("the key group of a change")?, bytes: cursor.span("a change")? });
    }
    Ok(InlineChanges { range, from, to, changes, id: cursor.utf("the id of a handle")? })
}

fn change_files(cursor: &mut Cursor<'_>, second: bool, depth: usize) -> Result<ChangeFiles, ReadError> {
    let range = range(cursor)?;
    let count = cursor.length(9, "the list of files with changes")?;
    let mut files = Vec::new();
    for _ in 0..count {
        files.push(ChangeFile { offset: cursor.count64("an offset in a file")?, stream: stream::required(cursor, depth)? });
    }
    let size = cursor.count64("the size of the changes")?;
    let checkpointed_size = cursor.i64("the checkpointed size")?;
    let id = cursor.utf("the id of a handle")?;
    let storage = if second { Some(cursor.utf("the name of a changelog storage")?) } else { None };
    Ok(ChangeFiles { range, files, size, checkpointed_size, id, storage })
}
