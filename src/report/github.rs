//! GitHub Actions: annotations as workflow commands, and a summary of the job in Markdown.

use super::{
    FileLocation, JobReport, Notice, Placed, Report, ReportedFinding, ReportedUnknown, Since, Waived, WaiverTerms,
    markdown::{self, inline},
    rank, waived_words,
    words::{self, clean},
};
use crate::finding::Severity;

/// GitHub refuses a summary above 1 MiB as a whole; what would be above this is left out and counted.
const MOST: usize = 900 * 1024;

/// The reports as workflow commands, loudest first: GitHub shows the first ten of each kind.
///
/// Findings are annotations of their severity. An unknown that counts for the gate is a warning, any other a notice. What a baseline knows
/// already and what is waived are notices, and come last. Lines that are no commands are for who reads the log.
#[must_use]
pub fn to_github(reports: &[Placed<'_>]) -> String {
    let mut text = String::new();
    for placed in reports {
        let report = placed.report;
        text.push_str(&log_line(&format!("{} · {} · {}", report.audit, words::as_of(report), words::evidence(report))));
        let (known, counts): (Vec<_>, Vec<_>) = report.findings.iter().partition(|finding| is_known(finding.since_baseline));
        let (known_unknown, unknown): (Vec<_>, Vec<_>) = report.unknown.iter().partition(|unknown| is_known(unknown.since_baseline));
        text.extend(counts.into_iter().map(|finding| annotation(placed, finding)));
        text.extend(unknown.into_iter().map(|unknown| unknown_annotation(placed, unknown)));
        text.extend(known.into_iter().map(|finding| annotation(placed, finding)));
        text.extend(known_unknown.into_iter().map(|unknown| unknown_annotation(placed, unknown)));
        text.extend(report.waived.iter().filter_map(|waived| waived_annotation(placed, waived)));
        text.extend(report.notices.iter().map(|notice| notice_annotation(placed, notice)));
        text.push_str(&log_line(&words::jobs(report)));
        text.push_str(&log_line(&words::totals(report).join(" · ")));
    }
    text
}

/// A line of the log that GitHub does not take for a command, whatever stands in it.
fn log_line(text: &str) -> String {
    let line = clean(text).replace('\n', " ");
    // Commands begin with `::`, or with `##[` in the older form that runners still read.
    format!("{}\n", line.replace("::", ": :").replace("##[", "# #["))
}

/// Whether the baseline has it already, as loud: then the gate does not look at it.
fn is_known(since: Option<Since>) -> bool {
    since.is_some_and(|since| !since.counts())
}

fn annotation(placed: &Placed<'_>, finding: &ReportedFinding) -> String {
    let kind = match finding.severity {
        _ if is_known(finding.since_baseline) => "notice",
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let title = format!("{}: {}", finding.rule, finding.subject);
    let mut message = finding.message.clone();
    message.extend(marks(finding.waiver_expired.as_ref(), finding.since_baseline));
    if let Some(bites) = words::bites(placed.report, finding) {
        message.push_str(&format!("\n{bites}"));
    }
    message.extend(finding.remedy.iter().map(|remedy| format!("\n→ {}", remedy.say)));
    command(kind, placed, &finding.location, &title, &message)
}

fn unknown_annotation(placed: &Placed<'_>, unknown: &ReportedUnknown) -> String {
    let counts = placed.report.summary.fail_on.trips(unknown.severity) && !is_known(unknown.since_baseline);
    let kind = if counts { "warning" } else { "notice" };
    let title = format!("unknown: {}: {}", unknown.rule, unknown.subject);
    let mut message = unknown.reason.clone();
    message.extend(marks(unknown.waiver_expired.as_ref(), unknown.since_baseline));
    if !unknown.call.is_empty() {
        message.push_str(&format!("\nwould be answered by: {}", unknown.call));
    }
    command(kind, placed, &unknown.location, &title, &message)
}

/// The waiver that has ended and how it compares with the baseline, each on a line of its own.
fn marks(expired: Option<&WaiverTerms>, since: Option<Since>) -> impl Iterator<Item = String> {
    waived_words::marks(expired, since).into_iter().map(|mark| format!("\n{mark}"))
}

fn waived_annotation(placed: &Placed<'_>, waived: &Waived) -> Option<String> {
    let (kind, rules, subject, text) = waived_words::parts(waived)?;
    let at = waived.finding.as_ref().map(|finding| &finding.location).or(waived.unknown.as_ref().map(|unknown| &unknown.location))?;
    let title = format!("waived{kind}: {rules}: {} {subject}", waived.job());
    Some(command("notice", placed, at, &title, &format!("{text}\nwaived: {}", waived_words::terms(&waived.waiver))))
}

/// A notice about a waiver stands at its line; one about the baseline has none.
fn notice_annotation(placed: &Placed<'_>, notice: &Notice) -> String {
    match &notice.location {
        Some(at) => command("notice", placed, at, "waivers", &notice.message),
        None => log_line(&notice.message),
    }
}

fn command(kind: &str, placed: &Placed<'_>, location: &FileLocation, title: &str, message: &str) -> String {
    format!(
        "::{kind} file={},line={},col={},title={}::{}\n",
        property(&placed.path(location)),
        location.line,
        location.column,
        property(title),
        data(message)
    )
}

/// The message of a command: `%` and line ends are escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command: colons and commas too, since they end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// What is appended to the summary of the job: which jobs cannot come back, and what to do.
#[must_use]
pub fn to_github_summary(reports: &[Placed<'_>]) -> String {
    let mut text = String::new();
    for placed in reports {
        summary(&mut text, placed.report);
    }
    text
}

fn summary(text: &mut String, report: &Report) {
    text.push_str(&format!("## {}\n\n", inline(&report.audit)));
    text.push_str(&format!(
        "{}. {} · {}\n\n",
        inline(&words::jobs(report)),
        inline(&words::as_of(report)),
        inline(&words::evidence(report))
    ));
    let (named, healthy): (Vec<&JobReport>, Vec<&JobReport>) =
        rank::jobs(report).into_iter().partition(|job| !words::is_healthy(report, job));
    if !named.is_empty() {
        text.push_str("| | job | verdict | why | what to do |\n| --- | --- | --- | --- | --- |\n");
        bounded(text, named.iter().map(|job| row(report, job)), "jobs");
    }
    let unknown = report.unknown.iter().filter(|unknown| report.summary.fail_on.trips(unknown.severity));
    let mut unknown = unknown.peekable();
    if unknown.peek().is_some() {
        text.push_str("### What could not be checked\n\n");
        bounded(text, unknown.map(|unknown| format!("- {}: {}\n", inline(&unknown.subject), inline(&unknown.reason))), "unknowns");
    }
    for (title, entries) in
        [("Waived", waived_words::lines(report)), ("To know about waivers and the baseline", waived_words::notices(report))]
    {
        if !entries.is_empty() {
            text.push_str(&format!("### {title}\n\n"));
            bounded(text, entries.iter().map(|entry| format!("- {}\n", inline(entry))), "entries");
        }
    }
    if !healthy.is_empty() {
        text.push_str(&format!("<details><summary>{} with nothing louder than a note</summary>\n\n", words::counted(healthy.len(), "job")));
        bounded(text, healthy.iter().map(|job| format!("- {} {}\n", words::symbol(job.verdict), inline(&job.job))), "jobs");
        text.push_str("</details>\n\n");
    }
    text.push_str(&format!("**{}**\n\n", inline(&words::totals(report).join(" · "))));
}

fn row(report: &Report, job: &JobReport) -> String {
    let (why, what) = words::reason(report, job);
    markdown::row(&[words::symbol(job.verdict), &inline(&job.job), &inline(&words::sentence(report, job)), &inline(&why), &inline(&what)])
}

/// Adds entries as long as the summary stays within what GitHub takes, and says how many there are beyond.
fn bounded(text: &mut String, entries: impl Iterator<Item = String>, what: &str) {
    let mut beyond = 0_usize;
    for entry in entries {
        if text.len() + entry.len() > MOST {
            beyond += 1;
        } else {
            text.push_str(&entry);
        }
    }
    text.push('\n');
    if beyond > 0 {
        text.push_str(&format!("{beyond} more {what} are in the report.\n\n"));
    }
}
