//! The header of a board, `N M`.

use std::fmt;

use super::fault::Fault;
use super::mistake::{Mistake, Oddity, Part};
use crate::input::{Lexeme, Next, Place, Scanner, Token};
use crate::solver::Problem;
use crate::solver::checkers_capture::options::{AREA_MAX, SIDE_MAX, SIDE_MIN};
use crate::words::Phrase;

/// Rows and columns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub rows: u64,
    pub columns: u64,
}

/// As a header has them.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rows, self.columns)
    }
}

impl Size {
    /// Whether a board may have it, under the `published` limits or any.
    pub fn is_allowed(self, published: bool) -> bool {
        let sides = if published { SIDE_MIN..=SIDE_MAX } else { 1..=u64::MAX };
        sides.contains(&self.rows)
            && sides.contains(&self.columns)
            && (!published || self.rows * self.columns <= AREA_MAX)
    }

    /// The most pieces of a player.
    pub fn pieces_max(self, published: bool) -> u64 {
        // Under the published limits the product is 200 at most.
        if published { self.rows * self.columns / 4 } else { u64::MAX }
    }
}

/// A header, and where it stands.
pub struct Header {
    pub size: Size,
    pub place: Place,
}

/// Reads `N M`, under the `published` limits or any; `None` for the end marker.
///
/// # Errors
/// What is wrong with it.
pub fn read_header(input: &mut Scanner<'_>, published: bool) -> Result<Option<Header>, Fault> {
    let first = input.next_token()?;
    let range = || -> Phrase {
        if published { Part::Range { least: SIDE_MIN, most: SIDE_MAX } } else { Part::OpenRange { least: 1 } }
            .into()
    };
    let not_header = |place, found, expected: Part| {
        let what = Mistake::Header { found, expected: expected.into() };
        Fault::from(Problem::new(place, what).recognised_if(false))
    };
    let Token::Number(rows) = first.token else {
        let wanted = Part::WantedHeader { range: range() };
        return Err(not_header(first.place, first.token.quoted(), wanted));
    };
    // A number alone on its line, and a header behind it: the number is not that header's.
    if input.advance()? == Next::NewLine {
        let [shape] = input.preview::<1>()?;
        let numbers = shape.exactly::<2>().filter(|numbers| numbers[1] >= SIDE_MIN);
        if let Some([next, columns]) = numbers {
            let what = Mistake::HeaderAlone { found: rows, header: format!("{next} {columns}") };
            let problem = Problem::new(first.place, what).recognised_if(false);
            return Err(problem.into());
        }
    }
    let second = input.next_token()?;
    let Token::Number(columns) = second.token else {
        let wanted = Part::WantedColumns { range: range() };
        return Err(not_header(second.place, second.token.quoted(), wanted));
    };
    if (rows, columns) == (0, 0) {
        return end_marker(input);
    }
    let size = Size { rows, columns };
    if size.is_allowed(published) {
        return Ok(Some(Header { size, place: first.place }));
    }
    let sides = if published { SIDE_MIN..=SIDE_MAX } else { 1..=u64::MAX };
    let (place, what) = if !sides.contains(&rows) {
        (first.place, Mistake::Rows { found: first.token.quoted(), range: range() })
    } else if !sides.contains(&columns) {
        (second.place, Mistake::Columns { found: second.token.quoted(), range: range() })
    } else {
        (first.place, Mistake::Area { rows, columns, squares: rows * columns, most: AREA_MAX })
    };
    Err(Problem::new(place, what).recognised_if(is_header(rows, columns)).into())
}

/// `0 0` is read: it ends the file where nothing but a comment follows on its line.
fn end_marker(input: &mut Scanner<'_>) -> Result<Option<Header>, Fault> {
    let Some(Lexeme { token, place }) = input.next_on_line()? else { return Ok(None) };
    if matches!(&token, Token::Word(text) if text.starts_with('#') || text.starts_with("//")) {
        input.warn(place, Oddity::MarkerComment);
        while input.next_on_line()?.is_some() {}
        return Ok(None);
    }
    let what = Mistake::MarkerLine { found: token.quoted() };
    Err(Problem::new(place, what).recognised_if(false).into())
}

/// Square values are never that large.
pub fn is_header(rows: u64, columns: u64) -> bool {
    rows >= SIDE_MIN || columns >= SIDE_MIN
}
