//! A bucket's settings. Every one has its own right, and its own way to say "none".

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_s3::types::{BucketVersioningStatus, MfaDeleteStatus, ObjectLockConfiguration, ObjectLockEnabled, Tag};

use super::{
    caller::Caller,
    listing::{self, Found},
    refusal::{Kind, Refusal},
    rules,
};
use crate::{
    evidence::{Fact, Lifecycle, ObjectLock, TieringConfiguration, Versioning, VersioningStatus},
    units::Millis,
};

/// Pages of Intelligent-Tiering configurations; a bucket has at most 1,000 of them, on any number of pages.
const TIERING_PAGES: usize = 1_000;

/// Pages of 1,000 entries that are read of one folder to find its sub-folders.
const FOLDER_PAGES: usize = 10;

/// Lifecycle rules. *Absent*: none.
pub(super) async fn lifecycle(caller: &Caller<'_>) -> Fact<Lifecycle> {
    let call = caller.call("GetBucketLifecycleConfiguration", "");
    let request = caller.client.get_bucket_lifecycle_configuration().bucket(&caller.bucket).send();
    match caller.ask("s3:GetLifecycleConfiguration on the bucket", request).await {
        Ok(output) => {
            let minimum = output.transition_default_minimum_object_size().map(|size| size.as_str().to_owned());
            let rules = output.rules().iter().map(rules::lifecycle_rule).collect();
            caller.seen(Lifecycle { rules, transition_default_minimum_object_size: minimum }, call)
        }
        Err(refusal) => absent_or(refusal, "NoSuchLifecycleConfiguration", "the bucket has no lifecycle rules", call),
    }
}

/// Intelligent-Tiering configurations of all pages.
pub(super) async fn intelligent_tiering(caller: &Caller<'_>) -> Fact<Vec<TieringConfiguration>> {
    let call = caller.call("ListBucketIntelligentTieringConfigurations", "");
    let mut configurations = Vec::new();
    let mut token: Option<String> = None;
    for _ in 0..TIERING_PAGES {
        let request = caller.client.list_bucket_intelligent_tiering_configurations().bucket(&caller.bucket);
        let request = request.set_continuation_token(token.clone()).send();
        let page = match caller.ask("s3:GetIntelligentTieringConfiguration on the bucket", request).await {
            Ok(page) => page,
            Err(refusal) => return refusal.fact_if_not_missing(call),
        };
        configurations.extend(page.intelligent_tiering_configuration_list().iter().map(rules::tiering_configuration));
        if !page.is_truncated().unwrap_or_default() {
            return caller.seen(configurations, call);
        }
        match page.next_continuation_token.filter(|next| token.as_ref() != Some(next)) {
            Some(next) => token = Some(next),
            None => return Fact::failed("the store says that there are more configurations and does not say how to get them", call),
        }
    }
    Fact::failed("there are more configurations than any bucket can have", call)
}

/// Versioning.
pub(super) async fn versioning(caller: &Caller<'_>) -> Fact<Versioning> {
    let call = caller.call("GetBucketVersioning", "");
    let request = caller.client.get_bucket_versioning().bucket(&caller.bucket).send();
    match caller.ask("s3:GetBucketVersioning on the bucket", request).await {
        Ok(output) => {
            let status = match output.status() {
                None => VersioningStatus::Never,
                Some(BucketVersioningStatus::Enabled) => VersioningStatus::Enabled,
                Some(BucketVersioningStatus::Suspended) => VersioningStatus::Suspended,
                Some(_) => return Fact::failed("the versioning status is neither Enabled nor Suspended", call),
            };
            let mfa_delete = output.mfa_delete() == Some(&MfaDeleteStatus::Enabled);
            caller.seen(Versioning { status, mfa_delete }, call)
        }
        Err(refusal) => refusal.fact_if_not_missing(call),
    }
}

/// Object Lock. *Absent*: the bucket has none.
pub(super) async fn object_lock(caller: &Caller<'_>) -> Fact<ObjectLock> {
    let call = caller.call("GetObjectLockConfiguration", "");
    let request = caller.client.get_object_lock_configuration().bucket(&caller.bucket).send();
    match caller.ask("s3:GetBucketObjectLockConfiguration on the bucket", request).await {
        Ok(output) => match output.object_lock_configuration() {
            Some(configuration) if configuration.object_lock_enabled() == Some(&ObjectLockEnabled::Enabled) => {
                caller.seen(lock(configuration), call)
            }
            _ => Fact::absent("the bucket has no Object Lock", call),
        },
        Err(refusal) => absent_or(refusal, "ObjectLockConfigurationNotFoundError", "the bucket has no Object Lock", call),
    }
}

fn lock(configuration: &ObjectLockConfiguration) -> ObjectLock {
    let default = configuration.rule().and_then(|rule| rule.default_retention());
    let days = default.and_then(|default| match (default.days(), default.years()) {
        (Some(days), _) if days > 0 => u64::try_from(days).ok(),
        (_, Some(years)) if years > 0 => u64::try_from(years).ok().map(|years| years.saturating_mul(365)),
        _ => None,
    });
    ObjectLock {
        default_mode: default.and_then(|default| default.mode()).map(|mode| mode.as_str().to_owned()),
        default_period: days.map(Millis::days),
    }
}

/// The bucket's own tags. *Absent*: none.
pub(super) async fn tags(caller: &Caller<'_>) -> Fact<BTreeMap<String, String>> {
    let call = caller.call("GetBucketTagging", "");
    let request = caller.client.get_bucket_tagging().bucket(&caller.bucket).send();
    match caller.ask("s3:GetBucketTagging on the bucket", request).await {
        Ok(output) => caller.seen(tag_map(output.tag_set()), call),
        Err(refusal) => absent_or(refusal, "NoSuchTagSet", "the bucket has no tags", call),
    }
}

/// Tags by key.
pub(super) fn tag_map(tags: &[Tag]) -> BTreeMap<String, String> {
    tags.iter().map(|tag| (tag.key().to_owned(), tag.value().to_owned())).collect()
}

/// The sub-folders of each of `folders`, whole prefixes that end in `/`, sorted.
pub(super) async fn prefixes(caller: &Caller<'_>, folders: &BTreeSet<String>) -> Fact<Vec<String>> {
    let call = caller.call("ListObjectsV2", "");
    let mut seen = BTreeSet::new();
    for folder in folders {
        let result = listing::list(caller, folder, true, FOLDER_PAGES, |found| {
            if let Found::Folder(prefix) = found {
                seen.insert(prefix);
            }
        });
        match result.await {
            Ok(true) => {}
            Ok(false) => {
                let shown = caller.call("", folder);
                return Fact::failed(format!("more entries than are listed lie directly below{shown}"), call);
            }
            Err(refusal) => return refusal.fact_if_not_missing(call),
        }
    }
    caller.seen(seen.into_iter().collect(), call)
}

/// *Absent* for the code that says "none", else what the refusal says; any other 404 is not "none".
fn absent_or<T>(refusal: Refusal, none: &str, words: &str, call: String) -> Fact<T> {
    if refusal.has_code(none) {
        return Refusal { kind: Kind::Missing, reason: words.to_owned(), ..refusal }.fact(call);
    }
    refusal.fact_if_not_missing(call)
}
