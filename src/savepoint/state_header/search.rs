//! Where entries cannot be walked, the next one is searched.

use super::serializer::TTL_CLASSES;

/// Options that stand in an entry behind its name, type and number of options.
const OPTIONS: [&[u8]; 2] = [b"\x00\x10KEYED_STATE_TYPE", b"\x00\x20OPERATOR_STATE_DISTRIBUTION_MODE"];
const TIMER: &[u8] = b"_timer_state/";

/// The offset of the next state's entry at or behind `from`.
pub(super) fn next_entry(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    (0..rest.len()).find_map(|at| {
        let here = rest.get(at..)?;
        match here.first()? {
            b'_' if here.starts_with(TIMER) => timer(rest, at),
            0 if OPTIONS.iter().any(|option| here.starts_with(option)) => named(rest, at),
            _ => None,
        }
        .map(|start| from + start)
    })
}

/// A timer's name stands at `at`: the entry starts with its length, and its type is 3.
fn timer(bytes: &[u8], at: usize) -> Option<usize> {
    let start = at.checked_sub(2)?;
    let len = usize::from(u16::from_be_bytes(bytes.get(start..at)?.try_into().ok()?));
    let kind = bytes.get(at.checked_add(len)?..)?.first_chunk::<4>()?;
    (*kind == [0, 0, 0, 3]).then_some(start)
}

/// An option stands at `at`: before it the number of options (4 bytes), the type (4 bytes) and the name. A name holds no zero byte, and
/// one below 256 bytes has a zero as the first byte of its length.
fn named(bytes: &[u8], at: usize) -> Option<usize> {
    let end = at.checked_sub(8)?;
    let before = bytes.get(..end)?;
    let before = before.get(before.len().saturating_sub(257)..)?;
    let start = end.checked_sub(before.iter().rev().position(|byte| *byte == 0)?)?.checked_sub(1)?;
    let len = usize::from(*bytes.get(start + 1)?);
    (start + 2 + len == end).then_some(start)
}

/// Whether the class that encloses values with a TTL is named in `bytes`.
pub(super) fn names_ttl(bytes: &[u8]) -> bool {
    // Cheap first: most windows do not start with an `o`.
    (0..bytes.len()).any(|at| {
        bytes
            .get(at..)
            .is_some_and(|here| here.first() == Some(&b'o') && TTL_CLASSES.iter().any(|class| here.starts_with(class.as_bytes())))
    })
}
