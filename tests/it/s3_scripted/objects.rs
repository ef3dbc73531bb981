//! How closely each object is looked at, and what its headers say.

use ttl_audit::{
    evidence::{ObjectEvidence, Restore},
    units::Instant,
};

use super::savepoints;
use crate::{
    s3_fake::{Bucket, Object, Reply},
    s3_harness::{assert_gap, audit, collected, place, value},
};

const AT: &str = "2026-09-01T00:00:00.000Z";
const LARGE: u64 = 200 * 1024;

fn large() -> Object {
    Object::new(LARGE, AT)
}

fn with_metadata() -> Bucket {
    Bucket::new().object("sp/savepoint-1/_metadata", Object::new(10, AT))
}

fn objects(bucket: Bucket, store: &str) -> Vec<ObjectEvidence> {
    let fake = bucket.serve();
    let audit = audit(&format!("endpoint_url: {}\nregion: us-east-1\nstore: {store}", fake.endpoint()), "savepoints: [s3://b/sp/]");
    let evidence = collected(&audit);
    assert_eq!(fake.trespasses(), 0, "no object is read");
    let newest = value(&place(&evidence, "b", "sp").snapshots).first().expect("a snapshot");
    value(&newest.objects).iter().map(|object| value(&object.found).clone()).collect()
}

fn object<'a>(objects: &'a [ObjectEvidence], name: &str) -> &'a ObjectEvidence {
    objects.iter().find(|object| object.key.ends_with(&format!("/{name}"))).expect("an object")
}

/// One object of each class that matters, named after its class.
fn classes() -> Bucket {
    let mut bucket = with_metadata().object("sp/savepoint-1/none", large().without_class());
    for class in ["STANDARD", "STANDARD_IA", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE", "INTELLIGENT_TIERING", "BRAND_NEW"] {
        bucket = bucket.object(&format!("sp/savepoint-1/{class}"), large().class(class));
    }
    bucket.object("sp/savepoint-1/small", Object::new(10, AT).class("INTELLIGENT_TIERING"))
}

#[test]
fn on_aws_only_classes_that_leave_it_open_are_headed() {
    let objects = objects(classes(), "aws");
    for name in ["_metadata", "GLACIER", "DEEP_ARCHIVE", "INTELLIGENT_TIERING", "BRAND_NEW", "none"] {
        value(&object(&objects, name).head);
    }
    for name in ["STANDARD", "STANDARD_IA", "GLACIER_IR", "small"] {
        assert_gap(&object(&objects, name).head, "not asked", "can be read");
    }
    assert_eq!(object(&objects, "BRAND_NEW").storage_class.as_deref(), Some("BRAND_NEW"));
    assert_eq!(value(&object(&objects, "_metadata").head).storage_class, None);
}

#[test]
fn elsewhere_a_class_is_only_a_name() {
    let objects = objects(classes(), "other");
    for name in ["_metadata", "STANDARD_IA", "GLACIER_IR", "GLACIER", "small", "BRAND_NEW"] {
        value(&object(&objects, name).head);
    }
    for name in ["STANDARD", "none"] {
        assert_gap(&object(&objects, name).head, "not asked", "can be read");
    }
}

#[test]
fn archive_restore_lock_and_expiration_headers() {
    let it = || large().class("INTELLIGENT_TIERING");
    let glacier = || large().class("GLACIER");
    let metadata = Object::new(10, AT)
        .head("x-amz-object-lock-mode", "COMPLIANCE")
        .head("x-amz-object-lock-retain-until-date", "2027-01-01T00:00:00Z")
        .head("x-amz-object-lock-legal-hold", "ON")
        .head("x-amz-expiration", r#"expiry-date="Fri, 21 Dec 2012 00:00:00 GMT", rule-id="a%20rule""#);
    let bucket = Bucket::new()
        .object("sp/savepoint-1/_metadata", metadata)
        .object("sp/savepoint-1/archived", it().head("x-amz-archive-status", "DEEP_ARCHIVE_ACCESS"))
        .object("sp/savepoint-1/back", it().head("x-amz-restore", r#"ongoing-request="false""#))
        .object("sp/savepoint-1/ongoing", glacier().head("x-amz-restore", r#"ongoing-request="true""#))
        .object(
            "sp/savepoint-1/until",
            glacier().head("x-amz-restore", r#"ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT""#),
        )
        .object("sp/savepoint-1/nonsense", glacier().head("x-amz-restore", "perhaps"));
    let objects = objects(bucket, "aws");
    let head = |name: &str| value(&object(&objects, name).head);
    let metadata = head("_metadata");
    assert_eq!((metadata.lock_mode.as_deref(), metadata.legal_hold), (Some("COMPLIANCE"), true));
    assert_eq!(metadata.lock_until.map(Instant::day).as_deref(), Some("2027-01-01"));
    let expiration = metadata.expiration.as_ref().expect("one");
    assert_eq!((expiration.on.day().as_str(), expiration.rule.as_str()), ("2012-12-21", "a rule"));
    assert_eq!(head("archived").archive_status.as_deref(), Some("DEEP_ARCHIVE_ACCESS"));
    assert_eq!(head("back").restore, Some(Restore::ForGood));
    assert_eq!(head("ongoing").restore, Some(Restore::Ongoing));
    assert!(matches!(head("until").restore, Some(Restore::Until(at)) if at.day() == "2012-12-21"));
    assert_gap(&object(&objects, "nonsense").head, "failed", "x-amz-restore");
}

#[test]
fn a_refused_head_is_never_a_missing_object() {
    let bucket = || {
        with_metadata()
            .object("sp/savepoint-1/x", large().class("GLACIER"))
            .object("sp/savepoint-1/gone", large().class("GLACIER"))
            .on_head("sp/savepoint-1/x", Reply::new(403, ""))
            .on_head("sp/savepoint-1/gone", Reply::new(404, ""))
    };
    let aws = objects(bucket(), "aws");
    assert_gap(&object(&aws, "x").head, "denied", "s3:GetObject on the object");
    assert_gap(&object(&aws, "gone").head, "absent", "gone since it was listed");
    assert_gap(&object(&objects(bucket(), "other"), "x").head, "denied", "archived or forbidden");
}

#[test]
fn tags_are_asked_where_a_rule_in_force_filters_by_them() {
    let rule = |status: &str| {
        Reply::xml(format!(
            "<LifecycleConfiguration><Rule><Filter><And><Prefix>sp/savepoint-1/a</Prefix><Tag><Key>tier</Key><Value>cold</Value></Tag></And></Filter>
             <Status>{status}</Status><Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>"
        ))
    };
    let bucket = |status: &str| {
        with_metadata()
            .object("sp/savepoint-1/a", large().tag("tier", "cold"))
            .object("sp/savepoint-1/b", large())
            .on("GetBucketLifecycleConfiguration", [rule(status)])
    };
    let enabled = objects(bucket("Enabled"), "aws");
    assert_eq!(value(&object(&enabled, "a").tags).get("tier").map(String::as_str), Some("cold"));
    assert_gap(&object(&enabled, "b").tags, "not asked", "no rule in force");
    assert_gap(&object(&objects(bucket("Disabled"), "aws"), "a").tags, "not asked", "no rule in force");

    let denied = bucket("Enabled").on("GetObjectTagging", [Reply::error(403, "AccessDenied")]);
    assert_gap(&object(&objects(denied, "aws"), "a").tags, "denied", "needs s3:GetObjectTagging");
    let unknown = bucket("Enabled").on("GetBucketLifecycleConfiguration", [Reply::error(403, "AccessDenied")]);
    assert_gap(&object(&objects(unknown, "aws"), "a").tags, "not asked", "not known whether a lifecycle rule filters by tag");
}

#[test]
fn a_tiering_configuration_can_ask_for_tags_too() {
    let configurations = Reply::xml(
        "<ListBucketIntelligentTieringConfigurationsOutput><IntelligentTieringConfiguration><Id>i</Id><Status>Enabled</Status>
         <Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter><Tiering><Days>90</Days><AccessTier>ARCHIVE_ACCESS</AccessTier></Tiering>
         </IntelligentTieringConfiguration></ListBucketIntelligentTieringConfigurationsOutput>",
    );
    let fake = with_metadata().on("ListBucketIntelligentTieringConfigurations", [configurations]).serve();
    let evidence = collected(&savepoints(&fake));
    let objects = value(&value(&place(&evidence, "b", "sp").snapshots)[0].objects);
    assert!(value(&value(&objects[0].found).tags).is_empty());
}
