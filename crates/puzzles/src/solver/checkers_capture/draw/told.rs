//! What is told beside the picture, and what it shows in words.

use super::Way;
use crate::board::checkers::{CheckersBoard, OPPONENT, OWN};
use crate::picture::STRIP_MAX;
use crate::solver::checkers_capture::capture::{Fault, Square};
use crate::solver::{Bounds, Shown};
use crate::words::{Phrase, messages};

messages! {
    "checkers-picture"
    /// What is told of a picture. Squares are row,column.
    enum Words {
        /// What it is.
        Title = "title" { rows: usize, columns: usize },
        /// What stands on the board.
        Pieces = "pieces" { rows: usize, columns: usize, own: usize, opponents: usize },
        /// Of a way.
        Takes = "takes" { square: String, captures: usize },
        /// All its squares.
        Squares = "squares" { squares: String },
        /// The first ones.
        SquaresMore = "squares-more" { squares: String, more: usize },
        /// No way.
        None = "none",
        /// Of the answer, where the way is not known.
        Longest = "longest" { captures: u64 },
        /// What is proved instead of an answer.
        Undecided = "undecided" { proved: Phrase },
        /// Of the way drawn then.
        Best = "best",
        /// What the shapes mean.
        Legend = "legend",
        /// What the shapes of a way mean.
        LegendWay = "legend-way",
        /// The board is too large.
        Thumbnail = "thumbnail",
        /// The way is too long.
        Cut = "cut" { drawn: usize, jumps: usize },
        /// The rule that is broken: a square is none.
        NoSquare = "no-square" { number: usize },
        /// It is not played on.
        OffBoard = "off-board" { square: String },
        /// Nothing to move stands there.
        WithoutPiece = "without-piece" { square: String },
        /// Nothing is taken.
        WithoutCapture = "without-capture" { jump: usize, from: String, to: String },
    }
}

/// All that the words are about.
pub struct Told<'a> {
    pub board: &'a CheckersBoard,
    pub way: &'a Way,
    /// Jumps that are drawn of a way over a board that is too large for its squares.
    pub drawn: Option<usize>,
    pub shown: &'a Shown<'a>,
}

impl Told<'_> {
    /// What the picture is.
    pub fn title(&self) -> String {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        self.say(Words::Title { rows, columns })
    }

    /// What one sees in it.
    pub fn description(&self) -> String {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        let (own, opponents) = (self.board.count(OWN), self.board.count(OPPONENT));
        let pieces = Words::Pieces { rows, columns, own, opponents };
        let mut lines = vec![self.say(if self.drawn.is_some() { Words::Thumbnail } else { pieces })];
        lines.extend(self.answer());
        let visited = self.way.visited();
        let named: Vec<String> = visited.iter().take(STRIP_MAX).map(told).collect();
        let (squares, more) = (named.join(" "), visited.len().saturating_sub(STRIP_MAX));
        match (visited.len(), more) {
            (0 | 1, _) => {}
            (_, 0) => lines.push(self.say(Words::Squares { squares })),
            _ => lines.push(self.say(Words::SquaresMore { squares, more })),
        }
        lines.join(" ")
    }

    /// What stands below it, a line each.
    pub fn caption(&self) -> Vec<String> {
        let mut lines = self.answer();
        if let Some(drawn) = self.drawn {
            lines.push(self.say(Words::Thumbnail));
            let jumps = self.way.played.jumps.len();
            if drawn < jumps {
                lines.push(self.say(Words::Cut { drawn, jumps }));
            }
        } else {
            let is_moved = self.way.visited().len() > 1;
            lines.push(self.say(if is_moved { Words::LegendWay } else { Words::Legend }));
        }
        lines
    }

    /// The answer, what is proved, and what is wrong with the way.
    fn answer(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let (way, shown) = (self.way, self.shown);
        // Of what a submission says nothing is proved.
        let is_undecided = !shown.is_answered && shown.bounds != Bounds::default();
        if is_undecided {
            lines.push(self.say(Words::Undecided { proved: Phrase::from(shown.bounds) }));
        }
        let captures = way.played.jumps.len();
        if captures == 0 && way.played.fault.is_some() {
            // Only what is wrong is worth telling.
        } else if let [first, ..] = way.visited() {
            let takes = self.say(Words::Takes { square: told(first), captures });
            let is_best = is_undecided && way.played.fault.is_none();
            lines.push(if is_best { self.say(Words::Best) + " " + &takes } else { takes });
        } else if shown.is_answered {
            match shown.answer.as_u64() {
                Some(0) => lines.push(self.say(Words::None)),
                Some(captures) => lines.push(self.say(Words::Longest { captures })),
                None => lines.push(shown.headline.to_owned()),
            }
        }
        if let Some((number, fault)) = way.played.fault {
            lines.push(self.say(self.fault(number, fault)));
        }
        lines
    }

    fn fault(&self, number: usize, fault: Fault) -> Words {
        let squares = &self.way.squares;
        let square = told(&squares[number]);
        match fault {
            Fault::OffBoard if squares[number].0 == usize::MAX => Words::NoSquare { number: number + 1 },
            Fault::OffBoard => Words::OffBoard { square },
            Fault::WithoutPiece => Words::WithoutPiece { square },
            Fault::WithoutCapture => {
                Words::WithoutCapture { jump: number, from: told(&squares[number - 1]), to: square }
            }
        }
    }

    fn say(&self, words: Words) -> String {
        Phrase::from(words).say(self.shown.language)
    }
}

fn told(&(row, column): &Square) -> String {
    format!("{row},{column}")
}
