//! What was seen, by whom, when, and why not.
//!
//! Collectors fill an [`Evidence`]; everything after that is a pure function of it. It is one JSON document, versioned, with a digest over
//! its content, and without secrets.

mod bundle;
mod fact;
mod kafka;
mod reach;
mod s3;
mod snapshot;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use bundle::{BundleError, EVIDENCE_VERSION};
pub use fact::{Fact, Gap, Seen, Unknown};
pub use kafka::{
    ClusterEvidence, GroupOffsets, Offset, Offsets, PerPartition, Sample, Setting, SettingSource, Settings, Synonym, TopicEvidence,
};
pub use reach::{ReachedObject, Reference};
pub use s3::{
    BucketEvidence, Expiration, HeadExpiration, Lifecycle, LifecycleRule, NoncurrentExpiration, NoncurrentTransition, ObjectEvidence,
    ObjectHead, ObjectLock, Restore, RuleFilter, RuleStatus, Store, StoreKind, Tiering, TieringConfiguration, Transition, Versioning,
    VersioningStatus, When,
};
pub use snapshot::{FilesSummary, HiddenSnapshot, PlaceEvidence, SnapshotEvidence, SnapshotMetadata, StateFilesRead};

use crate::units::{Instant, S3Location};

/// Everything that was seen for one audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// [`EVIDENCE_VERSION`].
    pub schema_version: u32,
    /// Who wrote it.
    pub tool: Tool,
    /// When the capture began; offsets and observed history belong to it.
    pub captured_at: Instant,
    /// `sha256:…` over the rest of the document, against damage and edits. Filled by [`Evidence::to_json`].
    #[serde(default)]
    pub digest: String,
    /// By the cluster's name in the audit file.
    pub kafka: BTreeMap<String, ClusterEvidence>,
    /// By bucket.
    pub buckets: BTreeMap<String, BucketEvidence>,
    /// By declared location.
    pub places: BTreeMap<S3Location, PlaceEvidence>,
}

/// A program and its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// `ttl-audit`.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Tool {
    /// This program.
    #[must_use]
    pub fn this() -> Self {
        Self { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

impl Evidence {
    /// Evidence in which nothing was asked yet.
    #[must_use]
    pub fn empty(captured_at: Instant) -> Self {
        Self {
            schema_version: EVIDENCE_VERSION,
            tool: Tool::this(),
            captured_at,
            digest: String::new(),
            kafka: BTreeMap::new(),
            buckets: BTreeMap::new(),
            places: BTreeMap::new(),
        }
    }
}
