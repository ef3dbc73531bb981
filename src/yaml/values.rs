//! Reading single values, each with its problem recorded where it stands.

use super::{At, Entry, Node, Problems, Value, nearest, quoted};

/// Why a text is not a value of the wanted kind: a message and the next step.
pub type Refusal = (String, String);

impl Node {
    /// Where it stands, with another value.
    pub fn at<T>(&self, value: T) -> At<T> {
        At { value, position: self.place.position }
    }
}

/// The text of a value. `what` names it in messages: `` `ttl` ``.
pub fn scalar<'n>(node: &'n Node, what: &str, problems: &mut Problems<'_>) -> Option<&'n str> {
    match &node.value {
        Value::Scalar { text, .. } if text.trim().is_empty() => {
            problems.advise(&node.place, format!("{what} is empty"), "write a value, or remove the key");
        }
        Value::Scalar { text, .. } if text.chars().any(char::is_control) => {
            problems.advise(&node.place, format!("{what} holds a control character"), "write it on one line, without escapes");
        }
        Value::Scalar { text, .. } => return Some(text),
        Value::Null => problems.advise(&node.place, format!("{what} is empty"), "write a value, or remove the key"),
        Value::List(_) | Value::Map(_) => problems.add(&node.place, format!("{what} must be a single value, here is {}", node.kind())),
    }
    None
}

/// The text of an entry's value; where nothing stands, the key is what the problem points to.
fn value_of<'n>(entry: &'n Entry, problems: &mut Problems<'_>) -> Option<&'n str> {
    if entry.value.is_null() {
        problems.advise(&entry.place, format!("`{}` is empty", entry.key), "write a value, or remove the key");
        return None;
    }
    scalar(&entry.value, &format!("`{}`", entry.key), problems)
}

/// A text.
pub fn text(entry: &Entry, problems: &mut Problems<'_>) -> Option<At<String>> {
    value_of(entry, problems).map(|text| entry.value.at(text.to_owned()))
}

/// A value that `read` makes of the text.
pub fn read<T>(entry: &Entry, problems: &mut Problems<'_>, read: impl Fn(&str) -> Result<T, Refusal>) -> Option<At<T>> {
    let text = value_of(entry, problems)?;
    match read(text) {
        Ok(value) => Some(entry.value.at(value)),
        Err((message, hint)) => {
            problems.advise(&entry.value.place, format!("`{}`: {message}", entry.key), hint);
            None
        }
    }
}

/// One of a few words.
pub fn word<T: Copy>(entry: &Entry, words: &[(&'static str, T)], problems: &mut Problems<'_>) -> Option<T> {
    read(entry, problems, |text| {
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let hint = match nearest(text, &names) {
                Some(near) => format!("did you mean `{near}`? One of {}", names.join(", ")),
                None => format!("write one of {}", names.join(", ")),
            };
            (format!("{} is not known", quoted(text)), hint)
        })
    })
    .map(|at| at.value)
}

/// `true` or `false`.
pub fn boolean(entry: &Entry, problems: &mut Problems<'_>) -> Option<bool> {
    read(entry, problems, |text| match text {
        "true" | "True" | "TRUE" => Ok(true),
        "false" | "False" | "FALSE" => Ok(false),
        _ => Err((format!("{} is neither true nor false", quoted(text)), "write true or false".to_owned())),
    })
    .map(|at| at.value)
}

/// A whole number, not negative.
pub fn integer(entry: &Entry, problems: &mut Problems<'_>) -> Option<u64> {
    read(entry, problems, |text| {
        text.parse().map_err(|_| {
            (format!("{} is not a whole number from 0 to {}", quoted(text), u64::MAX), "write digits only, such as 43000".to_owned())
        })
    })
    .map(|at| at.value)
}

/// The items of a list, which may not be empty.
pub fn items<'n>(entry: &'n Entry, problems: &mut Problems<'_>) -> Option<&'n [Node]> {
    match entry.value.items() {
        Some([]) => problems.advise(&entry.value.place, format!("`{}` is empty", entry.key), "write at least one, or remove the key"),
        Some(items) => return Some(items),
        None => problems.advise(
            &entry.value.place,
            format!("`{}` must be a list, here is {}", entry.key, entry.value.kind()),
            "write [a, b], or `- a` lines below it",
        ),
    }
    None
}

/// A list of texts.
pub fn texts(entry: &Entry, problems: &mut Problems<'_>) -> Option<Vec<At<String>>> {
    let what = format!("an item of `{}`", entry.key);
    let items = items(entry, problems)?;
    let texts: Vec<_> = items.iter().filter_map(|item| scalar(item, &what, problems).map(|text| item.at(text.to_owned()))).collect();
    (texts.len() == items.len()).then_some(texts)
}
