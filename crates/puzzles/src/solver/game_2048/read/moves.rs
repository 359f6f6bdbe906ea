//! The MOVES line of a game: its grammar, and what tells it from a row of numbers.

use std::fmt;

use super::super::game_mistakes::{Mistake, Part, letter_of};
use super::foreign;
use super::line::{problem, too_long};
use crate::board::sliding::Direction;
use crate::input::{Lexeme, Place, QUOTE_BYTES_MAX, RawLine, Token, is_blank, printable};
use crate::solver::{Excerpt, Problem, Proposal};

/// What a game asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// These moves, one by one; perhaps none.
    List(MoveList),
    /// The program plays, at most so many moves; `None`: until the game is over.
    Auto(Option<u64>),
}

/// Moves as they stand in the file, so that each keeps its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveList {
    /// Line number, from 1.
    line: u64,
    bytes: Vec<u8>,
}

impl MoveList {
    /// Line number of the moves, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The line, with what stands in a column.
    pub fn excerpt(&self, column: u64) -> Excerpt {
        Excerpt::cut(&self.bytes, column as usize - 1, 1)
    }

    /// The moves, each with its column, from 1.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Direction)> + '_ {
        let columns = 1_u64..;
        columns.zip(&self.bytes).filter_map(|(column, &byte)| Some((column, direction_of(byte)?)))
    }
}

impl Moves {
    /// Reads a MOVES line.
    ///
    /// # Errors
    /// A problem with the first wrong token or letter.
    pub fn parse(line: RawLine) -> Result<Self, Problem> {
        if line.truncated {
            return Err(too_long(&line));
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

    /// Every move in one way of writing: what the default seed is made of. `-` gives nothing.
    pub fn canonical(&self) -> String {
        match self {
            Self::List(list) => list.iter().map(|(_, direction)| direction.letter()).collect(),
            Self::Auto(_) => self.to_string(),
        }
    }
}

/// Displays the line as it stands in the file, so that each move keeps its column.
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

/// Whether a line ends a game that is being skipped: a valid MOVES line that cannot be taken for a row or a
/// header.
///
/// A line with at least one letter is one when it is a valid MOVES line, and so is `-`. A line of digits is
/// one only when it is a single number of the digits 1 to 4 that is no power of two: `1234` and `3` are,
/// while `4` may be a header and `2 4 2 4` a row.
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

/// Whether a line in the place of MOVES was meant as such, be it right or wrong: it holds something else
/// than numbers.
pub fn was_meant_as_moves(line: &RawLine) -> bool {
    line.tokens().any(|lexeme| !lexeme.token.is_digits())
}

/// What `-`, `AUTO` or `AUTO k` asks for; `None` for another line, and an error where too much stands behind.
fn special(line: &RawLine) -> Option<Result<Moves, Problem>> {
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
                return Some(Err(Problem::new(other.place, what)));
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
            Err(Problem::new(more.place, what))
        }
    })
}

/// What is wrong with a line of moves, of which the byte at `at` is none.
fn bad_moves(line: &RawLine, at: usize) -> Problem {
    let text = line.bytes.trim_ascii();
    let place = |from: usize| Place { line: line.line, column: from as u64 + 1 };
    let begin = line.bytes.len() - line.bytes.trim_ascii_start().len();
    let instead = |with| Proposal::Replace { place: place(begin), bytes: text.len() as u64, with };
    if let Some(count) =
        text.get(4..).filter(|count| text[..4].eq_ignore_ascii_case(b"AUTO") && is_number(count))
    {
        let found = format!("'{}'", printable(text, QUOTE_BYTES_MAX)).into();
        let what = Mistake::Moves { found, expected: Part::Auto.into() };
        let with = format!("AUTO {}", String::from_utf8_lossy(count));
        return problem(line, begin, what).proposing(Some(instead(with)));
    }
    let (from, length) = foreign::found_at(&line.bytes, at);
    let found = &line.bytes[from..from + length];
    let meaning = std::str::from_utf8(found).ok().and_then(foreign::meaning);
    let expected = meaning.map_or(Part::Letters, letter_of).into();
    let found = format!("'{}'", printable(found, QUOTE_BYTES_MAX)).into();
    let proposal = foreign::translated(text).map(instead);
    problem(line, from, Mistake::Moves { found, expected }).proposing(proposal)
}

/// A number of moves that can be read.
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
