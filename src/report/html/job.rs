//! One job: its states, its snapshots, what was found and what to do.

use maud::{Markup, html};

use super::{bars, calendar, class, severity};
use crate::report::{
    JobReport, Report, ReportedFinding,
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
            h3 { "State" }
            @if job.operators.is_empty() { p { "It declares no state: it was judged for the rest only." } }
            @for operator in &job.operators { (bars::state(operator)) }
            (bars::legend(job))
            @if !job.snapshots.is_empty() {
                h3 { "Snapshots" }
                ul.snapshots {
                    @for snapshot in &job.snapshots {
                        li {
                            span class={ "symbol " (class(snapshot.verdict)) } aria-hidden="true" { (words::symbol(snapshot.verdict)) }
                            " " (clean(&snapshot.kind)) " " code { (clean(&snapshot.location)) }
                            br; (clean(&words::snapshot(snapshot).join(" · ")))
                        }
                    }
                }
            }
            (calendar::line(report, job))
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
