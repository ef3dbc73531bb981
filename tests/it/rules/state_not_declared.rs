use ttl_audit::{
    evidence::Fact,
    finding::Severity,
    units::{Millis, Ttl},
};

use crate::{fixture, scene::at, vault::now, world::World};

const RULE: &str = "state-not-declared";
const PLACE: &str = "s3://acme-flink/checkpoints/";

fn world() -> World {
    let snapshot = fixture::snapshot("1.18.1/inlined-incremental-checkpoint", at("2026-09-14T23:59:00Z"), now());
    World::at("2026-09-15T00:00:00Z").holds(PLACE, snapshot)
}

/// Every operator of the demo job with keyed state.
const KEYED: [&str; 5] = [
    "5a872f3a73b9dad53994e3e6e14f16e6",
    "85531fad4c4c6554c97d960a51f96c25",
    "a6ef75261ad0f882869b3fc0b71bfcf7",
    "ca66d3be734d272b23819cbd4b5a7bee",
    "ee4fdc277c9b67a56c0dd24fc93ea85b",
];

fn declaring(ids: &[&str]) -> World {
    ids.iter().fold(world(), |world, id| {
        world.remembers(&format!("{id}/state"), Ttl::After(Millis::days(7))).operator(|operator| {
            operator.id.value = ttl_audit::manifest::OperatorId::Hash((*id).to_owned());
        })
    })
}

#[test]
fn fires_on_keyed_state_that_the_manifest_does_not_mention() {
    let answers = declaring(&KEYED[1..]).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("keyed state of 1 operator that the manifest does not mention: id 5a872f3a"), "{}", finding.message);
    assert!(finding.message.contains("seen-event-ids"), "{}", finding.message);
    let paste = finding.remedy[0].paste.as_deref().expect("something to paste");
    assert!(paste.contains("- uid_hash: 5a872f3a73b9dad53994e3e6e14f16e6"), "{paste}");
}

#[test]
fn its_twin_is_quiet_and_operator_state_needs_no_declaration() {
    declaring(&KEYED).judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let world = world().at_place(PLACE, |place| {
        let Fact::Seen(seen) = &mut place.snapshots else { panic!("seen") };
        seen.value[0].metadata = Fact::denied("needs s3:GetObject", "GetObject");
    });
    assert_eq!(world.judge().unknown(RULE).unknown.reason, "denied: needs s3:GetObject");
}
