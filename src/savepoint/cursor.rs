//! A place in bytes, and the primitives of `java.io.DataOutputStream` (big-endian).

use serde::Serialize;

use super::{
    error::{Problem, ReadError},
    utf,
};

/// How many elements (handles, list entries, names) one call reads at most. A real `_metadata` of 100,000 handles has about a million.
pub const MAX_ITEMS: usize = 8_000_000;

/// A range of bytes in what was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// How many bytes.
    pub len: usize,
}

impl Span {
    /// The bytes of the range; `None` if `whole` is not what the range was taken from.
    #[must_use]
    pub fn of(self, whole: &[u8]) -> Option<&[u8]> {
        whole.get(self.start..self.start.checked_add(self.len)?)
    }
}

/// A place in bytes. It never reads past its end, and it counts what it reads, so that memory is bounded.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    items_left: usize,
}

impl<'a> Cursor<'a> {
    /// At the first of `bytes`.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, end: bytes.len(), items_left: MAX_ITEMS }
    }

    /// At `start`, or at the end if there is no such byte.
    pub(super) fn starting_at(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, at: start.min(bytes.len()), end: bytes.len(), items_left: MAX_ITEMS }
    }

    /// The same bytes, but only those of `span`; offsets stay those of the whole.
    pub(super) fn within(&self, span: Span) -> Self {
        let end = span.start.saturating_add(span.len).min(self.end);
        Self { bytes: self.bytes, at: span.start.min(end), end, items_left: self.items_left }
    }

    /// The offset of the next byte.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Goes on at `at`, which must not lie behind the end.
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at.min(self.end);
    }

    /// How many bytes are left.
    pub(super) const fn left(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// The bytes that are left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..self.end).unwrap_or_default()
    }

    /// An error at the next byte.
    pub(super) const fn fail(&self, problem: Problem) -> ReadError {
        self.fail_at(self.at, problem)
    }

    /// An error at `offset`.
    #[expect(clippy::unused_self, reason = "reads as the cursor's own error")]
    pub(super) const fn fail_at(&self, offset: usize, problem: Problem) -> ReadError {
        ReadError { offset: offset as u64, problem }
    }

    /// An error at `offset`: something else stands there.
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over what they found, a number or a text")]
    pub(super) fn unexpected(&self, offset: usize, expected: &'static str, found: impl ToString) -> ReadError {
        self.fail_at(offset, Problem::Unexpected { expected, found: found.to_string() })
    }

    /// Counts one element.
    pub(super) fn item(&mut self) -> Result<(), ReadError> {
        match self.items_left.checked_sub(1) {
            Some(left) => {
                self.items_left = left;
                Ok(())
            }
            None => Err(self.fail(Problem::TooMany { limit: MAX_ITEMS })),
        }
    }

    /// The next `len` bytes.
    pub(super) fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8], ReadError> {
        let taken = self.at.checked_add(len).filter(|end| *end <= self.end).and_then(|end| self.bytes.get(self.at..end));
        let Some(taken) = taken else {
            return Err(self.fail(Problem::Truncated { what, needed: len as u64, left: self.left() as u64 }));
        };
        self.at += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], ReadError> {
        let offset = self.at;
        let bytes = self.take(N, what)?;
        bytes.try_into().map_err(|_| self.unexpected(offset, what, "other bytes"))
    }

    /// 16 bytes as they are.
    pub(super) fn sixteen(&mut self, what: &'static str) -> Result<[u8; 16], ReadError> {
        self.array(what)
    }

    /// One signed byte.
    pub(super) fn i8(&mut self, what: &'static str) -> Result<i8, ReadError> {
        self.array(what).map(i8::from_be_bytes)
    }

    /// One byte.
    pub(super) fn u8(&mut self, what: &'static str) -> Result<u8, ReadError> {
        self.array(what).map(u8::from_be_bytes)
    }

    /// Two bytes, unsigned.
    pub(super) fn u16(&mut self, what: &'static str) -> Result<u16, ReadError> {
        self.array(what).map(u16::from_be_bytes)
    }

    /// Two bytes, signed.
    pub(super) fn i16(&mut self, what: &'static str) -> Result<i16, ReadError> {
        self.array(what).map(i16::from_be_bytes)
    }

    /// Four bytes, signed.
    pub(super) fn i32(&mut self, what: &'static str) -> Result<i32, ReadError> {
        self.array(what).map(i32::from_be_bytes)
    }

    /// Eight bytes, signed.
    pub(super) fn i64(&mut self, what: &'static str) -> Result<i64, ReadError> {
        self.array(what).map(i64::from_be_bytes)
    }

    /// One byte, 0 or 1.
    pub(super) fn bool(&mut self, what: &'static str) -> Result<bool, ReadError> {
        let offset = self.at;
        match self.u8(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.unexpected(offset, what, format!("the byte {other}, which is neither 0 nor 1"))),
        }
    }

    /// Four bytes, 0 or 1.
    pub(super) fn flag(&mut self, what: &'static str) -> Result<bool, ReadError> {
        let offset = self.at;
        match self.i32(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.unexpected(offset, what, format!("{other}, which is neither 0 nor 1"))),
        }
    }

    /// Four bytes that must not be negative.
    pub(super) fn count32(&mut self, what: &'static str) -> Result<u32, ReadError> {
        let offset = self.at;
        let value = self.i32(what)?;
        u32::try_from(value).map_err(|_| self.unexpected(offset, what, format!("{value}, which is negative")))
    }

    /// Eight bytes that must not be negative.
    pub(super) fn count64(&mut self, what: &'static str) -> Result<u64, ReadError> {
        let offset = self.at;
        let value = self.i64(what)?;
        u64::try_from(value).map_err(|_| self.unexpected(offset, what, format!("{value}, which is negative")))
    }

    /// A size of a file; −1 is Flink's own word for "not known".
    pub(super) fn size(&mut self, what: &'static str) -> Result<Option<u64>, ReadError> {
        let offset = self.at;
        match self.i64(what)? {
            -1 => Ok(None),
            value => u64::try_from(value).map(Some).map_err(|_| self.unexpected(offset, what, format!("{value}, which is below -1"))),
        }
    }

    /// A count of elements, each at least `each` bytes long: more than the remaining bytes can hold is refused before anything is allocated.
    pub(super) fn length(&mut self, each: usize, what: &'static str) -> Result<usize, ReadError> {
        let offset = self.at;
        let count = self.count32(what)? as usize;
        self.fits(offset, count, each, what)?;
        Ok(count)
    }

    /// Refuses a count that the remaining bytes cannot hold, or that is too large for this reader.
    pub(super) fn fits(&mut self, offset: usize, count: usize, each: usize, what: &'static str) -> Result<(), ReadError> {
        if count.checked_mul(each).is_none_or(|needed| needed > self.left()) {
            let problem = Problem::Count { what, count: count as u64, each: each as u64, left: self.left() as u64 };
            return Err(self.fail_at(offset, problem));
        }
        self.items_left = self.items_left.checked_sub(count).ok_or_else(|| self.fail_at(offset, Problem::TooMany { limit: MAX_ITEMS }))?;
        Ok(())
    }

    /// A list of eight-byte integers.
    pub(super) fn longs(&mut self, count: usize, what: &'static str) -> Result<Vec<i64>, ReadError> {
        let mut longs = Vec::with_capacity(count.min(self.left() / 8));
        for _ in 0..count {
            longs.push(self.i64(what)?);
        }
        Ok(longs)
    }

    /// `i32` length, then that many bytes, as a range.
    pub(super) fn span(&mut self, what: &'static str) -> Result<Span, ReadError> {
        let len = self.count32(what)? as usize;
        let start = self.at;
        self.take(len, what)?;
        Ok(Span { start, len })
    }

    /// A text as `writeUTF` writes it: two bytes length, then modified UTF-8.
    pub(super) fn utf(&mut self, what: &'static str) -> Result<String, ReadError> {
        let len = usize::from(self.u16(what)?);
        let offset = self.at;
        let bytes = self.take(len, what)?;
        utf::decode(bytes).ok_or_else(|| self.unexpected(offset, what, "bytes that are not modified UTF-8"))
    }

    /// A text that is absent if it is empty.
    pub(super) fn optional_utf(&mut self, what: &'static str) -> Result<Option<String>, ReadError> {
        Ok(Some(self.utf(what)?).filter(|text| !text.is_empty()))
    }
}
