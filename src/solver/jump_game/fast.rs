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
//! The claim before each claim leads back to where the winner stood. A launcher is looked for when the squares
//! claimed last are looked up on the board, some thousands at a time: reading the numbers of many squares in a row
//! is much faster than each in its turn, since they lie anywhere in memory. What was claimed behind the first
//! launcher until then changes nothing.
//!
//! **Long jumps.** A straight jump longer than the board ends nowhere, and is dropped. A walk that is longer than
//! any distance on the board reaches every square of its parity, so it is cut down to one of two lengths. Of such
//! walks in a layer only the first for each of the two classes of squares finds anything, so the true numbers are
//! compared only to find these two, and all keys that are sorted are small.
//!
//! All in all the search sorts every square once and claims it once; how fast that is, is the affair of
//! [`Unclaimed`]. Memory is 32 bytes a square and what [`Unclaimed`] takes.

use super::claims::{Claims, Jump};
use super::diagonals::Diagonals;
use super::game::{Found, Game, Interrupted, Win};
use super::options::{Movement, Tie};
use super::order::sort_stable;
use super::unclaimed::{Flags, Unclaimed};
use crate::board::jump::Board;
use crate::solver::{Budget, Pace, Stop};

/// Finds the winner.
///
/// # Errors
/// The limit that ended the search, with the round before which nobody can win.
pub(super) fn search(game: &Game, budget: &Budget) -> Found {
    let mut pace = Pace::new(budget);
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
    if let Some(player) = game.player_on(goal, pace).map_err(Interrupted::before(0))? {
        return Ok(Some(Win { player, round: 0, path: if witness { vec![goal] } else { Vec::new() } }));
    }
    for (player, &square) in game.players.iter().enumerate() {
        pace.count(1).map_err(Interrupted::before(1))?;
        if game.rules.movement.reaches(&game.board, square, goal) {
            let path = if witness { vec![square, goal] } else { Vec::new() };
            return Ok(Some(Win { player, round: 1, path }));
        }
    }
    Ok(None)
}

/// Plays the rounds from 2 on.
fn play<U: Unclaimed>(game: &Game, pace: &mut Pace<'_>) -> Found {
    let mut search = Search::<U>::new(game, pace).map_err(Interrupted::before(2))?;
    let mut layer = 0..search.claims.len();
    // The goal is reached in this round if a launcher is claimed now.
    let mut round = 2;
    while !layer.is_empty() {
        let Some(launcher) = search.next_layer(pace).map_err(Interrupted::before(round))? else {
            layer = layer.end..search.claims.len();
            round += 1;
            continue;
        };
        let known = Interrupted::in_round(round);
        let launcher = match game.rules.tie {
            Tie::PreviousRound => launcher,
            Tie::FirstRound => search.replay(layer.end, pace).map_err(&known)?,
        };
        return search.win(launcher, round, pace).map_err(known);
    }
    Ok(None)
}

struct Search<'a, U> {
    game: &'a Game,
    unclaimed: U,
    claims: Claims,
    /// The jumps from the squares of the last layer that is complete, in the order of their claims.
    jumps: Vec<Jump>,
    /// Those from the layer that is being claimed.
    next: Vec<Jump>,
    /// How many claims were looked up on the board.
    looked_up: usize,
    /// The numbers of a few thousand squares.
    numbers: Vec<u32>,
    /// The length of the longest jump that fits the board.
    longest: u32,
}

impl<'a, U: Unclaimed> Search<'a, U> {
    /// Claims the squares of the players in the order of the list.
    fn new(game: &'a Game, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let board = &game.board;
        let squares = board.squares();
        let jump_lists = 2 * size_of::<Jump>() as u64;
        pace.budget().charge(squares as u64 * (Claims::BYTES + jump_lists))?;
        let mut unclaimed = U::new(board, pace)?;
        unclaimed.fill(board, pace)?;
        let mut claims = Claims::new(squares);
        for &square in &game.players {
            pace.count(1)?;
            if unclaimed.remove(board, square) {
                claims.push_start(square);
            }
        }
        let lists = [(); 2].map(|()| Vec::with_capacity(squares));
        let [jumps, next] = lists;
        let longest = U::longest(board);
        let mut search =
            Self { game, unclaimed, claims, jumps, next, looked_up: 0, numbers: Vec::new(), longest };
        // No player is one jump away from the goal.
        search.look_up(pace)?;
        std::mem::swap(&mut search.jumps, &mut search.next);
        Ok(search)
    }

    /// Claims what the jumps of the last layer reach, in the order of the tie rule. Ends with the first launcher
    /// where there is one.
    fn next_layer(&mut self, pace: &mut Pace<'_>) -> Result<Option<usize>, Stop> {
        if self.game.rules.tie == Tie::PreviousRound {
            self.sort_jumps(pace)?;
        }
        self.next.clear();
        for index in 0..self.jumps.len() {
            pace.count(1)?;
            self.unclaimed.take_in_reach(&self.game.board, self.jumps[index], &mut self.claims, pace)?;
            if self.claims.len() - self.looked_up >= Pace::STEPS
                && let Some(launcher) = self.look_up(pace)?
            {
                return Ok(Some(launcher));
            }
        }
        let launcher = self.look_up(pace)?;
        if launcher.is_none() {
            std::mem::swap(&mut self.jumps, &mut self.next);
        }
        Ok(launcher)
    }

    /// Looks the numbers of the claims made last up, and lists the jumps from them; ends with the first launcher.
    fn look_up(&mut self, pace: &mut Pace<'_>) -> Result<Option<usize>, Stop> {
        let Game { board, rules, .. } = self.game;
        let goal = board.goal();
        while self.looked_up < self.claims.len() {
            let first = self.looked_up;
            self.looked_up = self.claims.len().min(first + Pace::STEPS);
            pace.count(self.looked_up - first)?;
            let squares = self.claims.squares(first..self.looked_up);
            self.numbers.clear();
            self.numbers.extend(squares.iter().map(|&square| board.small_value(square)));
            for (claim, (&square, &number)) in (first..).zip(squares.iter().zip(&self.numbers)) {
                if number == 0 {
                    continue;
                }
                let length = if number <= self.longest { Some(number) } else { cut_down::<U>(board, square) };
                let Some(length) = length else { continue };
                if rules.movement.leads(board, u64::from(length), square, goal) {
                    return Ok(Some(claim));
                }
                self.next.push(Jump { square, length, claim: claim as u32 });
            }
        }
        Ok(None)
    }

    /// Sorts the jumps of the last layer by the numbers on their squares; equal ones keep their order. Of those
    /// that are longer than all distances only what can find anything is kept.
    fn sort_jumps(&mut self, pace: &mut Pace<'_>) -> Result<(), Stop> {
        sort_stable(&mut self.jumps, &mut self.next, pace, |jump| u64::from(jump.length))?;
        let board = &self.game.board;
        let longest = self.longest;
        let long = self.jumps.partition_point(|jump| jump.length <= longest);
        let mut firsts: [Option<(u64, Jump)>; 2] = [None; 2];
        for chunk in self.jumps[long..].chunks(Pace::STEPS) {
            pace.count(chunk.len())?;
            for &jump in chunk {
                let (row, column) = board.position(jump.square);
                let first = &mut firsts[((row ^ column ^ jump.length) & 1) as usize];
                let value = board.value(jump.square);
                // Equal numbers have the same parity, so among these the order is still that of the claims.
                if first.is_none_or(|(least, _)| value < least) {
                    *first = Some((value, jump));
                }
            }
        }
        self.jumps.truncate(long);
        let mut firsts: Vec<(u64, Jump)> = firsts.into_iter().flatten().collect();
        firsts.sort_by_key(|&(value, jump)| (value, jump.claim));
        self.jumps.extend(firsts.into_iter().map(|(_, jump)| jump));
        Ok(())
    }

    /// Under the rule of the first round: lets the layer before the launchers play again, for launchers alone
    /// and in order of the jump that counts. Gives the launcher that decides the game: there is one, as one was
    /// claimed. The claims of the layer end before number `layer_end`.
    fn replay(&mut self, layer_end: usize, pace: &mut Pace<'_>) -> Result<usize, Stop> {
        let Game { board, rules, .. } = self.game;
        let goal = board.goal();
        self.sort_jumps(pace)?;
        self.unclaimed.fill_with(board, pace, |square| rules.movement.reaches(board, square, goal))?;
        self.claims.truncate(layer_end);
        for &jump in &self.jumps {
            self.unclaimed.take_in_reach(board, jump, &mut self.claims, pace)?;
            if self.claims.len() > layer_end {
                break;
            }
        }
        Ok(layer_end)
    }

    /// Follows the claims from the launcher back to the winner.
    fn win(&self, launcher: usize, round: u64, pace: &mut Pace<'_>) -> Result<Option<Win>, Stop> {
        let witness = self.game.rules.witness;
        let mut path = Vec::new();
        if witness {
            pace.budget().charge((round + 1) * size_of::<u32>() as u64)?;
            path.reserve_exact(round as usize + 1);
            path.push(self.game.board.goal());
        }
        let mut claim = launcher;
        loop {
            pace.count(1)?;
            if witness {
                path.push(self.claims.square(claim));
            }
            match self.claims.parent(claim) {
                Some(parent) => claim = parent,
                None => break,
            }
        }
        path.reverse();
        let player = self.game.player_on(self.claims.square(claim), pace)?;
        Ok(player.map(|player| Win { player, round, path }))
    }
}

/// The length of a jump that is longer than all that matter; `None` where it ends nowhere.
fn cut_down<U: Unclaimed>(board: &Board, square: u32) -> Option<u32> {
    let longest = U::longest(board);
    U::longer_jumps_end().then(|| longest + 1 + ((board.value(square) ^ u64::from(longest + 1)) & 1) as u32)
}
