//! By how much state grows with its TTL.

use super::snapshots::{RecoveryView, SnapshotView};
use crate::{
    savepoint::{self, summary::OperatorSummary},
    units::{Bytes, Millis, S3Location},
};

/// How large a state is now, from the newest snapshot. It is never the size of that state alone, which Flink does not store: what else is in it
/// is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSize {
    /// The snapshot that it was measured in.
    pub snapshot: S3Location,
    /// How large.
    pub bytes: Bytes,
    /// Of what.
    pub of: Measured,
}

/// What a size was measured of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Everything that the operator keeps, as its `_metadata` counts it, and how many keyed states of it were seen; 0: their headers were not
    /// read.
    Operator {
        /// How many keyed states.
        states: usize,
    },
    /// Every object that the snapshot needs, of all operators together.
    Snapshot,
}

impl StateSize {
    /// The size of what holds the state of this operator (uid or hash), in the newest snapshot. `None`: no snapshot, or its size is not known.
    #[must_use]
    pub fn of(operator: &str, recovery: &RecoveryView) -> Option<Self> {
        let newest = recovery.places.iter().filter_map(|place| place.newest().ok().flatten()).max_by_key(|snapshot| snapshot.taken_at)?;
        let snapshot = newest.location.clone();
        if let Some(seen) = operator_in(newest, operator).filter(|seen| seen.state_size > Bytes(0)) {
            return Some(Self { snapshot, bytes: seen.state_size, of: Measured::Operator { states: seen.keyed_states.len() } });
        }
        let (_, bytes) = newest.size()?;
        Some(Self { snapshot, bytes, of: Measured::Snapshot })
    }

    /// The size with another TTL, if keys go on to arrive as evenly as they did.
    #[must_use]
    pub fn with(&self, old: Millis, new: Millis) -> Bytes {
        let scaled = u128::from(self.bytes.0).saturating_mul(u128::from(new.as_ms())) / u128::from(old.as_ms()).max(1);
        Bytes(u64::try_from(scaled).unwrap_or(u64::MAX))
    }
}

fn operator_in<'s>(snapshot: &'s SnapshotView, operator: &str) -> Option<&'s OperatorSummary> {
    let hash = savepoint::OperatorId::from_uid(operator).to_string();
    snapshot.metadata.as_ref().ok()?.operators.iter().find(|seen| seen.id == hash || seen.id == operator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_grows_with_the_ttl() {
        let snapshot = S3Location::new("bucket", "chk-1");
        let size = |bytes| StateSize { snapshot: snapshot.clone(), bytes: Bytes(bytes), of: Measured::Snapshot };
        assert_eq!(size(80_000_000).with(Millis::days(7), Millis::days(38)), Bytes(434_285_714));
        assert_eq!(size(80_000_000).with(Millis::days(7), Millis::days(32)), Bytes(365_714_285));
        assert_eq!(size(u64::MAX).with(Millis::new(1), Millis::new(u64::MAX)), Bytes(u64::MAX), "it stops at the largest amount");
    }
}
