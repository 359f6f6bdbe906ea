//! Characters that numbers do not have: their names, and what to write instead.

use super::Mistake;
use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, Marked, Place, QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::solver::{FormMistake, Part, Problem, Proposal};
use tabuleiro_puzzles::words::{Phrase, messages};

/// The most different characters of a puzzle that are examined.
const CHARACTERS_MAX: usize = 8;
/// Rules about counts of numbers.
const COUNT_RULES: [&str; 6] = [
    "header-length",
    "header-value",
    "row-length-expected",
    "row-count",
    "numbers-missing",
    "numbers-surplus",
];
/// Rules of lines that belong to no puzzle.
const STRAY_RULES: [&str; 3] = ["stray-line", "text-after-cases", "case-count"];
/// Marks that begin comments here or in other languages.
const COMMENT_MARKS: [&str; 9] = ["#", "//", "%", ";", "--", "/*", "<-", "->", "=>"];
/// Other scripts' digits: the digit that means 0, and the name of the script.
const OTHER_DIGITS: [(char, &str); 5] =
    [('０', "full-width"), ('٠', "arabic"), ('۰', "persian"), ('⁰', SUPERSCRIPT), ('₀', "subscript")];
const SUPERSCRIPT: &str = "superscript";
/// The letter O, as Latin, Cyrillic and Greek write it.
const LETTERS_O: [char; 6] = ['O', 'o', 'О', 'о', 'Ο', 'ο'];
const DASHES: [char; 3] = ['–', '—', '−'];
/// Stands for a token that is only the character that was named.
const ALONE: &str = "alone";

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
        /// A round, square, curly or angle bracket.
        Bracket = "bracket" { kind: &'static str, character: String },
        /// A quotation mark of any kind.
        Quote = "quote" { character: String },
        /// A no-break space, which looks like a blank but is not one.
        NoBreakBlank = "no-break-blank" { code: String },
        /// A blank of another width.
        ThinBlank = "thin-blank" { code: String },
        /// An invisible character.
        Invisible = "invisible" { code: String },
        /// The character with code 0.
        Nul = "nul",
        /// e or E between a number and a power of ten.
        Exponent = "exponent" { character: String },
        /// The mark with which DOS ended a text.
        CtrlZ = "ctrl-z",
        /// A byte that is not UTF-8.
        OtherEncoding = "other-encoding" { code: String },
        /// A character that ends a line only for some programs.
        LineSeparator = "line-separator" { code: String },
        /// Two letters in one character.
        Ligature = "ligature" { character: String },
        /// A mark that stands for an empty square.
        EmptyMark = "empty-mark" { character: String },
        /// `-` between numbers.
        Hyphen = "hyphen",
        /// `_` between numbers.
        Underscore = "underscore",
        /// `/` between numbers.
        Slash = "slash",
        /// A long dash on its own.
        Dash = "dash" { character: String },
        /// A grave accent.
        Backtick = "backtick",
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
        /// A point or comma between thousands and hundreds.
        ThousandsMark = "thousands-mark" { character: String },
        /// `^` in a power.
        Power = "power",
        /// `#`, `//` or another mark after numbers.
        Comment = "comment" { character: String },
        /// A digit of another script.
        OtherDigit = "other-digit" { script: &'static str, character: String },
        /// Any other character that means a number.
        OtherNumber = "other-number" { character: String, code: String },
    }
}

messages! {
    "expected"
    /// What to write instead of a character.
    enum Instead {
        /// Numbers with blanks between them.
        Blanks = "blanks",
        /// A digit.
        Digit = "digit" { digit: u32 },
        /// A number without a sign.
        NoSign = "no-sign",
        /// 0 for an empty square.
        Zero = "zero",
        /// The value of a power, or of a number without points.
        Value = "value" { value: u64 },
        /// The mark for no moves.
        NoMoves = "no-moves",
        /// A whole number.
        Whole = "whole",
        /// A comment on a line of its own.
        CommentLine = "comment-line",
        /// No character at all.
        Nothing = "nothing",
        /// The digits 0 to 9.
        Digits = "digits",
        /// A new line.
        Break = "break",
        /// Another encoding of the file.
        Utf8 = "utf8",
    }
}

/// Returns the problem of a named character in the token at which the reader stopped. If a count of numbers is wrong,
/// examines the first token that is not a number instead, because it is often the cause.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let lines_of = lines;
    let line = lines.iter().find(|line| line.number == problem.place.line)?;
    let is_at = |&(place, token): &(Place, &[u8])| {
        (place.column..place.column + token.len() as u64).contains(&problem.place.column)
    };
    let is_number = |token: &[u8]| token.iter().all(u8::is_ascii_digit);
    let (line, (place, token)) = match line.tokens().find(is_at).filter(|(_, token)| !is_number(token)) {
        Some(found) => (line, found),
        None if COUNT_RULES.contains(&problem.rule()) => {
            let is_first = problem.rule().starts_with("header");
            let lines = lines.iter().take(if is_first { 1 } else { usize::MAX });
            // A line without digits can be text that only its solver understands.
            let lines = lines.filter(|line| line.text.iter().any(u8::is_ascii_digit));
            let mut lines = lines.filter(|line| !holds_anything(line, lines_of, trial));
            lines.find_map(|line| Some((line, line.tokens().find(|(_, token)| !is_number(token))?)))?
        }
        None => return None,
    };
    let text = String::from_utf8_lossy(token);
    // If the reader's place is inside the token, it points at the character.
    let is_at = problem.place.line == place.line;
    let from = problem.place.column.checked_sub(place.column).filter(|_| is_at).unwrap_or(0) as usize;
    let (at, character) =
        text.char_indices().find(|&(at, character)| at >= from && !character.is_ascii_digit())?;
    // In a row that can hold anything, the reader knows more about visible characters.
    let is_seen =
        character.is_alphanumeric() || character.is_ascii_punctuation() && !matches!(character, '#' | '/');
    if is_seen && holds_anything(line, lines, trial) {
        return None;
    }
    let rest = line.text.get((place.column - line.column) as usize + at..).unwrap_or_default();
    let (name, instead) = match problem.rule() {
        "moves" if DASHES.contains(&character) && text.chars().count() == 1 => {
            (Character::Dash { character: text.to_string() }, Instead::NoMoves)
        }
        _ => comment(&String::from_utf8_lossy(rest)).or_else(|| named(token, &text, at, character))?,
    };
    let is_tile = matches!(problem.what.scope, "merge" | "astar" | "game");
    let instead = if is_tile && *text == *"-1" { Instead::Zero } else { instead };
    // If other letters stand for pieces, this letter does as well.
    let is_piece =
        |letter: char| letter.is_alphabetic() && !LETTERS_O.contains(&letter) && !"lI".contains(letter);
    if matches!(name, Character::LetterO { .. })
        && lines.iter().any(|line| {
            String::from_utf8_lossy(line.text).contains(is_piece) && !holds_anything(line, lines_of, trial)
        })
    {
        return None;
    }
    let span = Span { line, place, token, lines, text: trial.text };
    let proposal = trial.first_of(span.proposals(&text, &name, &instead));
    // Only a trial shows whether a comma or point separates two numbers or begins a fraction.
    let (name, instead) = match (&name, &proposal) {
        (Character::DecimalComma, Some(Proposal::ReplaceAll { .. })) => (Character::Comma, Instead::Blanks),
        (Character::DecimalPoint, Some(Proposal::ReplaceAll { .. })) => (name, Instead::Blanks),
        // So does the length of the row, if there is another mistake.
        (Character::DecimalComma | Character::DecimalPoint, None)
            if !line.numbers_only() && width_of(line, lines_of, trial) == Some(numbers_apart(line)) =>
        {
            (if character == ',' { Character::Comma } else { name }, Instead::Blanks)
        }
        (Character::Semicolon, Some(Proposal::ReplaceAll { with, .. })) if with == "\n" => {
            (name, Instead::Break)
        }
        _ => (name, instead),
    };
    // A token that is only the character would repeat its name.
    let is_alone =
        matches!(&name, Character::Comment { character } if *character == *text) || text.chars().count() == 1;
    let quoted = format!("'{}'", printable(token, QUOTE_BYTES_MAX));
    let token = if is_alone { ALONE.to_owned() } else { quoted };
    let what = Mistake::Character { character: name.into(), token, expected: instead.into() };
    let place = Place { column: place.column + at as u64, ..place };
    Some(Problem::new(place, what).proposing(proposal))
}

/// Returns the problem of a stray line with a character or letters that an editor does not show as they are.
pub fn stray(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = lines.iter().find(|line| line.number == problem.place.line)?;
    let is_stray = STRAY_RULES.contains(&problem.rule()) && !line.numbers_only();
    let text = line.text.trim_ascii();
    let removed = Proposal::remove_line(line.number);
    let what: Phrase = match std::str::from_utf8(text) {
        _ if !is_stray => return None,
        // Every byte is a letter in Latin-1.
        Err(_) => {
            let text: String = text.iter().map(|&byte| char::from(byte)).collect();
            let text = printable(text.as_bytes(), QUOTE_BYTES_MAX);
            Mistake::StrayLine { line: line.number, text }.into()
        }
        Ok(text) if problem.rule() != "stray-line" && is_title(text) => {
            FormMistake::stray_line(line.number).into()
        }
        Ok(_) => return None,
    };
    let proposal = trial.first_of([removed]);
    // Without a number of puzzles behind it, the line was rather meant as that number.
    let next = trial.numbers_behind(line);
    let is_count = problem.rule() == "case-count" && next.is_none_or(|next| next.numbers::<1>().is_none());
    (!is_count).then(|| Problem::new(line.place(), what).proposing(proposal))
}

/// Returns whether a text has words and no digits.
fn is_title(text: &str) -> bool {
    let is_letter = |character: char| character.is_alphabetic();
    !text.contains(|character: char| character.is_ascii_digit()) && text.matches(is_letter).count() > 1
}

/// Returns whether a line of a puzzle is a row that can hold anything.
pub fn holds_anything(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> bool {
    part_of(line, lines, trial).is_some_and(|(part, _)| part.widths.is_none())
}

/// Returns how many numbers a row of a puzzle should have; `None` for any.
pub fn width_of(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<u64> {
    let (part, row) = part_of(line, lines, trial)?;
    part.width(row)
}

/// Returns the part of a puzzle to which a line belongs, and its row in that part. Lines before the rows count as the
/// first row.
fn part_of(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<(Part, u64)> {
    let layout = trial.reader.layout(lines)?;
    let before = lines.iter().take_while(|other| other.number < line.number).count();
    let mut row = before.saturating_sub(layout.header_lines) as u64;
    for part in layout.parts {
        if row < part.rows {
            return Some((part, row));
        }
        row -= part.rows;
    }
    None
}

/// Returns how many numbers a line has if every other character separates them.
fn numbers_apart(line: &Line<'_>) -> u64 {
    let numbers = line.text.split(|byte| !byte.is_ascii_digit());
    numbers.filter(|digits| !digits.is_empty()).count() as u64
}

/// Returns the comment mark with which the rest of a line begins. Marks of other languages count only before words, and
/// an arrow before an answer as well.
fn comment(rest: &str) -> Option<(Character, Instead)> {
    let mark = COMMENT_MARKS.into_iter().find(|mark| rest.starts_with(mark))?;
    let is_one = matches!(mark, "#" | "//" | "->" | "=>") || rest.contains(char::is_alphabetic);
    is_one.then(|| (Character::Comment { character: mark.to_owned() }, Instead::CommentLine))
}

/// Returns the script and the value of a digit other than 0 to 9.
fn other_digit(character: char) -> Option<(&'static str, u32)> {
    if let Some(at) = ['¹', '²', '³'].into_iter().position(|digit| digit == character) {
        return Some((SUPERSCRIPT, at as u32 + 1));
    }
    let value = |zero: char| u32::from(character).checked_sub(u32::from(zero)).filter(|&value| value < 10);
    OTHER_DIGITS.into_iter().find_map(|(zero, script)| Some((script, value(zero)?)))
}

/// Returns the name of a character and what to write instead.
fn named(bytes: &[u8], token: &str, at: usize, character: char) -> Option<(Character, Instead)> {
    let is_whole = || token.contains(|other: char| other.is_ascii_digit());
    let text = || character.to_string();
    let code = || format!("U+{:04X}", u32::from(character));
    let is_between = || {
        let digits = token.split(character).map(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        !token.starts_with(character) && digits.into_iter().all(|are| are)
    };
    Some(match character {
        '.' | '_' | '-' | '*' | '□' | '⬜' | '·' if token.chars().count() == 1 => {
            (Character::EmptyMark { character: text() }, Instead::Digit { digit: 0 })
        }
        '_' if is_whole() && is_between() => match thousands(token) {
            Some(value) => (Character::ThousandsMark { character: text() }, Instead::Value { value }),
            None => (Character::Underscore, Instead::Blanks),
        },
        '-' | '–' if is_whole() && is_between() => (Character::Hyphen, Instead::Blanks),
        '/' if is_whole() && is_between() => (Character::Slash, Instead::Blanks),
        '\0' => (Character::Nul, Instead::Blanks),
        'e' | 'E' | '.' if ten_to(token).is_some() => {
            (Character::Exponent { character: "e".to_owned() }, Instead::Value { value: ten_to(token)? })
        }
        '.' if token.ends_with('.') && is_whole() && token.len() == at + 1 => {
            (Character::DecimalPoint, Instead::Whole)
        }
        '^' => (Character::Power, Instead::Value { value: power(token)? }),
        '`' => (Character::Backtick, Instead::Blanks),
        '\u{fffd}' => {
            let code = bytes.get(at).map(|byte| format!("0x{byte:02X}")).unwrap_or_default();
            (Character::OtherEncoding { code }, Instead::Utf8)
        }
        '\u{85}' | '\u{2028}' | '\u{2029}' => (Character::LineSeparator { code: code() }, Instead::Break),
        '\u{fb00}'..='\u{fb06}' => (Character::Ligature { character: text() }, Instead::Whole),
        ',' | '.' if is_decimal(token, character) => match thousands(token) {
            // A comma is more likely one between two numbers.
            Some(value) if character == '.' || value.is_power_of_two() => {
                (Character::ThousandsMark { character: text() }, Instead::Value { value })
            }
            _ if character == ',' => (Character::DecimalComma, Instead::Whole),
            _ => (Character::DecimalPoint, Instead::Whole),
        },
        ',' => (Character::Comma, Instead::Blanks),
        ';' => (Character::Semicolon, Instead::Blanks),
        ':' => (Character::Colon, Instead::Blanks),
        '|' => (Character::Bar, Instead::Blanks),
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' => {
            let kind = match character {
                '(' | ')' => "round",
                '[' | ']' => "square",
                '{' | '}' => "curly",
                _ => "angle",
            };
            (Character::Bracket { kind, character: text() }, Instead::Blanks)
        }
        '"' | '\'' | '´' | '‘' | '’' | '“' | '”' => {
            (Character::Quote { character: text() }, Instead::Blanks)
        }
        '\u{a0}' | '\u{202f}' => (Character::NoBreakBlank { code: code() }, Instead::Blanks),
        '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{3000}' => {
            (Character::ThinBlank { code: code() }, Instead::Blanks)
        }
        '\u{1a}' => (Character::CtrlZ, Instead::Nothing),
        unseen if is_invisible(unseen) => (Character::Invisible { code: code() }, Instead::Nothing),
        letter
            if LETTERS_O.contains(&letter)
                && token.chars().all(|c| c.is_ascii_digit() || LETTERS_O.contains(&c)) =>
        {
            (Character::LetterO { character: text() }, Instead::Digit { digit: 0 })
        }
        'l' | 'I' if token.chars().all(|c| c.is_ascii_digit() || matches!(c, 'l' | 'I')) => {
            (Character::LetterL { character: text() }, Instead::Digit { digit: 1 })
        }
        '-' | '−' | '–' | '—' if is_whole() => {
            (Character::Minus { character: text() }, Instead::NoSign)
        }
        '+' if is_whole() => (Character::Plus, Instead::NoSign),
        digit if digit.is_numeric() => match other_digit(digit) {
            Some((script, digit)) => {
                // An exponent belongs to the number before it.
                let instead = if is_whole() { Instead::Whole } else { Instead::Digit { digit } };
                (Character::OtherDigit { script, character: text() }, instead)
            }
            None => (Character::OtherNumber { character: text(), code: code() }, Instead::Digits),
        },
        _ => return None,
    })
}

/// Returns whether a token is one number with a fraction: a single mark with digits on both sides.
fn is_decimal(token: &str, mark: char) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    token.split_once(mark).is_some_and(|(whole, fraction)| is_digits(whole) && is_digits(fraction))
}

/// Returns the value of a number with points, commas or underscores between its thousands: 1.024 is 1024.
fn thousands(token: &str) -> Option<u64> {
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

/// Returns the value of a power: 2^8 is 256.
fn power(token: &str) -> Option<u64> {
    let (base, exponent) = token.split_once('^')?;
    base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?)
}

/// Returns the value of a number with a power of ten: 1e3 is 1000, and 2.50e+01 is 25.
fn ten_to(token: &str) -> Option<u64> {
    let (number, exponent) = token.split_once(['e', 'E'])?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let exponent = exponent.trim_start_matches('+').parse::<u32>().ok()?.checked_sub(fraction.len() as u32)?;
    let digits = format!("{whole}{fraction}").parse::<u64>().ok()?;
    10_u64.checked_pow(exponent)?.checked_mul(digits)
}

/// A token, and the lines of its puzzle.
struct Span<'a> {
    line: &'a Line<'a>,
    place: Place,
    token: &'a [u8],
    lines: &'a [Line<'a>],
    /// The text that has these lines.
    text: Option<Marked<'a>>,
}

impl Span<'_> {
    /// Returns the changes to try, the likeliest first.
    fn proposals(&self, token: &str, name: &Character, instead: &Instead) -> Vec<Proposal> {
        let tokens = |value: fn(&str) -> Option<u64>| -> Vec<_> {
            let one = value(token).map(|value| self.one(&value.to_string()));
            one.into_iter().chain(self.rewritten(value)).collect()
        };
        match name {
            Character::Minus { .. } if matches!(instead, Instead::Zero) => {
                tokens(|token| (token == "-1").then_some(0))
            }
            Character::ThousandsMark { .. } => tokens(thousands),
            Character::Power => tokens(power),
            Character::Exponent { .. } => tokens(ten_to),
            Character::Nul => self.others(" ", |character| character == '\0'),
            Character::Slash => vec![self.all("/", " ")],
            Character::Dash { .. } => vec![self.one("-")],
            Character::CtrlZ => vec![self.all("\u{1a}", "")],
            Character::Semicolon => {
                let mut proposals = self.others(" ", is_separator);
                // Semicolons between rows have several numbers between them.
                let is_row = |row: &[u8]| row.trim_ascii().contains(&b' ');
                if self.line.text.split(|&byte| byte == b';').all(is_row) {
                    proposals.insert(0, self.all(";", "\n"));
                }
                proposals
            }
            Character::Comment { character } => {
                let at = token.find(character.as_str()).unwrap_or(0) as u64;
                let place = Place { column: self.place.column + at, ..self.place };
                let end = self.line.column + self.line.text.len() as u64;
                let only = Proposal::Replace { place, bytes: end - place.column, with: String::new() };
                let has = |line: &&Line<'_>| {
                    line.text.contains(&b'#') || line.text.windows(2).any(|two| two == b"//")
                };
                let lines = self.lines.iter().filter(has).map(|line| line.number);
                let changes = lines.map(|line| Proposal::RemoveComments { from_line: line, to_line: line });
                // The mark of another language.
                let cut = |line: &Line<'_>| {
                    let begins = |rest: &[u8]| {
                        rest.starts_with(character.as_bytes()) && rest.iter().any(u8::is_ascii_alphabetic)
                    };
                    let at = (1..line.text.len()).find(|&at| begins(&line.text[at..]))?;
                    let place = Place { line: line.number, column: line.column + at as u64 };
                    let bytes = (line.text.trim_ascii_end().len() - at) as u64;
                    Some(Proposal::Replace { place, bytes, with: String::new() })
                };
                let cuts = self.lines.iter().filter_map(cut).collect();
                vec![only, Proposal::All { changes: changes.collect() }, Proposal::All { changes: cuts }]
            }
            Character::LetterO { .. } => {
                vec![self.one(&token.replace(LETTERS_O, "0")), self.letters()]
            }
            Character::LetterL { .. } => {
                vec![self.one(&token.replace(['l', 'I'], "1")), self.letters()]
            }
            Character::Plus => vec![self.one(token.trim_start_matches('+')), self.all("+", "")],
            Character::Invisible { .. } => self.others("", is_invisible),
            // Some programs write a thin space between thousands.
            Character::ThinBlank { .. } | Character::NoBreakBlank { .. } => {
                let mut proposals = self.others(" ", is_separator);
                proposals.extend(tokens(|token| thousands(&token.replace(is_other_blank, "."))));
                proposals
            }
            Character::LineSeparator { .. } => {
                self.others("\n", |character| matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}'))
            }
            Character::EmptyMark { character } => vec![self.one("0"), self.all(character, "0")],
            Character::Hyphen => self.others(" ", |character| matches!(character, '-' | '–')),
            Character::Underscore => self.others(" ", |character| character == '_'),
            Character::DecimalComma | Character::DecimalPoint => {
                let mark = if matches!(name, Character::DecimalComma) { ',' } else { '.' };
                let (whole, fraction) = token.split_once(mark).unwrap_or((token, ""));
                let is_zero = fraction.bytes().all(|byte| byte == b'0');
                let mut proposals = if is_zero { vec![self.one(whole)] } else { Vec::new() };
                proposals.extend(self.rewritten(without_fraction).filter(|_| is_zero));
                // Two numbers with a comma or a point between them look the same.
                proposals.extend(match mark {
                    ',' => self.others(" ", is_separator),
                    _ => vec![self.all(".", " ")],
                });
                proposals
            }
            Character::OtherDigit { character, .. } if !token.contains(|c: char| c.is_ascii_digit()) => {
                let plain = |text: &str| {
                    let digit =
                        |character| other_digit(character).and_then(|(_, value)| char::from_digit(value, 10));
                    text.chars().map(|character| digit(character).unwrap_or(character)).collect::<String>()
                };
                vec![self.one(&plain(token)), self.whole(&plain), self.all(character, &plain(character))]
            }
            Character::Minus { .. }
            | Character::OtherDigit { .. }
            | Character::OtherNumber { .. }
            | Character::OtherEncoding { .. }
            | Character::Ligature { .. } => Vec::new(),
            _ => self.others(" ", is_separator),
        }
    }

    /// Proposes another token in this place.
    fn one(&self, with: &str) -> Proposal {
        Proposal::Replace { place: self.place, bytes: self.token.len() as u64, with: with.to_owned() }
    }

    /// Proposes other tokens wherever they stand in the puzzle.
    fn rewritten(&self, value: fn(&str) -> Option<u64>) -> Option<Proposal> {
        let change = |line: &[u8]| {
            let line = String::from_utf8_lossy(line);
            let pieces = line.split_inclusive(char::is_whitespace).map(|piece| {
                let token = piece.trim_end();
                value(token).map_or(piece.to_owned(), |value| piece.replacen(token, &value.to_string(), 1))
            });
            pieces.collect::<String>()
        };
        let is_changed = |line: &&Line<'_>| change(line.text) != String::from_utf8_lossy(line.text);
        let changed: Vec<_> = self.lines.iter().filter(is_changed).map(|line| line.number).collect();
        let (from_line, to_line) = (*changed.first()?, *changed.last()?);
        let lines = (from_line..=to_line).map(|number| Some(change(self.text?.line(number)?.text)));
        Some(Proposal::ReplaceLines { from_line, to_line, lines: lines.collect::<Option<_>>()? })
    }

    /// Proposes digits for all letters that look like 0 and 1.
    fn letters(&self) -> Proposal {
        let change = |line: &str| line.replace(LETTERS_O, "0").replace(['l', 'I'], "1");
        let written = |line: &Line<'_>| {
            let text = String::from_utf8_lossy(line.text.trim_ascii()).into_owned();
            let changed = change(&text);
            let replaced = || Proposal::ReplaceLines {
                from_line: line.number,
                to_line: line.number,
                lines: vec![changed.clone()],
            };
            (changed != text).then(replaced)
        };
        Proposal::All { changes: self.lines.iter().filter_map(written).collect() }
    }

    /// Proposes a changed line.
    fn whole(&self, change: &dyn Fn(&str) -> String) -> Proposal {
        let text = self.line.text.trim_ascii();
        let with = change(&String::from_utf8_lossy(text));
        Proposal::Replace { place: self.line.place(), bytes: text.len() as u64, with }
    }

    /// Proposes to replace characters in all lines of the puzzle.
    fn all(&self, characters: &str, with: &str) -> Proposal {
        let has = |line: &&Line<'_>| String::from_utf8_lossy(line.text).contains(|c| characters.contains(c));
        let mut lines = self.lines.iter().filter(has).map(|line| line.number);
        let from_line = lines.next().unwrap_or(self.line.number);
        let to_line = lines.next_back().unwrap_or(from_line);
        Proposal::ReplaceAll { from_line, to_line, characters: characters.to_owned(), with: with.to_owned() }
    }

    /// Proposes to replace all characters of one kind in the puzzle.
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

/// Returns whether people write this character between or around numbers instead of a blank.
fn is_separator(character: char) -> bool {
    const MARKS: &str = ",;:|()[]{}<>\"'`´‘’“”";
    MARKS.contains(character) || is_other_blank(character)
}

/// Returns whether a character is a blank that is no space.
fn is_other_blank(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{2000}'..='\u{200a}')
}

fn is_invisible(character: char) -> bool {
    character.is_control() && !character.is_whitespace()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}
