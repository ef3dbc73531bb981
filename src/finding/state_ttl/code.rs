//! A TTL as code: `StateTtlConfig` in Java, and Flink SQL.

use super::super::Remedy;
use crate::{
    analysis::StateView,
    manifest::{Flink, Role, TtlUpdate, TtlVisibility, release},
    units::Millis,
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
    /// By the version as the manifest writes it; `None` where it is not stated or not understood.
    #[must_use]
    pub fn of(version: Option<&str>) -> Option<Self> {
        version.and_then(release).map(|release| if release <= (1, 18) { Self::Time } else { Self::Duration })
    }
}

/// Names that states of Flink SQL have; who writes a job in Java can choose others, and does.
const NAMES_OF_SQL: [&str; 4] = ["deduplicate-state", "accState", "left-records", "right-records"];

/// This TTL for this state, as code of the job: Java, unless the state is one of Flink SQL by its name, and SQL. `say`: what holds for both.
#[must_use]
pub(super) fn code(state: &StateView, ttl: Millis, flink: &Flink, say: &str) -> Vec<Remedy> {
    if NAMES_OF_SQL.contains(&state.state.as_str()) {
        return vec![Remedy::code(format!("{say} {}", sql_words(state, flink, "In Flink SQL")), sql(state, ttl, flink))];
    }
    vec![
        Remedy::code(say, java(state, ttl, TimeApi::of(flink.version.as_deref()))),
        Remedy::code(
            sql_words(state, flink, "The same if this state belongs to Flink SQL, which the manifest does not say"),
            sql(state, ttl, flink),
        ),
    ]
}

fn java(state: &StateView, ttl: Millis, api: Option<TimeApi>) -> String {
    let days = ttl.as_ms() / Millis::DAY.as_ms();
    let (import, length) = match api {
        Some(TimeApi::Time) => ("org.apache.flink.api.common.time.Time", format!("Time.days({days})")),
        Some(TimeApi::Duration) | None => ("java.time.Duration", format!("Duration.ofDays({days})")),
    };
    let older = if api.is_none() {
        format!("// up to Flink 1.18: StateTtlConfig.newBuilder(Time.days({days})), org.apache.flink.api.common.time.Time\n")
    } else {
        String::new()
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
         {older}\
         // the descriptor of {:?} in operator {:?}; keep the clean-up that the code sets\n\
         StateTtlConfig ttl = StateTtlConfig.newBuilder({length})\n    \
         .setUpdateType(StateTtlConfig.UpdateType.{update})\n    \
         .setStateVisibility(StateTtlConfig.StateVisibility.{visibility})\n    \
         .build();\n\
         descriptor.enableTimeToLive(ttl);",
        state.state, state.operator
    )
}

/// How a hint names the inputs, where there is one: for joins and aggregations, from Flink 1.19 on.
fn hinted(state: &StateView) -> Option<&'static [&'static str]> {
    match (state.role, state.state.as_str()) {
        (Role::Join, _) | (_, "left-records" | "right-records") => Some(&["LEFT_INPUT", "RIGHT_INPUT"]),
        (Role::Aggregation, _) | (_, "accState") => Some(&["INPUT"]),
        _ => None,
    }
}

fn has_hint(flink: &Flink) -> bool {
    flink.release().is_none_or(|release| release >= (1, 19))
}

fn sql_words(state: &StateView, flink: &Flink, begin: &str) -> String {
    let mut say = format!(
        "{begin}: `table.exec.state.ttl` is one value for every stateful operator of the pipeline, so set the largest that any of them needs, before \
         the statement is submitted."
    );
    match (hinted(state), has_hint(flink)) {
        (Some(_), true) => {
            let from = if flink.release().is_none() { ", from Flink 1.19 on," } else { "" };
            say.push_str(&format!(
                " The hint{from} gives a regular join or a group aggregation its own value, which wins over the option: write it behind SELECT, with \
                 the names or aliases of the inputs."
            ));
        }
        (Some(_), false) => {
            say.push_str(" A STATE_TTL hint for this operator alone is known from Flink 1.19 on; older versions stop at it.");
        }
        (None, _) => {}
    }
    if flink.release().is_none_or(|release| release >= (1, 18)) {
        say.push_str(" A compiled plan wins over both: there, change `ttl` in the `state` entries of the operator's node.");
    }
    say.push_str(" Operators of SQL have generated ids: try on a copy that the savepoint restores before you rely on it.");
    say
}

fn sql(state: &StateView, ttl: Millis, flink: &Flink) -> String {
    let days = ttl.as_ms() / Millis::DAY.as_ms();
    let mut sql = format!("SET 'table.exec.state.ttl' = '{days} d';");
    if let Some(inputs) = hinted(state).filter(|_| has_hint(flink)) {
        let inputs = inputs.iter().map(|input| format!("'{input}' = '{days}d'")).collect::<Vec<_>>().join(", ");
        sql.push_str(&format!("\n-- or for this operator alone:\n-- SELECT /*+ STATE_TTL({inputs}) */ ..."));
    }
    sql
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_follows_the_version() {
        for (version, api) in [
            (Some("1.18.1"), Some(TimeApi::Time)),
            (Some("1.9"), Some(TimeApi::Time)),
            (Some("1.18-SNAPSHOT"), Some(TimeApi::Time)),
            (Some("1.19"), Some(TimeApi::Duration)),
            (Some("1.20.4"), Some(TimeApi::Duration)),
            (Some("2.0.0"), Some(TimeApi::Duration)),
            (Some("2.10"), Some(TimeApi::Duration)),
            (Some("nightly"), None),
            (None, None),
        ] {
            assert_eq!(TimeApi::of(version), api, "{version:?}");
        }
    }
}
