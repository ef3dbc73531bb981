//! Serializer snapshots. Their bodies have no lengths, so each class's body must be known to get past it.

use std::fmt;

use super::super::{
    cursor::Cursor,
    error::{Problem, ReadError},
    java,
};

/// How deep serializers may be nested.
const MAX_DEPTH: usize = 32;
/// `CompositeTypeSerializerSnapshot`.
const COMPOSITE_MAGIC: i32 = 911_108;
/// `NestedSerializersSnapshotDelegate`.
const NESTED_MAGIC: i32 = 1_333_245;
/// `LinkedOptionalMapSerializer`.
const OPTIONAL_MAP_MAGIC: i64 = 0x0000_04f2_c69a_3d70;
/// What encloses a value that has a TTL.
pub(super) const TTL_CLASSES: [&str; 2] = [
    "org.apache.flink.runtime.state.ttl.TtlStateFactory$TtlSerializerSnapshot",
    "org.apache.flink.runtime.state.v2.ttl.TtlStateFactory$TtlSerializerSnapshot",
];
const TTL_AWARE: &str = "TtlAwareSerializerSnapshot";

/// A serializer as a snapshot describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serializer {
    /// The full name of the snapshot's class.
    pub class: String,
    /// The serializers within.
    pub nested: Vec<Serializer>,
    /// It encloses values that have a TTL.
    pub ttl: bool,
}

impl Serializer {
    /// Whether this serializer or one within encloses values that have a TTL.
    #[must_use]
    pub fn has_ttl(&self) -> bool {
        self.ttl || self.nested.iter().any(Self::has_ttl)
    }
}

/// `List<Ttl<Long, String>>`, with full names.
impl fmt::Display for Serializer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        for (index, nested) in self.nested.iter().enumerate() {
            write!(f, "{}{nested}", if index == 0 { "<" } else { ", " })?;
        }
        if self.nested.is_empty() { Ok(()) } else { f.write_str(">") }
    }
}

/// A snapshot with its proxy version (2), as state infos hold it.
pub(in super::super) fn proxied(cursor: &mut Cursor<'_>) -> Result<Serializer, ReadError> {
    const KNOWN: &str = "known is 2 (Flink 1.7 and later)";
    let offset = cursor.at();
    match cursor.i32("the version of a serializer snapshot's proxy")? {
        2 => versioned(cursor, 0),
        other => {
            Err(cursor.fail_at(offset, Problem::Unsupported { what: "serializer proxy version", value: i64::from(other), known: KNOWN }))
        }
    }
}

fn versioned(cursor: &mut Cursor<'_>, depth: usize) -> Result<Serializer, ReadError> {
    if depth >= MAX_DEPTH {
        return Err(cursor.fail(Problem::TooDeep { what: "serializers", limit: MAX_DEPTH }));
    }
    cursor.item()?;
    let class = cursor.utf("the class of a serializer snapshot")?;
    let version = cursor.i32("the version of a serializer snapshot")?;
    let mut ttl = TTL_CLASSES.contains(&class.as_str());
    let nested = match body_of(&class) {
        Body::Empty if version == 3 => Vec::new(),
        Body::Empty if version == 2 => {
            cursor.utf("the class of a serializer")?;
            Vec::new()
        }
        Body::OptionalMaps => {
            cursor.utf("the class of a type")?;
            for _ in 0..3 {
                optional_map(cursor)?;
            }
            Vec::new()
        }
        Body::Enum => {
            cursor.utf("the class of an enum")?;
            let count = cursor.length(2, "the list of an enum's constants")?;
            for _ in 0..count {
                cursor.utf("an enum's constant")?;
            }
            Vec::new()
        }
        Body::Integers(count) => {
            for _ in 0..count {
                cursor.i32("a precision or scale")?;
            }
            Vec::new()
        }
        Body::RowData => row_data(cursor, depth)?,
        Body::TtlAware => {
            ttl |= cursor.bool("whether TTL is enabled")?;
            vec![versioned(cursor, depth + 1)?]
        }
        Body::Composite(outer) if next_i32(cursor) == Some(COMPOSITE_MAGIC) => composite(cursor, &outer, depth)?,
        _ => return Err(cursor.unexpected(cursor.at(), "a serializer whose layout is known", format!("version {version} of {class}"))),
    };
    Ok(Serializer { class, nested, ttl })
}

/// What stands behind a snapshot's class and version.
enum Body {
    Empty,
    OptionalMaps,
    Enum,
    Integers(usize),
    RowData,
    TtlAware,
    Composite(Outer),
}

/// What stands in a composite between its own version and the nested serializers.
enum Outer {
    Nothing,
    ClassName,
    Integer,
}

fn body_of(class: &str) -> Body {
    const FLINK: &str = "org.apache.flink.";
    let short = class.rsplit('.').next().unwrap_or(class);
    if !class.starts_with(FLINK) {
        // A class of the job's own: if it is a composite, its outer body is empty unless it says otherwise.
        return Body::Composite(Outer::Nothing);
    }
    match short {
        "PojoSerializerSnapshot" | "KryoSerializerSnapshot" => Body::OptionalMaps,
        "EnumSerializer$EnumSerializerSnapshot" => Body::Enum,
        "RowDataSerializer$RowDataSerializerSnapshot" => Body::RowData,
        "TimestampDataSerializer$TimestampDataSerializerSnapshot" => Body::Integers(1),
        "DecimalDataSerializer$DecimalDataSerializerSnapshot" => Body::Integers(2),
        TTL_AWARE => Body::TtlAware,
        "TupleSerializerSnapshot" | "GenericArraySerializerSnapshot" | "ScalaCaseClassSerializerSnapshot" => {
            Body::Composite(Outer::ClassName)
        }
        "NullableSerializer$NullableSerializerSnapshot" => Body::Composite(Outer::Integer),
        _ if is_simple(class, short) => Body::Empty,
        _ => Body::Composite(Outer::Nothing),
    }
}

/// Whether the class extends `SimpleTypeSerializerSnapshot`: all `X…Serializer$X…SerializerSnapshot` of Flink's basic types do, and these.
fn is_simple(class: &str, short: &str) -> bool {
    const OTHERS: [&str; 4] = [
        "VoidNamespaceSerializer$VoidNamespaceSerializerSnapshot",
        "TimeWindow$Serializer$TimeWindowSerializerSnapshot",
        "GlobalWindow$Serializer$GlobalWindowSerializerSnapshot",
        "StringDataSerializer$StringDataSerializerSnapshot",
    ];
    let basic = class.starts_with("org.apache.flink.api.common.typeutils.base.")
        && short.split_once('$').is_some_and(|(outer, inner)| {
            outer.ends_with("Serializer") && inner.strip_suffix("Snapshot").is_some_and(|inner| inner == outer)
        });
    basic || OTHERS.contains(&short)
}

fn next_i32(cursor: &Cursor<'_>) -> Option<i32> {
    cursor.rest().first_chunk().map(|bytes| i32::from_be_bytes(*bytes))
}

fn composite(cursor: &mut Cursor<'_>, outer: &Outer, depth: usize) -> Result<Vec<Serializer>, ReadError> {
    cursor.i32("the magic number of a composite serializer")?;
    cursor.i32("the version of a composite serializer")?;
    match outer {
        Outer::Nothing => {}
        Outer::ClassName => {
            cursor.utf("the class of a type")?;
        }
        Outer::Integer => {
            cursor.i32("the length of the padding")?;
        }
    }
    nested(cursor, depth)
}

fn nested(cursor: &mut Cursor<'_>, depth: usize) -> Result<Vec<Serializer>, ReadError> {
    let offset = cursor.at();
    let magic = cursor.i32("the magic number of nested serializers")?;
    if magic != NESTED_MAGIC {
        return Err(cursor.unexpected(offset, "the magic number 0x001457FD of nested serializers", format!("0x{magic:08X}")));
    }
    let offset = cursor.at();
    let version = cursor.i32("the version of nested serializers")?;
    if version != 1 {
        return Err(cursor.unexpected(offset, "version 1 of nested serializers", version));
    }
    // A name of no length and a version.
    let count = cursor.length(6, "the list of nested serializers")?;
    let mut serializers = Vec::new();
    for _ in 0..count {
        serializers.push(versioned(cursor, depth + 1)?);
    }
    Ok(serializers)
}

fn optional_map(cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
    let offset = cursor.at();
    let magic = cursor.i64("the magic number of an optional map")?;
    if magic != OPTIONAL_MAP_MAGIC {
        return Err(cursor.unexpected(offset, "the magic number 0x000004F2C69A3D70 of an optional map", format!("0x{magic:016X}")));
    }
    let count = cursor.length(4, "an optional map")?;
    for _ in 0..count {
        cursor.utf("a key of an optional map")?;
        for _ in 0..2 {
            if cursor.bool("whether there is a value")? {
                cursor.span("a value of an optional map")?;
            }
        }
    }
    Ok(())
}

/// The logical types, each a Java object, and the serializers of the columns.
fn row_data(cursor: &mut Cursor<'_>, depth: usize) -> Result<Vec<Serializer>, ReadError> {
    let count = cursor.length(java::HEADER.len(), "the list of column types")?;
    for _ in 0..count {
        java::read(cursor)?;
    }
    nested(cursor, depth)
}
