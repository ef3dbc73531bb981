//! What happens when, on one line and as a list.

use maud::{Markup, html};

use super::{
    axis::{self, Mark, Span},
    class, severity,
};
use crate::report::{
    JobReport, Report,
    dates::{self, Date, Kind},
    words::clean,
};

/// The dates of a job, if there is more than the instant that is judged.
pub(super) fn line(report: &Report, job: &JobReport) -> Markup {
    let dates = dates::of_job(report, job);
    let (Some(span), Some(first), Some(last)) = (Span::over(dates.iter().map(|date| date.at)), dates.first(), dates.last()) else {
        return html! {};
    };
    let numbered = dates.iter().enumerate().map(|(number, date)| Mark { at: date.at, class: of(date), label: (number + 1).to_string() });
    let said = format!("From {} to {}: see the list below", first.at.day(), last.at.day());
    html! {
        h3 { "What happens when" }
        (axis::drawn(span, &numbered.collect::<Vec<_>>(), None, &said))
        ol.events {
            @for date in &dates {
                li class=(of(date)) {
                    time datetime=(date.at) { (date.at.minute()) } " "
                    @if let Kind::Bites(severity) = date.kind { (severity) ": " }
                    (clean(&date.what))
                }
            }
        }
    }
}

/// The class of a date in the style.
const fn of(date: &Date) -> &'static str {
    match date.kind {
        Kind::Taken(verdict) => class(verdict),
        Kind::Now => "now",
        Kind::Change => "change",
        Kind::WithoutLoss => "until",
        Kind::Bites(loud) => severity(loud),
    }
}
