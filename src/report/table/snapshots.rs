//! The snapshots of a job, and the places to which the next ones are written.

use super::{Page, Paint};
use crate::report::{JobReport, words};

/// One entry for each snapshot that was looked into.
pub(super) fn section(page: &mut Page, paint: Paint, job: &JobReport) {
    if !job.snapshots.is_empty() || !job.places.is_empty() {
        page.gap();
    }
    for snapshot in &job.snapshots {
        page.prose(&format!("  {} ", paint.verdict(snapshot.verdict)), "      ", &format!("{} {}", snapshot.kind, snapshot.location));
        page.prose("      ", "      ", &words::snapshot(snapshot).join(" · "));
    }
    for place in job.places.iter().filter(|place| place.first_change.is_some() || place.open.is_some()) {
        let first = words::first_change(place.first_change.as_ref(), place.open.as_deref());
        page.prose(&format!("  {} ", paint.verdict(place.verdict)), "      ", &format!("{} place {}", place.kind, place.location));
        page.prose("      ", "      ", &format!("first change of a file that is written there now: {first}"));
    }
}
