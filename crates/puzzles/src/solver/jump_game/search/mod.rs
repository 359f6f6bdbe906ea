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
//! every layer by L. When a launcher shows that d is reached, layer d − 2 is sorted by (value at u, L(u)), the
//! claims behind it are forgotten, and it plays once more. No earlier layer has a launcher; so the first u that
//! reaches any launcher decides the game.
//!
//! Rounds 0 and 1 have no jump that is compared: the first in the list wins who stands on the goal, or else
//! who reaches it at once. A square that holds 0 claims nothing.
//!
//! The claim before each claim leads back to where the winner stood. A launcher is looked for when the squares
//! claimed last are looked up on the board, some thousands at a time: reading the numbers of many squares in a row
//! is much faster than each in its turn, since they lie anywhere in memory. What was claimed behind the first
//! launcher until then changes nothing.
//!
//! **Long jumps.** A straight jump longer than the board ends nowhere. A walk that is longer than any distance on the
//! board reaches every square of its parity. So either is cut down to one of two lengths. Of such walks in a layer
//! only the first for each of the two classes of squares finds anything; the others see at once that nothing is left.
//!
//! **The published search** tries every square in reach of every visited square. Put right, it is this search over
//! [`Flags`]. It may go on when the winner is known, until every square that can be reached is claimed.
//!
//! All in all the search sorts every square once and claims it once; how fast that is, is the affair of
//! [`Unclaimed`]. Memory is 32 bytes a square and what [`Unclaimed`] takes.

// The unclaimed squares of a walk.
mod diagonals;
// A stable sort that can be interrupted.
mod order;
// A set of points in a grid from which rectangles are taken, for sets that only shrink.
mod tile_set;
// The squares that no player has reached yet, and those that were claimed.
mod unclaimed;

use self::diagonals::Diagonals;
use self::order::sort_stable;
use self::unclaimed::{Claims, Flags, Jump, Unclaimed};
use super::game::{Found, Game, Interrupted, Rules, Win};
use super::jump_options::{Algorithm, Movement, Tie, cut_down};
use crate::solver::{Budget, ChargedVec, Pace, Stop};

/// Claims that are looked up on the board together.
const LOOKED_UP: usize = 4096;

/// Finds the winner by these rules, which may be others than the game's own.
///
/// # Errors
/// The limit that ended the search, with the round before which nobody can win.
pub(super) fn search<'b>(game: &'b Game, rules: Rules, budget: &'b Budget) -> Found<'b> {
    let (mut pace, mut win) = (Pace::new(budget), None);
    let ended = match (rules.algorithm, rules.movement) {
        (Algorithm::Fast, Movement::Walk) => play::<Diagonals<'b>>(game, rules, &mut win, &mut pace),
        // Straight jumps need no more than the published search has.
        _ => play::<Flags<'b>>(game, rules, &mut win, &mut pace),
    };
    // Once the winner is known, what is left to explore changes nothing.
    if win.is_some() { Ok(win) } else { ended.map(|()| None) }
}

/// Plays round by round. `win` is written as soon as it is known.
fn play<'b, U: Unclaimed<'b>>(
    game: &'b Game,
    rules: Rules,
    win: &mut Option<Win<'b>>,
    pace: &mut Pace<'b>,
) -> Result<(), Interrupted> {
    let stops_early = rules.algorithm == Algorithm::Fast || rules.early_stop;
    *win = first_rounds(game, rules, pace)?;
    if win.is_some() && stops_early {
        return Ok(());
    }
    let mut search = Search::<U>::new(game, rules, win.is_none(), pace).map_err(Interrupted::before(2))?;
    let mut round = 2;
    loop {
        let before = Interrupted::before(round);
        search.begin_layer(pace).map_err(&before)?;
        if search.jumps.is_empty() {
            return Ok(());
        }
        let layer_end = search.claims.len();
        if let Some(mut launcher) = search.play_layer(pace).map_err(&before)? {
            let known = Interrupted::in_round(round);
            if rules.tie == Tie::FirstRound {
                launcher = search.replay(layer_end, pace).map_err(&known)?.unwrap_or(launcher);
            }
            *win = search.win(launcher, round, pace).map_err(&known)?;
            if stops_early {
                return Ok(());
            }
            search.looks_for_launchers = false;
            search.play_layer(pace).map_err(&known)?;
        }
        round += 1;
    }
}

/// Returns the winner in round 0 or 1, which takes no memory.
fn first_rounds<'b>(game: &'b Game, rules: Rules, pace: &mut Pace<'b>) -> Found<'b> {
    let goal = game.board.goal();
    if game.player_on(goal, pace).map_err(Interrupted::before(0))?.is_some() {
        return game.win(rules, 0, [], pace).map_err(Interrupted::in_round(0));
    }
    for &square in &game.players {
        pace.count(1).map_err(Interrupted::before(1))?;
        if rules.movement.reaches(&game.board, square, goal) {
            return game.win(rules, 1, [square], pace).map_err(Interrupted::in_round(1));
        }
    }
    Ok(None)
}

struct Search<'b, U> {
    game: &'b Game,
    rules: Rules,
    unclaimed: U,
    claims: Claims<'b>,
    /// The jumps from the squares of the layer that plays, in the order in which they are played.
    jumps: ChargedVec<'b, Jump>,
    /// How many of them were played.
    played: usize,
    /// Those from the layer that is being claimed.
    next: ChargedVec<'b, Jump>,
    /// How many claims were looked up on the board.
    looked_up: usize,
    /// The numbers of a few thousand squares.
    numbers: Vec<u32>,
    /// The winner is not known.
    looks_for_launchers: bool,
}

impl<'b, U: Unclaimed<'b>> Search<'b, U> {
    /// Claims the squares of the players in the order of the list.
    fn new(
        game: &'b Game,
        rules: Rules,
        looks_for_launchers: bool,
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let (board, budget) = (&game.board, pace.budget());
        let squares = board.squares();
        let mut claims = Claims::new(squares, budget)?;
        let jumps = ChargedVec::with_capacity(squares, budget)?;
        let next = ChargedVec::with_capacity(squares, budget)?;
        let mut unclaimed = U::new(board, rules.movement, pace)?;
        unclaimed.fill(pace)?;
        for &square in &game.players {
            pace.count(1)?;
            if unclaimed.remove(board, square) {
                claims.push_start(square)?;
            }
        }
        let mut search = Self {
            game,
            rules,
            unclaimed,
            claims,
            jumps,
            played: 0,
            next,
            looked_up: 0,
            numbers: Vec::new(),
            looks_for_launchers,
        };
        // While launchers are looked for no player is one jump away from the goal, so all are listed.
        search.look_up(pace)?;
        Ok(search)
    }

    /// Lets the layer that was claimed last play next, in the order of the tie rule.
    fn begin_layer(&mut self, pace: &mut Pace<'b>) -> Result<(), Stop> {
        std::mem::swap(&mut self.jumps, &mut self.next);
        if self.rules.tie == Tie::PreviousRound {
            self.sort_jumps(pace)?;
        }
        self.next.clear();
        self.played = 0;
        Ok(())
    }

    /// Claims what the jumps reach that are not played, up to the first launcher.
    fn play_layer(&mut self, pace: &mut Pace<'b>) -> Result<Option<usize>, Stop> {
        while self.played < self.jumps.len() {
            pace.count(1)?;
            let jump = self.jumps[self.played];
            self.unclaimed.take_in_reach(&self.game.board, jump, &mut self.claims, pace)?;
            self.played += 1;
            if self.claims.len() - self.looked_up >= LOOKED_UP
                && let Some(launcher) = self.look_up(pace)?
            {
                return Ok(Some(launcher));
            }
        }
        self.look_up(pace)
    }

    /// Looks the numbers of the claims made last up, and lists the jumps from them; ends with the first launcher.
    fn look_up(&mut self, pace: &mut Pace<'b>) -> Result<Option<usize>, Stop> {
        let (board, rules) = (&self.game.board, self.rules);
        let (goal, longest) = (board.goal(), rules.movement.longest(board));
        while self.looked_up < self.claims.len() {
            let first = self.looked_up;
            let end = self.claims.len().min(first + LOOKED_UP);
            pace.count(end - first)?;
            let squares = self.claims.squares(first..end);
            self.numbers.clear();
            self.numbers.extend(squares.iter().map(|&square| board.small_value(square)));
            for (claim, (&square, &number)) in (first..).zip(squares.iter().zip(&self.numbers)) {
                self.looked_up = claim;
                let length = if number <= longest { number } else { cut_down(board.value(square), longest) };
                if self.looks_for_launchers && rules.movement.leads(board, u64::from(length), square, goal) {
                    return Ok(Some(claim));
                }
                if length > 0 {
                    self.next.push(Jump { square, length, claim: claim as u32 })?;
                }
            }
            self.looked_up = end;
        }
        Ok(None)
    }

    /// Sorts the jumps of the layer that plays by the numbers on their squares; equal ones keep their order.
    fn sort_jumps(&mut self, pace: &mut Pace<'b>) -> Result<(), Stop> {
        let board = &self.game.board;
        let longest = self.rules.movement.longest(board);
        sort_stable(&mut self.jumps, &mut self.next, pace, |jump| {
            if jump.length <= longest { u64::from(jump.length) } else { board.value(jump.square) }
        })
    }

    /// Under the rule of the first round: lets the layer before the launchers play again, in order of the jump
    /// that counts. Gives the launcher that decides the game: there is one, as one was claimed. The claims of the
    /// layer end before number `layer_end`.
    fn replay(&mut self, layer_end: usize, pace: &mut Pace<'b>) -> Result<Option<usize>, Stop> {
        let board = &self.game.board;
        self.claims.truncate(layer_end);
        self.looked_up = layer_end;
        self.unclaimed.fill(pace)?;
        for &square in self.claims.squares(0..layer_end) {
            pace.count(1)?;
            self.unclaimed.remove(board, square);
        }
        self.sort_jumps(pace)?;
        self.next.clear();
        self.played = 0;
        self.play_layer(pace)
    }

    /// Follows the claims from the launcher back to the winner.
    fn win(&self, launcher: usize, round: u64, pace: &mut Pace<'b>) -> Result<Option<Win<'b>>, Stop> {
        let claims = std::iter::successors(Some(launcher), |&claim| self.claims.parent(claim));
        self.game.win(self.rules, round, claims.map(|claim| self.claims.square(claim)), pace)
    }
}
