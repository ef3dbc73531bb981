//! `retention.bytes` cuts history before `retention.ms` does.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{KafkaTerms, SizeLimit, Window},
    finding::{Amount, Finding, Severity, ShownFact, state_ttl::window_facts},
    units::Retention,
};

/// See the module.
pub(super) struct RetentionSizeBound;

static META: RuleMeta = RuleMeta {
    id: "retention-size-bound",
    summary: "A size limit (retention.bytes) cuts history before retention.ms does.",
    severity: Severity::Warning,
};

impl Rule for RetentionSizeBound {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_topics(out, "retention by size", META.severity, |window, kafka| {
            let by_size_only = window.retention.as_ref().map_err(Clone::clone)?.value == Retention::SizeBound;
            match &kafka.size {
                SizeLimit::Cuts { .. } => Ok(finding(job, window, kafka).into()),
                _ if by_size_only => Ok(finding(job, window, kafka).into()),
                SizeLimit::None | SizeLimit::NotReached(_) => Ok(Verdict::Pass),
                SizeLimit::Undecided(unknown) => Err(unknown.clone()),
            }
        });
    }
}

fn finding(job: &JobContext<'_>, window: &Window, kafka: &KafkaTerms) -> Finding {
    let mut facts = window_facts(window);
    let topic = &window.topic;
    let settings = match window.retention.as_ref().map(|retention| retention.value) {
        Ok(Retention::For(length)) => format!("retention.ms allows {length}"),
        _ => "retention.ms sets no limit".to_owned(),
    };
    let seen = match &kafka.size {
        SizeLimit::Cuts { limit, shortest, lasts } => {
            facts.push(ShownFact::new("retention.bytes", Amount::Bytes(limit.value), limit.origin.clone()));
            facts.push(ShownFact::new("shortest history", Amount::Duration(shortest.value), shortest.origin.clone()));
            facts.push(ShownFact::new("floor", Amount::Duration(lasts.value), lasts.origin.clone()));
            format!(
                "a partition that had records on every sampled day begins only {} before the evidence was captured. If every day were like its busiest \
                 sampled one, what it holds would last {}: no more can be relied on. (A retention raised lately and DeleteRecords look the same.)",
                shortest.value, lasts.value
            )
        }
        _ => "how long that lasts follows from the traffic, which was not measured. An idle partition keeps its records for ever, a busy one loses them \
              sooner."
            .to_owned(),
    };
    Finding {
        severity: META.severity,
        message: format!(
            "Size cuts the history of topic {topic}: {settings}, and retention.bytes limits each partition; {seen} A job that is down for longer than that \
             loses records."
        ),
        facts,
        bites_on: None,
        remedy: vec![job.alter_topic(
            window,
            &[("retention.bytes", -1)],
            &format!(
                "Raise retention.bytes above what the longest wanted history needs at the busiest rate, or remove the limit (-1) if the disks allow{}.",
                match window.retention.as_ref().map(|retention| retention.value) {
                    Ok(Retention::For(_)) => "",
                    _ => ", together with a retention.ms: without either the topic grows without end",
                }
            ),
        )],
        position: window.position,
    }
}
