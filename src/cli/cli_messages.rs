//! Messages of the command line for people, in the language of the terminal.

use std::io;

use crate::terminal_language::terminal_language;
use tabuleiro_puzzles::words::{Argument, Phrase, messages};

messages! {
    "cli"
    /// Messages on standard error, or about a file as a whole.
    pub enum CliMessage {
        /// Something cannot be done with a file or folder.
        CannotOpen = "cannot-open" { name: String, reason: Phrase },
        CannotRead = "cannot-read" { name: String, reason: Phrase },
        CannotCreate = "cannot-create" { name: String, reason: Phrase },
        CannotWriteOutput = "cannot-write-output" { reason: Phrase },
        /// The reason as the operating system words it.
        System = "system" { message: String },
        NotFound = "not-found",
        Denied = "denied",
        IsFolder = "is-folder",
        NotFolder = "not-folder",
        DiskFull = "disk-full",
        /// An option of the solver.
        WrongSet = "wrong-set" { error: Phrase },
        SameFile = "same-file",
        TwoFiles = "two-files" { first: String, option: String, second: String },
        ArchiveChoices = "archive-choices",
        ArchiveOutput = "archive-output",
        EmptyArchive = "empty-archive" { name: String },
        NoEquals = "no-equals",
        /// Standard input is empty.
        NoInput = "no-input",
        SolverAsFile = "solver-as-file" { name: String },
        NoSolver = "no-solver" { name: String, known: String },
        /// `NAME: SOLVER: N valid, N invalid`.
        Checked = "checked" { name: String, solver: String, valid: u64, invalid: u64, ignored: u64 },
        Graded = "graded" { name: String, route: String },
        Totals = "totals" {
            name: String, puzzles: Phrase, invalid: u64, undecided: u64, user: String, system: String, wall: String,
        },
        FixNeedsFile = "fix-needs-file",
        FixTooLarge = "fix-too-large" { name: String, bytes_max: u64 },
        FixWritten = "fix-written" { name: String, left: u64, warnings: u64, ignored: u64 },
        /// Further lines are changed.
        FixMore = "fix-more" { lines: u64 },
        /// The file has no mistakes.
        FixNone = "fix-none" { name: String, warnings: u64 },
        FixNothing = "fix-nothing" { name: String },
        NoCurrentFolder = "no-current-folder" { reason: Phrase },
        UnknownRoute = "unknown-route" { route: String, hint: Argument, known: String },
        TooManyFiles = "too-many-files" { folder: String, most: usize },
        TooDeep = "too-deep" { path: String, most: usize },
        OneSubmission = "one-submission" { count: usize },
        NoHistory = "no-history" { folder: String, reason: Phrase },
        OtherAnswer = "other-answer",
        NotBelow = "not-below" { file: String },
        NoGrades = "no-grades" { folder: String },
        Mixed = "mixed" { student: String, exercise: String },
        Refuted = "refuted" { name: String },
        UndecidedPuzzle = "undecided-puzzle" { name: String, puzzle: u64 },
        Unlisted = "unlisted" { list: String },
        ListTooLarge = "list-too-large" { name: String, bytes_max: u64 },
        NoColumns = "no-columns" { name: String },
        NoTerminal = "no-terminal" { reason: String },
        NotCounted = "not-counted" { student: String, exercise: String, mark: String },
        Ungraded = "ungraded" { student: String, exercise: String },
        NoMoodleId = "no-moodle-id" { student: String, exercise: String },
        NoMoodleFolder = "no-moodle-folder" { name: String },
        TwoGrades = "two-grades" { id: String, one: String, other: String },
        Unclear = "unclear" { student: String, exercise: String },
        SwappedFiles = "swapped-files" { line: String },
        UnknownRule = "unknown-rule" { rule: String, hint: String },
        WrongExample = "wrong-example" { solver: String },
        RightExample = "right-example",
        UndecidedReference = "undecided-reference" { name: String, puzzles: Phrase },
        PageOutput = "page-output",
        InputOfResult = "input-of-result",
        InputNotFound = "input-not-found" { name: String, file: String },
        OtherInput = "other-input" { input: String, name: String },
    }
}

/// Returns a message in the language of the terminal.
pub fn say(message: impl Into<Phrase>) -> String {
    message.into().say(terminal_language())
}

/// Returns why the system refuses something.
pub fn reason(error: &io::Error) -> Phrase {
    match error.kind() {
        io::ErrorKind::NotFound => CliMessage::NotFound,
        io::ErrorKind::PermissionDenied => CliMessage::Denied,
        io::ErrorKind::IsADirectory => CliMessage::IsFolder,
        io::ErrorKind::NotADirectory => CliMessage::NotFolder,
        io::ErrorKind::StorageFull => CliMessage::DiskFull,
        _ => CliMessage::System { message: error.to_string() },
    }
    .into()
}
