//! The squares of an answer, replayed by the rules of the game.

use crate::board::jump::Board;
use crate::input::Place;
use crate::solver::grading::{Best, Reason, row_and_column};
use crate::solver::jump_game::game::Game;
use crate::solver::{Answer, Finding, Known};
use crate::words::messages;

/// What a path proves: where it begins, and the round in which it ends.
pub type Proof = Result<(Place, u64), Box<Finding>>;

messages! {
    "jump-path"
    /// What is wrong with the squares of an answer.
    enum Misstep {
        /// Outside the board.
        NoSquare = "no-square" { square: String },
        /// The path begins elsewhere.
        Start = "start" { player: String, square: String },
        /// A jump that the rules do not allow.
        NoJump = "no-jump" { jump: u64, length: u64, from: String, to: String },
        /// The path ends too soon.
        Unfinished = "unfinished" { square: String },
        /// The path goes on behind the end of the game.
        Over = "over" { square: String },
    }
}

/// A square of a path.
#[derive(Clone, Copy)]
struct Step {
    place: Place,
    row: u64,
    column: u64,
}

impl Step {
    /// The square of the board.
    fn on(self, board: &Board) -> Result<u32, Box<Finding>> {
        let (row, column) = (u32::try_from(self.row), u32::try_from(self.column));
        match (row, column) {
            (Ok(row), Ok(column)) if row < board.rows() && column < board.columns() => {
                Ok(board.square(row, column))
            }
            _ => self.illegal(Misstep::NoSquare { square: self.told() }),
        }
    }

    fn told(self) -> String {
        format!("{},{}", self.row, self.column)
    }

    fn illegal<T>(self, what: Misstep) -> Result<T, Box<Finding>> {
        Err(Box::new(Finding::wrong(Reason::IllegalMove, self.place, what)))
    }
}

/// What the squares of an answer prove, where there are some. They are those of a player, which the game may not have.
pub fn proof(
    game: &Game,
    known: &Known,
    answer: &Answer,
    (player, name): (Option<usize>, impl Fn() -> String),
) -> Option<Proof> {
    let mut steps = answer
        .tokens()
        .skip(2)
        .filter_map(|(place, token)| row_and_column(token).map(|(row, column)| Step { place, row, column }));
    let first = steps.next()?;
    let proof = replay(game, known, first, steps);
    let start = first.on(&game.board).ok();
    if start.is_none() || start == player.map(|player| game.players[player]) {
        return Some(proof);
    }
    // The way of somebody else proves that we are wrong as well.
    let is_refuted = |&(place, round): &_| known.refuted(place, round, Best::Fewest).is_some();
    if proof.as_ref().is_ok_and(is_refuted) && start.is_some_and(|start| game.players.contains(&start)) {
        return Some(proof);
    }
    Some(first.illegal(Misstep::Start { player: name(), square: first.told() }))
}

/// Jumps along the squares of a path to the last one of the board.
fn replay(game: &Game, known: &Known, first: Step, rest: impl Iterator<Item = Step>) -> Proof {
    let (board, movement) = (&game.board, game.rules.movement);
    let (mut last, mut square, mut round) = (first, first.on(board)?, 0);
    for step in rest {
        if square == board.goal() {
            if known.refuted(first.place, round, Best::Fewest).is_some() {
                break;
            }
            return step.illegal(Misstep::Over { square: step.told() });
        }
        round += 1;
        let to = step.on(board)?;
        if !movement.reaches(board, square, to) {
            let (from, to, length) = (last.told(), step.told(), board.value(square));
            return step.illegal(Misstep::NoJump { jump: round, length, from, to });
        }
        (last, square) = (step, to);
    }
    if square != board.goal() {
        return last.illegal(Misstep::Unfinished { square: last.told() });
    }
    Ok((first.place, round))
}
