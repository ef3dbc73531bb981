//! Listens to a client: keeps the last concrete reason why it cannot talk to a broker, which no call returns.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rdkafka::{
    ClientContext, Statistics,
    config::RDKafkaLogLevel,
    consumer::ConsumerContext,
    error::{KafkaError, RDKafkaErrorCode},
};

use super::settings::scrub;

/// How long a server that refuses connections is tried again: a restart of a broker should not spoil an audit.
const REFUSED: Duration = Duration::from_secs(5);

/// The client's context.
pub(super) struct Watch {
    tls: bool,
    secrets: Vec<String>,
    seen: Mutex<Seen>,
}

struct Seen {
    /// How many servers there are to talk to: bootstrap servers first, then the brokers that they name.
    servers: usize,
    /// When the present attempt began.
    began: Instant,
    /// The last reason of each server, by the name that librdkafka gives to the connection.
    reasons: BTreeMap<String, Reason>,
    /// The last one of all.
    last: Option<Reason>,
    /// Whether a broker has answered.
    connected: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Reason {
    kind: Kind,
    text: String,
}

/// What stands between a client and a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Wrong credentials, or a mechanism that the broker does not support.
    Authentication,
    /// No such host.
    Resolve,
    /// A failed handshake, a certificate that is not trusted.
    Tls,
    /// Refused, or no answer to a connection.
    Unreachable,
    /// Closed, or no answer on a connection.
    Transport,
}

impl Watch {
    pub(super) fn new(bootstrap_servers: usize, tls: bool, secrets: Vec<String>) -> Self {
        let seen = Seen { servers: bootstrap_servers, began: Instant::now(), reasons: BTreeMap::new(), last: None, connected: false };
        Self { tls, secrets, seen: Mutex::new(seen) }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A broker has answered and named `brokers` of them: what went wrong before is past.
    pub(super) fn connected(&self, brokers: usize) {
        let mut seen = self.seen();
        seen.connected = true;
        seen.servers = brokers.max(1);
        seen.last = None;
    }

    /// A call begins: what went wrong before does not concern it.
    pub(super) fn begin(&self) {
        let mut seen = self.seen();
        seen.began = Instant::now();
        seen.reasons.clear();
    }

    /// The last concrete reason, as a sentence without a full stop.
    pub(super) fn reason(&self) -> Option<String> {
        self.seen().last.as_ref().map(|reason| reason.text.clone())
    }

    /// Whether waiting is of no use: every server has given a reason that does not pass by itself.
    pub(super) fn hopeless(&self) -> bool {
        let seen = self.seen();
        let tried = seen.began.elapsed() >= REFUSED;
        let lasting = |reason: &&Reason| match reason.kind {
            Kind::Authentication | Kind::Resolve | Kind::Tls => true,
            Kind::Unreachable => tried,
            // A broker that has answered before may close a connection and take the next one.
            Kind::Transport => tried && !seen.connected,
        };
        seen.reasons.values().filter(lasting).count() >= seen.servers
    }

    /// Text without secrets.
    pub(super) fn scrub(&self, text: &str) -> String {
        scrub(text, &self.secrets)
    }

    fn note(&self, code: Option<RDKafkaErrorCode>, text: &str) {
        let Some((server, what)) = split(text) else { return };
        let kind = kind(code, what);
        let text = format!("{}: {}", host(server), self.scrub(&self.explain(kind, what)));
        let reason = Reason { kind, text };
        let mut seen = self.seen();
        seen.reasons.insert(server.to_owned(), reason.clone());
        seen.last = Some(reason);
    }

    /// A sentence for people; librdkafka's own text follows where it says more.
    fn explain(&self, kind: Kind, what: &str) -> String {
        let what = without_state(what);
        let lower = what.to_ascii_lowercase();
        match kind {
            Kind::Resolve => format!("the host name cannot be resolved ({what})"),
            Kind::Authentication if lower.contains("unsupported sasl mechanism") || lower.contains("mechanism handshake failed") => {
                format!("the broker does not support this SASL mechanism ({what})")
            }
            Kind::Authentication => format!("the broker refuses the credentials ({what})"),
            Kind::Tls if lower.contains("certificate verify failed") => {
                format!("the broker's certificate is not trusted ({what})")
            }
            Kind::Tls if lower.contains("wrong version number") || lower.contains("record layer failure") => {
                format!("the broker does not seem to speak TLS ({what})")
            }
            Kind::Tls if lower.contains("alert") && lower.contains("certificate") => {
                format!("over TLS the broker wants another client certificate, or one at all ({what})")
            }
            Kind::Tls => format!("the TLS handshake failed ({what})"),
            Kind::Unreachable if what.contains("SSL_HANDSHAKE") => {
                format!("no answer to the TLS handshake; the broker may not speak TLS there ({what})")
            }
            Kind::Unreachable if lower.contains("refused") => format!("the connection is refused ({what})"),
            Kind::Unreachable => format!("no connection ({what})"),
            Kind::Transport if closed(&lower) && !self.tls => {
                format!("the broker closed the connection; it may expect TLS, or SASL, there ({what})")
            }
            Kind::Transport if closed(&lower) => {
                format!("the broker closed the connection; it may not speak TLS there ({what})")
            }
            Kind::Transport => what.to_owned(),
        }
    }
}

/// `[thrd:x]: ssl://host:1/bootstrap: what` → (`ssl://host:1/bootstrap`, `what`).
fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let text = if text.starts_with("[thrd:") { text.split_once("]: ").map_or(text, |(_, rest)| rest) } else { text };
    let (server, what) = text.split_once(": ")?;
    // `3/3 brokers are down` and the like concern no server.
    server.contains(['/', ':']).then_some((server, what.trim()))
}

/// `ssl://host:1/bootstrap` → `host:1`.
fn host(server: &str) -> &str {
    let server = server.split_once("://").map_or(server, |(_, rest)| rest);
    server.split_once('/').map_or(server, |(host, _)| host)
}

/// Without librdkafka's `(after 3ms in state CONNECT, 2 identical error(s) suppressed)`, except where the state says something.
fn without_state(what: &str) -> &str {
    match what.rfind(" (after ") {
        Some(place) if !what.contains("SSL_HANDSHAKE") => what.get(..place).unwrap_or(what),
        _ => what,
    }
}

/// Whether the other side ended the connection.
fn closed(what: &str) -> bool {
    ["disconnected", "broken pipe", "reset by peer"].iter().any(|word| what.contains(word))
}

fn kind(code: Option<RDKafkaErrorCode>, what: &str) -> Kind {
    match code {
        Some(RDKafkaErrorCode::Authentication | RDKafkaErrorCode::SaslAuthenticationFailed) => return Kind::Authentication,
        Some(RDKafkaErrorCode::Resolve) => return Kind::Resolve,
        Some(RDKafkaErrorCode::SSL) => return Kind::Tls,
        _ => {}
    }
    let what = what.to_ascii_lowercase();
    if what.contains("failed to resolve") {
        Kind::Resolve
    } else if what.contains("sasl") && !what.contains("disconnected") && !what.contains("timed out") {
        Kind::Authentication
    } else if what.contains("ssl routines") || what.contains("ssl handshake failed") && !what.contains("disconnected") {
        Kind::Tls
    } else if what.starts_with("connect to") || what.contains("setup timed out") {
        Kind::Unreachable
    } else {
        Kind::Transport
    }
}

impl ClientContext for Watch {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        tracing::debug!(target: "librdkafka", ?level, facility, message = self.scrub(message));
        // Some reasons come as a log line only: a connection that was never set up.
        if facility == "FAIL" {
            self.note(None, message);
        }
    }

    fn stats(&self, _: Statistics) {}

    fn stats_raw(&self, _: &[u8]) {}

    fn error(&self, error: KafkaError, reason: &str) {
        tracing::debug!(target: "librdkafka", error = self.scrub(&error.to_string()), reason = self.scrub(reason));
        let code = error.rdkafka_error_code();
        if code != Some(RDKafkaErrorCode::AllBrokersDown) {
            self.note(code, reason);
        }
    }
}

impl ConsumerContext for Watch {}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(tls: bool, code: RDKafkaErrorCode, text: &str) -> String {
        let watch = Watch::new(1, tls, vec!["hunter22".to_owned()]);
        watch.error(KafkaError::Global(code), text);
        watch.reason().expect("a reason")
    }

    #[test]
    fn librdkafkas_texts_become_sentences() {
        for (tls, code, text, said) in [
            (
                false,
                RDKafkaErrorCode::BrokerTransportFailure,
                "127.0.0.1:9/bootstrap: Connect to ipv4#127.0.0.1:9 failed: Connection refused (after 0ms in state CONNECT)",
                "127.0.0.1:9: the connection is refused (Connect to ipv4#127.0.0.1:9 failed: Connection refused)",
            ),
            (
                false,
                RDKafkaErrorCode::Resolve,
                "x.invalid:9/bootstrap: Failed to resolve 'x.invalid:9': Name or service not known (after 1ms in state CONNECT)",
                "x.invalid:9: the host name cannot be resolved (Failed to resolve 'x.invalid:9': Name or service not known)",
            ),
            (
                true,
                RDKafkaErrorCode::Authentication,
                "sasl_ssl://h:1/bootstrap: SASL authentication error: bad password hunter22 (after 3ms in state AUTH_REQ)",
                "h:1: the broker refuses the credentials (SASL authentication error: bad password ***)",
            ),
        ] {
            assert_eq!(reason(tls, code, text), said);
        }
    }

    #[test]
    fn hopeless_only_when_every_server_has_a_lasting_reason() {
        let watch = Watch::new(2, false, Vec::new());
        let resolve = KafkaError::Global(RDKafkaErrorCode::Resolve);
        watch.error(resolve.clone(), "a:1/bootstrap: Failed to resolve 'a:1'");
        watch.error(resolve.clone(), "a:1/bootstrap: Failed to resolve 'a:1'");
        watch.error(KafkaError::Global(RDKafkaErrorCode::AllBrokersDown), "2/2 brokers are down");
        assert!(!watch.hopeless());
        watch.log(RDKafkaLogLevel::Warning, "FAIL", "[thrd:b:1/bootstrap]: b:1/bootstrap: Connection setup timed out in state CONNECT");
        assert!(!watch.hopeless(), "a refused connection may pass");
        watch.error(resolve, "b:1/bootstrap: Failed to resolve 'b:1'");
        assert!(watch.hopeless());
        watch.connected(1);
        watch.begin();
        assert!(!watch.hopeless());
    }
}
