//! `doctor` against a broker whose certificate a private authority signed.

use std::fs;

use crate::{harness::ttl_audit, kafka_broker::broker};

/// `doctor` on one job of the TLS listener, with these client properties.
fn doctor(properties: &str) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).expect("a file");
    write("job.yaml", "version: 1\njob: a\nsources: [{id: s, topic: orders}]\n");
    write("client.properties", &format!("bootstrap.servers={}\nsecurity.protocol=SSL\n{properties}", broker().tls));
    let output = ttl_audit()
        .arg("doctor")
        .arg(folder.path().join("job.yaml"))
        .arg("--kafka-config")
        .arg(folder.path().join("client.properties"))
        .args(["--timeout", "15s"])
        .output()
        .expect("it runs");
    (output.status.code().expect("it was not killed"), String::from_utf8(output.stdout).expect("text"))
}

/// Field case F52: a TLS library that is built in does not find the machine's certificates.
#[test]
fn f52_an_untrusted_certificate_names_the_setting_and_the_paths_that_were_probed() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (code, said) = doctor("");
    let said = words(&said);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("the broker's certificate is not trusted"), "{said}");
    assert!(said.contains("→ set ssl.ca.location to a PEM file"), "{said}");
    assert!(said.contains("/etc/ssl/certs/ca-certificates.crt") && said.contains("/etc/pki/tls/certs/ca-bundle.crt"), "{said}");
    // A wrong authority is named as the one that it was held against.
    let other = broker().folder.join("other-ca.pem").display().to_string();
    let (code, said) = doctor(&format!("ssl.ca.location={other}\n"));
    assert_eq!(code, 3, "{said}");
    assert!(words(&said).contains("it was held against") && said.contains("other-ca.pem"), "{said}");
    // The twin: with the setting everything is answered.
    let (code, said) = doctor(&format!("ssl.ca.location={}\n", broker().folder.join("ca.pem").display()));
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("✓ connection and credentials: ok"), "{said}");
}
