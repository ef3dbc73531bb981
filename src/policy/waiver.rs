//! `waivers:` of an audit file: exceptions with a reason, an owner and an end.

use crate::{
    finding::Scope,
    units::{Instant, Location, Millis},
    yaml::Position,
};

/// How long before its end a waiver is announced.
pub const NOTICE: Millis = Millis::days(30);

/// One waiver: findings and unknowns of one rule that do not count until a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// Where it stands in the audit file.
    pub position: Position,
    /// The rule's id.
    pub rule: String,
    /// Why it is tolerated.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// The midnight UTC with which the day begins on which it was granted, if that is stated.
    pub created: Option<Instant>,
    /// The midnight UTC with which the last day begins on which it holds.
    pub expires: Instant,
    /// Only this job.
    pub job: Option<String>,
    /// Only what is about this operator (uid or uid hash).
    pub operator: Option<String>,
    /// Only what is about states of this name.
    pub state: Option<String>,
    /// Only what is about this source and no other.
    pub source: Option<String>,
    /// Only what is about this declared location and no other.
    pub location: Option<Location>,
}

impl Waiver {
    /// Whether it is meant for what `rule` says about this subject of `job`, whether it still holds or not.
    ///
    /// What is about several sources or locations is met only if all of them are the one that the waiver names: a waiver never covers more
    /// than it says.
    #[must_use]
    pub fn meets(&self, rule: &str, job: &str, scope: &Scope) -> bool {
        let same = |wanted: &Option<String>, is: Option<&str>| wanted.as_deref().is_none_or(|wanted| is == Some(wanted));
        self.rule == rule
            && same(&self.job, Some(job))
            && same(&self.operator, scope.operator.as_deref())
            && same(&self.state, scope.state.as_deref())
            && self.source.as_ref().is_none_or(|wanted| only(&scope.sources, wanted))
            && self.location.as_ref().is_none_or(|wanted| only(&scope.locations, wanted))
    }

    /// The first instant at which it holds no longer: midnight UTC after its last day.
    #[must_use]
    pub fn end(&self) -> Instant {
        self.expires.plus(Millis::DAY)
    }

    /// Whether it holds at `as_of`.
    #[must_use]
    pub fn holds(&self, as_of: Instant) -> bool {
        as_of < self.end()
    }

    /// Whether it holds at `as_of` and ends within [`NOTICE`].
    #[must_use]
    pub fn ends_soon(&self, as_of: Instant) -> bool {
        self.holds(as_of) && as_of.start_of_day() >= self.expires.minus(NOTICE)
    }
}

fn only<T: PartialEq>(all: &[T], wanted: &T) -> bool {
    !all.is_empty() && all.iter().all(|one| one == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Subject;

    fn at(text: &str) -> Instant {
        text.parse().expect("an instant")
    }

    fn waiver() -> Waiver {
        Waiver {
            position: Position::default(),
            rule: "ttl-never".to_owned(),
            reason: "bounded keys".to_owned(),
            owner: "team".to_owned(),
            created: None,
            expires: at("2026-12-31"),
            job: None,
            operator: None,
            state: None,
            source: None,
            location: None,
        }
    }

    #[test]
    fn it_holds_through_its_last_day_and_is_announced_thirty_days_before() {
        let waiver = waiver();
        assert!(waiver.holds(at("2026-12-31T23:59:59.999Z")) && !waiver.holds(at("2027-01-01")));
        assert!(!waiver.ends_soon(at("2026-11-30T23:59:59Z")) && waiver.ends_soon(at("2026-12-01")));
        assert!(!waiver.ends_soon(at("2027-01-01")), "it has ended");
    }

    #[test]
    fn every_key_that_is_stated_narrows() {
        let state = Subject::of_state("dedup", "seen").about_sources(["a"]).scope;
        assert!(waiver().meets("ttl-never", "job", &state));
        assert!(!waiver().meets("ttl-not-stated", "job", &state));
        for (change, met) in [
            (Waiver { job: Some("job".to_owned()), ..waiver() }, true),
            (Waiver { job: Some("other".to_owned()), ..waiver() }, false),
            (Waiver { operator: Some("dedup".to_owned()), ..waiver() }, true),
            (Waiver { operator: Some("dedu".to_owned()), ..waiver() }, false),
            (Waiver { state: Some("seen".to_owned()), ..waiver() }, true),
            (Waiver { state: Some("dedup".to_owned()), ..waiver() }, false),
            (Waiver { source: Some("a".to_owned()), ..waiver() }, true),
            (Waiver { source: Some("b".to_owned()), ..waiver() }, false),
            (Waiver { location: Some("s3://b/x".parse().expect("a location")), ..waiver() }, false),
        ] {
            assert_eq!(change.meets("ttl-never", "job", &state), met, "{change:?}");
        }
    }

    #[test]
    fn locations_compare_in_any_spelling_and_several_are_not_one() {
        let location = |text: &str| text.parse::<Location>().expect("a location");
        let one = Waiver { location: Some(location("s3a://b/sp/_metadata")), ..waiver() };
        let subject = Subject::of_location(&location("s3://b/sp/"), "savepoint");
        assert!(one.meets("ttl-never", "job", &subject.scope));
        assert!(!one.meets("ttl-never", "job", &subject.at(&[location("s3://b/other/")]).scope));
        let two = Subject::of_state("dedup", "seen").about_sources(["a", "b"]).scope;
        assert!(!Waiver { source: Some("a".to_owned()), ..waiver() }.meets("ttl-never", "job", &two));
    }
}
