//! The form of cases: N, M and N × N values.

use super::merge_options::{ALGORITHM, Algorithm, LIMITS, M_MAX, N_MAX};
use super::merge_puzzle::{BYTES_PER_SQUARE, Case};
use super::mistake::{Mistake, Part as Word};
use super::search::Slides;
use super::tally::Tally;
use crate::input::{Lexeme, Token};
use crate::solver::form::{Ahead, At, Field, Form};
use crate::solver::{Limits, MEMORY_LIMIT, Options, PICTURE, WITNESS, Work};
use crate::words::Phrase;

/// The form of a file's cases, and the options that decide how they are answered.
pub(super) struct CaseForm {
    algorithm: Algorithm,
    slides: Slides,
    fields: [Vec<Field>; 1],
    memory_bytes_max: u64,
}

impl CaseForm {
    pub(super) fn new(options: &Options) -> Self {
        let most = |most| if options.get(LIMITS) == Limits::Published { most } else { u64::MAX };
        Self {
            algorithm: options.get(ALGORITHM),
            slides: match (options.get(WITNESS), options.get(PICTURE)) {
                (true, _) => Slides::Needed,
                (false, true) => Slides::IfLimitsAllow,
                (false, false) => Slides::Unwanted,
            },
            fields: [vec![Field::new(Word::Size, 1, most(N_MAX)), Field::new(Word::Slides, 1, most(M_MAX))]],
            memory_bytes_max: options.get(MEMORY_LIMIT),
        }
    }
}

impl Form for CaseForm {
    /// The class of every square, or `None` above the memory limit, and the tally of the tiles.
    type Board = (Option<Vec<u8>>, Tally);

    const ENDS_WITHIN_LINES: bool = true;
    const IS_SQUARE: bool = true;

    fn fields(&self) -> &[Vec<Field>] {
        &self.fields
    }

    fn board(&self, _: &[u64]) -> Self::Board {
        (Some(Vec::new()), Tally::default())
    }

    #[inline]
    fn take(&self, (squares, tally): &mut Self::Board, _: usize, value: u64) -> bool {
        let class = if value == 0 { 0 } else { tally.add(value) };
        // Memory grows with the number of squares read, not with the size that the header states.
        if let Some(kept) = squares {
            if kept.len() as u64 >= self.memory_bytes_max / BYTES_PER_SQUARE {
                *squares = None;
            } else {
                kept.push(class);
            }
        }
        true
    }

    fn finish(&self, (squares, tally): Self::Board, header: &[u64]) -> Result<Work, (u64, Phrase)> {
        let (algorithm, slides) = (self.algorithm, self.slides);
        Ok(Work::Solve(Box::new(Case {
            size: header[0],
            moves_max: header[1],
            squares,
            tally,
            algorithm,
            slides,
        })))
    }

    fn wrong_value(&self, _: &[u64], At { row, column, .. }: At, lexeme: &Lexeme) -> Phrase {
        let value = match lexeme.token {
            Token::TooLarge(_) => Word::SmallerValue { most: u64::MAX },
            _ => Word::Value,
        };
        let (found, row, column) = (lexeme.token.quoted(), row + 1, column + 1);
        Mistake::SquareValue { found, row, column, value: value.into() }.into()
    }

    fn headers(&self, header: &[u64], rows: u64, [width, _]: [u64; 2]) -> Vec<Vec<u64>> {
        let &[size, moves_max, ..] = header else { return Vec::new() };
        if rows != width {
            return Vec::new();
        }
        let exchanged = (moves_max == rows).then(|| vec![rows, size]);
        exchanged.into_iter().chain([vec![rows, moves_max]]).collect()
    }

    /// Resumes at N and M, in range or not, if a row of N values follows them.
    fn resumes(&self, ahead: &mut Ahead<'_>, at: usize, _: bool) -> bool {
        let Some(&[size, _]) = ahead.header(self, at).as_deref() else { return false };
        ahead.line(at + 1).is_some_and(|row| row.count == size)
    }
}
