//! Which snapshot a restart in the declared way would take.

use super::{PlaceView, SnapshotKind, SnapshotView};
use crate::{
    evidence::Unknown,
    manifest::RestoreFrom,
    units::{Location, S3Location},
};

/// The folder of the snapshot that `from` selects. `None`: from none, or there is none.
///
/// `last-state` is what high availability points to, which is the newest completed checkpoint; its files are not read, so the newest
/// checkpoint that was found stands for it.
pub(super) fn select(from: &RestoreFrom, places: &[PlaceView]) -> Result<Option<S3Location>, Unknown> {
    match from {
        RestoreFrom::None => Ok(None),
        RestoreFrom::Latest => newest(places, |_| true),
        RestoreFrom::Savepoint => newest(places, |kind| kind == SnapshotKind::Savepoint),
        RestoreFrom::Checkpoint | RestoreFrom::LastState => newest(places, |kind| kind == SnapshotKind::Checkpoint),
        RestoreFrom::Location(Location::S3(location)) => match places.iter().find(|place| place.pinned) {
            Some(place) => Ok(place.newest()?.map(|snapshot| snapshot.location.clone())),
            // A declared place is represented by this very snapshot.
            None => Ok(Some(location.clone())),
        },
        RestoreFrom::Location(other) => Err(Unknown::new(format!("unsupported: `restore.from` names {other}, which is not in S3"), "")),
    }
}

/// The newest over all places of a kind; a place that could not be looked into might hold a newer one.
fn newest(places: &[PlaceView], wanted: impl Fn(SnapshotKind) -> bool) -> Result<Option<S3Location>, Unknown> {
    let mut newest: Option<&SnapshotView> = None;
    for place in places.iter().filter(|place| wanted(place.kind)) {
        if let Some(candidate) = place.newest()?
            && newest.is_none_or(|known| candidate.taken_at > known.taken_at)
        {
            newest = Some(candidate);
        }
    }
    Ok(newest.map(|snapshot| snapshot.location.clone()))
}
