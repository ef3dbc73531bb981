//! `waivers:`.

use crate::{
    policy::Waiver,
    rules,
    units::{Instant, Location},
    yaml::{At, Entry, Fields, Node, Problems, nearest, quoted, values},
};

pub(super) fn read(entry: &Entry, problems: &mut Problems<'_>) -> Option<Vec<Waiver>> {
    let items = values::items(entry, problems)?;
    let waivers: Vec<Waiver> = items.iter().filter_map(|item| waiver(item, problems)).collect();
    (waivers.len() == items.len()).then_some(waivers)
}

fn waiver(node: &Node, problems: &mut Problems<'_>) -> Option<Waiver> {
    let mut fields = Fields::of(node, "a waiver", problems)?;
    let rule = fields
        .require("rule", "write the id of the rule that it waives; `ttl-audit rules` lists them", problems)
        .and_then(|entry| rule(entry, problems));
    let reason =
        fields.require("reason", "say why it is tolerated; the report prints it", problems).and_then(|entry| values::text(entry, problems));
    let owner = fields.require("owner", "say who answers for it", problems).and_then(|entry| values::text(entry, problems));
    let created_entry = fields.get("created");
    let created = created_entry.and_then(|entry| day(entry, problems));
    let expires = fields
        .require("expires", "write the last day on which it holds, such as 2026-12-31", problems)
        .and_then(|entry| day(entry, problems));
    if let (Some(entry), Some(created), Some(expires)) = (created_entry, &created, &expires)
        && created.value > expires.value
    {
        let message = format!("`created` {} is after `expires` {}", created.value.day(), expires.value.day());
        problems.advise(&entry.value.place, message, "write the day on which it was granted");
    }
    let mut text =
        |key: &'static str, fields: &mut Fields<'_>| fields.get(key).and_then(|entry| values::text(entry, problems)).map(|at| at.value);
    let [job, operator, state, source] = ["job", "operator", "state", "source"].map(|key| text(key, &mut fields));
    let location = fields.get("location").and_then(|entry| location(entry, problems)).map(|at| at.value);
    fields.finish(problems);
    // What is stated and cannot be read is a problem of the file already, so no audit comes of a waiver that lacks it.
    Some(Waiver {
        position: node.place.position,
        rule: rule?,
        reason: reason?.value,
        owner: owner?.value,
        created: created.map(|at| at.value),
        expires: expires?.value,
        job,
        operator,
        state,
        source,
        location,
    })
}

fn rule(entry: &Entry, problems: &mut Problems<'_>) -> Option<String> {
    values::read(entry, problems, |text| {
        let known = rules::ids();
        if known.contains(&text) {
            return Ok(text.to_owned());
        }
        let hint =
            nearest(text, &known).map_or_else(|| "`ttl-audit rules` lists the rules".to_owned(), |near| format!("did you mean `{near}`?"));
        Err((format!("the rule {} is not known", quoted(text)), hint))
    })
    .map(|at| at.value)
}

/// A day, as the midnight UTC with which it begins.
fn day(entry: &Entry, problems: &mut Problems<'_>) -> Option<At<Instant>> {
    values::read(entry, problems, |text| {
        let read = text.parse::<Instant>().ok().filter(|at| at.day() == text);
        read.ok_or_else(|| (format!("{} is not a day", quoted(text)), "write a day such as 2026-12-31; it counts in UTC".to_owned()))
    })
}

fn location(entry: &Entry, problems: &mut Problems<'_>) -> Option<At<Location>> {
    values::read(entry, problems, |text| {
        text.parse::<Location>().map_err(|message| (format!("{} is not a location", quoted(text)), message))
    })
}
