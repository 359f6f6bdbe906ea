//! The state of a game while a person plays: a state machine from keys to views, independent of the terminal.

use tabuleiro_puzzles::board::sliding::Direction;
use tabuleiro_puzzles::solver::{Budget, LiveGame};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Slide the pieces.
    Move(Direction),
    /// Let the program choose a move and make it.
    Advice,
    /// Let the program choose a move and show it.
    Hint,
    /// Undo the last move.
    Undo,
    /// Begin a new game.
    Restart,
    /// Show all keys, until the next key.
    Help,
}

messages! {
    "play"
    /// The messages below the board, and the one at the end.
    pub enum Reply {
        TakenBack = "taken-back",
        NothingToTakeBack = "nothing-to-take-back",
        NewGame = "new-game",
        Over = "over",
        NoChange = "no-change" { direction: Phrase },
        Moved = "moved" { direction: Phrase },
        Hint = "hint" { direction: Phrase },
        NoMove = "no-move" { stop: String },
        /// The last line, printed after the terminal is restored.
        Ended = "ended" { score: u128, moves: u64, seed: u64 },
        Left = "left",
        Right = "right",
        Up = "up",
        Down = "down",
    }
}

/// A game and the last message about it.
pub struct Session {
    pub game: LiveGame,
    language: Language,
    reply: Option<Reply>,
    /// The best score of all games of the session.
    pub best: u128,
    /// The squares on which the last move merged two pieces, and the square on which it added one.
    merged: Vec<usize>,
    new: Vec<usize>,
    /// Whether all keys are shown instead of the game.
    pub shows_help: bool,
}

impl Session {
    /// Begins a session with this game.
    pub fn new(game: LiveGame, language: Language) -> Self {
        let best = game.score();
        Self { game, language, reply: None, best, merged: Vec::new(), new: Vec::new(), shows_help: false }
    }

    /// Returns a message in the session's language.
    pub fn say(&self, message: impl Into<Phrase>) -> String {
        message.into().say(self.language)
    }

    /// Returns the message about the last wish; empty if there is none.
    pub fn said(&self) -> String {
        self.reply.clone().map_or_else(String::new, |reply| self.say(reply))
    }

    /// Returns whether the last move merged two pieces on this square, and whether it added a new piece there.
    pub fn marks(&self, square: usize) -> (bool, bool) {
        (self.merged.contains(&square), self.new.contains(&square))
    }

    /// Does what a key asks for. If that is impossible, changes nothing and sets a message that says why.
    pub fn fulfil(&mut self, wish: Wish, budget: &Budget) {
        self.shows_help = wish == Wish::Help && !self.shows_help;
        self.reply = match wish {
            Wish::Move(direction) => self.slide(direction),
            Wish::Advice | Wish::Hint => Some(self.advice(wish, budget)),
            Wish::Undo if self.game.undo() => Some(Reply::TakenBack),
            Wish::Undo => Some(Reply::NothingToTakeBack),
            Wish::Restart => {
                self.game.restart();
                Some(Reply::NewGame)
            }
            Wish::Help => return,
        };
        if matches!(wish, Wish::Undo | Wish::Restart) {
            self.merged.clear();
            self.new.clear();
        }
        self.best = self.best.max(self.game.score());
    }

    fn slide(&mut self, direction: Direction) -> Option<Reply> {
        let mut slid = self.game.board().clone();
        let merged = slid.merged(direction);
        slid.slide(direction);
        if self.game.play(direction) {
            let squares = slid.ranks().iter().zip(self.game.board().ranks()).enumerate();
            self.new = squares.filter(|(_, (slid, now))| slid != now).map(|(square, _)| square).collect();
            self.merged = merged;
            return None;
        }
        Some(if self.game.is_over() {
            Reply::Over
        } else {
            Reply::NoChange { direction: in_words(direction) }
        })
    }

    fn advice(&mut self, wish: Wish, budget: &Budget) -> Reply {
        match self.game.advice(budget) {
            Ok(Some(direction)) if wish == Wish::Hint => Reply::Hint { direction: in_words(direction) },
            Ok(Some(direction)) => {
                self.slide(direction);
                Reply::Moved { direction: in_words(direction) }
            }
            Ok(None) => Reply::Over,
            Err(stop) => Reply::NoMove { stop: stop.name().to_owned() },
        }
    }
}

/// Returns the direction in words.
fn in_words(direction: Direction) -> Phrase {
    match direction {
        Direction::Left => Reply::Left,
        Direction::Right => Reply::Right,
        Direction::Up => Reply::Up,
        Direction::Down => Reply::Down,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::solver::{self, Cancel};

    fn session(size: usize) -> Session {
        let solver = solver::find("2048-game").unwrap();
        Session::new(LiveGame::new(size, 7, &solver::default_options(solver)), Language::English)
    }

    fn fulfil(session: &mut Session, wish: Wish) -> String {
        session.fulfil(wish, &Budget::unlimited());
        session.said()
    }

    #[test]
    fn moves_are_made_taken_back_and_counted() {
        let mut session = session(4);
        assert_eq!(fulfil(&mut session, Wish::Undo), "nothing to take back");
        let opening = session.game.board().clone();
        let moved = Direction::ALL
            .into_iter()
            .find(|&direction| fulfil(&mut session, Wish::Move(direction)).is_empty())
            .unwrap();
        assert_eq!(session.game.moves(), 1);
        let after = session.game.board().clone();
        assert_eq!(fulfil(&mut session, Wish::Undo), "taken back");
        assert_eq!(session.game.board(), &opening);
        assert_eq!(fulfil(&mut session, Wish::Move(moved)), "");
        assert_eq!(session.game.board(), &after);
    }

    #[test]
    fn a_move_without_effect_is_reported() {
        let mut session = session(2);
        // After enough moves to the left, another one changes nothing.
        let said =
            (0..9).map(|_| fulfil(&mut session, Wish::Move(Direction::Left))).find(|it| !it.is_empty());
        let moves = session.game.moves();
        assert_eq!(said.as_deref(), Some("left changes nothing"));
        assert_eq!(fulfil(&mut session, Wish::Move(Direction::Left)), "left changes nothing");
        assert_eq!(session.game.moves(), moves);
    }

    #[test]
    fn the_program_plays_a_game_to_its_end() {
        let mut session = session(2);
        while !session.game.is_over() {
            let said = fulfil(&mut session, Wish::Advice);
            assert!(said.starts_with("the program moved "), "{said}");
        }
        assert_eq!(fulfil(&mut session, Wish::Advice), "the game is over");
        assert_eq!(fulfil(&mut session, Wish::Move(Direction::Up)), "the game is over");
        let moves = session.game.moves();
        fulfil(&mut session, Wish::Restart);
        assert_eq!((session.game.moves(), session.game.seed()), (0, 8));
        fulfil(&mut session, Wish::Undo);
        assert_eq!((session.game.moves(), session.game.seed()), (moves, 7));
    }

    #[test]
    fn cancelled_advice_makes_no_move() {
        let cancel = Cancel::default();
        cancel.cancel();
        let budget = Budget::new(None, None, u64::MAX, cancel);
        let mut session = session(4);
        session.fulfil(Wish::Advice, &budget);
        assert_eq!(
            (session.said().as_str(), session.game.moves()),
            ("the program has no move: cancelled", 0)
        );
    }

    #[test]
    fn a_hint_moves_nothing_and_a_move_marks_what_it_made() {
        let mut session = session(4);
        let before = session.game.board().clone();
        assert!(fulfil(&mut session, Wish::Hint).starts_with("try "));
        assert_eq!((session.game.board(), session.game.moves()), (&before, 0));
        let mut best = 0;
        for _ in 0..50 {
            let before = session.game.board().clone();
            let said = fulfil(&mut session, Wish::Advice);
            let direction = Direction::ALL
                [["left", "right", "up", "down"].iter().position(|name| said.ends_with(name)).unwrap()];
            let mut slid = before.clone();
            slid.slide(direction);
            let now = session.game.board();
            for square in 0..16 {
                let (is_merged, is_new) = session.marks(square);
                assert_eq!(is_new, slid.ranks()[square] != now.ranks()[square]);
                assert!(!is_merged || now.ranks()[square] > 1 && !is_new);
            }
            best = best.max(session.game.score());
            assert_eq!(session.best, best);
        }
        assert!(best > 0);
        fulfil(&mut session, Wish::Restart);
        assert_eq!((session.game.score(), session.best), (0, best));
        assert!((0..16).all(|square| session.marks(square) == (false, false)));
    }

    #[test]
    fn the_next_key_ends_the_help() {
        let mut session = session(4);
        for (wish, shown) in
            [(Wish::Help, true), (Wish::Help, false), (Wish::Help, true), (Wish::Undo, false)]
        {
            fulfil(&mut session, wish);
            assert_eq!(session.shows_help, shown);
        }
    }
}
