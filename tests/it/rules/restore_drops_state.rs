use ttl_audit::{finding::Severity, manifest::RestoreFrom};

use crate::{
    vault::{savepoint, vault},
    world::{World, days},
};

const RULE: &str = "restore-drops-state";

fn allowing(allowed: bool) -> World {
    let mut world = vault(vec![savepoint("a", "2026-09-10", "STANDARD")]).remembers("dedup/seen", days(7));
    world.recovery().restore.allow_non_restored_state = allowed;
    world
}

#[test]
fn non_restored_state_is_dropped_without_an_error() {
    let answers = allowing(true).judge();
    assert_eq!(answers.severity(RULE), Severity::Warning);
    assert!(answers.fires(RULE).message.contains("without an error"));
}

#[test]
fn twin_that_does_not_allow_it_is_quiet() {
    allowing(false).judge().quiet(RULE);
}

#[test]
fn where_nothing_is_restored_or_declared_another_rule_speaks() {
    for world in [allowing(true).restored_from(RestoreFrom::None), World::at("2026-09-15")] {
        let answers = world.judge();
        answers.quiet(RULE);
        assert!(answers.results.judged.iter().all(|meta| meta.id != RULE));
    }
}
