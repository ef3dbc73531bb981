//! Modified UTF-8, as `java.io.DataOutput.writeUTF` writes it.

/// The text of `bytes`: U+0000 is `C0 80`, and characters outside the BMP are two surrogates of three bytes each. A surrogate without its
/// other half, which a Java string may hold, becomes U+FFFD. `None` if this is no modified UTF-8.
pub(super) fn decode(bytes: &[u8]) -> Option<String> {
    if bytes.is_ascii() {
        return std::str::from_utf8(bytes).ok().map(str::to_owned);
    }
    let mut units: Vec<u16> = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, tail)) = rest.split_first() {
        let (unit, tail) = match (*first, tail) {
            (first @ 0x00..=0x7f, tail) => (u16::from(first), tail),
            (first @ 0xc0..=0xdf, [second, tail @ ..]) => ((u16::from(first & 0x1f) << 6) | continuation(*second)?, tail),
            (first @ 0xe0..=0xef, [second, third, tail @ ..]) => {
                ((u16::from(first & 0x0f) << 12) | (continuation(*second)? << 6) | continuation(*third)?, tail)
            }
            _ => return None,
        };
        units.push(unit);
        rest = tail;
    }
    Some(String::from_utf16_lossy(&units))
}

/// The six bits of a continuation byte.
fn continuation(byte: u8) -> Option<u16> {
    (byte & 0xc0 == 0x80).then(|| u16::from(byte & 0x3f))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn java_strings_are_read_as_java_writes_them() {
        assert_eq!(decode(b"seen-event-ids").as_deref(), Some("seen-event-ids"));
        assert_eq!(decode("größe".as_bytes()).as_deref(), Some("größe"));
        assert_eq!(decode(&[b'a', 0xc0, 0x80, b'b']).as_deref(), Some("a\0b"));
        assert_eq!(decode(&[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]).as_deref(), Some("😀"), "a pair of surrogates, three bytes each");
        assert_eq!(decode(&[0xed, 0xa0, 0xbd]).as_deref(), Some("\u{fffd}"), "half a pair");
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[0xc3][..], &[0xe2, 0x82], &[0x80], &[0xc3, 0x28], "😀".as_bytes(), &[0xff]] {
            assert_eq!(decode(bytes), None, "{bytes:x?}");
        }
    }
}
