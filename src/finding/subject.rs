//! What a finding is about.

use crate::units::Location;

/// What a finding is about.
///
/// The text is `<topic, location or operator/state> <kind>`; with the job it gives the finding its identity across audits, so it holds
/// nothing that changes from one quarter to the next: no path of a snapshot, no number, no line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The text.
    pub text: String,
    /// The same for machines: what a waiver can be narrowed by. It is no part of the identity.
    pub scope: Scope,
}

/// What a subject names, as a manifest spells it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// uid or uid hash of the operator.
    pub operator: Option<String>,
    /// The state's name.
    pub state: Option<String>,
    /// Ids of every source that it is about; sorted, each once.
    pub sources: Vec<String>,
    /// Every declared location that it is about; sorted, each once.
    pub locations: Vec<Location>,
}

impl Subject {
    /// The subject `what` of kind `kind`: `orders topic`.
    #[must_use]
    pub fn new(what: impl std::fmt::Display, kind: &str) -> Self {
        Self { text: format!("{what} {kind}"), scope: Scope::default() }
    }

    /// A state of an operator: `dedup-events/seen-event-ids state`.
    #[must_use]
    pub fn of_state(operator: &str, state: &str) -> Self {
        let mut subject = Self::new(format!("{operator}/{state}"), "state");
        subject.scope.operator = Some(operator.to_owned());
        subject.scope.state = Some(state.to_owned());
        subject
    }

    /// A declared location: `s3://bucket/savepoints/ savepoint`.
    #[must_use]
    pub fn of_location(location: &Location, kind: &str) -> Self {
        Self::new(location, kind).at(std::slice::from_ref(location))
    }

    /// The same, about an operator.
    #[must_use]
    pub fn about_operator(mut self, operator: &str) -> Self {
        self.scope.operator = Some(operator.to_owned());
        self
    }

    /// The same, about these sources.
    #[must_use]
    pub fn about_sources<'a>(mut self, sources: impl IntoIterator<Item = &'a str>) -> Self {
        self.scope.sources.extend(sources.into_iter().map(str::to_owned));
        self.scope.sources.sort();
        self.scope.sources.dedup();
        self
    }

    /// The same, about these locations.
    #[must_use]
    pub fn at(mut self, locations: &[Location]) -> Self {
        self.scope.locations.extend_from_slice(locations);
        self.scope.locations.sort();
        self.scope.locations.dedup();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_no_part_of_the_text() {
        let location: Location = "s3a://b/sp".parse().expect("a location");
        let subject = Subject::of_location(&location, "savepoint");
        assert_eq!(subject.text, "s3://b/sp/ savepoint");
        assert_eq!(subject.clone().at(&[location]), subject, "each once");
        assert_eq!(Subject::of_state("dedup", "seen").about_sources(["b", "a", "b"]).scope.sources, ["a", "b"]);
        assert_eq!(Subject::of_state("dedup", "seen").text, "dedup/seen state");
    }
}
