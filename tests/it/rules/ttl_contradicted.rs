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

/// What a snapshot says.
mod by_snapshot {
    use ttl_audit::{
        evidence::Fact,
        finding::Severity,
        units::{Millis, Ttl},
    };

    use crate::{fixture, scene::at, vault::now, world::World};

    use super::RULE;

    const PLACE: &str = "s3://acme-flink/checkpoints/";

    fn world(fixture: &str) -> World {
        World::at("2026-09-15T00:00:00Z").holds(PLACE, fixture::snapshot(fixture, at("2026-09-14T23:59:00Z"), now()))
    }

    const INLINE: &str = "1.18.1/inlined-incremental-checkpoint";
    const CHANGELOG: &str = "1.18.1/changelog-inmemory-checkpoint";

    fn days(n: u64) -> Ttl {
        Ttl::After(Millis::days(n))
    }

    #[test]
    fn fires_on_a_flag_that_says_otherwise() {
        let answers = world(INLINE).remembers("dedup/seen-event-ids", Ttl::Never).judge();
        let finding = answers.fires(RULE);
        assert_eq!(finding.severity, Severity::Error);
        assert!(finding.message.contains("ttl: never for seen-event-ids"), "{}", finding.message);
        assert!(finding.message.contains("has a TTL there"), "{}", finding.message);
        let off = world(INLINE).remembers("sessionize/profile", days(7)).judge();
        assert!(off.fires(RULE).message.contains("has no TTL there"), "{}", off.fires(RULE).message);
    }

    /// The changelog backend keeps the whole configuration: 7 days for this state.
    #[test]
    fn fires_on_another_length() {
        let answers = world(CHANGELOG).remembers("dedup/seen-event-ids", days(30)).judge();
        assert!(answers.fires(RULE).message.contains("has a TTL of 7d there"), "{}", answers.fires(RULE).message);
    }

    #[test]
    fn its_twins_are_quiet() {
        world(INLINE).remembers("dedup/seen-event-ids", days(30)).judge().quiet(RULE);
        world(INLINE).remembers("sessionize/profile", Ttl::Never).judge().quiet(RULE);
        world(CHANGELOG).remembers("dedup/seen-event-ids", days(7)).judge().quiet(RULE);
    }

    #[test]
    fn headers_that_were_not_read_make_nothing_unknown() {
        let world = world("1.18.1/rocksdb-incremental-checkpoint").remembers("dedup/seen-event-ids", Ttl::Never);
        world.judge().quiet(RULE);
    }

    #[test]
    fn unknown_stays_unknown() {
        let world = world(INLINE).remembers("dedup/seen-event-ids", days(7)).at_place(PLACE, |place| {
            let Fact::Seen(seen) = &mut place.snapshots else { panic!("seen") };
            seen.value[0].metadata = Fact::denied("needs s3:GetObject", "GetObject");
        });
        assert_eq!(world.judge().unknown(RULE).unknown.reason, "denied: needs s3:GetObject");
    }
}
