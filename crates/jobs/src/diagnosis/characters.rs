//! A character that numbers do not have: by its name, and with what to write instead.

use super::Mistake;
use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, Place, QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::solver::{Part, Problem, Proposal};
use tabuleiro_puzzles::words::messages;

/// Different characters of a puzzle that are looked at.
const CHARACTERS_MAX: usize = 8;

messages! {
    "character"
    /// The name of a character.
    enum Character {
        /// `,`
        Comma = "comma",
        /// `;`
        Semicolon = "semicolon",
        /// `:`
        Colon = "colon",
        /// `|`
        Bar = "bar",
        /// Round, square, curly.
        Bracket = "bracket" { character: String },
        /// A quotation mark of any kind.
        Quote = "quote" { character: String },
        /// A blank that looks like one and is none.
        NoBreakBlank = "no-break-blank" { code: String },
        /// A blank of another width.
        ThinBlank = "thin-blank" { code: String },
        /// A character that is not seen.
        Invisible = "invisible" { code: String },
        /// O or o where 0 was meant.
        LetterO = "letter-o" { character: String },
        /// l or I where 1 was meant.
        LetterL = "letter-l" { character: String },
        /// A minus sign or a dash.
        Minus = "minus" { character: String },
        /// `+`
        Plus = "plus",
        /// A comma in a number.
        DecimalComma = "decimal-comma",
        /// A point in a number.
        DecimalPoint = "decimal-point",
        /// `#` or `//` behind numbers.
        Comment = "comment" { character: String },
        /// A digit of another script.
        OtherDigit = "other-digit" { character: String, code: String },
    }
}

messages! {
    "expected"
    /// What is to be written instead of a character.
    enum Instead {
        /// Numbers with blanks between them.
        Blanks = "blanks",
        /// The digit 0.
        Zero = "zero",
        /// The digit 1.
        One = "one",
        /// A number without a sign.
        NoSign = "no-sign",
        /// A whole number.
        Whole = "whole",
        /// A comment has a line of its own.
        CommentLine = "comment-line",
        /// Nothing there.
        Nothing = "nothing",
        /// The digits 0 to 9.
        Digits = "digits",
    }
}

/// What the token at which the reader stopped tells, where a character of it has a name.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = lines.iter().find(|line| line.number == problem.place.line)?;
    let is_at = |&(place, token): &(Place, &[u8])| {
        (place.column..place.column + token.len() as u64).contains(&problem.place.column)
    };
    let (place, token) = line.tokens().find(is_at)?;
    let text = String::from_utf8_lossy(token);
    // The reader knows which character it is where it points into a token.
    let from = (problem.place.column - place.column) as usize;
    let (at, character) =
        text.char_indices().find(|&(at, character)| at >= from && !character.is_ascii_digit())?;
    // Where a row may hold anything the reader knows more of what is seen.
    let is_seen =
        character.is_alphanumeric() || character.is_ascii_punctuation() && !matches!(character, '#' | '/');
    if is_seen && holds_anything(line, lines, trial) {
        return None;
    }
    let (name, instead) = named(&text, at, character)?;
    let span = Span { line, place, token, from: lines.first()?.number, to: lines.last()?.number, lines };
    let proposal = trial.first_of(span.proposals(&text, &name));
    // A comma between two numbers looks like that of a fraction until it is tried.
    let (name, instead) = match (&name, &proposal) {
        (Character::DecimalComma, Some(Proposal::ReplaceAll { .. })) => (Character::Comma, Instead::Blanks),
        _ => (name, instead),
    };
    let quoted = format!("'{}'", printable(token, QUOTE_BYTES_MAX));
    let what = Mistake::Character { character: name.into(), token: quoted, expected: instead.into() };
    let place = Place { column: place.column + at as u64, ..place };
    Some(Problem::new(place, what).proposing(proposal))
}

/// Whether a line of a puzzle is one that may hold anything.
fn holds_anything(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> bool {
    let Some(layout) = trial.reader.layout(lines) else { return false };
    let before = lines.iter().take_while(|other| other.number < line.number).count();
    let mut row = before.saturating_sub(layout.header_lines) as u64;
    let is_its = |part: &&Part| {
        let is_its = row < part.rows;
        row = row.saturating_sub(part.rows);
        is_its
    };
    layout.parts.iter().find(is_its).is_some_and(|part| part.widths.is_none())
}

/// The name of a character and what is to be written instead.
fn named(token: &str, at: usize, character: char) -> Option<(Character, Instead)> {
    let is_whole = || token.contains(|other: char| other.is_ascii_digit());
    let text = || character.to_string();
    let code = || format!("U+{:04X}", u32::from(character));
    Some(match character {
        '#' => (Character::Comment { character: "#".to_owned() }, Instead::CommentLine),
        '/' if token[at..].starts_with("//") => {
            (Character::Comment { character: "//".to_owned() }, Instead::CommentLine)
        }
        ',' if is_decimal(token, ',') => (Character::DecimalComma, Instead::Whole),
        '.' if is_decimal(token, '.') => (Character::DecimalPoint, Instead::Whole),
        ',' => (Character::Comma, Instead::Blanks),
        ';' => (Character::Semicolon, Instead::Blanks),
        ':' => (Character::Colon, Instead::Blanks),
        '|' => (Character::Bar, Instead::Blanks),
        '(' | ')' | '[' | ']' | '{' | '}' => (Character::Bracket { character: text() }, Instead::Blanks),
        '"' | '\'' | '`' | '´' | '‘' | '’' | '“' | '”' => {
            (Character::Quote { character: text() }, Instead::Blanks)
        }
        '\u{a0}' | '\u{202f}' => (Character::NoBreakBlank { code: code() }, Instead::Blanks),
        '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{3000}' => {
            (Character::ThinBlank { code: code() }, Instead::Blanks)
        }
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {
            (Character::Invisible { code: code() }, Instead::Nothing)
        }
        'O' | 'o' if token.chars().all(|c| c.is_ascii_digit() || matches!(c, 'O' | 'o')) => {
            (Character::LetterO { character: text() }, Instead::Zero)
        }
        'l' | 'I' if token.chars().all(|c| c.is_ascii_digit() || matches!(c, 'l' | 'I')) => {
            (Character::LetterL { character: text() }, Instead::One)
        }
        '-' | '−' | '–' | '—' if is_whole() => {
            (Character::Minus { character: text() }, Instead::NoSign)
        }
        '+' if is_whole() => (Character::Plus, Instead::NoSign),
        digit if digit.is_numeric() => {
            (Character::OtherDigit { character: text(), code: code() }, Instead::Digits)
        }
        _ => return None,
    })
}

/// Whether a token is one number with a fraction: a single mark with digits around it.
fn is_decimal(token: &str, mark: char) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    token.split_once(mark).is_some_and(|(whole, fraction)| is_digits(whole) && is_digits(fraction))
}

/// A token, and the lines of its puzzle.
struct Span<'a> {
    line: &'a Line<'a>,
    place: Place,
    token: &'a [u8],
    from: u64,
    to: u64,
    lines: &'a [Line<'a>],
}

impl Span<'_> {
    /// Changes to try, the likeliest first.
    fn proposals(&self, token: &str, name: &Character) -> Vec<Proposal> {
        match name {
            Character::Comment { character } => {
                let at = token.find(character.as_str()).unwrap_or(0) as u64;
                let place = Place { column: self.place.column + at, ..self.place };
                let end = self.line.column + self.line.text.len() as u64;
                let only = Proposal::Replace { place, bytes: end - place.column, with: String::new() };
                let (from_line, to_line) = (self.from, self.to);
                vec![only, Proposal::RemoveComments { from_line, to_line }]
            }
            Character::LetterO { .. } => vec![self.one(&token.replace(['O', 'o'], "0")), self.all("Oo", "0")],
            Character::LetterL { .. } => vec![self.one(&token.replace(['l', 'I'], "1")), self.all("lI", "1")],
            Character::Plus => vec![self.one(token.trim_start_matches('+')), self.all("+", "")],
            Character::Invisible { .. } => self.others("", is_invisible),
            Character::DecimalComma | Character::DecimalPoint => {
                let mark = if matches!(name, Character::DecimalComma) { ',' } else { '.' };
                let (whole, fraction) = token.split_once(mark).unwrap_or((token, ""));
                let is_zero = fraction.bytes().all(|byte| byte == b'0');
                let mut proposals = if is_zero { vec![self.one(whole)] } else { Vec::new() };
                // Two numbers with a comma between them look the same.
                proposals.extend(self.others(" ", is_separator).into_iter().filter(|_| mark == ','));
                proposals
            }
            Character::Minus { .. } | Character::OtherDigit { .. } => Vec::new(),
            _ => self.others(" ", is_separator),
        }
    }

    /// Another token in this place.
    fn one(&self, with: &str) -> Proposal {
        Proposal::Replace { place: self.place, bytes: self.token.len() as u64, with: with.to_owned() }
    }

    /// Other characters in all lines of the puzzle.
    fn all(&self, characters: &str, with: &str) -> Proposal {
        let (from_line, to_line) = (self.from, self.to);
        Proposal::ReplaceAll { from_line, to_line, characters: characters.to_owned(), with: with.to_owned() }
    }

    /// The same for all characters of the puzzle that are of a kind.
    fn others(&self, with: &str, is_one: fn(char) -> bool) -> Vec<Proposal> {
        let mut characters = String::new();
        for line in self.lines {
            for character in String::from_utf8_lossy(line.text).chars().filter(|&character| is_one(character))
            {
                if !characters.contains(character) && characters.chars().count() < CHARACTERS_MAX {
                    characters.push(character);
                }
            }
        }
        vec![self.all(&characters, with)]
    }
}

/// What is written between numbers, or around them, where blanks should stand.
fn is_separator(character: char) -> bool {
    const MARKS: &str = ",;:|()[]{}\"'`´‘’“”\u{a0}\u{202f}\u{205f}\u{3000}";
    MARKS.contains(character) || matches!(character, '\u{2000}'..='\u{200a}')
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}
