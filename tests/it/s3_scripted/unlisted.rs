//! Buckets that may not be listed: objects are looked up one by one, and what is refused is never missing.

use ttl_audit::evidence::SnapshotEvidence;

use super::savepoints;
use crate::{
    s3_fake::{Bucket, Fake, Object, Reply, metadata},
    s3_harness::{assert_gap, audit, collected, place, value},
};

const AT: &str = "2026-09-01T00:00:00.000Z";

/// A savepoint that names these keys of the bucket `other`, in which `ListObjectsV2` is denied.
fn naming(keys: &[String], other: Bucket) -> Fake {
    let denied = other.on("ListObjectsV2", [Reply::error(403, "AccessDenied")]);
    let paths: Vec<String> = keys.iter().map(|key| format!("s3://other/{key}")).collect();
    let body = metadata(paths.iter().map(|path| (path.as_str(), 30)));
    Bucket::new().object("sp/savepoint-1/_metadata", Object::of(body, AT)).beside("other", denied).serve()
}

fn snapshot(fake: &Fake) -> SnapshotEvidence {
    let evidence = collected(&savepoints(fake));
    assert_eq!(fake.trespasses(), 0, "only _metadata is read");
    value(&place(&evidence, "b", "sp").snapshots).first().expect("a snapshot").clone()
}

#[test]
fn objects_that_cannot_be_listed_are_headed() {
    let keys = ["here", "archived", "refused", "gone"].map(str::to_owned);
    let other = Bucket::new()
        .object("here", Object::new(30, AT))
        .object("archived", Object::new(40, AT).class("GLACIER"))
        .on_head("refused", Reply::new(403, ""));
    let fake = naming(&keys, other);
    let snapshot = snapshot(&fake);
    let objects = value(&snapshot.objects);
    let found = |key: &str| &objects.iter().find(|object| object.key == key).expect("it is needed").found;
    let here = value(found("here"));
    assert_eq!((here.size.0, here.storage_class.as_deref(), here.last_modified.day().as_str()), (30, Some("STANDARD"), "2026-09-01"));
    let archived = value(found("archived"));
    assert_eq!((archived.size.0, archived.storage_class.as_deref()), (40, Some("GLACIER")));
    assert_gap(found("refused"), "denied", "missing or forbidden");
    assert_gap(found("refused"), "denied", "s3:ListBucket on the bucket");
    // A store that answers 404 to someone who may not list says so itself; it is asked twice.
    assert_gap(found("gone"), "absent", "looked for again");
    assert_eq!(fake.requests().iter().filter(|request| request.method == "HEAD" && request.key == "gone").count(), 2);
}

#[test]
fn after_many_refusals_the_rest_is_not_asked() {
    let keys: Vec<String> = (0..300).map(|n| format!("shared/{n:03}")).collect();
    let other = keys.iter().fold(Bucket::new(), |bucket, key| bucket.on_head(key, Reply::new(403, "")));
    let fake = naming(&keys, other);
    let snapshot = snapshot(&fake);
    for object in value(&snapshot.objects).iter().skip(1) {
        assert_gap(&object.found, "denied", "the first 64 objects were all refused so, and the others were not asked");
    }
    assert_eq!(fake.requests().iter().filter(|request| request.method == "HEAD" && request.bucket == "other").count(), 64 + 1);
}

/// Whoever may read objects and not list the bucket can still name one snapshot.
#[test]
fn a_snapshot_in_a_bucket_that_cannot_be_listed() {
    let bucket = Bucket::new()
        .object("sp/savepoint-1/_metadata", Object::of(metadata([("a", 10)]), AT))
        .object("sp/savepoint-1/a", Object::new(10, AT))
        .on("ListObjectsV2", [Reply::error(403, "AccessDenied")]);
    let fake = bucket.serve();
    let s3 = format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", fake.endpoint());
    let evidence = collected(&audit(&s3, "savepoints: [s3://b/sp/savepoint-1/, s3://b/sp/]"));
    let named = value(&place(&evidence, "b", "sp/savepoint-1").snapshots);
    assert_eq!(named.len(), 1);
    assert!(value(&named[0].objects).iter().all(|object| object.found.shown().is_some()));
    assert_gap(&named[0].unreferenced, "denied", "s3:ListBucket");
    // Of a folder of snapshots nothing can be said.
    assert_gap(&place(&evidence, "b", "sp").snapshots, "denied", "s3:ListBucket");
}
