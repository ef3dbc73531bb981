//! A certificate authority, a server's and a client's certificate, made by the `openssl` command.

use std::{fs, path::Path, process::Command};

/// Makes `ca.pem`, `server.pem` (key and chain), `client.pem`, `client.key` and `other-ca.pem` in `folder`.
pub(super) fn make(folder: &Path) -> Result<(), String> {
    authority(folder, "ca")?;
    authority(folder, "other-ca")?;
    signed(folder, "server", "/CN=127.0.0.1", "subjectAltName=IP:127.0.0.1,DNS:localhost")?;
    signed(folder, "client", "/CN=auditor", "extendedKeyUsage=clientAuth")?;
    let read = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let whole = read("server.key")? + &read("server.crt")? + &read("ca.pem")?;
    fs::write(folder.join("server.pem"), whole).map_err(|error| error.to_string())?;
    fs::rename(folder.join("client.crt"), folder.join("client.pem")).map_err(|error| error.to_string())
}

fn authority(folder: &Path, name: &str) -> Result<(), String> {
    let arguments = format!("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -keyout {name}.key -out {name}.pem");
    openssl(folder, &arguments.split(' ').collect::<Vec<_>>())
}

fn signed(folder: &Path, name: &str, subject: &str, extension: &str) -> Result<(), String> {
    fs::write(folder.join(format!("{name}.ext")), extension).map_err(|error| error.to_string())?;
    let request = format!("req -newkey rsa:2048 -nodes -subj {subject} -keyout {name}.key -out {name}.csr");
    openssl(folder, &request.split(' ').collect::<Vec<_>>())?;
    let sign = format!("x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile {name}.ext -out {name}.crt");
    openssl(folder, &sign.split(' ').collect::<Vec<_>>())
}

fn openssl(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let output =
        Command::new("openssl").args(arguments).current_dir(folder).output().map_err(|error| format!("openssl: {error}; install it"))?;
    if output.status.success() { Ok(()) } else { Err(format!("openssl: {}", String::from_utf8_lossy(&output.stderr))) }
}
