//! The published breadth-first search, put right: it tries every square in reach of every visited square.
//!
//! Like the published program it looks at all ends of every jump, whether they were visited or not, so it
//! takes O(N²·M²) time with `walk`. Unlike it, and unlike the fast search, a square does not go to who comes
//! first: all jumps onto it from the layer before are compared by their keys. What a key is and why this is
//! exact stands in [`super::fast`]; every visited square keeps
//!
//! - the best pair (length of the jump onto it, order of the square it came from), which decides if the goal
//!   is reached from here,
//! - an *order* that counts if the game goes on behind the square. Under the rule of the previous round it is
//!   the rank of that pair in its layer, under the rule of the first round the place in the list of the first
//!   player who can be here in time.

use std::ops::ControlFlow;

use super::game::{Found, Game, Interrupted, Win};
use super::options::{Movement, Tie};
use super::order::sort_stable;
use crate::solver::{Budget, Pace, Stop};

/// Layer of a square that nobody has reached.
const UNVISITED: u32 = u32::MAX;

/// What is known about a square.
#[derive(Debug, Clone, Copy)]
struct Visit {
    layer: u32,
    order: u32,
    /// The length of the best jump onto this square; 0 where a player starts.
    jump: u64,
    /// The order of the square from which that jump came; a player's place in the list where it starts.
    jump_order: u32,
    /// That square; itself where a player starts.
    by_jump: u32,
    /// Under the rule of the first round: the square from which `order` came.
    by_order: u32,
}

/// Finds the winner.
///
/// # Errors
/// The limit that ended the search, with the round before which nobody can win.
pub(super) fn search(game: &Game, budget: &Budget) -> Found {
    let mut pace = Pace::new(budget);
    let mut search = Search::new(game, &mut pace).map_err(Interrupted::before(0))?;
    let early_stop = game.rules.early_stop;
    let goal = game.board.goal();
    let mut win = None;
    if search.visits[goal as usize].layer == 0 {
        win = search.win(0, goal, &mut pace).map_err(Interrupted::in_round(0))?;
    }
    let mut round = 1;
    while !(search.layer.is_empty() || early_stop && win.is_some()) {
        match search.next_layer(&mut pace, early_stop) {
            Ok(Some(launcher)) if win.is_none() => {
                win = search.win(round, launcher, &mut pace).map_err(Interrupted::in_round(round))?;
            }
            Ok(_) => {}
            // Once the winner is known, what is left to explore changes nothing.
            Err(_) if win.is_some() => break,
            Err(stop) => return Err(Interrupted::before(round)(stop)),
        }
        round += 1;
    }
    Ok(win)
}

struct Search<'a> {
    game: &'a Game,
    visits: Vec<Visit>,
    /// The squares of the layer that plays next, and of the one after it.
    layer: Vec<u32>,
    next: Vec<u32>,
    scratch: Vec<u32>,
    /// The number of `layer`.
    depth: u32,
}

impl<'a> Search<'a> {
    fn new(game: &'a Game, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let squares = game.board.squares();
        let bytes = size_of::<Visit>() + 3 * size_of::<u32>();
        pace.budget().charge((squares * bytes) as u64)?;
        let blank = Visit { layer: UNVISITED, order: 0, jump: 0, jump_order: 0, by_jump: 0, by_order: 0 };
        let mut visits = Vec::with_capacity(squares);
        while visits.len() < squares {
            pace.count(Pace::STEPS)?;
            visits.resize(squares.min(visits.len() + Pace::STEPS), blank);
        }
        let mut layer = Vec::with_capacity(squares);
        for (player, &square) in game.players.iter().enumerate() {
            pace.count(1)?;
            let visit = &mut visits[square as usize];
            if visit.layer == UNVISITED {
                let player = player as u32;
                *visit = Visit {
                    layer: 0,
                    order: player,
                    jump: 0,
                    jump_order: player,
                    by_jump: square,
                    by_order: square,
                };
                layer.push(square);
            }
        }
        Ok(Self {
            game,
            visits,
            layer,
            next: Vec::with_capacity(squares),
            scratch: Vec::with_capacity(squares),
            depth: 0,
        })
    }

    /// Plays the layer in the order that decides who is first on the goal: tries everything in reach of its
    /// squares. Gives the first launcher, and ends there if that is enough.
    fn next_layer(&mut self, pace: &mut Pace<'_>, early_stop: bool) -> Result<Option<u32>, Stop> {
        self.sort_layer(pace)?;
        let goal = self.game.board.goal();
        let mut launcher = None;
        self.next.clear();
        for index in 0..self.layer.len() {
            let from = self.layer[index];
            try_reach(self.game, from, pace, |to| {
                if to == goal && launcher.is_none() {
                    launcher = Some(from);
                    if early_stop {
                        return ControlFlow::Break(());
                    }
                }
                self.visit(from, to);
                ControlFlow::Continue(())
            })?;
            if early_stop && launcher.is_some() {
                break;
            }
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        self.depth += 1;
        Ok(launcher)
    }

    /// Sorts the layer by (jump, order of the jump) and, under the rule of the previous round, ranks it.
    fn sort_layer(&mut self, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let visits = &self.visits;
        sort_stable(&mut self.layer, &mut self.scratch, pace, |&square| {
            u64::from(visits[square as usize].jump_order)
        })?;
        sort_stable(&mut self.layer, &mut self.scratch, pace, |&square| visits[square as usize].jump)?;
        if self.game.rules.tie == Tie::FirstRound {
            return Ok(());
        }
        let mut rank = 0;
        let mut key_before = None;
        for (index, &square) in self.layer.iter().enumerate() {
            pace.count(1)?;
            let visit = &mut self.visits[square as usize];
            let key = (visit.jump, visit.jump_order);
            if key_before != Some(key) {
                rank = index as u32;
                key_before = Some(key);
            }
            visit.order = rank;
        }
        Ok(())
    }

    /// Compares the jump from `from` with those that led to `to` so far.
    fn visit(&mut self, from: u32, to: u32) {
        let order = self.visits[from as usize].order;
        let key = (self.game.board.value(from), order);
        let visit = &mut self.visits[to as usize];
        let new = visit.layer == UNVISITED;
        if new {
            self.next.push(to);
            visit.layer = self.depth + 1;
        } else if visit.layer != self.depth + 1 {
            return;
        }
        if new || key < (visit.jump, visit.jump_order) {
            (visit.jump, visit.jump_order) = key;
            visit.by_jump = from;
        }
        if new || order < visit.order {
            visit.order = order;
            visit.by_order = from;
        }
    }

    /// The winner is whose best path leads to `launcher` and on to the goal, in `round`; in round 0 both are
    /// the same.
    fn win(&self, round: u64, launcher: u32, pace: &mut Pace<'_>) -> Result<Option<Win>, Stop> {
        let mut path = Vec::new();
        let witness = self.game.rules.witness;
        if witness {
            pace.budget().charge((round + 1) * size_of::<u32>() as u64)?;
            path.reserve_exact(round as usize + 1);
            path.push(self.game.board.goal());
        }
        let mut square = launcher;
        // Back over the launcher by its best jump, and then over the squares that were first in order.
        for left in (1..=round).rev() {
            pace.count(1)?;
            if witness {
                path.push(square);
            }
            let visit = self.visits[square as usize];
            let by_jump = left == round || self.game.rules.tie == Tie::PreviousRound;
            square = if by_jump { visit.by_jump } else { visit.by_order };
        }
        path.reverse();
        let player = self.game.player_on(square, pace)?;
        Ok(player.map(|player| Win { player, round, path }))
    }
}

/// Calls `each` for every square that one jump from `from` reaches, row by row, until it breaks.
fn try_reach(
    game: &Game,
    from: u32,
    pace: &mut Pace<'_>,
    mut each: impl FnMut(u32) -> ControlFlow<()>,
) -> Result<(), Stop> {
    pace.count(1)?;
    let board = &game.board;
    let value = board.value(from);
    // No board is wider or higher than that.
    let length = u32::try_from(value).unwrap_or(u32::MAX);
    if game.rules.movement == Movement::Straight {
        let _ = board.straight_jumps(from, length).try_for_each(each);
        return Ok(());
    }
    if value == 0 {
        return Ok(());
    }
    let (row, column) = board.position(from);
    for row_to in row.saturating_sub(length)..=row.saturating_add(length).min(board.rows() - 1) {
        let down = row.abs_diff(row_to);
        let right_max = length - down;
        let left_end = column.saturating_sub(right_max);
        let right_end = column.saturating_add(right_max).min(board.columns() - 1);
        // The parity of the whole distance is that of the number on the square.
        let odd = (u64::from(down + column.abs_diff(left_end)) ^ value) % 2 == 1;
        for column_to in (left_end + u32::from(odd)..=right_end).step_by(2) {
            pace.count(1)?;
            if each(board.square(row_to, column_to)).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
