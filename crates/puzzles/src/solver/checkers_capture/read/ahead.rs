//! What a line that is not read yet is, by its look.
//!
//! A square is never larger than 2, so a line of two numbers of which one is at least 3 is a header. People write headers
//! wrongly, too: `8x8`, `8, 8`, `8 8 # first`. These are seen as such, lest a board vanish behind a wrong one.

use std::io;

use super::header::is_header;
use crate::input::{Line, Scanner, digits_value};

/// The longest line that may be a header written wrongly.
const ODD_HEADER_LENGTH: usize = 40;

/// What a line looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// The header of a board.
    Header,
    /// `0 0`, perhaps with a comment behind.
    Marker,
    /// It begins with squares, and is neither.
    Squares,
    /// Anything else.
    Other,
}

impl Ahead {
    /// Looks at a line.
    pub fn of(line: &Line<'_>) -> Self {
        let mut tokens = line.tokens().map(|(_, token)| token);
        let (first, second, third) = (tokens.next(), tokens.next(), tokens.next());
        let [first, second] = [first, second].map(|token| token.and_then(number));
        match (first, second, third) {
            (Some(0), Some(0), None) => Self::Marker,
            (Some(0), Some(0), Some(third)) if is_comment(third) => Self::Marker,
            (Some(rows), Some(columns), None) if is_header(rows, columns) => Self::Header,
            // One or two squares: most rows of narrow boards.
            (Some(0..=2), None | Some(0..=2), None) => Self::Squares,
            _ if is_odd_header(line.text) => Self::Header,
            // It was to be an end marker.
            (Some(0), Some(0), Some(third)) if number(third).is_none_or(|third| third > 2) => Self::Other,
            (Some(0..=2), ..) => Self::Squares,
            _ => Self::Other,
        }
    }

    /// Looks at the line that comes, and at the lines behind it where only they tell: whether it goes on with the squares
    /// of a board that has all of them.
    pub fn goes_on(input: &mut Scanner<'_>, published: bool) -> io::Result<bool> {
        let line = input.line_ahead()?;
        if begins_with_no_square(line.text) {
            return Ok(false);
        }
        match Self::of(&line) {
            // Without limits a board may have sides of 1 and 2.
            Self::Squares
                if !published && line.numbers().is_some_and(|[rows, columns]| rows > 0 && columns > 0) =>
            {
                Ok(false)
            }
            Self::Squares if line.numbers() == Some([0]) => {
                // An end marker in two lines, at the end.
                let [_, second, third] = input.preview::<3>()?;
                Ok(second.exactly() != Some([0]) || third.exists())
            }
            Self::Squares => Ok(true),
            // A row that looks like it: another one follows.
            Self::Marker if published => {
                let [_, second] = input.preview::<2>()?;
                let pair = second.exactly::<2>().filter(|pair| *pair != [0, 0]);
                Ok(pair.is_some_and(|[first, second]| !is_header(first, second)))
            }
            _ => Ok(false),
        }
    }

    /// Looks at the line that comes within a board: there `0 0` is the end marker only as the last line.
    pub fn within(input: &mut Scanner<'_>) -> io::Result<Self> {
        match Self::of(&input.line_ahead()?) {
            Self::Marker => {
                let [_, second] = input.preview::<2>()?;
                Ok(if second.exists() { Self::Squares } else { Self::Marker })
            }
            other => Ok(other),
        }
    }
}

/// Whether a text begins with a number that is no square, or with a word that begins like one.
pub fn begins_with_no_square(text: &[u8]) -> bool {
    matches!(text, [b'3'..=b'9', ..] | [b'1' | b'2', b'0'..=b'9', ..])
}

/// Whether a line that is no header was to be one: two numbers, whatever stands between and behind.
fn is_odd_header(text: &[u8]) -> bool {
    let text = &text[..text.len().min(ODD_HEADER_LENGTH + 1)];
    let end = (0..text.len()).find(|&at| is_comment(&text[at..])).unwrap_or(text.len());
    if end > ODD_HEADER_LENGTH {
        return false;
    }
    let digits = text[..end].split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let numbers: Vec<_> = digits.map(number).collect();
    matches!(numbers[..], [Some(rows), Some(columns)] if is_header(rows, columns))
}

fn is_comment(text: &[u8]) -> bool {
    text.starts_with(b"#") || text.starts_with(b"//")
}

fn number(token: &[u8]) -> Option<u64> {
    digits_value(0, token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_their_look() {
        for (text, expected) in [
            ("3 3", Ahead::Header),
            ("2 3", Ahead::Header),
            ("8x8", Ahead::Header),
            ("8,8;", Ahead::Header),
            ("N=8 M=8", Ahead::Header),
            ("8 8 # first", Ahead::Header),
            ("0 0", Ahead::Marker),
            (" 0  0 \r", Ahead::Marker),
            ("0 0 # end", Ahead::Marker),
            ("0 0 //", Ahead::Marker),
            ("0 0 0", Ahead::Squares),
            ("0 0 end", Ahead::Other),
            ("0 0 7", Ahead::Other),
            ("0", Ahead::Squares),
            ("2 1", Ahead::Squares),
            ("1 x 0", Ahead::Squares),
            ("8 8 8", Ahead::Other),
            ("8", Ahead::Other),
            ("x", Ahead::Other),
            ("", Ahead::Other),
        ] {
            let line = Line { number: 1, column: 1, text: text.as_bytes() };
            assert_eq!(Ahead::of(&line), expected, "{text:?}");
        }
    }
}
