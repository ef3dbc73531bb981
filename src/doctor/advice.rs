//! What to do about a reason, going by what it says.

/// Where librdkafka looks for the machine's own certificates if `ssl.ca.location` is not stated: the files and folders of Linux first.
const PROBED: &str = "/etc/pki/tls/certs/ca-bundle.crt, /etc/ssl/certs/ca-bundle.crt, /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem, \
                      /etc/ssl/ca-bundle.pem, /etc/ssl/cert.pem, /etc/ssl/certs/ca-certificates.crt, /etc/ssl/certs and others";

/// About a Kafka cluster that gives no answer. `ca` is its `ssl.ca.location`.
pub(super) fn of_connection(reason: &str, ca: Option<&str>) -> String {
    let says = |words: &str| reason.contains(words);
    if says("certificate is not trusted") {
        let looked = match ca {
            Some(file) => format!("it was held against {file}"),
            None => format!("ssl.ca.location is not stated, so the first of these that is there was taken: {PROBED}"),
        };
        return format!(
            "set ssl.ca.location to a PEM file with the certificate of the broker's authority; {looked}. Or the host's name is not in the certificate"
        );
    }
    let advice = if says("cannot be resolved") {
        "check the name; a broker may also advertise a name that is only known inside its network (advertised.listeners)"
    } else if says("refuses the credentials") {
        "check sasl.username and sasl.password, and whether the user exists on this cluster"
    } else if says("does not support this SASL mechanism") {
        "set sasl.mechanism to one that this listener offers"
    } else if says("another client certificate") {
        "set ssl.certificate.location and ssl.key.location"
    } else if says("may not speak TLS") || says("does not seem to speak TLS") {
        "set security.protocol to PLAINTEXT or SASL_PLAINTEXT, or name the port of the TLS listener"
    } else if says("may expect TLS") {
        "set security.protocol to SSL, SASL_SSL or SASL_PLAINTEXT, as the listener wants it"
    } else if says("is refused") || says("no connection") {
        "check host and port, and whether a firewall lets this machine through"
    } else {
        "raise --timeout or --deadline if the cluster is only slow; docs/kafka.md explains each reason"
    };
    advice.to_owned()
}

/// About something that S3 did not tell.
pub(super) fn of_s3(reason: &str) -> String {
    let says = |words: &str| reason.contains(words);
    let advice = if says("needs ") {
        "allow that action; docs/rights.md has the whole policy"
    } else if says("no AWS credentials") || says("credentials could not be had") {
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a profile, or check the role's trust policy and external_id"
    } else if says("expired") || says("token") {
        "sign in again"
    } else if says("wrong credentials") {
        "check which account the credentials belong to, and endpoint_url"
    } else if says("no such bucket") {
        "check the bucket's name, the account and endpoint_url"
    } else if says("lies in") {
        "set region for this bucket"
    } else if says("TLS") || says("refuses connections") || says("cannot be resolved") || says("does not answer") {
        "check endpoint_url and the network; a private certificate authority is trusted through SSL_CERT_FILE"
    } else if says("deadline") || says("no answer within") {
        "raise --timeout or --deadline"
    } else {
        "docs/s3.md explains each reason"
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untrusted_certificate_names_the_setting_and_where_was_looked() {
        let reason = "failed: a:1: the broker's certificate is not trusted (certificate verify failed)";
        let unstated = of_connection(reason, None);
        assert!(unstated.contains("set ssl.ca.location") && unstated.contains("/etc/ssl/certs/ca-certificates.crt"), "{unstated}");
        let stated = of_connection(reason, Some("/tls/ca.pem"));
        assert!(stated.contains("held against /tls/ca.pem") && !stated.contains("/etc/ssl"), "{stated}");
    }

    #[test]
    fn reasons_of_the_collectors_have_their_own_advice() {
        for (reason, advice) in [
            ("failed: x:9: the host name cannot be resolved (…)", "advertised.listeners"),
            ("failed: x:9: the broker refuses the credentials (…)", "sasl.password"),
            ("failed: x:9: the broker does not seem to speak TLS (…)", "PLAINTEXT"),
            ("failed: x:9: the connection is refused (…)", "firewall"),
        ] {
            assert!(of_connection(reason, None).contains(advice), "{reason}");
        }
        for (reason, advice) in [
            ("denied: needs s3:GetLifecycleConfiguration on the bucket", "allow that action"),
            ("denied: no AWS credentials were found", "AWS_ACCESS_KEY_ID"),
            ("failed: the bucket lies in eu-west-1", "region"),
        ] {
            assert!(of_s3(reason).contains(advice), "{reason}");
        }
    }
}
