//! What happens while a person plays: a state machine from keys to views, which knows no terminal.

use tabuleiro_puzzles::board::sliding::Direction;
use tabuleiro_puzzles::solver::{Budget, LiveGame};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Slide the pieces.
    Move(Direction),
    /// Let the program choose a move and make it.
    Advice,
    /// Take the last move back.
    Undo,
    /// Begin a new game.
    Restart,
}

/// A game and what was last said about it.
#[derive(Debug)]
pub struct Session {
    game: LiveGame,
    /// What the last wish led to, for the line below the board.
    said: String,
}

impl Session {
    /// A session that begins with this game.
    pub fn new(game: LiveGame) -> Self {
        Self { game, said: String::new() }
    }

    /// The game.
    pub fn game(&self) -> &LiveGame {
        &self.game
    }

    /// What the last wish led to; empty when there is nothing to say.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Does what a key asks for. A wish that cannot be met changes nothing and says why.
    pub fn fulfil(&mut self, wish: Wish, budget: &Budget) {
        self.said = match wish {
            Wish::Move(direction) => self.slide(direction),
            Wish::Advice => self.advice(budget),
            Wish::Undo if self.game.undo() => "taken back".to_owned(),
            Wish::Undo => "nothing to take back".to_owned(),
            Wish::Restart => {
                self.game.restart();
                "a new game; u goes back to the old one".to_owned()
            }
        };
    }

    fn slide(&mut self, direction: Direction) -> String {
        if self.game.play(direction) {
            return String::new();
        }
        if self.game.is_over() {
            return "the game is over".to_owned();
        }
        format!("{} changes nothing", name(direction))
    }

    fn advice(&mut self, budget: &Budget) -> String {
        match self.game.advice(budget) {
            Ok(Some(direction)) => {
                self.game.play(direction);
                format!("the program moved {}", name(direction))
            }
            Ok(None) => "the game is over".to_owned(),
            Err(stop) => format!("the program has no move: {}", stop.name()),
        }
    }
}

/// The direction in words.
fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::Up => "up",
        Direction::Down => "down",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::solver::{self, Cancel};

    fn session(size: usize) -> Session {
        let solver = solver::find("2048-game").unwrap();
        Session::new(LiveGame::new(size, 7, &solver::default_options(solver)))
    }

    fn fulfil(session: &mut Session, wish: Wish) -> String {
        session.fulfil(wish, &Budget::unlimited());
        session.said().to_owned()
    }

    #[test]
    fn moves_are_made_taken_back_and_counted() {
        let mut session = session(4);
        assert_eq!(fulfil(&mut session, Wish::Undo), "nothing to take back");
        let opening = session.game().board().clone();
        let moved = Direction::ALL
            .into_iter()
            .find(|&direction| fulfil(&mut session, Wish::Move(direction)).is_empty())
            .unwrap();
        assert_eq!(session.game().moves(), 1);
        let after = session.game().board().clone();
        assert_eq!(fulfil(&mut session, Wish::Undo), "taken back");
        assert_eq!(session.game().board(), &opening);
        assert_eq!(fulfil(&mut session, Wish::Move(moved)), "");
        assert_eq!(session.game().board(), &after);
    }

    #[test]
    fn a_move_without_effect_is_said_to_be_one() {
        let mut session = session(2);
        // Two moves left in a row: in the end nothing moves that way any more.
        let said =
            (0..9).map(|_| fulfil(&mut session, Wish::Move(Direction::Left))).find(|it| !it.is_empty());
        let moves = session.game().moves();
        assert_eq!(said.as_deref(), Some("left changes nothing"));
        assert_eq!(fulfil(&mut session, Wish::Move(Direction::Left)), "left changes nothing");
        assert_eq!(session.game().moves(), moves);
    }

    #[test]
    fn the_program_plays_a_game_to_its_end() {
        let mut session = session(2);
        while !session.game().is_over() {
            let said = fulfil(&mut session, Wish::Advice);
            assert!(said.starts_with("the program moved "), "{said}");
        }
        assert_eq!(fulfil(&mut session, Wish::Advice), "the game is over");
        assert_eq!(fulfil(&mut session, Wish::Move(Direction::Up)), "the game is over");
        let moves = session.game().moves();
        fulfil(&mut session, Wish::Restart);
        assert_eq!((session.game().moves(), session.game().seed()), (0, 8));
        fulfil(&mut session, Wish::Undo);
        assert_eq!((session.game().moves(), session.game().seed()), (moves, 7));
    }

    #[test]
    fn a_cancelled_thought_is_no_move() {
        let cancel = Cancel::default();
        cancel.cancel();
        let budget = Budget::new(None, None, u64::MAX, cancel);
        let mut session = session(4);
        session.fulfil(Wish::Advice, &budget);
        assert_eq!((session.said(), session.game().moves()), ("the program has no move: cancelled", 0));
    }
}
