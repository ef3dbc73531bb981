//! `recovery-unprotected`: neither Object Lock nor versioning guards the newest snapshot against deletion.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{PlaceView, SnapshotKind, SnapshotView, words},
    evidence::{BucketEvidence, StoreKind, Unknown, Versioning, VersioningStatus},
    finding::{Amount, Finding, Remedy, Severity, ShownFact, shell},
    units::Instant,
};

static META: RuleMeta = RuleMeta {
    id: "recovery-unprotected",
    summary: "neither Object Lock nor versioning guards the newest snapshot against deletion",
    severity: Severity::Note,
};

/// See the module.
pub(super) struct RecoveryUnprotected;

impl Rule for RecoveryUnprotected {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_newest(out, |place, snapshot| judge(job, place, snapshot));
    }
}

/// Why no lock holds the snapshot.
enum NoLock {
    /// A lock needs versioning, which this bucket of Amazon S3 does not have.
    Impossible,
    /// The bucket has no Object Lock.
    NotOnTheBucket,
    /// HEAD of `_metadata` shows none.
    NotShown,
}

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    let name = snapshot.location.bucket();
    let Some(bucket) = job.evidence.buckets.get(name) else {
        return Err(Unknown::new(format!("not asked: the evidence holds nothing about bucket {name}"), "GetBucketVersioning"));
    };
    let versioning = bucket.versioning.known();
    // Whichever guards is enough: what else is not known is then not needed.
    if matches!(&versioning, Ok(seen) if seen.value.status == VersioningStatus::Enabled) || locked(snapshot, job.as_of.at) {
        return Ok(Verdict::Pass);
    }
    let versioning = versioning?;
    let why = no_lock(bucket, snapshot)?;
    let origin = format!("{}, {}", versioning.call, versioning.at.minute());
    Ok(finding(place, snapshot, (&versioning.value, origin), &why).into())
}

/// Whether HEAD of `_metadata` shows a lock that holds at `as_of`.
fn locked(snapshot: &SnapshotView, as_of: Instant) -> bool {
    snapshot.lock.as_ref().is_ok_and(|lock| lock.holds(as_of))
}

fn no_lock(bucket: &BucketEvidence, snapshot: &SnapshotView) -> Result<NoLock, Unknown> {
    if bucket.store.kind == StoreKind::Aws {
        return Ok(NoLock::Impossible);
    }
    if bucket.object_lock.is_absent() {
        return Ok(NoLock::NotOnTheBucket);
    }
    snapshot.lock.as_ref().map(|_| NoLock::NotShown).map_err(Unknown::clone)
}

fn finding(place: &PlaceView, snapshot: &SnapshotView, (versioning, origin): (&Versioning, String), why: &NoLock) -> Finding {
    let name = snapshot.location.bucket();
    let status = match versioning.status {
        VersioningStatus::Never => "never switched on",
        VersioningStatus::Suspended => "suspended",
        VersioningStatus::Enabled => "enabled",
    };
    let lock = match why {
        NoLock::Impossible => "Object Lock, which needs versioning, cannot hold it either",
        NoLock::NotOnTheBucket => "the bucket has no Object Lock",
        NoLock::NotShown => "HEAD of `_metadata` shows no lock that is in force (the caller may also lack the right to see it)",
    };
    let then = match versioning.status {
        VersioningStatus::Suspended => "deletes for good what was written since it was suspended",
        VersioningStatus::Never | VersioningStatus::Enabled => "deletes it for good",
    };
    let mut message = format!(
        "{} is not guarded against deletion: versioning of bucket {name} is {status}, and {lock}. Whoever may delete there, a script or a \
         lifecycle rule included, {then}.",
        words::the(snapshot, place)
    );
    if place.kind == SnapshotKind::Checkpoint {
        message.push_str(" (Flink itself deletes checkpoints as newer ones complete; that is as it should be.)");
    }
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new("versioning", Amount::Text(status.to_owned()), origin));
    Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: None,
        remedy: ways_out(name, place.kind),
        position: place.declared.position,
    }
}

fn ways_out(bucket: &str, kind: SnapshotKind) -> Vec<Remedy> {
    let mut versioning = String::from(
        "Switch on versioning: a deletion then leaves a delete marker, and removing that brings the file back. Versions that are no longer \
         current cost storage until a rule for noncurrent versions removes them",
    );
    versioning.push_str(match kind {
        SnapshotKind::Checkpoint => "; with checkpoints that is every file of every checkpoint, so such a rule is needed here.",
        SnapshotKind::Savepoint => ".",
    });
    vec![
        Remedy::paste(
            versioning,
            format!("aws s3api put-bucket-versioning --bucket {} --versioning-configuration Status=Enabled", shell::word(bucket)),
        ),
        Remedy::say(
            "Or keep savepoints in a bucket with Object Lock and a retention period. A lock holds back the deletion of a version; it stops \
             neither a transition to another class nor a delete marker.",
        ),
    ]
}
