//! A TTL is shorter than the retention of a topic that the operator reads.

use super::{Hit, JobContext, Outcomes, Rule, RuleMeta};
use crate::{
    analysis::{Comparison, records_before},
    finding::{
        Amount, Finding, Severity, ShownFact,
        state_ttl::{consequence, facts, life_words, ways_out, window_words},
    },
};

/// See the module.
pub(super) struct TtlBelowRetention;

static META: RuleMeta = RuleMeta {
    id: "ttl-below-retention",
    summary: "A TTL is shorter than the retention of a topic that the operator reads.",
    severity: Severity::Error,
};

impl Rule for TtlBelowRetention {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_states(out, Comparison::BelowRetention, |_| Severity::Error, |hit| finding(job, hit));
    }
}

fn finding(job: &JobContext<'_>, hit: Hit<'_>) -> Finding {
    let Hit { state, life, length, window, .. } = hit;
    let margin = job.audit.policy.safety_margin;
    let border = job.as_of.at.minus(length);
    let count = records_before(window, job.evidence, border);
    let mut facts = facts(state, window, margin);
    if let Some(count) = &count {
        let at_most = if count.upper_bound { "at most, " } else { "" };
        let origin = format!("{at_most}offsets from the log start to {}, {}", border.minute(), count.basis.word());
        facts.push(ShownFact::new("records older than the TTL", Amount::Records(count.records), origin));
    }
    Finding {
        severity: state.severity(Severity::Error),
        message: format!(
            "{}, but {}. {}{}",
            life_words(state, life),
            window_words(window),
            consequence(state, window, length, count.as_ref()),
            hit.others_words()
        ),
        facts,
        bites_on: None,
        remedy: ways_out(state, window, margin, &job.restart()),
        position: state.position,
    }
}
