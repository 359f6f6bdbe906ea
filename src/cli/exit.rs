//! How the process ends: exit codes after `sysexits.h`.

use std::process::ExitCode;

/// The exit codes of all subcommands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All is well.
    Ok = 0,
    /// Not every answer of a submission is right.
    NotAccepted = 1,
    /// The service does not run, as `systemctl status` says it.
    NotRunning = 3,
    /// A judge accepts the submission.
    JudgeAccepted = 42,
    /// A judge does not accept it.
    JudgeWrongAnswer = 43,
    /// The command line is wrong, or nothing routes the input.
    Usage = 64,
    /// Something in the input is invalid; everything valid was answered.
    Data = 65,
    /// There is no such input.
    NoInput = 66,
    /// An internal error: a mistake in this program.
    Software = 70,
    /// The system refuses what any program needs: threads, signals.
    System = 71,
    /// An output cannot be created.
    CannotCreate = 73,
    /// Reading or writing failed.
    Io = 74,
    /// Undecided within the limits, or in use by another process: another try may succeed.
    Temporary = 75,
    /// This user may not.
    NoPermission = 77,
    /// The configuration is wrong.
    Config = 78,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn codes_are_those_of_sysexits() {
        let codes = [Exit::Ok, Exit::Usage, Exit::Data, Exit::NoInput, Exit::Software].map(|exit| exit as u8);
        assert_eq!(codes, [0, 64, 65, 66, 70]);
        let codes = [Exit::System, Exit::CannotCreate, Exit::Io, Exit::Temporary, Exit::Config]
            .map(|exit| exit as u8);
        assert_eq!(codes, [71, 73, 74, 75, 78]);
    }
}
