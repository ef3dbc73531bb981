//! How far ahead a change counts.

use crate::{
    analysis::{
        Downtime,
        snapshots::{RecoveryView, SnapshotKind, SnapshotView},
    },
    evidence::Unknown,
    manifest::Manifest,
    policy::Policy,
    units::{Instant, Millis},
};

/// Until when a change counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Until then in any case.
    pub until: Instant,
    /// `as of + horizon 92d (policy)`.
    pub origin: String,
    /// Perhaps until this later instant; it hangs on something that is not known.
    pub perhaps: Option<(Instant, Unknown)>,
}

impl Limit {
    /// Whether a change that falls due at `on` counts.
    ///
    /// # Errors
    ///
    /// What it hangs on.
    pub fn reaches(&self, on: Instant) -> Result<bool, Unknown> {
        match &self.perhaps {
            _ if on <= self.until => Ok(true),
            Some((later, unknown)) if on <= *later => Err(unknown.clone()),
            _ => Ok(false),
        }
    }
}

/// The lengths that limits are made of.
pub(super) struct Times {
    pub(super) as_of: Instant,
    horizon: Millis,
    downtime: Result<Downtime, Unknown>,
    /// Whether checkpoints share files.
    incremental: Result<bool, Unknown>,
}

impl Times {
    pub(super) fn of(job: &Manifest, recovery: &RecoveryView, policy: &Policy, as_of: Instant) -> Self {
        Self { as_of, horizon: policy.horizon, downtime: Downtime::of(job, policy), incremental: incremental(job, recovery) }
    }

    /// For files that are written once and needed for as long as anybody may come back to them.
    pub(super) fn horizon(&self) -> Limit {
        Limit { until: self.as_of.plus(self.horizon), origin: format!("as of + horizon {}", self.horizon), perhaps: None }
    }

    /// For files that the next checkpoint replaces: only the ones of the last checkpoint before a stop have to last, for as long as the
    /// job is down.
    pub(super) fn renewed(&self) -> Limit {
        match &self.downtime {
            Ok(downtime) => Limit { until: downtime.back_at(self.as_of), origin: format!("as of + {}", downtime.words()), perhaps: None },
            Err(unknown) => Limit { until: self.as_of, origin: "as of".to_owned(), perhaps: Some((self.horizon().until, unknown.clone())) },
        }
    }

    /// For files that checkpoints share if they are incremental. `None`: they are not.
    pub(super) fn shared(&self) -> Option<Limit> {
        match &self.incremental {
            Ok(true) => Some(self.horizon()),
            Ok(false) => None,
            Err(unknown) => Some(Limit { perhaps: Some((self.horizon().until, unknown.clone())), ..self.renewed() }),
        }
    }

    /// Whether the next checkpoint replaces this one: it is no older than a day, so the job is taken to be running. An older one is not being
    /// replaced, and has to last like a savepoint.
    pub(super) fn replaced(&self, snapshot: &SnapshotView) -> bool {
        self.as_of.since(snapshot.taken_at) <= Millis::DAY
    }
}

/// Whether checkpoints share files. Flink's own default is not taken for an answer; but the changelog always shares files, `hashmap` never
/// does without it, and a checkpoint that refers to a file in `shared/` has told.
fn incremental(job: &Manifest, recovery: &RecoveryView) -> Result<bool, Unknown> {
    let declared = job.recovery.as_ref();
    if declared.is_some_and(|recovery| recovery.changelog.is_some()) {
        return Ok(true);
    }
    if let Some(stated) = declared.and_then(|recovery| recovery.checkpoints.as_ref()).and_then(|checkpoints| checkpoints.incremental) {
        return Ok(stated);
    }
    let checkpoints = recovery.places.iter().filter(|place| place.kind == SnapshotKind::Checkpoint);
    let shares = |snapshot: &SnapshotView| snapshot.objects.iter().flatten().any(|object| object.key.contains("/shared/"));
    if checkpoints.filter_map(|place| place.complete().first()).any(shares) {
        return Ok(true);
    }
    if job.flink.state_backend.as_deref() == Some("hashmap") {
        return Ok(false);
    }
    Err(Unknown::new(
        format!(
            "not stated: whether checkpoints of job {} are `incremental`; if they are, files in `shared/` are needed for as long as any \
             checkpoint refers to them, and a rule of the bucket acts on them within the horizon",
            job.job.value
        ),
        "",
    ))
}
