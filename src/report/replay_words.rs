//! What each way of coming back costs, in the words of every format for people.

use super::{JobReport, ReplayReport, outlook_words};

/// The heads of the columns of [`cells`].
pub(super) const HEAD: [&str; 5] = ["coming back by", "written twice", "lost", "suppressed", "basis"];

/// `snapshot, chk-46117`, and what that costs: written twice, lost, suppressed, and what the numbers rest on.
pub(super) fn cells(replay: &ReplayReport) -> [String; 5] {
    [
        name(replay),
        outlook_words::records(replay.records_twice, replay.upper_bound),
        outlook_words::records(replay.records_lost, false),
        outlook_words::records(replay.records_suppressed, false),
        replay.basis.clone(),
    ]
}

/// The way, with the last part of the snapshot's location.
pub(super) fn name(replay: &ReplayReport) -> String {
    let snapshot = replay.snapshot.as_deref().map(|location| location.trim_end_matches('/').rsplit('/').next().unwrap_or_default());
    match snapshot {
        Some(snapshot) => format!("{}, {snapshot}", way(replay)),
        None => way(replay),
    }
}

fn way(replay: &ReplayReport) -> String {
    replay.way.replace('-', " ")
}

/// What there is to know about the numbers, each once with the ways that it is about: `snapshot, offset reset: …`; sorted.
pub(super) fn notes(job: &JobReport) -> Vec<String> {
    let mut notes: std::collections::BTreeMap<&str, Vec<String>> = std::collections::BTreeMap::new();
    for replay in &job.replay {
        for note in replay.note.split("; ").filter(|note| !note.is_empty()) {
            let ways = notes.entry(note).or_default();
            let way = way(replay);
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    notes.into_iter().map(|(note, ways)| format!("{}: {note}", ways.join(", "))).collect()
}
