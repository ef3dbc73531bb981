//! What the buckets' rules will do, as a report shows it.

use super::{FirstChange, PlaceReport, Verdict};
use crate::{
    analysis::{
        lifecycle::Change,
        places::{Future, SnapshotOutlook},
    },
    finding::Subject,
    units::S3Location,
};

/// A change as a report shows it.
fn shown(change: &Change) -> FirstChange {
    FirstChange { on: change.on, what: change.what.to_string(), rule: change.by.to_string(), certain: change.is_certain() }
}

/// Every declared place.
pub(super) fn places(future: &Future, verdict: impl Fn(&str) -> Verdict) -> Vec<PlaceReport> {
    let report = |place: &crate::analysis::places::PlaceOutlook| {
        let first = place.first_changes().map(|hit| &hit.change.change).min();
        PlaceReport {
            location: place.declared.value.to_string(),
            kind: place.kind.word().to_owned(),
            first_change: first.map(shown),
            open: place.open().map(|unknown| unknown.reason.clone()),
            verdict: match verdict(&place.subject().text) {
                // What is not known of a place may be said of the snapshots in it, where it is the same reason.
                Verdict::Pass if place.open().is_some() => verdict(&Subject::of_location(&place.declared.value, place.kind.word()).text),
                verdict => verdict,
            },
        }
    };
    future.places.iter().map(report).collect()
}

/// The first change of a snapshot, and why it is not known.
pub(super) fn of_snapshot(future: &Future, location: &S3Location) -> (Option<FirstChange>, Option<String>) {
    let seen = future.snapshots.iter().find(|seen| seen.location == *location);
    let first = seen.and_then(|seen| seen.first.as_ref()).map(shown);
    (first, seen.and_then(SnapshotOutlook::open).map(|unknown| unknown.reason.clone()))
}
