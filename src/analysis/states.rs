//! Each state of each operator: how long it lives, and how long it would have to.

use std::collections::BTreeMap;

use super::{
    Window,
    required::{Required, required},
};
use crate::{
    audit::Audit,
    evidence::Unknown,
    finding::{Severity, Subject},
    manifest::{Clearing, Manifest, Operator, Position, Role, Source, SourceKind, Start, State, StateKind, TtlUpdate, TtlVisibility},
    units::{Millis, Ttl},
};

/// One state of one operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateView {
    /// uid or uid hash.
    pub operator: String,
    /// The operator's name, for people.
    pub operator_name: Option<String>,
    /// The state's name.
    pub state: String,
    /// The role that it is judged by.
    pub role: Role,
    /// Whether the manifest states that role; deduplication is taken otherwise.
    pub role_stated: bool,
    /// How long it lives. An error: nobody says.
    pub life: Result<Life, Unknown>,
    /// What clears it, where no TTL governs it; the watermark for windows and interval joins.
    pub cleared_by: Option<Clearing>,
    /// How its TTL is refreshed.
    pub update: TtlUpdate,
    /// Whether expired entries may be returned.
    pub visibility: TtlVisibility,
    /// Where its TTL stands, `jobs/a.yaml:12`.
    pub origin: String,
    /// Where its TTL stands.
    pub position: Position,
    /// Ids of the sources whose records reach it, and where each starts without state; `None` for a source that is not Kafka.
    pub reads: Vec<(String, Option<Start>)>,
    /// Ids of the sinks that the operator feeds, if there are any and every one of them is idempotent by a key taken from the record.
    pub idempotent_sinks: Option<Vec<String>>,
    /// What the life has to be at least, over all topics that are read.
    pub required: Result<Required, Unknown>,
}

/// How long a state lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Its TTL: so long after the last access.
    Ttl(Millis),
    /// TTL removes nothing, and nothing else is declared.
    Never,
    /// No TTL governs it; it is cleared so long after.
    Cleared(Clearing, Millis),
}

impl Life {
    /// The length, if there is one.
    #[must_use]
    pub const fn length(self) -> Option<Millis> {
        match self {
            Self::Ttl(length) | Self::Cleared(_, length) => Some(length),
            Self::Never => None,
        }
    }
}

impl StateView {
    /// What findings about this state are about: `dedup-events/seen-event-ids state`.
    #[must_use]
    pub fn subject(&self) -> Subject {
        Subject::of_state(&self.operator, &self.state)
    }

    /// Whether an upsert in every sink takes a duplicate's effect away: only for deduplication. An upsert of a wrong sum overwrites the right one.
    #[must_use]
    pub const fn softened_by(&self) -> Option<&Vec<String>> {
        match self.role {
            Role::Deduplication => self.idempotent_sinks.as_ref(),
            _ => None,
        }
    }

    /// The severity that the role gives to a finding that is at most `highest`.
    ///
    /// `other` is at most a warning and `cache` a note. Deduplication into sinks that are all idempotent is one step less. State that the watermark
    /// clears is at most a warning: its bound is that of a window or a join, which nobody makes as long as a retention.
    #[must_use]
    pub fn severity(&self, highest: Severity) -> Severity {
        let by_role = match self.role {
            Role::Deduplication | Role::Join | Role::Aggregation | Role::Session => Severity::Error,
            Role::Other => Severity::Warning,
            Role::Cache => Severity::Note,
        };
        let by_clearing = match self.cleared_by {
            Some(Clearing::Watermark) => Severity::Warning,
            _ => Severity::Error,
        };
        let severity = highest.min(by_role).min(by_clearing);
        if self.softened_by().is_some() { severity.one_less() } else { severity }
    }
}

/// Every state of a job, in the manifest's order.
pub(super) fn states(audit: &Audit, job: &Manifest, windows: &BTreeMap<String, Result<Vec<Window>, Unknown>>) -> Vec<StateView> {
    job.operators.iter().flat_map(|operator| operator.state.iter().map(move |state| view(audit, job, windows, operator, state))).collect()
}

fn view(
    audit: &Audit,
    job: &Manifest,
    windows: &BTreeMap<String, Result<Vec<Window>, Unknown>>,
    operator: &Operator,
    state: &State,
) -> StateView {
    let origin = format!("{}:{}", job.file, state.ttl.position.line);
    let life = life(operator, state, &origin);
    let reads: Vec<_> = job.sources.iter().filter(|source| state.reads.contains(&source.id.value)).map(start).collect();
    let read: Vec<_> = reads.iter().filter_map(|(id, _)| windows.get(id)).collect();
    StateView {
        operator: operator.id.value.text().to_owned(),
        operator_name: operator.name.clone(),
        state: state.name.value.clone(),
        role: operator.role.unwrap_or(Role::Deduplication),
        role_stated: operator.role.is_some(),
        life,
        cleared_by: clearing(state),
        update: state.update,
        visibility: state.visibility,
        origin,
        position: state.ttl.position,
        required: required(&read, audit.policy.safety_margin),
        reads,
        idempotent_sinks: idempotent_sinks(job, operator.id.value.text()),
    }
}

fn start(source: &Source) -> (String, Option<Start>) {
    let start = match &source.kind {
        SourceKind::Kafka(kafka) => Some(kafka.start),
        SourceKind::Declared(declared) => declared.start,
    };
    (source.id.value.clone(), start)
}

fn life(operator: &Operator, state: &State, origin: &str) -> Result<Life, Unknown> {
    let id = format!("{}/{}", operator.id.value.text(), state.name.value);
    match (state.ttl.value, clearing(state)) {
        (Ttl::After(length), _) => Ok(Life::Ttl(length)),
        (Ttl::Unknown, _) => {
            Err(Unknown::new(format!("the manifest says `ttl: unknown` of {id} ({origin}); read it from the code (StateTtlConfig)"), ""))
        }
        (Ttl::Never, None) => Ok(Life::Never),
        (Ttl::Never, Some(by)) => match state.cleared_by.and_then(|cleared| cleared.after) {
            Some(after) => Ok(Life::Cleared(by, after)),
            None => Err(Unknown::new(
                format!("{id} is cleared by {}, and the manifest does not say after how long ({origin}: state it as `after`)", by.word()),
                "",
            )),
        },
    }
}

/// What clears a state that no TTL governs. Windows and interval joins ignore a TTL: the watermark clears them.
fn clearing(state: &State) -> Option<Clearing> {
    if state.ttl.value != Ttl::Never {
        return None;
    }
    let by_kind = matches!(state.kind, Some(StateKind::Window | StateKind::IntervalJoin)).then_some(Clearing::Watermark);
    state.cleared_by.map(|cleared| cleared.by).or(by_kind)
}

fn idempotent_sinks(job: &Manifest, operator: &str) -> Option<Vec<String>> {
    let fed: Vec<_> = job.sinks.iter().filter(|sink| sink.fed_by.iter().any(|id| id == operator)).collect();
    (!fed.is_empty() && fed.iter().all(|sink| sink.idempotent)).then(|| fed.iter().map(|sink| sink.id.value.clone()).collect())
}
