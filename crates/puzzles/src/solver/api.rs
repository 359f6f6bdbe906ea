//! What a solver is: a table of words, a reader of puzzles, and puzzles that solve themselves.

use std::sync::Arc;
use std::{fmt, io};

use serde::de::Error as _;
use serde_json::Value;

use super::grading::{Answer, AnswerReader, Finding, Known, TooMany};
use super::{Budget, OptionSpec, Options, Outcome, Problem, Proposal, Random, Shown, Text};
use crate::input::{Line, Place, Scanner};
use crate::picture::Markup;

/// A kind of puzzle and how it is answered.
pub trait Solver: Sync {
    /// What it is called, what it reads and answers, its options.
    fn info(&self) -> &'static SolverInfo;

    /// Begins to read a file of puzzles under `options`, which hold [`COMMON`](super::COMMON) and [`Self::options`].
    fn open(&self, options: &Options) -> Box<dyn PuzzleReader>;

    /// Tells the answers of a submission apart, for puzzles under `options`.
    fn answers(&self, options: &Options) -> Box<dyn AnswerReader>;

    /// Writes a file of `count` random valid puzzles; the same `options` and `random` give the same file.
    ///
    /// # Errors
    /// Those of `out`.
    fn generate(
        &self,
        options: &Options,
        count: u64,
        random: &mut Random,
        out: &mut dyn io::Write,
    ) -> io::Result<()>;

    /// Reads the text of a result that [`Render::to_json`](super::Render::to_json) wrote on another machine, and checks all that
    /// writing it relies on.
    ///
    /// # Errors
    /// When it is malformed, and for solvers that hold their texts whole.
    fn text_from_json(&self, _json: &str) -> serde_json::Result<Text> {
        Err(serde_json::Error::custom("a text that this solver does not write"))
    }

    /// The name in configurations and directives.
    fn id(&self) -> &'static str {
        self.info().id
    }

    /// Its own options, beside [`COMMON`](super::COMMON).
    fn options(&self) -> &'static [OptionSpec] {
        self.info().options
    }

    /// The options of the rules that the course plays by, if these are not the default rules.
    fn course_rules(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The options of its generator, beside none.
    fn generator_options(&self) -> &'static [OptionSpec] {
        self.info().generator_options
    }
}

/// Solvers are told apart by their IDs.
impl PartialEq for dyn Solver {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl fmt::Debug for dyn Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A solver in words: what people are told about it, and what they may set.
#[derive(Debug)]
pub struct SolverInfo {
    /// The name in configurations and directives: `checkers-capture`.
    pub id: &'static str,
    /// The page's word for a puzzle: `board`, `case` or `game`.
    pub noun: &'static str,
    /// What it answers, in a line without a full stop.
    pub about: &'static str,
    /// The input format, as `tabuleiro solvers ID` prints it: a few indented lines.
    pub input_format: &'static str,
    /// The output format, likewise.
    pub output_format: &'static str,
    /// An input and its exact output under the default options; checked by a test.
    pub example: Example,
    /// Its own options, beside [`COMMON`](super::COMMON).
    pub options: &'static [OptionSpec],
    /// The options of its generator, beside none.
    pub generator_options: &'static [OptionSpec],
}

/// An input and what it gives.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The content of an `entrada.txt`.
    pub input: &'static str,
    /// The content of the `saida.txt`.
    pub output: &'static str,
}

/// Reads the puzzles of one file, one by one. It keeps no more than one puzzle.
pub trait PuzzleReader: Send {
    /// Reads the next puzzle; `None` at the end of the file. A puzzle that cannot be read is an entry too:
    /// the reader describes it and goes on behind it. Every call consumes input or returns `None`.
    ///
    /// # Errors
    /// Only those of reading the input.
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>>;

    /// After the end: whether a file without any puzzle is complete all the same.
    fn allows_empty(&self) -> bool {
        false
    }

    /// After a wrong puzzle: whether the file may end with the puzzle before it, and without any end marker.
    fn may_end(&self) -> bool {
        true
    }

    /// A reader under the same options that stands at the beginning of a puzzle: what tries whether a change makes
    /// a puzzle valid.
    fn anew(&self) -> Box<dyn PuzzleReader>;

    /// The lines that a puzzle has which begins with these, as people write it; `None` where they are no beginning.
    fn layout(&self, _lines: &[Line<'_>]) -> Option<Layout> {
        None
    }

    /// What is wrong with first lines that are no beginning, where the reader met a problem with them, and the changes
    /// that might mend it, the likeliest first.
    fn beginning(&self, _problem: &Problem, _lines: &[Line<'_>]) -> Option<(Problem, Vec<Proposal>)> {
        None
    }

    /// The name of the player whose square a row of a part is; `None` where it is a row of a board. The last line
    /// before the first row says how many players there are.
    fn player(&self, _part: usize, _row: u64) -> Option<String> {
        None
    }

    /// First lines that would fit rows like these instead of the one there is: `rows` of `width` numbers each, of the
    /// first part.
    fn headers(&self, _header: &Line<'_>, _rows: u64, _width: u64) -> Vec<String> {
        Vec::new()
    }
}

/// The lines of a puzzle, as people write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Lines before the first row.
    pub header_lines: usize,
    /// The rows.
    pub parts: Vec<Part>,
}

/// Rows of a puzzle that belong together: a board, the squares of the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// How many rows there are.
    pub rows: u64,
    /// Numbers on the first row and every other one, and on the others; `None` where a row may hold anything.
    pub widths: Option<[u64; 2]>,
}

/// One puzzle of a file, in its turn.
pub struct Entry {
    /// Where it begins.
    pub place: Place,
    /// The puzzle, or its outcome where that needs no solving.
    pub work: Work,
}

/// What is to be done about an entry.
pub enum Work {
    /// To be solved.
    Solve(Arc<dyn Puzzle>),
    /// It is none.
    Invalid(Box<Problem>),
    /// Known already: a limit does not allow for it.
    Settled(Box<Outcome>),
}

/// A valid puzzle with all it needs to be solved.
///
/// It displays itself as a file of its own, in the input format of its solver: read under the same options, that file holds
/// the same puzzle ([`read_displayed`](super::read_displayed)).
pub trait Puzzle: fmt::Display + Send + Sync {
    /// Solves it. The outcome depends on the puzzle and its options alone, unless the budget ends it.
    fn solve(&self, budget: &Budget) -> Outcome;

    /// Returns the line of its file on which the text that it displays would begin, if its outcome may name a line.
    fn first_line(&self) -> u64 {
        1
    }

    /// The witness of its outcome where that has none, because it is found again in no time; otherwise `Null`.
    fn trace(&self, _budget: &Budget) -> Value {
        Value::Null
    }

    /// Draws it with what became of it. A witness that is none of this puzzle is drawn as far as it goes.
    fn draw(&self, shown: &Shown<'_>) -> Markup;

    /// The witness that an answer of a submission gives, in the form of its own; `Null` where it gives none.
    ///
    /// # Errors
    /// When it gives more than is drawn.
    fn claimed(&self, _answer: &Answer) -> Result<Value, TooMany> {
        Ok(Value::Null)
    }

    /// Compares an answer that can be read with what is `known`. What it claims to prove it is replayed on the board, without
    /// any search.
    fn check(&self, known: &Known, answer: &Answer) -> Finding;

    /// Whether answers are compared with ours. If not, a submission's own answer is replayed, and any legal one is right.
    fn needs_answer(&self) -> bool {
        true
    }

    /// The right answer as people are told it where theirs cannot be read or is missing; `None` where others are right as well.
    fn right_answer<'k>(&self, known: &'k Known) -> Option<&'k str> {
        Some(&known.headline)
    }

    /// At which line of an answer to the puzzle before, not the first, the answer to this one begins after all.
    fn begins_in(&self, _answer: &Answer) -> Option<usize> {
        None
    }
}
