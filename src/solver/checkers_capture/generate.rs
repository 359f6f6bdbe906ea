//! Random boards, as the published `geracasos` made them.

use std::io::{self, Write};

use super::{AREA_MAX, SIDE_MAX, SIDE_MIN};
use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::solver::{DirectiveRule, Kind, OptionSpec, Options, Random};

/// The largest side that can be asked for.
const SIDE_ASKED_MAX: u64 = 2000;

/// The generator's options.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "rows",
        kind: Kind::WordOrInteger { word: "random", min: SIDE_MIN, max: SIDE_ASKED_MAX },
        default: "random",
        help: "rows of every board; boards beyond the published limits need limits = none to be read",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "columns",
        kind: Kind::WordOrInteger { word: "random", min: SIDE_MIN, max: SIDE_ASKED_MAX },
        default: "random",
        help: "columns of every board",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "opponents",
        kind: Kind::Fraction { min: 0.0, max: 1.0 },
        default: "0.45",
        help: "probability that a square holds an opponent piece",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "own",
        kind: Kind::Fraction { min: 0.0, max: 1.0 },
        default: "0.1",
        help: "probability that a square holds an own piece",
        directive: DirectiveRule::Free,
    },
];

/// Writes a file of `count` random boards.
///
/// # Errors
/// Those of `out`.
pub fn generate(options: &Options, count: u64, random: &mut Random, out: &mut dyn Write) -> io::Result<()> {
    let opponents = options.fraction("opponents");
    // The probability of an own piece where no opponent piece stands.
    let own = if opponents < 1.0 { options.fraction("own") / (1.0 - opponents) } else { 0.0 };
    let mut line = Vec::new();
    for _ in 0..count {
        let (rows, columns) = draw_size(options.integer("rows"), options.integer("columns"), random);
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
        writeln!(out, "{rows} {columns}")?;
        let mut rest = &squares[..];
        for row in 0..rows {
            // Even rows have one playable square more where the number of columns is odd.
            let (here, below) = rest.split_at((columns + (row + 1) % 2) as usize / 2);
            rest = below;
            line.clear();
            for &square in here {
                line.extend([b'0' + square, b' ']);
            }
            line.pop();
            line.push(b'\n');
            out.write_all(&line)?;
        }
    }
    writeln!(out, "0 0")
}

/// Draws the sides that are not fixed, within the published limits where the fixed one allows.
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

/// Takes pieces off at random until at most `pieces_max` are left.
fn remove_surplus(squares: &mut [u8], piece: u8, pieces_max: usize, random: &mut Random) {
    let mut standing: Vec<usize> = (0..squares.len()).filter(|&square| squares[square] == piece).collect();
    if standing.len() > pieces_max {
        random.shuffle(&mut standing);
        for &square in &standing[pieces_max..] {
            squares[square] = EMPTY;
        }
    }
}
