//! The observed history exceeds the worst case: retention is not doing its work.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{KafkaTerms, TimestampType, Window},
    finding::{
        Finding, Remedy, Severity,
        state_ttl::{window_facts, window_words},
    },
};

/// See the module.
pub(super) struct RetentionNotHolding;

static META: RuleMeta = RuleMeta {
    id: "retention-not-holding",
    summary: "Records are older than the worst case that follows from the settings.",
    severity: Severity::Warning,
};

impl Rule for RetentionNotHolding {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_topics(out, "retention", META.severity, |window, kafka| {
            Ok(if window.overrun()? { finding(window, kafka).into() } else { Verdict::Pass })
        });
    }
}

fn finding(window: &Window, kafka: &KafkaTerms) -> Finding {
    let mut causes = vec![
        "a record with a timestamp in the future holds back its segment and every later one of its partition",
        "the high watermark of a partition is stuck, so nothing above it is deleted",
        "tiered storage is on and uploads fail, or a hanging transaction holds them back",
        "no broker that can lead the partition was running its retention checks",
        "the service deletes on a schedule of its own",
    ];
    if kafka.cleanup.as_ref().is_ok_and(|cleanup| cleanup.value.compact) {
        causes.insert(0, "the log cleaner, which alone deletes from a topic that is compacted, is not working");
    }
    if window.timestamps() != Some(TimestampType::LogAppendTime) {
        causes.insert(0, "records were stamped long before they were written (CreateTime), and are younger than they look");
    }
    Finding {
        severity: META.severity,
        message: format!(
            "The oldest record is older than the settings allow: {}. No TTL is recommended from such a history. It can be that {}.",
            window_words(window),
            causes.join("; or ")
        ),
        facts: window_facts(window),
        bites_on: None,
        remedy: vec![Remedy::say(
            "Look at the timestamps of the oldest records first, then at the broker's log for the partition (retention, log cleaner, remote storage).",
        )],
        position: window.position,
    }
}
