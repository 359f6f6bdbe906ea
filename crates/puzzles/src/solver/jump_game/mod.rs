//! `jump-game`: who reaches the last square first in the jump game (jogo do pulo), and in which round.
//!
//! [`search`] finds the winner with one search in which every square is claimed once, and says why that is exact. The
//! published search, put right, is the same one without the structure that makes it fast.

// What is wrong with first lines that are none.
mod beginning;
// A game, how it is to be read and searched, and what a search finds.
mod game;
// Where the next game begins.
mod game_lines;
// The picture.
mod draw;
// Random games.
mod generate;
// Answers of a submission.
mod grade;
// What can be wrong with a game.
mod mistake;
// The options of the jump game.
mod options;
// A game and its outcome.
mod puzzle;
// Reads games from a file, and finds the next one after a game that cannot be read.
mod reader;
// The search for the winner.
mod search;

use std::io;

use self::reader::Reader;
use super::{AnswerReader, Example, Options, PuzzleReader, Random, Solver, SolverInfo};

/// The solver of the jump game.
pub struct JumpGame;

impl Solver for JumpGame {
    fn info(&self) -> &'static SolverInfo {
        &SolverInfo {
            id: "jump-game",
            noun: "game",
            about: "who reaches the last square first in the jump game (jogo do pulo), and in which round",
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
        Box::new(Reader::new(options))
    }

    fn answers(&self, _options: &Options) -> Box<dyn AnswerReader> {
        Box::new(grade::Lines)
    }

    fn course_rules(&self) -> &'static [(&'static str, &'static str)] {
        options::COURSE_RULES
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
