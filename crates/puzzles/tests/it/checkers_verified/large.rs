//! Boards beyond brute force. An oracle answers boards of a few dozen jumps. For larger boards, images of a board must
//! have its answer, which lies between a played path and a bound by parity.

use rayon::prelude::*;
use tabuleiro_puzzles::solver::Random;

use super::board::Board;
use super::{captures, exact, oracle, parity, scaled};

#[test]
fn middle_lattices_agree_with_the_oracle() {
    let boards = scaled(300);
    let decided: Vec<(usize, u64)> = (0..boards)
        .into_par_iter()
        .filter_map(|seed| {
            let mut random = Random::new(1000 + seed);
            let sides = (random.between(12, 16) as usize, random.between(12, 16) as usize);
            let missing = random.below(26) as f64 / 100.0;
            // Own pieces make holes in the lattice. Without them, parity nearly always decides the board.
            let own = [1, 5, 15][seed as usize % 3];
            let board = Board::lattice(sides, (seed % 2) as usize, missing, own, &mut random);
            let jumps = oracle::jumps_of_largest_component(&board);
            let expected = oracle::most_captures(&board, 20_000)?;
            assert_eq!(exact(&board), expected, "{}", board.text());
            Some((jumps, expected))
        })
        .collect();
    let long = decided.iter().filter(|(jumps, _)| (30..=60).contains(jumps)).count() as u64;
    println!("{} of {boards} decided, {long} of 30 to 60 jumps", decided.len());
    assert!(decided.len() as u64 >= boards * 4 / 5, "the oracle gave up on too many");
    assert!(long >= boards / 5, "{long} boards of 30 to 60 jumps");
}

#[test]
fn large_boards_have_the_answer_of_their_images() {
    let boards = scaled(48);
    let tight: u64 = (0..boards)
        .into_par_iter()
        .map(|seed| {
            let mut random = Random::new(2000 + seed);
            let sides = (random.between(16, 40) as usize, random.between(16, 24) as usize);
            let missing = [0.0, 0.1, 0.2, 0.4][seed as usize % 4];
            let board = if seed % 3 == 2 {
                Board::scattered(sides, 0.5, 0.02, &mut random)
            } else {
                Board::lattice(sides, (seed % 2) as usize, missing, 2, &mut random)
            };
            let answer = exact(&board);
            let odd = board.walled(1 - board.columns % 2);
            let odd = odd.transposed().walled(1 - board.rows % 2);
            let images = [board.transposed(), odd.mirrored(), odd.turned(), odd.transposed().mirrored()];
            assert_eq!(captures(&images, "exact", "none"), [answer; 4], "{}", board.text());
            let bound = parity::upper_bound(&board);
            assert!(answer <= bound, "{answer} above {bound}\n{}", board.text());
            u64::from(answer == bound)
        })
        .sum();
    println!("{tight} of {boards} answers meet the parity bound");
    assert!(tight >= boards / 2, "{tight} of {boards}");
}
