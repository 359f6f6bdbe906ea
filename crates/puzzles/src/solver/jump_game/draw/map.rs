//! The board as a map: the numbers, squares with 0 hatched, where the players start, the goal, and the way.

use std::collections::BTreeMap;

use super::{Fault, Way};
use crate::board::jump::Board;
use crate::picture::{Markup, Point, arrow_head, html};
use crate::solver::jump_game::game::{Game, player_name};

/// Units of a square.
const SQUARE: f64 = 40.0;
/// Units beside the board, for the numbers of rows and columns.
const EDGE: f64 = 26.0;
/// Units on the other two sides.
const MARGIN: f64 = 6.0;
/// Units of what stands in a square, from its middle.
const RADIUS: f64 = 9.0;
/// Units of an arrowhead.
const HEAD: f64 = 10.0;
/// How far beside its chord a jump goes, in shares of its length and at most: so a jump forth and one back are two lines, and no
/// straight one goes over the squares between.
const BEND: f64 = 0.12;
const BEND_MAX: f64 = 16.0;
/// Names and rounds in a square; a mark stands for others.
const NAMES_MAX: usize = 3;

/// Returns how large the picture is.
pub fn size(board: &Board) -> [f64; 2] {
    [board.columns(), board.rows()].map(|side| EDGE + f64::from(side) * SQUARE + MARGIN)
}

/// Returns the upper left corner of a square.
fn corner(board: &Board, square: u32) -> Point {
    let (row, column) = board.position(square);
    Point { x: EDGE + f64::from(column) * SQUARE, y: EDGE + f64::from(row) * SQUARE }
}

/// Returns where a jump begins and ends: below the number.
fn middle(board: &Board, square: u32) -> Point {
    let Point { x, y } = corner(board, square);
    Point { x: x + SQUARE / 2.0, y: y + SQUARE - RADIUS - 4.0 }
}

/// Draws the map.
pub fn draw(game: &Game, way: &Way) -> Markup {
    let board = &game.board;
    let [width, height] = [board.columns(), board.rows()].map(|side| f64::from(side) * SQUARE);
    let goal = corner(board, board.goal());
    html! {
        rect class="jg-ground" x=(EDGE) y=(EDGE) width=(width) height=(height) {}
        path class="jg-zero" d=(hatching(board)) {}
        path class="jg-grid" d=(grid(board, width, height)) {}
        g class="jg-side" {
            @for row in 0..board.rows() { text x=(EDGE / 2.0) y=(EDGE + (f64::from(row) + 0.5) * SQUARE) { (row) } }
            @for column in 0..board.columns() { text x=(EDGE + (f64::from(column) + 0.5) * SQUARE) y=(EDGE / 2.0) { (column) } }
        }
        // A frame within the square, and a flag.
        rect class="jg-goal" x=(goal.x + 2.0) y=(goal.y + 2.0) width=(SQUARE - 4.0) height=(SQUARE - 4.0) {}
        path class="jg-flag" d=(format!("M{}v-13l11 4l-11 4", Point { x: goal.x + SQUARE - 15.0, y: goal.y + 18.0 })) {}
        (jumps(game, way))
        // What is written stands above the lines.
        g class="jg-numbers" {
            @for square in 0..board.squares() as u32 {
                @let Point { x, y } = corner(board, square);
                text x=(x + 3.0) y=(y + 8.0) { (number(board.value(square))) }
            }
        }
        (starts(game))
        (rounds(game, way))
        @if let Some(fault) = way.fault { (faulty(game, way, fault)) }
    }
}

/// Returns a number as it fits into a square.
fn number(value: u64) -> String {
    if value < 100_000 { value.to_string() } else { format!("{:.0e}", value as f64) }
}

fn grid(board: &Board, width: f64, height: f64) -> String {
    let rows = (0..=board.rows())
        .map(|row| format!("M{}h{width}", Point { x: EDGE, y: EDGE + f64::from(row) * SQUARE }));
    let columns = (0..=board.columns())
        .map(|column| format!("M{}v{height}", Point { x: EDGE + f64::from(column) * SQUARE, y: EDGE }));
    rows.chain(columns).collect()
}

/// Returns strokes over the squares that no player can leave. The number on the goal does not matter.
fn hatching(board: &Board) -> String {
    let zeros = (0..board.goal()).filter(|&square| board.value(square) == 0);
    let strokes = |square: u32| {
        let Point { x, y } = corner(board, square);
        let low = y + SQUARE;
        format!("M{},{low}l40-40M{x},{}l20-20M{},{low}l20-20", x, low - 20.0, x + 20.0)
    };
    zeros.map(strokes).collect()
}

/// Draws the players where they start: their letters in a frame with round ends.
fn starts(game: &Game) -> Markup {
    let mut starts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (player, &square) in game.players.iter().enumerate() {
        starts.entry(square).or_default().push(player);
    }
    html! {
        @for (square, players) in starts {
            @let name = joined(&players.iter().map(|&player| player_name(player)).collect::<Vec<_>>());
            (badge(middle(&game.board, square), &name, "jg-start"))
        }
    }
}

/// Returns a few texts, and a mark for the others.
fn joined(texts: &[String]) -> String {
    let mut all = texts.iter().take(NAMES_MAX).map(String::as_str).collect::<Vec<_>>().join(",");
    if texts.len() > NAMES_MAX {
        all.push('…');
    }
    all
}

/// Draws a text in a frame with round ends.
fn badge(at: Point, text: &str, class: &str) -> Markup {
    let letters = text.chars().count() as f64;
    let half = RADIUS.max(letters * 3.2 + 3.0).min(SQUARE / 2.0);
    let size = if letters > 4.0 { Some("8") } else { None };
    html! {
        g class=(class) {
            rect x=(at.x - half) y=(at.y - RADIUS) width=(2.0 * half) height=(2.0 * RADIUS) rx=(RADIUS) {}
            text x=(at.x) y=(at.y) font-size=[size] { (text) }
        }
    }
}

/// Draws the jumps of the path.
fn jumps(game: &Game, way: &Way) -> Markup {
    let middle = |square| middle(&game.board, square);
    let jumps: Vec<_> = way.squares.windows(2).map(|pair| line(middle(pair[0]), middle(pair[1]))).collect();
    let lines: String = jumps.iter().map(|(line, _)| line.as_str()).collect();
    let heads: String = jumps.iter().map(|(_, head)| head.as_str()).collect();
    html! {
        @if !jumps.is_empty() {
            path class="jg-casing" d=(lines) {}
            path class="jg-way" d=(lines) {}
            path class="jg-heads" d=(heads) {}
        }
    }
}

/// Draws the numbers of the rounds where they end.
fn rounds(game: &Game, way: &Way) -> Markup {
    let mut rounds: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (round, &square) in way.squares.iter().enumerate().skip(1) {
        rounds.entry(square).or_default().push(round.to_string());
    }
    html! {
        @for (&square, rounds) in &rounds { (badge(middle(&game.board, square), &joined(rounds), "jg-round")) }
    }
}

/// Returns a jump from one place to another, and its arrowhead.
fn line(from: Point, to: Point) -> (String, String) {
    let length = from.distance(to).max(1.0);
    let bend = (length * BEND).min(BEND_MAX);
    let half = from.towards(to, 0.5);
    let aside = Point {
        x: half.x + (to.y - from.y) / length * 2.0 * bend,
        y: half.y - (to.x - from.x) / length * 2.0 * bend,
    };
    let near = |end: Point| end.towards(aside, (RADIUS + 1.0) / end.distance(aside).max(RADIUS + 1.0));
    let (begin, point) = (near(from), near(to));
    // The arrowhead stays sharp.
    let end = point.towards(aside, 2.0 / point.distance(aside).max(2.0));
    (format!("M{begin}Q{aside} {end}"), arrow_head(aside, point, HEAD))
}

/// Draws the jump that breaks a rule; if it has no end, the square that is wrong.
fn faulty(game: &Game, way: &Way, fault: Fault) -> Markup {
    let board = &game.board;
    let [width, height] = size(board);
    let to = match fault {
        Fault::NoSquare | Fault::Unfinished => None,
        Fault::NoStart(square) | Fault::NoJump(square) | Fault::Over(square) => Some(middle(board, square)),
        // Where the picture ends.
        Fault::OffBoard(row, column) => Some(Point {
            x: (EDGE + (column as f64 + 0.5) * SQUARE).min(width - 2.0),
            y: (EDGE + (row as f64 + 0.5) * SQUARE).min(height - 2.0),
        }),
    };
    let from = way.squares.last().map(|&square| middle(board, square));
    html! {
        @match (from, to) {
            (Some(from), Some(to)) if from.distance(to) > 2.0 * RADIUS => {
                // An arc to somewhere outside would leave the picture.
                @let is_outside = matches!(fault, Fault::OffBoard(..));
                @let straight = (format!("M{from}L{to}"), arrow_head(from, to, HEAD));
                @let (line, head) = if is_outside { straight } else { line(from, to) };
                path class="jg-fault" d=(line) {}
                path class="jg-fault-head" d=(head) {}
            }
            (from, to) => {
                @if let Some(at) = to.or(from) { circle class="jg-fault" cx=(at.x) cy=(at.y) r=(RADIUS + 4.0) {} }
            }
        }
    }
}
