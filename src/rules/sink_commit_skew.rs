//! `sink-commit-skew`: a restart goes back behind what a sink has in its own history of commits.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{PlaceView, SnapshotView},
    evidence::Unknown,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{Sink, SinkKind},
};

static META: RuleMeta = RuleMeta {
    id: "sink-commit-skew",
    summary: "the selected snapshot is older than the newest one, and the sink keeps its own commit history",
    severity: Severity::Note,
};

/// See the module.
pub(super) struct SinkCommitSkew;

impl Rule for SinkCommitSkew {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for sink in job.job.sinks.iter().filter(|sink| sink.commit_log) {
            out.judge(Subject::new(&sink.id.value, "sink"), || judge(job, sink));
        }
    }
}

fn judge(job: &JobContext<'_>, sink: &Sink) -> Judged {
    let Some((place, selected)) = job.analysis.recovery.selected()? else { return Ok(Verdict::NotApplicable) };
    let mut newest: Option<(&PlaceView, &SnapshotView)> = None;
    let mut unknown: Option<Unknown> = None;
    for place in &job.analysis.recovery.places {
        match place.newest() {
            Ok(Some(snapshot)) if newest.is_none_or(|(_, known)| snapshot.taken_at > known.taken_at) => newest = Some((place, snapshot)),
            Ok(_) => {}
            Err(reason) => unknown = Some(reason),
        }
    }
    match (newest.filter(|(_, newest)| newest.taken_at > selected.taken_at), unknown) {
        (Some(newest), _) => Ok(finding(job, sink, (place, selected), newest).into()),
        // A place that could not be looked into might hold a newer one.
        (None, Some(unknown)) => Err(unknown),
        (None, None) => Ok(Verdict::Pass),
    }
}

fn finding(
    job: &JobContext<'_>,
    sink: &Sink,
    (place, selected): (&PlaceView, &SnapshotView),
    (other, newest): (&PlaceView, &SnapshotView),
) -> Finding {
    let id = &sink.id.value;
    let history = if sink.kind == SinkKind::Iceberg {
        "in the table's metadata, with the number of the checkpoint that each commit belongs to"
    } else {
        "(`commit_log: true`)"
    };
    Finding {
        severity: META.severity,
        message: format!(
            "A restart takes the {} {}, and the {} {} is {} younger. Sink {id} keeps a history of commits of its own {history}, in which what was committed \
             after the older snapshot stays. What the restored job will skip or commit again there was not checked.",
            place.kind.word(),
            selected.location,
            other.kind.word(),
            newest.location,
            newest.taken_at.since(selected.taken_at)
        ),
        facts: vec![
            ShownFact::new(
                "selected snapshot",
                Amount::Instant(selected.taken_at),
                format!("last modified of _metadata of {}", selected.location),
            ),
            ShownFact::new(
                "newest snapshot",
                Amount::Instant(newest.taken_at),
                format!("last modified of _metadata of {}", newest.location),
            ),
            ShownFact::new("own commit history", Amount::Text("yes".to_owned()), job.origin(sink.id.position)),
        ],
        bites_on: None,
        remedy: vec![
            Remedy::say("Restart from the newest snapshot (`restore.from: latest`), or stop with a savepoint, which then is the newest."),
            Remedy::say(format!(
                "To go back on purpose, take the target of {id} back as well, to its last commit before {}, if nothing else writes there (Iceberg: \
                 `rollback_to_timestamp`), and compare row counts before and after.",
                selected.taken_at.minute()
            )),
        ],
        position: sink.id.position,
    }
}
