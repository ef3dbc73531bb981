//! `snapshot-missing`: nothing to come back from where snapshots are declared.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{Found, PlaceView, SnapshotKind, Snapshots, count, remedy, words},
    evidence::{Fact, HiddenSnapshot, Unknown},
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject, shell},
    manifest::At,
    units::{Location, S3Location},
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-missing",
    summary: "no complete snapshot lies where snapshots are declared, or a named bucket does not exist",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct SnapshotMissing;

impl Rule for SnapshotMissing {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let places = &job.analysis.recovery.places;
        for place in places {
            match &place.found {
                Found::NoBucket(reason) => {
                    let what = format!("{}s", place.kind.word());
                    out.judge(place.subject(), || Ok(no_bucket(job, &what, &place.declared, reason).into()));
                }
                // What the runbook names has to be there itself; another savepoint does not stand for it.
                _ if place.pinned => out.judge(place.subject(), || one_of(job, &[place])),
                _ => {}
            }
        }
        let others = job.job.recovery.iter().flat_map(|recovery| {
            [
                ("high-availability", "high-availability files", &recovery.high_availability),
                ("changelog", "changelog files", &recovery.changelog),
            ]
        });
        for (kind, what, declared) in others {
            if let Some(declared) = declared
                && let Some(location) = declared.value.s3()
            {
                out.judge(Subject::of_location(&declared.value, kind), || bucket_of(job, what, declared, location.bucket()));
            }
        }
        for kind in [SnapshotKind::Checkpoint, SnapshotKind::Savepoint] {
            let declared: Vec<&PlaceView> = places
                .iter()
                .filter(|place| place.kind == kind && !place.pinned && !matches!(place.found, Found::Nowhere | Found::NoBucket(_)))
                .collect();
            if let Some(first) = declared.first() {
                let locations: Vec<Location> = declared.iter().map(|place| place.declared.value.clone()).collect();
                out.judge(first.subject().at(&locations), || one_of(job, &declared));
            }
        }
    }
}

/// One complete snapshot in any of these places is enough; with none, a place that could not be looked into makes it unknown.
fn one_of(job: &JobContext<'_>, places: &[&PlaceView]) -> Judged {
    if places.iter().any(|place| !place.complete().is_empty()) {
        return Ok(Verdict::Pass);
    }
    for place in places {
        place.newest()?;
    }
    let Some(first) = places.first() else { return Ok(Verdict::NotApplicable) };
    Ok(nothing_there(job, first, places).into())
}

fn nothing_there(job: &JobContext<'_>, first: &PlaceView, places: &[&PlaceView]) -> Finding {
    let kind = first.kind.word();
    let locations = words::listed(places.iter().map(|place| place.declared.value.to_string()));
    let mut message = format!("No complete {kind} lies at {locations}: no `_metadata` was found there or up to two levels below.");
    let (mut unfinished, mut hidden, mut facts) = (Vec::<&S3Location>::new(), Vec::<&HiddenSnapshot>::new(), Vec::new());
    for place in places {
        let Found::Snapshots(Snapshots { unfinished: folders, hidden: markers, origin, .. }) = &place.found else { continue };
        unfinished.extend(folders);
        hidden.extend(markers);
        facts.push(ShownFact::new(format!("{kind}s at {}", place.declared.value), Amount::Count(0), origin.clone()));
    }
    if !unfinished.is_empty() {
        message.push_str(&format!(
            " {} there {} no `_metadata`, which Flink writes last: unfinished, or being deleted ({}).",
            words::counted(unfinished.len(), "folder"),
            if unfinished.len() == 1 { "has" } else { "have" },
            words::listed(unfinished.iter().map(ToString::to_string))
        ));
        facts.push(ShownFact::new("unfinished folders", Amount::Count(count(&unfinished)), "same listing"));
    }
    if let Some(newest) = hidden.first() {
        message.push_str(&format!(
            " {} hidden behind a delete marker: a restore finds no file there although the bucket may still hold the bytes (the newest is \
             {}, hidden since {}).",
            if hidden.len() == 1 { "1 snapshot is".to_owned() } else { format!("{} snapshots are", hidden.len()) },
            newest.location,
            newest.hidden_at.minute()
        ));
        facts.push(ShownFact::new("snapshots behind a delete marker", Amount::Count(count(&hidden)), "ListObjectVersions"));
    }
    if job.analysis.recovery.selected() == Ok(None) && !job.job.operators.is_empty() {
        message.push_str(" A restart in the declared way has no state to begin with; no TTL helps there, however long.");
    }
    let mut ways_out: Vec<Remedy> =
        hidden.first().filter(|hidden| hidden.taken_at.is_some()).map(|hidden| unhide(hidden)).into_iter().collect();
    ways_out.push(remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery));
    ways_out.push(Remedy::say("If the snapshots lie elsewhere, correct the location in the manifest."));
    Finding { severity: META.severity, message, facts, bites_on: None, remedy: ways_out, position: first.declared.position }
}

fn unhide(hidden: &HiddenSnapshot) -> Remedy {
    let (bucket, key) = (hidden.location.bucket(), format!("{}_metadata", hidden.location.prefix()));
    Remedy::paste(
        format!(
            "Bring {} back by deleting the delete marker of its `_metadata`, and those of its other files, before a rule for noncurrent \
             versions removes them.",
            hidden.location
        ),
        format!(
            "aws s3api delete-object --bucket {} --key {} --version-id {}",
            shell::word(bucket),
            shell::word(&key),
            shell::word(&hidden.marker)
        ),
    )
}

/// Places that hold no snapshots are only asked for their bucket.
fn bucket_of(job: &JobContext<'_>, what: &str, declared: &At<Location>, bucket: &str) -> Judged {
    match job.evidence.buckets.get(bucket).map(|bucket| &bucket.region) {
        // A store that tells no region has answered all the same: the bucket is there.
        Some(Fact::Seen(_) | Fact::Unsupported(_)) => Ok(Verdict::Pass),
        Some(Fact::Absent(gap)) => Ok(no_bucket(job, what, declared, &gap.reason).into()),
        Some(region) => region.known().map(|_| Verdict::Pass),
        None => Err(Unknown::new(format!("not asked: the evidence holds nothing about bucket {bucket}"), "HeadBucket")),
    }
}

fn no_bucket(job: &JobContext<'_>, what: &str, declared: &At<Location>, reason: &str) -> Finding {
    let bucket = declared.value.s3().map(S3Location::bucket).unwrap_or_default();
    Finding {
        severity: META.severity,
        message: format!("The bucket {bucket}, where {what} of this job are declared to lie ({}), does not exist.", declared.value),
        facts: vec![
            ShownFact::new("bucket", Amount::Text(bucket.to_owned()), job.origin(declared.position)),
            ShownFact::new("answer", Amount::Text(reason.to_owned()), format!("request to bucket {bucket}")),
        ],
        bites_on: None,
        remedy: vec![
            Remedy::say("Correct the bucket's name in the manifest, or the account, region or endpoint that is asked."),
            remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery),
        ],
        position: declared.position,
    }
}
