//! The headline of a job and the numbers behind it.

use super::{BackWithoutDuplicates, BackWithoutLoss, BestAlternative, DayReport, ReplayReport, WayAnswer};
use crate::analysis::recovery::{Answer, Replay, WithoutDuplicates, WithoutLoss};

const UNKNOWN: &str = "unknown";

/// Until when a job can come back without losing records.
pub(super) fn loss(loss: &WithoutLoss) -> BackWithoutLoss {
    BackWithoutLoss {
        state: loss.state.word().to_owned(),
        at: loss.at,
        because: loss.because.clone(),
        snapshot: loss.snapshot.as_ref().map(ToString::to_string),
        moves_on: loss.moves_on,
        best_alternative: loss.best_alternative.as_ref().map(|best| BestAlternative {
            snapshot: best.snapshot.to_string(),
            kind: best.kind.word().to_owned(),
            state: best.state.word().to_owned(),
            at: best.at,
            because: best.because.clone(),
        }),
    }
}

/// Whether it can come back without writing records twice.
pub(super) fn duplicates(answers: &WithoutDuplicates) -> BackWithoutDuplicates {
    BackWithoutDuplicates {
        failover: way(&answers.failover),
        snapshot: way(&answers.snapshot),
        offset_reset: way(&answers.offset_reset),
        state_loss: way(&answers.state_loss),
    }
}

fn way(answer: &Answer) -> WayAnswer {
    let known = |state: &str, records, basis: &str, upper_bound| WayAnswer {
        state: state.to_owned(),
        records: Some(records),
        basis: basis.to_owned(),
        upper_bound,
        because: String::new(),
    };
    match answer {
        Answer::Yes(basis) => known("yes", 0, basis.word(), false),
        Answer::No { records, basis, upper_bound } => known("no", *records, basis.word(), *upper_bound),
        Answer::Unknown(unknown) => WayAnswer { because: unknown.reason.clone(), ..WayAnswer::default() },
    }
}

/// What one way costs.
pub(super) fn replay(replay: &Replay, by_day: bool) -> ReplayReport {
    let days = if by_day { replay.by_day() } else { Vec::new() };
    ReplayReport {
        way: replay.way.word().to_owned(),
        snapshot: replay.snapshot.as_ref().map(ToString::to_string),
        records_twice: replay.twice.as_ref().ok().copied(),
        records_lost: replay.lost.as_ref().ok().copied(),
        records_suppressed: replay.suppressed.as_ref().ok().copied(),
        basis: if replay.twice.is_ok() { replay.basis.word() } else { UNKNOWN }.to_owned(),
        upper_bound: replay.upper_bound,
        note: replay.notes.join("; "),
        by_day: days
            .into_iter()
            .map(|day| DayReport { day: day.day.day(), twice: day.twice, suppressed: day.suppressed, lost: day.lost })
            .collect(),
    }
}
