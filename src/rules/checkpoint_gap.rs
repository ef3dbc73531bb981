//! `checkpoint-gap`: state-based deduplication does not protect a sink from a failover.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::recovery::{Guard, Replay, Way, guard},
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{Delivery, Role, Sink},
};

static META: RuleMeta = RuleMeta {
    id: "checkpoint-gap",
    summary: "state-based deduplication into a sink that is neither transactional nor idempotent: each failover writes a gap twice",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct CheckpointGap;

impl Rule for CheckpointGap {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for sink in &job.job.sinks {
            let deduplicates =
                job.analysis.states.iter().find(|state| state.role == Role::Deduplication && sink.fed_by.contains(&state.operator));
            if let Some(state) = deduplicates {
                out.judge(Subject::new(&sink.id.value, "sink").about_operator(&state.operator), || judge(job, sink, &state.operator));
            }
        }
    }
}

fn judge(job: &JobContext<'_>, sink: &Sink, operator: &str) -> Judged {
    match guard(sink, Way::Failover, true) {
        Guard::Holds => Ok(Verdict::Pass),
        Guard::Unknown(unknown) => Err(unknown),
        Guard::Open => Ok(finding(job, sink, operator).into()),
    }
}

fn finding(job: &JobContext<'_>, sink: &Sink, operator: &str) -> Finding {
    let name = &sink.id.value;
    let delivery = match sink.delivery {
        None => "not stated, and its connector has no transactions",
        Some(Delivery::None) => "none",
        Some(Delivery::AtLeastOnce) => "at-least-once",
        Some(Delivery::ExactlyOnce) => "exactly-once",
    };
    let mut facts = vec![
        ShownFact::new("delivery", Amount::Text(delivery.to_owned()), job.origin(sink.id.position)),
        ShownFact::new("idempotent", Amount::Text("false".to_owned()), job.origin(sink.id.position)),
    ];
    let failover = job.analysis.outlook.replay.iter().find(|replay: &&Replay| replay.way == Way::Failover);
    if let Some((replay, twice)) = failover.and_then(|replay| Some((replay, *replay.twice.as_ref().ok()?))) {
        let origin = format!("rate of the topics × checkpoint interval, {}, all sinks of the job", replay.basis.word());
        facts.push(ShownFact::new("written twice by a failover, about", Amount::Records(twice), origin));
    }
    Finding {
        severity: META.severity,
        message: format!(
            "{operator} deduplicates in its state, and sink {name} is neither transactional nor idempotent. What was written after the last completed \
             checkpoint is remembered only in state that a failover throws away: those records are read again, pass again and are written a second \
             time. No TTL changes that."
        ),
        facts,
        bites_on: None,
        remedy: vec![
            Remedy::say(format!(
                "Let the target of {name} merge on a key taken from the record (an upsert), and declare `idempotent: true`; or use an exactly-once \
                 sink, read committed, where the connector has one."
            )),
            Remedy::say("A shorter checkpoint interval makes the gap smaller, not zero."),
        ],
        position: sink.id.position,
    }
}
