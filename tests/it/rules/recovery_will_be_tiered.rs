use ttl_audit::{
    evidence::StoreKind,
    finding::{Level, Severity},
};

use crate::{
    scene::at,
    vault::{moves, pasted, savepoint, vault},
    world::World,
};

const RULE: &str = "recovery-will-be-tiered";
const PLACE: &str = "s3://b/sp/ savepoint place";

fn tiers_to(class: &str) -> World {
    vault(vec![savepoint("a", "2026-09-01", "STANDARD")]).ruled("b", vec![moves("tier-cold-data", "", 30, class)])
}

#[test]
fn fires_by_the_class_policy_and_tells_that_it_can_be_read() {
    let answers = tiers_to("GLACIER_IR").judge();
    assert_eq!(answers.subjects(RULE), ["s3://b/sp/ savepoint", PLACE]);
    let place = answers.about(RULE, PLACE);
    assert_eq!((place.severity, place.bites_on), (Severity::Error, Some(at("2026-10-15"))));
    assert!(
        place.message.starts_with(
            "On 2026-10-15 or a day later, by rule tier-cold-data (every key), a savepoint that is written to s3://b/sp/ now is moved to \
             GLACIER_IR (still readable at once). That holds for files of 128.0 KiB (131072 bytes) and more. Policy: recovery files must \
             not be in or move to GLACIER_IR."
        ),
        "{}",
        place.message
    );
    assert!(!place.message.contains("cannot be read"));
    assert_eq!(tiers_to("STANDARD_IA").judge().about(RULE, PLACE).severity, Severity::Warning);
    assert_eq!(tiers_to("INTELLIGENT_TIERING").judge().about(RULE, PLACE).severity, Severity::Note);
    answers.quiet("recovery-will-be-archived");
}

#[test]
fn the_loudest_of_several_moves_decides() {
    let mut rule = moves("steps", "", 30, "STANDARD_IA");
    rule.transitions.extend(moves("", "", 60, "GLACIER_IR").transitions);
    let answers = vault(Vec::new()).ruled("b", vec![rule]).judge();
    let place = answers.about(RULE, PLACE);
    assert_eq!((place.severity, place.bites_on), (Severity::Error, Some(at("2026-10-15"))));
    assert!(place.message.contains("Policy: recovery files must not be in or move to GLACIER_IR."), "{}", place.message);
    assert!(place.message.contains("On 2026-11-14 or a day later"), "{}", place.message);
    assert!(!pasted(place).is_empty() || place.remedy.iter().any(|way| way.say.contains("S3 cannot exclude a prefix")));
}

#[test]
fn twins_are_quiet() {
    let mut tolerant = tiers_to("STANDARD_IA");
    tolerant.audit.policy.classes.stated.insert("STANDARD_IA".to_owned(), Level::Off);
    tolerant.judge().quiet(RULE);
    vault(vec![savepoint("a", "2026-09-01", "STANDARD")]).ruled("b", vec![moves("t", "exports/", 30, "GLACIER_IR")]).judge().quiet(RULE);
    tiers_to("GLACIER").judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let answers = tiers_to("COLDER_THAN_EVER").judge();
    assert!(answers.reasons(RULE).iter().any(|reason| reason.contains("COLDER_THAN_EVER")), "{:?}", answers.reasons(RULE));
    // On another store a class is only a name.
    let elsewhere = || tiers_to("WARM").in_bucket("b", |bucket| bucket.store.kind = StoreKind::Other);
    let answers = elsewhere().judge();
    assert!(answers.unknown(RULE).unknown.reason.starts_with("unsupported: rule tier-cold-data moves files to WARM"));
    let mut stated = elsewhere();
    stated.audit.policy.classes.stated.insert("WARM".to_owned(), Level::Off);
    stated.judge().quiet(RULE);
}
