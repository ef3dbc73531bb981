//! What happens when: the dates of one job, and of one of its snapshots.

use super::{
    FirstChange, JobReport, Report, SnapshotReport, Verdict,
    words::{self, first_change},
};
use crate::{finding::Severity, units::Instant};

/// What kind of date it is, for how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A snapshot was taken.
    Taken(Verdict),
    /// The instant that is judged.
    Now,
    /// A rule of a bucket acts, or a record may leave its topic.
    Change,
    /// Until then the job can come back without loss.
    WithoutLoss,
    /// A finding bites.
    Bites(Severity),
}

/// One date.
pub(super) struct Date {
    pub(super) at: Instant,
    pub(super) kind: Kind,
    pub(super) what: String,
}

/// The dates of a job, in their order; empty if there is none but the instant that is judged.
pub(super) fn of_job(report: &Report, job: &JobReport) -> Vec<Date> {
    let mut dates: Vec<Date> = Vec::new();
    for finding in words::findings(report, job) {
        let what = format!("{}: {}", finding.rule, words::subject(&finding.job, &finding.subject));
        dates.extend(finding.bites_on.map(|at| Date { at, kind: Kind::Bites(finding.severity), what }));
    }
    for snapshot in &job.snapshots {
        of_one(snapshot, &mut dates);
    }
    for place in &job.places {
        let what = |change: &FirstChange| format!("a {} file written to {} now: {}", place.kind, place.location, change_words(change));
        changes(&mut dates, place.first_change.as_ref(), &place.location, what);
    }
    let loss = &job.back_without_loss;
    if let Some(at) = loss.at.filter(|_| ["date", "at-most"].contains(&loss.state.as_str())) {
        let most = if loss.state == "at-most" { ", at most" } else { "" };
        dates.push(Date {
            at,
            kind: Kind::WithoutLoss,
            what: format!("the job can come back without loss until here{most}: {}", loss.because),
        });
    }
    if !dates.is_empty() {
        dates.push(Date { at: report.as_of.at, kind: Kind::Now, what: "the instant that is judged".to_owned() });
    }
    dates.sort_by(|a, b| (a.at, &a.what).cmp(&(b.at, &b.what)));
    dates
}

fn of_one(snapshot: &SnapshotReport, dates: &mut Vec<Date>) {
    let name = format!("{} {}", snapshot.kind, short(&snapshot.location));
    let selected = if snapshot.selected { ", the one that a restart takes" } else { "" };
    dates.push(Date { at: snapshot.taken_at.at, kind: Kind::Taken(snapshot.verdict), what: format!("{name} taken{selected}") });
    changes(dates, snapshot.first_change.as_ref(), &snapshot.location, |change| format!("{name}: {}", change_words(change)));
    let changed = snapshot.first_change.as_ref().map(|change| change.on);
    if let Some(at) = snapshot.files_until.filter(|at| Some(*at) != changed) {
        dates.push(Date { at, kind: Kind::Change, what: format!("{name}: its files may go") });
    }
    if let Some(at) = snapshot.records_until {
        dates.push(Date { at, kind: Kind::Change, what: format!("{name}: its first unread record may leave the topic") });
    }
}

/// A change that a finding speaks of on the same day is told there.
fn changes(dates: &mut Vec<Date>, change: Option<&FirstChange>, location: &str, what: impl Fn(&FirstChange) -> String) {
    let Some(change) = change else { return };
    let told = dates.iter().any(|date| {
        let Kind::Bites(_) = date.kind else { return false };
        let place = date.what.split(' ').find(|word| word.contains("://"));
        date.at == change.on && place.is_some_and(|place| location.starts_with(place))
    });
    if !told {
        dates.push(Date { at: change.on, kind: Kind::Change, what: what(change) });
    }
}

fn change_words(change: &FirstChange) -> String {
    let may = if change.certain { "" } else { "perhaps " };
    format!("{may}{}, {}", change.what, change.rule)
}

/// The last part of a location.
pub(super) fn short(location: &str) -> &str {
    location.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// One date of a snapshot, with the letter that stands for it on a line.
pub(super) struct Mark {
    pub(super) at: Instant,
    pub(super) letter: char,
    pub(super) what: String,
}

/// The line of a snapshot: taken, now, first change by a rule, files gone, first unread record gone; and what of it has no date.
pub(super) fn of_snapshot(as_of: Instant, snapshot: &SnapshotReport) -> (Vec<Mark>, Vec<String>) {
    let mark = |at: Instant, letter: char, what: &str| Mark { at, letter, what: what.to_owned() };
    let mut marks = vec![mark(snapshot.taken_at.at, 'T', "taken"), mark(as_of, 'N', "now")];
    let mut undated = Vec::new();
    match &snapshot.first_change {
        Some(change) if Some(change.on) != snapshot.files_until => marks.push(mark(change.on, 'C', "first change by a rule")),
        _ => {}
    }
    match snapshot.files_until {
        Some(at) => marks.push(mark(at, 'R', "its files may go")),
        None => undated.push("no rule is known that takes its files".to_owned()),
    }
    match snapshot.records_until {
        Some(at) => marks.push(mark(at, 'O', "its first unread record may leave the topic")),
        None => undated.push("when its offsets leave the topic is not known".to_owned()),
    }
    (marks, undated)
}

/// `savepoint place s3://…`, and what happens there first; for places of which there is something to say.
pub(super) fn places(job: &JobReport) -> impl Iterator<Item = (Verdict, String, String)> + '_ {
    job.places.iter().filter(|place| place.first_change.is_some() || place.open.is_some()).map(|place| {
        let first = first_change(place.first_change.as_ref(), place.open.as_deref());
        let name = format!("{} place {}", place.kind, place.location);
        (place.verdict, name, format!("first change of a file that is written there now: {first}"))
    })
}
