//! The recovery places that a manifest declares, and which files Flink writes where in them.

use super::{
    limit::{Limit, Times},
    outlook::{Files, PlaceKind},
};
use crate::{
    analysis::snapshots::{RecoveryView, SnapshotKind},
    manifest::{At, Manifest, Platform},
    units::{Location, S3Location},
};

/// A declared place.
pub(super) struct Declared {
    pub(super) kind: PlaceKind,
    pub(super) at: At<Location>,
    pub(super) parts: Vec<Part>,
}

/// Files of a place that are needed for the same time.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) files: Files,
    /// The longest prefix that the keys of all of them have.
    pub(super) prefix: String,
    pub(super) limit: Limit,
}

/// Every declared place to which files are written, each once, in the order of the manifest.
pub(super) fn places(job: &Manifest, recovery: &RecoveryView, times: &Times) -> Vec<Declared> {
    let mut places: Vec<Declared> = Vec::new();
    for place in recovery.places.iter().filter(|place| !place.pinned) {
        let parts = match (place.kind, place.declared.value.s3()) {
            (_, None) => Vec::new(),
            // A snapshot that is declared itself: nothing is written there any more.
            (_, Some(location)) if place.complete().iter().any(|snapshot| snapshot.location == *location) => continue,
            (SnapshotKind::Savepoint, Some(location)) => {
                vec![Part { files: Files::Savepoints, prefix: savepoints(job, location), limit: times.horizon() }]
            }
            (SnapshotKind::Checkpoint, Some(location)) => {
                let newest = place.complete().first().map(|snapshot| &snapshot.location);
                checkpoints(location, newest, times)
            }
        };
        let kind = match place.kind {
            SnapshotKind::Savepoint => PlaceKind::Savepoint,
            SnapshotKind::Checkpoint => PlaceKind::Checkpoint,
        };
        places.push(Declared { kind, at: place.declared.clone(), parts });
    }
    let others = job.recovery.iter().flat_map(|recovery| {
        [
            (PlaceKind::HighAvailability, Files::HighAvailability, &recovery.high_availability),
            (PlaceKind::Changelog, Files::Changelog, &recovery.changelog),
        ]
    });
    for (kind, files, declared) in others {
        let Some(at) = declared else { continue };
        let parts = at.value.s3().map(|location| Part { files, prefix: location.prefix(), limit: times.horizon() });
        places.push(Declared { kind, at: at.clone(), parts: parts.into_iter().collect() });
    }
    places
}

/// Flink itself names every savepoint `savepoint-<first 6 digits of the job id>-<random>`; services that wrap it choose other names.
fn savepoints(job: &Manifest, location: &S3Location) -> String {
    match job.flink.platform {
        Platform::SelfManaged | Platform::KubernetesOperator => format!("{}savepoint-", location.prefix()),
        Platform::ManagedFlink | Platform::Ververica | Platform::Other => location.prefix(),
    }
}

/// `<location>/<job id>/` with `chk-<n>/`, `shared/` and `taskowned/`. The job id is taken from the newest checkpoint; where there is none,
/// the location stands for all of them.
fn checkpoints(location: &S3Location, newest: Option<&S3Location>, times: &Times) -> Vec<Part> {
    let of_job = newest.and_then(|newest| newest.key().rsplit_once('/')).map(|(parent, _)| S3Location::new(location.bucket(), parent));
    let below = |name: &str| of_job.as_ref().map_or_else(|| location.prefix(), |folder| format!("{}{name}", folder.prefix()));
    let mut parts = vec![Part { files: Files::Exclusive, prefix: below("chk-"), limit: times.renewed() }];
    if let Some(limit) = times.shared() {
        if of_job.is_some() {
            parts.push(Part { files: Files::TaskOwned, prefix: below("taskowned/"), limit: limit.clone() });
        }
        parts.push(Part { files: Files::Shared, prefix: below("shared/"), limit });
    }
    parts
}
