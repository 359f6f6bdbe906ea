//! The picture: the board as a map, the way of the winner over it, and the table of rounds.

// The board as a map.
mod map;
// Who jumps where in which round, by the rules, and the table of it.
mod rounds;
// The words beside the picture, and its description.
mod description;

use serde_json::Value;

use super::game::Game;
use crate::picture::{Frame, Markup, SIDE_MAX, Thumbnail, html, svg, thumbnail};
use crate::solver::Shown;

use description::Description;
use rounds::{PLAYERS_MAX, Rounds};

/// Draws a game, with what became of it.
pub(super) fn draw(game: &Game, shown: &Shown<'_>) -> Markup {
    let way = Way::of(game, shown.witness);
    let is_large = game.board.rows().max(game.board.columns()) as usize > SIDE_MAX;
    let rounds =
        (!is_large && game.players.len() <= PLAYERS_MAX).then(|| Rounds::of(game, shown, &way)).flatten();
    let describe = |drawn| Description { game, way: &way, rounds: rounds.as_ref(), drawn, shown };
    let (content, [width, height], description) = if is_large {
        let sides = [game.board.rows() as usize, game.board.columns() as usize];
        let Thumbnail { content, size, drawn } = thumbnail(sides, &way.visited(game));
        (content, size, describe(Some(drawn)))
    } else {
        (map::draw(game, &way), map::size(&game.board), describe(None))
    };
    let frame = Frame { width, height, title: description.title(), description: description.text() };
    html! {
        figure {
            (svg(&frame, &content))
            figcaption {
                @for line in description.caption() { (line) br; }
            }
        }
        @if let Some(rounds) = &rounds {
            (rounds::draw(game, rounds, shown.language))
        }
    }
}

/// A way over the board.
pub struct Way {
    /// Its squares to the last that the rules allow.
    pub squares: Vec<u32>,
    /// What is wrong with the next one.
    pub fault: Option<Fault>,
}

/// Which rule a square breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is no square.
    NoSquare,
    /// It lies outside the board.
    OffBoard(u64, u64),
    /// It is the first one, and nobody starts there.
    NoStart(u32),
    /// The jump does not end there.
    NoJump(u32),
    /// The game is over before.
    Over(u32),
    /// The path ends before the goal.
    Unfinished,
}

impl Way {
    /// Returns the way that a witness gives.
    pub fn of(game: &Game, witness: &Value) -> Self {
        let mut way = Self { squares: Vec::new(), fault: None };
        // A longer one visits a square twice, so it is cut if it is longer than any of ours.
        let list = witness.as_array().map_or(&[][..], Vec::as_slice);
        for value in list.iter().take(game.board.squares() + 1) {
            match way.fault_of(game, value) {
                Ok(square) => way.squares.push(square),
                Err(fault) => {
                    way.fault = Some(fault);
                    return way;
                }
            }
        }
        if !list.is_empty() && !way.is_whole(game) {
            way.fault = Some(Fault::Unfinished);
        }
        way
    }

    /// Returns whether it ends on the goal.
    pub fn is_whole(&self, game: &Game) -> bool {
        self.fault.is_none() && self.squares.last() == Some(&game.board.goal())
    }

    /// Returns the first in the list who stands where it begins.
    pub fn player(&self, game: &Game) -> Option<usize> {
        let start = self.squares.first()?;
        game.players.iter().position(|player| player == start)
    }

    /// Its squares by row and column.
    pub fn visited(&self, game: &Game) -> Vec<(usize, usize)> {
        let place = |&square: &u32| {
            let (row, column) = game.board.position(square);
            (row as usize, column as usize)
        };
        self.squares.iter().map(place).collect()
    }

    /// Returns the next square, or what is wrong with it.
    fn fault_of(&self, game: &Game, value: &Value) -> Result<u32, Fault> {
        let board = &game.board;
        let pair = value.as_array().map_or(&[][..], Vec::as_slice);
        let [Some(row), Some(column)] = [0, 1].map(|index| pair.get(index).and_then(Value::as_u64)) else {
            return Err(Fault::NoSquare);
        };
        if pair.len() > 2 || row >= board.rows().into() || column >= board.columns().into() {
            return Err(Fault::OffBoard(row, column));
        }
        let square = board.square(row as u32, column as u32);
        match self.squares.last() {
            None if !game.players.contains(&square) => Err(Fault::NoStart(square)),
            Some(&last) if last == board.goal() => Err(Fault::Over(square)),
            Some(&last) if !game.rules.movement.reaches(board, last, square) => Err(Fault::NoJump(square)),
            _ => Ok(square),
        }
    }
}
