//! What holds of whole verdicts, whatever the numbers are.

use proptest::prelude::*;
use ttl_audit::{
    analysis::recovery::{LossState, Way},
    evidence::Fact,
    finding::Severity,
    manifest::{Delivery, OnCancel, Reset, RestoreFrom},
    units::{Instant, Millis, Ttl},
};

use crate::{
    scene::{Snapshot, Topic},
    vault::{expires, now, savepoint_at},
    world::{Answers, World},
};

/// A job with one topic, a savepoint and a young checkpoint, of which everything is known. Lengths in hours.
#[derive(Clone, Debug)]
struct Case {
    retention: u64,
    segment: u64,
    /// How much of a segment the history reaches beyond the retention, in percent.
    beyond: u64,
    rate: u64,
    ttl: u64,
    /// How old the savepoint is.
    age: u64,
    downtime: u64,
    from_savepoint: bool,
    retained: bool,
    reset: Reset,
    /// After how many days a rule of the bucket deletes checkpoints, and how old the newest one is, in hours.
    expires: Option<u32>,
    newest: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let lengths = (2_u64..480, 1_u64..168, 0_u64..100, 10_u64..5_000);
    let more = (1_u64..1_500, 0_u64..720, 0_u64..480);
    let files = (proptest::option::of(1_u32..120), prop_oneof![3 => Just(0_u64), 1 => 0_u64..240]);
    let words = (any::<bool>(), any::<bool>(), prop_oneof![Just(Reset::Earliest), Just(Reset::Latest), Just(Reset::None)]);
    let all = (lengths, more, words, files);
    all.prop_map(|((retention, segment, beyond, rate), (ttl, age, downtime), (from_savepoint, retained, reset), (expires, newest))| Case {
        retention,
        segment,
        beyond,
        rate,
        ttl,
        age,
        downtime,
        from_savepoint,
        retained,
        reset,
        expires,
        newest,
    })
}

impl Case {
    fn world(&self) -> World {
        const START: i64 = 9_000_000;
        let history = Millis::hours(self.retention).plus(Millis::new(Millis::hours(self.segment).as_ms() * self.beyond / 100));
        let first = now().minus(history);
        let topic = Topic::new(now(), first, 2, self.rate)
            .set_length("retention.ms", Millis::hours(self.retention))
            .set_length("segment.ms", Millis::hours(self.segment))
            .set("message.timestamp.type", "LogAppendTime")
            .starting_at(START)
            .sampled_at(now().minus(Millis::hours(self.ttl)));
        let taken = now().minus(Millis::hours(self.age));
        let positions = |taken: Instant| {
            if taken < first {
                let before = first.since(taken).as_ms() * self.rate / Millis::DAY.as_ms();
                vec![u64::try_from(START).expect("positive") - before; 2]
            } else {
                topic.positions(taken)
            }
        };
        let newest = now().minus(Millis::hours(self.newest).plus(Millis::seconds(30)));
        let checkpoint = Snapshot::new("b", "cp/0123/chk-7", newest, 24_576).files(2, 1 << 26, "STANDARD");
        let mut world = World::at("2026-09-15")
            .reads("events", &topic)
            .source(|kafka| kafka.reset = self.reset)
            .remembers("dedup/seen", Ttl::After(Millis::hours(self.ttl)))
            .writes("warehouse")
            .savepoints("s3://b/sp/", vec![savepoint_at("a", taken, "STANDARD").reading("events", "events", positions(taken))])
            .checkpoints("s3://b/cp/", vec![checkpoint.reading("events", "events", positions(newest))])
            .restored_from(if self.from_savepoint { RestoreFrom::Savepoint } else { RestoreFrom::Latest });
        world.job.max_downtime = Some(Millis::hours(self.downtime));
        world.job.sinks.iter_mut().for_each(|sink| sink.delivery = Some(Delivery::AtLeastOnce));
        let checkpoints = world.recovery().checkpoints.as_mut().expect("checkpoints");
        checkpoints.interval = Some(Millis::minutes(1));
        checkpoints.incremental = Some(false);
        checkpoints.on_cancel = Some(if self.retained { OnCancel::Retain } else { OnCancel::Delete });
        world.ruled("b", self.expires.map(|days| expires("tidy", "cp/", days)).into_iter().collect())
    }
}

/// How bad a verdict is: the loudest finding, and how many there are of that; notes do not count.
fn badness(answers: &Answers) -> (Severity, usize) {
    let of = |severity| answers.results.findings.iter().filter(|judged| judged.finding.severity == severity).count();
    match (of(Severity::Error), of(Severity::Warning)) {
        (0, 0) => (Severity::Note, 0),
        (0, warnings) => (Severity::Warning, warnings),
        (errors, _) => (Severity::Error, errors),
    }
}

fn rules(answers: &Answers) -> Vec<&'static str> {
    answers.results.findings.iter().filter(|judged| judged.finding.severity > Severity::Note).map(|judged| judged.rule.id).collect()
}

/// One fact, and how it goes missing.
type Erasure = (&'static str, fn(World) -> World);

const ERASURES: [Erasure; 9] = [
    ("log start", |world| world.topic("events", |topic| topic.log_start = Fact::denied("no right", "ListOffsets"))),
    ("log end", |world| world.topic("events", |topic| topic.log_end = Fact::denied("no right", "ListOffsets"))),
    ("first record", |world| world.topic("events", |topic| topic.first_record = Fact::failed("timed out", "ListOffsets"))),
    ("settings", |world| world.topic("events", |topic| topic.settings = Fact::denied("no right", "DescribeConfigs"))),
    ("partitions", |world| world.topic("events", |topic| topic.partitions = Fact::denied("no right", "Metadata"))),
    ("_metadata", |world| {
        ["s3://b/sp/", "s3://b/cp/"].into_iter().fold(world, |world, folder| {
            world.at_place(folder, |place| {
                if let Fact::Seen(seen) = &mut place.snapshots {
                    seen.value.iter_mut().for_each(|snapshot| snapshot.metadata = Fact::denied("no right", "GetObject"));
                }
            })
        })
    }),
    ("listing", |world| world.at_place("s3://b/sp/", |place| place.snapshots = Fact::denied("no right", "ListObjectsV2"))),
    ("TTL", |mut world| {
        world.job.operators.iter_mut().flat_map(|operator| &mut operator.state).for_each(|state| state.ttl.value = Ttl::Unknown);
        world
    }),
    ("downtime", |mut world| {
        world.job.max_downtime = None;
        world
    }),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn more_downtime_never_makes_a_verdict_better(case in cases(), more in 1_u64..480) {
        let (short, long) = (case.world().judge(), Case { downtime: case.downtime + more, ..case }.world().judge());
        prop_assert!(badness(&short) <= badness(&long), "{:?} then {:?}", rules(&short), rules(&long));
    }

    #[test]
    fn a_longer_ttl_never_makes_a_verdict_worse(case in cases(), more in 1_u64..1_500) {
        let (short, long) = (case.world().judge(), Case { ttl: case.ttl + more, ..case }.world().judge());
        prop_assert!(badness(&long) <= badness(&short), "{:?} then {:?}", rules(&short), rules(&long));
    }

    #[test]
    fn a_fact_that_goes_missing_leaves_no_clean_verdict_behind(case in cases()) {
        let full = case.world().judge();
        prop_assert!(full.results.unknown.is_empty(), "{:#?}", full.results.unknown);
        for (name, erase) in ERASURES {
            let less = erase(case.world()).judge();
            let fires = rules(&less);
            for rule in rules(&full) {
                let waits = !less.reasons(rule).is_empty();
                // Without positions the date speaks, and a louder rule may take the word.
                let louder = fires.contains(&"snapshot-older-than-retention");
                prop_assert!(fires.contains(&rule) || waits || louder, "without {}: {} is gone, {:?} and {:#?}", name, rule, fires, less.results.unknown);
            }
        }
    }

    #[test]
    fn rules_and_headline_never_contradict(case in cases()) {
        let world = case.world();
        let (answers, analysis) = (world.judge(), world.analyse());
        let (fires, loss) = (rules(&answers), &analysis.outlook.without_loss);
        let back = now().plus(Millis::hours(case.downtime));
        let gone = loss.because.contains("records are gone") || loss.because.contains("skips to the end");
        let says_so = fires.contains(&"snapshot-older-than-retention");
        prop_assert!(says_so || !gone, "{:?}", loss);
        prop_assert!(!says_so || loss.state == LossState::No, "{:?}", loss);
        // The day on which the first unread record of the selected snapshot may leave.
        let leaves = loss.snapshot.as_ref().and_then(|selected| loss.dates.get(selected)).and_then(|dates| dates.records);
        if fires.contains(&"retention-below-downtime") {
            prop_assert!(loss.state == LossState::No || loss.at.is_some_and(|at| at < back), "{:?}", loss);
        } else if !says_so {
            prop_assert!(leaves.is_none_or(|at| at >= back), "{:?}", loss);
        }
    }

    #[test]
    fn what_is_read_again_is_written_twice_or_suppressed(case in cases()) {
        let outlook = case.world().analyse().outlook;
        let all = outlook.replay.iter().find(|replay| replay.way == Way::StateLoss).and_then(|replay| replay.twice.clone().ok());
        for reset in outlook.replay.iter().filter(|replay| replay.way == Way::OffsetReset) {
            let sum = reset.twice.clone().ok().zip(reset.suppressed.clone().ok()).map(|(twice, suppressed)| twice + suppressed);
            prop_assert_eq!(sum, all);
        }
    }
}
