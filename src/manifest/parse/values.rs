//! Values that several blocks share.

use std::collections::BTreeSet;

use crate::{
    units::{Location, Millis},
    yaml::{At, Entry, Fields, Node, Problems, nearest, quoted, values},
};

/// `version: 1`, the only one that there is.
pub(crate) fn version(fields: &mut Fields<'_>, problems: &mut Problems<'_>) {
    let Some(entry) = fields.require("version", "write `version: 1`", problems) else { return };
    let _ = values::read(entry, problems, |text| match text {
        "1" => Ok(()),
        _ => Err((
            format!("{} is not known, this program reads version 1", quoted(text)),
            "write `version: 1`, or use a newer ttl-audit".to_owned(),
        )),
    });
}

/// A text, if it is stated.
pub(crate) fn optional_text(entry: Option<&Entry>, problems: &mut Problems<'_>) -> Option<String> {
    entry.and_then(|entry| values::text(entry, problems)).map(|at| at.value)
}

/// A length, if it is stated.
pub(crate) fn optional_length(entry: Option<&Entry>, problems: &mut Problems<'_>) -> Option<Millis> {
    entry.and_then(|entry| length(entry, problems)).map(|at| at.value)
}

/// A length; zero is one.
pub(crate) fn length(entry: &Entry, problems: &mut Problems<'_>) -> Option<At<Millis>> {
    values::read(entry, problems, |text| {
        text.parse::<Millis>().map_err(|error| (format!("{} cannot be read: {error}", quoted(text)), error.hint()))
    })
}

/// A length above zero, if it is stated.
pub(crate) fn optional_positive(entry: Option<&Entry>, problems: &mut Problems<'_>) -> Option<Millis> {
    let entry = entry?;
    let length = length(entry, problems)?.value;
    if length == Millis::ZERO {
        problems.advise(&entry.value.place, format!("`{}` is zero", entry.key), "write a length, or remove the key");
    }
    Some(length)
}

/// A place for files.
pub(super) fn location(node: &Node, what: &str, problems: &mut Problems<'_>) -> Option<At<Location>> {
    let text = values::scalar(node, what, problems)?;
    match text.parse() {
        Ok(Location::JobManager) => {
            problems.advise(&node.place, format!("{what} cannot be `jobmanager`, which only checkpoints can"), "write s3://bucket/prefix/");
            None
        }
        Ok(location) => Some(node.at(location)),
        Err(message) => {
            problems.advise(&node.place, format!("{what} is not a location"), message);
            None
        }
    }
}

/// A place for files, if it is stated.
pub(super) fn optional_location(entry: Option<&Entry>, problems: &mut Problems<'_>) -> Option<At<Location>> {
    entry.and_then(|entry| location(&entry.value, &format!("`{}`", entry.key), problems))
}

/// The texts of a list, each once, every one of which must be among `known`.
pub(super) fn references(entry: &Entry, what: &str, known: &[&str], problems: &mut Problems<'_>) -> Option<Vec<String>> {
    let texts = values::texts(entry, problems)?;
    let declared: BTreeSet<&str> = known.iter().copied().collect();
    for (text, item) in texts.iter().zip(entry.value.items()?) {
        if !declared.contains(text.value.as_str()) {
            let near = if problems.is_full() { None } else { nearest(&text.value, known) };
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => format!("declare {what} first"),
                None => format!("declared: {}", some_of(known)),
            };
            problems.advise(&item.place, format!("`{}` names {}, which is not declared", entry.key, quoted(&text.value)), hint);
        }
    }
    let mut seen = BTreeSet::new();
    Some(texts.into_iter().map(|text| text.value).filter(|text| seen.insert(text.clone())).collect())
}

/// The first few of many names.
fn some_of(names: &[&str]) -> String {
    const SHOWN: usize = 10;
    let shown = names.iter().take(SHOWN).map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} others", names.len() - SHOWN) } else { shown }
}
