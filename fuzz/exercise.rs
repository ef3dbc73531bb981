//! One run of everything that reads bytes of a snapshot. Shared by the fuzz target, the driver for stable Rust, and a test.

use std::collections::BTreeSet;

use ttl_audit::savepoint::{
    Identity, KeyedHandle, Metadata, OperatorId, ReadError, StreamHandle, SubtaskState, changelog_file, changelog_inline, enumerator,
    split, splits,
    state_header::{self, Extent},
    summary::{SnapshotSummary, TtlPresence, Wanted, summarize, to_table},
};

/// Where `_metadata` is said to lie.
const FOLDER: &str = "s3://bucket/job/chk-1";

/// What one run did.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// What found something that it reads.
    pub(crate) read: BTreeSet<&'static str>,
    /// Why the bytes are no `_metadata`, without numbers.
    pub(crate) refused: String,
}

/// Reads `bytes` as everything that they could be. What stands behind the end of a `_metadata` plays the part of all state files.
///
/// # Panics
///
/// Never; that is what is tested.
pub(crate) fn exercise(bytes: &[u8]) -> Run {
    let mut run = Run::default();
    for extent in [Extent::Whole, Extent::Beginning] {
        header(bytes, extent, &mut run);
    }
    if let Ok(found) = changelog_file(bytes, 0) {
        assert!(found.states.len() <= bytes.len(), "no more states than bytes");
        run.found("changes in a file", !found.states.is_empty());
    }
    if let Ok(partitions) = enumerator(bytes) {
        assert!(partitions.len() <= bytes.len(), "no more partitions than bytes");
        run.found("an enumerator", true);
    }
    run.found("a split", split(bytes, 0).is_ok());
    run.found("no split", splits(bytes, &[0, 4, i64::MAX, -1]).is_ok());
    identity(bytes, &mut run);
    match Metadata::read(bytes) {
        Ok(metadata) => whole(bytes, &metadata, &mut run),
        Err(error) => run.refused = reason(&error),
    }
    run
}

impl Run {
    fn found(&mut self, what: &'static str, holds: bool) {
        if holds {
            self.read.insert(what);
        }
    }
}

/// What is wrong, without where.
fn reason(error: &ReadError) -> String {
    let text = error.problem.to_string();
    text.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

fn header(bytes: &[u8], extent: Extent, run: &mut Run) {
    if let Ok(header) = state_header::keyed(bytes, extent) {
        assert!(header.states.len() <= bytes.len() && header.end <= bytes.len());
        run.found("a header of keyed state", !header.states.is_empty());
        run.found("a header of keyed state with a gap", header.gap.is_some());
    }
    if let Ok(header) = state_header::operator(bytes, extent) {
        assert!(header.list_states.len() + header.broadcast_states.len() <= bytes.len() && header.end <= bytes.len());
        run.found("a header of operator state", !header.list_states.is_empty());
        run.found("a header of broadcast state", !header.broadcast_states.is_empty());
    }
}

/// The bytes as a uid, and as the digits of an id.
fn identity(bytes: &[u8], run: &mut Run) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let id = OperatorId::from_uid(text);
    assert_eq!(id.to_string().parse(), Ok(id), "an id is read as it is written");
    assert_eq!(Identity::of(id, None, 4, [text]), Identity::Uid(text.to_owned()));
    run.found("a uid", true);
    run.found("an operator id", text.parse::<OperatorId>().is_ok());
}

fn whole(bytes: &[u8], metadata: &Metadata, run: &mut Run) {
    run.found("_metadata", true);
    let _ = (metadata.state_size(), metadata.kind("savepoint-1"), metadata.traits());
    for operator in &metadata.operators {
        operator.each_keyed(&mut |handle| {
            if let KeyedHandle::InlineChanges(changes) = handle {
                run.found("changes inline", !changelog_inline(bytes, changes).states.is_empty());
            }
        });
        for handle in operator.states().flat_map(SubtaskState::operator) {
            if let (Some(stream), Some(first)) = (inline(bytes, &handle.stream), handle.states.first()) {
                run.found("splits", splits(stream, &first.offsets).is_ok_and(|splits| !splits.is_empty()));
            }
        }
    }
    metadata.each_stream(&mut |stream, _| {
        if let Some(stream) = inline(bytes, stream) {
            header(stream, Extent::Whole, run);
        }
    });
    reach(bytes, metadata, run);
    summary(bytes, metadata, run);
}

fn inline<'a>(bytes: &'a [u8], stream: &StreamHandle) -> Option<&'a [u8]> {
    match stream.innermost() {
        StreamHandle::Inline { bytes: span, .. } => span.of(bytes),
        _ => None,
    }
}

fn reach(bytes: &[u8], metadata: &Metadata, run: &mut Run) {
    let reach = metadata.reach(FOLDER);
    assert!(reach.files.len() <= bytes.len(), "no more files than bytes");
    let mut places = BTreeSet::new();
    for file in &reach.files {
        assert!(file.references > 0, "a file that nothing names");
        assert!(file.size.is_none_or(|size| file.min_size >= size), "shorter than its size: {file:?}");
        assert!(places.insert(file.s3.as_ref().map_or_else(|| file.path.clone(), ToString::to_string)), "one file twice: {file:?}");
        run.found("a relative file", file.relative.is_some());
        run.found("an absolute file", file.relative.is_none());
        run.found("a shared file", file.shared);
        run.found("a merged file", file.merged);
    }
    run.found("inline state", reach.inlined.handles > 0);
}

fn summary(bytes: &[u8], metadata: &Metadata, run: &mut Run) {
    let tail = bytes.len().saturating_sub(usize::try_from(metadata.trailing_bytes).unwrap_or(usize::MAX));
    let files = bytes.get(tail..).unwrap_or_default();
    let mut read = |wanted: &Wanted<'_>| {
        if files.is_empty() {
            return Err("there is no file".to_owned());
        }
        let start = usize::try_from(wanted.start).unwrap_or(usize::MAX);
        let rest = files.get(start..).unwrap_or_default();
        Ok(rest.iter().take(usize::try_from(wanted.len).unwrap_or(usize::MAX)).copied().collect())
    };
    let summary = summarize(metadata, bytes, FOLDER, &["dedup", "sessionize"], &mut read);
    let table = to_table(&summary, 100);
    assert!(!table.chars().any(|c| c.is_control() && c != '\n'), "a control character in the table");
    let json = serde_json::to_vec(&summary).unwrap_or_default();
    assert_eq!(serde_json::from_slice::<SnapshotSummary>(&json).ok().as_ref(), Some(&summary), "the summary as JSON is the summary");
    for operator in &summary.operators {
        run.found("a summary with positions", !operator.positions.is_empty());
        run.found("a summary with timers", !operator.timers.is_empty());
        for state in &operator.keyed_states {
            run.found("a summary with states", true);
            run.found("a summary with a TTL", state.ttl == TtlPresence::On);
            run.found("a summary with TTL settings", state.ttl_settings.is_some());
        }
    }
}
