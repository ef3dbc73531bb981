//! The recovery arithmetic against a real Apache Kafka: what the report counts is what a look at every single record gives.

use std::{collections::BTreeMap, fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;
use ttl_audit::{
    collect,
    units::{Instant, Millis},
};

use crate::{
    harness::{in_root, ttl_audit},
    kafka_broker::{Producer, broker},
    s3_moto::{boto3, moto},
};

/// A savepoint that Flink 1.18.1 wrote, with all of its state in `_metadata`. Its source goes on at 270, 300 and 269 in the partitions 0, 1
/// and 2 of topic `orders`.
const SAVEPOINT: &str = "tests/data/flink/1.18.1/inlined-savepoint/s3/acme-flink/savepoints/savepoint-941ba3-ffd70d9c4cf3/_metadata";

/// Its positions.
const POSITIONS: [i64; 3] = [270, 300, 269];

/// One record, as the test wrote it.
struct Written {
    partition: usize,
    offset: i64,
    stamped: Instant,
}

/// What a way costs on one UTC day.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cost {
    twice: u64,
    suppressed: u64,
}

/// The forty whole days before today, oldest first, with `before` records on each but the last two and `lately` on those, evenly over each
/// day and in order.
fn stamps(now: Instant, before: u64, lately: u64) -> Vec<Instant> {
    let today = now.start_of_day();
    let of_day = |day: u64| {
        let per_day = if day > 2 { before } else { lately };
        (0..per_day).map(move |n| today.minus(Millis::days(day)).plus(Millis::new(Millis::DAY.as_ms() / per_day * n)))
    };
    (1..=40).rev().flat_map(of_day).collect()
}

/// Uploads the savepoint with its topic's name changed for `topic`, which must be as long.
fn upload(topic: &str) {
    assert_eq!(topic.len(), "orders".len(), "the name is mapped in place");
    let metadata = fs::read(in_root(SAVEPOINT)).expect("_metadata");
    let mut changed = Vec::with_capacity(metadata.len());
    let mut rest = metadata.as_slice();
    while let Some((first, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(b"\0\x06orders") {
            changed.extend_from_slice(b"\0\x06");
            changed.extend_from_slice(topic.as_bytes());
            rest = after;
        } else {
            changed.push(*first);
            rest = after;
        }
    }
    let mapped = tempfile::NamedTempFile::new().expect("a file");
    fs::write(mapped.path(), changed).expect("_metadata");
    boto3(
        moto(),
        "client.create_bucket(Bucket='arithmetic')
client.put_object(Bucket='arithmetic', Key='savepoints/savepoint-941ba3-ffd70d9c4cf3/_metadata', Body=open(sys.argv[1], 'rb').read())
",
        &[&mapped.path().display().to_string()],
    );
}

fn live(folder: &Path, as_of: Instant) -> Command {
    let mut command = ttl_audit();
    command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test").env("AWS_EC2_METADATA_DISABLED", "true");
    command.arg("check").arg(folder).args(["--format", "json", "--by-day", "--as-of", &as_of.to_string()]);
    command
}

fn job_report(folder: &Path, as_of: Instant) -> Value {
    let output = live(folder, as_of).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    report.pointer("/jobs/0").expect("a job").clone()
}

fn audit(folder: &Path, manifest: &str) {
    fs::create_dir(folder.join("jobs")).expect("a folder");
    let audit = format!(
        "version: 1
audit: arithmetic
kafka:
  prod: {{ bootstrap.servers: \"{}\" }}
s3: {{ endpoint_url: \"{}\", region: us-east-1, store: aws }}
",
        broker().internal,
        moto().endpoint()
    );
    fs::write(folder.join("audit.yaml"), audit).expect("a file");
    fs::write(folder.join("jobs/job.yaml"), manifest).expect("a file");
}

fn replay<'a>(job: &'a Value, way: &str) -> &'a Value {
    let all = job["replay"].as_array().expect("replay");
    all.iter().find(|one| one["way"] == way).unwrap_or_else(|| panic!("no {way}: {job:#}"))
}

fn by_day(way: &Value) -> BTreeMap<String, Cost> {
    let days = way["by_day"].as_array().expect("by_day");
    let cost =
        |day: &Value| Cost { twice: day["twice"].as_u64().expect("a number"), suppressed: day["suppressed"].as_u64().expect("a number") };
    days.iter().map(|day| (day["day"].as_str().expect("a day").to_owned(), cost(day))).collect()
}

/// Goes through the records one by one.
fn counted(records: &[Written], starts: [i64; 4], recognised: impl Fn(&Written) -> bool) -> BTreeMap<String, Cost> {
    let mut days: BTreeMap<String, Cost> = BTreeMap::new();
    for record in records.iter().filter(|record| starts.get(record.partition).is_some_and(|start| record.offset >= *start)) {
        let day = days.entry(record.stamped.day()).or_default();
        if recognised(record) {
            day.suppressed += 1;
        } else {
            day.twice += 1;
        }
    }
    days
}

fn sum(days: &BTreeMap<String, Cost>, of: impl Fn(&Cost) -> u64) -> u64 {
    days.values().map(of).sum()
}

const FORTY: &str = "version: 1
job: forty-days
flink: { version: 1.18.1, state_backend: rocksdb }
sources:
  - { id: orders, uid: orders-source, topic: forty0, start: earliest }
operators:
  - { uid: dedup, role: deduplication, state: [{ name: seen-event-ids, kind: value, ttl: 7d }] }
sinks:
  - { id: warehouse, kind: jdbc, delivery: at-least-once, idempotent: false }
recovery:
  savepoints: [\"s3://arithmetic/savepoints/\"]
  restore: { from: savepoint }
";

/// Forty whole days of back-dated records in four partitions. Partition 1 was read to its end, partition 2 has lost its beginning, with 17
/// records that the savepoint had not read, and partition 3 came after the savepoint.
#[test]
fn forty_days_are_counted_to_the_record() {
    broker().seed("topic forty0 4 retention.ms=3888000000 segment.ms=3888000000 message.timestamp.type=CreateTime").expect("a topic");
    let now = collect::now();
    let mut records = Vec::new();
    for (partition, (before, lately)) in [(7, 500), (7, 17), (7, 500), (20, 100)].into_iter().enumerate() {
        let stamps = stamps(now, before, lately);
        let refused =
            Producer::new(broker()).write("forty0", i32::try_from(partition).expect("four"), stamps.iter().map(|stamp| stamp.epoch_ms()));
        assert!(refused.is_empty(), "{refused:?}");
        let number = |offset: usize| i64::try_from(offset).expect("thousands");
        records.extend(stamps.into_iter().enumerate().map(|(offset, stamped)| Written { partition, offset: number(offset), stamped }));
    }
    broker().seed("delete-records forty0 2 286").expect("deleted");
    upload("forty0");
    let folder = tempfile::tempdir().expect("a folder");
    audit(folder.path(), FORTY);

    let as_of = collect::now();
    let job = job_report(folder.path(), as_of);
    let starts = [0, 0, 286, 0];
    let next = [POSITIONS[0], POSITIONS[1], POSITIONS[2], 0];
    let remembered = as_of.minus(Millis::days(7));

    // Offset reset: the state knows what it saw, if that is not older than the TTL.
    let reset = replay(&job, "offset-reset");
    assert!(!reset["note"].as_str().expect("a note").contains("positions were not read"), "{job:#}");
    let expected = counted(&records, starts, |record| record.stamped >= remembered && record.offset < next[record.partition]);
    assert_eq!(by_day(reset), expected);
    assert_eq!(reset["records_twice"], sum(&expected, |day| day.twice));
    assert_eq!(reset["records_suppressed"], sum(&expected, |day| day.suppressed));
    assert!(sum(&expected, |day| day.suppressed) > 90 && expected.len() == 40, "{expected:?}");
    assert_eq!((&reset["basis"], &reset["upper_bound"]), (&"measured".into(), &false.into()), "{reset:#}");

    // State loss: nothing is known.
    let lost = replay(&job, "state-loss");
    let expected = counted(&records, starts, |_| false);
    assert_eq!(by_day(lost), expected);
    assert_eq!(lost["records_twice"], 1_266 + 300 + 980 + 960);
    assert_eq!(job["back_without_duplicates"]["state_loss"]["records"], 3_506);

    // Snapshot: from its positions on, and the partition that it did not know from its beginning.
    let snapshot = replay(&job, "snapshot");
    let expected = counted(
        &records.iter().filter(|record| record.offset >= next[record.partition]).map(|record| Written { ..*record }).collect::<Vec<_>>(),
        starts,
        |_| false,
    );
    assert_eq!(snapshot["records_twice"], 996 + 980 + 960);
    assert_eq!(sum(&by_day(snapshot), |day| day.twice), sum(&expected, |day| day.twice));
    assert_eq!(snapshot["records_lost"], 17, "{snapshot:#}");
    assert_eq!(job["back_without_loss"]["state"], "no");
    assert!(job["back_without_loss"]["because"].as_str().expect("why").contains("17 records are gone"), "{job:#}");
}

fn plain_job(topic: &str, more: &str) -> String {
    format!(
        "version: 1
job: {topic}
sources:
  - {{ id: in, topic: {topic}, start: earliest{more} }}
operators:
  - {{ uid: dedup, role: deduplication, state: [{{ name: seen, kind: value, ttl: 7d }}] }}
sinks:
  - {{ id: out, kind: jdbc, delivery: at-least-once, idempotent: false }}
"
    )
}

fn of_plain_job(topic: &str, more: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    audit(folder.path(), &plain_job(topic, more));
    replay(&job_report(folder.path(), collect::now()), "state-loss").clone()
}

/// Ten records that were committed, five that were aborted, five that were committed: fifteen reach a reader, and the offsets say 23.
#[test]
fn transactions_make_an_upper_bound() {
    broker().seed("topic in-transactions 1").expect("a topic");
    let producer = Producer::with(broker(), &[("transactional.id", "arithmetic")]);
    producer.init_transactions();
    let now = collect::now().epoch_ms();
    for (records, commit) in [(10, true), (5, false), (5, true)] {
        producer.transaction(commit, || producer.write("in-transactions", 0, (0..records).map(|n| now - 1_000 + n)));
    }
    let told = of_plain_job("in-transactions", ", transactional: true");
    assert_eq!(told["records_twice"], 10 + 1 + 5 + 1 + 5 + 1);
    assert_eq!(told["upper_bound"], true);
    assert!(told["note"].as_str().expect("a note").contains("topic in-transactions is written in transactions"), "{told:#}");
    // Nothing that is asked of the cluster tells: the report says what it assumes.
    let untold = of_plain_job("in-transactions", "");
    assert_eq!((&untold["records_twice"], &untold["upper_bound"]), (&23.into(), &false.into()));
}

/// A hundred updates of two keys: once compacted, far fewer records are left than offsets lie between the ends.
#[test]
fn compaction_makes_an_upper_bound() {
    broker().seed("topic compacted 1 cleanup.policy=compact\ntopic compacted-twin 1").expect("topics");
    let now = collect::now().epoch_ms();
    for topic in ["compacted", "compacted-twin"] {
        let producer = Producer::new(broker());
        for n in 0..100 {
            assert!(producer.write_keyed(topic, 0, &format!("key-{}", n % 2), now - 1_000 + n).is_empty());
        }
    }
    let compacted = of_plain_job("compacted", "");
    assert_eq!((&compacted["records_twice"], &compacted["upper_bound"]), (&100.into(), &true.into()), "{compacted:#}");
    assert!(compacted["note"].as_str().expect("a note").contains("topic compacted is compacted"), "{compacted:#}");
    let twin = of_plain_job("compacted-twin", "");
    assert_eq!((&twin["records_twice"], &twin["upper_bound"]), (&100.into(), &false.into()));
}
