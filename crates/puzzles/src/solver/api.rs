//! Defines a solver: its descriptions, a reader of puzzles, and puzzles that solve themselves.

use std::{fmt, io};

use serde::de::Error as _;
use serde_json::Value;

use super::form::{Field, Piece};
use super::grading::{Answer, AnswerReader, Finding, Known, Lines, TooMany};
use super::{Budget, OptionSpec, Options, Outcome, Problem, Random, RenderInput, Text};
use crate::input::{Line, Place, Scanner};
use crate::picture::GridPicture;
use crate::words::Phrase;

/// Where a generator writes its file.
pub type Out<'a> = &'a mut dyn io::Write;

/// A kind of puzzle and how it is answered: a constant of the table [`SOLVERS`](super::SOLVERS).
pub trait Solver: Sync {
    /// Describes the solver.
    fn info(&self) -> &'static SolverInfo;

    /// Begins to read a file of puzzles. `options` hold [`COMMON`](super::COMMON) and [`Self::options`].
    fn open(&self, options: &Options) -> Box<dyn PuzzleReader>;

    /// Returns the reader that separates the answers of a submission to puzzles under `options`. By default each line
    /// is an answer.
    fn answers(&self, _options: &Options) -> Box<dyn AnswerReader> {
        Box::new(Lines)
    }

    /// Writes a file of `count` random valid puzzles; the same `options` and `random` give the same file.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    fn generate(&self, options: &Options, count: u64, random: &mut Random, out: Out<'_>) -> io::Result<()>;

    /// Parses the text of a result that [`Render::to_json`](super::Render::to_json) wrote on another machine, and
    /// checks everything that writing the text relies on.
    ///
    /// # Errors
    /// Fails if the JSON is malformed. Always fails for solvers that hold their texts in memory as a whole.
    fn text_from_json(&self, _json: &str) -> serde_json::Result<Text> {
        Err(serde_json::Error::custom("a text that this solver does not write"))
    }

    /// Returns the solver's name in configurations and directives.
    fn id(&self) -> &'static str {
        self.info().id
    }

    /// Returns the solver's own options, which it takes in addition to [`COMMON`](super::COMMON).
    fn options(&self) -> &'static [OptionSpec] {
        self.info().options
    }

    /// Returns the options for the rules that the course plays by, if these are not the default rules.
    fn course_rules(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the options of the solver's generator, which takes no common options.
    fn generator_options(&self) -> &'static [OptionSpec] {
        self.info().generator_options
    }
}

/// Two solvers are equal if their IDs are equal.
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

/// The descriptions of a solver, and its options.
#[derive(Debug)]
pub struct SolverInfo {
    /// The name in configurations and directives: `checkers-capture`.
    pub id: &'static str,
    /// The word for a puzzle on the solver's page: `board`, `case` or `game`.
    pub noun: &'static str,
    /// What the solver answers, in one line without a full stop.
    pub about: &'static str,
    /// The input format, as `tabuleiro solvers ID` prints it: a few indented lines.
    pub input_format: &'static str,
    /// The output format, as `tabuleiro solvers ID` prints it.
    pub output_format: &'static str,
    /// An input and its exact output under the default options; checked by a test.
    pub example: Example,
    /// Whether a file that is wrong for its own solver can be for this one, if this one reads all of it.
    pub is_recognised: bool,
    /// The solver's own options, which it takes in addition to [`COMMON`](super::COMMON).
    pub options: &'static [OptionSpec],
    /// The options of the solver's generator, which takes no common options.
    pub generator_options: &'static [OptionSpec],
}

/// Makes the [`SolverInfo`] of a solver that recognises its files. The texts and the example are in its folder `info`.
macro_rules! solver_info {
    ($($field:ident: $value:expr),+ $(,)?) => {
        &$crate::solver::SolverInfo {
            $($field: $value,)+
            input_format: include_str!("info/input-format.txt"),
            output_format: include_str!("info/output-format.txt"),
            example: $crate::solver::Example {
                input: include_str!("info/example.entrada.txt"),
                output: include_str!("info/example.saida.txt"),
            },
            is_recognised: true,
        }
    };
}
pub(super) use solver_info;

/// An input and its output.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The content of an `entrada.txt`.
    pub input: &'static str,
    /// The content of the `saida.txt`.
    pub output: &'static str,
}

/// Reads the puzzles of one file, one by one. The reader holds at most one puzzle.
pub trait PuzzleReader: Send {
    /// Reads the next puzzle; returns `None` at the end of the file. An invalid puzzle is an entry too: the reader
    /// describes it and resumes after it. Every call consumes input or returns `None`.
    ///
    /// # Errors
    /// Fails only if the input cannot be read.
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>>;

    /// Returns whether a file without any puzzle is complete. The caller asks at the end of the file.
    fn allows_empty(&self) -> bool {
        false
    }

    /// Returns whether the file may end with the puzzle before an invalid one, without an end marker. The caller asks
    /// after the invalid puzzle.
    fn may_end(&self) -> bool {
        true
    }

    /// Returns a fresh reader with the same options, at the beginning of a puzzle. The diagnosis uses it to try whether
    /// a change makes a puzzle valid.
    fn fresh_reader(&self) -> Box<dyn PuzzleReader>;

    /// Divides the lines of a whole file into puzzles, right or wrong, so that as few mistakes as possible explain all
    /// of them; `None` if that is not possible. The pieces end before a line that ends the file.
    fn pieces(&self, _lines: &[Line<'_>]) -> Option<Vec<Piece>> {
        None
    }

    /// Returns a fresh reader that begins with a puzzle and expects nothing before it.
    fn puzzle_reader(&self) -> Box<dyn PuzzleReader> {
        self.fresh_reader()
    }

    /// Records that the caller has read all pieces of the file, and returns what is wrong with their number.
    /// `before` are the lines before the first puzzle, which begins with the line `first`.
    fn has_read(&mut self, _before: &[Line<'_>], _first: &Line<'_>, _puzzles: ReadPuzzles) -> Option<Entry> {
        None
    }

    /// Returns the layout in lines of a puzzle that begins with `lines`; `None` if no puzzle begins with them. Without
    /// a layout, files are not recognised, and mistakes are not examined closely.
    fn layout(&self, _lines: &[Line<'_>]) -> Option<Layout> {
        None
    }

    /// Returns the numbers in the first lines of a puzzle, line by line.
    fn fields(&self) -> &[Vec<Field>] {
        &[]
    }

    /// Returns the name of the player to whose square this row of a part belongs; `None` if the row belongs to a board.
    /// The last line before the first row holds the number of players.
    fn player(&self, _part: usize, _row: u64) -> Option<String> {
        None
    }

    /// Returns the first lines that would be right instead of `header` if the first part has `rows` rows, with the
    /// numbers of `widths` in turn.
    fn headers(&self, _header: &Line<'_>, _rows: u64, _widths: [u64; 2]) -> Vec<String> {
        Vec::new()
    }
}

/// The puzzles of a file that were read piece by piece.
#[derive(Debug, Clone)]
pub struct ReadPuzzles {
    /// How many there are.
    pub count: u64,
    /// Whether all are valid.
    pub all_valid: bool,
    /// The lines, also before the first puzzle, that hold one number alone and belong to no puzzle.
    pub alone: Vec<u64>,
}

/// The lines of a puzzle, as people write them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Lines before the first row.
    pub header_lines: usize,
    /// The rows, part by part.
    pub parts: Vec<Part>,
}

impl Layout {
    /// Returns the number of rows of all parts.
    pub fn rows(&self) -> u64 {
        self.parts.iter().fold(0, |rows, part| rows.saturating_add(part.rows))
    }

    /// Converts a row, counted from 0 over all parts, to its part and its row in that part; `None` after the last row.
    pub fn part_of(&self, row: u64) -> Option<(usize, u64)> {
        Part::of_row(&self.parts, row)
    }
}

/// Rows of a puzzle that belong together, such as a board, or the squares of the players.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    /// Number of rows.
    pub rows: u64,
    /// Numbers on the odd rows (the first, third, …) and on the even rows; `None` if a row may hold anything.
    pub widths: Option<[u64; 2]>,
}

impl Part {
    /// A part without rows.
    pub const NONE: Self = Self { rows: 0, widths: None };

    /// Converts a row, counted from 0 over all `parts`, to its part and its row in that part; `None` after the last row.
    pub fn of_row(parts: &[Self], mut row: u64) -> Option<(usize, u64)> {
        for (index, part) in parts.iter().enumerate() {
            if row < part.rows {
                return Some((index, row));
            }
            row -= part.rows;
        }
        None
    }

    /// Returns how many numbers a row, counted from 0, should have; `None` if it may hold anything.
    pub fn width(&self, row: u64) -> Option<u64> {
        self.widths.map(|widths| widths[row as usize % 2])
    }

    /// Returns how many numbers all rows hold together; 0 if rows may hold anything.
    pub fn numbers(&self) -> u128 {
        let [first, second] = self.widths.unwrap_or_default();
        u128::from(self.rows.div_ceil(2)) * u128::from(first) + u128::from(self.rows / 2) * u128::from(second)
    }
}

/// One puzzle of a file.
pub struct Entry {
    /// Where the puzzle begins.
    pub place: Place,
    /// The puzzle, or its outcome if it need not be solved.
    pub work: Work,
}

impl Entry {
    /// Creates the entry of an invalid puzzle at the place of its mistake.
    pub fn invalid(problem: Problem) -> Self {
        Self { place: problem.place, work: Work::Invalid(Box::new(problem)) }
    }

    /// Returns what is wrong with the puzzle; `None` if it is valid.
    pub fn problem(&self) -> Option<&Problem> {
        if let Work::Invalid(problem) = &self.work { Some(problem) } else { None }
    }
}

/// The content of an entry.
pub enum Work {
    /// A puzzle to be solved.
    Solve(Box<dyn Puzzle>),
    /// An invalid puzzle, and what is wrong with it.
    Invalid(Box<Problem>),
    /// An outcome without solving, because a limit does not allow the puzzle.
    Settled(Box<Outcome>),
}

impl Work {
    /// Returns what is wrong with the puzzle; `None` if it is valid.
    pub fn problem(self) -> Option<Problem> {
        if let Self::Invalid(problem) = self { Some(*problem) } else { None }
    }
}

/// A valid puzzle, with everything that is needed to solve it.
///
/// A puzzle displays itself as a file of its own, in the input format of its solver. Reading that file under the same
/// options gives the same puzzle ([`read_displayed`](super::read_displayed)).
pub trait Puzzle: Drawable + Gradable + fmt::Display + Send + Sync {
    /// Solves the puzzle. The outcome depends only on the puzzle and its options, unless the budget ends the search.
    fn solve(&self, budget: &Budget) -> Outcome;

    /// Returns what is wrong with the puzzle that only playing it shows, if that takes next to no time. Solving it gives
    /// the same problem as its outcome.
    fn mistake(&self) -> Option<Problem> {
        None
    }

    /// Returns the line of the input file on which the displayed text would begin. Only puzzles whose outcome can name
    /// a line need it.
    fn first_line(&self) -> u64 {
        1
    }

    /// Returns the witness for an outcome without one, if finding it takes next to no time; otherwise `Null`.
    fn trace(&self, _budget: &Budget) -> Value {
        Value::Null
    }
}

/// What a page shows about a puzzle. The default is the answer as text.
pub trait Drawable {
    /// Draws the puzzle with its outcome; returns `None` if there is nothing to draw. If the witness does not fit the
    /// puzzle, the picture shows the part that fits.
    fn draw(&self, _input: &RenderInput) -> Option<GridPicture> {
        None
    }

    /// Returns the answer in a sentence; `None` if the headline says it all.
    fn sentence(&self, _input: &RenderInput) -> Option<Phrase> {
        None
    }

    /// Returns the question of the puzzle, in a sentence.
    fn asks(&self) -> Option<Phrase> {
        None
    }
}

/// How the answers of a submission are compared with ours. By default an answer is right if it has the same words as
/// ours.
pub trait Gradable {
    /// Compares a readable answer with what is `known`. If the answer gives a proof, the proof is replayed on the
    /// board, without a search. If nothing is proved, only a finding of an internal error counts.
    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        known.check_words(answer)
    }

    /// Returns the witness that a submitted answer gives, in the form of the solver's own witnesses; `Null` if it gives
    /// none.
    ///
    /// # Errors
    /// Fails if the answer gives more than is drawn.
    fn claimed(&self, _answer: &Answer) -> Result<Value, TooMany> {
        Ok(Value::Null)
    }

    /// Returns whether answers are compared with ours. If not, the submitted answer is replayed, and any legal one is
    /// right.
    fn needs_answer(&self) -> bool {
        true
    }

    /// Returns the line of `answer` at which the answer to this puzzle begins. `answer` was read as the answer to the
    /// previous puzzle. Returns `None` if there is no such line after the first.
    fn begins_in(&self, _answer: &Answer) -> Option<usize> {
        None
    }
}
