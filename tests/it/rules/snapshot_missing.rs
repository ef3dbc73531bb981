use ttl_audit::{
    evidence::{Fact, HiddenSnapshot, PlaceEvidence},
    finding::Severity,
    manifest::{At, Position, RestoreFrom},
    units::Location,
};

use crate::{
    scene::{Snapshot, at, bucket},
    vault::{now, pasted, s3, savepoint, vault},
    world::World,
};

const RULE: &str = "snapshot-missing";

#[test]
fn fires_where_nothing_complete_lies() {
    let answers = vault(Vec::new()).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.starts_with("No complete savepoint lies at s3://b/sp/"), "{}", finding.message);
    assert_eq!(pasted(finding), "flink savepoint \"${JOB_ID:?set it to the job id that flink list shows}\" s3://b/sp/");
    let say = &finding.remedy.iter().find(|way| way.paste.is_some()).expect("it is pasted").say;
    assert!(say.contains("`flink stop --savepointPath s3://b/sp/ \"$JOB_ID\"`"), "a stop is never pasted by accident: {say}");
    for silent in ["snapshot-unreadable", "snapshot-restored-temporarily", "snapshot-tiering-exposed", "recovery-unprotected"] {
        answers.quiet(silent);
    }
}

#[test]
fn twin_with_a_savepoint_in_any_location_is_quiet() {
    vault(vec![savepoint("a", "2026-09-10", "STANDARD")]).judge().quiet(RULE);
    vault(Vec::new()).savepoints("s3://c/sp/", vec![Snapshot::new("c", "sp/x", at("2026-09-10"), 1)]).judge().quiet(RULE);
    // Nobody looks into `jobmanager`; another rule says that it does not last.
    vault(vec![savepoint("a", "2026-09-10", "STANDARD")]).checkpoints("jobmanager", Vec::new()).judge().quiet(RULE);
}

#[test]
fn each_kind_is_looked_for_by_itself() {
    let both = vault(vec![savepoint("a", "2026-09-10", "STANDARD")]).checkpoints("s3://b/cp/", Vec::new());
    assert!(both.judge().fires(RULE).message.starts_with("No complete checkpoint"));
    // A savepoint folder two levels down does not pass for a checkpoint, nor a checkpoint for a savepoint.
    let stray = |name: &str| Snapshot::new("b", &format!("all/{name}"), at("2026-09-10"), 1);
    let none = World::at("2026-09-15").checkpoints("s3://b/all/", vec![stray("savepoints/savepoint-1"), stray("0f/chk-x")]);
    assert!(none.judge().fires(RULE).message.starts_with("No complete checkpoint"));
    World::at("2026-09-15").checkpoints("s3://b/all/", vec![stray("0f/chk-7")]).judge().quiet(RULE);
    assert!(World::at("2026-09-15").savepoints("s3://b/all/", vec![stray("0f/chk-7")]).judge().fires(RULE).message.contains("savepoint"));
}

#[test]
fn unfinished_and_hidden_snapshots_are_named() {
    let hidden = HiddenSnapshot {
        location: s3("s3://b/sp/savepoint-old"),
        hidden_at: at("2026-09-01"),
        marker: "3HL4kqtJlcpXroDTDmJ".to_owned(),
        taken_at: Some(at("2026-08-01")),
    };
    let world = vault(Vec::new()).at_place("s3://b/sp", |place| {
        place.unfinished.push(s3("s3://b/sp/savepoint-half"));
        place.hidden = Fact::seen(vec![hidden], "b", "ListObjectVersions", now());
    });
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert!(finding.message.contains("unfinished, or being deleted (s3://b/sp/savepoint-half/)"), "{}", finding.message);
    assert!(finding.message.contains("hidden since 2026-09-01 00:00Z"), "{}", finding.message);
    assert!(
        pasted(finding).starts_with("aws s3api delete-object --bucket b --key sp/savepoint-old/_metadata --version-id 3HL4kqtJlcpXroDTDmJ"),
        "{}",
        pasted(finding)
    );
}

#[test]
fn a_bucket_that_does_not_exist_is_found_even_beside_a_good_one() {
    let gone = PlaceEvidence::of(Fact::absent("NoSuchBucket", "ListObjectsV2"));
    let world = vault(vec![savepoint("a", "2026-09-10", "STANDARD")])
        .savepoints("s3://typo/sp/", Vec::new())
        .at_place("s3://typo/sp/", |place| *place = gone);
    let answers = world.judge();
    assert!(answers.fires(RULE).message.contains("The bucket typo"), "{}", answers.fires(RULE).message);
    assert_eq!(answers.fires(RULE).position.line, 13);
    answers.quiet("snapshot-unreadable");
}

#[test]
fn the_bucket_of_high_availability_has_to_exist_too() {
    let with_ha = |region: Option<Fact<String>>| {
        let mut world = vault(vec![savepoint("a", "2026-09-10", "STANDARD")]);
        let declared = At { value: Location::S3(s3("s3://ha/flink/")), position: Position { line: 21, column: 3 } };
        world.recovery().high_availability = Some(declared);
        if let Some(region) = region {
            let mut ha = bucket(now(), "ha", "us-east-1");
            ha.region = region;
            world = world.bucket("ha", ha);
        }
        world.judge()
    };
    let gone = with_ha(Some(Fact::absent("no such bucket", "HeadBucket")));
    assert!(gone.fires(RULE).message.contains("The bucket ha, where high-availability files of this job"), "{}", gone.fires(RULE).message);
    assert_eq!(gone.fires(RULE).position.line, 21);
    with_ha(Some(Fact::seen("us-east-1".to_owned(), "ha", "HeadBucket", now()))).quiet(RULE);
    with_ha(Some(Fact::unsupported("no region header", "HeadBucket"))).quiet(RULE);
    assert!(with_ha(Some(Fact::denied("needs s3:ListBucket on ha", "HeadBucket"))).unknown(RULE).unknown.reason.starts_with("denied"));
    assert!(with_ha(None).unknown(RULE).unknown.reason.starts_with("not asked"));
}

#[test]
fn what_the_runbook_names_has_to_be_there_itself() {
    let named = |folder: &str| RestoreFrom::Location(Location::S3(s3(folder)));
    let world = vault(vec![savepoint("a", "2026-09-10", "STANDARD"), savepoint("b", "2026-08-10", "STANDARD")]);
    world.clone().restored_from(named("s3a://b/sp/savepoint-a/_metadata")).judge().quiet(RULE);
    // Nothing was asked about a location that the evidence lacks.
    assert!(world.clone().restored_from(named("s3://b/sp/savepoint-b")).judge().unknown(RULE).unknown.reason.starts_with("not asked"));
    let gone = PlaceEvidence::of(Fact::seen(Vec::new(), "b", "ListObjectsV2", now()));
    let world = world.restored_from(named("s3://b/sp/savepoint-0")).place((s3("s3://b/sp/savepoint-0"), gone));
    assert!(world.judge().fires(RULE).message.contains("s3://b/sp/savepoint-0/"));
}

#[test]
fn unknown_stays_unknown() {
    let denied =
        vault(Vec::new()).at_place("s3://b/sp/", |place| place.snapshots = Fact::denied("needs s3:ListBucket on b", "ListObjectsV2"));
    let answers = denied.judge();
    let unknown = answers.unknown(RULE);
    assert_eq!(unknown.unknown.reason, "denied: needs s3:ListBucket on b");
    assert_eq!(unknown.severity, Severity::Error);
    // One cause, one entry.
    for waiting in ["snapshot-unreadable", "snapshot-restored-temporarily", "snapshot-tiering-exposed", "recovery-unprotected"] {
        assert!(unknown.also.iter().any(|meta| meta.id == waiting), "{waiting}: {unknown:?}");
    }
    let elsewhere = World::at("2026-09-15").savepoints("gs://b/sp/", Vec::new());
    assert!(elsewhere.judge().unknown(RULE).unknown.reason.starts_with("unsupported: snapshots on gs:"));
    // A place that cannot be looked into makes nothing unknown where another one holds a savepoint.
    vault(vec![savepoint("a", "2026-09-10", "STANDARD")]).savepoints("gs://b/sp/", Vec::new()).judge().quiet(RULE);
    // Only the newest was looked into, and it is of the other kind.
    let mixed = World::at("2026-09-15")
        .checkpoints("s3://b/all/", vec![Snapshot::new("b", "all/savepoints/savepoint-1", at("2026-09-10"), 1)])
        .at_place("s3://b/all/", |place| place.not_looked_into = 4);
    assert!(
        mixed.judge().unknown(RULE).unknown.reason.contains("the newest is no checkpoint, and the older ones (4) were not looked into")
    );
}
