use ttl_audit::{evidence::Fact, finding::Severity, units::Millis};

use crate::{
    scene::{Topic, at},
    world::World,
};

const RULE: &str = "retention-size-bound";

/// 30 d of retention, a limit of 1 GB for each partition, `days` days of history above offset `start`.
fn limited(days: u64, start: i64) -> Topic {
    let now = at("2026-09-15");
    Topic::new(now, now.minus(Millis::days(days)), 2, 1000)
        .set_length("retention.ms", Millis::days(30))
        .set("retention.bytes", 1_000_000_000)
        .starting_at(start)
}

fn world(topic: &Topic) -> World {
    World::at("2026-09-15").reads("events", topic)
}

#[test]
fn a_busy_partition_that_begins_too_late_was_cut() {
    let answers = world(&limited(10, 5000)).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("retention.ms allows 30d"), "{}", finding.message);
    assert!(finding.facts.iter().any(|fact| fact.name == "retention.bytes" && fact.origin == "retention.bytes, topic override"));
    assert!(
        finding.remedy[0].paste.as_deref().is_some_and(|paste| paste.ends_with("--entity-name events --add-config retention.bytes=-1"))
    );
}

#[test]
fn size_without_time_is_always_said() {
    assert!(world(&limited(31, 5000).set("retention.ms", -1)).judge().fires(RULE).message.contains("retention.ms sets no limit"));
}

#[test]
fn a_partition_that_reaches_back_was_not_cut() {
    world(&limited(31, 5000)).judge().quiet(RULE);
}

#[test]
fn no_limit_is_quiet() {
    world(&limited(10, 5000).set("retention.bytes", -1)).judge().quiet(RULE);
    world(&limited(10, 5000).set("cleanup.policy", "compact")).judge().quiet(RULE);
}

#[test]
fn without_samples_a_deletion_or_the_setting_it_is_unknown() {
    let unsampled = world(&limited(10, 5000)).topic("events", |topic| topic.samples = Fact::not_asked("too many topics", "ListOffsets"));
    assert_eq!(unsampled.judge().unknown(RULE).unknown.reason, "not asked: too many topics");
    assert!(world(&limited(10, 0)).judge().unknown(RULE).unknown.reason.contains("nothing was deleted yet"));
    let mut hidden = limited(10, 5000);
    hidden.settings.remove("retention.bytes");
    assert!(world(&hidden).judge().unknown(RULE).unknown.reason.starts_with("retention.bytes of topic events"));
}
