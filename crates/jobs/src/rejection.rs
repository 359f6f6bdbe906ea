//! Why a file is rejected, and the report about it.

use std::fmt;

use crate::diagnosis;
use crate::file_messages::{FileMessage, MessageStyle, wrapped};
use crate::summary::{LOOKS_LIKE, STRAY_RULE, is_of_whole_file};
use tabuleiro_puzzles::input::{DirectiveError, Place, Scanner};
use tabuleiro_puzzles::solver::{Problem, Proposal, find};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// Rules whose message says what the file is, not what to change in it. The report then shows an example of the format.
const VAGUE_RULES: [&str; 5] = ["program", "answers", "words", "list", STRAY_RULE];

/// Why a whole file is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The reason says everything; there is nothing to add.
    Because(Reason),
    /// The file is something other than plain text.
    NotText(NotText),
    /// The solver could not recognise any puzzle.
    NoPuzzle {
        /// The solver that tried.
        solver: &'static str,
        /// Whether the beginning of the file holds NUL bytes.
        binary: bool,
        /// The first problem that the solver found.
        problem: Option<Box<Problem>>,
        /// Which other solver the file is for, and how to send it there.
        advice: Option<Phrase>,
    },
    /// The file is a reference with an invalid puzzle, to which no answer can be compared.
    InvalidPuzzle {
        /// The first invalid puzzle, from 1.
        puzzle: u64,
        /// What is wrong with the puzzle.
        problem: Box<Problem>,
        /// Which other solver the file is for, and how to send it there.
        advice: Option<Phrase>,
    },
    /// A directive is wrong, unknown or not allowed.
    Directive(Box<Problem>),
    /// No route takes the file.
    NoRoute {
        /// Each route that was tried, with its patterns.
        tried: Vec<Phrase>,
        /// Which solver the file is for, and how to send it there.
        advice: Option<Phrase>,
    },
    /// The file is a member of an archive and cannot be read, for this reason.
    NotRead(Phrase),
}

messages! {
    "reject"
    /// The reason for a rejection. The names are the rules that rejections show.
    pub enum Reason {
        Empty = "empty-file",
        /// The file holds only blanks and comments.
        Blank = "blank-file",
        TooLarge = "file-too-large" { bytes: u64, bytes_max: u64 },
        /// The result would be larger than the configuration allows.
        ResultTooLarge = "result-too-large" { bytes_max: u64 },
        NoPuzzle = "no-puzzle" { solver: &'static str },
        InvalidPuzzle = "invalid-puzzle" { puzzle: u64 },
        /// The file is a reference with lines after its end marker. If a submission answered those lines, there would
        /// be nothing to compare.
        CutReference = "cut-reference" { ignored: Phrase },
        Directive = "directive" { what: Phrase },
        NoRoute = "no-route",
        /// The service died repeatedly while it answered the file.
        SetAside = "set-aside" { tries: u32 },
        /// Workers on other machines died while they solved one of the file's puzzles.
        Deadly = "deadly-puzzle" { number: u64, deaths: u32 },
        Panicked = "internal-error" { during: Phrase, message: String },
        /// The file kept changing.
        Changing = "changing-file",
        /// The file is a submission that proves one of our own answers wrong.
        Refuted = "refuted" { puzzle: u64 },
        Unreadable = "unreadable" { message: String },
    }
}

messages! {
    "report"
    /// Additional texts of a report.
    enum Remark {
        Binary = "binary",
        InSolver = "in-solver" { solver: &'static str, number: u64 },
        WhileReading = "while-reading",
        Place = "place" { line: u64, column: u64 },
        Tried = "tried",
        Format = "format" { solver: &'static str },
        Example = "example" { solver: &'static str },
        SaveAsText = "save-as-text",
        SavePage = "save-page",
        TypeText = "type-text",
        NothingSaved = "nothing-saved",
    }
}

impl Rejection {
    /// Returns the rejection of a file in which a solver recognised no puzzle. `puzzles` is the number of invalid
    /// puzzles, and `problem` is what is wrong with the first.
    pub fn no_puzzle(
        solver: &'static str,
        puzzles: u64,
        problem: Option<Problem>,
        input: &Scanner<'_>,
    ) -> Self {
        if puzzles == 0 {
            return Self::Because(Reason::Blank);
        }
        let binary = input.looks_binary;
        // The excerpt of a binary file would help nobody.
        let problem = problem.filter(|_| !binary).map(Box::new);
        Self::NoPuzzle { solver, binary, problem, advice: None }
    }

    /// Returns the rejection of a file after the solver panicked at one of its puzzles.
    pub fn solver_panicked(solver: &'static str, number: u64, message: String) -> Self {
        Self::Because(Reason::Panicked { during: Remark::InSolver { solver, number }.into(), message })
    }

    /// Returns the rejection of a file after a panic outside the solver.
    pub fn reader_panicked(message: String) -> Self {
        Self::Because(Reason::Panicked { during: Remark::WhileReading.into(), message })
    }

    /// Returns the rejection of a file with a wrong directive. The caller has just read the directive from `input`.
    pub fn directive(error: DirectiveError, input: &mut Scanner<'_>) -> Self {
        Self::Directive(Box::new(problem_of(error, input)))
    }

    /// Sets the advice on how to send the file to its solver. A rejection that takes no advice stays unchanged.
    pub fn advised(mut self, new: Option<Phrase>) -> Self {
        if self.problem().is_some_and(is_of_whole_file) {
            return self;
        }
        if let Self::NoPuzzle { advice, .. }
        | Self::InvalidPuzzle { advice, .. }
        | Self::NoRoute { advice, .. } = &mut self
        {
            *advice = new;
        }
        self
    }

    /// Returns the problem if it has a place in the file. If the file is for another solver, returns `None`: what this
    /// solver reports is then no mistake.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::NoPuzzle { problem, .. } => problem.as_deref().filter(|_| self.is_for().is_none()),
            Self::Directive(problem) | Self::InvalidPuzzle { problem, .. } => Some(problem),
            _ => None,
        }
    }

    /// Returns how to send the file to the solver it is for.
    pub fn advice(&self) -> Option<&Phrase> {
        match self {
            Self::NoPuzzle { advice, .. }
            | Self::InvalidPuzzle { advice, .. }
            | Self::NoRoute { advice, .. } => advice.as_ref(),
            _ => None,
        }
    }

    /// Returns the advice if it says for which solver the file is.
    fn is_for(&self) -> Option<&Phrase> {
        self.advice().filter(|advice| advice.name == LOOKS_LIKE)
    }

    /// Returns whether a problem says what to change. If so, the file has puzzles, with mistakes.
    pub fn is_explained(problem: &Problem) -> bool {
        problem.proposal.is_some() || !VAGUE_RULES.contains(&problem.rule())
    }

    /// Returns a stable name of the reason, for the log.
    pub fn rule(&self) -> &'static str {
        self.reason().name
    }

    /// Returns the reason without its place.
    pub fn reason(&self) -> Phrase {
        match self.clone() {
            Self::Because(reason) => reason,
            Self::NotText(kind) => return kind.into(),
            Self::NoPuzzle { solver, .. } => Reason::NoPuzzle { solver },
            Self::InvalidPuzzle { puzzle, .. } => Reason::InvalidPuzzle { puzzle },
            Self::Directive(problem) => return problem.what,
            Self::NoRoute { .. } => Reason::NoRoute,
            Self::NotRead(why) => return why,
        }
        .into()
    }

    /// Returns the reason in one line, with what to write instead if that is known.
    pub fn say(&self, language: Language) -> String {
        let text = self.told(|problem| problem.say(language), language);
        let Some(Place { line, column }) = self.problem().map(|problem| problem.place) else { return text };
        format!("{text} ({})", say(Remark::Place { line, column }, language))
    }

    /// Returns the reason in one line, without its place. `what` describes the problem of a puzzle.
    fn told(&self, what: impl Fn(&Problem) -> String, language: Language) -> String {
        let text = self.reason().say(language);
        match (self, self.problem()) {
            (Self::NoPuzzle { binary: true, .. }, _) => text + &say(Remark::Binary, language),
            (Self::NoPuzzle { .. }, Some(problem)) if Self::is_explained(problem) => what(problem),
            (Self::NoPuzzle { .. } | Self::InvalidPuzzle { .. }, Some(problem)) => {
                format!("{text}: {}", what(problem))
            }
            _ => text,
        }
    }

    /// Returns the reason and the advice, in one line. If the advice says for which solver the file is, returns the
    /// advice alone: the reason would only say that the wrong solver read nothing.
    pub fn line(&self, language: Language) -> String {
        if let (Self::NoPuzzle { .. }, Some(advice)) = (self, self.is_for()) {
            return advice.say(language);
        }
        let advice = self.advice().map(|advice| format!("; {}", advice.say(language)));
        self.say(language) + &advice.unwrap_or_default()
    }

    /// Returns the text of the report on a file: the message, followed by the help.
    pub fn report(&self, file: &str, style: &MessageStyle) -> String {
        self.message(file, style) + &self.help_text(style)
    }

    /// Returns the help and further information as text.
    pub fn help_text(&self, style: &MessageStyle) -> String {
        let lines = self.help(style.language);
        let lines = lines.iter().map(|line| {
            if line.starts_with(' ') { format!("{line}\n") } else { wrapped(line, style.columns) }
        });
        lines.collect()
    }

    /// Returns the reason with the lines of the file that it is about. Advice that explains the reason comes before it.
    pub fn message(&self, file: &str, style: &MessageStyle) -> String {
        let language = style.language;
        let problem = self.problem();
        let placed = |problem: &Problem| format!("{file}:{}", problem.place);
        let place = problem.map_or_else(|| file.to_owned(), placed);
        let mut reason = self.told(|problem| problem.what.say(language), language);
        if let (Self::NoPuzzle { .. }, Some(advice)) = (self, self.is_for()) {
            reason = advice.say(language);
        } else if let Some(advice) = self.advice() {
            let told = advice.say(language);
            // The advice that no solver can read the file explains nothing, so it goes after the reason.
            let is_explained = advice.name != "nobody";
            reason = if is_explained { format!("{told}; {reason}") } else { format!("{reason}; {told}") };
        }
        let mut text = style.message("", FileMessage::Rejected, &format!("{place}: {reason}"));
        text.extend(problem.map(|problem| style.details(problem)));
        for other in problem.into_iter().flat_map(Problem::chain).skip(1) {
            text += &style.message(&placed(other), FileMessage::Mistake, &other.what.say(language));
            text += &style.details(other);
        }
        text
    }

    /// Returns the help and further information, line by line.
    pub fn help(&self, language: Language) -> Vec<String> {
        let mut lines = Vec::new();
        let mut add = |remark: Remark| lines.push(say(remark, language));
        match self {
            Self::Because(Reason::Empty | Reason::Blank) => add(Remark::NothingSaved),
            Self::NotText(NotText::Document { .. } | NotText::Wide { .. })
            | Self::NoPuzzle { binary: true, .. } => add(Remark::SaveAsText),
            Self::NotText(NotText::WebPage) => add(Remark::SavePage),
            Self::NotText(NotText::Image { .. } | NotText::Program { .. } | NotText::Other { .. }) => {
                add(Remark::TypeText);
            }
            Self::NoPuzzle { problem, .. }
                if self.is_for().is_some() || problem.as_deref().is_some_and(Self::is_explained) => {}
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

/// Returns the problem of a wrong directive, and of those after it.
fn problem_of(error: DirectiveError, input: &mut Scanner<'_>) -> Problem {
    let also = error.also.map(|next| Box::new(problem_of(*next, input)));
    let is_clear = !error.instead.is_empty();
    let line = error.place.line;
    let proposal = Proposal::ReplaceLines { from_line: line, to_line: line, lines: error.instead };
    let proposal = Some(proposal).filter(|_| is_clear);
    let problem = Problem::new(error.place, Reason::Directive { what: error.what }).proposing(proposal);
    Problem { also, ..diagnosis::with_excerpt(problem, input) }
}

fn say(remark: Remark, language: Language) -> String {
    Phrase::from(remark).say(language)
}

/// Formats the line in English, for the log.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(Language::English))
    }
}

impl std::error::Error for Rejection {}

messages! {
    "reject"
    /// What a file is if it is not plain text. The names are the rules that rejections show.
    pub enum NotText {
        Compressed = "compressed-file" { format: String },
        /// Text in units of two or four bytes.
        Wide = "wide-text" { encoding: &'static str },
        /// A file of a word processor or a similar program.
        Document = "document-file" { format: String },
        WebPage = "web-page",
        Image = "image-file" { format: String },
        Program = "program-file" { format: String },
        /// Sound, film, a font or a database.
        Other = "foreign-file" { format: String },
    }
}
