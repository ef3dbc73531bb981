use ttl_audit::{evidence::Fact, finding::Severity};

use crate::{fixture, scene::at, vault::now, world::World};

const RULE: &str = "snapshot-references-elsewhere";

fn world(fixture: &str) -> World {
    let snapshot = fixture::snapshot(fixture, at("2026-09-14T23:59:00Z"), now());
    let folder = format!("s3://acme-flink/{}/", snapshot.location.key().split('/').next().expect("a folder"));
    World::at("2026-09-15T00:00:00Z").holds(&folder, snapshot)
}

#[test]
fn fires_where_files_lie_in_other_places() {
    for fixture in ["1.18.1/claimed-chain-checkpoint", "1.18.1/changelog-checkpoint", "1.18.1/entropy-checkpoint"] {
        let answers = world(fixture).judge();
        let finding = answers.fires(RULE);
        assert_eq!(finding.severity, Severity::Note);
        assert!(finding.message.contains("outside the folder of its job"), "{}", finding.message);
    }
}

#[test]
fn its_twins_are_quiet() {
    for fixture in ["1.18.1/rocksdb-incremental-checkpoint", "1.20.4/file-merging-checkpoint", "1.18.1/hashmap-canonical-savepoint"] {
        world(fixture).judge().quiet(RULE);
    }
}

#[test]
fn unknown_stays_unknown() {
    let world = world("1.18.1/rocksdb-incremental-checkpoint").at_place("s3://acme-flink/checkpoints/", |place| {
        let Fact::Seen(seen) = &mut place.snapshots else { panic!("seen") };
        seen.value[0].objects = Fact::denied("needs s3:GetObject", "GetObject");
    });
    assert_eq!(world.judge().unknown(RULE).unknown.reason, "denied: needs s3:GetObject");
}
