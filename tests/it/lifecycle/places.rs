//! Places: what will happen to files that are yet to be written.

use ttl_audit::{
    analysis::lifecycle::{BucketRules, Kind, PlaceFate},
    evidence::{BucketEvidence, Fact, StoreKind, VersioningStatus},
    units::Bytes,
};

use super::{Bucket, rule, store, text};
use crate::scene::at;

fn place(bucket: &Bucket, prefix: &str) -> PlaceFate {
    bucket.simulator().place(prefix, at("2026-01-15T10:30:00Z"))
}

fn says(fate: &PlaceFate) -> Vec<String> {
    fate.changes.iter().map(|one| format!("{}: {}", text(&one.change), one.sizes)).collect()
}

#[test]
fn the_floor_and_size_filters_show_as_thresholds() {
    let bucket = Bucket::of([rule("all").moves(30, "GLACIER_IR").into(), rule("end").prefix("savepoints/").expires(60).into()]);
    let fate = place(&bucket, "savepoints/");
    assert_eq!(
        says(&fate),
        ["2026-02-15 GLACIER_IR by all: files of 128.0 KiB (131072 bytes) and more", "2026-03-17 deleted by end: files of any size"]
    );
    assert!(fate.first(Kind::Tiered).is_some_and(|one| !one.sizes.contains(Bytes(131_071))));
    let banded = Bucket::of([rule("band").larger_than(9).smaller_than(500).moves(30, "GLACIER").into()]);
    assert_eq!(says(&place(&banded, "x/")), ["2026-02-15 GLACIER by band: files of 10 B to 499 B"]);
}

#[test]
fn a_rule_that_filters_by_tag_covers_no_place() {
    assert_eq!(place(&Bucket::of([rule("r").tag("a", "b").expires(1).into()]), "x/").changes, []);
}

#[test]
fn a_rule_for_a_part_of_a_place_is_told_apart() {
    let bucket = Bucket::of([
        rule("all").moves(90, "STANDARD_IA").into(),
        rule("shared").prefix("checkpoints/job/xyz/shared/").expires(30).into(),
        rule("elsewhere").prefix("checkpoints/job2/").expires(1).into(),
        rule("tagged").prefix("checkpoints/job/tagged/").tag("a", "b").expires(1).into(),
    ]);
    let fate = place(&bucket, "checkpoints/job/");
    assert_eq!(fate.changes.len(), 1);
    let [part] = fate.parts.as_slice() else { panic!("one part: {:?}", fate.parts) };
    assert_eq!(part.prefix, "checkpoints/job/xyz/shared/");
    assert_eq!(text(&part.changes[0].change), "2026-02-15 deleted by shared");
    // Asked with the prefix that all of them have, a rule on it covers them all.
    let savepoints = Bucket::of([rule("r").prefix("savepoints/savepoint-").expires(30).into()]);
    assert_eq!(place(&savepoints, "savepoints/").parts.len(), 1);
    assert_eq!(place(&savepoints, "savepoints/savepoint-").changes.len(), 1);
}

/// 1,000 rules, each inside the other and each with sizes of its own: bounded work, and what was not done is said.
#[test]
fn entangled_rules_do_not_hang_the_audit() {
    let nested = (1_u32..=1_000).map(|n| {
        let size = u64::from(n) * 1_000;
        let prefix = "a".repeat(usize::try_from(n).expect("small"));
        rule(&format!("r{n}")).prefix(&prefix).larger_than(size).smaller_than(size + 500).expires(n).into()
    });
    let fate = place(&Bucket::of(nested), "a");
    assert_eq!(fate.changes.len(), 1);
    assert!(!fate.parts.is_empty() && !fate.not_looked_into.is_empty());
    assert_eq!(fate.parts.len() + fate.not_looked_into.len(), 999);
}

fn evidence(bucket: &Bucket) -> BucketEvidence {
    let seen_at = at("2026-01-15");
    BucketEvidence {
        store: store(StoreKind::Aws),
        region: Fact::not_asked("a test", "HeadBucket"),
        lifecycle: Fact::seen(bucket.lifecycle.clone(), "b", "GetBucketLifecycleConfiguration", seen_at),
        intelligent_tiering: Fact::seen(bucket.tierings.clone(), "b", "ListBucketIntelligentTieringConfigurations", seen_at),
        versioning: bucket.versioning.clone().map_or(Fact::denied("needs s3:GetBucketVersioning", "GetBucketVersioning"), |versioning| {
            Fact::seen(versioning, "b", "GetBucketVersioning", seen_at)
        }),
        object_lock: Fact::absent("no Object Lock", "GetObjectLockConfiguration"),
        tags: Fact::absent("no tags", "GetBucketTagging"),
        prefixes: Fact::seen(Vec::new(), "b", "ListObjectsV2", seen_at),
        requests: 0,
    }
}

#[test]
fn only_what_matters_stays_open() {
    let bucket = Bucket::of([rule("r").moves(30, "STANDARD_IA").into()]).versioning(VersioningStatus::Never);
    let now = at("2026-01-15T10:30:00Z");
    let mut seen = evidence(&bucket);
    assert_eq!(BucketRules::of(&seen).place("x/", now).open, []);

    seen.intelligent_tiering = Fact::denied("needs s3:GetIntelligentTieringConfiguration", "ListBucketIntelligentTieringConfigurations");
    let rules = BucketRules::of(&seen);
    assert_eq!(rules.place("x/", now).open, [], "nothing leads to that class");
    assert_eq!(rules.fate(&super::file("x")).open, []);
    assert_eq!(rules.fate(&super::in_class("x", "INTELLIGENT_TIERING")).open.len(), 1);
    let small = super::Object { size: Bytes(1), ..super::in_class("x", "INTELLIGENT_TIERING") };
    assert_eq!(rules.fate(&small).open, [], "small objects are never archived");

    let leads = Bucket::of([rule("r").moves(30, "INTELLIGENT_TIERING").into()]);
    let denied = BucketEvidence { intelligent_tiering: seen.intelligent_tiering.clone(), ..evidence(&leads) };
    assert_eq!(BucketRules::of(&denied).place("x/", now).open.len(), 1, "a rule leads there");

    seen.lifecycle = Fact::denied("needs s3:GetLifecycleConfiguration", "GetBucketLifecycleConfiguration");
    let rules = BucketRules::of(&seen);
    assert!(rules.lifecycle_unknown().is_some_and(|unknown| unknown.reason.starts_with("denied")));
    assert_eq!(rules.place("x/", now).open.len(), 1);
    seen.lifecycle = Fact::absent("no lifecycle configuration", "GetBucketLifecycleConfiguration");
    assert_eq!(BucketRules::of(&seen).place("x/", now).open, [], "none is an answer");
}
