//! Field cases, each with the look-alike that stays quiet.

use std::collections::BTreeMap;

use ttl_audit::{
    analysis::lifecycle::{Kind, Object, Tags},
    evidence::{Expiration, RuleStatus, VersioningStatus},
    units::{Bytes, Millis},
};

use super::{Bucket, LARGE, NONE, rule, text};
use crate::scene::at;

const KIB: u64 = 1024;

fn written(key: &str, size: u64, days_ago: u64) -> Object<'_> {
    Object::written(key, Bytes(size), at("2026-09-15T06:00:00Z").minus(Millis::days(days_ago)))
}

/// F04: the 128 KiB floor splits a savepoint in two.
#[test]
fn the_floor_splits_a_savepoint() {
    let savepoint: Vec<(String, u64)> = std::iter::once(("_metadata".to_owned(), 40 * KIB))
        .chain((0..5).map(|n| (format!("large-{n}"), LARGE)))
        .chain((0..3).map(|n| (format!("small-{n}"), 20 * KIB)))
        .collect();
    let archived = |bucket: &Bucket, files: &[(String, u64)]| {
        let simulator = bucket.simulator();
        let is_archived = |(key, size): &&(String, u64)| simulator.fate(&written(key, *size, 60)).first(Kind::Archived).is_some();
        files.iter().filter(is_archived).count()
    };
    let bucket = Bucket::of([rule("r").moves(30, "GLACIER").into()]);
    assert_eq!(archived(&bucket, &savepoint), 5, "the large ones only");
    assert_eq!(archived(&bucket.clone().floor(Some("varies_by_storage_class")), &savepoint), 9);
    let small: Vec<_> = savepoint.into_iter().filter(|(_, size)| *size < 128 * KIB).collect();
    assert_eq!(archived(&bucket, &small), 0, "twin: every file is small");
}

/// F06: "just put a lifecycle rule on the savepoints".
#[test]
fn an_expiry_on_savepoints_takes_the_last_one() {
    let key = "flink/savepoints/savepoint-1a2b3c-000/_metadata";
    let expiry = || rule("r").prefix("flink/savepoints/").expires(30);
    let as_of = at("2026-09-15T06:00:00Z");
    let bucket = Bucket::of([expiry().into()]);
    let gone = |days_ago| bucket.simulator().fate(&written(key, 20 * KIB, days_ago)).first(Kind::Gone).map(|change| change.on);
    assert!(gone(45).is_some_and(|on| on < as_of), "overdue");
    assert_eq!(gone(20), Some(at("2026-09-26")), "in ten days, at the next midnight");
    let twins = [expiry().status(RuleStatus::Disabled), rule("r").prefix("flink/savepoints-old/").expires(30), expiry().tag("keep", "no")];
    let tags = BTreeMap::from([("team".to_owned(), "a".to_owned())]);
    for twin in twins {
        let tagged = Object { tags: Tags::Known(&tags), ..written(key, 20 * KIB, 45) };
        assert_eq!(Bucket::of([twin.into()]).says(&tagged), NONE);
    }
}

/// F07: age-based expiry against incremental checkpoints. The shared file is old, the checkpoint that needs it is not.
#[test]
fn a_shared_file_is_judged_by_its_own_age() {
    let bucket = Bucket::of([rule("r").prefix("flink/checkpoints/").expires(7).into()]);
    let as_of = at("2026-09-15T06:00:00Z");
    let gone = |key, days_ago| bucket.simulator().fate(&written(key, LARGE, days_ago)).first(Kind::Gone).map(|change| change.on);
    assert!(gone("flink/checkpoints/job/shared/a", 60).is_some_and(|on| on < as_of), "overdue: at any moment");
    assert_eq!(gone("flink/checkpoints/job/chk-9/_metadata", 0), Some(at("2026-09-23")), "twin: replaced long before");
}

/// F14: a versioned bucket with house-keeping for old versions, and its twin that hides current ones.
#[test]
fn housekeeping_of_old_versions_touches_no_current_file() {
    let mut tidy = rule("tidy").expires_old(1, None).0;
    tidy.abort_incomplete_multipart_upload_days = Some(7);
    let mut markers = rule("markers").0;
    markers.expiration = Some(Expiration::ExpiredObjectDeleteMarker);
    let bucket = Bucket::of([tidy, markers]).versioning(VersioningStatus::Enabled);
    assert_eq!(bucket.says(&written("state/x", LARGE, 3)), NONE);
    assert_eq!(bucket.simulator().place("state/", at("2026-09-15T06:00:00Z")).changes, []);
    let mut twin = bucket;
    twin.lifecycle.rules.push(rule("end").expires(7).into());
    let fate = twin.simulator().fate(&written("state/x", LARGE, 3));
    assert_eq!(
        fate.changes.iter().map(text).collect::<Vec<_>>(),
        ["2026-09-20 hidden until 2026-09-21 by end", "2026-09-21~ old deleted by tidy"],
        "recoverable for one day"
    );
}

/// F16: changelog files look like litter.
#[test]
fn an_expiry_on_changelog_files() {
    let bucket = Bucket::of([rule("r").prefix("dstl/").expires(2).into()]);
    let place = |prefix| bucket.simulator().place(prefix, at("2026-09-15T06:00:00Z"));
    assert_eq!(place("dstl/").first(Kind::Gone).map(|one| one.change.on), Some(at("2026-09-18")));
    assert_eq!(place("checkpoints/").changes, [], "twin: the path is not used");
}
