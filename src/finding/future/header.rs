//! S3's own word on when an object expires, against what its rules were computed to do.

use crate::{
    analysis::{
        lifecycle::{BucketRules, Change, Kind},
        snapshots::{ObjectView, PlaceView, SnapshotView},
    },
    evidence::{BucketEvidence, HeadExpiration, StoreKind},
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
};

/// The finding about the first object of a snapshot whose `x-amz-expiration` says something else than the bucket's rules. One of the two
/// is wrong, or the configuration was changed and has not spread yet. `None`: they agree, or there is nothing to compare.
#[must_use]
pub fn disagreement(bucket: &BucketEvidence, place: &PlaceView, snapshot: &SnapshotView) -> Option<Finding> {
    let rules = BucketRules::of(bucket);
    if rules.lifecycle_unknown().is_some() {
        return None;
    }
    let mut own = snapshot.objects.as_ref().ok()?.iter().filter(|object| object.bucket == snapshot.location.bucket());
    own.find_map(|object| {
        let told = object.expires.as_ref().ok()?.as_ref();
        let fate = rules.fate(&object.to_rules()).fate;
        let computed = fate.first(Kind::Gone);
        disagrees(told, computed, bucket.store.kind).then(|| finding(place, object, told, computed))
    })
}

/// What may happen agrees with everything; a store that is not AWS may leave the header out.
fn disagrees(told: Option<&HeadExpiration>, computed: Option<&Change>, store: StoreKind) -> bool {
    match (told, computed) {
        (_, Some(change)) if !change.is_certain() => false,
        (Some(told), Some(change)) => told.on < change.on || change.on_at_the_latest().is_some_and(|latest| told.on > latest),
        (Some(_), None) => true,
        (None, Some(_)) => store == StoreKind::Aws,
        (None, None) => false,
    }
}

fn finding(place: &PlaceView, object: &ObjectView, told: Option<&HeadExpiration>, computed: Option<&Change>) -> Finding {
    let said = told.map_or_else(|| "that no rule deletes it".to_owned(), |told| format!("{}, by rule {}", told.on.day(), told.rule));
    let found = computed.map_or_else(|| "no rule deletes it".to_owned(), |change| format!("{}, by {}", change.on.day(), change.by));
    let facts = vec![
        ShownFact::new("x-amz-expiration", Amount::Text(said.clone()), format!("HeadObject of {}", object.uri())),
        ShownFact::new("computed", Amount::Text(found.clone()), "GetBucketLifecycleConfiguration, and last modified of the object"),
    ];
    Finding {
        severity: Severity::Warning,
        message: format!(
            "S3 says of {} that it expires: {said}; computed from the bucket's rules: {found}. One of the two is wrong: the earlier day is \
             the one to plan for.",
            object.uri()
        ),
        facts,
        bites_on: told.map(|told| told.on).into_iter().chain(computed.map(|change| change.on)).min(),
        remedy: vec![Remedy::say(
            "Collect again after some minutes: a changed lifecycle configuration takes a while to spread. If they still differ, tell the \
             authors of this program, with the bucket's rules and the object's size, tags and last-modified.",
        )],
        position: place.declared.position,
    }
}
