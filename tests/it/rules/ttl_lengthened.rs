//! A TTL that grew since an earlier report.

use ttl_audit::{
    finding::Severity,
    manifest::Role,
    units::{Millis, Ttl},
};

use crate::world::{World, days};

const RULE: &str = "ttl-lengthened";

fn world(earlier: &str, then: Ttl, now: Ttl) -> World {
    World::at("2026-12-15").remembers("dedup/seen", now).earlier(earlier, "dedup/seen", then)
}

#[test]
fn a_longer_ttl_does_not_cover_its_window_yet() {
    let answers = world("2026-12-01", days(7), days(38)).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    for part in ["was 7d in the report of world-before as of 2026-12-01 00:00Z and is 38d now", "from 2027-01-15, 31d after the change"] {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    assert!(finding.message.contains("the later bound is used (with the earlier one: from 2027-01-01)"), "{}", finding.message);
    assert_eq!(finding.facts[0].origin, "the report of world-before as of 2026-12-01 00:00Z");
    assert_eq!(finding.bites_on, None);
}

#[test]
fn twins_stay_quiet() {
    world("2026-12-01", days(38), days(38)).judge().quiet(RULE);
    world("2026-12-01", days(38), days(7)).judge().quiet(RULE);
    World::at("2026-12-15").remembers("dedup/seen", days(38)).judge().quiet(RULE);
    // Another state than the one in the report is new.
    World::at("2026-12-15").remembers("dedup/seen", days(38)).earlier("2026-12-01", "dedup/other", days(7)).judge().quiet(RULE);
}

#[test]
fn a_window_that_was_covered_before_needs_no_waiting() {
    let topic = crate::scene::Topic::new(crate::scene::at("2026-12-15"), crate::scene::at("2026-12-05"), 1, 1_000);
    let read = |then| {
        World::at("2026-12-15").reads("events", &topic).remembers("dedup/seen", days(60)).earlier("2026-12-01", "dedup/seen", days(then))
    };
    // Retention 7 d in segments of 7 d: 14 d and a bit are required.
    read(15).judge().quiet(RULE);
    read(7).judge().fires(RULE);
}

#[test]
fn when_it_changed_decides_and_is_not_known() {
    let answers = world("2026-09-15", days(7), days(38)).judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.waiting.iter().find(|waiting| waiting.rule.id == RULE).map(|waiting| waiting.severity), Some(Severity::Warning));
    assert!(unknown.unknown.reason.contains("it is for certain from 2027-01-15 on"), "{}", unknown.unknown.reason);
    // Whether it grew is not known either.
    world("2026-12-01", Ttl::Unknown, days(38)).judge().unknown(RULE);
    // What the TTL is now is what ttl-not-stated waits for.
    world("2026-12-01", days(7), Ttl::Unknown).judge().quiet(RULE);
}

#[test]
fn the_role_gives_the_severity() {
    let cache = World::at("2026-12-15").remembers("dedup/seen", days(38)).role(Role::Cache).earlier("2026-12-01", "dedup/seen", days(7));
    assert_eq!(cache.judge().severity(RULE), Severity::Note);
}

#[test]
fn an_hour_of_growth_is_a_growth() {
    let answers = world("2026-12-14T23:30:00Z", Ttl::After(Millis::hours(47)), days(2)).judge();
    assert!(answers.fires(RULE).message.contains("1h after the change"), "{}", answers.fires(RULE).message);
}
