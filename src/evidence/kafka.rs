//! What a Kafka cluster said.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Fact;
use crate::units::Instant;

/// Everything that one cluster was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterEvidence {
    /// The cluster's own id.
    pub cluster_id: Fact<String>,
    /// Broker settings that matter, of each broker that was asked (`log.retention.check.interval.ms`,
    /// `offsets.retention.minutes`, `transaction.max.timeout.ms`, `log.cleaner.*`). Topic answers never hold them.
    pub broker: Fact<Settings>,
    /// By topic name.
    pub topics: BTreeMap<String, TopicEvidence>,
    /// By `topic_pattern`: the topics that it matched. Topics without the DESCRIBE right are invisible here.
    pub patterns: BTreeMap<String, Fact<Vec<String>>>,
    /// By consumer group: what it has committed. Only groups that a source names are asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, Fact<GroupOffsets>>,
    /// Requests that were made to the cluster.
    pub requests: u64,
}

/// What a consumer group has committed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupOffsets {
    /// The next offset to read, by topic and partition. A partition that is not here has no commit: it was never there, or it has expired.
    pub topics: BTreeMap<String, BTreeMap<i32, i64>>,
    /// Topics with partitions that gave no answer, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<String, String>,
}

/// Settings by name, as `DescribeConfigs` tells them.
pub type Settings = BTreeMap<String, Setting>;

/// One setting as `DescribeConfigs` tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The effective value; `None` where the broker hides it (sensitive) or has none.
    pub value: Option<String>,
    /// Where the effective value comes from.
    pub source: SettingSource,
    /// The chain of names that were looked at, first the one that won. A synonym's value is in *its* unit
    /// (`log.retention.hours` = 168).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<Synonym>,
}

/// One name in the chain behind a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Synonym {
    /// The setting's name, often a broker's.
    pub name: String,
    /// Its value, in its own unit.
    pub value: Option<String>,
    /// Where that is set.
    pub source: SettingSource,
}

/// Where a setting is set: `ConfigSource` of the Kafka protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SettingSource {
    /// 1: on the topic itself.
    Topic,
    /// 2: on this broker, dynamically.
    DynamicBroker,
    /// 3: cluster-wide dynamic default.
    DynamicDefaultBroker,
    /// 4: in the broker's file.
    StaticBroker,
    /// 5: built into the broker.
    Default,
    /// Another id; newer brokers have more.
    Other(i32),
}

impl SettingSource {
    /// From the id in the Kafka protocol.
    #[must_use]
    pub const fn from_id(id: i32) -> Self {
        match id {
            1 => Self::Topic,
            2 => Self::DynamicBroker,
            3 => Self::DynamicDefaultBroker,
            4 => Self::StaticBroker,
            5 => Self::Default,
            other => Self::Other(other),
        }
    }

    /// As a report says it: `topic override`, `broker default`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Topic => "topic override",
            Self::DynamicBroker => "dynamic broker setting",
            Self::DynamicDefaultBroker => "dynamic cluster-wide broker default",
            Self::StaticBroker => "static broker setting",
            Self::Default => "broker default",
            Self::Other(_) => "unnamed source",
        }
    }
}

/// Everything that was asked about one topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicEvidence {
    /// Partition ids. *Absent*: the topic does not exist, and that is known. *Denied*: it exists or not, the right to know is missing.
    pub partitions: Fact<Vec<i32>>,
    /// Effective settings.
    pub settings: Fact<Settings>,
    /// `ListOffsets` −2: the log start offset.
    pub log_start: PerPartition,
    /// `ListOffsets` −1: the log end.
    pub log_end: PerPartition,
    /// `ListOffsets` with timestamp 0: the first readable record, with its own timestamp.
    pub first_record: PerPartition,
    /// `ListOffsets` −3: the record with the largest timestamp.
    pub largest_timestamp: PerPartition,
    /// Offsets by time: each day of the window (at most 64 instants) and as-of − TTL for each TTL that reads the topic.
    pub samples: Fact<Vec<Sample>>,
}

impl TopicEvidence {
    /// The instant that this topic's offsets and observed history belong to: that of the whole capture, or an earlier one where evidence was
    /// put together from captures of several days.
    #[must_use]
    pub fn captured_at(&self, whole: Instant) -> Instant {
        let seen = [&self.first_record, &self.log_end].into_iter().filter_map(|fact| fact.known().ok()).map(|seen| seen.at);
        seen.fold(whole, Ord::min)
    }
}

/// An answer for each partition. Seen with a value for every partition of the topic that answered; those that did not are in `failed`.
pub type PerPartition = Fact<Offsets>;

/// Offsets by partition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offsets {
    /// By partition. `None`: answered, and there is no such record.
    pub partitions: BTreeMap<i32, Option<Offset>>,
    /// Partitions without an answer, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<i32, String>,
}

/// A place in a partition's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offset {
    /// The offset.
    pub offset: i64,
    /// The record's timestamp, milliseconds since the epoch; `None` for a position that is not a record. Kept raw: it may be nonsense
    /// (seconds where milliseconds belong).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<i64>,
}

/// For one instant, the first offset whose record is stamped at or after it, by partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The instant that was asked for.
    pub at: Instant,
    /// The answers. `None`: no record that new, so the position is the log end.
    pub offsets: Offsets,
}
