//! Tests `checkers-capture` against rules, a brute force and a replay that share no code with it.

use std::collections::HashSet;

use tabuleiro_puzzles::solver::{self, Authority, Options, Outcome, Random, Solver, Verdict};

const ALGORITHMS: [&str; 3] = ["exact", "backtracking", "tree"];

fn checkers() -> &'static dyn Solver {
    solver::find("checkers-capture").unwrap()
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = solver::default_options(checkers());
    for (key, value) in settings {
        options.set(key, value, Authority::Owner).unwrap();
    }
    options
}

/// A full board, one character per square: `.` empty, `o` own, `x` opponent, ` ` not playable.
#[derive(Clone, Debug)]
struct Plain(Vec<Vec<u8>>);

impl Plain {
    fn random(rows: usize, columns: usize, opponents: f64, own: f64, random: &mut Random) -> Self {
        let square = |row: usize, column: usize, random: &mut Random| {
            if (row + column) % 2 == 1 {
                b' '
            } else if random.chance(opponents) {
                b'x'
            } else if random.chance(own) {
                b'o'
            } else {
                b'.'
            }
        };
        Self((0..rows).map(|r| (0..columns).map(|c| square(r, c, random)).collect()).collect())
    }

    /// Fills the even rows almost with opponents and leaves the others empty, which allows long captures.
    fn lattice(rows: usize, columns: usize, missing: f64, own: usize, random: &mut Random) -> Self {
        let mut board = vec![vec![b' '; columns]; rows];
        for (r, row) in board.iter_mut().enumerate() {
            for (c, square) in row.iter_mut().enumerate() {
                if (r + c) % 2 == 0 {
                    *square = if r % 2 == 0 && !random.chance(missing) { b'x' } else { b'.' };
                }
            }
        }
        for _ in 0..own {
            let (r, c) = (random.below(rows as u64) as usize, random.below(columns as u64) as usize);
            if board[r][c] == b'.' {
                board[r][c] = b'o';
            }
        }
        Self(board)
    }

    /// Parses all boards in the text of a valid file.
    fn parse_all(text: &str) -> Vec<Self> {
        let mut numbers = text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| {
            line.split_whitespace().map(|word| word.parse::<usize>().unwrap()).collect::<Vec<_>>()
        });
        let mut boards = Vec::new();
        while let (Some(rows), Some(columns)) = (numbers.next(), numbers.next()) {
            if rows == 0 {
                break;
            }
            let mut board = vec![vec![b' '; columns]; rows];
            for (r, row) in board.iter_mut().enumerate() {
                for c in (r % 2..columns).step_by(2) {
                    row[c] = b".ox"[numbers.next().unwrap()];
                }
            }
            boards.push(Self(board));
        }
        boards
    }

    fn text(&self) -> String {
        let mut text = format!("{} {}\n", self.0.len(), self.0[0].len());
        for row in &self.0 {
            let digits: Vec<_> = row
                .iter()
                .filter(|&&square| square != b' ')
                .map(|square| match square {
                    b'o' => "1",
                    b'x' => "2",
                    _ => "0",
                })
                .collect();
            text += &digits.join(" ");
            text.push('\n');
        }
        text
    }

    fn at(&self, row: i64, column: i64) -> u8 {
        let square = usize::try_from(row).ok().zip(usize::try_from(column).ok());
        square.and_then(|(r, c)| self.0.get(r)?.get(c)).copied().unwrap_or(b'#')
    }

    fn set(&mut self, row: i64, column: i64, square: u8) {
        self.0[usize::try_from(row).unwrap()][usize::try_from(column).unwrap()] = square;
    }

    /// Returns the most captures, by trying everything.
    fn brute_force(&self) -> u64 {
        let mut board = self.clone();
        let mut best = 0;
        for r in 0..self.0.len().cast_signed() as i64 {
            for c in 0..self.0[0].len().cast_signed() as i64 {
                if self.at(r, c) == b'o' {
                    board.set(r, c, b'.');
                    best = best.max(board.longest_from(r, c));
                    board.set(r, c, b'o');
                }
            }
        }
        best
    }

    fn longest_from(&mut self, r: i64, c: i64) -> u64 {
        let mut best = 0;
        for (dr, dc) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            if self.at(r + dr, c + dc) == b'x' && self.at(r + 2 * dr, c + 2 * dc) == b'.' {
                self.set(r + dr, c + dc, b'.');
                best = best.max(1 + self.longest_from(r + 2 * dr, c + 2 * dc));
                self.set(r + dr, c + dc, b'x');
            }
        }
        best
    }

    /// Plays a printed witness. Panics if the witness breaks a rule or is not as long as it claims.
    fn replay(&self, line: &str) {
        let mut words = line.split(' ');
        let captures: usize = words.next().unwrap().parse().unwrap();
        let squares: Vec<(i64, i64)> = words
            .map(|word| word.split_once(',').unwrap())
            .map(|(r, c)| (r.parse().unwrap(), c.parse().unwrap()))
            .collect();
        if captures == 0 {
            assert!(squares.is_empty(), "{line}");
            return;
        }
        assert_eq!(squares.len(), captures + 1, "{line}");
        let mut board = self.clone();
        assert_eq!(board.at(squares[0].0, squares[0].1), b'o', "{line}");
        board.set(squares[0].0, squares[0].1, b'.');
        for pair in squares.windows(2) {
            let [(r, c), (to_r, to_c)] = [pair[0], pair[1]];
            assert_eq!(((to_r - r).abs(), (to_c - c).abs()), (2, 2), "{line}");
            let (over_r, over_c) = (i64::midpoint(r, to_r), i64::midpoint(c, to_c));
            assert_eq!(board.at(over_r, over_c), b'x', "{line}");
            assert_eq!(board.at(to_r, to_c), b'.', "{line}");
            board.set(over_r, over_c, b'.');
        }
    }
}

fn answers(text: &str, settings: &[(&str, &str)]) -> Vec<Outcome> {
    crate::answer_all(checkers(), &options(settings), "t", text.as_bytes())
}

fn number(outcome: &Outcome) -> u64 {
    assert!(matches!(outcome.verdict, Verdict::Answered), "{}", outcome.headline);
    assert_eq!(outcome.bounds.at_least, outcome.bounds.at_most);
    outcome.answer.as_u64().unwrap()
}

/// Checks that every algorithm returns `expected` for the board, with a path that can be played.
fn assert_all_agree(board: &Plain, expected: u64) {
    let text = board.text() + "0 0\n";
    for algorithm in ALGORITHMS {
        let set = [("algorithm", algorithm), ("limits", "none"), ("witness", "true")];
        let outcomes = answers(&text, &set);
        assert_eq!(number(&outcomes[0]), expected, "{algorithm}\n{text}");
        board.replay(outcomes[0].to_text().trim_end());
        let plain = answers(&text, &set[..2]);
        assert_eq!(plain[0].to_text(), format!("{expected}\n"), "{algorithm}\n{text}");
    }
}

#[test]
fn every_algorithm_agrees_with_brute_force_on_random_boards() {
    let mut random = Random::new(1);
    for round in 0..4000 {
        let (rows, columns) = (random.between(1, 11) as usize, random.between(1, 11) as usize);
        let opponents = [0.2, 0.45, 0.6][round % 3];
        let own = [0.02, 0.2, 0.5][round / 3 % 3];
        let board = Plain::random(rows, columns, opponents, own, &mut random);
        assert_all_agree(&board, board.brute_force());
    }
}

#[test]
fn every_algorithm_agrees_with_brute_force_on_lattices() {
    let mut random = Random::new(2);
    for round in 0..1500 {
        let (rows, columns) = (random.between(3, 11) as usize, random.between(3, 11) as usize);
        let missing = [0.0, 0.1, 0.3, 0.5][round % 4];
        let own = random.between(1, 6) as usize;
        let board = Plain::lattice(rows, columns, missing, own, &mut random);
        assert_all_agree(&board, board.brute_force());
    }
}

#[test]
fn wide_and_tall_boards_agree_with_brute_force() {
    let mut random = Random::new(3);
    for round in 0..400 {
        let long = random.between(12, 40) as usize;
        let short = random.between(3, 5) as usize;
        let (rows, columns) = if round % 2 == 0 { (long, short) } else { (short, long) };
        let board = Plain::lattice(rows, columns, 0.1, 3, &mut random);
        assert_all_agree(&board, board.brute_force());
    }
}

#[test]
fn dense_boards_of_the_published_sizes_agree_with_backtracking() {
    let mut random = Random::new(5);
    for round in 0..150 {
        let (rows, columns) = [(12, 12), (14, 14), (10, 20), (20, 10), (13, 13)][round % 5];
        let missing = [0.1, 0.2, 0.3][round % 3];
        let board = Plain::lattice(rows, columns, missing, 1 + round % 7, &mut random);
        let text = board.text();
        let exact = &answers(&text, &[("limits", "none"), ("witness", "true")])[0];
        let backtracking = &answers(&text, &[("limits", "none"), ("algorithm", "backtracking")])[0];
        assert_eq!(number(exact), number(backtracking), "{text}");
        board.replay(exact.to_text().trim_end());
    }
}

/// A published dynamic program indexed by square alone returns 19, but 21 is right: the set of captured pieces matters.
#[test]
fn the_captured_set_matters() {
    let mut board = Plain::lattice(12, 12, 0.0, 0, &mut Random::new(0));
    board.set(1, 3, b'o');
    assert_all_agree(&board, 21);
}

/// Beyond the published limits a plain search is hopeless. The test plays the path and checks that turning the board
/// keeps the answer.
#[test]
fn large_boards_are_answered_exactly() {
    let mut random = Random::new(4);
    let settings = [("limits", "none"), ("witness", "true")];
    for size in [16, 18, 20, 24, 30] {
        let mut board = Plain::lattice(size, size, 0.05, 0, &mut random);
        board.set(5, 7, b'o');
        board.set(9, 9, b'o');
        let mut turned = board.clone();
        turned.0.iter_mut().for_each(|row| row.reverse());
        turned.0.reverse();
        let transposed = (0..size).map(|c| (0..size).map(|r| board.0[r][c]).collect()).collect();
        let both: Vec<_> = [board, turned, Plain(transposed)]
            .into_iter()
            .map(|board| {
                let outcomes = answers(&board.text(), &settings);
                board.replay(outcomes[0].to_text().trim_end());
                number(&outcomes[0])
            })
            .collect();
        assert!(both[0] == both[1] && both[0] == both[2], "{size}: {both:?}");
    }
}

#[test]
fn generated_boards_are_valid_and_all_algorithms_agree() {
    let specs = checkers().generator_options();
    for (seed, set) in [
        vec![],
        vec![("rows", "20"), ("columns", "10")],
        vec![("rows", "3")],
        vec![("opponents", "1"), ("own", "1")],
        vec![("opponents", "0.5"), ("own", "0.5")],
    ]
    .into_iter()
    .enumerate()
    {
        let mut options = Options::defaults(&[specs]);
        for (key, value) in &set {
            options.set(key, value, Authority::Owner).unwrap();
        }
        let mut file = Vec::new();
        checkers().generate(&options, 200, &mut Random::new(seed as u64), &mut file).unwrap();
        let mut again = Vec::new();
        checkers().generate(&options, 200, &mut Random::new(seed as u64), &mut again).unwrap();
        assert_eq!(file, again);
        let text = String::from_utf8(file).unwrap();
        let boards = Plain::parse_all(&text);
        let exact = answers(&text, &[("witness", "true")]);
        let backtracking = answers(&text, &[("algorithm", "backtracking")]);
        let tree = answers(&text, &[("algorithm", "tree")]);
        assert_eq!((boards.len(), exact.len()), (200, 200));
        for (index, board) in boards.iter().enumerate() {
            assert_eq!(number(&exact[index]), number(&backtracking[index]), "{}", board.text());
            assert_eq!(number(&exact[index]), number(&tree[index]), "{}", board.text());
            board.replay(exact[index].to_text().trim_end());
        }
    }
}

#[test]
fn sizes_are_drawn_from_all_that_the_limits_allow() {
    let options = Options::defaults(&[checkers().generator_options()]);
    let mut file = Vec::new();
    checkers().generate(&options, 6000, &mut Random::new(9), &mut file).unwrap();
    let boards = Plain::parse_all(std::str::from_utf8(&file).unwrap());
    let sizes: HashSet<_> = boards.iter().map(|board| (board.0.len(), board.0[0].len())).collect();
    let allowed = (3..=20).flat_map(|r| (3..=20).map(move |c| (r, c))).filter(|(r, c)| r * c <= 200);
    assert_eq!(sizes, allowed.collect());
}

#[test]
fn the_witness_for_machines_is_the_path() {
    let outcome = &answers("3 3\n2 1 2 0 1\n0 0\n", &[("witness", "true")])[0];
    assert_eq!(outcome.to_text(), format!("1 {}\n", witness_of(outcome)));
    let none = &answers("3 3\n0 1 0 0 0\n0 0\n", &[("witness", "true")])[0];
    assert_eq!((none.to_text().as_str(), none.witness.to_string().as_str()), ("0\n", "[]"));
    let unasked = &answers("3 3\n2 1 2 0 1\n0 0\n", &[])[0];
    assert!(unasked.witness.is_null());
}

fn witness_of(outcome: &Outcome) -> String {
    let squares = outcome.witness.as_array().unwrap();
    let squares: Vec<_> = squares.iter().map(|square| format!("{},{}", square[0], square[1])).collect();
    squares.join(" ")
}
