//! Where an audit's files lie, for formats that are read outside its folder.

use super::{FileLocation, Report};

/// A report, and the folder of its audit as the readers of the format name it.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The report.
    pub report: &'a Report,
    /// The folder, with `/` between its parts: relative to the repository or the working directory, or absolute; empty if the files of the
    /// report are named from there already.
    pub folder: String,
}

impl Placed<'_> {
    /// The path of a file that the report names.
    pub(super) fn path(&self, location: &FileLocation) -> String {
        if location.file.starts_with('/') {
            return location.file.clone();
        }
        match self.folder.trim_end_matches('/') {
            "" if self.folder.starts_with('/') => format!("/{}", location.file),
            "" | "." => location.file.clone(),
            folder => format!("{folder}/{}", location.file),
        }
    }
}
