//! Random games.

use std::io::{self, Write};

use crate::solver::{DirectiveRule, Kind, OptionSpec, Options, Random};

/// Sides and players drawn when nobody sets them.
const SIDE_MIN: u64 = 2;
const SIDE_MAX: u64 = 12;
const PLAYERS_MAX: u64 = 6;

/// The options of the generator.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "rows",
        kind: Kind::WordOrInteger { word: "random", min: 1, max: 1_000_000 },
        default: "random",
        help: "rows of every board; random: 2 to 12",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "columns",
        kind: Kind::WordOrInteger { word: "random", min: 1, max: 1_000_000 },
        default: "random",
        help: "columns of every board; random: 2 to 12",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "players",
        kind: Kind::WordOrInteger { word: "random", min: 1, max: 1_000_000 },
        default: "random",
        help: "players of every game, on random squares; random: 1 to 6",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "top",
        kind: Kind::WordOrInteger { word: "side", min: 0, max: u64::MAX },
        default: "side",
        help: "largest number on a board, all from 0 being equally likely; side: the longer side of the board",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "zeros",
        kind: Kind::Fraction { min: 0.0, max: 1.0 },
        default: "0.1",
        help: "probability of a 0 in place of the number drawn",
        directive: DirectiveRule::Free,
    },
];

/// Writes `count` games, one after the other.
///
/// # Errors
/// Those of `out`.
pub(super) fn write_games(
    options: &Options,
    count: u64,
    random: &mut Random,
    out: &mut dyn Write,
) -> io::Result<()> {
    for _ in 0..count {
        write_game(options, random, out)?;
    }
    Ok(())
}

fn write_game(options: &Options, random: &mut Random, out: &mut dyn Write) -> io::Result<()> {
    let rows = options.integer("rows").unwrap_or_else(|| random.between(SIDE_MIN, SIDE_MAX));
    let columns = options.integer("columns").unwrap_or_else(|| random.between(SIDE_MIN, SIDE_MAX));
    let players = options.integer("players").unwrap_or_else(|| random.between(1, PLAYERS_MAX));
    let top = options.integer("top").unwrap_or(rows.max(columns));
    let zeros = options.fraction("zeros");
    writeln!(out, "{rows} {columns}\n{players}")?;
    for _ in 0..rows {
        for column in 0..columns {
            let value = if random.chance(zeros) { 0 } else { random.between(0, top) };
            let blank = if column == 0 { "" } else { " " };
            write!(out, "{blank}{value}")?;
        }
        writeln!(out)?;
    }
    for _ in 0..players {
        writeln!(out, "{} {}", random.below(rows), random.below(columns))?;
    }
    Ok(())
}
