//! A bucket's settings: each value, and each way to have none.

use ttl_audit::{
    evidence::{Expiration, LifecycleRule, RuleStatus, Tiering, VersioningStatus, When},
    units::{Bytes, Millis},
};

use super::settings_of;
use crate::{
    s3_fake::{Bucket, Object, Reply},
    s3_harness::{assert_gap, value},
};

const AT: &str = "2026-09-01T00:00:00.000Z";

fn rules(xml: &str) -> Vec<LifecycleRule> {
    let reply = Reply::xml(format!("<LifecycleConfiguration>{xml}</LifecycleConfiguration>"));
    value(&settings_of(Bucket::new().on("GetBucketLifecycleConfiguration", [reply])).lifecycle).rules.clone()
}

const EXPIRE: &str = "<Expiration><Days>30</Days></Expiration>";

#[test]
fn every_form_of_a_filter() {
    let rules = rules(&format!(
        "<Rule><ID>empty</ID><Filter/><Status>Enabled</Status>{EXPIRE}</Rule>
         <Rule><ID>prefix</ID><Filter><Prefix>sp/</Prefix></Filter><Status>Enabled</Status>{EXPIRE}</Rule>
         <Rule><ID>legacy</ID><Prefix>old/</Prefix><Status>Disabled</Status>{EXPIRE}</Rule>
         <Rule><ID>tag</ID><Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter><Status>Enabled</Status>{EXPIRE}</Rule>
         <Rule><ID>greater</ID><Filter><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></Filter><Status>Enabled</Status>{EXPIRE}</Rule>
         <Rule><ID>less</ID><Filter><ObjectSizeLessThan>9</ObjectSizeLessThan></Filter><Status>Enabled</Status>{EXPIRE}</Rule>
         <Rule><ID>and</ID><Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag><Tag><Key>l</Key><Value>w</Value></Tag>
           <ObjectSizeGreaterThan>1</ObjectSizeGreaterThan><ObjectSizeLessThan>2</ObjectSizeLessThan></And></Filter>
           <Status>Enabled</Status>{EXPIRE}</Rule>"
    ));
    let by_id = |id: &str| rules.iter().find(|rule| rule.id.as_deref() == Some(id)).expect("a rule");
    assert_eq!(by_id("empty").filter, ttl_audit::evidence::RuleFilter::default());
    assert_eq!(by_id("prefix").filter.prefix.as_deref(), Some("sp/"));
    assert_eq!((by_id("legacy").filter.prefix.as_deref(), by_id("legacy").filter.legacy_prefix), (Some("old/"), true));
    assert_eq!(by_id("legacy").status, RuleStatus::Disabled);
    assert_eq!(by_id("tag").filter.tags.get("k").map(String::as_str), Some("v"));
    assert_eq!(by_id("greater").filter.object_size_greater_than, Some(Bytes(5)));
    assert_eq!(by_id("less").filter.object_size_less_than, Some(Bytes(9)));
    let and = &by_id("and").filter;
    assert_eq!((and.prefix.as_deref(), and.tags.len()), (Some("a"), 2));
    assert_eq!((and.object_size_greater_than, and.object_size_less_than), (Some(Bytes(1)), Some(Bytes(2))));
    assert!(rules.iter().filter(|rule| rule.id.as_deref() != Some("legacy")).all(|rule| rule.status == RuleStatus::Enabled));
}

#[test]
fn every_action() {
    let rules = rules(
        "<Rule><Filter/><Status>Enabled</Status>
           <Transition><Days>0</Days><StorageClass>INTELLIGENT_TIERING</StorageClass></Transition>
           <Transition><Date>2026-12-01T00:00:00Z</Date><StorageClass>NEW_CLASS</StorageClass></Transition>
           <Expiration><Date>2027-01-01T00:00:00.000Z</Date></Expiration>
           <NoncurrentVersionTransition><NoncurrentDays>3</NoncurrentDays><StorageClass>GLACIER</StorageClass>
             <NewerNoncurrentVersions>2</NewerNoncurrentVersions></NoncurrentVersionTransition>
           <NoncurrentVersionExpiration><NoncurrentDays>9</NoncurrentDays><NewerNoncurrentVersions>1</NewerNoncurrentVersions></NoncurrentVersionExpiration>
           <AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>
         <Rule><Filter/><Status>Enabled</Status><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration></Rule>",
    );
    let at = |text: &str| When::Date(text.parse().expect("an instant"));
    let moves: Vec<_> = rules[0].transitions.iter().map(|transition| (transition.when, transition.storage_class.as_str())).collect();
    assert_eq!(moves, [(When::Days(0), "INTELLIGENT_TIERING"), (at("2026-12-01"), "NEW_CLASS")]);
    assert_eq!(rules[0].expiration, Some(Expiration::Objects(at("2027-01-01"))));
    assert_eq!(
        (rules[0].noncurrent_transitions[0].noncurrent_days, rules[0].noncurrent_transitions[0].newer_noncurrent_versions),
        (3, Some(2))
    );
    let expiration = rules[0].noncurrent_expiration.as_ref().expect("one");
    assert_eq!((expiration.noncurrent_days, expiration.newer_noncurrent_versions), (9, Some(1)));
    assert_eq!(rules[0].abort_incomplete_multipart_upload_days, Some(7));
    assert_eq!(rules[0].id, None);
    assert_eq!(rules[1].expiration, Some(Expiration::ExpiredObjectDeleteMarker));
    assert!(rules.iter().all(|rule| rule.status == RuleStatus::Enabled));
}

#[test]
fn a_rule_that_is_not_understood_is_not_harmless() {
    let rules = rules(&format!(
        "<Rule><Filter/>{EXPIRE}</Rule>
         <Rule><Filter/><Status>Paused</Status>{EXPIRE}</Rule>
         <Rule><Filter/><Status>Enabled</Status><Action><Delete/></Action></Rule>
         <Rule><Filter/><Status>Enabled</Status><Transition><StorageClass>GLACIER</StorageClass></Transition></Rule>
         <Rule><Filter/><Status>Enabled</Status><Transition><Days>-1</Days><StorageClass>GLACIER</StorageClass></Transition></Rule>
         <Rule><Status>Enabled</Status>{EXPIRE}</Rule>
         <Rule><Status>Disabled</Status></Rule>"
    ));
    for rule in &rules[..6] {
        assert!(matches!(&rule.status, RuleStatus::Other(_)), "{rule:?}");
    }
    assert_eq!(rules[1].status, RuleStatus::Other("Paused".to_owned()));
    assert_eq!(rules[2].status, RuleStatus::Other("Enabled, with no action that this version knows".to_owned()));
    assert_eq!(rules[6].status, RuleStatus::Disabled);
}

#[test]
fn the_minimum_size_is_what_the_header_says() {
    let xml = format!("<LifecycleConfiguration><Rule><Filter/><Status>Enabled</Status>{EXPIRE}</Rule></LifecycleConfiguration>");
    for header in [Some("all_storage_classes_128K"), Some("varies_by_storage_class"), None] {
        let mut reply = Reply::xml(&xml);
        if let Some(header) = header {
            reply = reply.header("x-amz-transition-default-minimum-object-size", header);
        }
        let settings = settings_of(Bucket::new().on("GetBucketLifecycleConfiguration", [reply]));
        assert_eq!(value(&settings.lifecycle).transition_default_minimum_object_size.as_deref(), header);
    }
}

#[test]
fn none_configured_is_absent_and_never_versioned_is_seen() {
    let settings = settings_of(Bucket::new());
    assert_gap(&settings.lifecycle, "absent", "no lifecycle rules");
    assert_gap(&settings.object_lock, "absent", "no Object Lock");
    assert_gap(&settings.tags, "absent", "no tags");
    assert!(value(&settings.intelligent_tiering).is_empty());
    assert_eq!(value(&settings.versioning).status, VersioningStatus::Never);
}

#[test]
fn each_setting_is_denied_by_its_own_right() {
    let denied = || [Reply::error(403, "AccessDenied")];
    let settings = settings_of(
        Bucket::new()
            .on("GetBucketLifecycleConfiguration", denied())
            .on("ListBucketIntelligentTieringConfigurations", denied())
            .on("GetBucketVersioning", denied())
            .on("GetObjectLockConfiguration", denied())
            .on("GetBucketTagging", denied()),
    );
    assert_gap(&settings.lifecycle, "denied", "needs s3:GetLifecycleConfiguration on the bucket");
    assert_gap(&settings.intelligent_tiering, "denied", "needs s3:GetIntelligentTieringConfiguration on the bucket");
    assert_gap(&settings.versioning, "denied", "needs s3:GetBucketVersioning on the bucket");
    assert_gap(&settings.object_lock, "denied", "needs s3:GetBucketObjectLockConfiguration on the bucket");
    assert_gap(&settings.tags, "denied", "needs s3:GetBucketTagging on the bucket");
}

#[test]
fn a_store_that_does_not_know_a_call_is_not_one_without_rules() {
    let unknown = |status, code| [Reply::error(status, code)];
    let settings = settings_of(
        Bucket::new()
            .on("GetBucketLifecycleConfiguration", unknown(501, "NotImplemented"))
            .on("GetBucketVersioning", unknown(405, "MethodNotAllowed"))
            .on("GetObjectLockConfiguration", [Reply::new(501, "")])
            .on("ListBucketIntelligentTieringConfigurations", [Reply::xml("<ListBucketResult><Name>b</Name></ListBucketResult>")])
            .on("GetBucketTagging", [Reply::new(200, "<html>sign in</html>")]),
    );
    assert_gap(&settings.lifecycle, "unsupported", "does not have this feature (HTTP 501 NotImplemented)");
    assert_gap(&settings.versioning, "unsupported", "HTTP 405");
    assert_gap(&settings.object_lock, "unsupported", "HTTP 501");
    assert_gap(&settings.intelligent_tiering, "unsupported", "object listing");
    assert_gap(&settings.tags, "failed", "something else");
}

#[test]
fn another_404_is_not_none_configured() {
    let settings = settings_of(Bucket::new().on("GetBucketLifecycleConfiguration", [Reply::error(404, "NoSuchBucket")]));
    assert_gap(&settings.lifecycle, "failed", "no such bucket");
}

#[test]
fn tiering_configurations_of_all_pages() {
    let page = |inner: &str| {
        Reply::xml(format!("<ListBucketIntelligentTieringConfigurationsOutput>{inner}</ListBucketIntelligentTieringConfigurationsOutput>"))
    };
    let first = page(
        "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>
         <IntelligentTieringConfiguration><Id>one</Id><Status>Enabled</Status><Filter><Prefix>sp/</Prefix></Filter>
           <Tiering><Days>90</Days><AccessTier>ARCHIVE_ACCESS</AccessTier></Tiering>
           <Tiering><Days>180</Days><AccessTier>DEEP_ARCHIVE_ACCESS</AccessTier></Tiering></IntelligentTieringConfiguration>",
    );
    let second = page(
        "<IsTruncated>false</IsTruncated>
         <IntelligentTieringConfiguration><Id>two</Id><Status>Disabled</Status>
           <Filter><And><Prefix>x</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter></IntelligentTieringConfiguration>",
    );
    let settings = settings_of(Bucket::new().on("ListBucketIntelligentTieringConfigurations", [first.clone(), second]));
    let configurations = value(&settings.intelligent_tiering);
    let tiers: Vec<_> = configurations[0].tierings.iter().map(|Tiering { access_tier, days }| (access_tier.as_str(), *days)).collect();
    assert_eq!(tiers, [("ARCHIVE_ACCESS", 90), ("DEEP_ARCHIVE_ACCESS", 180)]);
    assert_eq!((configurations[0].prefix.as_deref(), &configurations[0].status), (Some("sp/"), &RuleStatus::Enabled));
    assert_eq!((configurations[1].prefix.as_deref(), configurations[1].tags.len()), (Some("x"), 1));
    assert_eq!(configurations[1].status, RuleStatus::Disabled);

    // A store that hands out the same token for ever is not followed for ever.
    let settings = settings_of(Bucket::new().on("ListBucketIntelligentTieringConfigurations", [first]));
    assert_gap(&settings.intelligent_tiering, "failed", "more configurations");
}

#[test]
fn versioning_and_lock() {
    let lock = "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention><Mode>GOVERNANCE</Mode>
        <Days>365</Days><Years>0</Years></DefaultRetention></Rule></ObjectLockConfiguration>";
    let versioning = "<VersioningConfiguration><Status>Suspended</Status><MfaDelete>Enabled</MfaDelete></VersioningConfiguration>";
    let settings =
        settings_of(Bucket::new().on("GetObjectLockConfiguration", [Reply::xml(lock)]).on("GetBucketVersioning", [Reply::xml(versioning)]));
    let lock = value(&settings.object_lock);
    assert_eq!((lock.default_mode.as_deref(), lock.default_period), (Some("GOVERNANCE"), Some(Millis::days(365))));
    let versioning = value(&settings.versioning);
    assert_eq!((&versioning.status, versioning.mfa_delete), (&VersioningStatus::Suspended, true));
}

#[test]
fn a_lock_without_a_default_and_one_in_years() {
    let lock = |rule: &str| {
        let xml = format!("<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>{rule}</ObjectLockConfiguration>");
        value(&settings_of(Bucket::new().on("GetObjectLockConfiguration", [Reply::xml(xml)])).object_lock).clone()
    };
    assert_eq!(lock("").default_mode, None);
    let years = lock("<Rule><DefaultRetention><Mode>COMPLIANCE</Mode><Years>2</Years></DefaultRetention></Rule>");
    assert_eq!(years.default_period, Some(Millis::days(730)));
}

#[test]
fn prefixes_of_the_first_level_and_beside_the_places() {
    let mut bucket = Bucket::new();
    for key in ["sp/savepoint-1/_metadata", "logs/a/1", "flink/ha/x/y", "loose"] {
        bucket = bucket.object(key, Object::new(1, AT));
    }
    let fake = bucket.serve();
    let audit = crate::s3_harness::audit(
        &format!("endpoint_url: {}", fake.endpoint()),
        "savepoints: [s3://b/sp/]\nhigh_availability: s3://b/flink/ha/x/",
    );
    let evidence = crate::s3_harness::collected(&audit);
    assert_eq!(value(&evidence.buckets["b"].prefixes), &["flink/", "flink/ha/", "flink/ha/x/", "logs/", "sp/"]);
}
