//! `operators:`.

use std::collections::BTreeMap;

use super::{super::*, refuse_twins, source::texts_of, values as shared};
use crate::{
    units::{Millis, Ttl},
    yaml::{Entry, Fields, Node, Place, Problems, quoted, values},
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

/// What an operator may refer to.
pub(super) struct Known<'n> {
    /// Ids of the sources.
    pub(super) sources: Vec<&'n str>,
    /// Uids of the sources, which no operator may have too, with their lines.
    pub(super) uids: Vec<(&'n str, u32)>,
}

/// What a state takes from its operator.
struct Inherited<'a> {
    ttl: Option<At<Ttl>>,
    /// Whether the operator states one that can be read.
    ttl_is_wrong: bool,
    reads: Vec<String>,
    known: &'a Known<'a>,
}

/// Uids and uid hashes of all operators, of the invalid ones too.
pub(super) fn ids(root: &Node) -> Vec<String> {
    let mut ids: Vec<String> = texts_of(root, "operators", "uid").into_iter().map(str::to_owned).collect();
    ids.extend(texts_of(root, "operators", "uid_hash").into_iter().map(str::to_ascii_lowercase));
    ids
}

pub(super) fn read_all(fields: &mut Fields<'_>, known: &Known<'_>, problems: &mut Problems<'_>) -> Option<Vec<Operator>> {
    let Some(entry) = fields.get("operators") else { return Some(Vec::new()) };
    if entry.value.is_null() || entry.value.items().is_some_and(<[Node]>::is_empty) {
        return Some(Vec::new());
    }
    let items = values::items(entry, problems)?;
    let read: Vec<Option<(Operator, &Place)>> = items.iter().map(|item| read(item, known, problems)).collect();
    refuse_twin_operators(read.iter().flatten(), known, problems);
    read.into_iter().map(|operator| operator.map(|(operator, _)| operator)).collect()
}

fn refuse_twin_operators<'a>(operators: impl Iterator<Item = &'a (Operator, &'a Place)>, known: &Known<'_>, problems: &mut Problems<'_>) {
    let mut lines: BTreeMap<&str, (u32, &str)> = known.uids.iter().map(|(uid, line)| (*uid, (*line, "a source"))).collect();
    for (operator, place) in operators {
        let id = operator.id.value.text();
        if let Some((line, what)) = lines.get(id) {
            problems.advise(
                place,
                format!("{} is the uid of {what} on line {line} already", quoted(id)),
                "Flink refuses a job in which two operators share a uid",
            );
        } else {
            lines.insert(id, (operator.id.position.line, "an operator"));
        }
    }
}

fn read<'n>(node: &'n Node, known: &Known<'_>, problems: &mut Problems<'_>) -> Option<(Operator, &'n Place)> {
    let mut fields = Fields::of(node, "an operator", problems)?;
    let id = id(&mut fields, problems);
    let name = shared::optional_text(fields.get("name"), problems);
    let role = fields.get("role").map(|entry| values::word(entry, ROLES, problems));
    let reads = match fields.get("reads") {
        Some(entry) => shared::references(entry, "the source", &known.sources, problems).unwrap_or_default(),
        None => known.sources.iter().map(|id| (*id).to_owned()).collect(),
    };
    let ttl_entry = fields.get("ttl");
    let ttl = ttl_entry.and_then(|entry| ttl(entry, problems));
    let inherited = Inherited { ttl_is_wrong: ttl_entry.is_some() && ttl.is_none(), ttl, reads, known };
    let state = fields
        .require(
            "state",
            "write the states that it keeps, such as `state: [{name: seen, ttl: 7d}]`; an operator without state is not listed",
            problems,
        )
        .and_then(|entry| {
            let items = values::items(entry, problems)?;
            let read: Vec<Option<(State, &Place)>> = items.iter().map(|item| read_state(item, &inherited, problems)).collect();
            refuse_twins(read.iter().flatten().map(|(state, place)| (&state.name, *place)), "the state", problems);
            read.into_iter().map(|state| state.map(|(state, _)| state)).collect::<Option<Vec<State>>>()
        });
    fields.finish(problems);
    let (id, place) = id?;
    Some((Operator { id, name, role: role.flatten(), state: state? }, place))
}

/// Exactly one of `uid` and `uid_hash`.
fn id<'n>(fields: &mut Fields<'n>, problems: &mut Problems<'_>) -> Option<(At<OperatorId>, &'n Place)> {
    match (fields.get("uid"), fields.get("uid_hash")) {
        (Some(entry), None) => {
            let text = values::text(entry, problems)?;
            Some((entry.value.at(OperatorId::Uid(text.value)), &entry.value.place))
        }
        (None, Some(entry)) => {
            let hash = values::read(entry, problems, |text| {
                let hex = text.len() == 32 && text.chars().all(|c| c.is_ascii_hexdigit());
                let wrong =
                    || (format!("{} is not a uid hash", quoted(text)), "a uid hash has 32 hex digits; a name belongs to `uid`".to_owned());
                if hex { Ok(OperatorId::Hash(text.to_ascii_lowercase())) } else { Err(wrong()) }
            })?;
            Some((hash, &entry.value.place))
        }
        (Some(_), Some(entry)) => {
            problems.advise(&entry.place, "`uid` and `uid_hash` exclude each other", "keep the one that the code sets");
            None
        }
        (None, None) => {
            problems.advise(
                fields.place(),
                "an operator lacks `uid`",
                "write the text of `uid(\"…\")` in the code, or `uid_hash` with the operator's 32 hex digits",
            );
            None
        }
    }
}

fn read_state<'n>(node: &'n Node, inherited: &Inherited<'_>, problems: &mut Problems<'_>) -> Option<(State, &'n Place)> {
    let mut fields = Fields::of(node, "a state", problems)?;
    let name_entry = fields.require("name", "write the name of its descriptor", problems);
    let name = name_entry.and_then(|entry| values::text(entry, problems));
    let kind = fields.get("kind").map(|entry| values::word(entry, KINDS, problems));
    let ttl = governing_ttl(&mut fields, kind.flatten(), inherited, problems);
    let update = fields.get("update").map_or(Some(TtlUpdate::default()), |entry| values::word(entry, UPDATES, problems));
    let visibility = fields.get("visibility").map_or(Some(TtlVisibility::default()), |entry| values::word(entry, VISIBILITIES, problems));
    let cleared_by = clearing(&mut fields, ttl.as_ref(), problems);
    let reads = match fields.get("reads") {
        Some(entry) => shared::references(entry, "the source", &inherited.known.sources, problems).unwrap_or_default(),
        None => inherited.reads.clone(),
    };
    fields.finish(problems);
    let state = State { name: name?, kind: kind.flatten(), ttl: ttl?, update: update?, visibility: visibility?, cleared_by, reads };
    Some((state, name_entry.map_or(&node.place, |entry| &entry.value.place)))
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
        problems.advise(&entry.value.place, "`ttl` is empty", "write a duration such as 7d, or never, or unknown");
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
                    crate::units::DurationError::TooLong | crate::units::DurationError::Negative => {
                        "for state that never expires write `ttl: never`".to_owned()
                    }
                    crate::units::DurationError::Other => format!("{}; or never, or unknown", error.hint()),
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
