//! Ways out that can be pasted.

use super::{super::Remedy, Restart, code::code, ttl_switched};
use crate::{
    analysis::{Life, Required, StateView, Window, required_by_settings, required_for},
    finding::kafka,
    manifest::{Clearing, Role},
    units::{Millis, Retention},
};

/// What to do about a state that lives too short: a longer life, a shorter history, or neither where none is enough.
#[must_use]
pub fn ways_out(state: &StateView, window: &Window, margin: Millis, restart: &Restart<'_>) -> Vec<Remedy> {
    let Ok(life) = state.life else { return Vec::new() };
    let Some(length) = life.length() else { return Vec::new() };
    let required = match required_for(window, margin) {
        Ok(Required::NoFinite) => {
            return std::iter::once(no_finite(window, restart)).chain(less_history(window, margin, length, restart)).collect();
        }
        Ok(Required::NotHolding) => {
            return vec![Remedy::say(
                "The observed history exceeds the worst case, so retention is not holding; no TTL is recommended from it. Find the cause first \
                 (see retention-not-holding).",
            )];
        }
        Ok(Required::AtLeast(required)) => Some(required),
        // What the settings ask for is a lower bound of what is needed.
        Err(_) => required_by_settings(window, margin).or_else(|| match window.retention.as_ref().map(|retention| retention.value) {
            Ok(Retention::For(retention)) => Some(retention.plus(margin)),
            _ => None,
        }),
    };
    let longer = match required.map(Millis::round_up_to_days) {
        Some(longer) if longer > length => longer,
        _ => return vec![Remedy::say("Which TTL is enough is not known: see what is unknown about the topic.")],
    };
    let mut remedies = match life {
        Life::Cleared(by, _) => vec![cleared(by, longer)],
        Life::Ttl(_) | Life::Never => longer_ttl(state, length, longer, restart),
    };
    remedies.extend(smaller_segments(window, margin).and_then(|segments| sooner(state, window, life, length, longer, &segments, restart)));
    remedies.extend(less_history(window, margin, length, restart));
    remedies
}

/// The TTL that a state which has none could be given, and what that does. Empty: no length is enough, or which one is not known.
#[must_use]
pub fn first_ttl(state: &StateView, restart: &Restart<'_>) -> Vec<Remedy> {
    let Ok(Required::AtLeast(required)) = state.required else { return Vec::new() };
    let ttl = required.round_up_to_days();
    let say = format!(
        "If the keys are without number and nothing clears them, give the state a TTL of {ttl}, which covers what its topics can hold. It is then \
         switched on for state that had none: {}. Where the restore works, entries count as fresh at the restore, so the window is covered from the \
         first day, and nothing is removed before {ttl} have passed.",
        ttl_switched(restart.flink)
    );
    code(state, ttl, restart.flink, &say)
}

/// A TTL that outlives the time that the job may be down.
#[must_use]
pub fn outlive(state: &StateView, old: Millis, new: Millis, restart: &Restart<'_>) -> Vec<Remedy> {
    let say = format!(
        "Extend the TTL to {new}: max_downtime and the safety margin. It is not stored in the state, so it can be changed at any restore, and it \
         holds at once for every entry that has not been cleaned up by then. {}{}",
        restart.growth(state, old, new),
        restart.changelog()
    );
    code(state, new, restart.flink, &say)
}

/// No length is enough.
fn no_finite(window: &Window, restart: &Restart<'_>) -> Remedy {
    Remedy::say(format!(
        "No finite TTL covers a history without end. Either limit what {} keeps (this deletes data: ask its owners), or make every sink \
         idempotent by a key taken from the record, or let the state never expire: it then grows with the distinct keys. TTL is then switched off for \
         state that had one: {}.",
        window.topic,
        ttl_switched(restart.flink)
    ))
}

fn cleared(by: Clearing, longer: Millis) -> Remedy {
    Remedy::say(match by {
        Clearing::Watermark => {
            "No TTL governs this state, so none helps. Keep the uid of the source stable, so that its positions are always restored \
                                together with this state, or write the results to a sink that merges on their key."
                .to_owned()
        }
        Clearing::Timer | Clearing::Code => format!("Clear it after {longer} at the earliest: change the timer or the code that does it."),
    })
}

fn longer_ttl(state: &StateView, old: Millis, new: Millis, restart: &Restart<'_>) -> Vec<Remedy> {
    let mut say = format!(
        "Extend the TTL to {new}. It is not stored in the state, so it can be changed at any restore. Entries that are already cleaned up do not come \
         back: {} {}{}",
        restart.covers(old, new),
        restart.growth(state, old, new),
        restart.changelog()
    );
    if matches!(state.role, Role::Aggregation | Role::Session) {
        say.push_str(
            " It keeps idle keys; it does not keep replayed records from being added a second time to keys that survived. Only restoring the source's \
             positions together with the state does: keep the uid of the source stable.",
        );
    }
    code(state, new, restart.flink, &say)
}

/// The same window with a shorter roll period, if a shorter life is then enough.
fn sooner(
    state: &StateView,
    window: &Window,
    life: Life,
    length: Millis,
    longer: Millis,
    segments: &Segments,
    restart: &Restart<'_>,
) -> Option<Remedy> {
    let ttl = segments.ttl.round_up_to_days();
    if ttl >= longer {
        return None;
    }
    let (and, growth) = match life {
        Life::Cleared(..) if length >= segments.ttl => (format!("{length} are then enough"), String::new()),
        Life::Cleared(..) => (format!("{ttl} are then enough"), String::new()),
        Life::Ttl(_) | Life::Never if length >= segments.ttl => (format!("a TTL of {length} is then enough"), String::new()),
        Life::Ttl(_) | Life::Never => {
            let grows = format!(" With that TTL, {} {}", restart.covers(length, ttl), restart.growth(state, length, ttl));
            (format!("a TTL of {ttl} is then enough, in the same code as the longer one"), grows)
        }
    };
    let settings = [("segment.ms", i64::try_from(segments.roll.as_ms()).unwrap_or(i64::MAX))];
    let cluster = kafka::cluster(restart.audit, window.cluster.as_deref());
    let say = format!(
        "Or roll segments sooner: with segment.ms {} the worst case is {}, and {and}. It holds once the segments that were rolled under the \
         old setting are gone, about {} after the change (for a change on {}: from {}). More and smaller segments mean more open files.{growth}{}",
        segments.roll,
        segments.worst,
        segments.until,
        restart.as_of.day(),
        restart.as_of.plus(segments.until).next_midnight().day(),
        kafka::about_the_command(cluster, &window.topic, &settings)
    );
    Some(Remedy::paste(say, kafka::alter_topic(cluster, &window.topic, &settings)))
}

/// A smaller roll period and what follows from it.
struct Segments {
    roll: Millis,
    worst: Millis,
    ttl: Millis,
    until: Millis,
}

/// The largest whole number of days (hours, below a day) for `segment.ms` with which R + margin is the required TTL.
fn smaller_segments(window: &Window, margin: Millis) -> Option<Segments> {
    let kafka = window.kafka.as_ref()?;
    let (Ok(retention), Ok(now)) = (&window.retention, &kafka.roll) else { return None };
    let Retention::For(retention) = retention.value else { return None };
    let rest = kafka.check.value.plus(kafka.added_skew());
    let roll = whole(margin.minus(rest));
    if roll == Millis::ZERO || roll >= now.value {
        return None;
    }
    Some(Segments { roll, worst: retention.plus(roll).plus(rest), ttl: retention.plus(margin), until: retention.plus(rest) })
}

/// Rounded down to whole days, to hours below a day.
fn whole(length: Millis) -> Millis {
    let unit = if length >= Millis::DAY { Millis::DAY } else { Millis::hours(1) };
    Millis::new(length.as_ms() / unit.as_ms() * unit.as_ms())
}

/// A history that is short enough for the life as it is. It is only said, never printed as a command: it deletes records.
fn less_history(window: &Window, margin: Millis, length: Millis, restart: &Restart<'_>) -> Option<Remedy> {
    let kafka = window.kafka.as_ref()?;
    let (Ok(cleanup), Ok(roll), Ok(now)) = (&kafka.cleanup, &kafka.roll, &window.retention) else { return None };
    if !cleanup.value.delete {
        return None;
    }
    let rest = kafka.check.value.plus(kafka.added_skew());
    let smaller = Some(whole(margin.minus(rest))).filter(|smaller| *smaller > Millis::ZERO && *smaller < roll.value);
    let retention = whole(length.minus(margin.max(smaller.unwrap_or(roll.value).plus(rest))));
    let shorter = match now.value {
        Retention::For(now) => retention < now,
        Retention::Unlimited | Retention::SizeBound => true,
    };
    if !shorter || retention == Millis::ZERO || restart.max_downtime.is_some_and(|downtime| downtime >= retention) {
        return None;
    }
    let segments = smaller.map_or_else(String::new, |smaller| format!(" and segment.ms {smaller} ({} ms)", smaller.as_ms()));
    Some(Remedy::say(format!(
        "Or keep less: with retention.ms {retention} ({} ms){segments} on {} the present {length} are enough. That deletes what is older, for good and \
         for every reader of the topic: ask its owners. And no snapshot whose first unread record is older than {retention} comes back without loss any \
         more.",
        retention.as_ms(),
        window.topic
    )))
}
