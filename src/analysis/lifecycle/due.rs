//! When an action falls due.

use jiff::Timestamp;

use crate::{evidence::When, units::Instant};

/// One day in milliseconds.
pub(super) const DAY: i64 = 86_400_000;

/// What S3 leaves open: whether an age that ends exactly at midnight is due at that midnight or at the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtMidnight {
    ThatDay,
    NextDay,
}

/// Milliseconds since the epoch, a fraction rounded up, so that nothing falls due before it.
pub(super) fn ms(at: Instant) -> i64 {
    let ms = at.epoch_ms();
    if Instant::from_epoch_ms(ms).is_some_and(|floor| floor < at) { ms.saturating_add(1) } else { ms }
}

/// The instant; the end of time if there is no such instant.
pub(super) fn instant(ms: i64) -> Instant {
    Instant::from_epoch_ms(ms).unwrap_or(Instant::new(Timestamp::MAX))
}

/// The first midnight UTC at or after `ms`.
pub(super) const fn midnight(ms: i64) -> i64 {
    let rest = ms.rem_euclid(DAY);
    if rest == 0 { ms } else { ms.saturating_add(DAY - rest) }
}

/// Whether it is left open on which of two days ages that count from `since` end.
pub(super) const fn is_open(since: i64) -> bool {
    since.rem_euclid(DAY) == 0
}

/// `since` and `days` days, rounded up to midnight UTC.
pub(super) fn after(since: i64, days: u32, open: AtMidnight) -> i64 {
    let due = midnight(since.saturating_add(i64::from(days).saturating_mul(DAY)));
    if open == AtMidnight::NextDay && is_open(since) { due.saturating_add(DAY) } else { due }
}

/// When an action falls due for an object of that age. A date keeps applying to later objects: for them it is the next midnight.
pub(super) fn due(when: When, since: i64, open: AtMidnight) -> i64 {
    match when {
        When::Days(days) => after(since, days, open),
        When::Date(date) => {
            let date = date.start_of_day().epoch_ms();
            if since < date { date } else { after(since, 0, open).max(date) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        ms(text.parse().expect("an instant"))
    }

    #[test]
    fn due_days() {
        for (modified, when, expected) in [
            ("2026-01-15T10:30:00Z", When::Days(3), "2026-01-19"),
            ("2026-01-15T10:30:00Z", When::Days(0), "2026-01-16"),
            ("2026-01-15T00:00:00.0000001Z", When::Days(0), "2026-01-16"),
            // Exactly midnight: the earlier of the two days.
            ("2026-01-15T00:00:00Z", When::Days(3), "2026-01-18"),
            ("2026-01-15T10:30:00Z", When::Date("2026-03-01".parse().expect("a day")), "2026-03-01"),
            // The date is past: due at the next midnight after the object was written.
            ("2026-01-15T10:30:00Z", When::Date("2020-03-01".parse().expect("a day")), "2026-01-16"),
        ] {
            assert_eq!(due(when, at(modified), AtMidnight::ThatDay), at(expected), "{modified} {when:?}");
        }
        assert_eq!(due(When::Days(3), at("2026-01-15T00:00:00Z"), AtMidnight::NextDay), at("2026-01-19"));
        assert_eq!(due(When::Days(3), at("2026-01-15T10:30:00Z"), AtMidnight::NextDay), at("2026-01-19"));
    }

    #[test]
    fn the_end_of_time_is_not_an_overflow() {
        let late = after(at("9999-12-30T21:00:00Z"), u32::MAX, AtMidnight::NextDay);
        assert_eq!(instant(late), Instant::new(Timestamp::MAX));
        assert!(due(When::Days(0), i64::MAX, AtMidnight::NextDay) > 0);
    }
}
