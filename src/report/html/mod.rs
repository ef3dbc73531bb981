//! HTML: the client's report for people who would rather look. One file, no script, nothing from elsewhere; light and dark, printable.

mod axis;
mod bars;
mod calendar;
mod job;
mod replay;
mod share;
mod snapshots;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    JobReport, Report, Verdict, outlook_words, rank, waived_words,
    words::{self, clean},
};
use crate::finding::Severity;

/// The style, which goes into the file.
const STYLE: &str = include_str!("style.css");

/// How many findings the first screen names for a job that is alone.
const NAMED: usize = 3;

/// The reports in one page. Jobs that pass with nothing louder than a note stand in a list only, unless `everything` is asked for or there
/// is but one.
#[must_use]
pub fn to_html(reports: &[Report], everything: bool) -> String {
    let title = match reports {
        [report] => clean(&report.audit),
        reports => words::counted(reports.len(), "audit"),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                // Whatever a name may hold: nothing runs, and nothing is fetched.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="generator" content="ttl-audit";
                title { (title) " · ttl-audit" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    @for (number, report) in reports.iter().enumerate() {
                        (one(report, number, everything))
                    }
                    @if let Some(line) = super::summary_of_several(reports) {
                        p.total { (clean(&line)) }
                    }
                }
            }
        }
    };
    let mut text = page.into_string();
    text.push('\n');
    text
}

fn one(report: &Report, number: usize, everything: bool) -> Markup {
    let anchor = |job: &JobReport| {
        let position = report.jobs.iter().position(|other| other.job == job.job).unwrap_or_default();
        format!("job-{number}-{position}")
    };
    let mut shown = rank::jobs(report);
    shown.retain(|job| everything || report.jobs.len() == 1 || !words::is_healthy(report, job));
    html! {
        article {
            header {
                p.eyebrow { "Recovery audit" @if let Some(client) = &report.client { " for " (clean(client)) } }
                h1 { (clean(&report.audit)) }
                p.when { (words::as_of(report)) " · " (clean(&words::evidence(report))) }
                (tiles(report))
            }
            section.first aria-label="What to do" {
                @for job in rank::jobs(report).into_iter().filter(|job| job.verdict != Verdict::Pass) { (card(report, job, &anchor(job))) }
                (passing(report, &shown, &anchor))
            }
            @for job in shown { (job::section(report, job, &anchor(job))) }
            (not_checked(report))
            (list("Waived", "Exceptions by name: shown, and not counted.", &waived_words::lines(report)))
            (list("To know about waivers and the baseline", "", &waived_words::notices(report)))
            (list("Assumptions", "Taken although nobody said it. If one does not hold, neither may what rests on it.", &report.assumptions))
            (list("Not checked, because nothing depends on it", "", &report.not_needed))
            (list("Left out", "By the policy or on the command line; nothing is said about it.", &report.left_out))
            (method(report))
        }
    }
}

/// How many jobs fare how, in numbers that are seen first.
fn tiles(report: &Report) -> Markup {
    let jobs = report.summary.jobs;
    let clean = |n: usize| if n == 0 { " none" } else { "" };
    html! {
        ul.tiles aria-label=(words::jobs(report)) {
            li class=(format!("fail{}", clean(jobs.fail))) { b { (jobs.fail) } " " (if jobs.fail == 1 { "does" } else { "do" }) " not pass" }
            li class=(format!("unknown{}", clean(jobs.unknown))) { b { (jobs.unknown) } " cannot be judged in full" }
            li class=(format!("pass{}", clean(jobs.pass))) { b { (jobs.pass) } " " (if jobs.pass == 1 { "passes" } else { "pass" }) }
        }
        p.total { (words::totals(report).join(" · ")) }
    }
}

/// A job that does not pass: why, and what to do.
fn card(report: &Report, job: &JobReport, anchor: &str) -> Markup {
    let to_do = if job.verdict == Verdict::Unknown { "Would be answered by: " } else { "→ " };
    // Where there is but one job, the first screen has room for more than the loudest.
    let most = if report.jobs.len() == 1 { NAMED } else { 1 };
    let reasons = words::reasons(report, job, most);
    let more = rank::tripping(report, job).len().saturating_sub(most);
    html! {
        div class={ "card " (class(job.verdict)) } {
            h2 {
                span.symbol aria-hidden="true" { (words::symbol(job.verdict)) }
                " " a href={ "#" (anchor) } { (clean(&job.job)) } " " span.verdict { (words::sentence(report, job)) }
            }
            // On a phone's first screen what to do comes before the numbers.
            @for (why, what) in reasons {
                p { (clean(&why)) }
                @if !what.is_empty() { p.do { (to_do) (clean(&what)) } }
            }
            @if more > 0 { p { "and " (more) " more, below" } }
            p { b { "without loss " } (clean(&outlook_words::loss(report, job))) }
            @if let Some(alternative) = outlook_words::alternative(report, job) { p { (clean(&alternative)) } }
            p { b { "without duplicates " } (clean(&outlook_words::duplicates(job))) }
            @if let Some(owner) = &job.owner { p.owner { "owner " (clean(owner)) } }
        }
    }
}

/// Jobs that pass, each in a few words; those that are shown in full are linked.
fn passing(report: &Report, shown: &[&JobReport], anchor: &impl Fn(&JobReport) -> String) -> Markup {
    let jobs: Vec<&JobReport> = report.jobs.iter().filter(|job| job.verdict == Verdict::Pass).collect();
    html! {
        @if !jobs.is_empty() {
            ul.passing aria-label="Jobs that pass" {
                @for job in jobs {
                    li {
                        span.symbol.pass aria-hidden="true" { (words::symbol(job.verdict)) } " "
                        @if shown.iter().any(|other| other.job == job.job) { a href={ "#" (anchor(job)) } { (clean(&job.job)) } }
                        @else { (clean(&job.job)) }
                        @let counts = words::counts(report, job);
                        @if !counts.is_empty() { " " small { (counts.join(", ")) } }
                    }
                }
            }
        }
    }
}

fn not_checked(report: &Report) -> Markup {
    html! {
        section {
            h2 { "What could not be checked" }
            @if report.unknown.is_empty() { p { "Nothing: every check that applies had its facts." } }
            @else {
                p { "Nothing here may be read as passed." }
                @for unknown in &report.unknown {
                    div.finding.unknown {
                        h3 {
                            span class={ "badge " (severity(unknown.severity)) } { "unknown" }
                            " " (clean(&unknown.rule)) " " span.subject { (clean(&unknown.subject)) }
                        }
                        @for mark in waived_words::marks(unknown.waiver_expired.as_ref(), unknown.since_baseline) { p.known { (clean(&mark)) } }
                        p { (clean(&unknown.reason)) }
                        @if !unknown.call.is_empty() { p.do { "Would be answered by: " (clean(&unknown.call)) } }
                        @if !unknown.also.is_empty() { p.owner { "also wait for it: " (clean(&unknown.also.join(", "))) } }
                        p.owner {
                            @if report.summary.fail_on.trips(unknown.severity) { "counts for the gate" } @else { "does not count for the gate" }
                            " · " (clean(&words::place(&unknown.location)))
                        }
                    }
                }
            }
        }
    }
}

fn list(title: &str, lead: &str, entries: &[String]) -> Markup {
    html! {
        @if !entries.is_empty() {
            section {
                h2 { (title) }
                @if !lead.is_empty() { p { (lead) } }
                ul { @for entry in entries { li { (clean(entry)) } } }
            }
        }
    }
}

fn method(report: &Report) -> Markup {
    html! {
        section.method {
            h2 { "Method" }
            p { (words::METHOD) }
            dl.facts { @for (name, value) in words::basis(report) { div { dt { (name) } dd { (clean(&value)) } } } }
            h2 { "For the log" }
            pre { code { (clean(&words::log_entry(report))) } }
        }
    }
}

/// The class of a verdict in the style.
const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Unknown => "unknown",
    }
}

/// The class of a severity in the style.
const fn severity(severity: Severity) -> &'static str {
    severity.word()
}
