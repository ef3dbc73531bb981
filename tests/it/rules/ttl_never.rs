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
fn a_ttl_that_is_switched_on_says_whether_the_restore_works() {
    for (version, backend, said) in [
        ("1.20.1", "rocksdb", "Flink 1.20 with rocksdb cannot restore that"),
        ("2.1.0", "rocksdb", "Flink 2.1 with rocksdb can restore that"),
        ("2.1.0", "hashmap", "Flink 2.1 with hashmap cannot restore that"),
        ("2.2.0", "hashmap", "Flink 2.2 with hashmap can restore that"),
        ("2.3.0", "forst", "Flink 2.3 with forst cannot restore that"),
    ] {
        let mut world = world().remembers("dedup/seen", Ttl::Never);
        world.job.flink.version = Some(version.to_owned());
        world.job.flink.state_backend = Some(backend.to_owned());
        let answers = world.judge();
        let remedy = &answers.fires(RULE).remedy;
        let on = remedy.iter().find(|way| way.say.contains("It is then switched on")).expect("a TTL is proposed");
        assert!(on.say.contains(said), "{}", on.say);
        // 7d + the margin of 2d; 7d + 1d + 5 min is less.
        assert!(
            on.say.contains("give the state a TTL of 9d")
                && on.paste.as_deref().is_some_and(|code| code.contains("ofDays(9)") || code.contains("days(9)")),
            "{on:?}"
        );
    }
    let compacted = young_topic(Millis::days(7), Millis::days(1)).set("cleanup.policy", "compact");
    let answers = World::at("2026-09-15").reads("events", &compacted).remembers("dedup/seen", Ttl::Never).judge();
    assert!(answers.fires(RULE).remedy.iter().all(|way| way.paste.is_none()), "no length is enough");
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
