use ttl_audit::{
    analysis::recovery::LossState,
    evidence::Fact,
    finding::Severity,
    manifest::{Reset, RestoreFrom},
};

use crate::{
    scene::{Snapshot, Topic, at},
    vault::{now, savepoint},
    world::{World, days},
};

const RULE: &str = "position-beyond-end";

/// A topic of two partitions that was created on 2026-09-10, with 5,000 records in each.
fn topic() -> Topic {
    Topic::new(now(), at("2026-09-10"), 2, 1_000).set("message.timestamp.type", "LogAppendTime")
}

/// A savepoint of this day that goes on at these offsets, one for each partition.
fn from(day: &str, offsets: impl IntoIterator<Item = u64>) -> World {
    World::at("2026-09-15")
        .reads("events", &topic())
        .remembers("dedup/seen", days(40))
        .savepoints("s3://b/sp/", vec![savepoint("a", day, "STANDARD").reading("events", "events", offsets)])
}

#[test]
fn fires_beyond_the_log_end_and_says_what_the_reset_makes_of_it() {
    let world = from("2026-09-09", [90_000, 2_000]);
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(
        finding.message.contains("1 partition of topic events lies beyond the log end (partition 0: 90,000 against 5,000)"),
        "{}",
        finding.message
    );
    assert!(finding.message.contains("reads all that is there, 5,000 records today"), "{}", finding.message);
    assert!(finding.message.contains("the snapshot that the declared way of restarting takes"), "{}", finding.message);
    assert_eq!(world.analyse().outlook.without_loss.state, LossState::No);
    answers.quiet("snapshot-older-than-retention");
    answers.quiet("retention-below-downtime");
    let message = |reset| from("2026-09-09", [90_000; 2]).source(|kafka| kafka.reset = reset).judge().fires(RULE).message.clone();
    assert!(message(Reset::Latest).contains("skips to the end, past 10,000 records"), "{}", message(Reset::Latest));
    assert!(message(Reset::None).contains("Under `reset: none` the restart fails"), "{}", message(Reset::None));
}

#[test]
fn fires_where_a_partition_is_gone() {
    let answers = from("2026-09-11", [10, 10, 700]).judge();
    let message = &answers.fires(RULE).message;
    assert!(message.contains("positions of 1 partition that topic events no longer has (partition 2)"), "{message}");
    assert!(message.contains("No reset covers that"), "{message}");
}

#[test]
fn of_a_snapshot_that_a_restart_does_not_take_too() {
    let answers = from("2026-09-09", [90_000; 2]).restored_from(RestoreFrom::None).judge();
    assert!(!answers.fires(RULE).message.contains("declared way of restarting"));
}

#[test]
fn twins_are_quiet() {
    from("2026-09-14", [4_000; 2]).judge().quiet(RULE);
    from("2026-09-14", [5_000; 2]).judge().quiet(RULE);
    // A checkpoint that was taken while the offsets were asked for has read what was written since.
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", at("2026-09-15T00:00:20Z"), 24_576).files(2, 1 << 26, "STANDARD");
    World::at("2026-09-15")
        .reads("events", &topic())
        .checkpoints("s3://b/cp/", vec![checkpoint.reading("events", "events", [5_020, 5_003])])
        .judge()
        .quiet(RULE);
    // A topic that is gone is said once.
    let gone = from("2026-09-09", [90_000; 2]).topic("events", |topic| topic.partitions = Fact::absent("no such topic", "Metadata"));
    gone.judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let unseen = from("2026-09-09", [90_000; 2]).topic("events", |topic| topic.log_end = Fact::denied("no right", "ListOffsets"));
    assert!(unseen.judge().unknown(RULE).unknown.reason.contains("no right"));
    let unread = World::at("2026-09-15").reads("events", &topic()).savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-14", "STANDARD")]);
    unread.judge().unknown(RULE);
}
