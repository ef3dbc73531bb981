//! The first screen: which jobs cannot come back, and what to do.

use super::{Page, Paint, counted, page::clean};
use crate::{
    finding::Severity,
    report::{JobReport, Report, ReportedFinding, Verdict},
    rules,
};

/// How many findings the first screen names for a job that is alone.
const NAMED: usize = 3;

/// What was audited, as of when, on what evidence.
pub(super) fn audit(page: &mut Page, paint: Paint, report: &Report) {
    let client = report.client.iter().map(|client| format!(" · {client}")).collect::<String>();
    let pinned = if report.as_of.pinned { " (pinned)" } else { "" };
    let text = format!(
        "{client} · as of {}{pinned} · evidence of {}, {}",
        report.as_of.at.minute(),
        report.evidence.captured_at.minute(),
        report.evidence.source
    );
    page.prose(&paint.bold(&clean(&report.audit)), "  ", &text);
}

/// Every job in a line, and the loudest reason of those that do not pass.
pub(super) fn jobs(page: &mut Page, paint: Paint, report: &Report) {
    let counts = report.summary.jobs;
    let verb = |n, one: &'static str, many: &'static str| if n == 1 { one } else { many };
    let text = format!(
        "{}: {} {} not pass, {} cannot be judged in full, {} {}",
        counted(report.jobs.len(), "job"),
        counts.fail,
        verb(counts.fail, "does", "do"),
        counts.unknown,
        counts.pass,
        verb(counts.pass, "passes", "pass"),
    );
    page.prose("", "", &text);
    page.gap();
    for job in &report.jobs {
        verdict(page, paint, report, job);
        if job.verdict != Verdict::Pass {
            reasons(page, paint, report, job, 1);
        }
    }
}

/// The head of one job's own part.
pub(super) fn job(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    verdict(page, paint, report, job);
    if report.jobs.len() == 1 {
        reasons(page, paint, report, job, NAMED);
    }
}

/// `✗ user-engagement cannot come back clean: 3 errors, 1 warning · owner product-analytics`.
fn verdict(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    let mut text = format!("{} {}", job.job, sentence(report, job));
    let counts = counts(report, job);
    if !counts.is_empty() {
        text.push_str(&format!(": {}", counts.join(", ")));
    }
    if let Some(owner) = &job.owner {
        text.push_str(&format!(" · owner {owner}"));
    }
    page.prose(&format!("{} ", paint.verdict(job.verdict)), "  ", &text);
}

/// What the verdict means for this job.
fn sentence(report: &Report, job: &JobReport) -> String {
    match job.verdict {
        Verdict::Pass => "passes".to_owned(),
        Verdict::Unknown => "cannot be judged in full".to_owned(),
        Verdict::Fail => {
            let hard: Vec<&ReportedFinding> = findings(report, job).filter(|finding| says_not_clean(finding)).collect();
            if hard.is_empty() {
                return "does not meet the policy".to_owned();
            }
            let ahead = hard.iter().map(|finding| finding.bites_on.filter(|on| *on > report.as_of.at)).collect::<Option<Vec<_>>>();
            match ahead.and_then(|days| days.into_iter().min()) {
                Some(first) => format!("cannot come back clean from {}", first.day()),
                None => "cannot come back clean".to_owned(),
            }
        }
    }
}

/// Whether a finding says that the job cannot come back clean, rather than that a policy is not met: it is an error by its own nature, not
/// because the policy raised it, and it is not about a class that only the policy objects to.
fn says_not_clean(finding: &ReportedFinding) -> bool {
    finding.severity == Severity::Error
        && !finding.message.starts_with("Policy:")
        && rules::by_id(&finding.rule).is_none_or(|rule| rule.meta().severity == Severity::Error)
}

fn counts(report: &Report, job: &JobReport) -> Vec<String> {
    let mut counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (findings(report, job).filter(|finding| finding.severity == severity).count(), severity.word()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| counted(n, word))
        .collect();
    let unknown = report.unknown.iter().filter(|unknown| unknown.job == job.job).count();
    if unknown > 0 {
        counts.push(format!("{unknown} unknown"));
    }
    counts
}

/// The loudest findings with the first way out of each; where there is none, the loudest unknown.
fn reasons(page: &mut Page, paint: Paint, report: &Report, job: &JobReport, most: usize) {
    let trips = |severity| report.summary.fail_on.trips(severity);
    let tripping: Vec<&ReportedFinding> = findings(report, job).filter(|finding| trips(finding.severity)).collect();
    for finding in tripping.iter().take(most) {
        page.prose("    ", "    ", first_sentence(&finding.message));
        if let Some(remedy) = finding.remedy.first() {
            page.prose(&format!("    {} ", paint.bold("→")), "      ", first_sentence(&remedy.say));
        }
    }
    if tripping.len() > most {
        page.line(&paint.dim(&format!("    and {} more, below", tripping.len() - most)));
    }
    if tripping.is_empty()
        && let Some(unknown) = report.unknown.iter().find(|unknown| unknown.job == job.job && trips(unknown.severity))
    {
        page.prose("    ", "    ", &unknown.reason);
    }
}

fn findings<'a>(report: &'a Report, job: &'a JobReport) -> impl Iterator<Item = &'a ReportedFinding> {
    report.findings.iter().filter(|finding| finding.job == job.job)
}

/// Up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> &str {
    text.find(". ").and_then(|end| text.get(..=end)).unwrap_or(text)
}
