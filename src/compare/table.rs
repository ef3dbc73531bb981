//! A comparison for people.

use super::{Change, ComparedFinding, ComparedUnknown, Comparison, Moved, Side};
use crate::report::{Page, Paint, TableOptions, own_subject};

/// The comparison as a page. What stayed the same and did not move is only counted, unless everything is wanted.
#[must_use]
pub fn to_table(comparison: &Comparison, options: TableOptions) -> String {
    let paint = Paint { colour: options.colour };
    let mut page = Page::new(options.width);
    page.prose("", "  ", &format!("{} → {}", side(&comparison.old), side(&comparison.new)));
    page.gap();
    page.prose("", "  ", &summary(comparison));
    for finding in &comparison.findings {
        if options.everything || !quiet(finding) {
            page.gap();
            one(&mut page, paint, finding);
        }
    }
    let unknown: Vec<&ComparedUnknown> =
        comparison.unknown.iter().filter(|unknown| options.everything || unknown.change != Change::Same).collect();
    if !unknown.is_empty() {
        page.gap();
        page.line(&paint.bold("Unknown"));
    }
    for unknown in unknown {
        let text = format!("{} · {} · {}", unknown.rules.join(", "), unknown.subject, unknown.reason);
        page.prose(&format!("  {} ({}) ", unknown_word(unknown.change), paint.severity(unknown.severity)), "    ", &text);
    }
    if !comparison.jobs.is_empty() {
        page.gap();
        page.line(&paint.bold("Facts that moved"));
    }
    for job in &comparison.jobs {
        page.prose("  ", "  ", &job.job);
        for moved in &job.moved {
            page.prose("    ", "      ", &words(moved));
        }
    }
    if !comparison.notes.is_empty() {
        page.gap();
        page.line(&paint.bold("To know"));
        for note in &comparison.notes {
            page.prose("  · ", "    ", note);
        }
    }
    page.gap();
    page.line(&paint.bold(&format!("exit {}", comparison.exit_code)));
    page.into_text()
}

fn one(page: &mut Page, paint: Paint, finding: &ComparedFinding) {
    let severity = match (finding.old_severity, finding.new_severity) {
        (Some(old), Some(new)) if old != new => format!("{} → {} ", paint.severity(old), paint.severity(new)),
        (_, Some(one)) | (Some(one), None) => format!("{} ", paint.severity(one)),
        (None, None) => String::new(),
    };
    let text = format!("{} · {} · {}", finding.rule, finding.job, own_subject(&finding.job, &finding.subject));
    page.prose(&format!("  {} {severity}", paint.bold(finding.change.word())), "    ", &text);
    page.prose("    ", "    ", &finding.message);
    if let Some(note) = &finding.note {
        page.prose("    ", "    ", note);
    }
    for moved in &finding.moved {
        page.prose("      ", "        ", &words(moved));
    }
}

/// `meridian-2026-q3 as of 2026-09-15 00:00Z (exit 1)`.
pub(super) fn side(side: &Side) -> String {
    format!("{} as of {} (exit {})", side.audit, side.as_of.minute(), side.exit_code)
}

/// `1 new · 0 worse · 2 same · 0 better · 1 fixed`, and what else there is.
pub(super) fn summary(comparison: &Comparison) -> String {
    let always = [Change::New, Change::Worse, Change::Same, Change::Better, Change::Fixed];
    let mut parts: Vec<String> = always.map(|change| format!("{} {}", comparison.summary.of(change), change.word())).to_vec();
    for change in Change::ALL.into_iter().filter(|change| !always.contains(change)) {
        let n = comparison.summary.of(change);
        parts.extend((n > 0).then(|| format!("{n} {}", change.word())));
    }
    let unknown = [(comparison.summary.new_unknown, "new unknown"), (comparison.summary.answered, "answered")];
    parts.extend(unknown.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")));
    parts.join(" · ")
}

/// What stayed as it was.
pub(super) fn quiet(finding: &ComparedFinding) -> bool {
    finding.change == Change::Same && finding.moved.is_empty()
}

pub(super) const fn unknown_word(change: Change) -> &'static str {
    match change {
        Change::Fixed => "answered",
        change => change.word(),
    }
}

/// `retention: 7d → 14d (retention.ms, broker default)`.
pub(super) fn words(moved: &Moved) -> String {
    match (&moved.old, &moved.new) {
        (Some(old), Some(new)) if old.origin == new.origin => format!("{}: {} → {} ({})", moved.fact, old.amount, new.amount, new.origin),
        (Some(old), Some(new)) => format!("{}: {} ({}) → {} ({})", moved.fact, old.amount, old.origin, new.amount, new.origin),
        (None, Some(new)) => format!("{}: {}, not there before ({})", moved.fact, new.amount, new.origin),
        (Some(old), None) => format!("{}: was {}, not there any more ({})", moved.fact, old.amount, old.origin),
        (None, None) => moved.fact.clone(),
    }
}
