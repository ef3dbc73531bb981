//! Ways out that can be pasted.

use super::{super::Remedy, Restart};
use crate::{
    analysis::{Life, Required, StateView, Window, required_by_settings, required_for},
    manifest::{Clearing, Role, TtlUpdate, TtlVisibility, release},
    units::{Millis, Retention},
};

/// How Flink's `StateTtlConfig` takes a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeApi {
    /// `org.apache.flink.api.common.time.Time`, up to Flink 1.18.
    Time,
    /// `java.time.Duration`, from Flink 1.19 on.
    Duration,
}

impl TimeApi {
    /// By the version as the manifest writes it; the newer one where it is not stated or not understood.
    #[must_use]
    pub fn of(version: Option<&str>) -> Self {
        match version.and_then(release) {
            Some((1, minor)) if minor <= 18 => Self::Time,
            _ => Self::Duration,
        }
    }
}

/// What to do about a state that lives too short: a longer life, a shorter history, or neither where none is enough.
#[must_use]
pub fn ways_out(state: &StateView, window: &Window, margin: Millis, restart: &Restart<'_>) -> Vec<Remedy> {
    let as_of = restart.as_of;
    let Ok(life) = state.life else { return Vec::new() };
    let Some(length) = life.length() else { return Vec::new() };
    let required = match required_for(window, margin) {
        Ok(Required::NoFinite) => return vec![no_finite(window)],
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
        Life::Ttl(_) | Life::Never => vec![longer_ttl(state, length, longer, restart)],
    };
    if let Some(segments) = smaller_segments(window, margin) {
        let ttl = segments.ttl.round_up_to_days();
        if ttl < longer {
            let and = if length >= segments.ttl {
                format!("a TTL of {length} is then enough")
            } else {
                format!("a TTL of {ttl} is then enough, in the same code as the longer one")
            };
            let say = format!(
                "Or roll segments sooner: with segment.ms {} the worst case is {}, and {and}. It holds once the segments that were rolled under the \
                 old setting are gone, about {} after the change (for a change on {}: from {}). More and smaller segments mean more open files.",
                segments.roll,
                segments.worst,
                segments.until,
                as_of.day(),
                as_of.plus(segments.until).next_midnight().day()
            );
            remedies.push(Remedy::paste(
                say,
                alter_topic(&window.topic, "segment.ms", i64::try_from(segments.roll.as_ms()).unwrap_or(i64::MAX)),
            ));
        }
    }
    remedies
}

/// No length is enough.
fn no_finite(window: &Window) -> Remedy {
    Remedy::say(format!(
        "No finite TTL covers a history without end. Either limit what {} keeps (this deletes data: ask its owners), or make every sink \
         idempotent by a key taken from the record, or let the state never expire: it then grows with the distinct keys, and a job that already has \
         a TTL can be restored without one only from Flink 2.1 (RocksDB) or 2.2 (hashmap) on; before, the restore fails with a \
         StateMigrationException.",
        window.topic
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

fn longer_ttl(state: &StateView, old: Millis, new: Millis, restart: &Restart<'_>) -> Remedy {
    let as_of = restart.as_of;
    let wait = new.minus(old);
    let growth = restart.growth(old, new);
    let mut say = format!(
        "Extend the TTL to {new}. It is not stored in the state, so it can be changed at any restore. Entries that are already cleaned up do not come \
         back: it covers the window only {wait} after the change (for a change on {}: from {}); until then the job depends on its snapshots. \
         {growth}",
        as_of.day(),
        as_of.plus(wait).next_midnight().day()
    );
    if matches!(state.role, Role::Aggregation | Role::Session) {
        say.push_str(
            " It keeps idle keys; it does not keep replayed records from being added a second time to keys that survived. Only restoring the source's \
             positions together with the state does: keep the uid of the source stable.",
        );
    }
    Remedy::code(say, java(state, new, TimeApi::of(restart.flink.version.as_deref())))
}

fn java(state: &StateView, ttl: Millis, api: TimeApi) -> String {
    let days = ttl.as_ms() / Millis::DAY.as_ms();
    let (import, length) = match api {
        TimeApi::Time => ("org.apache.flink.api.common.time.Time", format!("Time.days({days})")),
        TimeApi::Duration => ("java.time.Duration", format!("Duration.ofDays({days})")),
    };
    let update = match state.update {
        TtlUpdate::OnCreateAndWrite => "OnCreateAndWrite",
        TtlUpdate::OnReadAndWrite => "OnReadAndWrite",
    };
    let visibility = match state.visibility {
        TtlVisibility::NeverReturnExpired => "NeverReturnExpired",
        TtlVisibility::ReturnExpiredIfNotCleanedUp => "ReturnExpiredIfNotCleanedUp",
    };
    // Debug quotes names and escapes line breaks, so that no name leaves its comment.
    format!(
        "// import {import};\n\
         // the descriptor of {:?} in operator {:?}\n\
         StateTtlConfig ttl = StateTtlConfig.newBuilder({length})\n    \
         .setUpdateType(StateTtlConfig.UpdateType.{update})\n    \
         .setStateVisibility(StateTtlConfig.StateVisibility.{visibility})\n    \
         .build();\n\
         descriptor.enableTimeToLive(ttl);",
        state.state, state.operator
    )
}

/// The command that sets one setting of a topic.
#[must_use]
pub fn alter_topic(topic: &str, key: &str, value: i64) -> String {
    let plain = !topic.is_empty() && topic.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    let topic = if plain { topic.to_owned() } else { format!("'{}'", topic.replace('\'', r"'\''")) };
    format!(
        "kafka-configs.sh --bootstrap-server BROKER:9092 --command-config client.properties --alter --entity-type topics --entity-name {topic} \
         --add-config {key}={value}"
    )
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
    let room = margin.minus(rest);
    let unit = if room >= Millis::DAY { Millis::DAY } else { Millis::hours(1) };
    let roll = Millis::new(room.as_ms() / unit.as_ms() * unit.as_ms());
    if roll == Millis::ZERO || roll >= now.value {
        return None;
    }
    Some(Segments { roll, worst: retention.plus(roll).plus(rest), ttl: retention.plus(margin), until: retention.plus(rest) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_follows_the_version() {
        for (version, api) in [
            (Some("1.18.1"), TimeApi::Time),
            (Some("1.9"), TimeApi::Time),
            (Some("1.18-SNAPSHOT"), TimeApi::Time),
            (Some("1.19"), TimeApi::Duration),
            (Some("1.20.4"), TimeApi::Duration),
            (Some("2.0.0"), TimeApi::Duration),
            (Some("2.10"), TimeApi::Duration),
            (Some("nightly"), TimeApi::Duration),
            (None, TimeApi::Duration),
        ] {
            assert_eq!(TimeApi::of(version), api, "{version:?}");
        }
    }

    #[test]
    fn no_name_leaves_the_command() {
        let command = alter_topic("a'; rm -rf ~; '", "segment.ms", 86_400_000);
        assert!(command.contains(r"--entity-name 'a'\''; rm -rf ~; '\''' --add-config segment.ms=86400000"), "{command}");
    }
}
