//! The line of the file at which a message points: a piece of it that can be printed.

use crate::input::{Marked, Place, is_blank, printable};
use crate::solver::Excerpt;

/// Bytes of the line before what is meant, and from there on.
const BEFORE_MAX: usize = 60;
const BEHIND_MAX: usize = 40;

/// The piece of the line around a place, its token marked.
pub fn of(place: Place, marked: &Marked<'_>) -> Option<Excerpt> {
    let line = marked.line(place.line)?;
    let at =
        usize::try_from(place.column.checked_sub(line.column)?).ok().filter(|&at| at <= line.text.len())?;
    let token = line.text[at..].iter().take_while(|&&byte| !is_blank(byte)).count();
    Some(cut(line.text, at, token))
}

/// The piece of a line around the `length` bytes that begin at `at`.
pub fn cut(line: &[u8], at: usize, length: usize) -> Excerpt {
    let from = at.saturating_sub(BEFORE_MAX);
    // A character is not cut.
    let is_inside = |index: &usize| line.get(*index).is_some_and(|byte| byte & 0xc0 == 0x80);
    let from = (from..at).find(|index| !is_inside(index)).unwrap_or(at);
    let before =
        if from > 0 { "…" } else { "" }.to_owned() + &printable(&with_blanks(&line[from..at]), usize::MAX);
    let meant = printable(&with_blanks(&line[at..at + length]), BEHIND_MAX);
    let room = BEHIND_MAX.saturating_sub(meant.len());
    let behind = if room > 0 { printable(&with_blanks(&line[at + length..]), room) } else { String::new() };
    let marked = before.len()..before.len() + meant.len();
    Excerpt { text: before + &meant + &behind, marked }
}

/// A tab takes one column, as columns are counted.
fn with_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if is_blank(byte) { b' ' } else { byte }).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_piece_is_printable_bounded_and_marked() {
        let excerpt = cut(b"1 2\t3,4 5", 4, 3);
        assert_eq!((&*excerpt.text, &excerpt.text[excerpt.marked.clone()]), ("1 2 3,4 5", "3,4"));
        let long = format!("{}x\u{1b}[2J{}", "é ".repeat(1000), " 7".repeat(1000));
        let excerpt = cut(long.as_bytes(), 3000, 5);
        assert_eq!(&excerpt.text[excerpt.marked.clone()], "x\\u{1b}[2J");
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with('…'), "{excerpt:?}");
        assert!(excerpt.text.len() < 150, "{excerpt:?}");
    }

    #[test]
    fn the_end_of_a_line_can_be_meant() {
        let excerpt = cut(b"1 2", 3, 0);
        assert_eq!((&*excerpt.text, excerpt.marked), ("1 2", 3..3));
    }
}
