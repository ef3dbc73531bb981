//! moto, an S3 server, started once for all tests of this process and seeded with the Meridian buckets.

use std::{
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use crate::harness::in_root;

/// A running moto. Its standard input is held open here: the server ends when this process does, however it does.
pub(crate) struct Moto {
    endpoint: String,
    _process: Child,
}

impl Moto {
    /// `http://127.0.0.1:<port>`. It takes any credentials.
    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

/// The server, with the buckets `msi-flink-savepoints` and `safe-savepoints` in it (see `tests/support/s3/seed_meridian.py`).
pub(crate) fn moto() -> &'static Moto {
    static MOTO: OnceLock<Moto> = OnceLock::new();
    MOTO.get_or_init(|| {
        let moto = start();
        seed(&moto);
        moto
    })
}

fn python() -> PathBuf {
    let python = in_root(".cache/moto/venv/bin/python");
    assert!(python.exists(), "moto is not installed: run scripts/fetch-moto, which needs python3 with venv");
    python
}

fn start() -> Moto {
    let mut command = Command::new(python());
    command.arg(in_root("tests/support/s3/serve_moto.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("moto starts");
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("moto tells its port");
    let port: u16 = line.trim().parse().expect("moto tells its port; what stands above is why it did not");
    Moto { endpoint: format!("http://127.0.0.1:{port}"), _process: process }
}

fn seed(moto: &Moto) {
    let seeded =
        Command::new(python()).arg(in_root("tests/support/s3/seed_meridian.py")).arg(&moto.endpoint).output().expect("the seeding runs");
    assert!(seeded.status.success(), "the seeding failed: {}", String::from_utf8_lossy(&seeded.stderr));
}

/// Runs a few lines of Python with boto3 and an S3 `client` of this server; `argv[1..]` are `arguments`.
pub(crate) fn boto3(moto: &Moto, lines: &str, arguments: &[&str]) {
    let script = format!(
        "import json, sys, boto3\nclient = boto3.client('s3', endpoint_url='{}', region_name='us-east-1', aws_access_key_id='test', \
         aws_secret_access_key='test')\n{lines}",
        moto.endpoint
    );
    let ran = Command::new(python()).arg("-c").arg(script).args(arguments).output().expect("Python runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}
