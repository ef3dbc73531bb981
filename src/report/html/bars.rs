//! TTL against floor, observed and worst case, as lengths on one scale for each state.

use maud::{Markup, html};

use super::{class, share::percent};
use crate::{
    report::{
        JobReport, Length, OperatorReport,
        words::{self, clean, symbol},
    },
    units::Millis,
};

/// What the bars mean.
pub(super) fn legend(job: &JobReport) -> Markup {
    html! {
        @if !job.operators.is_empty() {
            ul.legend {
                li { span.key.ttl {} "TTL" }
                li { span.key.within {} "as old as the TTL covers" }
                li { span.key.beyond {} "older than the TTL" }
                li { span.key.required {} "required TTL" }
            }
            p.owner {
                "Floor: what a consumer may rely on finding. Observed: the age of the first readable record at the capture. Worst case: the "
                "oldest record that a restart from earliest can receive."
            }
            @if let Some(note) = words::life_note(job) { p.owner { (note) } }
        }
    }
}

/// One state with the topics that reach it.
pub(super) fn state(operator: &OperatorReport) -> Markup {
    let scale = Scale::of(operator);
    html! {
        div class={ "state " (class(operator.verdict)) } {
            h4 {
                span class={ "symbol " (class(operator.verdict)) } aria-hidden="true" { (symbol(operator.verdict)) }
                " " (clean(&operator.uid)) " / " (clean(&operator.state)) " " small { (clean(&operator.role)) }
            }
            (scale.row(words::life_name(operator), &words::life_length(operator), &words::life(operator), true))
            @for topic in &operator.topics {
                p.topic { "reads " (clean(&topic.topic)) " " small { (clean(&topic.origin)) } }
                (scale.row("floor", &topic.floor, &topic.floor.to_string(), false))
                (scale.row("observed", &topic.observed, &topic.observed.to_string(), false))
                (scale.row("worst case", &topic.worst_case, &topic.worst_case.to_string(), false))
            }
            @if let Some(required) = scale.required { p.owner { "required TTL " (required) } }
        }
    }
}

/// The scale of one state: the longest length fills it, and what has no end runs past it.
struct Scale {
    whole: u64,
    ttl: Option<u64>,
    life_known: bool,
    required: Option<Millis>,
}

impl Scale {
    fn of(operator: &OperatorReport) -> Self {
        let lengths = operator.topics.iter().flat_map(|topic| [&topic.floor, &topic.observed, &topic.worst_case]);
        let life = words::life_length(operator);
        let lengths: Vec<&Length> = lengths.chain([&life]).collect();
        let longest = lengths.iter().filter_map(|length| ms(length)).chain(operator.required_ttl.map(Millis::as_ms)).max().unwrap_or(1);
        let endless = lengths.iter().any(|length| is_endless(length));
        // What has an end must not look like what has none.
        let whole = if endless { longest.saturating_add(longest / 4) } else { longest };
        Self { whole, ttl: ms(&life), life_known: ms(&life).is_some() || is_endless(&life), required: operator.required_ttl }
    }

    fn row(&self, name: &str, length: &Length, said: &str, is_ttl: bool) -> Markup {
        let said = clean(said);
        let end = if is_endless(length) { Some(self.whole) } else { ms(length) };
        let covered = self.ttl.unwrap_or(u64::MAX);
        // Of a length that nobody states nothing can be said to be covered.
        let within = if self.life_known { "within" } else { "plain" };
        html! {
            div.length {
                span.name { (name) }
                svg.bar width="100%" height="16" role="img" aria-label={ (name) ": " (said) } {
                    rect.track x="0" y="3" width="100%" height="10" rx="2" {}
                    @match end {
                        Some(end) if is_ttl => { rect.ttl x="0" y="3" width=(percent(end, self.whole)) height="10" rx="2" {} }
                        Some(end) => {
                            rect class=(within) x="0" y="3" width=(percent(end.min(covered), self.whole)) height="10" rx="2" {}
                            @if end > covered {
                                rect.beyond x=(percent(covered, self.whole)) y="3" width=(percent(end - covered, self.whole)) height="10" {}
                            }
                        }
                        None => { rect.nothing x="0" y="3.5" width="100%" height="9" rx="2" {} }
                    }
                    @if let Some(ttl) = self.ttl { (mark("at-ttl", ttl, self.whole)) }
                    @if let Some(required) = self.required { (mark("at-required", required.as_ms(), self.whole)) }
                }
                span.value { (said) }
            }
        }
    }
}

fn mark(class: &str, at: u64, whole: u64) -> Markup {
    let x = percent(at, whole);
    html! { line class=(class) x1=(x) x2=(x) y1="0" y2="16" {} }
}

const fn ms(length: &Length) -> Option<u64> {
    match length {
        Length::Duration(length) => Some(length.as_ms()),
        Length::Word(_) => None,
    }
}

fn is_endless(length: &Length) -> bool {
    matches!(length, Length::Word(word) if word == "never" || word == "unlimited")
}
