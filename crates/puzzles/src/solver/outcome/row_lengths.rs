//! Checks the rows of a board that is read as a stream of numbers.

use super::problem::Problem;
use crate::input::Place;
use crate::words::messages;

messages! {
    "rows"
    /// The mistake in rows that together have the right count of numbers.
    enum Mistake {
        Lengths = "row-lengths" {
            row: u64, line: u64, numbers: u64, expected: u64,
            other_row: u64, other_line: u64, other_numbers: u64, other_expected: u64,
        },
    }
}

/// Counts the numbers on each line of a board.
///
/// People may wrap rows, so the lines of a board with the right count of numbers usually do not matter. There is one
/// exception: if a board has exactly as many lines as rows, each line is a row and must have the length of that row.
/// This holds only if the header has lines of its own. If it has none, readers use the default counter, which reports
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct RowLengths {
    rows: u64,
    /// Numbers of the odd rows (the first, third, …) and of the even rows.
    expected: [u64; 2],
    /// Where the current line begins, and how many numbers of the board come before it.
    line: Option<(Place, u128)>,
    /// Whether the board begins in the middle of a line.
    begins_within_line: bool,
    /// Number of lines that have ended.
    lines: u64,
    /// Numbers on the first line and on the second.
    widths: [u64; 2],
    /// Number of lines with the length of their row.
    right: u64,
    /// Whether the count of numbers on some line differs from that two lines above.
    is_uneven: bool,
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
    /// Creates the counter of a board with `rows` rows, whose lengths alternate as in `expected`.
    pub fn new(rows: u64, expected: [u64; 2]) -> Self {
        Self { rows, expected, ..Self::default() }
    }

    /// Begins a line of the board, after `numbers` numbers. The caller skips blank lines and comments.
    pub fn begin_line(&mut self, numbers: u128, place: Place) {
        if self.line.is_none() {
            self.begins_within_line = numbers > 0;
        }
        self.end_line(numbers);
        self.line = Some((place, numbers));
    }

    fn end_line(&mut self, numbers: u128) {
        let Some((place, before)) = self.line else { return };
        let (row, expected) = (self.lines, self.expected[(self.lines % 2) as usize]);
        let numbers = u64::try_from(numbers - before).unwrap_or(u64::MAX);
        if numbers != expected {
            let wrong = if numbers < expected { &mut self.short } else { &mut self.long };
            wrong.get_or_insert(WrongRow { row: row + 1, place, numbers, expected });
        }
        self.right += u64::from(numbers == expected);
        match self.widths.get_mut(self.lines as usize) {
            Some(width) => *width = numbers,
            None => self.is_uneven |= self.widths[(self.lines % 2) as usize] != numbers,
        }
        self.lines += 1;
    }

    /// Returns the number of lines of a board whose last line ends after `numbers` numbers, and the counts of numbers
    /// on its first two lines. Returns `None` unless the board begins at the beginning of a line and its lines
    /// alternate between these two counts.
    pub fn even(&self, numbers: u128) -> Option<(u64, [u64; 2])> {
        let mut board = self.clone();
        board.end_line(numbers);
        let is_even = !board.begins_within_line && !board.is_uneven && board.lines >= 2;
        is_even.then_some((board.lines, board.widths))
    }

    /// Returns the first line that does not have the length of its row, how many numbers it has, and how many it should
    /// have, in a board whose last line ends after `numbers` numbers. Returns `None` unless at least half of the lines are
    /// rows, though there are more or fewer than the board has.
    pub fn odd_line(&self, numbers: u128) -> Option<(Place, [u64; 2])> {
        let mut board = self.clone();
        board.end_line(numbers);
        let are_rows = 2 * board.right >= board.lines && board.lines != board.rows;
        let (_, place, counts) = board.first_odd()?;
        (are_rows && !board.begins_within_line).then_some((place, counts))
    }

    /// Returns the first line that does not have the length of its row: the number of the row from 1, where the line
    /// begins, how many numbers it has, and how many it should have.
    pub fn first_odd(&self) -> Option<(u64, Place, [u64; 2])> {
        let odd = self.short.iter().chain(&self.long).min_by_key(|row| row.row)?;
        Some((odd.row, odd.place, [odd.numbers, odd.expected]))
    }

    /// Returns the mistake in a board whose last line ends after `numbers` numbers, if it has the right number of lines
    /// and of numbers, but some rows are too short and others too long.
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
        let what = Mistake::Lengths {
            row: first.row,
            line: first.place.line,
            numbers: first.numbers,
            expected: first.expected,
            other_row: other.row,
            other_line: other.place.line,
            other_numbers: other.numbers,
            other_expected: other.expected,
        };
        Some(Problem::new(first.place, what).related_to(other.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    /// Returns the counter of a board of `rows` rows whose lines have these counts of numbers, from line 2 of a file on,
    /// and how many numbers these are.
    fn counted(rows: u64, expected: [u64; 2], lines: &[u64]) -> (RowLengths, u128) {
        let mut lengths = RowLengths::new(rows, expected);
        let mut numbers = 0;
        for (line, &count) in (2..).zip(lines) {
            lengths.begin_line(numbers, Place { line, column: 1 });
            numbers += u128::from(count);
        }
        (lengths, numbers)
    }

    /// Returns the messages about the board of `counted`.
    fn messages_about(rows: u64, expected: [u64; 2], lines: &[u64]) -> Option<[String; 2]> {
        let (lengths, numbers) = counted(rows, expected, lines);
        let problem = lengths.uneven(numbers)?;
        Some([problem.say(Language::English), problem.say(Language::Portuguese)])
    }

    #[test]
    fn both_rows_are_named() {
        let [english, portuguese] = messages_about(8, [4; 2], &[4, 4, 3, 4, 4, 4, 4, 5]).unwrap();
        assert_eq!(
            english,
            "row 3 (line 4) has 3 numbers instead of 4, and row 8 (line 9) has 5 instead of 4"
        );
        let expected = "a linha 3 do tabuleiro (linha 4 do arquivo) tem 3 números em vez de 4, \
            e a linha 8 (linha 9 do arquivo) tem 5 em vez de 4";
        assert_eq!(portuguese, expected);
        // The longer row comes first, and two rows are too short.
        let [english, _] = messages_about(3, [2; 2], &[4, 1, 1]).unwrap();
        assert_eq!(
            english,
            "row 1 (line 2) has 4 numbers instead of 2, and row 2 (line 3) has 1 instead of 2"
        );
    }

    #[test]
    fn rows_of_two_lengths_in_turn_have_their_own() {
        let [english, portuguese] = messages_about(4, [2, 1], &[1, 2, 2, 1]).unwrap();
        assert_eq!(
            english,
            "row 1 (line 2) has 1 number instead of 2, and row 2 (line 3) has 2 instead of 1"
        );
        let expected = "a linha 1 do tabuleiro (linha 2 do arquivo) tem 1 número em vez de 2, \
            e a linha 2 (linha 3 do arquivo) tem 2 em vez de 1";
        assert_eq!(portuguese, expected);
    }

    #[test]
    fn other_lines_prove_nothing() {
        assert_eq!(messages_about(3, [3; 2], &[3, 3, 3]), None);
        assert_eq!(messages_about(3, [2, 1], &[2, 1, 2]), None);
        assert_eq!(messages_about(3, [3; 2], &[2, 3, 2, 2]), None);
        assert_eq!(messages_about(3, [3; 2], &[5, 4]), None);
        // The count of numbers is wrong, which the reader reports.
        assert_eq!(messages_about(3, [3; 2], &[2, 3, 5]), None);
        // The first number stands on the line of the header.
        let mut lengths = RowLengths::new(2, [2; 2]);
        lengths.begin_line(1, Place { line: 2, column: 1 });
        lengths.begin_line(2, Place { line: 3, column: 1 });
        assert!(lengths.uneven(4).is_none());
    }

    #[test]
    fn the_odd_line_is_found_if_most_lines_are_rows() {
        let odd_line = |rows, lines: &[u64]| {
            let (lengths, numbers) = counted(rows, [3; 2], lines);
            lengths.odd_line(numbers).map(|(place, counts)| (place.line, counts))
        };
        assert_eq!(odd_line(4, &[3, 2, 3]), Some((3, [2, 3])));
        assert_eq!(odd_line(2, &[3, 3, 1]), Some((4, [1, 3])));
        assert_eq!(odd_line(3, &[3, 4]), Some((3, [4, 3])));
        assert_eq!(odd_line(4, &[3, 3, 3]), None);
        assert_eq!(odd_line(4, &[2, 2, 3]), None);
        // All rows are there, which `uneven` examines.
        assert_eq!(odd_line(3, &[3, 2, 3]), None);
    }
}
