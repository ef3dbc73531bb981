use ttl_audit::{finding::Severity, units::Millis};

use crate::{
    scene::{Topic, at},
    world::World,
};

const RULE: &str = "evidence-stale";

#[test]
fn evidence_older_than_the_policy_allows_is_unknown() {
    let answers = World::at("2026-09-15").judged_at("2026-10-16").judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.severity, Severity::Error);
    assert_eq!(
        unknown.unknown.reason,
        "stale: the evidence is of 2026-09-15 00:00Z, 31d old at 2026-10-16 00:00Z, and evidence_max_age is 30d; it may have changed"
    );
}

#[test]
fn evidence_of_exactly_that_age_is_quiet_and_the_policy_moves_it() {
    World::at("2026-09-15").judged_at("2026-10-15").judge().quiet(RULE);
    World::at("2026-09-15").judged_at("2026-10-15").policy(|policy| policy.evidence_max_age = Millis::days(7)).judge().unknown(RULE);
}

#[test]
fn evidence_from_long_after_the_instant_that_is_judged_says_nothing_of_it() {
    World::at("2026-09-15").judged_at("2026-09-01").judge().quiet(RULE);
    let answers = World::at("2026-09-15").judged_at("2026-06-30").judge();
    assert!(answers.unknown(RULE).unknown.reason.contains("77d after 2026-06-30 00:00Z, the instant that is judged"));
}

/// Evidence put together from two captures: one cluster was last asked 41 days ago.
#[test]
fn an_old_part_of_fresh_evidence_is_unknown_by_name() {
    let topic = |then: &str| Topic::new(at(then), at(then).minus(Millis::days(7)), 1, 10);
    let answers = World::at("2026-09-15").reads("orders", &topic("2026-08-05")).judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.severity, Severity::Error);
    assert!(unknown.unknown.reason.starts_with("stale: what is known of cluster "), "{}", unknown.unknown.reason);
    assert!(unknown.unknown.reason.contains("is of 2026-08-05 00:00Z, 41d old at 2026-09-15 00:00Z"), "{}", unknown.unknown.reason);
    World::at("2026-09-15").reads("orders", &topic("2026-09-01")).judge().quiet(RULE);
}
