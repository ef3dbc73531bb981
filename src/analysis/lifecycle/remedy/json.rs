//! A lifecycle configuration in the JSON that `aws s3api put-bucket-lifecycle-configuration` reads.

use serde_json::{Map, Value, json};

use crate::evidence::{Expiration, LifecycleRule, RuleFilter, RuleStatus, When};

/// The whole configuration. `None`: a rule has a status that cannot be written, or no action that this program knows.
pub(super) fn configuration(rules: &[LifecycleRule]) -> Result<Value, &LifecycleRule> {
    let rules: Vec<Value> = rules.iter().map(|one| rule(one).ok_or(one)).collect::<Result<_, _>>()?;
    Ok(json!({ "Rules": rules }))
}

fn rule(rule: &LifecycleRule) -> Option<Value> {
    let status = match rule.status {
        RuleStatus::Enabled => "Enabled",
        RuleStatus::Disabled => "Disabled",
        RuleStatus::Other(_) => return None,
    };
    let mut out = Map::new();
    if let Some(id) = &rule.id {
        out.insert("ID".to_owned(), json!(id));
    }
    out.insert("Status".to_owned(), json!(status));
    // A rule has the old form or the new one, never both.
    if rule.filter.legacy_prefix {
        out.insert("Prefix".to_owned(), json!(rule.filter.prefix.as_deref().unwrap_or_default()));
    } else {
        out.insert("Filter".to_owned(), filter(&rule.filter));
    }
    let conditions = out.len();
    if !rule.transitions.is_empty() {
        let all = rule.transitions.iter().map(|one| with(when(one.when), "StorageClass", json!(one.storage_class)));
        out.insert("Transitions".to_owned(), all.collect());
    }
    match rule.expiration {
        Some(Expiration::Objects(at)) => _ = out.insert("Expiration".to_owned(), Value::Object(when(at))),
        Some(Expiration::ExpiredObjectDeleteMarker) => {
            out.insert("Expiration".to_owned(), json!({ "ExpiredObjectDeleteMarker": true }));
        }
        None => {}
    }
    if !rule.noncurrent_transitions.is_empty() {
        let all = rule
            .noncurrent_transitions
            .iter()
            .map(|one| with(noncurrent(one.noncurrent_days, one.newer_noncurrent_versions), "StorageClass", json!(one.storage_class)));
        out.insert("NoncurrentVersionTransitions".to_owned(), all.collect());
    }
    if let Some(one) = &rule.noncurrent_expiration {
        let value = Value::Object(noncurrent(one.noncurrent_days, one.newer_noncurrent_versions));
        out.insert("NoncurrentVersionExpiration".to_owned(), value);
    }
    if let Some(days) = rule.abort_incomplete_multipart_upload_days {
        out.insert("AbortIncompleteMultipartUpload".to_owned(), json!({ "DaysAfterInitiation": days }));
    }
    (out.len() > conditions).then_some(Value::Object(out))
}

/// The filter in its shortest form: empty, one condition, or `And`.
fn filter(filter: &RuleFilter) -> Value {
    let tags: Vec<Value> = filter.tags.iter().map(|(key, value)| json!({ "Key": key, "Value": value })).collect();
    let mut single = Map::new();
    if let Some(prefix) = &filter.prefix {
        single.insert("Prefix".to_owned(), json!(prefix));
    }
    if let Some(bytes) = filter.object_size_greater_than {
        single.insert("ObjectSizeGreaterThan".to_owned(), json!(bytes.0));
    }
    if let Some(bytes) = filter.object_size_less_than {
        single.insert("ObjectSizeLessThan".to_owned(), json!(bytes.0));
    }
    match (single.len() + tags.len(), tags.as_slice()) {
        (1, [tag]) => json!({ "Tag": tag }),
        (0 | 1, _) => Value::Object(single),
        (_, []) => json!({ "And": single }),
        (_, _) => json!({ "And": with(single, "Tags", Value::Array(tags)) }),
    }
}

fn when(when: When) -> Map<String, Value> {
    match when {
        When::Days(days) => Map::from_iter([("Days".to_owned(), json!(days))]),
        When::Date(date) => Map::from_iter([("Date".to_owned(), json!(date.to_string()))]),
    }
}

fn noncurrent(days: u32, keeps: Option<u32>) -> Map<String, Value> {
    let keeps = keeps.map(|keeps| ("NewerNoncurrentVersions".to_owned(), json!(keeps)));
    std::iter::once(("NoncurrentDays".to_owned(), json!(days))).chain(keeps).collect()
}

fn with(mut map: Map<String, Value>, key: &str, value: Value) -> Value {
    map.insert(key.to_owned(), value);
    Value::Object(map)
}
