//! From the audit file's properties to a client's: variables looked up, what an auditor must have set, what it must not have refused.

use std::{collections::BTreeMap, time::Duration};

use rdkafka::{
    ClientConfig,
    config::{FromClientConfigAndContext, RDKafkaLogLevel},
    consumer::BaseConsumer,
    error::KafkaError,
};

use super::watch::Watch;
use crate::{
    audit::{ClusterConfig, RUNS_CODE},
    collect::{CollectError, Options, expand},
};

/// What a client is made of.
pub(super) struct Settings {
    /// The properties.
    config: ClientConfig,
    /// How many bootstrap servers there are.
    pub(super) bootstrap_servers: usize,
    /// Whether the connection is to be encrypted.
    pub(super) tls: bool,
    /// Values that must not be shown.
    secrets: Vec<String>,
    /// `kafka.confluent-prod`.
    place: String,
}

/// A stuck connection is given up after this long, so that its reason is known early.
const CONNECT: Duration = Duration::from_secs(8);

/// Java's client properties that librdkafka does not have, and what to write instead.
const JAVA: &[(&str, &str)] = &[
    (
        "sasl.jaas.config",
        "librdkafka has no JAAS; write sasl.mechanism, and for PLAIN and SCRAM sasl.username and sasl.password, for OAUTHBEARER the \
         sasl.oauthbearer.* properties",
    ),
    ("sasl.client.callback.handler.class", "a Java class cannot be used here; write librdkafka's sasl.* properties instead"),
    ("sasl.login.callback.handler.class", "a Java class cannot be used here; write librdkafka's sasl.* properties instead"),
    ("sasl.login.class", "a Java class cannot be used here; write librdkafka's sasl.* properties instead"),
    (
        "ssl.truststore.location",
        "librdkafka reads PEM, not a Java trust store; export the CA (`keytool -exportcert -rfc`) and write ssl.ca.location",
    ),
    ("ssl.truststore.certificates", "write ssl.ca.pem instead"),
    ("ssl.truststore.password", "a CA in PEM (ssl.ca.location) needs no password; leave it out"),
    ("ssl.truststore.type", "librdkafka reads PEM; write ssl.ca.location"),
    (
        "ssl.keystore.type",
        "librdkafka reads PEM (ssl.certificate.location, ssl.key.location) and PKCS#12 (ssl.keystore.location); leave the type out",
    ),
    ("ssl.keystore.key", "write ssl.key.pem instead"),
    ("ssl.keystore.certificate.chain", "write ssl.certificate.pem instead"),
    ("ssl.enabled.protocols", "librdkafka takes what OpenSSL offers; leave it out"),
    ("ssl.protocol", "librdkafka takes what OpenSSL offers; leave it out"),
    ("key.deserializer", "no record is read; leave it out"),
    ("value.deserializer", "no record is read; leave it out"),
    ("key.serializer", "no record is written; leave it out"),
    ("value.serializer", "no record is written; leave it out"),
];

/// Properties of a job that an auditor has no use for: left out without a word, since no group is joined and nothing is read.
const LEFT_OUT: &[&str] =
    &["group.id", "group.instance.id", "group.protocol", "enable.auto.commit", "auto.offset.reset", "isolation.level"];

/// Reads a cluster's properties.
///
/// # Errors
///
/// Everything that makes them unusable; no client is made and nothing is sent.
pub(super) fn read(cluster: &str, config: &ClusterConfig, options: &Options<'_>) -> Result<Settings, Vec<CollectError>> {
    let place = format!("kafka.{cluster}");
    let mut errors = Vec::new();
    let mut properties: BTreeMap<&str, String> = BTreeMap::new();
    let mut secrets = Vec::new();
    for (key, text) in &config.properties {
        let key = key.trim();
        match expand(text, &format!("{place}.{key}"), options.env) {
            Ok(value) => {
                if is_secret(key) || value != *text {
                    secrets.push(value.clone());
                }
                properties.insert(key, value);
            }
            Err(error) => errors.push(error),
        }
    }
    let setting = |key: &str, message: &str| CollectError::Setting { place: format!("{place}.{key}"), message: message.to_owned() };
    for (key, hint) in JAVA.iter().filter(|(key, _)| properties.contains_key(key)) {
        errors.push(setting(key, &format!("this is a property of Java's client: {hint}")));
    }
    if properties.get("allow.auto.create.topics").is_some_and(|value| !value.trim().eq_ignore_ascii_case("false")) {
        errors.push(setting("allow.auto.create.topics", "an audit never creates a topic; leave it out"));
    }
    for key in RUNS_CODE.iter().filter(|key| properties.contains_key(**key)) {
        errors.push(setting(key, "an audit runs no command and loads no library; leave it out"));
    }
    let bootstrap = properties.get("bootstrap.servers").or_else(|| properties.get("metadata.broker.list"));
    let bootstrap_servers = bootstrap.map_or(0, |list| list.split(',').filter(|server| !server.trim().is_empty()).count());
    if bootstrap_servers == 0 && !errors.iter().any(|error| error.to_string().contains("bootstrap.servers")) {
        errors.push(setting("bootstrap.servers", "not stated; write host:port, several with commas between them"));
    }
    let protocol = properties.get("security.protocol").map(|value| value.trim().to_ascii_lowercase()).unwrap_or_default();
    let tls = protocol.contains("ssl");
    if protocol.starts_with("sasl") && !properties.contains_key("sasl.mechanism") && !properties.contains_key("sasl.mechanisms") {
        errors.push(setting(
            "sasl.mechanism",
            "not stated (librdkafka would take GSSAPI); write PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER",
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }

    // Earlier than the call's own time-out, so that the reason is there when that comes.
    let connect = milliseconds((options.timeout * 3 / 4).min(CONNECT));
    let mut client = ClientConfig::new();
    // Some reasons come as a log line only, as a warning or for information; what is shown of them is not decided there.
    client.set_log_level(RDKafkaLogLevel::Info);
    // What the user may say otherwise.
    client.set("client.id", "ttl-audit");
    client.set("socket.connection.setup.timeout.ms", &connect);
    client.set("api.version.request.timeout.ms", &connect);
    client.set("socket.timeout.ms", milliseconds(options.timeout.min(Duration::from_mins(5))));
    client.set("reconnect.backoff.max.ms", "1000");
    // The OpenSSL that is built in looks for certificates where it was built, not where this machine has them. What is stated goes first.
    if tls && !["ssl.ca.location", "ssl.ca.pem", "ssl.ca.certificate.stores"].iter().any(|key| properties.contains_key(key)) {
        client.set("ssl.ca.location", "probe");
    }
    for (key, value) in &properties {
        if !LEFT_OUT.contains(key) {
            client.set(*key, value);
        }
    }
    // What no one may say otherwise.
    client.set("allow.auto.create.topics", "false");
    client.set("enable.auto.commit", "false");
    // The longest first, so that a secret that is part of another does not leave the rest of that one behind.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    Ok(Settings { config: client, bootstrap_servers, tls, secrets, place })
}

/// Whether the value of `key` is not for others to see.
fn is_secret(key: &str) -> bool {
    ["password", "secret", "username", "token", "key.pem", "jaas", "assertion", "credential", "oauthbearer.config"]
        .iter()
        .any(|word| key.contains(word))
}

fn milliseconds(duration: Duration) -> String {
    duration.as_millis().clamp(1000, 300_000).to_string()
}

impl Settings {
    /// Makes the client; it connects when it is first asked something.
    ///
    /// # Errors
    ///
    /// A property that librdkafka does not know, or a value that it refuses.
    pub(super) fn client(&self) -> Result<BaseConsumer<Watch>, CollectError> {
        let watch = Watch::new(self.bootstrap_servers, self.tls, self.secrets.clone());
        BaseConsumer::from_config_and_context(&self.config, watch).map_err(|error| self.refused(error))
    }

    fn refused(&self, error: KafkaError) -> CollectError {
        let (place, message) = match error {
            // librdkafka quotes the value, which may be a secret in the wrong place.
            KafkaError::ClientConfig(_, message, key, value) => (format!("{}.{key}", self.place), scrub(&message, &[value])),
            KafkaError::ClientCreation(message) => (self.place.clone(), message),
            other => (self.place.clone(), other.to_string()),
        };
        let mut message = scrub(message.trim(), &self.secrets);
        if message.contains("No provider for SASL mechanism GSSAPI") {
            message.push_str(" (Kerberos is not built into this program)");
        } else if message.contains("OAUTHBEARER") && message.contains("oidc") {
            message.push_str(" (OIDC is not built into this program)");
        }
        CollectError::Setting { place, message: format!("librdkafka refuses it: {message}") }
    }
}

/// `text` without the secrets. A secret of one or two characters is not looked for: it would be found in every word.
pub(super) fn scrub(text: &str, secrets: &[String]) -> String {
    let mut text = text.to_owned();
    for secret in secrets.iter().filter(|secret| secret.len() > 2) {
        text = text.replace(secret.as_str(), "***");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn settings(properties: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
        let config = ClusterConfig {
            properties: properties.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
            ..ClusterConfig::default()
        };
        let options = Options {
            captured_at: crate::collect::now(),
            timeout: Duration::from_secs(30),
            deadline: Instant::now() + Duration::from_mins(1),
            env: &|name| (name == "SECRET").then(|| "s3cret-value".to_owned()),
            progress: &|_| (),
            all_snapshots: false,
            read_state_headers: false,
        };
        let read = read("prod", &config, &options).map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        read.client().map_err(|error| vec![error.to_string()])?;
        Ok(read)
    }

    fn refused(properties: &[(&str, &str)]) -> String {
        settings(properties).err().expect("refused").join("\n")
    }

    #[test]
    fn the_auditors_own_settings_win_and_defaults_do_not() {
        let made = settings(&[
            ("bootstrap.servers", "a:1, b:2,"),
            ("security.protocol", "SASL_SSL"),
            ("sasl.mechanism", "SCRAM-SHA-512"),
            ("sasl.username", "auditor"),
            ("sasl.password", "${SECRET}"),
            ("client.id", "mine"),
            ("group.id", "the-job"),
            ("allow.auto.create.topics", "false"),
        ])
        .unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(made.bootstrap_servers, 2);
        assert_eq!(made.config.get("client.id"), Some("mine"));
        assert_eq!(made.config.get("group.id"), None);
        assert_eq!(made.config.get("allow.auto.create.topics"), Some("false"));
        assert_eq!(made.config.get("ssl.ca.location"), Some("probe"));
        assert_eq!(scrub("no s3cret-value here, auditor", &made.secrets), "no *** here, ***");
    }

    #[test]
    fn what_cannot_be_used_is_told_with_what_to_write() {
        let ok = ("bootstrap.servers", "a:1");
        for (properties, place, hint) in [
            (&[("client.id", "x")][..], "kafka.prod.bootstrap.servers: not stated", "host:port"),
            (&[ok, ("sasl.password", "${UNSET}")], "kafka.prod.sasl.password", "UNSET is not set"),
            (&[ok, ("sasl.jaas.config", "Login required password=\"s3cret\";")], "kafka.prod.sasl.jaas.config", "sasl.username"),
            (&[ok, ("ssl.truststore.location", "/x.jks")], "kafka.prod.ssl.truststore.location", "ssl.ca.location"),
            (&[ok, ("allow.auto.create.topics", "true")], "kafka.prod.allow.auto.create.topics", "never creates"),
            (&[ok, ("plugin.library.paths", "x.so")], "kafka.prod.plugin.library.paths", "loads no library"),
            (&[ok, ("security.protocol", "SASL_SSL")], "kafka.prod.sasl.mechanism", "SCRAM-SHA-512"),
            (&[ok, ("no.such.property", "s3cret")], "kafka.prod.no.such.property", "No such configuration property"),
            (&[ok, ("security.protocol", "s3cret")], "kafka.prod.security.protocol", "librdkafka refuses"),
            (&[ok, ("security.protocol", "sasl_plaintext"), ("sasl.mechanism", "GSSAPI")], "kafka.prod", "Kerberos is not built in"),
        ] {
            let error = refused(properties);
            assert!(error.contains(place), "{error}");
            assert!(error.contains(hint), "{error}");
            assert!(!error.contains("s3cret"), "{error}");
        }
        // Every error at once.
        let error = refused(&[("sasl.username", "${A}"), ("sasl.password", "${B}")]);
        assert!(error.contains("variable A ") && error.contains("variable B ") && error.contains("bootstrap.servers"), "{error}");
    }
}
