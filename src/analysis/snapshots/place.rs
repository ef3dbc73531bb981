//! A declared location and the snapshots that were seen there.

use super::{SnapshotKind, SnapshotView};
use crate::{
    evidence::{Evidence, HiddenSnapshot, PlaceEvidence, Seen, SnapshotEvidence, Unknown},
    finding::Subject,
    manifest::At,
    units::{Instant, Location, S3Location},
};

/// Why nothing is known of what lies on another store.
#[must_use]
pub fn unsupported(what: &str, scheme: &str) -> Unknown {
    Unknown::new(format!("unsupported: {what} on {scheme}: cannot be looked at, only S3 and stores that speak its language can"), "")
}

/// A declared location of one kind of snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceView {
    /// What is declared to lie there.
    pub kind: SnapshotKind,
    /// The location and where the manifest declares it.
    pub declared: At<Location>,
    /// Whether `restore.from` names this very location.
    pub pinned: bool,
    /// What was found.
    pub found: Found,
}

/// What was found at a declared location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing to look for: `jobmanager`.
    Nowhere,
    /// The bucket does not exist; the reason as the store gave it.
    NoBucket(String),
    /// It is not known what lies there.
    Unknown(Unknown),
    /// This.
    Snapshots(Snapshots),
}

/// What a listing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshots {
    /// Complete snapshots of the declared kind, newest first.
    pub complete: Vec<SnapshotView>,
    /// How many complete snapshots were seen, those that were not looked into included.
    pub seen: u64,
    /// Folders that look like snapshots and hold no `_metadata`.
    pub unfinished: Vec<S3Location>,
    /// Snapshots of the declared kind that a delete marker hides; empty where that was not asked.
    pub hidden: Vec<HiddenSnapshot>,
    /// Who listed, how: the origin of these facts.
    pub origin: String,
}

impl PlaceView {
    /// What was seen at `declared`, judged at `as_of`.
    #[must_use]
    pub fn of(kind: SnapshotKind, declared: &At<Location>, evidence: &Evidence, as_of: Instant) -> Self {
        let found = match &declared.value {
            Location::JobManager => Found::Nowhere,
            Location::Unsupported { scheme, .. } => Found::Unknown(unsupported("snapshots", scheme)),
            Location::S3(location) => match evidence.places.get(location) {
                Some(place) => found(kind, location, place, evidence, as_of),
                None => Found::Unknown(Unknown::new(format!("not asked: the evidence holds nothing about {location}"), "ListObjectsV2")),
            },
        };
        Self { kind, declared: declared.clone(), pinned: false, found }
    }

    /// Job, declared location and kind are what a finding keeps its identity by.
    #[must_use]
    pub fn subject(&self) -> Subject {
        Subject::of_location(&self.declared.value, self.kind.word())
    }

    /// The snapshot that stands for this place: the newest complete one. `None`: there is none.
    ///
    /// # Errors
    ///
    /// The reason why it is not known what lies there.
    pub fn newest(&self) -> Result<Option<&SnapshotView>, Unknown> {
        match &self.found {
            Found::Nowhere | Found::NoBucket(_) => Ok(None),
            Found::Unknown(unknown) => Err(unknown.clone()),
            Found::Snapshots(snapshots) => Ok(snapshots.complete.first()),
        }
    }

    /// Who listed the place, how and when, as the origin of facts.
    #[must_use]
    pub fn origin(&self) -> &str {
        match &self.found {
            Found::Snapshots(snapshots) => &snapshots.origin,
            _ => "not listed",
        }
    }

    /// How many complete snapshots were seen here, those that were not looked into included.
    #[must_use]
    pub fn seen(&self) -> u64 {
        match &self.found {
            Found::Snapshots(snapshots) => snapshots.seen,
            _ => 0,
        }
    }

    /// Folders here that look like snapshots and hold no `_metadata`.
    #[must_use]
    pub fn unfinished(&self) -> &[S3Location] {
        match &self.found {
            Found::Snapshots(snapshots) => &snapshots.unfinished,
            _ => &[],
        }
    }

    /// Everything complete that was found, newest first.
    #[must_use]
    pub fn complete(&self) -> &[SnapshotView] {
        match &self.found {
            Found::Snapshots(snapshots) => &snapshots.complete,
            _ => &[],
        }
    }
}

fn found(kind: SnapshotKind, declared: &S3Location, place: &PlaceEvidence, evidence: &Evidence, as_of: Instant) -> Found {
    let seen = match place.snapshots.known_or_absent() {
        Ok(Some(seen)) => seen,
        Ok(None) => {
            let reason = place.snapshots.known().err().map(|unknown| unknown.reason).unwrap_or_default();
            return Found::NoBucket(reason);
        }
        Err(unknown) => return Found::Unknown(unknown),
    };
    let mut complete: Vec<&SnapshotEvidence> = seen.value.iter().filter(|snapshot| belongs(kind, declared, &snapshot.location)).collect();
    if complete.is_empty() && place.not_looked_into > 0 {
        return Found::Unknown(Unknown::new(
            format!(
                "not asked: of the snapshots below {declared} the newest is no {}, and the older ones ({}) were not looked into",
                kind.word(),
                place.not_looked_into
            ),
            seen.call.clone(),
        ));
    }
    complete.sort_by(|a, b| b.taken_at.cmp(&a.taken_at).then_with(|| a.location.cmp(&b.location)));
    Found::Snapshots(Snapshots {
        seen: place.not_looked_into.saturating_add(super::count(&complete)),
        complete: complete.into_iter().map(|snapshot| SnapshotView::of(snapshot, evidence, as_of)).collect(),
        unfinished: place.unfinished.iter().filter(|folder| belongs(kind, declared, folder)).cloned().collect(),
        hidden: place.hidden.shown().into_iter().flatten().filter(|hidden| belongs(kind, declared, &hidden.location)).cloned().collect(),
        origin: origin(seen),
    })
}

/// A search two levels down from `s3://bucket/flink/` meets the checkpoints of a job and a savepoint folder that happens to lie there: the
/// name tells them apart. A location that is a snapshot itself is taken by its word.
fn belongs(kind: SnapshotKind, declared: &S3Location, folder: &S3Location) -> bool {
    folder == declared || SnapshotKind::of_folder(folder) == kind
}

/// `ListObjectsV2 s3://b/sp/, 2026-09-15 00:00Z`.
fn origin<T>(seen: &Seen<T>) -> String {
    format!("{}, {}", seen.call, seen.at.minute())
}
