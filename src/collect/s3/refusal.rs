//! Why a call has no answer, told by the error's *code*: every layer above calls an archived object, a missing right, a wrong key and a
//! wrong clock "403".

use std::error::Error as StdError;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::{orchestrator::HttpResponse, result::ConnectorError};

use crate::evidence::Fact;

/// A call without a usable answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// What kind of fact it makes.
    pub(super) kind: Kind,
    /// The error code, if the server sent one.
    pub(super) code: Option<String>,
    /// The HTTP status, if there was an answer.
    pub(super) status: Option<u16>,
    /// The bucket's region, if the answer names one.
    pub(super) region: Option<String>,
    /// For people; never holds what the server said in free text, which can echo keys and signatures.
    pub(super) reason: String,
}

/// See [`Refusal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The server says that there is no such thing.
    Missing,
    /// The right is missing.
    Denied,
    /// The credentials are: every other call ends like this one.
    BadCredentials,
    /// The store does not know this call.
    Unsupported,
    /// The bucket lies in another region.
    WrongRegion,
    /// No answer, and every other call would end like this one.
    Unreachable,
    /// No usable answer.
    Failed,
}

impl Refusal {
    /// A refusal that no server made.
    pub(super) fn new(kind: Kind, reason: impl Into<String>) -> Self {
        Self { kind, code: None, status: None, region: None, reason: reason.into() }
    }

    /// As a fact; a missing thing is *absent*.
    pub(super) fn fact<T>(self, call: impl Into<String>) -> Fact<T> {
        match self.kind {
            Kind::Missing => Fact::absent(self.reason, call),
            Kind::Denied | Kind::BadCredentials => Fact::denied(self.reason, call),
            Kind::Unsupported => Fact::unsupported(self.reason, call),
            Kind::WrongRegion | Kind::Unreachable | Kind::Failed => Fact::failed(self.reason, call),
        }
    }

    /// As a fact of a call for which a missing thing does not mean that nothing is configured.
    pub(super) fn fact_if_not_missing<T>(self, call: impl Into<String>) -> Fact<T> {
        let kind = if self.kind == Kind::Missing { Kind::Failed } else { self.kind };
        Self { kind, ..self }.fact(call)
    }

    /// Whether every other call to the bucket would end like this one.
    pub(super) const fn everywhere(&self) -> bool {
        matches!(self.kind, Kind::BadCredentials | Kind::Unreachable | Kind::WrongRegion)
    }

    /// Whether the server gave this error code.
    pub(super) fn has_code(&self, code: &str) -> bool {
        self.code.as_deref() == Some(code)
    }

    /// What `error` says. `needs` is the right that the call needs, in words: `s3:ListBucket on the bucket`.
    pub(super) fn of<E>(error: &SdkError<E, HttpResponse>, needs: &str) -> Self
    where
        E: ProvideErrorMetadata + StdError + 'static,
    {
        match error {
            SdkError::TimeoutError(_) => Self::new(Kind::Failed, "no answer in time"),
            SdkError::DispatchFailure(failure) => match failure.as_connector_error() {
                Some(connector) => of_connector(connector),
                None => Self::new(Kind::Failed, "the request could not be sent"),
            },
            SdkError::ConstructionFailure(_) => of_credentials(error).unwrap_or_else(|| {
                Self::new(Kind::Unreachable, "the request could not be made; check endpoint_url, region and bucket name")
            }),
            SdkError::ServiceError(service) => of_answer(service.err(), service.raw(), needs),
            SdkError::ResponseError(response) => of_answer(&NoMetadata::default(), response.raw(), needs),
            _ => Self::new(Kind::Failed, "the request failed"),
        }
    }
}

/// An answer that could not be read has no error metadata.
#[derive(Debug, Default)]
struct NoMetadata(aws_sdk_s3::error::ErrorMetadata);

impl ProvideErrorMetadata for NoMetadata {
    fn meta(&self) -> &aws_sdk_s3::error::ErrorMetadata {
        &self.0
    }
}

fn of_answer(error: &impl ProvideErrorMetadata, raw: &HttpResponse, needs: &str) -> Refusal {
    let status = raw.status().as_u16();
    let body = raw.body().bytes().map(String::from_utf8_lossy).unwrap_or_default();
    let code = error.code().filter(|code| is_code(code)).map(str::to_owned);
    let header = raw.headers().get("x-amz-bucket-region").map(str::to_owned);
    let region = header.or_else(|| element(&body, "Region").map(str::to_owned)).filter(|region| is_code(region));
    let (kind, reason) = if raw.status().is_success() {
        of_other_document(&body)
    } else {
        // Matched on the code; the text only tells whose permission it is that is missing.
        let kms = error.message().is_some_and(|message| message.contains("kms:"));
        of_code(code.as_deref(), status, region.as_deref(), needs, kms)
    };
    Refusal { kind, code, status: Some(status), region, reason }
}

fn of_code(code: Option<&str>, status: u16, region: Option<&str>, needs: &str, kms: bool) -> (Kind, String) {
    let shown = code.map_or_else(|| format!("HTTP {status}"), |code| format!("HTTP {status} {code}"));
    match (code.unwrap_or_default(), status) {
        ("AccessDenied", _) if kms => (Kind::Denied, format!("needs kms:Decrypt on the key that encrypts the object ({shown})")),
        ("AccessDenied" | "AllAccessDisabled" | "AccountProblem", _) => (Kind::Denied, format!("needs {needs} ({shown})")),
        (code, _) if code.starts_with("KMS.") => (Kind::Denied, format!("the KMS key that encrypts the object cannot be used ({shown})")),
        ("ExpiredToken" | "ExpiredTokenException" | "TokenRefreshRequired" | "RequestExpired", _) => {
            (Kind::BadCredentials, format!("the credentials have expired; sign in again ({shown})"))
        }
        ("InvalidToken", _) => (Kind::BadCredentials, format!("the session token is not valid; sign in again ({shown})")),
        ("InvalidAccessKeyId", _) => {
            (Kind::BadCredentials, format!("wrong credentials: the server does not know this access key ({shown})"))
        }
        ("SignatureDoesNotMatch", _) => (
            Kind::BadCredentials,
            format!("wrong credentials: the secret key does not fit, or a proxy or the endpoint changes the request ({shown})"),
        ),
        ("RequestTimeTooSkewed", _) => (Kind::Unreachable, format!("this machine's clock is too far off the server's; set it ({shown})")),
        ("NoSuchBucket", _) => (Kind::Missing, format!("there is no such bucket ({shown})")),
        ("NoSuchKey" | "NotFound", _) => (Kind::Missing, format!("it is not there ({shown})")),
        (
            "PermanentRedirect" | "TemporaryRedirect" | "Redirect" | "AuthorizationHeaderMalformed" | "IllegalLocationConstraintException",
            _,
        )
        | (_, 301 | 307) => {
            let named =
                region.map_or_else(|| "another region, which the answer does not name".to_owned(), |region| format!("region {region}"));
            (Kind::WrongRegion, format!("the bucket lies in {named}; set s3.region or s3.buckets.<name>.region ({shown})"))
        }
        ("SlowDown" | "ServiceUnavailable" | "RequestLimitExceeded" | "TooManyRequests", _) | (_, 429 | 503) => {
            (Kind::Failed, format!("the store throttled the request, repeatedly; try again later ({shown})"))
        }
        ("NotImplemented", _) | (_, 501) => (Kind::Unsupported, format!("this store does not have this feature ({shown})")),
        ("MethodNotAllowed", _) | (_, 405) => (Kind::Unsupported, format!("this store does not allow this call ({shown})")),
        ("", 403) => (Kind::Denied, format!("forbidden without a reason; it may need {needs} ({shown})")),
        _ => (Kind::Failed, format!("answered {shown}")),
    }
}

/// 200 with a document of another kind. A server that does not know a sub-resource may ignore it and answer with the object listing.
fn of_other_document(body: &str) -> (Kind, String) {
    if root(body) == Some("ListBucketResult") && body.trim_end().ends_with("</ListBucketResult>") {
        return (Kind::Unsupported, "this store answers with the object listing instead: it does not know this call (HTTP 200)".to_owned());
    }
    (Kind::Failed, "answered HTTP 200 with something else than what was asked for; is a proxy in between?".to_owned())
}

fn of_connector(error: &ConnectorError) -> Refusal {
    if let Some(refusal) = of_credentials(error) {
        return refusal;
    }
    if error.is_timeout() {
        return Refusal::new(Kind::Unreachable, "no connection in time: the endpoint does not answer");
    }
    for cause in causes(error) {
        if let Some(io) = cause.downcast_ref::<std::io::Error>() {
            match io.kind() {
                std::io::ErrorKind::ConnectionRefused => return Refusal::new(Kind::Unreachable, "the endpoint refuses connections"),
                std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe | std::io::ErrorKind::UnexpectedEof => {
                    return Refusal::new(Kind::Failed, "the connection was cut");
                }
                std::io::ErrorKind::HostUnreachable | std::io::ErrorKind::NetworkUnreachable => {
                    return Refusal::new(Kind::Unreachable, "there is no route to the endpoint");
                }
                _ => {}
            }
        }
        let text = cause.to_string().to_ascii_lowercase();
        if text.contains("dns") || text.contains("lookup address") {
            return Refusal::new(Kind::Unreachable, "the endpoint's name cannot be resolved");
        }
        if text.contains("certificate") {
            return Refusal::new(
                Kind::Unreachable,
                "TLS: the endpoint's certificate is not trusted; SSL_CERT_FILE can name a bundle that holds its issuer",
            );
        }
        if text.contains("invalidcontenttype") || text.contains("tls") || text.contains("handshake") {
            return Refusal::new(Kind::Unreachable, "TLS: the handshake failed; does the endpoint speak https?");
        }
    }
    Refusal::new(Kind::Failed, "the connection failed or was cut")
}

/// Credentials that could not be had, wherever in the chain of causes they stand.
fn of_credentials(error: &(dyn StdError + 'static)) -> Option<Refusal> {
    let found = causes(error).find_map(|cause| cause.downcast_ref::<CredentialsError>())?;
    let reason = match found {
        CredentialsError::CredentialsNotLoaded(_) => {
            "no AWS credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile".to_owned()
        }
        CredentialsError::ProviderTimedOut(_) => "loading AWS credentials took too long".to_owned(),
        CredentialsError::InvalidConfiguration(_) => "the AWS profile cannot be used: check it in the AWS configuration files".to_owned(),
        other => {
            // The text of such errors can hold anything; only a code that is known is taken out of it.
            let text = format!("{other:?}");
            let codes = [
                "AccessDenied",
                "ExpiredToken",
                "InvalidClientTokenId",
                "SignatureDoesNotMatch",
                "RegionDisabledException",
                "InvalidGrant",
            ];
            match codes.iter().find(|code| text.contains(*code)) {
                Some(code) => format!("AWS credentials could not be had: the request for them was refused ({code})"),
                None => "AWS credentials could not be had: check the profile, the role to assume, or sign in again".to_owned(),
            }
        }
    };
    Some(Refusal::new(Kind::BadCredentials, reason))
}

/// The error and everything that caused it. A wrapper that is an `io::Error` hides its own cause, which is shown instead.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// Whether `text` is of the kind that codes and regions are, so that it can be shown.
fn is_code(text: &str) -> bool {
    !text.is_empty() && text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

/// The text of the first element of this name.
fn element<'a>(body: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = body.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(text, _)| text.trim())
}

/// The name of a document's root element.
fn root(body: &str) -> Option<&str> {
    let mut rest = body;
    loop {
        let (_, after) = rest.split_once('<')?;
        if !after.starts_with(['?', '!']) {
            return after.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next();
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_decides_and_not_the_status() {
        let needs = "s3:ListBucket on the bucket";
        for (code, status, kind, word) in [
            (Some("AccessDenied"), 403, Kind::Denied, "needs s3:ListBucket"),
            (Some("InvalidAccessKeyId"), 403, Kind::BadCredentials, "access key"),
            (Some("SignatureDoesNotMatch"), 403, Kind::BadCredentials, "secret key"),
            (Some("RequestTimeTooSkewed"), 403, Kind::Unreachable, "clock"),
            (Some("KMS.DisabledException"), 400, Kind::Denied, "KMS key"),
            (Some("ExpiredToken"), 400, Kind::BadCredentials, "expired"),
            (Some("SlowDown"), 503, Kind::Failed, "throttled"),
            (Some("NotImplemented"), 501, Kind::Unsupported, "feature"),
            (Some("MethodNotAllowed"), 405, Kind::Unsupported, "call"),
            (Some("NoSuchBucket"), 404, Kind::Missing, "no such bucket"),
            (Some("PermanentRedirect"), 301, Kind::WrongRegion, "another region"),
            (Some("SomethingNew"), 400, Kind::Failed, "HTTP 400 SomethingNew"),
            // A proxy's 404 is not a bucket that does not exist.
            (None, 404, Kind::Failed, "HTTP 404"),
            (None, 403, Kind::Denied, "forbidden without a reason"),
        ] {
            let (is, reason) = of_code(code, status, None, needs, false);
            assert_eq!(is, kind, "{code:?} {status}");
            assert!(reason.contains(word), "{reason}");
        }
    }

    #[test]
    fn another_document_is_unsupported_only_if_it_is_the_listing() {
        let listing = "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"x\"><Name>b</Name></ListBucketResult>\n";
        assert_eq!(of_other_document(listing).0, Kind::Unsupported);
        for body in ["", "<html>sign in</html>", "<ListBucketResult><Name>b</Na", "not xml"] {
            assert_eq!(of_other_document(body).0, Kind::Failed, "{body}");
        }
    }

    #[test]
    fn what_a_server_says_is_shown_only_if_it_looks_like_a_code() {
        assert!(is_code("KMS.DisabledException"));
        assert!(!is_code("AKIA EXAMPLE"));
        assert!(!is_code(&"x".repeat(65)));
    }
}
