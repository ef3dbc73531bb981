use ttl_audit::{finding::Severity, manifest::RestoreFrom};

use crate::{
    scene::{Snapshot, at},
    vault::s3,
    world::{World, stated},
};

const RULE: &str = "ha-missing";

fn from(from: RestoreFrom) -> World {
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", at("2026-09-14T23:59:30Z"), 24_576).files(2, 1 << 26, "STANDARD");
    World::at("2026-09-15").checkpoints("s3://b/cp/", vec![checkpoint]).restored_from(from)
}

#[test]
fn the_last_state_needs_high_availability() {
    let answers = from(RestoreFrom::LastState).judge();
    assert_eq!(answers.severity(RULE), Severity::Error);
    assert!(answers.fires(RULE).message.contains("which checkpoint was the last"));
}

#[test]
fn twin_that_has_it_or_needs_none_is_quiet() {
    let mut world = from(RestoreFrom::LastState);
    world.recovery().high_availability = Some(stated(ttl_audit::units::Location::S3(s3("s3://b/ha/"))));
    world.judge().quiet(RULE);
    from(RestoreFrom::Latest).judge().quiet(RULE);
}

#[test]
fn without_a_recovery_block_nothing_is_judged() {
    let answers = World::at("2026-09-15").judge();
    answers.quiet(RULE);
    assert!(answers.results.judged.iter().all(|meta| meta.id != RULE));
}
