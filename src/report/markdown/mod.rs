//! Markdown: the report that a client gets.

mod escape;
mod job;

pub(super) use escape::row;
pub(crate) use escape::{code, inline};

use super::{Report, Verdict, outlook_words, rank, waived_words, words};

/// The reports, one after the other. Jobs that pass with nothing louder than a note stand in the summary only, unless `everything` is asked
/// for or there is but one.
#[must_use]
pub fn to_markdown(reports: &[Report], everything: bool) -> String {
    let mut text = String::new();
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            text.push_str("\n---\n\n");
        }
        one(&mut text, report, everything);
    }
    if let Some(line) = super::summary_of_several(reports) {
        text.push_str(&format!("\n---\n\n{}\n", inline(&line)));
    }
    text
}

fn one(text: &mut String, report: &Report, everything: bool) {
    text.push_str(&format!("# Recovery audit {}\n\n", inline(&report.audit)));
    let client = report.client.iter().map(|client| format!("for {} · ", inline(client))).collect::<String>();
    text.push_str(&format!("{client}{} · {}\n\n", inline(&words::as_of(report)), inline(&words::evidence(report))));
    text.push_str("If a job stops now, can it come back without losing records and without writing them twice?\n\n");
    summary(text, report);
    let mut shown = rank::jobs(report);
    shown.retain(|job| everything || report.jobs.len() == 1 || !words::is_healthy(report, job));
    if !shown.is_empty() {
        text.push_str("## Jobs\n\n");
    }
    for job in shown {
        job::section(text, report, job);
    }
    unknown(text, report);
    list(text, "Waived", "Exceptions by name: shown, and not counted.", &waived_words::lines(report));
    list(text, "To know about waivers and the baseline", "", &waived_words::notices(report));
    list(text, "Assumptions", "Taken although nobody said it. If one does not hold, neither may what rests on it.", &report.assumptions);
    list(text, "Not checked, because nothing depends on it", "", &report.not_needed);
    list(text, "Left out", "By the policy or on the command line; nothing is said about it.", &report.left_out);
    method(text, report);
    text.push_str(&format!("## For the log\n\n{}", escape::block(&words::log_entry(report))));
}

fn summary(text: &mut String, report: &Report) {
    text.push_str(&format!("## Summary\n\n**{}.**\n\n", inline(&words::jobs(report))));
    text.push_str("| | job | verdict | back without loss | written twice | why | what to do | owner |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for job in rank::jobs(report) {
        let mut verdict = words::sentence(report, job);
        let counts = words::counts(report, job);
        if !counts.is_empty() {
            verdict.push_str(&format!(": {}", counts.join(", ")));
        }
        let (why, what) = words::reason(report, job);
        let owner = job.owner.as_deref().unwrap_or_default();
        text.push_str(&row(&[
            words::symbol(job.verdict),
            &code(&job.job),
            &inline(&verdict),
            &inline(&outlook_words::loss_in_short(report, job)),
            &inline(&outlook_words::ways(job)),
            &inline(&why),
            &inline(&what),
            &inline(owner),
        ]));
    }
    text.push_str(
        "\nBack without loss: until when the job can stop and come back, restarted the declared way, with every record. Written twice: how many \
         records reach a sink again after a failover, from the snapshot, after an offset reset, and after a loss of the state.\n",
    );
    text.push_str(&format!("\n{}\n\n", inline(&words::totals(report).join(" · "))));
}

fn unknown(text: &mut String, report: &Report) {
    text.push_str("## What could not be checked\n\n");
    if report.unknown.is_empty() {
        text.push_str("Nothing: every check that applies had its facts.\n\n");
        return;
    }
    text.push_str("Nothing here may be read as passed.\n\n");
    text.push_str("| | job | what | why | what would answer | rules that wait |\n| --- | --- | --- | --- | --- | --- |\n");
    for unknown in &report.unknown {
        let rules = std::iter::once(&unknown.rule).chain(&unknown.also).map(|rule| code(rule)).collect::<Vec<_>>().join(", ");
        let marks = waived_words::marks(unknown.waiver_expired.as_ref(), unknown.since_baseline);
        let said = std::iter::once(unknown.reason.clone()).chain(marks).collect::<Vec<_>>().join(" · ");
        let counts = if report.summary.fail_on.trips(unknown.severity) { "counts for the gate" } else { unknown.severity.word() };
        text.push_str(&row(&[
            &format!("{} {counts}", words::symbol(Verdict::Unknown)),
            &code(&unknown.job),
            &inline(words::subject(&unknown.job, &unknown.subject)),
            &inline(&said),
            &inline(&unknown.call),
            &rules,
        ]));
    }
    text.push('\n');
}

fn list(text: &mut String, title: &str, lead: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    text.push_str(&format!("## {title}\n\n"));
    if !lead.is_empty() {
        text.push_str(&format!("{lead}\n\n"));
    }
    text.extend(entries.iter().map(|entry| format!("- {}\n", inline(entry))));
    text.push('\n');
}

/// How it was found out, so that somebody else can do it again.
fn method(text: &mut String, report: &Report) {
    text.push_str("## Method\n\n");
    text.push_str(&format!("{}\n\n", words::METHOD));
    text.push_str("| | |\n| --- | --- |\n");
    text.extend(words::basis(report).iter().map(|(name, value)| row(&[name, &code(value)])));
    text.push('\n');
}
