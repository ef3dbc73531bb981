use ttl_audit::{
    evidence::{Fact, ObjectEvidence, Restore},
    finding::Severity,
    manifest::RestoreMode,
};

use crate::{
    scene::at,
    vault::{head, pasted, savepoint, vault},
};

const RULE: &str = "snapshot-restored-temporarily";

fn restored(until: &'static str) -> impl Fn(&mut ObjectEvidence) {
    move |object| object.head = head("GLACIER", |head| head.restore = Some(Restore::Until(at(until))))
}

/// Field case F03: "readable now" is not "readable when the job needs it".
#[test]
fn fires_with_the_day_on_which_the_first_copy_ends() {
    let copies = savepoint("a", "2026-08-01", "GLACIER").each("GLACIER", restored("2026-09-22"));
    let sooner = copies.files(1, 1 << 26, "DEEP_ARCHIVE").each("DEEP_ARCHIVE", |object| {
        object.head = head("DEEP_ARCHIVE", |head| head.restore = Some(Restore::Until(at("2026-09-20"))));
    });
    let answers = vault(vec![sooner]).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(finding.bites_on, Some(at("2026-09-20")));
    assert!(
        finding.message.contains("reads now, but only until 2026-09-20 00:00Z: 7 of 8 objects are restored copies"),
        "{}",
        finding.message
    );
    assert!(finding.message.contains("before the next audit (2026-12-16, by policy.horizon)"), "{}", finding.message);
    let paste = pasted(finding);
    assert!(paste.contains("--storage-class STANDARD --metadata-directive REPLACE --force-glacier-transfer"), "{paste}");
    assert_eq!(paste.matches(r#"--restore-request '{"Days":92}'"#).count(), 7, "{paste}");
    answers.quiet("snapshot-unreadable");
    answers.quiet("snapshot-tiering-exposed");
}

#[test]
fn twin_that_was_copied_back_is_quiet() {
    vault(vec![savepoint("a", "2026-09-12", "STANDARD")]).judge().quiet(RULE);
    let for_good = savepoint("a", "2026-08-01", "INTELLIGENT_TIERING").each("INTELLIGENT_TIERING", |object| {
        object.head = head("INTELLIGENT_TIERING", |head| head.restore = Some(Restore::ForGood));
    });
    vault(vec![for_good]).judge().quiet(RULE);
}

#[test]
fn a_restore_that_is_half_done_is_a_blocker_now_and_a_deadline_later() {
    let half = savepoint("a", "2026-03-11", "GLACIER")
        .each("GLACIER", restored("2026-09-20"))
        .files(2, 1 << 26, "DEEP_ARCHIVE")
        .each("DEEP_ARCHIVE", |object| object.head = head("DEEP_ARCHIVE", |head| head.restore = Some(Restore::Ongoing)));
    let answers = vault(vec![half]).judge();
    assert!(answers.fires(RULE).message.contains("cannot be read whole now"), "{}", answers.fires(RULE).message);
    let blocker = &answers.fires("snapshot-unreadable").message;
    assert!(blocker.contains("Restored copies of other objects end from 2026-09-20 00:00Z on."), "{blocker}");
}

#[test]
fn claim_mode_needs_the_copies_for_longer_than_the_restore() {
    let mut world = vault(vec![savepoint("a", "2026-08-01", "GLACIER").each("GLACIER", restored("2027-09-20"))]);
    assert!(!world.judge().fires(RULE).message.contains("later checkpoints"));
    assert!(world.judge().fires(RULE).message.contains("after the next audit"));
    world.recovery().restore.mode = RestoreMode::Claim;
    assert!(world.judge().fires(RULE).message.contains("later checkpoints may refer to these very files"));
}

#[test]
fn unknown_stays_unknown() {
    let denied = savepoint("a", "2026-08-01", "GLACIER").each("GLACIER", |object| object.head = Fact::denied("no right", "HeadObject"));
    let answers = vault(vec![denied]).judge();
    assert_eq!(answers.unknown(RULE).unknown.reason, "denied: no right");
    // A restore within Intelligent-Tiering has no end: what HEAD would say is not needed here.
    let listed = vault(vec![savepoint("a", "2026-08-01", "INTELLIGENT_TIERING")]).judge();
    listed.quiet(RULE);
}
