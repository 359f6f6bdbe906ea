//! Why a file is rejected, and the report that says so.

use std::fmt;

use crate::diagnosis::{self, excerpt_lines};
use tabuleiro_puzzles::input::{DirectiveError, Scanner};
use tabuleiro_puzzles::solver::{Problem, find};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// Why a whole file is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// Nothing in it.
    Empty,
    /// Only blanks and comments.
    Blank,
    /// Larger than the configuration allows.
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        bytes_max: u64,
    },
    /// The result would be larger than the configuration allows.
    ResultTooLarge {
        /// The limit.
        bytes_max: u64,
    },
    /// Something else than plain text.
    NotText(NotText),
    /// No puzzle could be made out.
    NoPuzzle {
        /// The solver that tried.
        solver: &'static str,
        /// There are NUL bytes at the beginning.
        binary: bool,
        /// The first thing that did not fit.
        problem: Option<Box<Problem>>,
        /// For which other solver it is, and how it gets there.
        advice: Option<Phrase>,
    },
    /// It is a reference with an invalid puzzle: no answer can be compared with that.
    InvalidPuzzle {
        /// The first one, from 1.
        puzzle: u64,
        /// What is wrong with it.
        problem: Box<Problem>,
        /// For which other solver it is, and how it gets there.
        advice: Option<Phrase>,
    },
    /// It is a reference with lines behind its end marker: answers to them would be compared with nothing.
    CutReference {
        /// Which lines.
        ignored: Phrase,
    },
    /// A directive is wrong, unknown or not allowed.
    Directive(Box<Problem>),
    /// No route takes the file.
    NoRoute {
        /// Each route with its patterns, as tried.
        tried: Vec<Phrase>,
        /// For which solver it is, and how it gets there.
        advice: Option<Phrase>,
    },
    /// The service died repeatedly while it answered this file.
    SetAside {
        /// How many times.
        tries: u32,
    },
    /// Workers on other machines died while they solved one of its puzzles.
    Deadly {
        /// The puzzle, from 1.
        number: u64,
        /// How many workers.
        deaths: u32,
    },
    /// A solver panicked.
    SolverPanicked {
        /// The solver.
        solver: &'static str,
        /// The puzzle, from 1.
        number: u64,
        /// What the panic said.
        message: String,
    },
    /// Something panicked outside the solver.
    ReaderPanicked {
        /// What the panic said.
        message: String,
    },
    /// Somebody kept changing it.
    Changing,
    /// It is a submission that proves that an answer of ours is wrong.
    Refuted {
        /// The puzzle, from 1.
        puzzle: u64,
    },
    /// It is a member of an archive that is not read, for this reason.
    NotRead(Phrase),
    /// The file cannot be read.
    Unreadable {
        /// The system's words.
        message: String,
    },
}

messages! {
    "reject"
    /// Why a file is rejected. The names are the rules of rejections.
    enum Reason {
        /// Nothing in it.
        Empty = "empty-file",
        /// Only blanks and comments.
        Blank = "blank-file",
        /// Larger than the configuration allows.
        TooLarge = "file-too-large" { bytes: u64, bytes_max: u64 },
        /// Its result would be.
        ResultTooLarge = "result-too-large" { bytes_max: u64 },
        /// No puzzle could be made out.
        NoPuzzle = "no-puzzle" { solver: &'static str },
        /// One puzzle of a reference is wrong.
        InvalidPuzzle = "invalid-puzzle" { puzzle: u64 },
        /// A reference goes on behind its end marker.
        CutReference = "cut-reference" { ignored: Phrase },
        /// A directive is wrong.
        Directive = "directive" { what: Phrase },
        /// No route takes it.
        NoRoute = "no-route",
        /// The service died repeatedly.
        SetAside = "set-aside" { tries: u32 },
        /// Workers died with one of its puzzles.
        Deadly = "deadly-puzzle" { number: u64, deaths: u32 },
        /// Something panicked.
        Panicked = "internal-error" { during: Phrase, message: String },
        /// Somebody kept changing it.
        Changing = "changing-file",
        /// It proves that an answer of ours is wrong.
        Refuted = "refuted" { puzzle: u64 },
        /// It cannot be read.
        Unreadable = "unreadable" { message: String },
    }
}

messages! {
    "report"
    /// What else stands in a report.
    enum Remark {
        /// Behind `no puzzle for …`.
        Binary = "binary",
        /// Where a panic was: in a solver.
        InSolver = "in-solver" { solver: &'static str, number: u64 },
        /// Outside of all solvers.
        WhileReading = "while-reading",
        /// Where the first line means.
        Place = "place" { line: u64, column: u64 },
        /// Before the list of routes.
        Tried = "tried",
        /// Where the format is described.
        Format = "format" { solver: &'static str },
        /// Before an example.
        Example = "example" { solver: &'static str },
        /// How another program saves text.
        SaveAsText = "save-as-text",
        /// How the text of a page is saved.
        SavePage = "save-page",
        /// Where there is no text at all.
        TypeText = "type-text",
        /// What an empty file lacks.
        NothingSaved = "nothing-saved",
    }
}

impl Rejection {
    /// A file of which a solver could make out nothing: `puzzles` invalid ones, the first of them being so for `problem`.
    #[must_use]
    pub fn no_puzzle(
        solver: &'static str,
        puzzles: u64,
        problem: Option<Problem>,
        input: &Scanner<'_>,
    ) -> Self {
        if puzzles == 0 {
            return Self::Blank;
        }
        let binary = input.looks_binary();
        // What is no text has nothing to point at.
        let problem = problem.filter(|_| !binary).map(Box::new);
        Self::NoPuzzle { solver, binary, problem, advice: None }
    }

    /// A file with a wrong directive, which was just read from `input`.
    #[must_use]
    pub fn directive(error: DirectiveError, input: &mut Scanner<'_>) -> Self {
        let problem = Problem::new(error.place, Reason::Directive { what: error.what });
        Self::Directive(Box::new(diagnosis::with_excerpt(problem, input)))
    }

    /// The same with how the file gets to the solver for which it is.
    #[must_use]
    pub fn advised(mut self, new: Option<Phrase>) -> Self {
        if let Self::NoPuzzle { advice, .. }
        | Self::InvalidPuzzle { advice, .. }
        | Self::NoRoute { advice, .. } = &mut self
        {
            *advice = new;
        }
        self
    }

    /// What could not be read, where that has a place in the file.
    #[must_use]
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::NoPuzzle { problem, .. } => problem.as_deref(),
            Self::Directive(problem) | Self::InvalidPuzzle { problem, .. } => Some(problem),
            _ => None,
        }
    }

    /// How the file gets to the solver for which it is.
    #[must_use]
    pub fn advice(&self) -> Option<&Phrase> {
        match self {
            Self::NoPuzzle { advice, .. }
            | Self::InvalidPuzzle { advice, .. }
            | Self::NoRoute { advice, .. } => advice.as_ref(),
            _ => None,
        }
    }

    /// A stable name for the log.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.reason().name
    }

    /// The reason without its place.
    #[must_use]
    pub fn reason(&self) -> Phrase {
        match self.clone() {
            Self::Empty => Reason::Empty,
            Self::Blank => Reason::Blank,
            Self::TooLarge { bytes, bytes_max } => Reason::TooLarge { bytes, bytes_max },
            Self::ResultTooLarge { bytes_max } => Reason::ResultTooLarge { bytes_max },
            Self::NotText(kind) => return kind.into(),
            Self::NoPuzzle { solver, .. } => Reason::NoPuzzle { solver },
            Self::InvalidPuzzle { puzzle, .. } => Reason::InvalidPuzzle { puzzle },
            Self::CutReference { ignored } => Reason::CutReference { ignored },
            Self::Directive(problem) => return problem.what,
            Self::NoRoute { .. } => Reason::NoRoute,
            Self::SetAside { tries } => Reason::SetAside { tries },
            Self::Deadly { number, deaths } => Reason::Deadly { number, deaths },
            Self::SolverPanicked { solver, number, message } => {
                Reason::Panicked { during: Remark::InSolver { solver, number }.into(), message }
            }
            Self::ReaderPanicked { message } => {
                Reason::Panicked { during: Remark::WhileReading.into(), message }
            }
            Self::NotRead(why) => return why,
            Self::Refuted { puzzle } => Reason::Refuted { puzzle },
            Self::Changing => Reason::Changing,
            Self::Unreadable { message } => Reason::Unreadable { message },
        }
        .into()
    }

    /// The reason in a line.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let mut text = self.reason().say(language);
        if let Self::NoPuzzle { binary, problem, .. } = self {
            if *binary {
                text.push_str(&say(Remark::Binary, language));
            }
            if let Some(problem) = problem {
                text.push_str(&format!(": {}", problem.say(language)));
            }
        }
        if let Self::InvalidPuzzle { problem, .. } = self {
            text.push_str(&format!(": {}", problem.say(language)));
        }
        if let Some(place) = self.problem().map(|problem| problem.place) {
            let place = Remark::Place { line: place.line, column: place.column };
            text.push_str(&format!(" ({})", say(place, language)));
        }
        text
    }

    /// The text of the report on a file: a first line with the reason, then the line of the file at which it points, and
    /// what helps.
    #[must_use]
    pub fn report(&self, file: &str, language: Language) -> String {
        let mut text = format!("rejected: {file}: {}\n", self.say(language));
        text.push_str(&self.problem().map(excerpt_lines).unwrap_or_default());
        if let Some(advice) = self.advice() {
            text.push_str(&format!("{}\n", advice.say(language)));
        }
        for line in self.help(language) {
            text.push_str(&format!("{line}\n"));
        }
        text
    }

    /// What helps, and what else there is to know, line by line.
    #[must_use]
    pub fn help(&self, language: Language) -> Vec<String> {
        let mut lines = Vec::new();
        let mut add = |remark: Remark| lines.push(say(remark, language));
        match self {
            Self::Empty | Self::Blank => add(Remark::NothingSaved),
            Self::NotText(NotText::Document { .. } | NotText::Wide { .. })
            | Self::NoPuzzle { binary: true, .. } => add(Remark::SaveAsText),
            Self::NotText(NotText::WebPage) => add(Remark::SavePage),
            Self::NotText(NotText::Image { .. } | NotText::Program { .. } | NotText::Other { .. }) => {
                add(Remark::TypeText);
            }
            Self::NoPuzzle { solver, .. } => {
                add(Remark::Format { solver });
                if let Some(known) = find(solver) {
                    add(Remark::Example { solver });
                    lines.extend(known.info().example.input.lines().map(|line| format!("  {line}")));
                }
            }
            Self::NoRoute { tried, .. } => {
                add(Remark::Tried);
                lines.extend(tried.iter().map(|route| format!("  {}", route.say(language))));
            }
            _ => {}
        }
        lines
    }
}

fn say(remark: Remark, language: Language) -> String {
    Phrase::from(remark).say(language)
}

/// In English, as the log has it.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(Language::English))?;
        self.advice().map_or(Ok(()), |advice| write!(f, "; {advice}"))
    }
}

impl std::error::Error for Rejection {}

messages! {
    "reject"
    /// What a file is that is no plain text. The names are rules of rejections.
    pub enum NotText {
        /// Compressed, or an archive.
        Compressed = "compressed-file" { format: String },
        /// Text in units of two or four bytes.
        Wide = "wide-text" { encoding: &'static str },
        /// What a word processor or the like writes.
        Document = "document-file" { format: String },
        /// HTML.
        WebPage = "web-page",
        /// A picture.
        Image = "image-file" { format: String },
        /// A program, or a part of one.
        Program = "program-file" { format: String },
        /// Sound, film, a font, a database.
        Other = "foreign-file" { format: String },
    }
}
