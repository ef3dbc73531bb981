//! The simulator of a bucket as it was seen, and the questions that stay open.

use std::sync::Arc;

use super::{
    fate::{Fate, What},
    memo::Fates,
    object::Object,
    place::PlaceFate,
    simulator::Simulator,
};
use crate::{
    evidence::{BucketEvidence, Lifecycle, Unknown},
    units::Instant,
};

/// A bucket's rules, as far as they were seen.
///
/// What was not seen is not guessed: it comes back as a question with each fate that hangs on it, and with no other.
#[derive(Clone, Debug)]
pub struct BucketRules {
    simulator: Simulator,
    lifecycle: Option<Unknown>,
    tiering: Option<Unknown>,
}

/// An answer, and what it leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// What the rules that were seen will do.
    pub fate: T,
    /// What could not be had and matters for this object or place: with one of these the fate is never clean.
    pub open: Vec<Unknown>,
}

/// The class of objects that Intelligent-Tiering configurations act on.
const TIERED: &str = "INTELLIGENT_TIERING";

impl BucketRules {
    /// The rules of a bucket.
    #[must_use]
    pub fn of(bucket: &BucketEvidence) -> Self {
        let empty = Lifecycle::default();
        let lifecycle = bucket.lifecycle.known_or_absent();
        let tiering = bucket.intelligent_tiering.known_or_absent();
        let simulator = Simulator::new(
            lifecycle.as_ref().ok().copied().flatten().map_or(&empty, |seen| &seen.value),
            tiering.as_ref().ok().copied().flatten().map_or(&[], |seen| seen.value.as_slice()),
            bucket.versioning.shown(),
            bucket.object_lock.shown(),
            &bucket.store,
        );
        Self { simulator, lifecycle: lifecycle.err(), tiering: tiering.err() }
    }

    /// The simulator of what was seen.
    #[must_use]
    pub const fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Why the bucket's lifecycle rules are not known, if they are not. It concerns every object and place of the bucket alike.
    #[must_use]
    pub const fn lifecycle_unknown(&self) -> Option<&Unknown> {
        self.lifecycle.as_ref()
    }

    /// What will happen to an object.
    #[must_use]
    pub fn fate(&self, object: &Object<'_>) -> Answer<Fate> {
        let fate = self.simulator.fate(object);
        let open = self.open_for(object, &fate);
        Answer { fate, open }
    }

    /// The same for one of many objects: `known` remembers the fates of those that the rules cannot tell apart.
    #[must_use]
    pub fn fate_among(&self, known: &mut Fates, object: &Object<'_>) -> Answer<Arc<Fate>> {
        let fate = known.of(&self.simulator, object);
        let open = self.open_for(object, &fate);
        Answer { fate, open }
    }

    fn open_for(&self, object: &Object<'_>, fate: &Fate) -> Vec<Unknown> {
        let tiered = object.class == Some(TIERED) || fate.changes.iter().any(|change| leads_to_tiering(&change.what));
        self.open(tiered && self.simulator.tierings.monitors(object.size))
    }

    /// What will happen to files that are written to a place; see [`Simulator::place`].
    #[must_use]
    pub fn place(&self, place: &str, written_at: Instant) -> Answer<PlaceFate> {
        let fate = self.simulator.place(place, written_at);
        let changes = fate.changes.iter().chain(fate.parts.iter().flat_map(|part| &part.changes));
        let tiered = changes
            .filter(|one| leads_to_tiering(&one.change.what))
            .any(|one| one.sizes.to.is_none_or(|to| self.simulator.tierings.monitors(to)));
        let open = self.open(tiered);
        Answer { fate, open }
    }

    /// Lifecycle rules matter for everything; Intelligent-Tiering configurations for what is in that class or goes there.
    fn open(&self, tiered: bool) -> Vec<Unknown> {
        self.lifecycle.iter().chain(self.tiering.iter().filter(|_| tiered)).cloned().collect()
    }
}

fn leads_to_tiering(what: &What) -> bool {
    matches!(what, What::Moved { class, .. } if **class == *TIERED)
}
