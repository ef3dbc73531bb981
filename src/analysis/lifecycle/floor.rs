//! The size below which AWS makes no transition.

use super::{class::Class, filter::Match};
use crate::evidence::{Lifecycle, StoreKind};

/// 128 KiB. Below it the default setting makes no transition, and Intelligent-Tiering does not monitor an object.
pub const FLOOR: u64 = 131_072;

/// What a configuration says about objects below [`FLOOR`], by `x-amz-transition-default-minimum-object-size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floor {
    /// `all_storage_classes_128K`: they move nowhere.
    AllClasses,
    /// `varies_by_storage_class`: they move to `GLACIER` and `DEEP_ARCHIVE` only.
    Varies,
    /// A store that is not AWS: nothing is too small.
    Nowhere,
    /// AWS, and it said nothing, or a word that this version does not know.
    NotKnown,
}

impl Floor {
    pub(super) fn of(lifecycle: &Lifecycle, store: StoreKind) -> Self {
        match (store, lifecycle.transition_default_minimum_object_size.as_deref()) {
            (StoreKind::Other, _) => Self::Nowhere,
            (StoreKind::Aws, Some("all_storage_classes_128K")) => Self::AllClasses,
            (StoreKind::Aws, Some("varies_by_storage_class")) => Self::Varies,
            (StoreKind::Aws, _) => Self::NotKnown,
        }
    }

    /// Whether a transition to `to` takes an object of `size`. A rule with a size filter of its own is not asked here: its filter decides.
    pub(super) const fn lets(self, size: u64, to: Class) -> Match {
        if size >= FLOOR {
            return Match::Yes;
        }
        match (self, to) {
            (Self::Nowhere, _) | (Self::Varies, Class::Glacier | Class::DeepArchive) => Match::Yes,
            (Self::NotKnown, _) | (Self::Varies, Class::Named(_) | Class::Foreign) => Match::May,
            (Self::AllClasses | Self::Varies, _) => Match::No,
        }
    }
}
