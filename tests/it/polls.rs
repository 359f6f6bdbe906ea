//! How often solvers ask whether their answer is still wanted, counted and not timed: a search that asks as often as
//! stated here ends within a few milliseconds of being cancelled, on large boards too.

use std::fmt::Write;

use tabuleiro::input::Scanner;
use tabuleiro::solver::{Authority, Budget, Cancel, SOLVERS, Work, default_options};

/// A solver, its options, a puzzle, and how often solving it asks at least.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], String, u64);

/// How often the only puzzle of `text` asks until it is solved.
fn checks(id: &str, options: &[(&str, &str)], text: &str) -> u64 {
    let solver = SOLVERS.iter().find(|solver| solver.id() == id).unwrap();
    let mut chosen = default_options(*solver);
    for (name, value) in options {
        chosen.set(name, value, Authority::Owner).unwrap();
    }
    let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
    let entry = solver.open(&chosen).read(&mut scanner).unwrap().unwrap();
    let Work::Solve(puzzle) = entry.work else { panic!("{id}: no valid puzzle") };
    // Enough to go through every phase, too little to search for ever.
    let budget = Budget::new(None, None, 64 << 20, Cancel::default());
    drop(puzzle.solve(&budget));
    budget.checks()
}

/// A board of `side` times `side` with the same number everywhere.
fn uniform(side: usize, value: u64) -> String {
    let row = format!("{value} ").repeat(side);
    format!("{row}\n").repeat(side)
}

/// Opponents on all even rows but the first, and an own piece near the middle: one component that holds the whole board.
fn lattice(side: usize) -> String {
    let (mut text, middle) = (format!("{side} {side}\n"), (side / 2) | 1);
    for row in 0..side {
        for column in (row % 2..side).step_by(2) {
            let own = (row, column) == (middle, middle);
            let opponent = row % 2 == 0 && row > 0 && row + 1 < side;
            write!(text, "{} ", if own { 1 } else { 2 * u8::from(opponent) }).unwrap();
        }
        text.push('\n');
    }
    text + "0 0\n"
}

#[test]
fn large_boards_ask_often_enough() {
    let side = 400;
    let jump = format!("{side} {side}\n2\n{}1 1\n7 9\n", uniform(side, 101));
    let empty = |side: usize| format!("{side} 7\n{}", uniform(side, 0));
    let moves = "DECB".repeat(20_000);
    let cases: [Case<'_>; 7] = [
        ("checkers-capture", &[("limits", "none")], lattice(side), 1_500),
        ("2048-merge", &[("limits", "none")], format!("1\n64 10000\n{}", uniform(64, 2)), 5),
        ("2048-astar", &[("goal", "256")], "6\n".to_owned() + &start_board(6), 1_100),
        ("2048-astar", &[("goal", "16")], "200\n".to_owned() + &start_board(200), 3_300),
        ("jump-game", &[("movement", "walk")], jump, 200),
        ("2048-game", &[("player", "expectimax")], empty(5) + "AUTO 20\n", 20),
        ("2048-game", &[("on_illegal", "skip")], empty(50) + &moves + "\n", 5_000),
    ];
    for (id, options, text, least) in cases {
        let found = checks(id, options, &text);
        assert!(found >= least, "{id} {options:?}: asked {found} times, at least {least} are stated");
    }
}

/// The start board of the assignment: empty but for a 2 in the upper right corner.
fn start_board(side: usize) -> String {
    let mut first = "0 ".repeat(side - 1);
    first.push_str("2\n");
    first + &format!("{}\n", "0 ".repeat(side)).repeat(side - 1)
}
