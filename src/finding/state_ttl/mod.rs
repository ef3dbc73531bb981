//! What the rules that compare a state's life with a topic's history share: facts, words and ways out.

mod code;
mod remedies;
mod restart;
mod words;

pub use code::TimeApi;
pub use remedies::{first_ttl, outlive, ways_out};
pub use restart::{Restart, ttl_switched};
pub use words::{consequence, life_words, window_words};

use super::{Amount, ShownFact};
use crate::{
    analysis::{Bound, Life, Observed, Required, StateView, Window, required_by_settings, required_for},
    units::{Millis, Retention},
};

/// The numbers compared, each with its origin.
#[must_use]
pub fn facts(state: &StateView, window: &Window, margin: Millis) -> Vec<ShownFact> {
    let mut facts = Vec::new();
    match state.life {
        Ok(Life::Ttl(length)) => facts.push(ShownFact::new("TTL", Amount::Duration(length), state.origin.clone())),
        Ok(Life::Cleared(by, length)) => {
            let name = format!("cleared by {} after", by.word());
            facts.push(ShownFact::new(name, Amount::Duration(length), state.origin.clone()));
        }
        Ok(Life::Never) | Err(_) => {}
    }
    facts.extend(window_facts(window));
    match required_for(window, margin) {
        Ok(Required::AtLeast(length)) => {
            let origin = format!("the largest of retention + margin {margin}, worst case and observed");
            facts.push(ShownFact::new("required TTL", Amount::Duration(length), origin));
        }
        Ok(Required::NotHolding) | Err(_) => {
            if let Some(length) = required_by_settings(window, margin) {
                let origin = format!("from the settings alone: the larger of retention + margin {margin} and worst case");
                facts.push(ShownFact::new("required TTL", Amount::Duration(length), origin));
            }
        }
        Ok(Required::NoFinite) => {}
    }
    if !state.role_stated {
        facts.push(ShownFact::new("role", Amount::Text(state.role.word().to_owned()), "assumed: the manifest states none"));
    }
    facts
}

/// Retention, worst case and observed history of one topic.
#[must_use]
pub fn window_facts(window: &Window) -> Vec<ShownFact> {
    let unknown = |reason: &str| (Amount::Text("unknown".to_owned()), reason.to_owned());
    let retention = match &window.retention {
        Ok(sourced) => match sourced.value {
            Retention::For(length) => (Amount::Duration(length), sourced.origin.clone()),
            word => (Amount::Text(word.to_string()), sourced.origin.clone()),
        },
        Err(missing) => unknown(&missing.reason),
    };
    let worst = match &window.worst_case {
        Ok(sourced) => match sourced.value {
            Bound::For(length) => (Amount::Duration(length), sourced.origin.clone()),
            word => (Amount::Text(word.to_string()), sourced.origin.clone()),
        },
        Err(missing) => unknown(&missing.reason),
    };
    let observed = match &window.observed {
        Ok(Observed::History(history)) => Some((Amount::Duration(history.value), history.origin.clone())),
        Ok(Observed::Empty) => Some((Amount::Text("empty".to_owned()), format!("topic {} holds no record", window.topic))),
        Ok(Observed::InSeconds { partition, timestamp }) => {
            Some(unknown(&format!("the first record of partition {partition} is stamped {timestamp}, which looks like seconds")))
        }
        Ok(Observed::NotMeasured) => None,
        Err(missing) => Some(unknown(&missing.reason)),
    };
    let named = [("retention", Some(retention)), ("worst case", Some(worst)), ("observed", observed)];
    named.into_iter().filter_map(|(name, fact)| fact.map(|(amount, origin)| ShownFact::new(name, amount, origin))).collect()
}
