//! Durations as people, Flink and ISO 8601 write them.

use std::str::FromStr;

use jiff::Span;

use super::Millis;

/// The longest duration that is read: 10,000 years of 365 days. Whoever means more means "for ever", which is another fact.
pub const LONGEST: Millis = Millis::days(3_650_000);

/// Why a text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DurationError {
    /// Nothing there.
    #[error("it is empty")]
    Empty,
    /// Below zero.
    #[error("it is negative")]
    Negative,
    /// A bare number below 60,000: nobody means milliseconds by it.
    #[error("a bare number is milliseconds, as in Flink, and {0} ms is hardly meant")]
    BareNumber(u64),
    /// Months or years, which have no fixed length.
    #[error("months and years have no fixed length")]
    Calendar,
    /// A fraction of a day or week.
    #[error("a fraction of a day is not read")]
    FractionOfDay,
    /// Finer than a millisecond.
    #[error("it is finer than a millisecond, which neither Flink nor Kafka counts")]
    TooFine,
    /// Longer than [`LONGEST`].
    #[error("it is longer than 10,000 years")]
    TooLong,
    /// Something else.
    #[error("it is not a duration")]
    Other,
}

impl DurationError {
    /// What to write instead.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::BareNumber(number) => format!("write {number}d or {number} ms"),
            Self::Calendar => "write days, such as 30d or 365d".to_owned(),
            Self::FractionOfDay => "write hours, such as 36h".to_owned(),
            Self::TooFine => "write whole milliseconds, such as 1 ms".to_owned(),
            Self::TooLong => "write a shorter one".to_owned(),
            Self::Empty | Self::Negative | Self::Other => {
                "write a duration such as 7d, 36h, 1d 12h, 90 min, 604800000 ms or P7D".to_owned()
            }
        }
    }
}

/// `7d`, `36h`, `1d 12h`, `37d 0:05`; Flink's spellings (`7 d`, `7 days`, `604800000 ms`); ISO 8601 (`P7D`, `PT36H`); weeks. A bare number
/// is milliseconds, as in Flink, but refused from 1 to 59,999. What [`Millis`] prints is read back.
impl FromStr for Millis {
    type Err = DurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err(DurationError::Empty);
        }
        if text.starts_with('-') {
            return Err(DurationError::Negative);
        }
        if text.len() > 100 {
            return Err(DurationError::Other);
        }
        let length = if text.bytes().all(|byte| byte.is_ascii_digit()) { bare(text)? } else { spelled(text)? };
        if length > LONGEST { Err(DurationError::TooLong) } else { Ok(length) }
    }
}

fn bare(text: &str) -> Result<Millis, DurationError> {
    match text.parse::<u64>() {
        Ok(number @ 1..60_000) => Err(DurationError::BareNumber(number)),
        Ok(number) => Ok(Millis::new(number)),
        Err(_) => Err(DurationError::TooLong),
    }
}

fn spelled(text: &str) -> Result<Millis, DurationError> {
    if let Some((days, clock)) = text.split_once("d ")
        && let Some(clock) = clock_time(clock)
    {
        let days = days.parse::<u64>().map_err(|_| DurationError::Other)?;
        return Ok(Millis::days(days).plus(clock));
    }
    let iso = text.starts_with(['P', 'p']);
    // `M` is months to some and minutes to others; `D`, `H` and `DAYS` are clear.
    if !iso && text.contains('M') && !text.to_ascii_uppercase().contains("MI") && !text.to_ascii_uppercase().contains("MS") {
        return Err(DurationError::Calendar);
    }
    let lower = text.to_lowercase();
    match if iso { text.parse::<Span>() } else { lower.parse::<Span>() } {
        Ok(span) => from_span(&span),
        Err(_) if too_long(&lower) => Err(DurationError::TooLong),
        Err(_) if fraction_of_day(&lower) => Err(DurationError::FractionOfDay),
        Err(_) => Err(DurationError::Other),
    }
}

fn from_span(span: &Span) -> Result<Millis, DurationError> {
    if span.is_negative() {
        return Err(DurationError::Negative);
    }
    if span.get_years() != 0 || span.get_months() != 0 {
        return Err(DurationError::Calendar);
    }
    let fine = i128::from(span.get_microseconds()) * 1_000 + i128::from(span.get_nanoseconds());
    if fine % 1_000_000 != 0 {
        return Err(DurationError::TooFine);
    }
    let ms = i128::from(span.get_weeks()) * 7 * 86_400_000
        + i128::from(span.get_days()) * 86_400_000
        + i128::from(span.get_hours()) * 3_600_000
        + i128::from(span.get_minutes()) * 60_000
        + i128::from(span.get_seconds()) * 1_000
        + i128::from(span.get_milliseconds())
        + fine / 1_000_000;
    u64::try_from(ms).map(Millis::new).map_err(|_| DurationError::TooLong)
}

/// `0:05`, `23:59:57` or `23:59:57.250`, hours first.
fn clock_time(text: &str) -> Option<Millis> {
    let mut parts = text.splitn(3, ':');
    let hours = parts.next()?.parse::<u64>().ok().filter(|hours| *hours < 24)?;
    let minutes = parts.next().filter(|part| part.len() == 2)?.parse::<u64>().ok().filter(|minutes| *minutes < 60)?;
    let (seconds, ms) = match parts.next() {
        None => (0, 0),
        Some(rest) => {
            let (seconds, fraction) = rest.split_once('.').unwrap_or((rest, "000"));
            if seconds.len() != 2 || fraction.len() != 3 {
                return None;
            }
            (seconds.parse::<u64>().ok().filter(|seconds| *seconds < 60)?, fraction.parse::<u64>().ok()?)
        }
    };
    Some(Millis::hours(hours).plus(Millis::minutes(minutes)).plus(Millis::seconds(seconds)).plus(Millis::new(ms)))
}

/// A number with a unit whose number alone is beyond what can be counted.
fn too_long(text: &str) -> bool {
    let digits = text.trim_start_matches(['p', 't']).chars().take_while(char::is_ascii_digit).count();
    digits >= 7 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ')
}

/// `1.5d`.
fn fraction_of_day(text: &str) -> bool {
    text.contains(['.', ','])
        && text.contains(['d', 'w'])
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | ','))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_spelling_of_a_length() {
        let week = Millis::days(7);
        for (text, length) in [
            ("7d", week),
            (" 7 d ", week),
            ("7 days", week),
            ("7 day", week),
            ("7D", week),
            ("1w", week),
            ("168h", week),
            ("604800000 ms", week),
            ("604800000", week),
            ("604800 s", week),
            ("604800 sec", week),
            ("10080 min", week),
            ("10080 m", week),
            ("604800000 milli", week),
            ("604800000 millis", week),
            ("P7D", week),
            ("P1W", week),
            ("PT168H", week),
            ("36h", Millis::hours(36)),
            ("PT36H", Millis::hours(36)),
            ("1d 12h", Millis::hours(36)),
            ("1d12h", Millis::hours(36)),
            ("1.5h", Millis::minutes(90)),
            ("37d 0:05", Millis::days(37).plus(Millis::minutes(5))),
            ("30d 23:59:57", Millis::days(31).minus(Millis::seconds(3))),
            ("0", Millis::ZERO),
            ("0 ms", Millis::ZERO),
            ("PT0S", Millis::ZERO),
            ("60000", Millis::minutes(1)),
            ("1000000 us", Millis::seconds(1)),
        ] {
            assert_eq!(text.parse::<Millis>(), Ok(length), "{text}");
        }
    }

    #[test]
    fn what_is_no_length() {
        for (text, error) in [
            ("", DurationError::Empty),
            ("  ", DurationError::Empty),
            ("-7d", DurationError::Negative),
            ("-1", DurationError::Negative),
            ("7d ago", DurationError::Negative),
            ("P-7D", DurationError::Other),
            ("7", DurationError::BareNumber(7)),
            ("59999", DurationError::BareNumber(59_999)),
            ("1M", DurationError::Calendar),
            ("1mo", DurationError::Calendar),
            ("2 months", DurationError::Calendar),
            ("1y", DurationError::Calendar),
            ("P1Y", DurationError::Calendar),
            ("P1M", DurationError::Calendar),
            ("1.5d", DurationError::FractionOfDay),
            ("10 us", DurationError::TooFine),
            ("9223372036854775807", DurationError::TooLong),
            ("9223372036854775807 ms", DurationError::TooLong),
            ("99999999999999999999999", DurationError::TooLong),
            ("99999999999999999999999d", DurationError::TooLong),
            ("3650001d", DurationError::TooLong),
            ("99999999 weeks", DurationError::TooLong),
            ("seven days", DurationError::Other),
            ("7x", DurationError::Other),
            ("7d 25:00", DurationError::Other),
            ("١d", DurationError::Other),
        ] {
            assert_eq!(text.parse::<Millis>(), Err(error), "{text}");
        }
        assert_eq!("d".repeat(1_000_000).parse::<Millis>(), Err(DurationError::Other));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(ms in 0..=LONGEST.as_ms()) {
            let length = Millis::new(ms);
            prop_assert_eq!(length.to_string().parse::<Millis>(), Ok(length));
            prop_assert_eq!(length.iso().parse::<Millis>(), Ok(length));
            prop_assert_eq!(format!("{ms} ms").parse::<Millis>(), Ok(length));
        }

        #[test]
        fn any_text_is_a_length_within_bounds_or_an_error(text in "\\PC{0,40}|[0-9dhmsPT :.-]{0,24}") {
            if let Ok(length) = text.parse::<Millis>() {
                prop_assert!(length <= LONGEST);
            }
        }
    }
}
