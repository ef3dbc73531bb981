//! How a snapshot is stored in S3: what was found of each of its objects.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    evidence::Restore,
    units::{Bytes, Instant},
};

/// How a snapshot is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredSnapshot {
    /// When it was looked at.
    pub at: Instant,
    /// Its `_metadata`.
    pub metadata: StoredFile,
    /// How many objects there are in each state, `_metadata` included.
    pub states: BTreeMap<StoredState, u64>,
    /// How many there are of each class, `_metadata` included; the empty text for those whose class is not told.
    pub classes: BTreeMap<String, u64>,
    /// Requests that were made to find all of this out.
    pub requests: u64,
}

/// What was found of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredFile {
    /// Whether it is there and can be read.
    pub state: StoredState,
    /// Why it is not known, or when that changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Its size now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Bytes>,
    /// When it was last modified; a copy resets this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<Instant>,
    /// Its class: HEAD's word where HEAD was asked, else the listing's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage_class: Option<String>,
    /// `ARCHIVE_ACCESS` or `DEEP_ARCHIVE_ACCESS`, inside `INTELLIGENT_TIERING`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive_status: Option<String>,
    /// The state of a restored copy, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore: Option<Restore>,
}

/// Whether an object is there and can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StoredState {
    /// It reads at once.
    Readable,
    /// A restored copy reads, until it ends.
    Restored,
    /// A restore is running: it does not read yet.
    Restoring,
    /// It lies in an archive: a read is refused.
    Archived,
    /// It is there, and shorter than it has to be.
    TooShort,
    /// It is not there.
    Missing,
    /// Not known.
    Unknown,
}

impl StoredState {
    /// The state, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Readable => "readable",
            Self::Restored => "restored for a time",
            Self::Restoring => "being restored",
            Self::Archived => "archived",
            Self::TooShort => "too short",
            Self::Missing => "missing",
            Self::Unknown => "unknown",
        }
    }
}

impl StoredFile {
    /// A state without anything else.
    #[must_use]
    pub const fn only(state: StoredState, why: Option<String>) -> Self {
        Self { state, why, size: None, last_modified: None, storage_class: None, archive_status: None, restore: None }
    }
}
