//! Storage classes as the simulator sees them, and which moves between them exist.

use std::sync::Arc;

use crate::evidence::StoreKind;

/// A storage class. What a name means is known for AWS only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Standard,
    StandardIa,
    IntelligentTiering,
    OnezoneIa,
    GlacierIr,
    Glacier,
    DeepArchive,
    /// A target class of some rule that is none of the above, by its place in [`Names`].
    Named(usize),
    /// The class of an object that is none of the above and no rule's target, or that nobody told.
    Foreign,
}

/// The classes that a lifecycle rule of AWS can name, and `STANDARD`.
const KNOWN: [(&str, Class); 7] = [
    ("STANDARD", Class::Standard),
    ("STANDARD_IA", Class::StandardIa),
    ("INTELLIGENT_TIERING", Class::IntelligentTiering),
    ("ONEZONE_IA", Class::OnezoneIa),
    ("GLACIER_IR", Class::GlacierIr),
    ("GLACIER", Class::Glacier),
    ("DEEP_ARCHIVE", Class::DeepArchive),
];

/// Whether a lifecycle rule can move an object from one class to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Possible,
    Impossible,
    /// It is there already.
    Stays,
    NotKnown,
}

impl Class {
    /// Whether a rule of a store of this kind moves an object of this class to `to`.
    ///
    /// Source for AWS: S3 User Guide, *Transitioning objects using Amazon S3 Lifecycle*. Nothing moves back up.
    pub(super) fn to(self, to: Self, store: StoreKind) -> Move {
        use Class::{DeepArchive, Foreign, Glacier, GlacierIr, IntelligentTiering, Named, OnezoneIa, Standard, StandardIa};
        if self == to && self != Foreign {
            return Move::Stays;
        }
        if store == StoreKind::Other {
            return Move::Possible;
        }
        match (self, to) {
            (Foreign | Named(_), _) | (_, Foreign | Named(_)) => Move::NotKnown,
            (Standard, _)
            | (StandardIa, IntelligentTiering | OnezoneIa | GlacierIr | Glacier | DeepArchive)
            | (IntelligentTiering, OnezoneIa | GlacierIr | Glacier | DeepArchive)
            | (OnezoneIa | GlacierIr, Glacier | DeepArchive)
            | (Glacier, DeepArchive) => Move::Possible,
            _ => Move::Impossible,
        }
    }

    /// Which of two transitions that fall due on one day AWS makes: the higher one. The cheaper class wins, but Intelligent-Tiering is
    /// preferred to all but the two archive classes. `None`: not known.
    ///
    /// Source: S3 User Guide, *How Amazon S3 handles conflicts in lifecycle configurations*.
    pub(super) const fn preference(self) -> Option<u8> {
        match self {
            Self::DeepArchive => Some(6),
            Self::Glacier => Some(5),
            Self::IntelligentTiering => Some(4),
            Self::GlacierIr => Some(3),
            Self::OnezoneIa => Some(2),
            Self::StandardIa => Some(1),
            Self::Standard => Some(0),
            Self::Named(_) | Self::Foreign => None,
        }
    }

    /// Whether AWS answers a read of an object in this class only after a restore.
    pub(super) const fn needs_restore(self) -> bool {
        matches!(self, Self::Glacier | Self::DeepArchive)
    }
}

/// The names of all classes that a rule set moves objects to.
#[derive(Clone, Debug)]
pub(super) struct Names {
    known: Vec<Arc<str>>,
    others: Vec<Arc<str>>,
    foreign: Arc<str>,
}

impl Names {
    pub(super) fn new() -> Self {
        Self { known: KNOWN.iter().map(|(name, _)| Arc::from(*name)).collect(), others: Vec::new(), foreign: Arc::from("?") }
    }

    /// The class that a rule names; a name that is new is remembered.
    pub(super) fn learn(&mut self, name: &str) -> Class {
        match self.class(Some(name)) {
            Class::Foreign => {
                self.others.push(Arc::from(name));
                Class::Named(self.others.len() - 1)
            }
            class => class,
        }
    }

    /// The class that an object has.
    pub(super) fn class(&self, name: Option<&str>) -> Class {
        let Some(name) = name else { return Class::Foreign };
        let known = KNOWN.iter().find(|(known, _)| *known == name).map(|(_, class)| *class);
        let other = || self.others.iter().position(|other| **other == *name).map(Class::Named);
        known.or_else(other).unwrap_or(Class::Foreign)
    }

    /// The name of a class.
    pub(super) fn name(&self, class: Class) -> Arc<str> {
        let found = match class {
            Class::Named(place) => self.others.get(place),
            Class::Foreign => None,
            known => KNOWN.iter().position(|(_, class)| *class == known).and_then(|place| self.known.get(place)),
        };
        Arc::clone(found.unwrap_or(&self.foreign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the user guide, written out.
    #[test]
    fn the_moves_that_exist_on_aws() {
        let table = [
            ("STANDARD", "STANDARD_IA INTELLIGENT_TIERING ONEZONE_IA GLACIER_IR GLACIER DEEP_ARCHIVE"),
            ("STANDARD_IA", "INTELLIGENT_TIERING ONEZONE_IA GLACIER_IR GLACIER DEEP_ARCHIVE"),
            ("INTELLIGENT_TIERING", "ONEZONE_IA GLACIER_IR GLACIER DEEP_ARCHIVE"),
            ("ONEZONE_IA", "GLACIER DEEP_ARCHIVE"),
            ("GLACIER_IR", "GLACIER DEEP_ARCHIVE"),
            ("GLACIER", "DEEP_ARCHIVE"),
            ("DEEP_ARCHIVE", ""),
        ];
        let names = Names::new();
        for (from, targets) in table {
            for (to, class) in KNOWN {
                let expected = match to {
                    _ if to == from => Move::Stays,
                    _ if targets.split(' ').any(|target| target == to) => Move::Possible,
                    _ => Move::Impossible,
                };
                assert_eq!(names.class(Some(from)).to(class, StoreKind::Aws), expected, "{from} to {to}");
            }
        }
    }

    #[test]
    fn a_move_that_is_impossible_stays_impossible_after_any_other_move() {
        for (_, a) in KNOWN {
            for (_, b) in KNOWN.iter().filter(|(_, b)| a.to(*b, StoreKind::Aws) == Move::Possible) {
                for (_, c) in KNOWN.iter().filter(|(_, c)| b.to(*c, StoreKind::Aws) == Move::Possible) {
                    assert_eq!(a.to(*c, StoreKind::Aws), Move::Possible, "{a:?} to {c:?}");
                }
            }
        }
    }

    #[test]
    fn a_class_that_is_not_in_the_table_is_not_known_at_amazon_and_a_mere_name_elsewhere() {
        let mut names = Names::new();
        let cold = names.learn("COLD");
        assert_eq!(names.learn("COLD"), cold);
        assert_eq!(&*names.name(cold), "COLD");
        assert_eq!(Class::Standard.to(cold, StoreKind::Aws), Move::NotKnown);
        assert_eq!(names.class(Some("REDUCED_REDUNDANCY")).to(Class::Glacier, StoreKind::Aws), Move::NotKnown);
        assert_eq!(cold.to(Class::Standard, StoreKind::Other), Move::Possible);
        assert_eq!(cold.to(cold, StoreKind::Other), Move::Stays);
    }
}
