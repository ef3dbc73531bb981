use ttl_audit::{
    finding::Severity,
    manifest::{ClearedBy, Clearing, Role},
    units::{Millis, Ttl},
};

use crate::{
    scene::young_topic,
    world::{World, days},
};

const RULE: &str = "ttl-not-stated";

fn world() -> World {
    World::at("2026-09-15").reads("events", &young_topic(Millis::days(7), Millis::days(1)))
}

#[test]
fn a_ttl_that_nobody_states_is_one_unknown_for_all_rules_that_need_it() {
    let answers = world().remembers("dedup/seen", Ttl::Unknown).judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.severity, Severity::Error);
    assert_eq!(
        unknown.unknown.reason,
        "the manifest says `ttl: unknown` of dedup/seen (jobs/job.yaml:1); read it from the code (StateTtlConfig)"
    );
    assert_eq!(answers.causes().len(), 1, "{:#?}", answers.causes());
    for other in ["ttl-below-retention", "ttl-below-observed-history", "ttl-margin-thin"] {
        answers.unknown(other);
    }
}

#[test]
fn two_states_are_two_causes() {
    let answers = world().remembers("dedup/seen", Ttl::Unknown).remembers("join/left", Ttl::Unknown).judge();
    assert_eq!(answers.causes().len(), 2);
}

#[test]
fn a_bound_without_a_length_is_not_stated_either() {
    let answers = world().remembers_until("dedup/seen", ClearedBy { by: Clearing::Code, after: None }).judge();
    assert!(answers.unknown(RULE).unknown.reason.contains("is cleared by code"));
}

#[test]
fn what_is_stated_is_quiet() {
    for ttl in [days(10), Ttl::Never] {
        world().remembers("dedup/seen", ttl).judge().quiet(RULE);
    }
    let answers = world().remembers("cache/entries", Ttl::Unknown).role(Role::Cache).judge();
    assert_eq!(answers.unknown(RULE).severity, Severity::Note, "a cache's TTL is never more than a note");
}
