//! Moves in foreign notations: arrows and their keys, words, the first letters of English words, the keys W, A, S, D, or
//! marks between moves.

use std::iter;

use crate::board::sliding::Direction;
use crate::input::digits_value;

/// The longest line of moves that is translated or written out, in bytes.
const TRANSLATED_BYTES_MAX: usize = 4096;

/// The largest count before a move, as in `5D 2C`, that is written out.
const TIMES_MAX: u64 = 100;

/// The codes that a terminal sends for the arrow keys, and how it shows them.
const KEYS: [(&str, &str); 4] = [("[C", "→"), ("[D", "←"), ("[A", "↑"), ("[B", "↓")];
const KEY_BEGINS: [&str; 2] = ["\u{1b}", "^["];

/// The shortest abbreviation of a word, in bytes.
const SHORT_BYTES_MIN: usize = 3;

/// For each direction its arrows, its key, and its words in both languages, in lower case. An English word begins with
/// the English initial.
const SIGNS: [(Direction, &str, char, &[&str]); 4] = [
    (Direction::Right, "→➡⇒▶►", 'D', &["right", "direita"]),
    (Direction::Left, "←⬅⇐◀◄", 'A', &["left", "esquerda"]),
    (Direction::Up, "↑⬆⇑▲", 'W', &["up", "cima", "acima"]),
    (Direction::Down, "↓⬇⇓▼", 'S', &["down", "baixo", "abaixo"]),
];

/// Returns the beginning and the length, in bytes, of the text that a message quotes for the byte at `at` of a line of
/// moves, which is not a move. A word is quoted whole, and so is a character of several bytes.
pub fn found_at(line: &[u8], at: usize) -> (usize, usize) {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    if line[at] == b'\x1b' {
        return (at, line.len().min(at + 3) - at);
    }
    let begin = at - line[..at].iter().rev().take_while(|byte| is_letter(byte)).count();
    let length = line[begin..].iter().take_while(|byte| is_letter(byte)).count();
    let letters = &line[begin..begin + length];
    let is_letter = |letter: char| {
        let upper = letter.to_ascii_uppercase();
        Direction::from_letter(letter).or_else(|| english(upper)).or_else(|| key(upper)).is_some()
    };
    let others = letters.iter().filter(|&&byte| !is_letter(char::from(byte))).count();
    // A single wrong letter among moves is not a word.
    if others > 1 && others >= length / 2
        || std::str::from_utf8(letters).is_ok_and(|word| word_of(word).is_some())
    {
        return (begin, length);
    }
    (at, 1 + line[at + 1..].iter().take_while(|&&byte| byte & 0xc0 == 0x80).count().min(3))
}

/// Returns the direction that a word, an arrow or a letter means, if that is certain.
pub fn meaning(text: &str) -> Option<Direction> {
    let mut characters = text.chars();
    match (characters.next()?, characters.next()) {
        (one, None) => arrow(one).or_else(|| english(one)),
        _ => word_of(text),
    }
}

/// Translates a line of moves into the letters of this program, if the whole line is in one other notation. `D` is
/// right here (direita) and among the keys, but down in English. A line with an `R`, and an `L` or a `U`, is English.
pub fn translated(line: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(line).ok().filter(|text| text.len() <= TRANSLATED_BYTES_MAX)?;
    let text = &with_arrows(text);
    // These letters of other alphabets look like E, C and B.
    let text = &text.replace(['Е', 'Ε', 'е'], "E").replace(['С', 'с'], "C").replace(['В', 'Β'], "B");
    let upper = text.to_ascii_uppercase();
    let has = |letter| upper.contains(letter);
    let is_english = !has('D') || has('R') && (has('L') || has('U'));
    let letters = |direction: fn(char) -> Option<Direction>| {
        let moves = upper.chars().filter(|&character| !is_between(character));
        moves.map(|character| direction(character).map(Direction::letter)).collect::<Option<String>>()
    };
    // A small e among capitals and commas is rather the word "and".
    let is_and = text.contains(',') && text.split(is_between).any(|word| word == "e");
    let own = letters(Direction::from_letter).filter(|_| !is_and);
    let found = in_words(text).or_else(|| letters(arrow)).or(own);
    let english_or_down = |letter| if letter == 'D' { Some(Direction::Down) } else { english(letter) };
    let found = found.or_else(|| letters(english_or_down).filter(|_| is_english));
    found.or_else(|| letters(key).filter(|_| has('W'))).filter(|moves| !moves.is_empty())
}

/// Returns the text with arrows instead of the codes of the arrow keys.
fn with_arrows(text: &str) -> String {
    let codes =
        KEY_BEGINS.into_iter().flat_map(|begin| KEYS.map(|(end, arrow)| (begin.to_owned() + end, arrow)));
    codes.fold(text.to_owned(), |text, (code, arrow)| text.replace(&code, arrow))
}

/// Writes out the moves of a short line in which a count precedes each letter: `DDC` for `2D 1C`; or follows some letters
/// after a mark: `DDC` for `Dx2 C`, `DEDE` for `(DE)*2`.
pub fn written_out(line: &str) -> Option<String> {
    if line.len() > TRANSLATED_BYTES_MAX {
        return None;
    }
    let is_times = |character| matches!(character, 'x' | 'X' | '*' | '×');
    if line.contains(is_times) {
        let words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).map(|word| {
            let (moves, times) = word.split_once(is_times).unwrap_or((word, "1"));
            let (moves, times) = if times.parse::<u64>().is_ok() { (moves, times) } else { (times, moves) };
            let times = times.parse::<u64>().ok().filter(|&times| times <= TIMES_MAX)?;
            let group = moves.strip_prefix('(').and_then(|moves| moves.strip_suffix(')'));
            let is_repeated = times == 1 || moves.len() == 1 || group.is_some();
            let moves = group.unwrap_or(moves);
            let moves = moves.chars().map(|letter| Direction::from_letter(letter).map(Direction::letter));
            let moves = moves.collect::<Option<String>>().filter(|_| is_repeated)?;
            Some(moves.repeat(times as usize))
        });
        return words.collect();
    }
    let (mut moves, mut times) = (String::new(), None);
    for character in line.chars().filter(|character| !character.is_whitespace()) {
        if character.is_ascii_digit() {
            times = Some(digits_value(times.unwrap_or(0), &[character as u8])?);
        } else {
            let direction = Direction::from_letter(character)?;
            let times = times.take().filter(|&times| times <= TIMES_MAX)?;
            moves.extend(iter::repeat_n(direction.letter(), times as usize));
        }
    }
    times.is_none().then_some(moves)
}

/// Returns the letters of moves in words.
pub fn in_words(text: &str) -> Option<String> {
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(|word| word_of(word).map(Direction::letter)).collect()
}

/// Returns whether a character can stand between two moves.
fn is_between(character: char) -> bool {
    !character.is_alphanumeric() && arrow(character).is_none()
}

/// Returns the direction that a word means. Its first three letters suffice.
fn word_of(text: &str) -> Option<Direction> {
    let is_meant = |word: &&str| {
        word.eq_ignore_ascii_case(text)
            || text.len() >= SHORT_BYTES_MIN
                && word.get(..text.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(text))
    };
    SIGNS.iter().find(|(.., words)| words.iter().any(is_meant)).map(|(direction, ..)| *direction)
}

fn arrow(character: char) -> Option<Direction> {
    SIGNS.iter().find(|(_, arrows, ..)| arrows.contains(character)).map(|(direction, ..)| *direction)
}

/// Returns the direction of an English initial that this program does not use itself.
fn english(letter: char) -> Option<Direction> {
    let is_begun = |words: &[&str]| words[0].starts_with(letter.to_ascii_lowercase());
    let sign = SIGNS.iter().find(|(.., words)| is_begun(words)).map(|(direction, ..)| *direction);
    sign.filter(|direction| *direction != Direction::Down)
}

fn key(letter: char) -> Option<Direction> {
    SIGNS.iter().find(|(_, _, key, _)| *key == letter).map(|(direction, ..)| *direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_anew_where_all_of_it_is_sure() {
        for (line, moves) in [
            ("RLUD", Some("DECB")),
            ("r, l, u, d", Some("DECB")),
            ("LULU", Some("ECEC")),
            ("LUD", None),
            ("DDRD", None),
            ("WASD", Some("CEBD")),
            ("ASA", None),
            ("→←↑↓", Some("DECB")),
            ("⬆\u{fe0f} ⬇\u{fe0f}", Some("CB")),
            ("left Right UP down", Some("EDCB")),
            ("direita -> esquerda -> cima -> baixo", Some("DECB")),
            ("(D,E,C,B)", Some("DECB")),
            ("Dir Esq, cima", Some("DEC")),
            ("DEXB", None),
            ("0123", None),
            ("\u{1b}[C\u{1b}[D^[[A^[[B", Some("DECB")),
            ("...", None),
            ("", None),
        ] {
            assert_eq!(translated(line.as_bytes()).as_deref(), moves, "{line}");
        }
        assert_eq!(translated(&b"L".repeat(TRANSLATED_BYTES_MAX + 1)), None);
    }

    #[test]
    fn counted_moves_are_written_out() {
        for (line, moves) in [
            ("5D 1e 2C", Some("DDDDDECC")),
            ("12D", Some("DDDDDDDDDDDD")),
            ("5D C", None),
            ("101D", None),
            ("D2", None),
            ("C Dx2 c 3*E", Some("CDDCEEE")),
            ("Dx", None),
            ("DEx2", None),
            ("x2", None),
        ] {
            assert_eq!(written_out(line).as_deref(), moves, "{line}");
        }
        assert_eq!(written_out(&"9D".repeat(TRANSLATED_BYTES_MAX)), None);
    }

    #[test]
    fn a_word_is_found_whole() {
        assert_eq!(found_at(b"DE DIREITA", 4), (3, 7));
        assert_eq!(found_at(b"DEXB", 2), (2, 1));
        assert_eq!(found_at("D→".as_bytes(), 1), (1, 3));
    }
}
