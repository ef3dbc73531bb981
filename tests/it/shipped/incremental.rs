//! Checkpoints that Flink wrote, in a bucket whose rule deletes what is older than 30 days.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{Evidence, Expiration, Fact, FilesSummary, Lifecycle, LifecycleRule, PlaceEvidence, RuleFilter, SnapshotEvidence, When},
    units::{Bytes, Instant, Millis, S3Location},
};

use crate::{
    fixture,
    scene::{at, bucket},
};

const BUCKET: &str = "acme-flink";

fn now() -> Instant {
    at("2026-09-15")
}

/// A checkpoint that was finished two minutes ago.
fn checkpoint(name: &str) -> SnapshotEvidence {
    fixture::snapshot(name, now().minus(Millis::minutes(2)), now())
}

/// A checkpoint whose shared files were written this long ago.
fn with_shared_files_of(name: &str, age: Millis) -> SnapshotEvidence {
    let mut snapshot = checkpoint(name);
    fixture::change(
        &mut snapshot,
        |key| key.contains("/shared/"),
        |object| {
            if let Fact::Seen(seen) = &mut object.found {
                seen.value.last_modified = now().minus(age);
            }
        },
    );
    snapshot
}

/// The age rule has come to one of the shared files.
fn bereft(mut snapshot: SnapshotEvidence) -> SnapshotEvidence {
    let Fact::Seen(objects) = &mut snapshot.objects else { panic!("the objects are known") };
    let lost = objects.value.iter_mut().find(|object| object.key.contains("/shared/")).expect("a shared file");
    lost.found = Fact::absent(
        "it is not there, and was not there when it was looked for again",
        format!("ListObjectsV2 s3://{BUCKET}/{}", lost.key),
    );
    snapshot
}

/// Files of checkpoints that were given up lie beside it.
fn littered(mut snapshot: SnapshotEvidence) -> SnapshotEvidence {
    let written = now().minus(Millis::days(3));
    let files = FilesSummary {
        objects: 4,
        bytes: Bytes(48_312),
        largest: Bytes(20_480),
        oldest: Some(written),
        newest: Some(written.plus(Millis::hours(5))),
        classes: BTreeMap::from([("STANDARD".to_owned(), 4)]),
        complete: true,
    };
    snapshot.unreferenced = Fact::seen(files, BUCKET, format!("ListObjectsV2 of {}", snapshot.location), now());
    snapshot
}

pub(crate) fn incremental() -> Evidence {
    let mut evidence = Evidence::empty(now());
    let mut bucket = bucket(now(), BUCKET, "us-east-1");
    let rule = LifecycleRule {
        id: Some("expire-old-checkpoints".to_owned()),
        filter: RuleFilter { prefix: Some("checkpoints/".to_owned()), ..RuleFilter::default() },
        expiration: Some(Expiration::Objects(When::Days(30))),
        ..LifecycleRule::default()
    };
    let lifecycle = Lifecycle { rules: vec![rule], transition_default_minimum_object_size: Some("all_storage_classes_128K".to_owned()) };
    bucket.lifecycle = Fact::seen(lifecycle, BUCKET, format!("GetBucketLifecycleConfiguration of {BUCKET}"), now());
    bucket.prefixes = Fact::seen(vec!["checkpoints/".to_owned()], BUCKET, format!("ListObjectsV2 of {BUCKET}"), now());
    evidence.buckets = BTreeMap::from([(BUCKET.to_owned(), bucket)]);
    let snapshots = [
        with_shared_files_of("1.20.4/rocksdb-incremental-checkpoint", Millis::days(29)),
        littered(checkpoint("1.18.1/rocksdb-full-checkpoint")),
        bereft(with_shared_files_of("1.18.1/rocksdb-incremental-checkpoint", Millis::days(29))),
        checkpoint("1.18.1/claimed-chain-checkpoint"),
        checkpoint("1.18.1/inlined-incremental-checkpoint"),
    ];
    evidence.places = snapshots
        .into_iter()
        .map(|snapshot| {
            let (job, _) = snapshot.location.key().rsplit_once('/').expect("below the job's folder");
            let location = S3Location::new(BUCKET, job);
            let call = format!("ListObjectsV2 of {location}");
            (location, PlaceEvidence::of(Fact::seen(vec![snapshot], BUCKET, call, now())))
        })
        .collect();
    evidence
}
