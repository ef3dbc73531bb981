//! The arguments of what surrounds an audit: `doctor`, `init`, `schema`, `completions`, `man`.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser, builder::TypedValueParser as _};
use clap_complete::Shell;
use ttl_audit::schema::Document;

use super::{ConnectArgs, InputArgs, PlainFormat, TimeArgs};

const DOCTOR_EXIT_CODES: &str = "\
Exit codes:
  0  everything that a run would ask was answered, or whoever was asked has no such feature
  1  never
  2  usage error; an invalid manifest or audit file; a variable that is not set
  3  something is missing: a connection, credentials, a right";

/// `doctor`.
#[derive(Debug, Args)]
#[command(after_help = DOCTOR_EXIT_CODES)]
pub(crate) struct DoctorArgs {
    /// What to audit.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to connect without an audit file.
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
    /// How long to wait.
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// The format on stdout
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PlainFormat::Table)]
    pub(crate) format: PlainFormat,
}

/// `init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The folder of the new audit; it may exist and must then be empty
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}

/// `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Of which document
    #[arg(value_name = "DOCUMENT", value_parser = PossibleValuesParser::new(Document::ALL.map(Document::word))
        .try_map(|word| word.parse::<Document>()))]
    pub(crate) document: Document,
}

/// `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command; without it, the page of the program
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write the pages of the program and of all its commands into this folder instead
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) dir: Option<PathBuf>,
}
