//! Object Lock on one object, as HEAD shows it.

use crate::{
    evidence::{ObjectEvidence, ObjectHead, Unknown},
    units::{Instant, S3Location},
};

/// A lock: it holds back the deletion of a version. It stops neither a transition nor a delete marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// A retention period ends then.
    pub until: Option<Instant>,
    /// A legal hold, which has no end.
    pub legal_hold: bool,
}

impl Lock {
    /// The lock that HEAD shows. No header means "not locked" or "not allowed to see".
    #[must_use]
    pub fn of(head: &ObjectHead) -> Self {
        Self { until: head.lock_mode.as_ref().and(head.lock_until), legal_hold: head.legal_hold }
    }

    /// Of the `_metadata` among these objects of the snapshot in `folder`.
    ///
    /// # Errors
    ///
    /// The reason why HEAD says nothing.
    pub(super) fn of_metadata(objects: &[ObjectEvidence], folder: &S3Location) -> Result<Self, Unknown> {
        let key = format!("{}_metadata", folder.prefix());
        match objects.iter().find(|object| object.key == key) {
            Some(metadata) => metadata.head.known().map(|seen| Self::of(&seen.value)),
            None => Err(Unknown::new(format!("moving: {folder} had a _metadata that a later listing lacks"), "HeadObject")),
        }
    }

    /// Whether it is in force at `as_of`.
    #[must_use]
    pub fn holds(self, as_of: Instant) -> bool {
        self.legal_hold || self.until.is_some_and(|until| until > as_of)
    }
}
