//! Where reports go: stdout, and files that were tried before the work.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

/// Prints to stdout. A reader that went away is not an error: what was found stands.
pub(super) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("stdout cannot be written"),
    }
}

/// A file that will be written. It is opened before the work, so that a bad path does not cost a run; what it held stays until then.
pub(super) struct Target {
    path: PathBuf,
    file: File,
    /// Whether it is new: then it is taken away again if nothing was written.
    created: bool,
    written: bool,
}

impl Target {
    /// Opens `path` for writing without touching what is there.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let cannot = || format!("{} cannot be written", path.display());
        let (file, created) = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                (OpenOptions::new().write(true).open(path).with_context(cannot)?, false)
            }
            Err(error) => return Err(error).with_context(cannot),
        };
        Ok(Self { path: path.to_owned(), file, created, written: false })
    }

    /// Where it lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces what the file holds.
    pub(super) fn write(mut self, bytes: &[u8]) -> Result<()> {
        let regular = self.file.metadata().is_ok_and(|metadata| metadata.is_file());
        self.written = true;
        let truncated = if regular { self.file.set_len(0) } else { Ok(()) };
        truncated
            .and_then(|()| self.file.write_all(bytes))
            .and_then(|()| self.file.flush())
            .with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.created && !self.written {
            // It is empty and ours; if it cannot be taken away there is nobody to tell.
            let _ = fs::remove_file(&self.path);
        }
    }
}
