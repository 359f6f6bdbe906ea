//! The MOVES line of a game: its grammar, and what distinguishes it from a row of numbers.

use std::fmt;

use super::foreign_moves as foreign;
use super::game_mistakes::{Mistake, Part, letter_of};
use crate::board::sliding::Direction;
use crate::input::{Lexeme, Place, QUOTE_BYTES_MAX, RawLine, Token, is_blank, printable};
use crate::solver::{Excerpt, Problem, Proposal};

/// The longest line of moves: 16 MiB, far more than any game in a course needs.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// The moves that a game asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// These moves, one by one; the list can be empty.
    List(MoveList),
    /// The program plays at most this many moves; `None`: until the game is over.
    Auto(Option<u64>),
}

/// Moves as written in the file, so that each keeps its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveList {
    /// Line number, from 1.
    pub line: u64,
    bytes: Vec<u8>,
}

impl MoveList {
    /// Returns the number of bytes held.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns an excerpt of the line that marks a column.
    pub fn excerpt(&self, column: u64) -> Excerpt {
        Excerpt::cut(&self.bytes, column as usize - 1, 1)
    }

    /// Returns the moves, each with its column, from 1.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Direction)> + '_ {
        let columns = 1_u64..;
        columns.zip(&self.bytes).filter_map(|(column, &byte)| Some((column, direction_of(byte)?)))
    }
}

impl Moves {
    /// Parses a MOVES line.
    ///
    /// # Errors
    /// Returns a problem with the first wrong token or letter.
    pub fn parse(line: RawLine) -> Result<Self, Box<Problem>> {
        if line.truncated {
            let what = Mistake::LineLength { mebibytes: LINE_BYTES_MAX as u64 >> 20 };
            return Err(problem(&line, LINE_BYTES_MAX, what));
        }
        if let Some(special) = special(&line) {
            return special;
        }
        if let Some(at) = line.bytes.iter().position(|&byte| !is_blank(byte) && !is_direction(byte)) {
            return Err(bad_moves(&line, at));
        }
        let RawLine { line, mut bytes, .. } = line;
        bytes.shrink_to_fit();
        Ok(Self::List(MoveList { line, bytes }))
    }

    /// Returns the moves in one notation, from which the default seed is made. `-` gives an empty string.
    pub fn canonical(&self) -> String {
        match self {
            Self::List(list) => list.iter().map(|(_, direction)| direction.letter()).collect(),
            Self::Auto(_) => self.to_string(),
        }
    }
}

/// Displays the line as written in the file, so that each move keeps its column.
impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(list) if list.bytes.is_empty() => f.write_str("-"),
            // All bytes of a list are blanks, letters and digits.
            Self::List(list) => f.write_str(&String::from_utf8_lossy(&list.bytes)),
            Self::Auto(None) => f.write_str("AUTO"),
            Self::Auto(Some(moves_max)) => write!(f, "AUTO {moves_max}"),
        }
    }
}

/// Returns whether a line ends a game that is being skipped: a valid MOVES line that cannot be a row or a header.
///
/// A valid MOVES line with at least one letter does, and so does `-`. A line of digits does only if it is a single
/// number of the digits 1 to 4 that is not a power of two: `1234` and `3` do, but `4` can be a header and `2 4 2 4` a
/// row.
pub fn ends_game(line: &RawLine) -> bool {
    if let Some(special) = special(line) {
        return special.is_ok();
    }
    if line.bytes.iter().any(|&byte| !is_blank(byte) && !is_direction(byte)) {
        return false;
    }
    let mut tokens = line.tokens().map(|lexeme| lexeme.token);
    let letters = line.bytes.iter().any(u8::is_ascii_alphabetic);
    let may_be_value = tokens
        .next()
        .is_some_and(|token| matches!(token, Token::Number(value @ 2..) if value.is_power_of_two()));
    letters || (tokens.next().is_none() && !may_be_value)
}

/// Returns whether a line in the place of MOVES was meant as such, right or wrong: it has a token that is not a number.
pub fn was_meant_as_moves(line: &RawLine) -> bool {
    line.tokens().any(|lexeme| !lexeme.token.is_digits())
}

/// Returns what `-`, `AUTO` or `AUTO k` asks for, or an error if more follows; `None` for any other line.
fn special(line: &RawLine) -> Option<Result<Moves, Box<Problem>>> {
    // Check this first: most lines are moves, and tokens are copies.
    if !matches!(line.bytes.trim_ascii_start(), [b'-' | b'A' | b'a', ..]) {
        return None;
    }
    let mut tokens = line.tokens();
    let Token::Word(word) = tokens.next()?.token else { return None };
    let moves = if word == "-" {
        Moves::List(MoveList { line: line.line, bytes: Vec::new() })
    } else if word.eq_ignore_ascii_case("AUTO") {
        match tokens.next() {
            None => Moves::Auto(None),
            Some(Lexeme { token: Token::Number(moves_max), .. }) => Moves::Auto(Some(moves_max)),
            Some(other) => {
                let what = Mistake::AutoMoves { found: other.token.quoted() };
                return Some(Err(Box::new(Problem::new(other.place, what))));
            }
        }
    } else {
        return None;
    };
    Some(match tokens.next() {
        None => Ok(moves),
        Some(more) => {
            let expected = if word == "-" { Part::DashEnd } else { Part::AutoEnd };
            let what = Mistake::Moves { found: more.token.quoted(), expected: expected.into() };
            Err(Box::new(Problem::new(more.place, what)))
        }
    })
}

/// Returns the problem with a line of moves in which the byte at `at` is not a move.
fn bad_moves(line: &RawLine, at: usize) -> Box<Problem> {
    let text = line.bytes.trim_ascii();
    let place = |from: usize| Place { line: line.line, column: from as u64 + 1 };
    let begin = line.bytes.len() - line.bytes.trim_ascii_start().len();
    let instead = |with| Proposal::Replace { place: place(begin), bytes: text.len() as u64, with };
    let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let marks = text[letters..].iter().take_while(|byte| b" ,:=(".contains(byte)).count();
    let count = text[letters + marks..].strip_suffix(b")").unwrap_or(&text[letters + marks..]);
    let is_auto = text.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case(b"AUT"));
    if is_auto && (is_number(count) || count.is_empty()) {
        let found = format!("'{}'", printable(text, QUOTE_BYTES_MAX)).into();
        let what = Mistake::Moves { found, expected: Part::Auto.into() };
        let with = format!("AUTO {}", String::from_utf8_lossy(count)).trim_end().to_owned();
        return Box::new(problem(line, begin, what).proposing(Some(instead(with))));
    }
    let (from, length) = foreign::found_at(&line.bytes, at);
    let found = &line.bytes[from..from + length];
    let meaning = std::str::from_utf8(found).ok().and_then(foreign::meaning);
    let expected = meaning.map_or(Part::Letters, letter_of).into();
    let found = format!("'{}'", printable(found, QUOTE_BYTES_MAX)).into();
    // For example `Moves: DECB`.
    let behind =
        text.iter().rposition(|&byte| matches!(byte, b':' | b'=')).map_or(&b""[..], |at| &text[at + 1..]);
    let own = String::from_utf8_lossy(behind.trim_ascii()).into_owned();
    let is_own = !own.is_empty() && own.bytes().all(|byte| is_blank(byte) || is_direction(byte));
    let proposal = foreign::translated(text).or_else(|| is_own.then_some(own)).map(instead);
    let excerpt = Some(Box::new(Excerpt::cut(&line.bytes, from, length)));
    let problem = Problem { excerpt, ..*problem(line, from, Mistake::Moves { found, expected }) };
    Box::new(problem.proposing(proposal))
}

/// Returns a problem with byte `at` of the line.
fn problem(line: &RawLine, at: usize, what: Mistake) -> Box<Problem> {
    Box::new(Problem::new(Place { line: line.line, column: at as u64 + 1 }, what))
}

/// Returns whether the text is a number of moves that fits 64 bits.
fn is_number(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
        && std::str::from_utf8(text).is_ok_and(|text| text.parse::<u64>().is_ok())
}

fn is_direction(byte: u8) -> bool {
    direction_of(byte).is_some()
}

fn direction_of(byte: u8) -> Option<Direction> {
    match byte {
        b'1' => Some(Direction::Right),
        b'2' => Some(Direction::Left),
        b'3' => Some(Direction::Up),
        b'4' => Some(Direction::Down),
        _ => Direction::from_letter(char::from(byte)),
    }
}
