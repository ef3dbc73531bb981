//! `checkpoint-deleted-on-cancel`: cancelling deletes the checkpoints, and there is no savepoint.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{SnapshotKind, remedy},
    evidence::Unknown,
    finding::{Amount, Finding, Severity, ShownFact, Subject},
    manifest::{Checkpoints, OnCancel, Recovery},
};

static META: RuleMeta = RuleMeta {
    id: "checkpoint-deleted-on-cancel",
    summary: "cancelling deletes the checkpoints, and there is no savepoint",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct CheckpointDeletedOnCancel;

impl Rule for CheckpointDeletedOnCancel {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let Some(recovery) = &job.job.recovery else { return };
        // Without a location they are the managed service's own.
        if let Some(checkpoints) = recovery.checkpoints.as_ref().filter(|checkpoints| checkpoints.location.is_some()) {
            out.judge(Subject::new("checkpoints", "declaration"), || judge(job, recovery, checkpoints));
        }
    }
}

fn judge(job: &JobContext<'_>, recovery: &Recovery, checkpoints: &Checkpoints) -> Judged {
    if checkpoints.on_cancel == Some(OnCancel::Retain) {
        return Ok(Verdict::Pass);
    }
    let mut not_seen = None;
    for place in job.analysis.recovery.places.iter().filter(|place| place.kind == SnapshotKind::Savepoint) {
        match place.newest() {
            Ok(Some(_)) => return Ok(Verdict::Pass),
            Ok(None) => {}
            Err(unknown) => not_seen = Some(unknown),
        }
    }
    match (checkpoints.on_cancel, not_seen) {
        (Some(_), None) => Ok(finding(job, recovery, checkpoints).into()),
        (Some(_), Some(unknown)) => Err(unknown),
        (None, _) => Err(Unknown::new("whether cancelling deletes the checkpoints (the manifest states no `on_cancel`)", "")),
    }
}

fn finding(job: &JobContext<'_>, recovery: &Recovery, checkpoints: &Checkpoints) -> Finding {
    let position = checkpoints.location.as_ref().map_or(recovery.position, |location| location.position);
    let savepoints = if recovery.savepoints.is_empty() { "none declared" } else { "none found" };
    Finding {
        severity: META.severity,
        message:
            "Cancelling the job deletes its checkpoints (`on_cancel: delete`), and there is no savepoint. Whoever cancels it, instead of \
                  stopping it with a savepoint, has no snapshot to come back from: the state starts empty, where no TTL helps."
                .to_owned(),
        facts: vec![
            ShownFact::new("checkpoints.on_cancel", Amount::Text("delete".to_owned()), job.origin(position)),
            ShownFact::new("savepoints", Amount::Text(savepoints.to_owned()), job.origin(recovery.position)),
        ],
        bites_on: None,
        remedy: vec![remedy::retain_checkpoints(), remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery)],
        position,
    }
}
