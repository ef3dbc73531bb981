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

/// Field case F21: `upgradeMode: last-state` of the operator, and nothing that says which state was the last.
#[test]
fn an_upgrade_from_the_last_state_without_high_availability() {
    let job = |more: &str| {
        let yaml = format!(
            "version: 1\njob: orders\nflink: {{ version: 1.17.2, platform: kubernetes-operator }}\nsources: [{{ id: orders, topic: orders }}]\nrecovery:\n  \
             checkpoints: {{ location: s3://b/cp/, interval: 60s, on_cancel: retain }}\n  restore: {{ from: last-state }}\n{more}"
        );
        from(RestoreFrom::LastState).highly_available("s3://b/ha/").manifest(&yaml).judge()
    };
    let answers = job("");
    let finding = answers.fires(RULE);
    assert_eq!((finding.severity, finding.position.line), (Severity::Error, 7));
    let twin = job("  high_availability: s3://b/ha/\n");
    twin.quiet(RULE);
}
