use ttl_audit::{evidence::Fact, finding::Severity, units::Millis};

use crate::{
    scene::{Topic, meridian_topic},
    world::{World, days},
};

const RULE: &str = "retention-not-holding";

fn world(topic: &Topic) -> World {
    World::at("2026-09-15").reads("events", topic).remembers("dedup/seen", days(365))
}

/// 31 days of history where 7 d + 1 d + 5 min are allowed.
fn overrun() -> Topic {
    meridian_topic().set_length("retention.ms", Millis::days(7)).set_length("segment.ms", Millis::days(1))
}

#[test]
fn a_history_beyond_the_worst_case_is_said_and_asks_for_no_ttl() {
    let world = world(&overrun());
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        finding.message.contains("can still hold one that is 8d 0:05 old; the oldest readable record was 30d 23:59:57 old"),
        "{}",
        finding.message
    );
    assert!(!finding.message.contains("CreateTime"), "the broker stamps them: {}", finding.message);
    assert_eq!(world.analyse().states[0].required.as_ref().map(|required| required.length()), Ok(None));
}

#[test]
fn back_dated_records_are_the_first_suspects_under_the_producers_clock() {
    let answers = world(&overrun().set("message.timestamp.type", "CreateTime")).judge();
    assert!(answers.fires(RULE).message.contains("It can be that records were stamped long before they were written"));
}

#[test]
fn a_history_within_the_worst_case_is_quiet() {
    world(&meridian_topic()).judge().quiet(RULE);
    world(&overrun().set("cleanup.policy", "compact")).judge().quiet(RULE);
}

#[test]
fn without_the_first_records_or_the_roll_period_it_is_unknown() {
    let unseen = world(&overrun()).topic("events", |topic| topic.first_record = Fact::failed("timed out", "ListOffsets"));
    assert_eq!(unseen.judge().unknown(RULE).unknown.reason, "failed: timed out");
    let mut topic = overrun();
    topic.settings.remove("segment.ms");
    world(&topic).judge().unknown(RULE);
}

/// Evidence put together from captures of several days: a topic's history is as old as it was when the topic was asked.
#[test]
fn an_older_capture_of_the_topic_does_not_age_its_history() {
    let then = crate::scene::at("2026-08-20");
    let topic = crate::scene::Topic::new(then, then.minus(ttl_audit::units::Millis::hours(180)), 1, 300);
    crate::world::World::at("2026-10-01").reads("alarms", &topic).judge().quiet("retention-not-holding");
}
