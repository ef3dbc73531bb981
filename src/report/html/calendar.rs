//! When snapshots were taken and when something happens to them, on one line.

use maud::{Markup, html};

use super::{class, severity, share::percent};
use crate::{
    report::{
        JobReport, Report,
        words::{self, clean},
    },
    units::Instant,
};

/// What happens, when, and how it looks.
struct Event {
    at: Instant,
    class: &'static str,
    what: String,
}

/// Marks closer than this share of the line, in percent of it, are drawn under each other.
const APART: u64 = 7;

/// The line of a job, if there is more on it than the instant that is judged.
pub(super) fn line(report: &Report, job: &JobReport) -> Markup {
    let mut events: Vec<Event> = job
        .snapshots
        .iter()
        .map(|snapshot| Event {
            at: snapshot.taken_at.at,
            class: class(snapshot.verdict),
            what: format!("{} taken{}", snapshot.kind, if snapshot.selected { ", the one that a restart takes" } else { "" }),
        })
        .collect();
    events.extend(words::findings(report, job).filter_map(|finding| {
        let what = format!("{}: {}", finding.rule, words::subject(&finding.job, &finding.subject));
        finding.bites_on.map(|at| Event { at, class: severity(finding.severity), what })
    }));
    if events.is_empty() {
        return html! {};
    }
    events.push(Event { at: report.as_of.at, class: "now", what: "the instant that is judged".to_owned() });
    events.sort_by(|a, b| (a.at, &a.what).cmp(&(b.at, &b.what)));
    drawn(&events)
}

fn drawn(events: &[Event]) -> Markup {
    let (Some(first), Some(last)) = (events.first(), events.last()) else { return html! {} };
    let span = last.at.since(first.at).as_ms();
    // A margin of a tenth on both sides keeps the outermost marks on the page.
    let margin = (span / 10).max(1);
    let whole = span.saturating_add(2 * margin);
    let place = |event: &Event| event.at.since(first.at).as_ms().saturating_add(margin);
    let lanes = lanes(events.iter().map(place), whole);
    let height = 34 + 24 * lanes.iter().copied().max().unwrap_or_default();
    html! {
        svg.calendar width="100%" height=(height) role="img" aria-label={ "From " (first.at.day()) " to " (last.at.day()) ": see the list below" } {
            line.axis x1="0" x2="100%" y1="16" y2="16" {}
            @for (number, (event, lane)) in events.iter().zip(&lanes).enumerate() {
                svg x=(percent(place(event), whole)) y=(16 + 24 * lane) overflow="visible" {
                    line.axis x1="0" x2="0" y1={ "-" (24 * lane) } y2="0" {}
                    circle class={ "mark " (event.class) } r="11" {}
                    text class={ "mark " (event.class) } text-anchor="middle" y="4" { (number + 1) }
                }
            }
        }
        ol.events {
            @for event in events { li class=(event.class) { time datetime=(event.at) { (event.at.minute()) } " " (clean(&event.what)) } }
        }
    }
}

/// For each mark, from left to right, how many lie above it.
fn lanes(places: impl Iterator<Item = u64>, whole: u64) -> Vec<u64> {
    let apart = u128::from(whole) * u128::from(APART) / 100;
    let mut last_in: Vec<u64> = Vec::new();
    places
        .map(|place| {
            let free = last_in.iter().position(|last| u128::from(place.saturating_sub(*last)) >= apart);
            let lane = free.unwrap_or(last_in.len());
            match last_in.get_mut(lane) {
                Some(last) => *last = place,
                None => last_in.push(place),
            }
            u64::try_from(lane).unwrap_or(u64::MAX)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_would_cover_each_other_are_drawn_under_each_other() {
        assert_eq!(lanes([0, 50, 100].into_iter(), 100), [0, 0, 0]);
        assert_eq!(lanes([0, 1, 2, 50, 51].into_iter(), 100), [0, 1, 2, 0, 1]);
    }
}
