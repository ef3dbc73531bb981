//! The reach of a snapshot, each object judged by the bucket that it lies in.

use std::collections::BTreeMap;

use super::{Lack, ObjectView};
use crate::{
    evidence::{Evidence, Fact, SnapshotEvidence, StoreKind, Unknown},
    units::Instant,
};

/// What is known of a snapshot's objects.
pub(super) struct Reach {
    pub(super) objects: Result<Vec<ObjectView>, Unknown>,
    pub(super) lacks: Vec<Lack>,
    pub(super) untold: BTreeMap<Unknown, Vec<String>>,
}

/// The objects of `snapshot`, judged at `as_of`.
pub(super) fn of(snapshot: &SnapshotEvidence, evidence: &Evidence, as_of: Instant) -> Reach {
    let mut reach = Reach { objects: Ok(Vec::new()), lacks: Vec::new(), untold: BTreeMap::new() };
    let seen = match snapshot.objects.known() {
        Ok(seen) => seen,
        Err(unknown) => return Reach { objects: Err(unknown), ..reach },
    };
    if let Err(unknown) = store(evidence, snapshot.location.bucket()) {
        return Reach { objects: Err(unknown), ..reach };
    }
    if seen.value.is_empty() {
        let reason = format!("moving: {} had a _metadata, and no object when it was listed again", snapshot.location);
        return Reach { objects: Err(Unknown::new(reason, seen.call.clone())), ..reach };
    }
    let mut objects = Vec::with_capacity(seen.value.len());
    for object in &seen.value {
        let found = match (&object.found, &object.bucket) {
            (Fact::Seen(found), Some(bucket)) => store(evidence, bucket).map(|store| (store, bucket, &found.value)),
            (Fact::Absent(gap), _) => {
                reach.lacks.push(Lack { uri: object.uri(), min_size: object.min_size, size: None, call: gap.call.clone() });
                continue;
            }
            (other, _) => Err(other.known().err().unwrap_or_else(|| Unknown::new("not asked: the object names no bucket", ""))),
        };
        match found {
            Ok((store, bucket, found)) => {
                if found.size < object.min_size {
                    reach.lacks.push(Lack {
                        uri: object.uri(),
                        min_size: object.min_size,
                        size: Some(found.size),
                        call: object.found.known().map(|seen| seen.call.clone()).unwrap_or_default(),
                    });
                }
                objects.push(ObjectView::of(store, bucket, found, as_of));
            }
            Err(unknown) => reach.untold.entry(unknown).or_default().push(object.uri()),
        }
    }
    reach.objects = Ok(objects);
    reach
}

/// Whose rules hold in a bucket.
pub(super) fn store(evidence: &Evidence, bucket: &str) -> Result<StoreKind, Unknown> {
    let seen = evidence.buckets.get(bucket);
    seen.map(|seen| seen.store.kind)
        .ok_or_else(|| Unknown::new(format!("not asked: the evidence holds nothing about bucket {bucket}"), "HeadBucket"))
}
