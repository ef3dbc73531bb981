//! Field case F42 with its twin.

use ttl_audit::{
    finding::Severity,
    manifest::{ClearedBy, Clearing, DeclaredRetention, Role},
    units::{Millis, Ttl},
};

use crate::{
    vault::pasted,
    world::{World, days},
};

const RULE: &str = "ttl-below-downtime";

/// A state of this TTL behind a source that keeps its records for four hours; the job may be down for eight.
fn codes(ttl: Ttl) -> World {
    let mut world = World::at("2026-09-15").reads_declared("codes", DeclaredRetention::For(Millis::hours(4))).remembers("open/codes", ttl);
    world.job.max_downtime = Some(Millis::hours(8));
    world
}

#[test]
fn f42_ttl_runs_on_while_the_job_is_down() {
    let answers = codes(Ttl::After(Millis::hours(6))).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("keeps an entry for 6h after its last access"), "{}", finding.message);
    assert!(finding.message.contains("the job may be down for 8h (the manifest)"), "{}", finding.message);
    assert!(pasted(finding).contains("Time.days(3)"), "{}", pasted(finding));
    codes(days(30)).judge().quiet(RULE);
}

#[test]
fn at_the_very_length_everything_has_expired() {
    codes(Ttl::After(Millis::hours(8))).judge().fires(RULE);
    codes(Ttl::After(Millis::hours(8).plus(Millis::new(1)))).judge().quiet(RULE);
}

#[test]
fn the_wording_follows_the_role() {
    let message = |role| codes(Ttl::After(Millis::hours(6))).role(role).judge().fires(RULE).message.clone();
    assert!(message(Role::Deduplication).contains("pass as new"));
    assert!(message(Role::Join).contains("find no partner"));
    assert!(message(Role::Session).contains("begin again from nothing"));
    let cache = codes(Ttl::After(Millis::hours(6))).role(Role::Cache).judge();
    assert_eq!(cache.severity(RULE), Severity::Note);
    let softened = codes(Ttl::After(Millis::hours(6))).writes("warehouse").idempotently().judge();
    assert_eq!(softened.severity(RULE), Severity::Note);
}

#[test]
fn twins_are_quiet() {
    codes(Ttl::Never).judge().quiet(RULE);
    // A louder rule speaks.
    let short = codes(Ttl::After(Millis::hours(3))).judge();
    short.fires("ttl-below-retention");
    short.quiet(RULE);
    // What a timer clears is cleared when the job is back, not while it is down.
    let timer = ClearedBy { by: Clearing::Timer, after: Some(Millis::hours(6)) };
    let mut timer =
        World::at("2026-09-15").reads_declared("codes", DeclaredRetention::For(Millis::hours(4))).remembers_until("open/codes", timer);
    timer.job.max_downtime = Some(Millis::hours(8));
    timer.judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let mut unstated = codes(Ttl::After(Millis::hours(6)));
    unstated.job.max_downtime = None;
    // A manifest that says nothing of restarts wants its TTLs compared with topics only.
    unstated.judge().quiet(RULE);
    unstated.recovery();
    assert_eq!(unstated.judge().unknown(RULE).severity, Severity::Warning);
    unstated.audit.policy.max_downtime = Some(Millis::hours(8));
    assert!(unstated.judge().fires(RULE).message.contains("(the policy)"));
    codes(Ttl::Unknown).judge().unknown(RULE);
}
