//! The S3 collector against a scripted server: every answer that a real store gives rarely, or only in bad times.

mod needs;
mod objects;
mod reach;
mod scale;
mod settings;
mod show;
mod snapshots;
mod state_files;
mod unlisted;

use ttl_audit::{audit::Audit, evidence::BucketEvidence};

use crate::{
    s3_fake::{Bucket, Fake},
    s3_harness::{audit, collected},
};

/// An audit of `s3://b/sp/` on this server, by AWS's rules.
fn savepoints(fake: &Fake) -> Audit {
    audit(&format!("endpoint_url: {}\nregion: us-east-1\nstore: aws", fake.endpoint()), "savepoints: [s3://b/sp/]")
}

/// What such a bucket says about itself.
fn settings_of(bucket: Bucket) -> BucketEvidence {
    let fake = bucket.serve();
    let evidence = collected(&savepoints(&fake));
    assert_eq!(fake.trespasses(), 0, "only calls that describe, list or head");
    evidence.buckets.get("b").expect("the bucket was asked").clone()
}
