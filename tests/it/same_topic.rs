//! One topic name on two clusters, read by one job: two subjects, each with an identity of its own.

use std::collections::BTreeSet;

use ttl_audit::{
    audit::ClusterConfig,
    evidence::{Evidence, Fact},
    manifest::AsOf,
    report::{self, Report},
    units::Millis,
};

use crate::{
    scene::{cluster, young_topic},
    world::World,
};

const JOB: &str = "version: 1
job: job
sources:
  - { id: eu, cluster: eu, topic: orders }
  - { id: us, cluster: us, topic: orders }
  - { id: clicks, cluster: eu, topic: clicks }
";

/// Both clusters have `clicks`, and neither has `orders`.
fn built(manifest: &str) -> Report {
    let World { mut audit, job, as_of, .. } = World::at("2026-09-15").manifest(manifest);
    let mut evidence = Evidence::empty(as_of);
    for name in ["eu", "us"] {
        let topic = || young_topic(Millis::days(7), Millis::days(1));
        let mut seen = cluster(as_of, name, [("clicks", topic()), ("orders", topic())]);
        if let Some(orders) = seen.topics.get_mut("orders") {
            orders.partitions = Fact::absent("topic orders does not exist (UNKNOWN_TOPIC_OR_PARTITION)", "Metadata of topic orders");
            orders.settings = Fact::absent("topic orders does not exist (UNKNOWN_TOPIC_OR_PARTITION)", "DescribeConfigs of topic orders");
        }
        evidence.kafka.insert(name.to_owned(), seen);
    }
    audit.kafka = ["eu", "us"].map(|name| (name.to_owned(), ClusterConfig::default())).into();
    audit.jobs = vec![job];
    report::build(&audit, &evidence, AsOf { at: as_of, pinned: true }, "evidence.json")
}

#[test]
fn each_has_a_subject_and_a_fingerprint_of_its_own() {
    let report = built(JOB);
    let missing: Vec<_> = report.findings.iter().filter(|finding| finding.rule == "topic-missing").collect();
    let subjects: Vec<&str> = missing.iter().map(|finding| finding.subject.as_str()).collect();
    assert_eq!(subjects, ["job orders (cluster eu) topic", "job orders (cluster us) topic"]);
    assert_eq!(missing.iter().map(|finding| &finding.fingerprint).collect::<BTreeSet<_>>().len(), 2);
    // A waiver of one source covers its own topic only, and the other topics of the job keep the subjects that they had.
    let passed = report.jobs[0].passed.as_ref().expect("it is listed");
    assert_eq!(passed["topic-missing"], ["clicks topic"]);
}

#[test]
fn a_topic_of_one_cluster_is_called_by_its_name_alone() {
    let one = JOB.replace("  - { id: us, cluster: us, topic: orders }\n", "");
    let report = built(&one);
    let missing = report.findings.iter().find(|finding| finding.rule == "topic-missing").expect("it is missing");
    assert_eq!(missing.subject, "job orders topic");
    // Two sources that read the same topic of the same cluster speak of one.
    let twice = built(&JOB.replace("cluster: us", "cluster: eu"));
    let missing: Vec<_> = twice.findings.iter().filter(|finding| finding.rule == "topic-missing").map(|one| &one.subject).collect();
    assert!(missing.iter().all(|subject| *subject == "job orders topic"), "{missing:?}");
}
