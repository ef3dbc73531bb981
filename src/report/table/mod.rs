//! The report for people: verdict first, then what it rests on and what to do.
//!
//! Pure: how wide the page is and whether it has colours is told, not found out.

mod findings;
mod headline;
mod page;
mod paint;
mod snapshots;
mod states;
mod unknowns;

use page::{Page, counted};
use paint::Paint;

use super::{JobReport, Report, Verdict, exit_code};
use crate::{exit::ExitCode, finding::Severity};

/// How a table looks.
#[derive(Clone, Copy, Debug)]
pub struct TableOptions {
    /// Columns that a line may fill. What is to be pasted may be longer.
    pub width: usize,
    /// Whether to use ANSI colours.
    pub colour: bool,
    /// Whether healthy jobs are shown in full too.
    pub everything: bool,
}

/// Reports, one after the other, and a summary line if there are several.
#[must_use]
pub fn to_table(reports: &[Report], options: TableOptions) -> String {
    let paint = Paint { colour: options.colour };
    let mut page = Page::new(options.width);
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            page.gap();
            page.line(&paint.dim(&"─".repeat(options.width)));
            page.gap();
        }
        one(&mut page, paint, report, options.everything);
    }
    if let Some(line) = summary_of_several(reports) {
        page.gap();
        page.prose("", "", &line);
    }
    page.into_text()
}

/// One line over several audits, worst first; `None` for a single one.
#[must_use]
pub fn summary_of_several(reports: &[Report]) -> Option<String> {
    if reports.len() < 2 {
        return None;
    }
    let mut sorted: Vec<&Report> = reports.iter().collect();
    sorted.sort_by_key(|report| {
        let rank = match exit_code(report) {
            ExitCode::Usage => 0,
            ExitCode::Incomplete => 1,
            ExitCode::Tripped => 2,
            ExitCode::Clean => 3,
        };
        (rank, std::cmp::Reverse(report.summary.findings.error), report.audit.clone())
    });
    let each: Vec<String> = sorted.iter().map(|report| format!("{} exit {}", report.audit, report.summary.exit_code)).collect();
    let worst = reports.iter().map(exit_code).fold(ExitCode::Clean, ExitCode::worse);
    Some(format!("{} audits · {} · exit {}", reports.len(), each.join(" · "), worst.number()))
}

fn one(page: &mut Page, paint: Paint, report: &Report, everything: bool) {
    headline::audit(page, paint, report);
    if report.jobs.len() > 1 {
        page.gap();
        headline::jobs(page, paint, report);
    }
    for job in report.jobs.iter().filter(|job| everything || report.jobs.len() == 1 || !is_healthy(report, job)) {
        page.gap();
        headline::job(page, paint, report, job);
        states::section(page, paint, job);
        snapshots::section(page, paint, job);
        findings::section(page, paint, report, job);
        unknowns::section(page, paint, report, job);
    }
    list(page, paint, "Assumed", &report.assumptions);
    list(page, paint, "Not checked, not needed", &report.not_needed);
    list(page, paint, "Left out", &report.left_out);
    page.gap();
    last_line(page, paint, report);
}

/// A job that passes, with nothing louder than a note: one line tells it all.
fn is_healthy(report: &Report, job: &JobReport) -> bool {
    job.verdict == Verdict::Pass
        && !report.findings.iter().any(|finding| finding.job == job.job && finding.severity > Severity::Note)
        && !report.unknown.iter().any(|unknown| unknown.job == job.job && unknown.severity > Severity::Note)
}

fn list(page: &mut Page, paint: Paint, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    page.gap();
    page.line(&paint.bold(title));
    for entry in entries {
        page.prose("  · ", "    ", entry);
    }
}

/// `3 errors · 1 warning · 0 unknown · exit 1`.
fn last_line(page: &mut Page, paint: Paint, report: &Report) {
    let summary = &report.summary;
    let mut parts = vec![counted(summary.findings.error, "error"), counted(summary.findings.warning, "warning")];
    if summary.findings.note > 0 {
        parts.push(counted(summary.findings.note, "note"));
    }
    parts.push(format!("{} unknown", summary.unknown));
    parts.push(format!("exit {}", summary.exit_code));
    page.line(&paint.bold(&parts.join(" · ")));
}
