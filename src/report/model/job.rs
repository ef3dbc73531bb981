//! What a report says of one job and of its states.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BackWithoutDuplicates, BackWithoutLoss, PlaceReport, ReplayReport, SnapshotReport, Verdict};
use crate::units::Millis;

/// One job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobReport {
    /// Its name.
    pub job: String,
    /// Who answers for it.
    pub owner: Option<String>,
    /// Which Flink it runs on.
    #[serde(default)]
    pub flink: ReportedFlink,
    /// The verdict.
    pub verdict: Verdict,
    /// Until when it can come back without losing records.
    #[serde(default)]
    pub back_without_loss: BackWithoutLoss,
    /// Whether it can come back without writing records twice, by way.
    #[serde(default)]
    pub back_without_duplicates: BackWithoutDuplicates,
    /// What each way of coming back costs; *snapshot* and *offset-reset* once for each snapshot.
    #[serde(default)]
    pub replay: Vec<ReplayReport>,
    /// One entry for each state.
    pub operators: Vec<OperatorReport>,
    /// Its snapshots: those that were looked into.
    pub snapshots: Vec<SnapshotReport>,
    /// The places to which its recovery files are written.
    #[serde(default)]
    pub places: Vec<PlaceReport>,
    /// The rules that had something of it to judge, in the order of the documentation. One of them that is neither in a finding nor in an
    /// unknown of this job found nothing to say.
    #[serde(default)]
    pub judged: Vec<String>,
    /// By rule, the subjects (without the job) that it looked at and had nothing to say about. A subject that is neither here nor in a finding
    /// nor in an unknown was not judged. Absent in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<BTreeMap<String, Vec<String>>>,
}

/// Which Flink a job runs on, as its manifest says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedFlink {
    /// `1.18.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `rocksdb`, `hashmap`, `forst`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_backend: Option<String>,
}

/// One state of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorReport {
    /// uid or uid hash.
    pub uid: String,
    /// Its name, for people.
    pub name: Option<String>,
    /// The state's name.
    pub state: String,
    /// The role that it is judged by.
    pub role: String,
    /// Its TTL: a duration, or the word `never` or `unknown`.
    pub ttl: Length,
    /// What clears it, where no TTL governs it; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleared: Option<ClearedReport>,
    /// Every topic whose records reach it.
    pub topics: Vec<TopicReport>,
    /// What the TTL has to be at least; absent where no finite TTL is enough, or where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_ttl: Option<Millis>,
    /// The verdict.
    pub verdict: Verdict,
}

/// What clears a state that no TTL governs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClearedReport {
    /// `watermark`, `timer` or `code`.
    pub by: String,
    /// After how long; absent if the manifest does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Millis>,
}

/// One topic that an operator reads. Lengths are durations, or `unlimited`, `unknown`, `empty`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TopicReport {
    /// The source's id.
    pub source: String,
    /// The topic.
    pub topic: String,
    /// What a consumer may rely on finding.
    pub floor: Length,
    /// The oldest record that a restart from earliest can receive.
    pub worst_case: Length,
    /// How old the first readable record was at captured-at.
    pub observed: Length,
    /// Where the retention comes from.
    pub origin: String,
}

/// A duration, or a word where there is no number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Length {
    /// A length of time.
    Duration(Millis),
    /// `never`, `unlimited`, `unknown`, `empty`, `bound by size only`.
    Word(String),
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration(length) => length.fmt(f),
            Self::Word(word) => f.pad(word),
        }
    }
}
