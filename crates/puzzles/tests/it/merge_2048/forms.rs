//! Compares every form of a position used in production with brute force: words of 128 bits for boards of 17 to 32
//! squares a side, bytes for larger boards and for ranks above 15.
//!
//! The solver drops empty rows and columns before it chooses a form, so a board counts as large only if it has many
//! tiles. Here each tile has its own row, and all stand in few columns: one slide leaves few lines, and brute force can
//! list all boards.

use std::collections::HashSet;

use tabuleiro_puzzles::solver::Random;

use super::{Case, file, outcomes, slide, tiles};

/// Number of boards after which brute force gives up on a case.
const BOARDS_MAX: usize = 20_000;

/// Puts each tile in a row of its own, in one of the first columns.
fn in_rows(values: &[u64], size: usize, columns: u64, moves_max: usize, random: &mut Random) -> Case {
    let mut rows = vec![vec![0; size]; size];
    for (row, &value) in rows.iter_mut().zip(values) {
        row[random.below(columns) as usize] = value;
    }
    Case { moves_max, rows }
}

/// Splits `whole` into so many tiles, shuffled.
fn split(whole: u64, count: usize, random: &mut Random) -> Vec<u64> {
    let mut values = vec![whole];
    while values.len() < count {
        let at = random.below(values.len() as u64) as usize;
        if values[at] > 1 {
            values[at] /= 2;
            values.push(values[at]);
        }
    }
    random.shuffle(&mut values);
    values
}

/// The result of brute force.
enum Listed {
    Slides(usize),
    NoSolution,
    TooManyBoards,
}

/// Finds the answer by listing all boards that 0, 1, 2, … slides reach.
fn brute_force(case: &Case) -> Listed {
    let mut seen = HashSet::from([case.rows.clone()]);
    let mut layer = vec![case.rows.clone()];
    for slides in 0..=case.moves_max {
        if layer.iter().any(|rows| tiles(rows) <= 1) {
            return Listed::Slides(slides);
        }
        let mut next = Vec::new();
        for rows in &layer {
            for letter in ['E', 'D', 'C', 'B'] {
                let rows = slide(rows, letter);
                if !seen.contains(&rows) {
                    seen.insert(rows.clone());
                    next.push(rows);
                }
            }
        }
        if seen.len() > BOARDS_MAX {
            return Listed::TooManyBoards;
        }
        layer = next;
    }
    Listed::NoSolution
}

/// Checks all answers and their slides, and that at least so many cases have a solution and so many none.
fn agree(cases: &[Case], solvable: usize, unsolvable: usize) {
    let (mut with, mut without) = (0, 0);
    let settings = [("limits", "none"), ("witness", "true")];
    let found = outcomes(&file(cases), &settings);
    assert_eq!(found.len(), cases.len());
    for (case, found) in cases.iter().zip(found) {
        let slides = match brute_force(case) {
            Listed::Slides(slides) => slides,
            Listed::NoSolution => {
                assert_eq!(found.to_text(), "no solution\n", "{}", case.text());
                without += 1;
                continue;
            }
            Listed::TooManyBoards => continue,
        };
        let text = found.to_text();
        let mut words = text.split_whitespace();
        assert_eq!(words.next(), Some(slides.to_string().as_str()), "{}", case.text());
        let letters: Vec<char> = words.flat_map(str::chars).collect();
        let last = letters.iter().fold(case.rows.clone(), |rows, &letter| slide(&rows, letter));
        assert_eq!((letters.len(), tiles(&last)), (slides, 1), "{}{text}", case.text());
        with += 1;
    }
    assert!(with >= solvable && without >= unsolvable, "{with} solvable, {without} not");
}

#[test]
fn words_of_128_bits() {
    let mut random = Random::new(31);
    let case = |_| {
        let size = random.between(17, 20) as usize;
        let count = random.between(17, size as u64) as usize;
        let values = split(32, count, &mut random);
        let (columns, moves_max) = (random.between(1, 3), random.between(4, 12) as usize);
        in_rows(&values, size, columns, moves_max, &mut random)
    };
    agree(&(0..400).map(case).collect::<Vec<_>>(), 40, 40);
}

#[test]
fn beyond_32_a_side() {
    let mut random = Random::new(32);
    let case = |_| {
        let size = random.between(33, 36) as usize;
        let count = random.between(33, size as u64) as usize;
        let mut values = split(64, count, &mut random);
        if random.below(2) == 0 {
            // Sorted tiles have a solution more often.
            values.sort_unstable();
        }
        let (columns, moves_max) = (random.between(1, 2), random.between(5, 12) as usize);
        in_rows(&values, size, columns, moves_max, &mut random)
    };
    agree(&(0..40).map(case).collect::<Vec<_>>(), 4, 4);
}

/// A chain 1 1 2 4 8 … of at least 17 tiles makes a tile of at least rank 17, which does not fit in a nibble.
#[test]
fn ranks_above_15() {
    let mut random = Random::new(33);
    let case = |_| {
        let count = random.between(17, 20) as usize;
        let mut values: Vec<u64> = (0..count as u64).map(|at| 1 << at.saturating_sub(1)).collect();
        if random.below(2) == 0 {
            let at = random.below(count as u64 - 1) as usize;
            values.swap(at, at + 1);
        }
        if random.below(2) == 0 {
            values.reverse();
        }
        let columns = random.between(1, 2);
        in_rows(&values, count, columns, 25, &mut random)
    };
    agree(&(0..40).map(case).collect::<Vec<_>>(), 4, 4);
}
