//! What touches the world to see what is there: read-only, each fact with its origin or the reason why it is missing.

mod expand;
#[cfg(feature = "kafka")]
pub mod kafka;
#[cfg(feature = "s3")]
pub mod s3;

use std::time::Duration;

use crate::units;

pub use expand::expand;

/// How to collect; the same for every kind of service.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// When the capture began: offsets and observed history belong to this instant.
    pub captured_at: units::Instant,
    /// The longest time that one call may take.
    pub timeout: Duration,
    /// When everything has to be over; what was not asked by then is *failed*, with that reason.
    pub deadline: std::time::Instant,
    /// Look into every snapshot that is found, not only the newest of each place.
    pub all_snapshots: bool,
    /// Read the first bytes of state files too, where they name states that `_metadata` does not. Off: no object but `_metadata` is read.
    pub read_state_headers: bool,
    /// Looks up an environment variable for `${VAR}`.
    pub env: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// Is told what is being asked: `kafka confluent-prod: settings of 1,200 topics`. Never holds a secret.
    pub progress: &'a (dyn Fn(&str) + Sync),
}

impl Options<'_> {
    /// The time that a call may take now: the smaller of the time-out and what is left until the deadline. `None`: nothing is left.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        let left = self.deadline.saturating_duration_since(std::time::Instant::now());
        (!left.is_zero()).then(|| left.min(self.timeout))
    }
}

/// Why nothing was asked: what the user wrote cannot be used. The caller ends with a usage error; whatever goes wrong *while* asking is
/// evidence instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// `${VAR}` names a variable that is not set.
    #[error("{place}: the environment variable {variable} is not set")]
    UnsetVariable {
        /// Where it stands: `kafka.confluent-prod.sasl.password`.
        place: String,
        /// Its name.
        variable: String,
    },
    /// `${…` that is not `${VAR}` or `${VAR:-default}`.
    #[error("{place}: `${{` must be followed by a variable's name and `}}`, as in ${{VAR}} or ${{VAR:-default}}")]
    BadReference {
        /// Where it stands.
        place: String,
    },
    /// A setting that cannot be used as it is.
    #[error("{place}: {message}")]
    Setting {
        /// Where it stands.
        place: String,
        /// What is wrong, and what to write instead. Never holds the setting's value.
        message: String,
    },
}

/// Now.
#[must_use]
pub fn now() -> units::Instant {
    units::Instant::new(jiff::Timestamp::now())
}
