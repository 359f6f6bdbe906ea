//! A form with as little as one can declare: rows and columns, then rows of 0 and 1.

use super::*;
use crate::solver::form::FormReader;
use crate::solver::{Outcome, PuzzleReader};
use crate::words::Language;

struct Grids([Vec<Field>; 1]);

impl Form for Grids {
    type Board = Vec<u64>;

    const VALUES: [u64; 2] = [0, 1];

    fn fields(&self) -> &[Vec<Field>] {
        &self.0
    }

    fn board(&self, _: &[u64]) -> Vec<u64> {
        Vec::new()
    }

    fn take(&self, board: &mut Vec<u64>, _: usize, value: u64) -> bool {
        board.push(value);
        value <= Self::VALUES[1]
    }

    fn finish(&self, board: Vec<u64>, _: &[u64]) -> Result<Work, (u64, Phrase)> {
        Ok(Work::Settled(Box::new(Outcome::number(board.iter().sum()))))
    }
}

/// Returns the answer or the mistake of each grid, with its line.
fn read(text: &str) -> Vec<(u64, String)> {
    let mut reader =
        FormReader::new(Grids([[Side::Rows, Side::Columns].map(|side| Field::new(side, 1, 9)).into()]));
    let mut input = Scanner::new(text.as_bytes(), "f").unwrap();
    let entries = std::iter::from_fn(|| reader.read(&mut input).unwrap());
    let told = entries.map(|entry| match entry.work {
        Work::Invalid(problem) => (problem.place.line, problem.say(Language::English)),
        Work::Settled(outcome) => (entry.place.line, outcome.headline.to_string()),
        Work::Solve(_) => panic!("nothing is solved here"),
    });
    told.collect()
}

#[test]
fn a_number_out_of_range_spoils_its_grid_alone() {
    let told = read("2 3\n1 0 1\n0 2 0\n1 2\n1 1\n");
    assert_eq!(told, [(3, "found 2, expected a number from 0 to 1".to_owned()), (4, "2".to_owned())]);
}

/// The header `2 2` has as many numbers as the row that is missing before it.
#[test]
fn a_header_that_no_row_can_be_begins_the_next_grid() {
    let told = read("2 2\n1 0\n0 1\n3 2\n1 0\n0 1\n2 2\n1 1\n1 1\n");
    let [first, second, third] = &told[..] else { panic!("{told:?}") };
    assert_eq!([first, third], [&(1, "2".to_owned()), &(7, "4".to_owned())]);
    assert!(second.1.contains("4 numbers follow the header 3 2"), "{told:?}");
}
