//! The snapshots of a job.

use super::{Page, Paint};
use crate::report::{JobReport, SnapshotReport};

/// One entry for each snapshot that was looked into.
pub(super) fn section(page: &mut Page, paint: Paint, job: &JobReport) {
    if !job.snapshots.is_empty() {
        page.gap();
    }
    for snapshot in &job.snapshots {
        page.prose(&format!("  {} ", paint.verdict(snapshot.verdict)), "      ", &format!("{} {}", snapshot.kind, snapshot.location));
        page.prose("      ", "      ", &facts(snapshot));
    }
}

fn facts(snapshot: &SnapshotReport) -> String {
    let size = match (snapshot.objects, snapshot.bytes) {
        (Some(1), Some(bytes)) => format!("1 object, {bytes}"),
        (Some(objects), Some(bytes)) => format!("{objects} objects, {bytes}"),
        _ => "objects unknown".to_owned(),
    };
    let classes: Vec<String> = snapshot.classes.iter().map(|(class, n)| format!("{n} in {class}")).collect();
    let mut parts = vec![format!("taken {} ({})", snapshot.taken_at.at.minute(), snapshot.taken_at.basis), size];
    parts.extend((!classes.is_empty()).then(|| classes.join(", ")));
    parts.push(format!("readable now: {}", snapshot.readable));
    parts.extend(snapshot.selected.then(|| "selected for the restart".to_owned()));
    parts.join(" · ")
}
