//! Buckets, each opened once: those that manifests name, and those that only a snapshot's `_metadata` names.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, atomic::AtomicU64},
};

use aws_smithy_runtime_api::client::http::SharedHttpClient;
use futures_util::future::{join, join5};
use tokio::sync::{Mutex, OnceCell};

use super::{
    super::Options,
    access,
    caller::{Caller, Limits},
    client::{self, Connection},
    objects::Lens,
    plan::{self, Plan},
    reach,
    refusal::{Kind, Refusal},
    settings,
};
use crate::{
    audit::{S3Access, S3Config},
    evidence::{BucketEvidence, Fact, ObjectEvidence, Store},
};

/// A bucket that was asked about itself.
pub(super) struct Opened<'a> {
    pub(super) caller: Caller<'a>,
    pub(super) lens: Lens,
    /// Why nothing in it can be asked.
    pub(super) blocked: Option<Refusal>,
    /// Objects outside the folders of the snapshots that need them, found so far; filled where several snapshots are looked into.
    pub(super) known: Mutex<BTreeMap<String, Fact<ObjectEvidence>>>,
    evidence: BucketEvidence,
}

impl Opened<'_> {
    /// What it said about itself, with the requests that were made so far.
    pub(super) fn evidence(&self) -> BucketEvidence {
        BucketEvidence { requests: self.caller.requests(), ..self.evidence.clone() }
    }
}

/// Every bucket that is asked for.
pub(super) struct Buckets<'a> {
    config: &'a S3Config,
    plan: &'a Plan,
    pub(super) options: &'a Options<'a>,
    limits: &'a Limits,
    settings: bool,
    http: SharedHttpClient,
    connections: RefCell<BTreeMap<S3Access, Rc<OnceCell<Connection>>>>,
    opened: RefCell<BTreeMap<String, Rc<OnceCell<Rc<Opened<'a>>>>>>,
}

impl<'a> Buckets<'a> {
    /// None is opened yet.
    pub(super) fn new(config: &'a S3Config, plan: &'a Plan, options: &'a Options<'a>, limits: &'a Limits) -> Self {
        let (connections, opened) = (RefCell::default(), RefCell::default());
        Self { config, plan, options, limits, settings: true, http: client::http_client(), connections, opened }
    }

    /// The same, where no bucket is asked what it is set to do.
    pub(super) fn without_settings(self) -> Self {
        Self { settings: false, ..self }
    }

    /// The bucket with this name; whoever comes first opens it.
    pub(super) async fn open(&self, name: &str) -> Rc<Opened<'a>> {
        let cell = Rc::clone(self.opened.borrow_mut().entry(name.to_owned()).or_default());
        Rc::clone(cell.get_or_init(|| async { Rc::new(self.ask(name).await) }).await)
    }

    /// What every bucket that was opened said about itself.
    pub(super) fn evidence(&self) -> BTreeMap<String, BucketEvidence> {
        let opened = self.opened.borrow();
        opened.iter().filter_map(|(name, cell)| Some((name.clone(), cell.get()?.evidence()))).collect()
    }

    async fn ask(&self, name: &str) -> Opened<'a> {
        // Of the buckets that manifests name this was checked before anything was asked.
        let (access, unusable) = match access::access(self.config, name, self.options.env) {
            Ok(access) => (access, None),
            Err(error) => (S3Access::default(), Some(Refusal::new(Kind::Failed, error.to_string()))),
        };
        let cell = Rc::clone(self.connections.borrow_mut().entry(access.clone()).or_default());
        let connection = cell.get_or_init(|| Connection::new(&access, &self.http, self.options)).await;
        let requests = Arc::new(AtomicU64::new(0));
        let region = connection.region();
        let client = connection.client(region, &requests);
        let mut caller = Caller { client, bucket: name.to_owned(), options: self.options, limits: self.limits, requests };
        let store = connection.store.clone();
        if let Some(refusal) = unusable {
            return Opened::of(caller, blocked(store, &refusal), Some(refusal));
        }
        caller.progress("region");
        let reached = reach::reach(&mut caller, connection, region).await;
        if let Some(refusal) = reached.blocked {
            let evidence = BucketEvidence { region: reached.region, ..blocked(store, &refusal) };
            return Opened::of(caller, evidence, Some(refusal));
        }
        if !self.settings {
            // As of a bucket that is not there: not asked.
            let reason = Refusal::new(Kind::Missing, "what the bucket is set to do was not needed");
            return Opened::of(caller, BucketEvidence { region: reached.region, ..blocked(store, &reason) }, None);
        }
        caller.progress("settings");
        let declared = self.plan.buckets.get(name).into_iter().flatten();
        let above = plan::folders_above(declared.map(|(place, _)| place));
        let settings = join5(
            settings::lifecycle(&caller),
            settings::intelligent_tiering(&caller),
            settings::versioning(&caller),
            settings::object_lock(&caller),
            settings::tags(&caller),
        );
        let (settings, prefixes) = join(settings, settings::prefixes(&caller, &above)).await;
        let (lifecycle, intelligent_tiering, versioning, object_lock, tags) = settings;
        let region = reached.region;
        let evidence =
            BucketEvidence { store, region, lifecycle, intelligent_tiering, versioning, object_lock, tags, prefixes, requests: 0 };
        Opened::of(caller, evidence, None)
    }
}

impl<'a> Opened<'a> {
    fn of(caller: Caller<'a>, evidence: BucketEvidence, blocked: Option<Refusal>) -> Self {
        Self { lens: Lens::of(&evidence), caller, blocked, known: Mutex::default(), evidence }
    }
}

/// Evidence of a bucket that no further call was made to.
pub(super) fn blocked(store: Store, refusal: &Refusal) -> BucketEvidence {
    fn setting<T>(refusal: &Refusal, operation: &str) -> Fact<T> {
        // "No such bucket" must not read as "nothing configured".
        if refusal.kind == Kind::Missing { Fact::not_asked(&refusal.reason, operation) } else { refusal.clone().fact(operation) }
    }
    BucketEvidence {
        store,
        region: refusal.clone().fact("HeadBucket"),
        lifecycle: setting(refusal, "GetBucketLifecycleConfiguration"),
        intelligent_tiering: setting(refusal, "ListBucketIntelligentTieringConfigurations"),
        versioning: setting(refusal, "GetBucketVersioning"),
        object_lock: setting(refusal, "GetObjectLockConfiguration"),
        tags: setting(refusal, "GetBucketTagging"),
        prefixes: setting(refusal, "ListObjectsV2"),
        requests: 0,
    }
}
