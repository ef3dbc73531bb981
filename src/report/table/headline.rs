//! The first screen: which jobs cannot come back, and what to do.

use super::{Page, Paint};
use crate::report::{
    JobReport, Report, Verdict, outlook_words, rank,
    words::{self, clean},
};

/// How many findings the first screen names for a job that is alone.
const NAMED: usize = 3;

/// What was audited, as of when, on what evidence.
pub(super) fn audit(page: &mut Page, paint: Paint, report: &Report) {
    let client = report.client.iter().map(|client| format!(" · {client}")).collect::<String>();
    let text = format!("{client} · {} · {}", words::as_of(report), words::evidence(report));
    page.prose(&paint.bold(&clean(&report.audit)), "  ", &text);
}

/// Every job in a line, and the loudest reason of those that do not pass.
pub(super) fn jobs(page: &mut Page, paint: Paint, report: &Report) {
    page.prose("", "", &words::jobs(report));
    page.gap();
    for job in rank::jobs(report) {
        verdict(page, paint, report, job);
        reasons(page, paint, report, job, 1);
    }
}

/// The head of one job's own part.
pub(super) fn job(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    verdict(page, paint, report, job);
    lines(page, paint, report, job);
    if report.jobs.len() == 1 {
        reasons(page, paint, report, job, NAMED);
    }
}

/// The headline: until when without loss, and what is written twice.
fn lines(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    const REST: &str = "                        ";
    let first = |name: &str| format!("    {}{}", paint.bold(name), " ".repeat(20_usize.saturating_sub(name.len())));
    let rest = REST;
    page.prose(&first("without loss"), rest, &outlook_words::loss(report, job));
    if let Some(best) = outlook_words::alternative(report, job) {
        page.prose(rest, rest, &best);
    }
    page.prose(&first("without duplicates"), rest, &outlook_words::duplicates(job));
}

/// `✗ user-engagement cannot come back clean: 3 errors, 1 warning · owner product-analytics`.
fn verdict(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    let mut text = format!("{} {}", job.job, words::sentence(report, job));
    let counts = words::counts(report, job);
    if !counts.is_empty() {
        text.push_str(&format!(": {}", counts.join(", ")));
    }
    if let Some(owner) = &job.owner {
        text.push_str(&format!(" · owner {owner}"));
    }
    page.prose(&format!("{} ", paint.verdict(job.verdict)), "  ", &text);
}

/// The most urgent findings with the first way out of each; where there is none, the loudest unknown with what would answer it.
fn reasons(page: &mut Page, paint: Paint, report: &Report, job: &JobReport, most: usize) {
    if job.verdict == Verdict::Pass {
        return;
    }
    let tripping = rank::tripping(report, job).len();
    for (why, what) in words::reasons(report, job, most) {
        page.prose("    ", "    ", &why);
        if !what.is_empty() && tripping > 0 {
            page.prose(&format!("    {} ", paint.bold("→")), "      ", &what);
        } else if !what.is_empty() {
            page.prose("    ", "    ", &format!("would be answered by: {what}"));
        }
    }
    if tripping > most {
        page.line(&paint.dim(&format!("    and {} more, below", tripping - most)));
    }
}
