//! A comparison as Markdown, for a pull request or a client.

use super::{
    Change, Comparison,
    table::{quiet, side, summary, unknown_word, words},
};
use crate::report::{code, inline, own_subject};

/// The comparison as Markdown; what stayed the same and did not move is only counted.
#[must_use]
pub fn to_markdown(comparison: &Comparison) -> String {
    let mut text = format!("# {} → {}\n\n", inline(&comparison.old.audit), inline(&comparison.new.audit));
    text.push_str(&format!("{} → {}\n\n{}\n", inline(&side(&comparison.old)), inline(&side(&comparison.new)), summary(comparison)));
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
                "\n- **{severity}** {} · {} · {}\n  {}\n",
                code(&finding.rule),
                inline(&finding.job),
                inline(subject),
                inline(&finding.message)
            ));
            text.extend(finding.note.iter().map(|note| format!("  {}\n", inline(note))));
            text.extend(finding.moved.iter().map(|moved| format!("  - {}\n", inline(&words(moved)))));
        }
    }
    let unknown: Vec<_> = comparison.unknown.iter().filter(|unknown| unknown.change != Change::Same).collect();
    if !unknown.is_empty() {
        text.push_str("\n## Unknown\n\n");
        for unknown in unknown {
            let rules: Vec<String> = unknown.rules.iter().map(|rule| code(rule)).collect();
            let (word, rules) = (unknown_word(unknown.change), rules.join(", "));
            text.push_str(&format!(
                "- **{word}** ({}) {rules} · {} · {}\n",
                unknown.severity,
                inline(&unknown.subject),
                inline(&unknown.reason)
            ));
        }
    }
    if !comparison.jobs.is_empty() {
        text.push_str("\n## Facts that moved\n\n");
        for job in &comparison.jobs {
            text.push_str(&format!("- {}\n", inline(&job.job)));
            text.extend(job.moved.iter().map(|moved| format!("  - {}\n", inline(&words(moved)))));
        }
    }
    if !comparison.notes.is_empty() {
        text.push_str("\n## To know\n\n");
        text.extend(comparison.notes.iter().map(|note| format!("- {}\n", inline(note))));
    }
    text.push_str(&format!("\nexit {}\n", comparison.exit_code));
    text
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
