//! The names of an audit and their aliases.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    audit::Audit,
    evidence::Evidence,
    manifest::{Manifest, SourceKind, Topics},
    units::{Location, S3Location},
};

/// The names that a report about an audit can hold, each with its alias.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// By the first character: names and aliases, longest name first.
    by_first: BTreeMap<char, Vec<(String, String)>>,
}

impl Names {
    /// The names in manifests, audit file and evidence.
    #[must_use]
    pub fn of(audit: &Audit, evidence: &Evidence) -> Self {
        let mut kinds: [(&str, BTreeSet<&str>); 8] =
            ["job", "topic", "cluster", "bucket", "group", "host", "owner", "client"].map(|kind| (kind, BTreeSet::new()));
        let [(_, jobs), (_, topics), (_, clusters), (_, buckets), (_, groups), (_, hosts), (_, owners), (_, clients)] = &mut kinds;
        clients.extend(audit.client.as_deref());
        for (name, config) in &audit.kafka {
            clusters.insert(name);
            let servers = ["bootstrap.servers", "metadata.broker.list"].into_iter().filter_map(|key| config.properties.get(key));
            hosts.extend(servers.flat_map(|list| list.split(',')).map(host));
        }
        let access = audit.s3.buckets.values().chain([&audit.s3.default]);
        hosts.extend(access.filter_map(|access| access.endpoint_url.as_deref()).map(host));
        buckets.extend(audit.s3.buckets.keys().map(String::as_str));
        for job in &audit.jobs {
            jobs.insert(&job.job.value);
            owners.extend(job.owner.as_deref());
            of_job(job, topics, clusters, groups);
        }
        for waiver in &audit.waivers {
            owners.insert(&waiver.owner);
            jobs.extend(waiver.job.as_deref());
            buckets.extend(waiver.location.as_ref().and_then(Location::s3).map(S3Location::bucket));
        }
        for (name, cluster) in &evidence.kafka {
            clusters.insert(name);
            clusters.extend(cluster.cluster_id.shown().map(String::as_str));
            topics.extend(cluster.topics.keys().map(String::as_str));
            topics.extend(cluster.patterns.values().filter_map(|fact| fact.shown()).flatten().map(String::as_str));
        }
        buckets.extend(evidence.buckets.keys().map(String::as_str));
        buckets.extend(evidence.places.keys().map(S3Location::bucket));
        // A cluster that no one named is called so by the program.
        clusters.remove("default");
        Self::with_aliases(&kinds)
    }

    fn with_aliases(kinds: &[(&str, BTreeSet<&str>)]) -> Self {
        let mut aliases = BTreeMap::new();
        for (kind, names) in kinds {
            for (number, name) in names.iter().filter(|name| !name.is_empty()).enumerate() {
                // A name of two kinds has the alias of the first, so that it has one everywhere.
                aliases.entry((*name).to_owned()).or_insert_with(|| format!("{kind}-{}", number + 1));
            }
        }
        let mut by_first: BTreeMap<char, Vec<(String, String)>> = BTreeMap::new();
        for (name, alias) in aliases {
            by_first.entry(name.chars().next().unwrap_or_default()).or_default().push((name, alias));
        }
        for names in by_first.values_mut() {
            names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        }
        Self { by_first }
    }

    /// The longest name with which `text` begins and that does not go on behind it, and its alias.
    pub(super) fn at_start_of(&self, text: &str) -> Option<(&str, &str)> {
        let names = self.by_first.get(&text.chars().next()?)?;
        let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
        let (name, alias) = names.iter().find(|(name, _)| text.strip_prefix(name.as_str()).is_some_and(ends))?;
        Some((name, alias))
    }

    /// These names, and one more.
    pub(super) fn and(mut self, name: &str, alias: &str) -> Self {
        if let Some(first) = name.chars().next() {
            let names = self.by_first.entry(first).or_default();
            names.push((name.to_owned(), alias.to_owned()));
            names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        }
        self
    }

    /// Every name.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.by_first.values().flatten().map(|(name, _)| name.as_str())
    }
}

fn of_job<'a>(job: &'a Manifest, topics: &mut BTreeSet<&'a str>, clusters: &mut BTreeSet<&'a str>, groups: &mut BTreeSet<&'a str>) {
    for source in &job.sources {
        match &source.kind {
            SourceKind::Kafka(kafka) => {
                clusters.extend(kafka.cluster.as_ref().map(|cluster| cluster.value.as_str()));
                groups.extend(kafka.group_id.as_deref());
                match &kafka.topics {
                    Topics::Named(names) => topics.extend(names.iter().map(|name| name.value.as_str())),
                    Topics::Pattern(pattern) => {
                        topics.insert(&pattern.value);
                    }
                }
            }
            SourceKind::Declared(declared) => groups.extend(declared.group_id.as_deref()),
        }
    }
    for sink in &job.sinks {
        clusters.extend(sink.cluster.as_ref().map(|cluster| cluster.value.as_str()));
        topics.extend(sink.topic.as_deref());
    }
}

/// The host of `https://host:port/` or `host:port`.
fn host(address: &str) -> &str {
    let address = address.trim();
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = address.split('/').next().unwrap_or_default();
    if authority.starts_with("${") {
        return "";
    }
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}
