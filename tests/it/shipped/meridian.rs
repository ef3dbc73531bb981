//! The Meridian incident and its repair.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{
        BucketEvidence, ClusterEvidence, Evidence, Fact, GroupOffsets, Lifecycle, LifecycleRule, RuleFilter, Transition, Versioning,
        VersioningStatus, When,
    },
    savepoint::summary::{KeyedStateSummary, OperatorSummary, TtlPresence},
    units::{Bytes, Instant, Millis},
};

use crate::scene::{Snapshot, Topic, at, bucket, cluster, committed, operator, place};

const TOPIC: &str = "user-engagement-events";
const GROUP: &str = "user-engagement";
const SAVEPOINTS: &str = "msi-flink-savepoints";
const CHECKPOINTS: &str = "msi-flink-checkpoints";
/// 80 MB of state, in files that are larger than the 128 KiB below which S3 moves nothing.
const FILES: u32 = 8;
const FILE: u64 = 10_000_000;

/// 43,000 records a day in four partitions. The log start is 2026-08-15T00:00, a day after the savepoint.
fn events(captured_at: Instant, first: &str) -> Topic {
    Topic::new(captured_at, at(first), 4, 10_750)
        .set_length("retention.ms", Millis::days(30))
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(2_418_750)
}

fn kafka(now: Instant, topic: Topic, group: (String, Fact<GroupOffsets>)) -> BTreeMap<String, ClusterEvidence> {
    let mut cluster = cluster(now, "lkc-8m2v7", [(TOPIC, topic)]);
    cluster.groups.extend([group]);
    BTreeMap::from([("confluent-prod".to_owned(), cluster)])
}

/// The state of the job as its snapshots hold it.
fn read(snapshot: Snapshot, next: impl IntoIterator<Item = u64>, state: u64) -> Snapshot {
    let seen = KeyedStateSummary {
        name: "seen-event-ids".to_owned(),
        kind: Some("VALUE".to_owned()),
        backend_type: "KEY_VALUE".to_owned(),
        ttl: TtlPresence::On,
        ttl_settings: None,
        serializers: BTreeMap::new(),
        best_effort: false,
    };
    let dedup = OperatorSummary { state_size: Bytes(state), keyed_states: vec![seen], ..operator("dedup-events") };
    snapshot.reading("engagement-source", TOPIC, next).operator(dedup)
}

/// Moves everything in the bucket that matches `prefix` to `GLACIER_IR` after 30 days.
fn tiering(prefix: &str) -> LifecycleRule {
    LifecycleRule {
        id: Some("tier-cold-data".to_owned()),
        filter: RuleFilter { prefix: Some(prefix.to_owned()), ..RuleFilter::default() },
        transitions: vec![Transition { when: When::Days(30), storage_class: "GLACIER_IR".to_owned() }],
        ..LifecycleRule::default()
    }
}

fn with_rules(mut bucket: BucketEvidence, captured_at: Instant, rules: Vec<LifecycleRule>) -> BucketEvidence {
    let lifecycle = Lifecycle { rules, transition_default_minimum_object_size: Some("all_storage_classes_128K".to_owned()) };
    bucket.lifecycle = Fact::seen(lifecycle, SAVEPOINTS, format!("GetBucketLifecycleConfiguration of {SAVEPOINTS}"), captured_at);
    bucket.prefixes = Fact::seen(
        ["exports/", "raw-events/", "user-engagement/"].map(str::to_owned).to_vec(),
        SAVEPOINTS,
        format!("ListObjectsV2 of {SAVEPOINTS}"),
        captured_at,
    );
    bucket
}

fn versioned(mut bucket: BucketEvidence, name: &str, captured_at: Instant) -> BucketEvidence {
    let versioning = Versioning { status: VersioningStatus::Enabled, mfa_delete: false };
    bucket.versioning = Fact::seen(versioning, name, format!("GetBucketVersioning of {name}"), captured_at);
    bucket
}

/// 2026-09-15: the job is running, and could not come back clean.
pub(crate) fn incident() -> Evidence {
    let now = at("2026-09-15");
    let mut evidence = Evidence::empty(now);
    let topic = events(now, "2026-08-15T00:00:03Z").sampled_at(now.minus(Millis::days(7)));
    let end = topic.positions(now);
    let group = committed(now, GROUP, TOPIC, &end);
    evidence.kafka = kafka(now, topic, group);
    evidence.buckets = BTreeMap::from([
        (SAVEPOINTS.to_owned(), with_rules(bucket(now, SAVEPOINTS, "us-east-1"), now, vec![tiering("")])),
        (CHECKPOINTS.to_owned(), bucket(now, CHECKPOINTS, "us-east-1")),
    ]);
    let savepoint = Snapshot::new(SAVEPOINTS, "user-engagement/savepoint-7b1f0c-4c0f9a2b3c4d", at("2026-08-14"), 18_432).files(
        FILES,
        FILE,
        "GLACIER_IR",
    );
    // A day before the log start.
    let savepoint = read(savepoint, [2_408_000; 4], u64::from(FILES) * FILE);
    let checkpoint =
        Snapshot::new(CHECKPOINTS, "user-engagement/7b1f0c9d4e5a4c0f9a2b3c4d5e6f7081/chk-46117", at("2026-09-14T23:59:30Z"), 18_432)
            .files(FILES, FILE, "STANDARD");
    let checkpoint = read(checkpoint, end, u64::from(FILES) * FILE);
    evidence.places = BTreeMap::from([
        place(now, SAVEPOINTS, "user-engagement", vec![savepoint]),
        place(now, CHECKPOINTS, "user-engagement", vec![checkpoint]),
    ]);
    evidence
}

/// 2026-12-15: a TTL of 32 d, `segment.ms` of 1 d, savepoints in `STANDARD`, no rule on their prefix, versioning on.
pub(crate) fn repaired() -> Evidence {
    let now = at("2026-12-15");
    let mut evidence = Evidence::empty(now);
    let topic = events(now, "2026-11-14T09:10:00Z")
        .set_length("segment.ms", Millis::days(1))
        .starting_at(6_332_000)
        .sampled_at(now.minus(Millis::days(32)));
    let (planned, newest) = (at("2026-12-14T06:00:00Z"), at("2026-12-14T23:59:30Z"));
    let positions = [planned, newest].map(|at| topic.positions(at));
    let group = committed(now, GROUP, TOPIC, &positions[1]);
    evidence.kafka = kafka(now, topic, group);
    let rules = vec![tiering("exports/"), LifecycleRule { id: Some("tier-raw-events".to_owned()), ..tiering("raw-events/") }];
    evidence.buckets = BTreeMap::from([
        (SAVEPOINTS.to_owned(), versioned(with_rules(bucket(now, SAVEPOINTS, "us-east-1"), now, rules), SAVEPOINTS, now)),
        (CHECKPOINTS.to_owned(), versioned(bucket(now, CHECKPOINTS, "us-east-1"), CHECKPOINTS, now)),
    ]);
    let savepoint =
        Snapshot::new(SAVEPOINTS, "user-engagement/savepoint-c0d2e4-91ab37de5520", planned, 18_944).files(8, 45_000_000, "STANDARD");
    let checkpoint = Snapshot::new(CHECKPOINTS, "user-engagement/c0d2e41f6b7a8c9d0e1f2a3b4c5d6e7f/chk-112804", newest, 18_944)
        .files(8, 45_000_000, "STANDARD");
    let [savepoint_positions, checkpoint_positions] = positions;
    let savepoint = read(savepoint, savepoint_positions, 360_000_000);
    let checkpoint = read(checkpoint, checkpoint_positions, 360_000_000);
    evidence.places = BTreeMap::from([
        place(now, SAVEPOINTS, "user-engagement", vec![savepoint]),
        place(now, CHECKPOINTS, "user-engagement", vec![checkpoint]),
    ]);
    evidence
}
