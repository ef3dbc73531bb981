//! The evidence, or what it holds of one cluster or place, is older than the policy's `evidence_max_age`.

use std::collections::BTreeMap;

use super::{JobContext, Judged, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    evidence::{Fact, TopicEvidence, Unknown},
    finding::{Severity, Subject},
    units::Instant,
};

/// See the module.
pub(super) struct EvidenceStale;

static META: RuleMeta = RuleMeta {
    id: "evidence-stale",
    summary: "The evidence, or a part of it, is older than evidence_max_age; only ever unknown.",
    severity: Severity::Error,
};

impl Rule for EvidenceStale {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        let captured_at = job.evidence.captured_at;
        let whole = judge(job, "the evidence", captured_at);
        // Evidence that is stale as a whole is said once.
        let parts = if whole.is_ok() { parts(job) } else { BTreeMap::new() };
        out.judge(Subject::new("evidence", "age"), || whole);
        for (part, at) in parts {
            out.judge(Subject::new(&part, "age"), || judge(job, &format!("what is known of {part}"), at));
        }
    }
}

fn judge(job: &JobContext<'_>, what: &str, at: Instant) -> Judged {
    let age = job.as_of.at.since(at);
    let most = job.audit.policy.evidence_max_age;
    let ahead = at.since(job.as_of.at);
    if ahead > most {
        return Err(Unknown::new(
            format!(
                "{what} is of {}, {ahead} after {}, the instant that is judged, and evidence_max_age is {most}: what was there then is not known",
                at.minute(),
                job.as_of.at.minute()
            ),
            "",
        ));
    }
    if age <= most {
        return Ok(Verdict::Pass);
    }
    Err(Unknown::new(
        format!(
            "stale: {what} is of {}, {age} old at {}, and evidence_max_age is {most}; it may have changed",
            at.minute(),
            job.as_of.at.minute()
        ),
        "ttl-audit collect",
    ))
}

/// Each cluster that the job reads and each place where its recovery files lie, with the instant of the oldest fact about it: evidence may
/// be put together from captures of several days.
fn parts(job: &JobContext<'_>) -> BTreeMap<String, Instant> {
    let mut parts: BTreeMap<String, Instant> = BTreeMap::new();
    let mut oldest = |part: String, at: Option<Instant>| {
        if let Some(at) = at {
            parts.entry(part).and_modify(|known| *known = at.min(*known)).or_insert(at);
        }
    };
    for window in job.analysis.windows.values().filter_map(|windows| windows.as_ref().ok()).flatten() {
        let Some((name, cluster)) = window.cluster.as_ref().and_then(|name| Some((name, job.evidence.kafka.get(name)?))) else { continue };
        oldest(format!("cluster {name}"), cluster.topics.get(&window.topic).and_then(oldest_of_topic));
        oldest(format!("cluster {name}"), seen_at(&cluster.broker));
    }
    for place in &job.analysis.recovery.places {
        let Some(location) = place.declared.value.s3() else { continue };
        oldest(location.to_string(), job.evidence.places.get(location).and_then(|place| seen_at(&place.snapshots)));
        oldest(location.to_string(), job.evidence.buckets.get(location.bucket()).and_then(|bucket| seen_at(&bucket.lifecycle)));
    }
    parts
}

fn oldest_of_topic(topic: &TopicEvidence) -> Option<Instant> {
    let offsets = [&topic.log_start, &topic.log_end, &topic.first_record, &topic.largest_timestamp];
    offsets.into_iter().filter_map(seen_at).chain(seen_at(&topic.settings)).chain(seen_at(&topic.samples)).min()
}

fn seen_at<T>(fact: &Fact<T>) -> Option<Instant> {
    fact.known().ok().map(|seen| seen.at)
}
