//! `2048-game`: replays or plays games of 2048 from a file.
//!
//! The game itself always runs on the board of any size ([`crate::board::sliding`]), so that its answer is
//! exact however large pieces grow; only the thinking of the expectimax player moves to a 4 × 4 board in 64
//! bits, and to what was learned about it ([`players`]), where it can. Same file, same options, same game: new pieces
//! come from the game's seed alone ([`rules::pieces`]), and the player's depth is a function of the position.

// The picture.
mod draw;
// New games to be played by the program.
mod generate;
// Answers of a submission.
mod grade;
// A game that somebody plays.
mod live;
// What can be wrong with a game.
mod mistake;
// The options.
mod options;
// Who plays `AUTO`.
mod players;
// One game to be replayed or played.
mod puzzle;
// Reads games.
mod read;
// What is printed of a game.
mod report;
// The game itself.
mod rules;

use std::io;

pub use self::live::LiveGame;
use self::options::Settings;
pub use self::players::SHARED_BYTES;
use self::read::reader::GameReader;
use super::{AnswerReader, Example, Options, PuzzleReader, Random, Solver, SolverInfo, Text};

/// The solver `2048-game`.
#[derive(Debug, Clone, Copy)]
pub struct Game2048;

impl Solver for Game2048 {
    fn info(&self) -> &'static SolverInfo {
        &SolverInfo {
            id: "2048-game",
            noun: "game",
            about: "replay a game of 2048 from its moves, or let the program play it",
            input_format: include_str!("info/input-format.txt"),
            output_format: include_str!("info/output-format.txt"),
            example: Example {
                input: include_str!("info/example.entrada.txt"),
                output: include_str!("info/example.saida.txt"),
            },
            options: options::OPTIONS,
            generator_options: generate::OPTIONS,
        }
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(GameReader::new(Settings::new(options)))
    }

    fn answers(&self, _: &Options) -> Box<dyn AnswerReader> {
        Box::new(grade::Games::default())
    }

    fn text_from_json(&self, json: &str) -> serde_json::Result<Text> {
        Ok(Text::Streamed(Box::new(report::Report::from_json(json)?)))
    }

    fn generate(
        &self,
        options: &Options,
        count: u64,
        random: &mut Random,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        generate::generate(options, count, random, out)
    }
}
