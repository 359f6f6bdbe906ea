//! Reads the cases of a file: T, then T times N, M and N × N values.
//!
//! A case is read by tokens while it is valid, so its rows may be wrapped; [`RowLines`] tells a wrong count of
//! values from that. After an error the reader skips the rest of the line and of the N lines behind the line
//! of `N M`; where N is not known, it goes on at the next line of two numbers in range whose next line has
//! the N values of a first row.

use std::io;

use super::row_lines::RowLines;
use crate::input::{Lexeme, Line, LineShape, Next, Place, Scanner, Token};
use crate::solver::merge_2048::options::{ALGORITHM, Algorithm, LIMITS, Limits, M_MAX, N_MAX};
use crate::solver::merge_2048::puzzle::{BYTES_PER_SQUARE, Case};
use crate::solver::merge_2048::tally::Tally;
use crate::solver::{Entry, Layout, MEMORY_LIMIT, Options, Part, Problem, PuzzleReader, WITNESS, Work};
use crate::words::messages;

/// Rows looked at to recognise the next case where a value is expected.
const ROWS_PREVIEWED: usize = 4;

/// Where in the file the reader is.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// Before T.
    Count,
    /// `read` of `total` cases were read.
    Cases { total: u64, read: u64 },
    /// Behind everything of interest.
    Done,
}

/// The reader of one file.
pub struct CaseReader {
    phase: Phase,
    algorithm: Algorithm,
    witness: bool,
    size_max: u64,
    moves_max: u64,
    memory_bytes_max: u64,
}

/// `N M`, and where the case begins.
struct Header {
    size: u64,
    moves_max: u64,
    place: Place,
    /// It stands alone on its line.
    alone: bool,
}

/// A bad case, and how the reader finds the next one.
struct Failure {
    place: Place,
    problem: Problem,
    resume: Resume,
}

enum Resume {
    /// At the next line that looks like the header of a case.
    NextHeader,
    /// Behind this line and so many more.
    Lines(u64),
    /// Where the reader stands.
    Here,
}

impl CaseReader {
    /// A reader under the solver's options.
    pub fn new(options: &Options) -> Self {
        let published = options.get(LIMITS) == Limits::Published;
        Self {
            phase: Phase::Count,
            algorithm: options.get(ALGORITHM),
            witness: options.get(WITNESS),
            size_max: if published { N_MAX } else { u64::MAX },
            moves_max: if published { M_MAX } else { u64::MAX },
            memory_bytes_max: options.get(MEMORY_LIMIT),
        }
    }

    /// Reads T; an entry only where it is no number.
    fn read_count(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let lexeme = input.next_token()?;
        self.phase = Phase::Done;
        match lexeme.token {
            Token::Number(total) => self.phase = Phase::Cases { total, read: 0 },
            Token::End => {}
            _ => {
                let problem = Problem::token(&lexeme, "case-count", "the number of cases", false);
                return Ok(Some(invalid(lexeme.place, problem)));
            }
        }
        Ok(None)
    }

    /// One more case, or what is wrong with it.
    fn read_case(&self, number: u64, total: u64, input: &mut Scanner<'_>) -> io::Result<Entry> {
        let case = match self.read_header(input)? {
            Ok(header) => self.read_squares(&header, input)?.map(|case| (header.place, case)),
            Err(failure) => Err(failure),
        };
        match case {
            Ok((place, case)) => {
                if number < total && input.advance()? == Next::SameLine {
                    input.warn(input.place(), Oddity::MidLine);
                }
                Ok(Entry { place, work: Work::Solve(Box::new(case)) })
            }
            Err(failure) => {
                match failure.resume {
                    Resume::NextHeader => self.skip_to_header(input)?,
                    Resume::Lines(count) => skip_lines(count, input)?,
                    Resume::Here => {}
                }
                Ok(invalid(failure.place, failure.problem))
            }
        }
    }

    fn read_header(&self, input: &mut Scanner<'_>) -> io::Result<Result<Header, Failure>> {
        // Looking ahead from every token of a long line would cost its length each time.
        let alone = input.advance()? == Next::NewLine && input.preview::<1>()?[0].exactly::<2>().is_some();
        let first = input.next_token()?;
        let place = first.place;
        let size_text = || format!("the board's size N, {}", range(self.size_max));
        let Token::Number(size) = first.token else {
            let problem = Problem::token(&first, "board-size", size_text(), false);
            return Ok(Err(Failure { place, problem, resume: Resume::NextHeader }));
        };
        if !(1..=self.size_max).contains(&size) {
            // M matters no more, and on another line it would belong to the next case.
            let second = input.next_on_line()?;
            let readable = matches!(second, Some(Lexeme { token: Token::Number(_), .. }));
            let problem = Problem::token(&first, "board-size", size_text(), readable);
            return Ok(Err(Failure { place, problem, resume: Resume::Lines(size) }));
        }
        let second = input.next_token()?;
        let readable = match second.token {
            Token::Number(moves_max) if (1..=self.moves_max).contains(&moves_max) => {
                return Ok(Ok(Header { size, moves_max, place, alone }));
            }
            Token::Number(_) => true,
            _ => false,
        };
        let moves_text = format!("the most slides M, {}", range(self.moves_max));
        let problem = Problem::token(&second, "most-slides", moves_text, readable);
        // Where M is missing, the line read already is the first of the rows.
        let rows_seen = u64::from(second.place.line > place.line);
        Ok(Err(Failure { place, problem, resume: Resume::Lines(size - rows_seen) }))
    }

    fn read_squares(&self, header: &Header, input: &mut Scanner<'_>) -> io::Result<Result<Case, Failure>> {
        let size = header.size;
        let place = header.place;
        let count = u128::from(size) * u128::from(size);
        let mut squares = Some(Vec::new());
        let mut tally = Tally::default();
        let mut lines = RowLines::new(size, header.alone);
        for square in 0..count {
            let expected = || {
                let (row, column) = (square / u128::from(size) + 1, square % u128::from(size) + 1);
                format!("the value of row {row}, column {column}, a number from 0 to {}", u64::MAX)
            };
            if input.advance()? != Next::SameLine && lines.begin(square) {
                let shapes = input.preview::<{ 1 + ROWS_PREVIEWED }>()?;
                let looks_over = lines.lacks_values(square, &shapes[0]) && self.is_whole_header(&shapes);
                if looks_over && !input.is_whole_with(count - square, |lines| self.is_header(lines))? {
                    let problem = Problem::old(
                        input.place(),
                        "square-count",
                        "the N M of the next case",
                        expected(),
                        true,
                    );
                    return Ok(Err(Failure { place, problem, resume: Resume::Here }));
                }
            }
            let lexeme = input.next_token()?;
            let Token::Number(value) = lexeme.token else {
                let problem = Problem::token(&lexeme, "square-value", expected(), true);
                let resume = Resume::Lines(size.saturating_sub(lines.seen()));
                return Ok(Err(Failure { place, problem, resume }));
            };
            let class = if value == 0 { 0 } else { tally.add(value) };
            self.keep(class, &mut squares);
        }
        if self.surplus(&mut lines, count, input)? {
            let expected = format!("the end of a case of {size} rows of {size} values");
            let problem = Problem::token(&input.next_token()?, "square-count", expected, true);
            return Ok(Err(Failure { place, problem, resume: Resume::Lines(0) }));
        }
        let (algorithm, witness) = (self.algorithm, self.witness);
        Ok(Ok(Case { size, moves_max: header.moves_max, squares, tally, algorithm, witness }))
    }

    /// Whether a value or a row too many follows the last of `count` values.
    fn surplus(&self, lines: &mut RowLines, count: u128, input: &mut Scanner<'_>) -> io::Result<bool> {
        match input.advance()? {
            Next::SameLine if lines.one_too_many() => {
                let [rest, next @ ..] = input.preview::<{ 2 + ROWS_PREVIEWED }>()?;
                Ok(rest.tokens == 1 && (!next[0].exists() || self.is_whole_header(&next)))
            }
            Next::SameLine | Next::End => Ok(false),
            Next::NewLine => {
                if !lines.begin(count) || !lines.all_complete() {
                    return Ok(false);
                }
                let [row, header, first_row] = input.preview()?;
                Ok(lines.is_surplus_row(&row) && self.is_header(&[header, first_row]))
            }
        }
    }

    /// Whether a line holds `N M` in range, and the next ones rows of N values.
    fn is_whole_header(&self, [header, rows @ ..]: &[LineShape; 1 + ROWS_PREVIEWED]) -> bool {
        let seen = header.numbers[0].clamp(1, ROWS_PREVIEWED as u64) as usize;
        rows[..seen].iter().all(|row| self.is_header(&[*header, *row]))
    }

    /// Whether a line holds `N M` in range, and the next one as many values as a first row.
    fn is_header(&self, [header, row]: &[LineShape; 2]) -> bool {
        header.exactly::<2>().is_some_and(|[size, moves_max]| {
            (1..=self.size_max).contains(&size)
                && (1..=self.moves_max).contains(&moves_max)
                && row.is_row(size)
        })
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

    /// Skips this line and all before the next that looks like a header.
    fn skip_to_header(&self, input: &mut Scanner<'_>) -> io::Result<()> {
        loop {
            input.skip_line()?;
            let shapes = input.preview::<2>()?;
            if !shapes[0].exists() || self.is_header(&shapes) {
                return Ok(());
            }
            // Moves over blank and comment lines to the line that was looked at.
            input.advance()?;
        }
    }
}

impl PuzzleReader for CaseReader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if matches!(self.phase, Phase::Count)
            && let Some(entry) = self.read_count(input)?
        {
            return Ok(Some(entry));
        }
        let Phase::Cases { total, read } = self.phase else { return Ok(None) };
        let next = input.advance()?;
        if read < total && next != Next::End {
            self.phase = Phase::Cases { total, read: read + 1 };
            return self.read_case(read + 1, total, input).map(Some);
        }
        // Too few cases or too many: said once, and nothing behind it is read.
        self.phase = Phase::Done;
        let (rule, expected) = if read < total {
            ("missing-case", format!("case {} of {total}", read + 1))
        } else if next != Next::End {
            let plural = if total == 1 { "" } else { "s" };
            ("text-after-cases", format!("the end of the file after {total} case{plural}"))
        } else {
            return Ok(None);
        };
        let lexeme = input.next_token()?;
        Ok(Some(invalid(lexeme.place, Problem::token(&lexeme, rule, expected, false))))
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { phase: Phase::Cases { total: 1, read: 0 }, ..*self })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let [size, _] = lines.first()?.numbers()?;
        Some(Layout { header_lines: 1, parts: vec![Part { rows: size, widths: Some([size; 2]) }] })
    }
}

messages! {
    "merge"
    /// What is odd about a file of cases.
    enum Oddity {
        /// A case does not end with its line.
        MidLine = "mid-line",
    }
}

fn invalid(place: Place, problem: Problem) -> Entry {
    Entry { place, work: Work::Invalid(Box::new(problem)) }
}

fn range(max: u64) -> String {
    if max == u64::MAX { "from 1".to_owned() } else { format!("from 1 to {max}") }
}

/// Drops the rest of this line and `count` lines more; blank lines and comments do not count.
fn skip_lines(count: u64, input: &mut Scanner<'_>) -> io::Result<()> {
    input.skip_line()?;
    for _ in 0..count {
        if input.advance()? == Next::End {
            break;
        }
        input.skip_line()?;
    }
    Ok(())
}
