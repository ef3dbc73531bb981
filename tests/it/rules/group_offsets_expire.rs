use ttl_audit::{
    evidence::{Fact, SettingSource},
    finding::Severity,
    manifest::{Reset, RestoreFrom, Start},
    units::Millis,
};

use crate::{
    scene::{setting, young_topic},
    vault::{pasted, savepoint},
    world::World,
};

const RULE: &str = "group-offsets-expire";

/// A source that starts from committed offsets, which its brokers keep for a day; the job may be down for three.
fn committed(reset: Reset) -> World {
    let world = World::at("2026-09-15T00:00:00Z").reads("events", &young_topic(Millis::days(7), Millis::days(1)));
    kept(world.source(|source| (source.start, source.reset) = (Start::Committed, reset)).down_for(3), "1440")
}

fn kept(world: World, minutes: &str) -> World {
    world.cluster(|cluster| {
        let Fact::Seen(broker) = &mut cluster.broker else { panic!("the brokers tell") };
        broker.value.extend([setting("offsets.retention.minutes", minutes, SettingSource::StaticBroker, None)]);
    })
}

#[test]
fn offsets_that_expire_before_the_job_is_back_are_a_warning() {
    let answers = committed(Reset::Earliest).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    for part in
        ["1d after the last commit", "down for 3d", "beginning of the topic", "read a second time", "Nothing is said about snapshots"]
    {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    assert!(!finding.message.contains("lost"), "{}", finding.message);
    let fact = finding.facts.iter().find(|fact| fact.name == "offsets.retention.minutes").expect("the broker's word");
    assert_eq!(fact.origin, "offsets.retention.minutes, static broker setting; broker 1 of cluster prod");
    assert!(pasted(finding).contains("offsets.retention.minutes=5760"), "{}", pasted(finding));
}

#[test]
fn the_reset_says_what_comes_of_it() {
    let latest = committed(Reset::Latest).judge();
    assert!(
        latest.fires(RULE).message.contains("it is lost") && !latest.fires(RULE).message.contains("second time"),
        "{}",
        latest.fires(RULE).message
    );
    let none = committed(Reset::None).judge();
    assert!(none.fires(RULE).message.contains("fails (`reset: none`)"), "{}", none.fires(RULE).message);
}

#[test]
fn a_readable_snapshot_makes_it_a_note() {
    let readable = committed(Reset::None).savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-14", "STANDARD")]);
    let answers = readable.clone().judge();
    assert_eq!(answers.severity(RULE), Severity::Note);
    assert!(answers.fires(RULE).message.contains("s3://b/sp/savepoint-a"), "{}", answers.fires(RULE).message);
    let archived = committed(Reset::None).savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-14", "GLACIER")]).judge();
    assert_eq!(archived.severity(RULE), Severity::Warning);
    let skipped = readable.restored_from(RestoreFrom::None).judge();
    assert_eq!(skipped.severity(RULE), Severity::Warning);
    assert!(skipped.fires(RULE).message.contains("Every restart"), "{}", skipped.fires(RULE).message);
}

#[test]
fn twins_are_quiet() {
    kept(committed(Reset::None), "10080").judge().quiet(RULE);
    for start in [Start::Earliest, Start::Latest, Start::Timestamp] {
        committed(Reset::None).source(|source| source.start = start).judge().quiet(RULE);
    }
}

#[test]
fn the_last_commit_is_that_of_the_last_checkpoint() {
    let mut world = kept(committed(Reset::None), "4320").checkpoints("s3://b/cp/", Vec::new());
    world.recovery().checkpoints.as_mut().expect("checkpoints").interval = Some(Millis::hours(1));
    // Three days for a job that is down for three days: the clock began an hour before.
    world.clone().judge().fires(RULE);
    kept(world.clone(), "4380").judge().fires(RULE);
    kept(world, "4381").judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let denied = committed(Reset::None).cluster(|cluster| {
        cluster.broker = Fact::denied("needs DESCRIBE_CONFIGS on the cluster", "DescribeConfigs of broker 1");
    });
    assert_eq!(denied.clone().judge().unknown(RULE).severity, Severity::Warning);
    let readable = denied.savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-14", "STANDARD")]).judge();
    assert_eq!(readable.unknown(RULE).severity, Severity::Note);
    let mut undeclared = committed(Reset::None);
    undeclared.job.max_downtime = None;
    assert!(undeclared.judge().unknown(RULE).unknown.reason.contains("`max_downtime`"));
    for odd in ["-1", "0", "soon"] {
        assert!(kept(committed(Reset::None), odd).judge().unknown(RULE).unknown.reason.contains("offsets.retention.minutes"), "{odd}");
    }
}
