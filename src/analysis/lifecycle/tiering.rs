//! The archive tiers of Intelligent-Tiering.

use std::sync::Arc;

use super::{
    fate::{Doubt, Source},
    filter::{Filter, Match},
    floor::FLOOR,
    index::PrefixIndex,
    object::Object,
};
use crate::{
    evidence::{RuleStatus, StoreKind, TieringConfiguration},
    units::Bytes,
};

/// A bucket's Intelligent-Tiering configurations. They act on objects in `INTELLIGENT_TIERING` only.
#[derive(Clone, Debug)]
pub(super) struct Tierings {
    configurations: Vec<Configuration>,
    index: PrefixIndex,
    /// Objects below this size are never monitored.
    smallest: u64,
}

#[derive(Clone, Debug)]
struct Configuration {
    source: Source,
    understood: bool,
    filter: Filter,
    tiers: Vec<Tier>,
}

/// One archive tier that is switched on.
#[derive(Clone, Debug)]
pub(super) struct Tier {
    pub(super) name: Arc<str>,
    /// Days without access.
    pub(super) days: u32,
    /// Deeper is larger; `None`: this version does not know it.
    pub(super) depth: Option<u8>,
}

/// An archive tier that covers an object.
#[derive(Clone, Debug)]
pub(super) struct Clock<'a> {
    pub(super) source: &'a Source,
    pub(super) tier: &'a Tier,
    pub(super) doubts: Vec<Doubt>,
}

/// How deep an archive tier is.
pub(super) fn depth(tier: &str) -> Option<u8> {
    match tier {
        "ARCHIVE_ACCESS" => Some(1),
        "DEEP_ARCHIVE_ACCESS" => Some(2),
        _ => None,
    }
}

impl Tierings {
    pub(super) fn of(configurations: &[TieringConfiguration], store: StoreKind) -> Self {
        let mut compiled = Vec::new();
        let mut prefixes = Vec::new();
        for (index, configuration) in configurations.iter().enumerate().filter(|(_, one)| one.status != RuleStatus::Disabled) {
            prefixes.push((configuration.prefix.as_deref().unwrap_or_default(), compiled.len()));
            compiled.push(Configuration {
                source: Source::Tiering { index, id: Arc::from(configuration.id.as_str()) },
                understood: configuration.status == RuleStatus::Enabled,
                filter: Filter::by_tags(configuration.tags.clone()),
                tiers: configuration
                    .tierings
                    .iter()
                    .map(|tiering| Tier {
                        name: Arc::from(tiering.access_tier.as_str()),
                        days: tiering.days,
                        depth: depth(&tiering.access_tier),
                    })
                    .collect(),
            });
        }
        Self { configurations: compiled, index: PrefixIndex::new(prefixes), smallest: if store == StoreKind::Aws { FLOOR } else { 0 } }
    }

    /// The archive tiers that an object of `INTELLIGENT_TIERING` goes to if it is not read, in the order of the configurations.
    pub(super) fn clocks(&self, object: &Object<'_>) -> Vec<Clock<'_>> {
        if !self.monitors(object.size) {
            return Vec::new();
        }
        let mut clocks = Vec::new();
        for configuration in self.index.owners(object.key).filter_map(|place| self.configurations.get(place)) {
            let mut doubts = Vec::new();
            match configuration.filter.fits(object.size.0, object.tags) {
                Match::No => continue,
                Match::May => doubts.push(Doubt::Tags(configuration.source.clone())),
                Match::Yes => {}
            }
            if !configuration.understood {
                doubts.push(Doubt::Status(configuration.source.clone()));
            }
            for tier in &configuration.tiers {
                let mut doubts = doubts.clone();
                if tier.depth.is_none() {
                    doubts.push(Doubt::Tier(Arc::clone(&tier.name)));
                }
                clocks.push(Clock { source: &configuration.source, tier, doubts });
            }
        }
        clocks.sort_by_key(|clock| (clock.tier.depth, clock.source.index()));
        clocks
    }

    /// Whether an object of that size is monitored, so that it can reach an archive tier.
    pub(super) const fn monitors(&self, size: Bytes) -> bool {
        size.0 >= self.smallest
    }

    /// The size at which the answer changes.
    pub(super) const fn cut(&self) -> u64 {
        self.smallest
    }

    /// Whether there is no configuration in force.
    pub(super) const fn is_empty(&self) -> bool {
        self.configurations.is_empty()
    }

    /// See [`PrefixIndex::longest`].
    pub(super) fn longest(&self, key: &str) -> Option<usize> {
        self.index.longest(key)
    }

    /// The prefixes longer than `place` that begin with it.
    pub(super) fn below<'a>(&'a self, place: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.index.below(place)
    }
}
