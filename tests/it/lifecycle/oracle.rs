//! An independent, naive simulation: day by day, one world at a time, against the simulator over random rule sets.
//!
//! It shares nothing with the simulator but the input types. What is not known (tags, the floor) it tries in every way there is.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use ttl_audit::{
    analysis::lifecycle::{Change, Fate, Object, Removal, Tags, What},
    evidence::{
        Expiration, Lifecycle, LifecycleRule, NoncurrentExpiration, NoncurrentTransition, RuleFilter, RuleStatus, StoreKind, Tiering,
        TieringConfiguration, Transition, VersioningStatus, When,
    },
    units::{Bytes, Instant, Millis},
};

use super::{at, simulator};

/// What the naive simulation found: when, what, by which rule or configuration, and whether to a noncurrent version.
type Step = (Instant, String, String, bool);

/// The best first: which of two transitions of one day is made.
const BEST_FIRST: [&str; 6] = ["DEEP_ARCHIVE", "GLACIER", "INTELLIGENT_TIERING", "GLACIER_IR", "ONEZONE_IA", "STANDARD_IA"];

fn can_move(from: &str, to: &str) -> bool {
    match from {
        "STANDARD" => true,
        "STANDARD_IA" => to != "STANDARD_IA",
        "INTELLIGENT_TIERING" => matches!(to, "ONEZONE_IA" | "GLACIER_IR" | "GLACIER" | "DEEP_ARCHIVE"),
        "ONEZONE_IA" | "GLACIER_IR" => matches!(to, "GLACIER" | "DEEP_ARCHIVE"),
        "GLACIER" => to == "DEEP_ARCHIVE",
        _ => false,
    }
}

/// One world: everything is known.
struct World<'a> {
    rules: &'a [LifecycleRule],
    tierings: &'a [TieringConfiguration],
    floor: &'a str,
    versioned: bool,
    key: &'a str,
    size: u64,
    tags: BTreeMap<String, String>,
    written: Instant,
}

impl World<'_> {
    fn covers(&self, filter: &RuleFilter) -> bool {
        self.key.starts_with(filter.prefix.as_deref().unwrap_or(""))
            && filter.tags.iter().all(|(key, value)| self.tags.get(key) == Some(value))
            && filter.object_size_greater_than.is_none_or(|bound| self.size > bound.0)
            && filter.object_size_less_than.is_none_or(|bound| self.size < bound.0)
    }

    fn too_small(&self, filter: &RuleFilter, class: &str) -> bool {
        let own = filter.object_size_greater_than.is_some() || filter.object_size_less_than.is_some();
        let archive = class == "GLACIER" || class == "DEEP_ARCHIVE";
        self.size < 128 * 1024 && !own && (self.floor == "all_storage_classes_128K" || self.floor == "varies_by_storage_class" && !archive)
    }

    /// Whether the action falls due at this midnight for something that began then.
    fn is_due(when: When, since: Instant, midnight: Instant) -> bool {
        let first = since.next_midnight();
        match when {
            When::Days(days) => midnight == first.plus(Millis::days(days.into())),
            When::Date(date) => midnight == date.max(first),
        }
    }

    fn live(&self, class: &str) -> (Vec<Step>, BTreeMap<Instant, String>) {
        let mut class = class.to_owned();
        let mut steps = Vec::new();
        let mut classes = BTreeMap::from([(self.written, class.clone())]);
        let mut tiering_since = (class == "INTELLIGENT_TIERING").then_some(self.written);
        let mut deepest = 0;
        let mut hidden_at: Option<Instant> = None;
        let start = self.written.start_of_day();
        for day in 0..=45 {
            let midnight = start.plus(Millis::days(day));
            if hidden_at.is_none() {
                self.tiers(midnight, false, tiering_since, &class, &mut deepest, &mut steps);
            }
            let enabled = || self.rules.iter().filter(|rule| rule.status == RuleStatus::Enabled && self.covers(&rule.filter));
            let mut wanted: Vec<(String, String)> = Vec::new();
            let mut ended: Option<String> = None;
            for rule in enabled() {
                let id = rule.id.clone().expect("an id");
                if let Some(hidden) = hidden_at {
                    for transition in &rule.noncurrent_transitions {
                        let keeps = transition.newer_noncurrent_versions.unwrap_or(0) > 0;
                        let due = Self::is_due(When::Days(transition.noncurrent_days), hidden, midnight);
                        if due && !keeps && !self.too_small(&rule.filter, &transition.storage_class) {
                            wanted.push((transition.storage_class.clone(), id.clone()));
                        }
                    }
                    if let Some(expiration) = &rule.noncurrent_expiration {
                        let keeps = expiration.newer_noncurrent_versions.unwrap_or(0) > 0;
                        if !keeps && Self::is_due(When::Days(expiration.noncurrent_days), hidden, midnight) && ended.is_none() {
                            ended = Some(id.clone());
                        }
                    }
                    continue;
                }
                for transition in &rule.transitions {
                    if Self::is_due(transition.when, self.written, midnight) && !self.too_small(&rule.filter, &transition.storage_class) {
                        wanted.push((transition.storage_class.clone(), id.clone()));
                    }
                }
                if let Some(Expiration::Objects(when)) = rule.expiration
                    && Self::is_due(when, self.written, midnight)
                    && ended.is_none()
                {
                    ended = Some(id);
                }
            }
            let noncurrent = hidden_at.is_some();
            if (noncurrent || !self.versioned)
                && let Some(id) = ended
            {
                steps.push((midnight, "deleted".to_owned(), id, noncurrent));
                classes.insert(midnight, "gone".to_owned());
                return (steps, classes);
            }
            // The best of those that can be made, or that are made already.
            let best =
                BEST_FIRST.iter().find(|name| wanted.iter().any(|(to, _)| to == *name) && (can_move(&class, name) || class == **name));
            if let Some(best) = best.filter(|best| **best != class) {
                let id = wanted.iter().find(|(to, _)| to == best).map(|(_, id)| id.clone()).expect("wanted");
                class = (*best).to_owned();
                steps.push((midnight, class.clone(), id, noncurrent));
                if !noncurrent {
                    classes.insert(midnight, class.clone());
                }
                tiering_since = (class == "INTELLIGENT_TIERING").then_some(midnight);
            }
            if !noncurrent {
                if let Some(id) = ended {
                    steps.push((midnight, "hidden".to_owned(), id, false));
                    classes.insert(midnight, "gone".to_owned());
                    hidden_at = Some(midnight);
                    // A noncurrent action of zero days is due on the day of the marker.
                    self.old_on_the_same_day(midnight, &mut class, &mut steps);
                    if steps.last().is_some_and(|step| step.1 == "deleted") {
                        return (steps, classes);
                    }
                } else {
                    self.tiers(midnight, true, tiering_since, &class, &mut deepest, &mut steps);
                }
            }
        }
        (steps, classes)
    }

    fn old_on_the_same_day(&self, midnight: Instant, class: &mut String, steps: &mut Vec<Step>) {
        let rules: Vec<&LifecycleRule> =
            self.rules.iter().filter(|rule| rule.status == RuleStatus::Enabled && self.covers(&rule.filter)).collect();
        for rule in &rules {
            if let Some(expiration) = &rule.noncurrent_expiration
                && expiration.noncurrent_days == 0
                && expiration.newer_noncurrent_versions.unwrap_or(0) == 0
            {
                steps.push((midnight, "deleted".to_owned(), rule.id.clone().expect("an id"), true));
                return;
            }
        }
        for best in BEST_FIRST {
            for rule in &rules {
                for transition in &rule.noncurrent_transitions {
                    let asked = transition.storage_class == best
                        && transition.noncurrent_days == 0
                        && transition.newer_noncurrent_versions.unwrap_or(0) == 0
                        && !self.too_small(&rule.filter, best);
                    if asked && class == best {
                        return;
                    }
                    if asked && can_move(class, best) {
                        best.clone_into(class);
                        steps.push((midnight, class.clone(), rule.id.clone().expect("an id"), true));
                        return;
                    }
                }
            }
        }
    }

    /// The archive tiers that are reached in the day before this midnight, or exactly at it.
    fn tiers(&self, midnight: Instant, at_it: bool, since: Option<Instant>, class: &str, deepest: &mut u32, steps: &mut Vec<Step>) {
        let Some(since) = since.filter(|_| class == "INTELLIGENT_TIERING" && self.size >= 128 * 1024) else { return };
        let mut reached = Vec::new();
        for configuration in self.tierings.iter().filter(|one| one.status == RuleStatus::Enabled) {
            let covers = self.key.starts_with(configuration.prefix.as_deref().unwrap_or(""))
                && configuration.tags.iter().all(|(key, value)| self.tags.get(key) == Some(value));
            for tiering in configuration.tierings.iter().filter(|_| covers) {
                let on = since.plus(Millis::days(tiering.days.into()));
                let today = if at_it { on == midnight } else { on < midnight && on.plus(Millis::DAY) > midnight };
                // What fell exactly on the midnight before was seen then.
                if today {
                    let depth = if tiering.access_tier == "ARCHIVE_ACCESS" { 1 } else { 2 };
                    reached.push((on, depth, tiering.access_tier.clone(), configuration.id.clone()));
                }
            }
        }
        // One instant, several configurations: the shallower first, then in their order.
        reached.sort_by_key(|(on, depth, _, _)| (*on, *depth));
        for (on, depth, tier, id) in reached {
            if depth > *deepest {
                *deepest = depth;
                steps.push((on, tier, id, false));
            }
        }
    }
}

fn step(change: &Change) -> Step {
    let what = match &change.what {
        What::Moved { class, .. } => class.to_string(),
        What::ArchiveTier { tier } => tier.to_string(),
        What::Removed(Removal::Hidden { .. }) => "hidden".to_owned(),
        What::Removed(_) => "deleted".to_owned(),
    };
    (change.on, what, change.by.id().to_owned(), change.noncurrent)
}

const KEYS: [&str; 3] = ["a/b/c", "a/x", "b"];
const PREFIXES: [&str; 5] = ["", "a/", "a/b/", "a", "ab/"];
const SIZES: [u64; 5] = [0, 1_000, 131_071, 131_072, 64_000_000];
const START: [&str; 7] = ["STANDARD", "STANDARD_IA", "INTELLIGENT_TIERING", "ONEZONE_IA", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE"];

fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        4 => (0_u32..8).prop_map(When::Days),
        1 => (0_u64..12).prop_map(|day| When::Date(at("2026-01-10").plus(Millis::days(day)))),
    ]
}

fn class() -> impl Strategy<Value = String> {
    prop::sample::select(BEST_FIRST.to_vec()).prop_map(str::to_owned)
}

fn tags() -> impl Strategy<Value = BTreeMap<String, String>> {
    prop_oneof![
        3 => Just(BTreeMap::new()),
        1 => prop::sample::subsequence(vec!["k0", "k1"], 1..=2)
            .prop_map(|keys| keys.into_iter().map(|key| (key.to_owned(), "v".to_owned())).collect()),
    ]
}

fn filter() -> impl Strategy<Value = RuleFilter> {
    let size = || prop::option::weighted(0.2, prop::sample::select(vec![Bytes(0), Bytes(1_000), Bytes(131_071), Bytes(1_000_000)]));
    (prop::option::of(prop::sample::select(PREFIXES.to_vec())), tags(), size(), size()).prop_map(|(prefix, tags, larger, smaller)| {
        RuleFilter {
            prefix: prefix.map(str::to_owned),
            legacy_prefix: false,
            tags,
            object_size_greater_than: larger,
            object_size_less_than: smaller,
        }
    })
}

pub(super) fn rule() -> impl Strategy<Value = LifecycleRule> {
    (
        prop_oneof![5 => Just(RuleStatus::Enabled), 1 => Just(RuleStatus::Disabled)],
        filter(),
        prop::collection::vec((when(), class()), 0..3),
        prop::option::weighted(0.3, when()),
        prop::collection::vec((0_u32..5, class(), prop::option::weighted(0.2, 1_u32..3)), 0..2),
        prop::option::weighted(0.3, (0_u32..6, prop::option::weighted(0.2, 1_u32..3))),
    )
        .prop_map(|(status, filter, moves, end, old_moves, old_end)| LifecycleRule {
            id: None,
            status,
            filter,
            transitions: moves.into_iter().map(|(when, storage_class)| Transition { when, storage_class }).collect(),
            expiration: end.map(Expiration::Objects),
            noncurrent_transitions: old_moves
                .into_iter()
                .map(|(noncurrent_days, storage_class, newer_noncurrent_versions)| NoncurrentTransition {
                    noncurrent_days,
                    storage_class,
                    newer_noncurrent_versions,
                })
                .collect(),
            noncurrent_expiration: old_end
                .map(|(noncurrent_days, newer_noncurrent_versions)| NoncurrentExpiration { noncurrent_days, newer_noncurrent_versions }),
            abort_incomplete_multipart_upload_days: None,
        })
}

pub(super) fn rules() -> impl Strategy<Value = Vec<LifecycleRule>> {
    prop::collection::vec(rule(), 0..7).prop_map(|mut rules| {
        for (place, rule) in rules.iter_mut().enumerate() {
            rule.id = Some(format!("rule-{place}"));
        }
        rules
    })
}

fn tierings() -> impl Strategy<Value = Vec<TieringConfiguration>> {
    let tier = (prop::sample::select(vec!["ARCHIVE_ACCESS", "DEEP_ARCHIVE_ACCESS"]), 1_u32..20)
        .prop_map(|(tier, days)| Tiering { access_tier: tier.to_owned(), days });
    prop::collection::vec((prop::sample::select(PREFIXES.to_vec()), tags(), prop::collection::vec(tier, 1..3)), 0..3).prop_map(|all| {
        all.into_iter()
            .enumerate()
            .map(|(place, (prefix, tags, tierings))| TieringConfiguration {
                id: format!("tiering-{place}"),
                status: RuleStatus::Enabled,
                prefix: Some(prefix.to_owned()),
                tags,
                tierings,
            })
            .collect()
    })
}

/// An object: key, size, class, seconds after 2026-01-12T00:00:00Z at which it was written (never exactly midnight).
pub(super) fn object() -> impl Strategy<Value = (&'static str, u64, &'static str, u64)> {
    (
        prop::sample::select(KEYS.to_vec()),
        prop::sample::select(SIZES.to_vec()),
        prop::sample::select(START.to_vec()),
        (0_u64..3, 1_u64..86_400).prop_map(|(day, second)| day * 86_400 + second),
    )
}

fn all_tags() -> Vec<BTreeMap<String, String>> {
    let tag = |key: &str| (key.to_owned(), "v".to_owned());
    vec![BTreeMap::new(), [tag("k0")].into(), [tag("k1")].into(), [tag("k0"), tag("k1")].into()]
}

fn sorted(mut steps: Vec<Step>) -> Vec<Step> {
    steps.sort();
    steps
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn where_everything_is_known_the_simulator_says_what_happens_day_by_day(
        rules in rules(),
        tierings in tierings(),
        (key, size, class, second) in object(),
        tags in prop::sample::select(all_tags()),
        floor in prop::sample::select(vec!["all_storage_classes_128K", "varies_by_storage_class"]),
        versioned in any::<bool>(),
    ) {
        let written = at("2026-01-12").plus(Millis::seconds(second));
        let world = World { rules: &rules, tierings: &tierings, floor, versioned, key, size, tags: tags.clone(), written };
        let lifecycle = Lifecycle { rules: rules.clone(), transition_default_minimum_object_size: Some(floor.to_owned()) };
        let status = if versioned { VersioningStatus::Enabled } else { VersioningStatus::Never };
        let object = Object { class: Some(class), tags: Tags::Known(&tags), ..Object::written(key, Bytes(size), written) };
        let fate = simulator(&lifecycle, &tierings, status, StoreKind::Aws).fate(&object);
        prop_assert!(fate.changes.iter().all(Change::is_certain), "{fate:?}");
        prop_assert_eq!(sorted(fate.changes.iter().map(step).collect()), sorted(world.live(class).0));
    }

    #[test]
    fn where_something_is_not_known_every_world_is_covered_and_what_is_certain_holds_in_all(
        rules in rules(),
        tierings in tierings(),
        (key, size, class, second) in object(),
        versioned in any::<bool>(),
        floor_known in any::<bool>(),
    ) {
        let written = at("2026-01-12").plus(Millis::seconds(second));
        let floors: &[&str] = if floor_known {
            &["all_storage_classes_128K"]
        } else {
            &["all_storage_classes_128K", "varies_by_storage_class", "none"]
        };
        let header = floor_known.then(|| floors[0].to_owned());
        let lifecycle = Lifecycle { rules: rules.clone(), transition_default_minimum_object_size: header };
        let status = if versioned { VersioningStatus::Enabled } else { VersioningStatus::Never };
        let object = Object { class: Some(class), tags: Tags::NotKnown, ..Object::written(key, Bytes(size), written) };
        let fate: Fate = simulator(&lifecycle, &tierings, status, StoreKind::Aws).fate(&object);
        let said: BTreeSet<Step> = fate.visible().map(step).collect();
        for floor in floors {
            for tags in all_tags() {
                let world = World { rules: &rules, tierings: &tierings, floor, versioned, key, size, tags, written };
                let (steps, classes) = world.live(class);
                for (on, what, by, _) in steps.iter().filter(|step| !step.3) {
                    // Another rule may do the same on the same day; the change has to be there, and so has its rule unless the first
                    // one of the day stands for both.
                    let found = said.iter().any(|(day, said, _, _)| day == on && said == what);
                    prop_assert!(found, "{what} by {by} on {on} is missing from {fate:?}");
                }
                for change in fate.visible().filter(|change| change.is_certain()) {
                    let (_, now) = classes.range(..=change.on).next_back().expect("a class");
                    let holds = match &change.what {
                        What::Moved { class, .. } => now == &**class || now == "gone",
                        What::Removed(_) => now == "gone",
                        What::ArchiveTier { .. } => now == "INTELLIGENT_TIERING" || now == "gone",
                    };
                    prop_assert!(holds, "{change:?} does not hold in the world of {steps:?}");
                }
            }
        }
    }
}
