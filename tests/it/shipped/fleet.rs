//! A platform team's quarter: every rule fires somewhere, and healthy jobs stay quiet.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{
        BucketEvidence, ClusterEvidence, Evidence, Fact, Lifecycle, LifecycleRule, ObjectHead, Restore, RuleFilter, Store, StoreKind,
        TopicEvidence, Transition, Versioning, VersioningStatus, When,
    },
    units::{Instant, Millis, S3Location},
};

use crate::scene::{Snapshot, Topic, at, bucket, cluster, place};

fn now() -> Instant {
    at("2026-10-01T06:00:00Z")
}

/// Seven days of retention, segments of a day, records by the broker's clock: the oldest is 7 d 20 h old.
fn week(rate: u64) -> Topic {
    Topic::new(now(), now().minus(Millis::hours(188)), 6, rate)
        .set_length("segment.ms", Millis::days(1))
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(48_000_000)
}

/// A topic that does not exist, and that is known: the right to describe it is there.
fn missing(name: &str) -> TopicEvidence {
    let gap = |call: &str| (format!("topic {name} does not exist (UNKNOWN_TOPIC_OR_PARTITION)"), format!("{call} of topic {name}"));
    let offsets = || {
        let (reason, call) = gap("ListOffsets");
        Fact::absent(reason, call)
    };
    let (reason, metadata) = gap("Metadata");
    let (_, configs) = gap("DescribeConfigs");
    TopicEvidence {
        partitions: Fact::absent(&reason, metadata),
        settings: Fact::absent(&reason, configs),
        log_start: offsets(),
        log_end: offsets(),
        first_record: offsets(),
        largest_timestamp: offsets(),
        samples: Fact::absent(reason, format!("ListOffsets of topic {name}")),
    }
}

fn eu() -> ClusterEvidence {
    let now = now();
    let days = Millis::days;
    let mut eu = cluster(
        now,
        "x8Qm3nVRTaG5pLk0",
        [
            ("web-clicks", week(90_000).sampled_at(now.minus(days(14)))),
            (
                "payments",
                Topic::new(now, now.minus(days(34)), 6, 12_000)
                    .set_length("retention.ms", days(30))
                    .set("message.timestamp.type", "LogAppendTime")
                    .starting_at(5_100_000),
            ),
            ("orders", week(30_000)),
            ("shipments", week(22_000)),
            (
                "customers-changelog",
                Topic::new(now, now.minus(days(800)), 6, 4_000)
                    .set("cleanup.policy", "compact")
                    .set("message.timestamp.type", "LogAppendTime"),
            ),
            (
                "card-transactions",
                // The cleaner stopped: records stay longer than 7 d + 1 d + 5 min.
                Topic::new(now, now.minus(days(12)), 6, 61_000)
                    .set_length("segment.ms", days(1))
                    .set("message.timestamp.type", "LogAppendTime")
                    .starting_at(910_000_000),
            ),
            (
                "iot-telemetry",
                // 2026-09-30, in seconds.
                Topic::new(now, now.minus(days(7)), 6, 250_000)
                    .set_length("segment.ms", days(1))
                    .set("message.timestamp.before.max.ms", i64::MAX)
                    .first_timestamp(1_790_726_400)
                    .largest_timestamp(1_790_834_398),
            ),
            (
                "ad-impressions",
                Topic::new(now, now.minus(days(3)), 6, 800_000)
                    .set_length("segment.ms", days(1))
                    .set("retention.bytes", 53_687_091_200_u64)
                    .set("message.timestamp.type", "LogAppendTime")
                    .starting_at(2_000_000_000),
            ),
            (
                "audit-events",
                Topic::new(now, now.minus(days(400)), 3, 900).set("retention.ms", -1).set("message.timestamp.type", "LogAppendTime"),
            ),
            ("inventory-updates", week(15_000)),
            ("invoices", week(1_200)),
            ("products", week(2_500)),
            ("positions", week(7_000)),
            ("loyalty-points", week(5_000)),
            ("parcel-scans", week(44_000)),
        ],
    );
    eu.topics.insert("partner-events-v1".to_owned(), missing("partner-events-v1"));
    eu
}

/// A service that does not let this user read settings.
fn msk() -> ClusterEvidence {
    let mut msk = cluster(now(), "Zc81-mskserverless", [("product-views", week(19_000))]);
    let reason = "needs DESCRIBE_CONFIGS on topic product-views (TOPIC_AUTHORIZATION_FAILED)";
    for topic in msk.topics.values_mut() {
        topic.settings = Fact::denied(reason, "DescribeConfigs of topic product-views");
    }
    msk.broker = Fact::denied("needs DESCRIBE_CONFIGS on the cluster (CLUSTER_AUTHORIZATION_FAILED)", "DescribeConfigs of broker 1");
    msk
}

/// Captured in August, when the line to the plant was last up.
fn plant() -> ClusterEvidence {
    let then = at("2026-08-20T06:00:00Z");
    let alarms = Topic::new(then, then.minus(Millis::hours(180)), 1, 300).set_length("segment.ms", Millis::days(1));
    cluster(then, "plant-7", [("alarms", alarms)])
}

/// Moves what is older than 30 days to `GLACIER`.
fn archive() -> BucketEvidence {
    let rule = LifecycleRule {
        id: Some("archive-after-30-days".to_owned()),
        filter: RuleFilter { prefix: Some("savepoints/".to_owned()), ..RuleFilter::default() },
        transitions: vec![Transition { when: When::Days(30), storage_class: "GLACIER".to_owned() }],
        ..LifecycleRule::default()
    };
    let mut archive = bucket(now(), "acme-archive", "eu-central-1");
    let lifecycle = Lifecycle { rules: vec![rule], transition_default_minimum_object_size: Some("all_storage_classes_128K".to_owned()) };
    archive.lifecycle = Fact::seen(lifecycle, "acme-archive", "GetBucketLifecycleConfiguration of acme-archive", now());
    archive.prefixes =
        Fact::seen(vec!["reports/".to_owned(), "savepoints/".to_owned()], "acme-archive", "ListObjectsV2 of acme-archive", now());
    archive
}

fn versioned(mut bucket: BucketEvidence, name: &str) -> BucketEvidence {
    let versioning = Versioning { status: VersioningStatus::Enabled, mfa_delete: false };
    bucket.versioning = Fact::seen(versioning, name, format!("GetBucketVersioning of {name}"), now());
    bucket
}

/// A store in the lab that knows neither versioning nor locks.
fn lab() -> BucketEvidence {
    let unsupported = |call: &str| (format!("{call} is not implemented by this store (NotImplemented)"), format!("{call} of acme-lab"));
    let mut lab = bucket(now(), "acme-lab", "us-east-1");
    lab.store = Store { kind: StoreKind::Other, because: "store: other in the audit file".to_owned() };
    let (reason, call) = unsupported("ListBucketIntelligentTieringConfigurations");
    lab.intelligent_tiering = Fact::unsupported(reason, call);
    lab
}

/// What HeadObject says of an archived object.
fn head(key: &str, class: &str, restore: Option<Restore>) -> Fact<ObjectHead> {
    let head = ObjectHead { storage_class: Some(class.to_owned()), restore, ..ObjectHead::default() };
    Fact::seen(head, "acme-archive", format!("HeadObject of {key}"), now())
}

fn healthy(job: &str, id: &str, taken: &str) -> (S3Location, ttl_audit::evidence::PlaceEvidence) {
    let folder = format!("savepoints/{job}");
    let savepoint = Snapshot::new("acme-flink", &format!("{folder}/savepoint-{id}"), at(taken), 24_576).files(6, 33_554_432, "STANDARD");
    place(now(), "acme-flink", &folder, vec![savepoint])
}

pub(crate) fn fleet() -> Evidence {
    let now = now();
    let mut evidence = Evidence::empty(now);
    evidence.kafka = BTreeMap::from([("eu".to_owned(), eu()), ("msk".to_owned(), msk()), ("plant".to_owned(), plant())]);
    evidence.buckets = BTreeMap::from([
        ("acme-flink".to_owned(), versioned(bucket(now, "acme-flink", "eu-central-1"), "acme-flink")),
        ("acme-lake".to_owned(), bucket(now, "acme-lake", "eu-central-1")),
        ("acme-archive".to_owned(), archive()),
        ("acme-lab".to_owned(), lab()),
    ]);
    let taken = "2026-09-29T04:00:00Z";
    let mut places: BTreeMap<S3Location, _> = [
        ("clickstream-sessions", "3f9a01-1b22c3d4e5f6"),
        ("payments-dedup", "77ab12-0c9d8e7f6a5b"),
        ("orders-enrichment", "90cd34-aa11bb22cc33"),
        ("fraud-scores", "ab3478-778899aabbcc"),
        ("iot-telemetry", "cd569a-ddeeff001122"),
        ("audit-trail", "019ade-99aabbccddee"),
        ("inventory-cache", "23bcf0-ff0011223344"),
        ("legacy-billing", "45de12-5566778899aa"),
        ("partner-feed", "67f034-bbccddeeff00"),
        ("reco-features", "891256-112233445566"),
    ]
    .into_iter()
    .map(|(job, id)| healthy(job, id, taken))
    // Its topic is sure to keep less than three days, and the job may be down for one.
    .chain([healthy("ad-impressions", "ef78bc-334455667788", "2026-10-01T04:00:00Z")])
    .collect();
    let old = at("2026-08-12T04:00:00Z");
    // Written by a copy job that chose the class: no rule of the bucket did.
    let customers = Snapshot::new("acme-flink", "savepoints/customer-profile/savepoint-12ef56-44dd55ee66ff", at(taken), 24_576).files(
        6,
        33_554_432,
        "STANDARD_IA",
    );
    let search = Snapshot::new("acme-archive", "savepoints/search-index/savepoint-5e1d20-7f8e9d0c1b2a", old, 24_576)
        .files(5, 67_108_864, "GLACIER")
        .files(1, 20_480, "STANDARD")
        .each("GLACIER", |object| object.head = head(&object.key, "GLACIER", None));
    let risk = Snapshot::new("acme-archive", "savepoints/risk-positions/savepoint-6f2e31-8091a2b3c4d5", old, 24_576)
        .files(5, 67_108_864, "GLACIER")
        .each("GLACIER", |object| object.head = head(&object.key, "GLACIER", Some(Restore::Until(at("2026-10-06")))));
    places.extend([
        place(now, "acme-archive", "savepoints/search-index", vec![search]),
        place(now, "acme-archive", "savepoints/risk-positions", vec![risk]),
        place(now, "acme-flink", "savepoints/customer-profile", vec![customers]),
        place(now, "acme-flink", "savepoints/loyalty-points", Vec::new()),
    ]);
    let checkpoint = |bucket: &str, job: &str, id: &str, n: u32| {
        let folder = format!("checkpoints/{job}");
        let newest = now.minus(Millis::seconds(50));
        let snapshot = Snapshot::new(bucket, &format!("{folder}/{id}/chk-{n}"), newest, 31_744).files(6, 1_048_576, "STANDARD");
        place(now, bucket, &folder, vec![snapshot])
    };
    places.extend([
        checkpoint("acme-flink", "clickstream-sessions", "3f9a01c7d2e84b5a90f1e2d3c4b5a697", 90_411),
        checkpoint("acme-lab", "shipping-eta", "b7c81d2e9f304a5b8c6d7e8f90a1b2c3", 7_730),
    ]);
    evidence.places = places;
    evidence
}
