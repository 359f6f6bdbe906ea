//! The picture: the board as a map with the players' starts, the goal, and the winner's path.

use std::collections::BTreeMap;

use serde_json::Value;

use super::game::{Game, player_name};
use crate::picture::{Board, Dots, GridPicture, Kind, Path, PathEnd, joined};
use crate::solver::{Drawable, RenderInput};
use crate::words::{Phrase, messages};

/// The most squares or players that are listed by name.
const NAMED_MAX: usize = 64;
/// The most digits of a number that fit into a square.
const DIGITS_MAX: usize = 6;

messages! {
    "jump-picture"
    /// The texts of a picture, and the answer in a sentence. Squares are row,column.
    enum Caption {
        Title = "title" { rows: u32, columns: u32 },
        Board = "board" { rows: u32, columns: u32, goal: String },
        Starts = "starts" { starts: String, more: usize },
        Squares = "squares" { squares: String, more: usize },
        Legend = "legend",
        NoSquare = "no-square" { number: usize },
        OffBoard = "off-board" { square: String },
        NoStart = "no-start" { square: String },
        NoJump = "no-jump" { jump: usize, length: u64, from: String, to: String },
        Over = "over" { square: String },
        Unfinished = "unfinished" { square: String },
        Tied = "tied" { player: String },
        Later = "later" { player: String, round: usize },
        Never = "never" { player: String },
        Asks = "asks",
        Wins = "wins" { player: String, round: u64 },
        AtGoal = "at-goal" { player: String },
        NoWinner = "no-winner",
    }
}

impl Drawable for Game {
    fn draw(&self, input: &RenderInput) -> Option<GridPicture> {
        let say = |caption: Caption| Phrase::from(caption).say(input.language);
        let board = &self.board;
        let (rows, columns) = (board.rows(), board.columns());
        let sides = [rows as usize, columns as usize];
        let (way, fault) = way(self, &input.witness);
        let mut picture = GridPicture::new(Kind::Map, sides, say(Caption::Title { rows, columns }));
        picture.description = say(Caption::Board { rows, columns, goal: place(self, board.goal()) });
        let players = self.players.iter().enumerate().take(NAMED_MAX);
        let starts =
            players.map(|(player, &square)| format!("{} {}", player_name(player), place(self, square)));
        let starts = Caption::Starts {
            starts: starts.collect::<Vec<_>>().join("; "),
            more: self.players.len().saturating_sub(NAMED_MAX),
        };
        picture.description += &format!(" {}", say(starts));
        if way.len() > 1 {
            let squares = way.iter().take(NAMED_MAX).map(|&square| place(self, square));
            let squares = squares.collect::<Vec<_>>().join(" ");
            let caption = Caption::Squares { squares, more: way.len().saturating_sub(NAMED_MAX) };
            picture.description += &format!(" {}", say(caption));
        }
        let squares: Vec<_> = way.iter().map(|&square| at(self, square)).collect();
        picture.moves = way.iter().map(|&square| square as usize).collect();
        picture.path = Path {
            numbered: squares.get(1..).unwrap_or_default().to_vec(),
            squares,
            end: match fault {
                None => PathEnd::Legal,
                Some(Fault::NoSquare | Fault::Unfinished) => PathEnd::Nowhere,
                Some(Fault::OffBoard(row, column)) => PathEnd::Wrong(
                    [row, column].map(|side| usize::try_from(side).unwrap_or(usize::MAX)).into(),
                ),
                Some(Fault::NoStart(square) | Fault::NoJump(square) | Fault::Over(square)) => {
                    PathEnd::Wrong(at(self, square))
                }
            },
        };
        if GridPicture::has_squares(sides) {
            picture.boards = vec![map(self)];
            picture.notes.push(say(Caption::Legend));
            if input.is_answered && fault.is_none() && way.len() > 1 {
                let others = others(self, way[0], way.len() - 1).map(say);
                picture.notes.extend(others.reduce(|all, one| all + " " + &one));
            }
        }
        picture.notes.extend(fault.map(|fault| say(wrong(self, &way, fault))));
        Some(picture)
    }

    fn sentence(&self, input: &RenderInput) -> Option<Phrase> {
        if input.answer.is_string() {
            return input.is_answered.then_some(Caption::NoWinner.into());
        }
        let player = input.answer.get("winner")?.as_str()?.to_owned();
        Some(match input.answer.get("round")?.as_u64()? {
            0 => Caption::AtGoal { player }.into(),
            round => Caption::Wins { player, round }.into(),
        })
    }

    fn asks(&self) -> Option<Phrase> {
        Some(Caption::Asks.into())
    }
}

/// Returns the board with the players' starts.
fn map(game: &Game) -> Board {
    let board = &game.board;
    let zeros = (0..board.goal()).filter(|&square| board.value(square) == 0);
    let squares = zeros.map(|square| square as usize).collect();
    let mut starts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (player, &square) in game.players.iter().enumerate() {
        starts.entry(square as usize).or_default().push(player_name(player));
    }
    Board {
        dots: vec![Dots { class: "zero", width: 42.0, squares }],
        texts: (0..=board.goal()).map(|square| (square as usize, number(board.value(square)))).collect(),
        badges: starts.iter().map(|(&square, names)| (square, joined(names))).collect(),
        goal: Some(board.goal() as usize),
        ..Board::default()
    }
}

/// Formats a number so that it fits into a square.
fn number(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() > DIGITS_MAX { format!("{:.1e}", value as f64) } else { digits }
}

fn at(game: &Game, square: u32) -> (usize, usize) {
    let (row, column) = game.board.position(square);
    (row as usize, column as usize)
}

fn place(game: &Game, square: u32) -> String {
    let (row, column) = game.board.position(square);
    format!("{row},{column}")
}

/// Returns why each other player does not win: it jumps later in that round, reaches the goal in a later one, or never.
fn others(game: &Game, winner: u32, round: usize) -> impl Iterator<Item = Caption> {
    let distances = distances(game);
    let players =
        game.players.iter().take(NAMED_MAX).enumerate().filter(move |(_, square)| **square != winner);
    players.map(move |(player, &square)| {
        let player = player_name(player);
        match distances[square as usize] {
            None => Caption::Never { player },
            Some(distance) if distance > round => Caption::Later { player, round: distance },
            Some(_) => Caption::Tied { player },
        }
    })
}

/// Returns the fewest jumps from every square to the goal.
fn distances(game: &Game) -> Vec<Option<usize>> {
    let mut origins = vec![Vec::new(); game.board.squares()];
    for from in 0..game.board.squares() as u32 {
        for to in game.rules.movement.ends(&game.board, from) {
            origins[to as usize].push(from);
        }
    }
    let mut distances = vec![None; origins.len()];
    let (mut reached, mut round) = (vec![game.board.goal()], 0);
    while !reached.is_empty() {
        reached.retain(|&square| distances[square as usize].replace(round).is_none());
        let next = reached.iter().flat_map(|&to| &origins[to as usize]);
        reached = next.copied().filter(|&from| distances[from as usize].is_none()).collect();
        round += 1;
    }
    distances
}

/// The rule that a square of a path breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The value is not a square.
    NoSquare,
    /// The square lies outside the board.
    OffBoard(u64, u64),
    /// The first square is not the start of any player.
    NoStart(u32),
    /// The jump does not end on the square.
    NoJump(u32),
    /// The game is over before this square.
    Over(u32),
    /// The path ends before the goal.
    Unfinished,
}

/// Returns the squares of a witness up to the last legal one, and the fault of the next one.
fn way(game: &Game, witness: &Value) -> (Vec<u32>, Option<Fault>) {
    // A path longer than any of ours visits a square twice, so it is cut.
    let list = witness.as_array().map_or(&[][..], Vec::as_slice);
    let mut way = Vec::new();
    for value in list.iter().take(game.board.squares() + 1) {
        match next(game, &way, value) {
            Ok(square) => way.push(square),
            Err(fault) => return (way, Some(fault)),
        }
    }
    let is_whole = list.is_empty() || way.last() == Some(&game.board.goal());
    (way, (!is_whole).then_some(Fault::Unfinished))
}

/// Returns the next square of a path, or its fault.
fn next(game: &Game, way: &[u32], value: &Value) -> Result<u32, Fault> {
    let board = &game.board;
    let pair = value.as_array().map_or(&[][..], Vec::as_slice);
    let [Some(row), Some(column)] = [0, 1].map(|index| pair.get(index).and_then(Value::as_u64)) else {
        return Err(Fault::NoSquare);
    };
    if pair.len() > 2 || row >= board.rows().into() || column >= board.columns().into() {
        return Err(Fault::OffBoard(row, column));
    }
    let square = board.square(row as u32, column as u32);
    match way.last() {
        None if !game.players.contains(&square) => Err(Fault::NoStart(square)),
        Some(&last) if last == board.goal() => Err(Fault::Over(square)),
        Some(&last) if !game.rules.movement.reaches(board, last, square) => Err(Fault::NoJump(square)),
        _ => Ok(square),
    }
}

fn wrong(game: &Game, way: &[u32], fault: Fault) -> Caption {
    let last = way.last().copied().unwrap_or(0);
    match fault {
        Fault::NoSquare => Caption::NoSquare { number: way.len() + 1 },
        Fault::OffBoard(row, column) => Caption::OffBoard { square: format!("{row},{column}") },
        Fault::NoStart(square) => Caption::NoStart { square: place(game, square) },
        Fault::NoJump(square) => Caption::NoJump {
            jump: way.len(),
            length: game.board.value(last),
            from: place(game, last),
            to: place(game, square),
        },
        Fault::Over(square) => Caption::Over { square: place(game, square) },
        Fault::Unfinished => Caption::Unfinished { square: place(game, last) },
    }
}
