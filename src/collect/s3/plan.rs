//! What S3 is asked: which buckets and which places, taken from the manifests alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    audit::Audit,
    manifest::{Manifest, RestoreFrom},
    units::S3Location,
};

/// What S3 is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Every declared place, by bucket.
    pub buckets: BTreeMap<String, BTreeMap<S3Location, Wanted>>,
}

/// What is looked for at a place. One location can be declared for several purposes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Snapshots: savepoints, checkpoints, or the one to restore from.
    pub snapshots: bool,
    /// All files together: high availability, changelog, file sinks.
    pub files: bool,
}

impl Plan {
    /// What the jobs of `audit` declare.
    #[must_use]
    pub fn of(audit: &Audit) -> Self {
        let mut plan = Self::default();
        for job in &audit.jobs {
            plan.add(job);
        }
        plan
    }

    fn add(&mut self, job: &Manifest) {
        let sinks = job.sinks.iter().filter_map(|sink| sink.location.as_ref()).map(|at| &at.value);
        let recovery = job.recovery.as_ref();
        let files =
            recovery.into_iter().flat_map(|recovery| [&recovery.high_availability, &recovery.changelog]).flatten().map(|at| &at.value);
        for location in files.chain(sinks).filter_map(|location| location.s3()) {
            self.wanted(location).files = true;
        }
        let Some(recovery) = recovery else { return };
        let checkpoints = recovery.checkpoints.as_ref().and_then(|checkpoints| checkpoints.location.as_ref()).map(|at| &at.value);
        let restored = match &recovery.restore.from {
            RestoreFrom::Location(location) => Some(location),
            _ => None,
        };
        let savepoints = recovery.savepoints.iter().map(|at| &at.value);
        for location in savepoints.chain(checkpoints).chain(restored).filter_map(|location| location.s3()) {
            self.wanted(location).snapshots = true;
        }
    }

    fn wanted(&mut self, location: &S3Location) -> &mut Wanted {
        self.buckets.entry(location.bucket().to_owned()).or_default().entry(location.clone()).or_default()
    }
}

/// The folders whose sub-folders a remedy has to know so that it can name everything *beside* the places: the bucket itself (the empty
/// text) and every folder on the way to a place.
pub(super) fn folders_above<'a>(places: impl Iterator<Item = &'a S3Location>) -> BTreeSet<String> {
    let mut above = BTreeSet::from([String::new()]);
    for place in places {
        above.extend(place.key().match_indices('/').filter_map(|(at, _)| place.key().get(..=at)).map(str::to_owned));
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_a_place_is_seen_from_every_folder_above_it() {
        let places = [S3Location::new("b", "flink/prod/savepoints"), S3Location::new("b", "flink/ha"), S3Location::new("b", "")];
        assert_eq!(folders_above(places.iter()), BTreeSet::from([String::new(), "flink/".to_owned(), "flink/prod/".to_owned()]));
    }
}
