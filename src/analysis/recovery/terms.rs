//! The dates at which files that a restart needs may go.

use std::collections::BTreeMap;

use super::Ground;
use crate::{
    analysis::{
        lifecycle::{BucketRules, Change, Kind},
        snapshots::SnapshotView,
    },
    evidence::Unknown,
    manifest::Recovery,
    units::Instant,
};

/// A date, and what happens then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LossTerm {
    /// What it is about.
    pub about: About,
    /// The date.
    pub at: Instant,
    /// What happens then, or may.
    pub because: String,
    /// Whether the next checkpoint of a running job moves it on: not where files are needed that checkpoints share, or that are written once.
    pub moves: bool,
}

/// What a term is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Files of the snapshot, or of high availability.
    Files,
    /// Records in a topic.
    Records,
    /// Open transactions of a sink.
    Transactions,
}

/// The first day on which an object of the snapshot may be deleted or archived, or loses its restored copy.
pub(super) fn of_files(ground: &Ground<'_>, snapshot: &SnapshotView, terms: &mut Vec<LossTerm>, open: &mut Vec<Unknown>) {
    if let Some(until) = snapshot.readable_until() {
        terms.push(LossTerm {
            about: About::Files,
            at: until,
            because: "the restored copies of its archived files end then".to_owned(),
            moves: true,
        });
    }
    let mut buckets: BTreeMap<&str, BucketRules> = BTreeMap::new();
    let own = snapshot.location.prefix();
    let mut first: Option<(Change, bool)> = None;
    for object in snapshot.objects.iter().flatten() {
        let Some(bucket) = ground.evidence.buckets.get(&object.bucket) else { continue };
        let rules = buckets.entry(object.bucket.as_str()).or_insert_with(|| BucketRules::of(bucket));
        let answer = rules.fate(&object.to_rules());
        for unknown in answer.open {
            if !open.contains(&unknown) {
                open.push(unknown);
            }
        }
        let change = [Kind::Gone, Kind::Archived].into_iter().filter_map(|kind| answer.fate.first(kind)).min_by_key(|change| change.on);
        if let Some(change) = change
            && first.as_ref().is_none_or(|(known, _)| change.on < known.on)
        {
            let exclusive = object.bucket == snapshot.location.bucket() && object.key.starts_with(&own);
            first = Some((change.clone(), exclusive));
        }
    }
    terms.extend(first.map(|(change, exclusive)| LossTerm {
        about: About::Files,
        at: change.on,
        because: format!("its files may be {} then, by {}", change.what, change.by),
        moves: exclusive,
    }));
}

/// The first day on which the high-availability files may go.
///
/// # Errors
///
/// Why there is no high availability.
pub(super) fn of_high_availability(
    ground: &Ground<'_>,
    recovery: &Recovery,
    terms: &mut Vec<LossTerm>,
    open: &mut Vec<Unknown>,
) -> Result<(), String> {
    let Some(declared) = &recovery.high_availability else {
        return Err("`last-state` needs high availability, and none is declared: nothing says which checkpoint was the last".to_owned());
    };
    let Some(location) = declared.value.s3() else {
        open.push(Unknown::new(format!("unsupported: high-availability files at {}", declared.value), ""));
        return Ok(());
    };
    let Some(bucket) = ground.evidence.buckets.get(location.bucket()) else {
        open.push(Unknown::new(format!("not asked: the evidence holds nothing about bucket {}", location.bucket()), "HeadBucket"));
        return Ok(());
    };
    let files = ground.evidence.places.get(location).and_then(|place| place.files.shown());
    let oldest = files.and_then(|files| files.oldest).unwrap_or(ground.as_of.at);
    let answer = BucketRules::of(bucket).place(&location.prefix(), oldest);
    open.extend(answer.open);
    let change = [Kind::Gone, Kind::Archived].into_iter().filter_map(|kind| answer.fate.first(kind)).min_by_key(|one| one.change.on);
    terms.extend(change.map(|one| LossTerm {
        about: About::Files,
        at: one.change.on,
        because: format!("high-availability files may be {} then, by {}", one.change.what, one.change.by),
        moves: false,
    }));
    Ok(())
}
