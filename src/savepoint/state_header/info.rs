//! One state's entry in a header (`StateMetaInfoSnapshotReadersWriters`).

use super::{
    super::{cursor::Cursor, error::ReadError},
    serializer::{self, Serializer},
};

/// One state, as a header describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateInfo {
    /// Its name in the descriptor; timers have names that start with `_timer_state/`.
    pub name: String,
    /// What it is to the state backend.
    pub backend_type: BackendStateType,
    /// Options, by name: `KEYED_STATE_TYPE`, `OPERATOR_STATE_DISTRIBUTION_MODE`.
    pub options: Vec<(String, String)>,
    /// Serializers, by role: `NAMESPACE_SERIALIZER`, `VALUE_SERIALIZER`, …
    pub serializers: Vec<(String, Serializer)>,
    /// Whether it has a TTL.
    pub ttl: TtlFlag,
    /// Its entry could not be walked, so that this was found by searching the bytes.
    pub best_effort: bool,
}

/// Whether a state has a TTL. How long it is, no header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TtlFlag {
    /// It has.
    On,
    /// It has not.
    Off,
    /// The bytes do not reach far enough to say.
    #[default]
    Unknown,
}

/// What a state is to the state backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackendStateType {
    /// Keyed state.
    #[default]
    KeyValue,
    /// Operator state in a list.
    Operator,
    /// Broadcast state.
    Broadcast,
    /// Timers.
    PriorityQueue,
    /// Keyed state of the asynchronous API (Flink 2.x).
    KeyValueV2,
}

impl BackendStateType {
    /// Flink's own word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::KeyValue => "KEY_VALUE",
            Self::Operator => "OPERATOR",
            Self::Broadcast => "BROADCAST",
            Self::PriorityQueue => "PRIORITY_QUEUE",
            Self::KeyValueV2 => "KEY_VALUE_V2",
        }
    }

    /// Whether state of this type can have a TTL.
    #[must_use]
    pub const fn is_key_value(self) -> bool {
        matches!(self, Self::KeyValue | Self::KeyValueV2)
    }
}

impl StateInfo {
    /// The option `name`.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(option, _)| option == name).map(|(_, value)| value.as_str())
    }

    /// The serializer with the role `name`.
    #[must_use]
    pub fn serializer(&self, name: &str) -> Option<&Serializer> {
        self.serializers.iter().find(|(role, _)| role == name).map(|(_, serializer)| serializer)
    }
}

/// Reads one entry into `info`; on an error it holds what was read before.
pub(in super::super) fn read(cursor: &mut Cursor<'_>, info: &mut StateInfo) -> Result<(), ReadError> {
    cursor.item()?;
    info.name = cursor.utf("the name of a state")?;
    let offset = cursor.at();
    info.backend_type = match cursor.i32("the type of a state")? {
        0 => BackendStateType::KeyValue,
        1 => BackendStateType::Operator,
        2 => BackendStateType::Broadcast,
        3 => BackendStateType::PriorityQueue,
        4 => BackendStateType::KeyValueV2,
        other => return Err(cursor.unexpected(offset, "a state type, 0 to 4", other)),
    };
    let count = cursor.length(4, "the list of options")?;
    for _ in 0..count {
        let name = cursor.utf("the name of an option")?;
        info.options.push((name, cursor.utf("the value of an option")?));
    }
    // A role and a proxy version.
    let count = cursor.length(6, "the list of serializers")?;
    for _ in 0..count {
        let role = cursor.utf("the role of a serializer")?;
        info.serializers.push((role, serializer::proxied(cursor)?));
    }
    let on = info.backend_type.is_key_value() && info.serializer("VALUE_SERIALIZER").is_some_and(Serializer::has_ttl);
    info.ttl = if on { TtlFlag::On } else { TtlFlag::Off };
    Ok(())
}
