//! How objects came into the class that they are in, and what the bucket's rules do to them next.

use std::collections::BTreeMap;

use super::ObjectView;
use crate::{
    analysis::lifecycle::{BucketRules, Change, Doubt, Object, Source, What},
    evidence::Unknown,
    units::Instant,
};

/// Where objects of one class come from and where they go, as far as the rules that are in force now tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// How they came there. S3 keeps no record of it.
    pub put_there: PutThere,
    /// The change that falls due first, and how many of the objects have it.
    pub next: Option<(Change, usize)>,
    /// What could not be had and matters for `next`: with one of these, no change does not mean that none comes.
    pub open: Vec<Unknown>,
}

/// See [`Course::put_there`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutThere {
    /// An object that was written into `STANDARD` on their day would have been moved there by these, on that day at the earliest.
    By(BTreeMap<Source, Instant>),
    /// As before, if these doubts do not stand against it.
    Perhaps(BTreeMap<Source, Instant>, Vec<Doubt>),
    /// By no rule: a writer, a copy, a replication rule, or a rule that has been removed since.
    NoCurrentRule,
    /// The rules are not known.
    Unknown(Unknown),
}

/// The course of these objects, all of them in `class`, at `as_of`.
#[must_use]
pub fn course(rules: &BucketRules, objects: &[&ObjectView], class: &str, as_of: Instant) -> Course {
    let (mut next, mut open) = (None::<(Change, usize)>, Vec::new());
    for object in objects {
        let answer = rules.fate(&object.to_rules());
        for unknown in answer.open {
            if !open.contains(&unknown) {
                open.push(unknown);
            }
        }
        let Some(change) = answer.fate.first_change() else { continue };
        next = Some(match next.take() {
            Some((first, n)) if first.what == change.what && first.by == change.by => (first.min(change.clone()), n + 1),
            Some((first, n)) if first.on <= change.on => (first, n),
            _ => (change.clone(), 1),
        });
    }
    Course { put_there: put_there(rules, objects, class, as_of), next, open }
}

fn put_there(rules: &BucketRules, objects: &[&ObjectView], class: &str, as_of: Instant) -> PutThere {
    if let Some(unknown) = rules.lifecycle_unknown() {
        return PutThere::Unknown(unknown.clone());
    }
    let (mut sure, mut perhaps, mut doubts) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for object in objects {
        let written = Object { class: Some("STANDARD"), archive_tier: None, ..object.to_rules() };
        let fate = rules.simulator().fate(&written);
        let Some(change) = fate.visible().find(|change| leads_to(change, class) && change.on <= as_of) else { continue };
        let movers = if change.is_certain() { &mut sure } else { &mut perhaps };
        let on = movers.entry(change.by.clone()).or_insert(change.on);
        *on = change.on.min(*on);
        for doubt in change.doubts() {
            if !doubts.contains(doubt) {
                doubts.push(doubt.clone());
            }
        }
    }
    match (sure.is_empty(), perhaps.is_empty()) {
        (false, _) => PutThere::By(sure),
        (true, false) => PutThere::Perhaps(perhaps, doubts),
        (true, true) => PutThere::NoCurrentRule,
    }
}

fn leads_to(change: &Change, class: &str) -> bool {
    matches!(&change.what, What::Moved { class: to, .. } if **to == *class)
}
