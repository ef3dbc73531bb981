//! Error codes of the Kafka protocol, and what they mean for a fact.

use super::{ffi::Failure, handle::NoAnswer};
use crate::evidence::Fact;

/// UNKNOWN_TOPIC_OR_PARTITION.
const UNKNOWN_TOPIC: i32 = 3;
/// INVALID_TOPIC_EXCEPTION: no topic can have such a name.
const INVALID_TOPIC: i32 = 17;
/// TOPIC_AUTHORIZATION_FAILED.
pub(super) const TOPIC_DENIED: i32 = 29;
/// GROUP_AUTHORIZATION_FAILED.
const GROUP_DENIED: i32 = 30;
/// CLUSTER_AUTHORIZATION_FAILED.
const CLUSTER_DENIED: i32 = 31;
/// UNSUPPORTED_VERSION, UNSUPPORTED_FOR_MESSAGE_FORMAT.
const UNSUPPORTED: [i32; 2] = [35, 43];

/// Whether asking again soon may help: the leader moves, the broker starts.
pub(super) fn passes(code: i32) -> bool {
    // LEADER_NOT_AVAILABLE, NOT_LEADER_OR_FOLLOWER, REQUEST_TIMED_OUT, BROKER_NOT_AVAILABLE, REPLICA_NOT_AVAILABLE, NETWORK_EXCEPTION,
    // KAFKA_STORAGE_ERROR, FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH, OFFSET_NOT_AVAILABLE.
    matches!(code, 5 | 6 | 7 | 8 | 9 | 13 | 56 | 74 | 75 | 78)
}

/// Whether a right is missing.
pub(super) fn denied(code: i32) -> bool {
    matches!(code, TOPIC_DENIED | GROUP_DENIED | CLUSTER_DENIED)
}

/// What an error means for a fact. `right` is the right that is needed, `call` the call that was made.
pub(super) fn gap<T>(code: i32, text: &str, right: &str, call: &str) -> Fact<T> {
    match code {
        UNKNOWN_TOPIC => Fact::absent("the topic does not exist", call),
        INVALID_TOPIC => Fact::absent("no topic can have this name", call),
        code if denied(code) => Fact::denied(format!("needs {right}"), call),
        code if UNSUPPORTED.contains(&code) => Fact::unsupported(describe(code, text), call),
        code => Fact::failed(describe(code, text), call),
    }
}

/// `NOT_LEADER_OR_FOLLOWER (error 6)`, or what the broker says.
pub(super) fn describe(code: i32, text: &str) -> String {
    let name = match code {
        3 => "UNKNOWN_TOPIC_OR_PARTITION",
        5 => "LEADER_NOT_AVAILABLE",
        6 => "NOT_LEADER_OR_FOLLOWER",
        7 => "REQUEST_TIMED_OUT",
        29 => "TOPIC_AUTHORIZATION_FAILED",
        30 => "GROUP_AUTHORIZATION_FAILED",
        31 => "CLUSTER_AUTHORIZATION_FAILED",
        35 => "UNSUPPORTED_VERSION",
        43 => "UNSUPPORTED_FOR_MESSAGE_FORMAT",
        56 => "KAFKA_STORAGE_ERROR",
        74 => "FENCED_LEADER_EPOCH",
        75 => "UNKNOWN_LEADER_EPOCH",
        78 => "OFFSET_NOT_AVAILABLE",
        _ => text.trim(),
    };
    if name.is_empty() { format!("error {code}") } else { format!("{name} (error {code})") }
}

impl NoAnswer {
    /// The fact that there was no answer to `call`.
    pub(super) fn fact<T>(&self, call: &str) -> Fact<T> {
        if self.unsupported { Fact::unsupported(&self.reason, call) } else { Fact::failed(&self.reason, call) }
    }
}

impl Failure {
    /// What this error of one topic or broker means for a fact.
    pub(super) fn fact<T>(&self, right: &str, call: &str) -> Fact<T> {
        gap(self.code, &self.text, right, call)
    }
}
