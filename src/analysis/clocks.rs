//! What the raw timestamps of a topic's first and latest records say about its producers' clocks.

use super::{
    Window,
    observed::{answer, looks_like_seconds},
};
use crate::evidence::{Evidence, Unknown};

/// Timestamps that stand out, over all partitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionClocks {
    /// A partition, its raw timestamp that looks like seconds, and which record carries it.
    pub in_seconds: Option<(i32, i64, &'static str)>,
    /// The partition with the largest raw timestamp, and that. `None`: there are no records.
    pub largest: Option<(i32, i64)>,
    /// Why a partition did not answer: whoever finds nothing in the others must pass this on.
    pub gap: Option<Unknown>,
}

/// Reads the first record's and the largest timestamp of each partition of a window's topic.
///
/// # Errors
///
/// The topic's partitions are not known.
pub fn partition_clocks(window: &Window, evidence: &Evidence) -> Result<PartitionClocks, Unknown> {
    let topic = window.cluster.as_deref().and_then(|cluster| evidence.kafka.get(cluster)?.topics.get(&window.topic));
    let Some(topic) = topic else { return Err(Unknown::new(format!("not captured: topic {}", window.topic), "ttl-audit collect")) };
    let mut clocks = PartitionClocks::default();
    for &partition in &topic.partitions.known()?.value {
        let answers = [("first record", &topic.first_record), ("record with the largest timestamp", &topic.largest_timestamp)];
        for (which, fact) in answers {
            let timestamp = match answer(&window.topic, fact, partition) {
                Ok(record) => record.and_then(|record| record.timestamp),
                Err(unknown) => {
                    clocks.gap.get_or_insert(unknown);
                    continue;
                }
            };
            let Some(timestamp) = timestamp else { continue };
            if looks_like_seconds(timestamp, evidence.captured_at) && clocks.in_seconds.is_none() {
                clocks.in_seconds = Some((partition, timestamp, which));
            }
            if clocks.largest.is_none_or(|(_, known)| timestamp > known) {
                clocks.largest = Some((partition, timestamp));
            }
        }
    }
    Ok(clocks)
}
