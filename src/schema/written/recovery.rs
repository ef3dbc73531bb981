//! `recovery:` of a job manifest.

use schemars::JsonSchema;

use super::{From, Length, Place};
use crate::manifest::{OnCancel, RestoreMode};

/// A job's recovery files and how it is restarted.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Recovery {
    /// Its checkpoints.
    pub checkpoints: Option<Checkpoints>,
    /// Folders of savepoints, or single ones.
    #[schemars(length(min = 1))]
    pub savepoints: Option<Vec<Place>>,
    /// The job's high-availability.storageDir.
    pub high_availability: Option<Place>,
    /// The changelog backend's base path.
    pub changelog: Option<Place>,
    /// How it is restarted.
    pub restore: Option<Restore>,
}

/// A job's checkpoints.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Checkpoints {
    /// The checkpoint directory without the job id, or jobmanager. May be missing with platform managed-flink only.
    pub location: Option<Place>,
    /// From start to start.
    pub interval: Option<Length>,
    /// Whether checkpoints share files.
    pub incremental: Option<bool>,
    /// What cancelling the job does to them.
    pub on_cancel: Option<OnCancel>,
}

/// How a job is restarted.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Restore {
    /// latest (default), savepoint, checkpoint, last-state, none, or one snapshot's location.
    pub from: Option<From>,
    /// Who owns the snapshot afterwards. Default: no-claim. legacy is refused for Flink 2.x.
    pub mode: Option<RestoreMode>,
    /// Whether state of operators that are gone is dropped. Default: false.
    pub allow_non_restored_state: Option<bool>,
}
