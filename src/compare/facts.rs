//! Which fact moved.
//!
//! A fact is what it is worth, not how it is worded: an origin with another line number or another time of asking is no move.

use crate::{
    finding::{Amount, ShownFact},
    report::{JobReport, Length, OperatorReport, SnapshotReport, TopicReport},
    units::Instant,
};

use super::{Moved, MovedFact};

impl From<&ShownFact> for MovedFact {
    fn from(fact: &ShownFact) -> Self {
        Self { amount: fact.amount.clone(), origin: fact.origin.clone() }
    }
}

/// The facts that differ, in the order of the new ones, then those that are gone.
pub(super) fn moved(old: &[ShownFact], new: &[ShownFact]) -> Vec<Moved> {
    let mut left: Vec<&ShownFact> = old.iter().collect();
    let mut take = |wanted: &dyn Fn(&ShownFact) -> bool| left.iter().position(|fact| wanted(fact)).map(|place| left.remove(place));
    // What stayed is taken out first, so that facts of one name in another order are no move.
    let changed: Vec<&ShownFact> =
        new.iter().filter(|fact| take(&|old| old.name == fact.name && old.amount == fact.amount).is_none()).collect();
    let mut all: Vec<Moved> = changed
        .into_iter()
        .map(|fact| Moved { fact: fact.name.clone(), old: take(&|old| old.name == fact.name).map(MovedFact::from), new: Some(fact.into()) })
        .collect();
    all.extend(left.into_iter().map(|fact| Moved { fact: fact.name.clone(), old: Some(fact.into()), new: None }));
    all
}

/// What a report says of a state: its TTL, what that would have to be, and the topics that reach it.
pub(super) fn of_state(state: &OperatorReport) -> Vec<ShownFact> {
    let id = format!("{}/{}", state.uid, state.state);
    let mut facts = vec![ShownFact::new(format!("TTL of {id}"), length(&state.ttl), "the manifest")];
    let required = state.required_ttl.map(Amount::Duration);
    facts.extend(required.map(|required| ShownFact::new(format!("required TTL of {id}"), required, "retention, worst case and observed")));
    facts
}

/// What a report says of a topic.
pub(super) fn of_topic(topic: &TopicReport) -> Vec<ShownFact> {
    [("floor", &topic.floor), ("worst case", &topic.worst_case)]
        .into_iter()
        .map(|(name, value)| ShownFact::new(format!("{name} of {}", topic.topic), length(value), topic.origin.clone()))
        .collect()
}

/// What a report that judges `as_of` says of the newest snapshot of a kind, or of the one that a restart would take.
pub(super) fn of_snapshot(snapshot: &SnapshotReport, as_of: Instant) -> Vec<ShownFact> {
    let which = if snapshot.selected { "selected" } else { "newest" };
    let kind = format!("the {which} {}", snapshot.kind);
    let classes: Vec<String> = snapshot.classes.iter().map(|(class, n)| format!("{n} in {class}")).collect();
    let fact = |name: &str, amount| ShownFact::new(format!("{name} of {kind}"), amount, snapshot.location.clone());
    let mut facts = vec![
        fact("location", Amount::Text(snapshot.location.clone())),
        fact("age", Amount::Duration(as_of.since(snapshot.taken_at.at))),
        fact("readable", Amount::Text(snapshot.readable.clone())),
    ];
    facts.extend((!classes.is_empty()).then(|| fact("classes", Amount::Text(classes.join(", ")))));
    facts
}

/// Everything that a report says of a job beside its findings, each fact once.
pub(super) fn of_job(job: &JobReport, as_of: Instant) -> Vec<ShownFact> {
    let states = job.operators.iter().flat_map(|state| of_state(state).into_iter().chain(state.topics.iter().flat_map(of_topic)));
    let snapshots = job.snapshots.iter().flat_map(|snapshot| of_snapshot(snapshot, as_of));
    let flink = [("Flink", &job.flink.version), ("state backend", &job.flink.state_backend)];
    let flink = flink
        .into_iter()
        .filter_map(|(name, value)| value.as_ref().map(|value| ShownFact::new(name, Amount::Text(value.clone()), "the manifest")));
    let mut facts: Vec<ShownFact> = Vec::new();
    for fact in flink.chain(states).chain(snapshots) {
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

/// What of that is about the subject of a finding (without the job in front of it).
pub(super) fn about(job: &JobReport, subject: &str, as_of: Instant) -> Vec<ShownFact> {
    let states = job.operators.iter().filter(|state| subject.starts_with(&format!("{}/{} ", state.uid, state.state)));
    let states = states.flat_map(|state| of_state(state).into_iter().chain(state.topics.iter().flat_map(of_topic)));
    let topics = job.operators.iter().flat_map(|state| &state.topics).filter(|topic| subject.starts_with(&format!("{} ", topic.topic)));
    let place = subject.split(' ').next().filter(|place| place.ends_with('/'));
    let snapshots = job.snapshots.iter().filter(|snapshot| place.is_some_and(|place| snapshot.location.starts_with(place)));
    let all = states.chain(topics.flat_map(of_topic)).chain(snapshots.flat_map(|snapshot| of_snapshot(snapshot, as_of)));
    let mut facts: Vec<ShownFact> = Vec::new();
    for fact in all {
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

fn length(length: &Length) -> Amount {
    match length {
        Length::Duration(length) => Amount::Duration(*length),
        Length::Word(word) => Amount::Text(word.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(name: &str, n: u64, origin: &str) -> ShownFact {
        ShownFact::new(name, Amount::Count(n), origin)
    }

    #[test]
    fn order_and_origin_are_no_move() {
        let old = [fact("a", 1, "jobs/a.yaml:1"), fact("b", 2, "x"), fact("b", 3, "x")];
        let new = [fact("b", 3, "y"), fact("a", 1, "jobs/a.yaml:9"), fact("b", 2, "x")];
        assert_eq!(moved(&old, &new), []);
    }

    #[test]
    fn a_value_moves_and_facts_come_and_go() {
        let moves = moved(&[fact("a", 1, "x"), fact("gone", 5, "x")], &[fact("a", 2, "y"), fact("come", 7, "z")]);
        let shown: Vec<_> = moves.iter().map(|one| (one.fact.as_str(), one.old.is_some(), one.new.is_some())).collect();
        assert_eq!(shown, [("a", true, true), ("come", false, true), ("gone", true, false)]);
        assert_eq!(moves[0].new.as_ref().map(|fact| fact.origin.as_str()), Some("y"));
    }
}
