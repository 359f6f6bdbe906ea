//! Boards of 2048 with the exponents of the tiles instead of the tiles: 7 for 128.

use super::Mistake;
use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, digits_value};
use tabuleiro_puzzles::solver::{Problem, Proposal, named_lines};

/// The largest number that is taken for an exponent. It stands for the largest tile of a game.
const EXPONENT_MAX: u64 = 17;
/// The fewest different numbers that no tile has, or the fewest squares with two such numbers.
const ODD_MIN: usize = 3;
const ODD_SQUARES_MIN: usize = 4;

/// Returns the problem of a board on which several numbers are no tiles, and all are small enough to be exponents.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let is_tile_board = ["merge", "astar", "game"].contains(&problem.what.scope);
    let layout = trial.reader.layout(lines).filter(|_| is_tile_board && problem.rule() == "square-value")?;
    let rows = lines.get(layout.header_lines..)?;
    let rows = &rows[..rows.len().min(usize::try_from(layout.parts.first()?.rows).ok()?)];
    let values =
        |line: &Line<'_>| line.tokens().map(|(_, token)| digits_value(0, token)).collect::<Option<Vec<_>>>();
    let board = rows.iter().map(values).collect::<Option<Vec<_>>>()?;
    let mut odd: Vec<_> = board.concat();
    if odd.iter().any(|&value| value > EXPONENT_MAX) {
        return None;
    }
    // Each number from 0 on once is a sliding puzzle.
    let mut all = odd.clone();
    all.sort_unstable();
    if (0..).zip(&all).all(|(number, value)| number == *value) {
        return None;
    }
    odd.retain(|&value| value == 1 || value > 0 && !value.is_power_of_two());
    // Threes has 1, 2, 3 and the doubles of 3.
    let is_of_threes = |&&value: &&u64| value > 2 && !(value % 3 == 0 && (value / 3).is_power_of_two());
    if odd.contains(&3) && board.iter().flatten().filter(is_of_threes).count() == 0 {
        return None;
    }
    let (exponent, squares) = (*odd.first()?, odd.len());
    odd.sort_unstable();
    odd.dedup();
    let tile = |value: u64| if value == 0 { 0 } else { 1_u64 << value };
    let written = |row: &Vec<u64>| {
        let tiles: Vec<_> = row.iter().map(|&value| tile(value).to_string()).collect();
        tiles.join(" ")
    };
    let (first, last) = (rows.first()?, rows.last()?);
    // Lines between the rows would go.
    let are_adjacent = last.number - first.number + 1 == rows.len() as u64;
    let change = Proposal::replace_lines(rows, board.iter().map(written).collect());
    let lines = named_lines(rows.iter().map(|row| row.number));
    let what = Mistake::Exponents { exponent, tile: tile(exponent), lines };
    let proposal = trial.first_of(change.filter(|_| are_adjacent));
    (odd.len() >= ODD_MIN || odd.len() > 1 && squares >= ODD_SQUARES_MIN)
        .then(|| Problem::new(problem.place, what).proposing(proposal))
}
