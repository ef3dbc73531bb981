//! One object's way through the days on which something falls due.

use std::sync::Arc;

use super::{
    class::Class,
    day::{Day, Transition, Worlds},
    due::{AtMidnight, after, due, instant, is_open, midnight, ms},
    fate::{Certainty, Change, Doubt, Fate, Reads, Removal, Source, Timing, What},
    filter::Match,
    object::{Object, Version},
    simulator::{Act, Rule, Simulator},
    tiering::{Clock, depth},
};
use crate::evidence::{StoreKind, When};

/// How many reasons for a doubt are kept; one is enough to make a change uncertain.
const MOST_DOUBTS: usize = 16;

/// Everything that the rules will do to an object.
pub(super) fn fate(simulator: &Simulator, object: &Object<'_>) -> Fate {
    let covering = simulator.covering(object);
    let mut changes = run(simulator, object, &covering, AtMidnight::ThatDay);
    // Where S3 leaves the day open, actions with a date may come before or after actions with an age.
    let dated = |(rule, _): &(&Rule, Match)| rule.current.iter().any(|action| matches!(action.when, When::Date(_)));
    if is_open(ms(object.last_modified)) && covering.iter().any(dated) {
        changes = merge(changes, run(simulator, object, &covering, AtMidnight::NextDay));
    }
    let not_understood = covering.iter().filter(|(rule, _)| !rule.understood).map(|(rule, _)| rule.source.clone()).collect();
    Fate { changes, not_understood }
}

fn run(simulator: &Simulator, object: &Object<'_>, covering: &[(&Rule, Match)], open: AtMidnight) -> Vec<Change> {
    let mut run = Run {
        simulator,
        object,
        covering,
        open,
        worlds: Worlds::one(simulator.names.class(object.class)),
        doubts: Vec::new(),
        noncurrent: false,
        clocks: Vec::new(),
        pending: Vec::new(),
        reached: object.archive_tier.and_then(depth).unwrap_or(0),
        changes: Vec::new(),
    };
    match object.version {
        Version::Current => run.current(),
        Version::Noncurrent { since, newer } => {
            run.noncurrent = true;
            run.old(ms(since), newer, false);
        }
    }
    // Stable: on one day a transition stays before the delete marker.
    run.changes.sort_by_key(|change| change.on);
    run.changes
}

/// What is the same under both readings of midnight stays; what is not may happen.
fn merge(mut one: Vec<Change>, other: Vec<Change>) -> Vec<Change> {
    let same = |a: &Change, b: &Change| a.by == b.by && a.noncurrent == b.noncurrent && a.what.is_like(&b.what);
    let doubted = |change: &Change| {
        let mut doubts = change.doubts().to_vec();
        doubts.push(Doubt::SameDay);
        Certainty::May(doubts)
    };
    for change in &mut one {
        match other.iter().find(|twin| same(change, twin)) {
            Some(twin) if change.is_certain() => change.certainty = twin.certainty.clone(),
            Some(_) => {}
            None => change.certainty = doubted(change),
        }
    }
    let only_there: Vec<Change> = other.into_iter().filter(|change| !one.iter().any(|twin| same(change, twin))).collect();
    one.extend(only_there.into_iter().map(|change| Change { certainty: doubted(&change), ..change }));
    one.sort_by_key(|change| change.on);
    one
}

impl What {
    /// Whether it is the same but for the day until which it can be undone.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Removed(Removal::Hidden { .. }), Self::Removed(Removal::Hidden { .. })) => true,
            (a, b) => a == b,
        }
    }
}

/// An action that falls due for the object.
struct Event<'a> {
    at: i64,
    timing: Timing,
    rule: &'a Rule,
    act: Act,
    /// The rule's filter hangs on tags that are not known.
    tags: bool,
    /// The object is below a floor that is not known.
    floor: bool,
}

impl Event<'_> {
    const fn is_sure(&self) -> bool {
        !self.tags && !self.floor && self.rule.understood
    }

    fn doubts(&self) -> impl Iterator<Item = Doubt> {
        let tags = self.tags.then(|| Doubt::Tags(self.rule.source.clone()));
        let status = (!self.rule.understood).then(|| Doubt::Status(self.rule.source.clone()));
        tags.into_iter().chain(status).chain(self.floor.then_some(Doubt::Floor))
    }
}

/// An archive tier that the object reaches if it is not read until then.
struct Pending {
    at: i64,
    clock: usize,
    doubts: Vec<Doubt>,
}

struct Run<'a> {
    simulator: &'a Simulator,
    object: &'a Object<'a>,
    covering: &'a [(&'a Rule, Match)],
    open: AtMidnight,
    worlds: Worlds,
    /// Why it is not certain that the version is noncurrent.
    doubts: Vec<Doubt>,
    noncurrent: bool,
    clocks: Vec<Clock<'a>>,
    pending: Vec<Pending>,
    /// The deepest archive tier that it is in for sure.
    reached: u8,
    changes: Vec<Change>,
}

impl<'a> Run<'a> {
    /// A current version's way.
    fn current(&mut self) {
        let since = ms(self.object.last_modified);
        let mut events = Vec::new();
        for (rule, fits) in self.covering {
            for action in &rule.current {
                let at = due(action.when, since, self.open);
                let open = is_open(since) && (at == since || matches!(action.when, When::Days(_)));
                let timing = if open { Timing::DueOrDayLater } else { Timing::Due };
                self.plan(&mut events, rule, *fits, action.act, at, timing);
            }
        }
        events.sort_by_key(|event| (event.at, event.rule.source.index()));
        if self.worlds.only(Class::IntelligentTiering) {
            self.enter_tiering(since, &[]);
        }
        let mut rest = events.as_slice();
        loop {
            let tier = self.pending.iter().map(|pending| pending.at).min();
            match (rest.first().map(|event| event.at), tier) {
                (Some(at), tier) if tier.is_none_or(|tier| at <= tier) => {
                    let (today, later) = rest.split_at(rest.partition_point(|event| event.at <= at));
                    rest = later;
                    if self.day(at, today) {
                        return;
                    }
                }
                (_, Some(at)) => self.archive_tier(at),
                (_, None) => return,
            }
        }
    }

    /// Adds an action to the plan unless the floor keeps the object out of it.
    fn plan(&self, events: &mut Vec<Event<'a>>, rule: &'a Rule, fits: Match, act: Act, at: i64, timing: Timing) {
        let floor = match act {
            Act::Move(to) if !rule.filter.has_size() => self.simulator.floor.lets(self.object.size.0, to),
            // No floor for deletion, and a size filter of the rule's own replaces it.
            Act::Move(_) | Act::Remove => Match::Yes,
        };
        if floor != Match::No {
            events.push(Event { at, timing, rule, act, tags: fits == Match::May, floor: floor == Match::May });
        }
    }

    /// What falls due on one day. True: the object is gone for sure.
    fn day(&mut self, at: i64, today: &[Event<'a>]) -> bool {
        let removals: Vec<&Event<'a>> = today.iter().filter(|event| event.act == Act::Remove).collect();
        let sure = removals.iter().find(|event| event.is_sure()).copied();
        // Permanent deletion comes before a transition, a transition before a delete marker.
        match (self.removal(), sure) {
            (Removal::ForGood, Some(removal)) => self.remove(at, removal),
            (Removal::ForGood, None) => {
                for removal in removals {
                    self.remove(at, removal);
                }
                self.transitions(at, today);
            }
            (_, Some(removal)) => {
                self.transitions(at, today);
                self.remove(at, removal);
            }
            (_, None) => {
                self.transitions(at, today);
                for removal in removals {
                    self.remove(at, removal);
                }
            }
        }
        sure.is_some()
    }

    /// How this version is removed.
    const fn removal(&self) -> Removal {
        if self.noncurrent { Removal::ForGood } else { self.simulator.removal }
    }

    fn remove(&mut self, at: i64, event: &Event<'a>) {
        let doubts: Vec<Doubt> = event.doubts().collect();
        let mut removal = self.removal();
        let place = self.changes.len();
        self.change(at, event.timing, What::Removed(removal), &event.rule.source, doubts.clone());
        // A version is hidden once; a second delete marker over the first changes nothing that matters here, but a certain one does.
        let hidden_before = |change: &Change| {
            !change.noncurrent
                && matches!(change.what, What::Removed(Removal::Hidden { .. }))
                && (change.is_certain() || !doubts.is_empty())
        };
        if let Removal::Hidden { recoverable_until } = &mut removal
            && !self.changes.iter().take(place).any(hidden_before)
        {
            let mut old = Run {
                simulator: self.simulator,
                object: self.object,
                covering: self.covering,
                open: self.open,
                worlds: self.worlds.clone(),
                doubts,
                noncurrent: true,
                clocks: Vec::new(),
                pending: Vec::new(),
                reached: 0,
                changes: Vec::new(),
            };
            old.old(at, 0, true);
            *recoverable_until = old.changes.iter().find(|change| matches!(change.what, What::Removed(_))).map(|change| change.on);
            if let Some(change) = self.changes.get_mut(place) {
                change.what = What::Removed(removal);
            }
            self.changes.append(&mut old.changes);
        }
    }

    /// A noncurrent version's way, from when its successor was created. `at_the_earliest`: the successor is a delete marker to come.
    fn old(&mut self, since: i64, newer: u32, at_the_earliest: bool) {
        let retained = self.object.lock.until.map(|until| midnight(ms(until)));
        let mut events = Vec::new();
        for (rule, fits) in self.covering {
            for action in rule.noncurrent.iter().filter(|action| newer >= action.keeps) {
                let mut at = after(since, action.days, self.open);
                let mut timing = if is_open(since) { Timing::DueOrDayLater } else { Timing::Due };
                if at_the_earliest {
                    timing = Timing::Earliest;
                }
                if action.act == Act::Remove {
                    // A legal hold has no end that could be counted on.
                    if self.object.lock.legal_hold {
                        continue;
                    }
                    if let Some(until) = retained.filter(|until| *until > at) {
                        (at, timing) = (until, Timing::Earliest);
                    }
                }
                self.plan(&mut events, rule, *fits, action.act, at, timing);
            }
        }
        events.sort_by_key(|event| (event.at, event.rule.source.index()));
        let mut rest = events.as_slice();
        while let Some(first) = rest.first() {
            let at = first.at;
            let (today, later) = rest.split_at(rest.partition_point(|event| event.at <= at));
            rest = later;
            if self.day(at, today) {
                return;
            }
        }
    }

    fn transitions(&mut self, at: i64, today: &[Event<'a>]) {
        let moves: Vec<Transition> = today
            .iter()
            .enumerate()
            .filter_map(|(place, event)| match event.act {
                Act::Move(to) => Some(Transition { rule: place, to, takes: if event.is_sure() { Match::Yes } else { Match::May } }),
                Act::Remove => None,
            })
            .collect();
        if moves.is_empty() {
            return;
        }
        let Day { made, ambiguous, odd } = self.worlds.pass(&moves, self.simulator.store);
        if made.iter().any(|made| !made.certain) || self.worlds.classes.len() > 1 {
            let names = &self.simulator.names;
            let rules = today.iter().filter(|event| matches!(event.act, Act::Move(_))).flat_map(Event::doubts);
            let odd = odd.into_iter().map(|(from, to)| Doubt::Move { from: names.name(from), to: names.name(to) });
            for doubt in rules.chain(odd).chain(ambiguous.then_some(Doubt::SameDay)) {
                if self.worlds.doubts.len() < MOST_DOUBTS && !self.worlds.doubts.contains(&doubt) {
                    self.worlds.doubts.push(doubt);
                }
            }
        }
        for made in made {
            let Some(event) = today.get(made.rule) else { continue };
            let doubts = if made.certain { Vec::new() } else { self.worlds.doubts.clone() };
            let what = What::Moved { class: self.simulator.names.name(made.to), reads: self.reads(made.to) };
            if made.to == Class::IntelligentTiering && !self.noncurrent {
                self.enter_tiering(at, &doubts);
            }
            self.change(at, event.timing, what, &event.rule.source, doubts);
        }
        if self.worlds.classes.len() == 1 {
            self.worlds.doubts.clear();
        }
    }

    /// How an object is read in a class.
    fn reads(&self, class: Class) -> Reads {
        match class {
            _ if self.simulator.store == StoreKind::Other => Reads::NotKnown,
            Class::Named(_) | Class::Foreign => Reads::NotKnown,
            class if class.needs_restore() => Reads::AfterRestore,
            _ => Reads::AtOnce,
        }
    }

    /// Starts the clocks of the archive tiers.
    fn enter_tiering(&mut self, at: i64, doubts: &[Doubt]) {
        if self.clocks.is_empty() {
            self.clocks = self.simulator.tierings.clocks(self.object);
        }
        for (place, clock) in self.clocks.iter().enumerate() {
            let at = at.saturating_add(i64::from(clock.tier.days).saturating_mul(super::due::DAY));
            let doubts = doubts.iter().chain(&clock.doubts).cloned().collect();
            self.pending.push(Pending { at, clock: place, doubts });
        }
    }

    /// What the clocks of the archive tiers do at one instant.
    fn archive_tier(&mut self, at: i64) {
        let (now, later): (Vec<Pending>, Vec<Pending>) = std::mem::take(&mut self.pending).into_iter().partition(|one| one.at <= at);
        self.pending = later;
        if !self.worlds.classes.contains(&Class::IntelligentTiering) {
            return;
        }
        for pending in now {
            let Some((tier, source)) = self.clocks.get(pending.clock).map(|clock| (clock.tier, clock.source)) else { continue };
            if tier.depth.is_some_and(|depth| depth <= self.reached) {
                continue;
            }
            let mut doubts = pending.doubts;
            if !self.worlds.only(Class::IntelligentTiering) {
                doubts.extend(self.worlds.doubts.iter().filter(|doubt| !doubts.contains(doubt)).cloned().collect::<Vec<_>>());
            }
            if doubts.is_empty() {
                self.reached = tier.depth.unwrap_or(self.reached);
            }
            self.change(at, Timing::Earliest, What::ArchiveTier { tier: Arc::clone(&tier.name) }, source, doubts);
        }
    }

    /// Notes a change; without doubts it is certain.
    fn change(&mut self, at: i64, timing: Timing, what: What, by: &Source, mut doubts: Vec<Doubt>) {
        doubts.extend(self.doubts.iter().filter(|doubt| !doubts.contains(doubt)).cloned().collect::<Vec<_>>());
        let certainty = if doubts.is_empty() { Certainty::Certain } else { Certainty::May(doubts) };
        self.changes.push(Change { on: instant(at), timing, what, by: by.clone(), certainty, noncurrent: self.noncurrent });
    }
}
