//! Tests `checkers-capture` with a branch of over 65,535 captures on a circle, since counts need more than 16 bits.

use tabuleiro_puzzles::solver::{self, Authority, Bounds};

/// Number of rows and of columns of the board.
const SIDE: usize = 800;
/// The opponents of the circles. The longest capture takes [`BEFORE`] of them before it leaves along the branch.
const CIRCLES: [(usize, usize); 36] = [
    (5, 1),
    (5, 3),
    (5, 7),
    (5, 9),
    (5, 15),
    (5, 19),
    (5, 21),
    (7, 3),
    (7, 7),
    (7, 9),
    (7, 11),
    (7, 13),
    (7, 17),
    (7, 19),
    (7, 21),
    (9, 1),
    (9, 3),
    (9, 5),
    (9, 7),
    (9, 11),
    (9, 13),
    (9, 15),
    (9, 19),
    (11, 3),
    (11, 7),
    (11, 13),
    (11, 15),
    (11, 17),
    (13, 1),
    (13, 3),
    (13, 5),
    (13, 7),
    (13, 11),
    (13, 15),
    (13, 17),
    (13, 19),
];
const OWN: (usize, usize) = (6, 2);
/// Found by a search of all captures on the board without the branch.
const BEFORE: u64 = 6;

/// Returns the squares of a branch: down from the circles, then back and forth over the rest of the board.
fn branch(captures: usize) -> Vec<(usize, usize)> {
    let mut squares = vec![(14, 2), (16, 4), (18, 2), (20, 4), (22, 2)];
    let mut top = 24;
    let mut to_the_right = true;
    while squares.len() <= captures {
        let (_, column) = squares[squares.len() - 1];
        let first = if to_the_right == (column >= 2) { column - 2 } else { column + 2 };
        squares.push((top, first));
        loop {
            let (row, column) = squares[squares.len() - 1];
            let is_at_the_end = if to_the_right { column + 10 >= SIDE } else { column < 10 };
            if row == top + 2 && is_at_the_end || squares.len() > captures {
                break;
            }
            let row = if row == top { top + 2 } else { top };
            squares.push((row, if to_the_right { column + 2 } else { column - 2 }));
        }
        to_the_right = !to_the_right;
        top += 4;
        assert!(top < SIDE, "the board is too small");
    }
    squares.truncate(captures + 1);
    squares
}

fn board(captures: usize) -> String {
    let mut board = vec![vec!['0'; SIDE]; SIDE];
    for (row, column) in CIRCLES {
        board[row][column] = '2';
    }
    for pair in branch(captures).windows(2) {
        let [(row, column), (to_row, to_column)] = [pair[0], pair[1]];
        assert_eq!((row.abs_diff(to_row), column.abs_diff(to_column)), (2, 2));
        let between = &mut board[row.midpoint(to_row)][column.midpoint(to_column)];
        assert_eq!(std::mem::replace(between, '2'), '0', "the branch crosses itself");
    }
    board[OWN.0][OWN.1] = '1';
    let mut text = format!("{SIDE} {SIDE}\n");
    for (row, squares) in board.iter().enumerate() {
        let playable: Vec<_> = squares.iter().skip(row % 2).step_by(2).map(char::to_string).collect();
        text.push_str(&playable.join(" "));
        text.push('\n');
    }
    text + "0 0\n"
}

#[test]
fn a_branch_of_more_than_65535_captures_is_counted_whole() {
    let checkers = solver::find("checkers-capture").unwrap();
    let mut options = solver::default_options(checkers);
    options.set("limits", "none", Authority::Owner).unwrap();
    for captures in [100, 65_535, 65_536, 70_000] {
        let outcomes = crate::answer_all(checkers, &options, "t", board(captures).as_bytes());
        let exact = Some(captures as u64 + BEFORE);
        assert_eq!(outcomes[0].bounds, Bounds { at_least: exact, at_most: exact }, "{captures}");
    }
}
