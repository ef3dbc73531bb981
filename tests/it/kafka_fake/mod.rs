//! A scripted broker: speaks enough of Kafka's protocol, and answers what the test wants.

mod answers;
mod server;

use std::collections::BTreeMap;

pub(crate) use server::{Fake, Seen};

/// What the broker says.
#[derive(Clone, Default)]
pub(crate) struct Script {
    pub(crate) cluster_id: Option<String>,
    /// Metadata names no controller, as some services do.
    pub(crate) no_controller: bool,
    /// By name. A topic that is not here does not exist (error 3).
    pub(crate) topics: BTreeMap<String, FakeTopic>,
    /// The broker's own settings, or an error.
    pub(crate) broker: Configs,
    /// Topics that are not in any listing and not by name either: denied (error 29).
    pub(crate) denied: Vec<String>,
    /// Never answers these calls.
    pub(crate) silent: Vec<Call>,
    /// The broker knows `ListOffsets` up to this version; 7 brought −3.
    pub(crate) list_offsets_version: Option<i16>,
    /// Wants SASL PLAIN with this password.
    pub(crate) password: Option<String>,
}

/// Calls that a script can leave without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    ApiVersions,
    Metadata,
    DescribeConfigs,
    ListOffsets,
}

/// What `DescribeConfigs` says of one resource.
#[derive(Clone)]
pub(crate) enum Configs {
    /// These settings.
    Settings(Vec<FakeSetting>),
    /// This error.
    Error(i16),
    /// Nothing: the resource is left out of the answer.
    LeftOut,
}

impl Default for Configs {
    fn default() -> Self {
        Self::Settings(Vec::new())
    }
}

#[derive(Clone, Default)]
pub(crate) struct FakeSetting {
    pub(crate) name: &'static str,
    pub(crate) value: Option<&'static str>,
    pub(crate) source: i8,
    pub(crate) sensitive: bool,
    pub(crate) synonyms: Vec<(&'static str, &'static str, i8)>,
}

#[derive(Clone, Default)]
pub(crate) struct FakeTopic {
    pub(crate) partitions: Vec<FakePartition>,
    pub(crate) configs: Configs,
}

/// A partition whose log holds one record for each timestamp, from offset 0 on.
#[derive(Clone, Default)]
pub(crate) struct FakePartition {
    pub(crate) timestamps: Vec<i64>,
    /// No leader.
    pub(crate) leaderless: bool,
    /// Errors of `ListOffsets`, one for each time it is asked; then it answers.
    pub(crate) errors: Vec<i16>,
    /// An error each time.
    pub(crate) always: Option<i16>,
}

/// A setting with a value and a source id.
pub(crate) fn setting(name: &'static str, value: &'static str, source: i8) -> FakeSetting {
    FakeSetting { name, value: Some(value), source, ..FakeSetting::default() }
}

/// A topic with one partition that holds these records.
pub(crate) fn topic(settings: Vec<FakeSetting>, timestamps: &[i64]) -> FakeTopic {
    let partition = FakePartition { timestamps: timestamps.to_vec(), ..FakePartition::default() };
    FakeTopic { partitions: vec![partition], configs: Configs::Settings(settings) }
}
