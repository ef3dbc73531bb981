//! The view of a job's snapshots: which there are, which one a restart takes, what of it reads.

use ttl_audit::{
    analysis::snapshots::{Readable, RecoveryView},
    evidence::{Fact, ObjectEvidence, Restore},
    manifest::RestoreFrom,
    units::{Bytes, Location},
};

use crate::{
    scene::{Snapshot, at},
    vault::{head, s3, savepoint, vault},
    world::World,
};

fn view(world: &World) -> RecoveryView {
    world.analyse().recovery
}

fn checkpoint(n: u32, taken: &str) -> Snapshot {
    Snapshot::new("b", &format!("cp/0f/chk-{n}"), at(taken), 4_096)
}

fn selected(world: &World, from: RestoreFrom) -> Option<String> {
    let view = view(&world.clone().restored_from(from));
    view.selected.expect("a recovery block").expect("known").map(|folder| folder.to_string())
}

#[test]
fn restore_from_selects() {
    let world = vault(vec![savepoint("old", "2026-08-01", "STANDARD"), savepoint("new", "2026-09-01", "STANDARD")])
        .checkpoints("s3://b/cp", vec![checkpoint(7, "2026-09-14"), checkpoint(8, "2026-09-14T23:59:00Z")]);
    let chk = Some("s3://b/cp/0f/chk-8/".to_owned());
    assert_eq!(selected(&world, RestoreFrom::Latest), chk);
    assert_eq!(selected(&world, RestoreFrom::Checkpoint), chk);
    assert_eq!(selected(&world, RestoreFrom::LastState), chk);
    assert_eq!(selected(&world, RestoreFrom::Savepoint).as_deref(), Some("s3://b/sp/savepoint-new/"));
    assert_eq!(selected(&world, RestoreFrom::None), None);
    let old = RestoreFrom::Location(Location::S3(s3("s3://b/sp/savepoint-old")));
    let old_alone = savepoint("old", "2026-08-01", "STANDARD");
    let pinned = world.clone().savepoints("s3://b/sp/savepoint-old", vec![old_alone]);
    assert_eq!(selected(&pinned, old).as_deref(), Some("s3://b/sp/savepoint-old/"));
    assert!(view(&world).selects(&s3("s3://b/cp/0f/chk-8")));
}

#[test]
fn a_place_that_could_hold_a_newer_one_makes_the_choice_unknown() {
    let denied = Fact::denied("needs s3:ListBucket", "ListObjectsV2");
    let world = vault(vec![savepoint("new", "2026-09-01", "STANDARD")])
        .checkpoints("s3://b/cp", Vec::new())
        .at_place("s3://b/cp", |place| place.snapshots = denied);
    assert!(view(&world).selected.expect("a recovery block").is_err());
    assert!(selected(&world, RestoreFrom::Savepoint).is_some());
}

/// Field case F18: one folder in many spellings is one place.
#[test]
fn a_location_in_two_spellings_is_one_place() {
    let one = || vec![savepoint("a", "2026-09-01", "STANDARD")];
    let world = vault(one()).savepoints("s3a://b/sp", one()).savepoints("s3p://b/sp/_metadata", one());
    assert_eq!(view(&world).places.len(), 1);
    assert_eq!(view(&world.savepoints("s3://c/sp/", Vec::new())).places.len(), 2);
}

#[test]
fn a_snapshot_is_summed_up() {
    let mixed = savepoint("a", "2026-09-01", "GLACIER").each("GLACIER", |object: &mut ObjectEvidence| {
        object.head = head("GLACIER", |head| head.restore = Some(Restore::Until(at("2026-09-20"))));
    });
    let world = vault(vec![mixed]);
    let view = view(&world);
    let snapshot = view.places.first().expect("a place").newest().expect("known").expect("a snapshot");
    assert_eq!(snapshot.size(), Some((7, Bytes(24_576 + 6 * (1 << 26)))));
    assert_eq!(snapshot.classes().into_iter().collect::<Vec<_>>(), [("GLACIER".to_owned(), 6), ("STANDARD".to_owned(), 1)]);
    assert_eq!(snapshot.readable(), Readable::Yes);
    assert_eq!(snapshot.readable_until(), Some(at("2026-09-20")));
}

#[test]
fn a_listing_without_objects_is_moving_and_not_clean() {
    let world = vault(vec![savepoint("a", "2026-09-01", "STANDARD")]).at_place("s3://b/sp", |place| {
        if let Fact::Seen(seen) = &mut place.snapshots {
            seen.value[0].objects = Fact::seen(Vec::new(), "b", "ListObjectsV2", at("2026-09-15"));
        }
    });
    let answers = world.judge();
    assert!(answers.unknown("snapshot-unreadable").unknown.reason.starts_with("moving"));
}
