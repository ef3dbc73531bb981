//! Settings of a cluster's brokers that rules hold against a manifest.

use super::{Sourced, settings::Reader};
use crate::{
    audit::Audit,
    evidence::{Evidence, Fact, Unknown},
    units::Millis,
};

/// `transaction.max.timeout.ms`: the longest transaction time-out that a producer may ask for.
///
/// `cluster` is the name that a source or sink states; see [`Audit::cluster_name`].
///
/// # Errors
///
/// The cluster was not captured, its brokers do not tell, or what they tell is not a length.
pub fn transaction_max_timeout(audit: &Audit, evidence: &Evidence, cluster: Option<&str>) -> Result<Sourced<Millis>, Unknown> {
    read(audit, evidence, cluster, "transaction.max.timeout.ms", Millis::new)
}

/// `offsets.retention.minutes`: how long committed offsets are kept after the last commit, where a group has no members.
///
/// # Errors
///
/// As [`transaction_max_timeout`].
pub fn offsets_retention(audit: &Audit, evidence: &Evidence, cluster: Option<&str>) -> Result<Sourced<Millis>, Unknown> {
    read(audit, evidence, cluster, "offsets.retention.minutes", Millis::minutes)
}

fn read(
    audit: &Audit,
    evidence: &Evidence,
    cluster: Option<&str>,
    key: &str,
    unit: impl Fn(u64) -> Millis,
) -> Result<Sourced<Millis>, Unknown> {
    let name = audit.cluster_name(cluster);
    let seen = evidence.kafka.get(name).ok_or_else(|| Unknown::new(format!("not captured: Kafka cluster {name}"), "ttl-audit collect"))?;
    let brokers = Reader::new(format!("the brokers of cluster {name}"), &seen.broker);
    let number = brokers.number(key)?;
    let length = u64::try_from(number.value).ok().filter(|length| *length > 0).map(unit);
    let length = length.ok_or_else(|| brokers.unknown(key, "is not above 0"))?;
    let by = match &seen.broker {
        Fact::Seen(seen) => format!("; {} of cluster {name}", seen.by),
        _ => String::new(),
    };
    Ok(Sourced::new(length, format!("{}{by}", number.origin)))
}
