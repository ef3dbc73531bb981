//! The snapshots that are there however the job is stopped.

use super::{Ground, eligible};
use crate::{analysis::snapshots::SnapshotKind, evidence::Unknown, units::S3Location};

/// A snapshot that can be restored, and that the declared stop does not delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Durable {
    /// Its kind.
    pub kind: SnapshotKind,
    /// Its folder.
    pub location: S3Location,
    /// What stands open about that.
    pub open: Vec<Unknown>,
}

/// The newest of each place, newest first.
pub(super) fn all(ground: &Ground<'_>) -> Vec<Durable> {
    let Some(recovery) = &ground.job.recovery else { return Vec::new() };
    let mut newest: Vec<_> = ground.recovery.places.iter().filter_map(|place| Some((place.kind, place.complete().first()?))).collect();
    newest.sort_by_key(|(_, snapshot)| std::cmp::Reverse(snapshot.taken_at));
    newest
        .into_iter()
        .filter_map(|(kind, snapshot)| match eligible::check(ground, recovery, kind, snapshot) {
            eligible::Eligible::Yes(open) => Some(Durable { kind, location: snapshot.location.clone(), open }),
            eligible::Eligible::No(_) => None,
        })
        .collect()
}
