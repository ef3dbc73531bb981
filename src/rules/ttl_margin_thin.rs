//! TTL ≥ retention, but below the required TTL.

use super::{Hit, JobContext, Outcomes, Rule, RuleMeta};
use crate::{
    analysis::{Bound, Comparison},
    finding::{
        Amount, Finding, Severity, ShownFact,
        state_ttl::{facts, life_words, ways_out, window_words},
    },
    units::Retention,
};

/// See the module.
pub(super) struct TtlMarginThin;

static META: RuleMeta = RuleMeta {
    id: "ttl-margin-thin",
    summary: "A TTL is not shorter than the retention, but shorter than the oldest record that can still be read, or without the safety margin.",
    severity: Severity::Warning,
};

impl Rule for TtlMarginThin {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_states(out, Comparison::Thin, |_| Severity::Warning, |hit| finding(job, hit));
    }
}

fn finding(job: &JobContext<'_>, hit: Hit<'_>) -> Finding {
    let Hit { state, life, length, window, .. } = hit;
    let margin = job.audit.policy.safety_margin;
    let mut facts = facts(state, window, margin);
    facts.push(ShownFact::new("safety margin", Amount::Duration(margin), "safety_margin of the policy"));
    let below_margin = match window.retention.as_ref().map(|retention| retention.value) {
        Ok(Retention::For(retention)) if length < retention.plus(margin) => Some(format!("{retention} and the safety margin of {margin}")),
        Ok(Retention::SizeBound) => Some(format!("what was observed and the safety margin of {margin}")),
        _ => None,
    };
    let below_worst = match window.worst_case.as_ref().map(|worst| worst.value) {
        Ok(Bound::For(worst)) if length < worst => Some(format!("the worst case of {worst}")),
        Ok(Bound::Unlimited) => Some("the worst case, which has no end here".to_owned()),
        _ => None,
    };
    let below: Vec<String> = [below_worst, below_margin].into_iter().flatten().collect();
    Finding {
        severity: state.severity(Severity::Warning),
        message: format!(
            "{}. That is no less than the retention, but less than {}: {}. Records between the two are read again in an offset reset (this state is \
             restored, the positions of the source are not) when their entries have already expired.{}",
            life_words(state, life),
            below.join(" and less than "),
            window_words(window),
            hit.others_words()
        ),
        facts,
        bites_on: None,
        remedy: ways_out(state, window, margin, &job.restart()),
        position: state.position,
    }
}
