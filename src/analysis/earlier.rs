//! What an earlier report says of the states of jobs, and what follows from a TTL that has changed since.

use std::collections::BTreeMap;

use super::Required;
use crate::units::{Instant, Millis, Ttl};

/// An earlier report, as far as rules look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The audit's name then.
    pub audit: String,
    /// The instant that it judged.
    pub as_of: Instant,
    /// For each job, each of its states by operator and name.
    pub jobs: BTreeMap<String, BTreeMap<(String, String), EarlierState>>,
}

/// One state as an earlier report has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierState {
    /// Its TTL then.
    pub ttl: Ttl,
    /// When a TTL that had been extended before covers its window, if that report says so.
    pub covers: Option<Covers>,
}

/// From when an extended TTL covers the window that it is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covers {
    /// If it was changed as early as it can have been.
    pub earliest: Instant,
    /// If it was changed as late as it can have been.
    pub latest: Instant,
}

impl Earlier {
    /// `the report of meridian-2026-q3 as of 2026-09-15 00:00Z`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("the report of {} as of {}", self.audit, self.as_of.minute())
    }

    /// A state of a job. `None`: that report does not have it.
    #[must_use]
    pub fn state(&self, job: &str, operator: &str, state: &str) -> Option<EarlierState> {
        self.jobs.get(job)?.get(&(operator.to_owned(), state.to_owned())).copied()
    }
}

/// What a TTL that grew has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// It did not grow, or what grew was not needed: the window was covered before.
    None,
    /// However early it was changed, the window is not covered yet.
    NotYet(Covers),
    /// Whether it is covered depends on when it was changed, which nobody says.
    Perhaps(Covers),
    /// The history has no end: what was cleaned up before the change stays uncovered for ever.
    NeverCovered,
    /// A state that never expires now: how far back it has to reach is not known, so neither is when it does.
    NoWindow,
}

/// What follows from a TTL of `now` where an earlier report, which judged the instant `since`, had `then`. Neither is [`Ttl::Unknown`].
///
/// Entries that were already cleaned up do not come back: after the change the state remembers what it did before, and a day more with every day
/// that passes. It covers the new TTL after new − old, counted from the change, which lies somewhere between the two reports.
#[must_use]
pub fn growth(then: EarlierState, now: Ttl, required: Option<Required>, since: Instant, as_of: Instant) -> Growth {
    let since = since.min(as_of);
    let needed = required.and_then(Required::length);
    let wait = match (then.ttl, now) {
        (Ttl::After(old), _) if needed.is_some_and(|needed| old >= needed) => None,
        (Ttl::After(old), Ttl::After(new)) => (new > old).then(|| new.minus(old)),
        (Ttl::After(old), Ttl::Never) => match (required, needed) {
            (_, Some(needed)) => Some(needed.minus(old)),
            (Some(Required::NoFinite), _) => return Growth::NeverCovered,
            _ => return Growth::NoWindow,
        },
        _ => None,
    };
    let grown = wait.map(|wait| Covers { earliest: since.plus(wait), latest: as_of.plus(wait) });
    // An extension that the earlier report already spoke of is not over because it is no longer news.
    let before = then.covers.filter(|_| wait.is_some() || then.ttl == now);
    let covers = match (grown, before) {
        (Some(grown), Some(before)) => Covers { earliest: grown.earliest.max(before.earliest), latest: grown.latest.max(before.latest) },
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return Growth::None,
    };
    if as_of < covers.earliest {
        Growth::NotYet(covers)
    } else if as_of < covers.latest {
        Growth::Perhaps(covers)
    } else {
        Growth::None
    }
}

/// How far the new TTL reaches beyond the old one.
#[must_use]
pub const fn difference(then: Ttl, now: Ttl) -> Option<Millis> {
    match (then, now) {
        (Ttl::After(old), Ttl::After(new)) => Some(new.minus(old)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    fn days(days: u64) -> Ttl {
        Ttl::After(Millis::days(days))
    }

    fn then(ttl: Ttl) -> EarlierState {
        EarlierState { ttl, covers: None }
    }

    #[test]
    fn a_growth_is_dated_by_both_bounds() {
        let grown = |since: &str| growth(then(days(7)), days(38), None, at(since), at("2026-12-15"));
        let covers = |earliest: &str| Covers { earliest: at(earliest), latest: at("2027-01-15") };
        assert_eq!(grown("2026-12-01"), Growth::NotYet(covers("2027-01-01")));
        assert_eq!(grown("2026-11-14"), Growth::Perhaps(covers("2026-12-15")), "on the very instant it may be covered");
        assert_eq!(grown("2026-09-15"), Growth::Perhaps(covers("2026-10-16")));
        assert_eq!(
            grown("2027-09-15"),
            Growth::NotYet(Covers { earliest: at("2027-01-15"), latest: at("2027-01-15") }),
            "a report of the future"
        );
    }

    #[test]
    fn what_is_not_longer_or_was_long_enough_is_quiet() {
        let since = at("2026-12-01");
        let now = at("2026-12-15");
        assert_eq!(growth(then(days(7)), days(7), None, since, now), Growth::None);
        assert_eq!(growth(then(days(38)), days(7), None, since, now), Growth::None);
        assert_eq!(growth(then(days(40)), days(60), Some(Required::AtLeast(Millis::days(38))), since, now), Growth::None);
        assert_eq!(growth(then(Ttl::Never), days(60), None, since, now), Growth::None, "that is a switch, not a growth");
    }

    #[test]
    fn a_state_that_never_expires_now_covers_what_is_required() {
        let since = at("2026-12-01");
        let now = at("2026-12-15");
        let grown = |required| growth(then(days(7)), Ttl::Never, required, since, now);
        let covers = Covers { earliest: at("2027-01-01"), latest: at("2027-01-15") };
        assert_eq!(grown(Some(Required::AtLeast(Millis::days(38)))), Growth::NotYet(covers));
        assert_eq!(grown(Some(Required::NoFinite)), Growth::NeverCovered);
        assert_eq!(grown(None), Growth::NoWindow);
    }

    #[test]
    fn an_extension_of_the_quarter_before_is_carried_on() {
        let covers = Covers { earliest: at("2027-01-20"), latest: at("2027-02-20") };
        let carried =
            |ttl, as_of: &str| growth(EarlierState { ttl: days(180), covers: Some(covers) }, ttl, None, at("2026-12-15"), at(as_of));
        assert_eq!(carried(days(180), "2027-01-19"), Growth::NotYet(covers));
        assert_eq!(carried(days(180), "2027-02-19"), Growth::Perhaps(covers));
        assert_eq!(carried(days(180), "2027-02-20"), Growth::None);
        assert_eq!(carried(days(7), "2027-01-19"), Growth::None, "it was taken back");
    }
}
