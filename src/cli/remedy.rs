//! The arguments of `remedy`.

use clap::{Args, builder::PossibleValuesParser, builder::TypedValueParser as _};
use ttl_audit::remedy::sql::Dialect;

use super::{JudgeArgs, PlainFormat};

const EXIT_CODES: &str = "\
Exit codes:
  0  what there is to do was printed, or nothing was found
  1  never
  2  usage error; an invalid manifest, audit file or evidence file
  3  incomplete: something that could have tripped the gate is unknown, so its remedy is missing (--allow-incomplete: 0);
     with --sql: a sink was left out because its manifest states no table or key

In the text, lines that begin with `#` (with --sql: `--`) are not to be pasted.";

/// `remedy`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct RemedyArgs {
    /// What is judged.
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// Instead, for each sink with `table` and `key`: SQL that counts duplicates, shows them by day, and takes them out. Needs no evidence and
    /// connects to nothing
    #[arg(long, value_name = "DIALECT", help_heading = "Output", value_parser = PossibleValuesParser::new(["redshift", "postgres"])
        .try_map(|word| word.parse::<Dialect>()))]
    pub(crate) sql: Option<Dialect>,
    /// With --sql: also take duplicates out of tables whose manifest states no `ingested_at`; any row of a key may stay
    #[arg(long, help_heading = "Output", requires = "sql")]
    pub(crate) keep_any: bool,
    /// For sharing: clusters, hosts, buckets, topics, groups, jobs, owners and the client become aliases, so that nothing can be pasted as it is. Not
    /// with --sql, which is made of the names of tables and columns
    #[arg(long, help_heading = "Output", conflicts_with = "sql")]
    pub(crate) redact_names: bool,
    /// The format on stdout
    #[arg(long, value_name = "FORMAT", help_heading = "Output", value_enum, default_value_t = PlainFormat::Table)]
    pub(crate) format: PlainFormat,
}
