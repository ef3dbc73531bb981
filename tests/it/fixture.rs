//! Snapshots that Flink wrote, as the collector would have seen them in a bucket.

use std::{fs, path::PathBuf};

use ttl_audit::{
    analysis::snapshots::{self as analysis, operators},
    evidence::{Evidence, Fact, ObjectEvidence, ReachedObject, Reference, SnapshotEvidence, SnapshotMetadata},
    manifest::Manifest,
    savepoint::{
        Metadata, SnapshotKind,
        summary::{OperatorSummary, summarize},
    },
    units::{Bytes, Instant, S3Location},
};

use crate::harness::in_root;

/// The snapshot `<release>/<variant>` of `tests/data/flink`, in the bucket in which it was written, seen at `now`. Every object was last
/// modified when `_metadata` was, which is `taken_at`; state files are not read.
pub(crate) fn snapshot(fixture: &str, taken_at: Instant, now: Instant) -> SnapshotEvidence {
    let root = in_root("tests/data/flink").join(fixture).join("s3");
    let file = find(root.clone()).unwrap_or_else(|| panic!("{fixture} has a _metadata"));
    let bytes = fs::read(&file).expect("a file");
    let path = file.strip_prefix(&root).expect("below the root").to_str().expect("text").to_owned();
    let (bucket, key) = path.split_once('/').expect("a bucket");
    let location = S3Location::new(bucket, key);
    let read = Metadata::read(&bytes).expect("Flink wrote it");
    let summary = summarize(&read, &bytes, &location.to_string(), &[], &mut |_| Err("state files were not read".to_owned()));
    let seen = |bucket: &str, key: &str, size: u64| {
        let object = ObjectEvidence {
            key: key.to_owned(),
            size: Bytes(size),
            last_modified: taken_at,
            storage_class: Some("STANDARD".to_owned()),
            head: Fact::not_asked("the class in the listing tells that it can be read", "HeadObject"),
            tags: Fact::not_asked("no rule in force filters this object by tag", "GetObjectTagging"),
        };
        Fact::seen(object, bucket, "ListObjectsV2", now)
    };
    let mut objects = vec![ReachedObject {
        bucket: Some(bucket.to_owned()),
        key: key.to_owned(),
        min_size: Bytes(0),
        reference: Reference::Metadata,
        references: 0,
        shared: false,
        found: seen(bucket, key, u64::try_from(bytes.len()).expect("small")),
    }];
    objects.extend(read.reach(&location.to_string()).files.into_iter().map(|file| {
        let at = file.s3.expect("the fixtures lie in S3");
        ReachedObject {
            bucket: Some(at.bucket().to_owned()),
            key: at.key().to_owned(),
            min_size: Bytes(file.min_size),
            reference: if file.relative.is_some() { Reference::Relative } else { Reference::Absolute },
            references: file.references,
            shared: file.shared,
            found: seen(at.bucket(), at.key(), file.min_size),
        }
    }));
    let call = format!("GetObject s3://{path}");
    let mut snapshot = SnapshotEvidence::listed(location, taken_at, Fact::not_asked("", ""));
    snapshot.objects = Fact::seen(objects, bucket, &call, now);
    snapshot.metadata = Fact::seen(
        SnapshotMetadata {
            format_version: summary.format_version,
            checkpoint_id: summary.checkpoint_id,
            kind: summary.kind,
            state_size: summary.state_size,
            operators: summary.operators,
        },
        bucket,
        call,
        now,
    );
    snapshot
}

fn find(folder: PathBuf) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    let file = entries.iter().find(|path| path.ends_with("_metadata")).cloned();
    file.or_else(|| entries.into_iter().filter(|path| path.is_dir()).find_map(find))
}

/// Changes each object of a snapshot whose whole key this picks.
pub(crate) fn change(snapshot: &mut SnapshotEvidence, picks: impl Fn(&str) -> bool, change: impl Fn(&mut ReachedObject)) {
    let Fact::Seen(objects) = &mut snapshot.objects else { panic!("the objects are known") };
    let picked: Vec<&mut ReachedObject> = objects.value.iter_mut().filter(|object| picks(&object.key)).collect();
    assert!(!picked.is_empty(), "an object is changed");
    picked.into_iter().for_each(change);
}

/// What `_metadata` of a snapshot says that nothing else was said about: it holds the operators and sources of the job that declares it.
pub(crate) fn read_metadata<'a>(jobs: impl IntoIterator<Item = &'a Manifest>, evidence: &mut Evidence) {
    let jobs = jobs.into_iter();
    for (location, job) in jobs.filter_map(|job| Some((job.recovery.as_ref()?, job))).flat_map(|(recovery, job)| {
        let checkpoints = recovery.checkpoints.iter().filter_map(|checkpoints| checkpoints.location.as_ref());
        recovery.savepoints.iter().chain(checkpoints).filter_map(move |at| Some((at.value.s3()?.clone(), job)))
    }) {
        let Some(Fact::Seen(snapshots)) = evidence.places.get_mut(&location).map(|place| &mut place.snapshots) else { continue };
        let at = snapshots.at;
        for snapshot in snapshots.value.iter_mut().filter(|snapshot| matches!(snapshot.metadata, Fact::NotAsked(_))) {
            let operators = operators::declared_ids(job).map(|id| OperatorSummary {
                id,
                keyed_state: true,
                parallelism: 4,
                max_parallelism: 128,
                ..OperatorSummary::default()
            });
            let kind = match analysis::SnapshotKind::of_folder(&snapshot.location) {
                analysis::SnapshotKind::Savepoint => SnapshotKind::CanonicalSavepoint,
                analysis::SnapshotKind::Checkpoint => SnapshotKind::FullCheckpoint,
            };
            let state_size = snapshot.objects.shown().into_iter().flatten().skip(1).map(|object| object.min_size).sum();
            // Flink up to 1.15 neither writes nor reads format 4.
            let format_version = if job.flink.version.as_deref().is_some_and(|version| version.starts_with("1.14")) { 3 } else { 4 };
            let read = SnapshotMetadata { format_version, checkpoint_id: 1, kind, state_size, operators: operators.collect() };
            let (bucket, call) = (snapshot.location.bucket().to_owned(), format!("GetObject of {}_metadata", snapshot.location));
            snapshot.metadata = Fact::seen(read, bucket, call, at);
        }
    }
}
