//! `2048-game`: replays or plays games of 2048 from a file.
//!
//! Every move is made on the board type for all sizes ([`crate::board::sliding`]), so the answer is exact however large
//! the pieces grow. Only the expectimax player converts the board, if it fits, to a 4 × 4 board in 64 bits, for which
//! it has a trained network ([`players`]). The same file and options give the same game: new pieces depend only on the
//! game's seed ([`game_rules`]), and the player's depth is a function of the position.

mod foreign_moves;
mod game_form;
mod game_mistakes;
mod game_options;
mod game_picture;
mod game_puzzle;
mod game_rules;
mod grade;
mod live;
mod moves;
mod players;
mod report;

use std::io;
use std::iter::repeat_n;

use self::game_form::GameForm;
use self::game_options::Settings;
pub use self::live::LiveGame;
pub use self::players::SHARED_BYTES;
use super::form::FormReader;
use super::{
    AnswerReader, OptionKey, Options, Out, PuzzleReader, Random, Solver, SolverInfo, Text, Values,
    solver_info,
};
use crate::board::Rows;

/// An option of the generator, which writes new games with consecutive seeds and `AUTO`.
const SIZE: OptionKey<u64> = Values::integer(2..=1000).option("size", "4", "squares on a side of the board");

/// The solver `2048-game`.
#[derive(Debug, Clone, Copy)]
pub struct Game2048;

impl Solver for Game2048 {
    fn info(&self) -> &'static SolverInfo {
        solver_info! {
            id: "2048-game",
            noun: "game",
            about: "replay a game of 2048 from its moves, or let the program play it",
            options: game_options::OPTIONS,
            generator_options: &[SIZE.spec],
        }
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(FormReader::new(GameForm::new(Settings::new(options))))
    }

    fn answers(&self, _: &Options) -> Box<dyn AnswerReader> {
        Box::new(grade::Games::default())
    }

    fn text_from_json(&self, json: &str) -> serde_json::Result<Text> {
        Ok(Text::Streamed(Box::new(report::Report::from_json(json)?)))
    }

    fn generate(&self, options: &Options, count: u64, random: &mut Random, out: Out<'_>) -> io::Result<()> {
        let size = options.get(SIZE);
        let first_seed = random.below(1_000_000);
        for game in 0..count {
            let (seed, squares) = (first_seed.wrapping_add(game), repeat_n(0, (size * size) as usize));
            write!(out, "{size} {seed}\n{}AUTO\n", Rows(size as usize, squares))?;
        }
        Ok(())
    }
}
