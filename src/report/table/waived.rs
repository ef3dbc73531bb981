//! What waivers cover: shown, each with its reason, its owner and its end.

use super::{Page, Paint};
use crate::report::{JobReport, Report, waived_words};

/// Everything of a job that is waived, loudest first.
pub(super) fn section(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    for waived in waived_words::waived(report, job) {
        let Some((kind, rules, subject, text)) = waived_words::parts(waived) else { continue };
        page.gap();
        page.prose(&format!("  waived{kind} ({}) ", paint.severity(waived.severity())), "    ", &format!("{rules} · {subject}"));
        page.prose("    ", "    ", text);
        page.prose("    ", "    ", &format!("waived: {}", waived_words::terms(&waived.waiver)));
        if !waived.not_waived.is_empty() {
            page.prose("    ", "    ", &format!("not waived, and waiting for the same: {}", waived.not_waived.join(", ")));
        }
    }
}
