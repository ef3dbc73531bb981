use ttl_audit::{
    evidence::Fact,
    finding::Severity,
    manifest::{RestoreFrom, SinkKind},
};

use crate::{
    scene::{Snapshot, at},
    vault::savepoint,
    world::World,
};

const RULE: &str = "sink-commit-skew";

/// A savepoint of Saturday, and checkpoints up to now; an Iceberg sink, which keeps a history of its own.
fn restored(from: RestoreFrom) -> World {
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", at("2026-09-14T23:59:30Z"), 24_576).files(2, 1 << 26, "STANDARD");
    let world = World::at("2026-09-15")
        .savepoints("s3://b/sp/", vec![savepoint("a", "2026-09-12", "STANDARD")])
        .checkpoints("s3://b/cp/", vec![checkpoint])
        .restored_from(from)
        .writes("lake");
    keeping(world, SinkKind::Iceberg, true)
}

fn keeping(mut world: World, kind: SinkKind, commit_log: bool) -> World {
    let sink = world.job.sinks.last_mut().expect("a sink");
    sink.kind = kind;
    sink.commit_log = commit_log;
    world
}

#[test]
fn going_back_behind_the_newest_snapshot_is_a_note() {
    let answers = restored(RestoreFrom::Savepoint).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Note);
    for part in [
        "savepoint s3://b/sp/savepoint-a",
        "checkpoint s3://b/cp/0123/chk-7",
        "2d 23:59:30 younger",
        "skip or commit again there was not checked",
    ] {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    let other = keeping(restored(RestoreFrom::Savepoint), SinkKind::Other, true).judge();
    assert!(other.fires(RULE).message.contains("`commit_log: true`"), "{}", other.fires(RULE).message);
}

#[test]
fn twins_are_quiet() {
    restored(RestoreFrom::Latest).judge().quiet(RULE);
    restored(RestoreFrom::Checkpoint).judge().quiet(RULE);
    keeping(restored(RestoreFrom::Savepoint), SinkKind::Other, false).judge().quiet(RULE);
    // No snapshot is taken at all: restore-skips-state says what that means.
    restored(RestoreFrom::None).judge().quiet(RULE);
    let mut nothing = restored(RestoreFrom::Savepoint);
    nothing.job.recovery = None;
    nothing.judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let hide = |world: World, folder: &str| {
        world.at_place(folder, |place| place.snapshots = Fact::denied("needs s3:ListBucket on b", "ListObjectsV2")).judge()
    };
    // The newest might be one that nobody saw.
    let answers = hide(restored(RestoreFrom::Savepoint), "s3://b/cp/");
    assert_eq!(answers.unknown(RULE).unknown.reason, "denied: needs s3:ListBucket on b");
    let answers = hide(restored(RestoreFrom::Savepoint), "s3://b/sp/");
    assert_eq!(answers.unknown(RULE).unknown.reason, "denied: needs s3:ListBucket on b");
}
