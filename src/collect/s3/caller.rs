//! One bucket and the client for it: every call goes through here, bounded in number and time.

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
use tokio::sync::Semaphore;

use super::{
    super::{Options, now},
    refusal::{Kind, Refusal},
};
use crate::evidence::Fact;

/// Calls that are made at the same time, over all buckets.
pub(super) const CONCURRENCY: usize = 16;

/// One bucket, and how it is asked.
pub(super) struct Caller<'a> {
    pub(super) client: Client,
    pub(super) bucket: String,
    pub(super) options: &'a Options<'a>,
    pub(super) permits: &'a Semaphore,
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
            let _permit = self.permits.acquire().await.map_err(|_| Refusal::new(Kind::Failed, "the run is ending"))?;
            let Some(left) = self.options.remaining() else {
                return Err(Refusal::new(Kind::Unreachable, "the run's deadline had passed"));
            };
            match tokio::time::timeout(left, call).await {
                Ok(answer) => answer.map_err(|error| Refusal::of(&error, needs)),
                Err(_) => Err(Refusal::new(Kind::Failed, format!("no answer within {}", shown(left)))),
            }
        };
        answered.boxed_local()
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
