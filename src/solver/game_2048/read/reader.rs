//! Reads games: a header, N rows and MOVES, each a line of its own.
//!
//! A game that cannot be read is left at the next line that ends a game ([`moves::ends_game`]), which may be
//! the line of the error itself: a row that is missing shows as MOVES in its place. In the place of MOVES
//! any line that holds something else than numbers was meant as MOVES and ends the game, however wrong.

use std::io;
use std::sync::Arc;

use super::super::options::Settings;
use super::super::puzzle::{self, GamePuzzle};
use super::line::{LINE_BYTES_MAX, Line};
use super::moves::{self, Moves};
use super::seed::SeedHash;
use crate::board::swipe::rank_of;
use crate::input::{Place, Scanner};
use crate::solver::{Entry, Problem, PuzzleReader, Stop, Work};

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

    fn read_game(&self, first: &Line, input: &mut Scanner<'_>) -> io::Result<Result<Work, Failure>> {
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
            let Some(line) = next_line(input)? else {
                return Ok(Err(missing(input.place(), format!("row {row} of {}", header.size))));
            };
            if let Err(problem) = rows.read(&line, row, header.size) {
                return Ok(Err(Failure { problem, at_end_of_game: moves::ends_game(&line) }));
            }
        }
        let Some(line) = next_line(input)? else {
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
        let Some(first) = next_line(input)? else { return Ok(None) };
        let place = first.place();
        let work = match self.read_game(&first, input)? {
            Ok(work) => work,
            Err(failure) => {
                if !failure.at_end_of_game {
                    skip_game(input)?;
                }
                Work::Settled(puzzle::invalid(failure.problem, input.name()))
            }
        };
        Ok(Some(Entry { place, work }))
    }
}

impl Rows {
    fn new(header: &Header, memory_bytes_max: u64) -> Self {
        let stored = puzzle::board_bytes(header.size) <= memory_bytes_max;
        Self { ranks: Vec::new(), stored, hash: SeedHash::new(header.size) }
    }

    /// Reads one row of `size` values; `row` counts from 1.
    fn read(&mut self, line: &Line, row: u64, size: u64) -> Result<(), Problem> {
        if line.truncated() {
            return Err(line.too_long());
        }
        let mut values = 0;
        for field in line.fields() {
            if values == size {
                let expected = format!("the end of the line after {size} values");
                return Err(field.problem("row-length", expected));
            }
            let Some(rank) = field.number().and_then(rank_of) else {
                let expected = format!("0 or a power of two from 2 to 2^63 in row {row} of {size}");
                return Err(field.problem("square-value", expected));
            };
            values += 1;
            self.hash.rank(rank);
            if self.stored {
                self.ranks.push(rank);
            }
        }
        if values < size {
            let expected = format!("{size} values in row {row} of {size}, not {values}");
            return Err(line.problem_at_end("row-length", expected));
        }
        Ok(())
    }
}

fn read_header(line: &Line) -> Result<Header, Problem> {
    let unrecognised = |problem| Problem { recognised: false, ..problem };
    if line.truncated() {
        return Err(unrecognised(line.too_long()));
    }
    let [size_field, seed_field, third_field] = line.first_fields();
    let Some(size_field) = size_field else {
        return Err(unrecognised(line.problem_at_end("header", "the size of the board")));
    };
    let Some(size) = size_field.number() else {
        let (rule, expected) = if size_field.is_digits() {
            ("board-size", "a size of the board below 2^64")
        } else {
            ("header", "the size of the board, the first number of a game")
        };
        return Err(unrecognised(size_field.problem(rule, expected)));
    };
    if size < 2 {
        return Err(unrecognised(size_field.problem("board-size", "a board of at least 2 x 2 squares")));
    }
    let mut seed = None;
    if let Some(field) = seed_field {
        seed = field.number();
        if seed.is_none() {
            let problem = field.problem("seed", "a seed from 0 to 18446744073709551615");
            return Err(Problem { recognised: field.is_digits(), ..problem });
        }
    }
    if let Some(field) = third_field {
        let expected = "the end of the line after the size of the board and the seed";
        return Err(unrecognised(field.problem("header", expected)));
    }
    Ok(Header { size, seed })
}

fn missing(place: Place, expected: String) -> Failure {
    let found = "the end of the file".to_owned();
    let problem = Problem { place, rule: "end-of-file", found, expected, recognised: true };
    Failure { problem, at_end_of_game: true }
}

/// Consumes lines until a game ends.
fn skip_game(input: &mut Scanner<'_>) -> io::Result<()> {
    while let Some(line) = next_line(input)? {
        if moves::ends_game(&line) {
            break;
        }
    }
    Ok(())
}

fn next_line(input: &mut Scanner<'_>) -> io::Result<Option<Line>> {
    Ok(input.next_line(LINE_BYTES_MAX)?.map(Line::new))
}
