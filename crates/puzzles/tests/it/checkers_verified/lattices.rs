//! Lattices of 30 to 60 squares a side, with answers found by an integer program (`tests/judges/lattices.py`).

use tabuleiro_puzzles::solver::Verdict;

use super::board::Board;
use super::outcomes;

const BOARDS: &str = include_str!("lattices.txt");

#[test]
fn lattices_have_the_answers_of_an_integer_program() {
    let answers: Vec<u64> = BOARDS
        .lines()
        .filter_map(|line| line.strip_prefix("# answer "))
        .map(|answer| answer.parse().unwrap())
        .collect();
    let boards = boards();
    let found = outcomes(BOARDS, "exact", "none");
    assert_eq!((answers.len(), boards.len(), found.len()), (20, 20, 20));
    for ((outcome, answer), board) in found.iter().zip(&answers).zip(&boards) {
        assert!(matches!(outcome.verdict, Verdict::Answered), "{}", outcome.headline);
        assert_eq!(outcome.answer.as_u64(), Some(*answer));
        assert_eq!(board.replay(&outcome.to_text()), *answer);
    }
}

/// Parses the boards without the solver's reader.
fn boards() -> Vec<Board> {
    let lines = BOARDS.lines().filter(|line| !line.starts_with('#'));
    let mut numbers = lines.flat_map(str::split_whitespace).map(|number| number.parse::<usize>().unwrap());
    let mut boards = Vec::new();
    while let (Some(rows), Some(columns)) = (numbers.next(), numbers.next()) {
        if (rows, columns) == (0, 0) {
            break;
        }
        boards.push(Board::new(rows, columns, |_, _| numbers.next().unwrap() as u8));
    }
    boards
}
