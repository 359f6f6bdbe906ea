//! Plays a game to its end, or to where its moves or its budget end, and says what became of it.

use std::sync::Arc;

use super::game::{Game, Record};
use super::meter::Meter;
use super::moves::{MoveList, Moves};
use super::player::Player;
use super::report::Report;
use super::seed::Pieces;
use super::settings::{IllegalPolicy, Settings};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::input::Place;
use crate::solver::{Bounds, Budget, Outcome, Problem, Puzzle, Stop, Text};

/// The page's word for a puzzle.
const NOUN: &str = "game";

/// A valid game, not yet played.
pub struct GamePuzzle {
    /// The file's name, for errors.
    pub file: Arc<str>,
    /// The options.
    pub settings: Arc<Settings>,
    /// Squares on a side.
    pub size: usize,
    /// The ranks of all squares in row order; all 0 for a new game.
    pub ranks: Vec<u8>,
    /// The seed of its new pieces.
    pub seed: u64,
    /// What to play.
    pub moves: Moves,
}

/// Why moves were no longer made.
enum End {
    Limit(Stop),
    Illegal(Problem),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        Self::Limit(stop)
    }
}

/// Bytes of a game with a board of so many squares on a side: as it was read, as it stands, and a copy to
/// move on.
pub fn board_bytes(size: u64) -> u64 {
    size.saturating_mul(size).saturating_mul(3)
}

/// The outcome of a game whose board exceeds the memory limit.
pub fn too_large() -> Outcome {
    Outcome::undecided(Stop::MemoryLimit, Bounds::default(), stopped_after(0))
}

/// The outcome of a game that breaks a rule.
pub fn invalid(problem: Problem, file: &str) -> Outcome {
    Outcome::invalid(NOUN, problem, file)
}

fn stopped_after(moves: u64) -> String {
    format!("stopped after {moves} moves")
}

impl Puzzle for GamePuzzle {
    fn solve(&self, budget: &Budget) -> Outcome {
        let bytes = self.bytes();
        if let Err(stop) = budget.charge(bytes) {
            return Outcome::undecided(stop, Bounds::default(), stopped_after(0));
        }
        let board = SlidingBoard::new(self.size, self.ranks.clone());
        let pieces = Pieces::new(self.seed, self.settings.percent_four);
        let record = self.settings.transcript.then(|| Record::new(self.settings.witness));
        let mut game = Game::new(board, pieces, record);
        let mut skipped = 0;
        let meter = &mut Meter::new(budget);
        let end = match &self.moves {
            Moves::List(list) => self.replay(list, &mut game, &mut skipped, meter),
            Moves::Auto(moves_max) => self.play_auto(*moves_max, &mut game, meter).map_err(End::Limit),
        };
        match end {
            Ok(()) => self.outcome(game, skipped, None),
            Err(End::Limit(stop)) => self.outcome(game, skipped, Some(stop)),
            Err(End::Illegal(problem)) => invalid(problem, &self.file),
        }
    }
}

impl GamePuzzle {
    /// Bytes to be charged before the game begins; its record is charged as it grows.
    fn bytes(&self) -> u64 {
        let size = self.size as u64;
        let moves = match &self.moves {
            Moves::List(list) => list.bytes(),
            Moves::Auto(_) => Player::boards_max(&self.settings).saturating_mul(size.saturating_mul(size)),
        };
        board_bytes(size).saturating_add(moves)
    }

    /// Makes the moves of the file one by one.
    fn replay(
        &self,
        list: &MoveList,
        game: &mut Game,
        skipped: &mut u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), End> {
        for (number, (column, direction)) in (1_u64..).zip(list.iter()) {
            if game.play(direction, meter)? {
                continue;
            }
            if self.settings.on_illegal == IllegalPolicy::Reject {
                let place = Place { line: list.line(), column };
                return Err(End::Illegal(illegal(direction, number, place, game.is_over())));
            }
            *skipped += 1;
        }
        Ok(())
    }

    /// Lets the player play.
    fn play_auto(&self, moves_max: Option<u64>, game: &mut Game, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut player = Player::new(&self.settings, self.seed);
        while moves_max.is_none_or(|moves_max| game.moves() < moves_max) {
            let Some(direction) = player.choose(game.board(), game.empties(), meter)? else { break };
            if !game.play(direction, meter)? {
                break;
            }
        }
        Ok(())
    }

    fn outcome(&self, game: Game, skipped: u64, stop: Option<Stop>) -> Outcome {
        let stopped = stop.map(|_| format!("undecided ({})", stopped_after(game.moves())));
        let moves = game.moves();
        let report = Report { standing: game.into_standing(), seed: self.seed, skipped, stopped };
        let score = u64::try_from(report.standing.score).ok();
        let mut outcome = match stop {
            None => {
                let bounds = Bounds { at_least: score, at_most: score };
                Outcome { bounds, answer: report.answer(), ..Outcome::words(report.headline()) }
            }
            // Points are never lost; but moves not yet made may turn out to be illegal.
            Some(stop) => {
                let sure =
                    matches!(self.moves, Moves::Auto(_)) || self.settings.on_illegal == IllegalPolicy::Skip;
                let bounds = Bounds { at_least: score.filter(|_| sure), at_most: None };
                Outcome::undecided(stop, bounds, stopped_after(moves))
            }
        };
        if self.settings.witness {
            outcome.witness = report.witness();
        }
        outcome.text = Text::Streamed(Box::new(report));
        outcome
    }
}

fn illegal(direction: Direction, number: u64, place: Place, over: bool) -> Problem {
    let (rule, found, expected) = if over {
        let found = format!("{direction} as move {number}, after the end of the game");
        ("move-after-end", found, "the end of the line")
    } else {
        let found = format!("{direction} as move {number}, which changes nothing");
        ("move-without-effect", found, "a direction in which a piece moves or merges")
    };
    Problem { place, rule, found, expected: expected.to_owned(), recognised: true }
}
