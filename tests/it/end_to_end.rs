//! From a real Kafka and an S3 server to a report, and the same report from what was saved.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;
use ttl_audit::{collect, units::Millis};

use crate::{
    harness::{in_root, ttl_audit},
    kafka_broker::{Producer, broker},
    s3_moto::{boto3, moto},
};

const JOB: &str = "version: 1
job: user-engagement
flink: { version: 1.18.1, state_backend: rocksdb }
sources:
  - { id: engagement, uid: engagement-source, CLUSTER topic: TOPIC, group_id: user-engagement, start: earliest }
operators:
  - { uid: dedup-events, role: deduplication, state: [{ name: seen-event-ids, kind: value, ttl: 7d }] }
sinks:
  - { id: redshift, kind: firehose, delivery: at-least-once, idempotent: false }
recovery:
  savepoints: [\"s3://msi-flink-savepoints/user-engagement/sp-2026-08-14/\"]
  restore: { from: savepoint }
";

/// A topic that keeps 30 days, with four records a day in each of two partitions for 29 days.
fn topic(name: &str) {
    broker().seed(&format!("topic {name} 2 retention.ms=2592000000 message.timestamp.type=CreateTime")).expect("a topic");
    let now = collect::now();
    for partition in 0..2 {
        let stamps = (0..29 * 4).rev().map(|n| now.minus(Millis::hours(6 * n)).minus(Millis::minutes(1)).epoch_ms());
        assert!(Producer::new(broker()).write(name, partition, stamps).is_empty());
    }
}

fn job(topic: &str, cluster: &str) -> String {
    JOB.replace("TOPIC", topic).replace("CLUSTER", cluster)
}

fn audit(folder: &Path, topic: &str) {
    fs::create_dir(folder.join("jobs")).expect("a folder");
    let audit = format!(
        "version: 1
audit: end-to-end
kafka:
  prod: {{ bootstrap.servers: \"{}\" }}
s3: {{ endpoint_url: \"{}\", region: us-east-1, store: aws }}
",
        broker().internal,
        moto().endpoint()
    );
    fs::write(folder.join("audit.yaml"), audit).expect("a file");
    fs::write(folder.join("jobs/user-engagement.yaml"), job(topic, "cluster: prod,")).expect("a file");
}

fn live() -> Command {
    let mut command = ttl_audit();
    command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "planted-secret").env("AWS_EC2_METADATA_DISABLED", "true");
    command
}

/// Runs and returns exit code and JSON report; nothing that was printed holds the secret.
fn report(command: &mut Command) -> (i32, Value) {
    let output = command.output().expect("it runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!stdout.contains("planted-secret") && !stderr.contains("planted-secret"));
    let report = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    (output.status.code().expect("an exit code"), report)
}

fn rules(report: &Value) -> Vec<&str> {
    report["findings"].as_array().expect("findings").iter().filter_map(|finding| finding["rule"].as_str()).collect()
}

#[test]
fn live_and_offline_on_what_was_saved_are_the_same_report() {
    topic("e2e-engagement");
    let folder = tempfile::tempdir().expect("a folder");
    audit(folder.path(), "e2e-engagement");
    let saved = folder.path().join("saved.json");
    let as_of = collect::now().to_string();

    let (code, mut first) =
        report(live().arg("check").arg(folder.path()).args(["--format", "json", "--as-of", &as_of]).arg("--save-evidence").arg(&saved));
    let found = rules(&first);
    assert!(found.contains(&"ttl-below-retention"), "{found:?}");
    assert!(found.contains(&"snapshot-tiering-exposed"), "{found:?}");
    let text = fs::read_to_string(&saved).expect("evidence");
    assert!(!text.contains("planted-secret"));

    let (again, mut second) = report(
        ttl_audit()
            .arg("check")
            .arg(folder.path())
            .args(["--offline", "--format", "json", "--as-of", &as_of])
            .arg("--evidence")
            .arg(&saved),
    );
    assert_eq!(code, again);
    assert_eq!(first["evidence"]["source"].take(), "live");
    second["evidence"]["source"].take();
    assert_eq!(first, second);

    // `collect` writes the folder's own evidence, which `--offline` finds by itself.
    live().arg("collect").arg(folder.path()).assert().success();
    let (again, third) = report(ttl_audit().arg("check").arg(folder.path()).args(["--offline", "--format", "json"]));
    assert_eq!(code, again);
    assert_eq!(rules(&third), rules(&second));
}

#[test]
fn the_quick_way_needs_no_audit_file() {
    topic("e2e-quick");
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = folder.path().join("job.yaml");
    fs::write(&manifest, job("e2e-quick", "")).expect("a file");
    let (code, found) = report(live().env("AWS_REGION", "us-east-1").arg("check").arg(&manifest).args([
        "--format",
        "json",
        "--bootstrap-servers",
        &broker().internal,
        "--s3-endpoint",
        moto().endpoint(),
    ]));
    assert!(rules(&found).contains(&"ttl-below-retention"), "{found:#}");
    // Without an audit file nothing says that the endpoint follows AWS's rules, so a class alone makes no finding.
    assert!(!rules(&found).contains(&"snapshot-tiering-exposed"), "{found:#}");
    assert!(code == 1 || code == 3, "{code}");
}

const REMEDIED: &str = "version: 1
job: orders
sources:
  - { id: orders, kind: kinesis, retention: 7d }
recovery:
  savepoints: [\"s3://e2e-remedy/savepoints/orders/\"]
  restore: { from: savepoint }
";

/// What the report gives to paste is put into the bucket, as `aws s3api put-bucket-lifecycle-configuration` would, and the bucket is asked
/// again: the rule does its work for the other prefixes, and nothing threatens the savepoints any more.
#[test]
fn the_configuration_that_a_finding_proposes_makes_the_next_check_clean() {
    let metadata = in_root("tests/data/flink/1.18.1/inlined-savepoint/s3/acme-flink/savepoints/savepoint-941ba3-ffd70d9c4cf3/_metadata")
        .display()
        .to_string();
    boto3(
        moto(),
        "client.create_bucket(Bucket='e2e-remedy')
client.put_object(Bucket='e2e-remedy', Key='savepoints/orders/savepoint-0a1b2c-0d1e2f3a4b5c/_metadata', Body=open(sys.argv[1], 'rb').read())
client.put_object(Bucket='e2e-remedy', Key='exports/2026/a.csv', Body=b'a')
client.put_bucket_lifecycle_configuration(Bucket='e2e-remedy', LifecycleConfiguration={'Rules': [
    {'ID': 'clean-up', 'Status': 'Enabled', 'Filter': {'Prefix': ''}, 'Expiration': {'Days': 30}}]})
",
        &[&metadata],
    );
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = folder.path().join("job.yaml");
    fs::write(&manifest, REMEDIED).expect("a file");
    let check = || {
        report(live().env("AWS_REGION", "us-east-1").arg("check").arg(&manifest).args([
            "--format",
            "json",
            "--s3-endpoint",
            moto().endpoint(),
        ]))
    };

    let (_, before) = check();
    assert!(rules(&before).contains(&"recovery-will-expire"), "{before:#}");
    let ways = before["findings"].as_array().expect("findings").iter().filter(|finding| finding["rule"] == "recovery-will-expire");
    let pasted = ways.flat_map(|finding| finding["remedy"].as_array().expect("ways out")).filter_map(|way| way["paste"].as_str());
    let configuration = pasted
        .filter_map(|text| text.split_once("<<'END_OF_CONFIGURATION'\n")?.1.split_once("\nEND_OF_CONFIGURATION\n"))
        .map(|(configuration, _)| configuration)
        .next()
        .expect("a configuration to paste");
    assert!(configuration.contains("exports/"), "{configuration}");

    boto3(
        moto(),
        "client.put_bucket_lifecycle_configuration(Bucket='e2e-remedy', LifecycleConfiguration=json.loads(sys.argv[1]))",
        &[configuration],
    );
    let (_, after) = check();
    assert!(!rules(&after).iter().any(|rule| rule.starts_with("recovery-will")), "{after:#}");
}
