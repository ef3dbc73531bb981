//! `ttl-below-downtime`: TTL runs on while the job is down, and state expires within `max_downtime`.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{Comparison, Downtime, Life, StateView},
    finding::{
        Amount, Finding, Remedy, Severity, ShownFact,
        state_ttl::{life_words, outlive},
    },
    manifest::Role,
    units::Millis,
};

static META: RuleMeta = RuleMeta {
    id: "ttl-below-downtime",
    summary: "TTL runs on while the job is down: state expires within `max_downtime`",
    severity: Severity::Warning,
};

/// See the module.
pub(super) struct TtlBelowDowntime;

impl Rule for TtlBelowDowntime {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for state in &job.analysis.states {
            out.judge_as(state.subject(), state.severity(META.severity), || judge(job, state));
        }
    }
}

fn judge(job: &JobContext<'_>, state: &StateView) -> Judged {
    // What a watermark, a timer or code clears does not age while the job is down.
    let Life::Ttl(ttl) = *state.life.as_ref().map_err(Clone::clone)? else { return Ok(Verdict::Pass) };
    let margin = job.audit.policy.safety_margin;
    let below_retention = |window| Comparison::BelowRetention.holds(Life::Ttl(ttl), window, margin) == Ok(true);
    if job.analysis.read_by(state).flatten().any(below_retention) {
        return Ok(Verdict::NotApplicable);
    }
    let downtime = match &job.analysis.downtime {
        Ok(downtime) => downtime,
        // A manifest that says nothing of restarts wants its TTLs compared with topics only.
        Err(_) if job.job.recovery.is_none() => return Ok(Verdict::NotApplicable),
        Err(unknown) => return Err(unknown.clone()),
    };
    // Flink takes an entry for expired when last access + TTL ≤ now.
    if ttl > downtime.length { Ok(Verdict::Pass) } else { Ok(finding(job, state, ttl, *downtime).into()) }
}

fn finding(job: &JobContext<'_>, state: &StateView, ttl: Millis, downtime: Downtime) -> Finding {
    let new = downtime.length.plus(job.audit.policy.safety_margin).round_up_to_days();
    let message = format!(
        "{}, but the job may be down for {} ({}). TTL counts processing time and runs on while the job is down: what was last accessed before the \
         stop has expired after {ttl}, and nothing moves its clock on restore. A job that stays down for {ttl} or longer comes back with all of \
         this state expired, even from a savepoint that was taken at the stop. {}",
        life_words(state, Life::Ttl(ttl)),
        downtime.length,
        downtime.whose,
        consequence(state.role)
    );
    let facts = vec![
        ShownFact::new("TTL", Amount::Duration(ttl), state.origin.clone()),
        ShownFact::new("max_downtime", Amount::Duration(downtime.length), downtime.whose),
        ShownFact::new("all expired, for a stop now", Amount::Instant(job.as_of.at.plus(ttl)), "as of + TTL"),
    ];
    let mut remedy = outlive(state, ttl, new, &job.restart());
    remedy.push(Remedy::say(format!("Or be back sooner than {ttl}, and declare so (`max_downtime`).")));
    Finding { severity: state.severity(META.severity), message, facts, bites_on: None, remedy, position: state.position }
}

/// What comes of it, in the words of the role.
const fn consequence(role: Role) -> &'static str {
    match role {
        Role::Deduplication => "Records that arrive after the return and repeat one from before the stop then pass as new.",
        Role::Join => "Records that arrive after the return then find no partner from before the stop.",
        Role::Aggregation | Role::Session => {
            "Keys that were open at the stop then begin again from nothing, and what they had gathered is gone."
        }
        Role::Cache => "What it holds then has to be filled again from where it comes.",
        Role::Other => "What it held is then gone for the operator.",
    }
}
