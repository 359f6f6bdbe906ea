//! Finds the winner by one search from all players at once, in which every square is claimed once.
//!
//! Let d be the winner's round. On any path that reaches the goal in d rounds, nobody can reach the square p(t) in
//! fewer than t rounds, or the goal could be reached earlier. So all paths that count run through the *layers* of a
//! breadth-first search from all players together: layer t holds the squares that some player can reach in t rounds and
//! none in fewer. Conversely, every path from layer to layer that ends on the goal in round d is a path of some player.
//! The search never looks for the goal itself. It ends when a layer holds a *launcher*, a square from which the goal is
//! one jump away. If the first layer with a launcher is layer t, then d = t + 1. The length of the last jump does not
//! matter, because the game is over before it is compared.
//!
//! **Previous round.** The player who goes first in round t + 1 is the one whose path has the smallest key (value at
//! p(t − 1), value at p(t − 2), …, value at p0, place in the list); this is the order after round t. The best key of a
//! square v in layer t + 1 is (value at u) followed by the best key of u, for the best u in layer t that reaches v: a
//! longer key begins with the last jump, and the rest is a key of u, which can as well be its best. So keys need not be
//! stored. If layer t is listed by its best keys, sorting it stably by the values on its squares lists it by (value at
//! u, best key of u). Let its squares claim what they reach in this order. Then every square of layer t + 1 is claimed
//! by the u that gives it its best key, and that layer is listed by best keys. Equal keys belong to the same player, so
//! their order is free. Layer 0 is listed by place in the list; of several players on one square only the first can
//! win. The first launcher that is claimed in layer d − 1 has the best key of all launchers, and decides the game.
//!
//! (First come, first served, without sorting, is the mistake of the published programs.)
//!
//! **First round.** The key of a whole path is only (value at p(d − 2), place in the list). One owner per square is not
//! enough for that: if v is a launcher, the player who gets to v by the shorter jump wins, but if the game goes on
//! after v, the player listed first does. So there are two searches. First, the layers up to d − 2 are claimed in order
//! of place in the list. This gives every square u the first player L(u) who can be there in time, and lists every
//! layer by L. When a launcher shows that d is reached, layer d − 2 is sorted by (value at u, L(u)), the claims after
//! it are dropped, and it plays once more. No earlier layer has a launcher, so the first u that reaches any launcher
//! decides the game.
//!
//! Rounds 0 and 1 compare no jumps: the winner is the first player in the list who stands on the goal or, if there is
//! none, who reaches it in one jump. A square that holds 0 claims nothing.
//!
//! Each claim's parent leads back to where the winner started. Launchers are found when the latest claims are looked up
//! on the board, some thousands at a time: reading the numbers of many squares in a row is much faster than one by one,
//! since they lie anywhere in memory. Squares claimed after the first launcher in the meantime change nothing.
//!
//! **Long jumps.** A straight jump longer than the board ends nowhere. A walk longer than any distance on the board
//! reaches every square of its parity. So either is cut down to one of two lengths. Of the long walks in a layer only
//! the first for each of the two classes of squares finds anything; the others see at once that nothing is left.
//!
//! **The published search** tries every square in reach of every visited square. Corrected, it is this search over
//! [`Flags`]. It can go on after the winner is known, until every reachable square is claimed.
//!
//! In total, the search sorts every square once and claims it once; [`Unclaimed`] decides how fast that is. Memory is
//! 32 bytes per square, plus what [`Unclaimed`] takes.

mod diagonals;
mod order;
mod tile_set;
mod unclaimed;

use self::diagonals::Diagonals;
use self::order::sort_stable;
use self::unclaimed::{Claims, Flags, Jump, Unclaimed};
use super::game::{Game, Interrupted, Rules, SearchResult, Win};
use super::jump_options::{Algorithm, Movement, Tie, cut_down};
use crate::solver::{Budget, ChargedVec, Pace, Stop};

/// Claims that are looked up on the board at once.
const CLAIMS_PER_LOOKUP: usize = 4096;

/// Finds the winner under `rules`, which can differ from the game's own.
///
/// # Errors
/// Returns the limit that ended the search, with the round before which no player can win.
pub(super) fn search<'b>(game: &'b Game, rules: Rules, budget: &'b Budget) -> SearchResult<'b> {
    let (mut pace, mut win) = (Pace::new(budget), None);
    let ended = match (rules.algorithm, rules.movement) {
        (Algorithm::Fast, Movement::Walk) => play::<Diagonals<'b>>(game, rules, &mut win, &mut pace),
        // For straight jumps the flags of the published search are enough.
        _ => play::<Flags<'b>>(game, rules, &mut win, &mut pace),
    };
    // Once the winner is known, further exploration changes nothing.
    if win.is_some() { Ok(win) } else { ended.map(|()| None) }
}

/// Plays round by round. Sets `win` as soon as it is known.
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
        let layer_end = search.claims.squares.len();
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
fn first_rounds<'b>(game: &'b Game, rules: Rules, pace: &mut Pace<'b>) -> SearchResult<'b> {
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
    /// The jumps from the squares of the playing layer, in the order in which they are played.
    jumps: ChargedVec<'b, Jump>,
    /// The number of jumps already played.
    played: usize,
    /// The jumps from the layer that is being claimed.
    next: ChargedVec<'b, Jump>,
    /// The number of claims already looked up on the board.
    looked_up: usize,
    /// The numbers on a few thousand squares.
    numbers: Vec<u32>,
    /// Whether the winner is still unknown.
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
                claims.push(square, claims.squares.len() as u32)?;
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
        // No player is one jump away from the goal while launchers are looked for, so this lists all of them.
        search.look_up(pace)?;
        Ok(search)
    }

    /// Makes the layer that was claimed last the playing layer, in the order of the tie rule.
    fn begin_layer(&mut self, pace: &mut Pace<'b>) -> Result<(), Stop> {
        std::mem::swap(&mut self.jumps, &mut self.next);
        if self.rules.tie == Tie::PreviousRound {
            self.sort_jumps(pace)?;
        }
        self.next.clear();
        self.played = 0;
        Ok(())
    }

    /// Plays the remaining jumps and claims what they reach, up to the first launcher.
    fn play_layer(&mut self, pace: &mut Pace<'b>) -> Result<Option<usize>, Stop> {
        while self.played < self.jumps.len() {
            pace.count(1)?;
            let jump = self.jumps[self.played];
            self.unclaimed.take_in_reach(&self.game.board, jump, &mut self.claims, pace)?;
            self.played += 1;
            if self.claims.squares.len() - self.looked_up >= CLAIMS_PER_LOOKUP
                && let Some(launcher) = self.look_up(pace)?
            {
                return Ok(Some(launcher));
            }
        }
        self.look_up(pace)
    }

    /// Looks up the numbers on the latest claims and lists the jumps from them. Stops at the first launcher.
    fn look_up(&mut self, pace: &mut Pace<'b>) -> Result<Option<usize>, Stop> {
        let (board, rules) = (&self.game.board, self.rules);
        let (goal, longest) = (board.goal(), rules.movement.longest(board));
        while self.looked_up < self.claims.squares.len() {
            let first = self.looked_up;
            let end = self.claims.squares.len().min(first + CLAIMS_PER_LOOKUP);
            pace.count(end - first)?;
            let squares = &self.claims.squares[first..end];
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

    /// Sorts the jumps of the playing layer by the numbers on their squares; equal ones keep their order.
    fn sort_jumps(&mut self, pace: &mut Pace<'b>) -> Result<(), Stop> {
        let board = &self.game.board;
        let longest = self.rules.movement.longest(board);
        sort_stable(&mut self.jumps, &mut self.next, pace, |jump| {
            if jump.length <= longest { u64::from(jump.length) } else { board.value(jump.square) }
        })
    }

    /// Under the rule of the first round: lets the layer before the launchers play again, in the order of the jump that
    /// counts. Its claims end before number `layer_end`. Returns the launcher that decides the game; one exists, since
    /// one was claimed.
    fn replay(&mut self, layer_end: usize, pace: &mut Pace<'b>) -> Result<Option<usize>, Stop> {
        let board = &self.game.board;
        self.claims.truncate(layer_end);
        self.looked_up = layer_end;
        self.unclaimed.fill(pace)?;
        for &square in &self.claims.squares[..layer_end] {
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
        self.game.win(self.rules, round, claims.map(|claim| self.claims.squares[claim]), pace)
    }
}
