//! How long a TTL has to be, and how a given one compares.

use super::{Bound, Life, Observed, Window};
use crate::{
    evidence::Unknown,
    units::{Millis, Retention},
};

/// The required TTL: max(R + margin, worst case, observed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Required {
    /// At least this long.
    AtLeast(Millis),
    /// The observed history exceeds the worst case: retention is not holding, so no TTL follows from it.
    NotHolding,
    /// The history has no end: no finite TTL is enough.
    NoFinite,
}

impl Required {
    /// The length, if one is enough.
    #[must_use]
    pub const fn length(self) -> Option<Millis> {
        match self {
            Self::AtLeast(length) => Some(length),
            Self::NotHolding | Self::NoFinite => None,
        }
    }
}

/// What the rules of the core comparison ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// TTL < R, or the history has no end.
    BelowRetention,
    /// TTL ≥ R, but the oldest readable record is older.
    BelowObserved,
    /// TTL ≥ R and ≥ observed, but below R + margin or the worst case.
    Thin,
}

impl Comparison {
    /// Whether `life` compares so with `window`. At most one of the three holds.
    ///
    /// # Errors
    ///
    /// A fact that could change the answer is not known.
    pub fn holds(self, life: Life, window: &Window, margin: Millis) -> Result<bool, Unknown> {
        let Some(length) = life.length() else { return Ok(false) };
        let retention = window.retention.as_ref().map_err(Clone::clone)?.value;
        let below_retention = match retention {
            Retention::Unlimited => true,
            Retention::SizeBound => false,
            Retention::For(retention) => length < retention,
        };
        match self {
            Self::BelowRetention => Ok(below_retention),
            _ if below_retention => Ok(false),
            Self::BelowObserved => Ok(below_observed(length, window)?),
            Self::Thin => thin(length, retention, window, margin),
        }
    }
}

impl Comparison {
    /// An order by which one topic is worse than another for a state that compares so with both.
    #[must_use]
    pub fn how_bad(self, window: &Window) -> (Option<Millis>, Option<Bound>, Option<Bound>) {
        let retention = window.retention.as_ref().ok().map(|retention| match retention.value {
            Retention::For(length) => Bound::For(length),
            Retention::SizeBound => Bound::BySize,
            Retention::Unlimited => Bound::Unlimited,
        });
        let worst = window.worst_case.as_ref().ok().map(|worst| worst.value);
        match self {
            Self::BelowObserved => (window.history().map(|history| history.value), worst, retention),
            Self::BelowRetention => (None, retention, worst),
            Self::Thin => (None, worst, retention),
        }
    }
}

fn below_observed(length: Millis, window: &Window) -> Result<bool, Unknown> {
    match window.observed.as_ref().map_err(Clone::clone)? {
        Observed::History(history) => Ok(length < history.value),
        Observed::InSeconds { .. } => window.left_to_the_clock(),
        Observed::Empty | Observed::NotMeasured => Ok(false),
    }
}

/// What is known for certain decides; only where the rest could still change the answer is it unknown.
fn thin(length: Millis, retention: Retention, window: &Window, margin: Millis) -> Result<bool, Unknown> {
    if below_observed(length, window) == Ok(true) {
        return Ok(false);
    }
    match retention {
        Retention::For(retention) if length < retention.plus(margin) => Ok(true),
        Retention::For(_) => match window.worst_case.as_ref().map_err(Clone::clone)?.value {
            Bound::For(worst) => Ok(length < worst),
            Bound::BySize | Bound::Unlimited => Ok(true),
        },
        // Only what is observed says how far back such a topic reaches; it grows until size cuts it.
        Retention::SizeBound => match window.observed.as_ref().map_err(Clone::clone)? {
            Observed::History(history) => Ok(length < history.value.plus(margin)),
            Observed::InSeconds { .. } => window.left_to_the_clock(),
            Observed::Empty | Observed::NotMeasured => Ok(false),
        },
        Retention::Unlimited => Ok(false),
    }
}

/// The required TTL for one window.
///
/// # Errors
///
/// A term of it is not known.
pub fn required_for(window: &Window, margin: Millis) -> Result<Required, Unknown> {
    let retention = window.retention.as_ref().map_err(Clone::clone)?.value;
    if retention == Retention::Unlimited {
        return Ok(Required::NoFinite);
    }
    let worst = window.worst_case.as_ref().map_err(Clone::clone)?.value;
    let observed = match window.observed.as_ref().map_err(Clone::clone)? {
        Observed::History(history) => history.value,
        Observed::Empty | Observed::NotMeasured => Millis::ZERO,
        Observed::InSeconds { .. } => return Err(window.no_age()),
    };
    if window.overrun()? {
        return Ok(Required::NotHolding);
    }
    Ok(match (retention, worst) {
        (Retention::For(retention), Bound::For(worst)) => Required::AtLeast(retention.plus(margin).max(worst).max(observed)),
        (Retention::SizeBound, _) => Required::AtLeast(observed.plus(margin)),
        _ => Required::NoFinite,
    })
}

/// The required TTL from the settings alone: max(R + margin, worst case).
#[must_use]
pub fn required_by_settings(window: &Window, margin: Millis) -> Option<Millis> {
    match (&window.retention, &window.worst_case) {
        (Ok(retention), Ok(worst)) => match (retention.value, worst.value) {
            (Retention::For(retention), Bound::For(worst)) => Some(retention.plus(margin).max(worst)),
            _ => None,
        },
        _ => None,
    }
}

/// The required TTL over all topics that a state reads. Topics that do not exist ask for nothing.
pub(super) fn required(read: &[&Result<Vec<Window>, Unknown>], margin: Millis) -> Result<Required, Unknown> {
    let mut most = None;
    for windows in read {
        for window in windows.as_ref().map_err(Clone::clone)?.iter().filter(|window| window.exists != Ok(false)) {
            most = most.max(Some(required_for(window, margin)?));
        }
    }
    most.ok_or_else(|| Unknown::new("no topic that it reads exists", ""))
}
