//! Generates random boards as the published `geracasos` does.

use std::io::{self, Write};

use super::checkers_options::{AREA_MAX, SIDE_MAX, SIDE_MIN};
use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::solver::{OptionKey, OptionSpec, Options, Random, Values};

/// The largest number of rows or columns that the options accept.
const SIDE_ASKED_MAX: u64 = 2000;

const SIDE: Values<Option<u64>> = Values::integer_or(&["random"], SIDE_MIN..=SIDE_ASKED_MAX);
const ROWS: OptionKey<Option<u64>> = SIDE.option(
    "rows",
    "random",
    "rows of every board; boards beyond the published limits need limits = none to be read",
);
const COLUMNS: OptionKey<Option<u64>> = SIDE.option("columns", "random", "columns of every board");
const OPPONENTS: OptionKey<f64> =
    Values::fraction().option("opponents", "0.45", "probability that a square holds an opponent piece");
const OWN_PIECES: OptionKey<f64> =
    Values::fraction().option("own", "0.1", "probability that a square holds an own piece");

/// The generator's options.
pub const OPTIONS: &[OptionSpec] = &[ROWS.spec, COLUMNS.spec, OPPONENTS.spec, OWN_PIECES.spec];

/// Writes a file of `count` random boards.
pub fn generate(options: &Options, count: u64, random: &mut Random, out: &mut dyn Write) -> io::Result<()> {
    let opponents = options.get(OPPONENTS);
    // The probability that a square without an opponent piece holds an own piece.
    let own = if opponents < 1.0 { options.get(OWN_PIECES) / (1.0 - opponents) } else { 0.0 };
    for _ in 0..count {
        let (rows, columns) = draw_size(options.get(ROWS), options.get(COLUMNS), random);
        let mut squares: Vec<u8> = (0..CheckersBoard::playable(rows, columns))
            .map(|_| {
                if random.chance(opponents) {
                    OPPONENT
                } else if random.chance(own) {
                    OWN
                } else {
                    EMPTY
                }
            })
            .collect();
        for piece in [OPPONENT, OWN] {
            remove_surplus(&mut squares, piece, (rows * columns / 4) as usize, random);
        }
        write!(out, "{}", CheckersBoard::new(rows as usize, columns as usize, squares))?;
    }
    writeln!(out, "0 0")
}

/// Draws the sides that are not fixed. Keeps to the published area if the fixed side permits that.
fn draw_size(rows: Option<u64>, columns: Option<u64>, random: &mut Random) -> (u64, u64) {
    let fits = rows.max(columns).is_none_or(|side| side * SIDE_MIN <= AREA_MAX);
    loop {
        let drawn = [rows, columns].map(|side| side.unwrap_or_else(|| random.between(SIDE_MIN, SIDE_MAX)));
        let [rows_drawn, columns_drawn] = drawn;
        let fixed = rows.is_some() && columns.is_some();
        if fixed || !fits || rows_drawn * columns_drawn <= AREA_MAX {
            return (rows_drawn, columns_drawn);
        }
    }
}

/// Removes random pieces until at most `pieces_max` are left.
fn remove_surplus(squares: &mut [u8], piece: u8, pieces_max: usize, random: &mut Random) {
    let mut standing: Vec<usize> = (0..squares.len()).filter(|&square| squares[square] == piece).collect();
    if standing.len() > pieces_max {
        random.shuffle(&mut standing);
        for &square in &standing[pieces_max..] {
            squares[square] = EMPTY;
        }
    }
}
