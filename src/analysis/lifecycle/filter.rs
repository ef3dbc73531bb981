//! What a rule's filter says about an object, but for the prefix, which the index looks up.

use std::collections::BTreeMap;

use super::object::Tags;
use crate::evidence::RuleFilter;

/// Whether something applies to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    /// It hangs on something that is not known.
    May,
    No,
}

/// The conditions of a filter; all must hold.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    tags: BTreeMap<String, String>,
    larger_than: Option<u64>,
    smaller_than: Option<u64>,
}

impl Filter {
    pub(super) fn of(filter: &RuleFilter) -> Self {
        Self {
            tags: filter.tags.clone(),
            larger_than: filter.object_size_greater_than.map(|bytes| bytes.0),
            smaller_than: filter.object_size_less_than.map(|bytes| bytes.0),
        }
    }

    pub(super) const fn by_tags(tags: BTreeMap<String, String>) -> Self {
        Self { tags, larger_than: None, smaller_than: None }
    }

    /// Whether it has a size condition of its own, which replaces the configuration's floor.
    pub(super) const fn has_size(&self) -> bool {
        self.larger_than.is_some() || self.smaller_than.is_some()
    }

    /// The sizes at which its answer can change: the first size of each side.
    pub(super) fn cuts(&self) -> impl Iterator<Item = u64> {
        self.larger_than.map(|bytes| bytes.saturating_add(1)).into_iter().chain(self.smaller_than)
    }

    /// Whether an object of this size with these tags passes. Both size conditions are strict.
    pub(super) fn fits(&self, size: u64, tags: Tags<'_>) -> Match {
        let size_fits = self.larger_than.is_none_or(|bound| size > bound) && self.smaller_than.is_none_or(|bound| size < bound);
        match tags {
            _ if !size_fits => Match::No,
            _ if self.tags.is_empty() => Match::Yes,
            Tags::NotKnown => Match::May,
            Tags::Known(tags) if self.tags.iter().all(|(key, value)| tags.get(key) == Some(value)) => Match::Yes,
            Tags::None | Tags::Known(_) => Match::No,
        }
    }
}
