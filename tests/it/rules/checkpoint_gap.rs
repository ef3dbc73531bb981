use ttl_audit::{
    finding::{Amount, Severity},
    manifest::{Delivery, Role, SinkKind},
    units::Millis,
};

use crate::{
    scene::meridian_topic,
    world::{World, days},
};

const RULE: &str = "checkpoint-gap";

fn delivering(delivery: Option<Delivery>) -> World {
    let mut world = World::at("2026-09-15")
        .reads("events", &meridian_topic())
        .remembers("dedup/seen", days(40))
        .writes("warehouse")
        .checkpoints("s3://b/cp/", Vec::new());
    world.recovery().checkpoints.as_mut().expect("checkpoints").interval = Some(Millis::minutes(1));
    world.job.sinks.iter_mut().for_each(|sink| sink.delivery = delivery);
    world
}

#[test]
fn what_came_after_the_checkpoint_is_written_twice() {
    let answers = delivering(Some(Delivery::AtLeastOnce)).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("No TTL changes that"), "{}", finding.message);
    assert!(finding.facts.iter().any(|fact| fact.amount == Amount::Records(30)), "{:#?}", finding.facts);
}

#[test]
fn twin_that_is_transactional_or_idempotent_or_does_not_deduplicate_is_quiet() {
    delivering(Some(Delivery::ExactlyOnce)).judge().quiet(RULE);
    delivering(Some(Delivery::AtLeastOnce)).idempotently().judge().quiet(RULE);
    delivering(Some(Delivery::AtLeastOnce)).role(Role::Aggregation).judge().quiet(RULE);
}

#[test]
fn a_guarantee_that_nobody_states_is_unknown_where_the_connector_can() {
    let answers = delivering(None).judge();
    assert!(answers.unknown(RULE).unknown.reason.contains("does not state the delivery guarantee of sink warehouse"));
    let mut firehose = delivering(None);
    firehose.job.sinks[0].kind = SinkKind::Firehose;
    firehose.judge().fires(RULE);
}
