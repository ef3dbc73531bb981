//! `snapshot-restored-temporarily`: readable only until a restored copy ends.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{Archive, ObjectState, ObjectView, PlaceView, Readable, SnapshotView, count, remedy, words},
    evidence::Unknown,
    finding::{Amount, Finding, Severity, ShownFact},
    manifest::RestoreMode,
    units::Instant,
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-restored-temporarily",
    summary: "the newest snapshot reads only until a restored copy of an archived object ends",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct SnapshotRestoredTemporarily;

impl Rule for SnapshotRestoredTemporarily {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_newest(out, |place, snapshot| judge(job, place, snapshot));
    }
}

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    if let Some(until) = snapshot.readable_until() {
        return Ok(finding(job, place, snapshot, until).into());
    }
    let objects = snapshot.objects.as_ref().map_err(Unknown::clone)?;
    match objects.iter().find_map(could_be_a_copy).or_else(|| snapshot.untold.keys().next().cloned()) {
        Some(unknown) => Err(unknown),
        None => Ok(Verdict::Pass),
    }
}

/// The reason why it is not known whether the object is a restored copy. A restore within Intelligent-Tiering has no end, so an object of
/// that class never is one.
fn could_be_a_copy(object: &ObjectView) -> Option<Unknown> {
    match &object.state {
        ObjectState::Unknown(unknown) if object.class.as_deref() != Some("INTELLIGENT_TIERING") => Some(unknown.clone()),
        _ => None,
    }
}

fn finding(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView, until: Instant) -> Finding {
    let objects: Vec<&ObjectView> = snapshot.seen().collect();
    let copies: Vec<&ObjectView> = objects.iter().copied().filter(|object| matches!(object.state, ObjectState::RestoredUntil(_))).collect();
    let the = words::the(snapshot, place);
    let mut message = match snapshot.readable() {
        Readable::Yes => format!("{the} reads now, but only until {}:", until.minute()),
        Readable::No { .. } => format!("{the} cannot be read whole now, and what reads does so only until {}:", until.minute()),
        Readable::Unknown(_) => format!("Parts of the {} {} read only until {}:", place.kind.word(), snapshot.location, until.minute()),
    };
    message.push_str(&format!(
        " {} of {} {} restored copies of archived objects ({}), and the first copy ends then. From that moment a GET is refused until \
         another restore has finished; the class in every listing stays what it is.",
        copies.len(),
        words::counted(objects.len(), "object"),
        if copies.len() == 1 { "is among" } else { "are" },
        words::named(&copies, &snapshot.location)
    ));
    let next_audit = job.as_of.at.plus(job.audit.policy.horizon);
    message.push_str(&format!(
        " That is {} the next audit ({}, by policy.horizon).",
        if until < next_audit { "before" } else { "after" },
        next_audit.day()
    ));
    if job.job.recovery.as_ref().is_some_and(|recovery| recovery.restore.mode != RestoreMode::NoClaim) {
        message.push_str(
            " The job is restored in a mode in which later checkpoints may refer to these very files: the copies have to last until no \
             checkpoint does.",
        );
    }
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new("restored copies", Amount::Count(count(&copies)), "x-amz-restore of each"));
    facts.push(ShownFact::new("first copy ends", Amount::Instant(until), "x-amz-restore, expiry-date"));
    let again: Vec<(&ObjectView, Archive)> =
        copies.iter().filter_map(|copy| Some((*copy, Archive::of_class(copy.class.as_deref()?)?))).collect();
    let again: Vec<(&ObjectView, &Archive)> = again.iter().map(|(object, archive)| (*object, archive)).collect();
    let mut ways_out = vec![remedy::copy_to_standard(snapshot, true)];
    ways_out.extend(remedy::extend(&again, snapshot));
    ways_out.push(remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery));
    Finding { severity: META.severity, message, facts, bites_on: Some(until), remedy: ways_out, position: place.declared.position }
}
