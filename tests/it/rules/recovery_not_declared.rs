use ttl_audit::{finding::Severity, manifest::Platform};

use crate::{
    vault::{savepoint, vault},
    world::World,
};

const RULE: &str = "recovery-not-declared";

#[test]
fn is_unknown_where_nothing_is_declared() {
    let answers = World::at("2026-09-15").judge();
    assert_eq!(answers.unknown(RULE).severity, Severity::Note);
    assert!(answers.unknown(RULE).unknown.reason.contains("no `recovery` block"));
    let mut empty = World::at("2026-09-15");
    empty.recovery();
    assert!(empty.judge().unknown(RULE).unknown.reason.contains("neither checkpoints nor savepoints"));
}

#[test]
fn the_managed_service_keeps_its_own_snapshots() {
    let mut world = World::at("2026-09-15");
    world.job.flink.platform = Platform::ManagedFlink;
    assert!(world.judge().unknown(RULE).unknown.reason.contains("storage of its own"));
    // What it exported to a bucket is judged like any savepoint.
    let mut exported = vault(vec![savepoint("a", "2026-09-10", "STANDARD")]);
    exported.job.flink.platform = Platform::ManagedFlink;
    exported.judge().quiet(RULE);
}

#[test]
fn twin_that_declares_something_is_quiet() {
    vault(Vec::new()).judge().quiet(RULE);
    World::at("2026-09-15").checkpoints("jobmanager", Vec::new()).judge().quiet(RULE);
}
