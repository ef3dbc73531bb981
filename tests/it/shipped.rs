//! The evidence of the shipped audits, in the very form that the program captures.
//!
//! `UPDATE_GOLDENS=1 cargo test --no-default-features --test it shipped` writes it again when the form changes.

mod buckets;
mod delivery;
mod downtime;
mod fleet;
mod incremental;
mod meridian;
mod waived;

use std::fs;

use ttl_audit::{evidence::Evidence, load};

use crate::{fixture, harness::in_root};

#[test]
fn shipped_meridian() {
    compare("meridian", &meridian::incident());
}

#[test]
fn shipped_meridian_fixed() {
    compare("meridian-fixed", &meridian::repaired());
}

#[test]
fn shipped_fleet() {
    compare("fleet", &fleet::fleet());
}

#[test]
fn shipped_waived() {
    compare("waived", &waived::evidence(waived::NOW));
}

#[test]
fn shipped_buckets() {
    compare("buckets", &buckets::buckets_at_work());
}

#[test]
fn shipped_incremental() {
    compare("incremental", &incremental::incremental());
}

#[test]
fn shipped_delivery() {
    compare("delivery", &delivery::pairs());
}

#[test]
fn shipped_downtime() {
    compare("downtime", &downtime::downtime());
}

fn compare(audit: &str, evidence: &Evidence) {
    let mut evidence = evidence.clone();
    let loaded = load::audits(&[in_root("audits").join(audit)]).expect("a shipped audit");
    fixture::read_metadata(loaded.iter().flat_map(|loaded| &loaded.audit.jobs), &mut evidence);
    let path = in_root("audits").join(audit).join("evidence.json");
    let text = evidence.to_json().expect("evidence can be written");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&path, &text).expect("the file can be written");
    }
    let committed = fs::read_to_string(&path).expect("the evidence is committed");
    assert!(committed == text, "{} is not what this program writes; see the top of this module", path.display());
}
