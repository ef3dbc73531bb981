//! One bucket, and the declared places in it.

use super::{Check, State, advice, judged};
use crate::{
    evidence::{BucketEvidence, Fact, PlaceEvidence},
    units::S3Location,
};

/// Reaching the bucket first; what depends on it only if that was possible.
pub(super) fn check<'e>(
    name: &str,
    bucket: &BucketEvidence,
    places: impl Iterator<Item = (&'e S3Location, &'e PlaceEvidence)>,
    checks: &mut Vec<Check>,
) {
    let of = format!("bucket {name}");
    let mut add = |what: &str, (state, detail): (State, String)| {
        let advice = (state == State::Failed).then(|| advice::of_s3(&detail));
        checks.push(Check { of: of.clone(), what: what.to_owned(), state, detail, advice, waiting: std::collections::BTreeSet::new() });
    };
    let reached = match &bucket.region {
        Fact::Absent(gap) => (State::Failed, format!("absent: {}", gap.reason)),
        region => judged(region, |region| format!("region {region}")),
    };
    let there = !bucket.region.is_absent() && !matches!(bucket.region, Fact::Failed(_));
    add("connection, credentials, s3:ListBucket", reached);
    if !there {
        return;
    }
    let none = |count: usize, what: &str| format!("{count} {what}");
    let asked = [
        ("s3:GetLifecycleConfiguration", answer(&bucket.lifecycle, |lifecycle| none(lifecycle.rules.len(), "rules"))),
        ("s3:GetIntelligentTieringConfiguration", answer(&bucket.intelligent_tiering, |list| none(list.len(), "configurations"))),
        ("s3:GetBucketVersioning", answer(&bucket.versioning, |_| "answered".to_owned())),
        ("s3:GetBucketObjectLockConfiguration", answer(&bucket.object_lock, |_| "answered".to_owned())),
        ("s3:GetBucketTagging", answer(&bucket.tags, |tags| none(tags.len(), "tags"))),
    ];
    for (right, answer) in asked {
        if let Some(answer) = answer {
            add(right, answer);
        }
    }
    for (place, seen) in places {
        if let Some(answer) = answer(&seen.snapshots, |snapshots| none(snapshots.len(), "snapshots")) {
            add(&format!("snapshots below {place}"), answer);
        }
        if let Some(answer) = answer(&seen.files, |files| none(usize::try_from(files.objects).unwrap_or(usize::MAX), "files")) {
            add(&format!("files below {place}"), answer);
        }
        for snapshot in seen.snapshots.shown().into_iter().flatten() {
            let objects = answer(&snapshot.objects, |objects| none(objects.len(), "objects"));
            if let Some(answer) = objects.filter(|(state, _)| *state != State::Ok) {
                add(&format!("objects of {}", snapshot.location), answer);
            }
        }
    }
}

/// What is not asked was not needed, and is no question here.
fn answer<T>(fact: &Fact<T>, said: impl FnOnce(&T) -> String) -> Option<(State, String)> {
    (!matches!(fact, Fact::NotAsked(_))).then(|| judged(fact, said))
}
