//! Records with timestamps of their own.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use rdkafka::{
    ClientConfig, ClientContext,
    config::FromClientConfigAndContext as _,
    error::RDKafkaErrorCode,
    producer::{BaseProducer, BaseRecord, DeliveryResult, Producer as _, ProducerContext},
};

use super::Broker;

/// Writes records, each in a batch of its own.
pub(crate) struct Producer {
    producer: BaseProducer<Deliveries>,
    results: Arc<Mutex<Vec<Option<RDKafkaErrorCode>>>>,
}

struct Deliveries(Arc<Mutex<Vec<Option<RDKafkaErrorCode>>>>);

impl ClientContext for Deliveries {}

impl ProducerContext for Deliveries {
    type DeliveryOpaque = ();

    fn delivery(&self, result: &DeliveryResult<'_>, (): ()) {
        let error = result.as_ref().err().and_then(|(error, _)| error.rdkafka_error_code());
        self.0.lock().expect("not poisoned").push(error);
    }
}

impl Producer {
    pub(crate) fn new(broker: &Broker) -> Self {
        Self::with(broker, &[])
    }

    pub(crate) fn with(broker: &Broker, settings: &[(&str, &str)]) -> Self {
        let mut config = ClientConfig::new();
        config.set("bootstrap.servers", &broker.internal).set("linger.ms", "0").set("batch.num.messages", "1");
        config.set("allow.auto.create.topics", "false");
        for (key, value) in settings {
            config.set(*key, *value);
        }
        let results = Arc::new(Mutex::new(Vec::new()));
        let producer = BaseProducer::from_config_and_context(&config, Deliveries(Arc::clone(&results))).expect("a producer");
        Self { producer, results }
    }

    /// Writes a record for each timestamp (milliseconds since the epoch), in this order, and waits until all are written. The errors of
    /// those that the broker refused.
    pub(crate) fn write(&self, topic: &str, partition: i32, timestamps: impl IntoIterator<Item = i64>) -> Vec<RDKafkaErrorCode> {
        for timestamp in timestamps {
            let record = BaseRecord::<(), str>::to(topic).partition(partition).payload("record").timestamp(timestamp);
            self.producer.send(record).map_err(|(error, _)| error).expect("a record in the queue");
        }
        self.producer.flush(Duration::from_secs(30)).expect("all written or refused");
        std::mem::take(&mut *self.results.lock().expect("not poisoned")).into_iter().flatten().collect()
    }

    /// Writes one record with a key, as [`Self::write`] does.
    pub(crate) fn write_keyed(&self, topic: &str, partition: i32, key: &str, timestamp: i64) -> Vec<RDKafkaErrorCode> {
        let record = BaseRecord::to(topic).partition(partition).key(key).payload("record").timestamp(timestamp);
        self.producer.send(record).map_err(|(error, _)| error).expect("a record in the queue");
        self.producer.flush(Duration::from_secs(30)).expect("written or refused");
        std::mem::take(&mut *self.results.lock().expect("not poisoned")).into_iter().flatten().collect()
    }

    /// Writes in a transaction, and commits or aborts it.
    pub(crate) fn transaction(&self, commit: bool, write: impl FnOnce() -> Vec<RDKafkaErrorCode>) {
        self.producer.begin_transaction().expect("a transaction");
        assert!(write().is_empty());
        let timeout = Duration::from_mins(1);
        if commit { self.producer.commit_transaction(timeout) } else { self.producer.abort_transaction(timeout) }.expect("it ends");
    }

    /// Begins to use transactions, which makes the broker create its internal topic for them.
    pub(crate) fn init_transactions(&self) {
        self.producer.init_transactions(Duration::from_mins(1)).expect("transactions");
    }
}
