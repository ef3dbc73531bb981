//! The configuration that leaves recovery files alone: read back and simulated again.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};
use ttl_audit::{
    analysis::lifecycle::{
        Change, Object, Tags,
        remedy::{Narrowed, NotNarrowed, Rewrite, rules_over},
    },
    evidence::{
        Expiration, Lifecycle, LifecycleRule, NoncurrentExpiration, NoncurrentTransition, RuleFilter, RuleStatus, StoreKind, Transition,
        Unknown, VersioningStatus, When,
    },
    units::{Bytes, Millis},
};

use super::{Bucket, LARGE, oracle, rule, simulator};
use crate::scene::at;

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|n| n.try_into().ok()).expect("a number")
}

fn word(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn when(value: &Value) -> When {
    value.get("Days").map_or_else(|| When::Date(at(&word(&value["Date"]))), |days| When::Days(number(days)))
}

/// Reads AWS's JSON, refusing what S3 would refuse.
pub(super) fn read(json: &Value, floor: Option<&str>) -> Lifecycle {
    let rules: Vec<LifecycleRule> = json["Rules"].as_array().expect("rules").iter().map(read_rule).collect();
    assert!((1..=1_000).contains(&rules.len()), "S3 takes 1 to 1,000 rules");
    let ids: BTreeSet<&String> = rules.iter().filter_map(|rule| rule.id.as_ref()).collect();
    assert_eq!(ids.len(), rules.iter().filter(|rule| rule.id.is_some()).count(), "IDs are unique");
    assert!(ids.iter().all(|id| id.len() <= 255));
    Lifecycle { rules, transition_default_minimum_object_size: floor.map(str::to_owned) }
}

fn read_rule(rule: &Value) -> LifecycleRule {
    assert!(rule.get("Filter").is_some() != rule.get("Prefix").is_some(), "one of Prefix and Filter: {rule}");
    let actions =
        ["Transitions", "Expiration", "NoncurrentVersionTransitions", "NoncurrentVersionExpiration", "AbortIncompleteMultipartUpload"];
    assert!(actions.iter().any(|action| rule.get(action).is_some()), "a rule needs an action: {rule}");
    let mut filter = RuleFilter::default();
    if let Some(prefix) = rule.get("Prefix") {
        (filter.prefix, filter.legacy_prefix) = (Some(word(prefix)), true);
    } else {
        let given = rule["Filter"].as_object().expect("a filter");
        assert!(given.len() <= 1, "several conditions stand in And: {rule}");
        let conditions = given.get("And").and_then(Value::as_object).unwrap_or(given);
        let mut count = 0;
        for (name, value) in conditions {
            match name.as_str() {
                "Prefix" => filter.prefix = Some(word(value)),
                "ObjectSizeGreaterThan" => filter.object_size_greater_than = value.as_u64().map(Bytes),
                "ObjectSizeLessThan" => filter.object_size_less_than = value.as_u64().map(Bytes),
                "Tag" => _ = filter.tags.insert(word(&value["Key"]), word(&value["Value"])),
                "Tags" => {
                    for tag in value.as_array().expect("tags") {
                        filter.tags.insert(word(&tag["Key"]), word(&tag["Value"]));
                        count += 1;
                    }
                    count -= 1;
                }
                other => panic!("no such condition: {other}"),
            }
            count += 1;
        }
        assert!(count != 1 || !given.contains_key("And"), "And needs two conditions: {rule}");
    }
    let list = |name: &str| rule.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    LifecycleRule {
        id: rule.get("ID").map(word),
        status: if rule["Status"] == "Enabled" { RuleStatus::Enabled } else { RuleStatus::Disabled },
        filter,
        transitions: list("Transitions")
            .iter()
            .map(|one| Transition { when: when(one), storage_class: word(&one["StorageClass"]) })
            .collect(),
        expiration: rule.get("Expiration").map(|one| {
            if one.get("ExpiredObjectDeleteMarker").is_some() {
                Expiration::ExpiredObjectDeleteMarker
            } else {
                Expiration::Objects(when(one))
            }
        }),
        noncurrent_transitions: list("NoncurrentVersionTransitions")
            .iter()
            .map(|one| NoncurrentTransition {
                noncurrent_days: number(&one["NoncurrentDays"]),
                storage_class: word(&one["StorageClass"]),
                newer_noncurrent_versions: one.get("NewerNoncurrentVersions").map(number),
            })
            .collect(),
        noncurrent_expiration: rule.get("NoncurrentVersionExpiration").map(|one| NoncurrentExpiration {
            noncurrent_days: number(&one["NoncurrentDays"]),
            newer_noncurrent_versions: one.get("NewerNoncurrentVersions").map(number),
        }),
        abort_incomplete_multipart_upload_days: rule.get("AbortIncompleteMultipartUpload").map(|one| number(&one["DaysAfterInitiation"])),
    }
}

fn prefixes(all: &[&str]) -> Vec<String> {
    all.iter().map(|prefix| (*prefix).to_owned()).collect()
}

fn narrowed(bucket: &Bucket, recovery: &[&str], seen: &[&str]) -> Result<Narrowed, NotNarrowed> {
    let (recovery, seen) = (prefixes(recovery), prefixes(seen));
    let hits = rules_over(&bucket.lifecycle, &recovery);
    Rewrite { bucket: "b", lifecycle: &bucket.lifecycle, hits: &hits, recovery: &recovery, seen: Ok(&seen) }.narrowed()
}

#[test]
fn a_bucket_wide_rule_goes_on_for_the_other_prefixes() {
    let mut tidy = rule("all").moves(30, "GLACIER_IR").larger_than(1_000_000).expires_old(7, Some(2)).0;
    tidy.abort_incomplete_multipart_upload_days = Some(3);
    let bucket = Bucket::of([tidy, rule("logs").prefix("logs/").tag("a", "b").expires(9).into()]);
    let new = narrowed(&bucket, &["savepoints/"], &["logs/", "raw/", "savepoints/"]).expect("a configuration");
    assert_eq!(
        new.json,
        Some(json!({ "Rules": [
            {
                "ID": "all", "Status": "Enabled", "Filter": { "ObjectSizeGreaterThan": 1_000_000 },
                "NoncurrentVersionExpiration": { "NoncurrentDays": 7, "NewerNoncurrentVersions": 2 },
                "AbortIncompleteMultipartUpload": { "DaysAfterInitiation": 3 },
            },
            {
                "ID": "all logs/", "Status": "Enabled",
                "Filter": { "And": { "Prefix": "logs/", "ObjectSizeGreaterThan": 1_000_000 } },
                "Transitions": [{ "Days": 30, "StorageClass": "GLACIER_IR" }],
            },
            {
                "ID": "all raw/", "Status": "Enabled",
                "Filter": { "And": { "Prefix": "raw/", "ObjectSizeGreaterThan": 1_000_000 } },
                "Transitions": [{ "Days": 30, "StorageClass": "GLACIER_IR" }],
            },
            {
                "ID": "logs", "Status": "Enabled",
                "Filter": { "And": { "Prefix": "logs/", "Tags": [{ "Key": "a", "Value": "b" }] } },
                "Expiration": { "Days": 9 },
            },
        ] }))
    );
    assert!(new.paste.contains("--bucket b \\\n  --transition-default-minimum-object-size all_storage_classes_128K"), "{}", new.paste);
    let remedy = new.remedy();
    assert!(remedy.say.contains("replaces the bucket's whole lifecycle configuration"));
    // The pasted text holds the configuration as it is.
    let (_, text) = new.paste.split_once("END_OF_CONFIGURATION'\n").expect("a document");
    let (text, _) = text.split_once("\nEND_OF_CONFIGURATION\n").expect("its end");
    assert_eq!(serde_json::from_str::<Value>(text).ok(), new.json);
}

#[test]
fn a_rule_about_recovery_files_alone_goes() {
    let alone = Bucket::of([rule("r").prefix("savepoints/old").expires(30).into()]);
    let new = narrowed(&alone, &["savepoints/"], &["savepoints/"]).expect("a configuration");
    assert_eq!(new.json, None, "S3 takes no empty configuration");
    assert_eq!(new.paste, "aws s3api delete-bucket-lifecycle --bucket b");
    assert_eq!(new.not_kept, Vec::<String>::new());
    let two = Bucket::of([rule("r").prefix("savepoints/").expires(30).into(), rule("q").prefix("q/").expires(1).into()]);
    let new = narrowed(&two, &["savepoints/"], &[]).expect("needs no listing");
    assert_eq!(read(&new.json.expect("one rule"), None).rules.len(), 1);
}

#[test]
fn a_rule_that_cannot_be_narrowed_is_disabled_and_not_deleted() {
    let wide = Bucket::of([rule("r").prefix("checkpoints/").expires(30).into()]);
    let new = narrowed(&wide, &["checkpoints/job/"], &["checkpoints/"]).expect("a configuration");
    let lifecycle = read(&new.json.clone().expect("the rule is kept"), None);
    assert_eq!(lifecycle.rules, [LifecycleRule { status: RuleStatus::Disabled, ..wide.lifecycle.rules[0].clone() }]);
    assert!(!new.paste.contains("delete-bucket-lifecycle"), "{}", new.paste);
    assert!(new.remedy().say.starts_with("Disable the rule: it covers more than recovery files"), "{}", new.remedy().say);
}

#[test]
fn the_old_form_stays_the_old_form() {
    let mut old = rule("r").prefix("").expires(30).0;
    old.filter.legacy_prefix = true;
    let new = narrowed(&Bucket::of([old]), &["savepoints/"], &["raw/", "savepoints/"]).expect("a configuration");
    assert_eq!(new.json, Some(json!({ "Rules": [{ "ID": "r", "Status": "Enabled", "Prefix": "raw/", "Expiration": { "Days": 30 } }] })));
}

#[test]
fn what_cannot_be_kept_is_said() {
    let bucket = Bucket::of([rule("r").expires(30).into()]);
    let new = narrowed(&bucket, &["flink/savepoints/"], &["flink/", "raw/"]).expect("a configuration");
    assert!(new.not_kept.iter().any(|sentence| sentence.contains("under flink/")), "{:?}", new.not_kept);
    assert!(new.remedy().say.contains("bucket of their own"));
    // With deeper prefixes the purpose goes on next to the recovery files.
    let deeper = narrowed(&bucket, &["flink/savepoints/"], &["flink/", "flink/logs/", "flink/savepoints/", "raw/"]).expect("one");
    let kept: Vec<Option<String>> = read(&deeper.json.expect("rules"), None).rules.into_iter().map(|rule| rule.filter.prefix).collect();
    assert_eq!(kept, [Some("flink/logs/".to_owned()), Some("raw/".to_owned())]);

    let recovery = prefixes(&["savepoints/"]);
    let hits = rules_over(&bucket.lifecycle, &recovery);
    let denied = Unknown::new("denied: needs s3:ListBucket", "ListObjectsV2");
    let rewrite = Rewrite { bucket: "b", lifecycle: &bucket.lifecycle, hits: &hits, recovery: &recovery, seen: Err(&denied) };
    let error = rewrite.narrowed().expect_err("nothing to go by");
    assert!(error.remedy().say.contains("s3:ListBucket"), "{error}");
    assert_eq!(error.remedy().paste, None);
}

#[test]
fn what_is_not_understood_is_not_written_back() {
    let odd = Bucket::of([rule("odd").status(RuleStatus::Other("Paused".to_owned())).expires(1).into(), rule("r").expires(30).into()]);
    assert_eq!(narrowed(&odd, &["s/"], &["a/"]), Err(NotNarrowed::NotUnderstood { rule: "Rule odd".to_owned() }));
    let empty = Bucket::of([rule("new-action").into(), rule("r").expires(30).into()]);
    assert_eq!(narrowed(&empty, &["s/"], &["a/"]), Err(NotNarrowed::NotUnderstood { rule: "Rule new-action".to_owned() }));
}

#[test]
fn the_limits_of_s3_hold() {
    let bucket = Bucket::of([rule(&"é".repeat(127)).expires(30).into(), rule("r").expires(31).into()]);
    let many: Vec<String> = (0..501).map(|n| format!("p{n}/")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(narrowed(&bucket, &["s/"], &many), Err(NotNarrowed::TooManyRules { rules: 1_002 }));
    let new = narrowed(&bucket, &["s/"], &many[..500]).expect("1,000 rules");
    assert_eq!(read(&new.json.expect("rules"), None).rules.len(), 1_000);
}

#[test]
fn a_word_for_the_shell() {
    let bucket = Bucket::of([rule("r").prefix("s/").expires(1).into()]);
    let hits = rules_over(&bucket.lifecycle, &prefixes(&["s/"]));
    let recovery = prefixes(&["s/"]);
    let rewrite = Rewrite { bucket: "b; rm 'x'", lifecycle: &bucket.lifecycle, hits: &hits, recovery: &recovery, seen: Ok(&[]) };
    assert_eq!(rewrite.narrowed().expect("one").paste, r"aws s3api delete-bucket-lifecycle --bucket 'b; rm '\''x'\'''");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// Applied and simulated again: recovery places are clean, everything else under the prefixes that were seen fares as before.
    #[test]
    fn applied_it_is_clean_for_recovery_and_changes_nothing_else(
        rules in oracle::rules(),
        recovery in prop::sample::select(vec![vec!["a/b/"], vec!["a/"], vec!["ab/"], vec!["a/b/", "b/"]]),
        size in prop::sample::select(vec![10, 131_072, LARGE]),
        second in 1_u64..86_400,
        versioned in any::<bool>(),
        tags in prop::sample::select(vec![BTreeMap::new(), BTreeMap::from([("k0".to_owned(), "v".to_owned())])]),
    ) {
        // Whatever acts on anything stays readable: rules without an action are no rules.
        let rules: Vec<LifecycleRule> = rules.into_iter().filter(|rule| *rule != LifecycleRule { id: rule.id.clone(), status: rule.status.clone(), filter: rule.filter.clone(), ..LifecycleRule::default() }).collect();
        let seen = ["a/", "a/b/", "a/c/", "ab/", "b/", "d/"];
        let mut bucket = Bucket::of(rules);
        if versioned {
            bucket = bucket.versioning(VersioningStatus::Enabled);
        }
        let new = narrowed(&bucket, &recovery, &seen).expect("a configuration");
        let floor = bucket.lifecycle.transition_default_minimum_object_size.as_deref();
        let applied = new.json.map_or_else(Lifecycle::default, |json| read(&json, floor));
        let status = if versioned { VersioningStatus::Enabled } else { VersioningStatus::Never };
        let after = simulator(&applied, &[], status, StoreKind::Aws);
        let written = at("2026-01-12").plus(Millis::seconds(second));
        for place in &recovery {
            let fate = after.place(place, written);
            prop_assert!(fate.changes.is_empty() && fate.parts.iter().all(|part| part.changes.is_empty()), "{place}: {fate:?}");
        }
        let before = bucket.simulator();
        let essence = |changes: &[Change]| changes.iter().map(|one| (one.on, one.what.clone(), one.noncurrent)).collect::<Vec<_>>();
        for key in ["a/b/x", "a/c/x", "ab/x", "b/x", "d/x"] {
            if recovery.iter().any(|place| key.starts_with(place)) {
                continue;
            }
            let object = Object { tags: Tags::Known(&tags), ..Object::written(key, Bytes(size), written) };
            prop_assert_eq!(essence(&after.fate(&object).changes), essence(&before.fate(&object).changes), "{}", key);
        }
    }
}
