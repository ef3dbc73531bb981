use ttl_audit::{evidence::Fact, finding::Severity, manifest::Topics, units::Millis};

use crate::{
    scene::young_topic,
    world::{World, days, stated},
};

const RULE: &str = "topic-missing";

fn world() -> World {
    World::at("2026-09-15").reads("orders", &young_topic(Millis::days(7), Millis::days(1))).remembers("dedup/seen", days(1))
}

/// What a broker answers for a topic that it knows not to exist.
fn gone(world: World) -> World {
    world.topic("orders", |topic| {
        topic.partitions = Fact::absent("topic orders does not exist (UNKNOWN_TOPIC_OR_PARTITION)", "Metadata of topic orders");
        topic.settings = Fact::absent("topic orders does not exist (UNKNOWN_TOPIC_OR_PARTITION)", "DescribeConfigs of topic orders");
    })
}

#[test]
fn a_topic_that_is_known_not_to_exist_is_said_once() {
    let answers = gone(world()).judge();
    assert_eq!(answers.severity(RULE), Severity::Error);
    assert_eq!(answers.results.findings.len(), 1, "it silences the rules of that topic: {:#?}", answers.results.findings);
    assert!(answers.causes().is_empty(), "{:#?}", answers.causes());
}

#[test]
fn it_does_not_silence_other_topics() {
    let world = gone(world()).reads("clicks", &young_topic(Millis::days(7), Millis::days(1))).remembers("join/left", days(1));
    let answers = world.judge();
    answers.fires(RULE);
    assert!(answers.fires("ttl-below-retention").message.contains("topic clicks"));
}

#[test]
fn a_topic_that_exists_is_quiet() {
    world().judge().quiet(RULE);
}

#[test]
fn a_topic_that_may_be_hidden_is_unknown() {
    let hidden = world().topic("orders", |topic| {
        topic.partitions = Fact::denied("needs DESCRIBE on topic orders", "Metadata of topic orders");
    });
    assert_eq!(hidden.judge().unknown(RULE).unknown.reason, "denied: needs DESCRIBE on topic orders");
}

#[test]
fn a_pattern_finds_its_topics_in_the_evidence() {
    let pattern = |world: World| world.source(|source| source.topics = Topics::Pattern(stated("ord.*".to_owned())));
    let matched = |topics: &[&str]| {
        let topics = topics.iter().map(|topic| (*topic).to_owned()).collect();
        let world = pattern(world());
        let now = world.now();
        world.cluster(|cluster| {
            cluster.patterns.insert("ord.*".to_owned(), Fact::seen(topics, "broker 1", "Metadata of all topics", now));
        })
    };
    matched(&["orders"]).judge().quiet(RULE);
    assert!(
        matched(&[]).judge().unknown(RULE).unknown.reason.contains("matches no topic of cluster prod; topics without the DESCRIBE right")
    );
    assert!(pattern(world()).judge().unknown(RULE).unknown.reason.starts_with("not captured"));
}
