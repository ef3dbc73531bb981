//! What every test needs: the binary in a scrubbed environment, and folders of its own.

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A path in the repository.
pub(crate) fn in_root(path: &str) -> PathBuf {
    root().join(path)
}

/// The binary, run in the repository, with nothing of this machine's environment but what a process cannot do without.
pub(crate) fn ttl_audit() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ttl-audit"));
    command.env_clear().current_dir(root());
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}
