//! The headline of a job and the numbers behind it: until when it can come back, and what that costs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::Instant;

/// Until when a job can come back without losing records, if it stops at as-of and is restarted the declared way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackWithoutLoss {
    /// `date`, `at-most` (a needed term is not known), `no` or `unknown`.
    pub state: String,
    /// The date, for `date` and `at-most`; `null` with `date`: nothing that is known ends it.
    pub at: Option<Instant>,
    /// What limits it.
    pub because: String,
    /// The snapshot that is judged: the one that `restore.from` selects.
    pub snapshot: Option<String>,
    /// Whether each new checkpoint moves the date on while the job runs.
    pub moves_on: bool,
    /// Another snapshot that allows a later return.
    pub best_alternative: Option<BestAlternative>,
}

impl Default for BackWithoutLoss {
    fn default() -> Self {
        Self {
            state: "unknown".to_owned(),
            at: None,
            because: "not judged".to_owned(),
            snapshot: None,
            moves_on: false,
            best_alternative: None,
        }
    }
}

/// Another snapshot, and until when it allows a return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BestAlternative {
    /// The snapshot.
    pub snapshot: String,
    /// `savepoint` or `checkpoint`.
    pub kind: String,
    /// As in [`BackWithoutLoss`].
    pub state: String,
    /// The date, where there is one.
    pub at: Option<Instant>,
    /// What limits it.
    pub because: String,
}

/// Four answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackWithoutDuplicates {
    /// A task or the job manager dies.
    pub failover: WayAnswer,
    /// A planned restart from the selected snapshot.
    pub snapshot: WayAnswer,
    /// The newest snapshot's state is restored, the source's positions are not.
    pub offset_reset: WayAnswer,
    /// No snapshot is used.
    pub state_loss: WayAnswer,
}

/// Whether one way writes nothing twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WayAnswer {
    /// `yes`, `no` or `unknown`.
    pub state: String,
    /// How many records are written twice.
    pub records: Option<u64>,
    /// `measured`, `interpolated`, `declared` or `unknown`.
    pub basis: String,
    /// Whether the number is an upper bound.
    pub upper_bound: bool,
    /// Why it is not known; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
}

impl Default for WayAnswer {
    fn default() -> Self {
        let unknown = || "unknown".to_owned();
        Self { state: unknown(), records: None, basis: unknown(), upper_bound: false, because: "not judged".to_owned() }
    }
}

/// What one way of coming back costs. `null`: not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayReport {
    /// `failover`, `snapshot`, `offset-reset` or `state-loss`.
    pub way: String,
    /// The snapshot that is restored, where one is.
    pub snapshot: Option<String>,
    /// Records that reach a sink a second time.
    pub records_twice: Option<u64>,
    /// Records that nobody reads any more.
    pub records_lost: Option<u64>,
    /// Records that are read again and recognised, by state or by a sink that merges on a key.
    pub records_suppressed: Option<u64>,
    /// `measured`, `interpolated`, `declared` or `unknown`.
    pub basis: String,
    /// Whether the numbers are upper bounds.
    pub upper_bound: bool,
    /// What to know about them.
    pub note: String,
    /// By day, with `--by-day`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_day: Vec<DayReport>,
}

/// The records of one UTC day, by their timestamps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DayReport {
    /// `2026-09-15`.
    pub day: String,
    /// Written twice.
    pub twice: u64,
    /// Recognised.
    pub suppressed: u64,
    /// Lost.
    pub lost: u64,
}
