//! Snapshots that Flink wrote, as the collector would have seen them in a bucket.

use std::{fs, path::PathBuf};

use ttl_audit::{
    analysis::snapshots::{self as analysis, operators},
    evidence::{Evidence, Fact, ObjectEvidence, ReachedObject, Reference, SnapshotEvidence, SnapshotMetadata, TopicEvidence},
    manifest::{Manifest, Source, SourceKind, Topics},
    savepoint::{
        Metadata, OperatorId, SnapshotKind,
        summary::{OperatorSummary, PositionSummary, summarize},
    },
    units::{Bytes, Instant, Millis, S3Location},
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

/// Where a source that had read everything up to `at` goes on in a topic, by partition; between samples at an even rate, and so before them.
fn positions(name: &str, topic: &TopicEvidence, at: Instant) -> Vec<PositionSummary> {
    let (Some(ends), Fact::Seen(samples)) = (topic.log_end.shown(), &topic.samples) else { return Vec::new() };
    let ms = |length: Millis| i128::from(length.as_ms());
    let position = |(partition, end): (&i32, i64)| {
        let offsets = samples.value.iter().filter_map(|sample| {
            let answer = sample.offsets.partitions.get(partition)?;
            Some((sample.at, answer.map_or(end, |place| place.offset)))
        });
        let points: Vec<(Instant, i64)> = offsets.chain([(samples.at, end)]).collect();
        // Of the first sample it is not said how far before the first record it lies.
        let pairs = points.windows(2).skip(usize::from(points.len() > 2));
        let pair = pairs.clone().find(|pair| pair.last().is_some_and(|(to, _)| at < *to)).or_else(|| pairs.last());
        let Some([(from, low), (to, high)]) = pair else { panic!("{name} was sampled") };
        let (from, low, to, high) = (*from, *low, *to, *high);
        let passed = if at < from { -ms(from.since(at)) } else { ms(at.since(from)) };
        let next = i128::from(low) + i128::from(high - low) * passed / ms(to.since(from)).max(1);
        PositionSummary {
            topic: name.to_owned(),
            partition: u32::try_from(*partition).expect("not negative"),
            next_offset: Some(u64::try_from(next.max(0)).expect("an offset")),
            marker: None,
            stopping_offset: None,
        }
    };
    ends.partitions.iter().filter_map(|(partition, end)| Some(position((partition, end.as_ref()?.offset)))).collect()
}

/// The source operators of a job as a snapshot holds them that was taken at `at` when everything was read.
fn sources(job: &Manifest, evidence: &Evidence, at: Instant) -> Vec<OperatorSummary> {
    let of = |source: &Source| {
        let SourceKind::Kafka(kafka) = &source.kind else { return None };
        let Topics::Named(topics) = &kafka.topics else { return None };
        let cluster = match &kafka.cluster {
            Some(name) => evidence.kafka.get(&name.value)?,
            None => evidence.kafka.values().next()?,
        };
        let topics = topics.iter().filter_map(|topic| Some((topic.value.as_str(), cluster.topics.get(&topic.value)?)));
        let positions: Vec<PositionSummary> = topics.flat_map(|(name, topic)| positions(name, topic, at)).collect();
        let id = OperatorId::from_uid(source.uid.as_deref().unwrap_or(&source.id.value)).to_string();
        Some(OperatorSummary { id, parallelism: 4, max_parallelism: 128, positions, ..OperatorSummary::default() })
    };
    job.sources.iter().filter_map(of).collect()
}

/// What `_metadata` of a snapshot says that nothing else was said about: it holds the operators of the job that declares it, and its Kafka
/// sources, which had read everything when it was taken.
pub(crate) fn read_metadata<'a>(jobs: impl IntoIterator<Item = &'a Manifest>, evidence: &mut Evidence) {
    let seen = evidence.clone();
    for (location, job) in jobs.into_iter().filter_map(|job| Some((job.recovery.as_ref()?, job))).flat_map(|(recovery, job)| {
        let checkpoints = recovery.checkpoints.iter().filter_map(|checkpoints| checkpoints.location.as_ref());
        recovery.savepoints.iter().chain(checkpoints).filter_map(move |at| Some((at.value.s3()?.clone(), job)))
    }) {
        let Some(Fact::Seen(snapshots)) = evidence.places.get_mut(&location).map(|place| &mut place.snapshots) else { continue };
        let at = snapshots.at;
        for snapshot in snapshots.value.iter_mut().filter(|snapshot| matches!(snapshot.metadata, Fact::NotAsked(_))) {
            let sources = sources(job, &seen, snapshot.taken_at);
            let others = operators::declared_ids(job)
                .filter(|id| sources.iter().all(|source| source.id != *id))
                .map(|id| OperatorSummary { id, keyed_state: true, parallelism: 4, max_parallelism: 128, ..OperatorSummary::default() });
            let operators = others.collect::<Vec<_>>().into_iter().chain(sources).collect();
            let kind = match analysis::SnapshotKind::of_folder(&snapshot.location) {
                analysis::SnapshotKind::Savepoint => SnapshotKind::CanonicalSavepoint,
                analysis::SnapshotKind::Checkpoint => SnapshotKind::FullCheckpoint,
            };
            let state_size = snapshot.objects.shown().into_iter().flatten().skip(1).map(|object| object.min_size).sum();
            // Flink up to 1.15 neither writes nor reads format 4.
            let format_version = if job.flink.version.as_deref().is_some_and(|version| version.starts_with("1.14")) { 3 } else { 4 };
            let read = SnapshotMetadata { format_version, checkpoint_id: 1, kind, state_size, operators };
            let (bucket, call) = (snapshot.location.bucket().to_owned(), format!("GetObject of {}_metadata", snapshot.location));
            snapshot.metadata = Fact::seen(read, bucket, call, at);
        }
    }
}
