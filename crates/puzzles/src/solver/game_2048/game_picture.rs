//! The picture: the board at the end, score and largest tile over the moves, and the boards where the largest tiles were made.

use serde_json::Value;

use super::grade::step;
use super::report::value_of;
use crate::board::sliding::SlidingBoard;
use crate::board::swipe::rank_of;
use crate::input::{Line, printable};
use crate::picture::{Chart, Curve, Markup, SIDE_MAX, Shot, Tiles, chart, html, replayed_max, shot, strip};
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
    enum Caption {
        Start = "start",
        End = "end" { moves: u64 },
        Made = "made" { moves: u64, value: u128 },
        Move = "move" { moves: u64 },
        Score = "score" { score: u128 },
        Largest = "largest" { value: u128 },
        Boards = "boards",
        BadLine = "bad-line" { number: usize, line: String },
        Chart = "chart",
        Rises = "rises" { score: u128, value: u128, moves: u64 },
        AxisMoves = "axis-moves",
        AxisScore = "axis-score",
        AxisLargest = "axis-largest",
    }
}

/// A game as far as it was replayed.
struct Replay {
    /// The board as it stands now.
    now: Stage,
    /// The rank of the largest tile.
    rank: u8,
    /// Pieces before the first move.
    opening: u64,
    /// The boards where the largest tiles were made.
    made: Vec<Stage>,
    /// Points of the curves: moves, score, rank of the largest tile.
    points: Vec<(u64, u128, u8)>,
}

/// A board of the game.
#[derive(Clone)]
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
    let say = |phrase: Caption| Phrase::from(phrase).say(shown.language);
    let draw_made = |stage: &Stage| {
        let title = Caption::Made { moves: stage.moves, value: value_of(largest(&stage.board)) };
        draw_stage(stage, title, shown)
    };
    let is_drawn = size <= SIDE_MAX && replay.rank > 0;
    html! {
        div class="pair" {
            @if is_drawn {
                @let moves = replay.now.moves;
                (draw_stage(&replay.now, if moves == 0 { Caption::Start } else { Caption::End { moves } }, shown))
            }
            @if replay.now.moves > 1 {
                (curves(&replay, shown))
            }
        }
        @if let Some(at) = bad {
            @let line = lines[at].as_str().unwrap_or_default();
            p { (say(Caption::BadLine { number: at + 1, line: printable(line.as_bytes(), QUOTED_MAX) })) }
        }
        @if is_drawn && !replay.made.is_empty() {
            p class="soft" { (say(Caption::Boards)) }
            (strip(size, &replay.made.iter().map(draw_made).collect::<Vec<_>>()))
        }
    }
}

/// Plays the lines of a transcript, and gives the first one that breaks a rule.
fn replay(start: &SlidingBoard, lines: &[Value]) -> (Replay, Option<usize>) {
    let rank = largest(start);
    let mut replay = Replay {
        now: Stage { board: start.clone(), moves: 0, score: 0 },
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
    /// Plays a line, and takes a point of the curves `every` so many moves; `None` if the line breaks a rule.
    fn play(&mut self, line: &Value, every: u64) -> Option<()> {
        let step = step(Line { number: 0, column: 0, text: line.as_str()?.as_bytes() })?;
        let [row, column, value] = step.numbers;
        let size = self.now.board.size() as u64;
        let is_inside = row < size && column < size;
        let rank = rank_of(value).filter(|rank| is_inside && (1..=2).contains(rank))?;
        let square = (row * size + column) as usize;
        let mut board = self.now.board.clone();
        let mut points = 0;
        match step.direction {
            None => self.opening = self.opening.checked_sub(1).filter(|_| self.now.moves == 0)?,
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
        self.now.board = board;
        self.now.score += points;
        if step.direction.is_none() {
            self.rank = largest(&self.now.board);
            self.points = vec![(0, 0, self.rank)];
            return Some(());
        }
        self.now.moves += 1;
        let rank = largest(&self.now.board);
        if rank > self.rank {
            // The steps of the curve go straight up.
            self.points.push((self.now.moves, self.now.score, self.rank));
            self.rank = rank;
            self.point();
            if self.made.len() == LARGEST_MAX {
                self.made.remove(0);
            }
            self.made.push(self.now.clone());
        } else if self.now.moves.is_multiple_of(every) {
            self.point();
        }
        Some(())
    }

    fn point(&mut self) {
        let point = (self.now.moves, self.now.score, self.rank);
        if self.points.last() != Some(&point) {
            self.points.push(point);
        }
    }
}

fn largest(board: &SlidingBoard) -> u8 {
    board.ranks().iter().copied().max().unwrap_or(0)
}

/// Draws a board of the game, with the moves made and the score.
fn draw_stage(Stage { board, moves, score }: &Stage, title: Caption, shown: &Shown<'_>) -> Markup {
    let say = |phrase: Caption| Phrase::from(phrase).say(shown.language);
    let values: Vec<u128> = board.ranks().iter().map(|&rank| value_of(rank)).collect();
    let caption = html! {
        div { (say(Caption::Score { score: *score })) }
        div { (say(Caption::Largest { value: value_of(largest(board)) })) }
    };
    let tiles = Tiles { size: board.size(), values: &values, outlined: &[] };
    let number = say(Caption::Move { moves: *moves });
    shot(&Shot { tiles, title: title.into(), number, next: None }, &caption, shown.language)
}

/// Score and largest tile over the moves.
fn curves(replay: &Replay, shown: &Shown<'_>) -> Markup {
    let say = |phrase: Caption| Phrase::from(phrase).say(shown.language);
    let Replay { now: Stage { moves, score, .. }, rank, points, .. } = replay;
    let scores: Vec<_> = points.iter().map(|&(at, score, _)| (at as f64, score as f64)).collect();
    let ranks: Vec<_> = points.iter().map(|&(at, _, rank)| (at as f64, f64::from(rank))).collect();
    let rises = Caption::Rises { score: *score, value: value_of(*rank), moves: *moves };
    let drawn = chart(&Chart {
        title: say(Caption::Chart),
        description: say(rises),
        below: say(Caption::AxisMoves),
        left: Curve { label: say(Caption::AxisScore), points: &scores },
        right: Curve { label: say(Caption::AxisLargest), points: &ranks },
    });
    html! { figure { (drawn) } }
}
