use ttl_audit::{
    evidence::Fact,
    finding::Severity,
    manifest::{ClearedBy, Clearing, DeclaredRetention, Role},
    units::{Millis, Ttl},
};

use crate::{
    scene::{Topic, at, young_topic},
    world::{World, days},
};

const RULE: &str = "state-outlives-source";

/// The topic keeps records for a week, in segments of a day: a TTL of 9 d is what the other rules ask for.
fn week() -> Topic {
    young_topic(Millis::days(7), Millis::days(1))
}

fn world() -> World {
    World::at("2026-09-15").reads("events", &week())
}

#[test]
fn a_state_of_a_year_on_a_topic_of_a_week_is_a_note() {
    let answers = world().remembers("totals/by-customer", days(365)).role(Role::Aggregation).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Note);
    for part in
        ["totals/by-customer keeps an entry for 365d", "topic events keeps records for 7d", "cannot be built again", "No TTL helps there"]
    {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    for fact in ["TTL", "retention", "worst case"] {
        assert!(finding.facts.iter().any(|shown| shown.name == fact && !shown.origin.is_empty()), "{fact}: {:#?}", finding.facts);
    }
    let endless = world().remembers("totals/by-customer", Ttl::Never).role(Role::Aggregation).judge();
    assert!(endless.fires(RULE).message.contains("never expires"), "{}", endless.fires(RULE).message);
}

#[test]
fn what_clears_it_counts_where_no_ttl_governs() {
    let cleared = |days| ClearedBy { by: Clearing::Timer, after: Some(Millis::days(days)) };
    let fires = world().remembers_until("reminders/last-seen", cleared(30)).role(Role::Other).judge();
    assert!(fires.fires(RULE).message.contains("cleared by a timer after 30d"), "{}", fires.fires(RULE).message);
    world().remembers_until("reminders/last-seen", cleared(1)).role(Role::Other).judge().quiet(RULE);
}

#[test]
fn twins_are_quiet() {
    // As long as the rules on TTLs ask for, with head room: 9 d, and less than twice that.
    for ttl in [7, 9, 17] {
        world().remembers("totals/by-customer", days(ttl)).role(Role::Aggregation).judge().quiet(RULE);
    }
    world().remembers("totals/by-customer", days(18)).role(Role::Aggregation).judge().fires(RULE);
    // Filled from elsewhere.
    world().remembers("lookup/by-sku", Ttl::Never).role(Role::Cache).judge().quiet(RULE);
    // The topic keeps everything.
    let compacted = week().set("cleanup.policy", "compact");
    World::at("2026-09-15").reads("events", &compacted).remembers("totals/all", Ttl::Never).judge().quiet(RULE);
    // Without state there is nothing to lose.
    let none = world().judge();
    none.quiet(RULE);
    assert!(none.results.judged.iter().all(|meta| meta.id != RULE));
}

#[test]
fn the_topic_that_keeps_the_least_is_named() {
    let month = Topic::new(at("2026-09-15"), at("2026-09-14"), 2, 1000)
        .set_length("retention.ms", Millis::days(30))
        .set_length("segment.ms", Millis::days(1));
    let both = world().reads("orders", &month).remembers("join/both", days(365)).role(Role::Join).judge();
    let finding = both.fires(RULE);
    assert!(finding.message.contains("topic events keeps records for 7d"), "{}", finding.message);
    assert!(finding.message.contains("one more topic"), "{}", finding.message);
    let other = World::at("2026-09-15").reads_declared("feed", DeclaredRetention::For(Millis::hours(24)));
    let answers = other.remembers("totals/all", days(30)).judge();
    assert!(answers.fires(RULE).message.contains("source feed keeps records for 1d"), "{}", answers.fires(RULE).message);
}

#[test]
fn unknown_stays_unknown() {
    let denied = world().remembers("totals/by-customer", days(365)).topic("events", |topic| {
        topic.settings = Fact::denied("needs DESCRIBE_CONFIGS on topic events", "DescribeConfigs of topic events");
    });
    assert!(denied.judge().unknown(RULE).unknown.reason.contains("DESCRIBE_CONFIGS"));
    let unstated = world().remembers("totals/by-customer", Ttl::Unknown).judge();
    assert!(unstated.unknown(RULE).unknown.reason.contains("ttl: unknown"));
    assert_eq!(unstated.unknown(RULE).severity, Severity::Error, "the loudest rule speaks for the cause");
}
