//! What one partition of a topic holds, and which offset belongs to which instant.

use super::{Basis, observed::answer};
use crate::{
    evidence::{Offset, TopicEvidence, Unknown},
    units::{Instant, Millis},
};

/// One partition as it was when the evidence was captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionLog {
    /// The partition.
    pub partition: i32,
    /// L: the log start offset.
    pub start: i64,
    /// E: the log end.
    pub end: i64,
    /// Known places, oldest first: the first record, the samples, the end.
    points: Vec<Point>,
    /// Whether the offsets were measured, or follow from a declared rate.
    pub basis: Basis,
}

/// p(t) for one instant, and the timestamp of the record there where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    at: Instant,
    offset: i64,
    stamped: Option<Instant>,
}

impl PartitionLog {
    /// What was measured of a partition.
    ///
    /// # Errors
    ///
    /// Log start or log end is not known.
    pub(super) fn of(name: &str, topic: &TopicEvidence, captured_at: Instant, partition: i32) -> Result<Self, Unknown> {
        let place = |fact| {
            answer(name, fact, partition)?
                .map(|place: Offset| place.offset)
                .ok_or_else(|| Unknown::new(format!("partition {partition} of topic {name} has no offset"), "ListOffsets"))
        };
        let (start, end) = (place(&topic.log_start)?, place(&topic.log_end)?);
        let mut points = Vec::new();
        let first = answer(name, &topic.first_record, partition).ok().flatten();
        let stamp = |place: Offset| place.timestamp.filter(|ms| *ms >= 0).and_then(Instant::from_epoch_ms);
        if let Some((first, at)) = first.and_then(|first| Some((first, stamp(first)?))) {
            points.push(Point { at, offset: first.offset, stamped: Some(at) });
            for sample in topic.samples.shown().into_iter().flatten() {
                let Some(answer) = sample.offsets.partitions.get(&partition) else { continue };
                if sample.at > at && sample.at < captured_at {
                    let offset = answer.map_or(end, |place| place.offset);
                    points.push(Point { at: sample.at, offset, stamped: answer.and_then(stamp) });
                }
            }
        }
        points.push(Point { at: captured_at, offset: end, stamped: None });
        points.sort_by_key(|point| point.at);
        Ok(Self { partition, start, end, points, basis: Basis::Measured })
    }

    /// Records at an even rate over `history` up to `captured_at`.
    pub(super) fn declared(per_day: u64, history: Millis, captured_at: Instant) -> Self {
        let end = i64::try_from(u128::from(per_day) * u128::from(history.as_ms()) / u128::from(Millis::DAY.as_ms())).unwrap_or(i64::MAX);
        let begin = captured_at.minus(history);
        let points = vec![Point { at: begin, offset: 0, stamped: Some(begin) }, Point { at: captured_at, offset: end, stamped: None }];
        Self { partition: 0, start: 0, end, points, basis: Basis::Declared }
    }

    /// When the first readable record was stamped. `None`: there is none, or it has no timestamp.
    #[must_use]
    pub fn first_at(&self) -> Option<Instant> {
        self.points.first().filter(|point| self.points.len() > 1 && point.offset < self.end).map(|point| point.at)
    }

    /// p(t): the first offset whose record is stamped at or after `at`, never before the first readable record. `None`: that was not
    /// measured.
    #[must_use]
    pub fn offset_at(&self, at: Instant) -> Option<(i64, Basis)> {
        let measured = |offset: i64| Some((offset.clamp(self.start, self.end.max(self.start)), self.basis));
        let after = self.points.partition_point(|point| point.at < at);
        match (after.checked_sub(1).and_then(|before| self.points.get(before)), self.points.get(after)) {
            (_, Some(exact)) if exact.at == at => measured(exact.offset),
            // Before the first record there is nothing to read; without a first record only the end is known.
            (None, Some(first)) if self.points.len() > 1 || self.start == self.end => measured(first.offset),
            (None, _) => None,
            (Some(_), None) => measured(self.end),
            (Some(before), Some(next)) => {
                let (offset, basis) = measured(between((before.at, before.offset), (next.at, next.offset), at))?;
                Some((offset, if before.offset == next.offset { basis } else { basis.max(Basis::Interpolated) }))
            }
        }
    }

    /// When the record at `offset` was stamped: its own timestamp where that is known, else at an even rate between two known places, with
    /// the earlier of them. Records of one partition are taken to be stamped in order. `None`: there is no place on both sides.
    #[must_use]
    pub fn stamp_of(&self, offset: i64) -> Option<(Instant, Option<Instant>)> {
        let own = self.points.iter().find(|point| point.offset == offset && offset < self.end).and_then(|point| point.stamped);
        if let Some(at) = own.filter(|_| self.basis == Basis::Measured) {
            return Some((at, None));
        }
        let after = self.points.partition_point(|point| point.offset <= offset);
        let (before, next) = (self.points.get(after.checked_sub(1)?)?, self.points.get(after)?);
        let ms = |length: i64| u128::try_from(length).unwrap_or(0);
        let part = u128::from(next.at.since(before.at).as_ms()) * ms(offset.saturating_sub(before.offset))
            / ms(next.offset.saturating_sub(before.offset)).max(1);
        // Down to the second: no more of it is known.
        let part = u64::try_from(part).unwrap_or(u64::MAX) / 1000 * 1000;
        Some((before.at.plus(Millis::new(part)), Some(before.at)))
    }

    /// Records in the day before the end. `None`: that was not measured.
    #[must_use]
    pub fn last_day(&self) -> Option<u64> {
        let captured_at = self.points.last()?.at;
        let (before, _) = self.offset_at(captured_at.minus(Millis::DAY))?;
        u64::try_from(self.end.saturating_sub(before)).ok()
    }

    /// The midnights between which the records of each day lie, with the offset at each: from the day of the first record to that of the end.
    /// `before` is a place before the log start, if one is known.
    #[must_use]
    pub fn days(&self, before: Option<(Instant, i64)>) -> Vec<(Instant, i64)> {
        let Some(last) = self.points.last() else { return Vec::new() };
        let first = self.first_at().unwrap_or(last.at);
        let before = before.filter(|(at, offset)| *at < first && *offset < self.start);
        let mut day = before.map_or(first, |(at, _)| at).start_of_day();
        let mut days = Vec::new();
        while day <= last.at {
            let offset = match before {
                Some(before) if day <= first => between(before, (first, self.start), day.max(before.0)),
                _ => self.offset_at(day).map_or(self.start, |(offset, _)| offset),
            };
            days.push((day, offset));
            day = day.plus(Millis::DAY);
        }
        days
    }
}

/// The offset at `at` if records arrive at an even rate between two points.
fn between((from, low): (Instant, i64), (to, high): (Instant, i64), at: Instant) -> i64 {
    let ms = |length: Millis| i128::from(length.as_ms());
    let part = i128::from(high.saturating_sub(low)) * ms(at.since(from)) / ms(to.since(from)).max(1);
    low.saturating_add(i64::try_from(part).unwrap_or(i64::MAX))
}
