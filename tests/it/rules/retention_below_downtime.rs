use ttl_audit::{
    analysis::recovery::LossState,
    evidence::Fact,
    finding::{Amount, Severity},
    manifest::{DeclaredRetention, RestoreFrom},
    units::Millis,
};

use crate::{
    scene::{Snapshot, Topic, at},
    vault::{now, pasted, savepoint},
    world::{World, days},
};

const RULE: &str = "retention-below-downtime";

/// A topic that keeps its records for this many days, and whose history is as long.
fn topic(keeps: u64) -> Topic {
    Topic::new(now(), now().minus(Millis::days(keeps)), 2, 1_000)
        .set_length("retention.ms", Millis::days(keeps))
        .set_length("segment.ms", Millis::days(1))
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(70_000)
}

/// A job that is restored from the savepoint of this day, and may be down for so many days.
fn from(day: &str, keeps: u64, down: u64) -> World {
    let topic = topic(keeps);
    let positions = topic.positions(at(day));
    World::at("2026-09-15")
        .reads("events", &topic)
        .remembers("dedup/seen", days(40))
        .savepoints("s3://b/sp/", vec![savepoint("a", day, "STANDARD").reading("events", "events", positions)])
        .down_for(down)
}

/// The same from a checkpoint that is half a minute old.
fn running(keeps: u64, down: u64) -> World {
    let topic = topic(keeps);
    let taken = at("2026-09-14T23:59:30Z");
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", taken, 24_576).files(2, 1 << 26, "STANDARD");
    let world = World::at("2026-09-15").reads("events", &topic).remembers("dedup/seen", days(40));
    let mut world = world.checkpoints("s3://b/cp/", vec![checkpoint.reading("events", "events", topic.positions(taken))]).down_for(down);
    world.recovery().checkpoints.as_mut().expect("checkpoints").on_cancel = Some(ttl_audit::manifest::OnCancel::Retain);
    world
}

#[test]
fn fires_where_records_leave_before_the_job_is_back() {
    let world = from("2026-09-12T12:00:00Z", 5, 3);
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert_eq!((finding.severity, finding.bites_on), (Severity::Error, Some(at("2026-09-17T12:00:00Z"))));
    assert!(
        finding.message.contains("may be lost from 2026-09-17 12:00Z on: it is sure to keep a record for 5d, and 5d 12:00 are needed"),
        "{}",
        finding.message
    );
    let amounts: Vec<_> = finding.facts.iter().map(|fact| (fact.name.as_str(), &fact.amount)).collect();
    assert!(amounts.contains(&("floor", &Amount::Duration(Millis::days(5)))), "{amounts:?}");
    assert!(amounts.contains(&("needed", &Amount::Duration(Millis::hours(132)))), "{amounts:?}");
    // 5 d 12 h and the margin of 2 d.
    assert!(pasted(finding).contains("--entity-name events --add-config retention.ms=691200000"), "{}", pasted(finding));
    assert!(pasted(finding).contains("flink savepoint"), "{}", pasted(finding));
    // The headline has the same day.
    let loss = world.analyse().outlook.without_loss;
    assert_eq!((loss.state, loss.at), (LossState::Date, finding.bites_on), "{}", loss.because);
}

#[test]
fn no_snapshot_is_young_enough_where_the_downtime_alone_is_longer() {
    let answers = running(2, 3).judge();
    let finding = answers.fires(RULE);
    assert!(finding.remedy.iter().any(|remedy| remedy.say.contains("No snapshot helps here, however young")), "{:#?}", finding.remedy);
    // A job without state that starts from nothing has read everything by the stop.
    let mut stateless = running(2, 3).restored_from(RestoreFrom::None);
    stateless.job.operators.clear();
    assert_eq!(stateless.judge().fires(RULE).bites_on, Some(at("2026-09-17")));
}

#[test]
fn twins_are_quiet() {
    from("2026-09-13T12:00:00Z", 5, 3).judge().quiet(RULE);
    running(5, 3).judge().quiet(RULE);
    // A checkpoint within the day of the last sample is not older than it is.
    let mut close = running(1, 0);
    close.job.max_downtime = Some(Millis::hours(23));
    close.judge().quiet(RULE);
    // Idle: read to its end.
    let idle = Topic::new(now(), at("2026-09-10"), 1, 0).set_length("retention.ms", Millis::days(1)).starting_at(900);
    let read = savepoint("a", "2026-09-01", "STANDARD").reading("events", "events", [900]);
    World::at("2026-09-15").reads("events", &idle).savepoints("s3://b/sp/", vec![read]).down_for(3).judge().quiet(RULE);
    // What is gone already is said by another rule.
    let gone = from("2026-09-12", 5, 3).topic("events", |topic| {
        for fact in [&mut topic.log_start, &mut topic.first_record] {
            if let Fact::Seen(seen) = fact {
                for offset in seen.value.partitions.values_mut().flatten() {
                    offset.offset = 74_000;
                }
            }
        }
    });
    let gone = gone.judge();
    gone.fires("snapshot-older-than-retention");
    gone.quiet(RULE);
    // A restart that takes nothing and has state to lose is said by `restore-skips-state`.
    running(2, 3).restored_from(RestoreFrom::None).judge().quiet(RULE);
}

#[test]
fn a_source_that_is_not_kafka_is_judged_by_its_declared_retention() {
    let kinesis = |retention, down| {
        World::at("2026-09-15")
            .reads_declared("clicks", retention)
            .savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-12", "STANDARD").reading("clicks", "clicks", [])])
            .down_for(down)
    };
    let week = DeclaredRetention::For(Millis::days(7));
    assert_eq!(kinesis(week, 5).judge().fires(RULE).bites_on, Some(at("2026-09-19")));
    kinesis(week, 4).judge().quiet(RULE);
    kinesis(DeclaredRetention::Unlimited, 400).judge().quiet(RULE);
    kinesis(DeclaredRetention::Unknown, 1).judge().unknown(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let mut unstated = from("2026-09-14", 5, 3);
    unstated.job.max_downtime = None;
    assert!(unstated.judge().unknown(RULE).unknown.reason.contains("how long job job may be down"));
    // Records that may leave at any moment are known without it.
    let mut overdue = from("2026-09-10T12:00:00Z", 5, 3).topic("events", |topic| {
        // Retention is late, so that they are still there.
        if let Fact::Seen(seen) = &mut topic.settings {
            seen.value.get_mut("retention.ms").expect("a setting").value = Some("345600000".to_owned());
        }
    });
    overdue.job.max_downtime = None;
    assert!(overdue.judge().fires(RULE).message.contains("may be lost at any moment, since 2026-09-14 12:00Z"));
    let denied = from("2026-09-14", 5, 3).topic("events", |topic| topic.settings = Fact::denied("no right", "DescribeConfigs"));
    assert!(denied.judge().unknown(RULE).unknown.reason.contains("no right"));
    let unread =
        World::at("2026-09-15").reads("events", &topic(5)).savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-14", "STANDARD")]);
    unread.down_for(1).judge().unknown(RULE);
}

/// A job without state that goes on where its group committed: that nobody could ask the group is told, not passed over.
#[test]
fn where_a_stateless_job_goes_on_has_to_be_known() {
    let world = |start| {
        let topic = crate::scene::meridian_topic();
        crate::world::World::at("2026-09-15")
            .reads("events", &topic)
            .source(|source| (source.start, source.group_id) = (start, Some("group".to_owned())))
            .restored_from(ttl_audit::manifest::RestoreFrom::None)
            .down_for(3)
    };
    let committed = ttl_audit::manifest::Start::Committed;
    let unasked = world(committed).judge();
    assert!(unasked.unknown(RULE).unknown.reason.contains("the committed offsets of group group"), "{:?}", unasked.unknown(RULE));
    let group = crate::scene::committed(crate::vault::now(), "group", "events", &[2_408_000; 4]);
    world(committed).cluster(|cluster| cluster.groups.extend([group])).judge().quiet(RULE);
    let timestamp = world(ttl_audit::manifest::Start::Timestamp).judge();
    assert!(timestamp.unknown(RULE).unknown.reason.contains("a timestamp that the manifest does not hold"));
}
