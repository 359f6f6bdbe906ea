//! Reads games: a header, N rows and MOVES, each a line of its own.
//!
//! A game that cannot be read is left at the next line that ends a game ([`moves::ends_game`]), which may be
//! the line of the error itself, or where the next game begins ([`ahead`]): a row that is missing shows as MOVES in its
//! place, and MOVES that are missing as a game. In the place of MOVES any line that holds something else than numbers was
//! meant as MOVES and ends the game, however wrong.

use std::io;
use std::sync::Arc;

use super::super::game_mistakes::{Mistake, Part as Expected};
use super::super::game_options::Settings;
use super::super::puzzle::{self, GamePuzzle};
use super::ahead;
use super::line::{LINE_BYTES_MAX, problem, too_long};
use super::moves::{self, Moves};
use super::seed::SeedHash;
use crate::board::swipe::rank_of;
use crate::input::{Lexeme, Line, LineShape, Place, RawLine, Scanner, Token};
use crate::solver::{Entry, Layout, Part, Problem, Proposal, PuzzleReader, Stop, Work};

/// Words of a first line for which changes are tried.
const WORDS_TRIED: usize = 4;

/// Reads the games of one file.
pub struct GameReader {
    settings: Arc<Settings>,
}

/// What the first line of a game says.
struct Header {
    place: Place,
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
    /// The next game begins where the reader stands.
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
                let problem = header_missing(first, input)?.unwrap_or(problem);
                let at_end_of_game = moves::was_meant_as_moves(first) && moves::ends_game(first);
                return Ok(Err(Failure { problem, at_end_of_game }));
            }
        };
        let size = header.size;
        let mut rows = Rows::new(size, self.settings.memory_limit);
        for row in 1..=size {
            let spot = input.spot();
            let Some(line) = input.next_line(LINE_BYTES_MAX)? else {
                return Ok(Err(missing(input.place(), Expected::Row { row, size })));
            };
            let Err(problem) = rows.read(&line, row, size) else { continue };
            let at_end_of_game = moves::ends_game(&line);
            if at_end_of_game && moves::was_meant_as_moves(&line)
                || !at_end_of_game && input.go_back(spot) && ahead::game_begins(input)?
            {
                return Ok(Err(wrong_rows(header.place, row - 1, size)));
            }
            return Ok(Err(Failure { problem, at_end_of_game }));
        }
        if ahead::moves_are_missing(input)? {
            let place = input.place();
            let problem = Problem::new(place, Mistake::MovesMissing { line: place.line });
            return Ok(Err(Failure { problem, at_end_of_game: true }));
        }
        let Some(line) = input.next_line(LINE_BYTES_MAX)? else {
            return Ok(Err(missing(input.place(), Expected::MovesLine)));
        };
        let moves = match read_moves(line, &header, input)? {
            Ok(moves) => moves,
            Err(failure) => return Ok(Err(failure)),
        };
        if !rows.stored {
            return Ok(Ok(Work::Settled(Box::new(puzzle::not_begun(Stop::MemoryLimit)))));
        }
        let seed = header.seed.unwrap_or_else(|| rows.hash.with_moves(&moves));
        let (file, settings) = (Arc::clone(input.name()), Arc::clone(&self.settings));
        let size = size as usize;
        Ok(Ok(Work::Solve(Arc::new(GamePuzzle { file, settings, size, ranks: rows.ranks, seed, moves }))))
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
                    ahead::skip_game(input)?;
                }
                input.advance()?;
                Work::Invalid(Box::new(failure.problem))
            }
        };
        Ok(Some(Entry { place, work }))
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { settings: Arc::clone(&self.settings) })
    }

    /// None where rows are missing or too many, unless one is doubled or another size fits: the reader has said it.
    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let (header, rows) = lines.split_first()?;
        let size = header.numbers().map(|[size]| size).or_else(|| header.numbers().map(|[size, _]| size))?;
        if size < 2 {
            return None;
        }
        let is_numbers = |row: &Line<'_>| row.tokens().all(|(_, token)| token.iter().all(u8::is_ascii_digit));
        let is_moves = !is_numbers(rows.last()?);
        let board = &rows[..rows.len() - usize::from(is_moves)];
        let count = board.len() as u64;
        let is_double = |pair: &[Line<'_>]| {
            pair[0].tokens().map(|(_, token)| token).eq(pair[1].tokens().map(|(_, token)| token))
        };
        let is_other = count.checked_sub(size) == Some(1)
            && board.iter().all(|row| row.count() == size)
            && board.windows(2).any(is_double)
            || board.iter().all(|row| row.count() == count);
        let moves = match count.checked_sub(size) {
            Some(0) => u64::from(is_moves),
            Some(1) if !is_moves => 1,
            _ if is_other && board.iter().all(is_numbers) => u64::from(is_moves),
            _ => return None,
        };
        let board = Part { rows: size, widths: Some([size; 2]) };
        let moves = (moves > 0).then_some(Part { rows: moves, widths: None });
        Some(Layout { header_lines: 1, parts: [board].into_iter().chain(moves).collect() })
    }

    /// A first line of three numbers, or whose size is none, before the rows of a square board.
    fn beginning(&self, problem: &Problem, lines: &[Line<'_>]) -> Option<(Problem, Vec<Proposal>)> {
        let (header, rows) = lines.split_first()?;
        let (_, board) = rows.split_last()?;
        let size = board.len() as u64;
        if problem.place.line != header.number || board.iter().any(|row| row.count() != size) {
            return None;
        }
        let headers = match header.numbers() {
            // Which number is one too many is sure where the size stands twice.
            Some([first, second, seed]) if first == second => vec![format!("{size} {seed}")],
            _ if header.count() > 1 && header.numbers::<2>().is_none() => Vec::new(),
            _ => self.headers(header, size, size),
        };
        let (place, bytes) = (header.place(), header.text.trim_ascii().len() as u64);
        let proposals = headers.into_iter().map(|with| Proposal::Replace { place, bytes, with });
        Some((problem.clone(), proposals.chain(without_words(header, size)).collect()))
    }

    fn headers(&self, header: &Line<'_>, rows: u64, width: u64) -> Vec<String> {
        if rows != width {
            return Vec::new();
        }
        match header.numbers() {
            Some([seed, size]) if size == rows => vec![format!("{size} {seed}")],
            Some([_, seed]) => vec![format!("{rows} {seed}")],
            None => vec![rows.to_string()],
        }
    }
}

impl Rows {
    fn new(size: u64, memory_bytes_max: u64) -> Self {
        let stored = puzzle::board_bytes(size) <= memory_bytes_max;
        Self { ranks: Vec::new(), stored, hash: SeedHash::new(size) }
    }

    /// Reads one row of `size` values; `row` counts from 1.
    fn read(&mut self, line: &RawLine, row: u64, size: u64) -> Result<(), Problem> {
        if line.truncated {
            return Err(too_long(line));
        }
        let wrong_length = |place| {
            let numbers = line.tokens().count() as u64;
            Problem::new(place, Mistake::RowLength { row, numbers, size })
        };
        let mut values = 0;
        for lexeme in line.tokens() {
            if values == size {
                return Err(wrong_length(lexeme.place));
            }
            let Some(rank) = lexeme.token.number().and_then(rank_of) else {
                let what = Mistake::SquareValue { found: lexeme.token.quoted(), row };
                return Err(Problem::new(lexeme.place, what));
            };
            values += 1;
            self.hash.rank(rank);
            if self.stored {
                self.ranks.push(rank);
            }
        }
        if values < size {
            let end = line.bytes.trim_ascii_end().len() as u64;
            return Err(wrong_length(Place { line: line.line, column: end + 1 }));
        }
        Ok(())
    }
}

/// Reads the first line of a game.
fn read_header(line: &RawLine) -> Result<Header, Problem> {
    if line.truncated {
        return Err(too_long(line).recognised_if(false));
    }
    let mut tokens = line.tokens();
    let odd = |lexeme: &Lexeme, expected: Expected| {
        let what = Mistake::Header { found: lexeme.token.quoted(), expected: expected.into() };
        Err(Problem::new(lexeme.place, what).recognised_if(false))
    };
    let Some(first) = tokens.next() else {
        let nothing = Lexeme { token: Token::End, place: Place { line: line.line, column: 1 } };
        return odd(&nothing, Expected::Size);
    };
    let place = first.place;
    let bad_size = |expected: Expected| {
        let what = Mistake::BoardSize { found: first.token.quoted(), expected: expected.into() };
        Err(Problem::new(place, what).recognised_if(false))
    };
    let size = match first.token {
        Token::Number(size @ 2..) => size,
        Token::Number(_) => return bad_size(Expected::LargerSize),
        Token::TooLarge(_) => return bad_size(Expected::SmallerSize),
        _ => return odd(&first, Expected::Size),
    };
    let seed = tokens.next();
    if let Some(seed) = seed.as_ref().filter(|seed| seed.token.number().is_none()) {
        let what = Mistake::Seed { found: seed.token.quoted(), most: u64::MAX };
        return Err(Problem::new(seed.place, what).recognised_if(seed.token.is_digits()));
    }
    if let Some(more) = tokens.next() {
        return odd(&more, Expected::HeaderEnd);
    }
    Ok(Header { place, size, seed: seed.and_then(|seed| seed.token.number()) })
}

/// Changes of a first line of several tokens some of which are words: one of them goes, or is the size, or all of them go.
fn without_words(header: &Line<'_>, size: u64) -> Vec<Proposal> {
    let is_word = |token: &[u8]| !token.iter().all(u8::is_ascii_digit);
    let mut proposals = Vec::new();
    if header.count() == 1 {
        return proposals;
    }
    for (place, token) in header.tokens().filter(|(_, token)| is_word(token)).take(WORDS_TRIED) {
        if !token.iter().any(u8::is_ascii_digit) {
            proposals.push(Proposal::remove(place, token));
        }
        let bytes = token.len() as u64;
        proposals.push(Proposal::Replace { place, bytes, with: size.to_string() });
    }
    if !proposals.is_empty() {
        let numbers = header.tokens().filter(|(_, token)| !is_word(token));
        let numbers: Vec<_> = numbers.map(|(_, token)| String::from_utf8_lossy(token)).collect();
        let (place, bytes) = (header.place(), header.text.trim_ascii().len() as u64);
        proposals.push(Proposal::Replace { place, bytes, with: numbers.join(" ") });
    }
    proposals
}

/// The first line of a game is a row of a board: whether it is the first of as many rows as it has numbers.
fn header_missing(line: &RawLine, input: &mut Scanner<'_>) -> io::Result<Option<Problem>> {
    let size = line.tokens().count() as u64;
    let behind: [LineShape; 4] = input.preview()?;
    let others = (size.saturating_sub(1) as usize).min(behind.len());
    let is_value = |lexeme: Lexeme| lexeme.token.number().is_some_and(|value| rank_of(value).is_some());
    let is_board = size > 2
        && line.tokens().all(is_value)
        && behind[..others].iter().all(|row| row.clean && row.is_row(size));
    Ok(is_board.then(|| problem(line, 0, Mistake::HeaderMissing { size, line: line.line })))
}

/// Reads the last line of a game, and any lines that go on with it.
fn read_moves(line: RawLine, header: &Header, input: &mut Scanner<'_>) -> io::Result<Result<Moves, Failure>> {
    let (number, size) = (line.line, header.size);
    let end = line.bytes.trim_ascii_end().len() as u64;
    // Behind the row: all values are checked together.
    let place = Place { line: number, column: end + 1 };
    let at_end_of_game = moves::was_meant_as_moves(&line);
    let is_row = !at_end_of_game && line.tokens().count() as u64 == size;
    let moves = match Moves::parse(line) {
        Ok(moves) => moves,
        Err(_) if is_row => {
            let rows = size + 1 + ahead::surplus_rows(size, input)?;
            return Ok(Err(Failure { at_end_of_game: false, ..wrong_rows(place, rows, size) }));
        }
        Err(mut problem) => {
            // Another line of moves would be the next mistake.
            while at_end_of_game && ahead::second_moves(input)?.is_some() {
                problem.proposal = None;
            }
            return Ok(Err(Failure { problem, at_end_of_game }));
        }
    };
    let Some(second) = ahead::second_moves(input)? else { return Ok(Ok(moves)) };
    while ahead::second_moves(input)?.is_some() {}
    if is_row {
        return Ok(Err(wrong_rows(place, size + 1, size)));
    }
    let place = second.tokens().next().map_or(place, |lexeme| lexeme.place);
    let problem = Problem::new(place, Mistake::SecondMoves { before: number, line: second.line });
    Ok(Err(Failure { problem, at_end_of_game: true }))
}

/// So many rows stand before the moves.
fn wrong_rows(place: Place, rows: u64, size: u64) -> Failure {
    Failure { problem: Problem::new(place, Mistake::RowCount { rows, size }), at_end_of_game: true }
}

fn missing(place: Place, expected: Expected) -> Failure {
    Failure {
        problem: Problem::new(place, Mistake::EndOfFile { expected: expected.into() }),
        at_end_of_game: true,
    }
}
