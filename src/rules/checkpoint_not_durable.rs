//! `checkpoint-not-durable`: checkpoints lie where they are gone together with the machine.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::At,
    units::Location,
};

static META: RuleMeta = RuleMeta {
    id: "checkpoint-not-durable",
    summary: "checkpoints lie on the job manager, or on a local disk (unless every machine mounts it)",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct CheckpointNotDurable;

impl Rule for CheckpointNotDurable {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let checkpoints = job.job.recovery.as_ref().and_then(|recovery| recovery.checkpoints.as_ref());
        if let Some(location) = checkpoints.and_then(|checkpoints| checkpoints.location.as_ref()) {
            out.judge(Subject::of_location(&location.value, "checkpoint"), || Ok(judge(job, location)));
        }
    }
}

fn judge(job: &JobContext<'_>, location: &At<Location>) -> Verdict {
    let message = match &location.value {
        Location::JobManager => {
            "Checkpoints are kept in the job manager's memory (`location: jobmanager`). They help when a task fails; when the job manager's process \
             ends they are gone, and a restart without a savepoint begins with empty state, where no TTL helps."
        }
        Location::Unsupported { scheme, .. } if scheme == "file" => {
            "Checkpoints are written to a local path (`file://`). Unless that path is one file system that every machine mounts, each task manager \
             writes its part to its own disk: no other machine can read it, and such a checkpoint is lost with the machine. Whether it is mounted \
             everywhere cannot be seen from here."
        }
        Location::S3(_) | Location::Unsupported { .. } => return Verdict::Pass,
    };
    let mut remedy = vec![Remedy::configuration(
        "Write checkpoints to shared storage. (`execution.checkpointing.storage` and `execution.checkpointing.dir` from Flink 1.20 on; the older names \
         still work there.)",
        "state.checkpoint-storage: filesystem\nstate.checkpoints.dir: s3://<bucket>/<prefix>/",
    )];
    if location.value != Location::JobManager {
        remedy.push(Remedy::say(
            "If the path is a network file system that every machine mounts, switch the rule off or waive it, and say so there.",
        ));
    }
    Finding {
        severity: META.severity,
        message: message.to_owned(),
        facts: vec![ShownFact::new("checkpoints.location", Amount::Text(location.value.to_string()), job.origin(location.position))],
        bites_on: None,
        remedy,
        position: location.position,
    }
    .into()
}
