//! Lifecycle rules and Intelligent-Tiering configurations, from the SDK's types into evidence. A rule that this version does not fully
//! understand gets a status that says so: it must never look harmless.

use aws_sdk_s3::{
    primitives::DateTime,
    types::{
        ExpirationStatus, IntelligentTieringConfiguration, IntelligentTieringStatus, LifecycleExpiration, LifecycleRuleAndOperator,
        LifecycleRuleFilter, Tag,
    },
};

use super::settings::tag_map;
use crate::{
    evidence::{
        Expiration, LifecycleRule, NoncurrentExpiration, NoncurrentTransition, RuleFilter, RuleStatus, Tiering, TieringConfiguration,
        Transition, When,
    },
    units::{Bytes, Instant},
};

/// One lifecycle rule.
pub(super) fn lifecycle_rule(rule: &aws_sdk_s3::types::LifecycleRule) -> LifecycleRule {
    let mut reader = Reader::default();
    let transitions = rule.transitions().iter().filter_map(|transition| {
        let when = reader.when(transition.days(), transition.date(), "a transition");
        let class = reader.some(transition.storage_class(), "a transition without a class");
        Some(Transition { when: when?, storage_class: class?.as_str().to_owned() })
    });
    let transitions = transitions.collect::<Vec<_>>();
    let expiration = rule.expiration().and_then(|expiration| reader.expiration(expiration));
    let noncurrent_transitions = rule.noncurrent_version_transitions().iter().filter_map(|transition| {
        let class = reader.some(transition.storage_class(), "a noncurrent transition without a class");
        Some(NoncurrentTransition {
            noncurrent_days: reader.days(transition.noncurrent_days(), "a noncurrent transition")?,
            storage_class: class?.as_str().to_owned(),
            newer_noncurrent_versions: transition.newer_noncurrent_versions().and_then(|count| u32::try_from(count).ok()),
        })
    });
    let noncurrent_transitions = noncurrent_transitions.collect::<Vec<_>>();
    let noncurrent_expiration = rule.noncurrent_version_expiration().and_then(|expiration| {
        Some(NoncurrentExpiration {
            noncurrent_days: reader.days(expiration.noncurrent_days(), "a noncurrent expiration")?,
            newer_noncurrent_versions: expiration.newer_noncurrent_versions().and_then(|count| u32::try_from(count).ok()),
        })
    });
    let abort = rule.abort_incomplete_multipart_upload();
    let abort = abort.and_then(|abort| reader.days(abort.days_after_initiation(), "an abort of uploads"));
    let filter = reader.filter(rule);
    let acts = !transitions.is_empty()
        || expiration.is_some()
        || !noncurrent_transitions.is_empty()
        || noncurrent_expiration.is_some()
        || abort.is_some();
    if !acts {
        reader.complain("no action that this version knows");
    }
    LifecycleRule {
        id: rule.id().map(str::to_owned),
        status: reader.status(rule.status().as_str(), ExpirationStatus::Enabled.as_str(), ExpirationStatus::Disabled.as_str()),
        filter,
        transitions,
        expiration,
        noncurrent_transitions,
        noncurrent_expiration,
        abort_incomplete_multipart_upload_days: abort,
    }
}

/// One Intelligent-Tiering configuration.
pub(super) fn tiering_configuration(configuration: &IntelligentTieringConfiguration) -> TieringConfiguration {
    let mut reader = Reader::default();
    let filter = configuration.filter();
    let and = filter.and_then(|filter| filter.and());
    let mut tags = tag_map(and.map_or(&[], |and| and.tags()));
    tags.extend(filter.and_then(|filter| filter.tag()).map(pair));
    let prefix = filter.and_then(|filter| filter.prefix()).or_else(|| and.and_then(|and| and.prefix()));
    let tierings = configuration.tierings().iter().filter_map(|tiering| {
        let days = reader.days(Some(tiering.days()), "an archive tier")?;
        Some(Tiering { access_tier: tiering.access_tier().as_str().to_owned(), days })
    });
    let tierings = tierings.collect();
    TieringConfiguration {
        id: configuration.id().to_owned(),
        status: reader.status(
            configuration.status().as_str(),
            IntelligentTieringStatus::Enabled.as_str(),
            IntelligentTieringStatus::Disabled.as_str(),
        ),
        prefix: prefix.map(str::to_owned),
        tags,
        tierings,
    }
}

/// Reads a rule and remembers what of it was not understood.
#[derive(Default)]
struct Reader {
    complaint: Option<String>,
}

impl Reader {
    fn complain(&mut self, what: &str) {
        self.complaint.get_or_insert_with(|| what.to_owned());
    }

    fn some<T>(&mut self, value: Option<T>, complaint: &str) -> Option<T> {
        if value.is_none() {
            self.complain(complaint);
        }
        value
    }

    fn days(&mut self, days: Option<i32>, what: &str) -> Option<u32> {
        let days = days.and_then(|days| u32::try_from(days).ok());
        self.some(days, &format!("{what} without days"))
    }

    fn when(&mut self, days: Option<i32>, date: Option<&DateTime>, what: &str) -> Option<When> {
        let when = match (days, date) {
            (Some(days), _) => u32::try_from(days).ok().map(When::Days),
            (None, Some(date)) => instant(date).map(When::Date),
            (None, None) => None,
        };
        self.some(when, &format!("{what} without days or date"))
    }

    fn expiration(&mut self, expiration: &LifecycleExpiration) -> Option<Expiration> {
        if expiration.days().is_none() && expiration.date().is_none() && expiration.expired_object_delete_marker() == Some(true) {
            return Some(Expiration::ExpiredObjectDeleteMarker);
        }
        self.when(expiration.days(), expiration.date(), "an expiration").map(Expiration::Objects)
    }

    fn filter(&mut self, rule: &aws_sdk_s3::types::LifecycleRule) -> RuleFilter {
        #[expect(deprecated, reason = "configurations written long ago still come back with the prefix on the rule")]
        let legacy = rule.prefix();
        let filter = rule.filter();
        if filter.is_none() && legacy.is_none() {
            self.complain("neither a filter nor a prefix");
        }
        let and = filter.and_then(|filter| filter.and());
        let mut tags = tag_map(and.map_or(&[], |and| and.tags()));
        tags.extend(filter.and_then(|filter| filter.tag()).map(pair));
        let prefix = filter.and_then(|filter| filter.prefix()).or_else(|| and.and_then(|and| and.prefix()));
        let greater = filter.and_then(LifecycleRuleFilter::object_size_greater_than);
        let greater = greater.or_else(|| and.and_then(LifecycleRuleAndOperator::object_size_greater_than));
        let less = filter.and_then(LifecycleRuleFilter::object_size_less_than);
        let less = less.or_else(|| and.and_then(LifecycleRuleAndOperator::object_size_less_than));
        RuleFilter {
            prefix: prefix.or(legacy).map(str::to_owned),
            legacy_prefix: filter.is_none() && legacy.is_some(),
            tags,
            object_size_greater_than: self.size(greater),
            object_size_less_than: self.size(less),
        }
    }

    fn size(&mut self, size: Option<i64>) -> Option<Bytes> {
        size.and_then(|size| {
            let size = u64::try_from(size).ok().map(Bytes);
            self.some(size, "a size below zero")
        })
    }

    /// A disabled rule does nothing, whatever it says.
    fn status(self, word: &str, enabled: &str, disabled: &str) -> RuleStatus {
        match self.complaint {
            _ if word == disabled => RuleStatus::Disabled,
            Some(complaint) if word == enabled => RuleStatus::Other(format!("{word}, with {complaint}")),
            None if word == enabled => RuleStatus::Enabled,
            _ => RuleStatus::Other(word.to_owned()),
        }
    }
}

fn pair(tag: &Tag) -> (String, String) {
    (tag.key().to_owned(), tag.value().to_owned())
}

/// The SDK's point in time as ours, to the millisecond.
pub(super) fn instant(at: &DateTime) -> Option<Instant> {
    at.to_millis().ok().and_then(Instant::from_epoch_ms)
}
