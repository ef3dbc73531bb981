//! The examples of the documentation are what they say: complete and valid.

use std::fs;

use ttl_audit::{
    audit,
    manifest::{self, DeclaredRetention, Delivery, Position, Reset, RestoreFrom, SourceKind, Start, Topics},
    units::{Millis, Ttl},
};

use crate::harness::in_root;

/// The blocks of a page that are marked as YAML.
fn examples(page: &str) -> Vec<String> {
    let text = fs::read_to_string(in_root(page)).expect(page);
    text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

#[test]
fn the_examples_of_the_manifest_page_are_valid() {
    let examples = examples("docs/manifest.md");
    assert_eq!(examples.len(), 3);
    for example in &examples {
        manifest::parse("example.yaml", example).unwrap_or_else(|errors| panic!("{example}\n{errors:#?}"));
    }
}

#[test]
fn the_complete_example_states_what_is_read() {
    let job = manifest::parse("example.yaml", &examples("docs/manifest.md")[1]).expect("a manifest");
    assert_eq!((job.job.value.as_str(), job.owner.as_deref()), ("user-engagement", Some("product-analytics")));
    assert_eq!(job.flink.version.as_deref(), Some("1.20"), "the text is kept as written");
    assert_eq!(job.max_downtime, Some(Millis::days(3)));
    let SourceKind::Kafka(kafka) = &job.sources[0].kind else { panic!("{:?}", job.sources[0]) };
    assert!(matches!(&kafka.topics, Topics::Named(names) if names[0].value == "user-engagement-events"));
    assert_eq!((kafka.start, kafka.reset, kafka.records_per_day), (Start::Committed, Reset::None, Some(43_000)));
    let SourceKind::Kafka(kafka) = &job.sources[1].kind else { panic!("{:?}", job.sources[1]) };
    assert!(matches!(&kafka.topics, Topics::Pattern(pattern) if pattern.value == "profile-.*"));
    let SourceKind::Declared(declared) = &job.sources[2].kind else { panic!("{:?}", job.sources[2]) };
    assert_eq!((declared.kind, declared.retention.value), ("kinesis", DeclaredRetention::For(Millis::days(1))));
    let [dedup, join] = job.operators.as_slice() else { panic!("{:?}", job.operators) };
    assert_eq!(dedup.state[0].ttl.value, Ttl::After(Millis::days(7)));
    assert_eq!(dedup.state[0].reads, ["engagement"], "the operator's own");
    assert_eq!(join.state[0].reads, ["engagement", "profiles", "clicks"], "every source");
    assert_eq!(join.state[1].ttl.value, Ttl::Never);
    let sink = &job.sinks[0];
    assert_eq!((sink.delivery, sink.fed_by.as_slice()), (Some(Delivery::AtLeastOnce), &["dedup-events".to_owned()][..]));
    let recovery = job.recovery.as_ref().expect("a recovery block");
    assert_eq!((recovery.savepoints.len(), &recovery.restore.from), (1, &RestoreFrom::Savepoint));
    assert_ne!(recovery.position, Position::default());
}

#[test]
fn the_examples_of_the_audit_file_page_are_valid() {
    let examples = examples("docs/audit-file.md");
    assert_eq!(examples.len(), 2);
    for example in &examples {
        audit::parse("audit.yaml", example).unwrap_or_else(|errors| panic!("{example}\n{errors:#?}"));
    }
    let file = audit::parse("audit.yaml", &examples[1]).expect("an audit file");
    assert_eq!(file.kafka["confluent-prod"].properties["sasl.password"], "${CONFLUENT_API_SECRET}", "not looked up here");
    assert_eq!(file.policy.horizon, Millis::days(92));
    assert_eq!(file.s3.for_bucket("other-account-bucket").region.as_deref(), Some("us-east-1"));
}
