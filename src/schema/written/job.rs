//! A job manifest.

use schemars::JsonSchema;

use super::{Count, Hash, Length, Place, Recovery, Retention, Text, Topic, TtlLength, Version};
use crate::manifest::{Clearing, Delivery, Platform, Reset, Role, SinkKind, Start, StateKind, TtlUpdate, TtlVisibility};

/// A job manifest of ttl-audit.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields, title = "ttl-audit job manifest")]
pub struct Manifest {
    /// The version of this format.
    pub version: Version,
    /// The job's name, unique in an audit.
    pub job: Text,
    /// Who answers for it.
    pub owner: Option<Text>,
    /// Which Flink, and where it runs.
    pub flink: Option<Flink>,
    /// The longest time that the job may be down. Default: the policy's.
    pub max_downtime: Option<Length>,
    /// What it reads; at least one.
    #[schemars(length(min = 1))]
    pub sources: Vec<Source>,
    /// Its stateful operators. Without any, the job is judged for loss and delivery only.
    pub operators: Option<Vec<Operator>>,
    /// Where it writes.
    pub sinks: Option<Vec<Sink>>,
    /// Its recovery files and how it is restarted. Without it that half is not judged.
    pub recovery: Option<Recovery>,
}

/// Which Flink, and where it runs.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Flink {
    /// In full, such as 1.18.1; platforms with numbers of their own (ververica, other) may write theirs.
    pub version: Option<Text>,
    /// Where it runs. Default: self-managed.
    pub platform: Option<Platform>,
    /// rocksdb, hashmap, forst.
    pub state_backend: Option<Text>,
}

/// What a source reads from.
#[derive(Debug, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum SourceKind {
    /// Apache Kafka, or what speaks its protocol; it is asked for the retention.
    Kafka,
    /// Amazon Kinesis; needs `retention`.
    Kinesis,
    /// Apache Pulsar; needs `retention`.
    Pulsar,
    /// Files; needs `retention`.
    Files,
    /// Change data capture; needs `retention`.
    Cdc,
    /// Anything else; needs `retention`.
    Other,
}

/// One source.
#[derive(Debug, JsonSchema)]
#[schemars(
    deny_unknown_fields,
    extend(
        "if" = { "properties": { "kind": { "enum": ["kinesis", "pulsar", "files", "cdc", "other"] } }, "required": ["kind"] },
        "then" = { "required": ["retention"] },
        "else" = { "oneOf": [{ "required": ["topic"] }, { "required": ["topics"] }, { "required": ["topic_pattern"] }] },
    )
)]
pub struct Source {
    /// Unique in the job.
    pub id: Text,
    /// The uid of the source operator; no operator may have the same.
    pub uid: Option<Text>,
    /// What it reads from. Default: kafka.
    pub kind: Option<SourceKind>,
    /// Records a day; used only where nothing was measured.
    pub records_per_day: Option<Count>,
    /// Kafka: the cluster's name under `kafka` in the audit file. Default: the only one.
    pub cluster: Option<Text>,
    /// Kafka: the topic.
    pub topic: Option<Topic>,
    /// Kafka: several topics.
    #[schemars(length(min = 1))]
    pub topics: Option<Vec<Topic>>,
    /// Kafka: a Java regular expression that must match a topic's whole name.
    pub topic_pattern: Option<Text>,
    /// Kafka, topics with CreateTime: how late a record may be when it is written. Default: 0s.
    pub max_event_lag: Option<Length>,
    /// Kafka: whether producers write the topics in transactions; counts from offsets are upper bounds then. Default: false.
    pub transactional: Option<bool>,
    /// Kafka and Pulsar: the consumer group, or the subscription.
    pub group_id: Option<Text>,
    /// Kafka and Pulsar: where the source starts without state. Default for Kafka: earliest.
    pub start: Option<Start>,
    /// Kafka and Pulsar: what happens to a position that is gone. Default for Kafka: as Flink derives it from `start`.
    pub reset: Option<Reset>,
    /// Every kind but Kafka: how long the source keeps its records.
    pub retention: Option<Retention>,
}

/// One stateful operator.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields, extend("oneOf" = [{ "required": ["uid"] }, { "required": ["uid_hash"] }]))]
pub struct Operator {
    /// The operator's uid in the code.
    pub uid: Option<Text>,
    /// The operator id, 32 hex digits, where no uid is set.
    pub uid_hash: Option<Hash>,
    /// For people.
    pub name: Option<Text>,
    /// What its state is for. Default: deduplication, and the report says so.
    pub role: Option<Role>,
    /// The ids of the sources whose records reach its state. Default: every source.
    #[schemars(length(min = 1))]
    pub reads: Option<Vec<Text>>,
    /// The TTL of all its states that state none.
    pub ttl: Option<TtlLength>,
    /// Its states; at least one.
    #[schemars(length(min = 1))]
    pub state: Vec<State>,
}

/// One state.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct State {
    /// The name of the state's descriptor, unique in the operator.
    pub name: Text,
    /// What kind of state. Flink's TTL does not govern window and interval-join.
    pub kind: Option<StateKind>,
    /// A duration, never, or unknown; required here or on the operator. 0 is never, as in Flink SQL.
    pub ttl: Option<TtlLength>,
    /// What renews it. Default: on-create-and-write.
    pub update: Option<TtlUpdate>,
    /// Whether expired values may still be returned. Default: never-return-expired.
    pub visibility: Option<TtlVisibility>,
    /// Only with `ttl: never`: what removes it instead.
    pub cleared_by: Option<Clearing>,
    /// Only with `cleared_by`: how long it takes.
    pub after: Option<Length>,
    /// Narrows the operator's `reads` for this state.
    #[schemars(length(min = 1))]
    pub reads: Option<Vec<Text>>,
}

/// One sink.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sink {
    /// Unique in the job.
    pub id: Text,
    /// What it writes to. Default: other.
    pub kind: Option<SinkKind>,
    /// The delivery guarantee. exactly-once is refused for firehose, redshift and elasticsearch, whose connectors cannot.
    pub delivery: Option<Delivery>,
    /// Whether the target merges on a key taken from the record. Default: false.
    pub idempotent: Option<bool>,
    /// The uids of the operators that feed it. Default: every operator.
    #[schemars(length(min = 1))]
    pub fed_by: Option<Vec<Text>>,
    /// The table that it writes.
    pub table: Option<Text>,
    /// The table's key columns.
    #[schemars(length(min = 1))]
    pub key: Option<Vec<Text>>,
    /// The column that says when a row was written.
    pub ingested_at: Option<Text>,
    /// Whether the sink keeps its own history of commits. Default: true for iceberg, else false.
    pub commit_log: Option<bool>,
    /// Kafka: the cluster's name under `kafka` in the audit file.
    pub cluster: Option<Text>,
    /// Kafka: the topic.
    pub topic: Option<Topic>,
    /// Kafka: transaction.timeout.ms of the producer.
    pub transaction_timeout: Option<Length>,
    /// files and iceberg: where the files lie.
    pub location: Option<Place>,
}
