//! One test binary: one link step, one harness.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking; clippy's own exemption covers functions marked #[test] only, not what they share"
)]

#[cfg(feature = "live-tests")]
mod arithmetic_live;
mod audits;
mod baseline;
mod cli;
mod compare;
mod config_docs;
mod config_errors;
mod config_hostile;
mod config_load;
mod docs_console;
mod doctor;
#[cfg(feature = "live-tests")]
mod doctor_live;
#[cfg(feature = "live-tests")]
mod end_to_end;
mod exit_codes;
mod fixture;
mod folder;
mod formats;
#[cfg(feature = "live-tests")]
mod formats_browser;
mod formats_ci;
mod formats_client;
mod formats_waived;
mod harness;
#[cfg(feature = "kafka")]
mod kafka_ask;
#[cfg(feature = "live-tests")]
mod kafka_broker;
#[cfg(feature = "kafka")]
mod kafka_fake;
#[cfg(feature = "live-tests")]
mod kafka_live;
#[cfg(feature = "kafka")]
mod kafka_scripted;
mod lifecycle;
mod packaging;
#[cfg(feature = "live-tests")]
mod postgres_live;
mod product;
mod purity;
mod reach_cases;
mod recovery;
mod redact;
mod remedy;
mod rules;
#[cfg(feature = "s3")]
mod s3_fake;
#[cfg(feature = "s3")]
mod s3_harness;
#[cfg(feature = "live-tests")]
mod s3_live;
#[cfg(feature = "live-tests")]
mod s3_moto;
#[cfg(feature = "s3")]
mod s3_scripted;
mod same_topic;
mod savepoint;
mod scene;
mod schemas;
mod shipped;
mod snapshots;
#[cfg(feature = "live-tests")]
mod snapshots_live;
mod vault;
mod verdicts;
mod waivers;
mod window;
mod world;
