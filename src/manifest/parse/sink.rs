//! `sinks:`.

use super::{each, refuse_twins, values as shared};
use crate::{
    manifest::{Delivery, Sink, SinkKind},
    yaml::{Fields, Node, Problems, values},
};

const KINDS: &[(&str, SinkKind)] = &[
    ("kafka", SinkKind::Kafka),
    ("jdbc", SinkKind::Jdbc),
    ("firehose", SinkKind::Firehose),
    ("redshift", SinkKind::Redshift),
    ("files", SinkKind::Files),
    ("iceberg", SinkKind::Iceberg),
    ("elasticsearch", SinkKind::Elasticsearch),
    ("other", SinkKind::Other),
];

const DELIVERIES: &[(&str, Delivery)] =
    &[("none", Delivery::None), ("at-least-once", Delivery::AtLeastOnce), ("exactly-once", Delivery::ExactlyOnce)];

pub(super) fn read_all(fields: &mut Fields<'_>, operators: &[String], problems: &mut Problems<'_>) -> Option<Vec<Sink>> {
    let entry = fields.get("sinks").filter(|entry| !entry.value.is_null());
    let items = match entry.map(|entry| (entry, entry.value.items())) {
        None | Some((_, Some([]))) => &[],
        Some((entry, _)) => values::items(entry, problems)?,
    };
    refuse_twins(each(items, "id"), "the sink", problems);
    let read: Vec<Option<Sink>> = items.iter().map(|item| read(item, operators, problems)).collect();
    read.into_iter().collect()
}

fn read(node: &Node, operators: &[String], problems: &mut Problems<'_>) -> Option<Sink> {
    let mut fields = Fields::of(node, "a sink", problems)?;
    let id = fields.require("id", "write `id: <name>`, unique in the job", problems).and_then(|entry| values::text(entry, problems));
    let kind = fields.get("kind").map_or(Some(SinkKind::Other), |entry| values::word(entry, KINDS, problems))?;
    let delivery = delivery(&mut fields, kind, problems);
    let idempotent = fields.get("idempotent").and_then(|entry| values::boolean(entry, problems)).unwrap_or_default();
    let fed_by = match fields.get("fed_by") {
        Some(entry) => {
            let known: Vec<&str> = operators.iter().map(String::as_str).collect();
            shared::references(entry, "the operator", &known, problems).unwrap_or_default()
        }
        None => operators.to_vec(),
    };
    let table = shared::optional_text(fields.get("table"), problems);
    let key = fields.get("key").map(|entry| values::texts(entry, problems).unwrap_or_default()).unwrap_or_default();
    let ingested_at = shared::optional_text(fields.get("ingested_at"), problems);
    let (mut cluster, mut topic, mut transaction_timeout, mut location) = (None, None, None, None);
    if kind == SinkKind::Kafka {
        cluster = fields.get("cluster").and_then(|entry| values::text(entry, problems));
        topic = shared::optional_text(fields.get("topic"), problems);
        transaction_timeout = shared::optional_positive(fields.get("transaction_timeout"), problems);
    } else {
        for key in ["cluster", "topic", "transaction_timeout"] {
            fields.refuse(key, format!("`{key}` goes with the kind kafka"));
        }
    }
    if matches!(kind, SinkKind::Files | SinkKind::Iceberg) {
        location = shared::optional_location(fields.get("location"), problems);
    } else {
        fields.refuse("location", "`location` goes with the kinds files and iceberg");
    }
    let commit_log = fields.get("commit_log").and_then(|entry| values::boolean(entry, problems)).unwrap_or(kind == SinkKind::Iceberg);
    fields.finish(problems);
    Some(Sink {
        id: id?,
        kind,
        delivery,
        idempotent,
        fed_by,
        table,
        key: key.into_iter().map(|at| at.value).collect(),
        ingested_at,
        cluster,
        topic,
        transaction_timeout,
        location,
        commit_log,
    })
}

/// The guarantee; exactly-once is refused for connectors that have none.
///
/// Flink's Firehose and Elasticsearch sinks give at least once at most, and Redshift has no two-phase commit for the JDBC sink to use.
fn delivery(fields: &mut Fields<'_>, kind: SinkKind, problems: &mut Problems<'_>) -> Option<Delivery> {
    let entry = fields.get("delivery")?;
    let delivery = values::word(entry, DELIVERIES, problems)?;
    let cannot = match kind {
        SinkKind::Firehose => "firehose",
        SinkKind::Redshift => "redshift",
        SinkKind::Elasticsearch => "elasticsearch",
        SinkKind::Kafka | SinkKind::Jdbc | SinkKind::Files | SinkKind::Iceberg | SinkKind::Other => return Some(delivery),
    };
    if delivery == Delivery::ExactlyOnce {
        problems.advise(
            &entry.value.place,
            format!("a sink of kind {cannot} cannot deliver exactly once"),
            "write at-least-once; `idempotent: true` says that the target merges on a key",
        );
        return None;
    }
    Some(delivery)
}
