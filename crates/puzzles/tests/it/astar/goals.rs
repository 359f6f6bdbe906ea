//! How far the default algorithm gets: start boards, boards after random swipes, and goals proved out of reach.

use std::io;

use super::rules::{Grid, check_path, fewest_moves};
use super::{START, astar, outcome, outcomes, text_of};
use tabuleiro_puzzles::solver::{Authority, Options, Outcome, Random, Teller};
use tabuleiro_puzzles::words::Language;

const TELLER: Teller<'static> = Teller { language: Language::English, file: "f", noun: "board" };

fn start(size: usize) -> Grid {
    let mut grid = vec![vec![0; size]; size];
    grid[0][size - 1] = 2;
    grid
}

/// Returns the page's lower bound for boards whose tiles, and whose sum of tiles, are below the goal.
fn bound(grid: &Grid, goal: u64) -> u64 {
    let sum: u64 = grid.iter().flatten().sum();
    (goal - sum) / 2 + u64::from(goal.trailing_zeros()) - 1
}

/// Checks that the answer for a board is proved and equals the bound.
fn meets_bound(grid: &Grid, goal: u64, outcome: &Outcome) {
    let path = check_path(grid, goal, &outcome.to_text());
    assert!(path.minimum, "goal {goal}: {}\n{}", outcome.headline, text_of(grid));
    assert_eq!(path.moves, bound(grid, goal), "goal {goal}\n{}", text_of(grid));
}

#[test]
fn the_start_board_meets_its_bound_for_every_goal() {
    for rank in 2..=16_u32 {
        let goal = 1_u64 << rank;
        let found = outcome(START, &[("goal", &goal.to_string())]);
        meets_bound(&start(4), goal, &found);
    }
    assert_eq!(outcome(START, &[("goal", "131072")]).headline, "unsolvable");
}

#[test]
fn larger_start_boards_meet_their_bound() {
    for (size, rank_max) in [(5, 12), (6, 9), (7, 11), (8, 11), (9, 8), (12, 7)] {
        for rank in 2..=rank_max {
            let goal = 1_u64 << rank;
            let found = outcome(&text_of(&start(size)), &[("goal", &goal.to_string())]);
            meets_bound(&start(size), goal, &found);
        }
    }
}

/// The page asks for 99 of 100 boards; here every board must meet the bound.
#[test]
fn boards_after_random_swipes_meet_the_bound() {
    for swipes in 20..=60_u64 {
        let mut generator = Options::defaults(&[astar().generator_options()]);
        generator.set("moves", &swipes.to_string(), Authority::Owner).unwrap();
        let mut text = Vec::new();
        astar().generate(&generator, 3, &mut Random::new(swipes), &mut text).unwrap();
        let values: Vec<u64> = String::from_utf8(text.clone())
            .unwrap()
            .split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect();
        let found = outcomes(&text, &[("goal", "256")]);
        assert_eq!(found.len(), 3);
        for (board, outcome) in values.chunks_exact(17).zip(&found) {
            let grid: Grid = board[1..].chunks_exact(4).map(<[u64]>::to_vec).collect();
            meets_bound(&grid, 256, outcome);
        }
    }
}

/// The largest goals of small boards. For 3 × 3, the benchmark `astar_cost` makes every board by these rules.
#[test]
fn the_largest_tiles_of_small_boards() {
    for (size, goal) in [(2, 16), (3, 512)] {
        let found = outcome(&text_of(&start(size)), &[("goal", &goal.to_string())]);
        meets_bound(&start(size), goal, &found);
        let beyond = outcome(&text_of(&start(size)), &[("goal", &(2 * goal).to_string())]);
        assert_eq!(beyond.headline, "unsolvable");
    }
    assert_eq!(fewest_moves(&start(2), 16), Some(10));
    assert_eq!(fewest_moves(&start(2), 32), None);
}

/// The longest possible answer for 4 × 4 is never in memory as a whole: it is written in small pieces, and a failing
/// writer ends the output.
#[test]
fn boards_are_made_while_they_are_written() {
    /// Accepts a limited number of bytes and records the size of each write.
    struct Narrow {
        room: usize,
        taken: usize,
        largest: usize,
    }
    impl io::Write for Narrow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.largest = self.largest.max(bytes.len());
            self.taken += bytes.len();
            if self.taken > self.room { Err(io::ErrorKind::StorageFull.into()) } else { Ok(bytes.len()) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let found = outcome(START, &[("goal", "65536")]);
    let mut wide = Narrow { room: usize::MAX, taken: 0, largest: 0 };
    found.write_text(&mut wide, &TELLER).unwrap();
    assert_eq!(wide.taken, found.to_text().len());
    assert!(wide.taken > 1_500_000 && wide.largest < 100, "{} in {}", wide.taken, wide.largest);
    let mut narrow = Narrow { room: 1_000, taken: 0, largest: 0 };
    assert_eq!(found.write_text(&mut narrow, &TELLER).unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert!(narrow.taken < 1_100, "{}", narrow.taken);
}
