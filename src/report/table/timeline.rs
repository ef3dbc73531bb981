//! Bars: how far back a state remembers against how far back its topics reach, and when what a snapshot needs may go.

use super::{Page, Paint};
use crate::{
    report::{JobReport, Length, OperatorReport, Report, SnapshotReport},
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
    let mut rows: Vec<(&str, String, Option<Millis>)> = vec![("TTL", operator.ttl.to_string(), length(&operator.ttl))];
    for topic in &operator.topics {
        rows.push(("floor", topic.floor.to_string(), length(&topic.floor)));
        rows.push(("observed", topic.observed.to_string(), length(&topic.observed)));
        rows.push(("worst case", topic.worst_case.to_string(), length(&topic.worst_case)));
    }
    let Some(longest) = rows.iter().filter_map(|(_, _, length)| *length).max().filter(|longest| *longest > Millis::ZERO) else { return };
    page.prose("  ", "    ", &format!("{} / {}, back from now; a column is {}", operator.uid, operator.state, column(longest)));
    let mut topics = operator.topics.iter();
    for (name, words, length) in rows {
        if name == "floor"
            && let Some(topic) = topics.next()
            && operator.topics.len() > 1
        {
            page.prose("    ", "      ", &format!("topic {}", topic.topic));
        }
        let bar = match length {
            Some(length) => (if name == "TTL" { "█" } else { "▒" }).repeat(columns(length, longest)),
            // No end: it goes on beyond the page. Not known: no bar.
            None if matches!(words.as_str(), "never" | "unlimited") => format!("{}▶", "─".repeat(COLUMNS - 1)),
            None => String::new(),
        };
        let bar = if name == "TTL" { paint.bold(&bar) } else { bar };
        page.line(&format!("    {name:<10} {bar} {words}"));
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

/// `T────┼────R────O`: taken, as of, next rule, offsets leave.
fn line(as_of: Instant, snapshot: &SnapshotReport) -> (String, String, String) {
    let mut marks = vec![(snapshot.taken_at.at, 'T'), (as_of, 'N')];
    let mut dates = vec![format!("T taken {}", snapshot.taken_at.at.day()), format!("N now {}", as_of.day())];
    match snapshot.files_until {
        Some(at) => {
            marks.push((at, 'R'));
            dates.push(format!("R its files may go {}", at.day()));
        }
        None => dates.push("no rule is known that takes its files".to_owned()),
    }
    match snapshot.records_until {
        Some(at) => {
            marks.push((at, 'O'));
            dates.push(format!("O its first unread record may leave the topic {}", at.day()));
        }
        None => dates.push("when its offsets leave the topic is not known".to_owned()),
    }
    let first = marks.iter().map(|(at, _)| *at).min().unwrap_or(as_of);
    let last = marks.iter().map(|(at, _)| *at).max().unwrap_or(as_of);
    let all = last.since(first).as_ms().max(1);
    let mut axis: Vec<char> = vec!['─'; COLUMNS];
    for (at, mark) in marks {
        let place = u128::from(at.since(first).as_ms()) * (COLUMNS as u128 - 1) / u128::from(all);
        let mut place = usize::try_from(place).unwrap_or(0).min(COLUMNS - 1);
        // Two marks in one column stand beside each other.
        while axis.get(place).is_some_and(|taken| *taken != '─') && place + 1 < COLUMNS {
            place += 1;
        }
        while axis.get(place).is_some_and(|taken| *taken != '─') && place > 0 {
            place -= 1;
        }
        if let Some(column) = axis.get_mut(place) {
            *column = mark;
        }
    }
    let name = snapshot.location.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let selected = if snapshot.selected { ", selected" } else { "" };
    (format!("{} {name}{selected}", snapshot.kind), axis.into_iter().collect(), dates.join(" · "))
}
