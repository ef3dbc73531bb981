//! A lifecycle configuration that leaves recovery files alone and goes on with the rest.
//!
//! S3 has no exclusion: a filter only selects, and no rule protects an object from another rule. So a rule that takes recovery files is
//! replaced by copies of it for the other prefixes that were seen.

mod json;

use std::{collections::BTreeSet, fmt};

use crate::{
    evidence::{Expiration, Lifecycle, LifecycleRule, RuleStatus, Unknown},
    finding::{Remedy, shell::word},
};

/// The most rules that S3 takes for a bucket.
const MOST_RULES: usize = 1_000;
/// The longest ID of a rule.
const LONGEST_ID: usize = 255;

/// What is to be rewritten.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<'a> {
    /// The bucket.
    pub bucket: &'a str,
    /// Its whole configuration.
    pub lifecycle: &'a Lifecycle,
    /// The rules that must no longer act on recovery files, by their place in the configuration; see [`rules_over`].
    pub hits: &'a BTreeSet<usize>,
    /// The prefixes of the places where recovery files lie.
    pub recovery: &'a [String],
    /// Prefixes that hold objects, each ending in `/`; deeper ones may be among them.
    pub seen: Result<&'a [String], &'a Unknown>,
}

/// A configuration that leaves recovery files alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowed {
    /// What `put-bucket-lifecycle-configuration` reads; `None` if no rule is left.
    pub json: Option<serde_json::Value>,
    /// The command to paste, with the configuration.
    pub paste: String,
    /// Where the purpose of a rule cannot be kept, one sentence each.
    pub not_kept: Vec<String>,
    /// Nothing was seen that the rules could be narrowed to, and they cover more than recovery files: they are kept, disabled.
    pub disabled: bool,
}

/// Why there is no such configuration. What remains is a tag on the objects that the rule is meant for, or another bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotNarrowed {
    /// What else the bucket holds is not known, and a rule covers more than recovery files.
    PrefixesNotKnown {
        /// The rule.
        rule: String,
        /// Why.
        because: Unknown,
    },
    /// A rule of the configuration has a status or actions that this program does not know; written back, it would lose them.
    NotUnderstood {
        /// The rule.
        rule: String,
    },
    /// It would need more rules than S3 takes.
    TooManyRules {
        /// How many.
        rules: usize,
    },
}

/// What is true of every rewritten configuration.
const REPLACES: &str = "This replaces the bucket's whole lifecycle configuration: compare it with the present one before you run it";
/// What remains where prefixes do not do it.
const OTHER_WAYS: &str = "Tag the objects that the rule is meant for and filter by that tag, or keep recovery files in a bucket of their \
                          own; S3 cannot exclude a prefix";

/// The rules that act on files as Flink writes them under any of these prefixes, or under a part of one: enabled, with an action on
/// current versions, and without a tag filter.
#[must_use]
pub fn rules_over(lifecycle: &Lifecycle, recovery: &[String]) -> BTreeSet<usize> {
    let acts = |rule: &LifecycleRule| {
        let current = !rule.transitions.is_empty() || matches!(rule.expiration, Some(Expiration::Objects(_)));
        let prefix = rule.filter.prefix.as_deref().unwrap_or_default();
        let overlaps = recovery.iter().any(|place| place.starts_with(prefix) || prefix.starts_with(place));
        rule.status == RuleStatus::Enabled && current && rule.filter.tags.is_empty() && overlaps
    };
    lifecycle.rules.iter().enumerate().filter(|(_, rule)| acts(rule)).map(|(place, _)| place).collect()
}

impl Rewrite<'_> {
    /// The configuration in which the hit rules leave the recovery prefixes alone. All other rules, and what the hit ones do to
    /// noncurrent versions, delete markers and unfinished uploads, stay as they are.
    ///
    /// # Errors
    ///
    /// [`NotNarrowed`] says why no configuration does that.
    pub fn narrowed(&self) -> Result<Narrowed, NotNarrowed> {
        let mut rules: Vec<LifecycleRule> = Vec::new();
        let mut not_kept = Vec::new();
        let mut ids: BTreeSet<String> = self.lifecycle.rules.iter().filter_map(|rule| rule.id.clone()).collect();
        for (place, rule) in self.lifecycle.rules.iter().enumerate() {
            if self.hits.contains(&place) {
                self.narrow(rule, &mut rules, &mut ids, &mut not_kept)?;
            } else {
                rules.push(rule.clone());
            }
        }
        // S3 takes no empty configuration, and a rule that is disabled can be read again; one that is deleted cannot.
        let disabled = rules.is_empty() && !not_kept.is_empty();
        if disabled {
            let hit = self.lifecycle.rules.iter().enumerate().filter(|(place, _)| self.hits.contains(place));
            rules.extend(hit.map(|(_, rule)| LifecycleRule { status: RuleStatus::Disabled, ..rule.clone() }));
        }
        if rules.len() > MOST_RULES {
            return Err(NotNarrowed::TooManyRules { rules: rules.len() });
        }
        let json = json::configuration(&rules).map_err(|rule| NotNarrowed::NotUnderstood { rule: name(rule) })?;
        let json = (!rules.is_empty()).then_some(json);
        let paste = self.command(json.as_ref());
        Ok(Narrowed { json, paste, not_kept, disabled })
    }

    /// The rules that take the place of one.
    fn narrow(
        &self,
        rule: &LifecycleRule,
        rules: &mut Vec<LifecycleRule>,
        ids: &mut BTreeSet<String>,
        not_kept: &mut Vec<String>,
    ) -> Result<(), NotNarrowed> {
        // What touches no current version stays, for the recovery prefixes too.
        let mut rest = rule.clone();
        rest.transitions.clear();
        rest.expiration = rest.expiration.filter(|end| *end == Expiration::ExpiredObjectDeleteMarker);
        let stays = rest.expiration.is_some()
            || !rest.noncurrent_transitions.is_empty()
            || rest.noncurrent_expiration.is_some()
            || rest.abort_incomplete_multipart_upload_days.is_some();
        if stays {
            rules.push(rest);
        }
        let covers = rule.filter.prefix.as_deref().unwrap_or_default();
        if self.recovery.iter().any(|place| covers.starts_with(place.as_str())) {
            return Ok(()); // It is about recovery files alone.
        }
        let seen = self.seen.map_err(|because| NotNarrowed::PrefixesNotKnown { rule: name(rule), because: because.clone() })?;
        let (kept, mixed) = self.split(covers, seen);
        for prefix in &mixed {
            not_kept.push(format!(
                "{} no longer acts on other objects under {prefix}, next to the recovery files: what else lies there was not listed",
                name(rule)
            ));
        }
        let scope = if covers.is_empty() { "in the bucket".to_owned() } else { format!("under {covers}") };
        not_kept.push(format!(
            "{} no longer acts on objects {scope} with a prefix that was not seen there, nor on prefixes to come",
            name(rule)
        ));
        let only = kept.len() == 1 && !stays;
        for prefix in kept {
            let mut copy = rule.clone();
            copy.noncurrent_transitions.clear();
            copy.noncurrent_expiration = None;
            copy.abort_incomplete_multipart_upload_days = None;
            if !only {
                copy.id = Some(new_id(rule.id.as_deref(), &prefix, ids));
            }
            copy.filter.prefix = Some(prefix);
            rules.push(copy);
        }
        Ok(())
    }

    /// Of the prefixes seen within `covers`: those without recovery files, and those that hold recovery files and other things.
    fn split(&self, covers: &str, seen: &[String]) -> (Vec<String>, Vec<String>) {
        let mut kept: BTreeSet<&str> = BTreeSet::new();
        let mut mixed: BTreeSet<&str> = BTreeSet::new();
        for prefix in seen {
            let within = if prefix.starts_with(covers) {
                prefix.as_str()
            } else if covers.starts_with(prefix.as_str()) {
                covers
            } else {
                continue;
            };
            let holds_recovery = self.recovery.iter().any(|place| place.starts_with(within) && place != within);
            let is_recovery = self.recovery.iter().any(|place| within.starts_with(place.as_str()));
            match (is_recovery, holds_recovery) {
                (true, _) => {}
                (false, true) => _ = mixed.insert(within),
                (false, false) => _ = kept.insert(within),
            }
        }
        let widest = |prefix: &&&str| !kept.iter().any(|other| *other != **prefix && prefix.starts_with(other));
        let kept: Vec<String> = kept.iter().filter(widest).map(|prefix| (*prefix).to_owned()).collect();
        (kept, mixed.into_iter().map(str::to_owned).collect())
    }

    /// What to paste.
    fn command(&self, json: Option<&serde_json::Value>) -> String {
        let bucket = word(self.bucket);
        let Some(json) = json else {
            return format!("aws s3api delete-bucket-lifecycle --bucket {bucket}");
        };
        let floor = self.lifecycle.transition_default_minimum_object_size.as_deref();
        let floor = floor.map_or_else(String::new, |floor| format!(" \\\n  --transition-default-minimum-object-size {}", word(floor)));
        format!(
            "cat > lifecycle.json <<'END_OF_CONFIGURATION'\n{json:#}\nEND_OF_CONFIGURATION\naws s3api put-bucket-lifecycle-configuration \
             --bucket {bucket}{floor} \\\n  --lifecycle-configuration file://lifecycle.json"
        )
    }
}

impl Narrowed {
    /// The way out as a finding shows it.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        let mut say = if self.disabled {
            format!(
                "Disable the rule: it covers more than recovery files, and no other prefix was seen in the bucket to which it could be narrowed. {REPLACES}."
            )
        } else if self.json.is_some() {
            format!("Narrow the rule to the other prefixes seen in the bucket. {REPLACES}.")
        } else {
            "Remove the bucket's whole lifecycle configuration: its only rules are about recovery files.".to_owned()
        };
        for sentence in &self.not_kept {
            say.push_str(&format!(" {sentence}."));
        }
        if !self.not_kept.is_empty() {
            say.push_str(&format!(" To keep the rule's purpose there too: {OTHER_WAYS}."));
        }
        Remedy::paste(say, self.paste.clone())
    }
}

impl NotNarrowed {
    /// The way out that remains.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        Remedy::say(format!("No configuration by prefixes can be given: {self}. {OTHER_WAYS}."))
    }
}

impl fmt::Display for NotNarrowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PrefixesNotKnown { rule, because } => {
                write!(f, "{rule} covers more than recovery files, and what else the bucket holds is not known ({})", because.reason)
            }
            Self::NotUnderstood { rule } => {
                write!(f, "{rule} has a status or an action that this version does not know, and would lose it")
            }
            Self::TooManyRules { rules } => write!(f, "it would need {rules} rules, and S3 takes at most {MOST_RULES}"),
        }
    }
}

fn name(rule: &LifecycleRule) -> String {
    rule.id.as_ref().map_or_else(|| "A rule without an ID".to_owned(), |id| format!("Rule {id}"))
}

/// An ID that no other rule has, of at most [`LONGEST_ID`] bytes.
fn new_id(id: Option<&str>, prefix: &str, taken: &mut BTreeSet<String>) -> String {
    let whole = format!("{} {prefix}", id.unwrap_or("rule"));
    for number in 1_u32.. {
        let tail = if number == 1 { String::new() } else { format!(" {number}") };
        let mut end = whole.len().min(LONGEST_ID.saturating_sub(tail.len()));
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        let new = format!("{}{tail}", whole.get(..end).unwrap_or_default());
        if taken.insert(new.clone()) {
            return new;
        }
    }
    whole
}
