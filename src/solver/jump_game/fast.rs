//! The winner by one search from all players at once, in which every square is claimed once.
//!
//! Let d be the winner's round. On any path that reaches the goal in d rounds the square p(t) cannot be
//! reached by anybody in fewer than t rounds, or the goal could be reached earlier. So all paths that count
//! run through the *layers* of a breadth-first search from all players together: layer t holds the squares
//! that somebody can reach in t rounds and nobody in fewer. And the other way round: every path from layer to
//! layer that ends on the goal in round d is one of some player. The goal itself is never searched for: the
//! search ends when a layer holds a *launcher*, a square from which the goal is one jump away. If the first
//! layer with a launcher is layer t, then d = t + 1. What the last jump is long does not matter, because the
//! game is over before anybody compares it.
//!
//! **Previous round.** The player who goes first in round t + 1 is the one whose path has the smallest key
//! (value at p(t − 1), value at p(t − 2), …, value at p0, place in the list); this is the order after round t.
//! The best key of a square v in layer t + 1 is (value at u) followed by the best key of u, for the best u in
//! layer t that reaches v: a longer key begins with the last jump, and what follows is a key of u, which may
//! as well be its best. So keys need not be stored. If layer t is listed by its best keys, then, sorted stably
//! by the values on its squares, it is listed by (value at u, best key of u). Let its squares claim what they
//! reach in this order: every square of layer t + 1 is claimed by the u that gives it its best key, and the
//! layer is listed by best keys. Equal keys belong to the same player, so the order among them is free.
//! Layer 0 is listed by place in the list; of several players on one square only the first can win. The first
//! launcher that is claimed in layer d − 1 has the best key of all launchers, and decides the game.
//!
//! (First come, first served, without sorting, is the mistake of published programs.)
//!
//! **First round.** The key of a whole path is only (value at p(d − 2), place in the list). One owner a square
//! is not enough for that: the one who gets to v by the shorter jump wins if v is a launcher, and the one
//! listed first does if the game goes on behind v. So two searches: the layers up to d − 2 are claimed in order
//! of place in the list, which gives every square u the first player L(u) who can be there in time, and lists
//! every layer by L. When a launcher shows that d is reached, layer d − 2 is sorted by (value at u, L(u)) and
//! plays once more, for launchers alone. All launchers are unclaimed then, for no earlier layer has one; so
//! the first u that reaches any launcher decides the game.
//!
//! Rounds 0 and 1 have no jump that is compared: the first in the list wins who stands on the goal, or else
//! who reaches it at once. A square that holds 0 claims nothing.
//!
//! The parent of each square, who claimed it, leads back to where the winner stood. All in all the search
//! sorts every square once and claims it once; how fast that is, is the affair of [`Unclaimed`]. Memory is
//! 12 bytes a square and what [`Unclaimed`] takes.

use std::ops::Range;

use super::diagonals::Diagonals;
use super::game::{Cut, Found, Game, Tie, Win};
use super::order::sort_stable;
use super::pace::Pace;
use super::unclaimed::{Flags, Unclaimed};
use crate::board::jump::Movement;
use crate::solver::{Budget, Stop};

/// Finds the winner.
///
/// # Errors
/// The limit that ended the search, with the round before which nobody can win.
pub(super) fn search(game: &Game, budget: &Budget) -> Found {
    let mut pace = Pace::new(budget).map_err(Cut::before(0))?;
    if let Some(win) = first_rounds(game, &mut pace)? {
        return Ok(Some(win));
    }
    match game.rules.movement {
        Movement::Walk => play::<Diagonals>(game, &mut pace),
        Movement::Straight => play::<Flags>(game, &mut pace),
    }
}

/// The winner in round 0 or 1, which takes no memory.
fn first_rounds(game: &Game, pace: &mut Pace<'_>) -> Found {
    let goal = game.board.goal();
    let witness = game.rules.witness;
    if let Some(player) = game.player_on(goal, pace).map_err(Cut::before(0))? {
        return Ok(Some(Win { player, round: 0, path: if witness { vec![goal] } else { Vec::new() } }));
    }
    for (player, &square) in game.players.iter().enumerate() {
        pace.count(1).map_err(Cut::before(1))?;
        if game.board.reaches(game.rules.movement, square, goal) {
            let path = if witness { vec![square, goal] } else { Vec::new() };
            return Ok(Some(Win { player, round: 1, path }));
        }
    }
    Ok(None)
}

/// Plays the rounds from 2 on.
fn play<U: Unclaimed>(game: &Game, pace: &mut Pace<'_>) -> Found {
    let mut search = Search::<U>::new(game, pace).map_err(Cut::before(2))?;
    let mut layer = 0..search.claimed.len();
    // The goal is reached in this round if a launcher is claimed now.
    let mut round = 2;
    while !layer.is_empty() {
        let launcher = match search.next_layer(layer.clone(), pace) {
            Ok(()) => {
                layer = layer.end..search.claimed.len();
                round += 1;
                continue;
            }
            Err(Halt::Launcher(square)) => square,
            Err(Halt::Stop(stop)) => return Err(Cut::before(round)(stop)),
        };
        let known = Cut::in_round(round);
        let launcher = match game.rules.tie {
            Tie::PreviousRound => launcher,
            Tie::FirstRound => search.replay(layer, launcher, pace).map_err(&known)?,
        };
        return search.win(launcher, round, pace).map_err(known);
    }
    Ok(None)
}

/// Why a layer is not completed.
enum Halt {
    Stop(Stop),
    /// This square was claimed, and the goal is one jump away from it.
    Launcher(u32),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

struct Search<'a, U> {
    game: &'a Game,
    unclaimed: U,
    /// The square from which each was claimed, or itself where a player starts; of no meaning before that.
    parents: Vec<u32>,
    /// All claimed squares, layer by layer.
    claimed: Vec<u32>,
    /// For sorting.
    scratch: Vec<u32>,
}

impl<'a, U: Unclaimed> Search<'a, U> {
    /// Claims the squares of the players in the order of the list.
    fn new(game: &'a Game, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let squares = game.board.squares();
        let vectors = 3 * size_of::<u32>() as u64;
        pace.budget().charge(squares as u64 * vectors)?;
        let mut unclaimed = U::new(&game.board, pace)?;
        unclaimed.fill(&game.board, pace, |_| true)?;
        let mut parents = vec![0; squares];
        let mut claimed = Vec::with_capacity(squares);
        for &square in &game.players {
            pace.count(1)?;
            if unclaimed.remove(&game.board, square) {
                parents[square as usize] = square;
                claimed.push(square);
            }
        }
        Ok(Self { game, unclaimed, parents, claimed, scratch: vec![0; squares] })
    }

    /// Claims what a layer reaches, in the order of the tie rule, up to the first launcher.
    fn next_layer(&mut self, layer: Range<usize>, pace: &mut Pace<'_>) -> Result<(), Halt> {
        let Game { board, rules, .. } = self.game;
        let goal = board.goal();
        if rules.tie == Tie::PreviousRound {
            self.sort_by_value(layer.clone(), pace)?;
        }
        for index in layer {
            pace.count(1)?;
            let from = self.claimed[index];
            self.unclaimed.take_in_reach(board, from, |square| {
                pace.count(1)?;
                self.parents[square as usize] = from;
                self.claimed.push(square);
                if board.reaches(rules.movement, square, goal) {
                    return Err(Halt::Launcher(square));
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Under the rule of the first round: lets the layer before the launchers play again, for launchers alone
    /// and in order of the jump that counts. Gives the launcher that decides the game; one that is known to
    /// be in reach of the layer is `launcher`.
    fn replay(&mut self, layer: Range<usize>, launcher: u32, pace: &mut Pace<'_>) -> Result<u32, Stop> {
        let Game { board, rules, .. } = self.game;
        let goal = board.goal();
        self.sort_by_value(layer.clone(), pace)?;
        self.unclaimed.fill(board, pace, |square| board.reaches(rules.movement, square, goal))?;
        for &from in &self.claimed[layer] {
            pace.count(1)?;
            if let Err(found) = self.unclaimed.take_in_reach(board, from, Err) {
                self.parents[found as usize] = from;
                return Ok(found);
            }
        }
        Ok(launcher)
    }

    /// Sorts a layer by the values on its squares; among equal ones the order stays.
    fn sort_by_value(&mut self, layer: Range<usize>, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let board = &self.game.board;
        sort_stable(&mut self.claimed[layer], &mut self.scratch, pace, |square| board.value(square))
    }

    /// Follows the parents of the launcher back to the winner.
    fn win(&self, launcher: u32, round: u64, pace: &mut Pace<'_>) -> Result<Option<Win>, Stop> {
        let witness = self.game.rules.witness;
        let mut path = Vec::new();
        if witness {
            pace.budget().charge((round + 1) * size_of::<u32>() as u64)?;
            path.reserve_exact(round as usize + 1);
            path.push(self.game.board.goal());
        }
        let mut square = launcher;
        loop {
            pace.count(1)?;
            if witness {
                path.push(square);
            }
            let parent = self.parents[square as usize];
            if parent == square {
                break;
            }
            square = parent;
        }
        path.reverse();
        let player = self.game.player_on(square, pace)?;
        Ok(player.map(|player| Win { player, round, path }))
    }
}
