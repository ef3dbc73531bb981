//! What a snapshot needs: the objects that its `_metadata` names, wherever they lie.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fact, ObjectEvidence, Seen};
use crate::units::Bytes;

/// One object that a snapshot needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReachedObject {
    /// Its bucket; `None` where it does not lie in S3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<String>,
    /// Its whole key; where it does not lie in S3, the path as `_metadata` gives it.
    pub key: String,
    /// It must be at least this long. 0 where Flink does not know.
    pub min_size: Bytes,
    /// How it is named.
    pub reference: Reference,
    /// How many handles name it; 0 for `_metadata`, which nothing names.
    pub references: u64,
    /// Flink lists it among the files that other checkpoints may share.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// What was found there. *Absent*: nothing, when it was looked for a second time too.
    pub found: Fact<ObjectEvidence>,
}

/// How `_metadata` names an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// It is `_metadata`.
    Metadata,
    /// Relative to the snapshot's folder: it moves with the folder.
    Relative,
    /// By its whole path: when the folder is copied, this keeps pointing to the old place.
    Absolute,
}

impl ReachedObject {
    /// An object of the snapshot's own folder, as long as it has to be.
    #[must_use]
    pub fn beside(bucket: &str, found: Seen<ObjectEvidence>) -> Self {
        let object = &found.value;
        let metadata = object.key == "_metadata" || object.key.ends_with("/_metadata");
        Self {
            bucket: Some(bucket.to_owned()),
            key: object.key.clone(),
            min_size: object.size,
            reference: if metadata { Reference::Metadata } else { Reference::Relative },
            references: u64::from(!metadata),
            shared: false,
            found: Fact::Seen(found),
        }
    }

    /// `s3://bucket/key`, or the path where it does not lie in S3.
    #[must_use]
    pub fn uri(&self) -> String {
        self.bucket.as_ref().map_or_else(|| self.key.clone(), |bucket| format!("s3://{bucket}/{}", self.key))
    }
}
