//! The `policy:` block of an audit file.

use std::collections::BTreeMap;

use super::{ClassPolicy, FailOn};
use crate::{finding::Level, units::Millis};

/// What is tolerated, and what trips the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Head room above the retention. Default 2 d.
    pub safety_margin: Millis,
    /// For jobs that state none. `None`: not stated; rules that need it say so.
    pub max_downtime: Option<Millis>,
    /// How far ahead to look: the next audit. Default 92 d.
    pub horizon: Millis,
    /// From when on evidence is stale. Default 30 d.
    pub evidence_max_age: Millis,
    /// From which severity on the gate trips. Default error.
    pub fail_on: FailOn,
    /// By rule id.
    pub severity: BTreeMap<String, Level>,
    /// Which storage classes recovery files may be in.
    pub classes: ClassPolicy,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            safety_margin: Millis::days(2),
            max_downtime: None,
            horizon: Millis::days(92),
            evidence_max_age: Millis::days(30),
            fail_on: FailOn::default(),
            severity: BTreeMap::new(),
            classes: ClassPolicy::default(),
        }
    }
}
