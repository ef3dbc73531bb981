//! Back without duplicates: four answers.

use super::{Ground, Replay, Way, ways::newest};
use crate::{analysis::Basis, evidence::Unknown, manifest::Start};

/// One of the four answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No record reaches a sink a second time; how that is known.
    Yes(Basis),
    /// So many do.
    No {
        /// How many; about, for a failover.
        records: u64,
        /// How that is known.
        basis: Basis,
        /// At most that many.
        upper_bound: bool,
    },
    /// It is not known. A number beside it is what a sink without protection would get.
    Unknown(Unknown),
}

/// The four answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithoutDuplicates {
    /// A task or the job manager dies.
    pub failover: Answer,
    /// A planned restart from the selected snapshot.
    pub snapshot: Answer,
    /// State is restored (that of the newest snapshot), the source's positions are not.
    pub offset_reset: Answer,
    /// No snapshot is used.
    pub state_loss: Answer,
    /// Whether a source starts anywhere but at the earliest record, so that fewer duplicates mean loss.
    pub skips: bool,
}

impl Default for WithoutDuplicates {
    fn default() -> Self {
        let unknown = || Answer::Unknown(Unknown::new("not judged", ""));
        Self { failover: unknown(), snapshot: unknown(), offset_reset: unknown(), state_loss: unknown(), skips: false }
    }
}

pub(super) fn judge(ground: &Ground<'_>, replay: &[Replay]) -> WithoutDuplicates {
    let of =
        |way: Way, wanted: &dyn Fn(&Replay) -> bool| replay.iter().find(|one| one.way == way && wanted(one)).map(|one| answer(ground, one));
    let state_loss = || of(Way::StateLoss, &|_| true).unwrap_or_else(|| Answer::Unknown(Unknown::new("not counted", "")));
    let snapshot = match &ground.recovery.selected {
        None => Answer::Unknown(Unknown::new("the manifest says nothing about snapshots", "")),
        Some(Err(unknown)) => Answer::Unknown(unknown.clone()),
        // Without a snapshot a planned restart is a loss of state.
        Some(Ok(None)) => state_loss(),
        Some(Ok(Some(folder))) => of(Way::Snapshot, &|one| one.snapshot.as_ref() == Some(folder))
            .unwrap_or_else(|| Answer::Unknown(Unknown::new(format!("not asked: the evidence holds nothing about {folder}"), ""))),
    };
    let newest = newest(ground).map(|(_, snapshot)| &snapshot.location);
    let offset_reset = newest
        .and_then(|newest| of(Way::OffsetReset, &|one| one.snapshot.as_ref() == Some(newest)))
        .unwrap_or_else(|| Answer::Unknown(Unknown::new("no snapshot is known whose state could be restored", "")));
    let starts = ground.windows.values().flatten().flatten().map(|window| super::ways::start_of(ground, window));
    WithoutDuplicates {
        failover: of(Way::Failover, &|_| true).unwrap_or_else(|| Answer::Unknown(Unknown::new("not counted", ""))),
        snapshot,
        offset_reset,
        state_loss: state_loss(),
        skips: starts.into_iter().any(|start| start != Start::Earliest),
    }
}

fn answer(ground: &Ground<'_>, replay: &Replay) -> Answer {
    match &replay.twice {
        Err(unknown) => Answer::Unknown(unknown.clone()),
        Ok(_) if ground.job.sinks.is_empty() => {
            Answer::Unknown(Unknown::new("the manifest declares no sink, so what protects it is not known", ""))
        }
        Ok(0)
            if ground
                .windows
                .values()
                .all(|windows| windows.as_ref().is_ok_and(|windows| windows.iter().all(|window| window.exists == Ok(false)))) =>
        {
            Answer::Unknown(Unknown::new("no topic that it reads exists", ""))
        }
        Ok(0) => Answer::Yes(replay.basis),
        Ok(records) => Answer::No { records: *records, basis: replay.basis, upper_bound: replay.upper_bound },
    }
}
