//! One cluster, asked from beginning to end.

use std::collections::{BTreeMap, BTreeSet};

use rdkafka::consumer::BaseConsumer;

use super::{
    codes,
    ffi::{self, Entry, Failure, Resource},
    groups,
    handle::{Cluster, Handle, NoAnswer, with_handle},
    offsets::{Partitions, Spec},
    pattern,
    plan::{self, ClusterPlan, GroupPlan},
    watch::Watch,
};
use crate::{
    collect::{Options, now},
    evidence::{ClusterEvidence, Fact, GroupOffsets, PerPartition, Sample, Setting, SettingSource, Settings, Synonym, TopicEvidence},
    units::{Instant, Millis},
};

/// How many topics go into one call: about 5 KB of settings each on Apache Kafka, against a limit of 100 MB.
const BATCH: usize = 500;
/// The broker settings that matter, besides `log.cleaner.*`.
const BROKER_SETTINGS: &[&str] = &["log.retention.check.interval.ms", "offsets.retention.minutes", "transaction.max.timeout.ms"];
/// A first record that is older than this says that timestamps are not in milliseconds, rather than how far history reaches.
const PLAUSIBLE: Millis = Millis::days(3653);

/// Asks the cluster of `client`, which is called `name`, for what `plan` wants.
pub(super) fn collect(
    name: &str,
    client: &BaseConsumer<Watch>,
    plan: &ClusterPlan,
    as_of: Instant,
    options: &Options<'_>,
) -> ClusterEvidence {
    with_handle(client, options, |handle| {
        let tell = |what: &str| (options.progress)(&format!("kafka {name}: {what}"));
        tell("connecting");
        match handle.connect() {
            Ok(cluster) => Asking { handle, cluster, as_of, tell: &tell }.everything(plan),
            Err(no_answer) => failed(plan, &no_answer.reason, handle.requests()),
        }
    })
}

/// Evidence of a cluster of which nothing is known, for one reason.
pub(super) fn failed(plan: &ClusterPlan, reason: &str, requests: u64) -> ClusterEvidence {
    let topic = |name: &String| {
        let fact = |what: &str| Gap { reason, call: format!("{what} on topic {name}") };
        let topic = TopicEvidence {
            partitions: fact("Metadata").fact(),
            settings: fact("DescribeConfigs").fact(),
            log_start: fact(&Spec::LogStart.call()).fact(),
            log_end: fact(&Spec::LogEnd.call()).fact(),
            first_record: fact(&Spec::At(0).call()).fact(),
            largest_timestamp: fact(&Spec::LargestTimestamp.call()).fact(),
            samples: fact("ListOffsets by time").fact(),
        };
        (name.clone(), topic)
    };
    ClusterEvidence {
        cluster_id: Fact::failed(reason, "Metadata"),
        broker: Fact::failed(reason, "DescribeConfigs on a broker"),
        topics: plan.topics.keys().map(topic).collect(),
        patterns: plan.patterns.keys().map(|pattern| (pattern.clone(), Fact::failed(reason, "Metadata of all topics"))).collect(),
        groups: plan.groups.keys().map(|group| (group.clone(), Fact::failed(reason, groups::call(group)))).collect(),
        requests,
    }
}

/// A reason and a call, for facts of different types.
struct Gap<'a> {
    reason: &'a str,
    call: String,
}

impl Gap<'_> {
    fn fact<T>(self) -> Fact<T> {
        Fact::failed(self.reason, self.call)
    }
}

struct Asking<'a> {
    handle: &'a Handle<'a>,
    cluster: Cluster,
    as_of: Instant,
    tell: &'a dyn Fn(&str),
}

/// A topic, before its offsets are known.
struct Described {
    partitions: Fact<Vec<i32>>,
    leaders: BTreeMap<i32, Option<i32>>,
    internal: bool,
}

impl Asking<'_> {
    fn everything(&self, plan: &ClusterPlan) -> ClusterEvidence {
        let cluster_id = match &self.cluster.id {
            Some(id) => Fact::seen(id.clone(), self.by(), "Metadata", now()),
            None => Fact::unsupported("the brokers name no cluster id", "Metadata"),
        };
        let broker = self.broker_settings();

        let mut patterns = self.patterns(plan);
        let mut ttls = plan.topics.clone();
        for (pattern, matched) in &patterns {
            for topic in matched.shown().into_iter().flatten() {
                ttls.entry(topic.clone()).or_default().extend(plan.patterns.get(pattern).into_iter().flatten());
            }
        }
        let names: Vec<&str> = ttls.keys().map(String::as_str).collect();
        (self.tell)(&format!("partitions of {}", topics(names.len())));
        let mut described = self.describe(&names);

        // Flink lists topics as Java's admin client does by default, without the internal ones. A topic that is named is read all the same.
        let internal: BTreeSet<String> = described
            .iter()
            .filter(|(name, topic)| topic.internal && !plan.topics.contains_key(*name))
            .map(|(name, _)| name.clone())
            .collect();
        for matched in patterns.values_mut() {
            if let Fact::Seen(seen) = matched {
                seen.value.retain(|name| !internal.contains(name));
            }
        }
        ttls.retain(|name, _| !internal.contains(name));
        described.retain(|name, _| !internal.contains(name));

        let names: Vec<&str> = ttls.keys().map(String::as_str).collect();
        (self.tell)(&format!("settings of {}", topics(names.len())));
        let mut settings = self.settings(&names);

        let leaders = described.iter_mut().map(|(name, topic)| (name.clone(), std::mem::take(&mut topic.leaders)));
        let mut partitions = Partitions::new(leaders.filter(|(_, leaders)| !leaders.is_empty()).collect());
        let all: BTreeSet<&str> = names.iter().copied().collect();
        (self.tell)(&format!("offsets of {}", topics(names.len())));
        let mut log_start = partitions.ask(self.handle, &all, Spec::LogStart);
        let mut log_end = partitions.ask(self.handle, &all, Spec::LogEnd);
        let mut first_record = partitions.ask(self.handle, &all, Spec::At(0));
        let mut largest = partitions.ask(self.handle, &all, Spec::LargestTimestamp);
        self.check_largest(&mut partitions, &first_record, &log_end, &mut largest);

        let mut wanted: BTreeMap<Instant, BTreeSet<&str>> = BTreeMap::new();
        for (name, ttls) in &ttls {
            let window = window(self.handle.options().captured_at, settings.get(name.as_str()), first_record.get(name));
            for at in plan::instants(self.handle.options().captured_at, self.as_of, window, ttls) {
                wanted.entry(at).or_default().insert(name);
            }
        }
        let mut samples = self.samples(&mut partitions, &wanted);

        let topics = ttls.keys().map(|name| {
            let described = described.remove(name);
            let partitions = described.map_or_else(|| left_out("Metadata", name), |topic| topic.partitions);
            // Where there are no partitions to ask, the reason is that of the partitions.
            let offsets = |answers: &mut BTreeMap<String, PerPartition>, what: Spec| {
                answers.remove(name).unwrap_or_else(|| without_partitions(&partitions, &format!("{} on topic {name}", what.call())))
            };
            let topic = TopicEvidence {
                log_start: offsets(&mut log_start, Spec::LogStart),
                log_end: offsets(&mut log_end, Spec::LogEnd),
                first_record: offsets(&mut first_record, Spec::At(0)),
                largest_timestamp: offsets(&mut largest, Spec::LargestTimestamp),
                samples: samples
                    .remove(name)
                    .unwrap_or_else(|| without_partitions(&partitions, &format!("ListOffsets by time on topic {name}"))),
                settings: settings.remove(name).unwrap_or_else(|| left_out("DescribeConfigs", name)),
                partitions,
            };
            (name.clone(), topic)
        });
        let topics = topics.collect();
        let groups = self.groups(plan, &patterns);
        ClusterEvidence { cluster_id, broker, topics, patterns, groups, requests: self.handle.requests() }
    }

    fn by(&self) -> String {
        format!("broker {}", self.cluster.broker)
    }

    /// What the groups have committed for the topics that they read.
    fn groups(&self, plan: &ClusterPlan, patterns: &BTreeMap<String, Fact<Vec<String>>>) -> BTreeMap<String, Fact<GroupOffsets>> {
        let ask = |(group, reads): (&String, &GroupPlan)| {
            (self.tell)(&format!("committed offsets of group {group}"));
            let matched = reads.patterns.iter().filter_map(|pattern| patterns.get(pattern)?.shown()).flatten();
            let topics: BTreeSet<&str> = reads.topics.iter().chain(matched).map(String::as_str).collect();
            (group.clone(), groups::committed(self.handle, group, &topics))
        };
        plan.groups.iter().map(ask).collect()
    }

    /// Which topics each pattern matches.
    fn patterns(&self, plan: &ClusterPlan) -> BTreeMap<String, Fact<Vec<String>>> {
        let call = "Metadata of all topics";
        let matched = |java: &String| match pattern::translate(java) {
            Ok(regex) => {
                let mut names: Vec<String> = self.cluster.topics.iter().filter(|name| regex.is_match(name)).cloned().collect();
                names.sort();
                names.dedup();
                Fact::seen(names, self.by(), call, now())
            }
            Err(reason) => Fact::unsupported(
                format!("this Java regular expression cannot be matched here: {reason}; name the topics with `topics:` instead"),
                call,
            ),
        };
        plan.patterns.keys().map(|java| (java.clone(), matched(java))).collect()
    }

    /// `Metadata` by name, which alone tells a topic that does not exist from one that may not be seen.
    fn describe(&self, names: &[&str]) -> BTreeMap<String, Described> {
        let mut described = BTreeMap::new();
        for batch in names.chunks(BATCH) {
            match self.describe_batch(batch) {
                Ok(answers) => {
                    for (name, answer) in answers {
                        let call = format!("Metadata on topic {name}");
                        let topic = match answer {
                            Ok(topic) => Described {
                                partitions: Fact::seen(topic.partitions.iter().map(|(id, _)| *id).collect(), self.by(), call, now()),
                                leaders: topic.partitions.into_iter().collect(),
                                internal: topic.internal,
                            },
                            Err(failure) => Described {
                                partitions: failure.fact(&format!("DESCRIBE on topic {name}"), &call),
                                leaders: BTreeMap::new(),
                                internal: false,
                            },
                        };
                        described.insert(name, topic);
                    }
                }
                Err(no_answer) => {
                    for name in batch {
                        let partitions = no_answer.fact(&format!("Metadata on topic {name}"));
                        described.insert((*name).to_owned(), Described { partitions, leaders: BTreeMap::new(), internal: false });
                    }
                }
            }
        }
        described
    }

    /// One batch, and once more the topics whose error may pass.
    fn describe_batch(&self, batch: &[&str]) -> Result<ffi::ByName<ffi::Description>, NoAnswer> {
        let ask = |names: &[&str]| {
            self.handle.count(1);
            self.handle.call(Some(self.cluster.broker_id), |client, call| ffi::describe_topics(client, names, call))
        };
        let mut answers = ask(batch)?;
        let passes = |answer: &Result<_, Failure>| answer.as_ref().is_err_and(|failure| codes::passes(failure.code));
        let again: Vec<String> = answers.iter().filter(|(_, answer)| passes(answer)).map(|(name, _)| name.clone()).collect();
        if !again.is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(200));
            let names: Vec<&str> = again.iter().map(String::as_str).collect();
            if let Ok(second) = ask(&names) {
                answers.retain(|(name, _)| !second.iter().any(|(other, _)| other == name));
                answers.extend(second);
            }
        }
        Ok(answers)
    }

    fn settings(&self, names: &[&str]) -> BTreeMap<String, Fact<Settings>> {
        let mut facts = BTreeMap::new();
        for batch in names.chunks(BATCH) {
            self.handle.count(1);
            let broker = Some(self.cluster.broker_id);
            match self.handle.call(broker, |client, call| ffi::describe_configs(client, Resource::Topics, batch, call)) {
                Ok(answers) => {
                    for (name, answer) in answers {
                        let call = format!("DescribeConfigs on topic {name}");
                        let fact = match answer {
                            Ok(entries) if entries.is_empty() => {
                                Fact::unsupported("the broker names no setting of the topic, not even a default", call)
                            }
                            Ok(entries) => Fact::seen(read_settings(entries, |_| true), self.by(), call, now()),
                            Err(failure) => self.scrubbed(&failure).fact(&format!("DESCRIBE_CONFIGS on topic {name}"), &call),
                        };
                        facts.insert(name, fact);
                    }
                }
                Err(no_answer) => {
                    for name in batch {
                        facts.insert((*name).to_owned(), no_answer.fact(&format!("DescribeConfigs on topic {name}")));
                    }
                }
            }
        }
        facts
    }

    fn broker_settings(&self) -> Fact<Settings> {
        (self.tell)("broker settings");
        let id = self.cluster.broker_id;
        let call = format!("DescribeConfigs on broker {id}");
        self.handle.count(1);
        let name = id.to_string();
        let answers = self.handle.call(Some(id), |client, call| ffi::describe_configs(client, Resource::Broker, &[&name], call));
        match answers.map(|answers| answers.into_iter().next()) {
            Ok(Some((_, Ok(entries)))) if entries.is_empty() => Fact::unsupported("the broker names no setting of its own", call),
            Ok(Some((_, Ok(entries)))) => {
                let matters = |name: &str| BROKER_SETTINGS.contains(&name) || name.starts_with("log.cleaner.");
                Fact::seen(read_settings(entries, matters), self.by(), call, now())
            }
            Ok(Some((_, Err(failure)))) => self.scrubbed(&failure).fact("DESCRIBE_CONFIGS on the cluster", &call),
            Ok(None) => Fact::failed("the answer leaves the broker out", call),
            Err(no_answer) => no_answer.fact(&call),
        }
    }

    fn scrubbed(&self, failure: &Failure) -> Failure {
        Failure { text: self.handle.scrub(&failure.text), code: failure.code }
    }

    /// Brokers before Kafka 3.0 do not know −3 and take it for a timestamp: every record is later than that, so they answer with the
    /// *first* one. Where the answer is the first record, though others follow, a look for a later timestamp tells.
    fn check_largest(
        &self,
        partitions: &mut Partitions,
        first_record: &BTreeMap<String, PerPartition>,
        log_end: &BTreeMap<String, PerPartition>,
        largest: &mut BTreeMap<String, PerPartition>,
    ) {
        let doubtful = largest.iter().find_map(|(name, answers)| {
            let (first, end) = (first_record.get(name)?.shown()?, log_end.get(name)?.shown()?);
            let found = answers.shown()?.partitions.iter().find_map(|(partition, found)| {
                let found = (*found)?;
                let end = (*end.partitions.get(partition)?)?.offset;
                let same = first.partitions.get(partition)?.as_ref()? == &found;
                (same && end > found.offset + 1).then_some((*partition, found.timestamp?, end))
            })?;
            Some((name.clone(), found))
        });
        let Some((name, (partition, timestamp, end))) = doubtful else { return };
        let later = partitions.ask(self.handle, &BTreeSet::from([name.as_str()]), Spec::At(timestamp.saturating_add(1)));
        let later = later.get(&name).and_then(Fact::shown).and_then(|answers| answers.partitions.get(&partition).copied().flatten());
        if later.is_some_and(|later| later.offset < end) {
            for (name, answers) in largest {
                *answers = Fact::unsupported(
                    "the brokers do not know this question (it came with Kafka 3.0) and answer with the first record instead",
                    format!("{} on topic {name}", Spec::LargestTimestamp.call()),
                );
            }
        }
    }

    fn samples(&self, partitions: &mut Partitions, wanted: &BTreeMap<Instant, BTreeSet<&str>>) -> BTreeMap<String, Fact<Vec<Sample>>> {
        let mut samples: BTreeMap<String, Fact<Vec<Sample>>> = BTreeMap::new();
        for (place, (at, names)) in wanted.iter().enumerate() {
            (self.tell)(&format!("offsets by time, {} of {}", place + 1, wanted.len()));
            for (name, answers) in partitions.ask(self.handle, names, Spec::At(at.epoch_ms())) {
                let call = format!("ListOffsets by time on topic {name}");
                let known = samples.entry(name).or_insert_with(|| Fact::seen(Vec::new(), "partition leaders", &call, now()));
                match (known, answers) {
                    (Fact::Seen(known), Fact::Seen(answer)) => known.value.push(Sample { at: *at, offsets: answer.value }),
                    // An instant without an answer makes no sample; the first such reason stands if nothing else was answered.
                    (known @ Fact::Seen(_), gap) if known.shown().is_some_and(Vec::is_empty) => *known = gap.map(|_| Vec::new()),
                    (known, Fact::Seen(answer)) => {
                        *known = Fact::seen(vec![Sample { at: *at, offsets: answer.value }], "partition leaders", &call, now());
                    }
                    _ => {}
                }
            }
        }
        samples
    }
}

/// The length of time to sample: as far back as records were seen, or as far as the settings let them live.
fn window(captured_at: Instant, settings: Option<&Fact<Settings>>, first_record: Option<&PerPartition>) -> Option<Millis> {
    let setting = |name: &str| {
        let value = settings?.shown()?.get(name)?.value.as_deref()?;
        value.trim().parse::<i64>().ok().and_then(Millis::from_signed)
    };
    let allowed = setting("retention.ms").map(|retention| retention.plus(setting("segment.ms").unwrap_or_default()));
    let first = first_record.and_then(Fact::shown);
    let oldest = first.and_then(|offsets| offsets.partitions.values().flatten().filter_map(|first| first.timestamp).min());
    let observed = oldest.and_then(Instant::from_epoch_ms).map(|oldest| captured_at.since(oldest)).filter(|age| *age <= PLAUSIBLE);
    match (observed, allowed) {
        (Some(observed), Some(allowed)) if first.is_some_and(|offsets| !offsets.failed.is_empty()) => Some(observed.max(allowed)),
        // Before the first record there is nothing to sample.
        (Some(observed), _) => Some(observed),
        (None, allowed) => allowed.filter(|allowed| *allowed <= PLAUSIBLE),
    }
}

/// Copies settings. A sensitive value is never kept, whatever the broker sends.
fn read_settings(entries: Vec<Entry>, wanted: impl Fn(&str) -> bool) -> Settings {
    let setting = |entry: Entry| {
        let secret = entry.sensitive;
        let shown = |value: Option<String>| if secret { None } else { value };
        let synonyms = entry.synonyms.into_iter().map(|synonym| Synonym {
            value: shown(synonym.value),
            source: SettingSource::from_id(synonym.source),
            name: synonym.name,
        });
        let setting = Setting { value: shown(entry.value), source: SettingSource::from_id(entry.source), synonyms: synonyms.collect() };
        (entry.name, setting)
    };
    entries.into_iter().filter(|entry| wanted(&entry.name)).map(setting).collect()
}

fn left_out<T>(call: &str, topic: &str) -> Fact<T> {
    Fact::failed("the answer leaves the topic out", format!("{call} on topic {topic}"))
}

/// A fact about offsets where no partition could be asked: for the reason for which the partitions are not known.
fn without_partitions<T>(partitions: &Fact<Vec<i32>>, call: &str) -> Fact<T> {
    match partitions {
        Fact::Seen(_) => Fact::failed("the topic has no partitions", call),
        Fact::Absent(gap) => Fact::absent(&gap.reason, call),
        Fact::Denied(gap) => Fact::denied(&gap.reason, call),
        Fact::Unsupported(gap) => Fact::unsupported(&gap.reason, call),
        Fact::Failed(gap) => Fact::failed(&gap.reason, call),
        Fact::NotAsked(gap) => Fact::not_asked(&gap.reason, call),
    }
}

/// `1 topic`, `1,200 topics`.
fn topics(count: usize) -> String {
    if count == 1 { "1 topic".to_owned() } else { format!("{count} topics") }
}
