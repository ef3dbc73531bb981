//! The ids of all rules that a policy may name.

use super::registry;

/// Ids that the contract has and no rule of this version yet: a policy written for a later version is not refused.
const PLANNED: &[&str] = &[
    "checkpoint-deleted-on-cancel",
    "checkpoint-gap",
    "checkpoint-not-durable",
    "group-offsets-expire",
    "ha-missing",
    "position-beyond-end",
    "restore-drops-state",
    "restore-skips-state",
    "retention-below-downtime",
    "sink-commit-skew",
    "sink-may-lose",
    "sink-transaction-timeout",
    "snapshot-incomplete",
    "snapshot-not-yours",
    "snapshot-older-than-retention",
    "snapshot-references-elsewhere",
    "snapshot-stale",
    "source-reset-silent",
    "state-not-declared",
    "state-outlives-source",
    "ttl-below-downtime",
    "uid-not-in-snapshot",
];

/// Every id that a policy may name, sorted.
#[must_use]
pub fn ids() -> Vec<&'static str> {
    let mut ids: Vec<&'static str> = PLANNED.iter().copied().chain(registry::all().iter().map(|rule| rule.meta().id)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
