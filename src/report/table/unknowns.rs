//! What could not be judged, why, and what would answer.

use super::{Page, Paint};
use crate::report::{JobReport, Report, Verdict, waived_words, words};

/// Every unknown of a job, loudest first.
pub(super) fn section(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    for unknown in words::unknown(report, job) {
        page.gap();
        let subject = words::subject(&unknown.job, &unknown.subject);
        let first = format!("  {} unknown ({}) ", paint.verdict(Verdict::Unknown), paint.severity(unknown.severity));
        page.prose(&first, "    ", &format!("{} · {subject}", unknown.rule));
        for mark in waived_words::marks(unknown.waiver_expired.as_ref(), unknown.since_baseline) {
            page.prose("    ", "    ", &mark);
        }
        page.prose("    ", "    ", &unknown.reason);
        if !unknown.call.is_empty() {
            page.prose("    ", "    ", &format!("would be answered by: {}", unknown.call));
        }
        if !unknown.also.is_empty() {
            page.prose("    ", "    ", &format!("also wait for it: {}", unknown.also.join(", ")));
        }
    }
}
