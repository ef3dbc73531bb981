//! What a remedy needs to know of the job that is restarted with it.

use std::fmt;

use crate::{
    analysis::{Measured, Migration, StateSize, StateView, migration, snapshots::RecoveryView},
    audit::Audit,
    manifest::{Flink, Recovery},
    units::{Bytes, Instant, Millis},
};

/// The job that is restarted.
#[derive(Clone, Copy, Debug)]
pub struct Restart<'a> {
    /// The whole audit: how its clusters are reached.
    pub audit: &'a Audit,
    /// Which Flink.
    pub flink: &'a Flink,
    /// Its snapshots, as declared.
    pub declared: Option<&'a Recovery>,
    /// Its snapshots, as seen.
    pub recovery: &'a RecoveryView,
    /// The longest time that it may be down, if that is stated.
    pub max_downtime: Option<Millis>,
    /// The instant that is judged.
    pub as_of: Instant,
}

impl Restart<'_> {
    /// By how much state grows: an estimate, since it takes new keys to arrive as evenly as old ones did.
    pub(super) fn growth(&self, state: &StateView, old: Millis, new: Millis) -> String {
        let times = new.as_days() / old.as_days();
        let Some(size) = StateSize::of(&state.operator, self.recovery) else {
            return format!("The state grows to about {times:.1} times its size (an estimate; no snapshot's size is known).");
        };
        let measured = match size.of {
            Measured::Operator { states } => {
                let among = if states > 1 { format!(", {states} keyed states with their timers") } else { String::new() };
                format!("which is what {} keeps in {}{among}", state.operator, size.snapshot)
            }
            Measured::Snapshot => {
                format!("which is all of {}: how much of it is this operator's was not measured", size.snapshot)
            }
        };
        let heap = match self.flink.state_backend.as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("hashmap" | "filesystem" | "jobmanager") => "; written out, on the heap it takes more",
            _ => "",
        };
        format!(
            "The state grows to about {times:.1} times its size: {} × {new} / {old} ≈ {}, {measured} (an estimate{heap}).",
            Decimal(size.bytes),
            Decimal(size.with(old, new)),
        )
    }

    /// From when a longer TTL covers what it should.
    pub(super) fn covers(&self, old: Millis, new: Millis) -> String {
        let wait = new.minus(old);
        format!(
            "it covers the window only {wait} after the change (new − old; for a change on {}: from {}); until then the job depends on its snapshots.",
            self.as_of.day(),
            self.as_of.plus(wait).next_midnight().day()
        )
    }

    /// What is known of the changelog backend and other TTL settings, where the job declares one.
    pub(super) fn changelog(&self) -> &'static str {
        if self.declared.is_some_and(|recovery| recovery.changelog.is_some()) {
            " The changelog backend records TTL settings with the state (FLINK-23143); whether it restores with others is not known here: try it on a \
             copy, from a savepoint."
        } else {
            ""
        }
    }
}

/// Whether a restore works after state that had no TTL was given one, or the other way round: Flink's "State TTL Migration Compatibility".
#[must_use]
pub fn ttl_switched(flink: &Flink) -> String {
    const RULE: &str = "possible for RocksDB from Flink 2.1 on, for hashmap from 2.2 on, for ForSt not";
    let backend = flink.state_backend.as_deref();
    let with = match (flink.release(), backend) {
        (Some((major, minor)), Some(backend)) => format!("Flink {major}.{minor} with {backend}"),
        (Some((major, minor)), None) => format!("Flink {major}.{minor}"),
        (None, Some(backend)) => format!("the backend {backend}"),
        (None, None) => String::new(),
    };
    match migration(flink.release(), backend) {
        Migration::Works => format!("{with} can restore that ({RULE})"),
        Migration::Fails => {
            format!("{with} cannot restore that: it fails with a StateMigrationException when the state is first used ({RULE})")
        }
        Migration::Unknown if with.is_empty() => {
            format!(
                "whether a snapshot from before can be restored depends on Flink's version and the state backend, which the manifest does not state ({RULE})"
            )
        }
        Migration::Unknown => format!("whether a snapshot from before can be restored does not follow from {with} alone ({RULE})"),
    }
}

/// In decimal units, whole above ten thousand of the smaller one: `434 MB`.
struct Decimal(Bytes);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut amount, mut unit) = (self.0.0, "B");
        for next in ["kB", "MB", "GB", "TB"] {
            if amount < 10_000 {
                break;
            }
            (amount, unit) = (amount.saturating_add(500) / 1000, next);
        }
        write!(f, "{amount} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_rounded_for_people() {
        for (bytes, text) in [(434_285_714, "434 MB"), (365_714_285, "366 MB"), (9_999, "9999 B"), (12_345, "12 kB"), (80_000_000, "80 MB")]
        {
            assert_eq!(Decimal(Bytes(bytes)).to_string(), text);
        }
    }

    #[test]
    fn a_switched_ttl_is_restored_by_some_versions_only() {
        let said = |version: Option<&str>, backend: Option<&str>| {
            let flink = Flink { version: version.map(str::to_owned), state_backend: backend.map(str::to_owned), ..Flink::default() };
            ttl_switched(&flink)
        };
        for (version, backend) in [("2.1.0", "rocksdb"), ("2.2", "hashmap"), ("3.0", "rocksdb")] {
            assert!(said(Some(version), Some(backend)).contains("can restore that"), "{version} {backend}");
        }
        for (version, backend) in [("2.0", "rocksdb"), ("2.1", "hashmap"), ("1.18.1", "rocksdb"), ("2.3", "forst")] {
            assert!(said(Some(version), Some(backend)).contains("cannot restore that"), "{version} {backend}");
        }
        assert!(said(Some("1.20"), None).starts_with("Flink 1.20 cannot restore that"), "no backend could there");
        for (version, backend) in [(None, None), (Some("2.1"), None), (None, Some("rocksdb")), (Some("2.3"), Some("custom"))] {
            assert!(said(version, backend).starts_with("whether a snapshot from before can be restored"), "{version:?} {backend:?}");
        }
    }
}
