//! Field cases F06, F07, F14 and F16 with their twins.

use ttl_audit::{
    evidence::{Fact, FilesSummary, HeadExpiration, LifecycleRule, NoncurrentExpiration, ObjectLock, RuleStatus, StoreKind},
    finding::Severity,
    units::{Bytes, Millis},
};

use crate::{
    scene::{Snapshot, at},
    vault::{expires, head, now, pasted, rule, savepoint, vault},
    world::World,
};

const RULE: &str = "recovery-will-expire";
const PLACE: &str = "s3://b/sp/ savepoint place";
const NEWEST: &str = "s3://b/sp/ savepoint";
const JOB: &str = "cp/7b1f0c9d4e5a4c0f9a2b3c4d5e6f7081";

fn twenty_days_old() -> World {
    vault(vec![savepoint("a", "2026-08-26", "STANDARD")])
}

/// A running job: its newest checkpoint is a minute old.
fn running(incremental: Option<bool>) -> World {
    let checkpoint = Snapshot::new("b", &format!("{JOB}/chk-9"), now().minus(Millis::minutes(1)), 24_576).files(2, 1 << 26, "STANDARD");
    let world = World::at("2026-09-15T00:00:00Z").checkpoints("s3://b/cp/", vec![checkpoint]).down_for(3);
    match incremental {
        Some(stated) => world.incremental(stated),
        None => world,
    }
}

/// Field case F06.
#[test]
fn fires_for_the_place_and_for_the_savepoint_that_is_there() {
    let world = twenty_days_old().ruled("b", vec![expires("tidy", "sp/", 30)]).in_bucket("b", |bucket| {
        bucket.prefixes = Fact::seen(vec!["logs/".to_owned(), "sp/".to_owned()], "b", "ListObjectsV2", now());
    });
    let answers = world.judge();
    let place = answers.about(RULE, PLACE);
    assert_eq!((place.severity, place.bites_on), (Severity::Error, Some(at("2026-10-15"))));
    assert!(
        place.message.starts_with(
            "On 2026-10-15 or a day later, by rule tidy (keys that begin with sp/), a savepoint that is written to s3://b/sp/ now is deleted \
             for good."
        ),
        "{}",
        place.message
    );
    let hit = answers.about(RULE, NEWEST);
    assert_eq!((hit.severity, hit.bites_on), (Severity::Error, Some(at("2026-09-25"))));
    assert!(hit.message.contains("7 of the 7 objects of s3://b/sp/savepoint-a/ (_metadata, "), "{}", hit.message);
    assert!(hit.message.contains(" and 4 more) are deleted for good."), "{}", hit.message);
    // The rule is about recovery files alone: without it no configuration is left.
    assert!(pasted(hit).contains("aws s3api delete-bucket-lifecycle --bucket b"), "{}", pasted(hit));
}

#[test]
fn an_empty_place_is_judged_and_an_overdue_savepoint_goes_at_any_moment() {
    let empty = vault(Vec::new()).ruled("b", vec![expires("tidy", "", 30)]).judge();
    assert_eq!(empty.subjects(RULE), [PLACE]);
    let overdue = vault(vec![savepoint("a", "2026-08-01", "STANDARD")]).ruled("b", vec![expires("tidy", "", 30)]).judge();
    let hit = overdue.about(RULE, NEWEST);
    assert!(hit.message.starts_with("At any moment (due since 2026-08-31)"), "{}", hit.message);
    assert_eq!(hit.bites_on, Some(at("2026-08-31")));
}

#[test]
fn twins_are_quiet() {
    let quiet = |rule: LifecycleRule| twenty_days_old().ruled("b", vec![rule]).judge().quiet(RULE);
    quiet(LifecycleRule { status: RuleStatus::Disabled, ..expires("tidy", "sp/", 30) });
    quiet(expires("tidy", "sp-old/", 30));
    quiet(LifecycleRule { abort_incomplete_multipart_upload_days: Some(1), ..rule("uploads", "") });
    // Beyond the horizon: named in the report, and trips nothing.
    let late = twenty_days_old().ruled("b", vec![expires("tidy", "sp/", 400)]);
    late.judge().quiet(RULE);
    let future = late.analyse().future;
    assert_eq!(future.snapshots[0].first.as_ref().map(|change| change.on), Some(at("2027-09-30")));
    assert_eq!(future.places[0].first_changes().count(), 1);
    // A tag filter never covers a place; the objects' tags are known not to match.
    let mut tagged = expires("tidy", "sp/", 30);
    tagged.filter.tags.insert("tier".to_owned(), "cold".to_owned());
    let untagged = savepoint("a", "2026-08-26", "STANDARD")
        .each("STANDARD", |object| object.tags = Fact::seen([("team".to_owned(), "x".to_owned())].into(), "b", "GetObjectTagging", now()));
    vault(vec![untagged]).ruled("b", vec![tagged.clone()]).judge().quiet(RULE);
    // Unknown if the tags cannot be read.
    let answers = twenty_days_old().ruled("b", vec![tagged]).judge();
    assert_eq!(answers.reasons(RULE), ["rule tidy filters by tag, and the object's tags are not known"]);
}

/// Field case F14.
#[test]
fn on_a_versioned_bucket_it_is_one_step_less_and_says_until_when() {
    let churn = LifecycleRule {
        noncurrent_expiration: Some(NoncurrentExpiration { noncurrent_days: 1, newer_noncurrent_versions: None }),
        expiration: Some(ttl_audit::evidence::Expiration::ExpiredObjectDeleteMarker),
        abort_incomplete_multipart_upload_days: Some(7),
        ..rule("churn", "")
    };
    twenty_days_old().versioned("b").ruled("b", vec![churn.clone()]).judge().quiet(RULE);
    let hides = twenty_days_old().versioned("b").ruled("b", vec![churn, expires("tidy", "sp/", 30)]).judge();
    let hit = hides.about(RULE, NEWEST);
    assert_eq!(hit.severity, Severity::Warning);
    assert!(hit.message.contains("hidden behind a delete marker") && hit.message.contains("from 2026-09-26 on"), "{}", hit.message);
    assert!(!hit.message.contains("Object Lock"));
    let locked = twenty_days_old().versioned("b").ruled("b", vec![expires("tidy", "sp/", 30)]).in_bucket("b", |bucket| {
        bucket.object_lock = Fact::seen(ObjectLock { default_mode: None, default_period: None }, "b", "GetObjectLockConfiguration", now());
    });
    let hit = locked.judge().about(RULE, NEWEST).message.clone();
    assert!(hit.contains("it does not stop the rule from hiding the file behind a delete marker"), "{hit}");
}

/// Field case F07: every `chk-*` is minutes old.
#[test]
fn shared_files_age_while_checkpoints_stay_young() {
    let seven = || vec![expires("tidy-checkpoints", "cp/", 7)];
    let incremental = running(Some(true)).ruled("b", seven()).judge();
    let place = incremental.about(RULE, "s3://b/cp/ checkpoint place");
    assert!(place.message.contains("a file that is written to `shared/` below s3://b/cp/ now is deleted for good"), "{}", place.message);
    assert!(place.message.contains("a checkpoint that is minutes old can need a file that is months old"), "{}", place.message);
    assert_eq!(incremental.subjects(RULE), ["s3://b/cp/ checkpoint place"], "the checkpoint's own files are replaced before the rule acts");
    // A file in shared/ that is six days old goes tomorrow.
    let shares = Snapshot::new("b", &format!("{JOB}/chk-9"), now().minus(Millis::minutes(1)), 24_576).refers_to(
        &format!("{JOB}/shared/5f3a91c2"),
        1 << 26,
        at("2026-09-09"),
        "STANDARD",
    );
    let world = World::at("2026-09-15T00:00:00Z").checkpoints("s3://b/cp/", vec![shares]).down_for(3).ruled("b", seven());
    let answers = world.judge();
    let hit = answers.about(RULE, "s3://b/cp/ checkpoint");
    assert!(hit.message.contains("1 of the 2 objects"), "{}", hit.message);
    assert!(hit.message.contains(&format!("s3://b/{JOB}/shared/5f3a91c2")), "{}", hit.message);
    assert_eq!(hit.bites_on, Some(at("2026-09-16")));
    // The twin.
    running(Some(false)).ruled("b", seven()).judge().quiet(RULE);
    // It acts within the downtime: the last checkpoint before a stop is gone before the job is back.
    let soon = running(Some(false)).ruled("b", vec![expires("daily", "cp/", 1)]).judge();
    assert!(soon.about(RULE, "s3://b/cp/ checkpoint place").message.contains("has to last until the job is back"));
}

#[test]
fn a_checkpoint_that_nothing_replaces_has_to_last_like_a_savepoint() {
    let stale = Snapshot::new("b", &format!("{JOB}/chk-9"), at("2026-09-01"), 24_576).files(2, 1 << 26, "STANDARD");
    let world = World::at("2026-09-15T00:00:00Z").checkpoints("s3://b/cp/", vec![stale]).down_for(3).incremental(false);
    let answers = world.ruled("b", vec![expires("tidy", "cp/", 30)]).judge();
    assert_eq!(answers.subjects(RULE), ["s3://b/cp/ checkpoint"]);
}

/// Field case F16, and high availability.
#[test]
fn changelog_and_high_availability_count_over_the_horizon() {
    let world = || World::at("2026-09-15T00:00:00Z").logs_changes("s3://b/dstl/job/").highly_available("s3://b/ha/job/");
    let answers = world().ruled("b", vec![expires("litter", "dstl/", 2), expires("old", "ha/", 60)]).judge();
    assert_eq!(answers.subjects(RULE), ["s3://b/dstl/job/ changelog place", "s3://b/ha/job/ high-availability place"]);
    let ha = answers.about(RULE, "s3://b/ha/job/ high-availability place");
    assert!(ha.message.contains("written once, at submission"), "{}", ha.message);
    world().ruled("b", vec![expires("litter", "other/", 2)]).judge().quiet(RULE);
    // A part of the place: whether the job writes there is not known.
    let part = world().ruled("b", vec![expires("part", "ha/job/blob/", 2)]).judge();
    assert!(part.unknown(RULE).unknown.reason.contains("acts on keys that begin with ha/job/blob/"));
}

/// The job graph is as old as the job: a rule that is far off for a file of today may be close for that one.
#[test]
fn the_oldest_high_availability_file_counts() {
    let written = |day: &str| {
        let oldest = at(day);
        let world = World::at("2026-09-15T00:00:00Z").highly_available("s3://b/ha/job/").at_place("s3://b/ha/job/", |place| {
            let files = FilesSummary {
                objects: 3,
                bytes: Bytes(30_000),
                largest: Bytes(20_000),
                oldest: Some(oldest),
                newest: Some(now()),
                classes: [("STANDARD".to_owned(), 3)].into(),
                complete: true,
            };
            place.files = Fact::seen(files, "b", "ListObjectsV2", now());
        });
        world.ruled("b", vec![expires("tidy", "ha/", 200)]).judge()
    };
    let answers = written("2026-04-01");
    let finding = answers.about(RULE, "s3://b/ha/job/ high-availability place");
    assert!(finding.message.contains("the oldest high-availability file seen at s3://b/ha/job/, last modified 2026-04-01, is deleted"));
    assert_eq!(finding.bites_on, Some(at("2026-10-18")), "{}", finding.message);
    written("2026-09-10").quiet(RULE);
}

#[test]
fn the_remedy_leaves_the_recovery_files_of_every_job_alone() {
    let mut world = twenty_days_old().ruled("b", vec![expires("tidy", "", 30)]).in_bucket("b", |bucket| {
        let seen = ["ha/", "logs/", "sp/"].map(str::to_owned).to_vec();
        bucket.prefixes = Fact::seen(seen, "b", "ListObjectsV2", now());
    });
    let other = World::at("2026-09-15T00:00:00Z").highly_available("s3://b/ha/");
    world.audit.jobs = vec![world.job.clone(), other.job];
    let answers = world.judge();
    let text = pasted(answers.about(RULE, PLACE));
    assert!(text.contains(r#""Prefix": "logs/""#), "{text}");
    assert!(!text.contains("ha/") && !text.contains("sp/"), "{text}");
    assert!(answers.about(RULE, PLACE).remedy.iter().any(|way| way.say.contains("replaces the bucket's whole lifecycle configuration")));
}

#[test]
fn s3_and_the_rules_disagree() {
    let told = |expiration: Option<HeadExpiration>| {
        let snapshot = savepoint("a", "2026-08-26", "STANDARD").each("STANDARD", |object| {
            object.head = head("STANDARD", |head| head.expiration = expiration.clone());
        });
        vault(vec![snapshot]).ruled("b", vec![expires("tidy", "sp/", 30)])
    };
    let subject = "s3://b/sp/ savepoint x-amz-expiration";
    let agreed = HeadExpiration { on: at("2026-09-25"), rule: "tidy".to_owned() };
    assert!(!told(Some(agreed)).judge().subjects(RULE).contains(&subject));
    let other = told(Some(HeadExpiration { on: at("2026-09-20"), rule: "older".to_owned() })).judge();
    let finding = other.about(RULE, subject);
    assert_eq!((finding.severity, finding.bites_on), (Severity::Warning, Some(at("2026-09-20"))));
    assert!(finding.message.contains("2026-09-20, by rule older; computed from the bucket's rules: 2026-09-25, by rule tidy"));
    assert!(told(None).judge().about(RULE, subject).message.contains("that no rule deletes it"));
    // Another store may leave the header out.
    let elsewhere = told(None).in_bucket("b", |bucket| bucket.store.kind = StoreKind::Other).judge();
    assert!(!elsewhere.subjects(RULE).contains(&subject));
}

#[test]
fn unknown_stays_unknown() {
    let denied = |world: World| {
        world.in_bucket("b", |bucket| {
            bucket.lifecycle = Fact::denied("needs s3:GetLifecycleConfiguration on b", "GetBucketLifecycleConfiguration");
        })
    };
    let answers = denied(twenty_days_old().highly_available("s3://b/ha/")).judge();
    assert_eq!(answers.reasons(RULE), ["denied: needs s3:GetLifecycleConfiguration on b"], "once for the bucket");
    assert_eq!(answers.unknown(RULE).severity, Severity::Error);
    // Nobody says whether checkpoints share files, and it matters.
    let unstated = running(None).ruled("b", vec![expires("tidy", "cp/", 30)]).judge();
    assert!(unstated.unknown(RULE).unknown.reason.contains("`incremental`"), "{:?}", unstated.unknown(RULE));
    running(None).ruled("b", vec![expires("tidy", "cp/", 400)]).judge().quiet(RULE);
    // A rule that is not understood is not harmless.
    let odd =
        LifecycleRule { status: RuleStatus::Other("Enabled, with no action that this version knows".to_owned()), ..rule("odd", "sp/") };
    let answers = twenty_days_old().ruled("b", vec![odd]).judge();
    assert!(answers.unknown(RULE).unknown.reason.starts_with("rule odd is not understood"));
    // Unsupported stores.
    let mut elsewhere = World::at("2026-09-15T00:00:00Z");
    elsewhere = elsewhere.savepoints("gs://b/sp/", Vec::new());
    assert!(elsewhere.judge().unknown(RULE).unknown.reason.starts_with("unsupported"));
}
