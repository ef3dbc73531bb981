//! Commands for Kafka that can be pasted.

use super::shell::{variable, word};
use crate::audit::{Audit, ClusterConfig};

/// The name of the variable that stands for the brokers where they are not known.
const SERVERS: &str = "BOOTSTRAP_SERVERS";

/// The command that sets settings of a topic of this cluster, with the brokers as the audit file names them.
///
/// `--bootstrap-server` reaches clusters with and without ZooKeeper. Nothing but host names of the audit file is printed: what else stands there
/// may be a secret.
#[must_use]
pub fn alter_topic(cluster: Option<&ClusterConfig>, topic: &str, settings: &[(&str, i64)]) -> String {
    let servers = cluster.and_then(servers).unwrap_or_else(|| variable(SERVERS, "set it to host:port of a broker first"));
    let properties = if cluster.is_some_and(is_plain) { "" } else { " --command-config client.properties" };
    let settings = settings.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
    format!(
        "kafka-configs.sh --bootstrap-server {servers}{properties} --alter --entity-type topics --entity-name {} --add-config {settings}",
        word(topic)
    )
}

/// What to know about that command.
#[must_use]
pub fn about_the_command(cluster: Option<&ClusterConfig>, topic: &str, settings: &[(&str, i64)]) -> String {
    let hosts = cluster.and_then(|cluster| cluster.properties.get("bootstrap.servers")).map_or("", String::as_str);
    let of_segments = settings.iter().any(|(key, _)| key.starts_with("segment."));
    if hosts.contains(".confluent.cloud") {
        let settings = settings.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
        return format!(" With Confluent's own tool: `confluent kafka topic update {} --config {settings}`.", word(topic));
    }
    if of_segments && hosts.contains(".kafka-serverless.") {
        return " MSK Serverless keeps segment settings to itself and will refuse this.".to_owned();
    }
    " (A kafka-configs.sh that asks for --zookeeper here is too old: take that of a newer Kafka. A managed service may want its own tool or refuse \
     the setting.)"
        .to_owned()
}

/// The settings of a cluster by its name in the audit file.
#[must_use]
pub fn cluster<'a>(audit: &'a Audit, name: Option<&str>) -> Option<&'a ClusterConfig> {
    audit.kafka.get(audit.cluster_name(name))
}

/// `bootstrap.servers` as one word of a shell. `None`: not stated, or not a plain list of hosts.
fn servers(cluster: &ClusterConfig) -> Option<String> {
    let list = ["bootstrap.servers", "metadata.broker.list"].into_iter().find_map(|key| cluster.properties.get(key))?.trim();
    if let Some(name) = list.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
        let name = name.split_once(":-").map_or(name, |(name, _)| name);
        let is_name =
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        return is_name.then(|| variable(name, "set it as for the audit"));
    }
    let hosts: Option<Vec<String>> = list.split(',').map(|entry| host(entry.trim())).collect();
    hosts.filter(|hosts| !hosts.is_empty()).map(|hosts| word(&hosts.join(",")))
}

/// `host:port`. The client takes port 9092 where none is stated, and a security protocol in front; Kafka's own tools want the port.
fn host(entry: &str) -> Option<String> {
    let entry = entry.split_once("://").map_or(entry, |(_, rest)| rest);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    if entry.is_empty() || !entry.chars().all(plain) {
        return None;
    }
    let has_port = entry
        .rsplit_once(':')
        .is_some_and(|(before, port)| port.parse::<u16>().is_ok() && (before.ends_with(']') || !before.contains(':')));
    Some(if has_port { entry.to_owned() } else { format!("{entry}:9092") })
}

/// Whether the cluster is reached without TLS and without a login, so that a client needs no properties. Where nothing says how it is reached, that
/// is not known.
fn is_plain(cluster: &ClusterConfig) -> bool {
    if servers(cluster).is_none() {
        return false;
    }
    let secured = |key: &str| ["security.", "sasl.", "ssl.", "enable.ssl"].iter().any(|begin| key.starts_with(begin));
    !cluster.properties.iter().any(|(key, value)| secured(key) && !value.eq_ignore_ascii_case("plaintext"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(properties: &[(&str, &str)]) -> ClusterConfig {
        let properties = properties.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        ClusterConfig { properties, ..ClusterConfig::default() }
    }

    #[test]
    fn no_name_leaves_the_command() {
        let command = alter_topic(None, "a'; rm -rf ~; '", &[("segment.ms", 86_400_000)]);
        assert!(command.ends_with(r"--entity-name 'a'\''; rm -rf ~; '\''' --add-config segment.ms=86400000"), "{command}");
    }

    #[test]
    fn the_brokers_are_those_of_the_audit_file() {
        let unknown = "\"${BOOTSTRAP_SERVERS:?set it to host:port of a broker first}\" --command-config client.properties";
        for (servers, expected) in [
            ("broker.example.com:9093", "broker.example.com:9093"),
            ("a:1, b", "a:1,b:9092"),
            ("SASL_SSL://a:9093", "a:9093"),
            ("[::1]:9092", "'[::1]:9092'"),
            ("${BROKERS}", "\"${BROKERS:?set it as for the audit}\""),
            ("${BROKERS:-localhost:9092}", "\"${BROKERS:?set it as for the audit}\""),
            ("user:password@a:1", unknown),
            ("a-${ENV}:1", unknown),
            ("${A}`x`", unknown),
        ] {
            let command = alter_topic(Some(&config(&[("bootstrap.servers", servers)])), "t", &[("segment.ms", 1), ("retention.ms", 2)]);
            let whole = format!(
                "kafka-configs.sh --bootstrap-server {expected} --alter --entity-type topics --entity-name t --add-config segment.ms=1,retention.ms=2"
            );
            assert_eq!(command, whole, "{servers}");
        }
    }

    #[test]
    fn a_login_needs_properties_and_none_of_it_is_printed() {
        let login = config(&[("bootstrap.servers", "a:1"), ("security.protocol", "SASL_SSL"), ("sasl.password", "hush")]);
        let command = alter_topic(Some(&login), "t", &[("segment.ms", 1)]);
        assert!(command.contains(" --command-config client.properties ") && !command.contains("hush"), "{command}");
        assert!(alter_topic(None, "t", &[]).contains("--command-config"), "what is not known may need a login");
    }

    #[test]
    fn services_are_told_apart_by_their_hosts() {
        let about = |host: &str| about_the_command(Some(&config(&[("bootstrap.servers", host)])), "t", &[("segment.ms", 1)]);
        assert!(about("pkc-1.eu-west-1.aws.confluent.cloud:9092").contains("confluent kafka topic update t --config segment.ms=1"));
        assert!(about("boot-1.c3.kafka-serverless.us-east-1.amazonaws.com:9098").contains("will refuse this"));
        assert!(about("a:1").contains("--zookeeper"));
    }
}
