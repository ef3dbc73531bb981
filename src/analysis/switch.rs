//! Whether Flink can restore state whose TTL was switched on or off.

/// Whether a snapshot from before the switch can be restored after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migration {
    /// The restore fails with a `StateMigrationException` at the first access to the state.
    Fails,
    /// Allowed.
    Works,
    /// The Flink version or the state backend that decides is not stated, or not known.
    Unknown,
}

/// By Flink's release and state backend as the manifest states them.
///
/// Flink's documentation, "State TTL Migration Compatibility": RocksDB from 2.1.0 on, hashmap from 2.2.0 on, `ForSt` not. Seen to fail on
/// 1.18.1 (RocksDB, hashmap), and to run on 2.3.0.
#[must_use]
pub fn migration(release: Option<(u32, u32)>, backend: Option<&str>) -> Migration {
    let backend = backend.map(str::to_ascii_lowercase);
    let from = match backend.as_deref() {
        Some(name) if name.contains("forst") => return Migration::Fails,
        Some(name) if name.contains("rocksdb") => (2, 1),
        Some(name) if name.contains("hashmap") || name == "filesystem" || name == "jobmanager" => (2, 2),
        _ => return if release.is_some_and(|release| release < (2, 1)) { Migration::Fails } else { Migration::Unknown },
    };
    match release {
        None => Migration::Unknown,
        Some(release) if release < from => Migration::Fails,
        Some(_) => Migration::Works,
    }
}

#[cfg(test)]
mod tests {
    use super::{Migration::*, migration};

    #[test]
    fn by_release_and_backend() {
        for (release, backend, expected) in [
            (Some((1, 20)), Some("rocksdb"), Fails),
            (Some((1, 20)), None, Fails),
            (Some((2, 0)), Some("EmbeddedRocksDBStateBackend"), Fails),
            (Some((2, 1)), Some("rocksdb"), Works),
            (Some((2, 1)), Some("hashmap"), Fails),
            (Some((2, 2)), Some("hashmap"), Works),
            (Some((2, 3)), Some("forst"), Fails),
            (None, Some("forst"), Fails),
            (Some((2, 1)), None, Unknown),
            (Some((2, 2)), None, Unknown),
            (None, Some("rocksdb"), Unknown),
            (None, None, Unknown),
            (Some((2, 3)), Some("custom"), Unknown),
        ] {
            assert_eq!(migration(release, backend), expected, "{release:?} {backend:?}");
        }
    }
}
