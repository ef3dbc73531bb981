//! What S3, or a store that speaks its language, said about a bucket.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Fact;
use crate::units::{Bytes, Instant, Millis};

/// Everything that one bucket was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BucketEvidence {
    /// Whose rules hold there, and how that was decided.
    pub store: Store,
    /// The bucket's region, by HeadBucket. *Absent*: there is no such bucket.
    pub region: Fact<String>,
    /// Lifecycle rules. *Absent*: none configured.
    pub lifecycle: Fact<Lifecycle>,
    /// Intelligent-Tiering configurations, all pages. An empty list: none configured.
    pub intelligent_tiering: Fact<Vec<TieringConfiguration>>,
    /// Versioning.
    pub versioning: Fact<Versioning>,
    /// Object Lock. *Absent*: the bucket has none.
    pub object_lock: Fact<ObjectLock>,
    /// The bucket's own tags. *Absent*: none.
    pub tags: Fact<BTreeMap<String, String>>,
    /// Prefixes seen in the bucket, each ending in `/`, sorted: those of the first level, and those beside every folder that leads to a
    /// declared place. What a remedy that narrows a rule must keep alive.
    pub prefixes: Fact<Vec<String>>,
    /// Requests that were made for the bucket and what lies in it.
    pub requests: u64,
}

/// Whose rules hold: AWS's table of classes and moves is applied to AWS only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// AWS, or another store.
    pub kind: StoreKind,
    /// How that was decided: `store: other in the audit file`, `endpoint_url 127.0.0.1:5005 is not amazonaws.com`.
    pub because: String,
}

/// See [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StoreKind {
    /// Amazon S3.
    Aws,
    /// MinIO, Ceph, R2, …: a class is only a name, no floor and no table of moves is assumed.
    Other,
}

/// A bucket's lifecycle configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lifecycle {
    /// The rules in the bucket's order.
    pub rules: Vec<LifecycleRule>,
    /// The response header `x-amz-transition-default-minimum-object-size` as it came; `None` if the store sent none (then nothing is
    /// too small).
    pub transition_default_minimum_object_size: Option<String>,
}

/// One lifecycle rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LifecycleRule {
    /// Its ID; AWS invents one where the writer gave none, other stores may not.
    pub id: Option<String>,
    /// On, off, or a word that is neither.
    pub status: RuleStatus,
    /// What it applies to.
    pub filter: RuleFilter,
    /// Moves of current versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<Transition>,
    /// What happens to current versions at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration: Option<Expiration>,
    /// Moves of noncurrent versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noncurrent_transitions: Vec<NoncurrentTransition>,
    /// Permanent deletion of noncurrent versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noncurrent_expiration: Option<NoncurrentExpiration>,
    /// Days after which unfinished multipart uploads are aborted; touches no finished object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abort_incomplete_multipart_upload_days: Option<u32>,
}

/// Whether a rule does anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleStatus {
    /// It acts.
    #[default]
    Enabled,
    /// It does nothing.
    Disabled,
    /// Some stores send no status, or another word: the rule is not understood.
    Other(String),
}

/// A rule's filter, with `And`, the single forms and the old rule-level `Prefix` flattened: all that is there must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleFilter {
    /// Plain string prefix of the key: `user-engagement` also matches `user-engagement-v2/…`. `None` and the empty string match all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Whether the prefix is the old form, on the rule itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub legacy_prefix: bool,
    /// Every one of these tags, exactly.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// Strictly larger than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_size_greater_than: Option<Bytes>,
    /// Strictly smaller than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_size_less_than: Option<Bytes>,
}

/// When a lifecycle action falls due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// This many days after the object was last modified, rounded up to the next midnight UTC.
    Days(u32),
    /// At that midnight UTC, and for every later object too, until the rule is removed.
    Date(Instant),
}

/// A move of current versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// When.
    pub when: When,
    /// The class that it moves to; an open set.
    pub storage_class: String,
}

/// The end of current versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Expiration {
    /// Deletes, or hides behind a delete marker in a versioned bucket.
    Objects(When),
    /// Only removes delete markers that have no version behind them.
    ExpiredObjectDeleteMarker,
}

/// A move of noncurrent versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoncurrentTransition {
    /// Days since the successor version was created.
    pub noncurrent_days: u32,
    /// The class that it moves to.
    pub storage_class: String,
    /// That many newer noncurrent versions are left alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newer_noncurrent_versions: Option<u32>,
}

/// Permanent deletion of noncurrent versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoncurrentExpiration {
    /// Days since the successor version was created.
    pub noncurrent_days: u32,
    /// That many newer noncurrent versions are left alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newer_noncurrent_versions: Option<u32>,
}

/// One `IntelligentTieringConfiguration`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TieringConfiguration {
    /// Its id.
    pub id: String,
    /// On, off, or a word that is neither.
    pub status: RuleStatus,
    /// Plain string prefix; `None` matches all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Every one of these tags.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// Archive tiers that are switched on.
    pub tierings: Vec<Tiering>,
}

/// One archive tier of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tiering {
    /// `ARCHIVE_ACCESS` or `DEEP_ARCHIVE_ACCESS`; an open set.
    pub access_tier: String,
    /// Days without access.
    pub days: u32,
}

/// A bucket's versioning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Versioning {
    /// The state.
    pub status: VersioningStatus,
    /// Whether deleting needs a second factor; lifecycle does not work on such buckets.
    pub mfa_delete: bool,
}

/// See [`Versioning`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VersioningStatus {
    /// Never switched on.
    Never,
    /// On.
    Enabled,
    /// Switched off again; earlier versions remain.
    Suspended,
}

/// A bucket's Object Lock configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectLock {
    /// Default mode for new objects (`GOVERNANCE`, `COMPLIANCE`), if there is one. It says nothing about older objects.
    pub default_mode: Option<String>,
    /// Default period for new objects.
    pub default_period: Option<Millis>,
}

/// One object that recovery needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectEvidence {
    /// The whole key.
    pub key: String,
    /// Its size.
    pub size: Bytes,
    /// When it was last modified; a copy resets this.
    pub last_modified: Instant,
    /// Its class as the listing says it; `None` if the store leaves it out. An open set.
    pub storage_class: Option<String>,
    /// What HeadObject said. Only asked where a class needs it, and of the newest snapshot's `_metadata`.
    pub head: Fact<ObjectHead>,
    /// Its tags. Only asked where an enabled rule filters by tag.
    pub tags: Fact<BTreeMap<String, String>>,
}

/// What HeadObject says about one object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectHead {
    /// `x-amz-storage-class`; `None` means `STANDARD` on AWS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage_class: Option<String>,
    /// `x-amz-archive-status`: `ARCHIVE_ACCESS` or `DEEP_ARCHIVE_ACCESS`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive_status: Option<String>,
    /// `x-amz-restore`, read by key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore: Option<Restore>,
    /// `x-amz-object-lock-mode`. A missing header means "not locked" or "not allowed to see".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_mode: Option<String>,
    /// `x-amz-object-lock-retain-until-date`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_until: Option<Instant>,
    /// `x-amz-object-lock-legal-hold` is `ON`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub legal_hold: bool,
    /// `x-amz-expiration`: the day and the rule, as S3 computes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration: Option<HeadExpiration>,
}

/// `x-amz-expiration`, read by key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadExpiration {
    /// `expiry-date`.
    pub on: Instant,
    /// `rule-id`, URL-decoded.
    pub rule: String,
}

/// `x-amz-restore`: the state of a restored copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Restore {
    /// `ongoing-request="true"`: not readable yet.
    Ongoing,
    /// Readable until then.
    Until(Instant),
    /// Finished without a date: moved back for good (Intelligent-Tiering).
    ForGood,
}
