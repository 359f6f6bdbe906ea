//! The rules of `2048-astar` on plain values, a breadth-first search, and a checker for printed paths.

use std::collections::{BTreeSet, HashSet};

/// Values, row by row.
pub type Grid = Vec<Vec<u64>>;

/// Returns the board after a swipe (E left, D right, C up, B down). `None` if the swipe is invalid.
pub fn swipe(grid: &Grid, letter: char) -> Option<Grid> {
    let mut next = match letter {
        'E' => grid.iter().map(|row| squeeze(row)).collect(),
        'D' => mirror(&mirror(grid).iter().map(|row| squeeze(row)).collect()),
        'C' => transpose(&swipe_only(&transpose(grid))),
        'B' => transpose(&mirror(&swipe_only(&mirror(&transpose(grid))))),
        other => panic!("no swipe {other}"),
    };
    if next == *grid {
        return None;
    }
    let size = grid.len();
    let row = (0..size).find(|&row| next[row][size - 1] == 0)?;
    next[row][size - 1] = 2;
    Some(next)
}

fn swipe_only(grid: &Grid) -> Grid {
    grid.iter().map(|row| squeeze(row)).collect()
}

/// Slides a row to its beginning.
fn squeeze(row: &[u64]) -> Vec<u64> {
    let mut rest = row.iter().copied().filter(|&value| value != 0).peekable();
    let mut out = Vec::new();
    while let Some(value) = rest.next() {
        let twin = rest.next_if_eq(&value);
        out.push(value + twin.unwrap_or(0));
    }
    out.resize(row.len(), 0);
    out
}

fn mirror(grid: &Grid) -> Grid {
    grid.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

fn transpose(grid: &Grid) -> Grid {
    (0..grid.len()).map(|column| grid.iter().map(|row| row[column]).collect()).collect()
}

pub fn is_won(grid: &Grid, goal: u64) -> bool {
    grid.iter().flatten().any(|&value| value >= goal)
}

/// Returns the boards after the valid swipes, in the order left, right, up, down.
fn neighbours(grid: &Grid) -> impl Iterator<Item = Grid> + '_ {
    "EDCB".chars().filter_map(|letter| swipe(grid, letter))
}

/// Returns the fewest moves to the goal, by breadth-first search through all boards.
pub fn fewest_moves(grid: &Grid, goal: u64) -> Option<u64> {
    fewest_moves_within(grid, goal, u64::MAX)
}

/// Like `fewest_moves`, but gives up after `moves_max` moves.
pub fn fewest_moves_within(grid: &Grid, goal: u64, moves_max: u64) -> Option<u64> {
    let mut layer = HashSet::from([grid.clone()]);
    let mut moves = 0;
    while !layer.is_empty() && moves <= moves_max {
        if layer.iter().any(|grid| is_won(grid, goal)) {
            return Some(moves);
        }
        layer = layer.iter().flat_map(neighbours).collect();
        moves += 1;
    }
    None
}

/// The result of the published best-first search.
pub enum Published {
    /// The boards of its path.
    Path(Vec<Grid>),
    /// No board was left to expand.
    Unsolvable,
    /// The search expanded as many boards as allowed.
    TooLong,
}

/// Runs the published best-first search for at most `expansions_max` boards.
pub fn published_search(grid: &Grid, goal: u64, algorithm: &str, expansions_max: usize) -> Published {
    if is_won(grid, goal) {
        return Published::Path(vec![grid.clone()]);
    }
    // All generated boards, each with its parent. The queue holds scores and board numbers.
    let mut boards = vec![(grid.clone(), 0)];
    let mut queue = BTreeSet::from([(0, 0)]);
    for _ in 0..expansions_max {
        let Some((_, number)) = queue.pop_last() else { return Published::Unsolvable };
        let expanded = boards[number].0.clone();
        for next in neighbours(&expanded) {
            let won = is_won(&next, goal);
            let score = if algorithm == "left-weighted" { left_score(&next) } else { distance_score(&next) };
            queue.insert((score, boards.len()));
            boards.push((next, number));
            if won {
                return Published::Path(path_to(&boards, boards.len() - 1));
            }
        }
    }
    Published::TooLong
}

fn path_to(boards: &[(Grid, usize)], last: usize) -> Vec<Grid> {
    let mut path = vec![boards[last].0.clone()];
    let mut number = last;
    while number != 0 {
        number = boards[number].1;
        path.insert(0, boards[number].0.clone());
    }
    path
}

fn left_score(grid: &Grid) -> i64 {
    let size = grid.len();
    let mut score = -grid[size - 1][size - 2].cast_signed();
    let mut weight = 2;
    for (index, row) in grid.iter().enumerate() {
        score += weight * row[0].cast_signed();
        weight += index.cast_signed() as i64 + 3;
        if row[1] == row[0] || 2 * row[1] == row[0] {
            score += row[1].cast_signed();
        }
    }
    score
}

fn distance_score(grid: &Grid) -> i64 {
    let mut score = 0;
    for (down, row) in grid.iter().enumerate() {
        for (left, value) in row.iter().rev().enumerate() {
            score += (down + left).cast_signed() as i64 * value.cast_signed();
        }
    }
    score
}

/// A printed answer after its replay.
#[derive(Debug)]
pub struct Path {
    pub moves: u64,
    pub at_least: u64,
    pub minimum: bool,
    pub boards: Vec<Grid>,
}

/// Replays the printed answer to `grid`. Every board must follow from the previous one by a valid swipe, and only the
/// last board may be won.
pub fn check_path(grid: &Grid, goal: u64, text: &str) -> Path {
    let mut lines = text.lines();
    let title = lines.next().unwrap();
    let (minimum, moves, at_least) = if let Some(moves) = title.strip_prefix("Minimum number of moves: ") {
        (true, moves.parse().unwrap(), moves.parse().unwrap())
    } else {
        let rest = title.strip_prefix("Number of moves: ").unwrap_or_else(|| panic!("{title}"));
        let (moves, rest) = rest.split_once(" (at least ").unwrap();
        (false, moves.parse().unwrap(), rest.strip_suffix(')').unwrap().parse().unwrap())
    };
    let mut boards: Vec<Grid> = Vec::new();
    while let Some(size) = lines.next() {
        assert_eq!(size, grid.len().to_string());
        let rows = lines.by_ref().take(grid.len());
        let board: Grid =
            rows.map(|row| row.split(' ').map(|value| value.parse().unwrap()).collect()).collect();
        match boards.last() {
            None => assert_eq!(&board, grid),
            Some(before) => {
                assert!(!is_won(before, goal));
                assert!(neighbours(before).any(|next| next == board), "{before:?} to {board:?}");
            }
        }
        boards.push(board);
    }
    assert!(text.ends_with('\n') && is_won(boards.last().unwrap(), goal));
    assert_eq!(boards.len() as u64, moves + 1);
    Path { moves, at_least, minimum, boards }
}

/// Joins values with blanks.
pub fn row_of(row: &[u64]) -> String {
    row.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
