use ttl_audit::{finding::Severity, manifest::Delivery};

use crate::world::World;

const RULE: &str = "sink-may-lose";

fn delivering(delivery: Option<Delivery>) -> World {
    let mut world = World::at("2026-09-15").writes("out");
    world.job.sinks.iter_mut().for_each(|sink| sink.delivery = delivery);
    world
}

#[test]
fn a_sink_without_guarantee_loses_what_was_on_its_way() {
    let answers = delivering(Some(Delivery::None)).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("Sink out") && finding.message.contains("is lost"), "{}", finding.message);
}

#[test]
fn twin_with_a_guarantee_is_quiet() {
    delivering(Some(Delivery::AtLeastOnce)).judge().quiet(RULE);
    delivering(Some(Delivery::ExactlyOnce)).judge().quiet(RULE);
}

#[test]
fn a_guarantee_that_nobody_states_is_unknown() {
    let answers = delivering(None).judge();
    assert_eq!(answers.unknown(RULE).unknown.reason, "the manifest does not state the delivery guarantee of sink out");
}
