//! Reads the settings of a topic or a broker. A key that is not there is unknown, never the vendor's default.

use super::Sourced;
use crate::evidence::{Fact, Setting, Settings, Unknown};

/// The settings of one topic or broker, or the reason why there are none.
pub(super) struct Reader<'a> {
    settings: Result<&'a Settings, Unknown>,
    /// `topic orders`, `the broker`.
    of: String,
    call: String,
}

impl<'a> Reader<'a> {
    /// Reads what was seen of `of`.
    pub(super) fn new(of: impl Into<String>, fact: &'a Fact<Settings>) -> Self {
        let of = of.into();
        match fact.known() {
            Ok(seen) => Self { settings: Ok(&seen.value), of, call: seen.call.clone() },
            Err(unknown) => Self { call: unknown.call.clone(), settings: Err(unknown), of },
        }
    }

    /// The value of `key` as text, with its origin.
    pub(super) fn text(&self, key: &str) -> Result<Sourced<&'a str>, Unknown> {
        let settings = self.settings.as_ref().map_err(Clone::clone)?;
        let setting = settings.get(key).ok_or_else(|| self.unknown(key, "is not among the settings that were answered"))?;
        let value = setting.value.as_deref().ok_or_else(|| self.unknown(key, "is hidden or has no value"))?;
        Ok(Sourced::new(value, origin(key, setting)))
    }

    /// The value of `key` as a whole number, with its origin.
    pub(super) fn number(&self, key: &str) -> Result<Sourced<i64>, Unknown> {
        let text = self.text(key)?;
        match text.value.trim().parse() {
            Ok(value) => Ok(Sourced::new(value, text.origin)),
            Err(_) => Err(self.unknown(key, "is not a whole number of 64 bits")),
        }
    }

    /// Whether `key` is there at all, whatever its value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.settings.as_ref().is_ok_and(|settings| settings.contains_key(key))
    }

    /// An unknown about `key`, which the same call would answer.
    pub(super) fn unknown(&self, key: &str, what: &str) -> Unknown {
        Unknown::new(format!("{key} of {} {what}", self.of), self.call.clone())
    }
}

/// `retention.ms, topic override`; where an inherited value has another name, that too, in its own unit:
/// `retention.ms, static broker setting (log.retention.hours=168)`.
fn origin(key: &str, setting: &Setting) -> String {
    let words = setting.source.words();
    match setting.synonyms.first().filter(|first| first.name != key) {
        Some(first) => {
            let value = first.value.as_deref().unwrap_or("hidden");
            format!("{key}, {words} ({}={value})", first.name)
        }
        None => format!("{key}, {words}"),
    }
}
