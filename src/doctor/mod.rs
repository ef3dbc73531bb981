//! Whether everything that an audit will ask can be asked: connections, credentials and rights, one by one.
//!
//! The questions are those of a capture: what [`crate::collect`] was told is gone through, fact by fact, so that `doctor` cannot find well what
//! `check` then misses.

mod advice;
mod kafka;
mod s3;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    audit::Audit,
    evidence::{Evidence, Fact, Unknown},
    report::Report,
};

/// How one question went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It was answered.
    Ok,
    /// Whoever was asked has no such feature: nothing can be done, and what depends on it stays unknown.
    Unsupported,
    /// It was not answered, and something can be done.
    Failed,
}

impl State {
    /// The word in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unsupported => "unsupported",
            Self::Failed => "failed",
        }
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Who was asked: `cluster eu`, `bucket acme-flink`.
    pub of: String,
    /// For what: `settings of topic orders`.
    pub what: String,
    /// How it went.
    pub state: State,
    /// What was answered, or why not.
    pub detail: String,
    /// What to do; absent where there is nothing to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The rules that would be unknown for it.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub waiting: BTreeSet<String>,
}

/// Everything that was asked for one audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checkup {
    /// The audit's name.
    pub audit: String,
    /// In the order in which it is asked.
    pub checks: Vec<Check>,
}

impl Checkup {
    /// Puts a question among those to the same, or first if there are none.
    pub fn add(&mut self, check: Check) {
        let place = self.checks.iter().position(|other| other.of == check.of).unwrap_or_default();
        self.checks.insert(place, check);
    }

    /// Whether something is missing that can be mended.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.checks.iter().any(|check| check.state == State::Failed)
    }
}

/// Goes through what a capture was told. `report` is the audit's report on that evidence; it knows which rules wait for what.
#[must_use]
pub fn checkup(audit: &Audit, evidence: &Evidence, report: &Report) -> Checkup {
    let mut checks = Vec::new();
    for (name, cluster) in &evidence.kafka {
        kafka::check(name, cluster, audit.kafka.get(name), &mut checks);
    }
    for (name, bucket) in &evidence.buckets {
        let places = evidence.places.iter().filter(|(place, _)| place.bucket() == name);
        s3::check(name, bucket, places, &mut checks);
    }
    for check in checks.iter_mut().filter(|check| check.state != State::Ok) {
        let waits = report.unknown.iter().filter(|unknown| unknown.reason == check.detail);
        check.waiting = waits.flat_map(|unknown| [&unknown.rule].into_iter().chain(&unknown.also)).cloned().collect();
    }
    Checkup { audit: audit.name.clone(), checks }
}

/// A variable that the audit file names at `place` (`kafka.prod.sasl.password`) and that is not set: what it belongs to was not asked.
#[must_use]
pub fn unset(place: &str, variable: &str) -> Check {
    let mut parts = place.splitn(3, '.');
    let of = match (parts.next(), parts.next()) {
        (Some("kafka"), Some(cluster)) => format!("cluster {cluster}"),
        (Some("s3"), Some("buckets")) => {
            parts.next().and_then(|rest| rest.rsplit_once('.')).map_or("s3".to_owned(), |(bucket, _)| format!("bucket {bucket}"))
        }
        _ => "s3".to_owned(),
    };
    Check {
        of,
        what: place.to_owned(),
        state: State::Failed,
        detail: format!("the environment variable {variable} is not set, so nothing was asked"),
        advice: Some(format!("set {variable} in the environment of this run, or give it a default in the audit file: ${{{variable}:-…}}")),
        waiting: BTreeSet::new(),
    }
}

/// What a fact says: its state, and the answer in `said` or the reason.
fn judged<T>(fact: &Fact<T>, said: impl FnOnce(&T) -> String) -> (State, String) {
    match (fact, fact.known()) {
        (_, Ok(seen)) => (State::Ok, said(&seen.value)),
        (Fact::Absent(gap), _) => (State::Ok, gap.reason.clone()),
        (Fact::Unsupported(_), Err(Unknown { reason, .. })) => (State::Unsupported, reason),
        (_, Err(Unknown { reason, .. })) => (State::Failed, reason),
    }
}
