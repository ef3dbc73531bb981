//! Where the sources of a snapshot go on.

use std::collections::BTreeMap;

use super::{super::Window, Ground, TopicLogs, topics::source};
use crate::{
    analysis::{Basis, snapshots::SnapshotView},
    evidence::{Evidence, SnapshotMetadata, Unknown},
    manifest::SourceKind,
    savepoint::{OperatorId, summary::OperatorSummary},
    units::S3Location,
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
    /// Whether they were read from `_metadata`.
    pub read: bool,
}

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
        Ok(next) => Ok(Positions { next, basis: Basis::Measured, lost_unknown: false, read: true }),
        Err(unknown) => by_date(snapshot, logs).ok_or(unknown),
    }
}

/// The positions that `_metadata` holds.
fn read(ground: &Ground<'_>, snapshot: &SnapshotView, window: &Window, logs: &TopicLogs) -> Result<BTreeMap<i32, i64>, Unknown> {
    if let Some(unmeasured) = &logs.unmeasured {
        return Err(unmeasured.clone());
    }
    let metadata = metadata(ground.evidence, &snapshot.location)?;
    let operator = reader(ground, metadata, window)?;
    let mut next = BTreeMap::new();
    for log in &logs.partitions {
        let position = operator
            .positions
            .iter()
            .find(|position| position.topic == window.topic && i32::try_from(position.partition) == Ok(log.partition));
        let Some(position) = position else {
            if let Some(unread) = operator.not_read.first() {
                let (folder, partition, topic) = (&snapshot.location, log.partition, &window.topic);
                return Err(Unknown::new(format!("{folder} shows no position of partition {partition} of topic {topic}: {unread}"), ""));
            }
            // A partition that came later is read from its beginning, whatever the source's start (FLIP-288).
            next.insert(log.partition, log.start);
            continue;
        };
        let offset = match (position.next_offset, position.marker.as_deref()) {
            (Some(offset), _) => i64::try_from(offset).unwrap_or(i64::MAX),
            (None, Some("earliest")) => log.start,
            (None, _) => {
                return Err(Unknown::new(
                    format!("{} leaves the position of topic {} to be looked up at the start", snapshot.location, window.topic),
                    "",
                ));
            }
        };
        next.insert(log.partition, offset);
    }
    Ok(next)
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
    match own.as_slice() {
        [one] => Ok(*one),
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
fn by_date(snapshot: &SnapshotView, logs: &TopicLogs) -> Option<Positions> {
    let mut positions = Positions { next: BTreeMap::new(), basis: Basis::Measured, lost_unknown: false, read: false };
    for log in &logs.partitions {
        let (offset, basis) = log.offset_at(snapshot.taken_at)?;
        positions.basis = positions.basis.max(basis).max(Basis::Interpolated);
        positions.lost_unknown |= log.first_at().is_some_and(|first| snapshot.taken_at < first);
        positions.next.insert(log.partition, offset);
    }
    Some(positions)
}
