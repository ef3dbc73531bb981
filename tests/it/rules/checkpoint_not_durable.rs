use ttl_audit::{finding::Severity, units::Location};

use crate::world::World;

const RULE: &str = "checkpoint-not-durable";

fn at(location: &str) -> World {
    World::at("2026-09-15").checkpoints(location, Vec::new())
}

#[test]
fn what_lies_on_the_job_manager_is_gone_with_it() {
    let answers = at("jobmanager").judge();
    assert_eq!(answers.severity(RULE), Severity::Error);
    assert!(answers.fires(RULE).message.contains("job manager's memory"));
}

#[test]
fn a_local_path_counts_unless_every_machine_mounts_it() {
    assert!(at("file:///checkpoints/job").judge().fires(RULE).message.contains("every machine mounts"));
}

#[test]
fn twin_on_shared_storage_is_quiet() {
    at("s3://b/cp/").judge().quiet(RULE);
    at("hdfs://name/cp/").judge().quiet(RULE);
}

#[test]
fn without_a_location_nothing_is_judged() {
    let mut world = at("s3://b/cp/");
    let none: Option<ttl_audit::manifest::At<Location>> = None;
    world.recovery().checkpoints.as_mut().expect("checkpoints").location = none;
    for world in [world, World::at("2026-09-15")] {
        let answers = world.judge();
        answers.quiet(RULE);
        assert!(answers.results.judged.iter().all(|meta| meta.id != RULE));
    }
}
