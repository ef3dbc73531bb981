//! The command line: what can be typed. What it does is in `commands`.

mod compare;
mod connect;
mod evidence;
mod gate;
mod input;
mod output;
mod product;
mod read;
mod remedy;
mod select;
mod snapshot;

use clap::{Args, Parser, Subcommand};

pub(crate) use compare::{CompareArgs, CompareFormat};
pub(crate) use connect::ConnectArgs;
pub(crate) use evidence::{EvidenceArgs, TimeArgs};
pub(crate) use gate::GateArgs;
pub(crate) use input::InputArgs;
pub(crate) use output::{ColorChoice, Format, OutputArgs, PlainFormat, TalkArgs};
pub(crate) use product::{CompletionsArgs, DoctorArgs, InitArgs, ManArgs, SchemaArgs};
pub(crate) use read::ReadArgs;
pub(crate) use remedy::RemedyArgs;
pub(crate) use select::SelectArgs;
pub(crate) use snapshot::SnapshotArgs;

const EXIT_CODES: &str = "\
Exit codes (the same in every format):
  0  everything that the gate needs was checked, nothing at or above --fail-on
  1  at least one finding at or above --fail-on
  2  usage error; an invalid manifest, audit file or evidence file; an output that cannot be written
  3  incomplete: a check that could have tripped the gate is unknown. Outranks 1; findings are still printed.
     --allow-incomplete gives 0 or 1 instead

Lines and columns in messages and reports count from 1.";

const COLLECT_EXIT_CODES: &str = "\
Exit codes:
  0  the evidence was written, and nothing that check would need is missing
  1  never
  2  usage error; an invalid manifest or audit file; an output that cannot be written
  3  incomplete: the evidence was written, and something that check would need could not be had

Lines and columns in messages count from 1.";

/// Can every Flink job come back without losing records and without writing them twice?
///
/// Reads job manifests (state and its TTL, sources, snapshots), asks Kafka for retention and S3 for the storage class and the fate of
/// snapshots, compares, and says what would be lost or written twice. Read-only: it describes, lists and heads, and reads `_metadata`.
#[derive(Debug, Parser)]
#[command(name = "ttl-audit", version, after_help = EXIT_CODES, max_term_width = 120)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// How to talk.
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Audit folders, audit files or single manifests and print a report
    Check(Box<CheckArgs>),
    /// Only collect evidence, to be judged later with `check --offline`
    Collect(Box<CollectArgs>),
    /// Print what to paste: configuration, commands, code, and SQL for the damage done
    Remedy(Box<RemedyArgs>),
    /// Show what a savepoint or checkpoint contains and needs
    Snapshot(Box<SnapshotArgs>),
    /// Compare two JSON reports: new, worse, same, better, fixed, and which fact moved
    Compare(CompareArgs),
    /// List all rules
    Rules,
    /// Explain a rule: what it compares, why it matters, how to repair it
    Explain(ExplainArgs),
    /// Check connections, credentials and rights one by one before a run
    Doctor(DoctorArgs),
    /// Write a first audit folder, commented, to be filled in
    Init(InitArgs),
    /// Print the JSON Schema of a manifest, an audit file, evidence or a report
    Schema(SchemaArgs),
    /// Print what makes a shell complete the command line
    Completions(CompletionsArgs),
    /// Print the manual page of a command, or write all of them
    Man(ManArgs),
}

/// `check`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CheckArgs {
    /// What is judged.
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// What is written.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What is judged, and how: what `check` and `remedy` share.
#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    /// What to audit.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Which part of it.
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    /// Where evidence comes from and goes to.
    #[command(flatten)]
    pub(crate) evidence: EvidenceArgs,
    /// Whether state files are read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How to connect without an audit file.
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
    /// How long to wait.
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// What trips the gate.
    #[command(flatten)]
    pub(crate) gate: GateArgs,
}

/// `collect`.
#[derive(Debug, Args)]
#[command(after_help = COLLECT_EXIT_CODES)]
pub(crate) struct CollectArgs {
    /// What to audit.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Write the evidence here instead of `evidence.json` in the audit's folder; `.gz` compresses
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub(crate) save_evidence: Option<std::path::PathBuf>,
    /// Collect for the instant that will be judged [default: `as_of` of the audit file, or now]
    #[arg(long, value_name = "INSTANT", help_heading = "Evidence")]
    pub(crate) as_of: Option<ttl_audit::units::Instant>,
    /// Only these jobs; may be given several times
    #[arg(long = "job", value_name = "JOB", help_heading = "Selection")]
    pub(crate) jobs: Vec<String>,
    /// Look into every snapshot, not only into the newest complete one of each location
    #[arg(long, help_heading = "Selection")]
    pub(crate) all_snapshots: bool,
    /// Whether state files are read.
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// How to connect without an audit file.
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
    /// How long to wait.
    #[command(flatten)]
    pub(crate) time: TimeArgs,
}

/// `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The rule; without it, all are listed
    pub(crate) rule: Option<String>,
}
