//! Reads a case: N, M and N × N values.
//!
//! A case is read by its tokens while it is valid, so its rows may be wrapped; [`RowLines`] tells a wrong count of
//! values from that.

use std::sync::Arc;

use std::io;

use super::headers::{self, ROWS_PREVIEWED};
use super::row_lines::RowLines;
use crate::input::{LineShape, Next, Place, Scanner, Token};
use crate::solver::merge_2048::mistake::{Mistake, Oddity, Part, bad_square, range};
use crate::solver::merge_2048::options::{ALGORITHM, Algorithm, LIMITS, Limits, M_MAX, N_MAX};
use crate::solver::merge_2048::puzzle::{BYTES_PER_SQUARE, Case};
use crate::solver::merge_2048::tally::Tally;
use crate::solver::merge_2048::task::Slides;
use crate::solver::{Entry, MEMORY_LIMIT, Options, PICTURE, Problem, RowLengths, WITNESS, Work};

/// Lines looked at for the end of surplus rows.
const SURPLUS_PREVIEWED: usize = 10;
/// Values behind a wrong one that are counted to see whether the case is whole but for that.
const LEFT_MAX: u128 = 400;
/// The largest board that is surely in sight, however its values are written.
const SIZE_IN_SIGHT: u64 = 100;

/// What a case may be, and how it is to be answered.
#[derive(Debug, Clone)]
pub struct Rules {
    algorithm: Algorithm,
    slides: Slides,
    size_max: u64,
    moves_max: u64,
    memory_bytes_max: u64,
}

/// `N M`.
struct Header {
    size: u64,
    moves_max: u64,
    /// It stands alone on its line.
    alone: bool,
    /// How to go on where the squares are wrong.
    by_rows: bool,
}

/// A bad case, and how the reader finds the next one.
struct Failure {
    problem: Problem,
    resume: Resume,
}

enum Resume {
    /// At the next line that looks like the header of a case.
    NextHeader,
    /// Behind the rows of a board of that size.
    Rows(u64),
    /// Behind so many tokens.
    Tokens(u128),
}

impl Rules {
    pub fn new(options: &Options) -> Self {
        let published = options.get(LIMITS) == Limits::Published;
        Self {
            algorithm: options.get(ALGORITHM),
            slides: match (options.get(WITNESS), options.get(PICTURE)) {
                (true, _) => Slides::Needed,
                (false, true) => Slides::IfLimitsAllow,
                (false, false) => Slides::Unwanted,
            },
            size_max: if published { N_MAX } else { u64::MAX },
            moves_max: if published { M_MAX } else { u64::MAX },
            memory_bytes_max: options.get(MEMORY_LIMIT),
        }
    }

    /// Whether a board may have that size.
    pub(super) fn is_size(&self, size: u64) -> bool {
        (1..=self.size_max).contains(&size)
    }

    /// One more case, or what is wrong with it. The reader must stand at a token.
    pub(super) fn read(&self, more_follow: bool, input: &mut Scanner<'_>) -> io::Result<Entry> {
        let begins_line = input.advance()? == Next::NewLine;
        let (spot, place) = (input.spot(), input.place());
        let case = match self.read_header(begins_line, input)? {
            Ok(header) => self.read_squares(&header, input)?,
            Err(failure) => Err(failure),
        };
        let mut failure = match case {
            Ok(case) => {
                if more_follow && input.advance()? == Next::SameLine {
                    input.warn(input.place(), Oddity::MidLine);
                }
                return Ok(Entry { place, work: Work::Solve(Arc::new(case)) });
            }
            Err(failure) => failure,
        };
        match failure.resume {
            Resume::NextHeader => headers::skip_to_header(input)?,
            Resume::Rows(size) => {
                // Where too much was read to go back, the lines from here on are looked at.
                input.go_back(spot);
                input.skip_line()?;
                headers::skip_rows(size, input)?;
                input.advance()?;
                // What was read as its values may be of the cases behind it.
                if input.place() < failure.problem.place && input.advance()? != Next::End {
                    let (found, expected) = (Part::NextCase, Part::Rows { size });
                    failure = wrong_count(input.place(), found, expected, size);
                }
            }
            Resume::Tokens(count) => {
                for _ in 0..count {
                    if input.next_token()?.token == Token::End {
                        break;
                    }
                }
            }
        }
        input.advance()?;
        Ok(Entry { place, work: Work::Invalid(Box::new(failure.problem)) })
    }

    fn read_header(&self, begins_line: bool, input: &mut Scanner<'_>) -> io::Result<Result<Header, Failure>> {
        // Looking ahead from every token of a long line would cost its length each time.
        let alone = begins_line && input.preview::<1>()?[0].exactly::<2>().is_some();
        if begins_line
            && !alone
            && let Some((header, size)) = odd_header(input)?
        {
            let problem = Problem::new(input.place(), Mistake::HeaderLength { header, size });
            return Ok(Err(Failure { problem, resume: Resume::Rows(size) }));
        }
        let first = input.next_token()?;
        let bad_size = || Mistake::BoardSize { found: first.token.quoted(), range: range(self.size_max) };
        let Token::Number(size) = first.token else {
            let problem = Problem::new(first.place, bad_size()).recognised_if(false);
            return Ok(Err(Failure { problem, resume: Resume::NextHeader }));
        };
        let resume = |by_rows| {
            let squares = u128::from(size) * u128::from(size);
            if by_rows { Resume::Rows(size) } else { Resume::Tokens(squares) }
        };
        if !self.is_size(size) {
            // M matters no more, and on another line it would belong to the next case.
            let readable = input.next_on_line()?.is_some_and(|lexeme| lexeme.token.number().is_some());
            let problem = Problem::new(first.place, bad_size()).recognised_if(readable);
            return Ok(Err(Failure { problem, resume: resume(begins_line) }));
        }
        let second = input.next_token()?;
        let by_rows = begins_line && second.place.line == first.place.line;
        if let Token::Number(moves_max) = second.token
            && (1..=self.moves_max).contains(&moves_max)
        {
            return Ok(Ok(Header { size, moves_max, alone, by_rows }));
        }
        let what = Mistake::MostSlides { found: second.token.quoted(), range: range(self.moves_max) };
        let readable = second.token.number().is_some();
        let problem = Problem::new(second.place, what).recognised_if(readable);
        let is_line = begins_line && (by_rows || !second.token.is_digits());
        Ok(Err(Failure { problem, resume: resume(is_line) }))
    }

    fn read_squares(&self, header: &Header, input: &mut Scanner<'_>) -> io::Result<Result<Case, Failure>> {
        let size = header.size;
        let count = u128::from(size) * u128::from(size);
        let mut squares = Some(Vec::new());
        let mut tally = Tally::default();
        let mut lines = RowLines::new(size, header.alone);
        let mut lengths = if header.alone { RowLengths::new(size, [size; 2]) } else { RowLengths::default() };
        for square in 0..count {
            let place = || {
                let (row, column) = (square / u128::from(size) + 1, square % u128::from(size) + 1);
                (row as u64, column as u64)
            };
            let next = input.advance()?;
            if next == Next::NewLine {
                lengths.begin_line(square, input.place());
            }
            if next != Next::SameLine && lines.begin(square) {
                let shapes = input.preview::<{ 1 + ROWS_PREVIEWED }>()?;
                let looks_over = lines.lacks_values(square, &shapes[0]) && headers::is_whole(&shapes);
                if looks_over && !is_whole_with(count - square, input)? {
                    let (row, column) = place();
                    let (found, expected) = (Part::NextCase, Part::Square { row, column });
                    return Ok(Err(wrong_count(input.place(), found, expected, size)));
                }
            }
            let lexeme = input.next_token()?;
            let Token::Number(value) = lexeme.token else {
                let left = count - square - 1;
                let by_tokens = !header.by_rows || self.ends_with(left, input)?;
                let resume = if by_tokens { Resume::Tokens(left) } else { Resume::Rows(size) };
                return Ok(Err(Failure { problem: bad_square(&lexeme, place()), resume }));
            };
            let class = if value == 0 { 0 } else { tally.add(value) };
            self.keep(class, &mut squares);
        }
        if self.is_surplus(&mut lines, count, input)? {
            let place = input.place();
            let found = input.next_token()?.token.quoted();
            let expected = Part::End { size }.into();
            let problem = Problem::new(place, Mistake::SquareCount { found, expected });
            return Ok(Err(Failure { problem, resume: Resume::Rows(size) }));
        }
        let ends_line = input.advance()? != Next::SameLine;
        if let Some(problem) = lengths.uneven(count).filter(|_| ends_line) {
            return Ok(Err(Failure { problem, resume: Resume::Tokens(0) }));
        }
        let (algorithm, slides) = (self.algorithm, self.slides);
        Ok(Ok(Case { size, moves_max: header.moves_max, squares, tally, algorithm, slides }))
    }

    /// Whether a case with a wrong value is whole but for that: it may be written one value per line, unlike its rows.
    fn ends_with(&self, left: u128, input: &mut Scanner<'_>) -> io::Result<bool> {
        let is_header = |[line]: &[LineShape; 1]| {
            let is_allowed =
                |[size, moves_max]: [u64; 2]| self.is_size(size) && (1..=self.moves_max).contains(&moves_max);
            line.exactly().is_some_and(is_allowed)
        };
        Ok(left <= LEFT_MAX && input.is_whole_with(left, is_header)?)
    }

    /// Whether values or rows too many follow the last of `count` values.
    fn is_surplus(&self, lines: &mut RowLines, count: u128, input: &mut Scanner<'_>) -> io::Result<bool> {
        match input.advance()? {
            Next::SameLine if lines.is_by_rows() || lines.is_at_first() && is_wide_board(count, input)? => {
                let [rest] = input.preview()?;
                Ok(!self.is_wrapped(&rest, input)?)
            }
            Next::SameLine | Next::End => Ok(false),
            Next::NewLine => {
                if !lines.begin(count) || !lines.are_rows() {
                    return Ok(false);
                }
                let [line] = input.preview()?;
                if !lines.is_surplus_row(&line) {
                    return Ok(false);
                }
                let ahead: [LineShape; SURPLUS_PREVIEWED] = input.preview()?;
                let rows = ahead.iter().take_while(|line| lines.is_surplus_row(line)).count();
                Ok(match ahead[rows..] {
                    [header, row, ..] => !header.exists() || headers::is_header(&header, &row),
                    _ => false,
                })
            }
        }
    }

    /// Whether the rest of a line begins one more case, which is whole by its tokens.
    fn is_wrapped(&self, rest: &LineShape, input: &mut Scanner<'_>) -> io::Result<bool> {
        let [size, moves_max, _] = rest.numbers;
        if !self.is_size(size) || rest.tokens > 1 && !(1..=self.moves_max).contains(&moves_max) {
            return Ok(false);
        }
        Ok(size > SIZE_IN_SIGHT || is_whole_with(2 + u128::from(size) * u128::from(size), input)?)
    }

    /// Appends a square, or drops all once they exceed the memory limit. Memory grows with the squares read,
    /// not with the size announced.
    fn keep(&self, class: u8, squares: &mut Option<Vec<u8>>) {
        let Some(kept) = squares else { return };
        if kept.len() as u64 >= self.memory_bytes_max / BYTES_PER_SQUARE {
            *squares = None;
        } else {
            kept.push(class);
        }
    }
}

/// Whether the line at hand, of which so many numbers are read, is the first row of a board of another size.
fn is_wide_board(read: u128, input: &mut Scanner<'_>) -> io::Result<bool> {
    let Ok(read) = u64::try_from(read) else { return Ok(false) };
    // Lines of two may be those of a file that is wrapped.
    Ok(headers::board_ahead(read, input)?.is_some_and(|size| size > 2))
}

/// The next case begins too soon.
fn wrong_count(place: Place, found: Part, expected: Part, size: u64) -> Failure {
    let found = crate::words::Phrase::from(found).into();
    let what = Mistake::SquareCount { found, expected: expected.into() };
    Failure { problem: Problem::new(place, what), resume: Resume::Rows(size) }
}

/// A line and N, where it has not two numbers and stands before N rows of N: M is missing, or N stands twice. The reader
/// must stand at its first token.
fn odd_header(input: &mut Scanner<'_>) -> io::Result<Option<(String, u64)>> {
    let [line, rows @ ..] = input.preview::<{ 1 + ROWS_PREVIEWED }>()?;
    let size = line.numbers[0];
    let is_odd = match line.tokens {
        1 => true,
        3 => line.numbers[1] == size,
        _ => false,
    };
    let is_header = is_odd && line.clean && size > 1 && headers::rows_follow(size, &rows);
    let squares = u128::from(size) * u128::from(size);
    if !is_header || is_whole_with(2 + squares, input)? {
        return Ok(None);
    }
    let numbers: Vec<String> = line.numbers[..line.tokens.into()].iter().map(u64::to_string).collect();
    Ok(Some((numbers.join(" "), size)))
}

/// Whether a case is whole by its tokens with the next `count` of them, however its lines look.
fn is_whole_with(count: u128, input: &mut Scanner<'_>) -> io::Result<bool> {
    input.is_whole_with(count, |[header, row]| headers::is_header(header, row))
}
