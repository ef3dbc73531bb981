//! Single values as they are written in YAML, where `1.20` is a number and `7d` a text.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// Declares a type that stands for a scalar and has this schema, always in place.
macro_rules! scalar {
    ($($(#[$doc:meta])* $name:ident = $schema:tt;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

scalar! {
    /// The version of a format: only 1 is there.
    Version = { "const": 1 };
    /// A text. YAML reads `1.20` as a number and the program keeps it as written.
    Text = { "type": ["string", "number"], "minLength": 1 };
    /// A topic of Kafka.
    Topic = { "type": ["string", "number"], "pattern": "^[A-Za-z0-9._-]{1,249}$" };
    /// A duration.
    Length = { "type": ["string", "integer"], "minLength": 1, "examples": ["7d", "36h", "1d 12h", "P7D"] };
    /// A TTL: a duration, `never` or `unknown`.
    TtlLength = { "type": ["string", "integer"], "minLength": 1, "examples": ["7d", "never", "unknown"] };
    /// A declared retention: a duration, `unlimited` or `unknown`.
    Retention = { "type": ["string", "integer"], "minLength": 1, "examples": ["24h", "unlimited", "unknown"] };
    /// A count.
    Count = { "type": "integer", "minimum": 0 };
    /// A place for files.
    Place = { "type": "string", "minLength": 1, "examples": ["s3://bucket/folder/"] };
    /// Where a restart begins: a word or a place.
    From = { "anyOf": [
        { "enum": ["latest", "savepoint", "checkpoint", "last-state", "none"] },
        { "type": "string", "pattern": ":", "examples": ["s3://bucket/savepoint-1a2b3c-0123456789ab/"] },
    ] };
    /// 32 hex digits.
    Hash = { "type": "string", "pattern": "^[0-9A-Fa-f]{32}$" };
    /// An instant: RFC 3339, or a day for its midnight UTC.
    Moment = { "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}", "examples": ["2026-09-15T00:00:00Z", "2026-09-15"] };
    /// A client property of librdkafka.
    Property = { "type": ["string", "number", "boolean"] };
    /// An address.
    Address = { "type": "string", "pattern": "^(https?://|\\$\\{)" };
}
