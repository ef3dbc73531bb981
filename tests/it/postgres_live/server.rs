//! A real PostgreSQL for the tests: one process on a Unix socket in a folder of its own, started once for all tests of this process.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

/// A running server. It ends with this process.
pub(super) struct Server {
    bin: PathBuf,
    folder: PathBuf,
}

/// The server; the first call starts it. Fails the test if it cannot start: nothing is skipped.
pub(super) fn server() -> &'static Server {
    static SERVER: OnceLock<Result<Server, String>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref().unwrap_or_else(|error| panic!("PostgreSQL did not start: {error}"))
}

/// Where Debian keeps the programs of a server (the newest one counts), or where `initdb` in the path really lies.
fn programs() -> Result<PathBuf, String> {
    let mut found: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|bin| bin.join("initdb").is_file() && bin.join("postgres").is_file())
        .collect();
    found.sort_by_key(|bin| bin.parent().and_then(|version| version.file_name()?.to_str()?.parse::<u32>().ok()));
    let in_path = || {
        std::env::split_paths(&std::env::var_os("PATH")?)
            .filter_map(|folder| folder.join("initdb").canonicalize().ok()?.parent().map(Path::to_owned))
            .find(|bin| bin.join("postgres").is_file())
    };
    found.pop().or_else(in_path).ok_or_else(|| "it is not installed; on Debian: apt-get install postgresql".to_owned())
}

fn start() -> Result<Server, String> {
    let bin = programs()?;
    let folder = tempfile::Builder::new().prefix("ttl-audit-pg-").tempdir().map_err(|error| error.to_string())?.keep();
    let server = Server { bin, folder };
    fs::set_permissions(&server.folder, fs::Permissions::from_mode(0o700)).map_err(|error| error.to_string())?;
    if root(&server.folder) {
        said(Command::new("chown").arg("postgres").arg(&server.folder).output())?;
    }
    let data = server.folder.join("data");
    let mut initdb = server.run("initdb");
    said(initdb.args(["--username=auditor", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "-D"]).arg(&data).output())?;
    let child = server.serve(&data)?;
    server.wait(child)?;
    Ok(server)
}

/// PostgreSQL refuses to run as root; the tests may be run by root, in a container.
fn root(own: &Path) -> bool {
    fs::metadata(own).is_ok_and(|metadata| metadata.uid() == 0)
}

fn said(output: std::io::Result<Output>) -> Result<(), String> {
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

impl Server {
    /// A program of the server, as somebody else than root.
    fn run(&self, program: &str) -> Command {
        let program = self.bin.join(program);
        let Ok(me) = fs::metadata("/proc/self") else { return Command::new(program) };
        if me.uid() != 0 {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program).current_dir("/");
        command
    }

    /// The shell between waits for the end of its input, which comes when this process ends, however it ends; then it ends the server and
    /// removes the folder.
    fn serve(&self, data: &Path) -> Result<Child, String> {
        let script = r#"folder=$1; shift
            "$@" </dev/null 2>"$folder/log" & server=$!
            cat >/dev/null
            kill -QUIT "$server"; wait "$server"
            rm -rf "$folder""#;
        let postgres = self.run("postgres");
        Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(&self.folder)
            .arg(postgres.get_program())
            .args(postgres.get_args())
            .arg("-D")
            .arg(data)
            .arg("-k")
            .arg(&self.folder)
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=40"])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("sh: {error}"))
    }

    /// Until it answers. The child's input stays open for as long as this process lives.
    fn wait(&self, mut child: Child) -> Result<(), String> {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_mins(1) {
            if self.client("postgres").args(["-c", "SELECT 1"]).output().is_ok_and(|output| output.status.success()) {
                std::mem::forget(child.stdin.take());
                return Ok(());
            }
            std::thread::yield_now();
        }
        Err(format!("no answer within a minute; its log: {}", fs::read_to_string(self.folder.join("log")).unwrap_or_default()))
    }

    fn client(&self, database: &str) -> Command {
        let mut command = Command::new(self.bin.join("psql"));
        command.env_clear().env("PGHOST", &self.folder).env("PGUSER", "auditor").env("PGDATABASE", database);
        command.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]);
        command
    }

    /// An empty database of this name.
    pub(super) fn database(&'static self, name: &str) -> Database {
        let made = self.client("postgres").args(["-c", &format!("CREATE DATABASE {name}")]).output();
        said(made).unwrap_or_else(|error| panic!("{name}: {error}"));
        Database { server: self, name: name.to_owned() }
    }
}

/// A database of its own for each test.
pub(super) struct Database {
    server: &'static Server,
    name: String,
}

impl Database {
    /// Runs SQL as psql would run a file, and returns what it printed; the error is what it said.
    pub(super) fn run(&self, sql: &str) -> Result<String, String> {
        let mut child = self.session();
        child.stdin.take().expect("an input").write_all(sql.as_bytes()).expect("psql reads");
        let output = child.wait_with_output().expect("psql ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// What a query gives, one line for each row.
    pub(super) fn ask(&self, sql: &str) -> Vec<String> {
        self.run(sql).unwrap_or_else(|error| panic!("{sql}\n{error}")).lines().map(str::to_owned).collect()
    }

    /// psql, reading what is written to it.
    pub(super) fn session(&self) -> Child {
        self.server
            .client(&self.name)
            .args(["--file", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("psql starts")
    }

    /// Until a query gives something.
    pub(super) fn until(&self, sql: &str) {
        let begun = Instant::now();
        while self.ask(sql).is_empty() {
            assert!(begun.elapsed() < Duration::from_mins(1), "never: {sql}");
        }
    }
}
