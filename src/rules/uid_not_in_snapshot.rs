//! `uid-not-in-snapshot`: an operator or source of the manifest is not in the snapshot that a restart takes.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{PlaceView, SnapshotView, operators, words},
    evidence::SnapshotMetadata,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{OperatorId, Position, Source, SourceKind, Start},
};

static META: RuleMeta = RuleMeta {
    id: "uid-not-in-snapshot",
    summary: "an operator or source is not in the snapshot that a restart takes: its state would start empty",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct UidNotInSnapshot;

impl Rule for UidNotInSnapshot {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let (place, snapshot, metadata) = match job.analysis.recovery.selected() {
            Ok(Some((place, snapshot))) => match &snapshot.metadata {
                Ok(metadata) => (place, snapshot, metadata),
                // About the snapshot, not about each operator: it is one thing that is not known.
                Err(unknown) => return out.judge(place.subject(), || Err(unknown.clone())),
            },
            Ok(None) => return,
            Err(unknown) => {
                if let Some(place) = job.analysis.recovery.places.first() {
                    out.judge(place.subject(), || Err(unknown));
                }
                return;
            }
        };
        let seen = (place, snapshot, metadata);
        for operator in &job.job.operators {
            let id = &operator.id.value;
            let subject = Subject::new(id.text(), "operator").about_operator(id.text());
            out.judge(subject, || {
                Ok(judge(job, id, seen, operator.id.position, || " Its state would start empty, where no TTL helps.".to_owned()))
            });
        }
        for source in &job.job.sources {
            let Some(uid) = &source.uid else { continue };
            let subject = Subject::new(&source.id.value, "source").about_sources([source.id.value.as_str()]);
            let id = OperatorId::Uid(uid.clone());
            out.judge(subject, || Ok(judge(job, &id, seen, source.id.position, || starts_over(job, source))));
        }
    }
}

/// The snapshot, where it lies, and what its `_metadata` says.
type Seen<'a> = (&'a PlaceView, &'a SnapshotView, &'a SnapshotMetadata);

fn judge(job: &JobContext<'_>, id: &OperatorId, seen: Seen<'_>, position: Position, effect: impl FnOnce() -> String) -> Verdict {
    if operators::operator_in(seen.2, id).is_some() { Verdict::Pass } else { finding(job, id, seen, position, &effect()).into() }
}

/// What a source without state does.
fn starts_over(job: &JobContext<'_>, source: &Source) -> String {
    let SourceKind::Kafka(kafka) = &source.kind else {
        return " It would start without its position.".to_owned();
    };
    let start = match kafka.start {
        Start::Earliest => "at the beginning of the topic, and everything that the topic still keeps is read once more",
        Start::Latest => "at the end of the topic, and what was written since the snapshot is not read",
        Start::Committed => "at what its group has committed, which is not the position of the snapshot",
        Start::Timestamp => "at the time that the code states, which is not the position of the snapshot",
    };
    let mut text = format!(" It would start {start}.");
    if kafka.start == Start::Earliest {
        let windows = job.analysis.windows.get(&source.id.value).into_iter().flatten().flatten();
        for window in windows {
            if let Ok(floor) = &window.floor {
                text.push_str(&format!(" Topic {} keeps at least {}.", window.topic, floor.value));
            }
        }
        for state in &job.analysis.states {
            let reads = state.reads.iter().any(|(id, _)| *id == source.id.value);
            if let (true, Some(length)) = (reads, state.life.as_ref().ok().and_then(|life| life.length())) {
                text.push_str(&format!(" State {} lives for {length}: it recognises no record that is older.", state.subject().text));
            }
        }
    }
    text
}

fn finding(job: &JobContext<'_>, id: &OperatorId, (place, snapshot, metadata): Seen<'_>, position: Position, effect: &str) -> Finding {
    let hash = operators::id_in_snapshots(id);
    let declared: std::collections::BTreeSet<String> = operators::declared_ids(job.job).collect();
    let others: Vec<String> = metadata.operators.iter().filter(|operator| !declared.contains(&operator.id)).map(operators::named).collect();
    let mut message = format!(
        "{} (id {hash}) is not among the {} of {}, the snapshot that the declared way of restarting takes.{effect}",
        id.text(),
        words::counted(metadata.operators.len(), "operator"),
        snapshot.location
    );
    if !others.is_empty() {
        message.push_str(&format!(
            " In the snapshot and not in the manifest: {}. State that no operator of the new job takes makes the restore fail, unless \
             non-restored state is allowed: then it is dropped.",
            words::listed(others.into_iter())
        ));
    }
    let read = format!("_metadata of {}", snapshot.location);
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new("id of the operator", Amount::Text(hash), job.origin(position)));
    facts.push(ShownFact::new(
        "operators in the snapshot",
        Amount::Count(u64::try_from(metadata.operators.len()).unwrap_or(u64::MAX)),
        read,
    ));
    Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: None,
        remedy: vec![Remedy::say(
            "If the uid was changed, set the old one again, or give the new operator the old id with `setUidHash`. If the operator is new, \
             this is as it should be: waive it until the next snapshot.",
        )],
        position,
    }
}
