//! What each way of coming back costs.

use maud::{Markup, html};

use crate::{
    finding::thousands,
    report::{JobReport, replay_words, words::clean},
};

/// A row for each way and snapshot, what to know about them, and the days where they were asked for.
pub(super) fn section(job: &JobReport) -> Markup {
    html! {
        @if !job.replay.is_empty() {
            h3 { "What each way of coming back costs" }
            (table(&replay_words::HEAD, job.replay.iter().map(|replay| replay_words::cells(replay).to_vec())))
            p.owner {
                "Records. Suppressed: read again and recognised, by state or by a sink that merges on a key. ≤: at most. ?: not known."
            }
            @let notes = replay_words::notes(job);
            @if !notes.is_empty() { ul.notes { @for note in notes { li { (clean(&note)) } } } }
            @for replay in job.replay.iter().filter(|replay| !replay.by_day.is_empty()) {
                h4 { (clean(&replay_words::name(replay))) ", by day " small { "UTC, record timestamps" } }
                (table(
                    &["day", "written twice", "suppressed", "lost"],
                    replay.by_day.iter().map(|day| {
                        let numbers = [day.twice, day.suppressed, day.lost].map(thousands);
                        std::iter::once(day.day.clone()).chain(numbers).collect()
                    }),
                ))
            }
        }
    }
}

/// A table whose cells know the head of their column: on a phone each row is a block.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Markup {
    html! {
        table.numbers {
            thead { tr { @for name in head { th scope="col" { (name) } } } }
            tbody {
                @for row in rows {
                    tr {
                        @for (number, (cell, name)) in row.iter().zip(head).enumerate() {
                            @if number == 0 { th scope="row" { (clean(cell)) } } @else { td data-head=(name) { (clean(cell)) } }
                        }
                    }
                }
            }
        }
    }
}
