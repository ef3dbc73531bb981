//! `state-not-declared`: the snapshot holds keyed state of an operator that the manifest does not mention.

use std::collections::BTreeSet;

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{PlaceView, SnapshotView, count, operators, words},
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
    savepoint::summary::OperatorSummary,
};

static META: RuleMeta = RuleMeta {
    id: "state-not-declared",
    summary: "the snapshot that a restart takes holds keyed state of an operator that the manifest does not mention",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct StateNotDeclared;

impl Rule for StateNotDeclared {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        match job.analysis.recovery.selected() {
            Ok(Some((place, snapshot))) => out.judge(place.subject(), || judge(job, place, snapshot)),
            Ok(None) => {}
            Err(unknown) => {
                if let Some(place) = job.analysis.recovery.places.first() {
                    out.judge(place.subject(), || Err(unknown));
                }
            }
        }
    }
}

fn judge(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    let metadata = snapshot.metadata.as_ref().map_err(Clone::clone)?;
    let declared: BTreeSet<String> = operators::declared_ids(job.job).collect();
    let not_declared: Vec<&OperatorSummary> =
        metadata.operators.iter().filter(|operator| operator.keyed_state && !declared.contains(&operator.id)).collect();
    if not_declared.is_empty() {
        return Ok(Verdict::Pass);
    }
    let named = |operator: &&OperatorSummary| {
        let states: Vec<&str> = operator.keyed_states.iter().map(|state| state.name.as_str()).collect();
        let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
        format!("{} ({}{states})", operators::named(operator), operator.state_size)
    };
    let message = format!(
        "{} holds keyed state of {} that the manifest does not mention: {}. Whatever TTL that state has was not compared with any retention.",
        words::the(snapshot, place),
        words::counted(not_declared.len(), "operator"),
        words::listed(not_declared.iter().map(named)),
    );
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new(
        "operators with keyed state that the manifest does not mention",
        Amount::Count(count(&not_declared)),
        format!("_metadata of {}", snapshot.location),
    ));
    Ok(Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: None,
        remedy: vec![Remedy::configuration(
            "Declare these operators in the manifest with the TTL that the code sets; an operator without a uid is declared by its id.",
            not_declared.iter().take(10).map(|operator| declaration(operator)).collect::<String>().trim_end().to_owned(),
        )],
        position: place.declared.position,
    }
    .into())
}

/// A beginning for the manifest.
fn declaration(operator: &OperatorSummary) -> String {
    let id = match &operator.uid {
        Some(uid) => format!("- uid: {uid:?}\n"),
        None => format!("- uid_hash: {}\n", operator.id),
    };
    let states: String = match operator.keyed_states.as_slice() {
        [] => "    - { name: <name of the state>, ttl: unknown }\n".to_owned(),
        states => states.iter().map(|state| format!("    - {{ name: {:?}, ttl: unknown }}\n", state.name)).collect(),
    };
    format!("{id}  state:\n{states}")
}
