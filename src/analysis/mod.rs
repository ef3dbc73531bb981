//! What follows from manifests and evidence, without a word of judgement: pure arithmetic that rules and reports share.

mod bound;
mod brokers;
mod clocks;
mod counts;
mod downtime;
mod earlier;
mod gaps;
mod growth;
pub mod lifecycle;
mod log;
mod observed;
pub mod places;
pub mod recovery;
mod required;
mod retention;
mod settings;
mod size_limit;
pub mod snapshots;
mod states;
mod switch;
mod terms;
mod window;

use std::collections::{BTreeMap, BTreeSet};

pub use bound::{Bound, Sourced};
pub use brokers::{offsets_retention, transaction_max_timeout};
pub use clocks::{PartitionClocks, partition_clocks};
pub use counts::{Basis, Count, records_before};
pub use downtime::Downtime;
pub use earlier::{Covers, Earlier, EarlierState, Growth, difference, growth};
pub use growth::{Measured, StateSize};
pub use log::PartitionLog;
use places::Future;
use recovery::{Ground, Outlook};
pub use required::{Comparison, Required, required_by_settings, required_for};
pub use retention::windows;
use snapshots::RecoveryView;
pub use states::{Life, StateView};
pub use switch::{Migration, migration};
pub use window::{CleanupPolicy, KafkaTerms, Observed, SizeLimit, TimestampType, Window};

use crate::{
    audit::Audit,
    evidence::{Evidence, Unknown},
    manifest::{AsOf, Manifest},
};

/// What follows for one job, computed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobAnalysis {
    /// For each source id, the window of each topic that it reads (one entry without a topic for a source that is not Kafka). An error:
    /// it is not known which topics it reads.
    pub windows: BTreeMap<String, Result<Vec<Window>, Unknown>>,
    /// Every state of every operator, in the manifest's order.
    pub states: Vec<StateView>,
    /// Its snapshots. Empty where the manifest has no `recovery` block.
    pub recovery: RecoveryView,
    /// What the rules of its buckets will do to its recovery files.
    pub future: Future,
    /// Until when it can come back, and what each way costs.
    pub outlook: Outlook,
    /// How long it may be down.
    pub downtime: Result<Downtime, Unknown>,
    /// What was assumed, for the report's list; sorted, each once.
    pub assumptions: Vec<String>,
}

impl JobAnalysis {
    /// Computes everything for one job.
    #[must_use]
    pub fn of(audit: &Audit, job: &Manifest, evidence: &Evidence, as_of: AsOf) -> Self {
        let windows = windows(audit, job, evidence);
        let states = states::states(audit, job, &windows);
        let recovery = RecoveryView::of(job, evidence, as_of.at);
        let future = Future::of(job, &recovery, evidence, &audit.policy, as_of.at);
        let assumptions = assumptions(job, &windows, &states);
        let outlook = Outlook::of(&Ground { audit, job, evidence, as_of, windows: &windows, states: &states, recovery: &recovery });
        let downtime = Downtime::of(job, &audit.policy);
        Self { windows, states, recovery, future, outlook, downtime, assumptions }
    }

    /// The windows of every topic whose records reach `state`, or the reason why it is not known which they are. Topics that are known not
    /// to exist are left out: a finding says so.
    pub fn read_by<'a>(&'a self, state: &'a StateView) -> impl Iterator<Item = Result<&'a Window, &'a Unknown>> {
        let windows = state.reads.iter().filter_map(|(source, _)| self.windows.get(source));
        windows.flat_map(|windows| match windows {
            Ok(windows) => windows.iter().filter(|window| window.exists != Ok(false)).map(Ok).collect(),
            Err(unknown) => vec![Err(unknown)],
        })
    }

    /// What findings call a topic: its name; with its cluster only where the job reads topics of one name from several clusters, so that the
    /// identity of all others stays what it is.
    #[must_use]
    pub fn topic_name(&self, window: &Window) -> String {
        let twins = self.windows.values().flatten().flatten().any(|other| other.topic == window.topic && other.cluster != window.cluster);
        match &window.cluster {
            Some(cluster) if twins => format!("{} (cluster {cluster})", window.topic),
            _ => window.topic.clone(),
        }
    }
}

/// Nothing that can be asked of a cluster without reading records shows transactions.
const NO_TRANSACTIONS: &str = "assumed for numbers from offsets: a topic is written in transactions only where a manifest says so \
     (`transactional: true`, an exactly-once sink); elsewhere the numbers would be upper bounds";

/// Everything that was taken although nobody said it.
fn assumptions(job: &Manifest, windows: &BTreeMap<String, Result<Vec<Window>, Unknown>>, states: &[StateView]) -> Vec<String> {
    let kafka = windows.values().flatten().flatten().filter(|window| window.exists != Ok(false)).filter_map(|window| window.kafka.as_ref());
    let of_windows = kafka.flat_map(|kafka| {
        // What a window needs only: a topic that keeps everything is not waiting for a check.
        let needed = matches!(&kafka.cleanup, Ok(cleanup) if cleanup.value.delete);
        let terms = [&kafka.check, &kafka.event_lag];
        terms.into_iter().filter(move |term| needed && term.assumed).map(|term| term.origin.clone())
    });
    let of_states = states.iter().filter(|state| !state.role_stated).map(|state| {
        format!("assumed for operator {} of job {}: role deduplication (the manifest states none)", state.operator, job.job.value)
    });
    let counted = windows.values().flatten().flatten().any(|window| window.kafka.is_some() && window.gaps.is_none());
    let of_counts = counted.then(|| NO_TRANSACTIONS.to_owned());
    let all: BTreeSet<String> = of_windows.chain(of_states).chain(of_counts).collect();
    all.into_iter().collect()
}
