//! An audit file.

use std::{borrow::Cow, collections::BTreeMap};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{Address, Length, Moment, Property, Text, Version};
use crate::{audit, evidence::StoreKind, finding::Level, policy::FailOn, rules};

/// An audit file of ttl-audit.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields, title = "ttl-audit audit file")]
pub struct AuditFile {
    /// The version of this format.
    pub version: Version,
    /// The audit's name. Default: the folder's name.
    pub audit: Option<Text>,
    /// For whom.
    pub client: Option<Text>,
    /// Pins the instant that is judged. Default: now.
    pub as_of: Option<Moment>,
    /// Patterns of the manifests, relative to this file. Default: jobs/*.yaml.
    #[schemars(length(min = 1))]
    pub jobs: Option<Vec<Text>>,
    /// Clusters by name: librdkafka client properties. Secrets are written ${VAR} and looked up in the environment when connecting.
    pub kafka: Option<Clusters>,
    /// How to reach buckets. Credentials come from the AWS default chain.
    pub s3: Option<S3>,
    /// What is tolerated, and what trips the gate.
    pub policy: Option<Policy>,
    /// Exceptions with a reason, an owner and an end.
    #[schemars(length(min = 1))]
    pub waivers: Option<Vec<Waiver>>,
}

/// An exception to one rule.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Waiver {
    /// The id of the rule; ttl-audit rules lists them.
    pub rule: Text,
    /// Why it is tolerated.
    pub reason: Text,
    /// Who answers for it.
    pub owner: Text,
    /// The day on which it was granted, such as 2026-07-01.
    pub created: Option<Text>,
    /// The last day on which it holds, UTC, such as 2026-12-31.
    pub expires: Text,
    /// Only this job.
    pub job: Option<Text>,
    /// Only what is about this operator (uid or uid hash).
    pub operator: Option<Text>,
    /// Only what is about states of this name.
    pub state: Option<Text>,
    /// Only what is about this source and no other.
    pub source: Option<Text>,
    /// Only what is about this declared location and no other.
    pub location: Option<Text>,
}

/// How to reach buckets.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct S3 {
    /// The region to ask first. Default: found out.
    pub region: Option<Text>,
    /// A profile of the AWS configuration files.
    pub profile: Option<Text>,
    /// Another store than AWS's.
    pub endpoint_url: Option<Address>,
    /// Path-style addressing. Default: true with endpoint_url, else false.
    pub force_path_style: Option<bool>,
    /// Whose rules hold. Default: aws without endpoint_url or if its host ends in amazonaws.com or amazonaws.com.cn, else other.
    pub store: Option<StoreKind>,
    /// A role to assume.
    pub assume_role_arn: Option<Text>,
    /// The external id for that.
    pub external_id: Option<Text>,
    /// Any of these keys for one bucket; what is stated there wins.
    pub buckets: Option<BTreeMap<String, Bucket>>,
}

/// How to reach one bucket.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Bucket {
    /// The region to ask first. Default: found out.
    pub region: Option<Text>,
    /// A profile of the AWS configuration files.
    pub profile: Option<Text>,
    /// Another store than AWS's.
    pub endpoint_url: Option<Address>,
    /// Path-style addressing.
    pub force_path_style: Option<bool>,
    /// Whose rules hold.
    pub store: Option<StoreKind>,
    /// A role to assume.
    pub assume_role_arn: Option<Text>,
    /// The external id for that.
    pub external_id: Option<Text>,
}

/// What is tolerated, and what trips the gate.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Policy {
    /// Head room that a TTL needs above the retention. Default: 2d.
    pub safety_margin: Option<Length>,
    /// For jobs that state none.
    pub max_downtime: Option<Length>,
    /// How far ahead to look: the next audit. Default: 92d.
    pub horizon: Option<Length>,
    /// From when on evidence is stale. Default: 30d.
    pub evidence_max_age: Option<Length>,
    /// From which severity on the gate trips. Default: error.
    pub fail_on: Option<FailOn>,
    /// Another severity, by rule.
    pub severity: Option<ByRule>,
    /// How loud a storage class is, by class. GLACIER and DEEP_ARCHIVE cannot be named: not being readable is no matter of policy.
    pub recovery_classes: Option<ByClass>,
}

/// Declares a map with keys of its own kind, described in place.
macro_rules! map {
    ($($(#[$doc:meta])* $name:ident = $schema:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                $schema(generator)
            }
        }
    )*};
}

map! {
    /// Clusters by name, each a map of properties.
    Clusters = clusters;
    /// Severities by rule.
    ByRule = by_rule;
    /// Severities by storage class.
    ByClass = by_class;
}

fn clusters(generator: &mut SchemaGenerator) -> Schema {
    let refused: serde_json::Map<_, _> = audit::RUNS_CODE.iter().map(|key| ((*key).to_owned(), false.into())).collect();
    json_schema!({
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": refused,
            "additionalProperties": generator.subschema_for::<Property>(),
            "anyOf": [{ "required": ["bootstrap.servers"] }, { "required": ["metadata.broker.list"] }],
        },
    })
}

fn by_rule(generator: &mut SchemaGenerator) -> Schema {
    levels(&rules::ids(), generator)
}

fn by_class(generator: &mut SchemaGenerator) -> Schema {
    levels(audit::CLASSES, generator)
}

/// A map from one of these names to a level.
fn levels(names: &[&str], generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "propertyNames": { "enum": names },
        "additionalProperties": generator.subschema_for::<Level>(),
    })
}
