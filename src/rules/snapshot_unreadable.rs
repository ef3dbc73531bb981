//! `snapshot-unreadable`: an object that a snapshot needs is archived, or its restore is still running.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{Archive, ObjectState, ObjectView, PlaceView, Readable, SnapshotView, count, remedy, words},
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
    units::Instant,
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-unreadable",
    summary: "an object that the newest snapshot needs is archived, or its restore is still running",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct SnapshotUnreadable;

impl Rule for SnapshotUnreadable {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_newest(out, |place, snapshot| judge(job, place, snapshot));
    }
}

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    if snapshot.seen().any(|object| matches!(object.state, ObjectState::Archived { .. } | ObjectState::Restoring(_))) {
        return Ok(finding(job, place, snapshot).into());
    }
    // Objects that are not there are `snapshot-incomplete`.
    snapshot.doubt().map_or(Ok(Verdict::Pass), |unknown| Err(unknown.clone()))
}

fn finding(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Finding {
    let objects: Vec<&ObjectView> = snapshot.seen().collect();
    let (mut archived, mut restoring) = (Vec::<(&ObjectView, &Archive)>::new(), Vec::<(&ObjectView, &Archive)>::new());
    for object in &objects {
        match &object.state {
            ObjectState::Archived { archive, .. } => archived.push((object, archive)),
            ObjectState::Restoring(archive) => restoring.push((object, archive)),
            _ => {}
        }
    }
    let mut message = format!("{} cannot be read whole now.", words::the(snapshot, place));
    if !archived.is_empty() {
        message.push_str(&format!(" Archived: {} of {}.", archived.len(), words::counted(objects.len(), "object")));
        message.push_str(&grouped(&archived, snapshot));
        message.push_str(" They answer no read until a restore has finished (on AWS: 403 InvalidObjectState).");
    }
    if let Some(ended) = archived.iter().filter_map(|(object, _)| ended(object)).max() {
        message.push_str(&format!(" A restored copy existed and ended at {}.", ended.minute()));
    }
    if !restoring.is_empty() {
        message.push_str(&format!(" A restore is running for {} of {}.", restoring.len(), words::counted(objects.len(), "object")));
        message.push_str(&grouped(&restoring, snapshot));
    }
    if let Some(until) = snapshot.readable_until() {
        message.push_str(&format!(" Restored copies of other objects end from {} on.", until.minute()));
    }
    if objects.first().is_some_and(|object| object.key.ends_with("_metadata") && object.state == ObjectState::Readable) {
        message.push_str(" `_metadata` itself reads, so a restore is accepted and fails when the tasks fetch their state.");
    }
    if snapshot.file.is_some() {
        message.push_str(" What else it needs stands in `_metadata`, and is not known as long as that cannot be read.");
    }
    if let Some(older) = place.complete().iter().skip(1).find(|older| older.readable() == Readable::Yes) {
        message.push_str(&format!(" The newest one there that reads whole is {}, of {}.", older.location, older.taken_at.minute()));
    }
    if job.analysis.recovery.selects(&snapshot.location) {
        message.push_str(" It is the snapshot that the declared way of restarting takes.");
    }
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new("archived objects", Amount::Count(count(&archived)), "HeadObject of each"));
    if !restoring.is_empty() {
        facts.push(ShownFact::new("objects being restored", Amount::Count(count(&restoring)), "x-amz-restore of each"));
    }
    Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: None,
        remedy: ways_out(job, snapshot, &archived, &restoring),
        position: place.declared.position,
    }
}

fn ended(object: &ObjectView) -> Option<Instant> {
    match object.state {
        ObjectState::Archived { ended, .. } => ended,
        _ => None,
    }
}

/// ` 5 in GLACIER (a, b, c and 2 more), 1 in DEEP_ARCHIVE (d).`
fn grouped(objects: &[(&ObjectView, &Archive)], snapshot: &SnapshotView) -> String {
    let groups: Vec<String> = words::by_archive(objects)
        .into_iter()
        .map(|(archive, within)| format!("{} in {archive} ({})", within.len(), words::named(&within, &snapshot.location)))
        .collect();
    format!(" {}.", groups.join(", "))
}

fn ways_out(
    job: &JobContext<'_>,
    snapshot: &SnapshotView,
    archived: &[(&ObjectView, &Archive)],
    restoring: &[(&ObjectView, &Archive)],
) -> Vec<Remedy> {
    let mut ways_out = vec![remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery)];
    ways_out.extend(remedy::restore(archived, snapshot));
    if let Some((_, archive)) = restoring.first() {
        let waits = archive.waits().unwrap_or("not known for this store");
        ways_out.push(Remedy::say(format!("Wait for the running restore. How long one takes in {archive}: {waits}.")));
    }
    if archived.iter().chain(restoring).any(|(_, archive)| !archive.restores_for_good()) {
        ways_out.push(remedy::copy_to_standard(snapshot, true));
    }
    ways_out
}
