//! Writes bytes as Flink does, for layouts that no kept snapshot has, and for hostile ones.

/// Big-endian bytes.
#[derive(Clone, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn i8(mut self, value: i8) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    pub(crate) fn i16(mut self, value: i16) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    pub(crate) fn i32(mut self, value: i32) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    pub(crate) fn i64(mut self, value: i64) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    pub(crate) fn utf(mut self, text: &str) -> Self {
        self.0.extend(u16::try_from(text.len()).expect("short").to_be_bytes());
        self.0.extend(text.as_bytes());
        self
    }

    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// A file of format 3 with one operator and one subtask, up to where its keyed state stands.
    pub(crate) fn up_to_keyed_state() -> Self {
        Self::default()
            .i32(0x4960_672d)
            .i32(3)
            .i64(7)
            .i32(0)
            .i32(1)
            .bytes(&[0xab; 16])
            .i32(1)
            .i32(128)
            .i8(0) // no coordinator
            .i32(1)
            .i32(0) // subtask 0
            .i32(0)
            .i32(0) // no operator state
    }

    /// The rest of that file: no raw keyed state, no channels.
    pub(crate) fn after_keyed_state(self) -> Vec<u8> {
        self.i8(0).i32(0).i32(0).0
    }
}
