//! `ttl-contradicted`: something that was looked at says otherwise about a TTL than the manifest.
//!
//! A snapshot shows another TTL than the manifest declares; or an earlier report says that a state had no TTL, and the manifest gives it one
//! (or the other way round), which Flink may refuse to restore.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        Earlier, StateView, migration,
        snapshots::{PlaceView, SnapshotView, operators, words},
    },
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{Operator, State, TtlUpdate},
    savepoint::summary::{KeyedStateSummary, TtlPresence},
    units::Ttl,
};

/// See the module.
pub(super) struct TtlContradicted;

static META: RuleMeta = RuleMeta {
    id: "ttl-contradicted",
    summary: "a snapshot shows another TTL than the manifest, or an earlier report another one in a way that fails the restore",
    severity: Severity::Error,
};

impl Rule for TtlContradicted {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for operator in &job.job.operators {
            for state in &operator.state {
                let subject = Subject::of_state(operator.id.value.text(), &state.name.value);
                out.judge(subject, || judge(job, operator, state));
            }
        }
        let Some(earlier) = job.earlier else { return };
        for state in &job.analysis.states {
            out.judge(subject(state), || switched(job, earlier, state));
        }
    }
}

/// The switch is a subject of its own, apart from what a snapshot says of the same state.
fn subject(state: &StateView) -> Subject {
    let scope = state.subject().scope;
    Subject { scope, ..Subject::new(format!("{}/{}", state.operator, state.state), "TTL switch") }
}

fn switched(job: &JobContext<'_>, earlier: &Earlier, state: &StateView) -> Judged {
    let words = earlier.words();
    let id = format!("{}/{}", state.operator, state.state);
    let Some((_, change)) = job.changed(earlier, state, &words, &id) else { return Ok(Verdict::NotApplicable) };
    // A report that does not know a TTL contradicts nothing.
    if !change.is_switch() {
        return Ok(Verdict::Pass);
    }
    let flink = &job.job.flink;
    let (version, backend) = (flink.version.as_deref(), flink.state_backend.as_deref());
    let said = change.switched(META.severity, migration(flink.release(), backend), version, backend)?;
    Ok(said.map_or(Verdict::Pass, Verdict::from))
}

/// By the newest snapshot in which the state's TTL could be read. State headers and changes that were not read are not asked for, and make
/// nothing unknown; a `_metadata` that should have been read and was not does.
fn judge(job: &JobContext<'_>, operator: &Operator, state: &State) -> Judged {
    let places = &job.analysis.recovery.places;
    let mut snapshots: Vec<(&PlaceView, &SnapshotView)> =
        places.iter().flat_map(|place| place.complete().iter().map(move |snapshot| (place, snapshot))).collect();
    snapshots.sort_by_key(|(_, snapshot)| std::cmp::Reverse(snapshot.taken_at));
    let mut unknown = None;
    for (place, snapshot) in snapshots {
        let metadata = match &snapshot.metadata {
            Ok(metadata) => metadata,
            Err(reason) => {
                unknown.get_or_insert(reason);
                continue;
            }
        };
        let seen = operators::operator_in(metadata, &operator.id.value);
        let seen = seen.and_then(|seen| seen.keyed_states.iter().find(|seen| seen.name == state.name.value));
        let Some(seen) = seen.filter(|seen| matches!(seen.ttl, TtlPresence::On | TtlPresence::Off)) else { continue };
        return Ok(match contradiction(state, seen) {
            Some(says) => finding(job, (place, snapshot), state, seen, &says).into(),
            None => Verdict::Pass,
        });
    }
    unknown.map_or(Ok(Verdict::NotApplicable), |unknown| Err(unknown.clone()))
}

/// What the snapshot says, if that is not what the manifest says.
fn contradiction(state: &State, seen: &KeyedStateSummary) -> Option<String> {
    match (state.ttl.value, seen.ttl, &seen.ttl_settings) {
        (Ttl::Unknown, ..) | (Ttl::Never, TtlPresence::Off, _) => None,
        (Ttl::Never, _, None) => Some("has a TTL there".to_owned()),
        (Ttl::Never, _, Some(settings)) => Some(format!("has a TTL of {} there", settings.ttl)),
        (Ttl::After(_), TtlPresence::Off, _) => Some("has no TTL there, so it never expires".to_owned()),
        (Ttl::After(declared), _, Some(settings)) if settings.ttl != declared => Some(format!("has a TTL of {} there", settings.ttl)),
        (Ttl::After(_), _, Some(settings)) if update(&settings.update).is_some_and(|seen| seen != state.update) => {
            Some(format!("has the update type {} there", settings.update))
        }
        (Ttl::After(_), ..) => None,
    }
}

fn update(text: &str) -> Option<TtlUpdate> {
    match text {
        "OnCreateAndWrite" => Some(TtlUpdate::OnCreateAndWrite),
        "OnReadAndWrite" => Some(TtlUpdate::OnReadAndWrite),
        _ => None,
    }
}

fn finding(
    job: &JobContext<'_>,
    (place, snapshot): (&PlaceView, &SnapshotView),
    state: &State,
    seen: &KeyedStateSummary,
    says: &str,
) -> Finding {
    let read = match &seen.ttl_settings {
        Some(_) => "the changelog's description of the state",
        None => "the header of the state",
    };
    let mut message = format!(
        "The manifest declares ttl: {} for {}; in {}, of {}, the state {says}. That is what the job ran with when it wrote the snapshot. \
         Every judgement about this state rests on what the manifest declares.",
        state.ttl.value,
        state.name.value,
        snapshot.location,
        snapshot.taken_at.minute()
    );
    if seen.best_effort {
        message.push_str(" The header was searched rather than read, since it holds a serializer whose layout is not known.");
    }
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new("declared TTL", Amount::Text(state.ttl.value.to_string()), job.origin(state.ttl.position)));
    let origin = format!("{read} in {}", snapshot.location);
    facts.push(match (&seen.ttl_settings, seen.ttl) {
        (Some(settings), _) => ShownFact::new("TTL in the snapshot", Amount::Duration(settings.ttl), origin),
        (None, TtlPresence::On) => ShownFact::new("TTL in the snapshot", Amount::Text("on, its length is not stored".to_owned()), origin),
        (None, _) => ShownFact::new("TTL in the snapshot", Amount::Text("off".to_owned()), origin),
    });
    Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: None,
        remedy: vec![Remedy::say(
            "Look up the StateTtlConfig in the code that runs, and correct whichever of the two is wrong. If the code was changed after the \
             snapshot was taken, take a fresh one.",
        )],
        position: state.ttl.position,
    }
}
