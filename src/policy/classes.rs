//! Which storage classes recovery files may be in.

use std::collections::BTreeMap;

use crate::finding::Level;

/// The class policy: recovery files are wanted in `STANDARD`; what else is tolerated is stated here, and applied alike to the class that an
/// object has and to the one that a rule will give it.
///
/// It is about classes that can be read at once. Not being readable is never policy: `GLACIER` and `DEEP_ARCHIVE` have no entry here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassPolicy {
    /// What the audit file states, by class.
    pub stated: BTreeMap<String, Level>,
}

impl ClassPolicy {
    /// How loud an object of this class is. `None`: this version does not know the class, so the answer is unknown.
    #[must_use]
    pub fn level(&self, class: &str) -> Option<Level> {
        if let Some(stated) = self.stated.get(class) {
            return Some(*stated);
        }
        match class {
            "STANDARD" => Some(Level::Off),
            // Read at once; what they cost is all there is to say.
            "INTELLIGENT_TIERING" | "EXPRESS_ONEZONE" | "OUTPOSTS" | "SNOW" | "FSX_OPENZFS" | "FSX_ONTAP" => Some(Level::Note),
            "STANDARD_IA" | "ONEZONE_IA" | "REDUCED_REDUNDANCY" => Some(Level::Warning),
            "GLACIER_IR" => Some(Level::Error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_and_what_is_stated() {
        let mut policy = ClassPolicy::default();
        assert_eq!(policy.level("GLACIER_IR"), Some(Level::Error));
        assert_eq!(policy.level("AWS_BACKUP_WARM"), None);
        policy.stated.insert("GLACIER_IR".to_owned(), Level::Note);
        assert_eq!(policy.level("GLACIER_IR"), Some(Level::Note));
    }
}
