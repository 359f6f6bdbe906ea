//! The rows of a board that is read as a stream of numbers.

use super::problem::Problem;
use crate::input::Place;
use crate::words::{Phrase, messages};

messages! {
    "rows"
    /// What is wrong with rows that together have the right count of numbers.
    enum Mistake {
        /// One is too short and another one too long.
        Lengths = "row-lengths" {
            row: u64, line: u64, numbers: u64, other_row: u64, other_line: u64, other_numbers: u64, expected: u64,
        },
        /// The same on a board whose rows have two lengths in turn.
        LengthsInTurn = "row-lengths-in-turn" {
            row: u64, line: u64, numbers: u64, expected: u64,
            other_row: u64, other_line: u64, other_numbers: u64, other_expected: u64,
        },
    }
}

/// Counts the numbers on each line of a board.
///
/// Rows may be wrapped, so lines prove nothing while a board has all its numbers, with one exception: a board on exactly
/// as many lines as it has rows was written one row per line, and then every line must have the length of its row. That
/// holds if its header has lines of its own; otherwise readers use the default counter, which says nothing.
#[derive(Debug, Clone, Default)]
pub struct RowLengths {
    rows: u64,
    /// Numbers of the first row and every second one behind it, and of the others.
    expected: [u64; 2],
    /// Where the line at hand begins, and how many numbers stand before it.
    line: Option<(Place, u128)>,
    /// The board begins in the middle of a line.
    begins_within_line: bool,
    /// Lines that ended.
    lines: u64,
    /// The first line that is too short, and the first that is too long.
    short: Option<WrongRow>,
    long: Option<WrongRow>,
}

#[derive(Debug, Clone, Copy)]
struct WrongRow {
    row: u64,
    place: Place,
    numbers: u64,
    expected: u64,
}

impl RowLengths {
    /// Creates the counter of a board whose rows have these lengths in turn.
    #[must_use]
    pub fn new(rows: u64, expected: [u64; 2]) -> Self {
        Self { rows, expected, ..Self::default() }
    }

    /// Begins a line of the board behind `numbers` numbers of it. Call it for every line, but not for blank lines and comments.
    pub fn begin_line(&mut self, numbers: u128, place: Place) {
        if self.line.is_none() {
            self.begins_within_line = numbers > 0;
        }
        self.end_line(numbers);
        self.line = Some((place, numbers));
    }

    fn end_line(&mut self, numbers: u128) {
        let Some((place, before)) = self.line else { return };
        let (row, expected) = (self.lines, self.expected(self.lines));
        let numbers = u64::try_from(numbers - before).unwrap_or(u64::MAX);
        if numbers != expected {
            let wrong = if numbers < expected { &mut self.short } else { &mut self.long };
            wrong.get_or_insert(WrongRow { row: row + 1, place, numbers, expected });
        }
        self.lines += 1;
    }

    /// Numbers of a row, counted from 0.
    #[must_use]
    pub fn expected(&self, row: u64) -> u64 {
        self.expected[(row % 2) as usize]
    }

    /// Returns which row begins with the line at hand, counted from 0, and how many rows follow it; `None` if the lines
    /// before it are not rows.
    #[must_use]
    pub fn row_at_hand(&self) -> Option<(u64, u64)> {
        let are_rows = !self.begins_within_line && self.short.is_none() && self.long.is_none();
        let left = self.rows.checked_sub(self.lines + 1).filter(|_| are_rows)?;
        Some((self.lines, left))
    }

    /// Returns what is wrong with a board of `numbers` numbers behind which a line ends: it has as many lines as rows and
    /// as many numbers as it should, and some rows are too short and others too long.
    #[must_use]
    pub fn uneven(&self, numbers: u128) -> Option<Problem> {
        let mut board = self.clone();
        board.end_line(numbers);
        let (short, long) = board.short.zip(board.long)?;
        let [wide, narrow] = self.expected.map(u128::from);
        let (rows, narrow_rows) = (u128::from(self.rows), u128::from(self.rows / 2));
        let fits = numbers == (rows - narrow_rows) * wide + narrow_rows * narrow;
        if board.lines != self.rows || self.begins_within_line || !fits {
            return None;
        }
        let (first, other) = if short.row < long.row { (short, long) } else { (long, short) };
        let WrongRow { row, place, numbers, expected } = first;
        let (line, other_row, other_line, other_numbers) =
            (place.line, other.row, other.place.line, other.numbers);
        let what: Phrase = if wide == narrow {
            Mistake::Lengths { row, line, numbers, other_row, other_line, other_numbers, expected }.into()
        } else {
            let other_expected = other.expected;
            Mistake::LengthsInTurn {
                row,
                line,
                numbers,
                expected,
                other_row,
                other_line,
                other_numbers,
                other_expected,
            }
            .into()
        };
        Some(Problem::new(place, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    /// What is said of a board of so many rows whose lines, from line 2 of a file on, have these counts of numbers.
    fn told(rows: u64, expected: [u64; 2], lines: &[u64]) -> Option<[String; 2]> {
        let mut lengths = RowLengths::new(rows, expected);
        let mut numbers = 0;
        for (line, &count) in (2..).zip(lines) {
            lengths.begin_line(numbers, Place { line, column: 1 });
            numbers += u128::from(count);
        }
        let problem = lengths.uneven(numbers)?;
        Some([problem.say(Language::English), problem.say(Language::Portuguese)])
    }

    #[test]
    fn both_rows_are_named() {
        let [english, portuguese] = told(8, [4; 2], &[4, 4, 3, 4, 4, 4, 4, 5]).unwrap();
        assert_eq!(english, "row 3 (line 4) has 3 numbers, row 8 (line 9) has 5; each row has 4");
        let expected = "a linha 3 do tabuleiro (linha 4 do arquivo) tem 3 números, \
            a linha 8 (linha 9 do arquivo) tem 5; cada linha deveria ter 4";
        assert_eq!(portuguese, expected);
        // The longer one comes first, and there are two short ones.
        let [english, _] = told(3, [2; 2], &[4, 1, 1]).unwrap();
        assert_eq!(english, "row 1 (line 2) has 4 numbers, row 2 (line 3) has 1; each row has 2");
    }

    #[test]
    fn rows_of_two_lengths_in_turn_have_their_own() {
        let [english, portuguese] = told(4, [2, 1], &[1, 2, 2, 1]).unwrap();
        assert_eq!(english, "row 1 (line 2) has 1 number instead of 2, row 2 (line 3) has 2 instead of 1");
        let expected = "a linha 1 do tabuleiro (linha 2 do arquivo) tem 1 número em vez de 2, \
            a linha 2 (linha 3 do arquivo) tem 2 em vez de 1";
        assert_eq!(portuguese, expected);
    }

    #[test]
    fn other_lines_prove_nothing() {
        assert_eq!(told(3, [3; 2], &[3, 3, 3]), None);
        assert_eq!(told(3, [2, 1], &[2, 1, 2]), None);
        assert_eq!(told(3, [3; 2], &[2, 3, 2, 2]), None);
        assert_eq!(told(3, [3; 2], &[5, 4]), None);
        // The count does not fit: the reader says that.
        assert_eq!(told(3, [3; 2], &[2, 3, 5]), None);
        // The first number stands on the line of the header.
        let mut lengths = RowLengths::new(2, [2; 2]);
        lengths.begin_line(1, Place { line: 2, column: 1 });
        lengths.begin_line(2, Place { line: 3, column: 1 });
        assert!(lengths.uneven(4).is_none());
    }
}
