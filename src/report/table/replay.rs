//! What each way of coming back costs.

use super::{Page, Paint};
use crate::{
    finding::thousands,
    report::{JobReport, replay_words},
};

/// A row for each way and snapshot, what to know about them, and the days where they were asked for.
pub(super) fn section(page: &mut Page, paint: Paint, job: &JobReport) {
    if job.replay.is_empty() {
        return;
    }
    page.gap();
    let head = replay_words::HEAD.map(str::to_owned).to_vec();
    let rows = job.replay.iter().map(|replay| replay_words::cells(replay).to_vec());
    page.rows(2, Some(0), std::iter::once(head).chain(rows), str::to_owned);
    for note in replay_words::notes(job) {
        page.prose("    ", "      ", &note);
    }
    for replay in job.replay.iter().filter(|replay| !replay.by_day.is_empty()) {
        page.gap();
        page.prose("  ", "    ", &paint.bold(&format!("{}, by day (UTC, record timestamps)", replay_words::name(replay))));
        let head = ["day", "written twice", "suppressed", "lost"].map(str::to_owned).to_vec();
        let days = replay.by_day.iter().map(|day| {
            let numbers = [day.twice, day.suppressed, day.lost].map(thousands);
            std::iter::once(day.day.clone()).chain(numbers).collect()
        });
        page.rows(4, None, std::iter::once(head).chain(days), str::to_owned);
    }
}
