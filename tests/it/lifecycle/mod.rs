//! What a bucket's rules do to an object.

mod applied;
mod field_cases;
mod oracle;
mod places;
mod properties;
mod remedy;
mod table;

use std::collections::BTreeMap;

use ttl_audit::{
    analysis::lifecycle::{Change, Object, Removal, Simulator, Tags, Timing, What},
    evidence::{
        Expiration, Lifecycle, LifecycleRule, NoncurrentExpiration, NoncurrentTransition, ObjectLock, RuleStatus, Store, StoreKind,
        Tiering, TieringConfiguration, Transition, Versioning, VersioningStatus, When,
    },
    units::Bytes,
};

use crate::scene::at;

/// 64 MiB: a state file.
const LARGE: u64 = 64 * 1024 * 1024;
const DEFAULT_FLOOR: &str = "all_storage_classes_128K";

fn store(kind: StoreKind) -> Store {
    Store { kind, because: "a test".to_owned() }
}

fn simulator(lifecycle: &Lifecycle, tierings: &[TieringConfiguration], versioning: VersioningStatus, kind: StoreKind) -> Simulator {
    let versioning = Versioning { status: versioning, mfa_delete: false };
    Simulator::new(lifecycle, tierings, Some(&versioning), None, &store(kind))
}

/// A bucket under construction: AWS, never versioned, the default floor.
#[derive(Clone)]
struct Bucket {
    lifecycle: Lifecycle,
    tierings: Vec<TieringConfiguration>,
    versioning: Option<Versioning>,
    lock: Option<ObjectLock>,
    kind: StoreKind,
}

impl Bucket {
    fn of(rules: impl IntoIterator<Item = LifecycleRule>) -> Self {
        let lifecycle =
            Lifecycle { rules: rules.into_iter().collect(), transition_default_minimum_object_size: Some(DEFAULT_FLOOR.to_owned()) };
        let versioning = Some(Versioning { status: VersioningStatus::Never, mfa_delete: false });
        Self { lifecycle, tierings: Vec::new(), versioning, lock: None, kind: StoreKind::Aws }
    }

    fn floor(mut self, header: Option<&str>) -> Self {
        self.lifecycle.transition_default_minimum_object_size = header.map(str::to_owned);
        self
    }

    fn versioning(mut self, status: VersioningStatus) -> Self {
        self.versioning = Some(Versioning { status, mfa_delete: false });
        self
    }

    fn tiering(mut self, id: &str, prefix: Option<&str>, tiers: &[(&str, u32)]) -> Self {
        self.tierings.push(TieringConfiguration {
            id: id.to_owned(),
            status: RuleStatus::Enabled,
            prefix: prefix.map(str::to_owned),
            tags: BTreeMap::new(),
            tierings: tiers.iter().map(|(tier, days)| Tiering { access_tier: (*tier).to_owned(), days: *days }).collect(),
        });
        self
    }

    fn simulator(&self) -> Simulator {
        Simulator::new(&self.lifecycle, &self.tierings, self.versioning.as_ref(), self.lock.as_ref(), &store(self.kind))
    }

    /// What happens to an object, one text a change.
    fn says(&self, object: &Object<'_>) -> Vec<String> {
        self.simulator().fate(object).changes.iter().map(text).collect()
    }
}

/// `2026-01-19 GLACIER by r`; `?` may happen, `~` at the earliest, `+1` or a day later, `old` a noncurrent version.
fn text(change: &Change) -> String {
    let what = match &change.what {
        What::Moved { class, .. } => class.to_string(),
        What::ArchiveTier { tier } => tier.to_string(),
        What::Removed(Removal::ForGood) => "deleted".to_owned(),
        What::Removed(Removal::Hidden { recoverable_until: None }) => "hidden".to_owned(),
        What::Removed(Removal::Hidden { recoverable_until: Some(until) }) => format!("hidden until {}", until.day()),
        What::Removed(Removal::ForGoodOrHidden) => "deleted or hidden".to_owned(),
    };
    let timing = match change.timing {
        Timing::Due => "",
        Timing::DueOrDayLater => "+1",
        Timing::Earliest => "~",
    };
    let may = if change.is_certain() { "" } else { "?" };
    let old = if change.noncurrent { "old " } else { "" };
    format!("{}{timing} {old}{what}{may} by {}", change.on.day(), change.by.id())
}

/// An enabled rule for the whole bucket that does nothing yet.
fn rule(id: &str) -> Rule {
    Rule(LifecycleRule { id: Some(id.to_owned()), ..LifecycleRule::default() })
}

/// A rule under construction.
#[derive(Clone)]
struct Rule(LifecycleRule);

impl From<Rule> for LifecycleRule {
    fn from(rule: Rule) -> Self {
        rule.0
    }
}

impl Rule {
    fn status(mut self, status: RuleStatus) -> Self {
        self.0.status = status;
        self
    }

    fn prefix(mut self, prefix: &str) -> Self {
        self.0.filter.prefix = Some(prefix.to_owned());
        self
    }

    fn tag(mut self, key: &str, value: &str) -> Self {
        self.0.filter.tags.insert(key.to_owned(), value.to_owned());
        self
    }

    fn larger_than(mut self, bytes: u64) -> Self {
        self.0.filter.object_size_greater_than = Some(Bytes(bytes));
        self
    }

    fn smaller_than(mut self, bytes: u64) -> Self {
        self.0.filter.object_size_less_than = Some(Bytes(bytes));
        self
    }

    fn moves(self, days: u32, class: &str) -> Self {
        self.moves_when(When::Days(days), class)
    }

    fn moves_when(mut self, when: When, class: &str) -> Self {
        self.0.transitions.push(Transition { when, storage_class: class.to_owned() });
        self
    }

    fn expires(self, days: u32) -> Self {
        self.expires_when(When::Days(days))
    }

    fn expires_when(mut self, when: When) -> Self {
        self.0.expiration = Some(Expiration::Objects(when));
        self
    }

    fn moves_old(mut self, days: u32, class: &str) -> Self {
        self.0.noncurrent_transitions.push(NoncurrentTransition {
            noncurrent_days: days,
            storage_class: class.to_owned(),
            newer_noncurrent_versions: None,
        });
        self
    }

    fn expires_old(mut self, days: u32, keeps: Option<u32>) -> Self {
        self.0.noncurrent_expiration = Some(NoncurrentExpiration { noncurrent_days: days, newer_noncurrent_versions: keeps });
        self
    }
}

/// A state file of 64 MiB, written on 15 January at 10:30.
fn file(key: &str) -> Object<'_> {
    Object::written(key, Bytes(LARGE), at("2026-01-15T10:30:00Z"))
}

fn sized(key: &str, size: u64) -> Object<'_> {
    Object { size: Bytes(size), ..file(key) }
}

fn in_class<'a>(key: &'a str, class: &'a str) -> Object<'a> {
    Object { class: Some(class), ..file(key) }
}

fn untold(key: &str) -> Object<'_> {
    Object { tags: Tags::NotKnown, ..file(key) }
}

const NONE: [&str; 0] = [];
