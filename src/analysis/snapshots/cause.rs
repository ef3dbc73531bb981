//! Which of a bucket's rules can have put an object into the class that it is in.

use super::{ObjectView, TIERING_FLOOR};
use crate::{
    evidence::{BucketEvidence, Lifecycle, LifecycleRule, RuleStatus, Unknown, When},
    units::{Instant, Millis},
};

/// How objects came into their class, as far as the rules that are in force now tell. S3 keeps no record of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutThere {
    /// These rules move such objects there, and their day has passed.
    ByRules(Vec<Mover>),
    /// A rule would, if the objects carry its tags.
    PerhapsByRules(Vec<Mover>),
    /// No rule does: a writer, a copy, a replication rule, or a rule that has been removed since.
    ByNoCurrentRule,
    /// The rules are not known.
    Unknown(Unknown),
}

/// A transition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mover {
    /// The rule's ID, or its number where it has none.
    pub rule: String,
    /// `30 days after the last change`, `on 2026-01-01`.
    pub when: String,
}

/// Which rules of `bucket` can have moved these objects to `class` by `as_of`.
#[must_use]
pub fn put_there(bucket: &BucketEvidence, objects: &[&ObjectView], class: &str, as_of: Instant) -> PutThere {
    let lifecycle = match bucket.lifecycle.known_or_absent() {
        Ok(Some(seen)) => &seen.value,
        Ok(None) => return PutThere::ByNoCurrentRule,
        Err(unknown) => return PutThere::Unknown(unknown),
    };
    let (mut sure, mut perhaps) = (Vec::new(), Vec::new());
    for (index, rule) in lifecycle.rules.iter().enumerate().filter(|(_, rule)| rule.status == RuleStatus::Enabled) {
        for transition in rule.transitions.iter().filter(|transition| transition.storage_class == class) {
            let reached = |object: &&&ObjectView| {
                matches(rule, object) && large_enough(lifecycle, rule, object, class) && due(transition.when, object.last_modified) <= as_of
            };
            if !objects.iter().any(|object| reached(&object)) {
                continue;
            }
            let mover = Mover { rule: name(rule, index), when: words(transition.when) };
            if rule.filter.tags.is_empty() { sure.push(mover) } else { perhaps.push(mover) }
        }
    }
    match (sure.is_empty(), perhaps.is_empty()) {
        (false, _) => PutThere::ByRules(sure),
        (true, false) => PutThere::PerhapsByRules(perhaps),
        (true, true) => PutThere::ByNoCurrentRule,
    }
}

/// The rule's filter, tags apart.
fn matches(rule: &LifecycleRule, object: &ObjectView) -> bool {
    let filter = &rule.filter;
    filter.prefix.as_deref().is_none_or(|prefix| object.key.starts_with(prefix))
        && filter.object_size_greater_than.is_none_or(|size| object.size > size)
        && filter.object_size_less_than.is_none_or(|size| object.size < size)
}

/// Whether the floor below which a transition moves nothing lets this object through. A rule with a size filter of its own, and a store
/// that names no floor, has none. (*Lifecycle configuration elements*.)
fn large_enough(lifecycle: &Lifecycle, rule: &LifecycleRule, object: &ObjectView, class: &str) -> bool {
    if object.size >= TIERING_FLOOR || rule.filter.object_size_greater_than.is_some() || rule.filter.object_size_less_than.is_some() {
        return true;
    }
    match lifecycle.transition_default_minimum_object_size.as_deref() {
        Some("varies_by_storage_class") => matches!(class, "GLACIER" | "DEEP_ARCHIVE"),
        Some(_) => false,
        None => true,
    }
}

/// The day on which the transition falls due: midnight UTC, rounded up.
fn due(when: When, last_modified: Instant) -> Instant {
    match when {
        When::Days(days) => last_modified.plus(Millis::days(days.into())).next_midnight(),
        When::Date(date) => date,
    }
}

fn words(when: When) -> String {
    match when {
        When::Days(0) => "at the first midnight after the last change".to_owned(),
        When::Days(days) => format!("{days} days after the last change"),
        When::Date(date) => format!("on {}", date.day()),
    }
}

fn name(rule: &LifecycleRule, index: usize) -> String {
    rule.id.as_ref().filter(|id| !id.is_empty()).map_or_else(|| format!("number {} (it has no ID)", index + 1), |id| format!("`{id}`"))
}
