//! What is written, and how.

use std::{path::PathBuf, str::FromStr};

use clap::{Args, ValueEnum};

/// What is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// The format of the report on stdout
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    /// Also write the report to a file, as FORMAT=FILE; may be given several times
    #[arg(long = "output", value_name = "FORMAT=FILE")]
    pub(crate) outputs: Vec<TargetArg>,
    /// For sharing: clusters, hosts, buckets, topics, groups, jobs, owners and the client become aliases in every format
    #[arg(long)]
    pub(crate) redact_names: bool,
    /// Also tell what each way of coming back costs by UTC day, as a warehouse would count it
    #[arg(long)]
    pub(crate) by_day: bool,
}

/// How to talk.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TalkArgs {
    /// When to use colours; `auto` asks the terminal, NO_COLOR and CI
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
    /// No progress and no summary on stderr
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Show healthy jobs in full, and on stderr what is asked; twice for more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// For machines, version 1
    Json,
    /// For code scanning, SARIF 2.1.0
    Sarif,
    /// For the test view of CI systems, JUnit XML
    Junit,
    /// For GitHub Actions: annotations, and a summary of the job
    Github,
    /// For clients, to read and to edit
    Markdown,
    /// For clients, to look at: one file
    Html,
}

/// The format of what is no report: for people, or for machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    /// For people
    Table,
    /// For machines
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR or CI is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `FORMAT=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetArg {
    /// The format.
    pub(crate) format: Format,
    /// The file.
    pub(crate) file: PathBuf,
}

impl FromStr for TargetArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, file) = text.split_once('=').ok_or("write FORMAT=FILE, such as json=report.json")?;
        let format = Format::from_str(format, false).map_err(|_| {
            let known: Vec<String> =
                Format::value_variants().iter().filter_map(|known| Some(known.to_possible_value()?.get_name().to_owned())).collect();
            format!("`{format}` is not a format; write one of {}", known.join(", "))
        })?;
        match file {
            "" => Err("the file is missing; write FORMAT=FILE, such as json=report.json".to_owned()),
            "-" => Err("the report goes to stdout by --format; --output wants a file".to_owned()),
            file => Ok(Self { format, file: PathBuf::from(file) }),
        }
    }
}
