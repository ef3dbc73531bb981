//! The settings say TTL ≥ retention, but records older than the TTL are still readable.

use super::{Hit, JobContext, Outcomes, Rule, RuleMeta};
use crate::{
    analysis::{Comparison, TimestampType, Window, records_before},
    finding::{
        Finding, Severity,
        state_ttl::{consequence, facts, life_words, ways_out, window_words},
    },
};

/// See the module.
pub(super) struct TtlBelowObservedHistory;

static META: RuleMeta = RuleMeta {
    id: "ttl-below-observed-history",
    summary: "A TTL is not shorter than the retention, but records older than the TTL are still readable.",
    severity: Severity::Error,
};

impl Rule for TtlBelowObservedHistory {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_states(out, Comparison::BelowObserved, highest, |hit| finding(job, hit));
    }
}

/// Under CreateTime a record can be stamped long before it was written, and its state is then younger than it looks. A clock that is not known may
/// be the broker's.
fn highest(window: Option<&Window>) -> Severity {
    match window.and_then(Window::timestamps) {
        Some(TimestampType::CreateTime) => Severity::Warning,
        Some(TimestampType::LogAppendTime) | None => Severity::Error,
    }
}

fn finding(job: &JobContext<'_>, hit: Hit<'_>) -> Finding {
    let Hit { state, life, length, window, .. } = hit;
    let margin = job.audit.policy.safety_margin;
    let count = records_before(window, job.evidence, job.as_of.at.minus(length));
    let clock = match window.timestamps() {
        Some(TimestampType::LogAppendTime) => "The broker stamps the records (LogAppendTime), so that is their true age.",
        Some(TimestampType::CreateTime) => {
            "The producers stamp the records (CreateTime): one that was stamped long before it was written looks older than its state is, so this is \
             a warning."
        }
        None => "Whose clock stamps the records is not known.",
    };
    Finding {
        severity: state.severity(highest(Some(window))),
        message: format!(
            "{}, and {}. {clock} {}{}",
            life_words(state, life),
            window_words(window),
            consequence(state, window, length, count.as_ref()),
            hit.others_words()
        ),
        facts: facts(state, window, margin),
        bites_on: None,
        remedy: ways_out(state, window, margin, &job.restart()),
        position: state.position,
    }
}
