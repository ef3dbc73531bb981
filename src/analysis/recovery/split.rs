//! What happens to the records of one partition, as ranges of offsets.

use std::{collections::BTreeMap, ops::Range};

use super::{super::PartitionLog, Day};
use crate::{manifest::Reset, units::Instant};

/// The records of one partition by what happens to them. Everything that is read again is either written twice or suppressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Nobody reads them any more.
    pub lost: Range<i64>,
    /// Read again and written a second time: before what is suppressed, and after it.
    pub twice: [Range<i64>; 2],
    /// Read again and recognised.
    pub suppressed: Range<i64>,
    /// A place before the log start whose time is known, for the days of what is lost.
    pub before: Option<(Instant, i64)>,
    /// The restart fails, or its position is none that the topic has.
    pub note: Option<&'static str>,
}

fn length(range: &Range<i64>) -> u64 {
    u64::try_from(range.end.saturating_sub(range.start)).unwrap_or(0)
}

impl Split {
    /// Records that are written twice.
    #[must_use]
    pub fn twice(&self) -> u64 {
        self.twice.iter().map(length).fold(0, u64::saturating_add)
    }

    /// Records that are lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        length(&self.lost)
    }

    /// Records that are recognised.
    #[must_use]
    pub fn suppressed(&self) -> u64 {
        length(&self.suppressed)
    }

    /// From a stored or committed position on, nothing recognised.
    #[must_use]
    pub fn from_position(log: &PartitionLog, position: i64, reset: Reset) -> Self {
        let nothing = log.end..log.end;
        let (start, end) = (log.start, log.end);
        if position > end {
            let note = Some("a position lies beyond the log end: the topic was re-created, or its end was truncated");
            let again = if reset == Reset::Earliest { start..end } else { nothing };
            return Self { twice: [again, 0..0], note, ..Self::default() };
        }
        if position >= start {
            return Self { twice: [position..end, 0..0], ..Self::default() };
        }
        match reset {
            Reset::Earliest => Self { lost: position..start, twice: [start..end, 0..0], ..Self::default() },
            Reset::Latest => Self { lost: position..end, twice: [nothing, 0..0], ..Self::default() },
            Reset::None => Self {
                lost: position..start,
                note: Some("the restart fails, since a position is no longer in the topic and `reset: none` is declared"),
                ..Self::default()
            },
        }
    }

    /// From the log start on, nothing recognised.
    #[must_use]
    pub fn from_start(log: &PartitionLog) -> Self {
        Self { twice: [log.start..log.end, 0..0], ..Self::default() }
    }

    /// The same where the state recognises the records in `known`; to be asked once.
    #[must_use]
    pub fn recognising(mut self, known: &Range<i64>) -> Self {
        let [again, _] = self.twice.clone();
        let begin = known.start.clamp(again.start, again.end.max(again.start));
        let end = known.end.clamp(begin, again.end.max(begin));
        self.suppressed = begin..end;
        self.twice = [again.start..begin, end..again.end.max(end)];
        self
    }

    /// The same, into sinks that take a second write without effect.
    #[must_use]
    pub fn absorbed(mut self) -> Self {
        let ranges = [&self.twice[0], &self.suppressed, &self.twice[1]];
        let full = ranges.into_iter().filter(|range| !range.is_empty());
        let (from, to) = full.fold((i64::MAX, i64::MIN), |(from, to), range| (from.min(range.start), to.max(range.end)));
        self.suppressed = if from < to { from..to } else { 0..0 };
        self.twice = [0..0, 0..0];
        self
    }

    /// Nothing is read again; everything from `position` to the end is skipped.
    #[must_use]
    pub fn skipping(log: &PartitionLog, position: i64) -> Self {
        Self { lost: position.min(log.end)..log.end, ..Self::default() }
    }

    /// Adds what happens to the records of each day.
    pub fn by_day(&self, log: &PartitionLog, days: &mut BTreeMap<Instant, Day>) {
        let places = log.days(self.before);
        for (number, (day, offset)) in places.iter().enumerate() {
            let from = if number == 0 { i64::MIN } else { *offset };
            let to = places.get(number + 1).map_or(i64::MAX, |(_, offset)| *offset);
            let within = |range: &Range<i64>| length(&(range.start.max(from)..range.end.min(to)));
            let entry = days.entry(*day).or_insert_with(|| Day { day: *day, twice: 0, suppressed: 0, lost: 0 });
            entry.twice = self.twice.iter().map(within).fold(entry.twice, u64::saturating_add);
            entry.suppressed = entry.suppressed.saturating_add(within(&self.suppressed));
            entry.lost = entry.lost.saturating_add(within(&self.lost));
        }
    }
}
