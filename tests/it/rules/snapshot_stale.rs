use ttl_audit::{
    evidence::Fact,
    finding::{Amount, Severity},
    manifest::{OnCancel, RestoreFrom},
    units::Millis,
};

use crate::{
    scene::{Snapshot, Topic, at},
    vault::{now, pasted, savepoint},
    world::{World, days},
};

const RULE: &str = "snapshot-stale";

/// A topic that keeps its records for eight days.
fn topic() -> Topic {
    Topic::new(now(), at("2026-09-07"), 2, 1_000)
        .set_length("retention.ms", Millis::days(8))
        .set_length("segment.ms", Millis::days(1))
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(70_000)
}

/// A job with a savepoint of this day, and checkpoints that cancelling treats so.
fn job(day: &str, on_cancel: Option<OnCancel>) -> World {
    let topic = topic();
    let taken = at("2026-09-14T23:59:30Z");
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", taken, 24_576).files(2, 1 << 26, "STANDARD");
    let mut world = World::at("2026-09-15")
        .reads("events", &topic)
        .remembers("dedup/seen", days(40))
        .savepoints("s3://b/sp/", vec![savepoint("a", day, "STANDARD").reading("events", "events", topic.positions(at(day)))])
        .checkpoints("s3://b/cp/", vec![checkpoint.reading("events", "events", topic.positions(taken))])
        .down_for(1);
    world.recovery().checkpoints.as_mut().expect("checkpoints").on_cancel = on_cancel;
    world
}

#[test]
fn fires_where_the_only_durable_way_back_is_old() {
    let answers = job("2026-09-10", Some(OnCancel::Delete)).judge();
    let finding = answers.fires(RULE);
    assert_eq!((finding.severity, finding.bites_on), (Severity::Warning, Some(at("2026-09-18"))));
    assert!(finding.message.contains("is 5d old: more than half of the 8d"), "{}", finding.message);
    assert!(finding.facts.iter().any(|fact| fact.amount == Amount::Duration(Millis::days(4))), "{:#?}", finding.facts);
    assert!(pasted(finding).contains("flink savepoint") && pasted(finding).contains("RETAIN_ON_CANCELLATION"), "{}", pasted(finding));
}

#[test]
fn twins_are_quiet() {
    job("2026-09-12", Some(OnCancel::Delete)).judge().quiet(RULE);
    job("2026-09-10", Some(OnCancel::Retain)).judge().quiet(RULE);
    // High availability outlives the stop that is no cancellation.
    job("2026-09-10", Some(OnCancel::Delete)).restored_from(RestoreFrom::LastState).judge().quiet(RULE);
    // Louder rules speak of it.
    let late = job("2026-09-10", Some(OnCancel::Delete)).restored_from(RestoreFrom::Savepoint).down_for(4).judge();
    late.fires("retention-below-downtime");
    late.quiet(RULE);
    // A topic that was read to its end, and to which nothing is written.
    let idle = Topic::new(now(), at("2026-09-01"), 1, 0).starting_at(900);
    let read = savepoint("a", "2026-01-01", "STANDARD").reading("events", "events", [900]);
    World::at("2026-09-15").reads("events", &idle).savepoints("s3://b/sp/", vec![read]).judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    // Whether the young checkpoint survives a cancellation is not stated, and the savepoint is old.
    let unstated = job("2026-09-10", None).judge();
    assert!(unstated.unknown(RULE).unknown.reason.contains("`on_cancel`"));
    // It does not matter where the savepoint is young enough.
    job("2026-09-12", None).judge().quiet(RULE);
    let denied =
        job("2026-09-10", Some(OnCancel::Delete)).topic("events", |topic| topic.settings = Fact::denied("no right", "DescribeConfigs"));
    assert!(denied.judge().unknown(RULE).unknown.reason.contains("no right"));
}
