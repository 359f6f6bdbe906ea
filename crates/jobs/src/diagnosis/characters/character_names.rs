//! The names of characters that numbers do not have, and what to write instead.

use super::character_changes::{
    is_invisible, is_other_blank, other_base, power, scientific, thousands, times,
};
use tabuleiro_puzzles::input::{QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::words::messages;

/// Marks that begin comments here or in other languages.
const COMMENT_MARKS: [&str; 9] = ["#", "//", "%", ";", "--", "/*", "<-", "->", "=>"];
/// Other scripts' digits: the digit that means 0, and the name of the script.
const OTHER_DIGITS: [(char, &str); 5] =
    [('０', "full-width"), ('٠', "arabic"), ('۰', "persian"), ('⁰', SUPERSCRIPT), ('₀', "subscript")];
const SUPERSCRIPT: &str = "superscript";
/// The letter O, as Latin, Cyrillic and Greek write it.
pub const LETTERS_O: [char; 6] = ['O', 'o', 'О', 'о', 'Ο', 'ο'];

messages! {
    "character"
    /// The name of a character.
    pub enum Character {
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
        ByteOrderMark = "byte-order-mark",
        /// The character with code 0.
        Nul = "nul",
        /// e or E between a number and a power of ten.
        Exponent = "exponent" { character: String },
        /// A number in hexadecimal or binary digits.
        OtherBase = "other-base" { base: &'static str },
        /// A backslash and a t, as programs write a tab.
        EscapedTab = "escaped-tab",
        /// `*` between a count and a number.
        Times = "times" { numbers: String },
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
        Hyphen = "hyphen" { kind: &'static str },
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
        /// Letters for 0 and for 1 in one puzzle.
        Letters = "letters",
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
    pub enum Instead {
        /// Numbers with blanks between them.
        Blanks = "blanks",
        /// A digit.
        Digit = "digit" { digit: u32 },
        /// The digits 0 and 1.
        ZeroAndOne = "zero-and-one",
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
        /// An ordinary line break.
        Break = "break",
        /// A new line.
        NewLine = "new-line",
        /// Another encoding of the file.
        Utf8 = "utf8",
    }
}

/// Returns the comment mark with which the rest of a line begins. Marks of other languages count only before words, and
/// an arrow before an answer as well.
pub fn comment(rest: &str) -> Option<(Character, Instead)> {
    let mark = COMMENT_MARKS.into_iter().find(|mark| rest.starts_with(mark))?;
    // `%d` stands for a number that a program failed to print.
    let is_one = matches!(mark, "#" | "//" | "->" | "=>")
        || rest.contains(char::is_alphabetic) && !rest.starts_with("%d");
    is_one.then(|| (Character::Comment { character: mark.to_owned() }, Instead::CommentLine))
}

/// Returns the script and the value of a digit other than 0 to 9.
pub fn other_digit(character: char) -> Option<(&'static str, u32)> {
    if let Some(at) = ['¹', '²', '³'].into_iter().position(|digit| digit == character) {
        return Some((SUPERSCRIPT, at as u32 + 1));
    }
    let value = |zero: char| u32::from(character).checked_sub(u32::from(zero)).filter(|&value| value < 10);
    OTHER_DIGITS.into_iter().find_map(|(zero, script)| Some((script, value(zero)?)))
}

/// Returns the name of a character and what to write instead.
pub fn named(bytes: &[u8], token: &str, at: usize, character: char) -> Option<(Character, Instead)> {
    let has_digits = || token.contains(|other: char| other.is_ascii_digit());
    let text = || character.to_string();
    let code = || format!("U+{:04X}", u32::from(character));
    let bracket = |kind| (Character::Bracket { kind, character: text() }, Instead::Blanks);
    let is_between = || {
        let mut others = token.chars().filter(|other| *other != character);
        !token.starts_with(character) && others.all(|other| other.is_ascii_digit())
    };
    Some(match character {
        '.' | '_' | '-' | '*' | '□' | '⬜' | '·' | '–' | '—' | '−' | '~' if token.chars().count() == 1 => {
            (Character::EmptyMark { character: text() }, Instead::Zero)
        }
        '_' if has_digits() && is_between() => match thousands(token) {
            Some(value) => (Character::ThousandsMark { character: text() }, Instead::Value { value }),
            None => (Character::Underscore, Instead::Blanks),
        },
        '-' | '–' | '·' if has_digits() && is_between() => (hyphen(character), Instead::Blanks),
        '/' if has_digits() && is_between() => (Character::Slash, Instead::Blanks),
        '\0' if token.ends_with('\0') && has_digits() => (Character::Nul, Instead::Nothing),
        '\0' => (Character::Nul, Instead::Blanks),
        'e' | 'E' | '.' | ',' if scientific(token).is_some() => {
            (Character::Exponent { character: "e".to_owned() }, Instead::Value { value: scientific(token)? })
        }
        '.' if token.matches('.').count() > 1 && thousands(token).is_none() && is_between() => {
            (Character::DecimalPoint, Instead::Blanks)
        }
        '.' if token.ends_with('.') && has_digits() && token.len() == at + 1 => {
            (Character::DecimalPoint, Instead::Whole)
        }
        'x' | 'X' | 'b' | 'B' if other_base(token).is_some() => {
            let base = if matches!(character, 'x' | 'X') { "hexadecimal" } else { "binary" };
            (Character::OtherBase { base }, Instead::Value { value: other_base(token)? })
        }
        '*' if times(token).is_some() => {
            let numbers = printable(times(token)?.as_bytes(), QUOTE_BYTES_MAX);
            (Character::Times { numbers }, Instead::Blanks)
        }
        '\\' if token[at..].starts_with("\\t") => (Character::EscapedTab, Instead::Blanks),
        '^' => (Character::Power, Instead::Value { value: power(token)? }),
        '`' => (Character::Backtick, Instead::Blanks),
        '\u{fffd}' if bytes.get(at) == Some(&0xa0) => {
            (Character::NoBreakBlank { code: "0xA0".to_owned() }, Instead::Blanks)
        }
        '\u{fffd}' => {
            let code = bytes.get(at).map(|byte| format!("0x{byte:02X}")).unwrap_or_default();
            (Character::OtherEncoding { code }, Instead::Utf8)
        }
        '\u{85}' | '\u{2028}' | '\u{2029}' => (Character::LineSeparator { code: code() }, Instead::Break),
        '\u{fb00}'..='\u{fb06}' => (Character::Ligature { character: text() }, Instead::Whole),
        ',' | '.' if is_decimal(token, character) => match thousands(token) {
            // A comma more likely separates two numbers.
            Some(value) if character == '.' || value.is_power_of_two() => {
                (Character::ThousandsMark { character: text() }, Instead::Value { value })
            }
            _ if character == ',' => (Character::DecimalComma, Instead::Whole),
            _ => (Character::DecimalPoint, Instead::Whole),
        },
        ',' => (Character::Comma, Instead::Blanks),
        ';' => (Character::Semicolon, Instead::Blanks),
        ':' if token.len() == at + 1 && has_digits() => (Character::Colon, Instead::Nothing),
        ':' => (Character::Colon, Instead::Blanks),
        '|' => (Character::Bar, Instead::Blanks),
        // Words in brackets, as in `{n}`, are no numbers.
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' if token.contains(char::is_alphabetic) => return None,
        '(' | ')' => bracket("round"),
        '[' | ']' => bracket("square"),
        '{' | '}' => bracket("curly"),
        '<' | '>' => bracket("angle"),
        '"' | '\'' | '´' | '‘' | '’' | '“' | '”' => {
            (Character::Quote { character: text() }, Instead::Blanks)
        }
        '\u{a0}' | '\u{202f}' => (Character::NoBreakBlank { code: code() }, between_thousands(token)),
        '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{3000}' => {
            (Character::ThinBlank { code: code() }, between_thousands(token))
        }
        '\u{1a}' => (Character::CtrlZ, Instead::Nothing),
        '\u{feff}' => (Character::ByteOrderMark, Instead::Nothing),
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
        '-' | '−' | '–' | '—' if has_digits() => {
            (Character::Minus { character: text() }, Instead::NoSign)
        }
        '+' if has_digits() => (Character::Plus, Instead::NoSign),
        digit if digit.is_numeric() => match other_digit(digit) {
            Some((script, digit)) => {
                // An exponent belongs to the number before it.
                let is_exponent = has_digits() && script == SUPERSCRIPT;
                let instead = if is_exponent { Instead::Whole } else { Instead::Digit { digit } };
                (Character::OtherDigit { script, character: text() }, instead)
            }
            None => (Character::OtherNumber { character: text(), code: code() }, Instead::Digits),
        },
        _ => return None,
    })
}

fn hyphen(character: char) -> Character {
    let kind = match character {
        '–' => "dash",
        '·' => "dot",
        _ => "hyphen",
    };
    Character::Hyphen { kind }
}

/// Returns what to write instead of a blank that is no space: the whole number if that is a tile, else spaces.
fn between_thousands(token: &str) -> Instead {
    let value = thousands(&token.replace(is_other_blank, ".")).filter(|value| value.is_power_of_two());
    value.map_or(Instead::Blanks, |value| Instead::Value { value })
}

/// Returns whether a token is one number with a fraction: a single mark with digits on both sides.
fn is_decimal(token: &str, mark: char) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    token.split_once(mark).is_some_and(|(whole, fraction)| is_digits(whole) && is_digits(fraction))
}
