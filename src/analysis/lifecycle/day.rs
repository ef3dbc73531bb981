//! What the transitions of one day make of an object whose class may not be known.

use super::{
    class::{Class, Move},
    fate::Doubt,
    filter::Match,
};
use crate::evidence::StoreKind;

/// A transition that falls due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) rule: usize,
    pub(super) to: Class,
    /// `Yes` or `May`.
    pub(super) takes: Match,
}

/// The classes that an object may have, and why there is more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Worlds {
    pub(super) classes: Vec<Class>,
    pub(super) doubts: Vec<Doubt>,
}

/// A move that was made in at least one of the worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) to: Class,
    pub(super) rule: usize,
    /// In all of them.
    pub(super) certain: bool,
}

/// What one day did.
#[derive(Clone, Debug, Default)]
pub(super) struct Day {
    pub(super) made: Vec<Made>,
    /// Whether the store left open which of several transitions it takes.
    pub(super) ambiguous: bool,
    /// Moves of which it is not known whether they exist.
    pub(super) odd: Vec<(Class, Class)>,
}

impl Worlds {
    pub(super) fn one(class: Class) -> Self {
        Self { classes: vec![class], doubts: Vec::new() }
    }

    /// Whether the class is known and is this one.
    pub(super) fn only(&self, class: Class) -> bool {
        self.classes.as_slice() == [class]
    }

    /// Puts the transitions of one day, in the order of their rules, on every world.
    pub(super) fn pass(&mut self, transitions: &[Transition], store: StoreKind) -> Day {
        let mut day = Day::default();
        let mut next: Vec<Class> = Vec::new();
        for &class in &self.classes {
            for winner in winners(class, transitions, store, &mut day) {
                if winner.to != class && !day.made.iter().any(|made| made.to == winner.to) {
                    day.made.push(Made { to: winner.to, rule: winner.rule, certain: false });
                }
                if !next.contains(&winner.to) {
                    next.push(winner.to);
                }
            }
        }
        if let ([only], [made]) = (next.as_slice(), day.made.as_mut_slice()) {
            made.certain = *only == made.to;
        }
        self.classes = next;
        day
    }
}

/// What can become of an object of one class; itself, if it may stay.
fn winners(class: Class, transitions: &[Transition], store: StoreKind, day: &mut Day) -> Vec<Transition> {
    let stays = Transition { rule: usize::MAX, to: class, takes: Match::Yes };
    let mut sure: Vec<Transition> = Vec::new();
    let mut may: Vec<Transition> = Vec::new();
    for transition in transitions {
        let takes = match class.to(transition.to, store) {
            Move::Impossible => continue,
            Move::Possible | Move::Stays => transition.takes,
            Move::NotKnown => {
                day.odd.push((class, transition.to));
                Match::May
            }
        };
        let list = if takes == Match::Yes { &mut sure } else { &mut may };
        if !list.iter().any(|other| other.to == transition.to) {
            list.push(*transition);
        }
    }
    // The preferred one of those that are sure to be asked for; on a store without known preferences any of them.
    if store == StoreKind::Aws {
        sure.sort_by_key(|transition| std::cmp::Reverse(transition.to.preference()));
        sure.truncate(1);
    }
    let floor = sure.first().and_then(|winner| winner.to.preference()).filter(|_| store == StoreKind::Aws);
    if sure.is_empty() {
        sure.push(stays);
    }
    day.ambiguous |= sure.len() > 1;
    let outranks = |other: &Transition| floor.is_none_or(|floor| other.to.preference().is_none_or(|rank| rank > floor));
    for other in may.into_iter().filter(outranks) {
        if !sure.iter().any(|known| known.to == other.to) {
            sure.push(other);
        }
    }
    sure
}
