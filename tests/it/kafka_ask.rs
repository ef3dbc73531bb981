//! An audit of one cluster, and what the collector says to it.

use std::time::{Duration, Instant};

use ttl_audit::{
    audit::{Audit, ClusterConfig},
    collect::{self, CollectError, Options},
    evidence::{ClusterEvidence, Fact, Offset, PerPartition, Settings, TopicEvidence},
    manifest::{SinkKind, Topics},
    units::{Millis, Ttl},
};

use crate::world::{CLUSTER, World, stated};

/// Asks a cluster.
pub(crate) struct Ask {
    world: World,
    properties: Vec<(String, String)>,
    timeout: Duration,
}

#[allow(dead_code, reason = "some of it is used by live tests, some by scripted ones")]
impl Ask {
    /// With these properties besides `bootstrap.servers`.
    pub(crate) fn new(bootstrap: &str, properties: &[(&str, &str)]) -> Self {
        let mut all = vec![("bootstrap.servers".to_owned(), bootstrap.to_owned())];
        all.extend(properties.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        // The instant does not matter: what is asked counts from now.
        Self { world: World::at("2026-09-15"), properties: all, timeout: Duration::from_secs(30) }
    }

    pub(crate) fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    pub(crate) fn topic(mut self, name: &str) -> Self {
        self.world = self.world.reads_unseen(name);
        self
    }

    pub(crate) fn topics(self, names: impl IntoIterator<Item = String>) -> Self {
        names.into_iter().fold(self, |ask, name| ask.topic(&name))
    }

    pub(crate) fn pattern(mut self, pattern: &str) -> Self {
        self.world = self.world.reads_unseen(pattern).source(|source| source.topics = Topics::Pattern(stated(pattern.to_owned())));
        self
    }

    /// The last topic is read by this group.
    pub(crate) fn group(mut self, group: &str) -> Self {
        self.world = self.world.source(|source| source.group_id = Some(group.to_owned()));
        self
    }

    /// A Kafka sink that writes to the cluster.
    pub(crate) fn sink(mut self, id: &str) -> Self {
        self.world = self.world.writes(id);
        self.world.job.sinks.iter_mut().for_each(|sink| sink.kind = SinkKind::Kafka);
        self
    }

    /// A state that every source so far reaches.
    pub(crate) fn ttl(mut self, ttl: Millis) -> Self {
        self.world = self.world.remembers("operator/state", Ttl::After(ttl));
        self
    }

    pub(crate) fn audit(&self) -> Audit {
        let mut audit = self.world.audit.clone();
        audit.jobs = vec![self.world.job.clone()];
        let config = ClusterConfig { properties: self.properties.iter().cloned().collect(), ..ClusterConfig::default() };
        audit.kafka.insert(CLUSTER.to_owned(), config);
        audit
    }

    pub(crate) fn try_now(&self) -> Result<ClusterEvidence, Vec<CollectError>> {
        let now = collect::now();
        let options = Options {
            captured_at: now,
            timeout: self.timeout,
            deadline: Instant::now() + Duration::from_mins(5),
            env: &|_| None,
            progress: &|_| (),
            all_snapshots: false,
            read_state_headers: false,
        };
        let mut evidence = collect::kafka::collect(&self.audit(), now, &options)?;
        Ok(evidence.remove(CLUSTER).expect("the cluster was asked"))
    }

    pub(crate) fn now(&self) -> ClusterEvidence {
        self.try_now().expect("usable properties")
    }
}

/// The value, or a failed test that says why there is none.
pub(crate) fn seen<T>(fact: &Fact<T>) -> &T {
    &fact.known().unwrap_or_else(|unknown| panic!("unknown: {unknown:?}")).value
}

/// The reason, with its kind in front: `denied: needs …`.
pub(crate) fn reason<T: std::fmt::Debug>(fact: &Fact<T>) -> String {
    fact.known().expect_err("no value").reason
}

/// A setting: its value and where that comes from.
pub(crate) fn setting<'a>(settings: &'a Fact<Settings>, name: &str) -> (&'a str, &'static str) {
    let setting = seen(settings).get(name).unwrap_or_else(|| panic!("no setting {name}"));
    (setting.value.as_deref().expect("a value"), setting.source.words())
}

pub(crate) fn topic<'a>(evidence: &'a ClusterEvidence, name: &str) -> &'a TopicEvidence {
    evidence.topics.get(name).unwrap_or_else(|| panic!("no topic {name}"))
}

/// The answer of one partition.
pub(crate) fn partition(answers: &PerPartition, partition: i32) -> Option<Offset> {
    let answers = seen(answers);
    *answers.partitions.get(&partition).unwrap_or_else(|| panic!("no answer of partition {partition}: {:?}", answers.failed))
}

/// Every fact of a cluster that cannot be reached, with its reason.
pub(crate) fn every_reason(evidence: &ClusterEvidence) -> Vec<String> {
    let mut reasons = vec![reason(&evidence.cluster_id), reason(&evidence.broker)];
    reasons.extend(evidence.patterns.values().map(reason));
    for topic in evidence.topics.values() {
        reasons.extend([reason(&topic.partitions), reason(&topic.settings), reason(&topic.samples)]);
        reasons.extend([&topic.log_start, &topic.log_end, &topic.first_record, &topic.largest_timestamp].map(reason));
    }
    reasons
}
