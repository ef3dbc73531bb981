//! The snapshots of a job, each with its line of time, and the places to which the next ones are written.

use maud::{Markup, html};

use super::{
    axis::{self, Mark, Span},
    class,
};
use crate::report::{
    JobReport, Report, SnapshotReport, dates,
    words::{self, clean, symbol},
};

/// One entry for each, all lines on one scale.
pub(super) fn section(report: &Report, job: &JobReport) -> Markup {
    let instants = job.snapshots.iter().flat_map(|snapshot| dates::of_snapshot(report.as_of.at, snapshot).0).map(|mark| mark.at);
    let span = Span::over(instants);
    let places: Vec<_> = dates::places(job).collect();
    html! {
        @if !job.snapshots.is_empty() || !places.is_empty() {
            h3 { "Snapshots" }
            ul.snapshots {
                @for snapshot in &job.snapshots {
                    li {
                        span class={ "symbol " (class(snapshot.verdict)) } aria-hidden="true" { (symbol(snapshot.verdict)) }
                        " " (clean(&snapshot.kind)) " " code { (clean(&snapshot.location)) }
                        br; (clean(&words::snapshot(snapshot).join(" · ")))
                        @if let Some(span) = span { (line(report, snapshot, span)) }
                    }
                }
                @for (verdict, name, what) in places {
                    li {
                        span class={ "symbol " (class(verdict)) } aria-hidden="true" { (symbol(verdict)) }
                        " " (clean(&name)) br; (clean(&what))
                    }
                }
            }
        }
    }
}

/// Taken, now, first change by a rule, files gone, first unread record gone; the band says how long a restart finds both.
fn line(report: &Report, snapshot: &SnapshotReport, span: Span) -> Markup {
    let (mut marks, undated) = dates::of_snapshot(report.as_of.at, snapshot);
    let dated = marks.iter().map(|mark| format!("{} {} {}", mark.letter, mark.what, mark.at.day()));
    let words = dated.chain(undated).collect::<Vec<_>>().join(" · ");
    marks.sort_by_key(|mark| mark.at);
    let shown: Vec<Mark> = marks
        .iter()
        .map(|mark| {
            let class = match mark.letter {
                'T' => class(snapshot.verdict),
                'N' => "now",
                _ => "change",
            };
            Mark { at: mark.at, class, label: mark.letter.to_string() }
        })
        .collect();
    let end = snapshot.files_until.into_iter().chain(snapshot.records_until).min();
    html! {
        (axis::drawn(span, &shown, Some((snapshot.taken_at.at, end)), &words))
        p.owner { (words) }
    }
}
