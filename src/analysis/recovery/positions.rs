//! Where the sources of a snapshot go on.

use std::collections::BTreeMap;

use super::{super::Window, Ground, TopicLogs, topics::source};
use crate::{
    analysis::{Basis, snapshots::SnapshotView},
    evidence::{Evidence, SnapshotMetadata, Unknown},
    manifest::SourceKind,
    savepoint::{OperatorId, summary::OperatorSummary},
    units::{Instant, Millis, S3Location},
};

/// The next offset of each partition, and how it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positions {
    /// By partition; `None`: what had left the topic before was not measured, only that nothing of what is there had been read.
    pub next: BTreeMap<i32, i64>,
    /// Read from the snapshot, or taken from the offsets at its file's date.
    pub basis: Basis,
    /// Partitions whose position lies before everything that is readable, by an amount that is not known.
    pub lost_unknown: bool,
    /// Partitions that the snapshot has a position of and the topic does not have, with that position.
    pub vanished: Vec<(i32, i64)>,
    /// Why they were not read from `_metadata`, where the date of its file stands for them.
    pub not_read: Option<Unknown>,
}

/// How far the clocks of the store and of the auditor may be apart.
const CLOCKS_APART: Millis = Millis::minutes(5);

/// What `_metadata` of a snapshot says.
///
/// # Errors
///
/// It was not read, or could not be.
pub fn metadata<'a>(evidence: &'a Evidence, folder: &S3Location) -> Result<&'a SnapshotMetadata, Unknown> {
    let mut snapshots = evidence.places.values().filter_map(|place| place.snapshots.shown()).flatten();
    let found = snapshots.find(|snapshot| snapshot.location == *folder);
    let found =
        found.ok_or_else(|| Unknown::new(format!("not asked: the evidence holds nothing about {folder}"), "GetObject of _metadata"))?;
    found.metadata.known().map(|seen| &seen.value)
}

/// Where a restart from `snapshot` goes on reading the topic of `window`.
///
/// Positions that the snapshot does not hold are taken from the date of its file, which a copy resets; the result says so.
///
/// # Errors
///
/// Neither is possible; the reason names both.
pub fn positions(ground: &Ground<'_>, snapshot: &SnapshotView, window: &Window, logs: &TopicLogs) -> Result<Positions, Unknown> {
    match read(ground, snapshot, window, logs) {
        Ok((next, vanished)) => Ok(Positions { next, basis: Basis::Measured, lost_unknown: false, vanished, not_read: None }),
        Err(unknown) => by_date(snapshot, logs, &unknown).ok_or(unknown),
    }
}

/// Positions by partition, and those of partitions that are gone.
type Read = (BTreeMap<i32, i64>, Vec<(i32, i64)>);

/// The positions that `_metadata` holds.
fn read(ground: &Ground<'_>, snapshot: &SnapshotView, window: &Window, logs: &TopicLogs) -> Result<Read, Unknown> {
    if let Some(unmeasured) = &logs.unmeasured {
        return Err(unmeasured.clone());
    }
    let metadata = metadata(ground.evidence, &snapshot.location)?;
    let operator = reader(ground, metadata, window)?;
    // A position of a snapshot that is younger than the offsets may well lie beyond them.
    let younger = snapshot.taken_at.plus(CLOCKS_APART) > captured_at(ground, window);
    let mut next = BTreeMap::new();
    let mut others: BTreeMap<i32, i64> = BTreeMap::new();
    for position in operator.positions.iter().filter(|position| position.topic == window.topic) {
        let Ok(partition) = i32::try_from(position.partition) else { continue };
        let log = logs.partitions.iter().find(|log| log.partition == partition);
        let offset = match (position.next_offset, position.marker.as_deref()) {
            (Some(offset), _) => i64::try_from(offset).unwrap_or(i64::MAX),
            (None, Some("earliest")) => log.map_or(0, |log| log.start),
            (None, _) => {
                return Err(Unknown::new(
                    format!("{} leaves the position of topic {} to be looked up at the start", snapshot.location, window.topic),
                    "",
                ));
            }
        };
        match log {
            Some(log) if younger && offset > log.end => next.insert(partition, log.end),
            Some(_) => next.insert(partition, offset),
            // It may have been added since.
            None if younger => None,
            None => others.insert(partition, offset),
        };
    }
    for log in &logs.partitions {
        if next.contains_key(&log.partition) {
            continue;
        }
        if let Some(unread) = operator.not_read.first() {
            let (folder, partition, topic) = (&snapshot.location, log.partition, &window.topic);
            return Err(Unknown::new(format!("{folder} shows no position of partition {partition} of topic {topic}: {unread}"), ""));
        }
        // A partition that came later is read from its beginning, whatever the source's start (FLIP-288).
        next.insert(log.partition, log.start);
    }
    Ok((next, others.into_iter().collect()))
}

/// When the offsets of a topic were asked for.
pub(super) fn captured_at(ground: &Ground<'_>, window: &Window) -> Instant {
    let topic = window
        .cluster
        .as_deref()
        .and_then(|cluster| ground.evidence.kafka.get(cluster))
        .and_then(|cluster| cluster.topics.get(&window.topic));
    topic.map_or(ground.evidence.captured_at, |topic| topic.captured_at(ground.evidence.captured_at))
}

/// The operator of a snapshot that reads the window's topic for its source: by uid where the manifest has one, else the only one.
fn reader<'a>(ground: &Ground<'_>, metadata: &'a SnapshotMetadata, window: &Window) -> Result<&'a OperatorSummary, Unknown> {
    let uid = source(ground, &window.source).and_then(|source| match source.kind {
        SourceKind::Kafka(_) => source.uid.as_deref(),
        SourceKind::Declared(_) => None,
    });
    let reads = |operator: &&OperatorSummary| operator.positions.iter().any(|position| position.topic == window.topic);
    let all: Vec<&OperatorSummary> = metadata.operators.iter().filter(reads).collect();
    let own: Vec<&OperatorSummary> = match uid {
        Some(uid) => {
            let id = OperatorId::from_uid(uid).to_string();
            all.into_iter().filter(|operator| operator.uid.as_deref() == Some(uid) || operator.id == id).collect()
        }
        None => all,
    };
    // A topic that matches the source's pattern since: the operator was read whole, and holds positions of others only.
    let of_others = uid.map(|uid| OperatorId::from_uid(uid).to_string()).and_then(|id| {
        metadata.operators.iter().find(|operator| operator.id == id && !operator.positions.is_empty() && operator.not_read.is_empty())
    });
    match own.as_slice() {
        [one] => Ok(*one),
        [] if let Some(operator) = of_others => Ok(operator),
        [] => {
            let unread = metadata.operators.iter().find_map(|operator| operator.not_read.first());
            let why = unread.map_or_else(String::new, |reason| format!(" (not everything was read: {reason})"));
            Err(Unknown::new(format!("the snapshot holds no positions of source {} for topic {}{why}", window.source, window.topic), ""))
        }
        _ => Err(Unknown::new(
            format!("several operators of the snapshot read topic {}; state the `uid` of source {}", window.topic, window.source),
            "",
        )),
    }
}

/// The offsets at the date of the snapshot's file.
fn by_date(snapshot: &SnapshotView, logs: &TopicLogs, why: &Unknown) -> Option<Positions> {
    let mut positions =
        Positions { next: BTreeMap::new(), basis: Basis::Measured, lost_unknown: false, vanished: Vec::new(), not_read: Some(why.clone()) };
    for log in &logs.partitions {
        let (offset, basis) = log.offset_at(snapshot.taken_at)?;
        positions.basis = positions.basis.max(basis).max(Basis::Interpolated);
        // Nothing has ever left a partition that begins at 0.
        positions.lost_unknown |= log.start > 0 && log.first_at().is_some_and(|first| snapshot.taken_at < first);
        positions.next.insert(log.partition, offset);
    }
    Some(positions)
}
