//! `StateTtlConfig`, as the changelog backend writes it. No other snapshot holds a TTL's length.

use super::{
    cursor::Cursor,
    error::ReadError,
    java::{self, Graph, Object, Value},
};
use crate::units::Millis;

/// A state's TTL settings, as the job ran with when it wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TtlSettings {
    /// The length.
    pub ttl: Millis,
    /// `OnCreateAndWrite`, `OnReadAndWrite`.
    pub update: String,
    /// `NeverReturnExpired`, `ReturnExpiredIfNotCleanedUp`.
    pub visibility: String,
    /// `FULL_STATE_SCAN_SNAPSHOT`, `INCREMENTAL_CLEANUP`, `ROCKSDB_COMPACTION_FILTER`; those that the job switched on.
    pub cleanup: Vec<String>,
}

/// Reads a `StateTtlConfig`; `None` if it says that TTL is off.
pub(super) fn read(bytes: &[u8], cursor: &mut Cursor<'_>) -> Result<Option<TtlSettings>, ReadError> {
    const EXPECTED: &str = "Flink's StateTtlConfig";
    let offset = cursor.at();
    let graph = java::read(cursor)?;
    let object = graph.root().filter(|object| object.class().ends_with(".StateTtlConfig"));
    let object = object.ok_or_else(|| cursor.unexpected(offset, EXPECTED, "another Java object"))?;
    let constant = |name: &str| object.field(name).and_then(|value| graph.constant(value)).unwrap_or("unknown").to_owned();
    let update = constant("updateType");
    if update == "Disabled" {
        return Ok(None);
    }
    let ttl = object.field("ttl").and_then(|value| graph.object(value)).and_then(|ttl| length(bytes, &graph, ttl));
    let ttl = ttl.ok_or_else(|| cursor.unexpected(offset, EXPECTED, "one whose length is stored in another way"))?;
    Ok(Some(TtlSettings { ttl, update, visibility: constant("stateVisibility"), cleanup: cleanup(&graph, object) }))
}

/// Flink 1.x: `org.apache.flink.api.common.time.Time`, a size and a unit. Flink 2.x: `java.time.Duration`, which Java writes as a block of
/// a type byte (1), seconds and nanoseconds.
fn length(bytes: &[u8], graph: &Graph, ttl: &Object) -> Option<Millis> {
    if let Some(Value::Number(size)) = ttl.field("size") {
        let size = u64::try_from(size).ok()?;
        let ms = match ttl.field("unit").and_then(|unit| graph.constant(unit))? {
            "NANOSECONDS" => size / 1_000_000,
            "MICROSECONDS" => size / 1_000,
            "MILLISECONDS" => size,
            "SECONDS" => size.saturating_mul(1_000),
            "MINUTES" => size.saturating_mul(60_000),
            "HOURS" => size.saturating_mul(3_600_000),
            "DAYS" => size.saturating_mul(86_400_000),
            _ => return None,
        };
        return Some(Millis::new(ms));
    }
    let [Value::Block(span)] = ttl.annotation() else { return None };
    let [1, rest @ ..] = span.of(bytes)? else { return None };
    let (seconds, nanos) = rest.split_first_chunk::<8>()?;
    let seconds = u64::try_from(i64::from_be_bytes(*seconds)).ok()?;
    let nanos = u64::try_from(i32::from_be_bytes(nanos.try_into().ok()?)).ok()?;
    Some(Millis::new(seconds.saturating_mul(1_000).saturating_add(nanos / 1_000_000)))
}

/// The keys of the map of cleanup strategies.
fn cleanup(graph: &Graph, config: &Object) -> Vec<String> {
    let strategies = config.field("cleanupStrategies").and_then(|value| graph.object(value));
    let map = strategies.and_then(|object| object.field("strategies")).and_then(|value| graph.object(value));
    let constants = map.into_iter().flat_map(Object::annotation).filter_map(|value| graph.constant(*value));
    constants.map(str::to_owned).collect()
}
