use ttl_audit::{
    finding::Severity,
    manifest::{RestoreFrom, Role},
};

use crate::{
    vault::{savepoint, vault},
    world::{World, days},
};

const RULE: &str = "restore-skips-state";

fn from(from: RestoreFrom) -> World {
    vault(vec![savepoint("a", "2026-09-10", "STANDARD")]).remembers("dedup/seen", days(7)).restored_from(from)
}

#[test]
fn a_job_with_state_that_restarts_from_nothing() {
    let answers = from(RestoreFrom::None).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("declares state in dedup") && finding.message.contains("no TTL helps"), "{}", finding.message);
}

#[test]
fn a_cache_refills_itself() {
    assert_eq!(from(RestoreFrom::None).role(Role::Cache).judge().severity(RULE), Severity::Note);
}

#[test]
fn twin_that_takes_a_snapshot_or_has_no_state_is_quiet() {
    from(RestoreFrom::Latest).judge().quiet(RULE);
    vault(Vec::new()).restored_from(RestoreFrom::None).judge().quiet(RULE);
}

#[test]
fn without_a_recovery_block_nothing_is_judged() {
    let answers = World::at("2026-09-15").remembers("dedup/seen", days(7)).judge();
    answers.quiet(RULE);
    assert!(answers.results.judged.iter().all(|meta| meta.id != RULE));
}

/// Field case F23: `upgradeMode: stateless`, and two operators with keyed state.
#[test]
fn a_stateless_upgrade_of_a_job_with_state() {
    let job = |operators: &str| {
        let yaml = format!(
            "version: 1\njob: orders\nflink: {{ platform: kubernetes-operator }}\nsources: [{{ id: orders, topic: orders }}]\n{operators}recovery:\n  \
             savepoints: [s3://b/sp/]\n  restore: {{ from: none }}\n"
        );
        vault(vec![savepoint("a", "2026-09-10", "STANDARD")]).manifest(&yaml).judge()
    };
    let answers = job(
        "operators:\n  - { uid: dedup, role: deduplication, ttl: 7d, state: [{ name: seen }] }\n  - { uid: totals, role: aggregation, ttl: 7d, state: [{ \
         name: sum }] }\n",
    );
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("dedup, totals"), "{}", finding.message);
    job("").quiet(RULE);
}
