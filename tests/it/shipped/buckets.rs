//! What rules of buckets do to recovery files: one bucket a story.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{
        BucketEvidence, Evidence, Fact, FilesSummary, Lifecycle, LifecycleRule, NoncurrentExpiration, RuleStatus, Tiering,
        TieringConfiguration, Versioning, VersioningStatus,
    },
    units::{Bytes, Instant, Millis},
};

use crate::{
    scene::{Snapshot, at, bucket, place},
    vault::{expires, moves, rule},
};

fn now() -> Instant {
    at("2026-10-05T08:00:00Z")
}

/// A bucket with these rules and first-level prefixes.
fn ruled(name: &str, rules: Vec<LifecycleRule>, prefixes: &[&str]) -> (String, BucketEvidence) {
    let mut seen = bucket(now(), name, "eu-west-1");
    if !rules.is_empty() {
        let lifecycle = Lifecycle { rules, transition_default_minimum_object_size: Some("all_storage_classes_128K".to_owned()) };
        seen.lifecycle = Fact::seen(lifecycle, name, format!("GetBucketLifecycleConfiguration of {name}"), now());
    }
    let prefixes = prefixes.iter().map(|prefix| (*prefix).to_owned()).collect();
    seen.prefixes = Fact::seen(prefixes, name, format!("ListObjectsV2 of {name}"), now());
    (name.to_owned(), seen)
}

fn versioned((name, mut seen): (String, BucketEvidence)) -> (String, BucketEvidence) {
    let versioning = Versioning { status: VersioningStatus::Enabled, mfa_delete: false };
    seen.versioning = Fact::seen(versioning, &name, format!("GetBucketVersioning of {name}"), now());
    (name, seen)
}

fn tiered((name, mut seen): (String, BucketEvidence)) -> (String, BucketEvidence) {
    let tier = |access_tier: &str, days| Tiering { access_tier: access_tier.to_owned(), days };
    let configuration = TieringConfiguration {
        id: "archive-what-nobody-reads".to_owned(),
        status: RuleStatus::Enabled,
        prefix: None,
        tags: BTreeMap::new(),
        tierings: vec![tier("ARCHIVE_ACCESS", 90), tier("DEEP_ARCHIVE_ACCESS", 180)],
    };
    let call = format!("ListBucketIntelligentTieringConfigurations of {name}");
    seen.intelligent_tiering = Fact::seen(vec![configuration], &name, call, now());
    (name, seen)
}

fn buckets() -> BTreeMap<String, BucketEvidence> {
    let noncurrent = LifecycleRule {
        noncurrent_expiration: Some(NoncurrentExpiration { noncurrent_days: 14, newer_noncurrent_versions: None }),
        ..rule("old-versions", "")
    };
    let uploads = LifecycleRule { abort_incomplete_multipart_upload_days: Some(1), ..rule("abort-uploads", "") };
    [
        versioned(ruled(
            "nw-shared",
            vec![moves("cost-saving", "", 45, "GLACIER")],
            &["exports/", "flink/", "flink/savepoints/", "flink/savepoints/orders/", "reports/"],
        )),
        ruled(
            "nw-checkpoints",
            vec![expires("tidy-checkpoints", "checkpoints/", 30)],
            &["checkpoints/", "checkpoints/clickstream-full/", "checkpoints/clickstream/", "checkpoints/sandbox/", "pricing/", "stock/"],
        ),
        versioned(tiered(ruled("nw-tiered", Vec::new(), &["savepoints/"]))),
        ruled("nw-ha", vec![expires("tidy", "", 60)], &["logs/", "pricing/"]),
        versioned(ruled("nw-versioned", vec![expires("tidy", "savepoints/", 30), noncurrent], &["savepoints/"])),
        ruled("nw-lake", vec![uploads], &["events/"]),
        versioned(ruled("nw-quiet", vec![moves("exports", "exports/", 30, "GLACIER"), expires("tmp", "tmp/", 1)], &["exports/", "tmp/"])),
    ]
    .into()
}

fn savepoint(bucket: &str, job: &str, id: &str, taken: &str, class: &str) -> Snapshot {
    Snapshot::new(bucket, &format!("{job}/savepoint-{id}"), at(taken), 24_576).files(6, 33_554_432, class)
}

/// A checkpoint that is 40 seconds old.
fn checkpoint(folder: &str, id: &str, number: u32) -> Snapshot {
    Snapshot::new("nw-checkpoints", &format!("{folder}/{id}/chk-{number}"), now().minus(Millis::seconds(40)), 31_744)
        .files(4, 1_048_576, "STANDARD")
}

/// 2026-10-05: ten jobs that run well.
pub(crate) fn buckets_at_work() -> Evidence {
    let now = now();
    let mut evidence = Evidence::empty(now);
    evidence.buckets = buckets();
    let clicks = "5f0e9d8c7b6a45f4a3b2c1d0e9f8a7b6";
    let shared = format!("checkpoints/clickstream/{clicks}/shared/");
    let incremental = checkpoint("checkpoints/clickstream", clicks, 88_204)
        .refers_to(&format!("{shared}0f6f2a34-1f0a-4c7e-9f57-6d5a1f2b3c4d"), 67_108_864, at("2026-09-07T11:20:00Z"), "STANDARD")
        .refers_to(&format!("{shared}8b1d7c95-2e3f-4a5b-8c6d-7e8f9a0b1c2d"), 67_108_864, at("2026-10-04T23:10:00Z"), "STANDARD");
    let read = |object: &mut ttl_audit::evidence::ObjectEvidence| {
        object.head = crate::scene::head("nw-tiered", &object.key, "INTELLIGENT_TIERING", now);
    };
    let catalog = savepoint("nw-tiered", "savepoints/catalog", "a1c9e7-0b1c2d3e4f5a", "2026-08-20T06:00:00Z", "INTELLIGENT_TIERING");
    let at_rest = |job: &str, taken: &str, id: &str| {
        let folder = format!("savepoints/{job}");
        place(now, "nw-quiet", &folder, vec![savepoint("nw-quiet", &folder, id, taken, "STANDARD")])
    };
    let orders = savepoint("nw-shared", "flink/savepoints/orders", "90cd34-aa11bb22cc33", "2026-09-10T04:00:00Z", "STANDARD");
    let ledger = savepoint("nw-versioned", "savepoints/ledger", "17fe02-5b6c7d8e9f0a", "2026-09-25T04:00:00Z", "STANDARD");
    evidence.places = [
        place(now, "nw-shared", "flink/savepoints/orders", vec![orders]),
        place(now, "nw-checkpoints", "checkpoints/clickstream", vec![incremental]),
        place(
            now,
            "nw-checkpoints",
            "checkpoints/clickstream-full",
            vec![checkpoint("checkpoints/clickstream-full", "1a2b3c4d5e6f47809182a3b4c5d6e7f8", 41_077)],
        ),
        place(now, "nw-tiered", "savepoints/catalog", vec![catalog.each("INTELLIGENT_TIERING", read)]),
        place(now, "nw-checkpoints", "pricing", vec![checkpoint("pricing", "c3d4e5f60718492a8b3c4d5e6f708192", 63_310)]),
        place(now, "nw-ha", "pricing", Vec::new()),
        place(now, "nw-versioned", "savepoints/ledger", vec![ledger]),
        place(now, "nw-checkpoints", "stock", vec![checkpoint("stock", "e7f8091a2b3c4d5e8f60718293a4b5c6", 9_120)]),
        place(now, "nw-lake", "events", Vec::new()),
        at_rest("lake-writer", "2026-10-02T05:00:00Z", "33aa44-1122334455aa"),
        at_rest("payments", "2026-10-04T05:00:00Z", "77ab12-0c9d8e7f6a5b"),
    ]
    .into();
    let files = FilesSummary {
        objects: 5,
        bytes: Bytes(84_213_760),
        largest: Bytes(83_886_080),
        oldest: Some(at("2026-08-18T09:00:00Z")),
        newest: Some(now.minus(Millis::seconds(40))),
        classes: BTreeMap::from([("STANDARD".to_owned(), 5)]),
        complete: true,
    };
    for (location, place) in evidence.places.iter_mut().filter(|(location, _)| location.bucket() == "nw-ha") {
        place.files = Fact::seen(files.clone(), "nw-ha", format!("ListObjectsV2 of {location}"), now);
    }
    evidence
}
