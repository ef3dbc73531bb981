//! Replacing names in every text of a report.

use serde_json::Value;

use super::Names;
use crate::rules;

/// Fields that hold no text of people: instants, durations, digests, and words of the program.
const KEPT: &[&str] = &[
    "at",
    "bites_on",
    "captured_at",
    "digest",
    "exit_code",
    "expires",
    "fail_on",
    "fingerprint",
    "iso",
    "on",
    "readable",
    "severity",
    "unit",
    "verdict",
    "way",
];

/// Replaces names in all texts below `value`, keys of maps included.
pub(super) fn replace(value: &mut Value, names: &Names) {
    match value {
        Value::String(text) => *text = replaced(text, names),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, names)),
        Value::Object(fields) => {
            // The version of this program is none of anybody's names.
            for (key, field) in fields.iter_mut().filter(|(key, _)| *key != "tool" && !KEPT.contains(&key.as_str())) {
                if !is_rule(key, field) {
                    replace(field, names);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Rule ids stay; a lifecycle rule, which has a name that somebody gave it, is none.
fn is_rule(key: &str, field: &Value) -> bool {
    let known = |value: &Value| value.as_str().is_some_and(|id| rules::by_id(id).is_some());
    match (key, field) {
        ("rule", id) => known(id),
        ("also" | "judged", Value::Array(ids)) => ids.iter().all(known),
        _ => false,
    }
}

/// A name counts where it is not part of a longer word: letters and digits beside it make it one, `-`, `.`, `_` and `/` do not.
fn replaced(text: &str, names: &Names) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_word = false;
    while let Some(next) = rest.chars().next() {
        if !in_word && let Some((name, alias)) = names.at_start_of(rest) {
            out.push_str(alias);
            in_word = name.ends_with(char::is_alphanumeric);
            rest = rest.get(name.len()..).unwrap_or_default();
            continue;
        }
        out.push(next);
        in_word = next.is_alphanumeric();
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
    }
    out
}
