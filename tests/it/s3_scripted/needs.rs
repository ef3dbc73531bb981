//! What a snapshot needs, wherever it lies.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ttl_audit::evidence::{Fact, ReachedObject, Reference, SnapshotEvidence};

use super::savepoints;
use crate::{
    s3_fake::{Bucket, Fake, Object, Reply, metadata},
    s3_harness::{assert_gap, audit, collected, place, value},
};

const AT: &str = "2026-09-01T00:00:00.000Z";

fn file(size: u64) -> Object {
    Object::new(size, AT)
}

/// A savepoint whose `_metadata` names these files.
fn naming<'a>(files: impl IntoIterator<Item = (&'a str, u64)>) -> Bucket {
    Bucket::new().object("sp/savepoint-1/_metadata", file(10).body(metadata(files)))
}

fn snapshot(fake: &Fake) -> SnapshotEvidence {
    let evidence = collected(&savepoints(fake));
    assert_eq!(fake.trespasses(), 0, "only _metadata is read");
    value(&place(&evidence, "b", "sp").snapshots).first().expect("a snapshot").clone()
}

fn found<'a>(snapshot: &'a SnapshotEvidence, end: &str) -> &'a ReachedObject {
    value(&snapshot.objects).iter().find(|object| object.key.ends_with(end)).unwrap_or_else(|| panic!("no {end}"))
}

#[test]
fn objects_are_found_wherever_they_lie() {
    let other = Bucket::new().object("old/savepoint-0/c", file(30).class("STANDARD_IA"));
    let fake = naming([("a", 10), ("s3a://b/ckp/0f/shared/b", 20), ("s3://other/old/savepoint-0/c", 30)])
        .object("sp/savepoint-1/a", file(10))
        .object("sp/savepoint-1/litter", file(99))
        .object("ckp/0f/shared/b", file(20))
        .beside("other", other)
        .serve();
    let evidence = collected(&savepoints(&fake));
    let snapshot = value(&place(&evidence, "b", "sp").snapshots).first().expect("a snapshot");
    let uris: Vec<String> = value(&snapshot.objects).iter().map(ReachedObject::uri).collect();
    assert_eq!(
        uris,
        ["s3://b/sp/savepoint-1/_metadata", "s3://b/ckp/0f/shared/b", "s3://b/sp/savepoint-1/a", "s3://other/old/savepoint-0/c"],
        "_metadata first, and litter is not needed"
    );
    let c = found(snapshot, "/c");
    assert_eq!((c.reference, c.min_size.0, c.shared, c.references), (Reference::Absolute, 30, true, 1));
    assert_eq!(value(&c.found).storage_class.as_deref(), Some("STANDARD_IA"));
    assert_eq!(found(snapshot, "/a").reference, Reference::Relative);
    assert!(evidence.buckets.contains_key("other"), "the other bucket's rules are asked too");
    assert_eq!(value(&snapshot.unreferenced).objects, 1);
    let read = value(&snapshot.metadata);
    assert_eq!((read.checkpoint_id, read.operators.len()), (7, 1));
    assert!(read.operators[0].keyed_state);
    assert_eq!(fake.count("GetObject"), 1);
}

#[test]
fn what_is_not_there_is_looked_for_twice_and_then_absent() {
    let fake = naming([("a", 10), ("gone", 10), ("s3://b/ckp/0f/shared/x", 20)]).object("sp/savepoint-1/a", file(10)).serve();
    let snapshot = snapshot(&fake);
    assert_gap(&found(&snapshot, "/gone").found, "absent", "looked for again");
    assert_gap(&found(&snapshot, "/x").found, "absent", "looked for again");
    value(&found(&snapshot, "/a").found);
}

#[test]
fn a_denied_bucket_and_another_file_system_are_not_missing_objects() {
    let denied = Bucket::new().on_everything(&Reply::error(403, "AccessDenied")).on_head("x", Reply::new(403, ""));
    let fake = naming([("s3://other/x", 1), ("hdfs://nn/ckp/y", 1), ("file:///tmp/z", 1)]).beside("other", denied).serve();
    let snapshot = snapshot(&fake);
    assert_gap(&found(&snapshot, "x").found, "denied", "");
    assert_gap(&found(&snapshot, "/y").found, "unsupported", "hdfs");
    let z = found(&snapshot, "/z");
    assert_gap(&z.found, "unsupported", "file");
    assert_eq!(z.bucket, None);
}

#[test]
fn a_bucket_that_is_gone_takes_its_objects_along() {
    let gone = Bucket::new().on("HeadBucket", [Reply::new(404, "")]).on("ListObjectsV2", [Reply::error(404, "NoSuchBucket")]);
    let fake = naming([("s3://other/x", 1)]).beside("other", gone).serve();
    assert_gap(&found(&snapshot(&fake), "x").found, "absent", "no such bucket");
}

#[test]
fn a_metadata_that_cannot_be_read_leaves_everything_else_unknown() {
    for (reply, kind, reason) in [
        (Reply::error(403, "AccessDenied"), "denied", "s3:GetObject"),
        (Reply::error(403, "InvalidObjectState"), "failed", "archived"),
        (Reply::new(200, "this is no metadata"), "failed", "damaged"),
    ] {
        let fake = naming([]).on("GetObject", [reply]).serve();
        let snapshot = snapshot(&fake);
        assert_gap(&snapshot.objects, kind, reason);
        assert_gap(&snapshot.metadata, kind, reason);
        assert_eq!(value(&snapshot.file).key, "sp/savepoint-1/_metadata");
    }
}

#[test]
fn a_snapshot_that_is_deleted_meanwhile_gives_way_to_the_next_look() {
    let body = metadata([("a", 10)]);
    let fake =
        naming([]).object("sp/savepoint-1/a", file(10)).on("GetObject", [Reply::error(404, "NoSuchKey"), Reply::new(200, body)]).serve();
    assert!(matches!(found(&snapshot(&fake), "/a").found, Fact::Seen(_)));
    assert_eq!(fake.count("GetObject"), 2);

    let fake = naming([]).on("GetObject", [Reply::error(404, "NoSuchKey")]).serve();
    assert_gap(&snapshot(&fake).objects, "failed", "moving");
    assert_eq!(fake.count("GetObject"), 3, "three tries");
}

/// A running job: a checkpoint is deleted, with a file that only it needed, after its `_metadata` was read. Nothing is missing from it.
#[test]
fn a_checkpoint_that_is_superseded_meanwhile_gives_way_to_the_newer_one() {
    let checkpoint = |n: u32| {
        let shared = format!("ckp/0f/shared/{n}");
        let body = metadata([("a", 10), (format!("s3://b/{shared}").as_str(), 20)]);
        let folder = format!("ckp/0f/chk-{n}");
        let own = Bucket::new().object(&format!("{folder}/_metadata"), Object::of(body, AT)).object(&format!("{folder}/a"), file(10));
        own.object(&shared, file(20))
    };
    let (before, after) = (checkpoint(7), checkpoint(8));
    let read = AtomicBool::new(false);
    let fake = Fake::start(move |request| {
        let answer = if read.load(Ordering::SeqCst) { after.answer(request) } else { before.answer(request) };
        if request.operation() == "GetObject" {
            read.store(true, Ordering::SeqCst);
        }
        answer
    });
    let s3 = format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", fake.endpoint());
    let evidence = collected(&audit(&s3, "checkpoints: { location: s3://b/ckp/ }"));
    let found = place(&evidence, "b", "ckp");
    let newest = value(&found.snapshots).first().expect("a checkpoint");
    assert_eq!(newest.location.key(), "ckp/0f/chk-8");
    assert!(value(&newest.objects).iter().all(|object| matches!(object.found, Fact::Seen(_))));
    assert_eq!(fake.count("GetObject"), 2);
}

/// The twin: the checkpoint is still there, and an object of it is not. It is missing only if a second listing does not show it either.
#[test]
fn an_object_that_the_second_listing_shows_is_not_missing() {
    let here = || naming([("s3://b/ckp/0f/shared/x", 20)]);
    for (shown, listings) in [(true, 2), (false, 3)] {
        let (without, with) = (here(), here().object("ckp/0f/shared/x", file(20)));
        let listed = AtomicUsize::new(0);
        let fake = Fake::start(move |request| {
            let sought = request.query.get("prefix").is_some_and(|prefix| prefix.starts_with("ckp/0f/shared/"));
            let nth = if sought { listed.fetch_add(1, Ordering::SeqCst) } else { 0 };
            if nth > 0 && shown { with.answer(request) } else { without.answer(request) }
        });
        let snapshot = snapshot(&fake);
        let x = &found(&snapshot, "/x").found;
        assert_eq!(matches!(x, Fact::Seen(_)), shown, "{x:?}");
        let looked = |request: &crate::s3_fake::Request| {
            request.operation() == "ListObjectsV2"
                && request.query.get("prefix").is_some_and(|prefix| prefix.ends_with("shared/x") || prefix == "sp/savepoint-1/_metadata")
        };
        // Twice for the object; and where it is missing once more for `_metadata`, which must still be there.
        assert_eq!(fake.requests().iter().filter(|request| looked(request)).count(), listings);
    }
}

/// Whoever can write a `_metadata` cannot send the audit to any number of buckets.
#[test]
fn only_so_many_buckets_are_looked_at_for_one_snapshot() {
    let paths: Vec<String> = (0..100).map(|n| format!("s3://other-{n:03}/x")).collect();
    let fake = naming(paths.iter().map(|path| (path.as_str(), 1)).chain([("a", 10)]))
        .object("x", file(1))
        .object("sp/savepoint-1/a", file(10))
        .serve();
    let snapshot = snapshot(&fake);
    let objects = value(&snapshot.objects);
    assert_eq!(objects.iter().filter(|object| matches!(object.found, Fact::Seen(_))).count(), 2 + 32);
    let rest: Vec<_> = objects.iter().filter(|object| !matches!(object.found, Fact::Seen(_))).collect();
    assert_eq!(rest.len(), 68);
    for object in rest {
        assert_gap(&object.found, "failed", "more than 32 other buckets");
    }
    assert_eq!(fake.count("HeadBucket"), 1 + 32);
}

/// A store that lists in no order: a page of it does not tell that what it does not hold is missing.
#[test]
fn a_listing_in_no_order_makes_nothing_missing() {
    let names: Vec<String> = (1..=6).map(|n| format!("ckp/0f/shared/{n}")).collect();
    let paths: Vec<String> = names.iter().map(|name| format!("s3://b/{name}")).collect();
    let mut bucket = naming(paths.iter().map(|path| (path.as_str(), 1)));
    for name in &names {
        bucket = bucket.object(name, file(1));
    }
    let fake = Fake::start(move |request| {
        if !request.query.contains_key("start-after") {
            return bucket.answer(request);
        }
        let entry = |n: u32| {
            format!(
                "<Contents><Key>ckp/0f/shared/{n}</Key><LastModified>{AT}</LastModified><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>"
            )
        };
        Reply::xml(format!("<ListBucketResult>{}{}<IsTruncated>true</IsTruncated></ListBucketResult>", entry(6), entry(4)))
    });
    let snapshot = snapshot(&fake);
    assert!(value(&snapshot.objects).iter().all(|object| matches!(object.found, Fact::Seen(_))), "{:?}", snapshot.objects);
}

/// Field case F08: ten files in the folder, six of them named. Only those are judged; what is not named may be needed by another snapshot.
#[test]
fn only_what_is_named_is_judged() {
    let names: Vec<String> = (0..6).map(|n| format!("named-{n}")).collect();
    let mut bucket = naming(names.iter().map(|name| (name.as_str(), 10)));
    for name in names.iter().cloned().chain((0..4).map(|n| format!("left-over-{n}"))) {
        bucket = bucket.object(&format!("sp/savepoint-1/{name}"), file(10).class("GLACIER"));
    }
    let judged = |bucket: Bucket| {
        let fake = bucket.serve();
        let audit = savepoints(&fake);
        let seen = collected(&audit);
        let unreferenced = value(&place(&seen, "b", "sp").snapshots)[0].unreferenced.shown().map(|files| files.objects);
        let now = ttl_audit::collect::now();
        let mut evidence = ttl_audit::evidence::Evidence::empty(now);
        (evidence.buckets, evidence.places) = (seen.buckets, seen.places);
        let as_of = ttl_audit::manifest::AsOf { at: now, pinned: false };
        (ttl_audit::report::build(&audit, &evidence, as_of, "live"), unreferenced)
    };
    let (report, unreferenced) = judged(bucket);
    assert_eq!(unreferenced, Some(4));
    let finding = report.findings.iter().find(|finding| finding.rule == "snapshot-unreadable").expect("six of them are archived");
    let text = serde_json::to_string(finding).expect("JSON");
    assert!(text.contains("6 of 7 objects") && !text.contains("left-over"), "{text}");
    let everything = serde_json::to_string(&report).expect("JSON");
    assert!(!everything.contains("safe to delete") && !everything.contains("left-over"));

    // The twin: a `_metadata` that cannot be read names nothing, so nothing is known of any of them.
    let (report, _) = judged(naming([]).on("GetObject", [Reply::new(200, "damaged")]));
    assert!(report.findings.iter().all(|finding| finding.rule != "snapshot-unreadable" && finding.rule != "snapshot-incomplete"));
    assert!(report.unknown.iter().any(|unknown| unknown.reason.contains("is damaged")));
}

#[test]
fn a_hundred_thousand_objects_take_a_request_for_a_thousand() {
    let names: Vec<String> = (0..100_000).map(|n| format!("s3://b/ckp/0f/shared/{n:08}")).collect();
    let mut bucket =
        Bucket::new().object("ckp/0f/chk-20000/_metadata", file(10).body(metadata(names.iter().map(|name| (name.as_str(), 1)))));
    for n in 0..100_000 {
        bucket = bucket.object(&format!("ckp/0f/shared/{n:08}"), file(1));
    }
    for n in 10_000..20_000 {
        bucket = bucket.object(&format!("ckp/0f/chk-{n}/a"), file(1));
    }
    let fake = bucket.serve();
    let evidence = collected(&audit(
        &format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", fake.endpoint()),
        "checkpoints: { location: s3://b/ckp/ }",
    ));
    let snapshot = value(&place(&evidence, "b", "ckp").snapshots).first().expect("a checkpoint");
    assert_eq!(value(&snapshot.objects).len(), 100_001);
    assert!(value(&snapshot.objects).iter().all(|object| matches!(object.found, Fact::Seen(_))));
    let for_shared = fake.requests().iter().filter(|request| request.query.contains_key("start-after")).count();
    assert!(for_shared <= 120, "{for_shared} listings for 100,000 objects");
}
