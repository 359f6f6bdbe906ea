//! `2048-astar`: the swipes that reach a goal tile in the deterministic 2048.
//!
//! The rules are those of [`Board`]. Every swipe adds 2 to the sum of the tiles, so the search goes in layers of equal
//! sums, and the sum alone gives a lower bound. The default algorithm sends beams through the layers until one meets
//! the bound. The two published algorithms are best-first searches.

mod answer;
mod astar_form;
mod astar_options;
mod astar_picture;
mod astar_puzzle;
mod board_lists;
mod boards;
mod lower_bound;
mod path_check;
pub mod puzzle_2048;
mod search;

use std::io;

use self::astar_form::AstarForm;
use self::astar_options::Settings;
use super::form::FormReader;
use super::{
    AnswerReader, MEMORY_LIMIT, OptionKey, Options, Out, PuzzleReader, Random, Solver, SolverInfo, Text,
    Values, solver_info,
};
use crate::board::swipe::Board;

// Options of the generator, which plays random valid swipes, each equally likely.
const SIZE: OptionKey<u64> = Values::integer(2..=64).option("size", "4", "squares on a side");
const MOVES: OptionKey<u64> = Values::integer(0..=1_000_000).option(
    "moves",
    "40",
    "random valid swipes from the start board; fewer if no swipe is valid any more",
);

/// The solver of `2048-astar`.
pub struct Astar2048;

impl Solver for Astar2048 {
    fn info(&self) -> &'static SolverInfo {
        solver_info! {
            id: "2048-astar",
            noun: "board",
            about: "the fewest swipes to a goal tile in a 2048 whose new tile is always a 2 in the right column",
            options: astar_options::OPTIONS,
            generator_options: &[SIZE.spec, MOVES.spec],
        }
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(FormReader::new(AstarForm::new(Settings::new(options), options.get(MEMORY_LIMIT))))
    }

    fn answers(&self, options: &Options) -> Box<dyn AnswerReader> {
        Box::new(board_lists::Lists::new(Settings::new(options).goal_rank))
    }

    fn text_from_json(&self, json: &str) -> serde_json::Result<Text> {
        Ok(Text::Streamed(Box::new(answer::Solution::from_json(json)?)))
    }

    fn generate(&self, options: &Options, count: u64, random: &mut Random, out: Out<'_>) -> io::Result<()> {
        for _ in 0..count {
            let mut board = Board::start(options.get(SIZE) as usize);
            for _ in 0..options.get(MOVES) {
                let mut next: Vec<_> = board.neighbours().collect();
                if next.is_empty() {
                    break;
                }
                board = next.swap_remove(random.below(next.len() as u64) as usize).1;
            }
            answer::write_board(board.squares(), out)?;
        }
        Ok(())
    }
}
