//! What `snapshot` says about how a snapshot is stored.

use std::collections::BTreeMap;

use super::{ObjectState, ObjectView};
use crate::{
    evidence::{Fact, ObjectEvidence, ReachedObject, SnapshotEvidence, StoreKind},
    savepoint::summary::{SnapshotSummary, StoredFile, StoredSnapshot, StoredState, UnreferencedSummary},
    units::{Bytes, Instant},
};

/// Adds to `summary` how its files are stored, which took so many requests to find out. `store` says whose rules hold in a bucket; `None`:
/// not known.
pub fn add(
    summary: &mut SnapshotSummary,
    snapshot: &SnapshotEvidence,
    store: &dyn Fn(&str) -> Option<StoreKind>,
    requests: u64,
    as_of: Instant,
) {
    let Some(objects) = snapshot.objects.shown() else { return };
    let mut all = objects.iter().map(|object| file(object, store, as_of));
    let Some(metadata) = all.next() else { return };
    let files: Vec<StoredFile> = all.collect();
    let mut states = BTreeMap::new();
    let mut classes = BTreeMap::new();
    for file in files.iter().chain([&metadata]) {
        *states.entry(file.state).or_default() += 1;
        if file.size.is_some() {
            *classes.entry(file.storage_class.clone().unwrap_or_default()).or_default() += 1;
        }
    }
    // Both are in the order of the reach.
    for (file, stored) in summary.reach.files.iter_mut().zip(files) {
        file.stored = Some(stored);
    }
    summary.unreferenced = snapshot.unreferenced.shown().map(|files| UnreferencedSummary {
        objects: files.objects,
        bytes: files.bytes,
        examples: Vec::new(),
        complete: files.complete,
    });
    summary.stored = Some(StoredSnapshot { at: as_of, metadata, states, classes, requests });
}

fn file(object: &ReachedObject, store: &dyn Fn(&str) -> Option<StoreKind>, as_of: Instant) -> StoredFile {
    let unknown = |why: String| StoredFile::only(StoredState::Unknown, Some(why));
    let found = match &object.found {
        Fact::Seen(found) => &found.value,
        Fact::Absent(gap) => return StoredFile::only(StoredState::Missing, Some(gap.reason.clone())),
        other => return unknown(other.known().err().map(|unknown| unknown.reason).unwrap_or_default()),
    };
    let Some((bucket, store)) = object.bucket.as_deref().and_then(|bucket| Some((bucket, store(bucket)?))) else {
        return unknown("its bucket was not asked".to_owned());
    };
    seen(bucket, store, found, object.min_size, as_of)
}

fn seen(bucket: &str, store: StoreKind, found: &ObjectEvidence, min_size: Bytes, as_of: Instant) -> StoredFile {
    let view = ObjectView::of(store, bucket, found, as_of);
    let (state, why) = match view.state {
        _ if found.size < min_size => (StoredState::TooShort, Some(format!("it must have {min_size}"))),
        ObjectState::Readable => (StoredState::Readable, None),
        ObjectState::RestoredUntil(until) => (StoredState::Restored, Some(format!("until {}", until.minute()))),
        ObjectState::Restoring(archive) => (StoredState::Restoring, Some(format!("in {archive}"))),
        ObjectState::Archived { archive, ended: None } => (StoredState::Archived, Some(format!("in {archive}, no restored copy"))),
        ObjectState::Archived { archive, ended: Some(ended) } => {
            (StoredState::Archived, Some(format!("in {archive}, its restored copy ended at {}", ended.minute())))
        }
        ObjectState::Unknown(unknown) => (StoredState::Unknown, Some(unknown.reason)),
    };
    let head = found.head.shown();
    StoredFile {
        state,
        why,
        size: Some(found.size),
        last_modified: Some(found.last_modified),
        storage_class: view.class,
        archive_status: head.and_then(|head| head.archive_status.clone()),
        restore: head.and_then(|head| head.restore.clone()),
    }
}
