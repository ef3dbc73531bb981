//! Connections and frames.

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use bytes::{Bytes, BytesMut};
use kafka_protocol::{
    messages::{ApiKey, RequestHeader, ResponseHeader},
    protocol::{Decodable as _, Encodable as _},
};

use super::{Call, Script, answers};

/// A running scripted broker; it ends with the test process.
pub(crate) struct Fake {
    /// `127.0.0.1:port`.
    pub(crate) address: String,
    state: Arc<State>,
}

pub(super) struct State {
    pub(super) script: Mutex<Script>,
    pub(super) port: u16,
    pub(super) seen: Mutex<Vec<Seen>>,
}

/// A request that arrived, as far as a test wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Metadata { topics: Option<usize>, may_create: bool },
    DescribeConfigs { resources: usize },
    ListOffsets { partitions: usize, timestamp: i64, isolation: i8 },
    Other(ApiKey),
}

impl Fake {
    pub(crate) fn start(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(State { script: Mutex::new(script), port, seen: Mutex::default() });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // A client that goes away ends its thread.
                thread::spawn(move || serve(stream, &state));
            }
        });
        Self { address: format!("127.0.0.1:{port}"), state }
    }

    /// The requests so far, in order.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().expect("not poisoned").clone()
    }
}

fn serve(mut stream: TcpStream, state: &State) -> Option<()> {
    let mut authenticated = state.script.lock().ok()?.password.is_none();
    loop {
        let mut length = [0; 4];
        stream.read_exact(&mut length).ok()?;
        // A TLS client's hello makes a length of some 370 MB here; Apache Kafka closes the connection then, and so does this.
        let length = usize::try_from(i32::from_be_bytes(length)).ok().filter(|length| *length < 10_000_000)?;
        let mut frame = vec![0; length];
        stream.read_exact(&mut frame).ok()?;
        let [key_0, key_1, version_0, version_1] = *frame.first_chunk()?;
        let key = ApiKey::try_from(i16::from_be_bytes([key_0, key_1])).ok()?;
        let version = i16::from_be_bytes([version_0, version_1]);
        let mut frame = Bytes::from(frame);
        let header = RequestHeader::decode(&mut frame, key.request_header_version(version)).ok()?;
        let call = match key {
            ApiKey::ApiVersions => Some(Call::ApiVersions),
            ApiKey::Metadata => Some(Call::Metadata),
            ApiKey::DescribeConfigs => Some(Call::DescribeConfigs),
            ApiKey::ListOffsets => Some(Call::ListOffsets),
            _ => None,
        };
        if call.is_some_and(|call| state.script.lock().is_ok_and(|script| script.silent.contains(&call))) {
            continue;
        }
        let handshake = matches!(key, ApiKey::ApiVersions | ApiKey::SaslHandshake | ApiKey::SaslAuthenticate);
        if !authenticated && !handshake {
            return None;
        }
        let (body, accepted) = answers::answer(state, key, version, frame)?;
        authenticated |= accepted;
        let mut out = BytesMut::new();
        let response = ResponseHeader::default().with_correlation_id(header.correlation_id);
        response.encode(&mut out, key.response_header_version(version)).ok()?;
        out.extend_from_slice(&body);
        stream.write_all(&i32::try_from(out.len()).ok()?.to_be_bytes()).ok()?;
        stream.write_all(&out).ok()?;
    }
}
