//! `jump-game`: who reaches the last square first in the jump game (jogo do pulo), and in which round.
//!
//! [`search`] finds the winner with one search in which every square is claimed once, and explains why that is exact.
//! The published search, corrected, is the same search without the structure that makes it fast.

mod game;
mod jump_form;
mod jump_grade;
mod jump_options;
mod jump_picture;
mod jump_puzzle;
mod search;

use std::io;

use self::jump_form::JumpForm;
use super::form::FormReader;
use super::{
    AnswerReader, OptionKey, Options, Out, PuzzleReader, Random, Solver, SolverInfo, Values, solver_info,
};
use crate::board::Rows;

/// Default ranges of the sides and the number of players.
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

/// The solver of the jump game.
pub struct JumpGame;

impl Solver for JumpGame {
    fn info(&self) -> &'static SolverInfo {
        solver_info! {
            id: "jump-game",
            noun: "game",
            about: "who reaches the last square first in the jump game (jogo do pulo), and in which round",
            options: jump_options::OPTIONS,
            generator_options: &[ROWS.spec, COLUMNS.spec, PLAYERS.spec, TOP.spec, ZEROS.spec],
        }
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(FormReader::new(JumpForm::new(options)))
    }

    fn answers(&self, _options: &Options) -> Box<dyn AnswerReader> {
        Box::new(jump_grade::Lines)
    }

    fn course_rules(&self) -> &'static [(&'static str, &'static str)] {
        jump_options::COURSE_RULES
    }

    fn generate(&self, options: &Options, count: u64, random: &mut Random, out: Out<'_>) -> io::Result<()> {
        for _ in 0..count {
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
        }
        Ok(())
    }
}
