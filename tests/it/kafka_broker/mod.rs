//! A real Apache Kafka for the tests: one process, KRaft, everything on loopback, started once for all tests of this process.
//!
//! | listener | protocol | for |
//! | --- | --- | --- |
//! | `internal` | PLAINTEXT | preparing; everything is allowed |
//! | `plain` | SASL_PLAINTEXT, PLAIN | `auditor`, `nobody` |
//! | `scram` | SASL_PLAINTEXT, SCRAM-SHA-256 and -512 | `auditor` |
//! | `tls` | SSL, no client certificate | everything is allowed |
//! | `mtls` | SSL, client certificate required | `CN=auditor` |
//!
//! The broker would create topics by itself (`auto.create.topics.enable=true`): an audit must not make it do so.

mod certificates;
mod records;

use std::{
    fs,
    io::Write as _,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use rdkafka::{
    ClientConfig,
    consumer::{BaseConsumer, Consumer as _},
};

pub(crate) use records::Producer;

use crate::harness::in_root;

/// A running broker. It ends with this process.
pub(crate) struct Broker {
    /// `127.0.0.1:port` of each listener.
    pub(crate) internal: String,
    pub(crate) plain: String,
    pub(crate) scram: String,
    pub(crate) tls: String,
    pub(crate) mtls: String,
    /// Certificates, settings, data, log.
    pub(crate) folder: PathBuf,
}

/// What the broker starts with, besides topics that tests add with [`Broker::seed`].
const SEED: &str = "
topic orders 3 retention.ms=2592000000
topic hidden-config 1
topic invisible 1
acl User:auditor TOPIC orders DESCRIBE
acl User:auditor TOPIC orders DESCRIBE_CONFIGS
acl User:auditor TOPIC hidden-config DESCRIBE
acl User:auditor TOPIC missing DESCRIBE
acl User:auditor TOPIC missing DESCRIBE_CONFIGS
acl User:auditor CLUSTER kafka-cluster DESCRIBE_CONFIGS
acl User:auditor GROUP readable DESCRIBE
acl User:CN=auditor TOPIC orders DESCRIBE
acl User:CN=auditor TOPIC orders DESCRIBE_CONFIGS
";

/// The broker; the first call starts it. Fails the test if it cannot start: nothing is skipped.
pub(crate) fn broker() -> &'static Broker {
    static BROKER: OnceLock<Result<Broker, String>> = OnceLock::new();
    BROKER.get_or_init(start).as_ref().unwrap_or_else(|error| panic!("Apache Kafka did not start: {error}"))
}

fn start() -> Result<Broker, String> {
    let libs = in_root(".cache/kafka/libs");
    if !in_root(".cache/kafka/fetched").is_file() {
        return Err("its jars are not in .cache/kafka; run scripts/fetch-kafka".to_owned());
    }
    let folder = tempfile::Builder::new().prefix("ttl-audit-kafka-").tempdir().map_err(|error| error.to_string())?.keep();
    certificates::make(&folder)?;
    let [controller, internal, plain, scram, tls, mtls] = free_addresses();
    let broker = Broker { internal, plain, scram, tls, mtls, folder };
    let settings = broker.folder.join("server.properties");
    fs::write(&settings, broker.settings(&controller)).map_err(|error| error.to_string())?;
    format(&libs, &settings)?;
    let child = broker.run(&libs, &settings)?;
    broker.wait(child)?;
    broker.seed(SEED)?;
    Ok(broker)
}

/// `127.0.0.1` with ports that were free a moment ago, all different.
fn free_addresses<const COUNT: usize>() -> [String; COUNT] {
    let held = [(); COUNT].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    held.each_ref().map(|listener| listener.local_addr().expect("an address").to_string())
}

impl Broker {
    fn settings(&self, controller: &str) -> String {
        let Self { internal, plain, scram, tls, mtls, folder } = self;
        let folder = folder.display();
        let plain_module = "org.apache.kafka.common.security.plain.PlainLoginModule required";
        let scram_module = "org.apache.kafka.common.security.scram.ScramLoginModule required;";
        let tls_listener = |name: &str, client: &str| {
            format!(
                "listener.name.{name}.ssl.keystore.type=PEM
listener.name.{name}.ssl.keystore.location={folder}/server.pem
listener.name.{name}.ssl.truststore.type=PEM
listener.name.{name}.ssl.truststore.location={folder}/ca.pem
listener.name.{name}.ssl.client.auth={client}"
            )
        };
        format!(
            "process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers={controller}
controller.listener.names=CONTROLLER
listeners=CONTROLLER://{controller},INTERNAL://{internal},PLAIN://{plain},SCRAM://{scram},TLS://{tls},MTLS://{mtls}
advertised.listeners=INTERNAL://{internal},PLAIN://{plain},SCRAM://{scram},TLS://{tls},MTLS://{mtls}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT,PLAIN:SASL_PLAINTEXT,SCRAM:SASL_PLAINTEXT,TLS:SSL,MTLS:SSL
inter.broker.listener.name=INTERNAL
listener.name.plain.sasl.enabled.mechanisms=PLAIN
listener.name.plain.plain.sasl.jaas.config={plain_module} user_auditor=\"auditor-pw\" user_nobody=\"nobody-pw\";
listener.name.scram.sasl.enabled.mechanisms=SCRAM-SHA-256,SCRAM-SHA-512
listener.name.scram.scram-sha-256.sasl.jaas.config={scram_module}
listener.name.scram.scram-sha-512.sasl.jaas.config={scram_module}
{}
{}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
allow.everyone.if.no.acl.found=false
log.dirs={folder}/data
num.partitions=1
auto.create.topics.enable=true
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
log.retention.check.interval.ms=1000
log.initial.task.delay.ms=500
log.cleaner.backoff.ms=500
log.roll.hours=100
log.cleaner.delete.retention.ms=86400001
",
            tls_listener("tls", "none"),
            tls_listener("mtls", "required"),
        )
    }

    /// The shell between waits for the end of its input, which comes when this process ends, however it ends; then it ends the broker and
    /// removes the folder.
    fn run(&self, libs: &Path, settings: &Path) -> Result<Child, String> {
        let script = r#"folder=$1; shift
            "$@" </dev/null >"$folder/kafka.log" 2>&1 & broker=$!
            cat >/dev/null
            kill -9 "$broker"; wait "$broker"
            rm -rf "$folder""#;
        let java = java(libs);
        Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(&self.folder)
            .arg(java.get_program())
            .args(java.get_args())
            .arg("kafka.Kafka")
            .arg(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("sh: {error}"))
    }

    /// Until it answers. The child's input stays open for as long as this process lives.
    fn wait(&self, mut child: Child) -> Result<(), String> {
        let consumer: BaseConsumer =
            ClientConfig::new().set("bootstrap.servers", &self.internal).create().map_err(|error| error.to_string())?;
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_mins(2) {
            if consumer.fetch_metadata(None, Duration::from_secs(1)).is_ok_and(|metadata| !metadata.brokers().is_empty()) {
                std::mem::forget(child.stdin.take());
                return Ok(());
            }
        }
        let log = fs::read_to_string(self.folder.join("kafka.log")).unwrap_or_default();
        let tail: Vec<&str> = log.lines().rev().take(30).collect();
        Err(format!("no answer within 2 minutes; its log ends with\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n")))
    }

    /// Runs commands of `tests/support/kafka/Seed.java` and returns what they print.
    pub(crate) fn seed(&self, commands: &str) -> Result<String, String> {
        let mut child = java(&in_root(".cache/kafka/libs"))
            .arg(in_root("tests/support/kafka/Seed.java"))
            .arg(&self.internal)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("java: {error}"))?;
        child.stdin.take().ok_or("no input")?.write_all(commands.trim().as_bytes()).map_err(|error| error.to_string())?;
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(format!("Seed.java: {}", String::from_utf8_lossy(&output.stderr)))
        }
    }

    /// The names of all topics, internal ones too.
    pub(crate) fn topics(&self) -> Vec<String> {
        self.seed("topics").expect("a list of topics").lines().map(str::to_owned).collect()
    }
}

fn java(libs: &Path) -> Command {
    let mut command = Command::new("java");
    command.args(["-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"]).arg(libs.join("*"));
    command
}

/// Prepares the data folder, with the SCRAM users.
fn format(libs: &Path, settings: &Path) -> Result<(), String> {
    let output = java(libs)
        // Any 16 bytes in URL-safe base64.
        .args(["kafka.tools.StorageTool", "format", "--standalone", "-t", "dHRsLWF1ZGl0LXRlc3RzIQ", "-c"])
        .arg(settings)
        .args(["--add-scram", "SCRAM-SHA-256=[name=auditor,password=auditor-pw]"])
        .args(["--add-scram", "SCRAM-SHA-512=[name=auditor,password=auditor-pw]"])
        .output()
        .map_err(|error| format!("java: {error}"))?;
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(()) } else { Err(format!("format: {said}")) }
}
