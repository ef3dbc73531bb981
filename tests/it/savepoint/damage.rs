//! Damaged and hostile bytes give an error, or a result no larger than they are. Never a panic, never memory that they did not pay for.

use proptest::prelude::*;
use ttl_audit::savepoint::{
    KeyedHandle, Metadata, Problem, changelog_file, splits,
    state_header::{self, Extent, TtlFlag},
};

use super::{
    fixtures::{Fixture, all, one},
    writer::Writer,
};

/// How many things a result consists of.
fn elements(metadata: &Metadata) -> usize {
    let mut count = metadata.master_states.len() + metadata.operators.len();
    for operator in &metadata.operators {
        count += operator.subtasks.len();
        for state in operator.states() {
            count += state.operator().flat_map(|handle| &handle.states).map(|state| 1 + state.offsets.len()).sum::<usize>();
            count += state.channels().map(|handle| 1 + handle.channel.as_ref().map_or(0, |channel| channel.offsets.len())).sum::<usize>();
        }
        operator.each_keyed(&mut |handle| {
            count += match handle {
                KeyedHandle::KeyGroups(handle) => 1 + handle.offsets.len(),
                KeyedHandle::Incremental(handle) => 1 + handle.shared.len() + handle.private.len(),
                KeyedHandle::InlineChanges(handle) => 1 + handle.changes.len(),
                KeyedHandle::ChangeFiles(handle) => 1 + handle.files.len(),
                KeyedHandle::Changelog(_) => 1,
            };
        });
    }
    count
}

/// Reads bytes that may be anything.
fn survives(bytes: &[u8]) {
    match Metadata::read(bytes) {
        Ok(metadata) => {
            assert!(elements(&metadata) <= bytes.len());
            assert!(metadata.reach("s3://b/chk-1").files.len() <= bytes.len());
        }
        Err(error) => assert!(error.offset <= bytes.len() as u64, "{error}"),
    }
}

fn survives_as_state(bytes: &[u8]) {
    for extent in [Extent::Whole, Extent::Beginning] {
        if let Ok(header) = state_header::keyed(bytes, extent) {
            assert!(header.states.len() <= bytes.len() / 4);
        }
        if let Ok(header) = state_header::operator(bytes, extent) {
            assert!(header.list_states.len() + header.broadcast_states.len() <= bytes.len() / 4);
        }
    }
    if let Ok(found) = changelog_file(bytes, 0) {
        assert!(found.states.len() <= bytes.len() / 4);
    }
    let _ = splits(bytes, &[0, 4, 200, i64::MAX, i64::MIN]);
}

fn small() -> [Fixture; 3] {
    [one("1.14.6/rocksdb-canonical-savepoint"), one("2.3.0/rocksdb-native-savepoint"), one("2.3.0/unaligned-checkpoint")]
}

#[test]
fn every_beginning_of_a_file_is_an_error() {
    for fixture in small() {
        for len in 0..fixture.bytes.len() {
            let error = Metadata::read(&fixture.bytes[..len]).expect_err("a beginning");
            assert!(error.offset <= len as u64, "{}: {len}: {error}", fixture.name);
        }
    }
}

#[test]
fn what_stands_behind_the_end_is_counted_and_not_read() {
    let mut bytes = one("2.3.0/rocksdb-native-savepoint").bytes;
    bytes.extend([1, 2, 3]);
    assert_eq!(Metadata::read(&bytes).expect("reads").trailing_bytes, 3);
}

/// The number 2 GiB − 1, and others that hurt, at every place of a file.
#[test]
fn no_length_makes_the_reader_allocate() {
    for fixture in small() {
        for at in 0..fixture.bytes.len() - 4 {
            // Each place gets one of them: debug builds are slow.
            let number = [i32::MAX, i32::MIN, -1, 0x0100_0000, i32::MAX][at % 5];
            let mut bytes = fixture.bytes.clone();
            bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
            survives(&bytes);
        }
    }
}

#[test]
fn a_count_that_cannot_be_is_refused_where_it_stands() {
    let bytes = Writer::default().i32(0x4960_672d).i32(3).i64(1).i32(0).i32(i32::MAX).bytes(&[0; 100]).0;
    let error = Metadata::read(&bytes).expect_err("2 GiB of operators");
    assert_eq!(error.offset, 20);
    assert_eq!(error.problem, Problem::Count { what: "the list of operators", count: 2_147_483_647, each: 28, left: 100 });
    let bytes = Writer::default().i32(0x4960_672d).i32(3).i64(1).i32(-5).0;
    let error = Metadata::read(&bytes).expect_err("a negative count");
    assert_eq!(error.to_string(), "at byte 16: expected the list of master states, found -5, which is negative");
}

#[test]
fn other_files_and_other_formats_are_told_apart() {
    let file = |version: i32| Writer::default().i32(0x4960_672d).i32(version).i64(1).i32(0).i32(0).0;
    let says = |bytes: &[u8]| Metadata::read(bytes).expect_err("another format").to_string();
    assert!(says(b"PAR1 is not Flink").contains("at byte 0: expected the magic number 0x4960672D"));
    assert!(says(b"").contains("0 bytes are left"));
    assert!(says(&file(1)).contains("at byte 4: format version 1 is not supported: format 1 is of Flink 1.2 and earlier"));
    assert!(says(&file(7)).contains("format 7 is in no release up to Flink 2.3"));
    for version in [0, 8, -1, i32::MAX] {
        assert!(says(&file(version)).contains("known are the formats 2 to 6"));
    }
    assert!(Metadata::read(&file(2)).is_ok() && Metadata::read(&file(3)).is_ok());
    assert!(says(&file(4)).contains("a Java object"), "format 4 ends with properties");
}

#[test]
fn unknown_types_of_handles_stop_the_reader() {
    for kind in i8::MIN..=i8::MAX {
        let bytes = Writer::up_to_keyed_state().i8(kind);
        let at = bytes.0.len() as u64 - 1;
        let result = Metadata::read(&bytes.after_keyed_state());
        match kind {
            0 => assert!(result.is_ok()),
            3 | 5 | 7..=14 => assert!(!matches!(result.expect_err("nothing follows").problem, Problem::Unsupported { .. }), "{kind}"),
            _ => {
                let error = result.expect_err("unknown");
                assert_eq!(error.offset, at);
                assert!(error.to_string().contains(&format!("keyed state handle type {kind} is not supported")), "{error}");
            }
        }
    }
}

#[test]
fn handles_are_nested_only_so_deep() {
    let nested = |depth: usize| {
        let mut file = Writer::up_to_keyed_state();
        for _ in 0..depth {
            file = file.i8(14).i32(0).i32(1).i64(0).i32(1);
        }
        file = file.i8(0);
        for _ in 0..depth {
            file = file.i32(0).i64(0).i64(0).utf("");
        }
        Metadata::read(&file.after_keyed_state())
    };
    assert!(nested(16).is_ok());
    let error = nested(17).expect_err("too deep");
    assert_eq!(error.problem, Problem::TooDeep { what: "state handles", limit: 16 });
    assert_eq!(nested(100_000).expect_err("far too deep").offset, error.offset);
    let mut streams = Writer::up_to_keyed_state();
    for _ in 0..100_000 {
        streams = streams.i8(3).i32(0).i32(0);
    }
    let error = Metadata::read(&streams.0).expect_err("key groups within key groups");
    assert!(matches!(error.problem, Problem::TooDeep { .. }), "{error}");
}

/// Serializers within serializers, Java objects within Java objects, and a class that is its own superclass.
#[test]
fn headers_are_nested_only_so_deep() {
    let list = "org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot";
    let mut header = Writer::default().i32(6).i8(0).i32(2);
    for _ in 0..50_000 {
        header = header.utf(list).i32(3).i32(911_108).i32(1).i32(1_333_245).i32(1).i32(1);
    }
    let gap = state_header::keyed(&header.0, Extent::Whole).expect("a header").gap.expect("too deep");
    assert_eq!(gap.problem, Problem::TooDeep { what: "serializers", limit: 32 });

    let row = "org.apache.flink.table.runtime.typeutils.RowDataSerializer$RowDataSerializerSnapshot";
    let java = Writer::default().i32(6).i8(0).i32(2).utf(row).i32(3).i32(1).bytes(&[0xac, 0xed, 0, 5]);
    let class = |writer: Writer, fields: i16| writer.i8(0x72).utf("a.B").i64(1).i8(2).i16(fields);
    let mut deep = class(java.clone().i8(0x73), 1).i8(0x4c).utf("f").i8(0x70).i8(0x78).i8(0x70);
    for _ in 0..50_000 {
        deep = deep.i8(0x73).i8(0x71).i32(0x007e_0000);
    }
    let gap = state_header::keyed(&deep.0, Extent::Whole).expect("a header").gap.expect("too deep");
    assert_eq!(gap.problem, Problem::TooDeep { what: "Java objects", limit: 64 });

    let circle = class(java.i8(0x73), 0).i8(0x78).i8(0x71).i32(0x007e_0000);
    let gap = state_header::keyed(&circle.0, Extent::Whole).expect("a header").gap.expect("a circle");
    assert_eq!(gap.problem, Problem::TooDeep { what: "superclasses", limit: 64 });
}

/// All headers of a fixture's keyed state.
fn headers(name: &str) -> Vec<Vec<u8>> {
    let fixture = one(name);
    let metadata = Metadata::read(&fixture.bytes).expect("reads");
    let mut headers = Vec::new();
    for operator in &metadata.operators {
        operator.each_keyed(&mut |handle| headers.extend(handle.header_stream().and_then(|stream| fixture.stream(stream))));
    }
    assert!(!headers.is_empty());
    headers
}

/// Of a header that ends too early, what is said is still true, and it is said that something is missing.
#[test]
fn the_beginning_of_a_header_never_says_what_is_not_so() {
    for name in ["1.18.1/rocksdb-canonical-savepoint", "2.3.0/forst-sql-async-checkpoint"] {
        for bytes in headers(name).iter().take(4) {
            let Ok(whole) = state_header::keyed(bytes, Extent::Whole) else { continue };
            for len in (0..whole.end).step_by(3) {
                let Ok(cut) = state_header::keyed(&bytes[..len], Extent::Beginning) else { continue };
                assert!(cut.gap.is_some(), "{name}: {len}");
                for state in cut.states {
                    let Some(truth) = whole.states.iter().find(|truth| truth.name == state.name) else {
                        panic!("{name}: {len}: no such state: {}", state.name);
                    };
                    assert!(state.ttl == truth.ttl || state.ttl == TtlFlag::Unknown, "{name}: {len}: {state:?}");
                }
            }
        }
    }
}

/// A serializer of the job's own, whose layout nobody else knows: names, kinds and TTL are found by searching, and marked so.
#[test]
fn behind_a_serializer_of_unknown_layout_the_search_goes_on() {
    let mut searched = 0;
    for bytes in headers("1.18.1/rocksdb-canonical-savepoint") {
        let Ok(truth) = state_header::keyed(&bytes, Extent::Whole) else { continue };
        for known in [
            "org.apache.flink.api.common.typeutils.base.LongSerializer$LongSer",
            "org.apache.flink.runtime.state.VoidNamespaceSerializer$Void",
        ] {
            let unknown = format!("com.acme.{}", "x".repeat(known.len() - 9));
            let mut damaged = bytes.clone();
            for at in 0..damaged.len().saturating_sub(known.len()) {
                if damaged[at..].starts_with(known.as_bytes()) {
                    damaged[at..at + known.len()].copy_from_slice(unknown.as_bytes());
                }
            }
            if damaged == bytes {
                continue;
            }
            let found = state_header::keyed(&damaged, Extent::Whole).expect("a header");
            assert!(found.gap.is_some_and(|gap| gap.to_string().contains("com.acme.")));
            let say = |states: &[state_header::StateInfo]| -> Vec<_> {
                states.iter().map(|state| (state.name.clone(), state.backend_type, state.ttl)).collect()
            };
            assert_eq!(say(&found.states), say(&truth.states));
            searched += found.states.iter().filter(|state| state.best_effort).count();
        }
    }
    assert!(searched >= 20, "{searched}");
}

/// The key's own serializer is of unknown layout, so that not even the number of states is known.
#[test]
fn behind_a_key_of_unknown_layout_all_states_are_searched() {
    let bytes = headers("1.18.1/rocksdb-canonical-savepoint").into_iter().max_by_key(Vec::len).expect("a header");
    let truth = state_header::keyed(&bytes, Extent::Whole).expect("a header");
    let mut damaged = bytes.clone();
    // Version, compression, proxy version, length of the class's name.
    damaged[11..20].copy_from_slice(b"com.acme.");
    let found = state_header::keyed(&damaged, Extent::Whole).expect("a header");
    assert_eq!(found.key_serializer, None);
    for state in &truth.states {
        let same = found.states.iter().find(|found| found.name == state.name).expect("found");
        assert_eq!((same.ttl, same.backend_type, same.best_effort), (state.ttl, state.backend_type, true), "{}", state.name);
    }
}

#[test]
fn headers_of_other_versions_are_refused() {
    for version in [0, 5, 7, -1] {
        let bytes = Writer::default().i32(version).bytes(&[0; 40]).0;
        let error = state_header::keyed(&bytes, Extent::Whole).expect_err("another version");
        assert!(error.to_string().contains("is not supported: known is 6"), "{error}");
    }
    let compressed = changelog_file(&[1, 0, 0, 0, 0], 0).expect_err("compressed");
    assert!(compressed.to_string().contains("changelog compression flag 1 is not supported"), "{compressed}");
    assert!(changelog_file(&[0, 0, 0, 0, 0], u64::MAX).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes_are_survived(which in 0_usize..42, flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        thread_local!(static FIXTURES: Vec<Vec<u8>> = all().into_iter().map(|fixture| fixture.bytes).collect());
        let mut bytes = FIXTURES.with(|fixtures| fixtures[which % fixtures.len()].clone());
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= value;
        }
        survives(&bytes);
    }

    #[test]
    fn flipped_headers_are_survived(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12), cut in any::<prop::sample::Index>()) {
        thread_local!(static HEADERS: Vec<Vec<u8>> = headers("2.3.0/sql-savepoint"));
        let mut bytes = HEADERS.with(|headers| headers[cut.index(headers.len())].clone());
        bytes.truncate(6_000);
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= value;
        }
        survives_as_state(&bytes);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        survives(&bytes);
        survives_as_state(&bytes);
    }
}
