//! What a solver is: a table of words, a reader of puzzles, and puzzles that solve themselves.

use std::sync::Arc;
use std::{fmt, io};

use serde::de::Error as _;
use serde_json::Value;

use super::grading::{Answer, AnswerReader, Finding, Known, Lines, TooMany};
use super::{Budget, OptionSpec, Options, Outcome, Problem, Proposal, Random, Shown, Text};
use crate::input::{Line, Place, Scanner};
use crate::picture::{Markup, html};

/// A kind of puzzle and how it is answered: a constant of the table [`SOLVERS`](super::SOLVERS).
pub trait Solver: Sync {
    /// Describes the solver.
    fn info(&self) -> &'static SolverInfo;

    /// Begins to read a file of puzzles under `options`, which hold [`COMMON`](super::COMMON) and [`Self::options`].
    fn open(&self, options: &Options) -> Box<dyn PuzzleReader>;

    /// Tells the answers of a submission apart, for puzzles under `options`. By default every answer is a line.
    fn answers(&self, _options: &Options) -> Box<dyn AnswerReader> {
        Box::new(Lines)
    }

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

    /// Returns the name in configurations and directives.
    fn id(&self) -> &'static str {
        self.info().id
    }

    /// Returns its own options, which come besides [`COMMON`](super::COMMON).
    fn options(&self) -> &'static [OptionSpec] {
        self.info().options
    }

    /// Returns the options of the rules that the course plays by, if these are not the default rules.
    fn course_rules(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the options of its generator; no common ones come with them.
    fn generator_options(&self) -> &'static [OptionSpec] {
        self.info().generator_options
    }
}

/// Solvers are equal if their IDs are.
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

/// A solver in words: its descriptions, and its options.
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
    /// The output format, as `tabuleiro solvers ID` prints it.
    pub output_format: &'static str,
    /// An input and its exact output under the default options; checked by a test.
    pub example: Example,
    /// Its own options, which come besides [`COMMON`](super::COMMON).
    pub options: &'static [OptionSpec],
    /// The options of its generator; no common ones come with them.
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
    /// the reader describes it and resumes behind it. Every call consumes input or returns `None`.
    ///
    /// # Errors
    /// Only those of reading the input.
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>>;

    /// Returns whether a file without any puzzle is complete; asked at the end of the file.
    fn allows_empty(&self) -> bool {
        false
    }

    /// Returns whether the file may end with the puzzle before a wrong one, without any end marker; asked after the wrong one.
    fn may_end(&self) -> bool {
        true
    }

    /// Returns a fresh reader under the same options, which stands at the beginning of a puzzle. The diagnosis tries with it
    /// whether a change makes a puzzle valid.
    fn anew(&self) -> Box<dyn PuzzleReader>;

    /// Returns how a puzzle that begins with `lines` is laid out in lines; `None` if they begin no puzzle. Without a layout
    /// files are not recognised, and mistakes are not looked at closely.
    fn layout(&self, _lines: &[Line<'_>]) -> Option<Layout> {
        None
    }

    /// Explains `problem`, which the reader met in lines that begin no puzzle: returns what is wrong with them, and the changes
    /// that might mend it, the likeliest first.
    fn beginning(&self, _problem: &Problem, _lines: &[Line<'_>]) -> Option<(Problem, Vec<Proposal>)> {
        None
    }

    /// Returns the name of the player whose square a row of a part is; `None` if it is a row of a board. The last line before
    /// the first row says how many players there are.
    fn player(&self, _part: usize, _row: u64) -> Option<String> {
        None
    }

    /// Returns first lines that would fit the first part instead of `header`, if that has `rows` rows of `width` numbers each.
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
    /// Numbers on the first row and every other one, and on the others; `None` if a row may hold anything.
    pub widths: Option<[u64; 2]>,
}

/// One puzzle of a file.
pub struct Entry {
    /// Where it begins.
    pub place: Place,
    /// The puzzle, or its outcome if that needs no solving.
    pub work: Work,
}

/// What an entry holds.
pub enum Work {
    /// A puzzle to be solved.
    Solve(Arc<dyn Puzzle>),
    /// No puzzle: what is wrong with it.
    Invalid(Box<Problem>),
    /// An outcome that is known already: a limit does not allow for the puzzle.
    Settled(Box<Outcome>),
}

/// A valid puzzle with all it needs to be solved.
///
/// It displays itself as a file of its own, in the input format of its solver: read under the same options, that file holds
/// the same puzzle ([`read_displayed`](super::read_displayed)).
pub trait Puzzle: fmt::Display + Send + Sync {
    /// Solves the puzzle. The outcome depends on the puzzle and its options alone, unless the budget ends it.
    fn solve(&self, budget: &Budget) -> Outcome;

    /// Returns the line of its file on which the text that it displays would begin, if its outcome may name a line.
    fn first_line(&self) -> u64 {
        1
    }

    /// Returns the witness of an outcome that has none, if finding it again takes next to no time; otherwise `Null`.
    fn trace(&self, _budget: &Budget) -> Value {
        Value::Null
    }

    /// Draws the puzzle with its outcome; by default the answer as text. A witness that does not fit the puzzle is drawn
    /// as far as it goes.
    fn draw(&self, shown: &Shown<'_>) -> Markup {
        html! { p class="mono" { (shown.headline) } }
    }

    /// Returns the witness that an answer of a submission gives, in the form of its own; `Null` if it gives none.
    ///
    /// # Errors
    /// When it gives more than is drawn.
    fn claimed(&self, _answer: &Answer) -> Result<Value, TooMany> {
        Ok(Value::Null)
    }

    /// Compares an answer that can be read with what is `known`. A proof that it gives is replayed on the board, without any
    /// search. By default an answer is right if it consists of the words of our own.
    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        known.check_words(answer)
    }

    /// Returns whether answers are compared with ours. If not, a submission's own answer is replayed, and any legal one
    /// is right.
    fn needs_answer(&self) -> bool {
        true
    }

    /// Returns the right answer, as shown for an answer that cannot be read or is missing; `None` if other answers are right as
    /// well.
    fn right_answer<'k>(&self, known: &'k Known) -> Option<&'k str> {
        Some(&known.headline)
    }

    /// At which line of an answer to the puzzle before, not the first, the answer to this one begins after all.
    fn begins_in(&self, _answer: &Answer) -> Option<usize> {
        None
    }
}
