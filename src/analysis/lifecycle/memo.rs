//! Fates that were computed before.
//!
//! A rule looks at little of an object: which rules' prefixes its key begins with, on which side of each size it lies, its class, and the
//! day of its last modification. Objects that agree in these have one fate, and a bucket of a million objects has few kinds of them.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{
    due::{is_open, midnight, ms},
    fate::Fate,
    floor::FLOOR,
    object::{Lock, Object, Tags, Version},
    simulator::Simulator,
};

/// How many fates are remembered; beyond that all are forgotten, so that memory stays bounded whatever the objects are.
const MOST: usize = 16_384;

/// Remembers the fates of objects of one bucket.
#[derive(Clone, Debug, Default)]
pub struct Fates {
    known: HashMap<Kind, Arc<Fate>>,
    /// The sizes at which some rule's answer changes; made at the first question.
    cuts: Option<Vec<u64>>,
}

/// All that the rules see of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kind {
    /// The longest prefix of a rule, and of an Intelligent-Tiering configuration, that the key begins with.
    prefixes: (Option<usize>, Option<usize>),
    /// How many of the cuts are not above its size.
    band: usize,
    class: Option<String>,
    tags_known: bool,
    /// The midnight up to which its age is rounded, and whether S3 leaves the day open.
    day: (i64, bool),
}

impl Fates {
    /// What `simulator.fate(object)` says. Ask one simulator only.
    #[must_use]
    pub fn of(&mut self, simulator: &Simulator, object: &Object<'_>) -> Arc<Fate> {
        let Some(kind) = self.kind(simulator, object) else { return Arc::new(simulator.fate(object)) };
        if let Some(fate) = self.known.get(&kind) {
            return Arc::clone(fate);
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let fate = Arc::new(simulator.fate(object));
        self.known.insert(kind, Arc::clone(&fate));
        fate
    }

    /// `None`: something else matters, so it is computed each time: tags of its own, a lock, another version, or a clock that counts from
    /// the very second of its last modification.
    fn kind(&mut self, simulator: &Simulator, object: &Object<'_>) -> Option<Kind> {
        let clocked = object.class == Some("INTELLIGENT_TIERING") && !simulator.tierings.is_empty();
        let plain = object.version == Version::Current && object.archive_tier.is_none() && object.lock == Lock::default();
        if clocked || !plain || matches!(object.tags, Tags::Known(tags) if !tags.is_empty()) {
            return None;
        }
        let cuts = self.cuts.get_or_insert_with(|| {
            let rules = simulator.rules.iter().flat_map(|rule| rule.filter.cuts());
            let all: BTreeSet<u64> = rules.chain([FLOOR, simulator.tierings.cut()]).collect();
            all.into_iter().collect()
        });
        let since = ms(object.last_modified);
        Some(Kind {
            prefixes: (simulator.index.longest(object.key), simulator.tierings.longest(object.key)),
            band: cuts.partition_point(|cut| *cut <= object.size.0),
            class: object.class.map(str::to_owned),
            tags_known: object.tags != Tags::NotKnown,
            day: (midnight(since), is_open(since)),
        })
    }
}
