//! The collector against a scripted broker: what vendors answer, errors, silence. Needs no Java.

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use ttl_audit::{
    collect,
    evidence::{ClusterEvidence, Fact, SettingSource},
    units::Millis,
};

use crate::{
    kafka_ask::{Ask, every_reason, partition, reason, seen, setting as value, topic as seen_topic},
    kafka_fake::{Call, Configs, Fake, FakePartition, FakeSetting, FakeTopic, Script, Seen, setting, topic},
};

fn script(topics: impl IntoIterator<Item = (&'static str, FakeTopic)>) -> Script {
    Script {
        cluster_id: Some("scripted".to_owned()),
        topics: topics.into_iter().map(|(name, topic)| (name.to_owned(), topic)).collect(),
        broker: Configs::Settings(vec![setting("log.retention.check.interval.ms", "300000", 5), setting("num.io.threads", "8", 5)]),
        ..Script::default()
    }
}

fn ask(script: Script, topics: &[&str]) -> (ClusterEvidence, Vec<Seen>) {
    let fake = Fake::start(script);
    let ask = topics.iter().fold(Ask::new(&fake.address, &[]), |ask, name| ask.topic(name));
    (ask.now(), fake.seen())
}

#[test]
fn a_cluster_that_only_a_sink_writes_to_is_asked_for_its_brokers() {
    let broker = vec![setting("transaction.max.timeout.ms", "345600000", 4), setting("offsets.retention.minutes", "1440", 4)];
    let fake = Fake::start(Script { broker: Configs::Settings(broker), ..script([("receipts", topic(vec![], &[]))]) });
    let evidence = Ask::new(&fake.address, &[]).sink("receipts").now();
    assert_eq!(value(&evidence.broker, "transaction.max.timeout.ms"), ("345600000", "static broker setting"));
    assert_eq!(value(&evidence.broker, "offsets.retention.minutes"), ("1440", "static broker setting"));
    // Nothing is asked about the topic: that it exists is not what the sink's rules need.
    assert!(evidence.topics.is_empty() && evidence.groups.is_empty());
}

#[test]
fn vendors_answers_are_kept_as_they_are() {
    let chain = FakeSetting { synonyms: vec![("log_segment_ms", "1209600000", 5)], ..setting("segment.ms", "1209600000", 5) };
    let secret = FakeSetting { sensitive: true, ..setting("confluent.secret", "s3cret", 5) };
    let empty = FakeSetting { name: "confluent.null", source: 5, ..FakeSetting::default() };
    let (evidence, _) = ask(
        script([
            // Redpanda: synonyms named after its own properties.
            ("redpanda", topic(vec![setting("retention.ms", "604800000", 5), chain, setting("redpanda.remote.read", "false", 5)], &[])),
            // Confluent Cloud: keys of its own, null values, sensitive ones, source ids that came later.
            ("confluent", topic(vec![setting("retention.ms", "-1", 1), secret, empty, setting("new", "x", 77)], &[])),
            // WarpStream: what does not apply is not there.
            ("warpstream", topic(vec![setting("retention.ms", "604800000", 1), setting("cleanup.policy", "delete", 1)], &[])),
            // Tansu: nothing but what is set; here nothing.
            ("tansu", topic(vec![], &[])),
        ]),
        &["redpanda", "confluent", "warpstream", "tansu"],
    );
    let redpanda = seen(&seen_topic(&evidence, "redpanda").settings);
    assert_eq!(
        (redpanda["segment.ms"].synonyms[0].name.as_str(), redpanda["segment.ms"].source),
        ("log_segment_ms", SettingSource::Default)
    );
    let confluent = seen(&seen_topic(&evidence, "confluent").settings);
    assert_eq!(confluent["retention.ms"].value.as_deref(), Some("-1"));
    assert_eq!((&confluent["confluent.secret"].value, &confluent["confluent.null"].value), (&None, &None));
    assert_eq!(confluent["new"].source, SettingSource::Other(77));
    assert!(!seen(&seen_topic(&evidence, "warpstream").settings).contains_key("segment.ms"), "a missing key is not made up");
    assert!(reason(&seen_topic(&evidence, "tansu").settings).starts_with("unsupported: "));
    // Of the broker only what matters.
    assert_eq!(seen(&evidence.broker).keys().collect::<Vec<_>>(), ["log.retention.check.interval.ms"]);
    assert_eq!(seen(&evidence.cluster_id), "scripted");
}

#[test]
fn errors_are_never_empty_successes() {
    let with = |configs| FakeTopic { configs, ..topic(vec![], &[1]) };
    let mut script = script([
        ("good", topic(vec![setting("retention.ms", "1", 1)], &[1])),
        ("config-denied", with(Configs::Error(29))),
        ("config-failed", with(Configs::Error(-1))),
        ("left-out", with(Configs::LeftOut)),
    ]);
    script.denied.push("denied".to_owned());
    script.broker = Configs::Error(31);
    script.cluster_id = None;
    let (evidence, _) = ask(script, &["good", "config-denied", "config-failed", "left-out", "denied", "missing"]);
    let settings = |name| &seen_topic(&evidence, name).settings;
    assert_eq!(value(settings("good"), "retention.ms"), ("1", "topic override"));
    assert_eq!(reason(settings("config-denied")), "denied: needs DESCRIBE_CONFIGS on topic config-denied");
    assert!(reason(settings("config-failed")).starts_with("failed: "));
    assert_eq!(reason(settings("left-out")), "failed: the answer leaves the topic out");
    assert_eq!(reason(settings("denied")), "denied: needs DESCRIBE_CONFIGS on topic denied");
    assert_eq!(reason(&seen_topic(&evidence, "denied").log_start), "denied: needs DESCRIBE on topic denied");
    assert!(settings("missing").is_absent() && seen_topic(&evidence, "missing").partitions.is_absent());
    assert_eq!(reason(&evidence.broker), "denied: needs DESCRIBE_CONFIGS on the cluster");
    assert!(matches!(evidence.cluster_id, Fact::Unsupported(_)));
}

#[test]
fn errors_of_partitions_stay_with_the_partition_and_passing_ones_are_asked_again() {
    let good = FakePartition { timestamps: vec![1_000, 3_000, 2_000], ..FakePartition::default() };
    let partitions = vec![
        good.clone(),
        // Twice "not the leader" to the first question, then an answer.
        FakePartition { errors: vec![6, 6], ..good.clone() },
        FakePartition { always: Some(6), ..good.clone() },
        FakePartition { always: Some(29), ..good.clone() },
        FakePartition { leaderless: true, ..good },
    ];
    let all = FakePartition { always: Some(29), ..FakePartition::default() };
    let (evidence, _) = ask(
        script([
            ("mixed", FakeTopic { partitions, configs: Configs::default() }),
            ("denied-all", FakeTopic { partitions: vec![all.clone(), all], configs: Configs::default() }),
        ]),
        &["mixed", "denied-all"],
    );
    let mixed = seen_topic(&evidence, "mixed");
    let end = seen(&mixed.log_end);
    assert_eq!(end.partitions.keys().collect::<Vec<_>>(), [&0, &1]);
    assert_eq!(end.failed[&2], "NOT_LEADER_OR_FOLLOWER (error 6)");
    assert_eq!(end.failed[&3], "denied: needs DESCRIBE on topic mixed");
    assert_eq!(end.failed[&4], "the partition has no leader");
    let largest = partition(&mixed.largest_timestamp, 0).expect("a record");
    assert_eq!((largest.offset, largest.timestamp), (1, Some(3_000)));
    assert_eq!(reason(&seen_topic(&evidence, "denied-all").first_record), "denied: needs DESCRIBE on topic denied-all");
}

#[test]
fn an_old_brokers_answer_to_the_largest_timestamp_is_not_believed() {
    let old = Script { list_offsets_version: Some(5), ..script([("old", topic(vec![], &[1_000, 3_000, 2_000]))]) };
    let (evidence, _) = ask(old, &["old"]);
    assert!(reason(&seen_topic(&evidence, "old").largest_timestamp).starts_with("unsupported: "));
    assert_eq!(partition(&seen_topic(&evidence, "old").first_record, 0).and_then(|first| first.timestamp), Some(1_000));
    // The twin: the first record has the largest timestamp indeed.
    let (evidence, _) = ask(script([("new", topic(vec![], &[3_000, 1_000, 2_000]))]), &["new"]);
    assert_eq!(partition(&seen_topic(&evidence, "new").largest_timestamp, 0).map(|largest| largest.offset), Some(0));
}

/// Thousands of topics: few calls, none that may create, all of them read uncommitted.
#[test]
fn thousands_of_topics_are_asked_in_batches() {
    let now = collect::now().epoch_ms();
    let names: Vec<String> = (0..5_000).map(|number| format!("topic-{number}")).collect();
    let mut script = script([]);
    script.no_controller = true;
    for name in &names {
        script.topics.insert(name.clone(), topic(vec![setting("retention.ms", "86400000", 5)], &[now - 3_600_000]));
    }
    let fake = Fake::start(script);
    let evidence = Ask::new(&fake.address, &[]).pattern("topic-[0-9]+").ttl(Millis::days(7)).now();
    assert_eq!(evidence.topics.len(), 5_000);
    assert_eq!(seen(&evidence.patterns["topic-[0-9]+"]).len(), 5_000);
    for topic in evidence.topics.values() {
        assert_eq!(value(&topic.settings, "retention.ms").0, "86400000");
        assert!(seen(&topic.samples).iter().all(|sample| sample.offsets.partitions.len() == 1), "{topic:?}");
    }
    let requests = fake.seen();
    assert!(requests.len() < 100, "{} requests", requests.len());
    for request in requests {
        match request {
            Seen::Metadata { may_create, .. } => assert!(!may_create, "a request that may create topics"),
            Seen::DescribeConfigs { resources } => assert!(resources <= 500),
            Seen::ListOffsets { partitions, isolation, .. } => assert!(partitions <= 2_000 && isolation == 0),
            Seen::Other(other) => panic!("{other:?} was asked"),
        }
    }
}

/// One reason for every fact, within the time, without the secret.
fn unreachable(ask: &Ask, said: &str, within: Duration) {
    let begun = Instant::now();
    let evidence = ask.now();
    let took = begun.elapsed();
    let reasons = every_reason(&evidence);
    let first = reasons.first().expect("facts");
    assert!(reasons.iter().all(|reason| reason == first), "{reasons:?}");
    assert!(first.starts_with("failed: ") && first.contains(said), "{said}: {first}");
    assert!(!first.contains("wrong-pw"), "{first}");
    assert!(took <= within, "{said}: {took:?}, not early");
}

const EARLY: Duration = Duration::from_secs(10);

#[test]
fn nobody_there() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").to_string();
    unreachable(&Ask::new(&closed, &[]).topic("a").pattern("b"), "the connection is refused", EARLY);
    unreachable(&Ask::new("no-such-host.invalid:9092", &[]).topic("a"), "cannot be resolved", EARLY);
}

#[test]
fn wrong_credentials_mechanism_and_protocol() {
    let fake = Fake::start(Script { password: Some("right-pw".to_owned()), ..script([("a", topic(vec![], &[]))]) });
    let sasl = |mechanism, password| {
        let user = ("sasl.username", "auditor");
        [("security.protocol", "SASL_PLAINTEXT"), ("sasl.mechanism", mechanism), user, ("sasl.password", password)]
    };
    let ask = |properties: &[(&str, &str)]| Ask::new(&fake.address, properties).topic("a");
    unreachable(&ask(&sasl("PLAIN", "wrong-pw")), "refuses the credentials", EARLY);
    unreachable(&ask(&sasl("SCRAM-SHA-256", "wrong-pw")), "does not support this SASL mechanism", EARLY);
    unreachable(&ask(&[("security.protocol", "SSL")]), "may not speak TLS", EARLY);
    unreachable(&ask(&[]), "may expect TLS, or SASL", EARLY);
    let evidence = ask(&sasl("PLAIN", "right-pw")).now();
    assert_eq!(seen(&seen_topic(&evidence, "a").partitions), &[0]);
}

#[test]
fn silence() {
    // A listener that takes connections and says nothing.
    let mute = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = mute.local_addr().expect("an address").to_string();
    unreachable(&Ask::new(&address, &[]).topic("a").timeout(Duration::from_secs(6)), &address, EARLY);
    unreachable(&Ask::new(&address, &[("security.protocol", "SSL")]).topic("a").timeout(Duration::from_secs(6)), "TLS", EARLY);
    let dead = Fake::start(Script { silent: vec![Call::Metadata], ..script([]) });
    unreachable(&Ask::new(&dead.address, &[]).topic("a").timeout(Duration::from_secs(2)), "no answer within 2 s", EARLY);

    // One call is never answered: what it would have told is unknown, the rest is there.
    let fake =
        Fake::start(Script { silent: vec![Call::ListOffsets], ..script([("a", topic(vec![setting("retention.ms", "1", 1)], &[1]))]) });
    let evidence = Ask::new(&fake.address, &[]).topic("a").ttl(Millis::days(1)).timeout(Duration::from_secs(2)).now();
    let a = seen_topic(&evidence, "a");
    assert_eq!(value(&a.settings, "retention.ms").0, "1");
    for fact in [&a.log_start, &a.log_end, &a.first_record, &a.largest_timestamp] {
        assert!(reason(fact).starts_with("failed: "), "{fact:?}");
    }
    assert!(reason(&a.samples).starts_with("failed: "), "{a:?}");
}
