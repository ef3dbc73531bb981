//! Where a source goes on reading: topic, partition and next offset of each split, out of a source's operator state.

use std::io::{self, Read};

use snap::read::FrameDecoder;

use super::{
    cursor::Cursor,
    error::{Problem, ReadError},
    state_header::{self, Extent},
};

/// The operator state in which every source of the current API (FLIP-27) keeps its splits.
pub const READER_STATE: &str = "SourceReaderState";

/// So many splits of one subtask are read at most. More than Kafka brokers have partitions.
const MAX_SPLITS: usize = 100_000;
/// A split is a topic's name and a few numbers. A longer element is not one of a KafkaSource.
const MAX_SPLIT_BYTES: usize = 4096;
/// What a stream in Snappy's framing format begins with.
const SNAPPY_BEGINNING: &[u8] = b"\xff\x06\x00\x00sNaPpY";

/// One split of a KafkaSource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KafkaSplit {
    /// The topic.
    pub topic: String,
    /// The partition.
    pub partition: u32,
    /// Where it goes on.
    pub next: NextOffset,
    /// Where it stops, for a bounded source; negative values are the markers of the connector.
    pub stop: Option<i64>,
}

/// Where a split goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextOffset {
    /// At this offset, which was not read yet.
    At(u64),
    /// −1: at the log end, whenever that is looked up.
    Latest,
    /// −2: at the log start.
    Earliest,
    /// −3: at the group's committed offset.
    Committed,
}

/// A partition that a KafkaSource's enumerator knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPartition {
    /// The topic.
    pub topic: String,
    /// The partition.
    pub partition: u32,
    /// Whether a reader has it.
    pub assigned: bool,
}

/// Reads the splits out of the whole stream of a source's operator state; `offsets` are those of [`READER_STATE`].
///
/// # Errors
///
/// Where the stream has no header, or holds a split that is not a KafkaSource's.
pub fn splits(stream: &[u8], offsets: &[i64]) -> Result<Vec<KafkaSplit>, ReadError> {
    let header = state_header::operator(stream, Extent::Whole)?;
    if offsets.len() > MAX_SPLITS {
        return Err(ReadError { offset: 0, problem: Problem::TooMany { limit: MAX_SPLITS } });
    }
    if header.compressed == Some(true) {
        return compressed(stream, offsets);
    }
    offsets.iter().map(|offset| split(stream, *offset)).collect()
}

/// The splits of a stream in Snappy's framing format (`execution.checkpointing.snapshot-compression`). The header is not compressed, and
/// offsets count compressed bytes. Flink 1.18.0 and 1.18.1 write one offset for all elements of a list (FLINK-34063): they stand one behind
/// the other.
fn compressed(stream: &[u8], offsets: &[i64]) -> Result<Vec<KafkaSplit>, ReadError> {
    let mut splits = Vec::new();
    for same in offsets.chunk_by(|one, other| one == other) {
        let start = same.first().and_then(|offset| usize::try_from(*offset).ok()).unwrap_or(usize::MAX);
        let Some(rest) = stream.get(start..) else {
            let problem = Problem::Truncated { what: "a split", needed: 4, left: 0 };
            return Err(ReadError { offset: stream.len() as u64, problem });
        };
        let at = |problem| ReadError { offset: start as u64, problem };
        let mut elements = FrameDecoder::new(SNAPPY_BEGINNING.chain(rest));
        for _ in same {
            let element = element(&mut elements)
                .map_err(|error| at(Problem::Unexpected { expected: "a split in Snappy's framing format", found: error.to_string() }))?;
            splits.push(split(&element, 0).map_err(|error| at(error.problem))?);
        }
    }
    Ok(splits)
}

/// One element with its length. Never more than a split's bytes are unpacked, whatever the length says.
fn element(elements: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    elements.read_exact(&mut length)?;
    let count = u32::from_be_bytes(length) as usize;
    if count > MAX_SPLIT_BYTES {
        return Err(io::Error::other(format!("an element of {count} bytes")));
    }
    let mut element = length.to_vec();
    element.resize(length.len() + count, 0);
    if let Some(bytes) = element.get_mut(length.len()..) {
        elements.read_exact(bytes)?;
    }
    Ok(element)
}

/// Reads the split whose element starts at `offset` of the stream of a source's operator state.
///
/// # Errors
///
/// Where there is no split, or one whose bytes are not those of a KafkaSource (split version 0): nothing is guessed.
pub fn split(stream: &[u8], offset: i64) -> Result<KafkaSplit, ReadError> {
    const KNOWN: &str = "known is 0 (KafkaSource)";
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let mut cursor = Cursor::starting_at(stream, start);
    let element = cursor.span("a split")?;
    let mut cursor = cursor.within(element);
    let at = cursor.at();
    let version = cursor.i32("the version of a split")?;
    if version != 0 {
        return Err(cursor.fail_at(at, Problem::Unsupported { what: "split version", value: i64::from(version), known: KNOWN }));
    }
    let body = cursor.span("the bytes of a split")?;
    let mut cursor = cursor.within(body);
    let (topic, partition) = topic_partition(&mut cursor)?;
    let at = cursor.at();
    let next = match cursor.i64("the next offset")? {
        -1 => NextOffset::Latest,
        -2 => NextOffset::Earliest,
        -3 => NextOffset::Committed,
        other => u64::try_from(other).map(NextOffset::At).map_err(|_| cursor.unexpected(at, "the next offset of a KafkaSource", other))?,
    };
    let stop = Some(cursor.i64("the stopping offset")?).filter(|stop| *stop != i64::MIN);
    end(&cursor)?;
    Ok(KafkaSplit { topic, partition, next, stop })
}

/// Reads the partitions out of the state of a source's coordinator.
///
/// # Errors
///
/// Where the state is not that of a KafkaSource's enumerator (versions 1 and 2), or names no partition and so could be anybody's.
pub fn enumerator(state: &[u8]) -> Result<Vec<KnownPartition>, ReadError> {
    const KNOWN: &str = "known are 1 and 2 (KafkaSource)";
    let mut cursor = Cursor::new(state);
    let version = cursor.i32("the version of a coordinator")?;
    if version != 1 {
        let problem = Problem::Unsupported { what: "coordinator version", value: i64::from(version), known: "known is 1" };
        return Err(cursor.fail_at(0, problem));
    }
    let at = cursor.at();
    let version = cursor.i32("the version of an enumerator")?;
    if version != 1 && version != 2 {
        return Err(cursor.fail_at(at, Problem::Unsupported { what: "enumerator version", value: i64::from(version), known: KNOWN }));
    }
    let body = cursor.span("the state of an enumerator")?;
    let mut cursor = cursor.within(body);
    let at = cursor.at();
    let count = cursor.length(6, "the list of partitions")?;
    if count == 0 {
        return Err(cursor.unexpected(at, "the partitions of a KafkaSource", "none, so that it may be another source's"));
    }
    let mut partitions = Vec::new();
    for _ in 0..count {
        let (topic, partition) = topic_partition(&mut cursor)?;
        let at = cursor.at();
        let assigned = match (version, if version == 2 { cursor.i32("whether a partition is assigned")? } else { 0 }) {
            (_, 0) => true,
            (_, 1) => false,
            (_, other) => return Err(cursor.unexpected(at, "a partition's status, 0 or 1", other)),
        };
        partitions.push(KnownPartition { topic, partition, assigned });
    }
    if version == 2 {
        cursor.bool("whether discovery has finished")?;
    }
    end(&cursor)?;
    Ok(partitions)
}

fn topic_partition(cursor: &mut Cursor<'_>) -> Result<(String, u32), ReadError> {
    let at = cursor.at();
    let topic = cursor.utf("a topic")?;
    // Kafka's own rule for names of topics.
    let legal = (1..=249).contains(&topic.len()) && topic.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    if !legal {
        return Err(cursor.unexpected(at, "the name of a Kafka topic", "a text that is none"));
    }
    Ok((topic, cursor.count32("a partition")?))
}

fn end(cursor: &Cursor<'_>) -> Result<(), ReadError> {
    match cursor.left() {
        0 => Ok(()),
        left => Err(cursor.unexpected(cursor.at(), "the end of what a KafkaSource writes", format!("{left} more bytes"))),
    }
}
