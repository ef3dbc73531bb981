//! The report for people: verdict first, then what it rests on and what to do.
//!
//! Pure: how wide the page is and whether it has colours is told, not found out.

mod findings;
mod headline;
mod page;
mod paint;
mod replay;
mod snapshots;
mod states;
mod timeline;
mod unknowns;
mod waived;

pub(crate) use page::Page;
pub(crate) use paint::Paint;

use super::{Report, Verdict, exit_code, rank, waived_words, words};
use crate::exit::ExitCode;

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
    for job in rank::jobs(report).into_iter().filter(|job| everything || report.jobs.len() == 1 || !words::is_healthy(report, job)) {
        page.gap();
        headline::job(page, paint, report, job);
        states::section(page, paint, job);
        replay::section(page, paint, job);
        snapshots::section(page, paint, job);
        timeline::section(page, paint, report, job);
        findings::section(page, paint, report, job);
        unknowns::section(page, paint, report, job);
        waived::section(page, paint, report, job);
    }
    list(page, paint, "To know", &waived_words::notices(report));
    list(page, paint, "Assumed", &report.assumptions);
    list(page, paint, "Not checked, not needed", &report.not_needed);
    list(page, paint, "Left out", &report.left_out);
    page.gap();
    recall(page, paint, report);
    last_line(page, paint, report);
}

/// Of many jobs those that do not pass, by name: on a terminal the last lines are what one sees first.
fn recall(page: &mut Page, paint: Paint, report: &Report) {
    const NAMED: usize = 8;
    if report.jobs.len() == 1 {
        return;
    }
    let fail = if report.summary.jobs.fail == 1 { "does not pass" } else { "do not pass" };
    for (verdict, what) in [(Verdict::Fail, fail), (Verdict::Unknown, "cannot be judged in full")] {
        let jobs: Vec<&str> = rank::jobs(report).into_iter().filter(|job| job.verdict == verdict).map(|job| job.job.as_str()).collect();
        if let Some(named) = jobs.get(..jobs.len().min(NAMED)).filter(|named| !named.is_empty()) {
            let more = if jobs.len() > NAMED { format!(" and {} more", jobs.len() - NAMED) } else { String::new() };
            page.prose(&format!("{} ", paint.verdict(verdict)), "  ", &format!("{what}: {}{more}", named.join(", ")));
        }
    }
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
    let text = words::totals(report).join(" · ");
    if page.fits(&text) {
        page.line(&paint.bold(&text));
    } else {
        page.prose("", "  ", &text);
    }
}
