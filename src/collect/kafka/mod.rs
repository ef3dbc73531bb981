//! What Kafka is asked, and how.
