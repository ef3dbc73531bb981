//! Snapshots that Flink wrote, put into a real server, damaged one object at a time, and audited by the real program.

use std::{fs, path::Path, sync::OnceLock};

use serde_json::{Value, json};
use ttl_audit::{collect, savepoint::Metadata};

use crate::{
    harness::{in_root, ttl_audit},
    s3_moto::{boto3, moto},
    savepoint::fixtures::{Fixture, one},
};

/// The jobs: name, snapshot, kind of place, and what is done to which object.
const JOBS: [(&str, &str, &str); 7] = [
    ("whole", "1.18.1/rocksdb-canonical-savepoint", "nothing"),
    ("bereft", "2.3.0/rocksdb-canonical-savepoint", "delete"),
    ("archived", "1.18.1/rocksdb-incremental-checkpoint", "GLACIER"),
    ("restored", "2.3.0/rocksdb-incremental-checkpoint", "restore"),
    ("tiered", "1.18.1/hashmap-checkpoint", "GLACIER_IR"),
    ("short", "1.18.1/rocksdb-native-savepoint", "truncate"),
    ("headless", "1.18.1/rocksdb-full-checkpoint", "archive _metadata"),
];

const UPLOAD: &str = "
client.create_bucket(Bucket='acme-flink')
for key, path, size, to in json.loads(sys.argv[1]):
    body = open(path, 'rb').read() if path else b'\\0' * size
    put = dict(Bucket='acme-flink', Key=key)
    if to == 'delete':
        continue
    if to == 'truncate':
        client.put_object(Body=body[:-1], **put)
    elif to in ('GLACIER', 'GLACIER_IR', 'restore'):
        client.put_object(Body=body, StorageClass='GLACIER' if to == 'restore' else to, **put)
    else:
        client.put_object(Body=body, **put)
    if to == 'restore':
        client.restore_object(RestoreRequest={'Days': 3}, **put)
";

/// The object of each job that something is done to, by its whole key.
fn victims() -> &'static Vec<(&'static str, String)> {
    static VICTIMS: OnceLock<Vec<(&'static str, String)>> = OnceLock::new();
    VICTIMS.get_or_init(|| {
        let mut uploads = Vec::new();
        let mut victims = Vec::new();
        for (job, name, done) in JOBS {
            let fixture = one(name);
            let folder = fixture.pointer().strip_prefix("s3://acme-flink/").expect("in the bucket").trim_end_matches('/').to_owned();
            let metadata = format!("{folder}/_metadata");
            let reach = Metadata::read(&fixture.bytes).expect("Flink wrote it").reach(fixture.pointer()).files;
            // The last one: it is never empty, and of the incremental ones it lies in `shared/`.
            let victim = reach.iter().rfind(|file| file.min_size > 0).expect("it needs files").s3.clone().expect("in S3");
            for file in &reach {
                let at = file.s3.as_ref().expect("in S3");
                let to = if *at == victim { done } else { "nothing" };
                uploads.push(json!([at.key(), kept(&fixture, &file.path), file.min_size, to]));
            }
            let to = if done == "archive _metadata" { "GLACIER" } else { "nothing" };
            uploads.push(json!([metadata, fixture.path().join("_metadata").display().to_string(), 0, to]));
            victims.push((job, if done == "archive _metadata" { metadata } else { victim.key().to_owned() }));
        }
        boto3(moto(), UPLOAD, &[&Value::from(uploads).to_string()]);
        victims
    })
}

/// Where a state file is kept on this machine, if it is.
fn kept(fixture: &Fixture, path: &str) -> Option<String> {
    let file = in_root("tests/data/flink").join(&fixture.name).join("s3").join(path.strip_prefix("s3://")?);
    file.exists().then(|| file.display().to_string())
}

/// The name of that object within its folder: no other object is called so, but for `_metadata`, which is told by its folder.
fn victim(job: &str) -> &'static str {
    let key = &victims().iter().find(|(name, _)| *name == job).expect("a job").1;
    key.strip_suffix("/_metadata").unwrap_or(key).rsplit('/').next().expect("a name")
}

fn pointer(name: &str) -> String {
    one(name).pointer().to_owned()
}

/// An audit of all these jobs.
fn audit(folder: &Path, operators: &str) {
    victims();
    fs::create_dir(folder.join("jobs")).expect("a folder");
    let audit = format!("version: 1\naudit: live\ns3: {{ endpoint_url: \"{}\", region: us-east-1, store: aws }}\n", moto().endpoint());
    fs::write(folder.join("audit.yaml"), audit).expect("a file");
    for (job, name, _) in JOBS {
        let at = pointer(name);
        let recovery =
            if at.contains("/chk-") { format!("checkpoints: {{ location: \"{at}\" }}") } else { format!("savepoints: [\"{at}\"]") };
        let manifest = format!(
            "version: 1\njob: {job}\nsources: [{{ id: orders, kind: kinesis, retention: 1d }}]\n{operators}recovery:\n  {recovery}\n"
        );
        fs::write(folder.join(format!("jobs/{job}.yaml")), manifest).expect("a file");
    }
}

/// Runs `check` and returns its report.
fn check(folder: &Path, more: &[&str]) -> Value {
    let mut command = ttl_audit();
    command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "planted-secret").env("AWS_EC2_METADATA_DISABLED", "true");
    let output = command.arg("check").arg(folder).args(["--format", "json"]).args(more).output().expect("it runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// What a rule found of a job.
fn found<'a>(report: &'a Value, rule: &str, job: &str) -> Option<&'a Value> {
    report["findings"].as_array().expect("findings").iter().find(|finding| finding["rule"] == rule && finding["job"] == job)
}

#[test]
fn each_damage_is_found_and_names_its_object() {
    let folder = tempfile::tempdir().expect("a folder");
    audit(folder.path(), "");
    let saved = folder.path().join("saved.json");
    let as_of = collect::now().to_string();
    let mut live = check(folder.path(), &["--as-of", &as_of, "--save-evidence", saved.to_str().expect("text")]);

    for (rule, job) in [
        ("snapshot-incomplete", "bereft"),
        ("snapshot-incomplete", "short"),
        ("snapshot-unreadable", "archived"),
        ("snapshot-unreadable", "headless"),
        ("snapshot-restored-temporarily", "restored"),
        ("snapshot-tiering-exposed", "tiered"),
    ] {
        let finding = found(&live, rule, job).unwrap_or_else(|| panic!("{rule} of {job}: {live:#}"));
        assert!(finding.to_string().contains(victim(job)), "{rule} of {job} names {}: {finding:#}", victim(job));
        for (other, ..) in JOBS.iter().filter(|(other, ..)| *other != job && *other != "headless") {
            assert!(!finding.to_string().contains(victim(other)), "{rule} of {job} names {}", victim(other));
        }
    }
    for rule in
        ["snapshot-missing", "snapshot-incomplete", "snapshot-unreadable", "snapshot-restored-temporarily", "snapshot-tiering-exposed"]
    {
        assert!(found(&live, rule, "whole").is_none(), "{rule}: the twin is whole");
        let of: Vec<&Value> = live["findings"].as_array().expect("findings").iter().filter(|finding| finding["rule"] == rule).collect();
        assert!(of.len() <= 2, "one finding for each snapshot that is hit: {of:#?}");
    }
    // What an archived `_metadata` needs is not known, and nothing else is claimed of it.
    assert!(found(&live, "snapshot-incomplete", "headless").is_none());
    let unknown = live["unknown"].as_array().expect("unknown").iter().filter(|unknown| unknown["job"] == "headless");
    assert!(unknown.clone().any(|unknown| unknown["reason"].as_str().is_some_and(|reason| reason.contains("_metadata is archived"))));

    let mut offline = check(folder.path(), &["--as-of", &as_of, "--evidence", saved.to_str().expect("text")]);
    assert_eq!(live["evidence"]["source"].take(), "live");
    offline["evidence"]["source"].take();
    assert_eq!(live, offline);
}

/// The manifest says that a state has a TTL; the first bytes of the state files say that it has none. Nobody asked, nobody knows.
#[test]
fn state_headers_contradict_a_manifest_only_where_they_are_read() {
    const WRONG: &str = "operators:\n  - { uid: sessionize, reads: [orders], state: [{ name: profile, kind: value, ttl: 7d }, { name: session-pages, kind: map, ttl: 7d }] }\n";
    let folder = tempfile::tempdir().expect("a folder");
    audit(folder.path(), WRONG);
    let without = check(folder.path(), &["--job", "whole"]);
    assert!(found(&without, "ttl-contradicted", "whole").is_none());
    let unknown = without["unknown"].as_array().expect("unknown");
    assert!(unknown.iter().all(|unknown| unknown["rule"] != "ttl-contradicted"), "what is not asked makes nothing unknown: {unknown:#?}");

    let saved = folder.path().join("saved.json");
    let with = check(folder.path(), &["--job", "whole", "--read-state-headers", "--save-evidence", saved.to_str().expect("text")]);
    let finding = found(&with, "ttl-contradicted", "whole").unwrap_or_else(|| panic!("{with:#}"));
    assert!(finding["message"].as_str().is_some_and(|message| message.contains("profile")), "{finding:#}");
    let count = with["findings"].as_array().expect("findings").iter().filter(|finding| finding["rule"] == "ttl-contradicted").count();
    assert_eq!(count, 1, "session-pages has a TTL there");
    let evidence: Value = serde_json::from_slice(&fs::read(&saved).expect("evidence")).expect("JSON");
    let place = evidence["places"].as_object().expect("places").values().next().expect("a place");
    let read = &place["snapshots"]["seen"]["value"][0]["state_files"]["seen"]["value"];
    assert!(read["objects"].as_u64() > Some(0), "the evidence says what was read: {read}");
}

/// `snapshot s3://…` on what the server holds, against `snapshot` on the folder that it came from.
#[test]
fn a_snapshot_is_shown_from_the_server_as_from_its_folder() {
    victims();
    let fixture = one("1.18.1/rocksdb-canonical-savepoint");
    let show = |path: &str, more: &[&str]| -> Value {
        let mut command = ttl_audit();
        command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test").env("AWS_REGION", "us-east-1");
        let output = command.args(["snapshot", path, "--format", "json"]).args(more).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let stored = show(fixture.pointer(), &["--s3-endpoint", moto().endpoint(), "--read-state-headers"]);
    let local = show(fixture.path().to_str().expect("text"), &[]);
    for field in ["format_version", "checkpoint_id", "kind", "traits", "then", "state_size", "operators", "master_states"] {
        assert_eq!(stored[field], local[field], "{field}");
    }
    let files = |summary: &Value| summary["reach"]["files"].as_array().expect("files").len();
    assert_eq!(files(&stored), files(&local));
    assert_eq!(stored["stored"]["states"]["readable"], files(&local) + 1);
}
