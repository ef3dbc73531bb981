//! Builds the summary: out of `_metadata`, and out of state files as far as somebody reads them.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    super::{
        changelog::{self, ChangelogStates},
        error::Problem,
        handles::{KeyedHandle, OperatorHandle, StreamHandle},
        identity::{Identity, OperatorId},
        metadata::Metadata,
        operator::{OperatorState, SubtaskState},
        positions::{self, KafkaSplit, NextOffset, READER_STATE},
        properties::{Properties, SnapshotType},
        state_header::{self, Extent, KeyedHeader, StateInfo, TtlFlag},
    },
    model::{
        FileSummary, KeyedStateSummary, OperatorStateSummary, OperatorSummary, PositionSummary, PropertiesSummary, ReachSummary,
        SUMMARY_VERSION, SnapshotSummary, TtlPresence, TtlSettingsSummary,
    },
};
use crate::units::Bytes;

/// A header is sought in so many bytes of a file, and in more of them only if they do not hold all of it. Real ones have a few kilobytes.
const HEADER_BYTES: [u64; 3] = [16 * 1024, 64 * 1024, 256 * 1024];
/// Operator state and changes are read whole up to this size.
const WHOLE_BYTES: u64 = 64 * 1024 * 1024;
/// What one summary reads in all, so that no file makes it read for hours. Ten thousand headers have a fraction of it.
const BUDGET: u64 = 4 * 1024 * 1024 * 1024;
/// What a look at a part costs at least, and what one split costs.
const LEAST_COST: u64 = 4 * 1024;
/// So many reasons are named for each operator.
const REASONS: usize = 4;

/// A part of a state file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Whose state it holds.
    pub operator: OperatorId,
    /// The path as written.
    pub path: &'a str,
    /// It is relative to the folder of `_metadata`.
    pub relative: bool,
    /// The first byte.
    pub start: u64,
    /// How many bytes at most.
    pub len: u64,
}

/// Reads a part of a state file; the error says why it was not read.
pub type ReadPart<'a> = dyn FnMut(&Wanted<'_>) -> Result<Vec<u8>, String> + 'a;

/// Summarises a snapshot: `bytes` are its `_metadata`, `folder` is where that lies, `uids` are tried on ids that have no uid, and `read`
/// is asked for the parts of state files that name states, positions and TTL settings.
#[must_use]
pub fn summarize(metadata: &Metadata, bytes: &[u8], folder: &str, uids: &[&str], read: &mut ReadPart<'_>) -> SnapshotSummary {
    let mut operators: Vec<&OperatorState> = metadata.operators.iter().collect();
    operators.sort_by_key(|operator| operator.id);
    let mut reader = Reader { metadata: bytes, operator: OperatorId::default(), read, left: BUDGET };
    let operators = operators.into_iter().map(|state| operator(state, metadata.version, uids, &mut reader)).collect();
    SnapshotSummary {
        schema_version: SUMMARY_VERSION,
        location: folder.to_owned(),
        format_version: metadata.version,
        written_by: metadata.written_by().to_owned(),
        checkpoint_id: metadata.checkpoint_id,
        kind: metadata.kind(folder),
        traits: metadata.traits(),
        then: metadata.properties.as_ref().and_then(|properties| match &properties.snapshot_type {
            SnapshotType::Savepoint { then, .. } => Some(then.clone()),
            _ => None,
        }),
        properties: metadata.properties.as_ref().map(properties),
        metadata_size: Bytes(bytes.len() as u64),
        state_size: Bytes(metadata.state_size()),
        operators,
        reach: reach(metadata, folder),
        unreferenced: None,
        handles: None,
        master_states: metadata.master_states.iter().map(|state| state.name.clone()).collect(),
        compared_with: Vec::new(),
        stored: None,
    }
}

fn properties(properties: &Properties) -> PropertiesSummary {
    let (kind, format, sharing) = match &properties.snapshot_type {
        SnapshotType::Savepoint { format, .. } => ("Savepoint", format.map(|format| format.word().to_owned()), None),
        SnapshotType::Checkpoint { sharing } => ("Checkpoint", None, Some(sharing.clone())),
        SnapshotType::Other(class) => (class.as_str(), None, None),
    };
    PropertiesSummary {
        kind: kind.to_owned(),
        format,
        sharing,
        forced: properties.forced,
        unclaimed: properties.unclaimed,
        discard_on_subsumed: properties.discard_on_subsumed,
        discard_on_finished: properties.discard_on_finished,
        discard_on_cancelled: properties.discard_on_cancelled,
        discard_on_failed: properties.discard_on_failed,
        discard_on_suspended: properties.discard_on_suspended,
    }
}

struct Reader<'a, 'b> {
    metadata: &'a [u8],
    /// The operator whose state is read.
    operator: OperatorId,
    read: &'a mut ReadPart<'b>,
    /// How many bytes may still be read.
    left: u64,
}

impl Reader<'_, '_> {
    /// The first bytes of a stream, at most `limit`, and whether they are all of it. `None`: there is no state.
    fn stream(&mut self, stream: &StreamHandle, limit: u64) -> Result<Option<(Vec<u8>, Extent)>, String> {
        let (path, relative, start, size) = match stream.innermost() {
            StreamHandle::Inline { bytes, .. } => {
                self.spend(bytes.len as u64)?;
                return Ok(bytes.of(self.metadata).map(|bytes| (bytes.to_vec(), Extent::Whole)));
            }
            StreamHandle::EmptySegment | StreamHandle::KeyGroups(_) => return Ok(None),
            StreamHandle::File { path, size } => (path, false, 0, *size),
            StreamHandle::Relative { path, size } => (path, true, 0, *size),
            StreamHandle::Segment { path, start, size, .. } => (path, false, *start, Some(*size)),
        };
        let len = size.map_or(limit, |size| size.min(limit));
        self.spend(len)?;
        let bytes = (self.read)(&Wanted { operator: self.operator, path, relative, start, len })?;
        let whole = size.is_some_and(|size| size <= limit && bytes.len() as u64 == size);
        Ok(Some((bytes, if whole { Extent::Whole } else { Extent::Beginning })))
    }

    fn spend(&mut self, cost: u64) -> Result<(), String> {
        let left = self.left.checked_sub(cost.max(LEAST_COST));
        self.left = left.ok_or_else(|| format!("{} of state were read before it, and more is not read", Bytes(BUDGET)))?;
        Ok(())
    }
}

/// What was found of one operator so far.
#[derive(Default)]
struct Found {
    keyed: BTreeMap<String, KeyedStateSummary>,
    timers: BTreeSet<String>,
    operator: BTreeMap<String, OperatorStateSummary>,
    positions: BTreeSet<PositionSummary>,
    read: u64,
    not_read: u64,
    reasons: BTreeSet<String>,
}

impl Found {
    /// Counts a part that was read, or why it was not.
    fn part<T>(&mut self, result: Result<T, String>) -> Option<T> {
        match result {
            Ok(value) => {
                self.read += 1;
                Some(value)
            }
            Err(reason) => {
                self.not_read += 1;
                if self.reasons.len() < REASONS {
                    self.reasons.insert(reason);
                }
                None
            }
        }
    }

    fn state(&mut self, info: StateInfo) {
        if !info.backend_type.is_key_value() {
            self.timers.insert(info.name);
            return;
        }
        let ttl = match info.ttl {
            TtlFlag::On => TtlPresence::On,
            TtlFlag::Off => TtlPresence::Off,
            TtlFlag::Unknown => TtlPresence::Unknown,
        };
        let kind = info.option("KEYED_STATE_TYPE").map(str::to_owned);
        let serializers = info.serializers.iter().map(|(role, serializer)| (role.clone(), serializer.to_string())).collect();
        let state = self.keyed.entry(info.name.clone()).or_insert_with(|| KeyedStateSummary {
            name: info.name,
            kind: kind.clone(),
            backend_type: info.backend_type.word().to_owned(),
            ttl,
            ttl_settings: None,
            serializers,
            best_effort: info.best_effort,
        });
        state.kind = state.kind.take().or(kind);
        state.best_effort |= info.best_effort;
        state.ttl = match (state.ttl, ttl) {
            (one, TtlPresence::Unknown) | (TtlPresence::Unknown, one) => one,
            (one, other) if one == other => one,
            _ => TtlPresence::Mixed,
        };
    }

    fn settings(&mut self, found: ChangelogStates) {
        for error in found.unread {
            self.part::<()>(Err(format!("a change that describes a state: {error}")));
        }
        for found in found.states {
            if !found.backend_type.is_key_value() {
                self.timers.insert(found.name);
                continue;
            }
            let ttl = if found.ttl.is_some() { TtlPresence::On } else { TtlPresence::Off };
            let state = self.keyed.entry(found.name.clone()).or_insert_with(|| KeyedStateSummary {
                name: found.name,
                kind: None,
                backend_type: found.backend_type.word().to_owned(),
                ttl,
                ttl_settings: None,
                serializers: found.serializers.iter().map(|(role, serializer)| (role.clone(), serializer.to_string())).collect(),
                best_effort: found.best_effort,
            });
            state.kind = state.kind.take().or(found.kind);
            if state.ttl != ttl {
                state.ttl = if state.ttl == TtlPresence::Unknown { ttl } else { TtlPresence::Mixed };
            }
            state.ttl_settings = found.ttl.map(|settings| TtlSettingsSummary {
                ttl: settings.ttl,
                update: settings.update,
                visibility: settings.visibility,
                cleanup: settings.cleanup,
            });
        }
    }
}

fn operator(operator: &OperatorState, version: u32, uids: &[&str], reader: &mut Reader<'_, '_>) -> OperatorSummary {
    let mut found = Found::default();
    reader.operator = operator.id;
    for state in operator.states() {
        for handle in state.operator() {
            operator_states(handle, reader, &mut found);
        }
        // Headers before changes: changes are newer. Raw keyed state has no header.
        if let Some(handle) = &state.managed_keyed {
            handle.each(&mut |handle| headers(handle, reader, &mut found));
            handle.each(&mut |handle| changes(handle, reader, &mut found));
        }
    }
    let uid = match Identity::of(operator.id, operator.uid.as_deref(), version, uids.iter().copied()) {
        Identity::Uid(uid) | Identity::UidAndHash(uid) => Some(uid),
        Identity::NoUid | Identity::Unknown => None,
    };
    let in_flight = operator.states().flat_map(SubtaskState::channels).fold(0_u64, |sum, channel| sum.saturating_add(channel.size));
    OperatorSummary {
        id: OperatorId::to_string(&operator.id),
        uid_known: uid.is_some() || version >= 5,
        uid,
        name: operator.name.clone(),
        parallelism: operator.parallelism,
        max_parallelism: operator.max_parallelism,
        finished: operator.finished,
        finished_subtasks: operator.subtasks.iter().filter(|subtask| subtask.state.is_none()).count() as u64,
        state_size: Bytes(operator.size()),
        keyed_state: operator.states().any(|state| state.keyed().next().is_some()),
        keyed_states: found.keyed.into_values().collect(),
        timers: found.timers.into_iter().collect(),
        raw_keyed_state: operator.states().any(|state| state.raw_keyed.is_some()),
        operator_states: found.operator.into_values().collect(),
        in_flight: Bytes(in_flight),
        positions: found.positions.into_iter().collect(),
        parts_read: found.read,
        parts_not_read: found.not_read,
        not_read: found.reasons.into_iter().collect(),
    }
}

fn operator_states(handle: &OperatorHandle, reader: &mut Reader<'_, '_>, found: &mut Found) {
    for state in &handle.states {
        let summary = found.operator.entry(state.name.clone()).or_insert_with(|| OperatorStateSummary {
            name: state.name.clone(),
            mode: state.mode.word().to_owned(),
            elements: 0,
        });
        summary.elements = summary.elements.saturating_add(state.offsets.len() as u64);
        if state.name != READER_STATE || state.offsets.is_empty() {
            continue;
        }
        let splits = reader.stream(&handle.stream, WHOLE_BYTES).and_then(|stream| {
            let Some((bytes, _)) = stream else { return Ok(Vec::new()) };
            reader.spend(LEAST_COST.saturating_mul(state.offsets.len() as u64))?;
            positions::splits(&bytes, &state.offsets).map_err(|error| format!("positions of the source: {error}"))
        });
        found.part(splits).into_iter().flatten().map(position).for_each(|position| {
            found.positions.insert(position);
        });
    }
}

fn position(split: KafkaSplit) -> PositionSummary {
    let (next_offset, marker) = match split.next {
        NextOffset::At(offset) => (Some(offset), None),
        NextOffset::Latest => (None, Some("latest".to_owned())),
        NextOffset::Earliest => (None, Some("earliest".to_owned())),
        NextOffset::Committed => (None, Some("committed".to_owned())),
    };
    PositionSummary { topic: split.topic, partition: split.partition, next_offset, marker, stopping_offset: split.stop }
}

fn headers(handle: &KeyedHandle, reader: &mut Reader<'_, '_>, found: &mut Found) {
    let Some(stream) = handle.header_stream() else { return };
    let Some(header) = found.part(header(stream, reader)).flatten() else { return };
    header.states.into_iter().for_each(|info| found.state(info));
    if let Some(gap) = header.gap {
        found.part::<()>(Err(format!("a header of keyed state, states may be missing: {gap}")));
    }
}

/// The header at the beginning of a stream, out of as few of its bytes as hold it. `None`: there is no state.
fn header(stream: &StreamHandle, reader: &mut Reader<'_, '_>) -> Result<Option<KeyedHeader>, String> {
    let mut last = None;
    for limit in HEADER_BYTES {
        let (bytes, extent) = match reader.stream(stream, limit) {
            Ok(Some(read)) => read,
            Ok(None) => return Ok(None),
            Err(reason) => return last.unwrap_or(Err(reason)),
        };
        let header = state_header::keyed(&bytes, extent);
        let cut_off = match &header {
            Ok(header) => header.gap.is_some(),
            Err(error) => matches!(error.problem, Problem::Truncated { .. } | Problem::Count { .. }),
        };
        let more = cut_off && extent == Extent::Beginning && bytes.len() as u64 == limit;
        last = Some(header.map(Some).map_err(|error| format!("a header of keyed state: {error}")));
        if !more {
            break;
        }
    }
    last.unwrap_or(Ok(None))
}

fn changes(handle: &KeyedHandle, reader: &mut Reader<'_, '_>, found: &mut Found) {
    match handle {
        KeyedHandle::InlineChanges(changes) => {
            found.read += 1;
            found.settings(changelog::inline(reader.metadata, changes));
        }
        KeyedHandle::ChangeFiles(files) => {
            for file in &files.files {
                let settings = reader.stream(&file.stream, WHOLE_BYTES).and_then(|stream| {
                    let Some((bytes, _)) = stream else { return Ok(ChangelogStates::default()) };
                    changelog::in_file(&bytes, file.offset).map_err(|error| format!("changes of keyed state: {error}"))
                });
                if let Some(settings) = found.part(settings) {
                    found.settings(settings);
                }
            }
        }
        KeyedHandle::KeyGroups(_) | KeyedHandle::Incremental(_) | KeyedHandle::Changelog(_) => {}
    }
}

fn reach(metadata: &Metadata, folder: &str) -> ReachSummary {
    let reach = metadata.reach(folder);
    let relative = reach.files.iter().filter(|file| file.relative.is_some()).count() as u64;
    let objects = reach.files.len() as u64;
    ReachSummary {
        objects,
        bytes: reach.files.iter().map(|file| Bytes(file.min_size)).sum(),
        relative,
        absolute: objects - relative,
        inline_handles: reach.inlined.handles,
        inline_bytes: Bytes(reach.inlined.bytes),
        inline_changes: Bytes(metadata.inline_changes()),
        files: reach
            .files
            .into_iter()
            .map(|file| FileSummary {
                relative: file.relative.is_some(),
                path: file.path,
                size: file.size.map(Bytes),
                min_size: Bytes(file.min_size),
                merged: file.merged,
                shared: file.shared,
                references: file.references,
                also_in: None,
                stored: None,
            })
            .collect(),
    }
}
