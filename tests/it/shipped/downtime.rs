//! What a stop costs: one story a job, and beside each the same job where nothing is lost.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{BucketEvidence, Evidence, Fact, Versioning, VersioningStatus},
    units::{Instant, Millis},
};

use crate::scene::{Snapshot, Topic, at, bucket, cluster, committed, operator, place};

const SAVEPOINTS: &str = "harbour-savepoints";
const CHECKPOINTS: &str = "harbour-checkpoints";

fn now() -> Instant {
    at("2026-11-16T06:00:00Z")
}

/// A topic that keeps its records for so long and whose first record was stamped then: 24,000 records a day in 4 partitions.
fn topic(retention: Millis, segment: Millis, first: &str, start: i64) -> Topic {
    Topic::new(now(), at(first), 4, 6_000)
        .set_length("retention.ms", retention)
        .set_length("segment.ms", segment)
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(start)
}

/// Retention of 7 d, and a first record as old as that allows.
fn week(start: i64) -> Topic {
    topic(Millis::days(7), Millis::days(1), "2026-11-08T12:00:00Z", start)
}

/// One job: its topic, where its savepoint goes on, and when that was taken.
struct Story {
    job: &'static str,
    operator: &'static str,
    topic: (&'static str, Topic),
    savepoint: (&'static str, Vec<u64>),
    /// The number of its newest checkpoint, which is 40 s old.
    checkpoint: Option<u32>,
}

impl Story {
    /// A job that had read everything when its savepoint was taken.
    fn of(
        job: &'static str,
        operator: &'static str,
        name: &'static str,
        topic: Topic,
        taken: &'static str,
        checkpoint: Option<u32>,
    ) -> Self {
        let positions = topic.positions(at(taken));
        Self { job, operator, topic: (name, topic), savepoint: (taken, positions), checkpoint }
    }

    fn snapshot(&self, snapshot: Snapshot, next: Vec<u64>) -> Snapshot {
        snapshot
            .files(4, 16_777_216, "STANDARD")
            .reading(&format!("{}-source", self.job), self.topic.0, next)
            .operator(operator(self.operator))
    }
}

fn stories() -> Vec<Story> {
    let day = Millis::days(1);
    let (short, hour) = (Millis::hours(6), Millis::hours(1));
    vec![
        // Two days and a quarter before the topic's first record, at 6,000 records a day in each partition.
        Story {
            savepoint: ("2026-11-06T06:00:00Z", vec![486_500; 4]),
            ..Story::of("billing", "sum-invoices", "invoices", week(500_000), "2026-11-10", Some(8_412))
        },
        Story::of("billing-eu", "sum-invoices", "invoices.eu", week(320_000), "2026-11-14T06:00:00Z", Some(7_790)),
        // The topic was created again three days ago, with three partitions instead of four.
        Story {
            savepoint: ("2026-11-12T06:00:00Z", vec![910_400; 4]),
            ..Story::of(
                "gates",
                "open-visits",
                "gate-scans",
                Topic::new(now(), at("2026-11-13T09:00:00Z"), 3, 6_000)
                    .set_length("segment.ms", day)
                    .set("message.timestamp.type", "LogAppendTime"),
                "2026-11-14",
                None,
            )
        },
        Story::of("gates-eu", "open-visits", "gate-scans.eu", week(870_000), "2026-11-14T06:00:00Z", None),
        Story::of(
            "tickets",
            "join-payments",
            "ticket-orders",
            topic(Millis::days(5), day, "2026-11-10T18:00:00Z", 140_000),
            "2026-11-13T06:00:00Z",
            Some(12_033),
        ),
        Story::of(
            "tickets-eu",
            "join-payments",
            "ticket-orders.eu",
            topic(Millis::days(5), day, "2026-11-10T18:00:00Z", 90_000),
            "2026-11-13T06:00:00Z",
            Some(11_806),
        ),
        Story::of(
            "codes",
            "open-codes",
            "code-requests",
            topic(short, hour, "2026-11-16T00:10:00Z", 2_600_000),
            "2026-11-16T05:00:00Z",
            Some(98_115),
        ),
        Story::of(
            "codes-eu",
            "open-codes",
            "code-requests.eu",
            topic(Millis::days(2), day, "2026-11-13T18:00:00Z", 1_900_000),
            "2026-11-16T05:00:00Z",
            Some(97_640),
        ),
        Story::of("ledger", "balances", "postings", week(210_000), "2026-11-12T06:00:00Z", Some(30_418)),
        Story::of("ledger-eu", "balances", "postings.eu", week(180_000), "2026-11-15T06:00:00Z", Some(29_977)),
    ]
}

fn versioned(name: &str) -> (String, BucketEvidence) {
    let mut seen = bucket(now(), name, "eu-central-1");
    let versioning = Versioning { status: VersioningStatus::Enabled, mfa_delete: false };
    seen.versioning = Fact::seen(versioning, name, format!("GetBucketVersioning of {name}"), now());
    (name.to_owned(), seen)
}

/// 2026-11-16: ten jobs that run well, and five of them would not come back as they are.
pub(crate) fn downtime() -> Evidence {
    let now = now();
    let mut evidence = Evidence::empty(now);
    let stories = stories();
    let mut kafka = cluster(now, "harbour-1", stories.iter().map(|story| story.topic.clone()));
    for (number, story) in (1_u32..).zip(&stories) {
        let (name, topic) = &story.topic;
        kafka.groups.extend([committed(now, story.job, name, &topic.positions(now))]);
        let (taken, next) = &story.savepoint;
        let folder = format!("{}/savepoint-{number:06x}-5b6c7d8e9f0a", story.job);
        let savepoint = story.snapshot(Snapshot::new(SAVEPOINTS, &folder, at(taken), 20_480), next.clone());
        evidence.places.extend([place(now, SAVEPOINTS, story.job, vec![savepoint])]);
        if let Some(checkpoint) = story.checkpoint {
            let folder = format!("{}/{number:08x}6b7a45f4a3b2c1d0e9f8a7b6/chk-{checkpoint}", story.job);
            let taken = Snapshot::new(CHECKPOINTS, &folder, now.minus(Millis::seconds(40)), 20_480);
            evidence.places.extend([place(now, CHECKPOINTS, story.job, vec![story.snapshot(taken, topic.positions(now))])]);
        }
    }
    evidence.kafka = BTreeMap::from([("events".to_owned(), kafka)]);
    evidence.buckets = BTreeMap::from([versioned(SAVEPOINTS), versioned(CHECKPOINTS)]);
    evidence
}
