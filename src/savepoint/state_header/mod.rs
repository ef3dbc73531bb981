//! The headers of state files: which states they hold, of which kind, and whether they have a TTL.

mod info;
mod search;
mod serializer;

pub(super) use info::read as read_info;
pub use info::{BackendStateType, StateInfo, TtlFlag};
pub use serializer::Serializer;

use super::{
    cursor::Cursor,
    error::{Problem, ReadError},
};

/// How much of a file the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Its beginning.
    Beginning,
}

/// The header of a file with keyed state (`KeyedBackendSerializationProxy`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedHeader {
    /// The header's version.
    pub version: i32,
    /// The key groups behind the header are compressed (`execution.checkpointing.snapshot-compression`); the header never is.
    pub compressed: bool,
    /// The key's serializer; `None` if it is of an unknown layout.
    pub key_serializer: Option<Serializer>,
    /// The states, in no order.
    pub states: Vec<StateInfo>,
    /// Why the header could not be walked to its end; states may then be missing.
    pub gap: Option<ReadError>,
    /// Where the header ends; if there is a gap, how far it was read.
    pub end: usize,
}

/// The header of a file with operator state (`OperatorBackendSerializationProxy`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorHeader {
    /// The header's version.
    pub version: i32,
    /// The states behind the header are compressed; version 5 does not say.
    pub compressed: Option<bool>,
    /// The list states.
    pub list_states: Vec<StateInfo>,
    /// The broadcast states.
    pub broadcast_states: Vec<StateInfo>,
    /// Why the header could not be walked to its end; states may then be missing.
    pub gap: Option<ReadError>,
    /// Where the header ends; if there is a gap, how far it was read.
    pub end: usize,
}

/// Reads the header of a file with keyed state, from the file's first bytes.
///
/// # Errors
///
/// Where the bytes do not start with such a header, or with one of a version that this reader does not know.
pub fn keyed(bytes: &[u8], extent: Extent) -> Result<KeyedHeader, ReadError> {
    let mut cursor = Cursor::new(bytes);
    let version = version(&mut cursor, "keyed state header version", &[6], "known is 6 (seen from Flink 1.14 to 2.3)")?;
    let compressed = cursor.bool("whether key groups are compressed")?;
    let (key_serializer, expected, mut gap) = match serializer::proxied(&mut cursor) {
        Ok(serializer) => (Some(serializer), Some(count(&mut cursor)?), None),
        Err(error) => {
            skip_to_next(&mut cursor, bytes, &error);
            (None, None, Some(error))
        }
    };
    let mut states = Vec::new();
    gap = gap.or(read_states(&mut cursor, bytes, extent, expected, &mut states));
    Ok(KeyedHeader { version, compressed, key_serializer, states, gap, end: cursor.at() })
}

/// Reads the header of a file with operator state, from the file's first bytes.
///
/// # Errors
///
/// Where the bytes do not start with such a header, or with one of a version that this reader does not know.
pub fn operator(bytes: &[u8], extent: Extent) -> Result<OperatorHeader, ReadError> {
    let mut cursor = Cursor::new(bytes);
    let version = version(&mut cursor, "operator state header version", &[5, 6], "known are 5 and 6 (seen from Flink 1.14 to 2.3)")?;
    let compressed = if version >= 6 { Some(cursor.bool("whether states are compressed")?) } else { None };
    let mut list_states = Vec::new();
    let mut broadcast_states = Vec::new();
    let expected = count(&mut cursor)?;
    let mut gap = read_states(&mut cursor, bytes, extent, Some(expected), &mut list_states);
    // Behind a gap it is not known where the second list starts; the search has found its states too.
    if gap.is_none() {
        let expected = count(&mut cursor)?;
        gap = read_states(&mut cursor, bytes, extent, Some(expected), &mut broadcast_states);
    }
    Ok(OperatorHeader { version, compressed, list_states, broadcast_states, gap, end: cursor.at() })
}

fn version(cursor: &mut Cursor<'_>, what: &'static str, versions: &[i32], known: &'static str) -> Result<i32, ReadError> {
    let version = cursor.i32(what)?;
    if versions.contains(&version) {
        return Ok(version);
    }
    Err(cursor.fail_at(0, Problem::Unsupported { what, value: i64::from(version), known }))
}

fn count(cursor: &mut Cursor<'_>) -> Result<usize, ReadError> {
    let offset = cursor.at();
    let count = cursor.i16("the number of states")?;
    usize::try_from(count).map_err(|_| cursor.unexpected(offset, "the number of states", format!("{count}, which is negative")))
}

/// Reads `expected` entries, or as many as the search finds. Returns why the first of them could not be walked.
fn read_states(
    cursor: &mut Cursor<'_>,
    bytes: &[u8],
    extent: Extent,
    expected: Option<usize>,
    states: &mut Vec<StateInfo>,
) -> Option<ReadError> {
    let mut gap: Option<ReadError> = None;
    let mut searched = expected.is_none();
    while cursor.left() > 0 && expected.is_none_or(|expected| states.len() < expected) {
        let start = cursor.at();
        let mut info = StateInfo::default();
        let result = read_info(cursor, &mut info);
        info.best_effort = searched;
        let Err(error) = result else {
            states.push(info);
            // Without a count, or behind a gap, the next entry is where the search says, not where this one ends.
            if expected.is_none() {
                skip_to(cursor, search::next_entry(bytes, cursor.at()));
            }
            continue;
        };
        let behind = usize::try_from(error.offset).unwrap_or(usize::MAX).max(start.saturating_add(1));
        let next = search::next_entry(bytes, behind);
        if !info.name.is_empty() {
            let last = expected == Some(states.len() + 1) && extent == Extent::Whole;
            info.ttl = searched_ttl(&info, bytes.get(start..next.unwrap_or(bytes.len())).unwrap_or_default(), next.is_some() || last);
            info.best_effort = true;
            states.push(info);
        }
        searched = true;
        gap.get_or_insert(error);
        skip_to(cursor, next);
    }
    match (gap, expected) {
        (None, Some(expected)) if states.len() < expected => {
            Some(cursor.fail(Problem::Truncated { what: "the entry of a state", needed: 1, left: 0 }))
        }
        (gap, _) => gap,
    }
}

/// Whether a state whose entry could not be walked has a TTL, from the plain occurrence of the class name. `complete`: the bytes reach to
/// the next entry, or to the end.
fn searched_ttl(info: &StateInfo, bytes: &[u8], complete: bool) -> TtlFlag {
    if !info.backend_type.is_key_value() {
        return TtlFlag::Off;
    }
    match (search::names_ttl(bytes), complete) {
        (true, _) => TtlFlag::On,
        (false, true) => TtlFlag::Off,
        (false, false) => TtlFlag::Unknown,
    }
}

fn skip_to_next(cursor: &mut Cursor<'_>, bytes: &[u8], error: &ReadError) {
    let from = usize::try_from(error.offset).unwrap_or(usize::MAX);
    skip_to(cursor, search::next_entry(bytes, from));
}

fn skip_to(cursor: &mut Cursor<'_>, next: Option<usize>) {
    cursor.jump(next.unwrap_or(usize::MAX));
}
