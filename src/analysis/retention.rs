//! From evidence and manifest to the window of each topic that a source reads.

use std::collections::BTreeMap;

use super::{
    Bound, CleanupPolicy, KafkaTerms, Observed, SizeLimit, Sourced, TimestampType, Window, gaps, observed::observed, settings::Reader,
    size_limit::size_limit, terms,
};
use crate::{
    audit::Audit,
    evidence::{ClusterEvidence, Evidence, TopicEvidence, Unknown},
    manifest::{DeclaredRetention, DeclaredSource, KafkaSource, Manifest, Position, Source, SourceKind, Topics},
    units::{Instant, Millis, Retention},
};

/// The windows of every source of a job, by source id. A Kafka source has one for each topic that it reads, another source one.
///
/// An error for a source: it is not known which topics it reads, or nothing was captured of its cluster.
#[must_use]
pub fn windows(audit: &Audit, job: &Manifest, evidence: &Evidence) -> BTreeMap<String, Result<Vec<Window>, Unknown>> {
    job.sources
        .iter()
        .map(|source| {
            let windows = match &source.kind {
                SourceKind::Kafka(kafka) => kafka_windows(audit, job, source, kafka, evidence),
                SourceKind::Declared(declared) => Ok(vec![declared_window(job, source, declared)]),
            };
            (source.id.value.clone(), windows)
        })
        .collect()
}

fn kafka_windows(audit: &Audit, job: &Manifest, source: &Source, kafka: &KafkaSource, evidence: &Evidence) -> Result<Vec<Window>, Unknown> {
    let name = audit.cluster_name(kafka.cluster.as_ref().map(|cluster| cluster.value.as_str()));
    let Some(cluster) = evidence.kafka.get(name) else {
        return Err(Unknown::new(format!("not captured: Kafka cluster {name}"), "ttl-audit collect"));
    };
    let context = Context { audit, job, source, kafka, name, cluster, captured_at: evidence.captured_at };
    Ok(topics(kafka, name, cluster)?.into_iter().map(|topic| context.window(topic)).collect())
}

/// The names of the topics that a source reads.
fn topics<'a>(kafka: &'a KafkaSource, name: &str, cluster: &'a ClusterEvidence) -> Result<Vec<&'a str>, Unknown> {
    match &kafka.topics {
        Topics::Named(topics) => Ok(topics.iter().map(|topic| topic.value.as_str()).collect()),
        Topics::Pattern(pattern) => {
            let pattern = pattern.value.as_str();
            let Some(fact) = cluster.patterns.get(pattern) else {
                return Err(Unknown::new(format!("not captured: topics of cluster {name} that match `{pattern}`"), "ttl-audit collect"));
            };
            let seen = fact.known()?;
            if seen.value.is_empty() {
                let reason = format!("`{pattern}` matches no topic of cluster {name}; topics without the DESCRIBE right are invisible");
                return Err(Unknown::new(reason, seen.call.clone()));
            }
            Ok(seen.value.iter().map(String::as_str).collect())
        }
    }
}

struct Context<'a> {
    audit: &'a Audit,
    job: &'a Manifest,
    source: &'a Source,
    kafka: &'a KafkaSource,
    name: &'a str,
    cluster: &'a ClusterEvidence,
    captured_at: Instant,
}

impl Context<'_> {
    fn window(&self, topic: &str) -> Window {
        match self.cluster.topics.get(topic) {
            Some(evidence) => self.seen(topic, evidence),
            None => self.blank(topic, &Unknown::new(format!("not captured: topic {topic} of cluster {}", self.name), "ttl-audit collect")),
        }
    }

    /// Where the manifest names the topic, or the pattern that it matches.
    fn position(&self, topic: &str) -> Position {
        match &self.kafka.topics {
            Topics::Named(topics) => {
                topics.iter().find(|named| named.value == topic).map_or(self.source.id.position, |named| named.position)
            }
            Topics::Pattern(pattern) => pattern.position,
        }
    }

    /// A window of which nothing is known.
    fn blank(&self, topic: &str, unknown: &Unknown) -> Window {
        Window {
            source: self.source.id.value.clone(),
            cluster: Some(self.name.to_owned()),
            topic: topic.to_owned(),
            position: self.position(topic),
            exists: Err(unknown.clone()),
            retention: Err(unknown.clone()),
            floor: Err(unknown.clone()),
            worst_case: Err(unknown.clone()),
            observed: Err(unknown.clone()),
            caveats: Vec::new(),
            gaps: None,
            kafka: None,
        }
    }

    fn seen(&self, topic: &str, evidence: &TopicEvidence) -> Window {
        if evidence.partitions.is_absent() {
            let unknown = Unknown::new(format!("topic {topic} of cluster {} does not exist", self.name), "");
            return Window { exists: Ok(false), ..self.blank(topic, &unknown) };
        }
        let captured_at = evidence.captured_at(self.captured_at);
        let settings = Reader::new(format!("topic {topic}"), &evidence.settings);
        let broker = Reader::new(format!("the brokers of cluster {}", self.name), &self.cluster.broker);
        let cleanup = terms::cleanup(&settings);
        let retention = terms::retention(&settings, &cleanup);
        let remote = terms::remote(&settings);
        let timestamps = terms::timestamps(&settings);
        let size = size_limit(topic, evidence, captured_at, &retention, terms::size(&settings, &cleanup));
        let kafka = KafkaTerms {
            roll: terms::roll(&settings, &cleanup),
            check: terms::check(self.name, &broker, &cleanup, remote),
            skew: terms::skew(&settings, &timestamps),
            event_lag: self.event_lag(&timestamps),
            cleanup,
            timestamps,
            size,
        };
        let cleaner_off = terms::cleaner_off(&broker);
        let observed = observed(topic, evidence, captured_at);
        Window {
            source: self.source.id.value.clone(),
            cluster: Some(self.name.to_owned()),
            topic: topic.to_owned(),
            position: self.position(topic),
            exists: evidence.partitions.known().map(|_| true),
            floor: floor(&retention, &kafka, &observed),
            worst_case: worst_case(&retention, &kafka, cleaner_off.as_ref()),
            caveats: caveats(&retention, &kafka, remote),
            observed,
            retention,
            gaps: gaps::of(self.audit, self.kafka, self.name, topic, &kafka.cleanup),
            kafka: Some(kafka),
        }
    }

    /// How late a record may be when it is written: nothing to subtract under LogAppendTime, where the broker stamps it.
    fn event_lag(&self, timestamps: &Result<Sourced<TimestampType>, Unknown>) -> Sourced<Millis> {
        if let Ok(Sourced { value: TimestampType::LogAppendTime, origin, .. }) = timestamps {
            return Sourced::new(Millis::ZERO, format!("LogAppendTime ({origin})"));
        }
        let origin = format!("{}:{}", self.job.file, self.source.id.position.line);
        match self.kafka.max_event_lag {
            Some(lag) => Sourced::new(lag, format!("max_event_lag of source {}, {origin}", self.source.id.value)),
            None => Sourced::assumed(
                Millis::ZERO,
                format!("assumed for source {}: max_event_lag 0s (CreateTime, and the manifest states none)", self.source.id.value),
            ),
        }
    }
}

/// What a consumer may rely on finding: R, less what size cuts, less what late records lose.
fn floor(
    retention: &Result<Sourced<Retention>, Unknown>,
    kafka: &KafkaTerms,
    observed: &Result<Observed, Unknown>,
) -> Result<Sourced<Bound>, Unknown> {
    let retention = retention.as_ref().map_err(Clone::clone)?;
    let by_time = match retention.value {
        Retention::Unlimited => return Ok(Sourced::new(Bound::Unlimited, retention.origin.clone())),
        Retention::For(length) => Some(length),
        Retention::SizeBound => None,
    };
    let lag = kafka.event_lag.value;
    let by_the_producer = kafka.timestamps.as_ref().is_ok_and(|clock| clock.value == TimestampType::CreateTime);
    let in_seconds = matches!(observed, Ok(Observed::InSeconds { .. })) && by_the_producer;
    let by_time = by_time.map(|length| {
        // Read as milliseconds, such timestamps lie in 1970: the next check may delete what was written a moment ago.
        if in_seconds {
            let origin = format!("timestamps that look like seconds are older than any retention ({})", retention.origin);
            return Sourced::new(Millis::ZERO, origin);
        }
        if lag == Millis::ZERO {
            return Sourced::new(length, retention.origin.clone());
        }
        Sourced::new(length.minus(lag), format!("{} less {lag} ({})", retention.origin, kafka.event_lag.origin))
    });
    let by_size = match &kafka.size {
        SizeLimit::None | SizeLimit::NotReached(_) => None,
        SizeLimit::Cuts { lasts, .. } => Some(lasts.clone()),
        SizeLimit::Undecided(unknown) => return Err(unknown.clone()),
    };
    let shortest = [by_time, by_size].into_iter().flatten().min_by_key(|term| term.value);
    match shortest {
        Some(term) => Ok(Sourced::new(Bound::For(term.value), term.origin)),
        None => Err(Unknown::new(format!("no length of time follows from the settings: {}", retention.origin), "")),
    }
}

/// R + S + C, and F if it is at most a day.
fn worst_case(
    retention: &Result<Sourced<Retention>, Unknown>,
    kafka: &KafkaTerms,
    cleaner_off: Option<&Sourced<()>>,
) -> Result<Sourced<Bound>, Unknown> {
    let retention = retention.as_ref().map_err(Clone::clone)?;
    let length = match retention.value {
        Retention::Unlimited => return Ok(Sourced::new(Bound::Unlimited, retention.origin.clone())),
        Retention::SizeBound => return Ok(Sourced::new(Bound::BySize, retention.origin.clone())),
        Retention::For(length) => length,
    };
    if let Some(off) = cleaner_off.filter(|_| kafka.cleanup.as_ref().is_ok_and(|cleanup| cleanup.value.compact)) {
        let origin = format!("only the log cleaner deletes from a topic that is compacted, and it is off ({})", off.origin);
        return Ok(Sourced::new(Bound::Unlimited, origin));
    }
    let roll = kafka.roll.as_ref().map_err(Clone::clone)?;
    let skew = kafka.added_skew();
    let mut origin =
        format!("{length} ({}) + {} ({}) + {} ({})", retention.origin, roll.value, roll.origin, kafka.check.value, kafka.check.origin);
    if let (Ok(sourced), true) = (&kafka.skew, skew > Millis::ZERO) {
        origin.push_str(&format!(" + {skew} ({})", sourced.origin));
    }
    let total = length.plus(roll.value).plus(kafka.check.value).plus(skew);
    Ok(Sourced { value: Bound::For(total), origin, assumed: kafka.check.assumed })
}

/// The conditions under which the worst case does not hold.
fn caveats(retention: &Result<Sourced<Retention>, Unknown>, kafka: &KafkaTerms, remote: bool) -> Vec<String> {
    if !matches!(retention, Ok(Sourced { value: Retention::For(_), .. })) {
        return Vec::new();
    }
    let mut caveats = Vec::new();
    match &kafka.skew {
        Ok(skew) if skew.value >= Millis::new(i64::MAX.unsigned_abs()) => {
            caveats.push(format!("no bound against wrong clocks: any timestamp in the future is accepted ({})", skew.origin));
        }
        Ok(skew) if skew.value > Millis::DAY => {
            caveats.push(format!("no bound against wrong clocks: timestamps up to {} ahead are accepted ({})", skew.value, skew.origin));
        }
        Ok(_) => {}
        Err(unknown) => caveats.push(format!("no bound against wrong clocks is known ({})", unknown.reason)),
    }
    if matches!(&kafka.cleanup, Ok(Sourced { value: CleanupPolicy { compact: true, .. }, .. })) {
        caveats.push("only a working log cleaner deletes from a topic that is compacted".to_owned());
    }
    if remote {
        caveats.push("tiered storage: what is not uploaded yet is not deleted".to_owned());
    }
    caveats
}

/// The window of a source that cannot be asked: what the manifest declares, floor and worst case alike.
fn declared_window(job: &Manifest, source: &Source, declared: &DeclaredSource) -> Window {
    let origin = format!("{}:{}", job.file, declared.retention.position.line);
    let id = &source.id.value;
    let retention = match declared.retention.value {
        DeclaredRetention::For(length) => Ok(Retention::For(length)),
        DeclaredRetention::Unlimited => Ok(Retention::Unlimited),
        DeclaredRetention::Unknown => {
            Err(Unknown::new(format!("the manifest says `retention: unknown` of source {id} ({}, {origin})", declared.kind), ""))
        }
    };
    let retention = retention.map(|value| Sourced::new(value, format!("retention of source {id}, {origin}")));
    let bound = retention.clone().map(|retention| {
        let value = match retention.value {
            Retention::For(length) => Bound::For(length),
            Retention::Unlimited | Retention::SizeBound => Bound::Unlimited,
        };
        Sourced::new(value, retention.origin)
    });
    Window {
        source: id.clone(),
        cluster: None,
        topic: id.clone(),
        position: source.id.position,
        exists: Ok(true),
        retention,
        floor: bound.clone(),
        worst_case: bound,
        observed: Ok(Observed::NotMeasured),
        caveats: Vec::new(),
        gaps: None,
        kafka: None,
    }
}
