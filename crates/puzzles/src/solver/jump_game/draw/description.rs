//! The words beside the picture, and its description.

use super::rounds::{PLAYERS_MAX, Rounds};
use super::{Fault, Way};
use crate::board::jump::Board;
use crate::picture::STRIP_MAX;
use crate::solver::Shown;
use crate::solver::jump_game::game::{Game, player_name};
use crate::words::{Phrase, messages};

messages! {
    "jump-picture"
    /// Words beside a picture. Squares are row,column.
    pub enum Words {
        Title = "title" { rows: u32, columns: u32 },
        Board = "board" { rows: u32, columns: u32, zeros: usize, goal: String },
        Starts = "starts" { starts: String },
        StartsMore = "starts-more" { starts: String, more: usize },
        Reaches = "reaches" { player: String, round: usize },
        AtGoal = "at-goal" { player: String },
        Squares = "squares" { squares: String },
        SquaresMore = "squares-more" { squares: String, more: usize },
        Wins = "wins" { player: String, round: u64 },
        NoWinner = "no-winner",
        Undecided = "undecided" { least: u64 },
        UndecidedRound = "undecided-round" { round: u64 },
        Legend = "legend",
        LegendWay = "legend-way",
        Thumbnail = "thumbnail",
        Cut = "cut" { drawn: usize, jumps: usize },
        ManyPlayers = "many-players" { players: usize },
        NoSquare = "no-square" { number: usize },
        OffBoard = "off-board" { square: String },
        NoStart = "no-start" { square: String },
        NoJump = "no-jump" { jump: usize, length: u64, from: String, to: String },
        Over = "over" { square: String },
        Unfinished = "unfinished" { square: String },
        Round = "round",
        Player = "player",
        Jump = "jump",
        From = "from",
        To = "to",
        LeftOut = "left-out" { jumps: usize },
        Later = "later" { player: String, round: usize },
        Never = "never" { player: String },
    }
}

/// Everything that the words are about.
pub struct Description<'a> {
    pub game: &'a Game,
    pub way: &'a Way,
    pub rounds: Option<&'a Rounds>,
    /// Jumps that are drawn of a way over a board that is too large for its squares.
    pub drawn: Option<usize>,
    pub shown: &'a Shown<'a>,
}

/// Returns a square as it is written.
pub fn place(board: &Board, square: u32) -> String {
    let (row, column) = board.position(square);
    format!("{row},{column}")
}

impl Description<'_> {
    /// Returns the title of the picture.
    pub fn title(&self) -> String {
        let (rows, columns) = (self.game.board.rows(), self.game.board.columns());
        self.say(Words::Title { rows, columns })
    }

    /// Returns what the picture shows.
    pub fn text(&self) -> String {
        let board = &self.game.board;
        let zeros = (0..board.goal()).filter(|&square| board.value(square) == 0).count();
        let (rows, columns, goal) = (board.rows(), board.columns(), place(board, board.goal()));
        let map = Words::Board { rows, columns, zeros, goal };
        let mut lines = vec![self.say(if self.drawn.is_some() { Words::Thumbnail } else { map })];
        let players = self.game.players.iter().enumerate().take(STRIP_MAX);
        let named =
            players.map(|(player, &square)| format!("{} {}", player_name(player), place(board, square)));
        let starts = named.collect::<Vec<_>>().join("; ");
        lines.push(self.say(match self.game.players.len().saturating_sub(STRIP_MAX) {
            0 => Words::Starts { starts },
            more => Words::StartsMore { starts, more },
        }));
        lines.extend(self.answer());
        if self.way.squares.len() > 1 {
            let squares = self.way.squares.iter().take(STRIP_MAX).map(|&square| place(board, square));
            let squares = squares.collect::<Vec<_>>().join(" ");
            lines.push(self.say(match self.way.squares.len().saturating_sub(STRIP_MAX) {
                0 => Words::Squares { squares },
                more => Words::SquaresMore { squares, more },
            }));
        }
        lines.join(" ")
    }

    /// Returns the lines below the picture.
    pub fn caption(&self) -> Vec<String> {
        let mut lines = self.answer();
        let jumps = self.way.squares.len().saturating_sub(1);
        match self.drawn {
            Some(drawn) => {
                lines.push(self.say(Words::Thumbnail));
                if drawn < jumps {
                    lines.push(self.say(Words::Cut { drawn, jumps }));
                }
            }
            None if jumps > 0 => lines.push(self.say(Words::LegendWay)),
            None => lines.push(self.say(Words::Legend)),
        }
        let players = self.game.players.len();
        if self.rounds.is_none() && self.drawn.is_none() && players > PLAYERS_MAX {
            lines.push(self.say(Words::ManyPlayers { players }));
        }
        lines
    }

    /// Returns the answer, what is proved, and what is wrong with the way.
    fn answer(&self) -> Vec<String> {
        let (way, shown) = (self.way, self.shown);
        let mut lines = Vec::new();
        let is_whole = way.is_whole(self.game);
        if let Some(player) = way.player(self.game).filter(|_| is_whole).map(player_name) {
            lines.push(self.say(match way.squares.len() - 1 {
                0 => Words::AtGoal { player },
                round => Words::Reaches { player, round },
            }));
        } else if let Some(fault) = way.fault {
            lines.push(self.say(self.fault(fault)));
        } else if shown.is_answered {
            let winner = shown.answer.get("winner").and_then(serde_json::Value::as_str);
            let round = shown.answer.get("round").and_then(serde_json::Value::as_u64);
            lines.push(match winner.zip(round) {
                Some((player, round)) => self.say(Words::Wins { player: player.to_owned(), round }),
                None if shown.answer.is_string() => self.say(Words::NoWinner),
                None => shown.headline.to_owned(),
            });
        }
        if let Some(least) = shown.bounds.at_least.filter(|_| !shown.is_answered) {
            let is_known = shown.bounds.at_most == Some(least);
            lines.push(self.say(if is_known {
                Words::UndecidedRound { round: least }
            } else {
                Words::Undecided { least }
            }));
        }
        lines
    }

    fn fault(&self, fault: Fault) -> Words {
        let board = &self.game.board;
        let squares = &self.way.squares;
        let last = squares.last().copied().unwrap_or(0);
        match fault {
            Fault::NoSquare => Words::NoSquare { number: squares.len() + 1 },
            Fault::OffBoard(row, column) => Words::OffBoard { square: format!("{row},{column}") },
            Fault::NoStart(square) => Words::NoStart { square: place(board, square) },
            Fault::NoJump(square) => Words::NoJump {
                jump: squares.len(),
                length: board.value(last),
                from: place(board, last),
                to: place(board, square),
            },
            Fault::Over(square) => Words::Over { square: place(board, square) },
            Fault::Unfinished => Words::Unfinished { square: place(board, last) },
        }
    }

    fn say(&self, words: Words) -> String {
        Phrase::from(words).say(self.shown.language)
    }
}
