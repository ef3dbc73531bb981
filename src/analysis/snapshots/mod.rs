//! The snapshots of a job: which there are, which one a restart takes, and whether they can be read now.
//!
//! An object is judged by itself ([`ObjectView`]), wherever the list that names it came from.

mod archive;
pub mod cause;
mod object;
pub mod operators;
mod place;
mod reach;
pub mod remedy;
mod selection;
mod snapshot;
pub mod stored;
pub mod words;

pub use archive::Archive;
pub use object::{ObjectState, ObjectView, TIERING_FLOOR};
pub use place::{Found, PlaceView, Snapshots, unsupported};
pub use snapshot::{Lack, Readable, SnapshotKind, SnapshotView, count};

use crate::{
    evidence::{Evidence, Unknown},
    manifest::{At, Manifest, Recovery, RestoreFrom},
    units::{Instant, Location, S3Location},
};

/// What a job's `recovery` block amounts to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecoveryView {
    /// One entry for each declared location and kind, in the order of the manifest; a location in two spellings is one.
    pub places: Vec<PlaceView>,
    /// The snapshot that a restart in the declared way would take. `Ok(None)`: from none, or there is none.
    pub selected: Option<Result<Option<S3Location>, Unknown>>,
}

impl RecoveryView {
    /// What `job` declares and `evidence` holds, judged at `as_of`.
    #[must_use]
    pub fn of(job: &Manifest, evidence: &Evidence, as_of: Instant) -> Self {
        let Some(recovery) = &job.recovery else { return Self::default() };
        let mut places: Vec<PlaceView> =
            declared(recovery).iter().map(|(kind, location)| PlaceView::of(*kind, location, evidence, as_of)).collect();
        if let Some(pinned) = pinned(recovery, &places) {
            let kind = pinned.value.s3().map_or(SnapshotKind::Savepoint, SnapshotKind::of_folder);
            places.push(PlaceView::of(kind, &pinned, evidence, as_of));
        }
        if let RestoreFrom::Location(location) = &recovery.restore.from {
            for place in places.iter_mut().filter(|place| place.declared.value == *location) {
                place.pinned = true;
            }
        }
        let selected = Some(selection::select(&recovery.restore.from, &places));
        Self { places, selected }
    }

    /// The snapshot that a restart in the declared way would take, with its place. `None`: from none, or there is none.
    ///
    /// # Errors
    ///
    /// The reason why it is not known which one.
    pub fn selected(&self) -> Result<Option<(&PlaceView, &SnapshotView)>, Unknown> {
        let Some(selected) = &self.selected else { return Ok(None) };
        let Some(folder) = selected.as_ref().map_err(Unknown::clone)? else { return Ok(None) };
        Ok(self.places.iter().find_map(|place| Some((place, place.complete().iter().find(|snapshot| snapshot.location == *folder)?))))
    }

    /// As [`RecoveryView::selected`], for what cannot do without a declared way of restarting.
    ///
    /// # Errors
    ///
    /// The manifest declares none, or it is not known which snapshot it selects.
    pub fn restarted_from(&self, job: &Manifest) -> Result<Option<(&PlaceView, &SnapshotView)>, Unknown> {
        match &self.selected {
            Some(_) => self.selected(),
            None => {
                Err(Unknown::new(format!("not stated: from which snapshot job {} is restarted (no `recovery` block)", job.job.value), ""))
            }
        }
    }

    /// Whether a restart in the declared way would take the snapshot in this folder.
    #[must_use]
    pub fn selects(&self, folder: &S3Location) -> bool {
        matches!(&self.selected, Some(Ok(Some(selected))) if selected == folder)
    }
}

/// Every declared location of snapshots, each once.
fn declared(recovery: &Recovery) -> Vec<(SnapshotKind, At<Location>)> {
    let mut all: Vec<(SnapshotKind, At<Location>)> = Vec::new();
    let savepoints = recovery.savepoints.iter().map(|location| (SnapshotKind::Savepoint, location));
    let locations = recovery.checkpoints.iter().filter_map(|checkpoints| checkpoints.location.as_ref());
    let checkpoints = locations.map(|location| (SnapshotKind::Checkpoint, location));
    for (kind, location) in checkpoints.chain(savepoints) {
        if !all.iter().any(|(known, at)| *known == kind && at.value == location.value) {
            all.push((kind, location.clone()));
        }
    }
    all
}

/// The snapshot that `restore.from` names, if no declared place is already represented by it.
fn pinned(recovery: &Recovery, places: &[PlaceView]) -> Option<At<Location>> {
    let RestoreFrom::Location(location) = &recovery.restore.from else { return None };
    let represented = places.iter().any(|place| {
        place.declared.value == *location || place.complete().first().is_some_and(|newest| Some(&newest.location) == location.s3())
    });
    let position = recovery.restore.position.unwrap_or(recovery.position);
    (!represented).then(|| At { value: location.clone(), position })
}
