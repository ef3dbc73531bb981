//! The two headline lines in words, the same in every format for people.

use super::{JobReport, Report, WayAnswer};
use crate::{
    finding::thousands,
    units::{Instant, Millis},
};

/// Until when the job can come back without loss: `until 2026-10-15: …`, `no: …`.
#[must_use]
pub fn loss(report: &Report, job: &JobReport) -> String {
    let loss = &job.back_without_loss;
    let mut text = until(report.as_of.at, &loss.state, loss.at, &loss.because);
    if loss.moves_on && loss.at.is_some() {
        text.push_str("; moves on with each checkpoint while the job runs");
    }
    text
}

/// The same in a few words: `until 2026-10-15`, `until 2026-10-15 at most`, `no`, `unknown`.
#[must_use]
pub fn loss_in_short(report: &Report, job: &JobReport) -> String {
    let loss = &job.back_without_loss;
    match (loss.state.as_str(), loss.at) {
        ("date" | "at-most", Some(at)) if at <= report.as_of.at => format!("not assured since {}", at.day()),
        ("date", Some(at)) => format!("until {}", at.day()),
        ("at-most", Some(at)) => format!("until {} at most", at.day()),
        ("date", None) => "yes".to_owned(),
        (state, _) => state.to_owned(),
    }
}

/// The snapshot that would allow a later return, if there is one.
#[must_use]
pub fn alternative(report: &Report, job: &JobReport) -> Option<String> {
    let best = job.back_without_loss.best_alternative.as_ref()?;
    let name = best.snapshot.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    Some(format!("the {} {name} could: {}", best.kind, until(report.as_of.at, &best.state, best.at, &best.because)))
}

/// A day; an instant where hours decide.
#[must_use]
pub fn when(as_of: Instant, at: Instant) -> String {
    if at > as_of && at.since(as_of) < Millis::days(2) { at.minute() } else { at.day() }
}

fn until(as_of: Instant, state: &str, at: Option<Instant>, because: &str) -> String {
    match (state, at) {
        ("date" | "at-most", Some(at)) if at <= as_of => format!("not assured any more since {}: {because}", at.day()),
        ("date", Some(at)) => format!("until {}: {because}", when(as_of, at)),
        ("date", None) => format!("yes: {because}"),
        ("at-most", Some(at)) => format!("until {} at most: {because}", when(as_of, at)),
        (state, _) => format!("{state}: {because}"),
    }
}

/// What each way writes twice: `failover ≈30 · snapshot ≤1,333,000 · offset reset 1,032,000 · state loss 1,333,000 (no TTL helps there)`.
#[must_use]
pub fn duplicates(job: &JobReport) -> String {
    let stateful = !job.operators.is_empty();
    let no_ttl = if stateful && job.back_without_duplicates.state_loss.state != "yes" { " (no TTL helps there)" } else { "" };
    format!("{}{no_ttl}{}", ways(job), why(job))
}

/// Why answers are unknown, each reason once.
fn why(job: &JobReport) -> String {
    let answers = &job.back_without_duplicates;
    let all = [&answers.failover, &answers.snapshot, &answers.offset_reset, &answers.state_loss];
    let mut reasons: Vec<&str> = Vec::new();
    for reason in all.into_iter().filter(|answer| answer.state == "unknown").map(|answer| answer.because.as_str()) {
        if !reason.is_empty() && !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() { String::new() } else { format!("; not known: {}", reasons.join("; ")) }
}

/// The same without a word more.
#[must_use]
pub fn ways(job: &JobReport) -> String {
    let answers = &job.back_without_duplicates;
    let ways = [
        ("failover", &answers.failover, "≈"),
        ("snapshot", &answers.snapshot, ""),
        ("offset reset", &answers.offset_reset, ""),
        ("state loss", &answers.state_loss, ""),
    ];
    let ways: Vec<String> = ways.into_iter().map(|(way, answer, about)| format!("{way} {}", way_words(answer, about))).collect();
    ways.join(" · ")
}

fn way_words(answer: &WayAnswer, about: &str) -> String {
    match (answer.state.as_str(), answer.records) {
        ("no", Some(records)) => {
            let about = if answer.upper_bound { "≤" } else { about };
            let declared = if answer.basis == "declared" { " declared" } else { "" };
            format!("{about}{}{declared}", thousands(records))
        }
        (state, _) => state.to_owned(),
    }
}

/// A number of records, or `?` where it is not known.
#[must_use]
pub fn records(records: Option<u64>, upper_bound: bool) -> String {
    match records {
        Some(0) => "0".to_owned(),
        Some(records) if upper_bound => format!("≤{}", thousands(records)),
        Some(records) => thousands(records),
        None => "?".to_owned(),
    }
}
