//! One bucket and the client for it: every call goes through here, bounded in number and time.
//!
//! What limits a run as a whole is in [`Limits`]; bodies are read in `body`.

use std::{
    error::Error as StdError,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use aws_sdk_s3::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use futures_util::{FutureExt as _, future::LocalBoxFuture};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{
    super::{Options, now},
    refusal::{Kind, Refusal},
};
use crate::evidence::Fact;

/// Calls that are made at the same time, over all buckets.
pub(super) const CONCURRENCY: usize = 16;

/// Snapshots that are looked into at the same time, over all places: each holds its `_metadata` in memory.
const SNAPSHOTS_AT_ONCE: usize = 4;

/// What a whole run shares.
pub(super) struct Limits {
    /// One permit for each call, held until its answer, with the body, has come.
    pub(super) calls: Semaphore,
    /// One permit for each place: its listing is kept while its snapshots are looked into.
    pub(super) places: Semaphore,
    /// One permit for each snapshot that is looked into.
    pub(super) looks: Semaphore,
    /// The permit to hold a large body.
    pub(super) large: Semaphore,
}

impl Limits {
    /// None is taken yet.
    pub(super) fn new() -> Self {
        Self {
            calls: Semaphore::new(CONCURRENCY),
            places: Semaphore::new(CONCURRENCY),
            looks: Semaphore::new(SNAPSHOTS_AT_ONCE),
            large: Semaphore::new(1),
        }
    }
}

/// Waits for a permit. Semaphores are never closed here.
pub(super) async fn permit(semaphore: &Semaphore) -> Result<SemaphorePermit<'_>, Refusal> {
    semaphore.acquire().await.map_err(|_| Refusal::new(Kind::Failed, "the run is ending"))
}

/// One bucket, and how it is asked.
pub(super) struct Caller<'a> {
    pub(super) client: Client,
    pub(super) bucket: String,
    pub(super) options: &'a Options<'a>,
    pub(super) limits: &'a Limits,
    pub(super) requests: Arc<AtomicU64>,
}

impl Caller<'_> {
    /// Makes one call, within the time that is left. `needs` is the right that it needs, in words.
    ///
    /// The SDK's futures are large; boxed here, once, they are small wherever they are waited for.
    pub(super) fn ask<'c, T: 'c, E>(
        &'c self,
        needs: &'c str,
        call: impl Future<Output = Result<T, SdkError<E, HttpResponse>>> + 'c,
    ) -> LocalBoxFuture<'c, Result<T, Refusal>>
    where
        E: ProvideErrorMetadata + StdError + 'static,
    {
        let answered = async move {
            let _permit = permit(&self.limits.calls).await?;
            self.in_time(needs, call).await
        };
        answered.boxed_local()
    }

    /// [`Caller::ask`] for whoever holds a permit already.
    pub(super) async fn in_time<T, E>(
        &self,
        needs: &str,
        call: impl Future<Output = Result<T, SdkError<E, HttpResponse>>>,
    ) -> Result<T, Refusal>
    where
        E: ProvideErrorMetadata + StdError + 'static,
    {
        let Some(left) = self.options.remaining() else {
            return Err(Refusal::new(Kind::Unreachable, "the run's deadline had passed"));
        };
        match tokio::time::timeout(left, call).await {
            Ok(answer) => answer.map_err(|error| Refusal::of(&error, needs)),
            Err(_) => Err(Refusal::new(Kind::Failed, format!("no answer within {}", shown(left)))),
        }
    }

    /// A value that the bucket gave now.
    pub(super) fn seen<T>(&self, value: T, call: impl Into<String>) -> Fact<T> {
        Fact::seen(value, &self.bucket, call, now())
    }

    /// A call as evidence names it: `HeadObject s3://bucket/key`.
    pub(super) fn call(&self, operation: &str, key: &str) -> String {
        format!("{operation} s3://{}/{key}", self.bucket)
    }

    /// Tells what is being asked.
    pub(super) fn progress(&self, what: &str) {
        (self.options.progress)(&format!("s3 {}: {what}", self.bucket));
    }

    /// Attempts that were made so far.
    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
}

fn shown(length: std::time::Duration) -> String {
    if length.as_secs() == 0 { format!("{} ms", length.as_millis()) } else { format!("{} s", length.as_secs()) }
}
