//! The configuration that leaves recovery files alone.

use std::collections::BTreeSet;

use crate::{
    analysis::lifecycle::{
        Source,
        remedy::{Rewrite, rules_over},
    },
    audit::Audit,
    evidence::{Evidence, Expiration, LifecycleRule, When},
    finding::{Remedy, shell::word},
    manifest::{Manifest, Recovery},
    units::{Instant, Location, S3Location},
};

/// What to do about these rules and configurations of `bucket`. The lifecycle configuration is the same for every finding about the
/// bucket: it leaves the recovery places of all jobs of the audit alone, and replaces the rules that act there within the horizon.
/// `also`: prefixes of recovery files that lie outside of every declared place.
#[must_use]
pub fn stop(
    audit: &Audit,
    evidence: &Evidence,
    bucket: &str,
    as_of: Instant,
    sources: &BTreeSet<&Source>,
    also: BTreeSet<String>,
) -> Vec<Remedy> {
    let Some(seen) = evidence.buckets.get(bucket) else { return Vec::new() };
    let mut ways_out = Vec::new();
    if let Some(lifecycle) = seen.lifecycle.shown()
        && sources.iter().any(|source| matches!(source, Source::Rule { .. }))
    {
        let mut recovery: Vec<String> = audit.jobs.iter().flat_map(|job| prefixes(job, bucket)).chain(also).collect();
        recovery.sort();
        recovery.dedup();
        let limit = as_of.plus(audit.policy.horizon);
        let soon = |place: &usize| lifecycle.rules.get(*place).is_some_and(|rule| acts_by(rule, as_of, limit));
        let mut hits: BTreeSet<usize> = rules_over(lifecycle, &long_lived(audit, bucket)).into_iter().filter(soon).collect();
        hits.extend(sources.iter().filter(|source| matches!(source, Source::Rule { .. })).map(|source| source.index()));
        let prefixes = seen.prefixes.known();
        let seen = prefixes.as_ref().map(|seen| seen.value.as_slice());
        let rewrite = Rewrite { bucket, lifecycle, hits: &hits, recovery: &recovery, seen };
        ways_out.push(match rewrite.narrowed() {
            Ok(narrowed) => narrowed.remedy(),
            Err(not) => not.remedy(),
        });
    }
    for source in sources {
        let Source::Tiering { id, .. } = source else { continue };
        ways_out.push(Remedy::paste(
            format!(
                "Delete {source}, or narrow its filter to other prefixes: a filter selects, it cannot exclude one. Objects that are \
                 archived by then stay archived until they are restored."
            ),
            format!("aws s3api delete-bucket-intelligent-tiering-configuration --bucket {} --id {}", word(bucket), word(id)),
        ));
    }
    ways_out
}

/// The prefixes of every recovery place of a job in a bucket.
fn prefixes(job: &Manifest, bucket: &str) -> Vec<String> {
    job.recovery.iter().flat_map(|recovery| locations(recovery, true)).filter(|at| at.bucket() == bucket).map(S3Location::prefix).collect()
}

/// The prefixes of recovery files that are not renewed all the time.
fn long_lived(audit: &Audit, bucket: &str) -> Vec<String> {
    let of_job = |job: &Manifest| -> Vec<String> {
        let Some(recovery) = &job.recovery else { return Vec::new() };
        let shares = recovery.changelog.is_some() || recovery.checkpoints.as_ref().is_some_and(|one| one.incremental != Some(false));
        locations(recovery, shares).filter(|at| at.bucket() == bucket).map(S3Location::prefix).collect()
    };
    audit.jobs.iter().flat_map(of_job).collect()
}

fn locations(recovery: &Recovery, with_checkpoints: bool) -> impl Iterator<Item = &S3Location> {
    let checkpoints = recovery.checkpoints.iter().filter(move |_| with_checkpoints).filter_map(|checkpoints| checkpoints.location.as_ref());
    let others = [&recovery.high_availability, &recovery.changelog].into_iter().flatten();
    recovery.savepoints.iter().chain(checkpoints).chain(others).filter_map(|at| Location::s3(&at.value))
}

/// Whether a rule acts on current versions that are written at `as_of` by `limit`.
fn acts_by(rule: &LifecycleRule, as_of: Instant, limit: Instant) -> bool {
    let due = |when: When| match when {
        When::Days(days) => as_of.plus(crate::units::Millis::days(u64::from(days))).next_midnight(),
        When::Date(date) => date,
    };
    let expiration = rule.expiration.and_then(|expiration| match expiration {
        Expiration::Objects(when) => Some(when),
        Expiration::ExpiredObjectDeleteMarker => None,
    });
    rule.transitions.iter().map(|transition| transition.when).chain(expiration).any(|when| due(when) <= limit)
}
