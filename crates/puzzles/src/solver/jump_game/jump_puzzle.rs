//! A game and its outcome: runs the search for the winner and writes the result.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::game::{Game, Interrupted, Rules, Win, player_name};
use super::jump_grade::NO_WINNER;
use super::search::search;
use crate::solver::grading::CLAIMED_MAX;
use crate::solver::{Bounds, Budget, Charge, Outcome, Pace, Puzzle, Stop, Text, Verdict};

/// Bytes that one square of a path takes in the result, as text and as JSON; a generous estimate.
const WITNESS_BYTES: u64 = 192;

impl Puzzle for Game {
    fn solve(&self, budget: &Budget) -> Outcome {
        let _game = match Charge::new(self.bytes(), budget) {
            Ok(charge) => charge,
            Err(stop) => return Interrupted::before(0)(stop).into_outcome(),
        };
        let found = match search(self, self.rules, budget) {
            Ok(found) => found,
            Err(interrupted) => return interrupted.into_outcome(),
        };
        let end = found.as_ref().map(|win| (win.player, win.round));
        let outcome = match found {
            // If the path is too long to be stored, the round is still reported.
            Some(win) => won(self, &win, budget)
                .unwrap_or_else(|stop| Interrupted::in_round(win.round)(stop).into_outcome()),
            None => Outcome::words(NO_WINNER),
        };
        let is_compared = self.rules.compares && matches!(outcome.verdict, Verdict::Answered);
        // If a limit leaves the end under the other rules open, nothing differs.
        let differs = |other: Option<Win<'_>>| other.map(|win| (win.player, win.round)) != end;
        let differs_by_rules = is_compared && search(self, self.rules.other(), budget).is_ok_and(differs);
        Outcome { differs_by_rules, ..outcome }
    }

    fn trace(&self, budget: &Budget) -> Value {
        if !self.is_small() {
            return Value::Null;
        }
        let rules = Rules { witness: true, ..self.rules };
        let found = search(self, rules, budget).ok().flatten();
        found.and_then(|win| squares(self, &win.path, budget).ok()).unwrap_or_default()
    }
}

/// Returns the outcome of a game with a winner.
///
/// # Errors
/// Returns the limit that ended the writing of the path.
fn won(game: &Game, win: &Win<'_>, budget: &Budget) -> Result<Outcome, Stop> {
    let Win { player, round, path } = win;
    let name = player_name(*player);
    let mut lines = format!("{name}\n{round}");
    // A picture has no room for a longer path.
    let drawn = if game.rules.witness || path.len() <= CLAIMED_MAX { &path[..] } else { &[] };
    let witness = match squares(game, drawn, budget) {
        // A picture can do without the path.
        Err(_) if !game.rules.witness => Value::Null,
        squares => squares?,
    };
    if game.rules.witness {
        for (index, square) in path.iter().enumerate() {
            let (row, column) = game.board.position(*square);
            // Writing to a string cannot fail.
            let _ = write!(lines, "{}{row},{column}", if index == 0 { '\n' } else { ' ' });
        }
    }
    Ok(Outcome {
        text: Text::Lines(lines),
        answer: json!({ "winner": name, "round": round }),
        witness,
        bounds: Bounds { at_least: Some(*round), at_most: Some(*round) },
        ..Outcome::words(format!("{name} {round}"))
    })
}

/// Returns the squares of a path as JSON, or `Null` if the path is empty because it was not requested.
fn squares(game: &Game, path: &[u32], budget: &Budget) -> Result<Value, Stop> {
    if path.is_empty() {
        return Ok(Value::Null);
    }
    let mut pace = Pace::new(budget);
    let _lines = Charge::new(path.len() as u64 * WITNESS_BYTES, budget)?;
    let mut squares = Vec::with_capacity(path.len());
    for square in path {
        // One step for the list, and one for the text.
        pace.count(2)?;
        let (row, column) = game.board.position(*square);
        squares.push(json!([row, column]));
    }
    Ok(Value::Array(squares))
}
