use ttl_audit::{
    evidence::{Fact, ObjectEvidence, Restore, StoreKind},
    finding::Severity,
    manifest::RestoreFrom,
    units::Bytes,
};

use crate::{
    scene::at,
    vault::{head, pasted, savepoint, vault},
};

const RULE: &str = "snapshot-unreadable";

fn archived(class: &'static str) -> impl Fn(&mut ObjectEvidence) {
    move |object| object.head = head(class, |_| {})
}

#[test]
fn fires_on_archived_state_files_under_a_metadata_that_reads() {
    let sunk = savepoint("a", "2026-08-01", "GLACIER").each("GLACIER", archived("GLACIER"));
    let answers = vault(vec![sunk]).restored_from(RestoreFrom::Savepoint).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("Archived: 6 of 7 objects. 6 in GLACIER (00000001-"), "{}", finding.message);
    assert!(finding.message.contains(" and 3 more)"), "{}", finding.message);
    assert!(finding.message.contains("`_metadata` itself reads"), "{}", finding.message);
    assert!(finding.message.contains("the declared way of restarting takes"), "{}", finding.message);
    let paste = pasted(finding);
    assert_eq!(paste.matches("aws s3api restore-object --bucket b --key sp/savepoint-a/0000000").count(), 6, "{paste}");
    assert!(paste.contains(r#"--restore-request '{"Days":14,"GlacierJobParameters":{"Tier":"Standard"}}'"#), "{paste}");
    assert!(paste.contains(
        "aws s3 cp s3://b/sp/savepoint-a/ s3://b/sp/savepoint-a/ --recursive --storage-class STANDARD \
         --metadata-directive REPLACE --force-glacier-transfer"
    ));
    // Not a matter of policy.
    answers.quiet("snapshot-tiering-exposed");
}

#[test]
fn one_archived_file_is_enough_and_a_running_restore_does_not_help_yet() {
    let one = savepoint("a", "2026-08-01", "STANDARD").files(1, 1 << 26, "DEEP_ARCHIVE").each("DEEP_ARCHIVE", archived("DEEP_ARCHIVE"));
    let answers = vault(vec![one]).judge();
    assert!(
        answers.fires(RULE).message.contains("Archived: 1 of 8 objects. 1 in DEEP_ARCHIVE (00000007-"),
        "{}",
        answers.fires(RULE).message
    );
    assert!(answers.fires(RULE).remedy.iter().any(|way| way.say.contains("Standard within 12 hours, Bulk within 48 hours")));

    let running = savepoint("a", "2026-08-01", "GLACIER")
        .each("GLACIER", |object| object.head = head("GLACIER", |head| head.restore = Some(Restore::Ongoing)));
    let answers = vault(vec![running]).judge();
    assert!(answers.fires(RULE).message.contains("A restore is running for 6 of 7 objects."), "{}", answers.fires(RULE).message);
}

#[test]
fn a_copy_that_has_ended_is_archived_again() {
    let ended = savepoint("a", "2026-08-01", "GLACIER")
        .each("GLACIER", |object| object.head = head("GLACIER", |head| head.restore = Some(Restore::Until(at("2026-09-15")))));
    let answers = vault(vec![ended]).judge();
    assert!(
        answers.fires(RULE).message.contains("A restored copy existed and ended at 2026-09-15 00:00Z."),
        "{}",
        answers.fires(RULE).message
    );
    answers.quiet("snapshot-restored-temporarily");
}

#[test]
fn an_archived_intelligent_tiering_object_is_seen_by_head_alone() {
    let tiered = |status: Option<&'static str>| {
        savepoint("a", "2026-03-01", "INTELLIGENT_TIERING").each("INTELLIGENT_TIERING", move |object| {
            object.head = head("INTELLIGENT_TIERING", |head| head.archive_status = status.map(str::to_owned));
        })
    };
    let answers = vault(vec![tiered(Some("DEEP_ARCHIVE_ACCESS"))]).judge();
    assert!(answers.fires(RULE).message.contains("6 in INTELLIGENT_TIERING (Deep Archive Access tier)"), "{}", answers.fires(RULE).message);
    assert!(pasted(answers.fires(RULE)).contains("--restore-request '{}'"));
    answers.quiet("snapshot-tiering-exposed");
    vault(vec![tiered(None)]).judge().quiet(RULE);
}

#[test]
fn twins_that_read_are_quiet() {
    for class in ["STANDARD", "STANDARD_IA", "GLACIER_IR", "ONEZONE_IA"] {
        vault(vec![savepoint("a", "2026-08-01", class)]).judge().quiet(RULE);
    }
    let restored = savepoint("a", "2026-08-01", "GLACIER")
        .each("GLACIER", |object| object.head = head("GLACIER", |head| head.restore = Some(Restore::Until(at("2026-09-16")))));
    vault(vec![restored]).judge().quiet(RULE);
    // An old savepoint in the archive is nobody's way back while a newer one reads.
    let old = savepoint("old", "2026-02-02", "DEEP_ARCHIVE").each("DEEP_ARCHIVE", archived("DEEP_ARCHIVE"));
    vault(vec![savepoint("new", "2026-09-10", "STANDARD"), old]).judge().quiet(RULE);
}

#[test]
fn an_older_one_that_reads_is_named() {
    let sunk = savepoint("new", "2026-09-10", "GLACIER").each("GLACIER", archived("GLACIER"));
    let answers = vault(vec![sunk, savepoint("old", "2026-08-01", "STANDARD")]).judge();
    let message = &answers.fires(RULE).message;
    assert!(message.contains("The newest one there that reads whole is s3://b/sp/savepoint-old/, of 2026-08-01 00:00Z."), "{message}");
}

#[test]
fn many_archived_objects_are_found_by_listing() {
    let sunk = savepoint("it's", "2026-08-01", "GLACIER").files(20, 1 << 26, "GLACIER").each("GLACIER", archived("GLACIER"));
    let paste = pasted(vault(vec![sunk]).judge().fires(RULE));
    assert!(
        paste.contains(
            r"aws s3api list-objects-v2 --bucket b --prefix 'sp/savepoint-it'\''s/' --query 'Contents[?StorageClass=='\''GLACIER'\''].[Key]'"
        ),
        "{paste}"
    );
}

/// Field case F53, the other side: a class of a store that is not AWS is only a name.
#[test]
fn on_another_store_head_decides() {
    let lab = |change: fn(&mut ObjectEvidence)| {
        vault(vec![savepoint("a", "2026-08-01", "GLACIER").each("GLACIER", change)])
            .in_bucket("b", |bucket| bucket.store.kind = StoreKind::Other)
    };
    let answers = lab(|object| object.head = head("GLACIER", |_| {})).judge();
    answers.quiet(RULE);
    answers.quiet("snapshot-tiering-exposed");
    let refused = lab(|object| object.head = Fact::denied("archived or forbidden (HTTP 403)", "HeadObject of a key")).judge();
    assert_eq!(refused.unknown(RULE).unknown.reason, "denied: archived or forbidden (HTTP 403)");
}

#[test]
fn unknown_stays_unknown() {
    let denied = |object: &mut ObjectEvidence| object.head = Fact::denied("needs s3:GetObject", "HeadObject of a key");
    let answers = vault(vec![savepoint("a", "2026-08-01", "GLACIER").each("GLACIER", denied)]).judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.unknown.reason, "denied: needs s3:GetObject");
    assert_eq!(unknown.severity, Severity::Error);
    assert!(unknown.also.iter().any(|meta| meta.id == "snapshot-restored-temporarily"));
    // A listing cannot tell whether Intelligent-Tiering has archived an object, unless it is too small to be archived.
    let listed = savepoint("a", "2026-08-01", "INTELLIGENT_TIERING");
    assert!(vault(vec![listed]).judge().unknown(RULE).unknown.reason.starts_with("not asked"));
    let small = savepoint("a", "2026-08-01", "INTELLIGENT_TIERING").each("INTELLIGENT_TIERING", |object| object.size = Bytes(131_071));
    vault(vec![small]).judge().quiet(RULE);
    let backup = vault(vec![savepoint("a", "2026-08-01", "AWS_BACKUP_WARM")]).judge();
    assert!(backup.unknown(RULE).unknown.reason.contains("does not know the storage class AWS_BACKUP_WARM"));
}
