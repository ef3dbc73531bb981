//! Marks on a line of time.

use maud::{Markup, html};

use super::share::percent;
use crate::units::Instant;

/// One mark.
pub(super) struct Mark {
    pub(super) at: Instant,
    pub(super) class: &'static str,
    /// What stands in it; short.
    pub(super) label: String,
}

/// From when to when a line goes; a margin of a tenth on both sides keeps the outermost marks on the page.
#[derive(Clone, Copy)]
pub(super) struct Span {
    first: Instant,
    margin: u64,
    whole: u64,
}

/// Marks closer than this share of the line, in percent of it, are drawn under each other.
const APART: u64 = 7;

impl Span {
    /// Over all of these instants; `None` if there are none.
    pub(super) fn over(instants: impl Iterator<Item = Instant>) -> Option<Self> {
        let ends = instants
            .fold(None, |ends: Option<(Instant, Instant)>, at| Some(ends.map_or((at, at), |(first, last)| (first.min(at), last.max(at)))));
        let (first, last) = ends?;
        let span = last.since(first).as_ms();
        let margin = (span / 10).max(1);
        Some(Self { first, margin, whole: span.saturating_add(2 * margin) })
    }

    fn place(self, at: Instant) -> u64 {
        at.since(self.first).as_ms().saturating_add(self.margin)
    }
}

/// A line with its marks, from left to right; `usable` is drawn as a band upon it. `said` is what a reader who cannot see it is told.
pub(super) fn drawn(span: Span, marks: &[Mark], usable: Option<(Instant, Option<Instant>)>, said: &str) -> Markup {
    let lanes = lanes(marks.iter().map(|mark| span.place(mark.at)), span.whole);
    let height = 34 + 24 * lanes.iter().copied().max().unwrap_or_default();
    html! {
        svg.calendar width="100%" height=(height) role="img" aria-label=(said) {
            line.axis x1="0" x2="100%" y1="16" y2="16" {}
            @if let Some((from, to)) = usable {
                @let (from, to) = (span.place(from), to.map_or(span.whole, |to| span.place(to)));
                rect.usable x=(percent(from, span.whole)) y="12" width=(percent(to.saturating_sub(from), span.whole)) height="8" {}
            }
            // All stems before all marks, so that none crosses a mark above its own.
            @for (mark, lane) in marks.iter().zip(&lanes).filter(|(_, lane)| **lane > 0) {
                @let x = percent(span.place(mark.at), span.whole);
                line.axis x1=(x) x2=(x) y1="16" y2=(16 + 24 * lane) {}
            }
            @for (mark, lane) in marks.iter().zip(&lanes) {
                svg x=(percent(span.place(mark.at), span.whole)) y=(16 + 24 * lane) overflow="visible" {
                    circle class={ "mark " (mark.class) } r="11" {}
                    text class={ "mark " (mark.class) } text-anchor="middle" y="4" { (mark.label) }
                }
            }
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
