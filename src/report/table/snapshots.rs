//! The snapshots of a job, and the places to which the next ones are written.

use super::{Page, Paint};
use crate::report::{JobReport, dates, words};

/// One entry for each snapshot that was looked into.
pub(super) fn section(page: &mut Page, paint: Paint, job: &JobReport) {
    if !job.snapshots.is_empty() || !job.places.is_empty() {
        page.gap();
    }
    for snapshot in &job.snapshots {
        page.prose(&format!("  {} ", paint.verdict(snapshot.verdict)), "      ", &format!("{} {}", snapshot.kind, snapshot.location));
        page.prose("      ", "      ", &words::snapshot(snapshot).join(" · "));
    }
    for (verdict, name, what) in dates::places(job) {
        page.prose(&format!("  {} ", paint.verdict(verdict)), "      ", &name);
        page.prose("      ", "      ", &what);
    }
}
