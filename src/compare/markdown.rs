//! A comparison as Markdown, for a pull request or a client.

use super::{
    Change, Comparison,
    table::{quiet, side, summary, unknown_word, words},
};
use crate::report::{clean, own_subject};

/// The comparison as Markdown; what stayed the same and did not move is only counted.
#[must_use]
pub fn to_markdown(comparison: &Comparison) -> String {
    let mut text = format!("# {} → {}\n\n", escaped(&comparison.old.audit), escaped(&comparison.new.audit));
    text.push_str(&format!("{} → {}\n\n{}\n", escaped(&side(&comparison.old)), escaped(&side(&comparison.new)), summary(comparison)));
    for change in Change::ALL {
        let findings: Vec<_> = comparison.findings.iter().filter(|finding| finding.change == change && !quiet(finding)).collect();
        if findings.is_empty() {
            continue;
        }
        text.push_str(&format!("\n## {}\n", capital(change.word())));
        for finding in findings {
            let severity = match (finding.old_severity, finding.new_severity) {
                (Some(old), Some(new)) if old != new => format!("{old} → {new}"),
                (_, Some(one)) | (Some(one), None) => one.to_string(),
                (None, None) => String::new(),
            };
            let subject = own_subject(&finding.job, &finding.subject);
            text.push_str(&format!(
                "\n- **{severity}** `{}` · {} · {}\n  {}\n",
                finding.rule,
                escaped(&finding.job),
                escaped(subject),
                escaped(&finding.message)
            ));
            text.extend(finding.note.iter().map(|note| format!("  {}\n", escaped(note))));
            text.extend(finding.moved.iter().map(|moved| format!("  - {}\n", escaped(&words(moved)))));
        }
    }
    let unknown: Vec<_> = comparison.unknown.iter().filter(|unknown| unknown.change != Change::Same).collect();
    if !unknown.is_empty() {
        text.push_str("\n## Unknown\n\n");
        for unknown in unknown {
            let (word, rules) = (unknown_word(unknown.change), unknown.rules.join("`, `"));
            text.push_str(&format!(
                "- **{word}** ({}) `{rules}` · {} · {}\n",
                unknown.severity,
                escaped(&unknown.subject),
                escaped(&unknown.reason)
            ));
        }
    }
    if !comparison.jobs.is_empty() {
        text.push_str("\n## Facts that moved\n\n");
        for job in &comparison.jobs {
            text.push_str(&format!("- {}\n", escaped(&job.job)));
            text.extend(job.moved.iter().map(|moved| format!("  - {}\n", escaped(&words(moved)))));
        }
    }
    if !comparison.notes.is_empty() {
        text.push_str("\n## To know\n\n");
        text.extend(comparison.notes.iter().map(|note| format!("- {}\n", escaped(note))));
    }
    text.push_str(&format!("\nexit {}\n", comparison.exit_code));
    text
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Text that says what it says, whatever it holds.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '\n' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!' | '@' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
