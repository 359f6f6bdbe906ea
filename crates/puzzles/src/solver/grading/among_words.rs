//! Finds answers among words: the part of a line that is an answer if `words = "skip"` is set.

use std::ops::Range;

use crate::input::{Line, is_blank};

/// Finds the part of a line that belongs to an answer; returns `None` if there is none. The time is linear in the
/// length of the line.
pub type FindPart = fn(&[u8]) -> Option<Range<usize>>;

/// A label that contains one of these precedes a message, not an answer: `KeyError: 3`.
const MESSAGE_WORDS: [&[u8]; 6] = [b"erro", b"excep", "exceç".as_bytes(), b"panic", b"warning", b"aviso"];

/// Returns where the answer in a line would begin: after the label, as in `Caso 1:`, `Resposta =` or `Caso 1 ->`, and
/// after the number of the answer, as in `1)`. Returns `None` if the label shows that no answer follows.
pub fn behind_label(text: &[u8]) -> Option<usize> {
    let mut begin = 0;
    if let Some(mark) = text.iter().enumerate().rposition(|(at, _)| is_mark(text, at))
        && let Some(blanks) = text[mark + 1..].iter().position(|&byte| !is_blank(byte))
    {
        let label = &text[..mark];
        if announces_message(label) || blanks == 0 && is_source(label) {
            return None;
        }
        begin = mark + 1 + blanks;
    }
    let number = tokens(&text[begin..]).next().unwrap_or_default();
    let behind = tokens(&text[begin..][number.end..]).next();
    Some(match behind.filter(|_| is_ordinal(&text[begin..][number.clone()])) {
        Some(behind) => begin + number.end + behind.start,
        None => begin,
    })
}

/// Returns the number with which an answer begins, and the text after it up to the last token for which `belongs`
/// returns true. Later words are left out, as in `7 peças`, and so is punctuation, as in `7,`.
pub fn number_part(text: &[u8], belongs: fn(&[u8]) -> bool) -> Option<Range<usize>> {
    let begin = behind_label(text)?;
    let mut tokens = tokens(&text[begin..]);
    let number = tokens.next().filter(|token| is_number(&text[begin..][token.clone()]))?;
    let last = tokens.filter(|token| belongs(&text[begin..][token.clone()])).last();
    let end = begin + last.unwrap_or(number).end;
    Some(begin..begin + without_mark(&text[begin..end]))
}

/// Returns the text of a line after its label, without punctuation at its end, if it begins with one of `words`, in any
/// case: `no solution.`
pub fn words_part(text: &[u8], words: &[&str]) -> Option<Range<usize>> {
    let begin = behind_label(text)?;
    let end = without_mark(&text[begin..]);
    let is_begun = |word: &&str| begins_with(&text[begin..], word.as_bytes());
    words.iter().any(is_begun).then_some(begin..begin + end)
}

/// Returns whether a text begins with a word, in any case.
pub fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// Returns whether a token has a digit, as numbers and squares do.
pub fn has_digit(token: &[u8]) -> bool {
    token.iter().any(u8::is_ascii_digit)
}

/// Returns the length of a text without the punctuation at its end.
pub fn without_mark(text: &[u8]) -> usize {
    text.len() - text.iter().rev().take_while(|byte| matches!(byte, b'.' | b',' | b';' | b'!')).count()
}

/// Returns the tokens of a text, as ranges of bytes.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let line = Line { number: 0, column: 0, text };
    line.tokens().map(|(place, token)| {
        let begin = usize::try_from(place.column).unwrap_or(usize::MAX);
        begin..begin + token.len()
    })
}

/// Returns whether a label ends at this byte.
fn is_mark(text: &[u8], at: usize) -> bool {
    match text[at] {
        b':' | b'=' => true,
        b'>' => at > 0 && matches!(text[at - 1], b'-' | b'='),
        _ => false,
    }
}

fn announces_message(label: &[u8]) -> bool {
    let has = |word: &&[u8]| label.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    MESSAGE_WORDS.iter().any(has)
}

/// Returns whether a label ends with a place in a program: `main.c:12` or `at Main.main(Main.java:10)`.
fn is_source(label: &[u8]) -> bool {
    let begin = label.iter().rposition(|&byte| is_blank(byte)).map_or(0, |blank| blank + 1);
    let word = &label[begin..];
    let has_dot = word.windows(2).any(|pair| pair[0] == b'.' && pair[1].is_ascii_alphabetic());
    has_dot || word.iter().any(|byte| matches!(byte, b'/' | b'\\'))
}

/// Returns whether a token numbers an answer: `1)`, `1.`, `(1)`, `[1]`, `#1`.
fn is_ordinal(token: &[u8]) -> bool {
    let is_opening = |byte: &u8| matches!(byte, b'(' | b'[' | b'#');
    let is_closing = |byte: &u8| matches!(byte, b')' | b']' | b'.');
    let opening = token.iter().take_while(|&byte| is_opening(byte)).count();
    let closing = token[opening..].iter().rev().take_while(|&byte| is_closing(byte)).count();
    let digits = &token[opening..token.len() - closing];
    opening + closing > 0 && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Returns whether a token was meant as a number, even if it is not a valid one: `7`, `-1`, `7.0`, `7,`.
pub fn is_number(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").or(token.strip_prefix(b"+")).unwrap_or(token);
    digits.first().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b',' | b';' | b'!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<&str> {
        number_part(text.as_bytes(), has_digit).map(|part| &text[part])
    }

    #[test]
    fn a_number_counts_where_a_line_or_what_follows_its_label_begins_with_it() {
        for (text, part) in [
            ("7", "7"),
            ("7,", "7"),
            ("7.", "7"),
            ("1) 7", "7"),
            ("1. 7;", "7"),
            ("(12) 7", "7"),
            ("[1] 7 peças", "7"),
            ("#1 7", "7"),
            ("7 peças", "7"),
            ("7 7,3 5,5.", "7 7,3 5,5"),
            ("7 7,3 5,5 (dama)", "7 7,3 5,5"),
            ("Resposta: 7", "7"),
            ("Resposta=7", "7"),
            ("Caso #1: 7 peças", "7"),
            ("Caso 1:7", "7"),
            ("Caso 1 -> 7", "7"),
            ("x 1 = y: 3 3,4", "3 3,4"),
            ("Resp.: 1) 7!", "7"),
            // Wrong numbers count as well, so that the answers after them keep their places.
            ("-1", "-1"),
            ("7.0", "7.0"),
            ("1 7", "1 7"),
            ("7,3 5,5", "7,3 5,5"),
        ] {
            assert_eq!(number(text), Some(part), "{text}");
        }
    }

    #[test]
    fn banners_labels_and_messages_of_programs_hold_no_number() {
        for text in [
            "",
            "Caso #1:",
            "1:",
            "1)",
            "1) peças",
            "===== Damas 2024 =====",
            "Lista 3",
            "Turma: 2024/1",
            "Data: 12/03/2024",
            "Foram 3",
            "  File \"x.py\", line 3, in <module>",
            "KeyError: 3",
            "Erro: 7",
            "IndexError: list index out of range",
            "ValueError: invalid literal for int() with base 10: '7'",
            "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: 5",
            "\tat Main.main(Main.java:10)",
            "main.c:12",
            "src/main.rs:5:10",
            "thread 'main' panicked at src/main.rs:5:10:",
            "  what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 5)",
            "Segmentation fault (core dumped)",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn words_count_with_a_label_and_punctuation() {
        let part = |text: &str| {
            words_part(text.as_bytes(), &["no solution", "sem solu"]).map(|part| text[part].to_owned())
        };
        assert_eq!(part("No Solution").as_deref(), Some("No Solution"));
        assert_eq!(part("Caso 2: no solution.").as_deref(), Some("no solution"));
        assert_eq!(part("2) sem solução").as_deref(), Some("sem solução"));
        assert_eq!(part("The solution"), None);
    }
}
