//! The picture: the first and the last board, and each one with a new largest tile, with both scores; and all moves as letters.

use serde_json::Value;

use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{RANK_MAX, distance_weighted, left_weighted, swiped, value_of};
use crate::picture::{
    Markup, SIDE_MAX, Shot, Tiles, html, kept, left_out, letters, replayed_max, shot, strip, strip_max,
};
use crate::solver::Shown;
use crate::words::{Phrase, messages};

messages! {
    "astar-picture"
    /// What stands beside the boards.
    enum Caption {
        Start = "start",
        After = "after" { moves: usize },
        Move = "move" { moves: usize },
        Since = "since" { moves: usize },
        Largest = "largest" { value: u64 },
        All = "all" { moves: usize },
        NoMove = "no-move" { number: usize, letter: String },
        NotWon = "not-won" { goal: u64 },
    }
}

/// A board on the way.
struct Stage {
    moves: usize,
    board: SlidingBoard,
}

/// Draws a board with the goal that it is to reach, with what became of it.
pub(super) fn draw(start: &SlidingBoard, goal_rank: u8, shown: &Shown<'_>) -> Markup {
    let size = start.size();
    let moves = moves(shown.witness, replayed_max(size).max(1));
    let say = |phrase: Caption| Phrase::from(phrase).say(shown.language);
    let (stages, made) = stages(start, &moves);
    let has_won = stages.last().is_some_and(|stage| largest(&stage.board) >= goal_rank);
    html! {
        @if size <= SIDE_MAX {
            (boards(&stages, shown))
        }
        @if let Some(direction) = moves.get(made) {
            p { (say(Caption::NoMove { number: made + 1, letter: direction.letter().to_string() })) }
        } @else if !has_won && !moves.is_empty() {
            p { (say(Caption::NotWon { goal: value_of(goal_rank) })) }
        }
        @if !moves.is_empty() {
            p class="soft" { (say(Caption::All { moves: moves.len() })) }
            (letters(&moves, shown.language))
        }
    }
}

/// Returns the moves of a witness, up to the first letter that is no move.
fn moves(witness: &Value, most: usize) -> Vec<Direction> {
    witness.as_str().unwrap_or_default().chars().map_while(Direction::from_letter).take(most).collect()
}

/// Returns the first and the last board, and each one with a new largest tile; and how many of the moves are valid.
fn stages(start: &SlidingBoard, moves: &[Direction]) -> (Vec<Stage>, usize) {
    let mut board = start.clone();
    let mut most = largest(start);
    let mut stages = vec![Stage { moves: 0, board: start.clone() }];
    let mut made = 0;
    for &direction in moves {
        let Some((next, largest_made)) = swiped(&board, direction) else { break };
        if largest_made > RANK_MAX {
            break;
        }
        board = next;
        made += 1;
        if largest_made > most {
            most = largest_made;
            stages.push(Stage { moves: made, board: board.clone() });
        }
    }
    if stages.last().is_some_and(|stage| stage.moves < made) {
        stages.push(Stage { moves: made, board });
    }
    (stages, made)
}

fn largest(board: &SlidingBoard) -> u8 {
    board.ranks().iter().copied().max().unwrap_or(0)
}

fn boards(stages: &[Stage], shown: &Shown<'_>) -> Markup {
    let size = stages.first().map_or(0, |stage| stage.board.size());
    let [first, last] = kept(stages.len(), strip_max(size));
    let mut shots = Vec::new();
    let mut before = 0;
    for (index, stage) in stages.iter().enumerate() {
        if first.contains(&index) || last.contains(&index) {
            shots.push(one(stage, stage.moves - before, shown));
            before = stage.moves;
        } else if index == first.end {
            shots.push(left_out(last.start - first.end, shown.language));
        }
    }
    strip(size, &shots)
}

/// Draws a board, `since` moves after the one that is drawn before it.
fn one(stage: &Stage, since: usize, shown: &Shown<'_>) -> Markup {
    let Stage { moves, board } = stage;
    let say = |phrase: Caption| Phrase::from(phrase).say(shown.language);
    let values: Vec<u128> = board.ranks().iter().map(|&rank| u128::from(value_of(rank))).collect();
    let caption = html! {
        @if since > 0 {
            div { (say(Caption::Since { moves: since })) }
        }
        div { (say(Caption::Largest { value: value_of(largest(board)) })) }
        div { "distance_weighted " (distance_weighted(board)) }
        div { "left_weighted " (left_weighted(board)) }
    };
    let title = if *moves == 0 { Caption::Start } else { Caption::After { moves: *moves } };
    let tiles = Tiles { size: board.size(), values: &values, outlined: &[] };
    let number = say(Caption::Move { moves: *moves });
    shot(&Shot { tiles, title: title.into(), number, next: None }, &caption, shown.language)
}
