//! What Kafka is asked, and how: read-only, no group is joined, nothing is committed, no topic is created.
//!
//! For each cluster one consumer handle that a thread polls, since only there the reasons of failures arrive; on it `Metadata`,
//! `DescribeConfigs` and `ListOffsets`. Each cluster is asked in a thread of its own.

mod cluster;
mod codes;
#[expect(unsafe_code, reason = "librdkafka's C calls")]
mod ffi;
mod groups;
mod handle;
mod offsets;
mod pattern;
mod plan;
mod settings;
mod watch;

use std::collections::BTreeMap;

use plan::ClusterPlan;
use rdkafka::consumer::BaseConsumer;
use watch::Watch;

use super::{CollectError, Options};
use crate::{audit::Audit, evidence::ClusterEvidence, units::Instant};

/// Asks every cluster that the jobs of `audit` read from or write to, by its name in the audit file.
///
/// Blocks until all have answered, or `options` says that it is over. What goes wrong while asking is in the evidence: a cluster that
/// cannot be reached has every fact *failed*, with that reason.
///
/// # Errors
///
/// Everything in the audit file that cannot be used: a cluster that is not there, a variable that is not set, a property that librdkafka
/// refuses. Nothing was asked then.
pub fn collect(audit: &Audit, as_of: Instant, options: &Options<'_>) -> Result<BTreeMap<String, ClusterEvidence>, Vec<CollectError>> {
    let (clients, errors) = clients(audit, options);
    if errors.is_empty() { Ok(ask(&clients, as_of, options)) } else { Err(errors) }
}

/// As [`collect`], but what cannot be used of one cluster holds up no other: those that can be asked are asked.
#[must_use]
pub fn collect_usable(audit: &Audit, as_of: Instant, options: &Options<'_>) -> (BTreeMap<String, ClusterEvidence>, Vec<CollectError>) {
    let (clients, errors) = clients(audit, options);
    (ask(&clients, as_of, options), errors)
}

/// A cluster, what it will be asked, and the handle to ask with.
type Client = (String, ClusterPlan, BaseConsumer<Watch>);

/// Every cluster that can be asked, and what is wrong with the others.
fn clients(audit: &Audit, options: &Options<'_>) -> (Vec<Client>, Vec<CollectError>) {
    let mut errors = Vec::new();
    let mut clients = Vec::new();
    for (name, plan) in plan::plan(audit) {
        let Some(config) = audit.kafka.get(&name) else {
            let known: Vec<_> = audit.kafka.keys().map(String::as_str).collect();
            let message = match known.as_slice() {
                [] => "no cluster is stated; add it to the audit file under `kafka:`".to_owned(),
                known => format!("no such cluster; the audit file has {}", known.join(", ")),
            };
            errors.push(CollectError::Setting { place: format!("kafka.{name}"), message });
            continue;
        };
        match settings::read(&name, config, options) {
            Ok(settings) => match settings.client() {
                Ok(client) => clients.push((name, plan, client)),
                Err(error) => errors.push(error),
            },
            Err(refused) => errors.extend(refused),
        }
    }
    (clients, errors)
}

/// Asks them all at the same time.
fn ask(clients: &[Client], as_of: Instant, options: &Options<'_>) -> BTreeMap<String, ClusterEvidence> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = clients
            .iter()
            .map(|(name, plan, client)| {
                let thread = scope.spawn(move || cluster::collect(name, client, plan, as_of, options));
                (name, plan, thread)
            })
            .collect();
        asked
            .into_iter()
            .map(|(name, plan, thread)| {
                let evidence =
                    thread.join().unwrap_or_else(|_| cluster::failed(plan, "the collector broke off; this is a fault in ttl-audit", 0));
                (name.clone(), evidence)
            })
            .collect()
    })
}
