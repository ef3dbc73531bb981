//! One snapshot: what it needs, and whether all of that can be read now.

use std::collections::BTreeMap;

use super::{ObjectState, ObjectView, reach};
use crate::{
    analysis::lifecycle::Lock,
    evidence::{Evidence, Fact, Reference, SnapshotEvidence, SnapshotMetadata, Unknown},
    units::{Bytes, Instant, S3Location},
};

/// What Flink takes a snapshot from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SnapshotKind {
    /// Taken by hand or at a stop; Flink deletes it only if it was restored in claim mode.
    Savepoint,
    /// Taken by a running job, and replaced by the next ones.
    Checkpoint,
}

impl SnapshotKind {
    /// `savepoint` or `checkpoint`, as reports and subjects say it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Savepoint => "savepoint",
            Self::Checkpoint => "checkpoint",
        }
    }

    /// The kind that a folder's name shows: Flink names every checkpoint `chk-<number>`; a savepoint may be renamed at will.
    #[must_use]
    pub fn of_folder(folder: &S3Location) -> Self {
        let name = folder.key().rsplit('/').next().unwrap_or_default();
        match name.strip_prefix("chk-") {
            Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => Self::Checkpoint,
            _ => Self::Savepoint,
        }
    }
}

/// One complete snapshot: a folder with `_metadata`, which Flink writes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotView {
    /// Its folder.
    pub location: S3Location,
    /// When `_metadata` was last modified. A copy resets this.
    pub taken_at: Instant,
    /// The objects that it needs and that were found, `_metadata` first. Never empty.
    pub objects: Result<Vec<ObjectView>, Unknown>,
    /// Objects that it needs and that are not there, or are too short.
    pub lacks: Vec<Lack>,
    /// Objects that it needs and of which it is not known whether they are there, by the reason.
    pub untold: BTreeMap<Unknown, Vec<String>>,
    /// `_metadata` itself, where what it names is not known.
    pub file: Option<ObjectView>,
    /// What its `_metadata` says.
    pub metadata: Result<SnapshotMetadata, Unknown>,
    /// How many files in its own folder it does not name, and their size. `None`: nobody compared. Nothing is judged of them: another
    /// snapshot can need them.
    pub unreferenced: Option<(u64, Bytes)>,
    /// The lock on `_metadata`.
    pub lock: Result<Lock, Unknown>,
}

/// An object that a snapshot needs and cannot be restored from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// `s3://bucket/key`.
    pub uri: String,
    /// It must be at least this long.
    pub min_size: Bytes,
    /// How long it is; `None`: there is none.
    pub size: Option<Bytes>,
    /// The call that found that out.
    pub call: String,
}

/// Whether everything that a snapshot needs can be read now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readable {
    /// Every object can.
    Yes,
    /// At least this one cannot, whatever is unknown about others.
    No {
        /// Its key.
        key: String,
        /// `in GLACIER, no restored copy`.
        why: String,
    },
    /// None is known to be archived, but it is not known of all.
    Unknown(Unknown),
}

impl Readable {
    /// `yes`, `no` or `unknown`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No { .. } => "no",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl SnapshotView {
    /// Judges what was seen of one snapshot, each object by its own bucket.
    #[must_use]
    pub fn of(snapshot: &SnapshotEvidence, evidence: &Evidence, as_of: Instant) -> Self {
        let reach = reach::of(snapshot, evidence, as_of);
        let file = match &snapshot.file {
            Fact::Seen(seen) => reach::store(evidence, snapshot.location.bucket())
                .ok()
                .map(|store| ObjectView::of(store, snapshot.location.bucket(), &seen.value, as_of)),
            _ => None,
        };
        Self {
            location: snapshot.location.clone(),
            taken_at: snapshot.taken_at,
            objects: reach.objects,
            lacks: reach.lacks,
            untold: reach.untold,
            file,
            metadata: snapshot.metadata.known().map(|seen| seen.value.clone()),
            unreferenced: snapshot.unreferenced.shown().map(|files| (files.objects, files.bytes)),
            lock: metadata_lock(snapshot),
        }
    }

    /// How many objects it needs and how large they are together, `_metadata` included, each once. Of an object that was not found the
    /// size is the one that it must have. `None`: not known.
    #[must_use]
    pub fn size(&self) -> Option<(u64, Bytes)> {
        let objects = self.objects.as_ref().ok()?;
        let missing: Vec<&Lack> = self.lacks.iter().filter(|lack| lack.size.is_none()).collect();
        if self.untold.is_empty() {
            let bytes = objects.iter().map(|object| object.size).chain(missing.iter().map(|lack| lack.min_size)).sum();
            return Some((count(objects) + count(&missing), bytes));
        }
        None
    }

    /// Whether `object` lies in the snapshot's own place: the folder of a savepoint; of a checkpoint the job's folder around it, with
    /// `shared/` and `taskowned/`.
    #[must_use]
    pub fn owns(&self, object: &ObjectView) -> bool {
        object.bucket == self.location.bucket() && object.key.starts_with(&self.place().prefix())
    }

    /// See [`SnapshotView::owns`].
    #[must_use]
    pub fn place(&self) -> S3Location {
        match (SnapshotKind::of_folder(&self.location), self.location.key().rsplit_once('/')) {
            (SnapshotKind::Checkpoint, Some((job, _))) => S3Location::new(self.location.bucket(), job),
            _ => self.location.clone(),
        }
    }

    /// How many objects there are of each class; `not told` where the store gives none.
    #[must_use]
    pub fn classes(&self) -> BTreeMap<String, u64> {
        let mut classes = BTreeMap::new();
        for object in self.objects.iter().flatten() {
            *classes.entry(object.class.clone().unwrap_or_else(|| "not told".to_owned())).or_default() += 1;
        }
        classes
    }

    /// Whether everything can be read now.
    #[must_use]
    pub fn readable(&self) -> Readable {
        if let Some(lack) = self.lacks.iter().find(|lack| lack.size.is_none()) {
            return Readable::No { key: lack.uri.clone(), why: "not there".to_owned() };
        }
        for object in self.seen() {
            match &object.state {
                ObjectState::Readable | ObjectState::RestoredUntil(_) | ObjectState::Unknown(_) => {}
                ObjectState::Archived { archive, ended: None } => {
                    return Readable::No { key: object.key.clone(), why: format!("in {archive}, no restored copy") };
                }
                ObjectState::Archived { archive, ended: Some(ended) } => {
                    return Readable::No {
                        key: object.key.clone(),
                        why: format!("in {archive}, its restored copy ended at {}", ended.minute()),
                    };
                }
                ObjectState::Restoring(archive) => {
                    return Readable::No { key: object.key.clone(), why: format!("in {archive}, its restore is still running") };
                }
            }
        }
        self.doubt().map_or(Readable::Yes, |unknown| Readable::Unknown(unknown.clone()))
    }

    /// Every object that was seen: the reach as far as it was found, or `_metadata` alone where its reach is not known.
    pub fn seen(&self) -> impl Iterator<Item = &ObjectView> {
        self.objects.iter().flatten().chain(&self.file)
    }

    /// Why it is not known of every object whether it can be read now. `None`: it is known of all that are there.
    #[must_use]
    pub fn doubt(&self) -> Option<&Unknown> {
        let reach = self.objects.as_ref().err().or_else(|| self.untold.keys().next());
        reach.or_else(|| {
            self.seen().find_map(|object| match &object.state {
                ObjectState::Unknown(unknown) => Some(unknown),
                _ => None,
            })
        })
    }

    /// When the first restored copy among its objects ends: from then on the snapshot cannot be read whole.
    #[must_use]
    pub fn readable_until(&self) -> Option<Instant> {
        self.seen()
            .filter_map(|object| match object.state {
                ObjectState::RestoredUntil(until) => Some(until),
                _ => None,
            })
            .min()
    }
}

/// The lock on `_metadata`.
fn metadata_lock(snapshot: &SnapshotEvidence) -> Result<Lock, Unknown> {
    if let Fact::Seen(file) = &snapshot.file {
        return file.value.head.known().map(|seen| Lock::shown(&seen.value));
    }
    let objects = &snapshot.objects.known()?.value;
    match objects.iter().find(|object| object.reference == Reference::Metadata) {
        Some(metadata) => metadata.found.known()?.value.head.known().map(|seen| Lock::shown(&seen.value)),
        None => Err(Unknown::new(format!("moving: {} had a _metadata that a later listing lacks", snapshot.location), "HeadObject")),
    }
}

/// The length of a list, as reports count.
#[must_use]
pub fn count<T>(items: &[T]) -> u64 {
    u64::try_from(items.len()).unwrap_or(u64::MAX)
}
