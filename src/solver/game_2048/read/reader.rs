//! Reads games: a header, N rows and MOVES, each a line of its own.
//!
//! A game that cannot be read is left at the next line that ends a game ([`moves::ends_game`]), which may be
//! the line of the error itself: a row that is missing shows as MOVES in its place. In the place of MOVES
//! any line that holds something else than numbers was meant as MOVES and ends the game, however wrong.

use std::io;
use std::sync::Arc;

use super::super::options::Settings;
use super::super::puzzle::{self, GamePuzzle};
use super::line::{LINE_BYTES_MAX, problem_at_end, too_long};
use super::moves::{self, Moves};
use super::seed::SeedHash;
use crate::board::swipe::rank_of;
use crate::input::{Line, Place, RawLine, Scanner, Token};
use crate::solver::{Entry, Layout, Part, Problem, PuzzleReader, Stop, Work};

/// Reads the games of one file.
pub struct GameReader {
    settings: Arc<Settings>,
}

/// What the first line of a game says.
struct Header {
    size: u64,
    seed: Option<u64>,
}

/// The squares of a game, as far as they are read.
struct Rows {
    /// Empty and no longer filled when the board is too large for the memory limit.
    ranks: Vec<u8>,
    stored: bool,
    hash: SeedHash,
}

/// A game that cannot be read.
struct Failure {
    problem: Problem,
    /// The line of the problem ends the game, so that the next one begins behind it.
    at_end_of_game: bool,
}

impl GameReader {
    /// A reader of games to be played under `settings`.
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(settings) }
    }

    fn read_game(&self, first: &RawLine, input: &mut Scanner<'_>) -> io::Result<Result<Work, Failure>> {
        let header = match read_header(first) {
            Ok(header) => header,
            // A lone number in the place of a header is a bad header, never MOVES.
            Err(problem) => {
                let at_end_of_game = moves::was_meant_as_moves(first) && moves::ends_game(first);
                return Ok(Err(Failure { problem, at_end_of_game }));
            }
        };
        let mut rows = Rows::new(&header, self.settings.memory_limit);
        for row in 1..=header.size {
            let Some(line) = input.next_line(LINE_BYTES_MAX)? else {
                return Ok(Err(missing(input.place(), format!("row {row} of {}", header.size))));
            };
            if let Err(problem) = rows.read(&line, row, header.size) {
                return Ok(Err(Failure { problem, at_end_of_game: moves::ends_game(&line) }));
            }
        }
        let Some(line) = input.next_line(LINE_BYTES_MAX)? else {
            return Ok(Err(missing(input.place(), "the moves".to_owned())));
        };
        let at_end_of_game = moves::was_meant_as_moves(&line);
        let moves = match Moves::parse(line) {
            Ok(moves) => moves,
            Err(problem) => return Ok(Err(Failure { problem, at_end_of_game })),
        };
        if !rows.stored {
            return Ok(Ok(Work::Settled(puzzle::not_begun(Stop::MemoryLimit))));
        }
        let seed = header.seed.unwrap_or_else(|| rows.hash.with_moves(&moves));
        let (file, settings) = (Arc::clone(input.name()), Arc::clone(&self.settings));
        let size = header.size as usize;
        Ok(Ok(Work::Solve(Box::new(GamePuzzle { file, settings, size, ranks: rows.ranks, seed, moves }))))
    }
}

impl PuzzleReader for GameReader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let Some(first) = input.next_line(LINE_BYTES_MAX)? else { return Ok(None) };
        // The scanner gives no line without a token.
        let place = first.tokens().next().map_or_else(|| input.place(), |lexeme| lexeme.place);
        let work = match self.read_game(&first, input)? {
            Ok(work) => work,
            Err(failure) => {
                if !failure.at_end_of_game {
                    skip_game(input)?;
                }
                Work::Invalid(Box::new(failure.problem))
            }
        };
        Ok(Some(Entry { place, work }))
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { settings: Arc::clone(&self.settings) })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let header = lines.first()?;
        let size = header.numbers().map(|[size]| size).or_else(|| header.numbers().map(|[size, _]| size))?;
        let board = Part { rows: size, widths: Some([size; 2]) };
        Some(Layout { header_lines: 1, parts: vec![board, Part { rows: 1, widths: None }] })
    }
}

impl Rows {
    fn new(header: &Header, memory_bytes_max: u64) -> Self {
        let stored = puzzle::board_bytes(header.size) <= memory_bytes_max;
        Self { ranks: Vec::new(), stored, hash: SeedHash::new(header.size) }
    }

    /// Reads one row of `size` values; `row` counts from 1.
    fn read(&mut self, line: &RawLine, row: u64, size: u64) -> Result<(), Problem> {
        if line.truncated {
            return Err(too_long(line));
        }
        let mut values = 0;
        for lexeme in line.tokens() {
            if values == size {
                let expected = format!("the end of the line after {size} values");
                return Err(Problem::token(&lexeme, "row-length", expected, true));
            }
            let Some(rank) = lexeme.token.number().and_then(rank_of) else {
                let expected = format!("0 or a power of two from 2 to 2^63 in row {row} of {size}");
                return Err(Problem::token(&lexeme, "square-value", expected, true));
            };
            values += 1;
            self.hash.rank(rank);
            if self.stored {
                self.ranks.push(rank);
            }
        }
        if values < size {
            let expected = format!("{size} values in row {row} of {size}, not {values}");
            return Err(problem_at_end(line, "row-length", expected));
        }
        Ok(())
    }
}

fn read_header(line: &RawLine) -> Result<Header, Problem> {
    if line.truncated {
        return Err(Problem { recognised: false, ..too_long(line) });
    }
    let mut tokens = line.tokens();
    let Some(first) = tokens.next() else {
        let expected = "the size of the board";
        return Err(Problem { recognised: false, ..problem_at_end(line, "header", expected) });
    };
    let bad_size = |rule, expected: &str| Err(Problem::token(&first, rule, expected, false));
    let size = match first.token {
        Token::Number(size @ 2..) => size,
        Token::Number(_) => return bad_size("board-size", "a board of at least 2 x 2 squares"),
        Token::TooLarge(_) => return bad_size("board-size", "a size of the board below 2^64"),
        _ => return bad_size("header", "the size of the board, the first number of a game"),
    };
    let seed = tokens.next();
    if let Some(seed) = seed.as_ref().filter(|seed| seed.token.number().is_none()) {
        let expected = "a seed from 0 to 18446744073709551615";
        return Err(Problem::token(seed, "seed", expected, seed.token.is_digits()));
    }
    if let Some(more) = tokens.next() {
        let expected = "the end of the line after the size of the board and the seed";
        return Err(Problem::token(&more, "header", expected, false));
    }
    Ok(Header { size, seed: seed.and_then(|seed| seed.token.number()) })
}

fn missing(place: Place, expected: String) -> Failure {
    let found = "the end of the file".to_owned();
    let problem = Problem::old(place, "end-of-file", found, expected, true);
    Failure { problem, at_end_of_game: true }
}

/// Consumes lines until a game ends.
fn skip_game(input: &mut Scanner<'_>) -> io::Result<()> {
    while let Some(line) = input.next_line(LINE_BYTES_MAX)? {
        if moves::ends_game(&line) {
            break;
        }
    }
    Ok(())
}
