use ttl_audit::{
    evidence::{Fact, Lifecycle, LifecycleRule, RuleFilter, RuleStatus, StoreKind, Transition, When},
    finding::{Level, Severity},
};

use crate::{
    scene::{Snapshot, at},
    vault::{head, now, pasted, savepoint, vault},
    world::World,
};

const RULE: &str = "snapshot-tiering-exposed";

fn moving(world: World, change: impl FnOnce(&mut LifecycleRule)) -> World {
    let mut rule = LifecycleRule {
        id: Some("cost-tiering".to_owned()),
        transitions: vec![Transition { when: When::Days(30), storage_class: "GLACIER_IR".to_owned() }],
        ..LifecycleRule::default()
    };
    change(&mut rule);
    let lifecycle = Lifecycle { rules: vec![rule], transition_default_minimum_object_size: Some("all_storage_classes_128K".to_owned()) };
    world.in_bucket("b", |bucket| bucket.lifecycle = Fact::seen(lifecycle, "b", "GetBucketLifecycleConfiguration", now()))
}

fn in_glacier_ir() -> World {
    vault(vec![savepoint("a", "2026-08-14", "GLACIER_IR")])
}

#[test]
fn fires_on_glacier_ir_as_policy_and_not_as_unreadable() {
    let answers = moving(in_glacier_ir(), |_| {}).judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Error);
    assert!(
        finding.message.starts_with("Policy: recovery files must not be in or move to GLACIER_IR. 6 of the 7 objects"),
        "{}",
        finding.message
    );
    assert!(finding.message.contains("Readable now, at once, for a retrieval fee; no restore needed."), "{}", finding.message);
    assert!(
        finding.message.contains("Put there by rule cost-tiering (due from 2026-09-13 on), going by the rules in force now. Next: nothing"),
        "{}",
        finding.message
    );
    assert!(!finding.message.contains("cannot be read"));
    assert!(pasted(finding).starts_with(
        "aws s3 cp s3://b/sp/savepoint-a/ s3://b/sp/savepoint-a/ --recursive --storage-class STANDARD --metadata-directive REPLACE\n"
    ));
    assert!(finding.remedy.iter().any(|way| way.say.contains("it cannot exclude a prefix")));
    answers.quiet("snapshot-unreadable");
}

#[test]
fn only_a_rule_that_can_have_done_it_is_named() {
    let blamed = |change: fn(&mut LifecycleRule)| moving(in_glacier_ir(), change).judge().fires(RULE).message.clone();
    let nobody = "Put there by no current rule";
    assert!(blamed(|rule| rule.status = RuleStatus::Disabled).contains(nobody));
    assert!(blamed(|rule| rule.filter.prefix = Some("logs/".to_owned())).contains(nobody));
    assert!(blamed(|rule| rule.transitions = Vec::new()).contains(nobody));
    let later = |rule: &mut LifecycleRule| {
        rule.transitions = vec![Transition { when: When::Days(33), storage_class: "GLACIER_IR".to_owned() }];
    };
    assert!(blamed(later).contains(nobody));
    let tagged = |rule: &mut LifecycleRule| {
        rule.filter = RuleFilter { tags: [("tier".to_owned(), "cold".to_owned())].into(), ..RuleFilter::default() };
    };
    assert!(
        blamed(tagged)
            .contains("Perhaps put there by rule cost-tiering (due from 2026-09-13 on); not certain: rule cost-tiering filters by tag")
    );
    let denied = in_glacier_ir().in_bucket("b", |bucket| bucket.lifecycle = Fact::denied("needs s3:GetLifecycleConfiguration", "call"));
    assert!(denied.judge().fires(RULE).message.contains("is not known (denied: needs s3:GetLifecycleConfiguration)"));
}

#[test]
fn what_comes_next_is_said_with_its_day() {
    let to = |days, class: &str| Transition { when: When::Days(days), storage_class: class.to_owned() };
    let next = |second: Transition| {
        let world = moving(in_glacier_ir(), |rule| rule.transitions.push(second));
        world.judge().fires(RULE).message.clone()
    };
    let later = next(to(90, "GLACIER"));
    assert!(later.contains("Next: moved to GLACIER (readable only after a restore) on 2026-11-12, by rule cost-tiering."), "{later}");
    let overdue = next(to(31, "DEEP_ARCHIVE"));
    assert!(
        overdue.contains("Next: moved to DEEP_ARCHIVE (readable only after a restore) at any moment (due since 2026-09-14)"),
        "{overdue}"
    );
    // Nothing moves back up: the table of moves starts at the class that the object has.
    assert!(next(to(90, "STANDARD_IA")).contains("Next: nothing"));
    let denied = in_glacier_ir().in_bucket("b", |bucket| bucket.lifecycle = Fact::denied("no right", "call"));
    assert!(denied.judge().fires(RULE).message.contains("Next: unknown (denied: no right)."));
}

#[test]
fn the_loudest_class_decides_and_each_is_said() {
    let mixed = savepoint("a", "2026-08-14", "STANDARD_IA").files(1, 1 << 26, "ONEZONE_IA").files(1, 9, "INTELLIGENT_TIERING");
    let mut world = vault(vec![mixed]);
    let answers = world.judge();
    let finding = answers.fires(RULE);
    assert_eq!(finding.severity, Severity::Warning);
    for said in
        ["6 of the 9 objects", "one Availability Zone", "below 128 KiB, which is never archived", "INTELLIGENT_TIERING is tolerated"]
    {
        assert!(finding.message.contains(said), "{said}: {}", finding.message);
    }
    for class in ["STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING"] {
        world.audit.policy.classes.stated.insert(class.to_owned(), Level::Off);
    }
    world.judge().quiet(RULE);
    world.audit.policy.classes.stated.insert("STANDARD_IA".to_owned(), Level::Error);
    assert_eq!(world.judge().severity(RULE), Severity::Error);
}

#[test]
fn twins_are_quiet() {
    moving(vault(vec![savepoint("a", "2026-09-10", "STANDARD")]), |_| {}).judge().quiet(RULE);
    // On another store a class is only a name.
    in_glacier_ir().in_bucket("b", |bucket| bucket.store.kind = StoreKind::Other).judge().quiet(RULE);
    // Other rules speak where an object cannot be read.
    let sunk = savepoint("a", "2026-08-14", "GLACIER").each("GLACIER", |object| object.head = head("GLACIER", |_| {}));
    vault(vec![sunk]).judge().quiet(RULE);
}

#[test]
fn unknown_stays_unknown() {
    let world = vault(vec![savepoint("a", "2026-08-14", "AWS_BACKUP_WARM")]);
    let answers = world.judge();
    let unknown = answers.unknown(RULE);
    assert!(unknown.unknown.reason.contains("does not know the storage class AWS_BACKUP_WARM"), "{:?}", unknown.unknown);
    assert_eq!(unknown.severity, Severity::Error);
    // A class that is known does not answer for one that is not.
    let both = vault(vec![savepoint("a", "2026-08-14", "AWS_BACKUP_WARM").files(1, 1 << 26, "STANDARD_IA")]).judge();
    assert_eq!(both.fires(RULE).severity, Severity::Warning);
    assert!(both.results.unknown.iter().any(|unknown| unknown.also.iter().any(|meta| meta.id == RULE) || unknown.rule.id == RULE));
    // Whether an object of a known class is archived is the other rule's question.
    let listed = vault(vec![savepoint("a", "2026-08-14", "INTELLIGENT_TIERING")]).judge();
    assert!(listed.fires(RULE).message.contains("Whether 6 of them are in an archive tier is not known"), "{}", listed.fires(RULE).message);
}

#[test]
fn files_beside_the_folder_are_copied_one_by_one() {
    let job = "cp/7b1f0c9d4e5a4c0f9a2b3c4d5e6f7081";
    let copies = |own: &str, shared: usize| {
        let snapshot = Snapshot::new("b", &format!("{job}/chk-9"), at("2026-09-14"), 24_576).files(1, 1 << 26, own);
        let snapshot = (0..shared)
            .fold(snapshot, |snapshot, n| snapshot.refers_to(&format!("{job}/shared/{n}"), 1 << 26, at("2026-08-01"), "GLACIER_IR"));
        let answers = World::at("2026-09-15T00:00:00Z").checkpoints("s3://b/cp/", vec![snapshot]).judge();
        let copy = &answers.fires(RULE).remedy[0];
        (copy.paste.clone().expect("commands"), copy.say.clone())
    };
    let one = format!("aws s3 cp s3://b/{job}/shared/0 s3://b/{job}/shared/0 --storage-class STANDARD --metadata-directive REPLACE");
    assert_eq!(copies("STANDARD", 1).0, one, "nothing in the folder has to move");
    let folder =
        format!("aws s3 cp s3://b/{job}/chk-9/ s3://b/{job}/chk-9/ --recursive --storage-class STANDARD --metadata-directive REPLACE");
    assert_eq!(copies("GLACIER_IR", 1).0, format!("{folder}\n{one}"));
    let (many, say) = copies("STANDARD", 13);
    assert!(many.lines().count() == 10 && say.contains(" 3 objects more that lie outside the snapshot's folder"), "{say}");
}
