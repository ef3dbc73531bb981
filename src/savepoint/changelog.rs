//! TTL settings in the change stream of the changelog backend: the one place where a snapshot holds a TTL's length.
//!
//! The first change of each state after a start or a materialisation describes the state, with its whole `StateTtlConfig`. It is there
//! only while it is part of the changes that are not materialised yet, and it tells what the job ran with when it wrote it.

use super::{
    cursor::{Cursor, Span},
    error::{Problem, ReadError},
    handles::{Change, InlineChanges},
    java,
    state_header::{BackendStateType, Serializer, StateInfo, read_info},
    ttl::{self, TtlSettings},
};

/// The key group of changes that describe a state.
const METADATA_KEY_GROUP: i32 = -1;
/// `StateChangeOperation.METADATA`.
const METADATA: i8 = 8;

/// One state, as the change stream describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangelogState {
    /// Its name.
    pub name: String,
    /// What it is to the state backend.
    pub backend_type: BackendStateType,
    /// `VALUE`, `LIST`, `MAP`, `REDUCING`, `AGGREGATING`; `None` if the entry does not say.
    pub kind: Option<String>,
    /// Serializers, by role; those that could be walked.
    pub serializers: Vec<(String, Serializer)>,
    /// Its TTL settings; `None`: it has none.
    pub ttl: Option<TtlSettings>,
    /// Its serializers could not be walked, so that the settings were found by searching.
    pub best_effort: bool,
}

/// What a part of a change stream says, and what of it could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangelogStates {
    /// The states, in the order of the stream; a later one replaces an earlier one of the same name.
    pub states: Vec<ChangelogState>,
    /// Why changes that describe a state could not be read, the first few.
    pub unread: Vec<ReadError>,
}

impl ChangelogStates {
    fn add(&mut self, result: Result<Option<ChangelogState>, ReadError>) {
        match result {
            Ok(state) => self.states.extend(state),
            Err(error) if self.unread.len() < 8 => self.unread.push(error),
            Err(_) => {}
        }
    }
}

/// What inline changes say; `metadata` are the bytes of the file that holds them.
#[must_use]
pub fn inline(metadata: &[u8], handle: &InlineChanges) -> ChangelogStates {
    let mut found = ChangelogStates::default();
    let whole = Cursor::new(metadata);
    for Change { key_group, bytes } in &handle.changes {
        if *key_group == METADATA_KEY_GROUP {
            found.add(change(metadata, &whole, *bytes));
        }
    }
    found
}

/// What a change set says that lies in a file of the filesystem storage; `offset` is the handle's.
///
/// # Errors
///
/// Where the file is compressed, or no change set starts there.
pub fn in_file(file: &[u8], offset: u64) -> Result<ChangelogStates, ReadError> {
    const COMPRESSED: &str = "only 0 (not compressed) is read";
    let mut cursor = Cursor::new(file);
    let flag = cursor.i8("the compression flag of a changelog file")?;
    if flag != 0 {
        let problem = Problem::Unsupported { what: "changelog compression flag", value: i64::from(flag), known: COMPRESSED };
        return Err(cursor.fail_at(0, problem));
    }
    // A handle's offset counts from after the flag.
    let start = usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(1);
    let mut cursor = Cursor::starting_at(file, start);
    let mut found = ChangelogStates::default();
    let groups = cursor.length(8, "the list of changed key groups")?;
    for _ in 0..groups {
        let at = cursor.at();
        let count = cursor.count32("the number of changes")? as usize;
        let key_group = cursor.i32("the key group of changes")?;
        cursor.fits(at, count, 4, "the list of changes")?;
        for _ in 0..count {
            let span = cursor.span("a change")?;
            if key_group == METADATA_KEY_GROUP {
                found.add(change(file, &cursor, span));
            }
        }
    }
    Ok(found)
}

/// One change; `None` if it does not describe a state.
fn change(bytes: &[u8], whole: &Cursor<'_>, span: Span) -> Result<Option<ChangelogState>, ReadError> {
    const KNOWN: &str = "known is 7 (Flink 1.18 to 2.3)";
    let mut cursor = whole.within(span);
    if cursor.i8("the operation of a change")? != METADATA {
        return Ok(None);
    }
    let offset = cursor.at();
    let version = cursor.i32("the version of a state's entry")?;
    if version != 7 {
        return Err(cursor.fail_at(offset, Problem::Unsupported { what: "state entry version", value: i64::from(version), known: KNOWN }));
    }
    let mut info = StateInfo::default();
    let walked = read_info(&mut cursor, &mut info);
    let best_effort = walked.is_err();
    if let Err(error) = walked
        && (info.name.is_empty() || !find_settings(&mut cursor))
    {
        return Err(error);
    }
    let has_settings = info.backend_type.is_key_value() && (best_effort || cursor.bool("whether there is a TTL")?);
    let ttl = if has_settings { ttl::read(bytes, &mut cursor)? } else { None };
    let kind = info.option("KEYED_STATE_TYPE").map(str::to_owned);
    Ok(Some(ChangelogState { name: info.name, backend_type: info.backend_type, kind, serializers: info.serializers, ttl, best_effort }))
}

/// Goes to the Java object of the settings, if there is one behind the next byte.
fn find_settings(cursor: &mut Cursor<'_>) -> bool {
    const CLASS: &[u8] = b"org.apache.flink.api.common.state.StateTtlConfig";
    let rest = cursor.rest();
    let found = (0..rest.len()).find(|at| {
        // The header, the marks of an object and of its class, and the length of the class's name.
        let here = rest.get(*at..).unwrap_or_default();
        here.starts_with(&java::HEADER) && here.get(8..).is_some_and(|name| name.starts_with(CLASS))
    });
    if let Some(at) = found {
        cursor.jump(cursor.at() + at);
    }
    found.is_some()
}
