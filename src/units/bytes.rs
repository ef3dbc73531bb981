//! An amount of data.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An amount of data, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// The sum; it stops at the largest value instead of overflowing.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), Self::plus)
    }
}

/// Binary units, one decimal: `64.0 MiB`; below one KiB whole bytes.
impl fmt::Display for Bytes {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
        if self.0 < 1024 {
            return f.pad(&format!("{} B", self.0));
        }
        let mut amount = self.0 as f64 / 1024.0;
        let mut unit = 0;
        while amount >= 1024.0 && unit + 1 < UNITS.len() {
            amount /= 1024.0;
            unit += 1;
        }
        f.pad(&format!("{amount:.1} {}", UNITS.get(unit).copied().unwrap_or("PiB")))
    }
}
