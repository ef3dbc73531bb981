//! The HTTP side: a listener, a thread for each connection, a log of what was asked.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex},
    thread,
    time::Duration,
};

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) bucket: String,
    pub(crate) key: String,
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) headers: BTreeMap<String, String>,
}

impl Request {
    /// The operation's name in the S3 API; `Other` for everything that an audit must not call.
    pub(crate) fn operation(&self) -> &'static str {
        let has = |name: &str| self.query.contains_key(name);
        match (self.method.as_str(), self.key.is_empty()) {
            ("HEAD", true) => "HeadBucket",
            ("HEAD", false) => "HeadObject",
            ("GET", true) if has("lifecycle") => "GetBucketLifecycleConfiguration",
            ("GET", true) if has("intelligent-tiering") => "ListBucketIntelligentTieringConfigurations",
            ("GET", true) if has("versioning") => "GetBucketVersioning",
            ("GET", true) if has("object-lock") => "GetObjectLockConfiguration",
            ("GET", true) if has("tagging") => "GetBucketTagging",
            ("GET", true) if has("versions") => "ListObjectVersions",
            ("GET", true) if has("list-type") => "ListObjectsV2",
            ("GET", false) if has("tagging") => "GetObjectTagging",
            ("GET", false) if self.key == "_metadata" || self.key.ends_with("/_metadata") => "GetObject",
            // The first bytes of a state file, which only `--read-state-headers` asks for.
            ("GET", false) if self.headers.contains_key("range") => "GetObjectPart",
            _ => "Other",
        }
    }
}

/// One answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    silent: bool,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), silent: false }
    }

    /// 200 with this document.
    pub(crate) fn xml(body: impl AsRef<str>) -> Self {
        Self::new(200, format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", body.as_ref()))
    }

    /// An error as S3 writes it. Its text holds what must never be shown.
    pub(crate) fn error(status: u16, code: &str) -> Self {
        Self::new(status, format!("<Error><Code>{code}</Code><Message>SECRET-IN-MESSAGE AKIASECRETKEYID</Message></Error>"))
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// No answer at all: the connection stays open until the client gives up.
    pub(crate) fn silence() -> Self {
        Self { silent: true, ..Self::new(200, "") }
    }
}

/// A running server. It ends with the process; its port is free, so tests do not meet.
pub(crate) struct Fake {
    port: u16,
    log: Arc<Mutex<Vec<Request>>>,
    traffic: Arc<Traffic>,
}

/// How many requests are in flight.
#[derive(Default)]
struct Traffic {
    /// Now, and the most so far.
    requests: Mutex<(usize, usize)>,
    more: Condvar,
    /// Every answer waits until so many are in flight, or for a moment.
    crowd: usize,
}

impl Traffic {
    fn enter(&self) -> Option<()> {
        let mut requests = self.requests.lock().ok()?;
        requests.0 += 1;
        requests.1 = requests.0.max(requests.1);
        self.more.notify_all();
        if self.crowd > 0 {
            // A client that keeps its bound never makes the crowd complete.
            drop(self.more.wait_timeout_while(requests, Duration::from_millis(50), |requests| requests.0 < self.crowd).ok()?);
        }
        Some(())
    }

    fn leave(&self) -> Option<()> {
        self.requests.lock().ok()?.0 -= 1;
        Some(())
    }
}

impl Fake {
    /// Starts one that answers with `answer`.
    pub(crate) fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::crowded(0, answer)
    }

    /// The same, where an answer waits a moment for so many requests to be in flight at the same time.
    pub(crate) fn crowded(crowd: usize, answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let log = Arc::new(Mutex::new(Vec::new()));
        let traffic = Arc::new(Traffic { crowd, ..Traffic::default() });
        let (answer, kept, counted) = (Arc::new(answer), Arc::clone(&log), Arc::clone(&traffic));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, kept, counted) = (Arc::clone(&answer), Arc::clone(&kept), Arc::clone(&counted));
                thread::spawn(move || serve(&stream, answer.as_ref(), &kept, &counted));
            }
        });
        Self { port, log, traffic }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The most requests that were in flight at the same time.
    pub(crate) fn most_at_once(&self) -> usize {
        self.traffic.requests.lock().expect("no test panicked here").1
    }

    /// How often an object was read that is no `_metadata`, or anything was asked that an audit must not ask.
    pub(crate) fn trespasses(&self) -> usize {
        self.count("Other") + self.count("GetObjectPart")
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.log.lock().expect("no test panicked here").clone()
    }

    /// How often an operation was asked.
    pub(crate) fn count(&self, operation: &str) -> usize {
        self.requests().iter().filter(|request| request.operation() == operation).count()
    }
}

fn serve(stream: &TcpStream, answer: &(impl Fn(&Request) -> Reply + ?Sized), log: &Mutex<Vec<Request>>, traffic: &Traffic) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let request = read(&mut reader)?;
        log.lock().ok()?.push(request.clone());
        traffic.enter()?;
        let reply = answer(&request);
        // The client may come with its next request as soon as it has this answer.
        traffic.leave()?;
        if reply.silent {
            // Until the client closes its end.
            reader.read_line(&mut String::new()).ok()?;
            return None;
        }
        let mut text = format!("HTTP/1.1 {} X\r\n", reply.status);
        for (name, value) in &reply.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !reply.headers.iter().any(|(name, _)| name == "content-length") {
            text.push_str(&format!("content-length: {}\r\n", if request.method == "HEAD" { 0 } else { reply.body.len() }));
        }
        text.push_str("\r\n");
        (&*stream).write_all(text.as_bytes()).ok()?;
        if request.method != "HEAD" {
            (&*stream).write_all(&reply.body).ok()?;
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    std::io::copy(&mut reader.take(length), &mut std::io::sink()).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let path = decoded(path.trim_start_matches('/'));
    let (bucket, key) = path.split_once('/').unwrap_or((&path, ""));
    let query = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name), decoded(value))
    });
    Some(Request { method, bucket: bucket.to_owned(), key: key.to_owned(), query: query.collect(), headers })
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: Vec<u8> = rest.by_ref().take(2).collect();
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).expect("ASCII"), 16).expect("hex digits"));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}
