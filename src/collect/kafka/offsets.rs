//! `ListOffsets` for any number of partitions.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{
    codes::{self, TOPIC_DENIED},
    ffi,
    handle::Handle,
};
use crate::evidence::{Fact, Offset, Offsets, PerPartition};

/// How many partitions go into one call. librdkafka puts answers together in a time that grows with the square of this.
const BATCH: usize = 2_000;
/// How often a partition is asked again whose error may pass.
const RETRIES: u32 = 2;

/// What to ask a partition for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spec {
    /// −2.
    LogStart,
    /// −1, read uncommitted: the high watermark, which is where the log ends for every consumer; the last stable offset, which a
    /// read-committed consumer gets, lies before it while a transaction is open.
    LogEnd,
    /// −3.
    LargestTimestamp,
    /// The first record stamped at or after this instant, in milliseconds since the epoch.
    At(i64),
}

impl Spec {
    fn wire(self) -> i64 {
        match self {
            Self::LogEnd => -1,
            Self::LogStart => -2,
            Self::LargestTimestamp => -3,
            // Negative values have other meanings; no record is stamped before the epoch.
            Self::At(ms) => ms.max(0),
        }
    }

    /// Whether "there is none" is an answer.
    fn may_be_none(self) -> bool {
        matches!(self, Self::LargestTimestamp | Self::At(_))
    }

    /// `ListOffsets −2`.
    pub(super) fn call(self) -> String {
        format!("ListOffsets {}", self.wire())
    }
}

/// The partitions of the topics that can be asked, each with its leader.
pub(super) struct Partitions {
    by_topic: BTreeMap<String, BTreeMap<i32, Option<i32>>>,
    /// Partitions that gave no answer once: they are not waited for again.
    silent: BTreeMap<(String, i32), String>,
}

impl Partitions {
    pub(super) fn new(by_topic: BTreeMap<String, BTreeMap<i32, Option<i32>>>) -> Self {
        Self { by_topic, silent: BTreeMap::new() }
    }

    /// Asks all partitions of `topics` for `spec`.
    pub(super) fn ask(&mut self, handle: &Handle<'_>, topics: &BTreeSet<&str>, spec: Spec) -> BTreeMap<String, PerPartition> {
        let mut answers: BTreeMap<&str, Answers> = BTreeMap::new();
        let mut wanted = Vec::new();
        for (topic, partitions) in self.by_topic.iter().filter(|(topic, _)| topics.contains(topic.as_str())) {
            let answers = answers.entry(topic).or_default();
            for (&partition, leader) in partitions {
                if let Some(reason) = self.silent.get(&(topic.clone(), partition)) {
                    answers.offsets.failed.insert(partition, reason.clone());
                } else if leader.is_none() {
                    answers.offsets.failed.insert(partition, "the partition has no leader".to_owned());
                } else {
                    wanted.push((topic.as_str(), partition));
                }
            }
        }
        let mut silent = Vec::new();
        for batch in wanted.chunks(BATCH) {
            self.ask_batch(handle, batch, spec, &mut answers, &mut silent);
        }
        let by = "partition leaders";
        let facts = answers.into_iter().map(|(topic, answers)| (topic.to_owned(), answers.fact(topic, spec, by))).collect();
        self.silent.extend(silent);
        facts
    }

    fn ask_batch<'t>(
        &'t self,
        handle: &Handle<'_>,
        batch: &[(&'t str, i32)],
        spec: Spec,
        answers: &mut BTreeMap<&'t str, Answers>,
        silent: &mut Vec<((String, i32), String)>,
    ) {
        let mut left: Vec<(&str, i32)> = batch.to_vec();
        for attempt in 0..=RETRIES {
            handle.count(self.leaders(&left));
            let result = match handle.call(None, |client, call| ffi::list_offsets(client, &left, spec.wire(), call)) {
                Ok(result) => result,
                Err(no_answer) => {
                    for (topic, partition) in &left {
                        let answers = answers.entry(topic).or_default();
                        answers.offsets.failed.insert(*partition, no_answer.reason.clone());
                        answers.unsupported |= no_answer.unsupported;
                    }
                    return;
                }
            };
            let mut got: BTreeMap<(&str, i32), &ffi::Answer> = BTreeMap::new();
            for answer in &result {
                got.insert((answer.topic.as_str(), answer.partition), answer);
            }
            let mut again = Vec::new();
            for (topic, partition) in left {
                let answers = answers.entry(topic).or_default();
                let Some(answer) = got.get(&(topic, partition)) else {
                    answers.offsets.failed.insert(partition, "the answer leaves this partition out".to_owned());
                    continue;
                };
                match answer.error {
                    0 => match read(answer, spec) {
                        Ok(offset) => {
                            answers.offsets.failed.remove(&partition);
                            answers.codes.remove(&partition);
                            answers.offsets.partitions.insert(partition, offset);
                        }
                        Err(reason) => {
                            silent.push(((topic.to_owned(), partition), reason.clone()));
                            answers.offsets.failed.insert(partition, reason);
                        }
                    },
                    code => {
                        answers.codes.insert(partition, code);
                        answers.offsets.failed.insert(partition, codes::describe(code, ""));
                        if codes::passes(code) && attempt < RETRIES {
                            again.push((topic, partition));
                        }
                    }
                }
            }
            if again.is_empty() {
                return;
            }
            left = again;
            // A new leader is elected within moments, or not at all.
            std::thread::sleep(Duration::from_millis(200) * (attempt + 1));
        }
    }

    /// How many brokers a call for these partitions goes to.
    fn leaders(&self, partitions: &[(&str, i32)]) -> u64 {
        let leader = |(topic, partition): &(&str, i32)| self.by_topic.get(*topic)?.get(partition).copied().flatten();
        u64::try_from(partitions.iter().filter_map(leader).collect::<BTreeSet<_>>().len()).unwrap_or(u64::MAX)
    }
}

/// What an answer without an error says.
fn read(answer: &ffi::Answer, spec: Spec) -> Result<Option<Offset>, String> {
    match answer.offset {
        offset if offset >= 0 => Ok(Some(Offset { offset, timestamp: (answer.timestamp >= 0).then_some(answer.timestamp) })),
        -1 if spec.may_be_none() => Ok(None),
        // librdkafka leaves it as it was where no answer came.
        _ => Err("its leader gave no answer".to_owned()),
    }
}

#[derive(Default)]
struct Answers {
    offsets: Offsets,
    codes: BTreeMap<i32, i32>,
    unsupported: bool,
}

impl Answers {
    fn fact(self, topic: &str, spec: Spec, by: &str) -> PerPartition {
        let call = format!("{} on topic {topic}", spec.call());
        let failed = self.offsets.failed.len();
        if self.offsets.partitions.is_empty() && failed > 0 {
            // Nothing was answered: one reason for all, and the kind of it where it is the same for all.
            let reason = self.offsets.failed.values().next().cloned().unwrap_or_default();
            if self.unsupported {
                return Fact::unsupported(reason, call);
            }
            let mut codes = self.codes.values().copied();
            return match codes.next() {
                Some(code) if self.codes.len() == failed && codes.all(|other| other == code) => {
                    codes::gap(code, "", &format!("DESCRIBE on topic {topic}"), &call)
                }
                _ => Fact::failed(reason, call),
            };
        }
        let mut offsets = self.offsets;
        for (partition, code) in &self.codes {
            if *code == TOPIC_DENIED {
                offsets.failed.insert(*partition, format!("denied: needs DESCRIBE on topic {topic}"));
            }
        }
        Fact::seen(offsets, by, call, crate::collect::now())
    }
}
