//! Where recovery files lie.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// What Flink calls its file systems for S3.
const S3_SCHEMES: [&str; 4] = ["s3", "s3a", "s3p", "s3n"];

/// A key without its trailing slash, and the folder of `_metadata` instead of that file.
fn one_spelling(key: &str) -> &str {
    let mut key = key.trim_end_matches('/');
    while let Some(folder) = key.strip_suffix("_metadata").filter(|folder| folder.is_empty() || folder.ends_with('/')) {
        key = folder.trim_end_matches('/');
    }
    key
}

/// A folder or object in a bucket, in one spelling.
///
/// Flink knows the schemes `s3`, `s3a`, `s3p` and (old Hadoop set-ups) `s3n`; all name the same bucket and key. A trailing slash and a
/// trailing `/_metadata` do not matter. Keys are taken as they are: `//`, spaces and `%` are literal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct S3Location {
    bucket: String,
    key: String,
}

impl S3Location {
    /// The folder `key` (without a trailing slash) of `bucket`.
    #[must_use]
    pub fn new(bucket: &str, key: &str) -> Self {
        Self { bucket: bucket.to_owned(), key: one_spelling(key).to_owned() }
    }

    /// Bucket and key of a place in S3, as [`Self::new`] would keep them; `None` if `text` names none.
    #[must_use]
    pub fn parts(text: &str) -> Option<(&str, &str)> {
        let (scheme, rest) = text.split_once(':')?;
        if !S3_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            return None;
        }
        let rest = rest.strip_prefix("//")?;
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        (!bucket.is_empty()).then(|| (bucket, one_spelling(key)))
    }

    /// The bucket's name.
    #[must_use]
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// The key without a trailing slash; empty for the whole bucket.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The key as a prefix that ends in a slash, so that `a` does not match `ab/`; empty for the whole bucket.
    #[must_use]
    pub fn prefix(&self) -> String {
        if self.key.is_empty() { String::new() } else { format!("{}/", self.key) }
    }

    /// The folder or object `name` below this one.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        Self::new(&self.bucket, &format!("{}{name}", self.prefix()))
    }

    /// Whether `other` is this location or lies below it.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.bucket == other.bucket && (self.key == other.key || other.key.starts_with(&self.prefix()))
    }
}

impl fmt::Display for S3Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("s3://{}/{}", self.bucket, self.prefix()))
    }
}

/// A location as a manifest declares it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// In S3, or in a store that speaks its language.
    S3(S3Location),
    /// `jobmanager`: checkpoints in the job manager's memory, gone with it.
    JobManager,
    /// A scheme that is accepted and not supported (`gs`, `abfss`, `hdfs`, `file`, …): unknown. The text is as written.
    Unsupported {
        /// The scheme, in lower case.
        scheme: String,
        /// The whole location as written.
        text: String,
    },
}

impl Location {
    /// The location in S3, if it is one.
    #[must_use]
    pub const fn s3(&self) -> Option<&S3Location> {
        match self {
            Self::S3(location) => Some(location),
            _ => None,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::S3(location) => location.fmt(f),
            Self::JobManager => f.pad("jobmanager"),
            Self::Unsupported { text, .. } => f.pad(text),
        }
    }
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("jobmanager") {
            return Ok(Self::JobManager);
        }
        let Some((scheme, rest)) = text.split_once(':') else {
            return Err(format!("`{text}` has no scheme; write s3://bucket/prefix/"));
        };
        let scheme = scheme.to_ascii_lowercase();
        if !scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')) || scheme.is_empty() {
            return Err(format!("`{text}` has no scheme; write s3://bucket/prefix/"));
        }
        if !S3_SCHEMES.contains(&scheme.as_str()) {
            return Ok(Self::Unsupported { scheme, text: text.to_owned() });
        }
        if !rest.starts_with("//") {
            return Err(format!("`{text}` lacks `//` after the scheme; write s3://bucket/prefix/"));
        }
        match S3Location::parts(text) {
            Some((bucket, key)) => Ok(Self::S3(S3Location::new(bucket, key))),
            None => Err(format!("`{text}` names no bucket; write s3://bucket/prefix/")),
        }
    }
}

impl Serialize for S3Location {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for S3Location {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.parse() {
            Ok(Location::S3(location)) => Ok(location),
            Ok(_) => Err(D::Error::custom(format!("`{text}` is not in S3"))),
            Err(error) => Err(D::Error::custom(error)),
        }
    }
}

impl JsonSchema for S3Location {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "S3Location".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^s3://[^/]+/"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Field case F18: one savepoint in four spellings is one location.
    #[test]
    fn one_location_in_many_spellings() {
        let one: Location = "s3://b/flink/save points/savepoint-x".parse().expect("a location");
        for text in [
            "s3a://b/flink/save points/savepoint-x/",
            "s3p://b/flink/save points/savepoint-x/_metadata",
            " s3n://b/flink/save points/savepoint-x ",
        ] {
            assert_eq!(text.parse::<Location>().expect("a location"), one);
        }
        assert_ne!("s3://c/flink/save points/savepoint-x".parse::<Location>().expect("a location"), one);
    }

    #[test]
    fn a_prefix_ends_where_a_folder_ends() {
        let a = S3Location::new("b", "jobs/a");
        assert!(a.contains(&S3Location::new("b", "jobs/a/chk-1")));
        assert!(!a.contains(&S3Location::new("b", "jobs/ab")));
        assert!(S3Location::new("b", "").contains(&a));
    }

    #[test]
    fn other_stores_are_accepted_and_nonsense_is_not() {
        assert!(matches!("gs://b/x".parse(), Ok(Location::Unsupported { .. })));
        assert!(matches!("file:///tmp/x".parse(), Ok(Location::Unsupported { .. })));
        assert_eq!("jobmanager".parse(), Ok(Location::JobManager));
        assert!("bucket/prefix".parse::<Location>().is_err());
        assert!("s3:///prefix".parse::<Location>().is_err());
    }
}
