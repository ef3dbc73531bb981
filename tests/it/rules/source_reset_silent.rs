//! Field case F30 with its twins: what a reset does with a lost position, and who hears of it.

use ttl_audit::{
    evidence::Fact,
    finding::{Amount, Severity},
    manifest::{DeclaredRetention, Reset, RestoreFrom},
    units::Millis,
};

use crate::{
    scene::{Snapshot, Topic, at},
    world::World,
};

const RULE: &str = "source-reset-silent";
const NOW: &str = "2026-09-15T00:00:00Z";

/// A topic that keeps its records for so many days, a thousand a day in each of two partitions; 5,000 have left it.
fn topic(days: u64) -> Topic {
    Topic::new(at(NOW), at(NOW).minus(Millis::days(days)), 2, 1000)
        .set_length("retention.ms", Millis::days(days))
        .set_length("segment.ms", Millis::hours(1))
        .set("message.timestamp.type", "LogAppendTime")
        .starting_at(5_000)
}

/// A job whose newest checkpoint goes on at `next` in each partition; it may be down for three days.
fn reading(topic: &Topic, next: &[u64], reset: Reset) -> World {
    taken("2026-09-14T23:59:30Z", topic, next, reset)
}

fn taken(taken: &str, topic: &Topic, next: &[u64], reset: Reset) -> World {
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", at(taken), 24_576).files(2, 1 << 26, "STANDARD").reading(
        "events-source",
        "events",
        next.iter().copied(),
    );
    let world = World::at(NOW).reads("events", topic).source(|source| source.reset = reset);
    world.checkpoints("s3://b/cp/", vec![checkpoint]).down_for(3)
}

fn up_to_date(topic: &Topic, reset: Reset) -> World {
    reading(topic, &topic.positions(at("2026-09-14T23:59:30Z")), reset)
}

#[test]
fn three_manifests_that_differ_in_the_reset_alone() {
    let job = |reset: &str, downtime: &str| {
        let yaml = format!(
            "version: 1\njob: orders\nmax_downtime: {downtime}\nsources: [{{ id: events, topic: events, reset: {reset} }}]\nrecovery:\n  checkpoints: {{ \
             location: s3://b/cp/, interval: 60s, on_cancel: retain }}\n"
        );
        up_to_date(&topic(2), Reset::None).manifest(&yaml).judge()
    };
    let earliest = job("earliest", "3d");
    let finding = earliest.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    for part in
        ["`reset: earliest`", "at the beginning of the partition: a gap of what has left the topic", "nothing fails", "2026-09-17 00:00Z"]
    {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    assert!(!finding.message.contains("twice"), "{}", finding.message);
    assert!(
        finding.facts.iter().any(|fact| fact.name == "downtime" && fact.amount == Amount::Duration(Millis::days(3))),
        "{:#?}",
        finding.facts
    );
    assert_eq!(finding.bites_on.map(ttl_audit::units::Instant::day).as_deref(), Some("2026-09-17"));

    let latest = job("latest", "3d");
    let finding = latest.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    for part in ["`reset: latest`", "to the end of the partition: a gap of everything between"] {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }

    // A restart that fails is heard: the loss is the same, and retention-below-downtime says so.
    job("none", "3d").quiet(RULE);
    // The twins are back before anything has left the topic.
    for reset in ["earliest", "latest", "none"] {
        job(reset, "1d").quiet(RULE);
    }
}

#[test]
fn a_position_that_is_gone_already() {
    let finding = |reset| reading(&topic(2), &[4_000, 5_500], reset).judge().fires(RULE).clone();
    let earliest = finding(Reset::Earliest);
    assert!(earliest.message.contains("1,000 records are gone"), "{}", earliest.message);
    assert!(earliest.facts.iter().any(|fact| fact.amount == Amount::Records(1_000)), "{:#?}", earliest.facts);
    assert_eq!(earliest.bites_on, None, "it bites now");
    // 4,000 to 7,000 of the one partition that is behind.
    let latest = finding(Reset::Latest);
    assert!(latest.facts.iter().any(|fact| fact.amount == Amount::Records(3_000)), "{:#?}", latest.facts);
    reading(&topic(2), &[4_000, 5_500], Reset::None).judge().quiet(RULE);
}

#[test]
fn a_position_beyond_the_end_is_read_from_the_beginning_or_skipped() {
    // Before the topic was asked: a younger position may lie beyond what was seen of it.
    let judged = |reset| taken("2026-09-14T20:00:00Z", &topic(30), &[90_000, 90_000], reset).judge();
    let earliest = judged(Reset::Earliest);
    let message = &earliest.fires(RULE).message;
    assert!(
        message.contains("beyond the end of topic events") && message.contains("written twice") && !message.contains("gap"),
        "{message}"
    );
    let latest = judged(Reset::Latest);
    let message = &latest.fires(RULE).message;
    assert!(message.contains("goes on at its end: a gap") && !message.contains("twice"), "{message}");
    judged(Reset::None).quiet(RULE);
}

#[test]
fn twins_are_quiet() {
    for reset in [Reset::Earliest, Reset::Latest] {
        up_to_date(&topic(30), reset).judge().quiet(RULE);
        let endless = topic(2).set("cleanup.policy", "compact");
        up_to_date(&endless, reset).judge().quiet(RULE);
        // Without a snapshot there is no position to lose.
        up_to_date(&topic(2), reset).restored_from(RestoreFrom::None).judge().quiet(RULE);
    }
    let mut undeclared = up_to_date(&topic(2), Reset::Latest);
    undeclared.job.recovery = None;
    let answers = undeclared.judge();
    answers.quiet(RULE);
    assert!(answers.results.judged.iter().all(|meta| meta.id != RULE));
    let other = World::at(NOW).reads_declared("feed", DeclaredRetention::For(Millis::hours(24))).checkpoints("s3://b/cp/", Vec::new());
    other.down_for(3).judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let denied = up_to_date(&topic(30), Reset::Earliest).topic("events", |topic| {
        topic.settings = Fact::denied("needs DESCRIBE_CONFIGS on topic events", "DescribeConfigs of topic events");
    });
    assert!(denied.judge().unknown(RULE).unknown.reason.contains("DESCRIBE_CONFIGS"));
    let mut undeclared = up_to_date(&topic(2), Reset::Earliest);
    undeclared.job.max_downtime = None;
    assert!(undeclared.judge().unknown(RULE).unknown.reason.contains("`max_downtime`"));
    let hidden = up_to_date(&topic(2), Reset::Earliest)
        .at_place("s3://b/cp/", |place| place.snapshots = Fact::denied("needs s3:ListBucket on b", "ListObjectsV2"));
    assert_eq!(hidden.judge().unknown(RULE).unknown.reason, "denied: needs s3:ListBucket on b");
}
