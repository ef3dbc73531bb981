//! The snapshots of a job.

use super::{Page, Paint};
use crate::report::{JobReport, words};

/// One entry for each snapshot that was looked into.
pub(super) fn section(page: &mut Page, paint: Paint, job: &JobReport) {
    if !job.snapshots.is_empty() {
        page.gap();
    }
    for snapshot in &job.snapshots {
        page.prose(&format!("  {} ", paint.verdict(snapshot.verdict)), "      ", &format!("{} {}", snapshot.kind, snapshot.location));
        page.prose("      ", "      ", &words::snapshot(snapshot).join(" · "));
    }
}
