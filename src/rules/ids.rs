//! The ids of all rules that a policy may name.

use super::registry;

/// Ids that the contract has and no rule of this version yet: a policy written for a later version is not refused.
const PLANNED: &[&str] = &[
    "group-offsets-expire",
    "position-beyond-end",
    "retention-below-downtime",
    "sink-commit-skew",
    "sink-transaction-timeout",
    "snapshot-older-than-retention",
    "snapshot-stale",
    "source-reset-silent",
    "state-outlives-source",
    "ttl-below-downtime",
];

/// Every id that a policy may name, sorted.
#[must_use]
pub fn ids() -> Vec<&'static str> {
    let mut ids: Vec<&'static str> = PLANNED.iter().copied().chain(registry::all().iter().map(|rule| rule.meta().id)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
