//! What every format for people says in the same words.

use super::{
    FileLocation, FirstChange, JobReport, Length, OperatorReport, Report, ReportedFinding, ReportedUnknown, SnapshotReport, Verdict, rank,
    waived_words,
};
use crate::{finding::Severity, rules};

/// The symbol of a verdict, which works without colour.
pub(super) const fn symbol(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✓",
        Verdict::Fail => "✗",
        Verdict::Unknown => "?",
    }
}

/// `3 jobs: 1 does not pass, 1 cannot be judged in full, 1 passes`.
pub(super) fn jobs(report: &Report) -> String {
    let counts = report.summary.jobs;
    let verb = |n, one: &'static str, many: &'static str| if n == 1 { one } else { many };
    format!(
        "{}: {} {} not pass, {} cannot be judged in full, {} {}",
        counted(report.jobs.len(), "job"),
        counts.fail,
        verb(counts.fail, "does", "do"),
        counts.unknown,
        counts.pass,
        verb(counts.pass, "passes", "pass"),
    )
}

/// `as of 2026-09-15 00:00Z (pinned)`.
pub(super) fn as_of(report: &Report) -> String {
    format!("as of {}{}", report.as_of.at.minute(), if report.as_of.pinned { " (pinned)" } else { "" })
}

/// `evidence of 2026-09-15 00:00Z, audits/meridian/evidence.json`.
pub(super) fn evidence(report: &Report) -> String {
    format!("evidence of {}, {}", report.evidence.captured_at.minute(), report.evidence.source)
}

/// What the verdict means for this job.
pub(super) fn sentence(report: &Report, job: &JobReport) -> String {
    match job.verdict {
        // Nothing trips the gate; that the headline says no is told in the same breath.
        Verdict::Pass if job.back_without_loss.state == "no" => "passes, but cannot come back without loss".to_owned(),
        Verdict::Pass => "passes".to_owned(),
        Verdict::Unknown => "cannot be judged in full".to_owned(),
        Verdict::Fail => {
            let hard: Vec<&ReportedFinding> = findings(report, job).filter(|finding| says_not_clean(finding)).collect();
            if hard.is_empty() {
                return "does not meet the policy".to_owned();
            }
            let ahead = hard.iter().map(|finding| finding.bites_on.filter(|on| *on > report.as_of.at)).collect::<Option<Vec<_>>>();
            match ahead.and_then(|days| days.into_iter().min()) {
                Some(first) => format!("cannot come back clean from {}", super::outlook_words::when(report.as_of.at, first)),
                None => "cannot come back clean".to_owned(),
            }
        }
    }
}

/// Whether a finding says that the job cannot come back clean, rather than that a policy is not met: it is an error by its own nature, not
/// because the policy raised it, and it is not about a class that only the policy objects to: what is there, or will be, can still be read.
pub(super) fn says_not_clean(finding: &ReportedFinding) -> bool {
    finding.severity == Severity::Error
        && !finding.message.starts_with("Policy:")
        && finding.rule != "recovery-will-be-tiered"
        && rules::by_id(&finding.rule).is_none_or(|rule| rule.meta().severity == Severity::Error)
}

/// `3 errors`, `1 warning`, `2 unknown`: what was said about a job; empty if nothing was.
pub(super) fn counts(report: &Report, job: &JobReport) -> Vec<String> {
    let mut counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (findings(report, job).filter(|finding| finding.severity == severity).count(), severity.word()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| counted(n, word))
        .collect();
    let unknown = unknown(report, job).count();
    if unknown > 0 {
        counts.push(format!("{unknown} unknown"));
    }
    let waived = waived_words::waived(report, job).count();
    if waived > 0 {
        counts.push(format!("{waived} waived"));
    }
    counts
}

/// `3 errors`, `1 warning`, `0 unknown`, `0 waived`, `exit 1`: what an audit comes to.
pub(super) fn totals(report: &Report) -> Vec<String> {
    let summary = &report.summary;
    let mut parts = vec![counted(summary.findings.error, "error"), counted(summary.findings.warning, "warning")];
    if summary.findings.note > 0 {
        parts.push(counted(summary.findings.note, "note"));
    }
    parts.push(format!("{} unknown", summary.unknown));
    parts.push(waived_words::summary(&summary.waived));
    parts.extend(summary.baseline.as_ref().map(waived_words::baseline));
    parts.push(format!("exit {}", summary.exit_code));
    parts
}

/// Why a job cannot be judged in full: the loudest of the unknowns that count.
pub(super) fn loudest_unknown<'a>(report: &'a Report, job: &'a JobReport) -> Option<&'a ReportedUnknown> {
    unknown(report, job).find(|unknown| report.summary.fail_on.trips(unknown.severity))
}

/// The most urgent thing that was said about a job, and what to do about it: a finding that trips the gate before an unknown that counts, and
/// both before what is harmless to the gate. Empty if nothing was said.
pub(super) fn reason(report: &Report, job: &JobReport) -> (String, String) {
    let not_known = |unknown: &ReportedUnknown| (unknown.reason.clone(), unknown.call.clone());
    rank::tripping(report, job)
        .first()
        .map(|finding| said(finding))
        .or_else(|| loudest_unknown(report, job).map(not_known))
        .or_else(|| findings(report, job).next().map(said))
        .or_else(|| unknown(report, job).next().map(not_known))
        .unwrap_or_default()
}

/// As [`reason`], with up to `most` findings if several trip the gate.
pub(super) fn reasons(report: &Report, job: &JobReport, most: usize) -> Vec<(String, String)> {
    let several: Vec<_> = rank::tripping(report, job).into_iter().take(most).map(said).collect();
    if several.is_empty() { vec![reason(report, job)] } else { several }
}

fn said(finding: &ReportedFinding) -> (String, String) {
    // What is to be pasted is not shown here, so nothing may point to it.
    let step = |say: &str| first_sentence(say).replace(" (the first command)", "").replace(" (the second)", "");
    (first_sentence(&finding.message).to_owned(), finding.remedy.first().map_or_else(String::new, |remedy| step(&remedy.say)))
}

/// How a report came about, so that somebody else can do it again.
pub(super) const METHOD: &str = "Job manifests say what state each operator keeps and for how long, what it reads, and where its snapshots lie. \
    Kafka was asked for the retention of the topics and S3 for the class and the fate of the snapshots, read-only. Each fact is kept with who \
    answered and when; what could not be had is unknown, never taken as fine. The verdicts are a function of manifests, audit file, these \
    facts and the instant that is judged: the same input gives this report again.";

/// What a report rests on, as names and values.
pub(super) fn basis(report: &Report) -> [(&'static str, String); 6] {
    [
        ("judged", format!("{}, {}", report.as_of.at, if report.as_of.pinned { "pinned" } else { "the time of the run" })),
        ("evidence captured", report.evidence.captured_at.to_string()),
        ("evidence from", report.evidence.source.clone()),
        ("evidence digest", report.evidence.digest.clone()),
        ("gate", format!("trips at {}", report.summary.fail_on.word())),
        ("tool", format!("{} {}", report.tool.name, report.tool.version)),
    ]
}

/// A job that passes, with nothing louder than a note: one line tells it all.
pub(super) fn is_healthy(report: &Report, job: &JobReport) -> bool {
    job.verdict == Verdict::Pass
        && !findings(report, job).any(|finding| finding.severity > Severity::Note)
        && !unknown(report, job).any(|unknown| unknown.severity > Severity::Note)
        && !waived_words::waived(report, job).any(|waived| waived.severity() > Severity::Note)
}

/// What was found about a job, loudest first.
pub(super) fn findings<'a>(report: &'a Report, job: &'a JobReport) -> impl Iterator<Item = &'a ReportedFinding> {
    report.findings.iter().filter(|finding| finding.job == job.job)
}

/// What could not be judged about a job, loudest first.
pub(super) fn unknown<'a>(report: &'a Report, job: &'a JobReport) -> impl Iterator<Item = &'a ReportedUnknown> {
    report.unknown.iter().filter(|unknown| unknown.job == job.job)
}

/// A subject without the job in front of it, for where the job is said already.
pub(crate) fn subject<'a>(job: &str, subject: &'a str) -> &'a str {
    subject.strip_prefix(job).and_then(|rest| rest.strip_prefix(' ')).unwrap_or(subject)
}

/// `jobs/a.yaml:12:5`.
pub(super) fn place(location: &FileLocation) -> String {
    format!("{}:{}:{}", location.file, location.line, location.column)
}

/// `bites on 2026-10-14`, and whether that is past.
pub(super) fn bites(report: &Report, finding: &ReportedFinding) -> Option<String> {
    let on = finding.bites_on?;
    let overdue = if on <= report.as_of.at { ", overdue: at any moment" } else { "" };
    Some(format!("bites on {}{overdue}", super::outlook_words::when(report.as_of.at, on)))
}

/// How long a state lives, as a column: `7d`, `never`, `1h (watermark)`.
pub(super) fn life(operator: &OperatorReport) -> String {
    match &operator.cleared {
        Some(cleared) => format!("{} ({})", life_length(operator), cleared.by),
        None => operator.ttl.to_string(),
    }
}

/// The same as a length: what clears a state stands in for its TTL where no TTL governs it.
pub(super) fn life_length(operator: &OperatorReport) -> Length {
    let unknown = || Length::Word("unknown".to_owned());
    match &operator.cleared {
        Some(cleared) => cleared.after.map_or_else(unknown, Length::Duration),
        None => operator.ttl.clone(),
    }
}

/// What a row of lengths calls it.
pub(super) const fn life_name(operator: &OperatorReport) -> &'static str {
    if operator.cleared.is_some() { "cleared" } else { "TTL" }
}

/// What the column means, where a state is cleared by something else; `None`: every state has its TTL.
pub(super) fn life_note(job: &JobReport) -> Option<&'static str> {
    job.operators.iter().any(|operator| operator.cleared.is_some()).then_some(
        "(watermark), (timer), (code): no TTL governs the state. It is cleared by that, so long after; the manifest says so, nothing enforces it.",
    )
}

/// One line with the counts, for who keeps a log of such audits.
pub(super) fn log_entry(report: &Report) -> String {
    let jobs = report.summary.jobs;
    let client = report.client.iter().map(|client| format!("{client} · ")).collect::<String>();
    format!(
        "{} · {client}{} · {} · {} fail, {} unknown, {} pass · {} · {}",
        report.as_of.at.day(),
        report.audit,
        counted(report.jobs.len(), "job"),
        jobs.fail,
        jobs.unknown,
        jobs.pass,
        totals(report).join(", "),
        report.evidence.digest.chars().take("sha256:".len() + 12).collect::<String>(),
    )
    .replace('\n', " ")
}

/// What is known of a snapshot, in parts.
pub(super) fn snapshot(snapshot: &SnapshotReport) -> Vec<String> {
    let size = match (snapshot.objects, snapshot.bytes) {
        (Some(1), Some(bytes)) => format!("1 object, {bytes}"),
        (Some(objects), Some(bytes)) => format!("{objects} objects, {bytes}"),
        _ => "objects unknown".to_owned(),
    };
    let classes: Vec<String> = snapshot.classes.iter().map(|(class, n)| format!("{n} in {class}")).collect();
    let mut parts = vec![format!("taken {} ({})", snapshot.taken_at.at.minute(), snapshot.taken_at.basis), size];
    parts.extend((!classes.is_empty()).then(|| classes.join(", ")));
    parts.push(format!("readable now: {}", snapshot.readable));
    parts.push(format!("first change: {}", first_change(snapshot.first_change.as_ref(), snapshot.open.as_deref())));
    parts.extend(snapshot.selected.then(|| "selected for the restart".to_owned()));
    parts.extend((snapshot.seen_there > 1).then(|| format!("{} snapshots seen there", snapshot.seen_there)));
    parts.extend(match snapshot.unfinished_there {
        0 => None,
        1 => Some("1 folder there has no _metadata: unfinished, or being deleted".to_owned()),
        folders => Some(format!("{folders} folders there have no _metadata: unfinished, or being deleted")),
    });
    parts.extend(snapshot.unreferenced.as_ref().map(|files| {
        let objects = if files.objects == 1 { "1 file".to_owned() } else { format!("{} files", files.objects) };
        let warning = "not judged, and never safe to delete without the references of every snapshot of every job that writes there";
        format!("{objects} ({}) in its folder that its _metadata does not name: {warning}", files.bytes)
    }));
    parts
}

/// `moved to GLACIER_IR (still readable at once), due 2026-10-15, rule tier-cold-data`, `none by a rule of the bucket`.
pub(super) fn first_change(change: Option<&FirstChange>, open: Option<&str>) -> String {
    match (change, open) {
        (None, None) => "none by a rule of the bucket".to_owned(),
        (None, Some(reason)) => format!("unknown ({reason})"),
        (Some(change), open) => {
            let may = if change.certain { "" } else { "perhaps " };
            let sooner = open.map_or_else(String::new, |reason| format!("; whether another one comes sooner is not known ({reason})"));
            format!("{may}{}, due {}, {}{sooner}", change.what, change.on.day(), change.rule)
        }
    }
}

/// Up to the first full stop that ends a sentence.
pub(super) fn first_sentence(text: &str) -> &str {
    text.find(". ").and_then(|end| text.get(..=end)).unwrap_or(text)
}

/// `text` without characters that a terminal or a viewer obeys: evidence may hold anything that a topic, a key or an error message held.
pub(crate) fn clean(text: &str) -> String {
    let obeyed = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .map(|c| {
            if c == '\t' {
                ' '
            } else if obeyed(c) {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect()
}

/// `1 error`, `2 errors`.
pub(super) fn counted(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}
