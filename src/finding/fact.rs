//! The facts that a finding shows.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{Bytes, Instant, Millis};

/// One fact that a finding rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownFact {
    /// What it is: `retention.ms`, `TTL`, `worst case`.
    pub name: String,
    /// Its value and unit.
    #[serde(flatten)]
    pub amount: Amount,
    /// Where it came from: `jobs/a.yaml:12`, `DescribeConfigs of topic orders, broker default`.
    pub origin: String,
}

impl ShownFact {
    /// The fact `name` with this amount from this origin.
    #[must_use]
    pub fn new(name: impl Into<String>, amount: Amount, origin: impl Into<String>) -> Self {
        Self { name: name.into(), amount, origin: origin.into() }
    }
}

/// A value with its unit: in JSON `"value": …, "unit": "duration"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "unit", content = "value", rename_all = "kebab-case")]
pub enum Amount {
    /// A length of time.
    Duration(Millis),
    /// A point in time.
    Instant(Instant),
    /// An amount of data.
    Bytes(Bytes),
    /// A number of records.
    Records(u64),
    /// A number of other things.
    Count(u64),
    /// Anything else: a class, a word (`never`, `unlimited`).
    Text(String),
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration(length) => length.fmt(f),
            Self::Instant(at) => f.pad(&at.minute()),
            Self::Bytes(bytes) => bytes.fmt(f),
            Self::Records(n) | Self::Count(n) => f.pad(&thousands(*n)),
            Self::Text(text) => f.pad(text),
        }
    }
}

/// `1,032,000`.
#[must_use]
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        assert_eq!(thousands(1_032_000), "1,032,000");
        assert_eq!(thousands(999), "999");
    }

    #[test]
    fn a_fact_keeps_its_unit_in_json() {
        let fact = ShownFact::new("TTL", Amount::Duration(Millis::days(7)), "jobs/a.yaml:3");
        let json = serde_json::to_value(&fact).expect("writes");
        assert_eq!(json["unit"], "duration");
        assert_eq!(json["value"]["iso"], "P7D");
        assert_eq!(serde_json::from_value::<ShownFact>(json).expect("reads"), fact);
    }
}
