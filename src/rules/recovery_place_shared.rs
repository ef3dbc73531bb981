//! `recovery-place-shared`: two manifests declare the same place for checkpoints, high availability or the changelog, or one inside the other.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{places::PlaceKind, snapshots::words},
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{At, Manifest},
    units::Location,
};

static META: RuleMeta = RuleMeta {
    id: "recovery-place-shared",
    summary: "two manifests declare the same checkpoint, high-availability or changelog place, or one inside the other",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct RecoveryPlaceShared;

impl Rule for RecoveryPlaceShared {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for (kind, declared) in places(job.job) {
            let subject = Subject::of_location(&declared.value, &format!("{} place", kind.word()));
            out.judge(subject, || {
                let others: Vec<(&Manifest, &At<Location>)> = job
                    .audit
                    .jobs
                    .iter()
                    .filter(|other| other.job.value != job.job.job.value)
                    .flat_map(|other| places(other).into_iter().map(move |(of, at)| (other, of, at)))
                    .filter(|(_, of, at)| *of == kind && overlap(&at.value, &declared.value))
                    .map(|(other, _, at)| (other, at))
                    .collect();
                Ok(if others.is_empty() { Verdict::Pass } else { finding(job, kind, declared, &others).into() })
            });
        }
    }
}

/// The declared places that a job should have for itself. The job manager's memory is no place that two could share.
fn places(job: &Manifest) -> Vec<(PlaceKind, &At<Location>)> {
    let Some(recovery) = &job.recovery else { return Vec::new() };
    let checkpoints = recovery.checkpoints.as_ref().and_then(|checkpoints| checkpoints.location.as_ref());
    [
        (PlaceKind::Checkpoint, checkpoints),
        (PlaceKind::HighAvailability, recovery.high_availability.as_ref()),
        (PlaceKind::Changelog, recovery.changelog.as_ref()),
    ]
    .into_iter()
    .filter_map(|(kind, at)| Some((kind, at?)))
    .filter(|(_, at)| at.value != Location::JobManager)
    .collect()
}

/// Whether two locations are one, or one lies inside the other.
fn overlap(a: &Location, b: &Location) -> bool {
    match (a, b) {
        (Location::S3(a), Location::S3(b)) => a.contains(b) || b.contains(a),
        (Location::Unsupported { text: a, .. }, Location::Unsupported { text: b, .. }) => {
            let (a, b) = (format!("{}/", a.trim_end_matches('/')), format!("{}/", b.trim_end_matches('/')));
            a.starts_with(&b) || b.starts_with(&a)
        }
        _ => false,
    }
}

fn finding(job: &JobContext<'_>, kind: PlaceKind, declared: &At<Location>, others: &[(&Manifest, &At<Location>)]) -> Finding {
    let names = words::listed(others.iter().map(|(other, at)| format!("{} ({})", other.job.value, at.value)));
    let (what, why) = match kind {
        PlaceKind::HighAvailability => (
            "high-availability files",
            "Flink keeps clusters apart there by their cluster id alone: with the same id, which is the default of a session or standalone \
             cluster, one job takes up the other's job graph and checkpoint pointers.",
        ),
        PlaceKind::Changelog => ("changelog files", "Whoever clears the files of one job there can take those of the other."),
        PlaceKind::Checkpoint | PlaceKind::Savepoint => (
            "checkpoints",
            "Flink keeps jobs apart there by their job id alone, which no manifest names: this audit cannot tell whose checkpoint the \
             newest one is, nor can a script that restarts from the newest or removes old ones.",
        ),
    };
    let mut facts = vec![ShownFact::new("place", Amount::Text(declared.value.to_string()), job.origin(declared.position))];
    for (other, at) in others.iter().take(3) {
        let origin = format!("{}:{}", other.file, at.position.line);
        facts.push(ShownFact::new(format!("place of {}", other.job.value), Amount::Text(at.value.to_string()), origin));
    }
    Finding {
        severity: META.severity,
        message: format!(
            "{} is declared as the place of {what} of this job, and the same place, or one inside the other, is declared by {names}. {why}",
            declared.value
        ),
        facts,
        bites_on: None,
        remedy: vec![Remedy::say(format!(
            "Give each job a folder of its own below {}, and correct the manifests. A job takes a new checkpoint directory at its next start; \
             older checkpoints stay where they are until it no longer needs them.",
            declared.value
        ))],
        position: declared.position,
    }
}
