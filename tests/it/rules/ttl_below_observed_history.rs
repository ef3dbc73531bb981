use ttl_audit::{evidence::Fact, finding::Severity, manifest::Role, units::Millis};

use crate::{
    scene::{Topic, meridian_topic},
    world::{World, days},
};

const RULE: &str = "ttl-below-observed-history";

fn world(topic: &Topic, ttl: u64) -> World {
    World::at("2026-09-15").reads("events", topic).remembers("dedup/seen", days(ttl))
}

#[test]
fn thirty_days_of_ttl_against_thirty_of_retention_and_thirty_one_observed() {
    let answers = world(&meridian_topic(), 30).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("the oldest readable record was 30d 23:59:57 old"), "{}", finding.message);
    assert!(finding.message.contains("LogAppendTime), so that is their true age"), "{}", finding.message);
    assert!(finding.remedy[0].say.starts_with("Extend the TTL to 38d."));
    answers.quiet("ttl-below-retention");
    answers.quiet("ttl-margin-thin");
}

#[test]
fn the_producers_clock_makes_it_a_warning() {
    let answers = world(&meridian_topic().set("message.timestamp.type", "CreateTime"), 30).judge();
    assert_eq!(answers.severity(RULE), Severity::Warning);
    assert!(answers.fires(RULE).message.contains("looks older than its state is"));
}

#[test]
fn a_clock_that_is_not_known_may_be_the_brokers() {
    let mut topic = meridian_topic();
    topic.settings.remove("message.timestamp.type");
    assert_eq!(world(&topic, 30).judge().severity(RULE), Severity::Error);
}

#[test]
fn the_twin_remembers_a_day_longer() {
    let answers = world(&meridian_topic(), 31).judge();
    answers.quiet(RULE);
    answers.fires("ttl-margin-thin");
}

#[test]
fn an_empty_topic_is_quiet() {
    let now = crate::scene::at("2026-09-15");
    world(&Topic::new(now, now, 1, 1000), 8).judge().quiet(RULE);
}

#[test]
fn a_size_bound_topic_is_judged_by_what_is_observed() {
    let topic = meridian_topic().set("retention.ms", -1).set("retention.bytes", 50_000_000_000_i64);
    let answers = world(&topic, 30).judge();
    assert!(answers.fires(RULE).message.contains("only size limits what topic events keeps"));
    answers.quiet("ttl-below-retention");
    world(&topic, 31).judge().quiet(RULE);
}

#[test]
fn no_ttl_is_recommended_from_a_retention_that_is_not_holding() {
    let topic = meridian_topic().set_length("retention.ms", Millis::days(7)).set_length("segment.ms", Millis::days(1));
    let answers = world(&topic, 10).judge();
    let finding = answers.fires(RULE);
    assert!(finding.remedy.iter().all(|remedy| remedy.paste.is_none()), "{:?}", finding.remedy);
    assert!(finding.remedy[0].say.contains("retention is not holding"));
    answers.fires("retention-not-holding");
}

#[test]
fn a_partition_that_did_not_answer_is_unknown() {
    let world = world(&meridian_topic(), 30).topic("events", |topic| {
        topic.first_record = Fact::denied("needs DESCRIBE on topic events", "ListOffsets of topic events, timestamp 0");
    });
    let answers = world.clone().judge();
    assert_eq!(answers.unknown(RULE).severity, Severity::Error);
    let cache = world.role(Role::Cache).judge();
    assert!(cache.unknown(RULE).unknown.reason.starts_with("denied"));
}
