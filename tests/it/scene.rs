//! Evidence as a collector would write it, built in a few words: topics with a steady rate of records, buckets, snapshots.

use std::collections::BTreeMap;

use ttl_audit::{
    evidence::{
        BucketEvidence, ClusterEvidence, Fact, ObjectEvidence, Offset, Offsets, PerPartition, PlaceEvidence, Sample, Setting, SettingSource,
        Settings, SnapshotEvidence, Store, StoreKind, Synonym, TopicEvidence, Versioning, VersioningStatus,
    },
    units::{Bytes, Instant, Millis, S3Location},
};

pub(crate) fn at(text: &str) -> Instant {
    text.parse().expect("an instant")
}

/// A topic whose records arrive at a steady rate, the same in every partition.
#[derive(Clone)]
pub(crate) struct Topic {
    pub(crate) settings: Settings,
    captured_at: Instant,
    partitions: i32,
    /// Records a day in one partition.
    rate: u64,
    /// The offset of the first record of `first_day`.
    start: i64,
    first_record: Instant,
    largest: Option<i64>,
    first_timestamp: Option<i64>,
    instants: Vec<Instant>,
    by: String,
}

fn setting(name: &str, value: &str, source: SettingSource, broker: Option<(&str, &str)>) -> (String, Setting) {
    let mut synonyms = vec![Synonym { name: name.to_owned(), value: Some(value.to_owned()), source }];
    if source == SettingSource::Topic {
        synonyms.extend(broker.map(|(name, value)| Synonym {
            name: name.to_owned(),
            value: Some(value.to_owned()),
            source: SettingSource::Default,
        }));
    } else if let (Some((name, value)), Some(first)) = (broker, synonyms.first_mut()) {
        name.clone_into(&mut first.name);
        first.value = Some(value.to_owned());
    }
    (name.to_owned(), Setting { value: Some(value.to_owned()), source, synonyms })
}

impl Topic {
    /// A topic with Apache Kafka 4's defaults whose first readable record is stamped `first_record`, with `rate` records a day in each
    /// of its partitions.
    pub(crate) fn new(captured_at: Instant, first_record: Instant, partitions: i32, rate: u64) -> Self {
        use SettingSource::Default;
        let settings = [
            setting("cleanup.policy", "delete", Default, Some(("log.cleanup.policy", "delete"))),
            setting("retention.ms", "604800000", Default, Some(("log.retention.hours", "168"))),
            setting("retention.bytes", "-1", Default, Some(("log.retention.bytes", "-1"))),
            setting("segment.ms", "604800000", Default, Some(("log.roll.hours", "168"))),
            setting("segment.jitter.ms", "0", Default, Some(("log.roll.jitter.hours", "0"))),
            setting("segment.bytes", "1073741824", Default, Some(("log.segment.bytes", "1073741824"))),
            setting("max.compaction.lag.ms", "9223372036854775807", Default, Some(("log.cleaner.max.compaction.lag.ms", "9223372036854775807"))),
            setting("message.timestamp.type", "CreateTime", Default, Some(("log.message.timestamp.type", "CreateTime"))),
            setting("message.timestamp.after.max.ms", "3600000", Default, Some(("log.message.timestamp.after.max.ms", "3600000"))),
            setting(
                "message.timestamp.before.max.ms",
                "9223372036854775807",
                Default,
                Some(("log.message.timestamp.before.max.ms", "9223372036854775807")),
            ),
            setting("remote.storage.enable", "false", Default, None),
        ];
        Self {
            settings: settings.into_iter().collect(),
            captured_at,
            partitions,
            rate,
            start: 0,
            first_record,
            largest: None,
            first_timestamp: None,
            instants: Vec::new(),
            by: "broker 1".to_owned(),
        }
    }

    /// Sets `name` on the topic itself.
    pub(crate) fn set(mut self, name: &str, value: impl ToString) -> Self {
        let default = self.settings.get(name).and_then(|s| s.synonyms.first().cloned());
        let broker = default.as_ref().and_then(|s| s.value.as_deref().map(|value| (s.name.as_str(), value)));
        let (name, setting) = setting(name, &value.to_string(), SettingSource::Topic, broker);
        self.settings.insert(name, setting);
        self
    }

    /// Sets a length on the topic itself.
    pub(crate) fn set_length(self, name: &str, length: Millis) -> Self {
        self.set(name, length.as_ms())
    }

    /// The service does not tell this key.
    pub(crate) fn hide(mut self, name: &str) -> Self {
        self.settings.remove(name);
        self
    }

    /// The offset of the first readable record.
    pub(crate) const fn starting_at(mut self, offset: i64) -> Self {
        self.start = offset;
        self
    }

    /// The first record's timestamp as it is stored, nonsense or not.
    pub(crate) const fn first_timestamp(mut self, ms: i64) -> Self {
        self.first_timestamp = Some(ms);
        self
    }

    /// The largest timestamp as it is stored.
    pub(crate) const fn largest_timestamp(mut self, ms: i64) -> Self {
        self.largest = Some(ms);
        self
    }

    /// Samples at as-of − TTL for this instant too.
    pub(crate) fn sampled_at(mut self, at: Instant) -> Self {
        self.instants.push(at);
        self
    }

    fn offset_at(&self, at: Instant) -> i64 {
        let since = at.since(self.first_record.start_of_day()).as_ms();
        let records = u128::from(since) * u128::from(self.rate) / u128::from(Millis::DAY.as_ms());
        self.start + i64::try_from(records).expect("few records")
    }

    fn everywhere(&self, call: &str, offset: impl Fn(i32) -> Option<Offset>) -> PerPartition {
        let partitions = (0..self.partitions).map(|partition| (partition, offset(partition))).collect();
        Fact::seen(Offsets { partitions, failed: BTreeMap::new() }, &self.by, call, self.captured_at)
    }

    pub(crate) fn evidence(&self, name: &str) -> TopicEvidence {
        let position = |offset| Some(Offset { offset, timestamp: None });
        let end = self.offset_at(self.captured_at);
        let first = |partition: i32| {
            // One partition has the oldest record; the others follow a second apart.
            let at = self.first_record.plus(Millis::seconds(u64::try_from(partition).expect("not negative")));
            (end > self.start).then_some(Offset { offset: self.start, timestamp: Some(self.first_timestamp.unwrap_or(at.epoch_ms())) })
        };
        let largest = self.largest.unwrap_or(self.captured_at.minus(Millis::seconds(2)).epoch_ms());
        let mut instants: Vec<Instant> =
            (0..64).map(|day| self.captured_at.start_of_day().minus(Millis::days(day))).filter(|at| *at >= self.first_record.start_of_day()).collect();
        instants.extend(&self.instants);
        instants.sort();
        instants.dedup();
        let samples = instants
            .into_iter()
            .map(|at| Sample {
                at,
                offsets: Offsets {
                    partitions: (0..self.partitions)
                        .map(|partition| {
                            let offset = self.offset_at(at).max(self.start);
                            let timestamp = if offset == self.start { first(partition).and_then(|o| o.timestamp) } else { Some(at.epoch_ms()) };
                            (partition, (offset < end).then_some(Offset { offset, timestamp }))
                        })
                        .collect(),
                    failed: BTreeMap::new(),
                },
            })
            .collect();
        TopicEvidence {
            partitions: Fact::seen((0..self.partitions).collect(), &self.by, format!("Metadata of topic {name}"), self.captured_at),
            settings: Fact::seen(self.settings.clone(), &self.by, format!("DescribeConfigs of topic {name}"), self.captured_at),
            log_start: self.everywhere(&format!("ListOffsets of topic {name}, earliest"), |_| position(self.start)),
            log_end: self.everywhere(&format!("ListOffsets of topic {name}, latest"), |_| position(end)),
            first_record: self.everywhere(&format!("ListOffsets of topic {name}, timestamp 0"), first),
            largest_timestamp: self.everywhere(&format!("ListOffsets of topic {name}, largest timestamp"), |_| {
                (end > self.start).then_some(Offset { offset: end - 1, timestamp: Some(largest) })
            }),
            samples: Fact::seen(samples, &self.by, format!("ListOffsets of topic {name}, by day"), self.captured_at),
        }
    }
}

/// A cluster of Apache Kafka with these topics.
pub(crate) fn cluster(captured_at: Instant, id: &str, topics: impl IntoIterator<Item = (&'static str, Topic)>) -> ClusterEvidence {
    let broker = [
        setting("log.retention.check.interval.ms", "300000", SettingSource::Default, None),
        setting("log.cleaner.backoff.ms", "15000", SettingSource::Default, None),
        setting("offsets.retention.minutes", "10080", SettingSource::Default, None),
        setting("transaction.max.timeout.ms", "900000", SettingSource::Default, None),
    ];
    let topics: BTreeMap<String, TopicEvidence> = topics.into_iter().map(|(name, topic)| (name.to_owned(), topic.evidence(name))).collect();
    ClusterEvidence {
        cluster_id: Fact::seen(id.to_owned(), "broker 1", "Metadata", captured_at),
        broker: Fact::seen(broker.into_iter().collect(), "broker 1", "DescribeConfigs of broker 1", captured_at),
        requests: 8 + u64::try_from(topics.len()).expect("few topics"),
        topics,
        patterns: BTreeMap::new(),
    }
}
