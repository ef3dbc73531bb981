//! Large places: bounded in requests, in requests at the same time, and in memory.

use std::{
    collections::BTreeSet,
    fs,
    process::{Command, Stdio},
};

use super::savepoints;
use crate::{
    s3_fake::{Bucket, Object, metadata},
    s3_harness::{Run, audit, collected, place, value},
};

const AT: &str = "2026-09-01T00:00:00.000Z";
const NEW: &str = "2026-09-10T00:00:00.000Z";

fn file(size: u64) -> Object {
    Object::new(size, AT)
}

#[test]
fn sixteen_requests_are_in_flight_and_no_more() {
    let mut bucket = Bucket::new().object("sp/savepoint-1/_metadata", file(10));
    for n in 0..160 {
        bucket = bucket.object(&format!("sp/savepoint-1/{n:03}"), file(200 * 1024).class("INTELLIGENT_TIERING"));
    }
    let fake = bucket.serve_crowd(17);
    let evidence = collected(&savepoints(&fake));
    let snapshot = value(&place(&evidence, "b", "sp").snapshots).first().expect("a snapshot");
    assert_eq!(value(&snapshot.objects).len(), 161);
    assert_eq!(fake.count("HeadObject"), 161);
    let most = fake.most_at_once();
    assert!((9..=16).contains(&most), "{most} requests were in flight");
}

#[test]
fn the_bound_holds_over_several_places_and_snapshots() {
    let mut bucket = Bucket::new();
    for folder in 0..6 {
        for n in 0..12 {
            bucket = bucket
                .object(&format!("p{folder}/savepoint-{n}/_metadata"), file(10))
                .object(&format!("p{folder}/savepoint-{n}/a"), file(10).class("GLACIER"));
        }
    }
    let fake = bucket.serve_crowd(17);
    let places: Vec<String> = (0..6).map(|folder| format!("s3://b/p{folder}/")).collect();
    let s3 = format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", fake.endpoint());
    let run = Run { all_snapshots: true, ..Run::default() };
    let (evidence, _) = run.collect(&audit(&s3, &format!("savepoints: [{}]", places.join(", "))));
    for folder in 0..6 {
        assert_eq!(value(&place(&evidence, "b", &format!("p{folder}")).snapshots).len(), 12);
    }
    assert!(fake.most_at_once() <= 16, "{} requests were in flight", fake.most_at_once());
    // Each `_metadata` is read once, and the one listing of a place serves all its snapshots.
    assert_eq!(fake.count("GetObject"), 72);
    assert!(fake.count("ListObjectsV2") <= 6 + 2, "{} listings", fake.count("ListObjectsV2"));
}

#[test]
fn small_folders_of_a_large_place_are_listed_and_not_asked_one_by_one() {
    let mut bucket = Bucket::new();
    for n in 0..10_000 {
        let folder = format!("sp/savepoint-{n:05}");
        for file_name in ["0a", "1b", "2c", "a3", "f4"] {
            bucket = bucket.object(&format!("{folder}/{file_name}"), file(1));
        }
        if n % 1_000 != 7 {
            bucket = bucket.object(&format!("{folder}/_metadata"), if n == 4_321 { Object::new(10, NEW) } else { file(10) });
        }
    }
    let fake = bucket.serve();
    let evidence = collected(&savepoints(&fake));
    let found = place(&evidence, "b", "sp");
    assert_eq!(value(&found.snapshots)[0].location.key(), "sp/savepoint-04321");
    assert_eq!((found.not_looked_into, found.unfinished.len()), (9_989, 10));
    // 60 pages for 60,000 keys, 10 to see that they are many, 10 for the folders' names, and one at the end of each of sixteen parts.
    let asked = fake.requests().len();
    assert!(asked <= 110, "{asked} requests");
}

#[test]
fn large_folders_are_asked_for_their_metadata() {
    let mut bucket = Bucket::new();
    for n in 0..40 {
        for nth in 0..600 {
            bucket = bucket.object(&format!("sp/savepoint-{n:05}/{nth:04}"), file(1));
        }
        bucket = bucket.object(&format!("sp/savepoint-{n:05}/_metadata"), Object::new(10, if n == 17 { NEW } else { AT }));
    }
    let fake = bucket.serve();
    let evidence = collected(&savepoints(&fake));
    let found = place(&evidence, "b", "sp");
    assert_eq!(value(&found.snapshots)[0].location.key(), "sp/savepoint-00017");
    assert_eq!((found.not_looked_into, found.unfinished.len()), (39, 0));
    let asked = fake.requests().len();
    assert!(asked <= 10 + 40 + 12, "{asked} requests");
}

#[test]
fn what_many_snapshots_share_is_looked_up_once() {
    let names: Vec<String> = (0..3_000).map(|n| format!("s3://b/ckp/0f/shared/{n:05}")).collect();
    let body = metadata(names.iter().map(|name| (name.as_str(), 1)));
    let mut bucket = Bucket::new();
    for n in 0..30 {
        bucket = bucket.object(&format!("ckp/0f/chk-{n}/_metadata"), Object::of(body.clone(), AT));
    }
    for n in 0..20_000 {
        // Every tenth class needs a HEAD.
        let class = if n % 1_000 == 0 { "GLACIER" } else { "STANDARD" };
        bucket = bucket.object(&format!("ckp/0f/shared/{n:05}"), file(1).class(class));
    }
    let fake = bucket.serve();
    let s3 = format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", fake.endpoint());
    let run = Run { all_snapshots: true, ..Run::default() };
    let (evidence, _) = run.collect(&audit(&s3, "checkpoints: { location: s3://b/ckp/ }"));
    let snapshots = value(&place(&evidence, "b", "ckp").snapshots);
    assert_eq!(snapshots.len(), 30);
    for snapshot in snapshots {
        assert_eq!(value(&snapshot.objects).iter().filter(|object| object.found.shown().is_some()).count(), 3_001);
    }
    let pages =
        fake.requests().iter().filter(|request| request.query.get("prefix").is_some_and(|prefix| prefix == "ckp/0f/shared/")).count();
    assert!(pages <= 4, "{pages} pages for 3,000 objects of 30 snapshots");
    let headed: Vec<String> =
        fake.requests().into_iter().filter(|request| request.operation() == "HeadObject").map(|request| request.key).collect();
    assert_eq!(headed.len(), headed.iter().collect::<BTreeSet<_>>().len(), "no object is headed twice");
    let counted: u64 = snapshots.iter().map(|snapshot| snapshot.requests).sum();
    assert!(counted > 30 && counted < evidence.buckets["b"].requests, "{counted} of {}", evidence.buckets["b"].requests);
}

/// 10,000 checkpoint folders, and a newest one that needs 100,000 objects: the real program, from outside.
#[test]
fn ten_thousand_folders_and_a_reach_of_a_hundred_thousand() {
    let names: Vec<String> = (0..100_000).map(|n| format!("s3://b/ckp/0f/shared/{n:08}")).collect();
    let body = metadata(names.iter().map(|name| (name.as_str(), 1)));
    let mut bucket = Bucket::new();
    for n in 0..10_000 {
        bucket = bucket.object(&format!("ckp/0f/chk-{n}/a"), file(1));
        let own = if n == 9_999 { Object::of(body.clone(), NEW) } else { file(10) };
        bucket = bucket.object(&format!("ckp/0f/chk-{n}/_metadata"), own);
    }
    for n in 0..100_000 {
        bucket = bucket.object(&format!("ckp/0f/shared/{n:08}"), file(1));
    }
    let fake = bucket.serve();
    let folder = tempfile::tempdir().expect("a folder");
    let job = folder.path().join("job.yaml");
    let manifest = "version: 1\njob: j\nsources: [{ id: in, kind: kinesis, retention: 7d }]\nrecovery:\n  checkpoints: { location: s3://b/ckp/, incremental: true }\n";
    fs::write(&job, manifest).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ttl-audit"));
    command.env_clear().env("AWS_ACCESS_KEY_ID", "k").env("AWS_SECRET_ACCESS_KEY", "s").env("AWS_REGION", "us-east-1");
    command.arg("check").arg(&job).args(["--format", "json", "--s3-endpoint", &fake.endpoint()]);
    let report = fs::File::create(folder.path().join("report.json")).expect("a file");
    let talk = fs::File::create(folder.path().join("talk")).expect("a file");
    let mut process = command.stdin(Stdio::null()).stdout(report).stderr(talk).spawn().expect("it starts");
    let mut peak = 0;
    let status = loop {
        peak = resident_peak(process.id()).unwrap_or(peak);
        if let Some(status) = process.try_wait().expect("it runs") {
            break status;
        }
        std::thread::yield_now();
    };
    let talk = fs::read_to_string(folder.path().join("talk")).expect("text");
    assert!(status.code() == Some(0) || status.code() == Some(1) || status.code() == Some(3), "{status}: {talk}");
    assert_eq!(talk, "", "progress is for terminals");
    let report: serde_json::Value = serde_json::from_slice(&fs::read(folder.path().join("report.json")).expect("a report")).expect("JSON");
    let snapshot = &report["jobs"][0]["snapshots"][0];
    assert_eq!((&snapshot["objects"], &snapshot["readable"]), (&100_001.into(), &"yes".into()), "{snapshot}");
    let asked = fake.requests().len();
    assert!(asked <= 220, "{asked} requests");
    assert!(fake.most_at_once() <= 16, "{} requests were in flight", fake.most_at_once());
    if cfg!(target_os = "linux") {
        assert!((1..400 * 1024).contains(&peak), "{peak} KiB at most");
    }
}

/// The most memory that a process has held, in KiB.
fn resident_peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
