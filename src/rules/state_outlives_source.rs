//! `state-outlives-source`: state reaches further back than the topic that it was built from.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{Bound, Life, Required, StateView, Window, required_by_settings, required_for},
    evidence::Unknown,
    finding::{
        Amount, Finding, Remedy, Severity, ShownFact,
        state_ttl::{facts, life_words, window_words},
    },
    manifest::Role,
    units::{Millis, Retention},
};

static META: RuleMeta = RuleMeta {
    id: "state-outlives-source",
    summary: "state reaches further back than the topic: after a state loss it cannot be rebuilt",
    severity: Severity::Note,
};

/// See the module.
pub(super) struct StateOutlivesSource;

impl Rule for StateOutlivesSource {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        // A cache is filled from elsewhere.
        for state in job.analysis.states.iter().filter(|state| state.role != Role::Cache) {
            match outlived(job, state) {
                Ok(Some(hits)) => {
                    let subject = state.subject().about_sources(hits.iter().map(|window| window.source.as_str()));
                    out.judge(subject, || Ok(finding(job, state, &hits).map_or(Verdict::Pass, Verdict::from)));
                }
                Ok(None) => out.judge(state.subject(), || Ok(Verdict::Pass)),
                Err(unknown) => out.judge(state.subject(), || Err(unknown)),
            }
        }
    }
}

/// The topics that `state` outlives, the one that keeps its records for the shortest time first. `None`: there is none.
///
/// A finite life is held against twice what the rules on TTLs ask for: state that is as long as it has to be, with the head room that people add,
/// is there for what the topic holds, and no reason to speak.
fn outlived<'a>(job: &JobContext<'a>, state: &'a StateView) -> Result<Option<Vec<&'a Window>>, Unknown> {
    let life = *state.life.as_ref().map_err(Clone::clone)?;
    let margin = job.audit.policy.safety_margin;
    let mut hits: Vec<&Window> = Vec::new();
    let mut unknown = None;
    for window in job.analysis.read_by(state) {
        match window.map_err(Clone::clone).and_then(|window| Ok((window, ends(window)?))) {
            Ok((window, true)) => hits.push(window),
            // No finite TTL is enough there, as another rule says.
            Ok((_, false)) if life.length().is_some() => return Ok(None),
            Ok((_, false)) => {}
            Err(reason) => unknown = Some(reason),
        }
    }
    if let Some(length) = life.length() {
        if let Some(unknown) = unknown {
            return Err(unknown);
        }
        for window in &hits {
            let needed = needed(window, margin)?;
            if length < needed.plus(needed) {
                return Ok(None);
            }
        }
    }
    match (hits.is_empty(), unknown) {
        (true, Some(unknown)) => Err(unknown),
        (true, None) => Ok(None),
        (false, _) => {
            hits.sort_by_key(|window| kept(window));
            Ok(Some(hits))
        }
    }
}

/// The TTL that the other rules ask for; from the settings alone where what is observed is not known, or says nothing.
fn needed(window: &Window, margin: Millis) -> Result<Millis, Unknown> {
    match required_for(window, margin) {
        Ok(Required::AtLeast(needed)) => Ok(needed),
        // A topic without an end, or that keeps more than its settings say, is not among those that end.
        Ok(Required::NotHolding | Required::NoFinite) => Ok(Millis::new(u64::MAX)),
        Err(unknown) => required_by_settings(window, margin).ok_or(unknown),
    }
}

/// Whether the topic's history has an end at all, and retention does its work.
fn ends(window: &Window) -> Result<bool, Unknown> {
    if window.retention.as_ref().map_err(Clone::clone)?.value == Retention::Unlimited {
        return Ok(false);
    }
    let endless = matches!(&window.worst_case, Ok(worst) if worst.value == Bound::Unlimited);
    Ok(!endless && window.overrun() != Ok(true))
}

/// An order by which one topic keeps less than another.
fn kept(window: &Window) -> Option<Millis> {
    match window.retention.as_ref().map(|retention| retention.value) {
        Ok(Retention::For(length)) => Some(length),
        // Bound by size: as long as was observed.
        _ => window.history().map(|history| history.value).or(Some(Millis::new(u64::MAX))),
    }
}

fn finding(job: &JobContext<'_>, state: &StateView, hits: &[&Window]) -> Option<Finding> {
    let window = *hits.first()?;
    let life = *state.life.as_ref().ok()?;
    let margin = job.audit.policy.safety_margin;
    let lost = match state.role {
        Role::Deduplication => "A record that somebody sends again later than that is then taken for a new one.",
        Role::Join => "Records whose partner is older than that then find none.",
        Role::Aggregation | Role::Session => "Every result that was built from older records then begins with what the topic still has.",
        Role::Cache | Role::Other => "What it knew from older records is then gone.",
    };
    let others = match hits.len() - 1 {
        0 => String::new(),
        1 => " The same holds for one more topic that it reads.".to_owned(),
        n => format!(" The same holds for {n} more topics that it reads."),
    };
    let mut facts = facts(state, window, margin);
    if life == Life::Never {
        facts.insert(0, ShownFact::new("TTL", Amount::Text("never".to_owned()), state.origin.clone()));
    }
    Some(Finding {
        severity: META.severity,
        message: format!(
            "{}, and {}. What it holds from older records is nowhere but in this state and in its snapshots: after a loss of state it cannot be built \
             again by reading the topic from its beginning. {lost} No TTL helps there.{others}",
            life_words(state, life),
            window_words(window)
        ),
        facts,
        bites_on: None,
        remedy: vec![
            Remedy::say(
                "Treat the newest savepoint as the only copy of that state: keep one that can be read, out of reach of rules that expire or archive, \
                 and try a restore from it.",
            ),
            Remedy::say(
                "Or keep the records for as long as the state needs them (a longer retention, a compacted topic, a copy in object storage), so that \
                 it can be built again: from the topic, through a HybridSource, or with the State Processor API.",
            ),
        ],
        position: state.position,
    })
}
