//! `operators:`.

use std::collections::BTreeMap;

use super::{each, refuse_twins, values as shared};
use crate::{
    manifest::{At, ClearedBy, Clearing, Operator, OperatorId, Role, State, StateKind, TtlUpdate, TtlVisibility},
    units::{DurationError, Millis, Ttl},
    yaml::{Entry, Fields, Node, Problems, quoted, values},
};

const ROLES: &[(&str, Role)] = &[
    ("deduplication", Role::Deduplication),
    ("join", Role::Join),
    ("aggregation", Role::Aggregation),
    ("session", Role::Session),
    ("cache", Role::Cache),
    ("other", Role::Other),
];

const KINDS: &[(&str, StateKind)] = &[
    ("value", StateKind::Value),
    ("list", StateKind::List),
    ("map", StateKind::Map),
    ("reducing", StateKind::Reducing),
    ("aggregating", StateKind::Aggregating),
    ("window", StateKind::Window),
    ("interval-join", StateKind::IntervalJoin),
];

const UPDATES: &[(&str, TtlUpdate)] =
    &[("on-create-and-write", TtlUpdate::OnCreateAndWrite), ("on-read-and-write", TtlUpdate::OnReadAndWrite)];

const VISIBILITIES: &[(&str, TtlVisibility)] = &[
    ("never-return-expired", TtlVisibility::NeverReturnExpired),
    ("return-expired-if-not-cleaned-up", TtlVisibility::ReturnExpiredIfNotCleanedUp),
];

const CLEARINGS: &[(&str, Clearing)] = &[("watermark", Clearing::Watermark), ("timer", Clearing::Timer), ("code", Clearing::Code)];

/// What a state takes from its operator.
struct Inherited<'a> {
    ttl: Option<At<Ttl>>,
    /// Whether the operator states one that can be read.
    ttl_is_wrong: bool,
    reads: Vec<String>,
    sources: &'a [&'a str],
}

/// Uids and uid hashes of all operators, of the invalid ones too.
pub(super) fn ids(root: &Node) -> Vec<String> {
    let items = root.get("operators").and_then(Node::items).unwrap_or_default();
    items.iter().filter_map(id_node).filter_map(Node::text).map(as_id).collect()
}

fn id_node(operator: &Node) -> Option<&Node> {
    operator.get("uid").or_else(|| operator.get("uid_hash"))
}

/// A uid hash in lower case, and a uid as it is.
fn as_id(text: &str) -> String {
    if is_hash(text) { text.to_ascii_lowercase() } else { text.to_owned() }
}

fn is_hash(text: &str) -> bool {
    text.len() == 32 && text.chars().all(|c| c.is_ascii_hexdigit())
}

/// `sources` are the ids of the sources that an operator may read.
pub(super) fn read_all(root: &Node, fields: &mut Fields<'_>, sources: &[&str], problems: &mut Problems<'_>) -> Option<Vec<Operator>> {
    let entry = fields.get("operators").filter(|entry| !entry.value.is_null());
    let items = match entry.map(|entry| (entry, entry.value.items())) {
        None | Some((_, Some([]))) => &[],
        Some((entry, _)) => values::items(entry, problems)?,
    };
    refuse_twin_uids(root, items, problems);
    let read: Vec<Option<Operator>> = items.iter().map(|item| read(item, sources, problems)).collect();
    read.into_iter().collect()
}

/// Sources are operators, too: Flink refuses a job in which two of either share a uid.
fn refuse_twin_uids(root: &Node, operators: &[Node], problems: &mut Problems<'_>) {
    let sources = each(root.get("sources").and_then(Node::items).unwrap_or_default(), "uid").map(|node| (node, "a source"));
    let mut first: BTreeMap<String, (u32, &str)> = BTreeMap::new();
    for (node, what) in sources.chain(operators.iter().filter_map(id_node).map(|node| (node, "an operator"))) {
        let Some(text) = node.text() else { continue };
        if let Some((line, what)) = first.get(&as_id(text)) {
            problems.advise(
                &node.place,
                format!("{} is the uid of {what} on line {line} already", quoted(text)),
                "Flink refuses a job in which two operators share a uid",
            );
        } else {
            first.insert(as_id(text), (node.place.position.line, what));
        }
    }
}

fn read(node: &Node, sources: &[&str], problems: &mut Problems<'_>) -> Option<Operator> {
    let mut fields = Fields::of(node, "an operator", problems)?;
    let id = id(&mut fields, problems);
    let name = shared::optional_text(fields.get("name"), problems);
    let role = fields.get("role").and_then(|entry| values::word(entry, ROLES, problems));
    let reads = match fields.get("reads") {
        Some(entry) => shared::references(entry, "the source", sources, problems).unwrap_or_default(),
        None => sources.iter().map(|id| (*id).to_owned()).collect(),
    };
    let ttl_entry = fields.get("ttl");
    let ttl = ttl_entry.and_then(|entry| ttl(entry, problems));
    let inherited = Inherited { ttl_is_wrong: ttl_entry.is_some() && ttl.is_none(), ttl, reads, sources };
    let hint = "write the states that it keeps, such as `state: [{name: seen, ttl: 7d}]`; an operator without state is not listed";
    let state = fields.require("state", hint, problems).and_then(|entry| {
        let items = values::items(entry, problems)?;
        refuse_twins(each(items, "name"), "the state", problems);
        let read: Vec<Option<State>> = items.iter().map(|item| read_state(item, &inherited, problems)).collect();
        read.into_iter().collect::<Option<Vec<State>>>()
    });
    fields.finish(problems);
    Some(Operator { id: id?, name, role, state: state? })
}

/// Exactly one of `uid` and `uid_hash`.
fn id(fields: &mut Fields<'_>, problems: &mut Problems<'_>) -> Option<At<OperatorId>> {
    match (fields.get("uid"), fields.get("uid_hash")) {
        (Some(entry), None) => values::text(entry, problems).map(|at| entry.value.at(OperatorId::Uid(at.value))),
        (None, Some(entry)) => values::read(entry, problems, |text| {
            if is_hash(text) {
                Ok(OperatorId::Hash(as_id(text)))
            } else {
                Err((format!("{} is not a uid hash", quoted(text)), "a uid hash has 32 hex digits; a name belongs to `uid`".to_owned()))
            }
        }),
        (Some(_), Some(entry)) => {
            problems.advise(&entry.place, "`uid` and `uid_hash` exclude each other", "keep the one that the code sets");
            None
        }
        (None, None) => {
            let hint = "write the text of `uid(\"…\")` in the code, or `uid_hash` with the operator's 32 hex digits";
            problems.advise(fields.place(), "an operator lacks `uid`", hint);
            None
        }
    }
}

fn read_state(node: &Node, inherited: &Inherited<'_>, problems: &mut Problems<'_>) -> Option<State> {
    let mut fields = Fields::of(node, "a state", problems)?;
    let name = fields.require("name", "write the name of its descriptor", problems).and_then(|entry| values::text(entry, problems));
    let kind = fields.get("kind").and_then(|entry| values::word(entry, KINDS, problems));
    let ttl = governing_ttl(&mut fields, kind, inherited, problems);
    let update = fields.get("update").map_or(Some(TtlUpdate::default()), |entry| values::word(entry, UPDATES, problems));
    let visibility = fields.get("visibility").map_or(Some(TtlVisibility::default()), |entry| values::word(entry, VISIBILITIES, problems));
    let cleared_by = clearing(&mut fields, ttl.as_ref(), problems);
    let reads = match fields.get("reads") {
        Some(entry) => shared::references(entry, "the source", inherited.sources, problems).unwrap_or_default(),
        None => inherited.reads.clone(),
    };
    fields.finish(problems);
    Some(State { name: name?, kind, ttl: ttl?, update: update?, visibility: visibility?, cleared_by, reads })
}

/// The TTL of a state: its own, else its operator's. Windows and interval joins have none, whatever is configured.
fn governing_ttl(
    fields: &mut Fields<'_>,
    kind: Option<StateKind>,
    inherited: &Inherited<'_>,
    problems: &mut Problems<'_>,
) -> Option<At<Ttl>> {
    let ungoverned = match kind {
        Some(StateKind::Window) => Some("window"),
        Some(StateKind::IntervalJoin) => Some("interval-join"),
        _ => None,
    };
    let own = fields.get("ttl");
    let stated = match own {
        Some(entry) => Some(ttl(entry, problems)?),
        None => inherited.ttl.clone(),
    };
    match (stated, ungoverned) {
        (Some(At { value: Ttl::Never, position }), _) => Some(At { value: Ttl::Never, position }),
        (Some(_), Some(kind)) => {
            let place = own.map_or_else(|| fields.place().clone(), |entry| entry.value.place.clone());
            let whose = if own.is_some() { "a TTL" } else { "the operator's `ttl`" };
            problems.advise(
                &place,
                format!("{whose} does not govern state of kind {kind}"),
                "write `ttl: never` here, and `cleared_by` with `after` for what removes it",
            );
            None
        }
        (None, Some(_)) => Some(At { value: Ttl::Never, position: fields.place().position }),
        (Some(ttl), None) => Some(ttl),
        (None, None) if inherited.ttl_is_wrong => None,
        (None, None) => {
            problems.advise(
                fields.place(),
                "a state lacks `ttl`",
                "write a duration such as 7d, or never, or unknown; on the operator it holds for all its states",
            );
            None
        }
    }
}

fn ttl(entry: &Entry, problems: &mut Problems<'_>) -> Option<At<Ttl>> {
    if entry.value.is_null() || entry.value.text().is_some_and(|text| text.trim().is_empty()) {
        problems.advise(&entry.place, "`ttl` is empty", "write a duration such as 7d, or never, or unknown");
        return None;
    }
    values::read(entry, problems, |text| match text {
        "never" => Ok(Ttl::Never),
        "unknown" => Ok(Ttl::Unknown),
        _ => match text.parse() {
            Ok(Millis::ZERO) => Ok(Ttl::Never),
            Ok(length) => Ok(Ttl::After(length)),
            Err(error) => Err((
                format!("{} cannot be read: {error}", quoted(text)),
                match error {
                    DurationError::TooLong | DurationError::Negative => "for state that never expires write `ttl: never`".to_owned(),
                    DurationError::Other => format!("{}; or never, or unknown", error.hint()),
                    _ => error.hint(),
                },
            )),
        },
    })
}

fn clearing(fields: &mut Fields<'_>, ttl: Option<&At<Ttl>>, problems: &mut Problems<'_>) -> Option<ClearedBy> {
    let by = fields.get("cleared_by");
    let after = fields.get("after");
    let length = shared::optional_length(after, problems);
    match (by, after) {
        (None, Some(after)) => {
            problems.advise(&after.place, "`after` goes with `cleared_by`", "write `cleared_by: watermark`, timer or code beside it");
            None
        }
        (None, None) => None,
        (Some(entry), _) => {
            if ttl.is_some_and(|ttl| ttl.value != Ttl::Never) {
                problems.advise(
                    &entry.place,
                    "`cleared_by` is for state that no TTL governs",
                    "write `ttl: never`, or remove `cleared_by`",
                );
            }
            Some(ClearedBy { by: values::word(entry, CLEARINGS, problems)?, after: length })
        }
    }
}
