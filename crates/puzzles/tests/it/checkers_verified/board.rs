//! An independent board with its rules: plays a path, tries every path, turns and joins boards.

use tabuleiro_puzzles::solver::Random;

pub const EMPTY: u8 = 0;
pub const OWN: u8 = 1;
pub const OPPONENT: u8 = 2;
/// Squares of an odd row + column, and everything beyond the border.
const NOWHERE: u8 = 3;

/// All squares of a board, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub rows: usize,
    pub columns: usize,
    squares: Vec<u8>,
}

impl Board {
    /// Creates a board; `piece` returns what the playable square in a row and column holds.
    pub fn new(rows: usize, columns: usize, mut piece: impl FnMut(usize, usize) -> u8) -> Self {
        let mut squares = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let playable = (row + column).is_multiple_of(2);
                squares.push(if playable { piece(row, column) } else { NOWHERE });
            }
        }
        Self { rows, columns, squares }
    }

    /// Makes rows of opponents with empty rows between them. Some opponents are missing. Up to `own` own pieces stand
    /// on empty squares. The first row is full if `phase` is 0, the second if it is 1.
    pub fn lattice(
        (rows, columns): (usize, usize),
        phase: usize,
        missing: f64,
        own: usize,
        random: &mut Random,
    ) -> Self {
        let mut board = Self::new(rows, columns, |row, _| {
            if row % 2 == phase && !random.chance(missing) { OPPONENT } else { EMPTY }
        });
        for _ in 0..3 * own {
            let square = random.below((rows * columns) as u64) as usize;
            if board.squares[square] == EMPTY && board.count(OWN) < own as u64 {
                board.squares[square] = OWN;
            }
        }
        board
    }

    /// Fills each playable square with an opponent or an own piece, with these probabilities.
    pub fn scattered((rows, columns): (usize, usize), opponents: f64, own: f64, random: &mut Random) -> Self {
        Self::new(rows, columns, |_, _| {
            let drawn = random.below(1 << 20) as f64 / f64::from(1 << 20);
            if drawn < opponents {
                OPPONENT
            } else if drawn < opponents + own {
                OWN
            } else {
                EMPTY
            }
        })
    }

    /// Returns the board as a file holds it, without the end marker.
    pub fn text(&self) -> String {
        let mut text = format!("{} {}\n", self.rows, self.columns);
        for row in self.squares.chunks(self.columns) {
            let playable = row.iter().filter(|&&square| square != NOWHERE);
            let digits: Vec<String> = playable.map(u8::to_string).collect();
            text += &digits.join(" ");
            text.push('\n');
        }
        text
    }

    pub fn at(&self, row: usize, column: usize) -> u8 {
        if row < self.rows && column < self.columns {
            self.squares[row * self.columns + column]
        } else {
            NOWHERE
        }
    }

    pub fn set(&mut self, row: usize, column: usize, piece: u8) {
        assert_ne!(self.at(row, column), NOWHERE);
        self.squares[row * self.columns + column] = piece;
    }

    pub fn count(&self, piece: u8) -> u64 {
        self.squares.iter().filter(|&&square| square == piece).count() as u64
    }

    /// Returns the squares that hold own pieces.
    pub fn own(&self) -> Vec<(usize, usize)> {
        let squares = (0..self.squares.len()).filter(|&square| self.squares[square] == OWN);
        squares.map(|square| (square / self.columns, square % self.columns)).collect()
    }

    /// Returns whether the board is within the published limits.
    pub fn is_published(&self) -> bool {
        let most = (self.rows * self.columns / 4) as u64;
        (3..=20).contains(&self.rows)
            && (3..=20).contains(&self.columns)
            && self.rows * self.columns <= 200
            && self.count(OWN).max(self.count(OPPONENT)) <= most
    }

    /// Returns the jumps from a square, each as the opponent's square and the landing square.
    pub fn jumps(
        &self,
        row: usize,
        column: usize,
    ) -> impl Iterator<Item = ((usize, usize), (usize, usize))> + '_ {
        let steps = [(0, 0), (0, 4), (4, 0), (4, 4)];
        steps.into_iter().filter_map(move |(down, right)| {
            // Two rows and columns up or down, written without negative numbers.
            let to = ((row + down).checked_sub(2)?, (column + right).checked_sub(2)?);
            let over = (row.midpoint(to.0), column.midpoint(to.1));
            (self.at(over.0, over.1) == OPPONENT && self.at(to.0, to.1) != NOWHERE).then_some((over, to))
        })
    }

    /// Returns the most captures, by trying every path of every own piece.
    pub fn brute_force(&self) -> u64 {
        let mut board = self.clone();
        let starts = self.own();
        let best = starts.into_iter().map(|(row, column)| {
            board.set(row, column, EMPTY);
            let best = board.longest_from(row, column);
            board.set(row, column, OWN);
            best
        });
        best.max().unwrap_or(0)
    }

    fn longest_from(&mut self, row: usize, column: usize) -> u64 {
        let jumps: Vec<_> = self.jumps(row, column).filter(|&(_, to)| self.at(to.0, to.1) == EMPTY).collect();
        let mut best = 0;
        for (over, to) in jumps {
            self.set(over.0, over.1, EMPTY);
            best = best.max(1 + self.longest_from(to.0, to.1));
            self.set(over.0, over.1, OPPONENT);
        }
        best
    }

    /// Plays an answer with its path, `2 0,0 2,2 0,4`. Panics if it breaks a rule. Returns the number of captures.
    pub fn replay(&self, line: &str) -> u64 {
        let mut words = line.trim_end().split(' ');
        let captures: u64 = words.next().unwrap().parse().unwrap();
        let path: Vec<(usize, usize)> = words
            .map(|word| word.split_once(',').unwrap())
            .map(|(row, column)| (row.parse().unwrap(), column.parse().unwrap()))
            .collect();
        assert_eq!(path.len() as u64, if captures == 0 { 0 } else { captures + 1 }, "{line}");
        let mut board = self.clone();
        if let Some(&(row, column)) = path.first() {
            assert_eq!(board.at(row, column), OWN, "{line}");
            board.set(row, column, EMPTY);
        }
        for pair in path.windows(2) {
            let [(row, column), to] = [pair[0], pair[1]];
            let jump = board.jumps(row, column).find(|&(_, landing)| landing == to);
            let Some((over, _)) = jump else { panic!("no jump from {row},{column} to {to:?}: {line}") };
            assert_eq!(board.at(to.0, to.1), EMPTY, "{line}");
            board.set(over.0, over.1, EMPTY);
        }
        assert_eq!(self.count(OPPONENT) - board.count(OPPONENT), captures, "{line}");
        captures
    }

    /// Exchanges rows and columns. Row + column stays the same, so squares stay playable on any board.
    pub fn transposed(&self) -> Self {
        Self::new(self.columns, self.rows, |row, column| self.at(column, row))
    }

    /// Reverses the order of the columns. Row + column changes by columns - 1 - 2 * column, so squares stay playable
    /// only if the number of columns is odd.
    pub fn mirrored(&self) -> Self {
        assert!(!self.columns.is_multiple_of(2));
        Self::new(self.rows, self.columns, |row, column| self.at(row, self.columns - 1 - column))
    }

    /// Turns the board by 180 degrees. Row + column becomes rows + columns - 2 minus itself, so squares stay playable
    /// only if the sum of both sides is even.
    pub fn turned(&self) -> Self {
        assert!((self.rows + self.columns).is_multiple_of(2));
        Self::new(self.rows, self.columns, |row, column| {
            self.at(self.rows - 1 - row, self.columns - 1 - column)
        })
    }

    /// Adds columns of opponents at the right. No piece can jump them or land on them, because only the border or
    /// another opponent follows: they are a wall, and the answer stays the same.
    pub fn walled(&self, further: usize) -> Self {
        Self::new(self.rows, self.columns + further, |row, column| {
            if column < self.columns { self.at(row, column) } else { OPPONENT }
        })
    }

    /// Puts both boards side by side, with at least two columns of opponents between them, so that no piece of one gets
    /// into the other. A wall fills up the board with fewer rows.
    pub fn beside(&self, right: &Self) -> Self {
        // The right board begins at an even column, so that its squares stay playable.
        let offset = (self.columns + 2).next_multiple_of(2);
        Self::new(self.rows.max(right.rows), offset + right.columns, |row, column| {
            let square = if column < offset { self.at(row, column) } else { right.at(row, column - offset) };
            if square == NOWHERE { OPPONENT } else { square }
        })
    }
}
