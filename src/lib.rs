//! `ttl-audit` answers one question for every Apache Flink job: if it stops now, can it come back without losing records and without
//! writing them twice?
//!
//! ```text
//! manifests ─┐
//!            ├─ collect (Kafka, S3) ─→ evidence ─┐
//! audit.yaml ┘                                   ├─ analysis ─→ rules ─→ policy ─→ report
//!                     manifests, audit, as-of ───┘
//! ```
//!
//! Everything right of the evidence is a pure function of manifests, audit file, evidence and as-of: no clock, no file, no network, no
//! environment. Only [`load`], `collect` and `commands` touch the world.

pub mod analysis;
pub mod audit;
pub mod collect;
pub mod compare;
pub mod doctor;
pub mod evidence;
pub mod exit;
pub mod finding;
pub mod load;
pub mod manifest;
pub mod policy;
pub mod remedy;
pub mod report;
pub mod rules;
pub mod savepoint;
pub mod schema;
pub mod units;
pub mod yaml;
