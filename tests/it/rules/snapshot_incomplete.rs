use ttl_audit::{
    evidence::{Fact, SnapshotEvidence},
    finding::Severity,
    units::Bytes,
};

use crate::{fixture, scene::at, vault::now, world::World};

const RULE: &str = "snapshot-incomplete";
const PLACE: &str = "s3://acme-flink/checkpoints/";

fn incremental() -> SnapshotEvidence {
    fixture::snapshot("1.18.1/rocksdb-incremental-checkpoint", at("2026-09-14T23:59:00Z"), now())
}

fn world(snapshot: SnapshotEvidence) -> World {
    World::at("2026-09-15T00:00:00Z").holds(PLACE, snapshot)
}

/// Field case F07, as it ends: an age rule has taken a file of `shared/` while every `chk-*` is minutes old.
#[test]
fn fires_on_a_shared_file_that_is_gone() {
    let mut snapshot = incremental();
    fixture::change(
        &mut snapshot,
        |key| key.contains("/shared/"),
        |object| object.found = Fact::absent("it is not there", "ListObjectsV2"),
    );
    let answers = world(snapshot).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("is damaged"), "{}", finding.message);
    assert!(finding.message.contains("s3://acme-flink/checkpoints/fe84a575a2d27372d3fa38c7bda1ef62/shared/"), "{}", finding.message);
    assert!(finding.message.contains("the declared way of restarting takes"), "{}", finding.message);
    answers.quiet("snapshot-unreadable");
}

#[test]
fn fires_on_a_merged_file_that_is_too_short() {
    let mut snapshot = fixture::snapshot("1.20.4/file-merging-checkpoint", at("2026-09-14T23:59:00Z"), now());
    fixture::change(
        &mut snapshot,
        |key| key.contains("/shared/"),
        |object| {
            if let Fact::Seen(seen) = &mut object.found {
                seen.value.size = Bytes(object.min_size.0 - 1);
            }
        },
    );
    assert!(world(snapshot).judge().fires(RULE).message.contains("Shorter than what is referenced"));
}

#[test]
fn its_twins_are_quiet() {
    for fixture in
        ["1.18.1/rocksdb-incremental-checkpoint", "1.18.1/hashmap-checkpoint", "2.3.0/file-merging-checkpoint", "2.3.0/entropy-checkpoint"]
    {
        let whole = fixture::snapshot(fixture, at("2026-09-14T23:59:00Z"), now());
        world(whole).judge().quiet(RULE);
    }
}

#[test]
fn unknown_stays_unknown() {
    let mut snapshot = incremental();
    fixture::change(
        &mut snapshot,
        |key| key.contains("/shared/"),
        |object| object.found = Fact::denied("needs s3:ListBucket", "ListObjectsV2"),
    );
    let answers = world(snapshot).judge();
    assert_eq!(answers.unknown(RULE).unknown.reason, "denied: needs s3:ListBucket");
    answers.unknown("snapshot-unreadable");
    answers.unknown("snapshot-tiering-exposed");
}

/// Field case F08, the twin: what an unreadable `_metadata` would name is unknown, and that is said once.
#[test]
fn a_metadata_that_cannot_be_read_is_one_cause_for_all_rules() {
    let mut snapshot = incremental();
    snapshot.objects = Fact::failed("damaged", "GetObject");
    snapshot.metadata = Fact::failed("damaged", "GetObject");
    let world = world(snapshot).remembers("dedup/seen-event-ids", ttl_audit::units::Ttl::After(ttl_audit::units::Millis::days(7)));
    let answers = world.judge();
    let causes = answers.causes();
    let damaged: Vec<_> = causes.iter().filter(|cause| cause.unknown.reason == "failed: damaged").collect();
    assert_eq!(damaged.len(), 1, "{causes:?}");
    for rule in
        [RULE, "snapshot-unreadable", "snapshot-references-elsewhere", "snapshot-not-yours", "uid-not-in-snapshot", "ttl-contradicted"]
    {
        answers.unknown(rule);
    }
}
