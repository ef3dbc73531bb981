//! Evidence from the world, or the reason why this build cannot get it.

use std::{collections::BTreeMap, thread, time::Instant as Clock};

use anyhow::{Result, anyhow};
#[cfg(not(feature = "kafka"))]
use ttl_audit::manifest::SourceKind;
use ttl_audit::{
    audit::Audit,
    collect::{CollectError, Options},
    evidence::{BucketEvidence, ClusterEvidence, Evidence, PlaceEvidence},
    units::{Instant, S3Location},
};

use super::{input, several, talk::Progress};
use crate::cli::TimeArgs;

/// Now: the one place that reads the clock for what is judged.
pub(super) fn now() -> Instant {
    Instant::new(jiff::Timestamp::now())
}

/// How to collect.
pub(super) struct Collect<'a> {
    /// How long one call may take.
    pub(super) time: &'a TimeArgs,
    /// When everything has to be over.
    pub(super) deadline: Clock,
    /// Whether older snapshots are looked into too.
    pub(super) all_snapshots: bool,
    /// Whether the first bytes of state files are read too.
    pub(super) read_state_headers: bool,
    /// The instant that will be judged, if the command line states it.
    pub(super) as_of: Option<Instant>,
}

impl Collect<'_> {
    /// Asks everything that this audit needs to know, Kafka and S3 at the same time. What could not be had is in the evidence; an error is
    /// something in the audit that cannot be used, and then nothing was asked.
    /// `file` is the audit file's path, for errors.
    pub(super) fn run(&self, audit: &Audit, file: &str, progress: &Progress) -> Result<Evidence> {
        let (evidence, errors) = self.ask(audit, progress, false)?;
        if errors.is_empty() { Ok(evidence) } else { Err(several(errors.into_iter().map(|error| format!("{file}: {error}")))) }
    }

    /// The same, where what cannot be used of one cluster or of S3 holds up nothing else; it is given beside the evidence.
    pub(super) fn run_usable(&self, audit: &Audit, progress: &Progress) -> Result<(Evidence, Vec<CollectError>)> {
        self.ask(audit, progress, true)
    }

    fn ask(&self, audit: &Audit, progress: &Progress, usable: bool) -> Result<(Evidence, Vec<CollectError>)> {
        let mut evidence = Evidence::empty(now());
        let as_of = input::as_of(self.as_of, audit, evidence.captured_at).at;
        let options = Options {
            captured_at: evidence.captured_at,
            timeout: self.time.timeout,
            deadline: self.deadline,
            all_snapshots: self.all_snapshots,
            read_state_headers: self.read_state_headers,
            env: &|name| std::env::var(name).ok(),
            progress: &|what| progress.say(what),
        };
        let (kafka, s3) = thread::scope(|scope| {
            let kafka = scope.spawn(|| ask_kafka(audit, as_of, &options, usable));
            let s3 = ask_s3(audit, &options);
            (kafka.join(), s3)
        });
        let kafka = kafka.map_err(|_| anyhow!("the Kafka collector broke off; this is a fault in ttl-audit"))?;
        let mut errors;
        (evidence.kafka, errors) = kafka;
        match s3 {
            Ok(s3) => (evidence.buckets, evidence.places) = s3,
            Err(error) => errors.push(error),
        }
        evidence.digest = evidence.content_digest()?;
        Ok((evidence, errors))
    }
}

/// What S3 said: by bucket, and by declared location.
type S3 = (BTreeMap<String, BucketEvidence>, BTreeMap<S3Location, PlaceEvidence>);

/// What Kafka said by cluster, and what of the audit file cannot be used.
type Kafka = (BTreeMap<String, ClusterEvidence>, Vec<CollectError>);

#[cfg(feature = "kafka")]
fn ask_kafka(audit: &Audit, as_of: Instant, options: &Options<'_>, usable: bool) -> Kafka {
    use ttl_audit::collect::kafka::{collect, collect_usable};
    if usable {
        return collect_usable(audit, as_of, options);
    }
    collect(audit, as_of, options).map_or_else(|errors| (BTreeMap::new(), errors), |seen| (seen, Vec::new()))
}

#[cfg(not(feature = "kafka"))]
fn ask_kafka(audit: &Audit, _: Instant, _: &Options<'_>, _: bool) -> Kafka {
    let needed = audit.jobs.iter().flat_map(|job| &job.sources).any(|source| matches!(source.kind, SourceKind::Kafka(_)));
    (BTreeMap::new(), if needed { vec![not_built("kafka", "Kafka")] } else { Vec::new() })
}

#[cfg(feature = "s3")]
fn ask_s3(audit: &Audit, options: &Options<'_>) -> Result<S3, CollectError> {
    let seen = ttl_audit::collect::s3::collect(audit, options)?;
    Ok((seen.buckets, seen.places))
}

#[cfg(not(feature = "s3"))]
fn ask_s3(audit: &Audit, _: &Options<'_>) -> Result<S3, CollectError> {
    let recovery = audit.jobs.iter().filter_map(|job| job.recovery.as_ref()).flat_map(|recovery| {
        let checkpoints = recovery.checkpoints.iter().filter_map(|checkpoints| checkpoints.location.as_ref());
        recovery.savepoints.iter().chain(checkpoints).chain(&recovery.high_availability).chain(&recovery.changelog)
    });
    let sinks = audit.jobs.iter().flat_map(|job| &job.sinks).filter_map(|sink| sink.location.as_ref());
    let needed = recovery.chain(sinks).any(|location| location.value.s3().is_some());
    if needed { Err(not_built("s3", "S3")) } else { Ok(S3::default()) }
}

#[cfg(not(all(feature = "kafka", feature = "s3")))]
fn not_built(place: &str, service: &str) -> CollectError {
    CollectError::Setting { place: place.to_owned(), message: format!("this build has no {service} support; use --offline") }
}
