//! One job: its states, its snapshots, what was found and what to do.

use maud::{Markup, html};

use super::{bars, calendar, class, replay, severity, snapshots};
use crate::report::{
    JobReport, Report, ReportedFinding, outlook_words, waived_words,
    words::{self, clean},
};

/// Everything about one job.
pub(super) fn section(report: &Report, job: &JobReport, anchor: &str) -> Markup {
    html! {
        section.job id=(anchor) {
            h2 {
                span class={ "symbol " (class(job.verdict)) } aria-hidden="true" { (words::symbol(job.verdict)) }
                " " (clean(&job.job)) " " span.verdict { (words::sentence(report, job)) }
            }
            // A job that is alone has it on the first screen, just above.
            @if report.jobs.len() > 1 {
                p { b { "without loss " } (clean(&outlook_words::loss(report, job))) }
                @if let Some(alternative) = outlook_words::alternative(report, job) { p { b { "best alternative " } (clean(&alternative)) } }
                p { b { "without duplicates " } (clean(&outlook_words::duplicates(job))) }
            }
            h3 { "State" }
            @if job.operators.is_empty() { p { "It declares no state: it was judged for the rest only." } }
            @for operator in &job.operators { (bars::state(operator)) }
            (bars::legend(job))
            (replay::section(job))
            (snapshots::section(report, job))
            (calendar::line(report, job))
            @if words::findings(report, job).next().is_some() { h3 { "What was found" } }
            @for finding in words::findings(report, job) { (self::finding(report, finding)) }
        }
    }
}

fn finding(report: &Report, finding: &ReportedFinding) -> Markup {
    html! {
        div class={ "finding " (severity(finding.severity)) } {
            h3 {
                span class={ "badge " (severity(finding.severity)) } { (finding.severity) }
                " " (clean(&finding.rule)) " " span.subject { (clean(words::subject(&finding.job, &finding.subject))) }
            }
            @for mark in waived_words::marks(finding.waiver_expired.as_ref(), finding.since_baseline) { p.known { (clean(&mark)) } }
            p { (clean(&finding.message)) }
            @if let Some(bites) = words::bites(report, finding) { p.bites { (bites) } }
            @if !finding.facts.is_empty() {
                dl.facts {
                    @for fact in &finding.facts {
                        div { dt { (clean(&fact.name)) } dd { b { (clean(&fact.amount.to_string())) } " " small { (clean(&fact.origin)) } } }
                    }
                }
            }
            ul.remedies {
                @for remedy in &finding.remedy {
                    li {
                        (clean(&remedy.say))
                        @if let Some(paste) = &remedy.paste { pre { code { (clean(paste)) } } }
                    }
                }
            }
            p.owner { (clean(&words::place(&finding.location))) " · ttl-audit explain " (clean(&finding.rule)) }
        }
    }
}
