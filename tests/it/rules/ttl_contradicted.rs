//! Field case F47: a TTL that was switched on between two reports fails the restore, up to a version of Flink.

use ttl_audit::{finding::Severity, units::Ttl};

use crate::world::{World, days};

const RULE: &str = "ttl-contradicted";

fn world(version: Option<&str>, backend: Option<&str>, then: Ttl, now: Ttl) -> World {
    let mut world = World::at("2026-12-15").remembers("dedup/seen", now).earlier("2026-09-15", "dedup/seen", then);
    world.job.flink.version = version.map(str::to_owned);
    world.job.flink.state_backend = backend.map(str::to_owned);
    world
}

#[test]
fn a_ttl_that_was_switched_on_fails_the_restore() {
    let answers = world(Some("1.20.1"), Some("rocksdb"), Ttl::Never, days(1)).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    for part in [
        "had no TTL (never) in the report of world-before",
        "one of 1d now",
        "StateMigrationException",
        "Flink 1.20.1 and the backend rocksdb",
    ] {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    for (version, backend) in [("2.1.0", "hashmap"), ("2.2.0", "forst"), ("1.18.1", "hashmap")] {
        world(Some(version), Some(backend), Ttl::Never, days(1)).judge().fires(RULE);
    }
    // Off fails like on.
    let off = world(Some("1.20.1"), None, days(1), Ttl::Never).judge();
    assert!(off.fires(RULE).message.contains("had a TTL of 1d"), "{}", off.fires(RULE).message);
}

#[test]
fn twins_stay_quiet() {
    for (version, backend) in [("2.1.0", "rocksdb"), ("2.2.0", "hashmap"), ("2.2.0", "rocksdb")] {
        world(Some(version), Some(backend), Ttl::Never, days(1)).judge().quiet(RULE);
    }
    world(Some("1.20.1"), Some("rocksdb"), days(1), days(38)).judge().quiet(RULE);
    world(Some("1.20.1"), Some("rocksdb"), Ttl::Never, Ttl::Never).judge().quiet(RULE);
    World::at("2026-12-15").remembers("dedup/seen", days(1)).judge().quiet(RULE);
}

#[test]
fn what_decides_and_is_not_stated_is_unknown() {
    for (version, backend) in [(None, Some("rocksdb")), (Some("2.2.0"), None), (None, None)] {
        let answers = world(version, backend, Ttl::Never, days(1)).judge();
        let unknown = answers.unknown(RULE);
        assert!(unknown.unknown.reason.contains("not stated"), "{}", unknown.unknown.reason);
    }
    // A report that does not know the TTL contradicts nothing.
    world(Some("1.20.1"), None, Ttl::Unknown, days(1)).judge().quiet(RULE);
}
