//! How each bucket is reached, and whose rules hold there.

use super::super::{CollectError, expand};
use crate::{
    audit::{S3Access, S3Config},
    evidence::{Store, StoreKind},
};

/// What holds for `bucket`, with every variable looked up and the endpoint checked.
pub(super) fn access(config: &S3Config, bucket: &str, env: &(dyn Fn(&str) -> Option<String> + Sync)) -> Result<S3Access, CollectError> {
    let own = config.buckets.get(bucket).cloned().unwrap_or_default();
    let merged = config.for_bucket(bucket);
    let place = |key: &str, is_own: bool| if is_own { format!("s3.buckets.{bucket}.{key}") } else { format!("s3.{key}") };
    let look_up = |key: &str, own: &Option<String>, merged: Option<String>| {
        merged.map(|text| expand(&text, &place(key, own.is_some()), &|name| env(name))).transpose()
    };
    let access = S3Access {
        region: look_up("region", &own.region, merged.region)?,
        profile: look_up("profile", &own.profile, merged.profile)?,
        endpoint_url: look_up("endpoint_url", &own.endpoint_url, merged.endpoint_url)?,
        force_path_style: merged.force_path_style,
        store: merged.store,
        assume_role_arn: look_up("assume_role_arn", &own.assume_role_arn, merged.assume_role_arn)?,
        external_id: look_up("external_id", &own.external_id, merged.external_id)?,
    };
    if let Some(endpoint) = &access.endpoint_url {
        host_and_port(endpoint).map_err(|message| CollectError::Setting {
            place: place("endpoint_url", own.endpoint_url.is_some()),
            message: message.to_owned(),
        })?;
    }
    Ok(access)
}

/// `127.0.0.1:9000` of `http://127.0.0.1:9000/`. The error says what is wrong and holds nothing of the endpoint.
pub(super) fn host_and_port(endpoint: &str) -> Result<&str, &'static str> {
    let rest = endpoint.strip_prefix("https://").or_else(|| endpoint.strip_prefix("http://"));
    let rest = rest.ok_or("it must begin with https:// or http://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err("credentials do not belong into an endpoint; use a profile or the AWS_* variables");
    }
    if authority.is_empty() || authority.starts_with(':') || authority.contains(char::is_whitespace) {
        return Err("it names no host; write https://host:port");
    }
    Ok(authority)
}

/// Whose rules hold, by what the audit file says or else by the endpoint.
pub(super) fn store(stated: Option<StoreKind>, endpoint: Option<&str>) -> Store {
    if let Some(kind) = stated {
        let word = match kind {
            StoreKind::Aws => "aws",
            StoreKind::Other => "other",
        };
        return Store { kind, because: format!("store: {word} in the audit file") };
    }
    let Some(endpoint) = endpoint else {
        return Store { kind: StoreKind::Aws, because: "no endpoint_url, so Amazon S3 itself".to_owned() };
    };
    let shown = host_and_port(endpoint).unwrap_or("endpoint");
    let (name, port) = shown.rsplit_once(':').unwrap_or((shown, ""));
    let name = if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { shown };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let aws = ["amazonaws.com", "amazonaws.com.cn"].iter().any(|domain| name == *domain || name.ends_with(&format!(".{domain}")));
    if aws {
        Store { kind: StoreKind::Aws, because: format!("endpoint_url {shown} belongs to amazonaws.com") }
    } else {
        Store { kind: StoreKind::Other, because: format!("endpoint_url {shown} is not amazonaws.com") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_tells_whose_rules_hold() {
        for (endpoint, kind) in [
            (None, StoreKind::Aws),
            (Some("https://s3.eu-west-1.amazonaws.com"), StoreKind::Aws),
            (Some("https://bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com:443/"), StoreKind::Aws),
            (Some("https://s3.cn-north-1.amazonaws.com.cn"), StoreKind::Aws),
            (Some("https://notamazonaws.com"), StoreKind::Other),
            (Some("https://amazonaws.com.example.org"), StoreKind::Other),
            (Some("http://127.0.0.1:9000"), StoreKind::Other),
            (Some("http://[::1]:9000"), StoreKind::Other),
            (Some("http://[::1]"), StoreKind::Other),
        ] {
            assert_eq!(store(None, endpoint).kind, kind, "{endpoint:?}");
        }
        assert_eq!(store(Some(StoreKind::Aws), Some("http://127.0.0.1:9000")).kind, StoreKind::Aws);
        assert_eq!(store(None, Some("http://127.0.0.1:5005/x")).because, "endpoint_url 127.0.0.1:5005 is not amazonaws.com");
    }

    #[test]
    fn an_endpoint_holds_no_credentials_and_has_a_host() {
        for endpoint in ["https://key:secret@host", "host:9000", "https://", "https://:9000", "ftp://host", "https://a b"] {
            let message = host_and_port(endpoint).expect_err(endpoint);
            assert!(!message.contains("secret"), "{message}");
        }
    }

    #[test]
    fn a_missing_variable_is_named_with_its_place() {
        let mut config = S3Config::default();
        config.default.region = Some("${REGION:-us-east-1}".to_owned());
        config.buckets.insert("b".to_owned(), S3Access { external_id: Some("${EXTERNAL_ID}".to_owned()), ..S3Access::default() });
        assert_eq!(access(&config, "a", &|_| None).expect("no variable is needed").region.as_deref(), Some("us-east-1"));
        let error = access(&config, "b", &|_| None).expect_err("it is not set");
        assert_eq!(error.to_string(), "s3.buckets.b.external_id: the environment variable EXTERNAL_ID is not set");
    }
}
