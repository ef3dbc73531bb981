//! The retention window: floor, worst case, observed, and the TTL that follows.

use proptest::prelude::*;
use ttl_audit::{
    analysis::{Bound, Comparison, Life, Observed, Required, SizeLimit, Window, required_for},
    evidence::{Fact, Offset, Offsets},
    manifest::DeclaredRetention,
    units::{Instant, Millis, Retention},
};

use crate::{
    scene::{Topic, at, meridian_topic},
    world::World,
};

const NOW: &str = "2026-09-15";
const MARGIN: Millis = Millis::days(2);

fn d(days: u64) -> Millis {
    Millis::days(days)
}

/// A topic with a day of records, all of it still there.
fn topic() -> Topic {
    Topic::new(at(NOW), at(NOW).minus(d(1)), 1, 1000)
}

fn window_of(world: &World) -> Window {
    let analysis = world.analyse();
    let windows = analysis.windows.into_values().next().expect("a source").expect("its topics are known");
    windows.into_iter().next().expect("a topic")
}

fn window(topic: &Topic) -> Window {
    window_of(&World::at(NOW).reads("events", topic))
}

fn worst(topic: &Topic) -> String {
    window(topic).worst_case.map_or_else(|unknown| unknown.reason, |worst| worst.value.to_string())
}

fn floor(topic: &Topic) -> String {
    window(topic).floor.map_or_else(|unknown| unknown.reason, |floor| floor.value.to_string())
}

#[test]
fn meridian_as_it_was() {
    let window = window(&meridian_topic());
    assert_eq!(window.retention.as_ref().expect("known").value, Retention::For(d(30)));
    assert_eq!(window.floor.as_ref().expect("known").value.to_string(), "30d");
    assert_eq!(window.worst_case.as_ref().expect("known").value.to_string(), "37d 0:05");
    assert_eq!(window.history().expect("records").value.to_string(), "30d 23:59:57");
    assert_eq!(window.caveats, Vec::<String>::new());
    assert_eq!(required_for(&window, MARGIN), Ok(Required::AtLeast(d(37).plus(Millis::minutes(5)))));
    let origin = window.worst_case.expect("known").origin;
    assert_eq!(
        origin,
        "30d (retention.ms, topic override) + 7d (segment.ms, broker default (log.roll.hours=168)) + 5m (log.retention.check.interval.ms, \
         broker default)"
    );
}

#[test]
fn the_worst_case_follows_from_the_settings() {
    let thirty = || topic().set_length("retention.ms", d(30));
    let compacted = || thirty().set("cleanup.policy", "compact,delete");
    for (what, topic, expected) in [
        ("the broker's clock: guaranteed", thirty().set("message.timestamp.type", "LogAppendTime"), "37d 0:05"),
        ("the producers' clock, an hour of skew permitted as in Kafka 4", thirty(), "37d 1:05"),
        ("skew of a day is added", thirty().set_length("message.timestamp.after.max.ms", d(1)), "38d 0:05"),
        ("skew of more than a day is not", thirty().set_length("message.timestamp.after.max.ms", d(2)), "37d 0:05"),
        ("any skew, as up to Kafka 3.9, is not", thirty().set("message.timestamp.after.max.ms", i64::MAX), "37d 0:05"),
        ("a smaller roll period", thirty().set_length("segment.ms", d(1)), "31d 1:05"),
        ("jitter only shortens", thirty().set_length("segment.jitter.ms", d(6)), "37d 1:05"),
        ("small segments only shorten", thirty().set("segment.bytes", 1_048_576), "37d 1:05"),
        ("compaction lag counts on compacted topics", compacted().set_length("max.compaction.lag.ms", d(2)), "32d 1:05"),
        ("and on no others", thirty().set_length("max.compaction.lag.ms", d(2)), "37d 1:05"),
        ("a longer compaction lag changes nothing", compacted().set_length("max.compaction.lag.ms", d(9)), "37d 1:05"),
        ("no retention by time or size", thirty().set("retention.ms", -1), "unlimited"),
        ("retention by size only", thirty().set("retention.ms", -1).set("retention.bytes", 1_000), "bound by size only"),
        ("size besides time can only shorten", thirty().set("retention.bytes", 1_000), "37d 1:05"),
        ("the largest retention there is", thirty().set("retention.ms", i64::MAX), "unlimited"),
        ("compaction only, whatever retention.ms says", thirty().set("cleanup.policy", "compact"), "unlimited"),
        ("both, in another order and with blanks", thirty().set("cleanup.policy", " delete , compact "), "37d 1:05"),
        ("neither, from Kafka 4.2 on", thirty().set("cleanup.policy", ""), "unlimited"),
        ("segments that are never rolled by time", thirty().set("segment.ms", i64::MAX), "106751991197d 8:17:55.807"),
    ] {
        assert_eq!(worst(&topic), expected, "{what}");
    }
}

#[test]
fn a_setting_that_is_not_answered_is_unknown_and_never_the_default() {
    let thirty = topic().set_length("retention.ms", d(30));
    let without = |key: &str| {
        let mut topic = thirty.clone();
        topic.settings.remove(key).expect("the setting was there");
        window(&topic)
    };
    for key in ["cleanup.policy", "retention.ms"] {
        let window = without(key);
        for (what, unknown) in
            [("retention", window.retention.err()), ("floor", window.floor.err()), ("worst case", window.worst_case.err())]
        {
            let unknown = unknown.unwrap_or_else(|| panic!("{what} is known without {key}"));
            assert_eq!(unknown.reason, format!("{key} of topic events is not among the settings that were answered"), "{what}");
            assert_eq!(unknown.call, "DescribeConfigs of topic events");
        }
    }
    let window = without("segment.ms");
    assert!(window.worst_case.expect_err("unknown").reason.starts_with("segment.ms of topic events"));
    assert_eq!(window.floor.expect("known").value, Bound::For(d(30)));

    let window = without("message.timestamp.after.max.ms");
    assert_eq!(window.worst_case.expect("known").value, Bound::For(d(37).plus(Millis::minutes(5))), "nobody's hour is taken");
    assert_eq!(
        window.caveats,
        [
            "no bound against wrong clocks is known (message.timestamp.after.max.ms of topic events is not among the settings that were answered)"
        ]
    );
}

#[test]
fn nonsense_in_a_setting_is_unknown() {
    for (key, value) in [
        ("cleanup.policy", "delete;compact"),
        ("retention.ms", "7d"),
        ("retention.ms", "99999999999999999999"),
        ("segment.ms", "-1"),
        ("segment.ms", ""),
    ] {
        assert!(window(&topic().set(key, value)).worst_case.is_err(), "{key}={value}");
    }
    let window = window(&topic().set("message.timestamp.type", "NoTimestampType"));
    assert!(window.kafka.expect("a Kafka topic").timestamps.is_err());
    assert_eq!(window.caveats.len(), 1);
}

#[test]
fn older_brokers_tell_the_skew_under_another_name() {
    let thirty = || topic().set_length("retention.ms", d(30));
    let difference = |topic: Topic| topic.set_length("message.timestamp.difference.max.ms", Millis::hours(2));
    let mut before_36 = difference(thirty());
    before_36.settings.remove("message.timestamp.after.max.ms");
    assert_eq!(worst(&before_36), "37d 2:05", "only the old name");
    assert_eq!(worst(&difference(thirty().set("message.timestamp.after.max.ms", i64::MAX))), "37d 2:05", "the new name at its default");
    assert_eq!(worst(&difference(thirty())), "37d 1:05", "the new name set");
}

/// What was assumed, but for that about numbers.
fn of_windows(world: &World) -> Vec<String> {
    let mut assumed = world.analyse().assumptions;
    assumed.retain(|assumed| !assumed.starts_with("assumed for numbers from offsets"));
    assumed
}

#[test]
fn only_the_check_interval_is_assumed_and_it_is_listed() {
    let world = World::at(NOW).reads("events", &meridian_topic());
    assert_eq!(of_windows(&world), [""; 0]);

    let denied =
        world.cluster(|cluster| cluster.broker = Fact::denied("needs DESCRIBE_CONFIGS on the cluster", "DescribeConfigs of broker 1"));
    assert_eq!(window_of(&denied).worst_case.expect("known").value.to_string(), "37d 0:05");
    assert_eq!(
        of_windows(&denied),
        ["assumed for cluster prod: retention check interval 5m (denied: needs DESCRIBE_CONFIGS on the cluster)"]
    );
}

#[test]
fn a_record_that_is_written_late_shortens_the_floor_by_the_producers_clock() {
    let late = |topic: &Topic, days| World::at(NOW).reads("events", topic).source(|source| source.max_event_lag = Some(d(days)));
    let seven = topic();
    assert_eq!(window_of(&late(&seven, 2)).floor.expect("known").value, Bound::For(d(5)));
    assert_eq!(window_of(&late(&seven, 9)).floor.expect("known").value, Bound::For(Millis::ZERO));
    let by_the_broker = seven.clone().set("message.timestamp.type", "LogAppendTime");
    assert_eq!(window_of(&late(&by_the_broker, 9)).floor.expect("known").value, Bound::For(d(7)), "the broker stamps it");
    let world = World::at(NOW).reads("events", &seven);
    assert_eq!(of_windows(&world), ["assumed for source events: max_event_lag 0s (CreateTime, and the manifest states none)"]);
}

#[test]
fn a_source_that_is_not_kafka_keeps_what_the_manifest_declares() {
    let declared = |retention| window_of(&World::at(NOW).reads_declared("stream", retention));
    let window = declared(DeclaredRetention::For(d(3)));
    assert_eq!(window.floor, window.worst_case);
    assert_eq!(window.floor.expect("known").origin, "retention of source stream, jobs/job.yaml:1");
    assert_eq!(window.observed, Ok(Observed::NotMeasured));
    assert_eq!(declared(DeclaredRetention::Unlimited).floor.expect("known").value, Bound::Unlimited);
    assert!(declared(DeclaredRetention::Unknown).retention.is_err());
}

#[test]
fn what_was_not_captured_is_unknown() {
    let world = World::at(NOW).reads_unseen("events");
    assert_eq!(window_of(&world).exists.expect_err("unknown").reason, "not captured: topic events of cluster prod");
    let mut world = world;
    world.evidence.kafka.clear();
    let windows = world.analyse().windows.remove("events").expect("the source");
    assert_eq!(windows.expect_err("unknown").reason, "not captured: Kafka cluster prod");
}

#[test]
fn the_observed_history_is_the_oldest_over_the_partitions_and_needs_them_all() {
    let seen = meridian_topic().evidence("events");
    let with = |change: &dyn Fn(&mut Offsets)| {
        let mut seen = seen.clone();
        if let Fact::Seen(first) = &mut seen.first_record {
            change(&mut first.value);
        }
        window_of(&World::at(NOW).reads_seen("events", seen)).observed
    };
    let first = |offset| with(&|offsets: &mut Offsets| offsets.partitions.extend([(0, offset)]));
    let Ok(Observed::History(history)) = with(&|_| {}) else { panic!("there are records") };
    assert_eq!(history.origin, "first record of partition 0 of topic events when the evidence was captured (2026-09-15 00:00Z)");

    let failed = with(&|offsets| {
        offsets.partitions.remove(&2);
        offsets.failed.insert(2, "NOT_LEADER_OR_FOLLOWER".to_owned());
    });
    assert_eq!(failed.expect_err("unknown").reason, "failed: partitions of topic events without an answer: NOT_LEADER_OR_FOLLOWER");
    let forgotten = with(&|offsets| offsets.partitions.retain(|partition, _| *partition != 2));
    assert_eq!(forgotten.expect_err("unknown").reason, "not asked: partitions of topic events without an answer");
    let untimed = first(Some(Offset { offset: 1, timestamp: Some(-1) }));
    assert!(untimed.expect_err("unknown").reason.ends_with("has no timestamp"));
    let no_record = first(None);
    assert!(no_record.expect_err("it holds offsets").reason.contains("no record with a timestamp"));
    let seconds = first(Some(Offset { offset: 1, timestamp: Some(1_665_000_000) }));
    assert_eq!(seconds, Ok(Observed::InSeconds { partition: 0, timestamp: 1_665_000_000 }));
}

#[test]
fn an_empty_topic_has_no_history() {
    let empty = window(&Topic::new(at(NOW), at(NOW), 3, 1000));
    assert_eq!(empty.observed, Ok(Observed::Empty));
    assert_eq!(required_for(&empty, MARGIN), Ok(Required::AtLeast(d(14).plus(Millis::minutes(65)))));
}

#[test]
fn a_size_limit_is_judged_by_what_is_left() {
    let limited = |first: Instant, start: i64| {
        Topic::new(at(NOW), first, 1, 1000).set_length("retention.ms", d(30)).set("retention.bytes", 1_000_000).starting_at(start)
    };
    let back = |days| at(NOW).minus(d(days));
    assert_eq!(floor(&limited(back(31), 5000)), "30d", "every partition reaches back R");
    // Ten days of 1,000 records each are left; the busiest day brings 1,000.
    assert_eq!(floor(&limited(back(10), 5000)), "10d");
    assert!(floor(&limited(back(10), 0)).contains("nothing was deleted yet"), "it may still be filling up");
    assert!(floor(&limited(at(NOW), 5000)).contains("which is empty"));

    let unsampled = |seen: &Topic| {
        let mut seen = seen.evidence("events");
        seen.samples = Fact::not_asked("no samples", "ListOffsets of topic events, by day");
        window_of(&World::at(NOW).reads_seen("events", seen))
    };
    assert_eq!(unsampled(&limited(back(10), 5000)).floor.expect_err("unknown").reason, "not asked: no samples");
    assert_eq!(unsampled(&limited(back(31), 5000)).floor.expect("known").value, Bound::For(d(30)), "needs no rate");
}

#[test]
fn a_busier_day_makes_what_is_left_last_less() {
    let quiet = Topic::new(at(NOW), at(NOW).minus(d(10)), 1, 1000).set("retention.bytes", 1_000_000).set_length("retention.ms", d(30));
    let mut seen = quiet.starting_at(5000).evidence("events");
    if let Fact::Seen(samples) = &mut seen.samples {
        // 3,000 of the 10,000 records came on the last day.
        for sample in samples.value.iter_mut().filter(|sample| sample.at == at("2026-09-14")) {
            sample.offsets.partitions.insert(0, Some(Offset { offset: 12_000, timestamp: Some(sample.at.epoch_ms()) }));
        }
        samples.value.retain(|sample| ![at("2026-09-12"), at("2026-09-13")].contains(&sample.at));
    }
    let window = window_of(&World::at(NOW).reads_seen("events", seen.clone()));
    assert_eq!(window.floor.expect("known").value.to_string(), "3d 8:00", "10,000 records at 3,000 a day");

    if let Fact::Seen(samples) = &mut seen.samples {
        for sample in samples.value.iter_mut().filter(|sample| sample.at == at("2026-09-10")) {
            let before = Some(Offset { offset: 9000, timestamp: None });
            sample.offsets.partitions.insert(0, before);
        }
    }
    let idle = window_of(&World::at(NOW).reads_seen("events", seen));
    assert!(idle.floor.expect_err("unknown").reason.contains("intervals without records"), "an idle spell looks like a cut");
    assert!(matches!(idle.kafka.expect("a Kafka topic").size, SizeLimit::Undecided(_)));
}

proptest! {
    /// Whatever the settings say, no sum overflows, and the order of the three bounds holds.
    #[test]
    fn nothing_overflows(
        retention in setting(), segment in setting(), lag in setting(), after in setting(), bytes in setting(),
        first in any::<i64>(), policy in prop::sample::select(vec!["delete", "compact", "compact,delete", ""]),
    ) {
        let topic = topic()
            .set("retention.ms", retention).set("segment.ms", segment).set("max.compaction.lag.ms", lag)
            .set("message.timestamp.after.max.ms", after).set("retention.bytes", bytes).set("cleanup.policy", policy)
            .first_timestamp(first);
        let window = window_of(&World::at(NOW).reads("events", &topic));
        if let (Ok(floor), Ok(worst)) = (&window.floor, &window.worst_case) {
            prop_assert!(floor.value <= worst.value);
        }
        let _ = required_for(&window, Millis::new(u64::MAX));
        for comparison in [Comparison::BelowRetention, Comparison::BelowObserved, Comparison::Thin] {
            let _ = comparison.holds(Life::Ttl(Millis::new(u64::MAX)), &window, Millis::new(u64::MAX));
        }
    }

    /// At most one of the three comparisons speaks; a longer TTL never makes it worse, a longer retention never better.
    #[test]
    fn longer_ttls_are_never_worse_and_longer_retentions_never_better(
        ttl in 1..90_u64, more in 0..90_u64, retention in 1..60_u64, longer in 0..60_u64, segment in 1..20_u64, history in 0..80_u64,
    ) {
        let of = |retention: u64| window(
            &Topic::new(at(NOW), at(NOW).minus(d(history)), 1, 1000).set_length("retention.ms", d(retention)).set_length("segment.ms", d(segment)),
        );
        let (now, then) = (of(retention), of(retention + longer));
        prop_assert!(badness(d(ttl + more), &now) <= badness(d(ttl), &now));
        prop_assert!(badness(d(ttl), &then) >= badness(d(ttl), &now).min(2));
        if let (0, Ok(Required::AtLeast(required))) = (badness(d(ttl), &now), required_for(&now, MARGIN)) {
            prop_assert!(d(ttl) >= required);
        }
    }

    /// Take any setting or answer away: what was said may become unknown, and never clean.
    #[test]
    fn unknown_in_is_never_clean_out(ttl in 1..60_u64, key in prop::sample::select(vec![
        "cleanup.policy", "retention.ms", "retention.bytes", "segment.ms", "message.timestamp.type", "message.timestamp.after.max.ms", "first record",
    ])) {
        let mut poorer = meridian_topic();
        poorer.settings.remove(key);
        let mut seen = poorer.evidence("events");
        if key == "first record" {
            seen.first_record = Fact::denied("needs DESCRIBE", "ListOffsets");
        }
        let poorer = window_of(&World::at(NOW).reads_seen("events", seen));
        let richer = window(&meridian_topic());
        for comparison in [Comparison::BelowRetention, Comparison::BelowObserved, Comparison::Thin] {
            let (rich, poor) = (comparison.holds(Life::Ttl(d(ttl)), &richer, MARGIN), comparison.holds(Life::Ttl(d(ttl)), &poorer, MARGIN));
            // One finding may stand for another while a fact is missing, but then that other is unknown.
            if rich == Ok(true) && poor == Ok(false) {
                let others = [Comparison::BelowRetention, Comparison::BelowObserved, Comparison::Thin];
                prop_assert!(others.iter().any(|other| other.holds(Life::Ttl(d(ttl)), &poorer, MARGIN) != Ok(false)));
            }
        }
    }
}

/// 3: below the retention; 2: below what is observed; 1: thin; 0: enough.
fn badness(ttl: Millis, window: &Window) -> u8 {
    let all = [(3, Comparison::BelowRetention), (2, Comparison::BelowObserved), (1, Comparison::Thin)];
    let speaking: Vec<u8> = all
        .into_iter()
        .filter(|(_, comparison)| comparison.holds(Life::Ttl(ttl), window, MARGIN).expect("everything is known"))
        .map(|(badness, _)| badness)
        .collect();
    assert!(speaking.len() <= 1, "{speaking:?}");
    speaking.first().copied().unwrap_or(0)
}

/// Values that brokers send: small ones, and the ends of what fits.
fn setting() -> impl Strategy<Value = i64> {
    prop_oneof![any::<i64>(), Just(i64::MAX), Just(i64::MIN), Just(-1), Just(0), 1..4_000_000_000_i64]
}
