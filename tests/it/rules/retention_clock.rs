use ttl_audit::{evidence::Fact, finding::Severity, units::Millis};

use crate::{
    scene::{Topic, at, young_topic},
    world::{World, days},
};

const RULE: &str = "retention-clock";

fn topic() -> Topic {
    young_topic(Millis::days(7), Millis::days(1)).set("message.timestamp.type", "CreateTime")
}

fn world(topic: &Topic) -> World {
    World::at("2026-09-15").reads("events", topic)
}

fn in_hours(hours: u64) -> i64 {
    at("2026-09-15").plus(Millis::hours(hours)).epoch_ms()
}

#[test]
fn seconds_where_milliseconds_belong() {
    // F36.
    let stamped = |timestamp| world(&topic().first_timestamp(timestamp).largest_timestamp(timestamp)).judge();
    let answers = stamped(1_665_000_000);
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(
        finding.message.contains(
            "look like seconds where milliseconds belong: 1665000000 in partition 0 is 1970-01-20 06:30Z in milliseconds and 2022-10-05"
        ),
        "{}",
        finding.message
    );
    answers.quiet("retention-not-holding");
    answers.quiet("ttl-below-observed-history");
    stamped(1_665_000_000_000).quiet(RULE);
}

#[test]
fn seconds_from_before_the_broker_stamped_them_leave_the_age_unknown() {
    let topic = topic().set("message.timestamp.type", "LogAppendTime").first_timestamp(1_665_000_000);
    let answers = world(&topic).remembers("dedup/seen", days(30)).judge();
    answers.quiet(RULE);
    assert!(answers.unknown("ttl-below-observed-history").unknown.reason.contains("look like seconds"));
    answers.unknown("retention-not-holding");
}

#[test]
fn a_record_from_the_future_holds_deletion_back() {
    let ahead = |hours| world(&topic().largest_timestamp(in_hours(hours))).judge();
    ahead(1).quiet(RULE);
    let answers = ahead(2);
    assert_eq!(answers.severity(RULE), Severity::Error);
    assert!(answers.fires(RULE).message.contains("(2026-09-15 02:00Z, captured at 2026-09-15 00:00Z)"), "{}", answers.fires(RULE).message);
    assert!(answers.fires(RULE).message.contains("is deleted by time until 2026-09-22 02:00Z"));
}

#[test]
fn where_any_skew_is_permitted_a_day_is_the_border() {
    let any = || topic().set("message.timestamp.after.max.ms", i64::MAX);
    world(&any().largest_timestamp(in_hours(24))).judge().quiet(RULE);
    world(&any().largest_timestamp(in_hours(25))).judge().fires(RULE);
    let microseconds = world(&any().largest_timestamp(1_789_000_000_000_000)).judge();
    assert!(microseconds.fires(RULE).message.contains("stamped in the future"));
    assert!(world(&any().largest_timestamp(i64::MAX)).judge().fires(RULE).message.contains("for ever"));
}

#[test]
fn records_that_are_late_by_the_whole_retention_can_go_at_once() {
    let late = |topic: &Topic, days| world(topic).source(|source| source.max_event_lag = Some(Millis::days(days))).judge();
    let answers = late(&topic(), 7);
    assert_eq!(answers.severity(RULE), Severity::Warning);
    assert!(answers.fires(RULE).message.ends_with("The floor is 0."));
    late(&topic(), 6).quiet(RULE);
    late(&topic().set("retention.ms", -1), 7).quiet(RULE);
}

#[test]
fn the_brokers_clock_makes_all_of_it_quiet() {
    let stamped = topic().set("message.timestamp.type", "LogAppendTime").largest_timestamp(in_hours(48));
    world(&stamped).source(|source| source.max_event_lag = Some(Millis::days(9))).judge().quiet(RULE);
}

#[test]
fn what_cannot_be_seen_is_unknown_even_if_other_answers_are_fine() {
    let unsupported = world(&topic()).topic("events", |topic| {
        topic.largest_timestamp =
            Fact::unsupported("the broker does not know timestamp -3", "ListOffsets of topic events, largest timestamp");
    });
    assert_eq!(unsupported.judge().unknown(RULE).severity, Severity::Error);
    let one_partition = world(&topic()).topic("events", |topic| {
        if let Fact::Seen(largest) = &mut topic.largest_timestamp {
            largest.value.partitions.remove(&1);
            largest.value.failed.insert(1, "LEADER_NOT_AVAILABLE".to_owned());
        }
    });
    assert!(one_partition.judge().unknown(RULE).unknown.reason.ends_with("LEADER_NOT_AVAILABLE"));
    let mut clock = topic();
    clock.settings.remove("message.timestamp.type");
    world(&clock).judge().unknown(RULE);
}
