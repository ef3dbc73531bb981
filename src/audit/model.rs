//! An audit, read and validated: `audit.yaml` with the manifests that it names.

use std::collections::BTreeMap;

use crate::{
    manifest::{Manifest, Position},
    policy::{Policy, Waiver},
    units::Instant,
};

/// One audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The audit file, as reports name it; the manifest itself in the quick way without an audit file.
    pub file: String,
    /// `audit:`; the folder's or the manifest's name where it is not stated.
    pub name: String,
    /// For whom.
    pub client: Option<String>,
    /// `as_of:`, which pins the instant that is judged.
    pub as_of: Option<Instant>,
    /// Clusters by name: librdkafka client properties, passed on as they are, `${VAR}` not yet looked up.
    pub kafka: BTreeMap<String, ClusterConfig>,
    /// How to reach S3.
    pub s3: S3Config,
    /// What is tolerated, and what trips the gate.
    pub policy: Policy,
    /// Exceptions, in the order of the file.
    pub waivers: Vec<Waiver>,
    /// The jobs, in the order of their names.
    pub jobs: Vec<Manifest>,
}

impl Audit {
    /// The name of the cluster that a Kafka source or sink belongs to: the one it names, else the only one there is, else `default`.
    #[must_use]
    pub fn cluster_name<'a>(&'a self, named: Option<&'a str>) -> &'a str {
        named.unwrap_or_else(|| match self.kafka.keys().next() {
            Some(only) if self.kafka.len() == 1 => only,
            _ => "default",
        })
    }
}

/// How to reach one Kafka cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterConfig {
    /// Where it stands in the audit file.
    pub position: Position,
    /// librdkafka properties. Values may hold `${VAR}` and `${VAR:-default}`.
    pub properties: BTreeMap<String, String>,
}

/// How to reach S3. Every value may hold `${VAR}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct S3Config {
    /// For every bucket.
    pub default: S3Access,
    /// Per bucket; what is stated here wins over `default`.
    pub buckets: BTreeMap<String, S3Access>,
}

impl S3Config {
    /// What holds for `bucket`: each key of its own, else the default's.
    #[must_use]
    pub fn for_bucket(&self, bucket: &str) -> S3Access {
        let own = self.buckets.get(bucket).cloned().unwrap_or_default();
        let default = self.default.clone();
        S3Access {
            region: own.region.or(default.region),
            profile: own.profile.or(default.profile),
            endpoint_url: own.endpoint_url.or(default.endpoint_url),
            force_path_style: own.force_path_style.or(default.force_path_style),
            store: own.store.or(default.store),
            assume_role_arn: own.assume_role_arn.or(default.assume_role_arn),
            external_id: own.external_id.or(default.external_id),
        }
    }
}

/// How to reach a bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct S3Access {
    /// Region; found out by HeadBucket otherwise.
    pub region: Option<String>,
    /// Profile of the AWS configuration files.
    pub profile: Option<String>,
    /// Another endpoint than AWS's.
    pub endpoint_url: Option<String>,
    /// Path-style addressing. Default: true with an `endpoint_url`, else false.
    pub force_path_style: Option<bool>,
    /// Whose rules hold. Default: aws without `endpoint_url` or if its host ends in amazonaws.com or amazonaws.com.cn; else other.
    pub store: Option<crate::evidence::StoreKind>,
    /// A role to assume.
    pub assume_role_arn: Option<String>,
    /// The external id for that.
    pub external_id: Option<String>,
}
