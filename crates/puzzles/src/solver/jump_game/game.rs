//! A game, the rules by which it is read and searched, and the result of a search.

use std::fmt;

use super::jump_options::{ALGORITHM, Algorithm, EARLY_STOP, MOVEMENT, Movement, TIE, Tie};
use crate::board::Rows;
use crate::board::jump::Board;
use crate::solver::{Bounds, COMPARE_RULES, ChargedVec, Options, Outcome, PICTURE, Pace, Stop, WITNESS};
use crate::words::messages;

/// The most players: places in the list fit 32 bits.
pub(super) const PLAYERS_MAX: u64 = u32::MAX as u64;

/// The interpretation of the rules, and the search, as chosen by the options.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "one for each option")]
pub(super) struct Rules {
    pub(super) movement: Movement,
    pub(super) tie: Tie,
    pub(super) algorithm: Algorithm,
    /// For the breadth-first search: stop when the winner is known, or explore everything.
    pub(super) early_stop: bool,
    /// Whether the winner's squares are printed.
    pub(super) witness: bool,
    pub(super) picture: bool,
    /// Whether the answer is compared with the answer under the other common rules.
    pub(super) compares: bool,
}

/// The most squares of a board on which the search for the winner's squares takes next to no time.
const SMALL_SQUARES_MAX: usize = 4096;

impl Rules {
    /// Reads the values in `options`.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            movement: options.get(MOVEMENT),
            tie: options.get(TIE),
            algorithm: options.get(ALGORITHM),
            early_stop: options.get(EARLY_STOP),
            witness: options.get(WITNESS),
            picture: options.get(PICTURE),
            compares: options.get(COMPARE_RULES),
        }
    }

    /// Returns the other common rules, for the answer alone: those of the course, or the default ones if the game
    /// already uses those of the course.
    pub(super) fn other(self) -> Self {
        let course = (Movement::Straight, Tie::FirstRound);
        let (movement, tie) =
            if (self.movement, self.tie) == course { (Movement::Walk, Tie::PreviousRound) } else { course };
        let algorithm = Algorithm::Fast;
        Self { movement, tie, algorithm, witness: false, picture: false, ..self }
    }
}

/// A valid game.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) board: Board,
    /// The squares of the players, at least one, in the order of the list.
    pub(super) players: Vec<u32>,
    pub(super) rules: Rules,
}

/// The end of a game that has a winner.
#[derive(Debug)]
pub(super) struct Win<'b> {
    /// The winner's place in the list, from 0.
    pub(super) player: usize,
    /// The round in which the goal is reached; 0 for a player who starts there.
    pub(super) round: u64,
    /// The winner's squares, `round + 1` of them. Empty if they were not requested, or if they are only for a drawing
    /// and a limit refuses them.
    pub(super) path: ChargedVec<'b, u32>,
}

/// Why a search ended early, and what it had proved about the winner's round.
#[derive(Debug)]
pub(super) struct Interrupted {
    pub(super) stop: Stop,
    /// No player reaches the goal in an earlier round.
    pub(super) at_least: u64,
    /// A player reaches the goal in this round.
    pub(super) at_most: Option<u64>,
}

impl Interrupted {
    /// For [`Result::map_err`]: the search stopped after it had proved that the round is at least `at_least`.
    pub(super) fn before(at_least: u64) -> impl Fn(Stop) -> Self {
        move |stop| Self { stop, at_least, at_most: None }
    }

    /// For [`Result::map_err`]: the search stopped when the round was known, but not the winner or the path.
    pub(super) fn in_round(round: u64) -> impl Fn(Stop) -> Self {
        move |stop| Self { stop, at_least: round, at_most: Some(round) }
    }

    /// Returns `undecided (at least round R)`, with the bounds of the winner's round.
    pub(super) fn into_outcome(self) -> Outcome {
        let Self { stop, at_least, at_most } = self;
        let bounds = Bounds { at_least: Some(at_least), at_most };
        Outcome::undecided(stop, bounds, Proved::Round { least: at_least })
    }
}

messages! {
    "jump"
    /// What is proved about a game.
    enum Proved {
        Round = "at-least-round" { least: u64 },
    }
}

/// The result of a search: the winner, or `None` if no player can ever win.
pub(super) type SearchResult<'b> = Result<Option<Win<'b>>, Interrupted>;

impl Game {
    /// Returns the bytes that the game takes.
    pub(super) fn bytes(&self) -> u64 {
        self.board.bytes() + 4 * self.players.capacity() as u64
    }

    /// Returns whether finding the winner's squares again takes next to no time.
    pub(super) fn is_small(&self) -> bool {
        self.board.squares() <= SMALL_SQUARES_MAX
    }

    /// Returns the first player in the list who stands on `square`.
    pub(super) fn player_on(&self, square: u32, pace: &mut Pace<'_>) -> Result<Option<usize>, Stop> {
        for (player, &at) in self.players.iter().enumerate() {
            pace.count(1)?;
            if at == square {
                return Ok(Some(player));
            }
        }
        Ok(None)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        writeln!(f, "{rows} {columns}\n{}", self.players.len())?;
        let values = (0..=self.board.goal()).map(|square| self.board.value(square));
        Rows(columns as usize, values).fmt(f)?;
        self.players.iter().try_for_each(|&square| {
            let (row, column) = self.board.position(square);
            writeln!(f, "{row} {column}")
        })
    }
}

impl<'b> Game {
    /// Returns the end of the game in `round` under `rules`. `squares` are those from which the winner jumped, the last
    /// one first.
    pub(super) fn win(
        &self,
        rules: Rules,
        round: u64,
        squares: impl IntoIterator<Item = u32>,
        pace: &mut Pace<'b>,
    ) -> Result<Option<Win<'b>>, Stop> {
        let mut path = ChargedVec::new(pace.budget());
        let mut is_kept = rules.witness || rules.picture && !self.is_small();
        let mut start = self.board.goal();
        for (index, square) in [start].into_iter().chain(squares).enumerate() {
            // The goal is the end of the path and no jump begins there, so it does not count as a step.
            pace.count(index.min(1))?;
            start = square;
            if is_kept && let Err(stop) = path.push(square) {
                if rules.witness {
                    return Err(stop);
                }
                is_kept = false;
                path = ChargedVec::new(pace.budget());
            }
        }
        path.reverse();
        let player = self.player_on(start, pace)?;
        Ok(player.map(|player| Win { player, round, path }))
    }
}

/// Returns the name of the player at a place in the list: A, B, …, Z, AA, AB, …
pub(super) fn player_name(player: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = player + 1;
    while rest > 0 {
        // No letter stands for 0: the letters stand for 1 to 26.
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// Returns the place in the list of the player with a name, in upper or lower case: the inverse of [`player_name`].
pub(super) fn player_number(name: &[u8]) -> Option<usize> {
    let number = name.iter().try_fold(0_usize, |number, letter| {
        let letter = letter.to_ascii_uppercase().checked_sub(b'A').filter(|&letter| letter < 26)?;
        number.checked_mul(26)?.checked_add(usize::from(letter) + 1)
    });
    number?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{player_name, player_number};

    #[test]
    fn players_are_named_like_columns_of_a_sheet() {
        let names =
            [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")];
        for (player, name) in names {
            assert_eq!(player_name(player), name);
            assert_eq!(player_number(name.to_lowercase().as_bytes()), Some(player));
        }
        for name in ["", "?", "A1", &"Z".repeat(20)] {
            assert_eq!(player_number(name.as_bytes()), None);
        }
    }
}
