//! How jobs are restarted and what their sinks promise: pairs of jobs that differ in one thing.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{ClusterEvidence, Evidence, Fact, FilesSummary, PlaceEvidence, SettingSource, Versioning, VersioningStatus},
    savepoint::summary::OperatorSummary,
    units::{Bytes, Instant, Millis, S3Location},
};

use crate::scene::{Snapshot, Topic, at, bucket, cluster, committed, operator, place, setting};

const BUCKET: &str = "tp-flink";

fn now() -> Instant {
    at("2026-11-02T08:00:00Z")
}

/// A topic that keeps its records for `retention`, rolls each `segment`, and is half a segment away from the next deletion.
fn topic(retention: Millis, segment: Millis, rate: u64) -> Topic {
    let half = Millis::new(segment.as_ms() / 2);
    Topic::new(now(), now().minus(retention.plus(half)), 4, rate)
        .set_length("retention.ms", retention)
        .set_length("segment.ms", segment)
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(4_200_000)
}

fn named(name: &str) -> Topic {
    let (days, day) = (Millis::days, Millis::DAY);
    match name {
        "parcel-events" => topic(days(30), day, 12_000),
        "orders" => topic(days(7), day, 3_000),
        "pickups" => topic(days(2), Millis::hours(1), 800),
        _ => topic(days(7), day, 500),
    }
}

/// Settings of the brokers that somebody has written into their files.
fn set(mut cluster: ClusterEvidence, key: &str, value: &str) -> ClusterEvidence {
    let Fact::Seen(broker) = &mut cluster.broker else { panic!("the brokers tell") };
    broker.value.extend([setting(key, value, SettingSource::StaticBroker, None)]);
    cluster
}

fn clusters() -> BTreeMap<String, ClusterEvidence> {
    let now = now();
    let topics = ["parcel-events", "orders", "pickups", "locker-events"];
    let lockers = named("locker-events").positions(now);
    let mut core = cluster(now, "tp-core-1", topics.map(|name| (name, named(name))));
    core.groups.extend([committed(now, "locker-mails", "locker-events", &lockers)]);
    let mut edge = set(cluster(now, "tp-edge-1", [("locker-events", named("locker-events"))]), "offsets.retention.minutes", "1440");
    edge.groups.extend([committed(now, "locker-alerts", "locker-events", &lockers)]);
    let four_days = Millis::days(4).as_ms().to_string();
    let partners = set(cluster(now, "tp-partners-1", []), "transaction.max.timeout.ms", &four_days);
    [("core", core), ("edge", edge), ("partners", partners)].map(|(name, seen)| (name.to_owned(), seen)).into()
}

/// A snapshot of a job that has read `topic` up to then.
fn snapshot(folder: &str, taken_at: Instant, topic: &str, stateful: Option<&str>) -> Snapshot {
    let snapshot = Snapshot::new(BUCKET, folder, taken_at, 24_576).files(4, 8_388_608, "STANDARD");
    let snapshot = snapshot.reading("events-source", topic, named(topic).positions(taken_at));
    match stateful {
        Some(uid) => snapshot.operator(OperatorSummary { keyed_state: true, state_size: Bytes(33_554_432), ..operator(uid) }),
        None => snapshot,
    }
}

/// A checkpoint of half a minute ago.
fn checkpoint((job, topic, stateful): (&str, &str, Option<&str>)) -> (S3Location, PlaceEvidence) {
    let folder = format!("checkpoints/{job}");
    // A job id as Flink gives them, here one that follows from the name.
    let id = job.bytes().fold(0xcbf2_9ce4_8422_2325_u128, |id, byte| (id ^ u128::from(byte)).wrapping_mul(0x0100_0000_01b3_0000_0000_013b));
    let taken = snapshot(&format!("{folder}/{id:032x}/chk-48211"), now().minus(Millis::seconds(30)), topic, stateful);
    place(now(), BUCKET, &folder, vec![taken])
}

/// A savepoint of two days ago.
fn savepoint((job, topic, stateful): (&str, &str, Option<&str>)) -> (S3Location, PlaceEvidence) {
    let folder = format!("savepoints/{job}");
    let taken = snapshot(&format!("{folder}/savepoint-7c40de-52fa0b8e1c93"), at("2026-10-31T06:00:00Z"), topic, stateful);
    place(now(), BUCKET, &folder, vec![taken])
}

const PARCELS: &str = "parcel-events";
const CHECKPOINTED: [(&str, &str, Option<&str>); 23] = [
    ("receipts", PARCELS, Some("build-receipts")),
    ("receipts-customs", PARCELS, Some("build-receipts")),
    ("receipts-partners", PARCELS, Some("build-receipts")),
    ("locker-alerts", "locker-events", None),
    ("locker-mails", "locker-events", None),
    ("pickups-earliest", "pickups", Some("dedup-pickups")),
    ("pickups-latest", "pickups", Some("dedup-pickups")),
    ("pickups-none", "pickups", Some("dedup-pickups")),
    ("customer-totals", "orders", Some("totals")),
    ("customer-week", "orders", Some("totals")),
    ("lake-orders", "orders", None),
    ("lake-returns", "orders", None),
    ("pricing", PARCELS, Some("price-list")),
    ("pricing-kept", PARCELS, Some("price-list")),
    ("routes", PARCELS, Some("route-legs")),
    ("routes-strict", PARCELS, Some("route-legs")),
    ("tracking", PARCELS, Some("last-seen")),
    ("tracking-ha", PARCELS, Some("last-seen")),
    ("sms", PARCELS, Some("compose")),
    ("sms-sure", PARCELS, Some("compose")),
    ("notify", PARCELS, Some("dedup-events")),
    ("notify-once", PARCELS, Some("dedup-events")),
    ("heatmap-kept", PARCELS, Some("tiles")),
];
const SAVED: [(&str, &str, Option<&str>); 4] = [
    ("lake-orders", "orders", None),
    ("lake-returns", "orders", None),
    ("heatmap", PARCELS, Some("tiles")),
    ("heatmap-kept", PARCELS, Some("tiles")),
];
const CANCELLED: [(&str, &str, Option<&str>); 2] = [("eta", PARCELS, Some("eta-model")), ("eta-kept", PARCELS, Some("eta-model"))];

/// 2026-11-02: every job is running.
pub(crate) fn pairs() -> Evidence {
    let now = now();
    let mut evidence = Evidence::empty(now);
    evidence.kafka = clusters();
    evidence.buckets = [BUCKET, "tp-lake"]
        .map(|name| {
            let mut seen = bucket(now, name, "eu-west-1");
            let versioning = Versioning { status: VersioningStatus::Enabled, mfa_delete: false };
            seen.versioning = Fact::seen(versioning, name, format!("GetBucketVersioning of {name}"), now);
            (name.to_owned(), seen)
        })
        .into();
    evidence.places = CHECKPOINTED.into_iter().chain(CANCELLED).map(checkpoint).chain(SAVED.map(savepoint)).collect();
    let (location, mut high_availability) = place(now, BUCKET, "ha/tracking-ha", Vec::new());
    let files = FilesSummary {
        objects: 3,
        bytes: Bytes(41_943_040),
        largest: Bytes(41_900_032),
        oldest: Some(at("2026-09-21T09:00:00Z")),
        newest: Some(now.minus(Millis::seconds(30))),
        classes: BTreeMap::from([("STANDARD".to_owned(), 3)]),
        complete: true,
    };
    high_availability.files = Fact::seen(files, BUCKET, format!("ListObjectsV2 of {location}"), now);
    evidence.places.insert(location, high_availability);
    evidence
}
