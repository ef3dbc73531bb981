//! Field case F29 with its twin.

use ttl_audit::{
    analysis::recovery::{LossState, Way},
    evidence::Fact,
    finding::{Amount, Severity},
    manifest::{DeclaredRetention, Reset, RestoreFrom, Start, Topics},
    units::Millis,
};

use crate::{
    scene::{Topic, at, committed, meridian_topic},
    vault::{now, savepoint},
    world::{World, days, stated},
};

const RULE: &str = "snapshot-older-than-retention";

/// A savepoint of this day that goes on at these offsets; `None`: its `_metadata` was not read.
fn from(day: &str, offsets: Option<[u64; 4]>) -> World {
    let taken = savepoint("a", day, "STANDARD");
    let taken = match offsets {
        Some(offsets) => taken.reading("events", "events", offsets),
        None => taken,
    };
    World::at("2026-09-15")
        .reads("events", &meridian_topic())
        .remembers("dedup/seen", days(40))
        .writes("warehouse")
        .savepoints("s3://b/sp/", vec![taken])
        .restored_from(RestoreFrom::Savepoint)
}

#[test]
fn fires_where_what_it_had_not_read_has_left_the_topic() {
    let world = from("2026-08-14", Some([2_408_000; 4]));
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("begins 1d 0:00:03 before topic events does, 43,000 records are gone"), "{}", finding.message);
    assert!(finding.facts.iter().any(|fact| fact.amount == Amount::Records(43_000)), "{:#?}", finding.facts);
    let position = finding.facts.iter().find(|fact| fact.name.starts_with("position in events")).expect("the position");
    let start = finding.facts.iter().find(|fact| fact.name.starts_with("log start of events")).expect("the log start");
    assert_eq!((&position.amount, &start.amount), (&Amount::Count(2_408_000), &Amount::Count(2_418_750)));
    // The headline says the same of the same records.
    let loss = world.analyse().outlook.without_loss;
    assert_eq!(loss.state, LossState::No);
    assert!(finding.message.contains(&loss.because), "{} · {}", finding.message, loss.because);
}

#[test]
fn what_is_gone_depends_on_the_reset() {
    let message = |reset| {
        let answers = from("2026-08-14", Some([2_408_000; 4])).source(|kafka| kafka.reset = reset).judge();
        answers.fires(RULE).message.clone()
    };
    assert!(message(Reset::Earliest).contains("goes on at the beginning of the topic, and nothing reports the gap"));
    assert!(message(Reset::Latest).contains("`reset: latest` skips to the end, past 1,376,000 records"));
    assert!(message(Reset::None).contains("with `reset: none` the restart fails"));
}

/// F29: the position is 100, the log start 5,000.
#[test]
fn f29_a_position_below_the_log_start() {
    let topic = |start| Topic::new(now(), at("2026-09-09"), 1, 2_000).starting_at(start).set("message.timestamp.type", "LogAppendTime");
    let world = |start, position: u64| {
        World::at("2026-09-15")
            .reads("events", &topic(start))
            .remembers("dedup/seen", days(40))
            .writes("warehouse")
            .savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-01", "STANDARD").reading("events", "events", [position])])
    };
    let answers = world(5_000, 100).judge();
    let finding = answers.fires(RULE);
    assert!(finding.message.contains("4,900 records are gone"), "{}", finding.message);
    assert!(finding.facts.iter().any(|fact| fact.amount == Amount::Records(4_900)), "{:#?}", finding.facts);
    world(5_000, 5_000).judge().quiet(RULE);
    // The same position, committed by the group: what a restart without state loses is counted, by the way that it is.
    let mut group = world(5_000, 5_000).source(|kafka| {
        kafka.start = Start::Committed;
        kafka.group_id = Some("group".to_owned());
    });
    group = group.cluster(|cluster| cluster.groups.extend([committed(now(), "group", "events", &[100])]));
    let outlook = group.analyse().outlook;
    let lost = outlook.replay.iter().find(|replay| replay.way == Way::StateLoss).and_then(|replay| replay.lost.clone().ok());
    assert_eq!(lost, Some(4_900));
}

#[test]
fn the_date_of_its_file_says_so_without_a_number() {
    let world = from("2026-08-14", None);
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert!(finding.message.contains("by the date of its _metadata"), "{}", finding.message);
    assert!(finding.facts.iter().all(|fact| !matches!(fact.amount, Amount::Records(_))));
    assert_eq!(world.analyse().outlook.without_loss.state, LossState::No);
}

#[test]
fn a_source_that_is_not_kafka_is_judged_by_date_and_declared_retention() {
    let kinesis = |retention, day| {
        World::at("2026-09-15")
            .reads_declared("clicks", retention)
            .savepoints("s3://b/sp/", vec![savepoint("a", day, "STANDARD").reading("clicks", "clicks", [])])
    };
    let week = DeclaredRetention::For(Millis::days(7));
    let gone = kinesis(week, "2026-09-05");
    let answers = gone.judge();
    assert!(answers.fires(RULE).message.contains("older than the 7d for which source clicks keeps its records"), "{:#?}", answers.results);
    assert_eq!(gone.analyse().outlook.without_loss.state, LossState::No);
    let young = kinesis(week, "2026-09-14");
    young.judge().quiet(RULE);
    assert_eq!(young.analyse().outlook.without_loss.at, Some(at("2026-09-21")));
    kinesis(DeclaredRetention::Unlimited, "2026-01-01").judge().quiet(RULE);
    kinesis(DeclaredRetention::Unknown, "2026-09-14").judge().unknown(RULE);
}

#[test]
fn twins_are_quiet() {
    from("2026-09-01", Some([2_430_000; 4])).judge().quiet(RULE);
    // An idle partition, read to its end, loses nothing, however old the snapshot is.
    let idle = Topic::new(now(), at("2026-08-15T00:00:03Z"), 1, 0).starting_at(900);
    World::at("2026-09-15")
        .reads("events", &idle)
        .savepoints("s3://b/sp/", vec![savepoint("a", "2026-01-01", "STANDARD").reading("events", "events", [900])])
        .judge()
        .quiet(RULE);
    // A savepoint that the declared way of restarting does not take.
    from("2026-08-14", Some([2_408_000; 4])).restored_from(RestoreFrom::None).judge().quiet(RULE);
    // A partition that was added since, and is read from its beginning.
    let grown = Topic::new(now(), at("2026-09-14"), 4, 100);
    World::at("2026-09-15")
        .reads("events", &grown)
        .savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-14", "STANDARD").reading("events", "events", [10; 3])])
        .judge()
        .quiet(RULE);
}

/// A topic that matches the source's pattern since the snapshot was taken is read from its beginning; so is one that was added to the list.
#[test]
fn a_topic_that_came_later_makes_nothing_unknown() {
    let old = meridian_topic();
    let young = Topic::new(now(), at("2026-09-14"), 2, 100);
    let world = |uid: Option<&str>| {
        let taken = savepoint("a", "2026-09-14", "STANDARD").reading("reader", "events", old.positions(at("2026-09-14")));
        let mut world = World::at("2026-09-15").reads("events", &old).reads("late", &young);
        // One source that reads both.
        world.job.sources.truncate(1);
        world = world.source(|kafka| kafka.topics = Topics::Named(vec![stated("events".to_owned()), stated("late".to_owned())]));
        world.job.sources.iter_mut().for_each(|source| source.uid = uid.map(str::to_owned));
        world.remembers("dedup/seen", days(40)).savepoints("s3://b/sp/", vec![taken]).judge()
    };
    world(Some("reader")).quiet(RULE);
    // Without a uid nothing tells that it is this source's operator.
    world(None).unknown(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let unseen =
        from("2026-08-14", Some([2_408_000; 4])).topic("events", |topic| topic.log_start = Fact::denied("no right", "ListOffsets"));
    assert!(unseen.judge().unknown(RULE).unknown.reason.contains("no right"));
    // A copy resets the date, so a young date does not tell that nothing is gone.
    let unread = from("2026-09-01", None);
    unread.judge().unknown(RULE);
    assert_eq!(unread.analyse().outlook.without_loss.state, LossState::AtMost);
}
