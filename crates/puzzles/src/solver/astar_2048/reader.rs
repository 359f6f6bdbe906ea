//! Reads boards: a size, then size² values, by tokens as long as the board is valid.
//!
//! Rows may be wrapped, and a board may begin on the line of its size. The one thing lines are asked for is
//! a wrong count of values: it would else be noticed only in the next board, or never, because a size such
//! as 4 is a fine value. See [`Lines`].

use std::sync::Arc;

use std::io;

use super::answer::Proved;
use super::astar_mistakes::{Mistake, Word};
use super::astar_options::Settings;
use super::puzzle::{AstarPuzzle, SQUARE_BYTES};
use crate::board::sliding::SlidingBoard;
use crate::board::swipe::rank_of;
use crate::input::{Lexeme, Line, LineShape, Next, Place, Scanner, Token};
use crate::solver::{
    Bounds, Entry, Layout, Outcome, Part, Problem, Proposal, PuzzleReader, RowLengths, Stop, Work,
};
use crate::words::{Argument, Phrase};

/// Rows looked at to recognise the next board.
const ROWS_PREVIEWED: usize = 4;
/// Values behind a wrong one that are counted to see whether the board is whole but for that.
const LEFT_MAX: u128 = 400;

/// The reader of a file of boards.
pub(super) struct Reader {
    settings: Settings,
    /// The option `memory_limit`.
    memory_bytes_max: u64,
}

impl Reader {
    pub(super) fn new(settings: Settings, memory_bytes_max: u64) -> Self {
        Self { settings, memory_bytes_max }
    }

    /// Reads what comes after a size of at least 2.
    fn read_values(&self, size: u64, input: &mut Scanner<'_>) -> io::Result<Result<Work, Problem>> {
        let count = u128::from(size) * u128::from(size);
        let fits = count.saturating_mul(SQUARE_BYTES) <= u128::from(self.memory_bytes_max);
        let mut ranks = Vec::new();
        let mut lines = Lines::new(size);
        let mut lengths = RowLengths::new(size, [size; 2]);
        for index in 0..count {
            let missing = |place: Place, found: Argument| {
                let (row, column) = (index / u128::from(size) + 1, index % u128::from(size) + 1);
                Problem::new(place, Mistake::SquareCount { found, row, column, size })
            };
            if input.advance()? == Next::NewLine {
                lengths.begin_line(index, input.place());
                if lines.header_comes(index, input)? {
                    return Ok(Err(missing(input.place(), Phrase::from(Word::NextBoard).into())));
                }
            }
            let lexeme = input.next_token()?;
            if lexeme.token == Token::End {
                return Ok(Err(missing(lexeme.place, lexeme.token.quoted())));
            }
            let Some(rank) = lexeme.token.number().and_then(rank_of) else {
                return pass_values(count - index - 1, bad_value(&lexeme), input);
            };
            if fits {
                ranks.push(rank);
            }
        }
        if let Some(place) = lines.surplus(count, input)? {
            let found = input.next_token()?.token.quoted();
            return Ok(Err(Problem::new(place, Mistake::Surplus { found, size })));
        }
        if let Some(problem) = lengths.uneven(count) {
            return Ok(Ok(Work::Invalid(Box::new(problem))));
        }
        if !fits {
            let bounds = Bounds { at_least: Some(0), at_most: None };
            let outcome = Outcome::undecided(Stop::MemoryLimit, bounds, Proved::Moves { least: 0 });
            return Ok(Ok(Work::Settled(Box::new(outcome))));
        }
        let start = SlidingBoard::new(size as usize, ranks);
        Ok(Ok(Work::Solve(Arc::new(AstarPuzzle { start, settings: self.settings }))))
    }
}

impl PuzzleReader for Reader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let lexeme = input.next_token()?;
        let place = lexeme.place;
        let work = match lexeme.token {
            Token::End => return Ok(None),
            Token::Number(size) => match misplaced(size, place, input)? {
                Some(what) => Err(Problem::new(place, what)),
                None if size >= 2 => self.read_values(size, input)?,
                None => Err(Problem::new(place, Mistake::BoardSize { found: lexeme.token.quoted() })),
            },
            _ => {
                let what = Mistake::BoardSize { found: lexeme.token.quoted() };
                Err(Problem::new(place, what).recognised_if(false))
            }
        };
        let work = match work {
            Ok(work) => work,
            Err(problem) => {
                resume(problem.place, input)?;
                Work::Invalid(Box::new(problem))
            }
        };
        Ok(Some(Entry { place, work }))
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { ..*self })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let [first, _, ..] = lines else { return None };
        let [size] = first.numbers()?;
        Some(Layout { header_lines: 1, parts: vec![Part { rows: size, widths: Some([size; 2]) }] })
    }

    fn beginning(&self, problem: &Problem, lines: &[Line<'_>]) -> Option<(Problem, Vec<Proposal>)> {
        if let [count] = lines {
            let proposals = vec![Proposal::RemoveLine { line: count.number }];
            return (problem.rule() == "board-count").then(|| (problem.clone(), proposals));
        }
        let [size, row, ..] = lines else { return None };
        let (line, numbers) = (size.number, size.count());
        let what = || Problem::new(size.place(), Mistake::SizeLine { line, numbers });
        match size.numbers() {
            // The size again.
            Some([only, again]) if row.count() == only && again == only => {
                let (place, bytes) = (size.place(), size.text.trim_ascii().len() as u64);
                Some((what(), vec![Proposal::Replace { place, bytes, with: only.to_string() }]))
            }
            // The size and something else, such as the goal.
            Some([only, _]) if row.count() == only => {
                let (place, token) = size.tokens().nth(1)?;
                Some((what(), vec![Proposal::remove(place, token)]))
            }
            // All are rows, so that their number may be the size.
            _ => (numbers > 1 && numbers == row.count()).then(|| (what(), Vec::new())),
        }
    }

    fn headers(&self, _: &Line<'_>, rows: u64, _: u64) -> Vec<String> {
        vec![rows.to_string()]
    }
}

/// Passes the values behind a wrong one, if the board is whole but for that: it may be written one value per line, as sizes
/// are.
#[cold]
fn pass_values(left: u128, problem: Problem, input: &mut Scanner<'_>) -> io::Result<Result<Work, Problem>> {
    if left > LEFT_MAX || !input.is_whole_with(left, is_size)? {
        return Ok(Err(problem));
    }
    for _ in 0..left {
        input.next_token()?;
    }
    input.advance()?;
    Ok(Ok(Work::Invalid(Box::new(problem))))
}

#[cold]
fn bad_value(lexeme: &Lexeme) -> Problem {
    let most = 1 << 63;
    let expected = match lexeme.token {
        Token::Number(value) if value > 2 && value < most => {
            let below = 1 << value.ilog2();
            Word::Powers { below, above: 2 * below }
        }
        Token::Number(value) if value < most => Word::Power,
        Token::Number(_) | Token::TooLarge(_) => Word::PowerUpTo { most },
        _ => Word::Power,
    };
    let (found, expected) = (lexeme.token.quoted(), expected.into());
    Problem::new(lexeme.place, Mistake::SquareValue { found, expected })
}

/// Behind the first number of a board: what that is if it is no size, because a whole board begins behind it, or with
/// it. Numbers that make up a board are one, whatever their lines look like.
fn misplaced(size: u64, place: Place, input: &mut Scanner<'_>) -> io::Result<Option<Mistake>> {
    let is_alone = match input.advance()? {
        Next::NewLine if may_be_alone(input)? && input.preview::<1>()?[0].tokens == 1 => true,
        Next::SameLine => false,
        _ => return Ok(None),
    };
    let [line, rows @ ..] = input.preview::<{ 2 + ROWS_PREVIEWED }>()?;
    let what = if is_alone {
        let is_board = line.exactly::<1>().is_some_and(|[size]| has_rows(size, &rows));
        is_board.then(|| Mistake::BoardCount { count: size.to_string().into() })
    } else {
        let numbers = u64::from(line.tokens) + 1;
        // Behind the other rows comes a size, or nothing.
        let is_board = numbers <= ROWS_PREVIEWED as u64
            && line.clean
            && rows[..numbers as usize - 1].iter().all(|row| row.clean && row.is_row(numbers))
            && rows[numbers as usize - 1].tokens <= 1;
        is_board.then_some(Mistake::SizeLine { line: place.line, numbers })
    };
    let count = u128::from(size) * u128::from(size);
    let is_board = what.is_some() && size >= 2 && input.is_whole_with(count, is_size)?;
    Ok(what.filter(|_| !is_board))
}

/// At the first token of a line: false where another number is in sight behind a number.
fn may_be_alone(input: &mut Scanner<'_>) -> io::Result<bool> {
    let Some(text) = input.lines_at_hand(1)? else { return Ok(true) };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    Ok(!matches!(text[digits..], [b' ', b'0'..=b'9', ..]))
}

/// Returns whether the first lines of the preview are rows of a board of that size.
fn has_rows(size: u64, lines: &[LineShape]) -> bool {
    let rows = size.min(ROWS_PREVIEWED as u64) as usize;
    size >= 2 && lines[..rows].iter().all(|row| row.is_row(size))
}

/// Whether the first of two lines may be the size of a board.
fn is_size([line, _]: &[LineShape; 2]) -> bool {
    line.exactly::<1>().is_some()
}

/// Goes to the next line that may be a size, from the problem on: one number, or two above as many rows as the first says.
///
/// The line of the problem is not that line, unless nothing of it was read.
fn resume(problem: Place, input: &mut Scanner<'_>) -> io::Result<()> {
    let here = input.place();
    if here.line == problem.line && here != problem {
        input.skip_line()?;
    }
    while input.advance()? != Next::End {
        // Only this line is read, because comments of any length may precede it.
        let line = input.preview::<1>()?[0];
        if line.exactly::<1>().is_some() {
            break;
        }
        if line.exactly().is_some_and(|[size, _]| size > 2) {
            let [_, rows @ ..] = input.preview::<{ 1 + ROWS_PREVIEWED }>()?;
            if has_rows(line.numbers[0], &rows) {
                break;
            }
        }
        input.skip_line()?;
    }
    Ok(())
}

/// What the lines of a board look like so far, to notice a wrong count of values in time.
///
/// Rows may be wrapped, so lines prove nothing while a board is valid by its tokens. They do tell a missing
/// value from a wrapped row where the board was written as the format has it: its size alone on a line, and
/// then lines of which none holds a single value. In such a board a line of one number m, followed by m
/// lines of m tokens and then by another such line or the end, is the next board when all n rows have been
/// read, all rows so far were complete, or they make up a board of another size; unless it and its rows are exactly what the board lacks. A line as
/// long as a row is a surplus row when all n rows before it were complete.
struct Lines {
    size: u64,
    /// The size stands alone on its line; known with the first value.
    size_alone: bool,
    /// Lines with values before the present one.
    rows: u64,
    /// Values on those lines.
    values: u128,
    /// Each of them held exactly one row.
    complete: bool,
    /// Values on each of them; 0 where they differ.
    width: u128,
    /// Some of them held a single value.
    single: bool,
}

impl Lines {
    fn new(size: u64) -> Self {
        Self { size, size_alone: false, rows: 0, values: 0, complete: true, width: 0, single: false }
    }

    /// At the first token of a line, after `count` values of the board: whether this is no value but the
    /// size of the next board.
    fn header_comes(&mut self, count: u128, input: &mut Scanner<'_>) -> io::Result<bool> {
        if count == 0 {
            self.size_alone = true;
            return Ok(false);
        }
        self.end_line(count);
        let is_square = self.width == u128::from(self.rows);
        let in_rows =
            self.size_alone && !self.single && (self.complete || self.rows == self.size || is_square);
        if !in_rows && !self.size_alone {
            return Ok(false);
        }
        // Looking at six lines from each row would cost more than reading it.
        if !may_be_alone(input)? {
            return Ok(false);
        }
        let [line, after @ ..] = input.preview::<{ 2 + ROWS_PREVIEWED }>()?;
        let Some([size @ 2..=u64::MAX]) = line.exactly::<1>() else { return Ok(false) };
        // What is no value spoils the board anyway, so wrapped rows need not be thought of.
        if !in_rows && rank_of(size).is_some() {
            return Ok(false);
        }
        let missing = u128::from(self.size) * u128::from(self.size) - count;
        let fills_the_board = missing == 1 + u128::from(size) * u128::from(size);
        let rows = size.min(ROWS_PREVIEWED as u64) as usize;
        let followed = size > rows as u64 || !after[rows].exists() || after[rows].tokens == 1;
        if !followed || fills_the_board || !after[..rows].iter().all(|row| row.is_row(size)) {
            return Ok(false);
        }
        // A size that is a value too may be one, where the board is whole by its tokens.
        Ok(rank_of(size).is_none() || !input.is_whole_with(missing, is_size)?)
    }

    /// After the last of `count` values: where a value too many stands.
    fn surplus(&mut self, count: u128, input: &mut Scanner<'_>) -> io::Result<Option<Place>> {
        let surplus = match input.advance()? {
            Next::End => false,
            Next::SameLine => true,
            Next::NewLine => {
                self.end_line(count);
                let line = input.preview::<1>()?[0];
                self.size_alone && self.complete && line.clean && line.is_row(self.size)
            }
        };
        Ok(surplus.then(|| input.place()))
    }

    /// A line ended, with the last of `count` values.
    fn end_line(&mut self, count: u128) {
        let values = count - self.values;
        self.width = if self.rows == 0 || self.width == values { values } else { 0 };
        self.complete &= values == u128::from(self.size);
        self.single |= values == 1;
        self.rows += 1;
        self.values = count;
    }
}
