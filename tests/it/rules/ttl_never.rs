use ttl_audit::{
    finding::Severity,
    manifest::{ClearedBy, Clearing},
    units::{Millis, Ttl},
};

use crate::{
    scene::young_topic,
    world::{World, days},
};

const RULE: &str = "ttl-never";

fn world() -> World {
    World::at("2026-09-15").reads("events", &young_topic(Millis::days(7), Millis::days(1)))
}

#[test]
fn never_is_a_note_and_never_shorter_than_a_retention() {
    // F44: zero means for ever.
    let answers = world().remembers("dedup/seen", Ttl::Never).judge();
    assert_eq!(answers.severity(RULE), Severity::Note);
    for other in ["ttl-below-retention", "ttl-below-observed-history", "ttl-margin-thin", "ttl-not-stated"] {
        answers.quiet(other);
    }
}

#[test]
fn zero_in_the_manifest_is_never_and_a_millisecond_is_not() {
    let job = |ttl: &str| {
        let yaml = format!(
            "version: 1\njob: j\nsources:\n  - {{ id: events, topic: events }}\noperators:\n  - uid: dedup\n    role: deduplication\n    state:\n      - \
             {{ name: seen, ttl: {ttl} }}\n"
        );
        world().manifest(&yaml).judge()
    };
    let zero = job("0 ms");
    zero.fires(RULE);
    zero.quiet("ttl-below-retention");
    let one = job("1 ms");
    one.quiet(RULE);
    one.fires("ttl-below-retention");
}

#[test]
fn a_ttl_or_another_end_keeps_it_quiet() {
    world().remembers("dedup/seen", days(10)).judge().quiet(RULE);
    let cleared = ClearedBy { by: Clearing::Timer, after: Some(Millis::days(10)) };
    world().remembers_until("dedup/seen", cleared).judge().quiet(RULE);
}

#[test]
fn an_unknown_ttl_is_another_rules_unknown() {
    let answers = world().remembers("dedup/seen", Ttl::Unknown).judge();
    answers.quiet(RULE);
    answers.unknown("ttl-not-stated");
}
