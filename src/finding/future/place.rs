//! A rule that covers a place: every file to come goes the same way.

use std::collections::BTreeSet;

use super::{Ground, capital};
use crate::{
    analysis::{
        lifecycle::{Sizes, Source},
        places::{Files, PlaceHit, PlaceKind, PlaceOutlook},
        snapshots::{RecoveryView, SnapshotKind, count},
    },
    finding::{Amount, Finding, Severity, ShownFact},
    units::Location,
};

/// The finding about a place. `hits`: what is due there within the time that counts, earliest first, and how loud each is. `None` without
/// any.
#[must_use]
pub fn of_place(
    ground: &Ground<'_>,
    place: &PlaceOutlook,
    recovery: &RecoveryView,
    policy: &str,
    hits: &[(PlaceHit<'_>, Severity)],
) -> Option<Finding> {
    let (first, _) = hits.first()?;
    let Location::S3(location) = &place.declared.value else { return None };
    let bucket = location.bucket();
    let mut message = String::new();
    let mut severity = Severity::Note;
    let mut told: BTreeSet<Files> = BTreeSet::new();
    let mut last = String::new();
    for (hit, loud) in hits {
        let change = &hit.change.change;
        let source = ground.source(bucket, &change.by);
        let sentence = format!("{}, by {source}, {{}} {}.", capital(&change.when(ground.as_of)), change.what);
        // Several parts of one place to which the same happens are told once.
        if sentence != last {
            let what = files(hit, &location.to_string());
            message.push_str(&format!(" {}", sentence.replace("{}", &what)));
            last = sentence;
        }
        let small = hit.change.sizes != Sizes::ALL && none_of_that_size(ground, place, recovery, &hit.change.sizes);
        if hit.change.sizes != Sizes::ALL && told.insert(hit.part.files) {
            message.push_str(&format!(" That holds for {}", hit.change.sizes));
            message.push_str(if small { "; what lies there now has no file of that size." } else { "." });
        }
        severity = severity.max(if small { loud.one_less() } else { *loud });
    }
    for sentence in
        [policy, why(place.kind, hits.iter().map(|(hit, _)| hit.part.files))].into_iter().filter(|sentence| !sentence.is_empty())
    {
        message.push_str(&format!(" {sentence}"));
    }
    if matches!(first.change.change.what, crate::analysis::lifecycle::What::Removed(_)) {
        message.push_str(ground.against_deletion(bucket));
    }
    let from = match first.part.seen {
        Some(seen) => format!("the oldest file seen there, last modified {}, and the rule", seen.minute()),
        None => format!("written at {}, the instant that is judged", ground.as_of.minute()),
    };
    let mut facts = ground.facts(bucket, &first.change.change, &first.part.limit, &from);
    let sources: BTreeSet<&Source> = hits.iter().map(|(hit, _)| &hit.change.change.by).collect();
    let others: Vec<&&Source> = sources.iter().filter(|source| ***source != first.change.change.by).collect();
    if !others.is_empty() {
        facts.push(ShownFact::new("rules that cover it too", Amount::Count(count(&others)), "GetBucketLifecycleConfiguration"));
    }
    Some(Finding {
        severity,
        message: message.trim_start().to_owned(),
        facts,
        bites_on: Some(first.change.change.on),
        remedy: ground.stop(bucket, &sources, BTreeSet::new()),
        position: place.declared.position,
    })
}

/// `a savepoint that is written to s3://b/sp/ now is`.
fn files(hit: &PlaceHit<'_>, location: &str) -> String {
    if let Some(seen) = hit.part.seen {
        return format!("the oldest high-availability file seen at {location}, last modified {}, is", seen.day());
    }
    match hit.part.files {
        Files::Savepoints => format!("a savepoint that is written to {location} now is"),
        Files::Exclusive => format!("a checkpoint that is written to {location} now is"),
        Files::Shared => format!("a file that is written to `shared/` below {location} now is"),
        Files::TaskOwned => format!("a file that is written to `taskowned/` below {location} now is"),
        Files::HighAvailability => format!("a high-availability file that is written to {location} now is"),
        Files::Changelog => format!("a changelog file that is written to {location} now is"),
    }
}

/// Why that matters, by what Flink does with such files.
fn why(kind: PlaceKind, files: impl Iterator<Item = Files>) -> &'static str {
    match kind {
        PlaceKind::Savepoint => {
            "Every later savepoint goes the same way. Flink never rewrites a savepoint, so it ages from the day on which it was taken."
        }
        PlaceKind::Checkpoint if files.into_iter().all(|files| files == Files::Exclusive) => {
            "Each checkpoint replaces the last one, but after a stop nothing replaces it any more: it has to last until the job is back."
        }
        PlaceKind::Checkpoint => {
            "Files that checkpoints share keep the day of their upload and are needed for as long as any checkpoint refers to them: a \
             checkpoint that is minutes old can need a file that is months old."
        }
        PlaceKind::HighAvailability => {
            "The job graph and the jars there are written once, at submission, and are as old as the job; that one is gone or out of reach \
             shows at the next failover, not before."
        }
        PlaceKind::Changelog => {
            "Changelog files are needed until the state is materialized and no checkpoint refers to them any more; how long that takes the \
             manifest does not say."
        }
    }
}

/// Whether it is known that nothing at the place is of such a size: of the newest snapshot, or of all files where there are no snapshots.
fn none_of_that_size(ground: &Ground<'_>, place: &PlaceOutlook, recovery: &RecoveryView, sizes: &Sizes) -> bool {
    let kind = match place.kind {
        PlaceKind::Savepoint => SnapshotKind::Savepoint,
        PlaceKind::Checkpoint => SnapshotKind::Checkpoint,
        PlaceKind::HighAvailability | PlaceKind::Changelog => {
            let seen = place.declared.value.s3().and_then(|location| ground.evidence.places.get(location)?.files.shown());
            return seen.is_some_and(|files| files.complete && files.objects > 0 && files.largest < sizes.from);
        }
    };
    let view = recovery.places.iter().find(|view| view.kind == kind && view.declared.value == place.declared.value);
    let newest = view.and_then(|view| view.complete().first());
    newest.and_then(|newest| newest.objects.as_ref().ok()).is_some_and(|all| all.iter().all(|object| !sizes.contains(object.size)))
}
