//! Until when a job can come back, and what each way costs.

use proptest::prelude::*;
use ttl_audit::{
    analysis::{
        PartitionLog,
        recovery::{Answer, LossState, Outlook, Replay, Split, Way},
    },
    evidence::Fact,
    manifest::{Delivery, Reset, RestoreFrom, Role, SinkKind, Start},
    units::{Millis, Ttl},
};

use crate::{
    scene::{Snapshot, at, meridian_topic},
    vault::{expires, now, savepoint},
    world::{World, days},
};

/// The job of the worked example: its topic, its newest checkpoint at the end of it, and a savepoint from the day before its beginning.
fn meridian(ttl: Ttl) -> World {
    let topic = meridian_topic();
    let end = topic.positions(now());
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", at("2026-09-14T23:59:30Z"), 24_576).files(2, 1 << 26, "STANDARD");
    let mut world = World::at("2026-09-15")
        .reads("events", &topic)
        .remembers("dedup/seen", ttl)
        .writes("warehouse")
        .savepoints("s3://b/sp/", vec![savepoint("a", "2026-08-14", "STANDARD").reading("events", "events", [2_408_000; 4])])
        .checkpoints("s3://b/cp/", vec![checkpoint.reading("events", "events", end)])
        .restored_from(RestoreFrom::Savepoint);
    let checkpoints = world.recovery().checkpoints.as_mut().expect("checkpoints");
    checkpoints.interval = Some(Millis::minutes(1));
    checkpoints.on_cancel = Some(ttl_audit::manifest::OnCancel::Retain);
    world.job.sinks.iter_mut().for_each(|sink| sink.delivery = Some(Delivery::AtLeastOnce));
    world
}

fn way<'a>(outlook: &'a Outlook, way: Way, snapshot: &str) -> &'a Replay {
    let named = |replay: &&Replay| replay.snapshot.as_ref().is_none_or(|folder| folder.key().contains(snapshot));
    outlook.replay.iter().filter(|replay| replay.way == way).find(named).expect("this way")
}

fn numbers(replay: &Replay) -> [Option<u64>; 3] {
    [&replay.twice, &replay.lost, &replay.suppressed].map(|number| number.as_ref().ok().copied())
}

#[test]
fn the_worked_example_comes_out_exactly() {
    let outlook = meridian(days(7)).analyse().outlook;
    assert_eq!(numbers(way(&outlook, Way::Failover, "")), [Some(30), Some(0), Some(0)]);
    assert_eq!(numbers(way(&outlook, Way::Snapshot, "savepoint-a")), [Some(1_333_000), Some(43_000), Some(0)]);
    assert_eq!(numbers(way(&outlook, Way::Snapshot, "chk-7")), [Some(0), Some(0), Some(0)]);
    assert_eq!(numbers(way(&outlook, Way::OffsetReset, "chk-7")), [Some(1_032_000), Some(0), Some(301_000)]);
    assert_eq!(numbers(way(&outlook, Way::OffsetReset, "savepoint-a")), [Some(1_333_000), Some(0), Some(0)]);
    assert_eq!(numbers(way(&outlook, Way::StateLoss, "")), [Some(1_333_000), Some(0), Some(0)]);
    let loss = &outlook.without_loss;
    assert_eq!(loss.state, LossState::No);
    assert!(loss.because.contains("43,000 records are gone"), "{}", loss.because);
    let best = loss.best_alternative.as_ref().expect("the checkpoint");
    assert_eq!((best.state, best.at), (LossState::Date, Some(at("2026-10-15"))));
}

#[test]
fn the_days_add_up_to_the_whole() {
    let outlook = meridian(days(7)).analyse().outlook;
    let reset = way(&outlook, Way::OffsetReset, "chk-7");
    let by_day = reset.by_day();
    assert_eq!(by_day.len(), 31);
    assert!(by_day.iter().all(|day| day.twice + day.suppressed == 43_000), "{by_day:?}");
    assert!(by_day.iter().all(|day| (day.twice == 0) == (day.day >= at("2026-09-08"))), "{by_day:?}");
    let snapshot = way(&outlook, Way::Snapshot, "savepoint-a").by_day();
    assert_eq!(snapshot.iter().map(|day| day.lost).sum::<u64>(), 43_000);
}

#[test]
fn what_protects_the_sink_depends_on_the_way() {
    let twice = |world: &World, wanted: Way, snapshot: &str| way(&world.analyse().outlook, wanted, snapshot).twice.clone().ok();
    let idempotent = meridian(days(7)).idempotently();
    for wanted in [Way::Failover, Way::Snapshot, Way::OffsetReset, Way::StateLoss] {
        assert_eq!(twice(&idempotent, wanted, "savepoint-a"), Some(0), "{wanted:?}");
    }
    // Transactions protect a failover and the last completed checkpoint, nothing else.
    let mut transactional = meridian(days(7));
    transactional.job.sinks[0].delivery = Some(Delivery::ExactlyOnce);
    assert_eq!(twice(&transactional, Way::Failover, ""), Some(0));
    assert_eq!(twice(&transactional, Way::Snapshot, "chk-7"), Some(0));
    assert_eq!(twice(&transactional, Way::Snapshot, "savepoint-a"), Some(1_333_000));
    assert_eq!(twice(&transactional, Way::StateLoss, ""), Some(1_333_000));
    // A surviving aggregation counts twice at any TTL, and an upsert of a wrong sum overwrites the right one.
    let sums = meridian(Ttl::Never).role(Role::Aggregation).idempotently();
    assert_eq!(twice(&sums, Way::OffsetReset, "chk-7"), Some(1_333_000));
}

#[test]
fn where_the_source_starts_decides_between_duplicates_and_loss() {
    let latest = meridian(days(7)).source(|source| source.start = Start::Latest);
    assert_eq!(numbers(way(&latest.analyse().outlook, Way::OffsetReset, "savepoint-a")), [Some(0), Some(1_376_000), Some(0)]);
    let mut committed = meridian(days(7)).source(|source| {
        source.start = Start::Committed;
        source.group_id = Some("group".to_owned());
    });
    assert_eq!(way(&committed.analyse().outlook, Way::StateLoss, "").twice.as_ref().ok(), None, "the group was not asked");
    let group = crate::scene::committed(now(), "group", "events", &[2_408_000; 4]);
    committed = committed.cluster(|cluster| cluster.groups.extend([group]));
    assert_eq!(numbers(way(&committed.analyse().outlook, Way::StateLoss, "")), [Some(1_333_000), Some(43_000), Some(0)]);
}

#[test]
fn compaction_and_transactions_make_upper_bounds() {
    let bound = |world: &World| {
        let outlook = world.analyse().outlook;
        let replay = way(&outlook, Way::StateLoss, "");
        assert_eq!(replay.upper_bound, replay.notes.iter().any(|note| note.contains("upper bounds")), "{:?}", replay.notes);
        replay.upper_bound
    };
    assert!(!bound(&meridian(days(7))));
    assert!(bound(&meridian(days(7)).source(|source| source.transactional = true)));
    let compacted = |world: World| {
        world.topic("events", |topic| {
            *topic = crate::scene::meridian_topic().set("cleanup.policy", "compact,delete").evidence("events");
        })
    };
    assert!(bound(&compacted(meridian(days(7)))));
    let denied = meridian(days(7)).topic("events", |topic| topic.settings = Fact::denied("no right", "DescribeConfigs"));
    assert!(bound(&denied), "it may be compacted");
    // Another job of the audit writes the topic.
    let written = |delivery, topic: &str| {
        let mut world = meridian(days(7));
        let mut writer = world.job.clone();
        let sink = writer.sinks.first_mut().expect("a sink");
        (sink.kind, sink.delivery, sink.topic) = (SinkKind::Kafka, Some(delivery), Some(topic.to_owned()));
        world.audit.jobs.push(writer);
        bound(&world)
    };
    assert!(written(Delivery::ExactlyOnce, "events"));
    assert!(!written(Delivery::AtLeastOnce, "events"));
    assert!(!written(Delivery::ExactlyOnce, "other"));
}

#[test]
fn a_partition_that_came_after_the_snapshot_is_read_from_its_beginning() {
    let mut world = meridian(days(7));
    let end = meridian_topic().positions(now());
    let known =
        Snapshot::new("b", "cp/0123/chk-8", at("2026-09-14T23:59:40Z"), 24_576).reading("events", "events", [end[0], end[1], end[2]]);
    world = world.checkpoints("s3://b/cp/", vec![known]);
    let outlook = world.analyse().outlook;
    // Three partitions were read to their end; of the fourth everything is read.
    assert_eq!(numbers(way(&outlook, Way::Snapshot, "chk-8")), [Some(1_333_000 / 4), Some(0), Some(0)]);
}

#[test]
fn the_date_moves_on_only_where_the_next_checkpoint_moves_it() {
    let loss = |world: World| world.analyse().outlook.without_loss;
    let latest = loss(meridian(days(7)).restored_from(RestoreFrom::Latest));
    assert!(latest.moves_on && latest.because.contains("may leave topic events"), "{latest:?}");
    // High-availability files are written once, whatever checkpoints follow.
    let ruled = |after| {
        let world = meridian(days(7)).restored_from(RestoreFrom::LastState).highly_available("s3://b/ha/");
        loss(world.ruled("b", vec![expires("tidy", "ha/", after)]))
    };
    let soon = ruled(10);
    assert!(!soon.moves_on && soon.because.contains("high-availability files"), "{soon:?}");
    assert!(ruled(300).moves_on);
    assert!(!loss(meridian(days(7))).moves_on, "a savepoint");
}

/// A savepoint at these positions, taken six hours before the capture.
fn read_to(positions: Vec<u64>) -> World {
    let young = savepoint("b", "2026-09-14T18:00:00Z", "STANDARD").reading("events", "events", positions);
    meridian(days(7)).savepoints("s3://b/young/", vec![young])
}

#[test]
fn what_a_savepoint_has_not_read_begins_right_after_the_capture() {
    let end = meridian_topic().positions(now());
    let loss = |from| {
        let mut world = read_to(end.clone()).restored_from(from);
        world.as_of = at("2026-09-25");
        world.analyse().outlook.without_loss
    };
    let savepoint = loss(RestoreFrom::Savepoint);
    assert_eq!(savepoint.at, Some(at("2026-10-15")), "{savepoint:?}");
    assert!(savepoint.because.contains("written after 2026-09-15 00:00Z"), "{}", savepoint.because);
    // A running job's checkpoints go on with it.
    assert_eq!(loss(RestoreFrom::Checkpoint).at, Some(at("2026-10-25")));
}

#[test]
fn what_a_topic_held_before_it_was_made_again_is_lost_and_not_counted() {
    let outlook = read_to(vec![9_000_000; 4]).analyse().outlook;
    let replay = way(&outlook, Way::Snapshot, "savepoint-b");
    assert!(replay.lost.is_err(), "{replay:?}");
    assert!(replay.notes.iter().any(|note| note.contains("cannot be counted")), "{:?}", replay.notes);
}

#[test]
fn a_job_that_went_on_has_committed_what_an_older_snapshot_left_open() {
    let end = meridian_topic().positions(now());
    let aborted = |from| {
        let mut world = read_to(end.clone()).restored_from(from);
        let sink = world.job.sinks.first_mut().expect("a sink");
        (sink.kind, sink.delivery, sink.transaction_timeout) = (SinkKind::Kafka, Some(Delivery::ExactlyOnce), Some(Millis::hours(1)));
        world.analyse().outlook.without_loss.because.contains("aborts the open transactions")
    };
    assert!(aborted(RestoreFrom::Checkpoint), "the newest snapshot");
    assert!(!aborted(RestoreFrom::Savepoint));
}

#[test]
fn unknown_in_never_clean_out() {
    let answers = |world: World| world.analyse().outlook;
    let unseen = answers(meridian(days(7)).topic("events", |topic| {
        topic.log_end = ttl_audit::evidence::Fact::denied("no right", "ListOffsets");
    }));
    for answer in [&unseen.without_duplicates.snapshot, &unseen.without_duplicates.offset_reset, &unseen.without_duplicates.state_loss] {
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }
    assert_ne!(unseen.without_loss.state, LossState::Date);
    // A TTL that nobody states: what an offset reset costs is not known, what a loss of state costs is.
    let no_ttl = answers(meridian(Ttl::Unknown));
    assert!(matches!(no_ttl.without_duplicates.offset_reset, Answer::Unknown(_)));
    assert!(matches!(no_ttl.without_duplicates.state_loss, Answer::No { records: 1_333_000, .. }));
    // Without a declared sink it is not known what protects it.
    let mut no_sink = meridian(days(7));
    no_sink.job.sinks.clear();
    assert!(matches!(answers(no_sink).without_duplicates.state_loss, Answer::Unknown(_)));
    // Positions that were not read: the file's date stands for them, and is an upper bound.
    let by_date = World::at("2026-09-15")
        .reads("events", &meridian_topic())
        .remembers("dedup/seen", days(7))
        .writes("warehouse")
        .savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-01", "STANDARD")]);
    let loss = answers(by_date).without_loss;
    assert_eq!((loss.state, loss.at), (LossState::AtMost, Some(at("2026-10-01"))), "{}", loss.because);
}

proptest! {
    #[test]
    fn everything_that_is_read_again_is_written_twice_or_recognised(ttl in 0_u64..60, seconds in 0_u64..86_400) {
        let ttl = Millis::days(ttl).plus(Millis::seconds(seconds));
        let outlook = meridian(Ttl::After(ttl.max(Millis::seconds(1)))).analyse().outlook;
        for snapshot in ["chk-7", "savepoint-a"] {
            let reset = way(&outlook, Way::OffsetReset, snapshot);
            let [twice, _, suppressed] = numbers(reset).map(|number| number.expect("measured"));
            prop_assert_eq!(twice + suppressed, 1_333_000);
            let days = reset.by_day();
            prop_assert_eq!(days.iter().map(|day| day.twice).sum::<u64>(), twice);
        }
    }

    #[test]
    fn a_longer_ttl_never_writes_more_twice(shorter in 1_u64..1_000, more in 0_u64..1_000) {
        let twice = |hours| {
            let outlook = meridian(Ttl::After(Millis::hours(hours))).analyse().outlook;
            way(&outlook, Way::OffsetReset, "chk-7").twice.clone().expect("measured")
        };
        prop_assert!(twice(shorter + more) <= twice(shorter));
    }

    #[test]
    fn no_position_makes_numbers_out_of_nothing(position in any::<i64>(), from in any::<i64>(), to in any::<i64>()) {
        let world = meridian(days(7));
        let analysis = world.analyse();
        let log: PartitionLog = analysis.outlook.replay.iter().find_map(Replay::first_log).expect("a partition").clone();
        for reset in [Reset::Earliest, Reset::Latest, Reset::None] {
            let split = Split::from_position(&log, position, reset);
            prop_assert!(split.twice() <= u64::try_from(log.end - log.start).expect("not negative"));
            let known = split.clone().recognising(&(from..to));
            prop_assert_eq!(known.twice() + known.suppressed(), split.twice());
            prop_assert_eq!(known.clone().absorbed().suppressed(), split.twice());
        }
    }
}

/// A right that is missing must not turn into a claim about positions, although a declared rate stands in for the counts.
#[test]
fn denied_offsets_are_the_reason_and_no_position_is_held_against_a_declared_rate() {
    let world = meridian(days(38))
        .source(|kafka| kafka.records_per_day = Some(43_000))
        .topic("events", |topic| topic.log_end = Fact::denied("needs DESCRIBE on the topic", "ListOffsets"))
        .restored_from(RestoreFrom::Checkpoint);
    let loss = world.analyse().outlook.without_loss;
    assert_ne!(loss.state, LossState::No, "{loss:?}");
    assert!(loss.because.contains("denied: needs DESCRIBE on the topic"), "{loss:?}");
}

/// Of a topic that does not exist nothing can be read, and nothing was measured.
#[test]
fn a_missing_topic_is_no_way_back_without_loss() {
    let world = meridian(days(38))
        .topic("events", |topic| topic.partitions = Fact::absent("the topic does not exist", "DescribeTopics"))
        .restored_from(RestoreFrom::Checkpoint);
    let outlook = world.analyse().outlook;
    assert_eq!(outlook.without_loss.state, LossState::No);
    assert!(outlook.without_loss.because.contains("topic events does not exist"), "{:?}", outlook.without_loss);
    assert!(way(&outlook, Way::StateLoss, "").twice.is_err());
}
