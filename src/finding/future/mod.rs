//! What the rules about the future of recovery files share: a finding about a place, and one about a snapshot that is there.

mod header;
mod place;
mod snapshot;

pub use header::disagreement;
pub use place::of_place;
pub use snapshot::of_snapshot;

use std::collections::BTreeSet;

use super::{Amount, Remedy, ShownFact};
use crate::{
    analysis::{
        lifecycle::{Change, Source},
        places::{Limit, remedy},
    },
    audit::Audit,
    evidence::{Evidence, LifecycleRule, RuleFilter, Seen, When},
    manifest::Manifest,
    units::Instant,
};

/// Where the words come from.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The whole audit: a configuration that is proposed leaves the recovery files of all its jobs alone.
    pub audit: &'a Audit,
    /// The job.
    pub job: &'a Manifest,
    /// What was seen.
    pub evidence: &'a Evidence,
    /// The instant that is judged.
    pub as_of: Instant,
}

impl Ground<'_> {
    /// `rule expire-old (all keys)`, with what its filter selects.
    fn source(&self, bucket: &str, source: &Source) -> String {
        match self.filter(bucket, source) {
            Some(filter) => format!("{source} ({filter})"),
            None => source.to_string(),
        }
    }

    fn filter(&self, bucket: &str, source: &Source) -> Option<String> {
        let seen = self.evidence.buckets.get(bucket)?;
        match source {
            Source::Rule { index, .. } => Some(selects(&seen.lifecycle.shown()?.rules.get(*index)?.filter)),
            Source::Tiering { index, .. } => {
                let configuration = seen.intelligent_tiering.shown()?.get(*index)?;
                let filter = RuleFilter { prefix: configuration.prefix.clone(), tags: configuration.tags.clone(), ..RuleFilter::default() };
                Some(selects(&filter))
            }
        }
    }

    /// The rule that does it, the day on which it is due, and the day until which it counts: the two that are compared.
    fn facts(&self, bucket: &str, change: &Change, limit: &Limit, counted_from: &str) -> Vec<ShownFact> {
        let due = ShownFact::new("due", Amount::Instant(change.on), counted_from);
        let until = ShownFact::new("counts until", Amount::Instant(limit.until), limit.origin.clone());
        self.rule_fact(bucket, &change.by).into_iter().chain([due, until]).collect()
    }

    fn rule_fact(&self, bucket: &str, source: &Source) -> Option<ShownFact> {
        let seen = self.evidence.buckets.get(bucket)?;
        let filter = self.filter(bucket, source)?;
        let (does, origin) = match source {
            Source::Rule { index, .. } => {
                let lifecycle = seen.lifecycle.known().ok()?;
                (actions(lifecycle.value.rules.get(*index)?), asked(lifecycle))
            }
            Source::Tiering { index, .. } => {
                let all = seen.intelligent_tiering.known().ok()?;
                let tiers = all.value.get(*index)?.tierings.iter().map(|tier| format!("{} after {}d", tier.access_tier, tier.days));
                (tiers.collect::<Vec<_>>().join(", ") + " without access", asked(all))
            }
        };
        Some(ShownFact::new(source.to_string(), Amount::Text(format!("{does} ({filter})")), origin))
    }

    /// What the bucket's versioning and locks do about a deletion, in true words; empty where there is nothing to say.
    fn against_deletion(&self, bucket: &str) -> &'static str {
        let Some(seen) = self.evidence.buckets.get(bucket) else { return "" };
        if seen.object_lock.shown().is_some() {
            " The bucket has Object Lock: a lock keeps the version from being deleted for good while it lasts; it does not stop the rule \
             from hiding the file behind a delete marker, and to Flink a hidden file is missing."
        } else {
            ""
        }
    }

    fn stop(&self, bucket: &str, sources: &BTreeSet<&Source>, also: BTreeSet<String>) -> Vec<Remedy> {
        remedy::stop(self.audit, self.evidence, bucket, self.as_of, sources, also)
    }
}

fn asked<T>(seen: &Seen<T>) -> String {
    format!("{}, {}", seen.call, seen.at.minute())
}

/// `every key`, `keys that begin with exports/, objects larger than 1.0 MiB`.
fn selects(filter: &RuleFilter) -> String {
    let mut parts = vec![match filter.prefix.as_deref() {
        None | Some("") => "every key".to_owned(),
        Some(prefix) => format!("keys that begin with {prefix}"),
    }];
    parts.extend(filter.object_size_greater_than.map(|size| format!("objects larger than {size}")));
    parts.extend(filter.object_size_less_than.map(|size| format!("objects smaller than {size}")));
    parts.extend(filter.tags.iter().map(|(key, value)| format!("tag {key}={value}")));
    parts.join(", ")
}

/// `GLACIER_IR after 30d, deleted after 365d`.
fn actions(rule: &LifecycleRule) -> String {
    let when = |when: When| match when {
        When::Days(days) => format!("after {days}d"),
        When::Date(date) => format!("from {} on", date.day()),
    };
    let mut all: Vec<String> =
        rule.transitions.iter().map(|transition| format!("{} {}", transition.storage_class, when(transition.when))).collect();
    if let Some(crate::evidence::Expiration::Objects(at)) = rule.expiration {
        all.push(format!("expires {}", when(at)));
    }
    all.join(", ")
}

/// The text with a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
