use ttl_audit::{
    evidence::{Fact, ObjectHead, StoreKind, Versioning, VersioningStatus},
    finding::Severity,
    units::Instant,
};

use crate::{
    scene::{Snapshot, at},
    vault::{head, now, pasted, vault},
    world::World,
};

const RULE: &str = "recovery-unprotected";

fn versioning(world: World, status: VersioningStatus) -> World {
    let versioning = Fact::seen(Versioning { status, mfa_delete: false }, "b", "GetBucketVersioning", now());
    world.in_bucket("b", |bucket| bucket.versioning = versioning)
}

/// A savepoint whose `_metadata` was asked by HEAD.
fn with_lock(change: fn(&mut ObjectHead)) -> World {
    let savepoint =
        Snapshot::new("b", "sp/savepoint-a", at("2026-09-10"), 24_576).each("STANDARD", |object| object.head = head("STANDARD", change));
    vault(vec![savepoint])
}

fn locked_until(until: Instant) -> impl FnOnce(&mut ObjectHead) {
    move |head| {
        head.lock_mode = Some("GOVERNANCE".to_owned());
        head.lock_until = Some(until);
    }
}

#[test]
fn fires_without_versioning() {
    let answers = with_lock(|_| {}).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Note);
    assert!(
        finding.message.contains("versioning of bucket b is never switched on, and Object Lock, which needs versioning"),
        "{}",
        finding.message
    );
    assert!(pasted(finding).contains("put-bucket-versioning --bucket b --versioning-configuration Status=Enabled"));
    // A lock is no protection against tiering, and nothing here says so.
    assert!(finding.remedy.iter().any(|way| way.say.contains("stops neither a transition to another class nor a delete marker")));
    // Without versioning a bucket of AWS has no lock: HEAD is not needed.
    let unasked = vault(vec![Snapshot::new("b", "sp/savepoint-a", at("2026-09-10"), 1)]);
    let suspended = versioning(unasked, VersioningStatus::Suspended).judge();
    assert!(suspended.fires(RULE).message.contains("deletes for good what was written since it was suspended"));
}

#[test]
fn twins_that_are_guarded_are_quiet() {
    // With versioning nothing needs to be known about the lock.
    let unasked = vault(vec![Snapshot::new("b", "sp/savepoint-a", at("2026-09-10"), 1)]);
    versioning(unasked, VersioningStatus::Enabled).judge().quiet(RULE);
    // With a lock nothing needs to be known about versioning.
    let denied = |world: World| world.in_bucket("b", |bucket| bucket.versioning = Fact::denied("needs s3:GetBucketVersioning", "call"));
    denied(with_lock(|head| locked_until(at("2027-01-01"))(head))).judge().quiet(RULE);
    denied(with_lock(|head| head.legal_hold = true)).judge().quiet(RULE);
    assert_eq!(denied(with_lock(|head| locked_until(now())(head))).judge().unknown(RULE).severity, Severity::Note);
}

#[test]
fn on_another_store_the_lock_is_asked_for() {
    let other = |world: World| world.in_bucket("b", |bucket| bucket.store.kind = StoreKind::Other);
    assert!(other(with_lock(|_| {})).judge().fires(RULE).message.contains("the bucket has no Object Lock"));
    let unsupported = |world: World| other(world).in_bucket("b", |bucket| bucket.object_lock = Fact::unsupported("NotImplemented", "call"));
    assert!(unsupported(with_lock(|_| {})).judge().fires(RULE).message.contains("shows no lock that is in force"));
    unsupported(with_lock(|head| locked_until(at("2027-01-01"))(head))).judge().quiet(RULE);
    let unasked = vault(vec![Snapshot::new("b", "sp/savepoint-a", at("2026-09-10"), 1)]);
    assert!(unsupported(unasked).judge().unknown(RULE).unknown.reason.starts_with("not asked"));
}

#[test]
fn unknown_stays_unknown() {
    let poor = with_lock(|_| {}).in_bucket("b", |bucket| bucket.versioning = Fact::unsupported("NotImplemented", "GetBucketVersioning"));
    let answers = poor.judge();
    assert_eq!(answers.unknown(RULE).unknown.reason, "unsupported: NotImplemented");
    assert_eq!(answers.unknown(RULE).severity, Severity::Note);
}
