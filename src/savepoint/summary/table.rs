//! The summary for people.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets::NOTHING};

use super::{
    super::kind::SnapshotKind,
    model::{KeyedStateSummary, OperatorSummary, PositionSummary, SnapshotSummary, TtlPresence, UnreferencedSummary},
    stored::StoredState,
};
use crate::units::Bytes;

/// So many folders and positions are listed.
const LISTED: usize = 12;
/// So many operators and states. The largest jobs have some hundreds; what a hostile file holds is not laid out.
const ROWS: usize = 4_000;
/// An operator's id, and the names that Flink gives timers, are not broken into several lines.
const NAME_WIDTH: u16 = 42;

/// So many objects are named of those that are stored alike.
const NAMED: usize = 4;

/// The summary as text of at most `width` columns, as far as words allow.
#[must_use]
pub fn to_table(summary: &SnapshotSummary, width: u16) -> String {
    let mut text = format!(
        "{}\n{}, checkpoint id {}, format {} ({}), state {}\n",
        clean(&summary.location),
        kind_words(summary),
        summary.checkpoint_id,
        summary.format_version,
        summary.written_by,
        summary.state_size
    );
    let notes = [
        (summary.traits.changelog, "written by the changelog backend"),
        (summary.traits.shares_files, "names files that other checkpoints may share"),
        (summary.traits.merged_files, "files are merged: several states share one"),
        (summary.traits.in_flight_data, "holds in-flight data (unaligned)"),
    ];
    for (_, note) in notes.iter().filter(|(holds, _)| *holds) {
        text.push_str(&format!("  {note}\n"));
    }
    text.push_str(&operators(summary, width));
    text.push_str(&positions(summary, width));
    text.push_str(&reach(summary));
    text.push_str(&stored(summary));
    text.push_str(&unreferenced(summary));
    text
}

fn kind_words(summary: &SnapshotSummary) -> &'static str {
    match summary.kind {
        SnapshotKind::FullCheckpoint if summary.traits.may_be_incremental => {
            "full checkpoint, or an incremental one that shares nothing (the file does not tell)"
        }
        kind => kind.words(),
    }
}

fn table(width: u16) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table
}

fn lines(table: &Table) -> String {
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn operators(summary: &SnapshotSummary, width: u16) -> String {
    let mut rows = table(width);
    rows.set_header(["operator or state", "kind", "TTL", "parallelism", "size"]);
    if let Some(column) = rows.column_mut(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if let Some(column) = rows.column_mut(0) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(NAME_WIDTH.min(width / 2))));
    }
    let mut gaps = Vec::new();
    let all = summary.operators.iter().map(states_of).fold(summary.operators.len(), usize::saturating_add);
    let mut left = ROWS;
    for operator in &summary.operators {
        let Some(after) = left.checked_sub(1 + states_of(operator)) else { break };
        left = after;
        let parallelism = format!("{} (max {})", operator.parallelism, operator.max_parallelism);
        let finished = if operator.finished { "finished" } else { "" };
        rows.add_row([&label(operator), finished, "", &parallelism, &size(operator.state_size)]);
        for state in &operator.keyed_states {
            rows.add_row([&format!("  {}", clean(&state.name)), &kind_and_serializer(state), &ttl(state), "", ""]);
        }
        for name in &operator.timers {
            rows.add_row([&format!("  {}", clean(name)), "timers", "", "", ""]);
        }
        for state in &operator.operator_states {
            rows.add_row([
                &format!("  {}", clean(&state.name)),
                &format!("{}, {}", state.mode, counted(state.elements, "element")),
                "",
                "",
                "",
            ]);
        }
        if operator.raw_keyed_state {
            rows.add_row(["  raw keyed state", "timers on the heap", "", "", ""]);
        }
        if operator.in_flight > Bytes(0) {
            rows.add_row(["  in-flight data", "", "", "", &size(operator.in_flight)]);
        }
        if operator.parts_not_read > 0 {
            let reasons: Vec<String> = operator.not_read.iter().map(|reason| clean(reason)).collect();
            gaps.push(format!("  {}: {}: {}\n", label(operator), counted(operator.parts_not_read, "part"), reasons.join("; ")));
        }
    }
    let gaps = if gaps.is_empty() {
        String::new()
    } else {
        format!("\nnot read, so that states or positions may be missing above\n{}", gaps.concat())
    };
    format!("\n{}{}{gaps}", lines(&rows), more(all, ROWS - left, "operators and states"))
}

fn states_of(operator: &OperatorSummary) -> usize {
    operator.keyed_states.len() + operator.timers.len() + operator.operator_states.len()
}

/// Name and uid where they are known, and the id where they are not.
fn label(operator: &OperatorSummary) -> String {
    match (&operator.uid, &operator.name) {
        (Some(uid), Some(name)) => format!("{} ({})", clean(uid), clean(name)),
        (Some(uid), None) => clean(uid),
        (None, Some(name)) => format!("{} (no uid, {})", clean(name), operator.id),
        (None, None) => operator.id.clone(),
    }
}

fn kind(state: &KeyedStateSummary) -> String {
    let kind = state.kind.as_deref().map_or_else(|| "kind not stated".to_owned(), str::to_ascii_lowercase);
    if state.best_effort { format!("{}, best effort", clean(&kind)) } else { clean(&kind) }
}

fn kind_and_serializer(state: &KeyedStateSummary) -> String {
    match state.serializers.get("VALUE_SERIALIZER") {
        Some(class) => format!("{}, {}", kind(state), clean(&serializer(class))),
        None => kind(state),
    }
}

/// `LongSerializer` for `org.apache.flink.api.common.typeutils.base.LongSerializer$LongSerializerSnapshot`; under a TTL that of the value beside
/// the time stamp.
fn serializer(class: &str) -> String {
    let (outer, inner) = class.split_once('<').map_or((class, None), |(outer, inner)| (outer, inner.strip_suffix('>')));
    if outer.ends_with("TtlSerializerSnapshot")
        && let Some((_, value)) = inner.and_then(|inner| inner.split_once(", "))
    {
        return serializer(value);
    }
    let name = outer.rsplit('.').next().unwrap_or(outer);
    let name = name.split('$').next().unwrap_or(name);
    name.strip_suffix("Snapshot").unwrap_or(name).to_owned()
}

fn ttl(state: &KeyedStateSummary) -> String {
    match (&state.ttl_settings, state.ttl) {
        (Some(settings), _) => format!("{}, {}", settings.ttl, clean(&settings.update)),
        (None, TtlPresence::On) => "on".to_owned(),
        (None, TtlPresence::Off) => "off".to_owned(),
        (None, TtlPresence::Mixed) => "on and off".to_owned(),
        (None, TtlPresence::Unknown) => "unknown".to_owned(),
    }
}

fn size(bytes: Bytes) -> String {
    if bytes == Bytes(0) { "-".to_owned() } else { bytes.to_string() }
}

fn positions(summary: &SnapshotSummary, width: u16) -> String {
    let all: Vec<(&OperatorSummary, &PositionSummary)> =
        summary.operators.iter().flat_map(|operator| operator.positions.iter().map(move |position| (operator, position))).collect();
    if all.is_empty() {
        return String::new();
    }
    let mut rows = table(width);
    rows.set_header(["source", "topic", "partition", "goes on at"]);
    for (operator, position) in all.iter().take(LISTED) {
        let next = match (position.next_offset, &position.marker) {
            (Some(offset), _) => offset.to_string(),
            (None, marker) => marker.clone().unwrap_or_default(),
        };
        rows.add_row([label(operator), position.topic.clone(), position.partition.to_string(), next]);
    }
    format!("\n{}{}", lines(&rows), more(all.len(), LISTED, "partitions"))
}

fn reach(summary: &SnapshotSummary) -> String {
    let reach = &summary.reach;
    let mut text = if reach.objects == 0 {
        "\nneeds no file besides _metadata\n".to_owned()
    } else {
        let files = counted(reach.objects, "file");
        // Of a merged file only the parts are known that this snapshot names.
        let least = if reach.files.iter().any(|file| file.merged || file.size.is_none()) { "at least " } else { "" };
        let (relative, absolute) = (reach.relative, reach.absolute);
        format!(
            "\nneeds {files} ({least}{}) besides _metadata: {relative} relative, which move with the folder, {absolute} absolute, which do not\n",
            reach.bytes
        )
    };
    if reach.inline_handles > 0 {
        let handles = counted(reach.inline_handles, "handle");
        text.push_str(&format!("{handles} with state ({}) in _metadata itself\n", reach.inline_bytes));
    }
    if reach.inline_changes > Bytes(0) {
        text.push_str(&format!("changes of the changelog backend ({}) in _metadata itself\n", reach.inline_changes));
    }
    let mut folders: BTreeMap<(&str, bool), (usize, Bytes, usize)> = BTreeMap::new();
    for file in &reach.files {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (files, bytes, shared) = folders.entry((folder, file.relative)).or_default();
        *files += 1;
        *bytes = bytes.plus(file.min_size);
        *shared += usize::from(file.shared);
    }
    // Plain lines: a path that is broken into several cannot be copied.
    for ((folder, relative), (files, bytes, shared)) in folders.iter().take(LISTED) {
        let place = if *relative { "relative" } else { "absolute" };
        let shared = if *shared > 0 { format!(", {shared} of them shared") } else { String::new() };
        let files = counted(*files as u64, "file");
        text.push_str(&format!("  {}/\n    {files}, {bytes}, {place}{shared}\n", clean(folder)));
    }
    text.push_str(&more(folders.len(), LISTED, "folders"));
    text + &shared(summary)
}

/// What other snapshots need too.
fn shared(summary: &SnapshotSummary) -> String {
    let others = match summary.compared_with.len() {
        0 => return String::new(),
        1 => "1 other snapshot beside it needs".to_owned(),
        others => format!("{others} other snapshots beside it need"),
    };
    let common = summary.reach.files.iter().filter(|file| file.also_in > Some(0)).count();
    let files = if common == 1 { "1 of these files".to_owned() } else { format!("{common} of these files") };
    format!("{others} {files} too\n")
}

/// How it is stored, and every object that does not simply read.
fn stored(summary: &SnapshotSummary) -> String {
    let Some(stored) = &summary.stored else { return String::new() };
    let states: Vec<String> = stored.states.iter().map(|(state, count)| format!("{count} {}", state.words())).collect();
    let classes: Vec<String> = stored
        .classes
        .iter()
        .map(|(class, count)| format!("{count} {}", if class.is_empty() { "without a class".to_owned() } else { clean(class) }))
        .collect();
    let mut text = format!("\nin S3 at {}, with _metadata: {}\n", stored.at.minute(), states.join(", "));
    if !classes.is_empty() {
        text.push_str(&format!("  classes: {}\n", classes.join(", ")));
    }
    let metadata = std::iter::once(("_metadata", &stored.metadata));
    let files = summary.reach.files.iter().filter_map(|file| Some((file.path.as_str(), file.stored.as_ref()?)));
    let mut odd: BTreeMap<(StoredState, Option<&str>), Vec<&str>> = BTreeMap::new();
    for (path, stored) in metadata.chain(files).filter(|(_, stored)| stored.state != StoredState::Readable) {
        odd.entry((stored.state, stored.why.as_deref())).or_default().push(path);
    }
    for ((state, why), paths) in odd.iter().take(LISTED) {
        let why = why.map(|why| format!(": {}", clean(why))).unwrap_or_default();
        text.push_str(&format!("  {} {}{why}\n", paths.len(), state.words()));
        for path in paths.iter().take(NAMED) {
            text.push_str(&format!("    {}\n", clean(path)));
        }
        if paths.len() > NAMED {
            text.push_str(&format!("    and {} more; --format json lists all\n", paths.len() - NAMED));
        }
    }
    text.push_str(&more(odd.len(), LISTED, "reasons"));
    text
}

/// What lies in the folder and is not named, without a word that could be read as leave to delete it.
fn unreferenced(summary: &SnapshotSummary) -> String {
    let Some(found) = summary.unreferenced.as_ref().filter(|found| found.objects > 0 || !found.complete) else { return String::new() };
    let more = if found.complete { "" } else { " at least; not all of it was looked at" };
    let names = found.examples.iter().map(|name| format!("  {}\n", clean(name))).collect::<String>() + &more_examples(found);
    format!(
        "\nin its folder and not named by this _metadata: {} ({}){more}\n{names}\
         Not named here is not the same as not needed: another snapshot, or one in progress, may need them. They are never safe to delete \
         without the references of every snapshot of every job that writes below this place.\n",
        counted(found.objects, "file"),
        found.bytes,
    )
}

fn more_examples(found: &UnreferencedSummary) -> String {
    match found.objects.saturating_sub(found.examples.len() as u64) {
        0 => String::new(),
        // A listing of a bucket counts them and keeps no names.
        _ if found.examples.is_empty() => String::new(),
        more => format!("  and {more} more\n"),
    }
}

/// `1 file`, `2 files`.
fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn more(all: usize, listed: usize, what: &str) -> String {
    match all.checked_sub(listed) {
        Some(more) if more > 0 => format!("and {more} more {what}; --format json lists all\n"),
        _ => String::new(),
    }
}

/// Names come out of a file that anybody may have written: nothing in them may steer a terminal.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
