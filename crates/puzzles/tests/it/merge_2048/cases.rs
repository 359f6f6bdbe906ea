//! Cases of `2048-merge`, and an independent implementation of its rules: nothing here is shared with the solver.

use tabuleiro_puzzles::solver::{Authority, Merge2048, Options, Random, Solver};

/// A case in the form the tests use: rows of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub moves_max: usize,
    pub rows: Vec<Vec<u64>>,
}

impl Case {
    pub fn new(moves_max: usize, rows: &[&[u64]]) -> Self {
        Self { moves_max, rows: rows.iter().map(|row| row.to_vec()).collect() }
    }

    pub fn text(&self) -> String {
        let rows: String = self
            .rows
            .iter()
            .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" ") + "\n")
            .collect();
        format!("{} {}\n{rows}", self.rows.len(), self.moves_max)
    }
}

pub fn file(cases: &[Case]) -> String {
    let texts: String = cases.iter().map(Case::text).collect();
    format!("{}\n{texts}", cases.len())
}

pub fn parse(text: &str) -> Vec<Case> {
    let mut numbers = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(str::split_whitespace)
        .map(|word| word.parse::<u64>().unwrap());
    let mut next = || numbers.next().unwrap();
    let total = next();
    let mut cases = Vec::new();
    for _ in 0..total {
        let (size, moves_max) = (next(), next() as usize);
        let rows = (0..size).map(|_| (0..size).map(|_| next()).collect()).collect();
        cases.push(Case { moves_max, rows });
    }
    assert_eq!(numbers.next(), None);
    cases
}

/// Merges the tiles of a lane, which is given from the wall outwards.
fn merged(lane: impl Iterator<Item = u64>) -> Vec<u64> {
    let tiles: Vec<u64> = lane.filter(|&value| value != 0).collect();
    let mut out = Vec::new();
    let mut index = 0;
    while index < tiles.len() {
        if tiles.get(index + 1) == Some(&tiles[index]) {
            out.push(tiles[index] * 2);
            index += 2;
        } else {
            out.push(tiles[index]);
            index += 1;
        }
    }
    out
}

pub fn slide(rows: &[Vec<u64>], letter: char) -> Vec<Vec<u64>> {
    let size = rows.len();
    let mut out = vec![vec![0; size]; size];
    for lane in 0..size {
        let square = |index: usize| match letter {
            'E' => (lane, index),
            'D' => (lane, size - 1 - index),
            'C' => (index, lane),
            'B' => (size - 1 - index, lane),
            _ => panic!("no direction {letter}"),
        };
        let tiles = merged((0..size).map(|index| rows[square(index).0][square(index).1]));
        for (index, value) in tiles.into_iter().enumerate() {
            out[square(index).0][square(index).1] = value;
        }
    }
    out
}

pub fn tiles(rows: &[Vec<u64>]) -> usize {
    rows.iter().flatten().filter(|&&value| value != 0).count()
}

/// Makes small boards of all sorts: some split one power of two times a base, others hold any values.
pub fn small_cases(seed: u64, count: usize, moves_max: u64) -> Vec<Case> {
    let mut random = Random::new(seed);
    let mut case = || {
        let size = random.between(1, 4) as usize;
        let area = size * size;
        let mut squares = vec![random.between(1, 3) << random.between(1, 5)];
        let count = random.between(1, area.min(9) as u64) as usize;
        if random.below(8) == 0 {
            squares = (0..count).map(|_| 1 << random.below(4)).collect();
        } else {
            for _ in 0..3 * count {
                let at = random.below(squares.len() as u64) as usize;
                if squares.len() < count && squares[at] % 2 == 0 {
                    squares[at] /= 2;
                    squares.push(squares[at]);
                }
            }
        }
        squares.resize(area, 0);
        random.shuffle(&mut squares);
        let rows = squares.chunks(size).map(<[u64]>::to_vec).collect();
        Case { moves_max: random.between(1, moves_max) as usize, rows }
    };
    (0..count).map(|_| case()).collect()
}

pub fn generated(count: u64, seed: u64, settings: &[(&str, &str)]) -> String {
    let mut options = Options::defaults(&[Merge2048.generator_options()]);
    for (name, value) in settings {
        options.set(name, value, Authority::Owner).unwrap();
    }
    let mut out = Vec::new();
    Merge2048.generate(&options, count, &mut Random::new(seed), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
