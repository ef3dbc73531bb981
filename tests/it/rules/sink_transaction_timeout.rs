use ttl_audit::{
    evidence::{Fact, SettingSource},
    finding::Severity,
    manifest::{Delivery, SinkKind},
    units::Millis,
};

use crate::{
    scene::{cluster, setting},
    vault::pasted,
    world::{CLUSTER, World, stated},
};

const RULE: &str = "sink-transaction-timeout";

/// An exactly-once Kafka sink with this time-out; brokers that allow so much; a checkpoint each minute; down for a day at most.
fn sink(timeout: impl Into<Option<Millis>>, allowed: Millis) -> World {
    let world = World::at("2026-09-15").checkpoints("s3://b/cp/", Vec::new()).down_for(1).writes("receipts");
    let mut world = world.cluster(|cluster| allow(cluster, allowed));
    world.recovery().checkpoints.as_mut().expect("checkpoints").interval = Some(Millis::minutes(1));
    let sink = world.job.sinks.last_mut().expect("a sink");
    sink.kind = SinkKind::Kafka;
    sink.delivery = Some(Delivery::ExactlyOnce);
    sink.transaction_timeout = timeout.into();
    world
}

fn allow(cluster: &mut ttl_audit::evidence::ClusterEvidence, allowed: Millis) {
    let Fact::Seen(broker) = &mut cluster.broker else { panic!("the brokers tell") };
    broker.value.extend([setting("transaction.max.timeout.ms", &allowed.as_ms().to_string(), SettingSource::StaticBroker, None)]);
}

#[test]
fn above_the_maximum_the_job_fails_at_its_start() {
    let answers = sink(Millis::hours(26), Millis::minutes(15)).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    for part in ["1d 2:00", "15m", "INVALID_TRANSACTION_TIMEOUT", "fails at its start"] {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    assert!(!finding.message.contains("lost"), "long enough: {}", finding.message);
    let allowed = finding.facts.iter().find(|fact| fact.name == "transaction.max.timeout.ms").expect("the broker's word");
    assert_eq!(allowed.origin, "transaction.max.timeout.ms, static broker setting; broker 1 of cluster prod");
    assert!(pasted(finding).contains("transaction.max.timeout.ms=93600000"), "{}", pasted(finding));
}

#[test]
fn below_interval_plus_downtime_what_waits_for_its_commit_is_lost() {
    let answers = sink(Millis::minutes(15), Millis::days(7)).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    for part in ["15m after it began", "as late as 1d 0:01 after it began (checkpoint interval + downtime;", "they are lost"] {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    assert!(!finding.message.contains("INVALID_TRANSACTION_TIMEOUT"), "{}", finding.message);
    // 24 h 1 min in whole hours, and one for the duration of a checkpoint: 26 h, which these brokers allow.
    assert!(pasted(finding).contains("setProperty(\"transaction.timeout.ms\", \"93600000\")"), "{}", pasted(finding));
    assert!(!pasted(finding).contains("transaction.max.timeout.ms"), "{}", pasted(finding));
}

#[test]
fn both_at_once_are_one_finding() {
    // The builder's default against the brokers' default.
    let answers = sink(Millis::hours(1), Millis::minutes(15)).judge();
    let finding = answers.fires(RULE);
    assert!(finding.message.contains("It would be too short as well"), "{}", finding.message);
    assert!(finding.message.contains("INVALID_TRANSACTION_TIMEOUT") && finding.message.contains("lost"), "{}", finding.message);
    assert!(pasted(finding).contains("transaction.max.timeout.ms=93600000"), "{}", pasted(finding));
}

#[test]
fn twins_are_quiet() {
    let lasting = Millis::hours(24).plus(Millis::minutes(1));
    sink(lasting, lasting).judge().quiet(RULE);
    let mut other = sink(Millis::hours(1), Millis::minutes(15));
    other.job.sinks[0].delivery = Some(Delivery::AtLeastOnce);
    other.judge().quiet(RULE);
    let mut other = sink(Millis::hours(1), Millis::minutes(15));
    other.job.sinks[0].kind = SinkKind::Jdbc;
    other.judge().quiet(RULE);
}

#[test]
fn the_brokers_of_the_sinks_own_cluster_are_asked() {
    let two = |named: &str| {
        let mut world = sink(Millis::hours(48), Millis::minutes(15));
        let mut wide = cluster(world.now(), "wide", []);
        allow(&mut wide, Millis::days(7));
        world.evidence.kafka.insert("wide".to_owned(), wide);
        world.audit.kafka.insert("wide".to_owned(), ttl_audit::audit::ClusterConfig::default());
        world.job.sinks[0].cluster = Some(stated(named.to_owned()));
        world.judge()
    };
    two("wide").quiet(RULE);
    assert!(two(CLUSTER).fires(RULE).message.contains("cluster prod"));
    // Nobody has asked it: neither clean nor a finding.
    assert_eq!(two("elsewhere").unknown(RULE).unknown.reason, "not captured: Kafka cluster elsewhere");
}

#[test]
fn unknown_stays_unknown() {
    let unstated = sink(None, Millis::days(7)).judge();
    assert!(unstated.unknown(RULE).unknown.reason.contains("does not state the transaction time-out of sink receipts"));
    let mut nobody = sink(Millis::days(2), Millis::days(7));
    nobody.job.sinks[0].delivery = None;
    assert!(nobody.judge().unknown(RULE).unknown.reason.contains("does not state the delivery guarantee of sink receipts"));

    let silent = |timeout| {
        sink(timeout, Millis::days(7)).cluster(|cluster| {
            cluster.broker = Fact::denied("needs DESCRIBE_CONFIGS on the cluster", "DescribeConfigs of broker 1");
        })
    };
    assert!(silent(Millis::days(2)).judge().unknown(RULE).unknown.reason.contains("DESCRIBE_CONFIGS on the cluster"));
    // What is not known does not hide that it is too short.
    let both = silent(Millis::hours(1)).judge();
    both.fires(RULE);
    assert_eq!(both.reasons(RULE), ["denied: needs DESCRIBE_CONFIGS on the cluster"]);
    let untold = sink(Millis::days(2), Millis::days(7)).cluster(|cluster| {
        let Fact::Seen(broker) = &mut cluster.broker else { panic!("the brokers tell") };
        broker.value.remove("transaction.max.timeout.ms");
    });
    assert!(untold.judge().unknown(RULE).unknown.reason.contains("is not among the settings that were answered"));

    let mut no_interval = sink(Millis::days(2), Millis::days(7));
    no_interval.recovery().checkpoints = None;
    assert_eq!(no_interval.judge().unknown(RULE).unknown.reason, "the manifest states no checkpoint interval");
    let mut no_downtime = sink(Millis::days(2), Millis::days(7));
    no_downtime.job.max_downtime = None;
    assert!(no_downtime.judge().unknown(RULE).unknown.reason.contains("`max_downtime`"));
    // The downtime alone is longer.
    let mut short = sink(Millis::hours(1), Millis::days(7));
    short.recovery().checkpoints = None;
    assert!(short.judge().fires(RULE).message.contains("the downtime alone"));
}
