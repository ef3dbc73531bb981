//! One test for each row of what S3 Lifecycle and Intelligent-Tiering are known to do.

use std::collections::BTreeMap;

use ttl_audit::{
    analysis::lifecycle::{Doubt, Kind, Lock, Object, Tags, Version},
    evidence::{Expiration, LifecycleRule, ObjectLock, RuleStatus, StoreKind, Versioning, VersioningStatus, When},
    units::{Bytes, Millis},
};

use super::{Bucket, LARGE, NONE, file, in_class, rule, sized, untold};
use crate::scene::at;

/// The only rule of the bucket, and what it does to the object.
fn alone(rule: impl Into<LifecycleRule>, object: &Object<'_>) -> Vec<String> {
    Bucket::of([rule.into()]).says(object)
}

#[test]
fn filters() {
    let archive = || rule("r").moves(3, "GLACIER");
    let hit = ["2026-01-19 GLACIER by r"];
    let legacy = {
        let mut rule = archive().prefix("savepoints/").0;
        rule.filter.legacy_prefix = true;
        rule
    };
    assert_eq!(alone(archive(), &file("any")), hit, "an empty filter covers all");
    assert_eq!(alone(archive().prefix(""), &file("any")), hit, "so does the empty prefix");
    assert_eq!(alone(archive().prefix("user-engagement"), &file("user-engagement-v2/x")), hit, "a prefix is plain text");
    assert_eq!(alone(archive().prefix("savepoints/"), &file("savepoint")), NONE);
    assert_eq!(alone(legacy.clone(), &file("savepoints/x")), hit, "the old form");
    assert_eq!(alone(legacy, &file("other")), NONE);
    for (size, larger, smaller) in [(1_000, false, true), (1_001, true, true), (1_999, true, true), (2_000, true, false)] {
        let object = sized("x", size);
        assert_eq!(!alone(archive().larger_than(1_000), &object).is_empty(), larger, "{size} > 1000");
        assert_eq!(!alone(archive().smaller_than(2_000), &object).is_empty(), smaller, "{size} < 2000");
        assert_eq!(!alone(archive().larger_than(1_000).smaller_than(2_000), &object).is_empty(), larger && smaller, "{size} in And");
    }
}

#[test]
fn tags_match_exactly_all_of_them_and_may_match_where_they_are_not_known() {
    let tagged = rule("r").tag("tier", "cold").tag("team", "a").prefix("x").moves(3, "GLACIER");
    let tags = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect::<BTreeMap<_, _>>();
    let both = tags(&[("tier", "cold"), ("team", "a"), ("more", "1")]);
    let one = tags(&[("tier", "cold")]);
    let other = tags(&[("tier", "Cold"), ("team", "a")]);
    let with = |tags| Object { tags: Tags::Known(tags), ..file("x") };
    assert_eq!(alone(tagged.clone(), &with(&both)), ["2026-01-19 GLACIER by r"]);
    assert_eq!(alone(tagged.clone(), &with(&one)), NONE);
    assert_eq!(alone(tagged.clone(), &with(&other)), NONE);
    assert_eq!(alone(tagged.clone(), &file("x")), NONE, "no tags at all");
    assert_eq!(alone(tagged.clone(), &untold("x")), ["2026-01-19 GLACIER? by r"]);
    assert_eq!(alone(tagged.clone(), &untold("y")), NONE, "the prefix rules it out, whatever the tags");
    let fate = Bucket::of([tagged.into()]).simulator().fate(&untold("x"));
    let doubts = fate.changes[0].doubts();
    assert!(matches!(doubts, [Doubt::Tags(source)] if source.id() == "r"), "{doubts:?}");
    assert_eq!(doubts[0].unknown().call, "GetObjectTagging");
}

#[test]
fn a_disabled_rule_does_nothing_and_one_that_is_not_understood_is_not_ignored() {
    let expires = rule("r").expires(3);
    assert_eq!(alone(expires.clone().status(RuleStatus::Disabled), &file("x")), NONE);
    let odd = Bucket::of([expires.status(RuleStatus::Other(String::new())).into()]);
    assert_eq!(odd.says(&file("x")), ["2026-01-19 deleted? by r"]);
    let fate = odd.simulator().fate(&file("x"));
    assert_eq!(fate.not_understood.len(), 1);
    assert!(matches!(fate.changes[0].doubts(), [Doubt::Status(_)]));
}

#[test]
fn days_are_rounded_up_to_midnight_and_dates_keep_applying() {
    assert_eq!(alone(rule("r").moves(3, "GLACIER"), &file("x")), ["2026-01-19 GLACIER by r"]);
    assert_eq!(alone(rule("r").moves(0, "GLACIER"), &file("x")), ["2026-01-16 GLACIER by r"]);
    let on = |day: &str| When::Date(at(day));
    assert_eq!(alone(rule("r").moves_when(on("2027-05-01"), "GLACIER"), &file("x")), ["2027-05-01 GLACIER by r"]);
    assert_eq!(alone(rule("r").expires_when(on("2024-05-01")), &file("x")), ["2026-01-16 deleted by r"], "a past date means now");
}

#[test]
fn an_age_that_ends_at_midnight_is_due_then_or_a_day_later() {
    let midnight = Object { last_modified: at("2026-01-15"), ..file("x") };
    assert_eq!(alone(rule("r").moves(3, "GLACIER"), &midnight), ["2026-01-18+1 GLACIER by r"]);
    let fate = Bucket::of([rule("r").moves(3, "GLACIER").into()]).simulator().fate(&midnight);
    assert_eq!(fate.changes[0].on_at_the_latest(), Some(at("2026-01-19")));
    // A date on the same day is then the earlier one, or falls on the same day: either class may win.
    let both = [rule("age").moves(3, "GLACIER_IR"), rule("date").moves_when(When::Date(at("2026-01-18")), "INTELLIGENT_TIERING")];
    assert_eq!(
        Bucket::of(both.map(Into::into)).says(&midnight),
        ["2026-01-18 INTELLIGENT_TIERING by date", "2026-01-19+1 GLACIER_IR? by age"]
    );
}

#[test]
fn the_floor() {
    let all = |header: Option<&str>, kind: StoreKind| {
        let mut bucket = Bucket::of([rule("a").moves(3, "GLACIER").into(), rule("b").moves(1, "STANDARD_IA").into()]).floor(header);
        bucket.kind = kind;
        let says = |size| bucket.says(&sized("x", size)).join(", ");
        (says(131_071), says(131_072))
    };
    let large = "2026-01-17 STANDARD_IA by b, 2026-01-19 GLACIER by a".to_owned();
    let may = "2026-01-17 STANDARD_IA? by b, 2026-01-19 GLACIER? by a".to_owned();
    assert_eq!(all(Some("all_storage_classes_128K"), StoreKind::Aws), (String::new(), large.clone()));
    assert_eq!(all(Some("varies_by_storage_class"), StoreKind::Aws), ("2026-01-19 GLACIER by a".to_owned(), large.clone()));
    assert_eq!(all(Some("something_new"), StoreKind::Aws), (may.clone(), large.clone()));
    assert_eq!(all(None, StoreKind::Aws), (may, large.clone()));
    assert_eq!(all(None, StoreKind::Other), (large.clone(), large.clone()));
    assert_eq!(all(Some("all_storage_classes_128K"), StoreKind::Other), (large.clone(), large));
}

#[test]
fn a_size_filter_of_its_own_replaces_the_floor_and_deletion_knows_none() {
    let small = sized("x", 20_000);
    assert_eq!(alone(rule("r").larger_than(10_000).moves(3, "GLACIER_IR"), &small), ["2026-01-19 GLACIER_IR by r"]);
    assert_eq!(alone(rule("r").smaller_than(1 << 30).moves(3, "GLACIER_IR"), &small), ["2026-01-19 GLACIER_IR by r"]);
    assert_eq!(alone(rule("r").moves(3, "GLACIER_IR"), &small), NONE);
    assert_eq!(alone(rule("r").expires(3), &small), ["2026-01-19 deleted by r"]);
    assert_eq!(alone(rule("r").expires(3), &sized("x", 0)), ["2026-01-19 deleted by r"]);
}

#[test]
fn conflicts_on_one_day() {
    let says = |rules: Vec<super::Rule>, versioning| {
        Bucket::of(rules.into_iter().map(Into::into)).versioning(versioning).says(&file("x")).join(", ")
    };
    let two = |a, b| vec![rule("a").moves(30, a), rule("b").moves(30, b)];
    let never = VersioningStatus::Never;
    let expiry = || vec![rule("move").moves(30, "GLACIER"), rule("end").expires(30)];
    assert_eq!(says(expiry(), never.clone()), "2026-02-15 deleted by end", "permanent deletion comes first");
    assert_eq!(
        says(expiry(), VersioningStatus::Enabled),
        "2026-02-15 GLACIER by move, 2026-02-15 hidden by end",
        "a transition comes before a delete marker"
    );
    assert_eq!(says(vec![rule("late").expires(31), rule("soon").expires(30)], never.clone()), "2026-02-15 deleted by soon");
    assert_eq!(says(two("STANDARD_IA", "ONEZONE_IA"), never.clone()), "2026-02-15 ONEZONE_IA by b", "the cheaper class");
    assert_eq!(says(two("GLACIER", "STANDARD_IA"), never.clone()), "2026-02-15 GLACIER by a");
    assert_eq!(says(two("GLACIER_IR", "INTELLIGENT_TIERING"), never.clone()), "2026-02-15 INTELLIGENT_TIERING by b");
    assert_eq!(says(two("INTELLIGENT_TIERING", "GLACIER"), never.clone()), "2026-02-15 GLACIER by b");
    assert_eq!(
        says(vec![rule("a").moves(30, "INTELLIGENT_TIERING"), rule("b").moves(31, "GLACIER_IR")], never),
        "2026-02-15 INTELLIGENT_TIERING by a, 2026-02-16 GLACIER_IR by b",
        "on different days both happen"
    );
}

#[test]
fn a_conflict_that_was_settled_is_not_opened_again() {
    let bucket = Bucket::of([rule("a").moves(30, "INTELLIGENT_TIERING").into(), rule("b").moves(30, "GLACIER_IR").into()]);
    assert_eq!(bucket.says(&in_class("x", "INTELLIGENT_TIERING")), NONE);
}

#[test]
fn the_next_class_follows_from_the_current_one() {
    let chain = || rule("r").moves(30, "STANDARD_IA").moves(60, "GLACIER_IR").moves(90, "GLACIER").moves(180, "DEEP_ARCHIVE");
    let says = |class| Bucket::of([chain().into()]).says(&in_class("x", class)).join(", ");
    let tail = "2026-04-16 GLACIER by r, 2026-07-15 DEEP_ARCHIVE by r";
    assert_eq!(says("STANDARD"), format!("2026-02-15 STANDARD_IA by r, 2026-03-17 GLACIER_IR by r, {tail}"));
    assert_eq!(says("STANDARD_IA"), format!("2026-03-17 GLACIER_IR by r, {tail}"));
    assert_eq!(says("INTELLIGENT_TIERING"), format!("2026-03-17 GLACIER_IR by r, {tail}"));
    assert_eq!(says("ONEZONE_IA"), tail);
    assert_eq!(says("GLACIER_IR"), tail);
    assert_eq!(says("GLACIER"), "2026-07-15 DEEP_ARCHIVE by r");
    assert_eq!(says("DEEP_ARCHIVE"), "");
    // A class without a row in the table: nobody says what a rule does with it.
    assert_eq!(
        alone(rule("r").moves(30, "GLACIER").moves(90, "DEEP_ARCHIVE"), &in_class("x", "REDUCED_REDUNDANCY")),
        ["2026-02-15 GLACIER? by r", "2026-04-16 DEEP_ARCHIVE? by r"]
    );
    assert_eq!(alone(rule("r").moves(30, "GLACIER"), &Object { class: None, ..file("x") }), ["2026-02-15 GLACIER? by r"]);
    assert_eq!(alone(rule("r").expires(30), &in_class("x", "REDUCED_REDUNDANCY")), ["2026-02-15 deleted by r"]);
}

#[test]
fn versioning_decides_what_an_expiry_is() {
    let bucket = Bucket::of([rule("end").expires(30).into(), rule("old").expires_old(7, None).moves_old(2, "GLACIER").into()]);
    let says = |status| bucket.clone().versioning(status).says(&file("x")).join(", ");
    assert_eq!(says(VersioningStatus::Never), "2026-02-15 deleted by end", "nothing noncurrent there");
    assert_eq!(
        says(VersioningStatus::Enabled),
        "2026-02-15 hidden until 2026-02-22 by end, 2026-02-17~ old GLACIER by old, 2026-02-22~ old deleted by old"
    );
    assert_eq!(says(VersioningStatus::Suspended), "2026-02-15 deleted or hidden by end", "it hangs on the null version");
    let unknown = Bucket { versioning: None, ..bucket };
    assert_eq!(unknown.says(&file("x")), ["2026-02-15 deleted or hidden by end"]);
    let fate = unknown.simulator().fate(&file("x"));
    assert!(fate.first_change().is_some_and(super::Change::is_certain), "gone it is either way");
}

#[test]
fn noncurrent_versions() {
    let bucket = |rule: super::Rule| Bucket::of([rule.into()]).versioning(VersioningStatus::Enabled);
    let old = |newer| Object { version: Version::Noncurrent { since: at("2026-03-01T08:00:00Z"), newer }, ..file("x") };
    assert_eq!(bucket(rule("r").expires_old(7, None)).says(&old(0)), ["2026-03-09 old deleted by r"]);
    assert_eq!(bucket(rule("r").expires_old(7, Some(2))).says(&old(1)), NONE, "the two newest are kept");
    assert_eq!(bucket(rule("r").expires_old(7, Some(2))).says(&old(2)), ["2026-03-09 old deleted by r"]);
    assert_eq!(bucket(rule("r").expires(7).moves(1, "GLACIER")).says(&old(0)), NONE, "actions for current versions");
    assert_eq!(bucket(rule("r").expires_old(7, None)).says(&file("x")), NONE, "and the reverse");
    assert_eq!(bucket(rule("r").expires(30).expires_old(7, Some(1))).says(&file("x")), ["2026-02-15 hidden by r"], "it is the newest");
    assert!(bucket(rule("r").expires_old(7, None)).simulator().fate(&old(0)).first_change().is_none(), "Flink cannot see it anyway");
}

#[test]
fn what_touches_no_finished_current_object() {
    let mut markers = rule("markers").0;
    markers.expiration = Some(Expiration::ExpiredObjectDeleteMarker);
    let mut uploads = rule("uploads").0;
    uploads.abort_incomplete_multipart_upload_days = Some(1);
    assert_eq!(Bucket::of([markers, uploads]).versioning(VersioningStatus::Enabled).says(&file("x")), NONE);
}

#[test]
fn a_lock_holds_back_permanent_deletion_and_nothing_else() {
    let mut bucket = Bucket::of([rule("r").moves(10, "GLACIER").expires(30).expires_old(7, None).into()]);
    bucket.lock = Some(ObjectLock { default_mode: Some("GOVERNANCE".to_owned()), default_period: Some(Millis::days(90)) });
    bucket.versioning = None; // a bucket with Object Lock is versioned
    let locked = |lock| Object { lock, ..file("x") };
    let until = Lock { until: Some(at("2026-06-01T12:00:00Z")), legal_hold: false };
    assert_eq!(
        bucket.says(&locked(until)),
        ["2026-01-26 GLACIER by r", "2026-02-15 hidden until 2026-06-02 by r", "2026-06-02~ old deleted by r"]
    );
    let past = Lock { until: Some(at("2026-01-20")), legal_hold: false };
    assert_eq!(bucket.says(&locked(past))[1], "2026-02-15 hidden until 2026-02-22 by r");
    let held = Lock { until: None, legal_hold: true };
    assert_eq!(bucket.says(&locked(held)), ["2026-01-26 GLACIER by r", "2026-02-15 hidden by r"]);
    // A place: the bucket's default retention counts from the day of writing.
    let place = bucket.simulator().place("savepoints/", at("2026-01-15T10:30:00Z"));
    let says: Vec<String> = place.changes.iter().map(|one| super::text(&one.change)).collect();
    assert!(says.contains(&"2026-02-15 hidden until 2026-04-16 by r".to_owned()), "{says:?}");
}

#[test]
fn lifecycle_does_not_work_with_mfa_delete() {
    let mut bucket = Bucket::of([rule("r").expires(3).into()]);
    bucket.versioning = Some(Versioning { status: VersioningStatus::Enabled, mfa_delete: true });
    assert_eq!(bucket.says(&file("x")), NONE);
    assert!(bucket.simulator().is_held_by_mfa_delete());
}

#[test]
fn on_other_stores_a_class_is_only_a_name() {
    let other = |rules: Vec<super::Rule>| {
        let mut bucket = Bucket::of(rules.into_iter().map(Into::into)).floor(None);
        bucket.kind = StoreKind::Other;
        bucket
    };
    let tiers = other(vec![rule("r").moves(1, "COLD-TIER").moves(2, "GLACIER").moves(3, "STANDARD")]);
    let object = Object { size: Bytes(10), ..in_class("x", "HOT") };
    assert_eq!(tiers.says(&object), ["2026-01-17 COLD-TIER by r", "2026-01-18 GLACIER by r", "2026-01-19 STANDARD by r"]);
    let fate = tiers.simulator().fate(&object);
    assert!(fate.changes.iter().all(|change| change.what.kind() == Kind::Tiered), "GLACIER may be plain disk there");
    // Which of two moves of one day wins is not known there.
    let two = other(vec![rule("a").moves(1, "A"), rule("b").moves(1, "B")]);
    assert_eq!(two.says(&object), ["2026-01-17 A? by a", "2026-01-17 B? by b"]);
    assert_eq!(other(vec![rule("r").moves(1, "HOT")]).says(&Object { size: Bytes(10), ..in_class("x", "HOT") }), NONE);
}

#[test]
fn intelligent_tiering_archives_only_what_is_in_its_class() {
    let tiers = [("DEEP_ARCHIVE_ACCESS", 180), ("ARCHIVE_ACCESS", 90)];
    let bucket = Bucket::of([]).tiering("t", Some("savepoints/"), &tiers);
    let tiered = in_class("savepoints/x", "INTELLIGENT_TIERING");
    let both = ["2026-04-15~ ARCHIVE_ACCESS by t", "2026-07-14~ DEEP_ARCHIVE_ACCESS by t"];
    assert_eq!(bucket.says(&tiered), both);
    assert_eq!(bucket.says(&file("savepoints/x")), NONE, "another class");
    assert_eq!(bucket.says(&in_class("other/x", "INTELLIGENT_TIERING")), NONE, "another prefix");
    assert_eq!(bucket.says(&Object { size: Bytes(131_071), ..tiered }), NONE, "never monitored");
    assert_eq!(bucket.says(&Object { archive_tier: Some("ARCHIVE_ACCESS"), ..tiered }), [both[1]]);
    assert_eq!(bucket.says(&Object { archive_tier: Some("DEEP_ARCHIVE_ACCESS"), ..tiered }), NONE);
    let mut disabled = bucket.clone();
    disabled.tierings[0].status = RuleStatus::Disabled;
    assert_eq!(disabled.says(&tiered), NONE);
    let mut tagged = bucket;
    tagged.tierings[0].tags = BTreeMap::from([("k".to_owned(), "v".to_owned())]);
    assert_eq!(tagged.says(&tiered), NONE, "it has no tags");
    assert_eq!(tagged.says(&Object { tags: Tags::NotKnown, ..tiered })[0], "2026-04-15~ ARCHIVE_ACCESS? by t");
}

#[test]
fn the_clock_of_a_tier_starts_at_the_move_and_ends_with_the_next() {
    let tiers = [("ARCHIVE_ACCESS", 90)];
    let moved = rule("in").moves(30, "INTELLIGENT_TIERING");
    let bucket = Bucket::of([moved.clone().into()]).tiering("t", None, &tiers);
    assert_eq!(bucket.says(&file("x")), ["2026-02-15 INTELLIGENT_TIERING by in", "2026-05-16~ ARCHIVE_ACCESS by t"]);
    let out = Bucket::of([moved.moves(60, "GLACIER_IR").into()]).tiering("t", None, &tiers);
    assert_eq!(out.says(&file("x")), ["2026-02-15 INTELLIGENT_TIERING by in", "2026-03-17 GLACIER_IR by in"]);
}

#[test]
fn overdue_changes_keep_their_day() {
    let fate =
        Bucket::of([rule("r").expires(1).into()]).simulator().fate(&Object { last_modified: at("2001-01-01T10:00:00Z"), ..file("x") });
    assert_eq!(fate.first_change().map(|change| change.on), Some(at("2001-01-03")));
}

#[test]
fn rules_without_an_id_have_a_name() {
    let mut nameless = rule("").expires(1).0;
    nameless.id = None;
    let fate = Bucket::of([nameless]).simulator().fate(&sized("x", LARGE));
    assert_eq!(fate.changes[0].by.to_string(), "rule number 1 (without an ID)");
}

#[test]
fn the_end_of_time_is_not_an_overflow() {
    let bucket = Bucket::of([rule("r").moves(u32::MAX, "GLACIER").expires(u32::MAX).expires_old(u32::MAX, None).into()])
        .versioning(VersioningStatus::Enabled)
        .tiering("t", None, &[("ARCHIVE_ACCESS", u32::MAX)]);
    for modified in ["-009999-01-02T01:59:59Z", "9999-12-30T22:00:00Z"] {
        let object = Object { last_modified: at(modified), ..in_class("x", "INTELLIGENT_TIERING") };
        assert!(bucket.simulator().fate(&object).changes.iter().all(|change| change.on >= object.last_modified));
    }
}
