//! Buckets, each opened once: those that manifests name, and those that only a snapshot's `_metadata` names.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, atomic::AtomicU64},
};

use aws_smithy_runtime_api::client::http::SharedHttpClient;
use futures_util::future::{join, join5};
use tokio::sync::{OnceCell, Semaphore};

use super::{
    super::Options,
    access,
    caller::Caller,
    client::{self, Connection},
    objects::Lens,
    plan::{self, Plan},
    reach,
    refusal::{Kind, Refusal},
    settings,
};
use crate::{
    audit::{S3Access, S3Config},
    evidence::{BucketEvidence, Fact, Store},
};

/// A bucket that was asked about itself.
pub(super) struct Opened<'a> {
    pub(super) caller: Caller<'a>,
    pub(super) lens: Lens,
    /// Why nothing in it can be asked.
    pub(super) blocked: Option<Refusal>,
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
    options: &'a Options<'a>,
    permits: &'a Semaphore,
    http: SharedHttpClient,
    connections: RefCell<BTreeMap<S3Access, Rc<OnceCell<Connection>>>>,
    opened: RefCell<BTreeMap<String, Rc<OnceCell<Rc<Opened<'a>>>>>>,
}

impl<'a> Buckets<'a> {
    /// None is opened yet.
    pub(super) fn new(config: &'a S3Config, plan: &'a Plan, options: &'a Options<'a>, permits: &'a Semaphore) -> Self {
        let (connections, opened) = (RefCell::default(), RefCell::default());
        Self { config, plan, options, permits, http: client::http_client(), connections, opened }
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
        let mut caller = Caller { client, bucket: name.to_owned(), options: self.options, permits: self.permits, requests };
        let store = connection.store.clone();
        if let Some(refusal) = unusable {
            return Opened::blocked(caller, blocked(store, &refusal), refusal);
        }
        caller.progress("region");
        let reached = reach::reach(&mut caller, connection, region).await;
        if let Some(refusal) = reached.blocked {
            let evidence = BucketEvidence { region: reached.region, ..blocked(store, &refusal) };
            return Opened::blocked(caller, evidence, refusal);
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
        Opened { lens: Lens::of(&evidence), caller, blocked: None, evidence }
    }
}

impl<'a> Opened<'a> {
    fn blocked(caller: Caller<'a>, evidence: BucketEvidence, refusal: Refusal) -> Self {
        Self { lens: Lens::of(&evidence), caller, blocked: Some(refusal), evidence }
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
