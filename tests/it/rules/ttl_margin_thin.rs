use ttl_audit::{
    finding::Severity,
    manifest::Role,
    units::{Millis, Ttl},
};

use crate::{
    scene::{Topic, meridian_topic, young_topic},
    world::{World, days},
};

const RULE: &str = "ttl-margin-thin";

fn world(topic: &Topic, ttl: Ttl) -> World {
    World::at("2026-09-15").reads("events", topic).remembers("dedup/seen", ttl)
}

#[test]
fn a_day_of_retention_in_segments_of_a_week() {
    // F38: retention is a floor, not a ceiling.
    let topic = young_topic(Millis::days(1).plus(Millis::new(0)), Millis::days(7));
    let answers = world(&topic, Ttl::After(Millis::hours(25))).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        finding.message.contains("less than the worst case of 8d 0:05 and less than 1d and the safety margin of 2d"),
        "{}",
        finding.message
    );
    assert!(finding.message.contains("keeps records for 1d and can still hold one that is 8d 0:05 old"), "{}", finding.message);
    world(&topic, days(10)).judge().quiet(RULE);
}

#[test]
fn every_ttl_of_meridian_has_one_verdict() {
    for (ttl, verdict) in [
        (7, Some("ttl-below-retention")),
        (29, Some("ttl-below-retention")),
        (30, Some("ttl-below-observed-history")),
        (31, Some(RULE)),
        (32, Some(RULE)),
        (37, Some(RULE)),
        (38, None),
        (365, None),
    ] {
        let answers = world(&meridian_topic(), days(ttl)).judge();
        for rule in ["ttl-below-retention", "ttl-below-observed-history", RULE] {
            if verdict == Some(rule) {
                answers.fires(rule);
            } else {
                answers.quiet(rule);
            }
        }
    }
}

#[test]
fn smaller_segments_alone_are_enough_where_the_margin_is_kept() {
    let answers = world(&meridian_topic(), days(32)).judge();
    let smaller = answers.fires(RULE).remedy.last().expect("a way out");
    assert!(smaller.say.contains("with segment.ms 1d the worst case is 31d 0:05, and a TTL of 32d is then enough."), "{}", smaller.say);
    world(&meridian_topic().set_length("segment.ms", Millis::days(1)), days(32)).judge().quiet(RULE);
}

#[test]
fn without_a_margin_there_is_no_second_way() {
    let answers = world(&meridian_topic(), days(32)).policy(|policy| policy.safety_margin = Millis::minutes(30)).judge();
    assert!(answers.fires(RULE).remedy.iter().all(|way| !way.say.starts_with("Or roll segments sooner")));
}

#[test]
fn the_role_speaks_here_too() {
    let thin = || world(&meridian_topic(), days(32));
    assert_eq!(thin().role(Role::Cache).judge().severity(RULE), Severity::Note);
    assert_eq!(thin().role(Role::Other).judge().severity(RULE), Severity::Warning);
    assert_eq!(thin().writes("table").idempotently().judge().severity(RULE), Severity::Note);
}

#[test]
fn a_roll_period_that_is_not_answered_is_unknown_where_it_could_decide() {
    let mut topic = young_topic(Millis::days(7), Millis::days(1));
    topic.settings.remove("segment.ms");
    let answers = world(&topic, days(20)).judge();
    assert!(answers.unknown(RULE).unknown.reason.starts_with("segment.ms of topic events"));
    assert_eq!(answers.unknown(RULE).severity, Severity::Warning);
    // Nine days are needed whatever the roll period is.
    let answers = world(&topic, days(8)).judge();
    assert!(answers.fires(RULE).message.contains("less than 7d and the safety margin of 2d"));
    assert!(answers.fires(RULE).remedy[0].say.starts_with("Extend the TTL to 9d."));
}

#[test]
fn a_cleaner_that_is_off_leaves_no_ceiling() {
    let topic = young_topic(Millis::days(7), Millis::days(1)).set("cleanup.policy", "compact,delete");
    let off = world(&topic, days(60)).cluster(|cluster| {
        if let ttl_audit::evidence::Fact::Seen(broker) = &mut cluster.broker {
            let setting = ttl_audit::evidence::Setting {
                value: Some("false".to_owned()),
                source: ttl_audit::evidence::SettingSource::StaticBroker,
                synonyms: Vec::new(),
            };
            broker.value.insert("log.cleaner.enable".to_owned(), setting);
        }
    });
    assert!(off.judge().fires(RULE).message.contains("the worst case, which has no end here"));
    world(&topic, days(60)).judge().quiet(RULE);
}
