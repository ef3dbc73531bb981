//! Every rule, in the order in which the documentation lists them.

use super::Rule;

/// Every rule, in the order in which the documentation lists them.
#[must_use]
pub const fn all() -> &'static [&'static dyn Rule] {
    ALL
}

/// The rule with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn Rule> {
    ALL.iter().copied().find(|rule| rule.meta().id == id)
}

const ALL: &[&dyn Rule] = &[];
