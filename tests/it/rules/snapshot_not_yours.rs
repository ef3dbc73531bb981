use ttl_audit::{
    evidence::Fact,
    finding::Severity,
    manifest::{RestoreFrom, RestoreMode},
};

use crate::{
    fixture,
    scene::at,
    vault::{now, savepoint, vault},
    world::World,
};

const RULE: &str = "snapshot-not-yours";

fn world(fixture: &str) -> World {
    let snapshot = fixture::snapshot(fixture, at("2026-09-14T23:59:00Z"), now());
    World::at("2026-09-15T00:00:00Z").holds("s3://acme-flink/checkpoints/", snapshot)
}

/// Field case F19: the only savepoint, and the restore claims it.
#[test]
fn fires_on_a_claimed_savepoint() {
    let mut world = vault(vec![savepoint("a", "2026-09-01", "STANDARD")]).restored_from(RestoreFrom::Savepoint);
    world.judge().quiet(RULE);
    world.recovery().restore.mode = RestoreMode::Claim;
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("in claim mode: Flink then owns it"), "{}", finding.message);
    assert!(finding.message.contains("No other snapshot"), "{}", finding.message);
    world.recovery().restore.mode = RestoreMode::Legacy;
    assert!(world.judge().fires(RULE).message.contains("in legacy mode: Flink leaves it alone"));
}

#[test]
fn fires_on_files_of_another_job() {
    for fixture in ["1.18.1/claimed-chain-checkpoint", "2.3.0/claimed-chain-checkpoint"] {
        let answers = world(fixture).judge();
        assert!(answers.fires(RULE).message.contains("in the folder of job "), "{}", answers.fires(RULE).message);
    }
}

#[test]
fn its_twins_are_quiet() {
    for fixture in ["1.18.1/rocksdb-incremental-checkpoint", "1.18.1/entropy-checkpoint", "2.3.0/file-merging-checkpoint"] {
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
