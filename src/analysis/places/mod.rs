//! Where a job's recovery files lie, and what the buckets' rules will do to them: to files that Flink writes there from now on
//! ([`PlaceOutlook`]) and to the objects of the snapshots that are there ([`SnapshotOutlook`]).
//!
//! A place is judged for a file written at as-of, so it is judged even if it is empty today.

mod declared;
mod limit;
mod outlook;
pub mod remedy;
mod snapshot;

pub use limit::Limit;
pub use outlook::{Answer, Files, PartOutlook, PlaceHit, PlaceKind, PlaceOutlook};
pub use snapshot::{Hits, SnapshotOutlook};

use std::{collections::BTreeMap, sync::Arc};

use super::{
    lifecycle::{self, BucketRules, Fate, Fates},
    snapshots::{ObjectView, RecoveryView},
};
use crate::{
    evidence::{Evidence, Unknown},
    manifest::Manifest,
    policy::Policy,
    units::Instant,
};

/// What will happen to a job's recovery files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Future {
    /// One for each declared place, in the order of the manifest.
    pub places: Vec<PlaceOutlook>,
    /// One for each snapshot that stands for its place or that a restart would take.
    pub snapshots: Vec<SnapshotOutlook>,
}

impl Future {
    /// What will happen to the recovery files that `job` declares, as seen at `as_of`.
    #[must_use]
    pub fn of(job: &Manifest, recovery: &RecoveryView, evidence: &Evidence, policy: &Policy, as_of: Instant) -> Self {
        let mut rules = Rules { evidence, compiled: BTreeMap::new() };
        let times = limit::Times::of(job, recovery, policy, as_of);
        let places = declared::places(job, recovery, &times).into_iter().map(|place| place.outlook(&mut rules, as_of)).collect();
        let mut snapshots = Vec::new();
        for place in &recovery.places {
            for (number, snapshot) in place.complete().iter().enumerate() {
                if number == 0 || recovery.selects(&snapshot.location) {
                    snapshots.push(SnapshotOutlook::of(place, snapshot, &mut rules, &times));
                }
            }
        }
        Self { places, snapshots }
    }
}

/// The rules of the buckets, each compiled once.
struct Rules<'a> {
    evidence: &'a Evidence,
    compiled: BTreeMap<String, Result<(BucketRules, Fates), Unknown>>,
}

impl Rules<'_> {
    /// The rules of a bucket; an error where its lifecycle is not known, the same for all that lies in it.
    fn of(&mut self, bucket: &str) -> Result<&mut (BucketRules, Fates), Unknown> {
        let evidence = self.evidence;
        if !self.compiled.contains_key(bucket) {
            self.compiled.insert(bucket.to_owned(), compile(evidence, bucket));
        }
        self.compiled.get_mut(bucket).map_or_else(|| Err(not_asked(bucket)), |known| known.as_mut().map_err(|unknown| unknown.clone()))
    }

    /// What will happen to an object.
    fn fate(&mut self, object: &ObjectView) -> Result<lifecycle::Answer<Arc<Fate>>, Unknown> {
        let (rules, fates) = self.of(&object.bucket)?;
        Ok(rules.fate_among(fates, &object.to_rules()))
    }
}

fn compile(evidence: &Evidence, bucket: &str) -> Result<(BucketRules, Fates), Unknown> {
    let rules = BucketRules::of(evidence.buckets.get(bucket).ok_or_else(|| not_asked(bucket))?);
    match rules.lifecycle_unknown().cloned() {
        Some(unknown) => Err(unknown),
        None => Ok((rules, Fates::default())),
    }
}

fn not_asked(bucket: &str) -> Unknown {
    Unknown::new(format!("not asked: the evidence holds nothing about bucket {bucket}"), "GetBucketLifecycleConfiguration")
}
