//! The header of a board, `N M`.

use std::fmt;

use super::fault::{Behind, Fault};
use crate::input::{Next, Scanner, Token};
use crate::solver::Problem;
use crate::solver::checkers_capture::options::{AREA_MAX, SIDE_MAX, SIDE_MIN};

/// Rows and columns.
#[derive(Clone, Copy)]
pub struct Size {
    pub rows: u64,
    pub columns: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.rows, self.columns)
    }
}

/// Reads `N M`, under the `published` limits or any; `None` for the end marker.
///
/// # Errors
/// What is wrong with it.
pub fn read_header(input: &mut Scanner<'_>, published: bool) -> Result<Option<Size>, Fault> {
    let first = input.next_token()?;
    let range = if published { "3 to 20" } else { "at least 1" };
    let Token::Number(rows) = first.token else {
        let expected = format!("the number of rows ({range}) or the end marker 0 0");
        return Err(Problem::token(&first, "header", expected, false).into());
    };
    // A number alone on its line, and a header behind it: the number is not that header's.
    if input.advance()? == Next::NewLine {
        let [shape] = input.preview::<1>()?;
        let numbers = shape.exactly::<2>().filter(|numbers| numbers[1] >= SIDE_MIN);
        if let Some([first, second]) = numbers {
            let (found, expected) =
                (format!("the line '{first} {second}'"), format!("the number of columns ({range}) alone"));
            let problem = Problem::old(input.place(), "header", found, expected, false);
            return Err(Fault::Invalid(problem, Behind::Line));
        }
    }
    let second = input.next_token()?;
    let Token::Number(columns) = second.token else {
        let expected = format!("the number of columns ({range})");
        return Err(Problem::token(&second, "header", expected, false).into());
    };
    if (rows, columns) == (0, 0) {
        return Ok(None);
    }
    let recognised = is_header(rows, columns);
    let sides = if published { SIDE_MIN..=SIDE_MAX } else { 1..=u64::MAX };
    for (lexeme, side, name) in [(&first, rows, "rows"), (&second, columns, "columns")] {
        if !sides.contains(&side) {
            let expected = format!("{range} {name}");
            return Err(Problem::token(lexeme, name, expected, recognised).into());
        }
    }
    if published && rows * columns > AREA_MAX {
        let found = format!("{rows} x {columns} = {} squares", rows * columns);
        let problem = Problem::old(first.place, "area", found, format!("at most {AREA_MAX}"), recognised);
        return Err(problem.into());
    }
    Ok(Some(Size { rows, columns }))
}

/// Square values are never that large.
pub fn is_header(rows: u64, columns: u64) -> bool {
    rows >= SIDE_MIN || columns >= SIDE_MIN
}
