//! As much of SARIF 2.1.0 as this program writes; the names are the standard's own, and so are the words of a severity.
//!
//! The crate `serde-sarif` generates all of the standard at every build, with a parser of JSON Schema among its build dependencies; that is
//! dear for two dozen small types. A test compares what is written with the standard's schema.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::finding::Severity;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: Vec<Run>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) automation_details: AutomationDetails,
    pub(super) invocations: Vec<Invocation>,
    pub(super) column_kind: &'static str,
    pub(super) results: Vec<Finding>,
    pub(super) properties: serde_json::Value,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) semantic_version: String,
    pub(super) short_description: Text,
    pub(super) rules: Vec<Descriptor>,
    pub(super) notifications: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: String,
    pub(super) short_description: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) full_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default_configuration: Option<Configuration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<serde_json::Value>,
}

impl Descriptor {
    /// Without anything but what it says.
    pub(super) fn plain(id: &str, says: &str) -> Self {
        Self {
            id: id.to_owned(),
            short_description: Text::plain(says),
            full_description: None,
            help: None,
            default_configuration: None,
            properties: None,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Text {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) markdown: Option<String>,
}

impl Text {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), markdown: None }
    }
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: Severity,
}

#[derive(Serialize)]
pub(super) struct AutomationDetails {
    pub(super) id: String,
    pub(super) description: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) exit_code: u8,
    pub(super) exit_code_description: &'static str,
    pub(super) tool_execution_notifications: Vec<Notification>,
    pub(super) tool_configuration_notifications: Vec<Notification>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notification {
    pub(super) descriptor: RuleReference,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) associated_rule: Option<RuleReference>,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: Vec<Location>,
    pub(super) properties: serde_json::Value,
}

#[derive(Clone, Serialize)]
pub(super) struct RuleReference {
    pub(super) id: String,
    pub(super) index: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding {
    pub(super) rule_id: String,
    pub(super) rule_index: usize,
    pub(super) level: Severity,
    pub(super) message: Text,
    pub(super) locations: Vec<Location>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
    /// Always there: the standard wants it in all results of a run or in none.
    pub(super) suppressions: Vec<Suppression>,
    /// As above: with a baseline in all, otherwise in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline_state: Option<&'static str>,
    pub(super) properties: serde_json::Value,
}

/// Why a result does not count.
#[derive(Serialize)]
pub(super) struct Suppression {
    pub(super) kind: &'static str,
    pub(super) justification: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
    pub(super) start_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    pub(super) name: String,
    pub(super) fully_qualified_name: String,
}
