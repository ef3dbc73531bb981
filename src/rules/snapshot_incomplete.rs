//! `snapshot-incomplete`: an object that a snapshot needs is not there, or too short.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{Lack, PlaceView, Readable, SnapshotView, count, remedy, words},
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-incomplete",
    summary: "an object that the newest snapshot needs is missing, or shorter than what is referenced in it",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct SnapshotIncomplete;

impl Rule for SnapshotIncomplete {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_newest(out, |place, snapshot| judge(job, place, snapshot));
    }
}

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    snapshot.objects.as_ref().map_err(Clone::clone)?;
    if !snapshot.lacks.is_empty() {
        return Ok(finding(job, place, snapshot).into());
    }
    // An object that may be missing must not pass for one that is there.
    snapshot.untold.keys().next().map_or(Ok(Verdict::Pass), |unknown| Err(unknown.clone()))
}

fn finding(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Finding {
    let (missing, short): (Vec<&Lack>, Vec<&Lack>) = snapshot.lacks.iter().partition(|lack| lack.size.is_none());
    let mut message = format!("{} is damaged: a restore from it fails.", words::the(snapshot, place));
    if !missing.is_empty() {
        message.push_str(&format!(
            " Its _metadata names {} not there, looked for twice while _metadata itself stayed: {}.",
            if missing.len() == 1 { "1 object that is".to_owned() } else { format!("{} objects that are", missing.len()) },
            words::listed(missing.iter().map(|lack| lack.uri.clone()))
        ));
    }
    if !short.is_empty() {
        message.push_str(&format!(
            " Shorter than what is referenced in {}: {}.",
            if short.len() == 1 { "it" } else { "them" },
            words::listed(short.iter().map(|lack| {
                let size = lack.size.unwrap_or_default();
                format!("{} ({size} of at least {})", lack.uri, lack.min_size)
            }))
        ));
    }
    if let Some(older) = place.complete().iter().skip(1).find(|older| older.readable() == Readable::Yes && older.lacks.is_empty()) {
        message.push_str(&format!(" The newest one there that is whole is {}, of {}.", older.location, older.taken_at.minute()));
    }
    if job.analysis.recovery.selects(&snapshot.location) {
        message.push_str(" It is the snapshot that the declared way of restarting takes.");
    }
    let mut facts = words::facts(snapshot, place.origin());
    let call = |lacks: &[&Lack]| lacks.first().map(|lack| lack.call.clone()).unwrap_or_default();
    if !missing.is_empty() {
        facts.push(ShownFact::new("missing objects", Amount::Count(count(&missing)), call(&missing)));
    }
    if let Some(first) = short.first() {
        facts.push(ShownFact::new("short objects", Amount::Count(count(&short)), call(&short)));
        facts.push(ShownFact::new("size", Amount::Bytes(first.size.unwrap_or_default()), first.call.clone()));
        facts.push(ShownFact::new("needed size", Amount::Bytes(first.min_size), "_metadata, the largest start plus size that it names"));
    }
    let versions = "If the bucket has versions, the object may still be there behind a delete marker: look with `aws s3api \
                    list-object-versions`, and delete the marker to bring it back.";
    Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: None,
        remedy: vec![remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery), Remedy::say(versions)],
        position: place.declared.position,
    }
}
