//! What lies below a declared place.

use ttl_audit::units::{Instant, S3Location};

use super::savepoints;
use crate::{
    s3_fake::{Bucket, Object, Reply},
    s3_harness::{Run, assert_gap, audit, collected, place, value},
};

fn file(at: &str) -> Object {
    Object::new(100, at)
}

const OLD: &str = "2026-08-14T10:00:00.000Z";
const NEW: &str = "2026-09-10T10:00:00.000Z";

/// Two savepoints, one that is not finished, and something else.
fn two_savepoints() -> Bucket {
    Bucket::new()
        .object("sp/savepoint-old/_metadata", file(OLD))
        .object("sp/savepoint-old/a", file(OLD))
        .object("sp/renamed/_metadata", file(NEW))
        .object("sp/renamed/1", file(OLD))
        .object("sp/renamed/b", file(NEW))
        .object("sp/savepoint-dead/a", file(NEW))
        .object("sp/other/a", file(NEW))
        .object("sp/", Object::new(0, OLD))
        .object("spare/savepoint-x/_metadata", file(NEW))
}

#[test]
fn the_newest_is_looked_into_and_the_rest_is_counted() {
    let fake = two_savepoints().serve();
    let evidence = collected(&savepoints(&fake));
    let found = place(&evidence, "b", "sp");
    let snapshots = value(&found.snapshots);
    assert_eq!(snapshots.len(), 1);
    assert_eq!(snapshots[0].location, S3Location::new("b", "sp/renamed"));
    assert_eq!(snapshots[0].taken_at.to_string(), "2026-09-10T10:00:00Z");
    let keys: Vec<_> = value(&snapshots[0].objects).iter().map(|object| object.key.as_str()).collect();
    assert_eq!(keys, ["sp/renamed/_metadata", "sp/renamed/1", "sp/renamed/b"], "_metadata first, then by key");
    assert_eq!(found.not_looked_into, 1);
    assert_eq!(found.unfinished, [S3Location::new("b", "sp/savepoint-dead")]);
    assert_gap(&found.files, "not asked", "no high-availability");
    assert_eq!(fake.trespasses(), 0, "no object is read");
}

#[test]
fn all_snapshots_are_looked_into_on_demand() {
    let fake = two_savepoints().serve();
    let (evidence, _) = Run { all_snapshots: true, ..Run::default() }.collect(&savepoints(&fake));
    let found = place(&evidence, "b", "sp");
    let locations: Vec<_> = value(&found.snapshots).iter().map(|snapshot| snapshot.location.key()).collect();
    assert_eq!(locations, ["sp/renamed", "sp/savepoint-old"]);
    assert_eq!(found.not_looked_into, 0);
    assert_eq!(value(&value(&found.snapshots)[1].objects).len(), 2);
}

#[test]
fn a_place_can_be_a_snapshot_itself() {
    let fake = two_savepoints().serve();
    let evidence = collected(&audit(&format!("endpoint_url: {}", fake.endpoint()), "savepoints: [s3a://b/sp/renamed/_metadata]"));
    let snapshots = value(&place(&evidence, "b", "sp/renamed").snapshots);
    assert_eq!(snapshots[0].location, S3Location::new("b", "sp/renamed"));
    assert_eq!(value(&snapshots[0].objects).len(), 3);
}

#[test]
fn checkpoints_lie_below_the_job_id() {
    let bucket = Bucket::new()
        .object("ckp/0123/chk-9/_metadata", file(OLD))
        .object("ckp/0123/chk-10/_metadata", file(OLD))
        .object("ckp/0123/chk-11/a", file(NEW))
        .object("ckp/0123/shared/_metadata", file(NEW))
        .object("ckp/0123/taskowned/x", file(NEW));
    let mut bucket = bucket;
    // More than is read in one go: now the place is walked folder by folder, and `shared/` is not entered.
    for nth in 0..10_500 {
        bucket = bucket.object(&format!("ckp/0123/shared/{nth:06}"), file(NEW));
    }
    let fake = bucket.serve();
    let evidence = collected(&audit(&format!("endpoint_url: {}", fake.endpoint()), "checkpoints: { location: s3://b/ckp/ }"));
    let found = place(&evidence, "b", "ckp");
    assert_eq!(value(&found.snapshots)[0].location, S3Location::new("b", "ckp/0123/chk-10"));
    assert_eq!(found.not_looked_into, 1);
    assert_eq!(found.unfinished, [S3Location::new("b", "ckp/0123/chk-11")]);
    assert!(fake.requests().len() < 60, "{} requests", fake.requests().len());
}

#[test]
fn ten_thousand_folders_are_read_page_by_page() {
    let mut bucket = Bucket::new();
    for nth in 0..10_000 {
        bucket = bucket.object(&format!("sp/savepoint-{nth:05}/_metadata"), file(if nth == 4_321 { NEW } else { OLD }));
    }
    let fake = bucket.serve();
    let evidence = collected(&savepoints(&fake));
    let found = place(&evidence, "b", "sp");
    assert_eq!(value(&found.snapshots)[0].location, S3Location::new("b", "sp/savepoint-04321"));
    assert_eq!(found.not_looked_into, 9_999);
    assert!(fake.requests().len() < 40, "{} requests", fake.requests().len());
}

#[test]
fn an_empty_place_is_seen_and_empty() {
    let fake = Bucket::new().serve();
    let evidence = collected(&savepoints(&fake));
    let found = place(&evidence, "b", "sp");
    assert!(value(&found.snapshots).is_empty());
    assert_gap(&found.hidden, "not asked", "not known to have versions");
}

#[test]
fn a_listing_that_cannot_be_followed_is_not_an_empty_place() {
    for listing in [
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>",
        "<ListBucketResult><Contents><Key>sp/savepoint-1/_metadata</Key></Contents></ListBucketResult>",
        "<ListBucketResult><Contents><Key>sp/sav",
        "<html>sign in</html>",
    ] {
        let fake = Bucket::new().on("ListObjectsV2", [Reply::xml(listing)]).serve();
        let evidence = collected(&savepoints(&fake));
        assert_gap(&place(&evidence, "b", "sp").snapshots, "failed", "");
    }
}

#[test]
fn a_snapshot_behind_a_delete_marker_is_found() {
    let versions = format!(
        "<ListVersionsResult><IsTruncated>false</IsTruncated>
           <DeleteMarker><Key>sp/savepoint-1/_metadata</Key><VersionId>m1</VersionId><IsLatest>true</IsLatest><LastModified>{NEW}</LastModified></DeleteMarker>
           <Version><Key>sp/savepoint-1/_metadata</Key><VersionId>v1</VersionId><IsLatest>false</IsLatest><LastModified>{OLD}</LastModified><Size>9</Size></Version>
           <DeleteMarker><Key>sp/savepoint-2/_metadata</Key><VersionId>m2</VersionId><IsLatest>false</IsLatest><LastModified>{NEW}</LastModified></DeleteMarker>
           <DeleteMarker><Key>sp/savepoint-3/data</Key><VersionId>m3</VersionId><IsLatest>true</IsLatest><LastModified>{NEW}</LastModified></DeleteMarker>
         </ListVersionsResult>"
    );
    let versioned = || {
        Bucket::new().on("GetBucketVersioning", [Reply::xml("<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>")])
    };
    let fake = versioned().on("ListObjectVersions", [Reply::xml(versions)]).serve();
    let evidence = collected(&savepoints(&fake));
    let hidden = value(&place(&evidence, "b", "sp").hidden);
    assert_eq!(hidden.len(), 1);
    assert_eq!((hidden[0].location.key(), hidden[0].marker.as_str()), ("sp/savepoint-1", "m1"));
    assert_eq!(hidden[0].taken_at.map(Instant::day).as_deref(), Some("2026-08-14"));

    let fake = versioned().on("ListObjectVersions", [Reply::error(403, "AccessDenied")]).serve();
    let evidence = collected(&savepoints(&fake));
    assert_gap(&place(&evidence, "b", "sp").hidden, "denied", "needs s3:ListBucketVersions");
    assert!(value(&place(&evidence, "b", "sp").snapshots).is_empty());
}

#[test]
fn places_without_snapshots_are_summed_up() {
    let fake = Bucket::new()
        .object("ha/job/submittedJobGraph1", file(OLD))
        .object("ha/job/blob/x", Object::new(5_000, NEW).class("GLACIER_IR"))
        .object("ha/job/", Object::new(0, NEW))
        .object("out/part-1", file(OLD).without_class())
        .serve();
    let job = "version: 1\njob: j\nsources:\n  - id: in\n    topic: t\nsinks:\n  - id: out\n    kind: files\n    location: s3://b/out/\nrecovery:\n  high_availability: s3://b/ha/job/\n";
    let evidence = collected(&crate::s3_harness::with_job(&format!("endpoint_url: {}", fake.endpoint()), job));
    let found = place(&evidence, "b", "ha/job");
    let files = value(&found.files);
    assert_eq!((files.objects, files.bytes.0, files.largest.0, files.complete), (2, 5_100, 5_000, true));
    assert_eq!(files.oldest.map(Instant::day).as_deref(), Some("2026-08-14"));
    assert_eq!(files.newest.map(Instant::day).as_deref(), Some("2026-09-10"));
    assert_eq!(files.classes.get("GLACIER_IR"), Some(&1));
    assert_gap(&found.snapshots, "not asked", "no savepoints");
    assert_eq!(value(&place(&evidence, "b", "out").files).classes.get(""), Some(&1));
}
