//! First contact: regions, credentials, clocks, networks.

use std::{net::TcpListener, time::Duration};

use ttl_audit::{collect::CollectError, evidence::StoreKind};

use super::{savepoints, settings_of};
use crate::{
    s3_fake::{Bucket, Fake, Object, Reply},
    s3_harness::{Run, assert_gap, audit, collected, place, value},
};

fn no_body(status: u16) -> Reply {
    Reply::new(status, "")
}

#[test]
fn the_region_stands_in_the_answer() {
    assert_eq!(value(&settings_of(Bucket::new()).region), "us-east-1");
    assert_gap(&settings_of(Bucket::new().without_region()).region, "unsupported", "names no region");
}

#[test]
fn another_region_is_followed_once() {
    for status in [301, 400] {
        let bucket = Bucket::new().on(
            "HeadBucket",
            [no_body(status).header("x-amz-bucket-region", "eu-west-1"), no_body(200).header("x-amz-bucket-region", "eu-west-1")],
        );
        let fake = bucket.serve();
        let evidence = collected(&savepoints(&fake));
        assert_eq!(value(&evidence.buckets["b"].region), "eu-west-1");
        assert!(value(&place(&evidence, "b", "sp").snapshots).is_empty());
        let regions: Vec<bool> =
            fake.requests().iter().map(|request| request.headers["authorization"].contains("/eu-west-1/s3/")).collect();
        assert!(!regions[0] && regions[1..].iter().all(|right| *right), "everything after the answer is signed for the right region");
    }
}

#[test]
fn a_region_named_in_a_body_is_followed_too() {
    let malformed =
        Reply::new(400, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>m</Message><Region>eu-west-1</Region></Error>");
    let listing = Reply::xml("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
    let bucket = Bucket::new()
        .on("HeadBucket", [no_body(400), no_body(200).header("x-amz-bucket-region", "eu-west-1")])
        .on("ListObjectsV2", [malformed, listing]);
    assert_eq!(value(&settings_of(bucket).region), "eu-west-1");
}

#[test]
fn a_bucket_that_cannot_be_followed_is_not_absent() {
    let bucket = Bucket::new().on_everything(&Reply::error(301, "PermanentRedirect"));
    let settings = settings_of(bucket);
    assert_gap(&settings.region, "failed", "another region");
    assert_gap(&settings.lifecycle, "failed", "another region");
}

#[test]
fn the_region_is_known_even_where_access_is_refused() {
    let bucket = Bucket::new()
        .on("HeadBucket", [no_body(403).header("x-amz-bucket-region", "us-east-1")])
        .on("ListObjectsV2", [Reply::error(403, "AccessDenied")]);
    let fake = bucket.serve();
    let evidence = collected(&savepoints(&fake));
    assert_eq!(value(&evidence.buckets["b"].region), "us-east-1");
    assert_gap(&place(&evidence, "b", "sp").snapshots, "denied", "needs s3:ListBucket on the bucket (HTTP 403 AccessDenied)");
    assert_gap(&evidence.buckets["b"].prefixes, "denied", "s3:ListBucket");
    assert_gap(&evidence.buckets["b"].lifecycle, "absent", "no lifecycle rules");
}

#[test]
fn every_403_and_400_has_its_own_reason() {
    for (status, code, kind, part) in [
        (400, "ExpiredToken", "denied", "expired"),
        (400, "InvalidToken", "denied", "session token"),
        (403, "InvalidAccessKeyId", "denied", "access key"),
        (403, "SignatureDoesNotMatch", "denied", "secret key"),
        (403, "RequestTimeTooSkewed", "failed", "clock"),
    ] {
        let fake = Bucket::new().on_everything(&Reply::error(status, code)).serve();
        let evidence = collected(&savepoints(&fake));
        let bucket = &evidence.buckets["b"];
        assert_gap(&bucket.region, kind, part);
        assert_gap(&bucket.lifecycle, kind, part);
        assert_gap(&bucket.versioning, kind, part);
        assert_gap(&place(&evidence, "b", "sp").snapshots, kind, part);
        assert_eq!(fake.count("GetBucketVersioning"), 0, "no call is made that would end alike");
    }
}

#[test]
fn a_403_without_a_code_says_what_may_be_missing() {
    let settings = settings_of(Bucket::new().on_everything(&no_body(403)));
    assert_gap(&settings.region, "denied", "forbidden without a reason");
    assert_gap(&settings.lifecycle, "denied", "s3:GetLifecycleConfiguration");
}

#[test]
fn a_bucket_that_does_not_exist_is_absent_and_nothing_of_it_reads_as_clean() {
    let fake = Bucket::new().on_everything(&Reply::error(404, "NoSuchBucket")).serve();
    let evidence = collected(&savepoints(&fake));
    assert_gap(&evidence.buckets["b"].region, "absent", "no such bucket");
    assert_gap(&place(&evidence, "b", "sp").snapshots, "absent", "no such bucket");
    assert_gap(&evidence.buckets["b"].lifecycle, "not asked", "no such bucket");
    assert_gap(&evidence.buckets["b"].object_lock, "not asked", "no such bucket");
}

#[test]
fn a_404_of_something_that_is_not_s3_is_no_missing_bucket() {
    let fake = Fake::start(|_| Reply::new(404, "<html>not found</html>"));
    let evidence = collected(&savepoints(&fake));
    assert_gap(&evidence.buckets["b"].region, "failed", "HTTP 404");
    assert_gap(&place(&evidence, "b", "sp").snapshots, "failed", "HTTP 404");
    assert_gap(&evidence.buckets["b"].lifecycle, "failed", "HTTP 404");
}

#[test]
fn throttling_is_waited_out_and_counted() {
    let listing = Reply::xml("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
    let bucket = Bucket::new().on("ListObjectsV2", [Reply::error(503, "SlowDown"), Reply::error(503, "SlowDown"), listing]);
    let fake = bucket.serve();
    let evidence = collected(&savepoints(&fake));
    assert!(value(&place(&evidence, "b", "sp").snapshots).is_empty());
    assert_eq!(evidence.buckets["b"].requests, fake.requests().len() as u64);
}

#[test]
fn throttling_without_end_is_a_failure() {
    let settings = settings_of(Bucket::new().on("GetBucketLifecycleConfiguration", [Reply::error(503, "SlowDown")]));
    assert_gap(&settings.lifecycle, "failed", "throttled");
}

#[test]
fn an_endpoint_that_refuses_or_never_answers() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address");
    let evidence = collected(&audit(&format!("endpoint_url: http://{closed}"), "savepoints: [s3://b/sp/]"));
    assert_gap(&evidence.buckets["b"].region, "failed", "refuses connections");
    assert_gap(&place(&evidence, "b", "sp").snapshots, "failed", "refuses connections");

    let fake = Fake::start(|_| Reply::silence());
    let run = Run { timeout: Duration::from_millis(300), ..Run::default() };
    let (evidence, _) = run.collect(&savepoints(&fake));
    assert_gap(&evidence.buckets["b"].region, "failed", "no answer");
    assert_gap(&evidence.buckets["b"].lifecycle, "failed", "no answer");
}

#[test]
fn what_was_not_asked_before_the_deadline_says_so() {
    let fake = Bucket::new().serve();
    let (evidence, _) = Run { deadline: Duration::ZERO, ..Run::default() }.collect(&savepoints(&fake));
    assert_gap(&evidence.buckets["b"].lifecycle, "failed", "deadline");
    assert_gap(&place(&evidence, "b", "sp").snapshots, "failed", "deadline");
    assert!(fake.requests().is_empty());
}

#[test]
fn https_against_plain_http_is_a_tls_failure() {
    let fake = Bucket::new().serve();
    let endpoint = fake.endpoint().replace("http:", "https:");
    let evidence = collected(&audit(&format!("endpoint_url: {endpoint}"), "savepoints: [s3://b/sp/]"));
    assert_gap(&evidence.buckets["b"].region, "failed", "TLS");
}

#[test]
fn an_endpoint_from_the_environment_decides_whose_rules_hold() {
    let fake = Bucket::new().object("sp/savepoint-1/_metadata", Object::new(1, "2026-09-01T00:00:00.000Z")).serve();
    let run = Run { env: vec![("AWS_ENDPOINT_URL_S3", fake.endpoint())], ..Run::default() };
    let (evidence, told) = run.collect(&audit("region: us-east-1", "savepoints: [s3://b/sp/]"));
    let store = &evidence.buckets["b"].store;
    assert_eq!(store.kind, StoreKind::Other);
    assert!(store.because.contains("is not amazonaws.com"), "{}", store.because);
    assert_eq!(value(&place(&evidence, "b", "sp").snapshots).len(), 1);
    assert!(told.iter().any(|line| line == "s3 b: settings"), "{told:?}");
}

#[test]
fn a_variable_that_is_not_set_is_a_usage_error() {
    let audit = audit("endpoint_url: ${S3_ENDPOINT}", "savepoints: [s3://b/sp/]");
    let options = ttl_audit::collect::Options {
        captured_at: ttl_audit::collect::now(),
        timeout: Duration::from_secs(1),
        deadline: std::time::Instant::now(),
        all_snapshots: false,
        read_state_headers: false,
        env: &|_| None,
        progress: &|_| {},
    };
    let error = ttl_audit::collect::s3::collect(&audit, &options).expect_err("it is not set");
    assert!(matches!(error, CollectError::UnsetVariable { .. }), "{error}");
}

/// An audit that assumes a role, on a server that is S3 and STS in one.
fn with_role(fake: &Fake) -> ttl_audit::evidence::BucketEvidence {
    let run = Run { env: vec![("AWS_ENDPOINT_URL", fake.endpoint())], ..Run::default() };
    let audit = audit(
        "region: us-east-1\nassume_role_arn: arn:aws:iam::111122223333:role/audit\nexternal_id: \"4711\"",
        "savepoints: [s3://b/sp/]",
    );
    run.collect(&audit).0.buckets.get("b").expect("the bucket was asked").clone()
}

#[test]
fn a_role_that_cannot_be_assumed_is_named_as_such() {
    let refused = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>SECRET</Message></Error></ErrorResponse>";
    let fake = Fake::start(move |_| Reply::new(403, refused));
    let bucket = with_role(&fake);
    assert_gap(&bucket.region, "denied", "AWS credentials could not be had: the request for them was refused (AccessDenied)");
    assert!(fake.requests().iter().all(|request| request.method == "POST"), "S3 is not asked without credentials");
}

#[test]
fn the_role_in_the_audit_file_is_assumed() {
    let answer = "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASSUMED</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
        <SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>";
    let fake = Fake::start(move |request| if request.method == "POST" { Reply::xml(answer) } else { Reply::error(404, "NoSuchBucket") });
    assert_gap(&with_role(&fake).region, "absent", "no such bucket");
    let requests = fake.requests();
    assert!(requests[1..].iter().all(|request| request.headers["authorization"].contains("Credential=ASSUMED/")));
}
