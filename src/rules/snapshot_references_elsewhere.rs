//! `snapshot-references-elsewhere`: a snapshot needs objects outside its own place.

use std::collections::BTreeMap;

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::snapshots::{ObjectView, PlaceView, SnapshotKind, SnapshotView, count, words},
    finding::{Amount, Finding, Remedy, Severity, ShownFact},
    units::S3Location,
};

static META: RuleMeta = RuleMeta {
    id: "snapshot-references-elsewhere",
    summary: "the newest snapshot needs objects outside its own place",
    severity: Severity::Note,
};

/// See the module.
pub(super) struct SnapshotReferencesElsewhere;

impl Rule for SnapshotReferencesElsewhere {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        job.judge_newest(out, judge);
    }
}

fn judge(place: &PlaceView, snapshot: &SnapshotView) -> Judged {
    let objects = snapshot.objects.as_ref().map_err(Clone::clone)?;
    let outside: Vec<&ObjectView> = objects.iter().filter(|object| !snapshot.owns(object)).collect();
    // Those that could not be looked up are named by their place all the same.
    let own = snapshot.place().to_string();
    let untold: Vec<&String> = snapshot.untold.values().flatten().filter(|uri| !uri.starts_with(&own)).collect();
    let lacking: Vec<&str> =
        snapshot.lacks.iter().filter(|lack| lack.size.is_none() && !lack.uri.starts_with(&own)).map(|lack| lack.uri.as_str()).collect();
    if outside.is_empty() && untold.is_empty() && lacking.is_empty() {
        return Ok(Verdict::Pass);
    }
    Ok(finding(place, snapshot, &outside, untold.len() + lacking.len()).into())
}

fn finding(place: &PlaceView, snapshot: &SnapshotView, outside: &[&ObjectView], not_seen: usize) -> Finding {
    let mut folders: BTreeMap<S3Location, usize> = BTreeMap::new();
    for object in outside {
        let folder = object.key.rsplit_once('/').map_or("", |(folder, _)| folder);
        *folders.entry(S3Location::new(&object.bucket, folder)).or_default() += 1;
    }
    let own = match SnapshotKind::of_folder(&snapshot.location) {
        SnapshotKind::Savepoint => format!("its folder {}", snapshot.location),
        SnapshotKind::Checkpoint => format!("the folder of its job, {}", snapshot.place()),
    };
    let n = outside.len() + not_seen;
    let mut message = format!(
        "{} needs {} outside {own}. Rules, locks and deletions there decide over it too, and a copy of the folder alone is no copy of the \
         snapshot.",
        words::the(snapshot, place),
        words::counted(n, "object"),
    );
    if !folders.is_empty() {
        message.push_str(&format!(" They lie in {}.", words::listed(folders.iter().map(|(folder, n)| format!("{folder} ({n})")))));
    }
    let mut facts = words::facts(snapshot, place.origin());
    facts.push(ShownFact::new(
        "objects elsewhere",
        Amount::Count(count(outside) + u64::try_from(not_seen).unwrap_or(u64::MAX)),
        "_metadata",
    ));
    Finding {
        severity: META.severity,
        message,
        facts,
        bites_on: None,
        remedy: vec![Remedy::say(
            "Keep these folders under the same protection as the snapshot. A canonical savepoint needs nothing outside its folder; a \
             restore in no-claim mode followed by the first complete checkpoint ends the dependence on files of an older job.",
        )],
        position: place.declared.position,
    }
}
