//! `sink-transaction-timeout`: the transactions of an exactly-once Kafka sink cannot be as long as they are declared, or end too early.

use super::{JobContext, Outcomes, Rule, RuleMeta, Verdict};
use crate::{
    analysis::{Downtime, Sourced, recovery, transaction_max_timeout},
    evidence::Unknown,
    finding::{Amount, Finding, Remedy, Severity, ShownFact, Subject},
    manifest::{Delivery, Sink, SinkKind},
    units::Millis,
};

static META: RuleMeta = RuleMeta {
    id: "sink-transaction-timeout",
    summary: "an exactly-once Kafka sink whose transaction time-out is above the broker's maximum, or below interval plus downtime",
    severity: Severity::Error,
};

/// See the module.
pub(super) struct SinkTransactionTimeout;

impl Rule for SinkTransactionTimeout {
    fn meta(&self) -> &'static RuleMeta {
        &META
    }

    fn check(&self, job: &JobContext<'_>, out: &mut Outcomes) {
        for sink in job.job.sinks.iter().filter(|sink| sink.kind == SinkKind::Kafka) {
            let subject = || Subject::new(&sink.id.value, "sink");
            let timeout = match (sink.delivery, sink.transaction_timeout) {
                (Some(Delivery::None | Delivery::AtLeastOnce), _) => continue,
                (None, _) => {
                    out.judge(subject(), || Err(recovery::not_stated(sink)));
                    continue;
                }
                (Some(Delivery::ExactlyOnce), None) => {
                    out.judge(subject(), || Err(timeout_not_stated(sink)));
                    continue;
                }
                (Some(Delivery::ExactlyOnce), Some(timeout)) => timeout,
            };
            let terms = Terms::of(job, sink, timeout);
            // What is not known does not hide a finding, nor a finding what is not known.
            let open = terms.unknown();
            let clean = open.is_empty();
            for unknown in open {
                out.judge(subject(), || Err(unknown));
            }
            match terms.finding(job, sink) {
                Some(finding) => out.judge(subject(), || Ok(finding.into())),
                None if clean => out.judge(subject(), || Ok(Verdict::Pass)),
                None => {}
            }
        }
    }
}

/// No default is taken for an answer, though the builder has one.
fn timeout_not_stated(sink: &Sink) -> Unknown {
    Unknown::new(
        format!(
            "the manifest does not state the transaction time-out of sink {} (`transaction_timeout`; `transaction.timeout.ms` in the job's code, where \
             Flink's KafkaSink takes 1h if the code says nothing)",
            sink.id.value
        ),
        "",
    )
}

/// The time-out, and what it is held against.
struct Terms {
    timeout: Millis,
    /// The longest that the brokers allow.
    allowed: Result<Sourced<Millis>, Unknown>,
    /// From the beginning of a transaction to the stop: up to a checkpoint interval.
    interval: Option<Result<Millis, Unknown>>,
    /// From there until the job is back.
    downtime: Result<Downtime, Unknown>,
}

impl Terms {
    fn of(job: &JobContext<'_>, sink: &Sink, timeout: Millis) -> Self {
        let cluster = sink.cluster.as_ref().map(|cluster| cluster.value.as_str());
        // A manifest without the block asks for nothing about checkpoints, and the report says so.
        let interval = job.job.recovery.as_ref().map(|recovery| {
            let stated = recovery.checkpoints.as_ref().and_then(|checkpoints| checkpoints.interval);
            stated.ok_or_else(|| Unknown::new("the manifest states no checkpoint interval", ""))
        });
        Self {
            timeout,
            allowed: transaction_max_timeout(job.audit, job.evidence, cluster),
            interval,
            downtime: job.analysis.downtime.clone(),
        }
    }

    fn above(&self) -> Option<&Sourced<Millis>> {
        self.allowed.as_ref().ok().filter(|allowed| self.timeout > allowed.value)
    }

    /// As much of interval plus downtime as is known.
    fn needed(&self) -> Millis {
        let interval = self.interval.as_ref().and_then(|interval| interval.as_ref().ok()).copied().unwrap_or(Millis::ZERO);
        interval.plus(self.downtime.as_ref().map_or(Millis::ZERO, |downtime| downtime.length))
    }

    /// What [`Self::needed`] is made of.
    const fn known(&self) -> &'static str {
        match (&self.interval, &self.downtime) {
            (Some(Ok(_)), Ok(_)) => "checkpoint interval + downtime",
            (Some(Ok(_)), Err(_)) => "the checkpoint interval alone",
            (_, _) => "the downtime alone",
        }
    }

    fn below(&self) -> bool {
        self.timeout < self.needed()
    }

    /// What could still change the answer.
    fn unknown(&self) -> Vec<Unknown> {
        let mut open: Vec<Unknown> = self.allowed.as_ref().err().cloned().into_iter().collect();
        if !self.below()
            && let Some(interval) = &self.interval
        {
            open.extend([interval.as_ref().err(), self.downtime.as_ref().err()].into_iter().flatten().cloned());
        }
        open
    }

    fn finding(&self, job: &JobContext<'_>, sink: &Sink) -> Option<Finding> {
        let (id, timeout) = (&sink.id.value, self.timeout);
        let cluster = job.audit.cluster_name(sink.cluster.as_ref().map(|cluster| cluster.value.as_str()));
        let mut said = Vec::new();
        let mut remedy = Vec::new();
        if let Some(allowed) = self.above() {
            said.push(format!(
                "Sink {id} asks for transactions of up to {timeout} (`transaction.timeout.ms`), and the brokers of cluster {cluster} allow {} at most \
                 (`transaction.max.timeout.ms`): they refuse its producer (INVALID_TRANSACTION_TIMEOUT), and the job fails at its start and at each \
                 restart.",
                allowed.value
            ));
        }
        if self.below() {
            let also = if said.is_empty() { "" } else { "It would be too short as well: " };
            said.push(format!(
                "{also}Kafka aborts a transaction of sink {id} {timeout} after it began. Records of a completed checkpoint stay in an open transaction until it is \
                 committed; where the job dies before that, only the restored job commits it, as late as {} after it began ({}; the duration \
                 of a checkpoint comes on top). If it has been aborted by then, the restored job goes on behind its records: they \
                 are lost.",
                self.needed(),
                self.known()
            ));
        }
        if said.is_empty() {
            return None;
        }
        remedy.extend(self.longer());
        if self.above().is_some() && !self.below() {
            remedy.push(Remedy::say(format!(
                "Or a shorter `transaction.timeout.ms` of the sink, which must stay above checkpoint interval + duration of a checkpoint + downtime: {} and \
                 more.",
                self.needed()
            )));
        }
        if self.below() {
            remedy.push(Remedy::say(
                "A job that is stopped with a savepoint commits before it ends: no transaction stays open for the time that it is down.",
            ));
        }
        Some(Finding {
            severity: META.severity,
            message: said.join(" "),
            facts: self.facts(job, sink),
            bites_on: None,
            remedy,
            position: sink.id.position,
        })
    }

    /// A time-out that lasts, and what the brokers have to allow for it.
    fn longer(&self) -> Vec<Remedy> {
        // Whole hours, with room for the duration of a checkpoint.
        let hour = Millis::hours(1).as_ms();
        let lasting = Millis::new(self.needed().as_ms().div_ceil(hour).saturating_add(1).saturating_mul(hour)).max(self.timeout);
        let mut ways = Vec::new();
        if self.below() {
            ways.push(Remedy::code(
                format!(
                    "Give the sink {lasting}: checkpoint interval + downtime, and room for the duration of a checkpoint. In SQL: \
                     'properties.transaction.timeout.ms' = '{}'. Readers with isolation.level=read_committed wait behind a transaction that stays open, \
                     for as long as that at worst.",
                    lasting.as_ms()
                ),
                format!("// in the builder of this KafkaSink\n    .setProperty(\"transaction.timeout.ms\", \"{}\")", lasting.as_ms()),
            ));
        }
        // First: a producer that asks for more than the brokers allow is refused, and a job that ran before no longer starts.
        if self.allowed.as_ref().is_ok_and(|allowed| allowed.value < lasting) {
            ways.insert(
                0,
                Remedy::configuration(
                format!("Let the brokers allow {lasting} before the sink asks for it. It is a static setting: it goes into the file of every broker, which is then restarted."),
                format!("transaction.max.timeout.ms={}", lasting.as_ms()),
            ));
        }
        ways
    }

    fn facts(&self, job: &JobContext<'_>, sink: &Sink) -> Vec<ShownFact> {
        let unknown = |unknown: &Unknown| (Amount::Text("unknown".to_owned()), unknown.reason.clone());
        let mut facts = vec![ShownFact::new("transaction time-out", Amount::Duration(self.timeout), job.origin(sink.id.position))];
        let (amount, origin) = match &self.allowed {
            Ok(allowed) => (Amount::Duration(allowed.value), allowed.origin.clone()),
            Err(reason) => unknown(reason),
        };
        facts.push(ShownFact::new("transaction.max.timeout.ms", amount, origin));
        if let Some(interval) = &self.interval {
            let (amount, origin) = match interval {
                Ok(interval) => (Amount::Duration(*interval), job.job.file.clone()),
                Err(reason) => unknown(reason),
            };
            facts.push(ShownFact::new("checkpoint interval", amount, origin));
        }
        let (amount, origin) = match &self.downtime {
            Ok(downtime) => (Amount::Duration(downtime.length), downtime.words()),
            Err(reason) => unknown(reason),
        };
        facts.push(ShownFact::new("downtime", amount, origin));
        facts
    }
}
