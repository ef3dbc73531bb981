//! A world for tests of rules: one job, what was seen of its topics and buckets, and what the rules say about it.
//!
//! ```text
//! World::at("2026-09-15").reads("events", topic).remembers("dedup/seen", days(7)).judge().fires("ttl-below-retention")
//! ```
#![allow(dead_code, reason = "a builder that many tests share; which parts are used depends on the features that are built")]

use std::collections::BTreeMap;

use ttl_audit::{
    analysis::{Earlier, EarlierState, JobAnalysis},
    audit::Audit,
    evidence::{BucketEvidence, ClusterEvidence, Evidence, PlaceEvidence, TopicEvidence},
    finding::{Finding, Severity},
    manifest::{
        AsOf, At, ClearedBy, DeclaredRetention, DeclaredSource, Delivery, Flink, KafkaSource, Manifest, Operator, OperatorId, Position,
        Recovery, Reset, Role, Sink, SinkKind, Source, SourceKind, Start, State, Topics, TtlUpdate, TtlVisibility,
    },
    policy::Policy,
    rules::{self, JobContext, JudgedUnknown, RuleResults},
    units::{Instant, Millis, S3Location, Ttl},
};

use crate::scene::{Topic, at, cluster};

/// The cluster that every source of the job belongs to.
pub(crate) const CLUSTER: &str = "prod";

/// A value in the manifest; tests that look at lines set them.
pub(crate) fn stated<T>(value: T) -> At<T> {
    At { value, position: Position { line: 1, column: 1 } }
}

/// One job and what was seen.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) audit: Audit,
    pub(crate) job: Manifest,
    pub(crate) evidence: Evidence,
    pub(crate) as_of: Instant,
    pub(crate) earlier: Option<Earlier>,
}

impl World {
    /// A job of Flink 1.18.1 without sources, operators and sinks, judged at the instant at which the evidence was captured.
    pub(crate) fn at(captured_at: &str) -> Self {
        let captured_at = at(captured_at);
        let job = Manifest {
            file: "jobs/job.yaml".to_owned(),
            job: stated("job".to_owned()),
            owner: None,
            flink: Flink { version: Some("1.18.1".to_owned()), ..Flink::default() },
            max_downtime: None,
            sources: Vec::new(),
            operators: Vec::new(),
            sinks: Vec::new(),
            recovery: None,
        };
        let audit = Audit {
            file: "audit.yaml".to_owned(),
            name: "world".to_owned(),
            client: None,
            as_of: None,
            kafka: BTreeMap::from([(CLUSTER.to_owned(), ttl_audit::audit::ClusterConfig::default())]),
            s3: ttl_audit::audit::S3Config::default(),
            policy: Policy::default(),
            waivers: Vec::new(),
            jobs: Vec::new(),
        };
        let mut evidence = Evidence::empty(captured_at);
        evidence.kafka.insert(CLUSTER.to_owned(), cluster(captured_at, "cluster-1", []));
        Self { audit, job, evidence, as_of: captured_at, earlier: None }
    }

    /// The job as a manifest says it, instead of what was built so far.
    pub(crate) fn manifest(mut self, yaml: &str) -> Self {
        self.job = ttl_audit::manifest::parse("jobs/job.yaml", yaml).unwrap_or_else(|problems| panic!("{problems:#?}"));
        self
    }

    /// The instant at which the evidence was captured.
    pub(crate) fn now(&self) -> Instant {
        self.evidence.captured_at
    }

    /// A source, named like its topic, and what was seen of that.
    pub(crate) fn reads(self, topic: &str, seen: &Topic) -> Self {
        self.reads_seen(topic, seen.evidence(topic))
    }

    /// A source, named like its topic, and what was seen of that.
    pub(crate) fn reads_seen(mut self, topic: &str, seen: TopicEvidence) -> Self {
        self.evidence.kafka.entry(CLUSTER.to_owned()).and_modify(|cluster| {
            cluster.topics.insert(topic.to_owned(), seen);
        });
        self.reads_unseen(topic)
    }

    /// A source, named like its topic, of which nothing was seen.
    pub(crate) fn reads_unseen(mut self, topic: &str) -> Self {
        let kafka = KafkaSource {
            cluster: None,
            topics: Topics::Named(vec![stated(topic.to_owned())]),
            group_id: None,
            start: Start::Earliest,
            reset: Reset::Earliest,
            records_per_day: None,
            max_event_lag: None,
            transactional: false,
        };
        self.job.sources.push(Source { id: stated(topic.to_owned()), uid: None, kind: SourceKind::Kafka(kafka) });
        self
    }

    /// A source that cannot be asked.
    pub(crate) fn reads_declared(mut self, id: &str, retention: DeclaredRetention) -> Self {
        let retention = stated(retention);
        let declared = DeclaredSource { kind: "kinesis", retention, group_id: None, start: None, reset: None, records_per_day: None };
        self.job.sources.push(Source { id: stated(id.to_owned()), uid: None, kind: SourceKind::Declared(declared) });
        self
    }

    /// Changes the last source, which is a Kafka source.
    pub(crate) fn source(mut self, change: impl FnOnce(&mut KafkaSource)) -> Self {
        match self.job.sources.last_mut().map(|source| &mut source.kind) {
            Some(SourceKind::Kafka(kafka)) => change(kafka),
            _ => panic!("the last source is not Kafka"),
        }
        self
    }

    /// Changes what was seen of the cluster.
    pub(crate) fn cluster(mut self, change: impl FnOnce(&mut ClusterEvidence)) -> Self {
        change(self.evidence.kafka.get_mut(CLUSTER).expect("the cluster was seen"));
        self
    }

    /// Changes what was seen of a topic.
    pub(crate) fn topic(self, topic: &str, change: impl FnOnce(&mut TopicEvidence)) -> Self {
        self.cluster(|cluster| change(cluster.topics.get_mut(topic).expect("the topic was seen")))
    }

    /// An operator whose state (`operator/state`) has this TTL and sees the records of every source that is there by now. Its role is
    /// deduplication.
    pub(crate) fn remembers(mut self, state: &str, ttl: Ttl) -> Self {
        let (operator, state) = state.split_once('/').expect("operator/state");
        let state = State {
            name: stated(state.to_owned()),
            kind: None,
            ttl: stated(ttl),
            update: TtlUpdate::default(),
            visibility: TtlVisibility::default(),
            cleared_by: None,
            reads: self.job.sources.iter().map(|source| source.id.value.clone()).collect(),
        };
        self.job.operators.push(Operator {
            id: stated(OperatorId::Uid(operator.to_owned())),
            name: None,
            role: Some(Role::Deduplication),
            state: vec![state],
        });
        self
    }

    /// An operator whose state no TTL governs.
    pub(crate) fn remembers_until(self, state: &str, cleared_by: ClearedBy) -> Self {
        self.remembers(state, Ttl::Never).last_state(|state| state.cleared_by = Some(cleared_by))
    }

    /// Changes the last operator.
    pub(crate) fn operator(mut self, change: impl FnOnce(&mut Operator)) -> Self {
        change(self.job.operators.last_mut().expect("an operator"));
        self
    }

    /// Changes the last operator's state.
    pub(crate) fn last_state(self, change: impl FnOnce(&mut State)) -> Self {
        self.operator(|operator| change(operator.state.last_mut().expect("a state")))
    }

    /// The last operator's role.
    pub(crate) fn role(self, role: impl Into<Option<Role>>) -> Self {
        let role = role.into();
        self.operator(|operator| operator.role = role)
    }

    /// A sink that every operator feeds that is there by now: at least once, not idempotent.
    pub(crate) fn writes(mut self, id: &str) -> Self {
        self.job.sinks.push(Sink {
            id: stated(id.to_owned()),
            kind: SinkKind::Other,
            delivery: Some(Delivery::AtLeastOnce),
            idempotent: false,
            fed_by: self.job.operators.iter().map(|operator| operator.id.value.text().to_owned()).collect(),
            table: None,
            key: Vec::new(),
            ingested_at: None,
            cluster: None,
            topic: None,
            transaction_timeout: None,
            location: None,
            commit_log: false,
        });
        self
    }

    /// The last sink merges on a key taken from the record.
    pub(crate) fn idempotently(mut self) -> Self {
        self.job.sinks.last_mut().expect("a sink").idempotent = true;
        self
    }

    /// Where the job's recovery files lie.
    pub(crate) fn recovers(mut self, recovery: Recovery) -> Self {
        self.job.recovery = Some(recovery);
        self
    }

    /// What was seen of a bucket.
    pub(crate) fn bucket(mut self, name: &str, seen: BucketEvidence) -> Self {
        self.evidence.buckets.insert(name.to_owned(), seen);
        self
    }

    /// What was seen at a declared location; see `scene::place`.
    pub(crate) fn place(mut self, (location, seen): (S3Location, PlaceEvidence)) -> Self {
        self.evidence.places.insert(location, seen);
        self
    }

    /// Changes the policy.
    pub(crate) fn policy(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(&mut self.audit.policy);
        self
    }

    /// The instant that is judged.
    pub(crate) fn judged_at(mut self, as_of: &str) -> Self {
        self.as_of = at(as_of);
        self
    }

    /// What an earlier report says of a state (`operator/state`) of the job.
    pub(crate) fn earlier(mut self, as_of: &str, state: &str, ttl: Ttl) -> Self {
        let (operator, state) = state.split_once('/').expect("operator/state");
        let states = BTreeMap::from([((operator.to_owned(), state.to_owned()), EarlierState { ttl, covers: None })]);
        let jobs = BTreeMap::from([(self.job.job.value.clone(), states)]);
        self.earlier = Some(Earlier { audit: "world-before".to_owned(), as_of: at(as_of), jobs });
        self
    }

    /// What follows from all this.
    pub(crate) fn analyse(&self) -> JobAnalysis {
        JobAnalysis::of(&self.audit, &self.job, &self.evidence, AsOf { at: self.as_of, pinned: true })
    }

    /// What every rule says.
    pub(crate) fn judge(&self) -> Answers {
        let analysis = self.analyse();
        let mut audit = self.audit.clone();
        // The job is one of its audit, beside those that a test adds.
        if audit.jobs.iter().all(|job| job.job != self.job.job) {
            audit.jobs.push(self.job.clone());
        }
        let context = JobContext {
            audit: &audit,
            job: &self.job,
            evidence: &self.evidence,
            as_of: AsOf { at: self.as_of, pinned: true },
            analysis: &analysis,
            earlier: self.earlier.as_ref(),
        };
        Answers { results: rules::run(rules::all(), &context) }
    }
}

/// What every rule says.
pub(crate) struct Answers {
    pub(crate) results: RuleResults,
}

impl Answers {
    /// The only finding of this rule.
    pub(crate) fn fires(&self, rule: &str) -> &Finding {
        let mut found = self.results.findings.iter().filter(|judged| judged.rule.id == rule);
        let first = found.next().unwrap_or_else(|| panic!("{rule} does not fire: {:#?}", self.results));
        assert!(found.next().is_none(), "{rule} fires more than once: {:#?}", self.results);
        &first.finding
    }

    /// The finding of this rule about this subject.
    pub(crate) fn about(&self, rule: &str, subject: &str) -> &Finding {
        let found = self.results.findings.iter().find(|judged| judged.rule.id == rule && judged.subject.text == subject);
        &found.unwrap_or_else(|| panic!("{rule} does not fire about {subject}: {:#?}", self.results)).finding
    }

    /// The subjects of the findings of this rule, sorted.
    pub(crate) fn subjects(&self, rule: &str) -> Vec<&str> {
        let mut all: Vec<&str> =
            self.results.findings.iter().filter(|judged| judged.rule.id == rule).map(|judged| judged.subject.text.as_str()).collect();
        all.sort_unstable();
        all
    }

    /// The reasons why this rule cannot judge everything.
    pub(crate) fn reasons(&self, rule: &str) -> Vec<&str> {
        let waits = |judged: &&JudgedUnknown| judged.rule.id == rule || judged.also.iter().any(|meta| meta.id == rule);
        self.results.unknown.iter().filter(waits).map(|judged| judged.unknown.reason.as_str()).collect()
    }

    /// The severity of the only finding of this rule.
    pub(crate) fn severity(&self, rule: &str) -> Severity {
        self.fires(rule).severity
    }

    /// Nothing is said by this rule, and nothing is unknown to it.
    pub(crate) fn quiet(&self, rule: &str) {
        assert!(self.results.findings.iter().all(|judged| judged.rule.id != rule), "{rule} fires: {:#?}", self.results.findings);
        assert!(self.waiting(rule).is_none(), "{rule} is unknown: {:#?}", self.results.unknown);
    }

    /// The first unknown that this rule waits for.
    pub(crate) fn unknown(&self, rule: &str) -> &JudgedUnknown {
        assert!(self.results.findings.iter().all(|judged| judged.rule.id != rule), "{rule} fires: {:#?}", self.results.findings);
        self.waiting(rule).unwrap_or_else(|| panic!("{rule} is not unknown: {:#?}", self.results))
    }

    /// Every unknown but the one that a world without a recovery block always has.
    pub(crate) fn causes(&self) -> Vec<&JudgedUnknown> {
        self.results.unknown.iter().filter(|judged| judged.rule.id != "recovery-not-declared").collect()
    }

    fn waiting(&self, rule: &str) -> Option<&JudgedUnknown> {
        self.results.unknown.iter().find(|judged| judged.rule.id == rule || judged.also.iter().any(|meta| meta.id == rule))
    }
}

/// A TTL of whole days.
pub(crate) const fn days(days: u64) -> Ttl {
    Ttl::After(Millis::days(days))
}
