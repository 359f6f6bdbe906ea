//! The picture: the board after each move with the score, and all moves as letters.

use serde_json::Value;

use super::game_puzzle::GamePuzzle;
use super::grade::step;
use super::report::value_of;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::rank_of;
use crate::input::{Line, printable};
use crate::picture::{GridPicture, Shot, TileGame, replayed_max};
use crate::solver::{Drawable, RenderInput};
use crate::words::{Phrase, messages};

/// The most bytes quoted from a line.
const QUOTED_MAX: usize = 40;
/// Pieces of a new game.
const OPENING: usize = 2;

messages! {
    "game-picture"
    /// The captions of the boards, and the answer in a sentence.
    enum Caption {
        Title = "title" { size: usize },
        Score = "score" { score: u128 },
        BadLine = "bad-line" { number: usize, line: String },
        Asks = "asks" { seed: u64 },
        Over = "over" { moves: u64, score: String, largest: String },
        Open = "open" { moves: u64, score: String, largest: String },
    }
}

/// The state of a game that is being replayed.
struct Replay {
    board: SlidingBoard,
    score: u128,
    moves: Vec<Direction>,
    /// Pieces that a new game still gets before its first move.
    opening: usize,
    /// Squares on which the last pieces appeared.
    new: Vec<usize>,
}

impl Drawable for GamePuzzle {
    fn draw(&self, input: &RenderInput) -> Option<GridPicture> {
        let start = &SlidingBoard::new(self.size, self.ranks.clone());
        let size = self.size;
        let lines = input.witness.as_array().map(Vec::as_slice).unwrap_or_default();
        let lines = &lines[..lines.len().min(replayed_max(size))];
        let say = |phrase: Caption| Phrase::from(phrase).say(input.language);
        let mut whole = Replay::new(start);
        let legal = lines.iter().take_while(|line| whole.play(line).is_some()).count();
        let value = |rank: u8| Some(value_of(rank));
        let title = say(Caption::Title { size });
        let mut game = TileGame::new(size, title, whole.moves.len(), &value, input.language);
        let mut replay = Replay::new(start);
        let mut before = start.clone();
        for index in 0..=legal {
            let is_opening = replay.moves.is_empty() && legal > 0 && replay.opening > 0;
            if !is_opening {
                let moved = replay.moves.last().copied();
                game.add(replay.moves.len(), &replay.board, || Shot {
                    moved,
                    merged: moved.map_or_else(Vec::new, |direction| before.merged(direction)),
                    new: replay.new.clone(),
                    caption: say(Caption::Score { score: replay.score }),
                    ..Shot::default()
                });
            }
            if let Some(line) = lines[..legal].get(index) {
                before.clone_from(&replay.board);
                replay.play(line);
            }
        }
        let wrong = lines.get(legal).map(|line| {
            let line = printable(line.as_str().unwrap_or_default().as_bytes(), QUOTED_MAX);
            say(Caption::BadLine { number: legal + 1, line })
        });
        Some(game.finish(&whole.moves, wrong.into_iter().collect()))
    }

    fn sentence(&self, input: &RenderInput) -> Option<Phrase> {
        let field = |name: &str| input.answer.get(name).filter(|_| input.is_answered);
        // Numbers beyond 64 bits are strings.
        let number = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let moves = field("moves")?.as_u64()?;
        let (score, largest) = (number(field("score")?), number(field("max")?));
        Some(if field("over")?.as_bool()? {
            Caption::Over { moves, score, largest }.into()
        } else {
            Caption::Open { moves, score, largest }.into()
        })
    }

    fn asks(&self) -> Option<Phrase> {
        Some(Caption::Asks { seed: self.seed }.into())
    }
}

impl Replay {
    fn new(start: &SlidingBoard) -> Self {
        let is_new = start.ranks().iter().all(|&rank| rank == 0);
        let opening = if is_new { OPENING } else { 0 };
        Self { board: start.clone(), score: 0, moves: Vec::new(), opening, new: Vec::new() }
    }

    /// Plays a line of a transcript. If it breaks a rule, changes nothing and returns `None`.
    fn play(&mut self, line: &Value) -> Option<()> {
        let step = step(Line { number: 0, column: 0, text: line.as_str()?.as_bytes() })?;
        let [row, column, value] = step.numbers;
        let size = self.board.size() as u64;
        let is_inside = row < size && column < size;
        let rank = rank_of(value).filter(|rank| is_inside && (1..=2).contains(rank))?;
        let square = (row * size + column) as usize;
        let (mut board, mut points) = (self.board.clone(), 0);
        match step.direction {
            None if self.opening == 0 || !self.moves.is_empty() => return None,
            None => {}
            Some(direction) => {
                let slide = board.slide_with(direction, |rank| points += value_of(rank));
                slide.changed.then_some(())?;
            }
        }
        (board.ranks()[square] == 0).then_some(())?;
        board.ranks_mut()[square] = rank;
        self.board = board;
        self.score += points;
        if let Some(direction) = step.direction {
            self.moves.push(direction);
            self.new.clear();
        } else {
            self.opening -= 1;
        }
        self.new.push(square);
        Some(())
    }
}
