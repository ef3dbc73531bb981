//! A bucket's rules, compiled for many questions.

use std::sync::Arc;

use super::{
    class::{Class, Names},
    fate::{Fate, Removal, Source},
    filter::{Filter, Match},
    floor::Floor,
    index::PrefixIndex,
    object::Object,
    simulate::fate,
    tiering::Tierings,
};
use crate::{
    evidence::{
        Expiration, Lifecycle, LifecycleRule, ObjectLock, RuleStatus, Store, StoreKind, TieringConfiguration, Versioning, VersioningStatus,
        When,
    },
    units::Millis,
};

/// A bucket's rules, compiled once and asked for each object. Pure: no clock, no horizon.
#[derive(Clone, Debug)]
pub struct Simulator {
    pub(super) store: StoreKind,
    pub(super) rules: Vec<Rule>,
    pub(super) index: PrefixIndex,
    pub(super) names: Names,
    pub(super) floor: Floor,
    pub(super) removal: Removal,
    pub(super) tierings: Tierings,
    /// Lifecycle does nothing: deleting needs a second factor there.
    pub(super) held_by_mfa_delete: bool,
    /// How long Object Lock retains a new object.
    pub(super) default_retention: Option<Millis>,
}

/// A rule that is not disabled, without its prefix, which is in the index.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) source: Source,
    /// Whether its status is one that this program knows.
    pub(super) understood: bool,
    pub(super) filter: Filter,
    pub(super) current: Vec<Action>,
    pub(super) noncurrent: Vec<OldAction>,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Move(Class),
    Remove,
}

/// An action on current versions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Action {
    pub(super) when: When,
    pub(super) act: Act,
}

/// An action on noncurrent versions.
#[derive(Clone, Copy, Debug)]
pub(super) struct OldAction {
    pub(super) days: u32,
    /// That many newer noncurrent versions are left alone.
    pub(super) keeps: u32,
    pub(super) act: Act,
}

impl Simulator {
    /// The rules of a bucket. `versioning` and `lock` are `None` where they are not known: an expiry then says that it deletes for good
    /// or hides, and no lock holds anything back.
    #[must_use]
    pub fn new(
        lifecycle: &Lifecycle,
        tierings: &[TieringConfiguration],
        versioning: Option<&Versioning>,
        lock: Option<&ObjectLock>,
        store: &Store,
    ) -> Self {
        let mut names = Names::new();
        let mut rules = Vec::new();
        let mut prefixes: Vec<(&str, usize)> = Vec::new();
        for (index, rule) in lifecycle.rules.iter().enumerate().filter(|(_, rule)| rule.status != RuleStatus::Disabled) {
            let compiled = Rule::of(index, rule, &mut names);
            // A rule that is not understood may do something that this program cannot see in it.
            if !compiled.understood || !compiled.current.is_empty() || !compiled.noncurrent.is_empty() {
                prefixes.push((rule.filter.prefix.as_deref().unwrap_or_default(), rules.len()));
                rules.push(compiled);
            }
        }
        // Object Lock needs versioning, which cannot be suspended then.
        let removal = match (lock, versioning.map(|versioning| &versioning.status)) {
            (Some(_), _) | (None, Some(VersioningStatus::Enabled)) => Removal::Hidden { recoverable_until: None },
            (None, Some(VersioningStatus::Never)) => Removal::ForGood,
            (None, Some(VersioningStatus::Suspended) | None) => Removal::ForGoodOrHidden,
        };
        Self {
            store: store.kind,
            index: PrefixIndex::new(prefixes),
            rules,
            names,
            floor: Floor::of(lifecycle, store.kind),
            removal,
            tierings: Tierings::of(tierings, store.kind),
            held_by_mfa_delete: versioning.is_some_and(|versioning| versioning.mfa_delete),
            default_retention: lock.and_then(|lock| lock.default_period),
        }
    }

    /// Everything that the rules will do to an object.
    #[must_use]
    pub fn fate(&self, object: &Object<'_>) -> Fate {
        fate(self, object)
    }

    /// Whether lifecycle rules do nothing there, because deleting needs a second factor (MFA delete).
    #[must_use]
    pub const fn is_held_by_mfa_delete(&self) -> bool {
        self.held_by_mfa_delete
    }

    /// The rules that an object's prefix, size and tags let through, in the bucket's order.
    pub(super) fn covering(&self, object: &Object<'_>) -> Vec<(&Rule, Match)> {
        if self.held_by_mfa_delete {
            return Vec::new();
        }
        let fits = |place: usize| {
            let rule = self.rules.get(place)?;
            let fits = rule.filter.fits(object.size.0, object.tags);
            (fits != Match::No).then_some((rule, fits))
        };
        let mut covering: Vec<(&Rule, Match)> = self.index.owners(object.key).filter_map(fits).collect();
        covering.sort_by_key(|(rule, _)| rule.source.index());
        covering
    }
}

impl Rule {
    fn of(index: usize, rule: &LifecycleRule, names: &mut Names) -> Self {
        let id = rule.id.clone().filter(|id| !id.is_empty()).unwrap_or_else(|| format!("number {} (without an ID)", index + 1));
        let mut current: Vec<Action> = Vec::new();
        for transition in &rule.transitions {
            current.push(Action { when: transition.when, act: Act::Move(names.learn(&transition.storage_class)) });
        }
        if let Some(Expiration::Objects(when)) = rule.expiration {
            current.push(Action { when, act: Act::Remove });
        }
        let mut noncurrent: Vec<OldAction> = Vec::new();
        for transition in &rule.noncurrent_transitions {
            noncurrent.push(OldAction {
                days: transition.noncurrent_days,
                keeps: transition.newer_noncurrent_versions.unwrap_or(0),
                act: Act::Move(names.learn(&transition.storage_class)),
            });
        }
        if let Some(expiration) = &rule.noncurrent_expiration {
            noncurrent.push(OldAction {
                days: expiration.noncurrent_days,
                keeps: expiration.newer_noncurrent_versions.unwrap_or(0),
                act: Act::Remove,
            });
        }
        Self {
            source: Source::Rule { index, id: Arc::from(id) },
            understood: rule.status == RuleStatus::Enabled,
            filter: Filter::of(&rule.filter),
            current,
            noncurrent,
        }
    }
}
