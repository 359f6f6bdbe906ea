//! What to write instead of a character, and the numbers that some notations stand for.

use super::CHARACTERS_MAX;
use super::character_names::{Character, Instead, LETTERS_O, other_digit};
use crate::diagnosis::header_changes::{numbers_of, whole};
use tabuleiro_puzzles::input::{Line, Place};
use tabuleiro_puzzles::solver::Proposal;

/// The most lines that are changed one by one if unchanged lines stand between them.
const LINES_MAX: usize = 6;

/// The most times that a number is repeated.
const TIMES_MAX: usize = 64;

/// Returns the value of a number with points, commas or underscores between its thousands: 1.024 is 1024.
pub(super) fn thousands(token: &str) -> Option<u64> {
    const MARKS: [char; 3] = ['.', ',', '_'];
    let (first, rest) = token.split_once(MARKS)?;
    let are_groups = rest.split(MARKS).all(|group| group.len() == 3);
    let value = (are_groups && (1..=3).contains(&first.len()) && !first.starts_with('0'))
        .then(|| token.replace(MARKS, ""));
    value?.parse().ok()
}

/// Returns the value of a whole number with a fraction: 2.0 is 2.
fn without_fraction(token: &str) -> Option<u64> {
    let (whole, fraction) = token.split_once(['.', ','])?;
    whole.parse().ok().filter(|_| fraction.bytes().all(|byte| byte == b'0'))
}

/// Returns the two numbers that a spreadsheet turned into a date: 8 8 for 08/08/2024.
fn date(token: &str) -> Option<String> {
    let [day, month, year] = token.split('/').collect::<Vec<_>>()[..] else { return None };
    let number = |digits: &str| digits.parse::<u8>().ok();
    (year.len() == 4).then_some(format!("{} {}", number(day)?, number(month)?))
}

/// Returns the value of a power: 2^8 is 256.
pub(super) fn power(token: &str) -> Option<u64> {
    let (base, exponent) = token.split_once('^')?;
    base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?)
}

/// Returns the value of a number such as 0x1F or 0b101.
pub(super) fn other_base(token: &str) -> Option<u64> {
    let (mark, digits) = token.split_at_checked(2)?;
    let base = match mark {
        "0x" | "0X" => 16,
        "0b" | "0B" => 2,
        _ => return None,
    };
    u64::from_str_radix(digits, base).ok()
}

/// Returns the numbers that a count and a number stand for: 2 2 2 for 3*2.
pub(super) fn times(token: &str) -> Option<String> {
    let (count, number) = token.split_once('*')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let count = count.parse::<usize>().ok().filter(|&count| is_number && (1..=TIMES_MAX).contains(&count))?;
    Some(vec![number; count].join(" "))
}

/// Returns the value of a number with a power of ten: 1e3 is 1000, and 2.50e+01 is 25.
pub(super) fn scientific(token: &str) -> Option<u64> {
    let (number, exponent) = token.split_once(['e', 'E'])?;
    let (whole, fraction) = number.split_once(['.', ',']).unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let exponent = exponent.trim_start_matches('+').parse::<u32>().ok()?.checked_sub(fraction.len() as u32)?;
    let digits = format!("{whole}{fraction}").parse::<u64>().ok()?;
    10_u64.checked_pow(exponent)?.checked_mul(digits)
}

/// A token, and the lines of its puzzle.
pub(super) struct TokenContext<'a> {
    pub line: &'a Line<'a>,
    pub place: Place,
    pub token: &'a [u8],
    pub lines: &'a [Line<'a>],
}

impl TokenContext<'_> {
    fn has_zero(&self) -> bool {
        self.lines.iter().flat_map(Line::tokens).any(|(_, token)| token == b"0")
    }

    /// Returns the changes to try, the likeliest first.
    pub(super) fn proposals(&self, token: &str, name: &Character, instead: &Instead) -> Vec<Proposal> {
        let tokens = |value: fn(&str) -> Option<u64>| -> Vec<_> {
            let one = value(token).map(|value| self.replace_token(&value.to_string()));
            one.into_iter().chain(self.replace_values(value)).collect()
        };
        match name {
            Character::Minus { .. } if matches!(instead, Instead::Zero) => {
                tokens(|token| matches!(token, "-1" | "-0").then_some(0))
            }
            Character::ThousandsMark { .. } => tokens(thousands),
            Character::Power => tokens(power),
            Character::Exponent { .. } => tokens(scientific),
            Character::Nul => self.replace_kind(" ", |character| character == '\0'),
            Character::Slash => date(token)
                .map(|with| self.replace_token(&with))
                .into_iter()
                .chain([self.replace_all("/", " ")])
                .collect(),
            Character::Dash { .. } => vec![self.replace_token("-")],
            Character::Colon if matches!(instead, Instead::Nothing) => {
                vec![self.replace_token(token.trim_end_matches(':'))]
            }
            Character::Times { .. } => self.replace_tokens(times).into_iter().collect(),
            Character::EscapedTab => vec![self.change_lines(|line| line.replace("\\t", " "))],
            Character::OtherBase { .. } => tokens(other_base),
            Character::CtrlZ => vec![self.replace_all("\u{1a}", "")],
            Character::Semicolon => self.semicolons(),
            Character::Comment { character } => self.without_comments(token, character),
            Character::LetterO { .. } => {
                // The letter is surplus if the digit does not fit.
                let without = self.replace_token(&token.replace(LETTERS_O, ""));
                vec![self.replace_token(&token.replace(LETTERS_O, "0")), self.replace_letters(), without]
            }
            Character::LetterL { .. } => {
                // No number begins with a needless 0, so this replacement cannot be meant.
                let number = token.replace(['l', 'I'], "1");
                let is_number = !number.starts_with('0');
                let number = self.replace_token(&number);
                Some(number).filter(|_| is_number).into_iter().chain([self.replace_letters()]).collect()
            }
            Character::Plus => {
                vec![self.replace_token(token.trim_start_matches('+')), self.replace_all("+", "")]
            }
            Character::Invisible { .. } | Character::ByteOrderMark => self.replace_kind("", is_invisible),
            // Some programs write a thin space between thousands.
            Character::ThinBlank { .. } | Character::NoBreakBlank { .. } => {
                let mut proposals = self.replace_kind(" ", is_separator);
                proposals.extend(tokens(|token| thousands(&token.replace(is_other_blank, "."))));
                proposals
            }
            Character::LineSeparator { .. } => {
                self.replace_kind("\n", |character| matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}'))
            }
            Character::EmptyMark { character } if matches!(instead, Instead::Nothing) => {
                let bare = |line: &str| line.trim_start_matches(character).trim_start().to_owned();
                let without = |line: &str| line.trim_end_matches(character).trim_end().to_owned();
                vec![self.change_lines(bare), self.change_lines(without)]
            }
            // Beside zeros, a star can stand for a number that nobody knows.
            Character::EmptyMark { character } if character == "*" && self.has_zero() => Vec::new(),
            Character::EmptyMark { character } => {
                vec![self.replace_token("0"), self.replace_all(character, "0")]
            }
            Character::Hyphen { .. } => {
                self.replace_kind(" ", |character| matches!(character, '-' | '–' | '·' | '*'))
            }
            Character::Underscore => self.replace_kind(" ", |character| character == '_'),
            Character::DecimalComma | Character::DecimalPoint => {
                let mark = if matches!(name, Character::DecimalComma) { ',' } else { '.' };
                let (whole, fraction) = token.split_once(mark).unwrap_or((token, ""));
                let is_zero = fraction.bytes().all(|byte| byte == b'0');
                let mut proposals = if is_zero { vec![self.replace_token(whole)] } else { Vec::new() };
                proposals.extend(self.replace_values(without_fraction).filter(|_| is_zero));
                // Two numbers with a comma or a point between them look the same.
                proposals.extend(match mark {
                    ',' => self.replace_kind(" ", is_separator),
                    _ => vec![self.replace_all(".", " ")],
                });
                proposals
            }
            Character::OtherDigit { character, .. } if !matches!(instead, Instead::Whole) => {
                let line = plain(&String::from_utf8_lossy(self.line.text.trim_ascii()));
                let others = self.change_lines(plain);
                vec![
                    self.replace_token(&plain(token)),
                    whole(self.line, line),
                    self.replace_all(character, &plain(character)),
                    others,
                ]
            }
            Character::Minus { .. }
            | Character::OtherDigit { .. }
            | Character::OtherNumber { .. }
            | Character::OtherEncoding { .. }
            | Character::Ligature { .. } => Vec::new(),
            _ => self.replace_kind(" ", is_separator),
        }
    }

    /// Returns changes that remove this comment, or all comments.
    fn without_comments(&self, token: &str, mark: &str) -> Vec<Proposal> {
        let at = token.find(mark).unwrap_or(0) as u64;
        let place = Place { column: self.place.column + at, ..self.place };
        let end = self.line.column + self.line.text.len() as u64;
        let only = Proposal::Replace { place, bytes: end - place.column, with: String::new() };
        let has =
            |line: &&Line<'_>| line.text.contains(&b'#') || line.text.windows(2).any(|two| two == b"//");
        let lines = self.lines.iter().filter(has).map(|line| line.number);
        let changes = lines.map(|line| Proposal::RemoveComments { from_line: line, to_line: line });
        // The mark of another language.
        let cut = |line: &Line<'_>| {
            let begins =
                |rest: &[u8]| rest.starts_with(mark.as_bytes()) && rest.iter().any(u8::is_ascii_alphabetic);
            let at = (1..line.text.len()).find(|&at| begins(&line.text[at..]))?;
            let place = Place { line: line.number, column: line.column + at as u64 };
            let bytes = (line.text.trim_ascii_end().len() - at) as u64;
            Some(Proposal::Replace { place, bytes, with: String::new() })
        };
        let cuts = self.lines.iter().filter_map(cut).collect();
        vec![only, Proposal::All { changes: changes.collect() }, Proposal::All { changes: cuts }]
    }

    /// Returns what to write instead of semicolons: nothing at the ends of lines, line breaks between rows, else
    /// blanks.
    fn semicolons(&self) -> Vec<Proposal> {
        let has = |line: &&Line<'_>| line.text.contains(&b';');
        let is_at_end = |line: &Line<'_>| {
            let text = line.text.trim_ascii_end();
            text.iter().position(|&byte| byte == b';') == Some(text.len() - 1)
        };
        if self.lines.iter().filter(has).all(is_at_end) {
            return vec![self.replace_all(";", "")];
        }
        let mut proposals = self.replace_kind(" ", is_separator);
        // If semicolons separate rows, there are several numbers between two of them, more than in another row.
        let rows = self.line.text.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        let numbers = numbers_of(self.line).len() as u64;
        let is_row = self.lines.iter().any(|other| other.numbers_only() && other.count() == numbers);
        if !is_row && rows.clone().all(|row| row.contains(&b' ')) {
            let lines = rows.map(|row| String::from_utf8_lossy(row).into_owned()).collect();
            let (from_line, to_line) = (self.line.number, self.line.number);
            let apart = Proposal::ReplaceLines { from_line, to_line, lines };
            proposals.splice(..0, [apart, self.replace_all(";", "\n")]);
        }
        proposals
    }

    /// Proposes another token in this place.
    fn replace_token(&self, with: &str) -> Proposal {
        Proposal::replace_token((self.place, self.token), with)
    }

    /// Proposes the value of every token in the puzzle that `value` can read.
    fn replace_values(&self, value: fn(&str) -> Option<u64>) -> Option<Proposal> {
        self.replace_tokens(|token| value(token).map(|value| value.to_string()))
    }

    fn replace_tokens(&self, text: impl Fn(&str) -> Option<String>) -> Option<Proposal> {
        let change = |line: &str| {
            let pieces = line.split_inclusive(char::is_whitespace).map(|piece| {
                let token = piece.trim_end();
                text(token).map_or(piece.to_owned(), |text| piece.replacen(token, &text, 1))
            });
            pieces.collect::<String>()
        };
        let Proposal::All { changes } = self.change_lines(change) else { return None };
        (!changes.is_empty()).then_some(Proposal::All { changes })
    }

    /// Proposes digits for all letters that look like 0 and 1, except in words such as AUTO.
    fn replace_letters(&self) -> Proposal {
        let is_like_digit = |letter: char| LETTERS_O.contains(&letter) || "lI".contains(letter);
        let change = |line: &str| {
            let has_words = line.contains(|letter: char| letter.is_alphabetic() && !is_like_digit(letter));
            if has_words { line.to_owned() } else { line.replace(LETTERS_O, "0").replace(['l', 'I'], "1") }
        };
        self.change_lines(change)
    }

    /// Proposes to apply `change` to each line of the puzzle.
    fn change_lines(&self, change: impl Fn(&str) -> String) -> Proposal {
        let written = |line: &Line<'_>| {
            let text = String::from_utf8_lossy(line.text.trim_ascii()).into_owned();
            let changed = change(&text);
            (changed != text).then(|| Proposal::replace_line(line.number, changed))
        };
        Proposal::All { changes: self.lines.iter().filter_map(written).collect() }
    }

    /// Proposes to replace characters in all lines of the puzzle.
    fn replace_all(&self, characters: &str, with: &str) -> Proposal {
        let has = |line: &&Line<'_>| String::from_utf8_lossy(line.text).contains(|c| characters.contains(c));
        let lines: Vec<_> = self.lines.iter().filter(has).map(|line| line.number).collect();
        let replaced = |from_line, to_line| {
            let (characters, with) = (characters.to_owned(), with.to_owned());
            Proposal::ReplaceAll { from_line, to_line, characters, with }
        };
        let (from, to) =
            (*lines.first().unwrap_or(&self.line.number), *lines.last().unwrap_or(&self.line.number));
        if (2..=LINES_MAX).contains(&lines.len()) && to - from >= lines.len() as u64 {
            return Proposal::All { changes: lines.iter().map(|&line| replaced(line, line)).collect() };
        }
        replaced(from, to)
    }

    /// Proposes to replace all characters of one kind in the puzzle.
    fn replace_kind(&self, with: &str, is_one: fn(char) -> bool) -> Vec<Proposal> {
        let mut characters = String::new();
        for line in self.lines {
            for character in String::from_utf8_lossy(line.text).chars().filter(|&character| is_one(character))
            {
                if !characters.contains(character) && characters.chars().count() < CHARACTERS_MAX {
                    characters.push(character);
                }
            }
        }
        vec![self.replace_all(&characters, with)]
    }
}

/// Returns a text with plain digits and blanks in place of those of other scripts.
fn plain(text: &str) -> String {
    let plain = |character| match other_digit(character).and_then(|(_, value)| char::from_digit(value, 10)) {
        None if is_other_blank(character) => ' ',
        digit => digit.unwrap_or(character),
    };
    text.chars().map(plain).collect()
}

/// Returns whether people write this character between or around numbers instead of a blank.
fn is_separator(character: char) -> bool {
    const MARKS: &str = ",;:|()[]{}<>\"'`´‘’“”";
    MARKS.contains(character) || is_other_blank(character)
}

/// Returns whether a character is a blank that is no space.
pub(super) fn is_other_blank(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{2000}'..='\u{200a}')
}

pub fn is_invisible(character: char) -> bool {
    character.is_control() && !character.is_whitespace()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}
