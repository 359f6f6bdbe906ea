//! The picture: the board at the end, score and largest tile over the moves, and the boards where the largest tiles were made.

use serde_json::Value;

use super::grade::step;
use super::report::value_of;
use crate::board::sliding::SlidingBoard;
use crate::board::swipe::rank_of;
use crate::input::{Line, printable};
use crate::picture::{
    Chart, Curve, Markup, SIDE_MAX, Scale, Shot, Tiles, chart, html, replayed_max, shot, strip,
};
use crate::solver::Shown;
use crate::words::{Phrase, messages};

/// Boards with a new largest tile that are drawn: the last ones.
const LARGEST_MAX: usize = 4;
/// Points of a curve, about.
const POINTS_MAX: usize = 300;
/// Bytes of a line that are quoted.
const QUOTED_MAX: usize = 40;
/// Pieces of a new game.
const OPENING: u64 = 2;

messages! {
    "game-picture"
    /// What stands beside the boards.
    enum Told {
        /// A board.
        Start = "start",
        /// Likewise.
        End = "end" { moves: u64 },
        /// Likewise.
        Made = "made" { moves: u64, value: u128 },
        /// Above a board.
        Move = "move" { moves: u64 },
        /// Below it.
        Score = "score" { score: u128 },
        /// Likewise.
        Largest = "largest" { value: u128 },
        /// Above the boards.
        Boards = "boards",
        /// A line that is none.
        BadLine = "bad-line" { number: usize, line: String },
        /// The curves.
        Chart = "chart",
        /// Likewise.
        Rises = "rises" { score: u128, value: u128, moves: u64 },
        /// Of the axes.
        AxisMoves = "axis-moves",
        /// Likewise.
        AxisScore = "axis-score",
        /// Likewise.
        AxisLargest = "axis-largest",
    }
}

/// A game as far as it was replayed.
struct Replay {
    board: SlidingBoard,
    moves: u64,
    score: u128,
    /// Of the largest tile.
    rank: u8,
    /// Pieces before the first move.
    opening: u64,
    /// The boards where the largest tiles were made.
    made: Vec<Stage>,
    /// Points of the curves: moves, score, rank of the largest tile.
    points: Vec<(u64, u128, u8)>,
}

/// A board of the game.
struct Stage {
    board: SlidingBoard,
    moves: u64,
    score: u128,
}

/// Draws a game that begins with this board, with what became of it.
pub(super) fn draw(start: &SlidingBoard, shown: &Shown<'_>) -> Markup {
    let size = start.size();
    let lines = shown.witness.as_array().map(Vec::as_slice).unwrap_or_default();
    let lines = &lines[..lines.len().min(replayed_max(size).max(1))];
    let (replay, bad) = replay(start, lines);
    let say = |phrase: Told| Phrase::from(phrase).say(shown.language);
    let is_drawn = size <= SIDE_MAX && replay.rank > 0;
    html! {
        div class="pair" {
            @if is_drawn {
                (end(&replay, shown))
            }
            @if replay.moves > 1 {
                (curves(&replay, shown))
            }
        }
        @if let Some(at) = bad {
            @let line = lines[at].as_str().unwrap_or_default();
            p { (say(Told::BadLine { number: at + 1, line: printable(line.as_bytes(), QUOTED_MAX) })) }
        }
        @if is_drawn && !replay.made.is_empty() {
            p class="soft" { (say(Told::Boards)) }
            (strip(size, &replay.made.iter().map(|stage| made(stage, shown)).collect::<Vec<_>>()))
        }
    }
}

/// Plays the lines of a transcript, and gives the first one that breaks a rule.
fn replay(start: &SlidingBoard, lines: &[Value]) -> (Replay, Option<usize>) {
    let rank = largest(start);
    let mut replay = Replay {
        board: start.clone(),
        moves: 0,
        score: 0,
        rank,
        opening: if rank == 0 { OPENING } else { 0 },
        made: Vec::new(),
        points: vec![(0, 0, rank)],
    };
    let every = lines.len().div_ceil(POINTS_MAX).max(1) as u64;
    for (at, line) in lines.iter().enumerate() {
        if replay.play(line, every).is_none() {
            replay.point();
            return (replay, Some(at));
        }
    }
    replay.point();
    (replay, None)
}

impl Replay {
    /// Plays a line, and takes a point of the curves `every` so many moves; `None` where the line breaks a rule.
    fn play(&mut self, line: &Value, every: u64) -> Option<()> {
        let step = step(Line { number: 0, column: 0, text: line.as_str()?.as_bytes() })?;
        let [row, column, value] = step.numbers;
        let size = self.board.size() as u64;
        let is_inside = row < size && column < size;
        let rank = rank_of(value).filter(|rank| is_inside && (1..=2).contains(rank))?;
        let square = (row * size + column) as usize;
        let mut board = self.board.clone();
        let mut points = 0;
        match step.direction {
            None => self.opening = self.opening.checked_sub(1).filter(|_| self.moves == 0)?,
            Some(direction) => {
                let slide = board.slide_with(direction, |rank| points += value_of(rank));
                if !slide.changed {
                    return None;
                }
            }
        }
        if board.ranks()[square] > 0 {
            return None;
        }
        board.ranks_mut()[square] = rank;
        self.board = board;
        self.score += points;
        if step.direction.is_none() {
            self.rank = largest(&self.board);
            self.points = vec![(0, 0, self.rank)];
            return Some(());
        }
        self.moves += 1;
        let rank = largest(&self.board);
        if rank > self.rank {
            // The steps of the curve go straight up.
            self.points.push((self.moves, self.score, self.rank));
            self.rank = rank;
            self.point();
            if self.made.len() == LARGEST_MAX {
                self.made.remove(0);
            }
            self.made.push(Stage { board: self.board.clone(), moves: self.moves, score: self.score });
        } else if self.moves.is_multiple_of(every) {
            self.point();
        }
        Some(())
    }

    fn point(&mut self) {
        let point = (self.moves, self.score, self.rank);
        if self.points.last() != Some(&point) {
            self.points.push(point);
        }
    }
}

fn largest(board: &SlidingBoard) -> u8 {
    board.ranks().iter().copied().max().unwrap_or(0)
}

/// The board at the end; that of the beginning where no moves are known.
fn end(replay: &Replay, shown: &Shown<'_>) -> Markup {
    let title = if replay.moves == 0 { Told::Start } else { Told::End { moves: replay.moves } };
    let Replay { board, moves, score, .. } = replay;
    one((board, *moves, *score), title, shown)
}

fn made(stage: &Stage, shown: &Shown<'_>) -> Markup {
    let Stage { board, moves, score } = stage;
    let title = Told::Made { moves: *moves, value: value_of(largest(board)) };
    one((board, *moves, *score), title, shown)
}

/// A board, with the moves made and the score.
fn one((board, moves, score): (&SlidingBoard, u64, u128), title: Told, shown: &Shown<'_>) -> Markup {
    let say = |phrase: Told| Phrase::from(phrase).say(shown.language);
    let values: Vec<u128> = board.ranks().iter().map(|&rank| value_of(rank)).collect();
    let caption = html! {
        div { (say(Told::Score { score })) }
        div { (say(Told::Largest { value: value_of(largest(board)) })) }
    };
    let tiles = Tiles { size: board.size(), values: &values, outlined: &[] };
    let number = say(Told::Move { moves });
    shot(&Shot { tiles, title: title.into(), number, next: None }, &caption, shown.language)
}

/// Score and largest tile over the moves.
fn curves(replay: &Replay, shown: &Shown<'_>) -> Markup {
    let say = |phrase: Told| Phrase::from(phrase).say(shown.language);
    let Replay { moves, score, rank, points, .. } = replay;
    let scores: Vec<_> = points.iter().map(|&(at, score, _)| (at as f64, score as f64)).collect();
    let ranks: Vec<_> = points.iter().map(|&(at, _, rank)| (at as f64, f64::from(rank))).collect();
    let rises = Told::Rises { score: *score, value: value_of(*rank), moves: *moves };
    let drawn = chart(&Chart {
        title: say(Told::Chart),
        description: say(rises),
        below: say(Told::AxisMoves),
        left: Curve { label: say(Told::AxisScore), points: &scores, scale: Scale::Linear },
        right: Curve { label: say(Told::AxisLargest), points: &ranks, scale: Scale::Powers },
    });
    html! { figure { (drawn) } }
}
