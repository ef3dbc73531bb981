use ttl_audit::{analysis::recovery::LossState, evidence::Fact, finding::Severity, manifest::OnCancel};

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

/// Field case F24: no high availability, no savepoint, and checkpoints that go with the job: nothing is left to start from.
#[test]
fn after_a_redeployment_there_is_nothing_to_start_from() {
    let job = |recovery: &str| {
        let yaml = format!("version: 1\njob: orders\nsources: [{{ id: feed, kind: other, retention: unlimited }}]\nrecovery:\n{recovery}");
        cancelling(None).manifest(&yaml)
    };
    let bare = job("  checkpoints: { location: s3://b/cp/, interval: 60s, on_cancel: delete }\n");
    assert_eq!(bare.judge().severity(RULE), Severity::Warning);
    let headline = bare.analyse().outlook.without_loss;
    assert_eq!(headline.state, LossState::No);
    assert!(headline.because.contains("cancelling the job deletes its checkpoints"), "{}", headline.because);
    // The twin keeps them, and says from which it starts.
    let twin =
        job("  checkpoints: { location: s3://b/cp/, interval: 60s, on_cancel: retain }\n  restore: { from: s3://b/cp/0123/chk-7 }\n");
    twin.judge().quiet(RULE);
    assert_ne!(twin.analyse().outlook.without_loss.state, LossState::No);
}
