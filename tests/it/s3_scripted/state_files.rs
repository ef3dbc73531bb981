//! `--read-state-headers`: what is read of state files, and what never is.

use ttl_audit::{
    evidence::SnapshotEvidence,
    savepoint::summary::{KeyedStateSummary, TtlPresence},
};

use crate::{
    s3_fake::{Bucket, Fake, Object, Reply},
    s3_harness::{Run, assert_gap, audit, place, value},
    savepoint::fixtures::{Fixture, one},
};

const AT: &str = "2026-09-01T00:00:00.000Z";
/// The operator id of the uid `sessionize`.
const SESSIONIZE: &str = "ca66d3be734d272b23819cbd4b5a7bee";

/// A bucket with everything that the snapshot names; files that are not kept are full of zeros.
pub(super) fn bucket(fixture: &Fixture, class: &str) -> Bucket {
    let folder = fixture.pointer().strip_prefix("s3://acme-flink/").expect("in the bucket").trim_end_matches('/').to_owned();
    let mut bucket = Bucket::new().object(&format!("{folder}/_metadata"), Object::of(fixture.bytes.clone(), AT));
    let metadata = ttl_audit::savepoint::Metadata::read(&fixture.bytes).expect("Flink wrote it");
    for file in metadata.reach(fixture.pointer()).files {
        let key = file.s3.as_ref().expect("in S3").key().to_owned();
        let object = match fixture.file(&file.path) {
            Some(body) => Object::of(body, AT),
            None => Object::new(file.min_size, AT),
        };
        bucket = bucket.object(&key, object.class(class));
    }
    bucket
}

fn collected(fake: &Fake, fixture: &Fixture, read_state_headers: bool) -> SnapshotEvidence {
    let folder = fixture.pointer();
    let s3 = format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", fake.endpoint());
    let run = Run { read_state_headers, ..Run::default() };
    let (evidence, _) = run.collect(&audit(&s3, &format!("savepoints: [{folder}]")));
    let key = folder.strip_prefix("s3://acme-flink/").expect("in the bucket");
    value(&place(&evidence, "acme-flink", key).snapshots).first().expect("a snapshot").clone()
}

fn states<'a>(snapshot: &'a SnapshotEvidence, id: &str) -> &'a [KeyedStateSummary] {
    let operators = &value(&snapshot.metadata).operators;
    &operators.iter().find(|operator| operator.id == id).expect("the operator").keyed_states
}

fn reads(fake: &Fake) -> Vec<(u64, u64)> {
    let ranges = fake.requests().into_iter().filter(|request| request.operation() == "GetObjectPart");
    ranges
        .map(|request| {
            let range = request.headers.get("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
            let (first, last) = range.expect("a range");
            (first.parse().expect("a number"), last.parse().expect("a number"))
        })
        .collect()
}

#[test]
fn the_first_bytes_name_states_and_tell_whether_they_have_a_ttl() {
    let fixture = one("1.18.1/rocksdb-canonical-savepoint");
    let fake = bucket(&fixture, "STANDARD").serve();
    let snapshot = collected(&fake, &fixture, true);
    let states: Vec<_> = states(&snapshot, SESSIONIZE).iter().map(|state| (state.name.as_str(), state.ttl)).collect();
    assert_eq!(states, [("profile", TtlPresence::Off), ("session-events", TtlPresence::Off), ("session-pages", TtlPresence::On)]);
    let read = value(&snapshot.state_files);
    assert!(read.objects > 0 && read.bytes.0 > 0, "{read:?}");
    assert_eq!(fake.count("Other"), 0);
    let reads = reads(&fake);
    assert!(!reads.is_empty());
    // A header is at the beginning, and 16 KiB are enough for these.
    assert!(reads.iter().all(|(first, last)| *first == 0 && *last < 16 * 1024), "{reads:?}");
    assert!(snapshot.requests >= reads.len() as u64);
}

#[test]
fn without_the_flag_no_state_file_is_read_and_that_is_said() {
    let fixture = one("1.18.1/rocksdb-canonical-savepoint");
    let fake = bucket(&fixture, "STANDARD").serve();
    let snapshot = collected(&fake, &fixture, false);
    assert_eq!(fake.trespasses(), 0);
    assert_gap(&snapshot.state_files, "not asked", "--read-state-headers");
    let operators = &value(&snapshot.metadata).operators;
    let sessionize = operators.iter().find(|operator| operator.id == SESSIONIZE).expect("the operator");
    assert!(sessionize.keyed_states.is_empty() && sessionize.keyed_state);
    assert!(sessionize.not_read.iter().all(|reason| reason.starts_with("not asked: ")), "{:?}", sessionize.not_read);
}

/// Neither what the class says, nor what a HEAD says, nor a restored copy.
#[test]
fn nothing_is_read_in_an_archive() {
    let fixture = one("1.18.1/rocksdb-canonical-savepoint");
    for class in ["GLACIER", "DEEP_ARCHIVE", "BRAND_NEW"] {
        let fake = bucket(&fixture, class).serve();
        let snapshot = collected(&fake, &fixture, true);
        assert_eq!(fake.trespasses(), 0, "{class}");
        assert!(states(&snapshot, SESSIONIZE).is_empty());
        let operators = &value(&snapshot.metadata).operators;
        let sessionize = operators.iter().find(|operator| operator.id == SESSIONIZE).expect("the operator");
        assert!(sessionize.not_read.iter().any(|reason| reason.contains(class)), "{:?}", sessionize.not_read);
        assert_eq!(value(&snapshot.state_files).objects, 0);
    }
}

#[test]
fn a_right_that_is_missing_is_named_and_the_rest_stays() {
    let fixture = one("1.18.1/rocksdb-canonical-savepoint");
    let fake = bucket(&fixture, "STANDARD").on("GetObjectPart", [Reply::error(403, "AccessDenied")]).serve();
    let snapshot = collected(&fake, &fixture, true);
    assert!(states(&snapshot, SESSIONIZE).is_empty());
    let reasons: Vec<&String> = value(&snapshot.metadata).operators.iter().flat_map(|operator| &operator.not_read).collect();
    assert!(reasons.iter().any(|reason| reason.contains("needs s3:GetObject on the object")), "{reasons:?}");
    assert!(value(&snapshot.objects).iter().all(|object| object.found.shown().is_some()));
}

#[test]
fn a_store_that_ignores_ranges_is_not_read_whole() {
    let fixture = one("1.18.1/rocksdb-canonical-savepoint");
    let fake = bucket(&fixture, "STANDARD").on("GetObjectPart", [Reply::new(200, vec![0; 300_000])]).serve();
    let snapshot = collected(&fake, &fixture, true);
    let reasons: Vec<&String> = value(&snapshot.metadata).operators.iter().flat_map(|operator| &operator.not_read).collect();
    assert!(reasons.iter().any(|reason| reason.contains("does not give a part of an object")), "{reasons:?}");
}

/// Every snapshot that Flink wrote tells from S3 what it tells from a local folder.
#[test]
fn every_snapshot_tells_the_same_as_from_a_folder() {
    use ttl_audit::savepoint::{Metadata, summary::summarize};
    let mut compared = 0;
    for fixture in crate::savepoint::fixtures::all() {
        if !fixture.pointer().starts_with("s3://acme-flink/") || fixture.name.contains("reserialized") {
            continue;
        }
        let fake = bucket(&fixture, "STANDARD").serve();
        let snapshot = collected(&fake, &fixture, true);
        let metadata = Metadata::read(&fixture.bytes).expect("Flink wrote it");
        let local = summarize(&metadata, &fixture.bytes, fixture.pointer(), &[], &mut |wanted| {
            let path = if wanted.relative { format!("{}/{}", fixture.pointer(), wanted.path) } else { wanted.path.to_owned() };
            let file = fixture.file(&path).unwrap_or_else(|| vec![0; usize::try_from(wanted.start + wanted.len).expect("small")]);
            let start = usize::try_from(wanted.start).expect("small");
            let end = file.len().min(start + usize::try_from(wanted.len).expect("small"));
            Ok(file.get(start..end).unwrap_or_default().to_vec())
        });
        let operators = &value(&snapshot.metadata).operators;
        for (here, there) in operators.iter().zip(&local.operators) {
            assert_eq!(here.keyed_states, there.keyed_states, "{}: {}", fixture.name, here.id);
            assert_eq!((&here.timers, &here.positions), (&there.timers, &there.positions), "{}: {}", fixture.name, here.id);
        }
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}
