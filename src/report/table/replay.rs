//! What each way of coming back costs.

use std::collections::BTreeMap;

use super::{Page, Paint};
use crate::{
    finding::thousands,
    report::{JobReport, ReplayReport, outlook_words},
};

/// A row for each way and snapshot, what to know about them, and the days where they were asked for.
pub(super) fn section(page: &mut Page, paint: Paint, job: &JobReport) {
    if job.replay.is_empty() {
        return;
    }
    page.gap();
    let head = ["coming back by", "written twice", "lost", "suppressed", "basis"].map(str::to_owned).to_vec();
    page.rows(2, Some(0), std::iter::once(head).chain(job.replay.iter().map(row)), str::to_owned);
    let mut notes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for replay in &job.replay {
        for note in replay.note.split("; ").filter(|note| !note.is_empty()) {
            let ways = notes.entry(note).or_default();
            let way = way(replay);
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    for (note, ways) in notes {
        page.prose("    ", "      ", &format!("{}: {note}", ways.join(", ")));
    }
    for replay in job.replay.iter().filter(|replay| !replay.by_day.is_empty()) {
        page.gap();
        page.prose("  ", "    ", &paint.bold(&format!("{}, by day (UTC, record timestamps)", name(replay))));
        let head = ["day", "written twice", "suppressed", "lost"].map(str::to_owned).to_vec();
        let days = replay.by_day.iter().map(|day| {
            let numbers = [day.twice, day.suppressed, day.lost].map(thousands);
            std::iter::once(day.day.clone()).chain(numbers).collect()
        });
        page.rows(4, None, std::iter::once(head).chain(days), str::to_owned);
    }
}

fn row(replay: &ReplayReport) -> Vec<String> {
    vec![
        name(replay),
        outlook_words::records(replay.records_twice, replay.upper_bound),
        outlook_words::records(replay.records_lost, false),
        outlook_words::records(replay.records_suppressed, false),
        replay.basis.clone(),
    ]
}

fn way(replay: &ReplayReport) -> String {
    replay.way.replace('-', " ")
}

fn name(replay: &ReplayReport) -> String {
    let snapshot = replay.snapshot.as_deref().map(|location| location.trim_end_matches('/').rsplit('/').next().unwrap_or_default());
    match snapshot {
        Some(snapshot) => format!("{}, {snapshot}", way(replay)),
        None => way(replay),
    }
}
