//! A bucket in memory: lists as S3 does, page by page and by folder; everything else is scripted.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{Fake, Reply, Request};

/// Keys on a page, as on S3.
const PAGE: usize = 1_000;

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    size: u64,
    modified: String,
    class: Option<String>,
    head: Vec<(String, String)>,
    tags: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Object {
    /// An object of class `STANDARD`, last modified at this instant.
    pub(crate) fn new(size: u64, modified: &str) -> Self {
        Self { size, modified: modified.to_owned(), class: Some("STANDARD".to_owned()), head: Vec::new(), tags: Vec::new(), body: None }
    }

    /// What GetObject gives; without it `_metadata` names everything in its folder, and any other object is full of zeros.
    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: Some(body.into()), ..self }
    }

    /// An object of this content.
    pub(crate) fn of(body: Vec<u8>, modified: &str) -> Self {
        Self::new(body.len() as u64, modified).body(body)
    }

    pub(crate) fn class(self, class: &str) -> Self {
        Self { class: Some(class.to_owned()), ..self }
    }

    pub(crate) fn without_class(self) -> Self {
        Self { class: None, ..self }
    }

    /// A header that HeadObject gives.
    pub(crate) fn head(mut self, name: &str, value: &str) -> Self {
        self.head.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn tag(mut self, key: &str, value: &str) -> Self {
        self.tags.push((key.to_owned(), value.to_owned()));
        self
    }
}

/// A bucket.
#[derive(Default)]
pub(crate) struct Bucket {
    objects: BTreeMap<String, Object>,
    scripted: BTreeMap<&'static str, (Vec<Reply>, AtomicUsize)>,
    heads: BTreeMap<String, Reply>,
    region: Mutex<Option<String>>,
    others: BTreeMap<&'static str, Bucket>,
}

impl Bucket {
    /// In us-east-1, empty, with nothing configured.
    pub(crate) fn new() -> Self {
        Self { region: Mutex::new(Some("us-east-1".to_owned())), ..Self::default() }
    }

    pub(crate) fn object(mut self, key: &str, object: Object) -> Self {
        self.objects.insert(key.to_owned(), object);
        self
    }

    /// Answers an operation with these, one after the other; the last one stays.
    pub(crate) fn on(mut self, operation: &'static str, replies: impl IntoIterator<Item = Reply>) -> Self {
        self.scripted.insert(operation, (replies.into_iter().collect(), AtomicUsize::new(0)));
        self
    }

    /// Answers every operation with this.
    pub(crate) fn on_everything(mut self, reply: &Reply) -> Self {
        for operation in [
            "HeadBucket",
            "ListObjectsV2",
            "GetBucketLifecycleConfiguration",
            "ListBucketIntelligentTieringConfigurations",
            "GetBucketVersioning",
            "GetObjectLockConfiguration",
            "GetBucketTagging",
        ] {
            self = self.on(operation, [reply.clone()]);
        }
        self
    }

    /// Answers HeadObject of one key with this.
    pub(crate) fn on_head(mut self, key: &str, reply: Reply) -> Self {
        self.heads.insert(key.to_owned(), reply);
        self
    }

    /// HeadBucket names no region, as on some stores.
    pub(crate) fn without_region(self) -> Self {
        Self { region: Mutex::new(None), ..self }
    }

    /// Another bucket of the same server, by its name.
    pub(crate) fn beside(mut self, name: &'static str, other: Self) -> Self {
        self.others.insert(name, other);
        self
    }

    /// A server with this bucket, by whatever other name it is asked for.
    pub(crate) fn serve(self) -> Fake {
        Fake::start(move |request| self.answer(request))
    }

    /// The same, where an answer waits a moment for so many requests to be in flight at the same time.
    pub(crate) fn serve_crowd(self, crowd: usize) -> Fake {
        Fake::crowded(crowd, move |request| self.answer(request))
    }

    /// What it says to a request.
    pub(crate) fn answer(&self, request: &Request) -> Reply {
        if let Some(other) = self.others.get(request.bucket.as_str()) {
            return other.answer(request);
        }
        if let Some((replies, next)) = self.scripted.get(request.operation()) {
            let nth = next.fetch_add(1, Ordering::SeqCst).min(replies.len() - 1);
            return replies.get(nth).expect("at least one answer").clone();
        }
        match request.operation() {
            "HeadBucket" => match &*self.region.lock().expect("not poisoned") {
                Some(region) => Reply::new(200, "").header("x-amz-bucket-region", region),
                None => Reply::new(200, ""),
            },
            "ListObjectsV2" => self.list(request),
            "HeadObject" => self.head(&request.key),
            "GetObject" => self.get(&request.key),
            "GetObjectPart" => self.part(request),
            "GetObjectTagging" => self.tags(&request.key),
            "GetBucketLifecycleConfiguration" => Reply::error(404, "NoSuchLifecycleConfiguration"),
            "ListBucketIntelligentTieringConfigurations" => Reply::xml(
                "<ListBucketIntelligentTieringConfigurationsOutput><IsTruncated>false</IsTruncated></ListBucketIntelligentTieringConfigurationsOutput>",
            ),
            "GetBucketVersioning" => Reply::xml("<VersioningConfiguration/>"),
            "GetObjectLockConfiguration" => Reply::error(404, "ObjectLockConfigurationNotFoundError"),
            "GetBucketTagging" => Reply::error(404, "NoSuchTagSet"),
            "ListObjectVersions" => Reply::xml("<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>"),
            _ => Reply::error(400, "TheAuditMustNotAskThis"),
        }
    }

    fn list(&self, request: &Request) -> Reply {
        let query = |name: &str| request.query.get(name).map(String::as_str).unwrap_or_default();
        let (prefix, by_folder) = (query("prefix"), query("delimiter") == "/");
        let size = query("max-keys").parse().unwrap_or(PAGE).min(PAGE);
        let after = query("continuation-token").max(query("start-after"));
        let mut entries = BTreeSet::new();
        for key in self.objects.range(prefix.max(after).to_owned()..).map(|(key, _)| key).take_while(|key| key.starts_with(prefix)) {
            let below = &key[prefix.len()..];
            match below.find('/').filter(|_| by_folder) {
                Some(at) => entries.insert(format!("{prefix}{}", &below[..=at])),
                None => entries.insert(key.clone()),
            };
            // The one that begins the page is left out again.
            if entries.len() > size + 1 {
                break;
            }
        }
        let mut rest = entries.iter().filter(|entry| entry.as_str() > after).peekable();
        let mut body = String::from("<ListBucketResult>");
        for entry in rest.by_ref().take(size) {
            body.push_str(&match self.objects.get(entry) {
                Some(object) => shown(entry, object),
                None => format!("<CommonPrefixes><Prefix>{entry}</Prefix></CommonPrefixes>"),
            });
        }
        let more = rest.peek().is_some();
        let last = entries.iter().filter(|entry| entry.as_str() > after).nth(size - 1);
        if let Some(last) = last.filter(|_| more) {
            body.push_str(&format!("<NextContinuationToken>{last}</NextContinuationToken>"));
        }
        Reply::xml(format!("{body}<IsTruncated>{more}</IsTruncated></ListBucketResult>"))
    }

    fn head(&self, key: &str) -> Reply {
        if let Some(reply) = self.heads.get(key) {
            return reply.clone();
        }
        let Some(object) = self.objects.get(key) else { return Reply::new(404, "") };
        let modified = object.modified.parse::<jiff::Timestamp>().expect("an instant").strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
        let mut reply = Reply::new(200, "").header("content-length", &object.size.to_string()).header("last-modified", &modified);
        for (name, value) in &object.head {
            reply = reply.header(name, value);
        }
        match object.class.as_deref() {
            None | Some("STANDARD") => reply,
            Some(class) => reply.header("x-amz-storage-class", class),
        }
    }

    fn get(&self, key: &str) -> Reply {
        let Some(object) = self.objects.get(key) else { return Reply::error(404, "NoSuchKey") };
        if let Some(body) = &object.body {
            return Reply::new(200, body.clone());
        }
        let folder = key.strip_suffix("_metadata").unwrap_or(key);
        let beside = self.objects.range(folder.to_owned()..).take_while(|(other, _)| other.starts_with(folder));
        let beside = beside.filter(|(other, _)| *other != key && !other.ends_with('/'));
        Reply::new(200, super::metadata(beside.map(|(other, object)| (&other[folder.len()..], object.size))))
    }

    fn part(&self, request: &Request) -> Reply {
        let Some(object) = self.objects.get(&request.key) else { return Reply::error(404, "NoSuchKey") };
        if matches!(object.class.as_deref(), Some("GLACIER" | "DEEP_ARCHIVE")) {
            return Reply::error(403, "InvalidObjectState");
        }
        let size = usize::try_from(object.size).expect("small");
        let body = object.body.clone().unwrap_or_else(|| vec![0; size]);
        let range = request.headers.get("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-')).expect("a range");
        let (first, last): (usize, usize) = (range.0.parse().expect("a number"), range.1.parse().expect("a number"));
        let Some(part) = body.get(first..body.len().min(last + 1)) else { return Reply::error(416, "InvalidRange") };
        let content_range = format!("bytes {first}-{}/{}", first + part.len() - 1, body.len());
        Reply::new(206, part.to_vec()).header("content-range", &content_range)
    }

    fn tags(&self, key: &str) -> Reply {
        let tags = self.objects.get(key).into_iter().flat_map(|object| &object.tags);
        let tags: String = tags.map(|(key, value)| format!("<Tag><Key>{key}</Key><Value>{value}</Value></Tag>")).collect();
        Reply::xml(format!("<Tagging><TagSet>{tags}</TagSet></Tagging>"))
    }
}

fn shown(key: &str, object: &Object) -> String {
    let class = object.class.as_ref().map(|class| format!("<StorageClass>{class}</StorageClass>")).unwrap_or_default();
    format!("<Contents><Key>{key}</Key><LastModified>{}</LastModified><Size>{}</Size>{class}</Contents>", object.modified, object.size)
}
