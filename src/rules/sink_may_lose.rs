//! `sink-may-lose`: a sink's delivery guarantee is none.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::recovery,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::Delivery,
};

static META: RuleMeta = RuleMeta { id: "sink-may-lose", summary: "a sink's delivery guarantee is `none`", severity: Severity::Error };

/// See the module.
pub(super) struct SinkMayLose;

impl Rule for SinkMayLose {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for sink in &job.job.sinks {
            out.judge(Subject::new(&sink.id.value, "sink"), || {
                match sink.delivery {
                    Some(Delivery::None) => {}
                    Some(Delivery::AtLeastOnce | Delivery::ExactlyOnce) => return Ok(Verdict::Pass),
                    None => return Err(recovery::not_stated(sink)),
                }
                Ok(Finding {
                    severity: META.severity,
                    message: format!(
                        "Sink {} gives no delivery guarantee (`delivery: none`): a checkpoint does not wait until the records before it are written, \
                         so what was on its way when the job fails is lost. No snapshot and no TTL brings it back.",
                        sink.id.value
                    ),
                    facts: vec![ShownFact::new("delivery", Amount::Text("none".to_owned()), job.origin(sink.id.position))],
                    bites_on: None,
                    remedy: vec![Remedy::say(
                        "Set the guarantee to at least once (`DeliveryGuarantee.AT_LEAST_ONCE`; the builder of Flink's KafkaSink takes NONE where \
                         nothing is said), or to exactly once where the readers of the target are read-committed.",
                    )],
                    position: sink.id.position,
                }
                .into())
            });
        }
    }
}
