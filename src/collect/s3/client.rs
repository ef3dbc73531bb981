//! Clients: HTTPS by rustls with ring, credentials by AWS's default chain or as the audit file says.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use aws_config::{
    BehaviorVersion, Region, SdkConfig, meta::region::RegionProviderChain, profile::ProfileFileCredentialsProvider,
    profile::ProfileFileRegionProvider, provider_config::ProviderConfig, sts::AssumeRoleProvider, timeout::TimeoutConfig,
};
use aws_credential_types::{Credentials, provider::SharedCredentialsProvider};
use aws_sdk_s3::{
    Client,
    config::{ConfigBag, Intercept, RequestChecksumCalculation, ResponseChecksumValidation, RuntimeComponents, retry::RetryConfig},
};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::{http::SharedHttpClient, interceptors::context::BeforeTransmitInterceptorContextRef},
};

use super::{super::Options, access};
use crate::{audit::S3Access, evidence::Store};

/// Tries of one call, the first included: throttling and dropped connections are normal on S3.
const ATTEMPTS: u32 = 4;

/// Where HeadBucket is asked first if nothing names a region; its answer names the bucket's own.
const FIRST_REGION: &str = "us-east-1";

/// How to reach the buckets that share one way of access.
pub(super) struct Connection {
    config: SdkConfig,
    endpoint: Option<String>,
    path_style: bool,
    /// Whose rules hold there.
    pub(super) store: Store,
}

/// One HTTPS client for everything, so that connections are shared.
pub(super) fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https()
}

impl Connection {
    /// Finds out how to reach what `access` describes. Asks no bucket.
    pub(super) async fn new(access: &S3Access, http: &SharedHttpClient, options: &Options<'_>) -> Self {
        let env = |name: &str| (options.env)(name).filter(|value| !value.is_empty());
        // Environment, then profile; not the instance metadata service, which costs seconds where there is none: HeadBucket tells the region.
        let stated = access.region.clone().or_else(|| env("AWS_REGION")).or_else(|| env("AWS_DEFAULT_REGION"));
        let provider = ProviderConfig::without_region().with_http_client(http.clone());
        let mut profile_region = ProfileFileRegionProvider::builder().configure(&provider);
        let mut loader = aws_config::defaults(BehaviorVersion::latest())
            .http_client(http.clone())
            .timeout_config(TimeoutConfig::builder().operation_attempt_timeout(options.timeout).build())
            .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
        let everywhere = env("AWS_ENDPOINT_URL").filter(|_| !ignores_endpoints(env));
        if let Some(endpoint) = &everywhere {
            // STS, where roles are assumed, is asked there too.
            loader = loader.endpoint_url(endpoint);
        }
        if let Some(profile) = &access.profile {
            profile_region = profile_region.profile_name(profile);
            // A profile that is named is meant: the default chain would let AWS_ACCESS_KEY_ID go first.
            loader = loader
                .profile_name(profile)
                .credentials_provider(ProfileFileCredentialsProvider::builder().configure(&provider).profile_name(profile).build());
        } else if let (Some(key), Some(secret)) = (env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY")) {
            loader = loader.credentials_provider(Credentials::new(key, secret, env("AWS_SESSION_TOKEN"), None, "Environment"));
        }
        let region =
            RegionProviderChain::first_try(stated.map(Region::new)).or_else(profile_region.build()).or_else(Region::new(FIRST_REGION));
        let mut config = loader.region(region).load().await;
        let for_s3 = env("AWS_ENDPOINT_URL_S3").filter(|_| !ignores_endpoints(env));
        let endpoint = access.endpoint_url.clone().or(for_s3).or(everywhere).or_else(|| endpoint_of_sdk(&config));
        if let Some(role) = &access.assume_role_arn {
            let mut builder = AssumeRoleProvider::builder(role).session_name("ttl-audit").configure(&config);
            if let Some(id) = &access.external_id {
                builder = builder.external_id(id);
            }
            let assumed = SharedCredentialsProvider::new(builder.build().await);
            config = config.into_builder().credentials_provider(assumed).build();
        }
        Self {
            path_style: access.force_path_style.unwrap_or(endpoint.is_some()),
            store: access::store(access.store, endpoint.as_deref()),
            endpoint,
            config,
        }
    }

    /// The region that a client signs for where none is given.
    pub(super) fn region(&self) -> &str {
        self.config.region().map_or(FIRST_REGION, |region| region.as_ref())
    }

    /// A client for `region`; every attempt that it makes is counted.
    pub(super) fn client(&self, region: &str, requests: &Arc<AtomicU64>) -> Client {
        let mut builder = aws_sdk_s3::config::Builder::from(&self.config)
            .region(Region::new(region.to_owned()))
            .force_path_style(self.path_style)
            .interceptor(Count(Arc::clone(requests)));
        if let Some(endpoint) = &self.endpoint {
            builder = builder.endpoint_url(endpoint);
        }
        Client::from_conf(builder.build())
    }
}

/// Whether endpoints in the environment are to be ignored.
fn ignores_endpoints(env: impl Fn(&str) -> Option<String>) -> bool {
    env("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The endpoint that the SDK itself would take, from the configuration files above all: whose rules hold is decided by it too.
fn endpoint_of_sdk(config: &SdkConfig) -> Option<String> {
    let s3 = config.service_config().and_then(|service| {
        let key = aws_types::service_config::ServiceConfigKey::builder().service_id("S3").env("AWS_ENDPOINT_URL").profile("endpoint_url");
        service.load_config(key.build().ok()?)
    });
    s3.or_else(|| config.endpoint_url().map(str::to_owned))
}

tokio::task_local! {
    /// Counts the requests of the snapshot that is being looked into, beside those of its bucket.
    pub(super) static OF_SNAPSHOT: AtomicU64;
}

/// Counts what goes over the wire, repeated attempts included.
#[derive(Debug)]
struct Count(Arc<AtomicU64>);

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Count {
    fn name(&self) -> &'static str {
        "count"
    }

    fn read_before_transmit(
        &self,
        _: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        // Not set while something else is asked than what one snapshot needs.
        let _ = OF_SNAPSHOT.try_with(|count| count.fetch_add(1, Ordering::Relaxed));
        Ok(())
    }
}
