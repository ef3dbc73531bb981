//! The collector against a real Apache Kafka.

use std::time::{Duration, Instant};

use rdkafka::error::RDKafkaErrorCode;
use ttl_audit::{
    collect,
    evidence::{ClusterEvidence, SettingSource},
    units::Millis,
};

use crate::{
    kafka_ask::{Ask, every_reason, partition, reason, seen, setting, topic},
    kafka_broker::{Producer, broker},
};

const PLAIN_AUDITOR: &[(&str, &str)] =
    &[("security.protocol", "SASL_PLAINTEXT"), ("sasl.mechanism", "PLAIN"), ("sasl.username", "auditor"), ("sasl.password", "auditor-pw")];

fn scram(mechanism: &'static str, password: &'static str) -> [(&'static str, &'static str); 4] {
    [("security.protocol", "sasl_plaintext"), ("sasl.mechanism", mechanism), ("sasl.username", "auditor"), ("sasl.password", password)]
}

fn now_ms() -> i64 {
    collect::now().epoch_ms()
}

/// Asks until `done` says so; the broker acts within moments.
fn until(ask: &Ask, what: &str, done: impl Fn(&ClusterEvidence) -> bool) -> ClusterEvidence {
    let begun = Instant::now();
    loop {
        let evidence = ask.now();
        if done(&evidence) {
            return evidence;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "not within a minute: {what}: {evidence:?}");
    }
}

#[test]
fn settings_come_with_their_source_and_the_chain_behind_them() {
    broker()
        .seed("topic chain 1\ntopic chain-override 1 retention.ms=86400000\ntopic chain-compact 1 cleanup.policy=compact")
        .expect("topics");
    let ask = Ask::new(&broker().internal, &[]).topic("chain").topic("chain-override").topic("chain-compact");
    let evidence = ask.now();
    assert_eq!(setting(&topic(&evidence, "chain").settings, "retention.ms"), ("604800000", "broker default"));
    // Set in the broker's file.
    let settings = &topic(&evidence, "chain").settings;
    assert_eq!(setting(settings, "delete.retention.ms"), ("86400001", "static broker setting"));
    let chain = &seen(settings)["delete.retention.ms"].synonyms;
    assert_eq!(chain[0].name, "log.cleaner.delete.retention.ms");
    assert_eq!((chain[0].value.as_deref(), chain[0].source), (Some("86400001"), SettingSource::StaticBroker));
    // Set in the broker's file in hours (`log.roll.hours=100`): Kafka 4.1 has the value right, calls it a default, and shows no chain.
    assert_eq!(setting(settings, "segment.ms"), ("360000000", "broker default"));
    assert_eq!(seen(settings)["segment.ms"].synonyms, []);
    assert_eq!(setting(&topic(&evidence, "chain-override").settings, "retention.ms"), ("86400000", "topic override"));
    // A compact-only topic has a retention.ms, too, though it means nothing there.
    assert_eq!(setting(&topic(&evidence, "chain-compact").settings, "cleanup.policy"), ("compact", "topic override"));
    assert_eq!(setting(&topic(&evidence, "chain-compact").settings, "retention.ms").0, "604800000");

    broker().seed("cluster-default log.retention.ms=604800001").expect("a cluster-wide default");
    let evidence = until(&ask, "the default reaches the topic", |evidence| {
        setting(&topic(evidence, "chain").settings, "retention.ms").0 == "604800001"
    });
    assert_eq!(setting(&topic(&evidence, "chain").settings, "retention.ms").1, "dynamic cluster-wide broker default");
    assert_eq!(seen(&topic(&evidence, "chain").settings)["retention.ms"].synonyms[0].name, "log.retention.ms");

    assert_eq!(setting(&evidence.broker, "log.retention.check.interval.ms"), ("1000", "static broker setting"));
    assert_eq!(setting(&evidence.broker, "transaction.max.timeout.ms"), ("900000", "broker default"));
    assert_eq!(setting(&evidence.broker, "offsets.retention.minutes").0, "10080");
    assert!(seen(&evidence.broker).keys().all(|name| !name.contains("jaas") && !name.contains("ssl")));
    assert_eq!(seen(&evidence.cluster_id), "dHRsLWF1ZGl0LXRlc3RzIQ");
    assert!(evidence.requests >= 9, "{}", evidence.requests);
}

#[test]
fn the_active_segment_is_deleted_once_all_of_it_is_too_old() {
    broker().seed("topic active 1 retention.ms=2000").expect("a topic");
    assert!(Producer::new(broker()).write("active", 0, [now_ms(), now_ms(), now_ms()]).is_empty());
    let ask = Ask::new(&broker().internal, &[]).topic("active");
    let evidence = until(&ask, "the log start moves to the end", |evidence| {
        partition(&topic(evidence, "active").log_start, 0).is_some_and(|start| start.offset == 3)
    });
    let active = topic(&evidence, "active");
    assert_eq!(partition(&active.log_end, 0).map(|end| end.offset), Some(3));
    assert_eq!(partition(&active.first_record, 0), None);
    assert_eq!(partition(&active.largest_timestamp, 0), None);
}

/// R = 5 s, S = 3 s, C = 1 s: records live longer than R, and about R + S + C.
#[test]
fn retention_is_a_lower_bound() {
    broker().seed("topic rolling 1 retention.ms=5000 segment.ms=3000").expect("a topic");
    let producer = Producer::new(broker());
    let now = now_ms();
    producer.write("rolling", 0, (0..=120).rev().map(|half_seconds| now - half_seconds * 500));
    let ask = Ask::new(&broker().internal, &[]).topic("rolling");
    let begun = Instant::now();
    loop {
        producer.write("rolling", 0, [now_ms()]);
        let asked = now_ms();
        let evidence = ask.now();
        let rolling = topic(&evidence, "rolling");
        let start = partition(&rolling.log_start, 0).expect("a log start").offset;
        let oldest = partition(&rolling.first_record, 0).and_then(|first| first.timestamp).expect("a first record");
        let age = asked - oldest;
        // Older than R, so R is no upper bound; at most R + S + C, so that is one.
        if start > 0 && age > 5_000 && age <= 9_000 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "log start {start}, oldest record {age} ms");
    }
}

#[test]
fn a_record_from_the_future_holds_everything_behind_it() {
    broker().seed("topic future 1 retention.ms=2000\ntopic future-twin 1 retention.ms=2000").expect("topics");
    let producer = Producer::new(broker());
    let now = now_ms();
    let future = now + 30 * 60 * 1000;
    assert!(producer.write("future", 0, [future, now - 60_000, now - 50_000]).is_empty());
    assert!(producer.write("future-twin", 0, [now, now - 60_000, now - 50_000]).is_empty());
    assert_eq!(producer.write("future", 0, [now + 2 * 60 * 60 * 1000]), [RDKafkaErrorCode::InvalidTimestamp]);
    let ask = Ask::new(&broker().internal, &[]).topic("future").topic("future-twin");
    // The twin's records go: so the pass that would have deleted them has been made.
    let evidence = until(&ask, "the twin is emptied", |evidence| {
        partition(&topic(evidence, "future-twin").log_start, 0).is_some_and(|start| start.offset == 3)
    });
    let held = topic(&evidence, "future");
    assert_eq!(partition(&held.log_start, 0).map(|start| start.offset), Some(0));
    assert_eq!(partition(&held.log_end, 0).map(|end| end.offset), Some(3));
    let largest = partition(&held.largest_timestamp, 0).expect("a record");
    assert_eq!((largest.offset, largest.timestamp), (0, Some(future)));
}

#[test]
fn the_first_record_and_the_offsets_by_time() {
    broker().seed("topic timed 2").expect("a topic");
    let producer = Producer::new(broker());
    let hour = 60 * 60 * 1000;
    let now = now_ms();
    // Partition 0: 60 h, 50 h, …, 10 h old. Partition 1 stays empty.
    producer.write("timed", 0, (1..=6).rev().map(|tens| now - tens * 10 * hour));
    let ask = Ask::new(&broker().internal, &[]).topic("timed").ttl(Millis::hours(35));
    let evidence = ask.now();
    let timed = topic(&evidence, "timed");
    assert_eq!(seen(&timed.partitions), &[0, 1]);
    let first = partition(&timed.first_record, 0).expect("a record");
    assert_eq!((first.offset, first.timestamp), (0, Some(now - 60 * hour)));
    assert_eq!(partition(&timed.first_record, 1), None);
    let largest = partition(&timed.largest_timestamp, 0).expect("a record");
    assert_eq!((largest.offset, largest.timestamp), (5, Some(now - 10 * hour)));
    assert_eq!(partition(&timed.log_end, 1).map(|end| (end.offset, end.timestamp)), Some((0, None)));

    let samples = seen(&timed.samples);
    // 35 h: the first record that young is the one of 30 h, at offset 3.
    let ttl = samples.iter().find(|sample| sample.at.epoch_ms() % 86_400_000 != 0 || samples.len() == 1).expect("as-of − TTL");
    assert_eq!(ttl.offsets.partitions[&0].map(|offset| offset.offset), Some(3), "{samples:?}");
    assert_eq!(ttl.offsets.partitions[&1], None);
    for sample in samples {
        let at = sample.at.epoch_ms();
        let expected = (0..6).find(|offset| now - (6 - offset) * 10 * hour >= at);
        assert_eq!(sample.offsets.partitions[&0].map(|offset| offset.offset), expected, "{}", sample.at);
    }
    let oldest = samples.first().expect("samples").at.epoch_ms();
    assert!(oldest <= now - 60 * hour && oldest > now - 60 * hour - 24 * hour, "the samples reach as far back as the records");

    broker().seed("delete-records timed 0 2").expect("deleted");
    let evidence = ask.now();
    let first = partition(&topic(&evidence, "timed").first_record, 0).expect("a record");
    assert_eq!((first.offset, first.timestamp), (2, Some(now - 40 * hour)));
    assert_eq!(partition(&topic(&evidence, "timed").log_start, 0).map(|start| start.offset), Some(2));
}

/// The rights of `tests/it/kafka_broker`, over every way to say who one is.
#[test]
fn what_is_not_allowed_is_denied_and_never_empty() {
    for properties in [PLAIN_AUDITOR, &scram("SCRAM-SHA-256", "auditor-pw"), &scram("SCRAM-SHA-512", "auditor-pw")] {
        let bootstrap = if properties == PLAIN_AUDITOR { &broker().plain } else { &broker().scram };
        let ask = Ask::new(bootstrap, properties).topic("orders").topic("hidden-config").topic("invisible").topic("missing").pattern(".*");
        let evidence = ask.now();
        let orders = topic(&evidence, "orders");
        assert_eq!(seen(&orders.partitions), &[0, 1, 2]);
        assert_eq!(setting(&orders.settings, "retention.ms"), ("2592000000", "topic override"));
        assert_eq!(partition(&orders.log_end, 2).map(|end| end.offset), Some(0));
        let hidden = topic(&evidence, "hidden-config");
        assert_eq!(seen(&hidden.partitions), &[0]);
        assert_eq!(partition(&hidden.log_start, 0).map(|start| start.offset), Some(0));
        assert_eq!(reason(&hidden.settings), "denied: needs DESCRIBE_CONFIGS on topic hidden-config");
        let invisible = topic(&evidence, "invisible");
        assert_eq!(reason(&invisible.partitions), "denied: needs DESCRIBE on topic invisible");
        assert_eq!(reason(&invisible.settings), "denied: needs DESCRIBE_CONFIGS on topic invisible");
        assert_eq!(reason(&invisible.samples), "denied: needs DESCRIBE on topic invisible");
        let missing = topic(&evidence, "missing");
        assert!(missing.partitions.is_absent() && missing.settings.is_absent() && missing.log_start.is_absent(), "{missing:?}");
        assert_eq!(setting(&evidence.broker, "log.retention.check.interval.ms").0, "1000");
        assert_eq!(seen(&evidence.patterns[".*"]), &["hidden-config", "orders"], "what may not be described is not listed");
    }
}

#[test]
fn who_may_do_nothing_sees_nothing_and_is_told_so() {
    let mut nobody = PLAIN_AUDITOR.to_vec();
    nobody[2] = ("sasl.username", "nobody");
    nobody[3] = ("sasl.password", "nobody-pw");
    let evidence = Ask::new(&broker().plain, &nobody).topic("orders").topic("missing").pattern(".*").now();
    assert_eq!(reason(&evidence.broker), "denied: needs DESCRIBE_CONFIGS on the cluster");
    assert_eq!(seen(&evidence.patterns[".*"]), &[] as &[String]);
    for name in ["orders", "missing"] {
        assert_eq!(reason(&topic(&evidence, name).partitions), format!("denied: needs DESCRIBE on topic {name}"));
        assert_eq!(reason(&topic(&evidence, name).settings), format!("denied: needs DESCRIBE_CONFIGS on topic {name}"));
    }
}

#[test]
fn what_stands_between_is_told_early_and_without_secrets() {
    let tls = |ca: &str| vec![("security.protocol", "SSL".to_owned()), ("ssl.ca.location", broker().folder.join(ca).display().to_string())];
    let owned = |properties: &[(&'static str, &str)]| properties.iter().map(|(key, value)| (*key, (*value).to_owned())).collect::<Vec<_>>();
    let mut wrong = PLAIN_AUDITOR.to_vec();
    wrong[3].1 = "not-the-pw";
    for (bootstrap, properties, said) in [
        (&broker().plain, owned(&wrong), "refuses the credentials"),
        (&broker().scram, owned(&scram("SCRAM-SHA-512", "not-the-pw")), "refuses the credentials"),
        (&broker().plain, owned(&scram("SCRAM-SHA-256", "not-the-pw")), "does not support this SASL mechanism"),
        (&broker().plain, Vec::new(), "may expect TLS, or SASL"),
        (&broker().tls, Vec::new(), "may expect TLS, or SASL"),
        (&broker().tls, tls("other-ca.pem"), "certificate is not trusted"),
        (&broker().internal, tls("ca.pem"), "may not speak TLS"),
        (&broker().mtls, tls("ca.pem"), "wants another client certificate, or one at all"),
    ] {
        let properties: Vec<(&str, &str)> = properties.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let begun = Instant::now();
        let evidence = Ask::new(bootstrap, &properties).topic("orders").pattern(".*").now();
        assert!(begun.elapsed() < Duration::from_secs(20), "{said}: only after {:?}", begun.elapsed());
        let reasons = every_reason(&evidence);
        assert!(reasons.iter().all(|reason| reason.starts_with("failed: ") && reason.contains(said)), "{said}: {reasons:?}");
        assert!(reasons.iter().all(|reason| reason == &reasons[0]), "one reason: {reasons:?}");
        assert!(!reasons[0].contains("not-the-pw") && reasons[0].contains(bootstrap), "{reasons:?}");
    }
}

#[test]
fn tls_with_and_without_a_client_certificate() {
    let file = |name: &str| broker().folder.join(name).display().to_string();
    let (ca, certificate, key) = (file("ca.pem"), file("client.pem"), file("client.key"));
    let plain = [("security.protocol", "SSL"), ("ssl.ca.location", ca.as_str())];
    let evidence = Ask::new(&broker().tls, &plain).topic("orders").now();
    assert_eq!(seen(&topic(&evidence, "orders").partitions), &[0, 1, 2]);
    let mutual = [plain[0], plain[1], ("ssl.certificate.location", certificate.as_str()), ("ssl.key.location", key.as_str())];
    let evidence = Ask::new(&broker().mtls, &mutual).topic("orders").topic("invisible").now();
    assert_eq!(setting(&topic(&evidence, "orders").settings, "retention.ms").0, "2592000000");
    assert_eq!(reason(&topic(&evidence, "invisible").partitions), "denied: needs DESCRIBE on topic invisible");
    assert_eq!(reason(&evidence.broker), "denied: needs DESCRIBE_CONFIGS on the cluster");
}

#[test]
fn looking_for_a_topic_does_not_create_it_though_the_broker_would() {
    let evidence = Ask::new(&broker().internal, &[]).topic("not-there").topic("nor here!").ttl(Millis::days(7)).pattern("not-.*").now();
    let missing = topic(&evidence, "not-there");
    assert!(missing.partitions.is_absent() && missing.settings.is_absent() && missing.samples.is_absent(), "{missing:?}");
    assert_eq!(reason(&topic(&evidence, "nor here!").partitions), "absent: no topic can have this name");
    assert_eq!(seen(&evidence.patterns["not-.*"]), &[] as &[String]);
    assert!(!broker().topics().iter().any(|name| name == "not-there"));

    // The broker would have, had it been asked the way a producer asks.
    let producer: rdkafka::producer::BaseProducer =
        rdkafka::ClientConfig::new().set("bootstrap.servers", &broker().internal).create().expect("a producer");
    let begun = Instant::now();
    while !broker().topics().iter().any(|name| name == "created-by-asking") {
        let client = rdkafka::producer::Producer::client(&producer);
        let _ = client.fetch_metadata(Some("created-by-asking"), Duration::from_secs(5));
        assert!(begun.elapsed() < Duration::from_mins(1), "this broker creates no topic, so the test above shows nothing");
    }
}

#[test]
fn patterns_leave_internal_topics_out_as_flink_does() {
    Producer::with(broker(), &[("transactional.id", "audit-tests")]).init_transactions();
    assert!(broker().topics().contains(&"__transaction_state".to_owned()), "{:?}", broker().topics());
    let evidence = Ask::new(&broker().internal, &[]).pattern("__.*").pattern("order(s|z)").pattern("(?!x).*").now();
    assert_eq!(seen(&evidence.patterns["__.*"]), &[] as &[String]);
    assert_eq!(seen(&evidence.patterns["order(s|z)"]), &["orders"]);
    assert!(reason(&evidence.patterns["(?!x).*"]).starts_with("unsupported: "), "{:?}", evidence.patterns);
    assert_eq!(evidence.topics.keys().collect::<Vec<_>>(), ["orders"]);
    // Named, it is read by Flink, too.
    let evidence = Ask::new(&broker().internal, &[]).topic("__transaction_state").now();
    assert_eq!(seen(&topic(&evidence, "__transaction_state").partitions), &[0]);
}

#[test]
fn committed_offsets_are_read_without_joining_a_group() {
    broker().seed("topic committed 3").expect("a topic");
    for group in ["readable", "another"] {
        commit(group, "committed", &[(0, 17), (2, 4_000_000_000)]);
    }
    let ask = Ask::new(&broker().internal, &[]).topic("committed").group("readable").topic("chain").group("never-seen");
    let evidence = ask.now();
    // Partition 1 has no commit, and is not made up.
    assert_eq!(seen(&evidence.groups["readable"]).topics, [("committed".to_owned(), [(0, 17), (2, 4_000_000_000)].into())].into());
    // A group that does not exist has committed nothing; asking does not make it.
    assert_eq!(seen(&evidence.groups["never-seen"]).topics, [].into());
    assert_eq!(seen(&ask.now().groups["never-seen"]).topics, [].into());

    let denied = Ask::new(&broker().plain, PLAIN_AUDITOR).topic("orders").group("another").now();
    assert_eq!(reason(&denied.groups["another"]), "denied: needs DESCRIBE on group another");
    let allowed = Ask::new(&broker().plain, PLAIN_AUDITOR).topic("orders").group("readable").now();
    assert_eq!(seen(&allowed.groups["readable"]).topics, [].into(), "only what the job reads is kept");
}

/// Commits as a group would, without ever joining it: by assignment, as Flink's source does.
fn commit(group: &str, topic: &str, offsets: &[(i32, i64)]) {
    let mut config = rdkafka::ClientConfig::new();
    config.set("bootstrap.servers", &broker().internal).set("group.id", group).set("enable.auto.commit", "false");
    let consumer: rdkafka::consumer::BaseConsumer = rdkafka::config::FromClientConfig::from_config(&config).expect("a consumer");
    let mut list = rdkafka::TopicPartitionList::new();
    for (partition, offset) in offsets {
        list.add_partition_offset(topic, *partition, rdkafka::Offset::Offset(*offset)).expect("an offset");
    }
    let begun = Instant::now();
    // The coordinator's topic is made on the first use.
    while let Err(error) = rdkafka::consumer::Consumer::commit(&consumer, &list, rdkafka::consumer::CommitMode::Sync) {
        assert!(begun.elapsed() < Duration::from_mins(1), "{error}");
    }
}

#[test]
fn a_cluster_that_only_a_sink_writes_to_tells_what_its_brokers_allow() {
    let evidence = Ask::new(&broker().internal, &[]).sink("receipts").now();
    assert_eq!(setting(&evidence.broker, "transaction.max.timeout.ms"), ("900000", "broker default"));
    assert_eq!(setting(&evidence.broker, "offsets.retention.minutes").0, "10080");
    assert!(evidence.topics.is_empty(), "{:?}", evidence.topics);
}
