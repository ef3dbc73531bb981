//! A job manifest, read and validated: what the owners of a job say about it.

use schemars::JsonSchema;

use crate::units::{Instant, Location, Millis, Ttl};

pub use crate::yaml::{At, Position};

/// One job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The file, as reports name it: relative to the audit's folder, with `/`.
    pub file: String,
    /// The job's name; unique within an audit.
    pub job: At<String>,
    /// Who answers for it.
    pub owner: Option<String>,
    /// Which Flink, and where it runs.
    pub flink: Flink,
    /// The longest time that the job may be down; the policy's value where it is not stated.
    pub max_downtime: Option<Millis>,
    /// What it reads. Never empty.
    pub sources: Vec<Source>,
    /// Its stateful operators. Empty: the job declares no state.
    pub operators: Vec<Operator>,
    /// Where it writes.
    pub sinks: Vec<Sink>,
    /// Its recovery files. `None`: the recovery half is not judged, and the report says so.
    pub recovery: Option<Recovery>,
}

/// Which Flink, and where it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flink {
    /// `1.18.1`; the text is kept as written.
    pub version: Option<String>,
    /// Default self-managed.
    pub platform: Platform,
    /// `rocksdb`, `hashmap`, `forst`; the text is kept as written.
    pub state_backend: Option<String>,
}

impl Flink {
    /// Major and minor version. `None`: not stated, or not a version.
    #[must_use]
    pub fn release(&self) -> Option<(u32, u32)> {
        release(self.version.as_deref()?)
    }
}

/// Major and minor version of `1.18.1`, `1.18-SNAPSHOT`, `2.1`.
#[must_use]
pub fn release(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.trim().split('.').map(|part| {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    });
    Some((numbers.next()??, numbers.next()??))
}

/// Where Flink runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Platform {
    /// `self-managed`.
    #[default]
    SelfManaged,
    /// `kubernetes-operator`.
    KubernetesOperator,
    /// `managed-flink`: Amazon Managed Service for Apache Flink; its own snapshots lie in the service's storage.
    ManagedFlink,
    /// `ververica`.
    Ververica,
    /// `other`.
    Other,
}

/// One source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Unique within the job.
    pub id: At<String>,
    /// The operator's uid.
    pub uid: Option<String>,
    /// What it reads from.
    pub kind: SourceKind,
}

/// What a source reads from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// Kafka: retention is asked of the cluster.
    Kafka(KafkaSource),
    /// Anything else: retention is what the manifest declares.
    Declared(DeclaredSource),
}

/// A Kafka source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KafkaSource {
    /// The cluster's name in the audit file. `None`: the only cluster there is.
    pub cluster: Option<At<String>>,
    /// Which topics.
    pub topics: Topics,
    /// The consumer group.
    pub group_id: Option<String>,
    /// Where it starts without state. Default earliest, as in Flink's DataStream builder.
    pub start: Start,
    /// What happens to a position that the topic no longer has. Default as Flink derives it from `start`.
    pub reset: Reset,
    /// Used only where nothing was measured.
    pub records_per_day: Option<u64>,
    /// CreateTime only: how late a record may be when it is written. Default 0, listed as an assumption.
    pub max_event_lag: Option<Millis>,
    /// Whether producers write the topics in transactions, which take offsets that no consumer gets.
    pub transactional: bool,
}

/// Which topics a source reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topics {
    /// `topic` or `topics`; never empty.
    Named(Vec<At<String>>),
    /// `topic_pattern`: a Java regex, matched against the whole name.
    Pattern(At<String>),
}

/// Where a source starts without state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Start {
    /// From the log start.
    #[default]
    Earliest,
    /// From the log end.
    Latest,
    /// From the group's committed offsets.
    Committed,
    /// From a timestamp.
    Timestamp,
}

impl Start {
    /// The reset that Flink derives from it: `earliest()` gives EARLIEST, `latest()` and `timestamp(t)` give LATEST, `committedOffsets()`
    /// gives NONE (Flink's `OffsetsInitializer`).
    #[must_use]
    pub const fn derived_reset(self) -> Reset {
        match self {
            Self::Earliest => Reset::Earliest,
            Self::Latest | Self::Timestamp => Reset::Latest,
            Self::Committed => Reset::None,
        }
    }
}

/// What happens to a position that the topic no longer has (`auto.offset.reset`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Reset {
    /// Go on at the log start.
    #[default]
    Earliest,
    /// Go on at the log end.
    Latest,
    /// Fail.
    None,
}

impl Reset {
    /// The word in the manifest.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Earliest => "earliest",
            Self::Latest => "latest",
            Self::None => "none",
        }
    }
}

/// A source that is not Kafka.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredSource {
    /// `kinesis`, `pulsar`, `files`, `cdc` or `other`.
    pub kind: &'static str,
    /// How long it keeps its records, as the manifest says.
    pub retention: At<DeclaredRetention>,
    /// Pulsar only: the subscription's name.
    pub group_id: Option<String>,
    /// Pulsar only: where it starts without state.
    pub start: Option<Start>,
    /// Pulsar only: what happens to a position that is gone.
    pub reset: Option<Reset>,
    /// Used for counts.
    pub records_per_day: Option<u64>,
}

/// What a manifest says about a source that cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredRetention {
    /// A length.
    For(Millis),
    /// `unlimited`.
    Unlimited,
    /// `unknown`.
    Unknown,
}

/// One stateful operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// How it is identified.
    pub id: At<OperatorId>,
    /// Its name, for people.
    pub name: Option<String>,
    /// What its state is for. `None`: judged like deduplication, and the report says so.
    pub role: Option<Role>,
    /// Its state. Never empty.
    pub state: Vec<State>,
}

/// How an operator is identified across restarts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorId {
    /// `uid("…")` in the code.
    Uid(String),
    /// `setUidHash("…")`, or a generated id: 32 hex digits, lower case.
    Hash(String),
}

impl OperatorId {
    /// The text that reports show.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Uid(text) | Self::Hash(text) => text,
        }
    }
}

/// What an operator's state is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Role {
    /// `deduplication`.
    Deduplication,
    /// `join`.
    Join,
    /// `aggregation`.
    Aggregation,
    /// `session`.
    Session,
    /// `cache`: refilled from elsewhere.
    Cache,
    /// `other`.
    Other,
}

impl Role {
    /// The word in the manifest.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deduplication => "deduplication",
            Self::Join => "join",
            Self::Aggregation => "aggregation",
            Self::Session => "session",
            Self::Cache => "cache",
            Self::Other => "other",
        }
    }
}

/// One state of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name in the descriptor.
    pub name: At<String>,
    /// Its kind.
    pub kind: Option<StateKind>,
    /// Its TTL; the position is that of the `ttl:` that governs it, be it on the state or on the operator.
    pub ttl: At<Ttl>,
    /// Default on-create-and-write.
    pub update: TtlUpdate,
    /// Default never-return-expired.
    pub visibility: TtlVisibility,
    /// What clears it where no TTL governs it.
    pub cleared_by: Option<ClearedBy>,
    /// Ids of the sources whose records reach it: its own `reads`, or the operator's, or every source. Resolved when the manifest is read.
    pub reads: Vec<String>,
}

/// Kinds of keyed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum StateKind {
    /// `value`.
    Value,
    /// `list`.
    List,
    /// `map`.
    Map,
    /// `reducing`.
    Reducing,
    /// `aggregating`.
    Aggregating,
    /// `window`: no TTL governs it.
    Window,
    /// `interval-join`: no TTL governs it.
    IntervalJoin,
}

/// `StateTtlConfig.UpdateType`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum TtlUpdate {
    /// `on-create-and-write`.
    #[default]
    OnCreateAndWrite,
    /// `on-read-and-write`.
    OnReadAndWrite,
}

/// `StateTtlConfig.StateVisibility`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum TtlVisibility {
    /// `never-return-expired`.
    #[default]
    NeverReturnExpired,
    /// `return-expired-if-not-cleaned-up`.
    ReturnExpiredIfNotCleanedUp,
}

/// What clears state that no TTL governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClearedBy {
    /// By what.
    pub by: Clearing,
    /// After how long, if that is declared.
    pub after: Option<Millis>,
}

/// See [`ClearedBy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Clearing {
    /// `watermark`.
    Watermark,
    /// `timer`.
    Timer,
    /// `code`.
    Code,
}

impl Clearing {
    /// The word in the manifest.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Watermark => "watermark",
            Self::Timer => "timer",
            Self::Code => "code",
        }
    }
}

/// One sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sink {
    /// Unique within the job.
    pub id: At<String>,
    /// `kafka`, `jdbc`, `firehose`, `redshift`, `files`, `iceberg`, `elasticsearch` or `other`.
    pub kind: SinkKind,
    /// Its delivery guarantee. `None`: not stated.
    pub delivery: Option<Delivery>,
    /// Whether the target merges on a key taken from the record.
    pub idempotent: bool,
    /// Ids (uid or uid_hash) of the operators that feed it; every operator where none is stated. Resolved when the manifest is read.
    pub fed_by: Vec<String>,
    /// The table that it writes.
    pub table: Option<String>,
    /// The key columns.
    pub key: Vec<String>,
    /// The column that says when a row was written.
    pub ingested_at: Option<String>,
    /// Kafka: the cluster's name in the audit file.
    pub cluster: Option<At<String>>,
    /// Kafka: the topic.
    pub topic: Option<String>,
    /// Kafka: `transaction.timeout.ms`.
    pub transaction_timeout: Option<Millis>,
    /// Files and Iceberg: where they lie.
    pub location: Option<At<Location>>,
    /// The sink keeps its own history of commits.
    pub commit_log: bool,
}

/// What a sink writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum SinkKind {
    /// `kafka`.
    Kafka,
    /// `jdbc`.
    Jdbc,
    /// `firehose`.
    Firehose,
    /// `redshift`.
    Redshift,
    /// `files`.
    Files,
    /// `iceberg`.
    Iceberg,
    /// `elasticsearch`.
    Elasticsearch,
    /// `other`.
    Other,
}

/// A sink's delivery guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Delivery {
    /// `none`.
    None,
    /// `at-least-once`.
    AtLeastOnce,
    /// `exactly-once`.
    ExactlyOnce,
}

/// Where a job's recovery files lie and how it is restarted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// Where the block stands.
    pub position: Position,
    /// Its checkpoints.
    pub checkpoints: Option<Checkpoints>,
    /// Folders of savepoints, or single ones.
    pub savepoints: Vec<At<Location>>,
    /// `high-availability.storageDir` of the job.
    pub high_availability: Option<At<Location>>,
    /// The changelog backend's base path.
    pub changelog: Option<At<Location>>,
    /// How it is restarted.
    pub restore: Restore,
}

/// A job's checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// The checkpoint directory, without the job id. `None` only on managed Flink, which keeps its snapshots in the service's own storage.
    pub location: Option<At<Location>>,
    /// From start to start.
    pub interval: Option<Millis>,
    /// Whether files are shared between checkpoints. `None`: not stated.
    pub incremental: Option<bool>,
    /// What cancelling does to them. `None`: not stated; Flink's default deletes.
    pub on_cancel: Option<OnCancel>,
}

/// What cancelling a job does to its checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum OnCancel {
    /// `retain`.
    Retain,
    /// `delete`.
    Delete,
}

/// How a job is restarted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restore {
    /// From what. Default latest.
    pub from: RestoreFrom,
    /// Default no-claim.
    pub mode: RestoreMode,
    /// Whether state of operators that are gone is dropped silently.
    pub allow_non_restored_state: bool,
    /// Where `from` stands, if it is stated.
    pub position: Option<Position>,
}

/// From what a job is restarted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RestoreFrom {
    /// The newest of all snapshots.
    #[default]
    Latest,
    /// The newest savepoint.
    Savepoint,
    /// The newest checkpoint.
    Checkpoint,
    /// `last-state`: what high availability points to.
    LastState,
    /// From nothing.
    None,
    /// From this snapshot.
    Location(Location),
}

/// Who owns a snapshot after the restore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum RestoreMode {
    /// `no-claim`: Flink never deletes it.
    #[default]
    NoClaim,
    /// `claim`: Flink may delete it.
    Claim,
    /// `legacy` (Flink ≤ 1.20): judged like claim.
    Legacy,
}

/// A pinned or current instant that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsOf {
    /// The instant.
    pub at: Instant,
    /// Whether it was pinned (`as_of`, `--as-of`) rather than read off the clock.
    pub pinned: bool,
}
