//! One Kafka cluster.

use super::{Check, State, advice, judged};
use crate::{
    audit::ClusterConfig,
    evidence::{ClusterEvidence, Fact},
};

/// The connection first; what depends on it only if it is there.
pub(super) fn check(name: &str, cluster: &ClusterEvidence, config: Option<&ClusterConfig>, checks: &mut Vec<Check>) {
    let of = format!("cluster {name}");
    let mut add = |what: String, (state, detail): (State, String), advice: Option<String>| {
        let advice = advice.filter(|_| state == State::Failed);
        checks.push(Check { of: of.clone(), what, state, detail, advice, waiting: std::collections::BTreeSet::new() });
    };
    let ca = config.and_then(|config| config.properties.get("ssl.ca.location")).map(String::as_str);
    if let Fact::Failed(_) = &cluster.cluster_id {
        let failed = judged(&cluster.cluster_id, Clone::clone);
        let advice = advice::of_connection(&failed.1, ca);
        add("connection and credentials".to_owned(), failed, Some(advice));
        return;
    }
    let (_, detail) = judged(&cluster.cluster_id, |id| format!("cluster id {id}"));
    add("connection and credentials".to_owned(), (State::Ok, detail), None);
    let acl = |operation: &str, resource: &str| {
        format!("kafka-acls --bootstrap-server HOST:PORT --add --allow-principal User:NAME --operation {operation} {resource}")
    };
    let broker = judged(&cluster.broker, |settings| format!("{} settings", settings.len()));
    add("broker settings (DESCRIBE_CONFIGS on the cluster)".to_owned(), broker, Some(acl("DescribeConfigs", "--cluster")));
    for (pattern, fact) in &cluster.patterns {
        let matched = match judged(fact, |topics| topics.len().to_string()) {
            (State::Ok, count) if count == "0" => (State::Failed, "it matches no topic that may be seen".to_owned()),
            (State::Ok, count) => (State::Ok, format!("{count} topics")),
            other => other,
        };
        let advice =
            format!("topics without the right are invisible: {}; the pattern must match the whole name", acl("Describe", "--topic '*'"));
        add(format!("topic_pattern {pattern} (DESCRIBE on its topics)"), matched, Some(advice));
    }
    let (mut described, mut configured) = (0_usize, 0_usize);
    for (topic, seen) in &cluster.topics {
        match &seen.partitions {
            Fact::Seen(_) => described += 1,
            Fact::Absent(gap) => {
                let advice = "correct the name in the manifest, or create the topic".to_owned();
                add(format!("topic {topic}"), (State::Failed, format!("absent: {}", gap.reason)), Some(advice));
                continue;
            }
            _ => add(
                format!("topic {topic}: partitions and offsets (DESCRIBE)"),
                judged(&seen.partitions, |_| String::new()),
                Some(acl("Describe", &format!("--topic '{topic}'"))),
            ),
        }
        match judged(&seen.settings, |_| String::new()) {
            (State::Ok, _) => configured += 1,
            other => add(
                format!("topic {topic}: settings (DESCRIBE_CONFIGS)"),
                other,
                Some(acl("DescribeConfigs", &format!("--topic '{topic}'"))),
            ),
        }
    }
    for (count, what) in [(described, "partitions and offsets (DESCRIBE)"), (configured, "settings (DESCRIBE_CONFIGS)")] {
        if count > 0 {
            add(format!("topics: {what}"), (State::Ok, format!("{count} of {}", cluster.topics.len())), None);
        }
    }
}
