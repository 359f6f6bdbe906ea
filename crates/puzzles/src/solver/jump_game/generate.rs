//! Random games.

use std::io::{self, Write};

use crate::board::Rows;
use crate::solver::{OptionKey, OptionSpec, Options, Random, Values};

/// Sides and players drawn when nobody sets them.
const SIDE_MIN: u64 = 2;
const SIDE_MAX: u64 = 12;
const PLAYERS_MAX: u64 = 6;

const COUNT: Values<Option<u64>> = Values::integer_or(&["random"], 1..=1_000_000);

const ROWS: OptionKey<Option<u64>> = COUNT.option("rows", "random", "rows of every board; random: 2 to 12");

const COLUMNS: OptionKey<Option<u64>> =
    COUNT.option("columns", "random", "columns of every board; random: 2 to 12");

const PLAYERS: OptionKey<Option<u64>> =
    COUNT.option("players", "random", "players of every game, on random squares; random: 1 to 6");

const TOP: OptionKey<Option<u64>> = Values::integer_or(&["side"], 0..=u64::MAX).option(
    "top",
    "side",
    "largest number on a board, all from 0 being equally likely; side: the longer side of the board",
);

const ZEROS: OptionKey<f64> =
    Values::fraction().option("zeros", "0.1", "probability of a 0 in place of the number drawn");

/// The options of the generator.
pub(super) const OPTIONS: &[OptionSpec] = &[ROWS.spec, COLUMNS.spec, PLAYERS.spec, TOP.spec, ZEROS.spec];

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
    let rows = options.get(ROWS).unwrap_or_else(|| random.between(SIDE_MIN, SIDE_MAX));
    let columns = options.get(COLUMNS).unwrap_or_else(|| random.between(SIDE_MIN, SIDE_MAX));
    let players = options.get(PLAYERS).unwrap_or_else(|| random.between(1, PLAYERS_MAX));
    let top = options.get(TOP).unwrap_or(rows.max(columns));
    let zeros = options.get(ZEROS);
    writeln!(out, "{rows} {columns}\n{players}")?;
    for _ in 0..rows {
        let mut value = || if random.chance(zeros) { 0 } else { random.between(0, top) };
        let row: Vec<_> = (0..columns).map(|_| value()).collect();
        write!(out, "{}", Rows(row.len(), row.iter()))?;
    }
    for _ in 0..players {
        writeln!(out, "{} {}", random.below(rows), random.below(columns))?;
    }
    Ok(())
}
