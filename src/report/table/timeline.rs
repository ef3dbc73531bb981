//! Bars: how far back a state remembers against how far back its topics reach, and when what a snapshot needs may go.

use super::{Page, Paint};
use crate::{
    report::{JobReport, Length, OperatorReport, Report, SnapshotReport, dates, words},
    units::{Instant, Millis},
};

/// Columns of a bar.
const COLUMNS: usize = 44;

/// A group of bars for each state, and a line for each snapshot. At most 80 columns wide.
pub(super) fn section(page: &mut Page, paint: Paint, report: &Report, job: &JobReport) {
    for operator in &job.operators {
        page.gap();
        bars(page, paint, operator);
    }
    let lines: Vec<_> = job.snapshots.iter().map(|snapshot| line(report.as_of.at, snapshot)).collect();
    if lines.is_empty() {
        return;
    }
    page.gap();
    for (name, axis, dates) in lines {
        page.prose("  ", "    ", &name);
        page.line(&format!("    {axis}"));
        page.prose("    ", "    ", &dates);
    }
}

fn bars(page: &mut Page, paint: Paint, operator: &OperatorReport) {
    let mut rows: Vec<(&str, String, Option<Millis>)> =
        vec![(words::life_name(operator), words::life(operator), length(&words::life_length(operator)))];
    for topic in &operator.topics {
        rows.push(("floor", topic.floor.to_string(), length(&topic.floor)));
        rows.push(("observed", topic.observed.to_string(), length(&topic.observed)));
        rows.push(("worst case", topic.worst_case.to_string(), length(&topic.worst_case)));
    }
    let Some(longest) = rows.iter().filter_map(|(_, _, length)| *length).max().filter(|longest| *longest > Millis::ZERO) else { return };
    page.prose("  ", "    ", &format!("{} / {}, back from now; a column is {}", operator.uid, operator.state, column(longest)));
    let mut topics = operator.topics.iter();
    let own = |name: &str| name == words::life_name(operator);
    for (name, said, length) in rows {
        if name == "floor"
            && let Some(topic) = topics.next()
            && operator.topics.len() > 1
        {
            page.prose("    ", "      ", &format!("topic {}", topic.topic));
        }
        let bar = match length {
            Some(length) => (if own(name) { "█" } else { "▒" }).repeat(columns(length, longest)),
            // No end: it goes on beyond the page. Not known: no bar.
            None if matches!(said.as_str(), "never" | "unlimited") => format!("{}▶", "─".repeat(COLUMNS - 1)),
            None => String::new(),
        };
        let bar = if own(name) { paint.bold(&bar) } else { bar };
        page.line(&format!("    {name:<10} {bar} {said}"));
    }
}

/// The length of a column, in whole hours where it is longer than one.
fn column(longest: Millis) -> Millis {
    let one = longest.as_ms() / COLUMNS as u64;
    let hour = Millis::hours(1).as_ms();
    if one >= hour { Millis::new(one.div_ceil(hour) * hour) } else { Millis::new(one.div_ceil(1000) * 1000) }
}

/// At least one column for what is not zero.
fn columns(length: Millis, longest: Millis) -> usize {
    let each = column(longest).as_ms().max(1);
    let columns = usize::try_from(length.as_ms().div_ceil(each)).unwrap_or(COLUMNS);
    columns.min(COLUMNS)
}

fn length(length: &Length) -> Option<Millis> {
    match length {
        Length::Duration(length) => Some(*length),
        Length::Word(_) => None,
    }
}

/// `T────N────R────O`: taken, as of, next rule, offsets leave.
fn line(as_of: Instant, snapshot: &SnapshotReport) -> (String, String, String) {
    let (marks, undated) = dates::of_snapshot(as_of, snapshot);
    let first = marks.iter().map(|mark| mark.at).min().unwrap_or(as_of);
    let last = marks.iter().map(|mark| mark.at).max().unwrap_or(as_of);
    let all = last.since(first).as_ms().max(1);
    let mut axis: Vec<char> = vec!['─'; COLUMNS];
    for mark in &marks {
        let place = u128::from(mark.at.since(first).as_ms()) * (COLUMNS as u128 - 1) / u128::from(all);
        let mut place = usize::try_from(place).unwrap_or(0).min(COLUMNS - 1);
        // Two marks in one column stand beside each other.
        while axis.get(place).is_some_and(|taken| *taken != '─') && place + 1 < COLUMNS {
            place += 1;
        }
        while axis.get(place).is_some_and(|taken| *taken != '─') && place > 0 {
            place -= 1;
        }
        if let Some(column) = axis.get_mut(place) {
            *column = mark.letter;
        }
    }
    let selected = if snapshot.selected { ", selected" } else { "" };
    let dated = marks.iter().map(|mark| format!("{} {} {}", mark.letter, mark.what, mark.at.day()));
    let words: Vec<String> = dated.chain(undated).collect();
    (format!("{} {}{selected}", snapshot.kind, dates::short(&snapshot.location)), axis.into_iter().collect(), words.join(" · "))
}
