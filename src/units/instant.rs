//! A point in time, UTC.

use std::{fmt, str::FromStr};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Millis;

/// A point in time, UTC. In machine formats RFC 3339 (`2026-09-15T00:00:00Z`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Instant(#[schemars(with = "String", extend("format" = "date-time"))] Timestamp);

impl Instant {
    /// The point in time of a `jiff` timestamp.
    #[must_use]
    pub const fn new(at: Timestamp) -> Self {
        Self(at)
    }

    /// Milliseconds since the epoch, as Kafka and Java count. `None` outside the years −9999 to 9999.
    #[must_use]
    pub fn from_epoch_ms(ms: i64) -> Option<Self> {
        Timestamp::from_millisecond(ms).ok().map(Self)
    }

    /// Seconds since the epoch, as S3's SDK counts. `None` outside the years −9999 to 9999.
    #[must_use]
    pub fn from_epoch_seconds(seconds: i64) -> Option<Self> {
        Timestamp::from_second(seconds).ok().map(Self)
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub fn epoch_ms(self) -> i64 {
        self.0.as_millisecond()
    }

    /// This instant and `length` later; the end of time if there is no such instant.
    #[must_use]
    pub fn plus(self, length: Millis) -> Self {
        let length = i64::try_from(length.as_ms()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(SignedDuration::from_millis(length)).unwrap_or(Timestamp::MAX))
    }

    /// This instant and `length` earlier; the beginning of time if there is no such instant.
    #[must_use]
    pub fn minus(self, length: Millis) -> Self {
        let length = i64::try_from(length.as_ms()).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(SignedDuration::from_millis(length)).unwrap_or(Timestamp::MIN))
    }

    /// How long it has been since `earlier`; zero if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Millis {
        let ms = i128::from(self.epoch_ms()) - i128::from(earlier.epoch_ms());
        Millis::new(u64::try_from(ms.max(0)).unwrap_or(u64::MAX))
    }

    /// The midnight UTC with which this instant's day began.
    #[must_use]
    pub fn start_of_day(self) -> Self {
        let ms = self.epoch_ms();
        Self::from_epoch_ms(ms - ms.rem_euclid(86_400_000)).unwrap_or(self)
    }

    /// The first midnight UTC at or after this instant: S3 rounds due times up to it.
    #[must_use]
    pub fn next_midnight(self) -> Self {
        let start = self.start_of_day();
        if start == self { self } else { start.plus(Millis::DAY) }
    }

    /// `2026-09-15`.
    #[must_use]
    pub fn day(self) -> String {
        self.0.to_zoned_datetime(TimeZone::UTC).date().to_string()
    }

    /// `2026-09-15 00:00Z`, with seconds only if there are any.
    #[must_use]
    pub fn minute(self) -> String {
        let zoned = self.0.to_zoned_datetime(TimeZone::UTC);
        let format = if zoned.second() == 0 { "%Y-%m-%d %H:%MZ" } else { "%Y-%m-%d %H:%M:%SZ" };
        zoned.strftime(format).to_string()
    }
}

/// RFC 3339.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

/// RFC 3339, or a day alone (its midnight UTC).
impl FromStr for Instant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(Self(at));
        }
        text.parse::<jiff::civil::Date>()
            .ok()
            .and_then(|day| day.to_zoned_datetime(TimeZone::UTC).ok())
            .map(|zoned| Self(zoned.timestamp()))
            .ok_or_else(|| format!("`{text}` is not an instant; write 2026-09-15T00:00:00Z or 2026-09-15"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    #[test]
    fn midnights() {
        assert_eq!(at("2026-01-15T10:30:00Z").next_midnight(), at("2026-01-16"));
        assert_eq!(at("2026-01-16T00:00:00Z").next_midnight(), at("2026-01-16"));
        assert_eq!(at("1969-12-31T23:00:00Z").start_of_day(), at("1969-12-31"));
    }

    #[test]
    fn the_end_of_time_is_not_an_overflow() {
        let for_ever = Millis::from_signed(i64::MAX).expect("not negative");
        assert!(at("2026-01-01").plus(for_ever) > at("9999-01-01"));
        assert!(at("2026-01-01").minus(for_ever) < at("0001-01-01"));
        assert_eq!(at("2026-01-01").since(at("2026-01-02")), Millis::ZERO);
    }
}
