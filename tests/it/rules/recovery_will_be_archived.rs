//! Field case F04 with its twin, and Intelligent-Tiering.

use ttl_audit::{
    evidence::{Fact, RuleStatus, Tiering, TieringConfiguration},
    finding::Severity,
};

use crate::{
    scene::{Snapshot, at},
    vault::{moves, now, pasted, savepoint, vault},
    world::World,
};

const RULE: &str = "recovery-will-be-archived";
const PLACE: &str = "s3://b/sp/ savepoint place";
const NEWEST: &str = "s3://b/sp/ savepoint";

fn tiering(days: u32) -> TieringConfiguration {
    TieringConfiguration {
        id: "deep".to_owned(),
        status: RuleStatus::Enabled,
        prefix: None,
        tags: std::collections::BTreeMap::new(),
        tierings: vec![Tiering { access_tier: "ARCHIVE_ACCESS".to_owned(), days }],
    }
}

fn tiered(world: World, configurations: Vec<TieringConfiguration>) -> World {
    world.in_bucket("b", |bucket| {
        bucket.intelligent_tiering = Fact::seen(configurations, "b", "ListBucketIntelligentTieringConfigurations", now());
    })
}

/// Field case F04: five large files sink, `_metadata` and three small ones do not.
#[test]
fn fires_for_the_large_files_alone() {
    let savepoint =
        Snapshot::new("b", "sp/savepoint-a", at("2026-09-01"), 40_960).files(5, 1 << 26, "STANDARD").files(3, 20_480, "STANDARD");
    let answers = vault(vec![savepoint]).ruled("b", vec![moves("cold", "", 30, "GLACIER")]).judge();
    let hit = answers.about(RULE, NEWEST);
    assert_eq!((hit.severity, hit.bites_on), (Severity::Error, Some(at("2026-10-01"))));
    assert!(hit.message.contains("5 of the 9 objects"), "{}", hit.message);
    assert!(hit.message.contains("are moved to GLACIER (readable only after a restore)"), "{}", hit.message);
    assert!(!hit.message.contains("_metadata,"), "{}", hit.message);
    let place = answers.about(RULE, PLACE);
    assert_eq!(place.severity, Severity::Error);
    assert!(place.message.contains("That holds for files of 128.0 KiB (131072 bytes) and more."), "{}", place.message);
}

/// The twin of F04: nothing that is there is large enough. The place is covered for larger files all the same, one step less.
#[test]
fn a_savepoint_of_small_files_is_not_hit() {
    let small = Snapshot::new("b", "sp/savepoint-a", at("2026-09-01"), 40_960).files(3, 20_480, "STANDARD");
    let answers = vault(vec![small]).ruled("b", vec![moves("cold", "", 30, "GLACIER")]).judge();
    assert_eq!(answers.subjects(RULE), [PLACE]);
    let place = answers.about(RULE, PLACE);
    assert_eq!(place.severity, Severity::Warning);
    assert!(place.message.contains("what lies there now has no file of that size"), "{}", place.message);
    let varies = vault(vec![savepoint("a", "2026-09-01", "STANDARD")]).ruled("b", vec![moves("cold", "", 30, "GLACIER")]);
    let varies = varies.in_bucket("b", |bucket| {
        if let Fact::Seen(seen) = &mut bucket.lifecycle {
            seen.value.transition_default_minimum_object_size = Some("varies_by_storage_class".to_owned());
        }
    });
    assert!(varies.judge().about(RULE, NEWEST).message.contains("7 of the 7 objects"), "small ones sink too");
}

#[test]
fn an_archive_tier_that_no_listing_shows() {
    let world = || vault(vec![savepoint("a", "2026-08-26", "INTELLIGENT_TIERING")]);
    let answers = tiered(world(), vec![tiering(90)]).judge();
    let hit = answers.about(RULE, NEWEST);
    assert_eq!(hit.bites_on, Some(at("2026-11-24").minus(ttl_audit::units::Millis::seconds(20))));
    assert!(hit.message.contains("Intelligent-Tiering configuration deep (every key)"), "{}", hit.message);
    assert!(pasted(hit).contains("delete-bucket-intelligent-tiering-configuration --bucket b --id deep"), "{}", pasted(hit));
    // New savepoints are written to STANDARD, and no rule leads into the class.
    assert_eq!(answers.subjects(RULE), [NEWEST]);
    tiered(world(), Vec::new()).judge().quiet(RULE);
    // A rule that leads there makes the configuration one of the place.
    let led = tiered(vault(Vec::new()), vec![tiering(90)]).ruled("b", vec![moves("smart", "", 0, "INTELLIGENT_TIERING")]).judge();
    assert_eq!(led.subjects(RULE), [PLACE]);
    // Nothing is in the class and nothing leads there: whoever may not read the configurations needs not to.
    let denied = |world: World| {
        world.in_bucket("b", |bucket| bucket.intelligent_tiering = Fact::denied("needs s3:GetIntelligentTieringConfiguration", "call"))
    };
    denied(vault(vec![savepoint("a", "2026-08-26", "STANDARD")])).judge().quiet(RULE);
    assert_eq!(denied(world()).judge().reasons(RULE), ["denied: needs s3:GetIntelligentTieringConfiguration"]);
}

#[test]
fn what_is_archived_already_is_another_rules_finding() {
    let sunk = savepoint("a", "2026-07-26", "GLACIER").each("GLACIER", |object| object.head = crate::vault::head("GLACIER", |_| {}));
    let answers = vault(vec![sunk]).ruled("b", vec![moves("deeper", "", 60, "DEEP_ARCHIVE")]).judge();
    assert_eq!(answers.subjects(RULE), [PLACE]);
    answers.fires("snapshot-unreadable");
}

#[test]
fn unknown_stays_unknown() {
    // AWS did not say whether small objects move.
    let silent =
        vault(vec![savepoint("a", "2026-09-01", "STANDARD")]).ruled("b", vec![moves("cold", "", 30, "GLACIER")]).in_bucket("b", |bucket| {
            if let Fact::Seen(seen) = &mut bucket.lifecycle {
                seen.value.transition_default_minimum_object_size = None;
            }
        });
    let answers = silent.judge();
    assert_eq!(answers.about(RULE, NEWEST).severity, Severity::Error, "the large ones sink in any case");
    assert!(answers.reasons(RULE).iter().any(|reason| reason.contains("smaller than 128 KiB")), "{:?}", answers.reasons(RULE));
}
