//! `doctor`: what is missing before a run, and what to do.

use ttl_audit::{
    doctor::{self, Check, Checkup, State},
    evidence::{Evidence, Fact},
    load,
    manifest::AsOf,
    report,
};

use crate::harness::{in_root, ttl_audit};

/// The checkup of the shipped fleet, whose evidence was changed by `change`.
fn checkup(change: impl FnOnce(&mut Evidence)) -> Checkup {
    let folder = in_root("audits/fleet");
    let audit = load::audits(std::slice::from_ref(&folder)).expect("an audit").remove(0).audit;
    let mut evidence = load::evidence_in(&folder).expect("evidence").evidence;
    change(&mut evidence);
    let as_of = AsOf { at: audit.as_of.expect("it is pinned"), pinned: true };
    let report = report::build(&audit, &evidence, as_of, "live");
    doctor::checkup(&audit, &evidence, &report)
}

fn failed(checkup: &Checkup) -> Vec<&Check> {
    checkup.checks.iter().filter(|check| check.state == State::Failed).collect()
}

#[test]
fn a_right_that_is_missing_is_named_with_the_command_and_the_rules_that_wait() {
    let checkup = checkup(|_| {});
    assert!(checkup.is_incomplete());
    let settings = failed(&checkup).into_iter().find(|check| check.what.contains("product-views")).expect("it is denied");
    assert_eq!((settings.of.as_str(), settings.what.as_str()), ("cluster msk", "topic product-views: settings (DESCRIBE_CONFIGS)"));
    assert!(settings.detail.starts_with("denied: needs DESCRIBE_CONFIGS on topic product-views"), "{settings:?}");
    let advice = settings.advice.as_deref().expect("what to do");
    assert!(advice.contains("--operation DescribeConfigs --topic 'product-views'"), "{advice}");
    assert!(settings.waiting.contains("ttl-below-retention"), "{settings:?}");
    let missing = failed(&checkup).into_iter().find(|check| check.what == "topic partner-events-v1").expect("it is missing");
    assert!(missing.detail.starts_with("absent: "), "{missing:?}");
}

#[test]
fn where_everything_is_answered_nothing_is_missing() {
    let folder = in_root("audits/meridian-fixed");
    let audit = load::audits(std::slice::from_ref(&folder)).expect("an audit").remove(0).audit;
    let evidence = load::evidence_in(&folder).expect("evidence").evidence;
    let as_of = AsOf { at: evidence.captured_at, pinned: true };
    let checkup = doctor::checkup(&audit, &evidence, &report::build(&audit, &evidence, as_of, "live"));
    assert!(!checkup.is_incomplete(), "{checkup:#?}");
    let asked: Vec<&str> = checkup.checks.iter().map(|check| check.what.as_str()).collect();
    for question in ["connection and credentials", "s3:GetLifecycleConfiguration", "topics: settings (DESCRIBE_CONFIGS)"] {
        assert!(asked.contains(&question), "{question}: {asked:?}");
    }
    assert!(checkup.checks.iter().all(|check| check.advice.is_none() && check.waiting.is_empty()));
}

#[test]
fn a_cluster_that_cannot_be_reached_has_one_line() {
    let reason = "kafka-eu.acme.example:9093: the broker's certificate is not trusted (certificate verify failed)";
    let checkup = checkup(|evidence| {
        let eu = evidence.kafka.get_mut("eu").expect("a cluster");
        eu.cluster_id = Fact::failed(reason, "Metadata");
        eu.broker = Fact::failed(reason, "DescribeConfigs on a broker");
        for topic in eu.topics.values_mut() {
            topic.partitions = Fact::failed(reason, "Metadata");
            topic.settings = Fact::failed(reason, "DescribeConfigs");
        }
    });
    let of_eu: Vec<&Check> = checkup.checks.iter().filter(|check| check.of == "cluster eu").collect();
    let [only] = of_eu.as_slice() else { panic!("{of_eu:#?}") };
    let advice = only.advice.as_deref().expect("what to do");
    assert!(advice.contains("set ssl.ca.location") && advice.contains("/etc/ssl/certs/ca-certificates.crt"), "{advice}");
    assert!(only.waiting.contains("ttl-below-retention"), "what waits for the cluster: {only:?}");
}

#[test]
fn what_a_store_does_not_have_is_no_failure_and_what_is_denied_is_one() {
    let checkup = checkup(|evidence| {
        let lab = evidence.buckets.get_mut("acme-lab").expect("a bucket");
        lab.intelligent_tiering = Fact::unsupported("this store does not have this feature", "ListBucketIntelligentTieringConfigurations");
        lab.tags = Fact::denied("needs s3:GetBucketTagging on the bucket", "GetBucketTagging");
    });
    let of_lab = |what: &str| checkup.checks.iter().find(|check| check.of == "bucket acme-lab" && check.what == what).expect(what);
    let tiering = of_lab("s3:GetIntelligentTieringConfiguration");
    assert_eq!((tiering.state, &tiering.advice), (State::Unsupported, &None));
    let tags = of_lab("s3:GetBucketTagging");
    assert_eq!(tags.state, State::Failed);
    assert!(tags.advice.as_deref().is_some_and(|advice| advice.contains("docs/rights.md")), "{tags:?}");
}

/// Without the collectors nothing can be asked, and that is said.
#[cfg(not(any(feature = "kafka", feature = "s3")))]
#[test]
fn the_offline_checker_says_that_it_cannot_ask() {
    let output = ttl_audit().args(["doctor", "audits/meridian"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("this build has no Kafka support") && output.stdout.is_empty(), "{said}");
}

/// From outside: nothing listens there, so the reason and the advice are printed and the code is 3.
#[cfg(feature = "kafka")]
#[test]
fn a_port_where_nothing_listens_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").to_string()
    };
    std::fs::write(folder.path().join("job.yaml"), "version: 1\njob: a\nsources: [{id: s, topic: t}]\n").expect("a manifest");
    let run = |more: &[&str]| {
        let job = folder.path().join("job.yaml");
        ttl_audit().arg("doctor").arg(job).args(["--bootstrap-servers", &address, "--timeout", "8s"]).args(more).output().expect("it runs")
    };
    let output = run(&[]);
    let said = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("✗ connection and credentials: failed") && said.contains("the connection is refused"), "{said}");
    assert!(said.contains("→ check host and port"), "{said}");
    let output = run(&["--format", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let read: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(read.pointer("/0/checks/0/state"), Some(&"failed".into()), "{read}");
}

#[test]
fn a_variable_that_is_not_set_belongs_to_what_could_not_be_asked() {
    for (place, of) in [
        ("kafka.prod.sasl.password", "cluster prod"),
        ("s3.buckets.acme.flink-state.external_id", "bucket acme.flink-state"),
        ("s3.assume_role_arn", "s3"),
    ] {
        let check = doctor::unset(place, "SECRET");
        assert_eq!((check.of.as_str(), check.what.as_str(), check.state), (of, place, State::Failed));
        assert!(check.detail.contains("SECRET is not set") && check.advice.is_some_and(|advice| advice.contains("${SECRET:-…}")));
    }
    let mut checkup = checkup(|_| {});
    let first = checkup.checks.first().expect("a question").of.clone();
    checkup.add(Check { of: first.clone(), ..doctor::unset("kafka.x.y", "V") });
    assert_eq!(checkup.checks[0].what, "kafka.x.y", "it stands before what else is asked of {first}");
}

/// One cluster lacks its secret: that is a line, the other cluster is asked all the same, and the code is 3.
#[cfg(feature = "kafka")]
#[test]
fn a_variable_that_is_not_set_is_a_line_and_holds_up_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let broker = crate::kafka_fake::Fake::start(crate::kafka_fake::Script::default());
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).expect("a file");
    write(
        "audit.yaml",
        &format!(
            "version: 1\naudit: a\njobs: [job.yaml]\nkafka:\n  one: {{ bootstrap.servers: {address} }}\n  two:\n    bootstrap.servers: {address}\n    \
         security.protocol: SASL_PLAINTEXT\n    sasl.mechanism: PLAIN\n    sasl.username: u\n    sasl.password: ${{TTL_AUDIT_TEST_UNSET}}\n",
            address = broker.address
        ),
    );
    write("job.yaml", "version: 1\njob: j\nsources: [{id: a, cluster: one, topic: t}, {id: b, cluster: two, topic: t}]\n");
    let output = ttl_audit().arg("doctor").arg(folder.path()).args(["--timeout", "8s"]).output().expect("it runs");
    let said = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(3), "{said} {}", String::from_utf8_lossy(&output.stderr));
    assert!(
        said.contains("cluster two\n  ✗ kafka.two.sasl.password: failed (the environment variable TTL_AUDIT_TEST_UNSET is not set"),
        "{said}"
    );
    assert!(said.contains("cluster one\n  ✓ connection and credentials: ok"), "{said}");
    assert!(broker.seen().len() > 1, "the other cluster was asked");
    // A run judges, and a run without the secret is a usage error.
    let output = ttl_audit().arg("check").arg(folder.path()).output().expect("it runs");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}
