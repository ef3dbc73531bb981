//! `snapshot-tiering-exposed`: an object that a snapshot needs is in a class where recovery files must not be.

use std::collections::BTreeMap;

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        lifecycle::{BucketRules, Source},
        snapshots::{
            Archive, ObjectState, ObjectView, PlaceView, SnapshotView, TIERING_FLOOR,
            cause::{Course, PutThere, course},
            count, remedy, words,
        },
    },
    evidence::{BucketEvidence, StoreKind, Unknown},
    finding::{Amount, Finding, Level, Remedy, Severity, ShownFact},
    units::Instant,
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-tiering-exposed",
    summary: "an object that the newest snapshot needs is in a storage class that the policy does not want",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct SnapshotTieringExposed;

impl Rule for SnapshotTieringExposed {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for place in &job.analysis.recovery.places {
            match exposure(job, place) {
                Ok(exposure) => {
                    if let Some(unknown) = exposure.unknown {
                        out.judge(place.subject(), || Err(unknown));
                    }
                    out.judge(place.subject(), || Ok(exposure.verdict));
                }
                Err(unknown) => out.judge(place.subject(), || Err(unknown)),
            }
        }
    }
}

/// What is known of one snapshot, and what beside it is not: a class that the policy speaks of does not answer for one that nobody knows.
struct Exposure {
    verdict: Verdict,
    unknown: Option<Unknown>,
}

/// Objects of one class in one bucket that the policy has a word on.
struct Group<'a> {
    level: Level,
    severity: Severity,
    class: &'a str,
    bucket: &'a BucketEvidence,
    objects: Vec<&'a ObjectView>,
}

fn exposure(job: &JobContext<'_>, place: &PlaceView) -> Result<Exposure, Unknown> {
    let none = Exposure { verdict: Verdict::NotApplicable, unknown: None };
    let Some(snapshot) = place.newest()? else { return Ok(none) };
    let mut classes: BTreeMap<(&str, &str), Vec<&ObjectView>> = BTreeMap::new();
    let mut unknown = snapshot.objects.as_ref().err().or_else(|| snapshot.untold.keys().next()).cloned();
    let mut on_aws = false;
    for object in snapshot.seen() {
        // On another store a class is only a name.
        if store(job, object) != Some(StoreKind::Aws) {
            continue;
        }
        on_aws = true;
        match (&object.class, &object.state) {
            // Not being readable is never policy: other rules speak.
            (_, ObjectState::Archived { .. } | ObjectState::Restoring(_) | ObjectState::RestoredUntil(_)) => {}
            (Some(class), _) if Archive::of_class(class).is_some() => {}
            (Some(class), _) if job.audit.policy.classes.level(class).is_some() => {
                classes.entry((class, &object.bucket)).or_default().push(object);
            }
            (_, ObjectState::Unknown(reason)) => {
                unknown.get_or_insert_with(|| reason.clone());
            }
            (_, ObjectState::Readable) => {}
        }
    }
    let mut groups: Vec<Group<'_>> = classes
        .into_iter()
        .filter_map(|((class, bucket), objects)| {
            let level = job.audit.policy.classes.level(class)?;
            Some(Group { level, severity: level.severity()?, class, bucket: job.evidence.buckets.get(bucket)?, objects })
        })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.level));
    let verdict = match groups.first() {
        Some(loudest) => finding(job, place, snapshot, loudest.severity, &groups).into(),
        None if on_aws => Verdict::Pass,
        None => Verdict::NotApplicable,
    };
    Ok(Exposure { verdict, unknown })
}

fn store(job: &JobContext<'_>, object: &ObjectView) -> Option<StoreKind> {
    job.evidence.buckets.get(&object.bucket).map(|bucket| bucket.store.kind)
}

fn finding(job: &JobContext<'_>, place: &PlaceView, snapshot: &SnapshotView, severity: Severity, groups: &[Group<'_>]) -> Finding {
    let total = snapshot.size().map_or(0, |(objects, _)| objects);
    let mut message = String::new();
    let mut facts = words::facts(snapshot, place.origin());
    let mut ways_out = Vec::new();
    for group in groups {
        let (class, n) = (group.class, group.objects.len());
        let course = course(&BucketRules::of(group.bucket), &group.objects, class, job.as_of.at);
        if !message.is_empty() {
            message.push(' ');
        }
        message.push_str(&format!(
            "{} {n} of the {total} objects of {} {} in {class} ({}). {} {} {}",
            words::policy(group.level, class),
            snapshot.location,
            if n == 1 { "is" } else { "are" },
            words::named(&group.objects, &snapshot.location),
            reads(class, &group.objects),
            how(&course.put_there),
            next(&course, n, job.as_of.at)
        ));
        facts.push(ShownFact::new(format!("objects in {class}"), Amount::Count(count(&group.objects)), place.origin()));
        if let Some((change, _)) = &course.next {
            facts.push(ShownFact::new("next change", Amount::Instant(change.on), format!("{}, applied to each object", change.by)));
        }
        ways_out.extend(against_the_cause(&course.put_there, class));
    }
    ways_out.insert(0, remedy::copy_to_standard(snapshot, false));
    ways_out.push(remedy::fresh_savepoint(&job.job.flink, &job.analysis.recovery));
    Finding { severity, message, facts, bites_on: None, remedy: ways_out, position: place.declared.position }
}

/// What it means for a reader that objects are in this class. Source: *Understanding and managing Amazon S3 storage classes*.
fn reads(class: &str, objects: &[&ObjectView]) -> String {
    match class {
        "GLACIER_IR" => "Readable now, at once, for a retrieval fee; no restore needed. Stored for less than 90 days, they are billed for \
                         90."
        .to_owned(),
        "STANDARD_IA" => "Readable now, at once, for a retrieval fee. Stored for less than 30 days, they are billed for 30.".to_owned(),
        "ONEZONE_IA" => {
            "Readable now, at once, for a retrieval fee; one Availability Zone holds the only copy and its loss loses them.".to_owned()
        }
        "EXPRESS_ONEZONE" => "Readable now, at once; one Availability Zone holds the only copy and its loss loses them.".to_owned(),
        "REDUCED_REDUNDANCY" => "Readable now, at once; the class is designed for 99.99 % durability, less than STANDARD's.".to_owned(),
        "INTELLIGENT_TIERING" => intelligent_tiering(objects),
        _ if objects.iter().all(|object| object.state == ObjectState::Readable) => "Readable now, at once.".to_owned(),
        _ => "Whether they can be read at once is not known to this version.".to_owned(),
    }
}

fn intelligent_tiering(objects: &[&ObjectView]) -> String {
    let small = objects.iter().filter(|object| object.size < TIERING_FLOOR).count();
    let untold = objects.iter().filter(|object| matches!(object.state, ObjectState::Unknown(_))).count();
    let mut text = match untold {
        0 => "Readable now, at once, without a retrieval fee".to_owned(),
        untold => format!("Whether {untold} of them are in an archive tier is not known, since only HEAD tells"),
    };
    text.push_str(match small {
        0 => ". The class shows no tier: whether an object is archived later depends on the bucket's Intelligent-Tiering configurations.",
        all if all == objects.len() => "; all of them are below 128 KiB, which is never archived.",
        _ => {
            "; those below 128 KiB are never archived, the others are if a configuration of the bucket says so and nobody reads them for long."
        }
    });
    text
}

/// How the objects came there, as far as the rules in force now tell.
fn how(put: &PutThere) -> String {
    match put {
        PutThere::By(movers) => format!("Put there by {}, going by the rules in force now.", named(movers)),
        PutThere::Perhaps(movers, doubts) => {
            let doubts: Vec<String> = doubts.iter().map(|doubt| doubt.unknown().reason).collect();
            format!("Perhaps put there by {}; not certain: {}.", named(movers), doubts.join("; "))
        }
        PutThere::NoCurrentRule => {
            "Put there by no current rule of the bucket: a writer, a copy or a replication rule chose the class, or a \
                                    rule that is gone."
                .to_owned()
        }
        PutThere::Unknown(unknown) => format!("By what they were put there is not known ({}).", unknown.reason),
    }
}

/// `rule cost-tiering (due from 2026-09-13 on)`.
fn named(movers: &BTreeMap<Source, Instant>) -> String {
    let movers: Vec<String> = movers.iter().map(|(source, on)| format!("{source} (due from {} on)", on.day())).collect();
    movers.join(" or ")
}

/// What the bucket's rules do next to these objects.
fn next(course: &Course, objects: usize, as_of: Instant) -> String {
    let open: Vec<&str> = course.open.iter().map(|unknown| unknown.reason.as_str()).collect();
    match (&course.next, open.is_empty()) {
        (None, true) => "Next: nothing, as far as the bucket's rules go.".to_owned(),
        (None, false) => format!("Next: unknown ({}).", open.join("; ")),
        (Some((change, n)), settled) => {
            let of = if *n == objects { String::new() } else { format!(" ({n} of them)") };
            let mut text = format!("Next{of}: {} {}, by {}.", change.what, change.when(as_of), change.by);
            if !change.is_certain() {
                let doubts: Vec<String> = change.doubts().iter().map(|doubt| doubt.unknown().reason).collect();
                text.push_str(&format!(" That is not certain: {}.", doubts.join("; ")));
            }
            if !settled {
                text.push_str(&format!(" Whether something comes sooner is not known ({}).", open.join("; ")));
            }
            text
        }
    }
}

fn against_the_cause(put: &PutThere, class: &str) -> Option<Remedy> {
    match put {
        PutThere::By(movers) | PutThere::Perhaps(movers, _) => {
            let movers: Vec<String> = movers.keys().map(ToString::to_string).collect();
            Some(Remedy::say(format!(
                "Narrow {} to the prefixes that should be tiered, or keep recovery files in a bucket without a transition rule. A filter \
                 selects; it cannot exclude a prefix, and no other rule and no Object Lock stops a transition.",
                movers.join(" and ")
            )))
        }
        PutThere::NoCurrentRule => {
            Some(Remedy::say(format!("Find what writes or copies recovery files with the class {class}, and let it write STANDARD.")))
        }
        PutThere::Unknown(_) => None,
    }
}
