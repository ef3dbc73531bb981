//! What to ask of which cluster: a pure function of the audit.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    audit::Audit,
    manifest::{Manifest, SinkKind, SourceKind, Topics},
    units::{Instant, Millis, Ttl},
};

/// How many instants a topic is asked for at most.
pub(super) const MOST_INSTANTS: usize = 64;

/// What to ask of one cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClusterPlan {
    /// Topics that are named, each with the finite TTLs of the states that it feeds.
    pub(super) topics: BTreeMap<String, BTreeSet<Millis>>,
    /// The same for patterns.
    pub(super) patterns: BTreeMap<String, BTreeSet<Millis>>,
    /// Consumer groups whose committed offsets are asked for.
    pub(super) groups: BTreeMap<String, GroupPlan>,
}

/// What a group reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupPlan {
    /// Topics by name.
    pub(super) topics: BTreeSet<String>,
    /// Patterns.
    pub(super) patterns: BTreeSet<String>,
}

/// What to ask of each cluster, by its name in the audit file. A cluster that only a Kafka sink writes to is asked too: the broker's
/// longest transaction time-out is there.
pub(super) fn plan(audit: &Audit) -> BTreeMap<String, ClusterPlan> {
    let mut clusters: BTreeMap<String, ClusterPlan> = BTreeMap::new();
    for job in &audit.jobs {
        for source in &job.sources {
            let SourceKind::Kafka(kafka) = &source.kind else { continue };
            let cluster = audit.cluster_name(kafka.cluster.as_ref().map(|at| at.value.as_str()));
            let plan = clusters.entry(cluster.to_owned()).or_default();
            let ttls = ttls(job, &source.id.value);
            if let Some(group) = &kafka.group_id {
                let group = plan.groups.entry(group.clone()).or_default();
                match &kafka.topics {
                    Topics::Named(names) => group.topics.extend(names.iter().map(|name| name.value.clone())),
                    Topics::Pattern(pattern) => {
                        group.patterns.insert(pattern.value.clone());
                    }
                }
            }
            match &kafka.topics {
                Topics::Named(names) => {
                    for name in names {
                        plan.topics.entry(name.value.clone()).or_default().extend(&ttls);
                    }
                }
                Topics::Pattern(pattern) => plan.patterns.entry(pattern.value.clone()).or_default().extend(&ttls),
            }
        }
        for sink in job.sinks.iter().filter(|sink| sink.kind == SinkKind::Kafka) {
            let cluster = audit.cluster_name(sink.cluster.as_ref().map(|at| at.value.as_str()));
            // A sink that names no cluster, where there are several, is not guessed at: what it needs stays unknown.
            if sink.cluster.is_some() || audit.kafka.contains_key(cluster) {
                clusters.entry(cluster.to_owned()).or_default();
            }
        }
    }
    clusters
}

/// The finite TTLs of the states that records of `source` reach.
fn ttls(job: &Manifest, source: &str) -> BTreeSet<Millis> {
    let states = job.operators.iter().flat_map(|operator| &operator.state);
    states
        .filter(|state| state.reads.iter().any(|read| read == source))
        .filter_map(|state| match state.ttl.value {
            Ttl::After(length) => Some(length),
            Ttl::Never | Ttl::Unknown => None,
        })
        .collect()
}

/// The instants to ask a topic for: as-of − TTL for each TTL, and each midnight UTC from `captured_at` back to `window` before it. At most
/// [`MOST_INSTANTS`]; where the window has more midnights, they are spread evenly, the newest and the oldest among them.
pub(super) fn instants(captured_at: Instant, as_of: Instant, window: Option<Millis>, ttls: &BTreeSet<Millis>) -> BTreeSet<Instant> {
    let mut instants: BTreeSet<Instant> = ttls.iter().map(|ttl| as_of.minus(*ttl)).take(MOST_INSTANTS).collect();
    let Some(window) = window else { return instants };
    let newest = captured_at.start_of_day();
    let into_today = captured_at.since(newest);
    // One more than lies within: the first one at or before the window's beginning closes the oldest day.
    let midnights = (window.minus(into_today).as_ms().div_ceil(Millis::DAY.as_ms())).saturating_add(1);
    let budget = u64::try_from(MOST_INSTANTS.saturating_sub(instants.len())).unwrap_or(0);
    if budget == 0 {
        return instants;
    }
    let taken = midnights.min(budget);
    for place in 0..taken {
        // 0 for the newest, midnights − 1 for the oldest.
        let back = match taken {
            1 => 0,
            _ => u128::from(place) * u128::from(midnights - 1) / u128::from(taken - 1),
        };
        instants.insert(newest.minus(Millis::days(u64::try_from(back).unwrap_or(u64::MAX))));
    }
    instants
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    #[test]
    fn each_midnight_of_the_window_and_one_that_closes_it() {
        let none = BTreeSet::new();
        let got = instants(at("2026-09-15T10:00:00Z"), at("2026-09-15T10:00:00Z"), Some(Millis::hours(36)), &none);
        // 36 h back is the 13th, 22:00; the midnight before it closes the window.
        assert_eq!(got, ["2026-09-13", "2026-09-14", "2026-09-15"].map(at).into());
        let got = instants(at("2026-09-15"), at("2026-09-15"), Some(Millis::ZERO), &none);
        assert_eq!(got, ["2026-09-15"].map(at).into());
        assert_eq!(instants(at("2026-09-15"), at("2026-09-15"), None, &none), BTreeSet::new());
    }

    #[test]
    fn ttls_count_from_as_of_and_come_first() {
        let got = instants(at("2026-09-15T01:00:00Z"), at("2026-10-01T00:00:00Z"), None, &[Millis::days(7), Millis::hours(1)].into());
        assert_eq!(got, ["2026-09-24T00:00:00Z", "2026-09-30T23:00:00Z"].map(at).into());
        let many: BTreeSet<Millis> = (1..=100).map(Millis::hours).collect();
        assert_eq!(instants(at("2026-09-15"), at("2026-09-15"), Some(Millis::days(30)), &many).len(), MOST_INSTANTS);
    }

    proptest! {
        #[test]
        fn never_more_than_the_most_and_both_ends_are_there(window in any::<u64>(), into in 0_i64..86_400_000, hours in prop::collection::btree_set(1_u64..10_000, 0..5)) {
            let captured = Instant::from_epoch_ms(1_789_430_400_000 + into).expect("an instant");
            let ttls: BTreeSet<Millis> = hours.into_iter().map(Millis::hours).collect();
            let got = instants(captured, captured, Some(Millis::new(window)), &ttls);
            prop_assert!(got.len() <= MOST_INSTANTS);
            prop_assert!(got.contains(&captured.start_of_day()));
            for ttl in &ttls {
                prop_assert!(got.contains(&captured.minus(*ttl)));
            }
            let oldest = got.first().expect("one at least");
            prop_assert!(*oldest <= captured.minus(Millis::new(window)), "{oldest} closes the window");
        }
    }
}
