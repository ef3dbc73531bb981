//! Units as types, so that no arithmetic is done on raw integers and `never`, `unknown`, `unlimited` and `0` stay four facts.

mod bytes;
mod duration;
mod instant;
mod location;
mod millis;
mod spans;

pub use bytes::Bytes;
pub use duration::{DurationError, LONGEST};
pub use instant::Instant;
pub use location::{Location, S3Location};
pub use millis::Millis;
pub use spans::{Retention, Ttl};
