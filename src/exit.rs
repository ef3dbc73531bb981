//! The exit codes: a contract, the same in every format and for every command.

/// What the process ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// 0: everything that the gate needs was checked, nothing at or above `fail_on`.
    Clean,
    /// 1: the gate tripped: at least one finding at or above `fail_on`.
    Tripped,
    /// 2: usage error, an invalid manifest, audit file or evidence file, or an output that cannot be written.
    Usage,
    /// 3: incomplete: a check whose severity is at or above `fail_on` is unknown. Outranks 1; findings are still printed.
    Incomplete,
}

impl ExitCode {
    /// The number.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Tripped => 1,
            Self::Usage => 2,
            Self::Incomplete => 3,
        }
    }

    /// The code of several audits in one call: incomplete outranks tripped, tripped outranks clean.
    #[must_use]
    pub const fn worse(self, other: Self) -> Self {
        const fn rank(code: ExitCode) -> u8 {
            match code {
                ExitCode::Clean => 0,
                ExitCode::Tripped => 1,
                ExitCode::Incomplete => 2,
                ExitCode::Usage => 3,
            }
        }
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}
