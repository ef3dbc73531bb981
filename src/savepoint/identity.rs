//! An operator's identity: the id in `_metadata`, and the uid that it was made from.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

/// An operator's id: 16 bytes, shown as 32 hex digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperatorId(pub [u8; 16]);

impl OperatorId {
    /// The id that Flink gives an operator with `uid("…")`: MurmurHash3 (x64, 128 bits, seed 0) of the uid's UTF-8 bytes, each half
    /// little-endian (Flink: `StreamGraphHasherV2`, which uses Guava's `murmur3_128`).
    #[must_use]
    pub fn from_uid(uid: &str) -> Self {
        let (low, high) = murmur3_x64_128(uid.as_bytes());
        let mut id = [0; 16];
        for (to, from) in id.iter_mut().zip(low.to_le_bytes().into_iter().chain(high.to_le_bytes())) {
            *to = from;
        }
        Self(id)
    }
}

impl fmt::Display for OperatorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

/// As text.
impl Serialize for OperatorId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// 32 hex digits, as `setUidHash` takes them.
impl FromStr for OperatorId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(text, 16)
            .ok()
            .filter(|_| text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .map(|value| Self(value.to_be_bytes()))
            .ok_or_else(|| format!("`{text}` is not an operator id; it has 32 hex digits"))
    }
}

/// How an operator of a snapshot is identified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// By this uid: the id is its hash.
    Uid(String),
    /// The snapshot can hold uids and has none here: the id was generated from the job graph, or set with `setUidHash`.
    NoUid,
    /// The file names a uid whose hash is not the id: it was set with `setUidHash` besides.
    UidAndHash(String),
    /// The format holds no uids (versions 2 to 4), and none of those asked for has this id.
    Unknown,
}

impl Identity {
    /// How the operator `id` is identified, whose uid in the file is `uid`. Version 5 and later hold uids. `declared` are uids to try.
    #[must_use]
    pub fn of<'a>(id: OperatorId, uid: Option<&str>, format_version: u32, declared: impl IntoIterator<Item = &'a str>) -> Self {
        if let Some(uid) = uid {
            return if OperatorId::from_uid(uid) == id { Self::Uid(uid.to_owned()) } else { Self::UidAndHash(uid.to_owned()) };
        }
        match declared.into_iter().find(|uid| OperatorId::from_uid(uid) == id) {
            Some(uid) => Self::Uid(uid.to_owned()),
            None if format_version >= 5 => Self::NoUid,
            None => Self::Unknown,
        }
    }
}

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// MurmurHash3, x64, 128 bits, seed 0. The crates for it read from `std::io::Read` or have had no release for years.
fn murmur3_x64_128(bytes: &[u8]) -> (u64, u64) {
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        let (k1, k2) = halves(block);
        h1 ^= mix1(k1);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= mix2(k2);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (k1, k2) = halves(tail);
    h1 ^= mix1(k1);
    h2 ^= mix2(k2);
    h1 ^= bytes.len() as u64;
    h2 ^= bytes.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = finish(h1);
    h2 = finish(h2);
    h1 = h1.wrapping_add(h2);
    (h1, h2.wrapping_add(h1))
}

/// At most 16 bytes as two little-endian halves, filled up with zeros.
fn halves(bytes: &[u8]) -> (u64, u64) {
    let half = |skip: usize| bytes.iter().skip(skip).take(8).rev().fold(0, |sum: u64, byte| (sum << 8) | u64::from(*byte));
    (half(0), half(8))
}

const fn mix1(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

const fn mix2(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

const fn finish(mut k: u64) -> u64 {
    k ^= k >> 33;
    k = k.wrapping_mul(0xff51_afd7_ed55_8ccd);
    k ^= k >> 33;
    k = k.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ (k >> 33)
}

#[cfg(test)]
mod tests {
    use super::{Identity, OperatorId};

    /// Pairs out of snapshots that Flink 1.14 to 2.3 wrote.
    const SEEN: [(&str, &str); 7] = [
        ("dedup", "5a872f3a73b9dad53994e3e6e14f16e6"),
        ("sessionize", "ca66d3be734d272b23819cbd4b5a7bee"),
        ("orders-source", "45b0254a46cabbc3efeea5d2e170ea5b"),
        ("buffering-sink", "9f58a7772f5543d78061e8225175f39f"),
        ("reminders", "ee4fdc277c9b67a56c0dd24fc93ea85b"),
        ("yearly-counts", "85531fad4c4c6554c97d960a51f96c25"),
        ("rules-parse", "84868f83061e015a5a0e82323834eb19"),
    ];

    #[test]
    fn ids_are_those_that_flink_made_from_the_uids() {
        for (uid, id) in SEEN {
            assert_eq!(OperatorId::from_uid(uid).to_string(), id);
            assert_eq!(id.parse(), Ok(OperatorId::from_uid(uid)));
        }
    }

    /// The reference implementation's verification value (SMHasher): the hash of the hashes of 0 to 255 bytes needs other seeds, so these
    /// are plain known answers, one with whole blocks and a tail.
    #[test]
    fn known_answers_of_the_hash() {
        assert_eq!(OperatorId::from_uid("").to_string(), "00000000000000000000000000000000");
        let text = "The quick brown fox jumps over the lazy dog";
        assert_eq!(OperatorId::from_uid(text).to_string(), "6c1b07bc7bbc4be347939ac4a93c437a");
    }

    #[test]
    fn an_id_without_its_uid_is_not_guessed() {
        let dedup = OperatorId::from_uid("dedup");
        assert_eq!(Identity::of(dedup, None, 4, []), Identity::Unknown);
        assert_eq!(Identity::of(dedup, None, 4, ["a", "dedup"]), Identity::Uid("dedup".into()));
        assert_eq!(Identity::of(dedup, None, 6, ["a"]), Identity::NoUid);
        assert_eq!(Identity::of(dedup, Some("dedup"), 6, []), Identity::Uid("dedup".into()));
        assert_eq!(Identity::of(dedup, Some("other"), 6, []), Identity::UidAndHash("other".into()));
        assert!("5a872f3a".parse::<OperatorId>().is_err());
        assert!("+5872f3a73b9dad53994e3e6e14f16e6".parse::<OperatorId>().is_err());
    }
}
