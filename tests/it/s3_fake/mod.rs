//! A store that speaks S3's language as far as a test scripts it: real HTTP on a port of its own, answers from memory.

mod bucket;
mod metadata;
mod server;

pub(crate) use bucket::{Bucket, Object};
pub(crate) use metadata::metadata;
pub(crate) use server::{Fake, Reply, Request};
