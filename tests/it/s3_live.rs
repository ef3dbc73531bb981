//! The S3 collector against moto, for what moto can be trusted with; the rest is scripted.

use std::collections::BTreeMap;

use ttl_audit::{
    collect::s3::S3Evidence,
    evidence::{Expiration, ObjectEvidence, Restore, RuleStatus, StoreKind, VersioningStatus, When},
    units::{Bytes, Instant, Millis, S3Location},
};

use crate::{
    s3_harness::{Run, assert_gap, audit, place, value},
    s3_moto::moto,
};

const MAIN: &str = "msi-flink-savepoints";
const SAFE: &str = "safe-savepoints";
const JOB_ID: &str = "7b1f0c9d4e5a4c0f9a2b3c4d5e6f7081";

/// Everything about the places of the seeded job, by AWS's rules.
fn seeded() -> S3Evidence {
    let recovery = format!(
        "checkpoints: {{ location: s3a://{MAIN}/user-engagement/chk/ }}
savepoints: [s3://{MAIN}/user-engagement/, s3://{SAFE}/user-engagement/, s3://no-such-bucket-here/sp/, s3://{MAIN}/nothing/here/]
high_availability: s3://{MAIN}/flink-ha/user-engagement/"
    );
    let s3 = format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", moto().endpoint());
    Run { all_snapshots: true, ..Run::default() }.collect(&audit(&s3, &recovery)).0
}

fn objects<'a>(evidence: &'a S3Evidence, bucket: &str, folder: &str) -> Vec<&'a ObjectEvidence> {
    let wanted = S3Location::new(bucket, folder);
    let places = evidence.places.values().filter_map(|place| place.snapshots.shown());
    let snapshot = places.flatten().find(|snapshot| snapshot.location == wanted).expect("the snapshot was found");
    value::<Vec<_>>(&snapshot.objects).iter().filter_map(|object| object.found.shown()).collect()
}

fn classes<'a>(objects: &[&'a ObjectEvidence]) -> BTreeMap<&'a str, usize> {
    let mut classes = BTreeMap::new();
    for object in objects {
        *classes.entry(object.storage_class.as_deref().unwrap_or_default()).or_default() += 1;
    }
    classes
}

#[test]
fn the_bucket_says_what_was_configured() {
    let evidence = seeded();
    let bucket = evidence.buckets.get(MAIN).expect("asked");
    assert_eq!(bucket.store.kind, StoreKind::Aws);
    assert_eq!(value(&bucket.region), "us-east-1");
    let rules = &value(&bucket.lifecycle).rules;
    let rule = |id: &str| rules.iter().find(|rule| rule.id.as_deref() == Some(id)).expect("a rule");
    let moves: Vec<_> = rule("msi-cost-tiering").transitions.iter().map(|step| (step.when, step.storage_class.as_str())).collect();
    assert_eq!(moves, [(When::Days(0), "INTELLIGENT_TIERING"), (When::Days(30), "GLACIER_IR")]);
    assert_eq!(rule("msi-cost-tiering").status, RuleStatus::Enabled);
    assert_eq!(rule("old-archive-disabled").status, RuleStatus::Disabled);
    assert_eq!(rule("old-archive-disabled").filter.prefix.as_deref(), Some("user-engagement/"));
    assert_eq!(rule("abort-uploads").abort_incomplete_multipart_upload_days, Some(7));
    assert_eq!(value(&bucket.versioning).status, VersioningStatus::Never);
    assert_gap(&bucket.object_lock, "absent", "no Object Lock");
    assert_gap(&bucket.tags, "absent", "no tags");
    // moto does not know the call and answers with the listing: that must not read as "none".
    assert_gap(&bucket.intelligent_tiering, "unsupported", "object listing");
    let prefixes = value(&bucket.prefixes);
    for prefix in ["flink-ha/", "flink-ha/user-engagement/", "user-engagement/", "user-engagement/chk/", "user-engagement/sp-2026-08-14/"] {
        assert!(prefixes.iter().any(|seen| seen == prefix), "{prefix} in {prefixes:?}");
    }
    assert!(bucket.requests > 10);
}

#[test]
fn savepoints_in_every_class() {
    let evidence = seeded();
    for (folder, expected) in [
        ("sp-2026-08-14", vec![("GLACIER_IR", 7)]),
        ("sp-2026-09-10", vec![("STANDARD", 7)]),
        ("sp-2026-06-20", vec![("INTELLIGENT_TIERING", 7)]),
        ("sp-2026-03-11", vec![("GLACIER", 7)]),
        ("sp-2026-07-01", vec![("GLACIER", 1), ("STANDARD", 6)]),
        ("sp-2026-05-05", vec![("STANDARD", 6)]),
    ] {
        let objects = objects(&evidence, MAIN, &format!("user-engagement/{folder}"));
        assert_eq!(classes(&objects), expected.into_iter().collect(), "{folder}");
        assert!(objects.first().is_some_and(|object| object.key.ends_with("/_metadata")), "{folder}");
        assert!(objects.iter().skip(1).all(|object| object.size == Bytes(160 * 1024)), "{folder}");
    }
    let found = place(&evidence, MAIN, "user-engagement");
    let snapshot = |folder: &str| {
        let wanted = S3Location::new(MAIN, &format!("user-engagement/{folder}"));
        value::<Vec<_>>(&found.snapshots).iter().find(|snapshot| snapshot.location == wanted).expect("it was found")
    };
    // One file that `_metadata` names is gone.
    let reach = value::<Vec<_>>(&snapshot("sp-2026-05-05").objects);
    assert_eq!((reach.len(), reach.iter().filter(|object| object.found.is_absent()).count()), (7, 1));
    // Where `_metadata` itself is archived, nobody can read what else is needed.
    let archived = snapshot("sp-2026-02-02");
    assert_gap(&archived.objects, "failed", "its _metadata is archived (DEEP_ARCHIVE)");
    assert_eq!(value(&archived.file).storage_class.as_deref(), Some("DEEP_ARCHIVE"));
    assert_eq!((value(&found.snapshots).len(), found.not_looked_into), (7, 0), "checkpoints lie a level too deep to be savepoints");
    assert!(found.unfinished.is_empty());
}

#[test]
fn heads_are_asked_where_a_class_needs_it() {
    let evidence = seeded();
    let archived = objects(&evidence, MAIN, "user-engagement/sp-2026-07-01");
    let archived: Vec<_> = archived.iter().filter(|object| object.storage_class.as_deref() == Some("GLACIER")).collect();
    assert_eq!(archived.len(), 1);
    assert!(archived.iter().all(|object| value(&object.head).restore.is_none()));
    assert!(archived.iter().all(|object| value(&object.head).storage_class.as_deref() == Some("GLACIER")));
    let tiered = objects(&evidence, MAIN, "user-engagement/sp-2026-06-20");
    assert!(tiered.iter().all(|object| value(&object.head).archive_status.is_none()));
    let restoring = objects(&evidence, MAIN, "user-engagement/sp-2026-03-11");
    let ongoing = restoring.iter().filter(|object| value(&object.head).restore == Some(Restore::Ongoing)).count();
    let until = restoring.iter().filter(|object| matches!(value(&object.head).restore, Some(Restore::Until(at)) if at > now())).count();
    assert_eq!((ongoing, until), (2, 5));
    for object in objects(&evidence, MAIN, "user-engagement/sp-2026-08-14") {
        assert_gap(&object.head, "not asked", "can be read");
        assert_gap(&object.tags, "not asked", "no rule in force");
    }
}

#[test]
fn checkpoints_and_high_availability() {
    let evidence = seeded();
    let found = place(&evidence, MAIN, "user-engagement/chk");
    let newest = value(&found.snapshots).first().expect("a checkpoint");
    assert_eq!(newest.location, S3Location::new(MAIN, &format!("user-engagement/chk/{JOB_ID}/chk-41")));
    assert_eq!(value(&newest.objects).len(), 7, "what its _metadata names, and itself");
    let head = value(&value(&value(&newest.objects).first().expect("_metadata").found).head);
    assert_eq!((head.lock_mode.as_deref(), head.storage_class.as_deref()), (None, None), "STANDARD has no class header");
    let files = value(&place(&evidence, MAIN, "flink-ha/user-engagement").files);
    assert_eq!((files.objects, files.complete), (3, true));
    assert_eq!(files.classes.get("STANDARD"), Some(&3));
}

#[test]
fn a_locked_bucket_and_its_locked_savepoint() {
    let evidence = seeded();
    let bucket = evidence.buckets.get(SAFE).expect("asked");
    let lock = value(&bucket.object_lock);
    assert_eq!((lock.default_mode.as_deref(), lock.default_period), (Some("GOVERNANCE"), Some(Millis::days(365))));
    assert_eq!(value(&bucket.versioning).status, VersioningStatus::Enabled);
    let rules = &value(&bucket.lifecycle).rules;
    let rule = rules.first().expect("a rule");
    assert_eq!((rule.filter.prefix.as_deref(), rule.expiration), (Some("logs/"), Some(Expiration::Objects(When::Days(365)))));
    let objects = objects(&evidence, SAFE, "user-engagement/sp-2026-09-12");
    let head = value(&objects.first().expect("_metadata").head);
    assert_eq!(head.lock_mode.as_deref(), Some("GOVERNANCE"));
    assert!(head.lock_until.is_some_and(|until| until > now().plus(Millis::days(364))));
    assert!(!head.legal_hold);
}

#[test]
fn what_is_not_there() {
    let evidence = seeded();
    assert_gap(&evidence.buckets.get("no-such-bucket-here").expect("asked").region, "absent", "no such bucket");
    assert_gap(&place(&evidence, "no-such-bucket-here", "sp").snapshots, "absent", "no such bucket");
    assert!(value(&place(&evidence, MAIN, "nothing/here").snapshots).is_empty());
}

#[test]
fn without_a_word_about_the_store_it_is_not_aws() {
    let s3 = format!("endpoint_url: {}\nregion: us-east-1", moto().endpoint());
    let recovery = format!("savepoints: [s3://{MAIN}/user-engagement/sp-2026-08-14/]");
    let (evidence, _) = Run::default().collect(&audit(&s3, &recovery));
    assert_eq!(evidence.buckets.get(MAIN).expect("asked").store.kind, StoreKind::Other);
    let objects = objects(&evidence, MAIN, "user-engagement/sp-2026-08-14");
    assert!(objects.iter().all(|object| value(&object.head).storage_class.as_deref() == Some("GLACIER_IR")), "a class is only a name");
}

fn now() -> Instant {
    ttl_audit::collect::now()
}
