//! A game of 2048 that a person plays: moves are made one by one, undone, or chosen by the program.

use std::collections::VecDeque;

use super::game_options::Settings;
use super::game_rules::{Game, SQUARES_PER_CHECK};
use super::players::Player;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Budget, Options, Pace, Stop};

/// Bytes of boards kept for undo: 4 MiB, thousands of moves on any board that fits a screen.
const HISTORY_BYTES_MAX: usize = 4 << 20;
/// Approximate bytes of a stored game besides its board, mainly the state of its random numbers.
const GAME_BYTES: usize = 512;

/// A game whose moves can be undone.
///
/// The new pieces depend on the seed, as in a file: the same seed and moves give the same game, and a move that is
/// undone and made again gets the same piece.
#[derive(Debug)]
pub struct LiveGame {
    settings: Settings,
    current: Game,
    /// The earlier states, oldest first.
    history: VecDeque<Game>,
}

impl LiveGame {
    /// Creates a new game on a board of `size` × `size` squares, `size` at least 2, under the options of `2048-game`.
    ///
    /// # Panics
    /// Panics if `size` is below 2.
    pub fn new(size: usize, seed: u64, options: &Options) -> Self {
        assert!(size >= 2, "a board has at least 2 x 2 squares");
        let settings = Settings::new(options);
        let current = new_game(size, seed, &settings);
        Self { settings, current, history: VecDeque::new() }
    }

    /// Returns the board.
    pub fn board(&self) -> &SlidingBoard {
        &self.current.board
    }

    /// Returns the sum of all pieces made by merging.
    pub fn score(&self) -> u128 {
        self.current.score
    }

    /// Returns the number of moves made in this game.
    pub fn moves(&self) -> u64 {
        self.current.moves
    }

    /// Returns the seed of this game's new pieces.
    pub fn seed(&self) -> u64 {
        self.current.seed
    }

    /// Returns whether no direction changes the board.
    pub fn is_over(&self) -> bool {
        self.current.is_over()
    }

    /// Makes a move and inserts a piece. Returns false if the move changes nothing; then it does not count.
    pub fn play(&mut self, direction: Direction) -> bool {
        let budget = Budget::unlimited();
        let before = self.current.clone();
        let moved = matches!(self.current.play(direction, &mut Pace::new(&budget)), Ok(Some(_)));
        if moved {
            self.remember(before);
        }
        moved
    }

    /// Returns the program's move, or `None` if the game is over.
    ///
    /// # Errors
    /// Returns the limit that was hit.
    pub fn advice(&self, budget: &Budget) -> Result<Option<Direction>, Stop> {
        let game = &self.current;
        let mut player = Player::new(&self.settings, game.seed);
        player.choose(&game.board, game.empties, &mut Pace::every(SQUARES_PER_CHECK, budget))
    }

    /// Undoes the last move or, if this game has none, its beginning. Returns false if there is nothing to undo.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.history.pop_back() else { return false };
        self.current = before;
        true
    }

    /// Begins a new game on a board of the same size, with the next seed.
    pub fn restart(&mut self) {
        let next = new_game(self.board().size(), self.seed().wrapping_add(1), &self.settings);
        let before = std::mem::replace(&mut self.current, next);
        self.remember(before);
    }

    fn remember(&mut self, before: Game) {
        let stages_max = HISTORY_BYTES_MAX / (GAME_BYTES + before.board.ranks().len());
        if self.history.len() >= stages_max.max(1) {
            self.history.pop_front();
        }
        self.history.push_back(before);
    }
}

fn new_game(size: usize, seed: u64, settings: &Settings) -> Game {
    Game::new(SlidingBoard::new(size, vec![0; size * size]), seed, settings.percent_four).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver;

    fn live(size: usize, seed: u64) -> LiveGame {
        LiveGame::new(size, seed, &solver::default_options(&super::super::Game2048))
    }

    #[test]
    fn a_move_taken_back_and_made_again_meets_the_same_piece() {
        let mut game = live(4, 7);
        let opening = game.board().clone();
        assert!(!game.undo());
        let direction = game.advice(&Budget::unlimited()).unwrap().unwrap();
        assert!(game.play(direction));
        let after = game.board().clone();
        assert!(game.undo());
        assert_eq!((game.board(), game.moves(), game.score()), (&opening, 0, 0));
        assert!(game.play(direction));
        assert_eq!((game.board(), game.moves()), (&after, 1));
    }

    #[test]
    fn a_new_game_can_be_taken_back_as_well() {
        let mut game = live(2, 7);
        while let Some(direction) = game.advice(&Budget::unlimited()).unwrap() {
            assert!(game.play(direction));
        }
        assert!(game.is_over());
        let (board, moves) = (game.board().clone(), game.moves());
        game.restart();
        assert_eq!((game.seed(), game.moves(), game.is_over()), (8, 0, false));
        assert!(game.undo());
        assert_eq!((game.board(), game.seed(), game.moves()), (&board, 7, moves));
    }

    #[test]
    fn a_move_that_changes_nothing_is_none_and_history_is_bounded() {
        let mut game = live(600, 1);
        let stages_max = HISTORY_BYTES_MAX / (GAME_BYTES + 600 * 600);
        for round in 0..3 * stages_max {
            game.play(Direction::ALL[round % 4]);
        }
        assert_eq!(game.history.len(), stages_max);
        let mut still = live(2, 1);
        while still.play(Direction::Left) {}
        let (board, moves) = (still.board().clone(), still.moves());
        assert!(!still.play(Direction::Left));
        assert_eq!((still.board(), still.moves()), (&board, moves));
    }
}
