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
mod order;
mod pace;
mod reader;
mod tile;
mod tiles;
mod unclaimed;

use std::fmt::Write as _;
use std::io;

use serde_json::{Value, json};

use self::game::{Algorithm, Cut, Game, Win, player_name};
use self::pace::Pace;
use self::reader::Reader;
use super::{
    Bounds, Budget, DirectiveRule, Example, Kind, OptionSpec, Options, Outcome, Puzzle, PuzzleReader, Random,
    Solver, Stop, Text, Verdict,
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
    fn id(&self) -> &'static str {
        "jump-game"
    }

    fn about(&self) -> &'static str {
        "who reaches the last square first in the jump game (jogo do pulo), and in which round"
    }

    fn input_format(&self) -> &'static str {
        "  Any number of games:
    N M                rows and columns, from 1
    K                  players, from 1
    N lines of M       the number on every square, from 0
    K lines 'row column', counted from 0: the players' squares, in playing order
  The players are called A, B, ..., Z, AA, AB, ... A player jumps exactly the number on its square; the goal
  is the square in the last row and the last column."
    }

    fn output_format(&self) -> &'static str {
        "  For every game the winner and, on a line of its own, the round in which it reaches the goal (0 for a
  player who starts there); or SEM VENCEDORES where nobody ever can.
  With witness = true a third line: the winner's squares, 'row,column' each, from its first to the goal.
  A game that cannot be read gives 'invalid game: ...' with line and column; a limit that ends the search
  gives 'undecided (at least round R)': nobody reaches the goal in an earlier round."
    }

    fn example(&self) -> Example {
        Example {
            input: "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n1 6\n3\n3 2 1 0 1 0\n0 0\n0 1\n0 2\n",
            output: "C\n3\nSEM VENCEDORES\n",
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        const {
            &[
                OptionSpec {
                    name: "movement",
                    kind: Kind::Choice(&["walk", "straight"]),
                    default: "walk",
                    help: "a jump of S is S unit steps, back and forth allowed; or S squares in one direction",
                    directive: DirectiveRule::Free,
                },
                OptionSpec {
                    name: "tie",
                    kind: Kind::Choice(&["previous-round", "first-round"]),
                    default: "previous-round",
                    help: "after equal jumps who was ahead in the previous round stays ahead, or who was \
                           listed first goes first",
                    directive: DirectiveRule::Free,
                },
                OptionSpec {
                    name: "algorithm",
                    kind: Kind::Choice(&["fast", "breadth-first"]),
                    default: "fast",
                    help: "near-linear, or the published search put right, for comparison",
                    directive: DirectiveRule::Free,
                },
                OptionSpec {
                    name: "early_stop",
                    kind: Kind::Flag,
                    default: "true",
                    help: "breadth-first only: stop when the winner is known, or explore everything",
                    directive: DirectiveRule::Free,
                },
            ]
        }
    }

    fn generator_options(&self) -> &'static [OptionSpec] {
        generate::OPTIONS
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
        if let Err(stop) = budget.charge(self.bytes()) {
            return undecided(stop, 0, None);
        }
        let found = match self.rules.algorithm {
            Algorithm::Fast => fast::search(self, budget),
            Algorithm::BreadthFirst { .. } => breadth_first::search(self, budget),
        };
        match found {
            // A proof that is too long is none; that the round is known is still worth saying.
            Ok(Some(win)) => {
                won(self, &win, budget).unwrap_or_else(|stop| undecided(stop, win.round, Some(win.round)))
            }
            Ok(None) => Outcome::words(NO_WINNER),
            Err(Cut { stop, at_least, at_most }) => undecided(stop, at_least, at_most),
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
        let mut pace = Pace::new(budget)?;
        budget.charge(path.len() as u64 * WITNESS_BYTES)?;
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
