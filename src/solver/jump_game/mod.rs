//! `jump-game`: who reaches the last square first in the jump game (jogo do pulo), and in which round.
//!
//! [`fast`] finds the winner with one search in which every square is claimed once, and says why that is
//! exact; [`breadth_first`] is the published search, put right, for comparison. [`diagonals`] and
//! [`tiles`] make the fast search near-linear for walks.

mod breadth_first;
mod claims;
mod diagonals;
mod fast;
mod game;
mod game_lines;
mod generate;
mod info;
mod options;
mod order;
mod reader;
mod tile;
mod tiles;
mod unclaimed;

use std::fmt::Write as _;
use std::io;

use serde_json::{Value, json};

use self::game::{Game, Interrupted, Win, player_name};
use self::info::INFO;
use self::options::Algorithm;
use self::reader::Reader;
use super::{
    Bounds, Budget, Charge, Options, Outcome, Pace, Puzzle, PuzzleReader, Random, Solver, SolverInfo, Stop,
    Text, Verdict,
};

/// What the page calls a puzzle.
const NOUN: &str = "game";

/// The published words where nobody can reach the last square.
const NO_WINNER: &str = "SEM VENCEDORES";

/// Bytes that one square of a path takes in the result, as text and as JSON, generously.
const WITNESS_BYTES: u64 = 192;

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

impl Puzzle for Game {
    fn solve(&self, budget: &Budget) -> Outcome {
        let _game = match Charge::new(self.bytes(), budget) {
            Ok(charge) => charge,
            Err(stop) => return undecided(stop, 0, None),
        };
        let found = match self.rules.algorithm {
            Algorithm::Fast => fast::search(self, budget),
            Algorithm::BreadthFirst => breadth_first::search(self, budget),
        };
        match found {
            // A proof that is too long is none; that the round is known is still worth saying.
            Ok(Some(win)) => {
                won(self, &win, budget).unwrap_or_else(|stop| undecided(stop, win.round, Some(win.round)))
            }
            Ok(None) => Outcome::words(NO_WINNER),
            Err(Interrupted { stop, at_least, at_most }) => undecided(stop, at_least, at_most),
        }
    }
}

/// The outcome of a game with a winner.
///
/// # Errors
/// The limit that ended the writing of the path.
fn won(game: &Game, win: &Win, budget: &Budget) -> Result<Outcome, Stop> {
    let Win { player, round, path } = win;
    let name = player_name(*player);
    let mut lines = format!("{name}\n{round}");
    let mut squares = Vec::new();
    if game.rules.witness {
        let mut pace = Pace::new(budget);
        let _lines = Charge::new(path.len() as u64 * WITNESS_BYTES, budget)?;
        for (index, square) in path.iter().enumerate() {
            pace.count(1)?;
            let (row, column) = game.board.position(*square);
            // Writing to a string cannot fail.
            let _ = write!(lines, "{}{row},{column}", if index == 0 { '\n' } else { ' ' });
            squares.push(json!([row, column]));
        }
    }
    Ok(Outcome {
        verdict: Verdict::Answered,
        headline: format!("{name} {round}").into(),
        text: Text::Lines(lines),
        answer: json!({ "winner": name, "round": round }),
        witness: if game.rules.witness { Value::Array(squares) } else { Value::Null },
        bounds: Bounds { at_least: Some(*round), at_most: Some(*round) },
    })
}

/// The outcome where a limit ended the search; the bounds are those of the winner's round.
fn undecided(stop: Stop, at_least: u64, at_most: Option<u64>) -> Outcome {
    let bounds = Bounds { at_least: Some(at_least), at_most };
    Outcome::undecided(stop, bounds, format_args!("at least round {at_least}"))
}
