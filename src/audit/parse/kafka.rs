//! `kafka:`.

use std::collections::BTreeMap;

use crate::{
    audit::ClusterConfig,
    yaml::{Entry, Fields, Node, Problems, Value, is_secret_key, quoted},
};

/// Properties that make librdkafka start a command or load a library. An audit file is data, often somebody else's: reading one, and
/// connecting by it, must not run what it names.
pub const RUNS_CODE: &[&str] =
    &["plugin.library.paths", "sasl.kerberos.kinit.cmd", "ssl.engine.location", "ssl.engine.id", "ssl.providers"];

pub(super) fn read(node: &Node, problems: &mut Problems<'_>) -> Option<BTreeMap<String, ClusterConfig>> {
    // A key that nobody asks for would be unknown; here the user chooses the names.
    let _ = Fields::of(node, "`kafka`", problems)?;
    let mut clusters = BTreeMap::new();
    for entry in node.entries()? {
        if let Some(properties) = cluster(entry, problems) {
            clusters.insert(entry.key.clone(), ClusterConfig { position: entry.place.position, properties });
        }
    }
    Some(clusters)
}

fn cluster(entry: &Entry, problems: &mut Problems<'_>) -> Option<BTreeMap<String, String>> {
    let Some(entries) = entry.value.entries() else {
        problems.advise(
            &entry.place,
            format!("the cluster {} must be a map of librdkafka properties, here is {}", quoted(&entry.key), entry.value.kind()),
            "write `bootstrap.servers: host:9092` below a name for the cluster",
        );
        return None;
    };
    let properties: BTreeMap<String, String> =
        entries.iter().filter_map(|property| Some((property.key.clone(), value(property, problems)?))).collect();
    if !entries.iter().any(|property| matches!(property.key.as_str(), "bootstrap.servers" | "metadata.broker.list")) {
        problems.advise(
            &entry.place,
            format!("the cluster {} lacks `bootstrap.servers`", quoted(&entry.key)),
            "write `bootstrap.servers: host:9092`",
        );
    }
    Some(properties)
}

/// The value of one property. No message quotes it.
fn value(property: &Entry, problems: &mut Problems<'_>) -> Option<String> {
    let key = &property.key;
    if !key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')) {
        // It may have swallowed its value.
        problems.mask(property.place.span.clone());
        problems.mask_all(&property.value);
        problems.advise(&property.place, "this is not the name of a property", "write `name: value`, with a colon and a space");
        return None;
    }
    match key.as_str() {
        "sasl.jaas.config" => {
            problems.advise(
                &property.place,
                "`sasl.jaas.config` is a property of Java clients, librdkafka has none such",
                "write `sasl.username` and `sasl.password: ${VAR}`",
            );
            return None;
        }
        "ssl.truststore.location" | "ssl.truststore.password" | "ssl.truststore.type" => {
            problems.advise(
                &property.place,
                format!("`{key}` is a property of Java clients, librdkafka has none such"),
                "write `ssl.ca.location: ca.pem`",
            );
            return None;
        }
        _ if RUNS_CODE.contains(&key.as_str()) => {
            problems.advise(
                &property.place,
                format!("`{key}` makes the client run or load a program, which an audit file may not"),
                "remove it; TLS, SASL PLAIN and SCRAM need none",
            );
            return None;
        }
        _ => {}
    }
    let text = match &property.value.value {
        Value::Scalar { text, .. } => text,
        Value::Null => {
            problems.advise(&property.place, format!("the property {} is empty", quoted(key)), "write a value, or remove the key");
            return None;
        }
        Value::List(_) => {
            problems.advise(
                &property.place,
                format!("the property {} must be a single value, here is a list", quoted(key)),
                "write the items with commas between them: a:9092,b:9092",
            );
            return None;
        }
        Value::Map(_) => {
            problems.advise(
                &property.place,
                format!("the property {} must be a single value, here is a map", quoted(key)),
                "write the whole name with dots: `bootstrap.servers: host:9092`",
            );
            return None;
        }
    };
    if is_secret_key(key) && !only_from_variables(text) {
        problems.advise(
            &property.place,
            format!("{} holds a secret in clear text", quoted(key)),
            format!("write `{key}: ${{{}}}` and set that environment variable when connecting", variable_for(key)),
        );
        return None;
    }
    Some(text.clone())
}

/// Whether every part of a secret comes from a variable: `${VAR}`, or several of them, without a default.
fn only_from_variables(text: &str) -> bool {
    let mut rest = text.trim();
    let mut variables = 0;
    while let Some((before, after)) = rest.split_once("${") {
        // What stands between variables may be `:` or the like; letters and digits would be part of the secret.
        let Some((name, after)) = after.split_once('}') else { return false };
        if before.chars().any(char::is_alphanumeric) || name.contains(":-") {
            return false;
        }
        variables += 1;
        rest = after;
    }
    variables > 0 && !rest.chars().any(char::is_alphanumeric)
}

/// `SASL_PASSWORD` for `sasl.password`.
fn variable_for(key: &str) -> String {
    key.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}
