//! How long a job may be down.

use crate::{
    evidence::Unknown,
    manifest::Manifest,
    policy::Policy,
    units::{Instant, Millis},
};

/// The longest time that a job may be down, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Downtime {
    /// How long.
    pub length: Millis,
    /// `the manifest` or `the policy`.
    pub whose: &'static str,
}

impl Downtime {
    /// `max_downtime` of the manifest, else of the policy.
    ///
    /// # Errors
    ///
    /// Neither states one. The reason is the same for everything that needs it, so that it is asked for once.
    pub fn of(job: &Manifest, policy: &Policy) -> Result<Self, Unknown> {
        let stated = job.max_downtime.map(|length| Self { length, whose: "the manifest" });
        stated.or_else(|| policy.max_downtime.map(|length| Self { length, whose: "the policy" })).ok_or_else(|| {
            Unknown::new(
                format!("not stated: how long job {} may be down (`max_downtime` in the manifest or the policy)", job.job.value),
                "",
            )
        })
    }

    /// When a job that stops at `as_of` is back at the latest.
    #[must_use]
    pub fn back_at(self, as_of: Instant) -> Instant {
        as_of.plus(self.length)
    }

    /// `max_downtime 3d of the manifest`, as the origin of a fact.
    #[must_use]
    pub fn words(self) -> String {
        format!("max_downtime {} of {}", self.length, self.whose)
    }
}
