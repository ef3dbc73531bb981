//! One snapshot: what it needs, and whether all of that can be read now.

use std::collections::BTreeMap;

use super::{ObjectState, ObjectView};
use crate::{
    analysis::lifecycle::Lock,
    evidence::{BucketEvidence, ObjectEvidence, SnapshotEvidence, Unknown},
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
    /// The objects that it needs, `_metadata` first. Never empty.
    pub objects: Result<Vec<ObjectView>, Unknown>,
    /// The lock on `_metadata`.
    pub lock: Result<Lock, Unknown>,
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
    /// Judges what was seen of one snapshot whose own objects lie in `bucket`.
    #[must_use]
    pub fn of(snapshot: &SnapshotEvidence, bucket: Option<&BucketEvidence>, as_of: Instant) -> Self {
        Self {
            location: snapshot.location.clone(),
            taken_at: snapshot.taken_at,
            objects: objects(snapshot, bucket, as_of),
            lock: snapshot.objects.known().and_then(|seen| metadata_lock(&seen.value, &snapshot.location)),
        }
    }

    /// How many objects it needs and how large they are together, `_metadata` included. `None`: not known.
    #[must_use]
    pub fn size(&self) -> Option<(u64, Bytes)> {
        let objects = self.objects.as_ref().ok()?;
        Some((count(objects), objects.iter().map(|object| object.size).sum()))
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
        let objects = match &self.objects {
            Ok(objects) => objects,
            Err(unknown) => return Readable::Unknown(unknown.clone()),
        };
        let mut unknown = None;
        for object in objects {
            match &object.state {
                ObjectState::Readable | ObjectState::RestoredUntil(_) => {}
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
                ObjectState::Unknown(reason) => {
                    unknown.get_or_insert(reason);
                }
            }
        }
        unknown.map_or(Readable::Yes, |unknown| Readable::Unknown(unknown.clone()))
    }

    /// When the first restored copy among its objects ends: from then on the snapshot cannot be read whole.
    #[must_use]
    pub fn readable_until(&self) -> Option<Instant> {
        self.objects
            .iter()
            .flatten()
            .filter_map(|object| match object.state {
                ObjectState::RestoredUntil(until) => Some(until),
                _ => None,
            })
            .min()
    }
}

fn objects(snapshot: &SnapshotEvidence, bucket: Option<&BucketEvidence>, as_of: Instant) -> Result<Vec<ObjectView>, Unknown> {
    let name = snapshot.location.bucket();
    let seen = snapshot.objects.known()?;
    let Some(bucket) = bucket else {
        return Err(Unknown::new(format!("not asked: the evidence holds nothing about bucket {name}"), "HeadBucket"));
    };
    if seen.value.is_empty() {
        let reason = format!("moving: {} had a _metadata, and no object when it was listed again", snapshot.location);
        return Err(Unknown::new(reason, seen.call.clone()));
    }
    Ok(seen.value.iter().map(|object| ObjectView::of(bucket.store.kind, name, object, as_of)).collect())
}

/// The lock on the `_metadata` among these objects.
fn metadata_lock(objects: &[ObjectEvidence], folder: &S3Location) -> Result<Lock, Unknown> {
    let key = format!("{}_metadata", folder.prefix());
    match objects.iter().find(|object| object.key == key) {
        Some(metadata) => metadata.head.known().map(|seen| Lock::shown(&seen.value)),
        None => Err(Unknown::new(format!("moving: {folder} had a _metadata that a later listing lacks"), "HeadObject")),
    }
}

/// The length of a list, as reports count.
#[must_use]
pub fn count<T>(items: &[T]) -> u64 {
    u64::try_from(items.len()).unwrap_or(u64::MAX)
}
