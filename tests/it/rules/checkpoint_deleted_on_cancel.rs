use ttl_audit::{evidence::Fact, finding::Severity, manifest::OnCancel};

use crate::{
    scene::{Snapshot, at},
    vault::savepoint,
    world::World,
};

const RULE: &str = "checkpoint-deleted-on-cancel";

fn cancelling(on_cancel: Option<OnCancel>) -> World {
    let checkpoint = Snapshot::new("b", "cp/0123/chk-7", at("2026-09-14T23:59:30Z"), 24_576).files(2, 1 << 26, "STANDARD");
    let mut world = World::at("2026-09-15").checkpoints("s3://b/cp/", vec![checkpoint]);
    world.recovery().checkpoints.as_mut().expect("checkpoints").on_cancel = on_cancel;
    world
}

#[test]
fn checkpoints_that_go_with_the_job_are_no_way_back() {
    let answers = cancelling(Some(OnCancel::Delete)).judge();
    assert_eq!(answers.severity(RULE), Severity::Warning);
    assert!(answers.fires(RULE).facts.iter().any(|fact| fact.name == "savepoints"));
    cancelling(Some(OnCancel::Delete)).savepoints("s3://b/sp/", Vec::new()).judge().fires(RULE);
}

#[test]
fn twin_that_retains_them_or_has_a_savepoint_is_quiet() {
    cancelling(Some(OnCancel::Retain)).judge().quiet(RULE);
    let savepoints = || vec![savepoint("a", "2026-09-10", "STANDARD")];
    cancelling(Some(OnCancel::Delete)).savepoints("s3://b/sp/", savepoints()).judge().quiet(RULE);
    cancelling(None).savepoints("s3://b/sp/", savepoints()).judge().quiet(RULE);
}

#[test]
fn what_nobody_states_or_saw_is_unknown() {
    assert!(cancelling(None).judge().unknown(RULE).unknown.reason.contains("`on_cancel`"));
    let unseen = cancelling(Some(OnCancel::Delete))
        .savepoints("s3://b/sp/", Vec::new())
        .at_place("s3://b/sp/", |place| place.snapshots = Fact::denied("no right to list", "ListObjectsV2"));
    assert!(unseen.judge().unknown(RULE).unknown.reason.contains("no right to list"));
}
