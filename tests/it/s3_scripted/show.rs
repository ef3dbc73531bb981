//! `ttl-audit snapshot s3://…`.
#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::process::Output;

use serde_json::Value;

use super::state_files::bucket as bucket_of;
use crate::{
    harness::ttl_audit,
    s3_fake::{Bucket, Fake, Object, Reply, metadata},
    savepoint::fixtures::one,
};

const AT: &str = "2026-09-01T00:00:00.000Z";

fn run(fake: &Fake, path: &str, more: &[&str]) -> Output {
    let mut command = ttl_audit();
    command.env("AWS_ACCESS_KEY_ID", "k").env("AWS_SECRET_ACCESS_KEY", "planted-secret").arg("snapshot").arg(path);
    command.args(["--s3-endpoint", &fake.endpoint(), "--s3-region", "us-east-1", "--s3-store", "aws"]);
    let output = command.args(more).output().expect("it runs");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("SECRET"), "what the server says freely is not shown");
    output
}

fn json(fake: &Fake, path: &str, code: i32, more: &[&str]) -> Value {
    let output = run(fake, path, &[&["--format", "json"], more].concat());
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Without what only S3 has, and with paths as written.
fn comparable(mut summary: Value) -> Value {
    let folder = summary["location"].take().as_str().expect("a location").trim_end_matches('/').to_owned();
    let top = summary.as_object_mut().expect("an object");
    top.remove("stored");
    for file in summary["reach"]["files"].as_array_mut().expect("files") {
        let path = file["path"].as_str().expect("a path").to_owned();
        file["path"] = path.strip_prefix(&folder).unwrap_or(&path).into();
        file.as_object_mut().expect("an object").remove("stored");
    }
    // The paths were sorted whole.
    summary["reach"]["files"].as_array_mut().expect("files").sort_by_key(|file| file["path"].as_str().map(str::to_owned));
    summary
}

#[test]
fn it_says_what_a_local_folder_says() {
    for name in [
        "1.14.6/rocksdb-canonical-savepoint",
        "1.18.1/hashmap-checkpoint",
        "1.18.1/rocksdb-native-savepoint",
        "1.18.1/rocksdb-canonical-savepoint",
        "2.3.0/rocksdb-canonical-savepoint",
        "2.3.0/rocksdb-incremental-checkpoint",
    ] {
        let fixture = one(name);
        let fake = bucket_of(&fixture, "STANDARD").serve();
        let there = json(&fake, fixture.pointer(), 0, &["--read-state-headers", "--uid", "sessionize"]);
        let here =
            ttl_audit().arg("snapshot").arg(fixture.path()).args(["--format", "json", "--uid", "sessionize"]).output().expect("runs");
        let here: Value = serde_json::from_slice(&here.stdout).expect("JSON");
        let files = there["reach"]["files"].as_array().expect("files");
        assert!(!files.is_empty() && files.iter().all(|file| file["stored"]["state"] == "readable"), "{name}");
        assert_eq!(there["stored"]["states"]["readable"], files.len() + 1, "{name}");
        assert_eq!(comparable(there), comparable(here), "{name}");
        for operation in ["GetBucketLifecycleConfiguration", "GetBucketVersioning", "Other"] {
            assert_eq!(fake.count(operation), 0, "{operation} is not needed");
        }
        assert_eq!(fake.count("GetObject"), 1);
    }
}

/// Field case F18: the same savepoint in many spellings is one.
#[test]
fn one_snapshot_in_many_spellings() {
    let folder = "flink/save points/savepoint-1";
    let fake = Bucket::new()
        .object(&format!("{folder}/_metadata"), Object::of(metadata([("a", 10)]), AT))
        .object(&format!("{folder}/a"), Object::new(10, AT))
        .serve();
    let mut shown = Vec::new();
    for path in [
        format!("s3://b/{folder}"),
        format!("s3a://b/{folder}/"),
        format!("s3p://b/{folder}/_metadata"),
        format!("s3n://b/{folder}/_metadata"),
    ] {
        let mut summary = json(&fake, &path, 0, &[]);
        summary["stored"]["at"].take();
        shown.push(summary);
    }
    assert!(shown.iter().all(|summary| *summary == shown[0]));
    assert_eq!(shown[0]["location"], "s3://b/flink/save points/savepoint-1/");
    // The twin: a bucket whose name differs by one character is another one.
    let output = run(&fake_without_buckets(), &format!("s3://c/{folder}"), &[]);
    assert_eq!(output.status.code(), Some(2));
}

fn fake_without_buckets() -> Fake {
    Bucket::new().on("HeadBucket", [Reply::new(404, "")]).on("ListObjectsV2", [Reply::error(404, "NoSuchBucket")]).serve()
}

#[test]
fn each_object_is_shown_with_what_became_of_it() {
    let glacier = || Object::new(10, AT).class("GLACIER");
    let names = ["plain", "instant", "archived", "restored", "restoring", "short", "gone"];
    let files: Vec<(&str, u64)> = names.iter().map(|name| (*name, 10)).collect();
    let fake = Bucket::new()
        .object("sp/savepoint-1/_metadata", Object::of(metadata(files), AT))
        .object("sp/savepoint-1/plain", Object::new(10, AT))
        .object("sp/savepoint-1/instant", Object::new(10, AT).class("GLACIER_IR"))
        .object("sp/savepoint-1/archived", glacier())
        .object(
            "sp/savepoint-1/restored",
            glacier().head("x-amz-restore", r#"ongoing-request="false", expiry-date="Fri, 21 Dec 2040 00:00:00 GMT""#),
        )
        .object("sp/savepoint-1/restoring", glacier().head("x-amz-restore", r#"ongoing-request="true""#))
        .object("sp/savepoint-1/short", Object::new(9, AT))
        .object("sp/savepoint-1/litter", Object::new(9, AT))
        .serve();
    let summary = json(&fake, "s3://b/sp/savepoint-1", 0, &[]);
    let files = summary["reach"]["files"].as_array().expect("files");
    for (name, state) in [
        ("plain", "readable"),
        ("instant", "readable"),
        ("archived", "archived"),
        ("restored", "restored"),
        ("restoring", "restoring"),
        ("short", "too-short"),
        ("gone", "missing"),
    ] {
        let file = files.iter().find(|file| file["path"].as_str().is_some_and(|path| path.ends_with(name))).expect("it is named");
        assert_eq!(file["stored"]["state"], state, "{file}");
    }
    let stored = &summary["stored"];
    assert_eq!((&stored["states"]["readable"], &stored["classes"]["GLACIER"]), (&3.into(), &3.into()));
    let litter = &summary["unreferenced"];
    assert_eq!((&litter["objects"], &litter["bytes"], &litter["complete"]), (&1.into(), &9.into(), &true.into()));
    assert_eq!(stored["metadata"]["state"], "readable");

    let text = String::from_utf8(run(&fake, "s3://b/sp/savepoint-1", &[]).stdout).expect("UTF-8");
    for part in [
        "3 readable, 1 restored for a time, 1 being restored, 1 archived, 1 too short, 1 missing",
        "1 archived: in GLACIER, no restored copy\n    s3://b/sp/savepoint-1/archived\n",
        "1 restored for a time: until 2040-12-21",
        "1 too short: it must have 10",
        "1 missing: it is not there, and was not there when it was looked for again\n    s3://b/sp/savepoint-1/gone\n",
        "in its folder and not named by this _metadata: 1 file (9 B)\nNot named here is not the same as not needed",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(fake.trespasses(), 0, "no state file is read");
}

#[test]
fn what_is_refused_is_unknown_and_incomplete() {
    let denied = Bucket::new().on_everything(&Reply::error(403, "AccessDenied")).on_head("x", Reply::new(403, ""));
    let body = metadata([("a", 10), ("s3://other/x", 1)]);
    let fake = Bucket::new()
        .object("sp/savepoint-1/_metadata", Object::of(body, AT))
        .object("sp/savepoint-1/a", Object::new(10, AT))
        .beside("other", denied)
        .serve();
    let summary = json(&fake, "s3://b/sp/savepoint-1", 3, &[]);
    let states = &summary["stored"]["states"];
    assert_eq!((&states["readable"], &states["unknown"]), (&2.into(), &1.into()));
}

#[test]
fn what_is_no_snapshot_says_why_and_what_next() {
    let two = || {
        Bucket::new()
            .object("sp/savepoint-1/_metadata", Object::of(metadata([]), AT))
            .object("sp/savepoint-2/_metadata", Object::of(metadata([]), "2026-09-02T00:00:00.000Z"))
            .object("sp/savepoint-3/a", Object::new(10, AT))
    };
    let metadata_archived = || two().on("GetObject", [Reply::error(403, "InvalidObjectState")]);
    let refused = || Bucket::new().on_everything(&Reply::error(403, "AccessDenied")).on_head("sp/_metadata", Reply::new(403, ""));
    for (bucket, path, code, parts) in [
        (two(), "s3://b/sp/", 2, ["s3://b/sp/ holds no `_metadata`", "2 snapshots lie below it; the newest is s3://b/sp/savepoint-2/"]),
        (two(), "s3://b/sp/savepoint-3", 2, ["holds no `_metadata`", "it is written last: the snapshot is not finished"]),
        (two(), "s3://b/elsewhere", 2, ["holds no `_metadata`", "nothing lies there"]),
        (two().on("GetObject", [Reply::new(200, "PAR1")]), "s3://b/sp/savepoint-1", 2, ["is damaged", "at byte 0"]),
        (
            two().on("HeadBucket", [Reply::new(404, "")]).on("ListObjectsV2", [Reply::error(404, "NoSuchBucket")]),
            "s3://b/sp",
            2,
            ["there is no such bucket", "check the bucket's name"],
        ),
        (refused(), "s3://b/sp", 3, ["ListObjectsV2 s3://b/sp/_metadata", "needs s3:ListBucket on the bucket (HTTP 403 AccessDenied)"]),
        (
            two().on("GetObject", [Reply::error(403, "AccessDenied")]),
            "s3://b/sp/savepoint-1",
            3,
            ["GetObject", "needs s3:GetObject on the object"],
        ),
        (metadata_archived(), "s3://b/sp/savepoint-1", 3, ["GetObject", "its _metadata is archived"]),
        (
            two().on("GetObject", [Reply::error(404, "NoSuchKey")]),
            "s3://b/sp/savepoint-1",
            3,
            ["moving", "was deleted while it was looked at"],
        ),
        (Bucket::new().on_everything(&Reply::error(400, "ExpiredToken")), "s3://b/sp", 3, ["HeadBucket", "credentials have expired"]),
    ] {
        let fake = bucket.serve();
        let output = run(&fake, path, &[]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{text}");
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(output.stdout.is_empty());
    }
}

/// Both what a listing and what an answer says of the size is a claim.
#[test]
fn a_metadata_of_any_size_is_refused_within_bounds() {
    let listed = Bucket::new().object("sp/savepoint-1/_metadata", Object::new(600 << 20, AT)).serve();
    let announced = Bucket::new()
        .object("sp/savepoint-1/_metadata", Object::new(10, AT))
        .on("GetObject", [Reply::new(200, "x").header("content-length", &(600_u64 << 20).to_string())])
        .serve();
    for fake in [&listed, &announced] {
        let output = run(fake, "s3://b/sp/savepoint-1", &["--timeout", "5s"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("a _metadata of more than 512.0 MiB is not read"), "{text}");
    }
    assert_eq!(listed.count("GetObject"), 0);
}

/// Three retained checkpoints of a job, and one that is not finished: which files do the others need too?
#[test]
fn files_that_several_snapshots_share_are_told() {
    let shared = |n: u32| format!("s3://b/ckp/0f/shared/{n}");
    let mut bucket = Bucket::new().object("ckp/0f/chk-10/a", Object::new(1, AT));
    for n in 7..10 {
        let files = [("own".to_owned(), 1), (shared(1), 1), (shared(n), 1)];
        let body = metadata(files.iter().map(|(path, size)| (path.as_str(), *size)));
        let folder = format!("ckp/0f/chk-{n}");
        bucket = bucket.object(&format!("{folder}/_metadata"), Object::of(body, AT)).object(&format!("{folder}/own"), Object::new(1, AT));
        bucket = bucket.object(&format!("ckp/0f/shared/{n}"), Object::new(1, AT));
    }
    let fake = bucket.object("ckp/0f/shared/1", Object::new(1, AT)).serve();
    let summary = json(&fake, "s3://b/ckp/0f/chk-9", 0, &[]);
    let others: Vec<_> = summary["compared_with"].as_array().expect("others").iter().map(|other| &other["files_in_common"]).collect();
    assert_eq!(others, [&Value::from(1), &Value::from(1)]);
    let also_in = |end: &str| {
        let files = summary["reach"]["files"].as_array().expect("files");
        files.iter().find(|file| file["path"].as_str().is_some_and(|path| path.ends_with(end))).expect("it is named")["also_in"].clone()
    };
    assert_eq!((also_in("shared/1"), also_in("shared/9"), also_in("/own")), (2.into(), 0.into(), 0.into()));
    let text = String::from_utf8(run(&fake, "s3://b/ckp/0f/chk-9", &[]).stdout).expect("UTF-8");
    assert!(text.contains("2 other snapshots beside it need 1 of these files too"), "{text}");
    assert_eq!(fake.trespasses(), 0);

    // The same of a local folder; the twin without neighbours is compared with none.
    let folder = tempfile::tempdir().expect("a folder");
    for n in 8..10 {
        let files = [(shared(1), 1), (shared(n), 1)];
        std::fs::create_dir(folder.path().join(format!("chk-{n}"))).expect("a folder");
        let body = metadata(files.iter().map(|(path, size)| (path.as_str(), *size)));
        std::fs::write(folder.path().join(format!("chk-{n}/_metadata")), body).expect("a file");
    }
    let local = |name: &str| -> Value {
        let output = ttl_audit().arg("snapshot").arg(folder.path().join(name)).args(["--format", "json"]).output().expect("runs");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    assert_eq!(local("chk-9")["compared_with"][0]["files_in_common"], 1);
    std::fs::remove_file(folder.path().join("chk-8/_metadata")).expect("it is there");
    assert!(local("chk-9").get("compared_with").is_none());
}
