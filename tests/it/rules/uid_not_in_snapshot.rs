use ttl_audit::{
    evidence::Fact,
    finding::Severity,
    units::{Millis, Ttl},
};

use crate::{
    fixture,
    scene::{Topic, at},
    vault::now,
    world::World,
};

const RULE: &str = "uid-not-in-snapshot";
const PLACE: &str = "s3://acme-flink/savepoints/";

fn world() -> World {
    let snapshot = fixture::snapshot("1.18.1/hashmap-canonical-savepoint", at("2026-09-10"), now());
    World::at("2026-09-15T00:00:00Z").holds(PLACE, snapshot)
}

#[test]
fn fires_on_an_operator_that_the_snapshot_lacks() {
    let answers = world().remembers("dedup-v2/seen-event-ids", Ttl::After(Millis::days(7))).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.starts_with("dedup-v2 (id "), "{}", finding.message);
    assert!(finding.message.contains("Its state would start empty, where no TTL helps."), "{}", finding.message);
    assert!(finding.message.contains("id 5a872f3a73b9dad53994e3e6e14f16e6"), "dedup is in the snapshot: {}", finding.message);
}

/// Field case F32: a new uid for the source, old state for the rest.
#[test]
fn fires_on_a_source_with_a_new_uid_and_names_what_is_replayed() {
    let now = now();
    let topic = Topic::new(now, now.minus(Millis::days(7)), 2, 100).set("message.timestamp.type", "LogAppendTime");
    let renamed = |uid: &str| {
        let mut world = world().reads("orders", &topic).remembers("dedup/seen-event-ids", Ttl::After(Millis::days(1)));
        world.job.sources[0].uid = Some(uid.to_owned());
        world.judge()
    };
    let answers = renamed("orders-source-v2");
    let message = &answers.fires(RULE).message;
    assert!(message.contains("everything that the topic still keeps is read once more"), "{message}");
    assert!(message.contains("Topic orders keeps at least 7d"), "{message}");
    assert!(message.contains("lives for 1d"), "{message}");
    renamed("orders-source").quiet(RULE);
}

#[test]
fn its_twin_is_quiet() {
    world().remembers("dedup/seen-event-ids", Ttl::After(Millis::days(7))).judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let world = world().remembers("dedup/seen-event-ids", Ttl::After(Millis::days(7))).at_place(PLACE, |place| {
        let Fact::Seen(seen) = &mut place.snapshots else { panic!("seen") };
        seen.value[0].metadata = Fact::denied("needs s3:GetObject", "GetObject");
    });
    assert_eq!(world.judge().unknown(RULE).unknown.reason, "denied: needs s3:GetObject");
}
