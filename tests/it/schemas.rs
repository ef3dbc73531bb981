//! The JSON Schemas: in step with the parser, valid for everything that is shipped, and stored in `schema/`.
//!
//! `UPDATE_GOLDENS=1 cargo test --no-default-features --test it schemas` writes `schema/` again.

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::Value;
use ttl_audit::{
    audit, manifest,
    schema::{self, Document},
    yaml::{self, Diagnostic, Node, Problems},
};

use crate::harness::{in_root, ttl_audit};

fn of(document: Document) -> Value {
    schema::of(document).to_value()
}

/// The paths of files with this name's end below `audits/*/`.
fn shipped(folder: &str, ends: &str) -> Vec<PathBuf> {
    let audits = fs::read_dir(in_root("audits")).expect("audits/").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = audits
        .filter_map(|audit| fs::read_dir(audit.join(folder)).ok())
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(ends))
        .collect();
    found.sort();
    assert!(found.len() >= 3, "{found:?}");
    found
}

/// What an editor makes of a YAML file: numbers and booleans where they look like it.
fn plain(node: &Node) -> Value {
    match &node.value {
        yaml::Value::Null => Value::Null,
        yaml::Value::Scalar { text, quoted: false } => serde_json::from_str::<Value>(text)
            .ok()
            .filter(|value| value.is_number() || value.is_boolean())
            .unwrap_or_else(|| Value::String(text.clone())),
        yaml::Value::Scalar { text, .. } => Value::String(text.clone()),
        yaml::Value::List(items) => items.iter().map(plain).collect(),
        yaml::Value::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), plain(&entry.value))).collect(),
    }
}

pub(crate) fn read_yaml(text: &str) -> Value {
    let mut problems = Problems::new("file.yaml", text);
    plain(&yaml::parse(&mut problems).expect("YAML"))
}

/// Every complaint about `value`, with its place.
fn complaints(document: Document, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(&of(document)).expect("a schema");
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn what_is_stored_is_what_the_program_prints() {
    for document in Document::ALL {
        let path = in_root("schema").join(format!("{document}.json"));
        let output = ttl_audit().args(["schema", document.word()]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0));
        let printed = String::from_utf8(output.stdout).expect("text");
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            fs::create_dir_all(in_root("schema")).expect("a folder");
            fs::write(&path, &printed).expect("it can be written");
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), printed, "{}; see the top of this module", path.display());
    }
}

#[test]
fn schemas_are_schemas() {
    for document in Document::ALL {
        jsonschema::meta::validate(&of(document)).unwrap_or_else(|error| panic!("{document}: {error}"));
    }
}

#[test]
fn shipped_files_are_valid() {
    let text = |path: &PathBuf| fs::read_to_string(path).expect("a file");
    for path in shipped("jobs", ".yaml") {
        assert_eq!(complaints(Document::Manifest, &read_yaml(&text(&path))), [""; 0], "{}", path.display());
    }
    for path in shipped("", "audit.yaml") {
        assert_eq!(complaints(Document::Audit, &read_yaml(&text(&path))), [""; 0], "{}", path.display());
    }
    for path in shipped("", "evidence.json") {
        assert_eq!(complaints(Document::Evidence, &serde_json::from_str(&text(&path)).expect("JSON")), [""; 0], "{}", path.display());
    }
    for path in shipped("expected", "report.json") {
        assert_eq!(complaints(Document::Report, &serde_json::from_str(&text(&path)).expect("JSON")), [""; 0], "{}", path.display());
    }
}

#[test]
fn what_the_parser_refuses_the_schema_refuses() {
    for text in [
        "job: a\nsources: [{id: s, topic: t}]",
        "version: 2\njob: a\nsources: [{id: s, topic: t}]",
        "version: 1\njob: a\nsources: []",
        "version: 1\njob: a\nsources: [{id: s}]",
        "version: 1\njob: a\nsources: [{id: s, topic: t, topics: [u]}]",
        "version: 1\njob: a\nsources: [{id: s, kind: kinesis}]",
        "version: 1\njob: a\nsources: [{id: s, topic: t}]\nowner:",
        "version: 1\njob: a\nsources: [{id: s, topic: t, strat: latest}]",
        "version: 1\njob: a\nsources: [{id: s, topic: t, start: newest}]",
        "version: 1\njob: a\nsources: [{id: s, topic: 'a b'}]",
        "version: 1\njob: a\nsources: [{id: s, topic: t}]\noperators: [{state: [{name: x, ttl: 7d}]}]",
        "version: 1\njob: a\nsources: [{id: s, topic: t}]\noperators: [{uid: o, uid_hash: 90bea66de1c231edf33913ecd54406c1, state: [{name: x, ttl: 7d}]}]",
    ] {
        assert!(manifest::parse("a.yaml", text).is_err(), "{text}");
        assert!(!complaints(Document::Manifest, &read_yaml(text)).is_empty(), "{text}");
    }
    for text in [
        "audit: a",
        "version: 1\nkafka: {a: {client.id: x}}",
        "version: 1\nkafka: {a: {bootstrap.servers: 'a:1', sasl.kerberos.kinit.cmd: x}}",
        "version: 1\npolicy: {severity: {no-such-rule: error}}",
        "version: 1\npolicy: {severity: {ttl-never: loud}}",
        "version: 1\npolicy: {recovery_classes: {GLACIER: note}}",
        "version: 1\ns3: {endpoint_url: 'localhost:9000'}",
    ] {
        assert!(audit::parse("audit.yaml", text).is_err(), "{text}");
        assert!(!complaints(Document::Audit, &read_yaml(text)).is_empty(), "{text}");
    }
}

const MANIFEST: &str = "version: 1\njob: a\n";
const SOURCE: &str = "sources: [{id: s, topic: t}]\n";

/// Files in which one key of one block is unknown, and where the schema describes that block.
fn blocks() -> Vec<(Document, String, &'static str)> {
    let job = |rest: &str| (Document::Manifest, format!("{MANIFEST}{rest}"));
    let after = |rest: &str| job(&format!("{SOURCE}{rest}"));
    let of_audit = |rest: &str| (Document::Audit, format!("version: 1\n{rest}"));
    [
        (after("qqqqqqqq: 1"), ""),
        (after("flink: {qqqqqqqq: 1}"), "/definitions/Flink"),
        (job("sources: [{id: s, topic: t, qqqqqqqq: 1}]"), "/definitions/Source"),
        (job("sources: [{id: s, kind: kinesis, retention: 7d, qqqqqqqq: 1}]"), "/definitions/Source"),
        (after("operators: [{uid: o, state: [{name: x, ttl: 7d}], qqqqqqqq: 1}]"), "/definitions/Operator"),
        (after("operators: [{uid: o, state: [{name: x, ttl: 7d, qqqqqqqq: 1}]}]"), "/definitions/State"),
        (after("sinks: [{id: k, kind: kafka, qqqqqqqq: 1}]"), "/definitions/Sink"),
        (after("sinks: [{id: k, kind: files, qqqqqqqq: 1}]"), "/definitions/Sink"),
        (after("recovery: {qqqqqqqq: 1}"), "/definitions/Recovery"),
        (after("recovery: {checkpoints: {location: jobmanager, qqqqqqqq: 1}}"), "/definitions/Checkpoints"),
        (after("recovery: {restore: {qqqqqqqq: 1}}"), "/definitions/Restore"),
        (of_audit("qqqqqqqq: 1"), ""),
        (of_audit("s3: {qqqqqqqq: 1}"), "/definitions/S3"),
        (of_audit("s3: {buckets: {b: {qqqqqqqq: 1}}}"), "/definitions/Bucket"),
        (of_audit("policy: {qqqqqqqq: 1}"), "/definitions/Policy"),
    ]
    .map(|((document, text), pointer)| (document, text, pointer))
    .into()
}

fn only_error(document: Document, text: &str) -> Diagnostic {
    let errors = match document {
        Document::Manifest => manifest::parse("a.yaml", text).expect_err(text),
        _ => audit::parse("audit.yaml", text).expect_err(text),
    };
    let [error] = errors.as_slice() else { panic!("{text}: {errors:#?}") };
    error.clone()
}

/// What the hint of an error lists after these words.
fn listed(error: &Diagnostic, head: &str) -> BTreeSet<String> {
    let hint = error.hint.as_deref().and_then(|hint| hint.strip_prefix(head));
    hint.unwrap_or_else(|| panic!("{error:?}")).split(", ").map(str::to_owned).collect()
}

#[test]
fn every_key_of_the_parser_is_in_the_schema_and_the_other_way_round() {
    let mut of_parser = std::collections::BTreeMap::<(&str, &str), BTreeSet<String>>::new();
    for (document, text, pointer) in blocks() {
        let keys = listed(&only_error(document, &text), "known keys: ");
        of_parser.entry((document.word(), pointer)).or_default().extend(keys);
    }
    for ((document, pointer), keys) in of_parser {
        let schema = of(document.parse().expect("a document"));
        let properties = schema.pointer(&format!("{pointer}/properties")).and_then(Value::as_object);
        let described: BTreeSet<String> = properties.unwrap_or_else(|| panic!("{document} {pointer}")).keys().cloned().collect();
        assert_eq!(described, keys, "{document} {pointer}");
        assert!(
            properties.expect("checked").values().all(|property| property.get("description").is_some()),
            "{document} {pointer}: every key is explained"
        );
    }
}

#[test]
fn every_word_of_the_parser_is_in_the_schema_and_the_other_way_round() {
    let after = |rest: &str| (Document::Manifest, format!("{MANIFEST}{SOURCE}{rest}"));
    let source = |rest: &str| (Document::Manifest, format!("{MANIFEST}sources: [{{id: s, topic: t, {rest}}}]"));
    let state = |rest: &str| after(&format!("operators: [{{uid: o, state: [{{name: x, ttl: never, {rest}}}]}}]"));
    let of_audit = |rest: &str| (Document::Audit, format!("version: 1\n{rest}"));
    for ((document, text), definition) in [
        (after("flink: {platform: qqqqqqqq}"), "Platform"),
        (source("kind: qqqqqqqq"), "SourceKind"),
        (source("start: qqqqqqqq"), "Start"),
        (source("reset: qqqqqqqq"), "Reset"),
        (after("operators: [{uid: o, role: qqqqqqqq, state: [{name: x, ttl: 7d}]}]"), "Role"),
        (state("kind: qqqqqqqq"), "StateKind"),
        (state("update: qqqqqqqq"), "TtlUpdate"),
        (state("visibility: qqqqqqqq"), "TtlVisibility"),
        (state("cleared_by: qqqqqqqq"), "Clearing"),
        (after("sinks: [{id: k, kind: qqqqqqqq}]"), "SinkKind"),
        (after("sinks: [{id: k, delivery: qqqqqqqq}]"), "Delivery"),
        (after("recovery: {checkpoints: {location: jobmanager, on_cancel: qqqqqqqq}}"), "OnCancel"),
        (after("recovery: {restore: {mode: qqqqqqqq}}"), "RestoreMode"),
        (of_audit("s3: {store: qqqqqqqq}"), "StoreKind"),
        (of_audit("policy: {fail_on: qqqqqqqq}"), "FailOn"),
        (of_audit("policy: {severity: {ttl-never: qqqqqqqq}}"), "Level"),
    ] {
        let words = listed(&only_error(document, &text), "write one of ");
        let schema = of(document);
        let described = schema.pointer(&format!("/definitions/{definition}")).unwrap_or_else(|| panic!("{definition}"));
        let plain = described.get("enum").and_then(Value::as_array).into_iter().flatten();
        let explained = described.get("oneOf").and_then(Value::as_array).into_iter().flatten();
        let described: BTreeSet<String> = plain
            .chain(explained.filter_map(|one| one.get("const").or_else(|| one.pointer("/enum/0"))))
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        assert_eq!(described, words, "{definition}");
    }
}
