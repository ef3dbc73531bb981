//! What a remedy needs to know of the job that is restarted with it.

use std::fmt;

use crate::{
    analysis::snapshots::RecoveryView,
    manifest::Flink,
    units::{Bytes, Instant, Millis},
};

/// The job that is restarted.
#[derive(Clone, Copy, Debug)]
pub struct Restart<'a> {
    /// Which Flink.
    pub flink: &'a Flink,
    /// Its snapshots.
    pub recovery: &'a RecoveryView,
    /// The instant that is judged.
    pub as_of: Instant,
}

impl Restart<'_> {
    /// By how much state grows: an estimate, since it takes new keys to arrive as evenly as old ones did.
    pub(super) fn growth(&self, old: Millis, new: Millis) -> String {
        let times = new.as_days() / old.as_days();
        let newest = self.recovery.places.iter().filter_map(|place| place.newest().ok().flatten()).max_by_key(|snapshot| snapshot.taken_at);
        match newest.and_then(|snapshot| Some((snapshot, snapshot.size()?.1))) {
            Some((snapshot, size)) => format!(
                "The state grows to about {times:.1} times its size: {} × {new} / {old} ≈ {}, if all of {}, which is what was measured, is this state (an estimate).",
                Decimal(size),
                Decimal(scaled(size, old, new)),
                snapshot.location
            ),
            None => format!("The state grows to about {times:.1} times its size (an estimate; no snapshot's size is known)."),
        }
    }
}

/// Whether a restore works after state that had no TTL was given one, or the other way round: Flink's "State TTL Migration Compatibility".
#[must_use]
pub fn ttl_switched(flink: &Flink) -> String {
    let numbers = flink.release();
    let Some(backend) = flink.state_backend.as_deref().map(str::to_lowercase) else {
        return "the restore fails with a StateMigrationException before Flink 2.1 (RocksDB) and 2.2 (hashmap), and with ForSt".to_owned();
    };
    let from = match backend.as_str() {
        "rocksdb" => (2, 1),
        "hashmap" => (2, 2),
        "forst" => return "with ForSt the restore fails with a StateMigrationException".to_owned(),
        _ => return format!("whether the restore works with the backend {backend} is not known; try it on a copy"),
    };
    match numbers {
        Some(numbers) if numbers >= from => format!("Flink {}.{} with {backend} can restore that", numbers.0, numbers.1),
        Some(numbers) => format!(
            "Flink {}.{} with {backend} cannot restore that: it fails with a StateMigrationException when the state is first used (from Flink {}.{} on it works)",
            numbers.0, numbers.1, from.0, from.1
        ),
        None => format!("with {backend} the restore fails with a StateMigrationException before Flink {}.{}", from.0, from.1),
    }
}

fn scaled(size: Bytes, old: Millis, new: Millis) -> Bytes {
    let scaled = u128::from(size.0).saturating_mul(u128::from(new.as_ms())) / u128::from(old.as_ms()).max(1);
    Bytes(u64::try_from(scaled).unwrap_or(u64::MAX))
}

/// In decimal units, whole above a thousand of the smaller one: `434 MB`.
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
    fn state_grows_with_its_ttl() {
        let grown = scaled(Bytes(80_000_000), Millis::days(7), Millis::days(38));
        assert_eq!(Decimal(grown).to_string(), "434 MB");
    }

    #[test]
    fn a_switched_ttl_is_restored_by_some_versions_only() {
        let flink = |version: &str, backend: &str| {
            let flink = Flink { version: Some(version.to_owned()), state_backend: Some(backend.to_owned()), ..Flink::default() };
            ttl_switched(&flink).contains("can restore")
        };
        assert!(flink("2.1.0", "rocksdb") && flink("2.2", "hashmap") && flink("3.0", "rocksdb"));
        assert!(!flink("2.0", "rocksdb") && !flink("2.1", "hashmap") && !flink("1.18.1", "rocksdb") && !flink("2.3", "forst"));
    }
}
