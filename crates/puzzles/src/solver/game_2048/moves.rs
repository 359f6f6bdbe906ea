//! The MOVES line of a game: its grammar, and what distinguishes it from a row of numbers.

use std::fmt;

use super::foreign_moves as foreign;
use super::game_mistakes::{Mistake, Part, letter_of};
use crate::board::sliding::Direction;
use crate::input::{
    Lexeme, Line, Place, QUOTE_BYTES_MAX, RawLine, Token, digits_value, is_blank, is_comment, printable,
};
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

    /// Returns the problem that a number of times precedes each letter, or the number of moves all of them.
    pub fn counted(&self) -> Option<Problem> {
        let text = self.bytes.trim_ascii();
        let column = self.bytes.iter().take_while(|&&byte| is_blank(byte)).count() as u64 + 1;
        let written = std::str::from_utf8(text).ok()?;
        let is_count = |(count, moves): &(&str, &str)| {
            let letters: Vec<_> = moves.bytes().filter(|byte| !is_blank(*byte)).collect();
            letters.iter().all(u8::is_ascii_alphabetic) && *count == letters.len().to_string()
        };
        let (moves, what) = if let Some((_, moves)) = written.split_once(' ').filter(is_count) {
            (moves.to_owned(), Mistake::MovesCount { line: self.line })
        } else {
            let found = printable(text, QUOTE_BYTES_MAX);
            (foreign::written_out(written)?, Mistake::CountedMoves { found })
        };
        let problem = Problem::new(Place { line: self.line, column }, what).showing(self.excerpt(column));
        Some(problem.proposing(Some(Proposal::replace_line(self.line, moves))))
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
            return Err(problem(line.as_line(), LINE_BYTES_MAX, what));
        }
        if let Some(special) = special(line.as_line()) {
            return special;
        }
        if let Some(at) = line.bytes.iter().position(|&byte| !is_blank(byte) && !is_direction(byte)) {
            return Err(bad_moves(line.as_line(), at));
        }
        let RawLine { line, mut bytes, .. } = line;
        bytes.shrink_to_fit();
        Ok(Self::List(MoveList { line, bytes }))
    }

    /// Returns the first digit among letters, and what it means.
    pub fn mixed(&self) -> Option<Mistake> {
        let Self::List(list) = self else { return None };
        let digit = list.bytes.iter().find(|byte| byte.is_ascii_digit())?;
        let has_letter = list.bytes.iter().any(u8::is_ascii_alphabetic);
        let letter = letter_of(direction_of(*digit).filter(|_| has_letter)?).into();
        Some(Mistake::MixedMoves { digit: char::from(*digit).to_string(), letter })
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
pub fn ends_game(line: Line<'_>) -> bool {
    if let Some(special) = special(line) {
        return special.is_ok();
    }
    if line.text.iter().any(|&byte| !is_blank(byte) && !is_direction(byte)) {
        return false;
    }
    let mut tokens = line.lexemes().map(|lexeme| lexeme.token);
    let letters = line.text.iter().any(u8::is_ascii_alphabetic);
    let may_be_value = tokens
        .next()
        .is_some_and(|token| matches!(token, Token::Number(value @ 2..) if value.is_power_of_two()));
    letters || (tokens.next().is_none() && !may_be_value)
}

/// Returns whether a line in the place of MOVES was meant as such, right or wrong: it has a token that is not a number.
pub fn was_meant_as_moves(line: Line<'_>) -> bool {
    line.lexemes().any(|lexeme| !lexeme.token.is_digits())
}

/// Returns whether a line is AUTO, without a number of moves.
pub fn is_auto(line: Line<'_>) -> bool {
    line.text.trim_ascii().eq_ignore_ascii_case(b"AUTO")
}

/// Returns whether a line has several words and all of them name directions.
pub fn are_words(line: Line<'_>) -> bool {
    line.tokens().count() > 1 && foreign::in_words(&String::from_utf8_lossy(line.text)).is_some()
}

/// Returns whether a line after a line of moves is one as well, in this notation or in another one.
pub fn goes_on(line: Line<'_>) -> bool {
    let begins = line.text.trim_ascii_start().first();
    begins.is_some_and(|byte| !byte.is_ascii_digit())
        && (ends_game(line) || is_of_transcript(line) || foreign::translated(line.text).is_some())
}

/// Returns whether a line is one of a transcript: a move or `+`, then the row, the column and the value of a new piece.
pub fn is_of_transcript(line: Line<'_>) -> bool {
    let is_move = |word: &str| {
        word == "+" || word.len() == 1 && Direction::from_letter(char::from(word.as_bytes()[0])).is_some()
    };
    let tokens: Vec<_> = line.lexemes().map(|lexeme| lexeme.token).collect();
    matches!(&tokens[..], [Token::Word(word), Token::Number(_), Token::Number(_), Token::Number(_)] if is_move(word))
}

/// Returns the problem of a transcript in the place of the moves; `None` if the lines are none.
pub fn transcript(lines: &[Line<'_>]) -> Option<Problem> {
    let ([first, _, ..], last) = (lines, lines.last()?) else { return None };
    let (from, to) = (first.number, last.number);
    let letters = lines.iter().filter_map(|line| line.text.trim_ascii_start().first().copied());
    let moves: String = letters.filter(|letter| *letter != b'+').map(char::from).collect();
    let change = Proposal::replace_lines(lines, vec![moves.clone()]);
    let what = Mistake::TranscriptMoves { from, to };
    let problem = Problem::new(Place { line: from, column: 1 }, what);
    let are_all = lines.iter().all(|&line| is_of_transcript(line));
    are_all.then(|| problem.proposing(change.filter(|_| !moves.is_empty())))
}

/// Returns the problem of a game with several lines of moves; `None` if there is only one, or if the first line itself
/// is wrong.
pub fn second_line(lines: &[Line<'_>], has_seed: bool) -> Option<Problem> {
    let ([first, more @ ..], [_, second, ..], last) = (lines, lines, lines.last()?) else { return None };
    let own = |line: &Line<'_>| {
        let are_moves = line.text.iter().all(|&byte| is_blank(byte) || is_direction(byte));
        are_moves.then(|| String::from_utf8_lossy(line.text.trim_ascii()).into_owned())
    };
    let text = first.text.trim_ascii();
    if is_number(text) {
        let moves = more.iter().map(own).collect::<Option<String>>();
        let count = moves.map(|moves| moves.bytes().filter(|&byte| is_direction(byte)).count() as u64);
        let (number, line) = (digits_value(0, text)?, first.number);
        if count == Some(number) {
            let proposal = Some(Proposal::remove_line(line));
            return Some(Problem::new(first.place(), Mistake::MovesCount { line }).proposing(proposal));
        }
        if own(first).is_none() {
            return (!has_seed)
                .then(|| Problem::new(first.place(), Mistake::SeedLate { seed: number, line }));
        }
    }
    let (from_line, to_line) = (first.number, last.number);
    // Digits before letters were more likely meant as something else, and equal lines as one, unless each has one move.
    let is_equal = |line: &Line<'_>| line.text.trim_ascii() == text;
    // Moves in words are longer, so people write them on several lines.
    let is_doubled = more.iter().any(is_equal)
        && (text.len() > 1 || more.iter().all(is_equal))
        && (own(first).is_some() || foreign::translated(text).is_none());
    let proposal = if is_number(text) || is_doubled {
        None
    } else if is_auto(*first) && more.len() == 1 && is_number(second.text.trim_ascii())
        || lines.iter().all(|line| own(line).is_some())
    {
        Some(Proposal::JoinLines { from_line, to_line })
    } else {
        let meant = |line: &Line<'_>| own(line).or_else(|| foreign::translated(line.text));
        lines.iter().map(meant).collect::<Option<String>>().map(|with| {
            let written = Proposal::Replace { place: first.place(), bytes: text.len() as u64, with };
            let removed = Proposal::RemoveLines { from_line: second.number, to_line };
            Proposal::All { changes: vec![written, removed] }
        })
    };
    let is_meant =
        proposal.is_some() || special(*first).is_some_and(|moves| moves.is_ok()) || own(first).is_some();
    let count = lines.len() as u64;
    let what = Mistake::SecondMoves { before: first.number, line: to_line, count };
    is_meant.then(|| Problem::new(second.place(), what).proposing(proposal))
}

/// Returns the problem of letters that are moves, followed by a number that is not: it was meant as the seed.
pub fn seed_behind(line: Line<'_>) -> Option<Problem> {
    let text = line.text.trim_ascii_end();
    let tokens: Vec<_> = line.lexemes().collect();
    if let [Lexeme { token: Token::Word(word), .. }, Lexeme { token: Token::Number(_), .. }, seed] =
        &tokens[..]
        && word.eq_ignore_ascii_case("AUTO")
        && let Token::Number(number) = seed.token
    {
        return Some(Problem::new(seed.place, Mistake::SeedLate { seed: number, line: line.number }));
    }
    let at = text.iter().rposition(|byte| !byte.is_ascii_digit())? + 1;
    let (moves, number) = text.split_at(at);
    let are_moves =
        moves.iter().all(|&byte| is_blank(byte) || is_direction(byte) && byte.is_ascii_alphabetic());
    let is_seed = number.iter().any(|&digit| !is_direction(digit)) && are_moves;
    let seed = std::str::from_utf8(number).ok()?.parse().ok().filter(|_| is_seed)?;
    Some(*problem(line, at, Mistake::SeedLate { seed, line: line.number }))
}

/// Returns what `-`, `AUTO` or `AUTO k` asks for, or an error if more follows; `None` for any other line.
fn special(line: Line<'_>) -> Option<Result<Moves, Box<Problem>>> {
    // Check this first: most lines are moves, and tokens are copies.
    if !matches!(line.text.trim_ascii_start(), [b'-' | b'A' | b'a', ..]) {
        return None;
    }
    let mut tokens = line.lexemes();
    let Lexeme { token: Token::Word(word), place: begin } = tokens.next()? else { return None };
    let moves = if word == "-" {
        Moves::List(MoveList { line: line.number, bytes: Vec::new() })
    } else if word.eq_ignore_ascii_case("AUTO") {
        match tokens.next() {
            None => Moves::Auto(None),
            Some(Lexeme { token: Token::Number(moves_max), .. }) => Moves::Auto(Some(moves_max)),
            Some(Lexeme { token, place }) => {
                let problem = Problem::new(place, Mistake::AutoMoves { found: token.quoted() });
                let Token::Word(word) = token else { return Some(Err(Box::new(problem))) };
                let mut groups = word.split(['.', ',']).skip(1);
                let marks = if groups.all(|group| group.len() == 3) { &['.', ','][..] } else { &[] };
                let with = word.replace(['O', 'o'], "0").replace(['l', 'I'], "1").replace(marks, "");
                let text = line.text.trim_ascii();
                // -1 can mean no limit.
                let proposal = if word.starts_with('-') {
                    None
                } else if is_number(with.as_bytes()) {
                    Some(Proposal::Replace { place, bytes: word.len() as u64, with })
                } else {
                    let bytes = text.len() as u64;
                    auto_meant(text).map(|with| Proposal::Replace { place: begin, bytes, with })
                };
                return Some(Err(Box::new(problem.proposing(proposal))));
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
            let bytes = line.column + line.text.trim_ascii_end().len() as u64 - more.place.column;
            let is_word = tokens.all(|lexeme| !lexeme.token.is_digits()) && !more.token.is_digits();
            let proposal = Proposal::Replace { place: more.place, bytes, with: String::new() };
            Err(Box::new(Problem::new(more.place, what).proposing(is_word.then_some(proposal))))
        }
    })
}

/// Returns the problem with a line of moves in which the byte at `at` is not a move.
fn bad_moves(line: Line<'_>, at: usize) -> Box<Problem> {
    let text = line.text.trim_ascii();
    let place = |from: usize| Place { line: line.number, column: line.column + from as u64 };
    let begin = line.text.len() - line.text.trim_ascii_start().len();
    let instead =
        |text: &[u8], with| Proposal::Replace { place: place(begin), bytes: text.len() as u64, with };
    if let Some(with) = auto_meant(text) {
        // The number after a word with the digit 0 stays.
        let word = text.split(|&byte| is_blank(byte)).next().unwrap_or(text);
        let is_number = is_number(text[word.len()..].trim_ascii());
        let is_word = is_number && auto_meant(word).is_some_and(|word| with.starts_with(&format!("{word} ")));
        let (text, with) = if is_word { (word, "AUTO".to_owned()) } else { (text, with) };
        let found = format!("'{}'", printable(text, QUOTE_BYTES_MAX)).into();
        let is_labelled = text
            .split(|&byte| byte == b':')
            .nth(1)
            .is_some_and(|moves| with.as_bytes() == moves.trim_ascii());
        let has_zero = text.to_ascii_uppercase().starts_with(b"AUT0");
        let expected = match (is_labelled, has_zero) {
            (true, _) => Part::MovesAlone,
            (false, true) => Part::AutoLetter,
            (false, false) => Part::Auto,
        };
        let what = Mistake::Moves { found, expected: expected.into() };
        return Box::new(problem(line, begin, what).proposing(Some(instead(text, with))));
    }
    if let Some(moves) = std::str::from_utf8(text).ok().and_then(foreign::written_out) {
        let what = Mistake::CountedMoves { found: printable(text, QUOTE_BYTES_MAX) };
        return Box::new(
            problem(line, begin, what).proposing(Some(Proposal::replace_line(line.number, moves))),
        );
    }
    let (from, length) = foreign::found_at(line.text, at);
    let found = &line.text[from..from + length];
    let meaning = std::str::from_utf8(found).ok().and_then(foreign::meaning);
    let is_unsure = found.len() == 1 && text.iter().any(|byte| byte.eq_ignore_ascii_case(&b'D'));
    // The keys h, j, k and l of vi mean something else.
    let meaning = meaning.filter(|_| !text.iter().any(|byte| b"hjk".contains(byte)));
    let expected = match meaning {
        // The D beside an English initial can be right or down.
        Some(_) if is_unsure => Part::Initials,
        Some(direction) => letter_of(direction),
        None => Part::Letters,
    };
    // A Greek or Cyrillic letter can look like one of these.
    let code = match std::str::from_utf8(found).ok().and_then(|text| text.chars().next()) {
        Some(letter @ '\u{370}'..='\u{4ff}') => format!(" (U+{:04X})", u32::from(letter)),
        _ => String::new(),
    };
    let found = format!("'{}'{code}", printable(found, QUOTE_BYTES_MAX)).into();
    // For example `Moves: DECB`, or without the colon.
    let is_label = from == begin && length > 3;
    let label = text.iter().rposition(|&byte| matches!(byte, b':' | b'=')).map(|at| at + 1);
    let label = label.or(is_label.then_some(length)).unwrap_or(text.len());
    let behind = &text[label..];
    let own = String::from_utf8_lossy(behind.trim_ascii()).into_owned();
    let is_own = !own.is_empty() && own.bytes().all(|byte| is_blank(byte) || is_direction(byte));
    let meant = foreign::translated(text).or_else(|| is_own.then_some(own));
    let (found, expected) = if is_label && is_own && text[label - 1] == b':' {
        (format!("'{}'", printable(&text[..label], QUOTE_BYTES_MAX)).into(), Part::MovesAlone)
    } else {
        (found, expected)
    };
    // Words behind the moves.
    let (before, rest) = line.text.split_at(from);
    let letters = rest.iter().filter(|byte| byte.is_ascii_lowercase() && !is_direction(**byte)).count();
    let is_remark = from > begin && is_blank(before[from - 1]) && letters > 2 && !is_comment(rest);
    let is_remark = is_remark && before.iter().all(|&byte| is_blank(byte) || is_direction(byte));
    let bytes = rest.trim_ascii_end().len() as u64;
    let removed = is_remark.then(|| Proposal::Replace { place: place(from), bytes, with: String::new() });
    let proposal = meant.map(|with| instead(text, with)).or(removed);
    let problem = problem(line, from, Mistake::Moves { found, expected: expected.into() });
    Box::new(problem.proposing(proposal).showing(Excerpt::cut(line.text, from, length)))
}

/// Returns how to write a line with a word like AUTO and at most one number. Beside a number, other words do not count.
fn auto_meant(text: &[u8]) -> Option<String> {
    // The digit 0 after AUT is the letter O.
    let text = std::str::from_utf8(text).ok()?.to_uppercase().replace("AUT0", "AUTO");
    let numbers = text.split(|character: char| !character.is_ascii_digit());
    let numbers: Vec<_> = numbers.filter(|number| !number.is_empty()).collect();
    let words = text.split(|character: char| !character.is_alphabetic());
    let (autos, others): (Vec<_>, Vec<_>) =
        words.filter(|word| !word.is_empty()).partition(|word| is_like_auto(word));
    let is_number = numbers.len() < 2 && numbers.iter().all(|number| is_number(number.as_bytes()));
    let may_stand = |word: &&str| !numbers.is_empty() && !word.bytes().all(is_direction);
    let is_auto = autos.len() == 1 && is_number && others.iter().all(may_stand);
    let count = numbers.first().copied().unwrap_or_default();
    is_auto.then(|| format!("AUTO {count}").trim_end().to_owned())
}

/// Returns whether a word is AUTO with more behind AUT, or with one typing mistake.
fn is_like_auto(word: &str) -> bool {
    word.starts_with("AUT") || word.len() < 6 && strsim::damerau_levenshtein(word, "AUTO") < 2
}

/// Returns a problem with byte `at` of the line.
fn problem(line: Line<'_>, at: usize, what: Mistake) -> Box<Problem> {
    Box::new(Problem::new(Place { line: line.number, column: line.column + at as u64 }, what))
}

/// Returns whether the text is a number of moves that fits 64 bits.
fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && digits_value(0, text).is_some()
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
