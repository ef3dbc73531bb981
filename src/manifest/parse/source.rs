//! `sources:`.

use super::{each, refuse_twins, values as shared};
use crate::{
    manifest::{At, DeclaredRetention, DeclaredSource, KafkaSource, Reset, Source, SourceKind, Start, Topics},
    units::{DurationError, Millis},
    yaml::{Entry, Fields, Node, Problems, quoted, values},
};

const KINDS: &[(&str, &str)] =
    &[("kafka", "kafka"), ("kinesis", "kinesis"), ("pulsar", "pulsar"), ("files", "files"), ("cdc", "cdc"), ("other", "other")];

const STARTS: &[(&str, Start)] =
    &[("earliest", Start::Earliest), ("latest", Start::Latest), ("committed", Start::Committed), ("timestamp", Start::Timestamp)];

const RESETS: &[(&str, Reset)] = &[("earliest", Reset::Earliest), ("latest", Reset::Latest), ("none", Reset::None)];

/// Ids of all sources, of the invalid ones too, so that one error does not bring others.
pub(super) fn ids(root: &Node) -> Vec<&str> {
    each(root.get("sources").and_then(Node::items).unwrap_or_default(), "id").filter_map(Node::text).collect()
}

pub(super) fn read_all(fields: &mut Fields<'_>, problems: &mut Problems<'_>) -> Option<Vec<Source>> {
    let hint = "declare what the job reads, such as `sources: [{id: orders, topic: orders}]`";
    let items = values::items(fields.require("sources", hint, problems)?, problems)?;
    refuse_twins(each(items, "id"), "the source", problems);
    let read: Vec<Option<Source>> = items.iter().map(|item| read(item, problems)).collect();
    read.into_iter().collect()
}

fn read(node: &Node, problems: &mut Problems<'_>) -> Option<Source> {
    let mut fields = Fields::of(node, "a source", problems)?;
    let id = fields.require("id", "write `id: <name>`, unique in the job", problems).and_then(|entry| values::text(entry, problems));
    let uid = shared::optional_text(fields.get("uid"), problems);
    let kind = fields.get("kind").map_or(Some("kafka"), |entry| values::word(entry, KINDS, problems));
    let records_per_day = fields.get("records_per_day").and_then(|entry| values::integer(entry, problems));
    let source = match kind {
        Some("kafka") => kafka(&mut fields, records_per_day, problems).map(SourceKind::Kafka),
        Some(kind) => declared(&mut fields, kind, records_per_day, problems).map(SourceKind::Declared),
        // Which keys belong here is not known then.
        None => return None,
    };
    fields.finish(problems);
    Some(Source { id: id?, uid, kind: source? })
}

fn kafka(fields: &mut Fields<'_>, records_per_day: Option<u64>, problems: &mut Problems<'_>) -> Option<KafkaSource> {
    let cluster = fields.get("cluster").and_then(|entry| values::text(entry, problems));
    let topics = topics(fields, problems);
    let (group_id, start, reset) = positions(fields, problems);
    let max_event_lag = shared::optional_length(fields.get("max_event_lag"), problems);
    let transactional = fields.get("transactional").and_then(|entry| values::boolean(entry, problems)).unwrap_or(false);
    fields.refuse("retention", "the cluster is asked for the retention of a Kafka topic; `retention` is for other kinds");
    let start = start.unwrap_or_default();
    Some(KafkaSource {
        cluster,
        topics: topics?,
        group_id,
        start,
        reset: reset.unwrap_or(start.derived_reset()),
        records_per_day,
        max_event_lag,
        transactional,
    })
}

fn positions(fields: &mut Fields<'_>, problems: &mut Problems<'_>) -> (Option<String>, Option<Start>, Option<Reset>) {
    (
        shared::optional_text(fields.get("group_id"), problems),
        fields.get("start").and_then(|entry| values::word(entry, STARTS, problems)),
        fields.get("reset").and_then(|entry| values::word(entry, RESETS, problems)),
    )
}

fn declared(
    fields: &mut Fields<'_>,
    kind: &'static str,
    records_per_day: Option<u64>,
    problems: &mut Problems<'_>,
) -> Option<DeclaredSource> {
    let retention = fields
        .require("retention", "write how long the source keeps its records: a duration, unlimited or unknown", problems)
        .and_then(|entry| retention(entry, problems));
    let (group_id, start, reset) = if kind == "pulsar" {
        positions(fields, problems)
    } else {
        for key in ["group_id", "start", "reset"] {
            fields.refuse(key, format!("`{key}` goes with the kinds kafka and pulsar, here is {kind}"));
        }
        (None, None, None)
    };
    for key in ["cluster", "topic", "topics", "topic_pattern", "max_event_lag", "transactional"] {
        fields.refuse(key, format!("`{key}` goes with the kind kafka, here is {kind}"));
    }
    Some(DeclaredSource { kind, retention: retention?, group_id, start, reset, records_per_day })
}

fn retention(entry: &Entry, problems: &mut Problems<'_>) -> Option<At<DeclaredRetention>> {
    values::read(entry, problems, |text| match text {
        "unlimited" => Ok(DeclaredRetention::Unlimited),
        "unknown" => Ok(DeclaredRetention::Unknown),
        _ => match text.parse() {
            Ok(Millis::ZERO) => {
                Err(("a source that keeps nothing cannot be read again".to_owned(), "write a duration, unlimited or unknown".to_owned()))
            }
            Ok(length) => Ok(DeclaredRetention::For(length)),
            Err(error) => Err((
                format!("{} cannot be read: {error}", quoted(text)),
                match error {
                    DurationError::Negative | DurationError::TooLong => "write unlimited, unknown or a duration such as 7d".to_owned(),
                    _ => error.hint(),
                },
            )),
        },
    })
}

/// Exactly one of `topic`, `topics` and `topic_pattern`.
fn topics(fields: &mut Fields<'_>, problems: &mut Problems<'_>) -> Option<Topics> {
    let one = fields.get("topic");
    let many = fields.get("topics");
    let pattern = fields.get("topic_pattern");
    let stated: Vec<&Entry> = [one, many, pattern].into_iter().flatten().collect();
    match stated.as_slice() {
        [] => {
            problems.advise(
                fields.place(),
                "a source of kind kafka lacks its topic",
                "write one of `topic: name`, `topics: [a, b]`, `topic_pattern: 'user-.*'`; or another `kind`",
            );
            return None;
        }
        [_] => {}
        [first, second, ..] => {
            problems.advise(&second.place, format!("`{}` and `{}` exclude each other", first.key, second.key), "keep one of them");
        }
    }
    if let Some(entry) = one {
        return Some(Topics::Named(vec![topic(&entry.value, "`topic`", problems)?]));
    }
    if let Some(entry) = many {
        let items = values::items(entry, problems)?;
        refuse_twins(items, "the topic", problems);
        let read: Vec<Option<At<String>>> = items.iter().map(|item| topic(item, "an item of `topics`", problems)).collect();
        return read.into_iter().collect::<Option<_>>().map(Topics::Named);
    }
    pattern.and_then(|entry| values::text(entry, problems)).map(Topics::Pattern)
}

/// A topic's name, as Kafka allows it: up to 249 of letters, digits, `.`, `_` and `-`, and neither `.` nor `..`.
fn topic(node: &Node, what: &str, problems: &mut Problems<'_>) -> Option<At<String>> {
    let text = values::scalar(node, what, problems)?;
    let legal =
        text.len() <= 249 && !matches!(text, "." | "..") && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    if !legal {
        problems.advise(
            &node.place,
            format!("{what}: {} cannot be a Kafka topic", quoted(text)),
            "a name has up to 249 letters, digits, `.`, `_` and `-`; for several topics write `topics: [a, b]` or `topic_pattern`",
        );
        return None;
    }
    Some(node.at(text.to_owned()))
}
