//! Why a topic may have offsets without a record that its readers get.
//!
//! Offsets are all that can be asked for without reading records. Compaction removes records and leaves their offsets; each transaction puts
//! a control record into every partition that it wrote to, and what was aborted keeps its offsets, too (Kafka's protocol, *Transactions*).
//! Nothing in a topic's settings shows that it is written in transactions, so that is what manifests say.

use super::{CleanupPolicy, Sourced};
use crate::{
    audit::Audit,
    evidence::Unknown,
    manifest::{Delivery, KafkaSource, SinkKind},
};

/// Why a difference of two offsets of `topic` is an upper bound of the records between them, if it is.
pub(super) fn of(
    audit: &Audit,
    source: &KafkaSource,
    cluster: &str,
    topic: &str,
    cleanup: &Result<Sourced<CleanupPolicy>, Unknown>,
) -> Option<String> {
    match cleanup {
        Ok(cleanup) if cleanup.value.compact => return Some(format!("topic {topic} is compacted")),
        Ok(_) => {}
        Err(_) => return Some(format!("whether topic {topic} is compacted is not known")),
    }
    if source.transactional {
        return Some(format!("topic {topic} is written in transactions (`transactional: true`)"));
    }
    let writer = audit.jobs.iter().find(|job| {
        job.sinks.iter().any(|sink| {
            sink.kind == SinkKind::Kafka
                && sink.delivery == Some(Delivery::ExactlyOnce)
                && sink.topic.as_deref() == Some(topic)
                && audit.cluster_name(sink.cluster.as_ref().map(|named| named.value.as_str())) == cluster
        })
    });
    writer.map(|job| format!("job {} writes topic {topic} in transactions", job.job.value))
}
