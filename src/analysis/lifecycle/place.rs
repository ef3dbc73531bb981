//! What the rules will do to files that Flink writes to a place.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::{
    fate::{Change, Fate, Kind, Source},
    floor::FLOOR,
    object::{Lock, Object},
    simulator::Simulator,
};
use crate::units::{Bytes, Instant};

/// What will happen to a file that is written to a place at some instant, as Flink writes it: in `STANDARD`, without tags, of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceFate {
    /// What happens to every file there that is of a fitting size, earliest first.
    pub changes: Vec<PlaceChange>,
    /// Parts of the place for which the bucket has rules of their own, and in which something else happens. Sorted by prefix.
    ///
    /// Whether Flink writes there is not known from the place alone: `…/savepoint-` holds every savepoint, `…/savepoint-1a2b3c-` only one.
    pub parts: Vec<Part>,
    /// Rules that cover the place, or a part of it, and are not understood.
    pub not_understood: Vec<Source>,
    /// Parts that were not looked into, because the rules of the place are too many and too entangled: what happens there is unknown.
    pub not_looked_into: Vec<String>,
}

/// How many rules are asked for the parts of one place, at most; a few hundred rules with size filters inside each other reach it.
const MOST_QUESTIONS: usize = 2_000_000;

/// A part of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Begins with the place's prefix and is longer.
    pub prefix: String,
    /// Everything that happens to files there, by the rules of the whole place too.
    pub changes: Vec<PlaceChange>,
}

/// A change of files of some sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceChange {
    /// The change.
    pub change: Change,
    /// Which files it happens to.
    pub sizes: Sizes,
}

/// A range of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sizes {
    /// The smallest.
    pub from: Bytes,
    /// The largest; `None`: no limit.
    pub to: Option<Bytes>,
}

impl Sizes {
    /// Every size.
    pub const ALL: Self = Self { from: Bytes(0), to: None };

    /// Whether a file of that size is meant.
    #[must_use]
    pub fn contains(&self, size: Bytes) -> bool {
        size >= self.from && self.to.is_none_or(|to| size <= to)
    }
}

/// `files of any size`, `files of 128.0 KiB (131072 bytes) and more`.
impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = |bytes: Bytes| if bytes.0 < 1024 { bytes.to_string() } else { format!("{bytes} ({} bytes)", bytes.0) };
        match (self.from, self.to) {
            (Bytes(0), None) => f.write_str("files of any size"),
            (from, None) => write!(f, "files of {} and more", exact(from)),
            (Bytes(0), Some(to)) => write!(f, "files of at most {}", exact(to)),
            (from, Some(to)) => write!(f, "files of {} to {}", exact(from), exact(to)),
        }
    }
}

impl PlaceFate {
    /// The first change of a kind that Flink can notice, anywhere in the place but for its parts.
    #[must_use]
    pub fn first(&self, kind: Kind) -> Option<&PlaceChange> {
        self.changes.iter().find(|one| !one.change.noncurrent && one.change.what.kind() == kind)
    }
}

impl Simulator {
    /// What happens to files written at `written_at` to keys that begin with `place`. Give the longest prefix that all of them have:
    /// `savepoints/savepoint-` rather than `savepoints/`.
    #[must_use]
    pub fn place(&self, place: &str, written_at: Instant) -> PlaceFate {
        let (changes, mut not_understood) = self.files(place, written_at);
        let below: BTreeSet<&str> = self.index.below(place).chain(self.tierings.below(place)).collect();
        let mut parts = Vec::new();
        let mut not_looked_into = Vec::new();
        let mut questions: usize = 0;
        for prefix in below {
            questions = questions.saturating_add(self.cuts(prefix).len().saturating_mul(self.index.owners(prefix).count()));
            if questions > MOST_QUESTIONS {
                not_looked_into.push(prefix.to_owned());
                continue;
            }
            let (here, odd) = self.files(prefix, written_at);
            not_understood.extend(odd);
            if here != changes {
                parts.push(Part { prefix: prefix.to_owned(), changes: here });
            }
        }
        not_understood.sort();
        not_understood.dedup();
        PlaceFate { changes, parts, not_understood, not_looked_into }
    }

    /// The fate of files whose keys begin with `prefix` and with no longer prefix of a rule, by size.
    fn files(&self, prefix: &str, written_at: Instant) -> (Vec<PlaceChange>, Vec<Source>) {
        let lock = Lock { until: self.default_retention.map(|period| written_at.plus(period)), legal_hold: false };
        let mut found: Vec<PlaceChange> = Vec::new();
        let mut not_understood = Vec::new();
        // Where each change was found last.
        let mut last: BTreeMap<Change, usize> = BTreeMap::new();
        let mut cuts = self.cuts(prefix).into_iter().peekable();
        while let Some(from) = cuts.next() {
            let to = cuts.peek().map(|next| Bytes(next.saturating_sub(1)));
            let Fate { changes, not_understood: odd } = self.fate(&Object { lock, ..Object::written(prefix, Bytes(from), written_at) });
            not_understood.extend(odd);
            for change in changes {
                // Grows the range of the same change for the sizes just below.
                let below = from.checked_sub(1).map(Bytes);
                let grown = last.get(&change).and_then(|place| found.get_mut(*place));
                if let Some(one) = grown.filter(|one| one.sizes.to.is_some() && one.sizes.to == below) {
                    one.sizes.to = to;
                } else {
                    last.insert(change.clone(), found.len());
                    found.push(PlaceChange { change, sizes: Sizes { from: Bytes(from), to } });
                }
            }
        }
        found.sort_by_key(|one| (one.change.on, one.sizes));
        (found, not_understood)
    }

    /// The sizes at which the fate of files under `prefix` can change.
    fn cuts(&self, prefix: &str) -> BTreeSet<u64> {
        let rules = self.index.owners(prefix).filter_map(|place| self.rules.get(place));
        rules.flat_map(|rule| rule.filter.cuts()).chain([0, FLOOR, self.tierings.cut()]).collect()
    }
}
