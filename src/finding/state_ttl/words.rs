//! Sentences about a state's life and a topic's history.

use crate::{
    analysis::{Bound, Count, Life, StateView, Window},
    manifest::{Clearing, Role, Start},
    units::{Millis, Retention},
};

/// `dedup-events/seen-event-ids keeps an entry for 7d after its last access (TTL, processing time)`.
#[must_use]
pub fn life_words(state: &StateView, life: Life) -> String {
    let id = format!("{}/{}", state.operator, state.state);
    match life {
        Life::Ttl(length) => format!("{id} keeps an entry for {length} after its last access (TTL, processing time)"),
        Life::Cleared(Clearing::Watermark, length) => format!("{id} is cleared by the watermark after {length} (no TTL governs it)"),
        Life::Cleared(Clearing::Timer, length) => format!("{id} is cleared by a timer after {length} (no TTL governs it)"),
        Life::Cleared(Clearing::Code, length) => format!("{id} is cleared by code after {length} (no TTL governs it)"),
        Life::Never => format!("{id} never expires"),
    }
}

/// How far back the topic reaches: by its settings, at worst, and as observed.
#[must_use]
pub fn window_words(window: &Window) -> String {
    let what = if window.cluster.is_some() { "topic" } else { "source" };
    let mut text = match window.retention.as_ref().map(|retention| retention.value) {
        Ok(Retention::For(length)) => format!("{what} {} keeps records for {length}", window.topic),
        Ok(Retention::Unlimited) => format!("{what} {} keeps records without end", window.topic),
        Ok(Retention::SizeBound) => format!("only size limits what {what} {} keeps", window.topic),
        Err(_) => format!("the retention of {what} {} is not known", window.topic),
    };
    match window.worst_case.as_ref().map(|worst| worst.value) {
        // What a manifest declares has no second number.
        Ok(_) if window.cluster.is_none() => {}
        Ok(Bound::For(length)) => {
            text.push_str(&format!(" and can still hold one that is {length} old"));
            for caveat in &window.caveats {
                text.push_str(&format!(" ({caveat})"));
            }
        }
        Ok(_) => {}
        Err(_) if window.retention.is_err() => {}
        Err(unknown) => text.push_str(&format!(" and by how much it can hold them longer is not known ({})", unknown.reason)),
    }
    if let Some(history) = window.history() {
        text.push_str(&format!("; the oldest readable record was {} old when the evidence was captured", history.value));
    }
    text
}

/// What happens in an offset reset: this state is restored, and the source starts over.
///
/// The number is that of records older than the life, where it was measured and the source starts from earliest. State loss is named only to say
/// that no TTL helps there.
#[must_use]
pub fn consequence(state: &StateView, window: &Window, life: Millis, count: Option<&Count>) -> String {
    let start = state.reads.iter().find(|(id, _)| *id == window.source).and_then(|(_, start)| *start);
    let starts = match start {
        None | Some(Start::Earliest) => "the source starts over from the earliest record",
        Some(Start::Latest) => {
            "the source starts over, and not from `latest` as declared but from an earlier record that somebody chose to fill the gap"
        }
        Some(Start::Committed) => "the source starts over from committed offsets that are older than that, or that have expired",
        Some(Start::Timestamp) => "the source starts over from a timestamp that is older than that",
    };
    let counted = matches!(start, None | Some(Start::Earliest)).then_some(count).flatten().map_or_else(String::new, |count| {
        let at_most = if count.upper_bound { "at most " } else { "" };
        format!(" ({at_most}{} records, {})", super::super::fact::thousands(count.records), count.basis.word())
    });
    let older = format!("records that are older than {life}{counted}");
    let what = match (state.role, state.cleared_by) {
        (_, Some(Clearing::Watermark)) => format!("what was already emitted and cleared is built again from {older} and emitted again"),
        (Role::Deduplication, _) => format!("{older} pass the deduplication again"),
        (Role::Join, _) => {
            format!("{older} find that their partners on the other side have expired: results are missing or are emitted again")
        }
        (Role::Aggregation | Role::Session, _) => {
            format!("keys that were idle for longer than {life} restart empty, and {older} are added on top of what survived")
        }
        (Role::Cache, _) => format!("{older} find no entry, which is then filled from elsewhere as it is now, not as it was then"),
        (Role::Other, _) => format!("{older} meet a state that has forgotten what it knew about them"),
    };
    let mut text = format!("In an offset reset (this state is restored, the positions of the source are not, and {starts}) {what}.");
    if let Some(sinks) = state.softened_by() {
        text.push_str(&format!(
            " One step less severe, since every sink that it feeds ({}) merges on a key taken from the record: what passes again overwrites itself.",
            sinks.join(", ")
        ));
    }
    text.push_str(" After a loss of this state no TTL helps, however long.");
    text
}
