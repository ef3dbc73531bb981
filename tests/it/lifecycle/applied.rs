//! The configurations that the shipped audits propose, applied: judged again, nothing is left of what they were proposed for.

use std::collections::BTreeMap;

use ttl_audit::{
    audit::Audit,
    evidence::{Evidence, Fact, Lifecycle},
    load,
    manifest::AsOf,
    report::{Report, build},
};

use super::remedy::read;
use crate::harness::in_root;

const RULES: [&str; 3] = ["recovery-will-expire", "recovery-will-be-archived", "recovery-will-be-tiered"];

fn audit(name: &str) -> (Audit, Evidence) {
    let folder = in_root("audits").join(name);
    let audit = load::audits(std::slice::from_ref(&folder)).expect("an audit").remove(0).audit;
    let text = std::fs::read_to_string(folder.join("evidence.json")).expect("evidence");
    (audit, Evidence::from_json(&text).expect("evidence"))
}

fn judge(audit: &Audit, evidence: &Evidence) -> Report {
    build(audit, evidence, AsOf { at: audit.as_of.expect("it is pinned"), pinned: true }, "a test")
}

/// What is to be pasted for each bucket: the configuration, or none for its deletion.
fn proposals(report: &Report) -> BTreeMap<String, Option<Lifecycle>> {
    let mut proposals = BTreeMap::new();
    let findings = report.findings.iter().filter(|finding| RULES.contains(&finding.rule.as_str()));
    for text in findings.flat_map(|finding| &finding.remedy).filter_map(|way| way.paste.as_deref()) {
        let heredoc = text.split_once("<<'END_OF_CONFIGURATION'\n").and_then(|(_, rest)| rest.split_once("\nEND_OF_CONFIGURATION\n"));
        let (configuration, command) = heredoc.map_or((None, text), |(json, command)| (Some(json), command));
        let words: Vec<&str> = command.split_whitespace().collect();
        let after = |flag: &str| words.iter().position(|word| *word == flag).and_then(|place| words.get(place + 1).copied());
        if words.starts_with(&["aws", "s3api", "put-bucket-lifecycle-configuration"]) {
            let json = serde_json::from_str(configuration.expect("a configuration")).expect("JSON");
            let lifecycle = read(&json, after("--transition-default-minimum-object-size"));
            let before = proposals.insert(after("--bucket").expect("a bucket").to_owned(), Some(lifecycle.clone()));
            assert!(before.is_none_or(|before| before == Some(lifecycle)), "every finding about a bucket proposes the same: {text}");
        } else if words.starts_with(&["aws", "s3api", "delete-bucket-lifecycle"]) {
            proposals.insert(after("--bucket").expect("a bucket").to_owned(), None);
        }
    }
    proposals
}

fn apply(name: &str) -> (usize, Report) {
    let (audit, mut evidence) = audit(name);
    let before = judge(&audit, &evidence);
    let proposals = proposals(&before);
    assert!(!proposals.is_empty(), "{name} proposes something");
    for (bucket, lifecycle) in &proposals {
        let seen = evidence.buckets.get_mut(bucket).expect("the bucket was seen");
        let at = evidence.captured_at;
        seen.lifecycle = match lifecycle {
            Some(lifecycle) => Fact::seen(lifecycle.clone(), bucket, "GetBucketLifecycleConfiguration", at),
            None => Fact::absent("NoSuchLifecycleConfiguration", "GetBucketLifecycleConfiguration"),
        };
    }
    (proposals.len(), judge(&audit, &evidence))
}

fn left(report: &Report) -> Vec<&str> {
    report.findings.iter().filter(|finding| RULES.contains(&finding.rule.as_str())).map(|finding| finding.subject.as_str()).collect()
}

#[test]
fn after_the_proposed_configurations_no_rule_takes_recovery_files() {
    let (buckets, report) = apply("buckets");
    assert_eq!(buckets, 4);
    // Another command deletes the Intelligent-Tiering configuration.
    assert_eq!(left(&report), ["catalog s3://nw-tiered/savepoints/catalog/ savepoint"]);
    for name in ["meridian", "fleet"] {
        let (_, report) = apply(name);
        assert!(left(&report).is_empty(), "{name}: {:?}", left(&report));
    }
}
