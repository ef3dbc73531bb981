//! How to connect for a single manifest, without an audit file.

use std::path::PathBuf;

use clap::Args;

/// How to connect for a single manifest, without an audit file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct ConnectArgs {
    /// Single manifest: the Kafka cluster's brokers
    #[arg(long, value_name = "HOST:PORT[,…]", conflicts_with = "kafka_config")]
    pub(crate) bootstrap_servers: Option<String>,
    /// Single manifest: a file of librdkafka client properties (`key=value` lines)
    #[arg(long, value_name = "FILE")]
    pub(crate) kafka_config: Option<PathBuf>,
    /// Single manifest: another S3 endpoint than AWS's
    #[arg(long, value_name = "URL")]
    pub s3_endpoint: Option<String>,
}
