//! The form of games: the size and perhaps a seed, the rows, and a line of moves.

use std::io;
use std::sync::Arc;

use super::game_mistakes::{Mistake, Part as Word};
use super::game_options::Settings;
use super::game_puzzle::{self, GamePuzzle};
use super::moves::{self, LINE_BYTES_MAX, Moves};
use crate::board::swipe::rank_of;
use crate::input::{Lexeme, Line, Next, Place, QUOTE_BYTES_MAX, Scanner, printable};
use crate::solver::form::{Ahead, AheadLine, At, Field, Form, FormMistake};
use crate::solver::{Part, Problem, Stop, Work};
use crate::words::Phrase;

/// Maximum number of further lines of moves that are examined for one game.
const LINES_MAX: usize = 1 << 10;

/// If the only number on the first line is larger, it is taken for the seed, not for a wrong size.
const SIZE_MAX: u64 = 32;

/// The games of a file, and how they are played.
pub struct GameForm {
    settings: Arc<Settings>,
    fields: [Vec<Field>; 1],
}

/// A game that is being read.
pub struct Draft {
    /// `None` if the board is too large for the memory limit.
    ranks: Option<Vec<u8>>,
    hash: SeedHash,
    size: u64,
    has_seed: bool,
    /// The file's name and the moves, once the moves are read.
    moves: Option<(Arc<str>, Moves)>,
}

impl GameForm {
    /// Creates the form of games to be played under `settings`.
    pub fn new(settings: Settings) -> Self {
        let seed = Field { is_optional: true, ..Field::new(Word::Seed, 0, u64::MAX) };
        let fields = [vec![Field::new(Word::Size, 2, u64::MAX), seed]];
        Self { settings: Arc::new(settings), fields }
    }
}

impl Form for GameForm {
    type Board = Draft;

    const WRAPS: bool = false;
    const IS_SQUARE: bool = true;

    fn fields(&self) -> &[Vec<Field>] {
        &self.fields
    }

    fn parts(&self, header: &[u64]) -> [Part; 2] {
        [Part { rows: header[0], widths: Some([header[0]; 2]) }, Part { rows: 1, widths: None }]
    }

    fn board(&self, header: &[u64]) -> Draft {
        let fits = game_puzzle::board_bytes(header[0]) <= self.settings.memory_limit;
        let (hash, has_seed) = (SeedHash::new(header[0]), header.len() > 1);
        Draft { ranks: fits.then(Vec::new), hash, size: header[0], has_seed, moves: None }
    }

    #[inline]
    fn take(&self, draft: &mut Draft, _: usize, value: u64) -> bool {
        let Some(rank) = rank_of(value) else { return false };
        draft.hash.add(rank);
        if let Some(ranks) = &mut draft.ranks {
            ranks.push(rank);
        }
        true
    }

    fn finish(&self, draft: Draft, header: &[u64]) -> Result<Work, (u64, Phrase)> {
        let (Some(ranks), Some((file, moves))) = (draft.ranks, draft.moves) else {
            return Ok(Work::Settled(Box::new(game_puzzle::not_begun(Stop::MemoryLimit))));
        };
        let seed = header.get(1).copied().unwrap_or_else(|| draft.hash.with_moves(&moves));
        let (settings, size) = (Arc::clone(&self.settings), header[0] as usize);
        Ok(Work::Solve(Box::new(GamePuzzle { file, settings, size, ranks, seed, moves })))
    }

    fn wrong_value(&self, _: &[u64], At { row, .. }: At, lexeme: &Lexeme) -> Phrase {
        Mistake::SquareValue { found: lexeme.token.quoted(), row: row + 1 }.into()
    }

    fn is_value(&self, _: &[u64], _: usize, _: usize, value: u64) -> bool {
        rank_of(value).is_some()
    }

    fn headers(&self, header: &[u64], rows: u64, [width, _]: [u64; 2]) -> Vec<Vec<u64>> {
        if rows != width {
            return Vec::new();
        }
        vec![match *header {
            [seed, size] if size == rows => vec![size, seed],
            [_, seed] => vec![rows, seed],
            // No board in a course is so large: the size is missing before the seed.
            [seed] if seed > SIZE_MAX && !seed.to_string().starts_with(&rows.to_string()) => vec![rows, seed],
            _ => vec![rows],
        }]
    }

    fn is_words(&self, line: &AheadLine<'_>) -> bool {
        // A line of single digits was meant as moves, even if some of them are none.
        let are_wrong_moves = line.count > 2
            && line.line.tokens().all(|(_, token)| matches!(token, [b'1'..=b'9']))
            && line.line.tokens().any(|(_, token)| matches!(token, [b'5' | b'6' | b'7' | b'9']));
        !line.is_clean || moves::ends_game(line.line) || are_wrong_moves
    }

    fn ends_puzzle(&self, line: &AheadLine<'_>) -> bool {
        moves::ends_game(line.line) || moves::are_words(line.line)
    }

    fn words_early(&self, words: &Line<'_>, behind: u64) -> Phrase {
        let moves = printable(words.text.trim_ascii(), QUOTE_BYTES_MAX);
        Mistake::MovesEarly { moves, line: words.number, behind }.into()
    }

    fn words_missing(&self, place: Option<Place>) -> Phrase {
        match place {
            Some(place) => Mistake::MovesMissing { line: place.line },
            None => Mistake::EndOfFile { expected: Word::MovesLine.into() },
        }
        .into()
    }

    fn read_words(&self, draft: &mut Draft, input: &mut Scanner<'_>) -> io::Result<Result<(), Problem>> {
        let Some(raw) = input.next_line(LINE_BYTES_MAX)? else { return Ok(Ok(())) };
        let line = raw.as_line();
        let is_value = |lexeme: Lexeme| lexeme.token.number().is_some_and(|value| rank_of(value).is_some());
        let is_row = line.count() == draft.size && line.lexemes().all(is_value);
        let (number, place, is_digits) = (line.number, line.end(), !moves::was_meant_as_moves(line));
        let (rows, expected) = (draft.size + 1, draft.size);
        let header = expected.to_string();
        let wrong_rows = || Problem::new(place, FormMistake::RowCount { header, rows, expected });
        let more = more_moves(line, self, input)?;
        let (lines, is_alone) = ([&[line], &more[..]].concat(), more.is_empty());
        if is_row && is_digits && !is_alone {
            return Ok(Err(wrong_rows()));
        }
        if let Some(problem) = moves::transcript(&lines) {
            return Ok(Err(problem));
        }
        if let Some(problem) = moves::second_line(&lines, draft.has_seed) {
            return Ok(Err(problem));
        }
        if let Some(problem) = moves::seed_behind(line).filter(|_| is_alone && !draft.has_seed) {
            return Ok(Err(problem));
        }
        let moves = match Moves::parse(raw) {
            Ok(moves) => moves,
            Err(_) if is_row && is_digits => return Ok(Err(wrong_rows())),
            // The proposal corrects only the first line of moves.
            Err(problem) => {
                return Ok(Err(Problem { proposal: problem.proposal.filter(|_| is_alone), ..*problem }));
            }
        };
        if let Some(warning) = moves.mixed() {
            input.warn_in_result(Place { line: number, column: 1 }, warning);
        }
        draft.moves = Some((Arc::clone(input.name()), moves));
        Ok(Ok(()))
    }

    /// Returns whether a line is a second line of moves, which belongs to the same game, or the number that belongs
    /// after AUTO on the line before.
    fn continues_words(&self, ahead: &mut Ahead<'_>, at: usize) -> bool {
        let is_auto = |line: &AheadLine<'_>| moves::is_auto(line.line);
        let is_after_auto = at > 0 && ahead.line(at - 1).is_some_and(is_auto);
        // If one of the next two lines has that many numbers, the number is the size of another game. If other rows
        // follow, it is a wrong size.
        let widths = [at + 1, at + 2].map(|row| ahead.line(row).map_or(0, |line| line.count));
        let is_last = widths[0] == 0 || ahead.begins(self, at + 1);
        let is_number = |line: &AheadLine<'_>| {
            is_last && line.is_clean && line.count == 1 && !widths.contains(&line.numbers[0])
        };
        ahead.line(at).is_some_and(|line| moves::goes_on(line.line) || is_after_auto && is_number(line))
    }
}

/// Returns the next lines as long as they are further lines of moves of the same game.
fn more_moves<'t>(first: Line<'t>, form: &GameForm, input: &'t mut Scanner<'_>) -> io::Result<Vec<Line<'t>>> {
    // Do not look ahead if the next line begins with a number: it nearly always begins the next game.
    if input.advance()? == Next::End || input.begins_with_digit() && !moves::is_auto(first) {
        return Ok(Vec::new());
    }
    let mut ahead = Ahead::new(std::iter::once(first).chain(input.lines_ahead()?));
    let more = (1..=LINES_MAX).take_while(|&at| form.continues_words(&mut ahead, at)).count();
    Ok((1..=more).filter_map(|at| ahead.line(at).map(|line| line.line)).collect())
}

/// The 64-bit hash that seeds a game without a seed: FNV-1a (Fowler, Noll, Vo; RFC 9923) of the size as 8 bytes in
/// little-endian order, the rank of every square as one byte in row order (value 2^rank, 0 for empty), and the moves as
/// capital letters `D`, `E`, `C`, `B`, or `AUTO`, or `AUTO k`, or nothing for `-`.
#[derive(Debug, Clone, Copy)]
struct SeedHash(u64);

impl SeedHash {
    /// Returns the hash of a board of this size, before its squares.
    fn new(size: u64) -> Self {
        let mut hash = Self(0xcbf2_9ce4_8422_2325);
        size.to_le_bytes().into_iter().for_each(|byte| hash.add(byte));
        hash
    }

    fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Returns the seed, once the moves are known.
    fn with_moves(mut self, moves: &Moves) -> u64 {
        moves.canonical().bytes().for_each(|byte| self.add(byte));
        self.0
    }
}
