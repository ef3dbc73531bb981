use ttl_audit::{finding::Severity, units::Millis};

use crate::world::World;

const RULE: &str = "evidence-stale";

#[test]
fn evidence_older_than_the_policy_allows_is_unknown() {
    let answers = World::at("2026-09-15").judged_at("2026-10-16").judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.severity, Severity::Error);
    assert_eq!(
        unknown.unknown.reason,
        "stale: the evidence of 2026-09-15 00:00Z is 31d old at 2026-10-16 00:00Z, and evidence_max_age is 30d; what it shows may have changed"
    );
}

#[test]
fn evidence_of_exactly_that_age_is_quiet_and_the_policy_moves_it() {
    World::at("2026-09-15").judged_at("2026-10-15").judge().quiet(RULE);
    World::at("2026-09-15").judged_at("2026-10-15").policy(|policy| policy.evidence_max_age = Millis::days(7)).judge().unknown(RULE);
}

#[test]
fn an_instant_before_the_capture_makes_nothing_stale() {
    World::at("2026-09-15").judged_at("2026-06-30").judge().quiet(RULE);
}
