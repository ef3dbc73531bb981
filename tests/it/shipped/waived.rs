//! Exceptions with an end, and a baseline of two weeks before.

use std::fs;

use ttl_audit::{
    evidence::Evidence,
    units::{Instant, Millis},
};

use crate::{
    harness::{in_root, ttl_audit},
    scene::{Topic, at, cluster},
};

/// When the report is made.
pub(super) const NOW: &str = "2026-12-15T00:00:00Z";
/// When the report before was made.
const BEFORE: &str = "2026-12-01T00:00:00Z";

/// Three topics that keep 30 days in segments of a day.
pub(super) fn evidence(now: &str) -> Evidence {
    let now = at(now);
    let mut evidence = Evidence::empty(now);
    let topics = [("clicks", 4_000), ("orders", 900), ("partner-events", 50)].map(|(name, rate)| (name, topic(now, rate)));
    evidence.kafka.insert("prod".to_owned(), cluster(now, "acme-1", topics));
    evidence
}

fn topic(now: Instant, rate: u64) -> Topic {
    Topic::new(now, now.minus(Millis::days(30).plus(Millis::hours(12))), 2, rate)
        .set_length("retention.ms", Millis::days(30))
        .set_length("segment.ms", Millis::days(1))
        .set("message.timestamp.type", "LogAppendTime")
}

/// The report of two weeks before, when one TTL was shorter.
#[test]
fn shipped_waived_baseline() {
    let folder = tempfile::tempdir().expect("a folder");
    let shipped = in_root("audits/waived");
    fs::create_dir(folder.path().join("jobs")).expect("a folder");
    for file in
        ["audit.yaml", "jobs/clickstream-sessions.yaml", "jobs/orders-dedup.yaml", "jobs/partner-feed.yaml", "jobs/user-clicks.yaml"]
    {
        let text = fs::read_to_string(shipped.join(file)).expect("a file").replace("ttl: 38d", "ttl: 7d").replace("2026-w50", "2026-w48");
        fs::write(folder.path().join(file), text).expect("a file");
    }
    fs::write(folder.path().join("evidence.json"), evidence(BEFORE).to_json().expect("evidence")).expect("a file");
    let output = ttl_audit()
        .current_dir(folder.path())
        .args(["check", "--offline", "--format", "json", "--as-of", BEFORE])
        .output()
        .expect("it runs");
    let written = String::from_utf8(output.stdout).expect("text");
    let path = shipped.join("baseline.json");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&path, &written).expect("the file can be written");
    }
    let committed = fs::read_to_string(&path).expect("the baseline is committed");
    assert!(committed == written, "{} is not what this program writes; see the top of the module above", path.display());
}
