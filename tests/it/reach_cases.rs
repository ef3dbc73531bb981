//! Field cases F04, F07, F08 and F16 by reach: what `_metadata` of a snapshot that Flink wrote names is judged, wherever it lies, and nothing
//! else; each with its twin.

use ttl_audit::{
    evidence::{Fact, FilesSummary, SnapshotEvidence},
    finding::Severity,
    manifest::AsOf,
    report,
    units::{Bytes, Instant, Millis},
};

use crate::{
    fixture,
    scene::{at, bucket},
    vault::{expires, moves, now},
    world::World,
};

const BUCKET: &str = "acme-flink";
const PLACE: &str = "s3://acme-flink/checkpoints/";
const CHECKPOINT: &str = "s3://acme-flink/checkpoints/ checkpoint";
const SAVEPOINTS: &str = "s3://acme-flink/savepoints/";
const SAVEPOINT: &str = "s3://acme-flink/savepoints/ savepoint";

/// A snapshot that was finished a minute ago.
fn fresh(fixture: &str) -> SnapshotEvidence {
    fixture::snapshot(fixture, now().minus(Millis::minutes(1)), now())
}

/// The files whose keys hold `part` were written then.
fn written(mut snapshot: SnapshotEvidence, part: &str, then: Instant) -> SnapshotEvidence {
    fixture::change(
        &mut snapshot,
        |key| key.contains(part),
        |object| {
            if let Fact::Seen(seen) = &mut object.found {
                seen.value.last_modified = then;
            }
        },
    );
    snapshot
}

/// A job that runs, and may be down for three days.
fn running(snapshot: SnapshotEvidence) -> World {
    World::at("2026-09-15T00:00:00Z").holds(PLACE, snapshot).down_for(3)
}

/// F04: the 128 KiB floor splits a savepoint in two. The large files may lie anywhere; the rule is that of the bucket that they lie in.
#[test]
fn f04_large_files_sink_from_under_a_metadata_that_stays() {
    let savepoint = |large: usize| {
        let mut snapshot = fixture::snapshot("1.18.1/rocksdb-native-savepoint", at("2026-08-20"), now());
        let Fact::Seen(objects) = &mut snapshot.objects else { panic!("known") };
        for object in objects.value.iter_mut().skip(1).take(large) {
            object.min_size = Bytes(64 << 20);
            if let Fact::Seen(seen) = &mut object.found {
                seen.value.size = Bytes(64 << 20);
            }
        }
        snapshot
    };
    let world = |large| World::at("2026-09-15T00:00:00Z").holds(SAVEPOINTS, savepoint(large));
    let cold = || vec![moves("cold", "", 30, "GLACIER")];
    let answers = world(5).ruled(BUCKET, cold()).judge();
    let hit = answers.about("recovery-will-be-archived", SAVEPOINT);
    assert_eq!((hit.severity, hit.bites_on), (Severity::Error, Some(at("2026-09-19"))));
    assert!(hit.message.contains("5 of the 93 objects"), "{}", hit.message);
    assert!(!hit.message.contains("/_metadata,"), "{}", hit.message);
    // The twin: every file is below the floor. What is to come there may be larger, one step less.
    let answers = world(0).ruled(BUCKET, cold()).judge();
    assert_eq!(answers.subjects("recovery-will-be-archived"), ["s3://acme-flink/savepoints/ savepoint place"]);
    assert_eq!(answers.about("recovery-will-be-archived", "s3://acme-flink/savepoints/ savepoint place").severity, Severity::Warning);

    // The same files in another bucket: its rule counts for them, and the one at home does not.
    let elsewhere = |rules_at: &str| {
        let mut snapshot = savepoint(5);
        fixture::change(
            &mut snapshot,
            |key| !key.ends_with("_metadata"),
            |object| object.bucket = (object.min_size == Bytes(64 << 20)).then(|| "old-bucket".to_owned()).or(object.bucket.take()),
        );
        let world = World::at("2026-09-15T00:00:00Z").holds(SAVEPOINTS, snapshot);
        let world = world.bucket("old-bucket", bucket(now(), "old-bucket", "eu-west-1"));
        world.ruled(rules_at, cold()).judge()
    };
    let answers = elsewhere("old-bucket");
    assert_eq!(answers.subjects("recovery-will-be-archived"), [SAVEPOINT], "no place is declared in that bucket");
    assert!(answers.about("recovery-will-be-archived", SAVEPOINT).message.contains("5 of the 93 objects"));
    assert_eq!(elsewhere(BUCKET).subjects("recovery-will-be-archived"), ["s3://acme-flink/savepoints/ savepoint place"]);
}

/// F07: every `chk-*` is minutes old, and the rule comes to the files in `shared/` tomorrow.
#[test]
fn f07_an_age_rule_meets_incremental_checkpoints() {
    let rules = || vec![expires("tidy-checkpoints", "checkpoints/", 7)];
    let trap = written(fresh("1.20.4/rocksdb-incremental-checkpoint"), "/shared/", at("2026-09-09"));
    let answers = running(trap).ruled(BUCKET, rules()).judge();
    let hit = answers.about("recovery-will-expire", CHECKPOINT);
    assert_eq!((hit.severity, hit.bites_on), (Severity::Error, Some(at("2026-09-16"))));
    assert!(hit.message.contains("97 of the 113 objects") && hit.message.contains("/shared/"), "{}", hit.message);
    // The twins: full checkpoints of the same backend, and the heap's; their files live for minutes.
    for fixture in ["1.18.1/rocksdb-full-checkpoint", "1.20.4/hashmap-checkpoint"] {
        running(fresh(fixture)).incremental(false).ruled(BUCKET, rules()).judge().quiet("recovery-will-expire");
    }
}

/// F16: the changelog's files look like litter. The manifest says nothing of a changelog; `_metadata` names the files.
#[test]
fn f16_an_age_rule_meets_the_changelog() {
    let rules = || vec![expires("litter", "changelog/", 2)];
    let trap = written(fresh("1.18.1/changelog-checkpoint"), "/dstl/", at("2026-09-14"));
    let answers = running(trap).ruled(BUCKET, rules()).judge();
    let hit = answers.about("recovery-will-expire", CHECKPOINT);
    assert_eq!((hit.severity, hit.bites_on), (Severity::Error, Some(at("2026-09-16"))));
    assert!(hit.message.contains("/dstl/"), "{}", hit.message);
    // The twin: without the changelog backend nothing that is needed lies there.
    running(fresh("1.18.1/rocksdb-incremental-checkpoint")).ruled(BUCKET, rules()).judge().quiet("recovery-will-expire");
}

/// F08: what lies beside a snapshot and is not named by it is told and not judged, however bad it looks.
#[test]
fn f08_files_that_no_snapshot_names_are_information() {
    let littered = |readable: bool| {
        let mut snapshot = fresh("1.18.1/hashmap-checkpoint");
        let files = FilesSummary {
            objects: 4,
            bytes: Bytes(4096),
            largest: Bytes(2048),
            oldest: Some(at("2026-01-01")),
            newest: Some(at("2026-02-01")),
            classes: [("GLACIER".to_owned(), 4)].into(),
            complete: true,
        };
        if readable {
            snapshot.unreferenced = Fact::seen(files, BUCKET, "ListObjectsV2", now());
        } else {
            snapshot.objects = Fact::denied("needs s3:GetObject", "GetObject");
            snapshot.metadata = Fact::denied("needs s3:GetObject", "GetObject");
        }
        running(snapshot)
    };
    let world = littered(true);
    let answers = world.judge();
    for rule in ["snapshot-unreadable", "snapshot-tiering-exposed", "snapshot-incomplete"] {
        answers.quiet(rule);
    }
    let text = |world: &World| {
        let mut audit = world.audit.clone();
        audit.jobs = vec![world.job.clone()];
        let report = report::build(&audit, &world.evidence, AsOf { at: world.as_of, pinned: true }, "evidence.json");
        serde_json::to_value(report).expect("JSON")["jobs"][0]["snapshots"][0].clone()
    };
    let told = text(&world);
    assert_eq!((&told["unreferenced"]["objects"], &told["objects"]), (&4.into(), &16.into()), "{told}");
    // The twin: of an unreadable `_metadata` nothing is known, of no file.
    let world = littered(false);
    let answers = world.judge();
    for rule in ["snapshot-unreadable", "snapshot-tiering-exposed", "snapshot-incomplete"] {
        answers.unknown(rule);
    }
    assert!(text(&world)["unreferenced"].is_null());
}
