//! An object, as far as bucket rules look at it.

use std::collections::BTreeMap;

use crate::{
    evidence::{ObjectEvidence, ObjectHead, StoreKind},
    units::{Bytes, Instant},
};

/// An object whose fate is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// The whole key.
    pub key: &'a str,
    /// Its size.
    pub size: Bytes,
    /// Its class now; `None` if nobody told.
    pub class: Option<&'a str>,
    /// When it was last modified.
    pub last_modified: Instant,
    /// Its tags.
    pub tags: Tags<'a>,
    /// Current or not.
    pub version: Version,
    /// The archive tier of Intelligent-Tiering that it is in, if HEAD said so.
    pub archive_tier: Option<&'a str>,
    /// What holds back its permanent deletion.
    pub lock: Lock,
}

/// An object's tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tags<'a> {
    /// It has none.
    None,
    /// It has these.
    Known(&'a BTreeMap<String, String>),
    /// Not asked, or not allowed to ask.
    NotKnown,
}

/// Which version of its key an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The one that a read without a version id gets.
    Current,
    /// Another one.
    Noncurrent {
        /// When its successor (another version or a delete marker) was created.
        since: Instant,
        /// How many noncurrent versions of the key are newer.
        newer: u32,
    },
}

/// The Object Lock of a version, as far as it was seen. It holds back permanent deletion; it stops neither a transition nor a delete
/// marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// Retained until then.
    pub until: Option<Instant>,
    /// Under legal hold, which has no end of its own.
    pub legal_hold: bool,
}

impl Lock {
    /// The lock that HEAD shows. No header means "not locked" or "not allowed to see".
    #[must_use]
    pub const fn shown(head: &ObjectHead) -> Self {
        Self { until: head.lock_until, legal_hold: head.legal_hold }
    }

    /// Whether it is in force at `as_of`.
    #[must_use]
    pub fn holds(self, as_of: Instant) -> bool {
        self.legal_hold || self.until.is_some_and(|until| until > as_of)
    }
}

impl<'a> Object<'a> {
    /// The current version that was seen in a bucket of a store of this kind.
    #[must_use]
    pub fn seen(object: &'a ObjectEvidence, store: StoreKind) -> Self {
        let head = object.head.shown();
        // AWS leaves the class out of a HEAD answer for STANDARD only.
        let by_head = head.and_then(|head| head.storage_class.as_deref().or((store == StoreKind::Aws).then_some("STANDARD")));
        Self {
            key: &object.key,
            size: object.size,
            class: object.storage_class.as_deref().or(by_head),
            last_modified: object.last_modified,
            tags: match object.tags.known_or_absent() {
                Ok(None) => Tags::None,
                Ok(Some(tags)) => Tags::Known(&tags.value),
                Err(_) => Tags::NotKnown,
            },
            version: Version::Current,
            archive_tier: head.and_then(|head| head.archive_status.as_deref()),
            lock: head.map_or_else(Lock::default, Lock::shown),
        }
    }

    /// A file as Flink writes it: a current version in `STANDARD`, without tags.
    #[must_use]
    pub const fn written(key: &'a str, size: Bytes, at: Instant) -> Self {
        Self {
            key,
            size,
            class: Some("STANDARD"),
            last_modified: at,
            tags: Tags::None,
            version: Version::Current,
            archive_tier: None,
            lock: Lock { until: None, legal_hold: false },
        }
    }
}
