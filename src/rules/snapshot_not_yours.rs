//! `snapshot-not-yours`: somebody else may delete what a snapshot needs.

use std::collections::BTreeMap;

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{ObjectView, PlaceView, SnapshotView, count, remedy, words},
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
    manifest::RestoreMode,
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-not-yours",
    summary: "the snapshot is claimed by a restore, or needs files of another job: somebody else may delete it",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct SnapshotNotYours;

impl Rule for SnapshotNotYours {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_newest(out, |place, snapshot| judge(job, place, snapshot));
    }
}

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    let mode = job.job.recovery.as_ref().map_or(RestoreMode::NoClaim, |recovery| recovery.restore.mode);
    let claimed = (mode != RestoreMode::NoClaim && job.analysis.recovery.selects(&snapshot.location)).then_some(mode);
    let others = others_files(snapshot);
    if claimed.is_none() && others.is_empty() {
        snapshot.objects.as_ref().map_err(Clone::clone)?;
        return Ok(Verdict::Pass);
    }
    Ok(finding(job, place, snapshot, claimed, &others).into())
}

/// Objects in `<job id>/shared/` or `<job id>/taskowned/` of a job that is not the snapshot's own, by that job's id.
fn others_files(snapshot: &SnapshotView) -> BTreeMap<&str, Vec<&ObjectView>> {
    let own = snapshot.location.key();
    let mut others: BTreeMap<&str, Vec<&ObjectView>> = BTreeMap::new();
    for object in snapshot.objects.iter().flatten() {
        if let Some(job) = owner(&object.key).filter(|job| !own.split('/').any(|part| part == *job)) {
            others.entry(job).or_default().push(object);
        }
    }
    others
}

/// The job id in `…/<job id>/shared/…`.
fn owner(key: &str) -> Option<&str> {
    let mut parts = key.split('/').peekable();
    while let Some(part) = parts.next() {
        let is_id = part.len() == 32 && part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if is_id && matches!(parts.peek(), Some(&("shared" | "taskowned"))) {
            return Some(part);
        }
    }
    None
}

fn finding(
    job: &JobContext<'_>,
    place: &PlaceView,
    snapshot: &SnapshotView,
    claimed: Option<RestoreMode>,
    others: &BTreeMap<&str, Vec<&ObjectView>>,
) -> Finding {
    let the = words::the(snapshot, place);
    let mut message = match claimed {
        Some(RestoreMode::Claim) => format!(
            "{the} is what a restart takes, in claim mode: Flink then owns it and deletes it as soon as newer checkpoints no longer need it, \
             so it is no place to come back to a second time."
        ),
        Some(_) => format!(
            "{the} is what a restart takes, in legacy mode: Flink leaves it alone, but checkpoints after the restore may go on needing its \
             files, and nothing says when they no longer do."
        ),
        None => format!("{the} needs files of another job."),
    };
    let mut facts = words::facts(snapshot, place.origin());
    if let Some(mode) = claimed {
        let word = if mode == RestoreMode::Claim { "claim" } else { "legacy" };
        let position =
            job.job.recovery.as_ref().map_or(place.declared.position, |recovery| recovery.restore.position.unwrap_or(recovery.position));
        facts.push(ShownFact::new("restore mode", Amount::Text(word.to_owned()), job.origin(position)));
        let rest = job.analysis.recovery.places.iter().flat_map(PlaceView::complete).filter(|other| other.location != snapshot.location);
        message.push_str(match rest.count() {
            0 => " No other snapshot that was looked into would remain.",
            _ => " Other snapshots were seen and would remain.",
        });
    }
    for (id, objects) in others {
        message.push_str(&format!(
            " {} in the folder of job {id} ({}): whoever cleans up after that job, or that job itself if it still runs, deletes them without \
             asking who else needs them.",
            if objects.len() == 1 { "1 object lies".to_owned() } else { format!("{} objects lie", objects.len()) },
            words::named(objects, &snapshot.location)
        ));
        facts.push(ShownFact::new(format!("objects of job {id}"), Amount::Count(count(objects)), "_metadata"));
    }
    let mut ways_out = vec![remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery)];
    if claimed.is_some() {
        ways_out
            .push(Remedy::say("Restore in no-claim mode: Flink then never deletes the snapshot, and the first checkpoint is a full one."));
    }
    if !others.is_empty() {
        ways_out.push(Remedy::say("Keep the other job's folder until no snapshot of this job names it; a canonical savepoint ends that."));
    }
    Finding { severity: META.severity, message, facts, bites_on: None, remedy: ways_out, position: place.declared.position }
}
