//! What may be a secret.

/// Words in a key that make its value a secret.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "jaas",
    "credential",
    "private",
    "apikey",
    "api_key",
    "api.key",
    "api-key",
    "access_key",
    "access.key",
    "access-key",
    "key.pem",
    "sasl.oauthbearer.config",
];

/// Keys that hold such a word and no secret: an address, an id, a file's name.
const NOT_SECRET: &[&str] = &[
    "sasl.oauthbearer.token.endpoint.url",
    "sasl.oauthbearer.client.credentials.client.id",
    "sasl.oauthbearer.assertion.private.key.file",
];

/// librdkafka properties whose values may be shown: none of them is ever a secret.
const SHOWN_PROPERTIES: &[&str] = &[
    "bootstrap.servers",
    "metadata.broker.list",
    "security.protocol",
    "sasl.mechanism",
    "sasl.mechanisms",
    "client.id",
    "group.id",
    "ssl.ca.location",
    "ssl.certificate.location",
    "ssl.key.location",
    "ssl.keystore.location",
    "ssl.endpoint.identification.algorithm",
    "enable.ssl.certificate.verification",
    "broker.address.family",
];

/// Whether the value of this key is a secret by the key's name.
#[must_use]
pub fn is_secret_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    !NOT_SECRET.contains(&key.as_str()) && SECRET_WORDS.iter().any(|word| key.contains(word))
}

/// Whether a key swallowed a secret: `sasl.password hunter2` or `sasl.password:hunter2`, where the colon or the space after it is missing.
#[must_use]
pub fn looks_like_a_lost_value(key: &str) -> bool {
    is_secret_key(key) && !key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// Whether the value of this librdkafka property may be shown.
#[must_use]
pub(super) fn may_show_property(key: &str) -> bool {
    SHOWN_PROPERTIES.contains(&key)
}
