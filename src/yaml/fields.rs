//! Reading a map key by key, so that what was not asked for is an unknown key.

use super::{Entry, Node, Place, Problems, looks_like_a_lost_value, nearest, quoted};

/// The keys of one map.
#[derive(Debug)]
pub struct Fields<'n> {
    what: &'static str,
    place: Place,
    entries: &'n [Entry],
    known: Vec<&'static str>,
    misplaced: Vec<(&'static str, String)>,
}

impl<'n> Fields<'n> {
    /// The keys of `node`, which is `what` (`a source`, `the policy`). `None`: it is no map; the problem is recorded.
    pub fn of(node: &'n Node, what: &'static str, problems: &mut Problems<'_>) -> Option<Self> {
        let Some(entries) = node.entries() else {
            problems.advise(
                &node.place,
                format!("{what} must be a map of keys, here is {}", node.kind()),
                "write `key: value` lines below it",
            );
            return None;
        };
        Some(Self { what, place: node.place.clone(), entries, known: Vec::new(), misplaced: Vec::new() })
    }

    /// Where the map stands.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// What the map is: `a source`.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        self.what
    }

    /// The entry of `key`.
    pub fn get(&mut self, key: &'static str) -> Option<&'n Entry> {
        self.known.push(key);
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The entry of `key`, which must be there.
    pub fn require(&mut self, key: &'static str, hint: &str, problems: &mut Problems<'_>) -> Option<&'n Entry> {
        let entry = self.get(key);
        if entry.is_none() {
            problems.advise(&self.place, format!("{} lacks `{key}`", self.what), hint);
        }
        entry
    }

    /// `key` is known but has no business here, for this reason.
    pub fn refuse(&mut self, key: &'static str, because: impl Into<String>) {
        self.misplaced.push((key, because.into()));
    }

    /// Records every key that nobody asked for. Its value may be anything, a secret under a misspelt key included, and is never shown.
    pub fn finish(self, problems: &mut Problems<'_>) {
        for entry in self.entries {
            let key = entry.key.as_str();
            if let Some((_, because)) = self.misplaced.iter().find(|(misplaced, _)| *misplaced == key) {
                problems.advise(&entry.place, format!("`{key}` does not belong here"), because.clone());
            } else if looks_like_a_lost_value(key) {
                problems.advise(&entry.place, format!("unknown key in {}", self.what), "write a colon and a space between key and value");
            } else if !self.known.contains(&key) {
                problems.mask_all(&entry.value);
                let near = if problems.is_full() { None } else { nearest(key, &self.known) };
                let hint = near.map_or_else(|| format!("known keys: {}", self.known.join(", ")), |near| format!("did you mean `{near}`?"));
                problems.advise(&entry.place, format!("unknown key {} in {}", quoted(key), self.what), hint);
            }
        }
    }
}
