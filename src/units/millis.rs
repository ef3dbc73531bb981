//! A length of time in whole milliseconds.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A length of time, in milliseconds, never negative.
///
/// Kafka's "for ever" is `9223372036854775807` (`Long.MAX_VALUE`), so every sum saturates. In machine formats it is written as
/// `{"iso": "P7D", "ms": 604800000}`; on reading, `ms` counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(u64);

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// One day of 24 hours. All days here are UTC days.
    pub const DAY: Self = Self(DAY);

    /// `ms` milliseconds.
    #[must_use]
    pub const fn new(ms: u64) -> Self {
        Self(ms)
    }

    /// `ms` milliseconds as Kafka and Java write them, in a signed 64-bit integer. `None` if negative.
    #[must_use]
    pub fn from_signed(ms: i64) -> Option<Self> {
        u64::try_from(ms).ok().map(Self)
    }

    /// `days` days of 24 hours.
    #[must_use]
    pub const fn days(days: u64) -> Self {
        Self(days.saturating_mul(DAY))
    }

    /// `hours` hours.
    #[must_use]
    pub const fn hours(hours: u64) -> Self {
        Self(hours.saturating_mul(HOUR))
    }

    /// `minutes` minutes.
    #[must_use]
    pub const fn minutes(minutes: u64) -> Self {
        Self(minutes.saturating_mul(MINUTE))
    }

    /// `seconds` seconds.
    #[must_use]
    pub const fn seconds(seconds: u64) -> Self {
        Self(seconds.saturating_mul(SECOND))
    }

    /// The number of milliseconds.
    #[must_use]
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// The number of days, with a fraction.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an estimate for people; a millisecond in 285,000 years does not matter")]
    pub fn as_days(self) -> f64 {
        self.0 as f64 / DAY as f64
    }

    /// The sum; it stops at the largest value instead of overflowing.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, at least zero.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// This length rounded up to whole days, as recommended values are.
    #[must_use]
    pub const fn round_up_to_days(self) -> Self {
        Self(self.0.div_ceil(DAY).saturating_mul(DAY))
    }

    /// ISO 8601, in days, hours, minutes and seconds: `P37DT5M`.
    #[must_use]
    pub fn iso(self) -> String {
        let (days, hours, minutes, rest) = self.split();
        if self.0 == 0 {
            return "PT0S".to_owned();
        }
        let mut text = String::from("P");
        if days > 0 {
            text.push_str(&format!("{days}D"));
        }
        if hours + minutes + rest > 0 {
            text.push('T');
        }
        if hours > 0 {
            text.push_str(&format!("{hours}H"));
        }
        if minutes > 0 {
            text.push_str(&format!("{minutes}M"));
        }
        match (rest / SECOND, rest % SECOND) {
            (0, 0) => {}
            (seconds, 0) => text.push_str(&format!("{seconds}S")),
            (seconds, ms) => {
                text.push_str(format!("{seconds}.{ms:03}").trim_end_matches('0'));
                text.push('S');
            }
        }
        text
    }

    /// Days, hours, minutes and the milliseconds that are left.
    const fn split(self) -> (u64, u64, u64, u64) {
        (self.0 / DAY, self.0 % DAY / HOUR, self.0 % HOUR / MINUTE, self.0 % MINUTE)
    }
}

/// As people write it: `7d`, `36h`, `37d 0:05`, `30d 23:59:57`, `6h 30m`, `250ms`. Below two days, whole hours stay hours.
impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, hours, minutes, rest) = self.split();
        let (seconds, ms) = (rest / SECOND, rest % SECOND);
        let text = if self.0 == 0 {
            "0s".to_owned()
        } else if days > 0 {
            match (hours, minutes, seconds, ms) {
                (0, 0, 0, 0) => format!("{days}d"),
                (_, _, 0, 0) => format!("{days}d {hours}:{minutes:02}"),
                (_, _, _, 0) => format!("{days}d {hours}:{minutes:02}:{seconds:02}"),
                _ => format!("{days}d {hours}:{minutes:02}:{seconds:02}.{ms:03}"),
            }
        } else {
            let parts = [(hours, "h"), (minutes, "m"), (seconds, "s"), (ms, "ms")];
            let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n}{unit}")).collect();
            parts.join(" ")
        };
        f.pad(&text)
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Duration")]
struct Wire {
    /// ISO 8601, for people.
    iso: String,
    /// Milliseconds, for machines.
    ms: u64,
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Wire { iso: self.iso(), ms: self.0 }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = Wire::deserialize(deserializer)?;
        let read = Self(wire.ms);
        if read.iso() == wire.iso { Ok(read) } else { Err(D::Error::custom(format!("iso `{}` and ms {} differ", wire.iso, wire.ms))) }
    }
}

impl JsonSchema for Millis {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Wire::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Wire::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_machines_read_the_same_length() {
        for (length, people, iso) in [
            (Millis::days(7), "7d", "P7D"),
            (Millis::hours(36), "1d 12:00", "P1DT12H"),
            (Millis::days(37).plus(Millis::minutes(5)), "37d 0:05", "P37DT5M"),
            (Millis::days(31).minus(Millis::seconds(3)), "30d 23:59:57", "P30DT23H59M57S"),
            (Millis::new(90_500), "1m 30s 500ms", "PT1M30.5S"),
            (Millis::ZERO, "0s", "PT0S"),
        ] {
            assert_eq!(length.to_string(), people);
            assert_eq!(length.iso(), iso);
            let json = serde_json::to_string(&length).expect("writes");
            assert_eq!(serde_json::from_str::<Millis>(&json).expect("reads"), length);
        }
    }

    #[test]
    fn kafkas_for_ever_does_not_overflow() {
        let for_ever = Millis::from_signed(i64::MAX).expect("not negative");
        assert!(for_ever.plus(for_ever).plus(for_ever) >= for_ever);
        assert_eq!(Millis::from_signed(-1), None);
    }

    #[test]
    fn recommended_values_are_whole_days() {
        assert_eq!(Millis::days(37).plus(Millis::minutes(5)).round_up_to_days(), Millis::days(38));
        assert_eq!(Millis::days(32).round_up_to_days(), Millis::days(32));
    }
}
