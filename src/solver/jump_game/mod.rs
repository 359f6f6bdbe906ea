//! `jump-game`: who reaches the last square first in the jump game (jogo do pulo), and in which round.
//!
//! [`fast`] finds the winner with one search in which every square is claimed once, and says why that is
//! exact; [`breadth_first`] is the published search, put right, for comparison.

mod breadth_first;
mod fast;
mod game;
mod game_lines;
mod generate;
mod info;
mod options;
mod order;
mod puzzle;
mod reader;

use std::io;

use self::info::INFO;
use self::reader::Reader;
use super::{Options, PuzzleReader, Random, Solver, SolverInfo};

/// The solver of the jump game.
pub struct JumpGame;

impl Solver for JumpGame {
    fn info(&self) -> &'static SolverInfo {
        INFO
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(Reader::new(options))
    }

    fn generate(
        &self,
        options: &Options,
        count: u64,
        random: &mut Random,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        generate::write_games(options, count, random, out)
    }
}
