//! `sink-uploads-at-risk`: a rule takes from a file sink what a restore of the selected snapshot goes on with.

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{
        Downtime,
        lifecycle::{BucketRules, Kind},
        snapshots::{SnapshotView, unsupported},
    },
    evidence::{BucketEvidence, LifecycleRule, RuleStatus, Unknown},
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{At, Sink, SinkKind},
    units::{Instant, Location, Millis, S3Location},
};

static META: RuleMeta = RuleMeta {
    id: "sink-uploads-at-risk",
    summary: "a rule aborts unfinished uploads, or expires part files, at a file sink's location sooner than snapshot age plus downtime",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct SinkUploadsAtRisk;

impl Rule for SinkUploadsAtRisk {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for sink in &job.job.sinks {
            if let (SinkKind::Files | SinkKind::Iceberg, Some(at)) = (sink.kind, &sink.location) {
                out.judge(Subject::of_location(&at.value, "sink"), || judge(job, sink, at));
            }
        }
    }
}

/// What takes something from the sink, and when.
struct Taken {
    on: Instant,
    what: &'static str,
    by: String,
    days: String,
}

fn judge(job: &JobContext<'_>, sink: &Sink, at: &At<Location>) -> Judged {
    let location = match &at.value {
        Location::S3(location) => location,
        Location::JobManager => return Ok(Verdict::NotApplicable),
        Location::Unsupported { scheme, .. } => return Err(unsupported("files", scheme)),
    };
    let Some((_, snapshot)) = job.analysis.recovery.restarted_from(job.job)? else { return Ok(Verdict::NotApplicable) };
    let name = location.bucket();
    let Some(bucket) = job.evidence.buckets.get(name) else {
        return Err(Unknown::new(format!("not asked: the evidence holds nothing about bucket {name}"), "GetBucketLifecycleConfiguration"));
    };
    let rules = BucketRules::of(bucket);
    if let Some(unknown) = rules.lifecycle_unknown() {
        return Err(unknown.clone());
    }
    let taken = first(&rules, bucket, sink.kind, location, snapshot.taken_at)?;
    let Some(taken) = taken else { return Ok(Verdict::Pass) };
    let as_of = job.as_of.at;
    match &job.analysis.downtime {
        Ok(downtime) if taken.on <= downtime.back_at(as_of) => Ok(finding(job, at, location, snapshot, &taken, Some(*downtime)).into()),
        Ok(_) => Ok(Verdict::Pass),
        Err(_) if taken.on <= as_of => Ok(finding(job, at, location, snapshot, &taken, None).into()),
        Err(unknown) => Err(unknown.clone()),
    }
}

/// The first thing that happens to uploads begun, or files written, when the snapshot was taken.
fn first(
    rules: &BucketRules,
    bucket: &BucketEvidence,
    kind: SinkKind,
    location: &S3Location,
    taken_at: Instant,
) -> Result<Option<Taken>, Unknown> {
    let mut all: Vec<Taken> = Vec::new();
    // Iceberg's writers finish their files before a checkpoint; what they have not committed is a file.
    if kind == SinkKind::Files
        && let Some(lifecycle) = bucket.lifecycle.shown()
    {
        for rule in lifecycle.rules.iter().filter(|rule| overlaps(rule, location)) {
            let Some(days) = rule.abort_incomplete_multipart_upload_days else { continue };
            let name = rule.id.as_deref().unwrap_or("without an ID");
            if let RuleStatus::Other(_) = rule.status {
                return Err(Unknown::new(format!("rule {name} is not understood: its status is neither Enabled nor Disabled"), ""));
            }
            all.push(Taken {
                on: taken_at.plus(Millis::days(u64::from(days))).next_midnight(),
                what: "aborts uploads there that were begun when the selected snapshot was taken",
                by: format!("rule {name}"),
                days: format!("aborts unfinished uploads {days}d after they were begun"),
            });
        }
    }
    let fate = rules.place(&location.prefix(), taken_at).fate;
    let gone = fate.changes.iter().chain(fate.parts.iter().flat_map(|part| &part.changes)).map(|one| &one.change);
    let mut gone: Vec<_> = gone.filter(|change| !change.noncurrent && change.what.kind() == Kind::Gone).collect();
    gone.sort();
    if let Some(change) = gone.first() {
        if let Some(doubt) = change.doubts().first() {
            return Err(doubt.unknown());
        }
        all.push(Taken {
            on: change.on,
            what: "deletes files there that were written when the selected snapshot was taken",
            by: change.by.to_string(),
            days: format!("expires files, those of that day on {}", change.on.day()),
        });
    }
    Ok(all.into_iter().min_by_key(|taken| taken.on))
}

/// Whether a rule acts on keys below the location. Aborting knows neither tags nor sizes.
fn overlaps(rule: &LifecycleRule, location: &S3Location) -> bool {
    let (prefix, place) = (rule.filter.prefix.as_deref().unwrap_or_default(), location.prefix());
    rule.status != RuleStatus::Disabled && (place.starts_with(prefix) || prefix.starts_with(&place))
}

fn finding(
    job: &JobContext<'_>,
    at: &At<Location>,
    location: &S3Location,
    snapshot: &SnapshotView,
    taken: &Taken,
    downtime: Option<Downtime>,
) -> Finding {
    let as_of = job.as_of.at;
    let age = as_of.since(snapshot.taken_at);
    let length = downtime.map_or(Millis::ZERO, |downtime| downtime.length);
    let needed_by = downtime.map_or_else(|| "as of".to_owned(), |downtime| format!("as of + {}", downtime.words()));
    let when = if taken.on <= as_of { format!("At any moment (due since {})", taken.on.day()) } else { format!("On {}", taken.on.day()) };
    let asked = job.evidence.buckets.get(location.bucket()).and_then(|bucket| bucket.lifecycle.known().ok());
    let origin = asked.map_or_else(String::new, |seen| format!("{}, {}", seen.call, seen.at.minute()));
    Finding {
        severity: META.severity,
        message: format!(
            "{when}, at the file sink's location {location}, {} {}: sooner than snapshot age plus downtime. The snapshot that a restart takes, \
             {}, refers to the sink's unfinished files as they were on {}; a restore goes on with them, and fails or loses records if they are \
             gone.",
            taken.by,
            taken.what,
            snapshot.location,
            snapshot.taken_at.minute()
        ),
        facts: vec![
            ShownFact::new(taken.by.clone(), Amount::Text(taken.days.clone()), origin),
            ShownFact::new("due", Amount::Instant(taken.on), "snapshot taken at, and the rule"),
            ShownFact::new("needed until", Amount::Instant(as_of.plus(length)), needed_by),
            ShownFact::new("snapshot age", Amount::Duration(age), "last modified of _metadata"),
        ],
        bites_on: Some(taken.on),
        remedy: vec![
            Remedy::say(format!(
                "Let {} leave {location} alone, or give it more days than the oldest snapshot that you may come back to is old, plus the \
                 downtime: more than {} today.",
                taken.by,
                age.plus(length)
            )),
            Remedy::say("Or restart from younger snapshots: what a rule takes from the sink counts from the day of the snapshot."),
        ],
        position: at.position,
    }
}
