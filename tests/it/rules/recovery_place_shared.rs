use ttl_audit::finding::Severity;

use crate::world::World;

const RULE: &str = "recovery-place-shared";

fn job(name: &str, high_availability: &str) -> World {
    let mut world = World::at("2026-09-15T00:00:00Z").highly_available(high_availability);
    name.clone_into(&mut world.job.job.value);
    world
}

/// The first job, in an audit of both.
fn beside(mut one: World, other: World) -> World {
    one.audit.jobs = vec![one.job.clone(), other.job];
    one
}

#[test]
fn fires_for_one_place_and_for_one_inside_the_other() {
    for other in ["s3a://b/ha/", "s3://b/ha/other/", "s3://b/"] {
        let answers = beside(job("orders", "s3://b/ha/"), job("payments", other)).judge();
        let finding = answers.fires(RULE);
        assert_eq!(finding.severity, Severity::Warning);
        assert!(finding.message.contains("is declared by payments ("), "{}", finding.message);
        assert_eq!(answers.subjects(RULE), ["s3://b/ha/ high-availability place"]);
    }
    let elsewhere = beside(job("orders", "hdfs://nn/ha"), job("payments", "hdfs://nn/ha/payments/"));
    elsewhere.judge().fires(RULE);
}

#[test]
fn twins_are_quiet() {
    for other in ["s3://b/ha2/", "s3://c/ha/", "hdfs://nn/ha/"] {
        beside(job("orders", "s3://b/ha/"), job("payments", other)).judge().quiet(RULE);
    }
    // The same location for another purpose, and for savepoints, which may lie together.
    let changelog = World::at("2026-09-15T00:00:00Z").logs_changes("s3://b/ha/").savepoints("s3://b/sp/", Vec::new());
    beside(job("orders", "s3://b/ha/").savepoints("s3://b/sp/", Vec::new()), changelog).judge().quiet(RULE);
    job("orders", "s3://b/ha/").judge().quiet(RULE);
}

/// It compares manifests alone, so it needs nothing that could be unknown.
#[test]
fn nothing_is_unknown_to_it() {
    let mut world = beside(job("orders", "s3://b/ha/"), job("payments", "s3://b/ha/"));
    world.evidence.buckets.clear();
    world.evidence.places.clear();
    let answers = world.judge();
    answers.fires(RULE);
    assert!(answers.reasons(RULE).is_empty());
}
