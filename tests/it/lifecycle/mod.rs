//! What a bucket's rules do to an object.

mod oracle;

use ttl_audit::{
    analysis::lifecycle::Simulator,
    evidence::{Lifecycle, Store, StoreKind, TieringConfiguration, Versioning, VersioningStatus},
    units::Instant,
};

fn at(text: &str) -> Instant {
    text.parse().expect("an instant")
}

fn simulator(lifecycle: &Lifecycle, tierings: &[TieringConfiguration], versioning: VersioningStatus, kind: StoreKind) -> Simulator {
    let versioning = Versioning { status: versioning, mfa_delete: false };
    Simulator::new(lifecycle, tierings, Some(&versioning), None, &Store { kind, because: "a test".to_owned() })
}
