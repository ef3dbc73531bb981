//! One consumer handle that joins no group, and the calls that are made on it.

use std::{
    cell::{Cell, RefCell},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use rdkafka::{
    consumer::{BaseConsumer, Consumer as _},
    error::{KafkaError, RDKafkaErrorCode},
};

use super::{
    codes,
    ffi::{self, Failure},
    watch::Watch,
};
use crate::collect::Options;

/// librdkafka's own code for "the broker has no such call, or not in the version that is needed".
const UNSUPPORTED: i32 = -165;
/// After this many calls without an answer, one after the other, a cluster is not asked any more.
const SILENCE: u32 = 2;

/// A call without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoAnswer {
    /// One sentence without a full stop.
    pub(super) reason: String,
    /// The cluster has no such call.
    pub(super) unsupported: bool,
    /// The right to make the call is missing: what the broker that coordinates a group says to whoever looks for it.
    pub(super) denied: bool,
}

/// What the first answer of a cluster says.
pub(super) struct Cluster {
    /// Its id.
    pub(super) id: Option<String>,
    /// A broker that is alive, `1 at host:9092`.
    pub(super) broker: String,
    /// Its id.
    pub(super) broker_id: i32,
    /// The names of all topics that may be seen.
    pub(super) topics: Vec<String>,
}

/// A connection to a cluster.
pub(super) struct Handle<'a> {
    consumer: &'a BaseConsumer<Watch>,
    options: &'a Options<'a>,
    requests: Cell<u64>,
    silent: Cell<u32>,
    given_up: RefCell<Option<NoAnswer>>,
}

/// Runs `ask` with a handle while a thread polls it, so that the reasons of failures arrive.
pub(super) fn with_handle<T>(consumer: &BaseConsumer<Watch>, options: &Options<'_>, ask: impl FnOnce(&Handle<'_>) -> T) -> T {
    /// Stops the thread even if `ask` panics.
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let stopped = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Stop(&stopped);
        scope.spawn(|| {
            while !stopped.load(Ordering::Relaxed) {
                // Nothing is subscribed to, so no message ever comes; errors have gone to the context already.
                let _ = consumer.poll(Duration::from_millis(20));
            }
        });
        ask(&Handle { consumer, options, requests: Cell::new(0), silent: Cell::new(0), given_up: RefCell::new(None) })
    })
}

impl Handle<'_> {
    /// Requests that were made.
    pub(super) fn requests(&self) -> u64 {
        self.requests.get()
    }

    pub(super) fn count(&self, requests: u64) {
        self.requests.set(self.requests.get().saturating_add(requests));
    }

    pub(super) fn options(&self) -> &Options<'_> {
        self.options
    }

    /// `text` without secrets.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.consumer.context().scrub(text)
    }

    /// The first call: brokers and topics. All topics are asked for, since a call for the brokers alone would let librdkafka ask for the
    /// topics that it remembers with the permission to create them.
    pub(super) fn connect(&self) -> Result<Cluster, NoAnswer> {
        let watch = self.consumer.context();
        let begun = Instant::now();
        let Some(total) = self.options.remaining() else { return Err(self.over()) };
        watch.begin();
        // The call blocks and says nothing before its time-out, but the reason comes within milliseconds: so several calls, each longer
        // than the one before, with a look at the reason in between.
        let mut slice = Duration::from_millis(500);
        let metadata = loop {
            let Some(left) = total.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) else {
                let waited = format!("no answer within {}", seconds(total));
                return Err(self.failed(watch.reason().map_or(waited.clone(), |reason| format!("{waited}; last: {reason}"))));
            };
            self.count(1);
            match self.consumer.fetch_metadata(None, slice.min(left)) {
                Ok(metadata) => break metadata,
                Err(error) if watch.hopeless() => return Err(self.failed(watch.reason().unwrap_or_else(|| error.to_string()))),
                Err(KafkaError::MetadataFetch(
                    RDKafkaErrorCode::BrokerTransportFailure | RDKafkaErrorCode::OperationTimedOut | RDKafkaErrorCode::AllBrokersDown,
                )) => {}
                Err(error) => return Err(self.failed(watch.scrub(&error.to_string()))),
            }
            slice = (slice * 2).min(Duration::from_secs(4));
        };
        watch.connected(metadata.brokers().len());
        let Some(broker) = metadata.brokers().iter().min_by_key(|broker| broker.id()) else {
            return Err(self.failed("its metadata names no broker".to_owned()));
        };
        Ok(Cluster {
            id: ffi::cluster_id(self.consumer.client()),
            broker: format!("{} at {}:{}", broker.id(), broker.host(), broker.port()),
            broker_id: broker.id(),
            topics: metadata.topics().iter().filter(|topic| topic.error().is_none()).map(|topic| topic.name().to_owned()).collect(),
        })
    }

    /// Makes a call.
    pub(super) fn call<T>(
        &self,
        broker: Option<i32>,
        call: impl FnOnce(&rdkafka::client::Client<Watch>, ffi::Call<'_>) -> Result<T, Failure>,
    ) -> Result<T, NoAnswer> {
        if let Some(given_up) = &*self.given_up.borrow() {
            return Err(given_up.clone());
        }
        let Some(timeout) = self.options.remaining() else { return Err(self.over()) };
        let watch = self.consumer.context();
        watch.begin();
        let result = call(self.consumer.client(), ffi::Call { broker, timeout, hopeless: &|| watch.hopeless() });
        match result {
            Ok(answer) => {
                self.silent.set(0);
                Ok(answer)
            }
            Err(failure) if failure.code == ffi::TIMED_OUT => {
                let hopeless = watch.hopeless();
                let reason = match watch.reason() {
                    Some(reason) if hopeless => reason,
                    Some(reason) => format!("no answer within {}; last: {reason}", seconds(timeout)),
                    None => format!("no answer within {}", seconds(timeout)),
                };
                self.silent.set(self.silent.get() + 1);
                let no_answer = NoAnswer { reason, unsupported: false, denied: false };
                if hopeless || self.silent.get() >= SILENCE {
                    *self.given_up.borrow_mut() = Some(no_answer.clone());
                }
                Err(no_answer)
            }
            Err(failure) => {
                let reason = format!("{} (error {})", watch.scrub(failure.text.trim()), failure.code);
                Err(NoAnswer { reason, unsupported: failure.code == UNSUPPORTED, denied: codes::denied(failure.code) })
            }
        }
    }

    fn over(&self) -> NoAnswer {
        self.failed("the deadline of the whole run passed before it was asked".to_owned())
    }

    /// Nothing more is asked of this cluster.
    fn failed(&self, reason: String) -> NoAnswer {
        let no_answer = NoAnswer { reason, unsupported: false, denied: false };
        *self.given_up.borrow_mut() = Some(no_answer.clone());
        no_answer
    }
}

/// `30 s`, `0.5 s`.
fn seconds(duration: Duration) -> String {
    let ms = duration.as_millis();
    if ms.is_multiple_of(1000) { format!("{} s", ms / 1000) } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}
