//! What lines of a board prove: uneven rows are a mistake, other breaks are not, and a wrong value spoils one board.

use proptest::prelude::*;
use tabuleiro_jobs::Reading;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{self, Problem, Random, Work};
use tabuleiro_puzzles::words::Argument;

/// A puzzle as it stands in a file.
#[derive(Debug, Clone)]
struct Written {
    /// The lines before the board.
    header: String,
    rows: Vec<Vec<String>>,
    /// The lines after the board.
    behind: String,
}

/// The result of reading a puzzle: its text, or what is wrong with it.
type Entry = Result<String, Problem>;

/// The solvers that read a board as a stream of numbers.
const STREAMS: [&str; 4] = ["checkers-capture", "2048-merge", "2048-astar", "jump-game"];

impl Written {
    fn random(solver: &str, random: &mut Random) -> Self {
        let size = random.between(2, 5);
        let square = |random: &mut Random| {
            if random.chance(0.4) { "0".to_owned() } else { (1_u64 << random.between(1, 12)).to_string() }
        };
        let squares = |random: &mut Random| -> Vec<Vec<String>> {
            (0..size).map(|_| (0..size).map(|_| square(random)).collect()).collect()
        };
        match solver {
            "checkers-capture" => {
                let (rows, columns) = (random.between(3, 9), random.between(3, 9));
                let mut left = [rows * columns / 4; 2];
                let mut square = |random: &mut Random| {
                    let piece = random.below(6);
                    let left = left.get_mut(piece as usize).filter(|left| **left > 0);
                    left.map_or(0, |left| {
                        *left -= 1;
                        piece + 1
                    })
                };
                let mut row =
                    |row| (0..(columns + 1 - row % 2) / 2).map(|_| square(random).to_string()).collect();
                let rows_written = (0..rows).map(&mut row).collect();
                Self { header: format!("{rows} {columns}\n"), rows: rows_written, behind: String::new() }
            }
            "2048-merge" => Self {
                header: format!("{size} {}\n", random.between(1, 9)),
                rows: squares(random),
                behind: String::new(),
            },
            "2048-astar" => {
                Self { header: format!("{size}\n"), rows: squares(random), behind: String::new() }
            }
            "2048-game" => {
                Self { header: format!("{size}\n"), rows: squares(random), behind: "DECB\n".to_owned() }
            }
            _ => {
                let (rows, columns, players) =
                    (random.between(2, 6), random.between(2, 6), random.between(1, 4));
                let written =
                    (0..rows).map(|_| (0..columns).map(|_| random.below(6).to_string()).collect()).collect();
                let player = |_| format!("{} {}\n", random.below(rows), random.below(columns));
                Self {
                    header: format!("{rows} {columns}\n{players}\n"),
                    rows: written,
                    behind: (0..players).map(player).collect(),
                }
            }
        }
    }

    /// Writes the numbers of the board on lines of these lengths, with some blank lines and comments between them.
    fn text(&self, lengths: &[usize]) -> String {
        let mut text = self.header.clone();
        let mut numbers = self.rows.iter().flatten();
        for (line, &length) in lengths.iter().enumerate() {
            let line_numbers: Vec<_> = numbers.by_ref().take(length).map(String::as_str).collect();
            text += &(line_numbers.join(" ")
                + ["\n", "\n\n", "\n# 1 2\n"][usize::from(line % 5 == 3) * (line % 3)]);
        }
        text + &self.behind
    }

    fn lengths(&self) -> Vec<usize> {
        self.rows.iter().map(Vec::len).collect()
    }

    fn in_rows(&self) -> String {
        self.text(&self.lengths())
    }
}

/// Returns the file of these puzzles.
fn file(solver: &str, puzzles: &[String]) -> String {
    match solver {
        "checkers-capture" => puzzles.concat() + "0 0\n",
        "2048-merge" => format!("{}\n{}", puzzles.len(), puzzles.concat()),
        _ => puzzles.concat(),
    }
}

fn read(solver: &str, text: &str) -> Vec<Entry> {
    let solver = solver::find(solver).unwrap();
    let mut input = Scanner::new(text.as_bytes(), "t").unwrap();
    let mut reading = Reading::open(solver, &solver::default_options(solver));
    let mut entries = Vec::new();
    while let Some(entry) = reading.read(&mut input).unwrap() {
        entries.push(match entry.work {
            Work::Solve(puzzle) => Ok(puzzle.to_string()),
            Work::Invalid(problem) => Err(*problem),
            Work::Settled(_) => panic!("no board is that large"),
        });
    }
    entries
}

fn random_file(solver: &str, random: &mut Random, count: usize) -> Vec<Written> {
    (0..count).map(|_| Written::random(solver, random)).collect()
}

/// Returns lengths of lines for so many numbers.
fn wrapped(numbers: usize, random: &mut Random) -> Vec<usize> {
    let longest = random.between(1, numbers as u64);
    let (mut left, mut lengths) = (numbers, Vec::new());
    while left > 0 {
        let length = (random.between(1, longest) as usize).min(left);
        lengths.push(length);
        left -= length;
    }
    lengths
}

/// Asserts that one puzzle of a file is invalid, and that the others are as in another file. Returns what is wrong with
/// the puzzle.
fn only_invalid(solver: &str, text: &str, at: usize, others: &[Entry]) -> Problem {
    let mut entries = read(solver, text);
    let problem = (at < entries.len()).then(|| entries.remove(at).err()).flatten();
    let problem = problem.unwrap_or_else(|| panic!("{solver}: puzzle {at} is valid:\n{text}"));
    let mut others = others.to_vec();
    drop(others.remove(at));
    assert!(entries == others, "{solver}: {entries:?}\n{problem:?}\n{text}");
    problem
}

/// Returns the line on which the board of a puzzle begins.
fn first_row(solver: &str, puzzles: &[String], at: usize, puzzle: &Written) -> u64 {
    let before = file(solver, &puzzles[..at]);
    let marker = usize::from(solver == "checkers-capture");
    (before.lines().count() - marker + puzzle.header.lines().count() + 1) as u64
}

fn argument(problem: &Problem, name: &str) -> u128 {
    match problem.what.arguments.iter().find(|(key, _)| *key == name) {
        Some((_, Argument::Number(number))) => *number,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn a_wrong_value_far_down_a_long_file_is_one_invalid_board() {
    let boards = 10_000;
    let row = |board: usize, row: usize| format!("{} {}\n", (board + row) % 3, board / 3 % 2);
    let board = |board: usize| "4 4\n".to_owned() + &(0..4).map(|at| row(board, at)).collect::<String>();
    let mut puzzles: Vec<_> = (0..boards).map(|at| board(at % 3)).collect();
    let others = read("checkers-capture", &file("checkers-capture", &puzzles));
    assert!(others.len() == boards && others.iter().all(Result::is_ok));
    let at = 7311;
    puzzles[at] = "4 4\n0 1\n2 0\n3 0\n0 2\n".to_owned();
    let problem = only_invalid("checkers-capture", &file("checkers-capture", &puzzles), at, &others);
    let place = (problem.place.line, problem.place.column);
    assert_eq!((problem.rule(), place), ("square-value", (5 * at as u64 + 4, 1)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The message about a number in a wrong row names both rows.
    #[test]
    fn a_number_in_another_row_is_told_with_both_rows(seed in any::<u64>()) {
        let random = &mut Random::new(seed);
        for solver in STREAMS.into_iter().chain(["2048-game"]) {
            let puzzles = random_file(solver, random, 3);
            let whole: Vec<_> = puzzles.iter().map(Written::in_rows).collect();
            let others = read(solver, &file(solver, &whole));
            let mut lengths = puzzles[1].lengths();
            let long: Vec<_> = (0..lengths.len()).filter(|&row| lengths[row] > 1).collect();
            let from = long[random.below(long.len() as u64) as usize];
            let to = (from + random.between(1, lengths.len() as u64 - 1) as usize) % lengths.len();
            lengths[from] -= 1;
            lengths[to] += 1;
            let mut changed = whole.clone();
            changed[1] = puzzles[1].text(&lengths);
            let text = file(solver, &changed);
            let problem = only_invalid(solver, &text, 1, &others);
            prop_assert!(problem.rule().starts_with("row-lengths"), "{}: {:?}\n{}", solver, problem, text);
            let rows = [from.min(to), from.max(to)].map(|row| row as u128 + 1);
            prop_assert_eq!(["row", "other_row"].map(|name| argument(&problem, name)), rows, "{}", text);
            let lines = [from.min(to), from.max(to)].map(|row| lengths[row] as u128);
            prop_assert_eq!(["numbers", "other_numbers"].map(|name| argument(&problem, name)), lines, "{}", text);
        }
    }

    /// A board is valid even if its number of lines differs from its number of rows.
    #[test]
    fn wrapped_rows_are_no_mistake(seed in any::<u64>()) {
        let random = &mut Random::new(seed);
        for solver in STREAMS {
            let puzzles = random_file(solver, random, 3);
            let whole: Vec<_> = puzzles.iter().map(Written::in_rows).collect();
            let expected = read(solver, &file(solver, &whole));
            let lengths = wrapped(puzzles[1].rows.iter().map(Vec::len).sum(), random);
            if lengths.len() == puzzles[1].rows.len() {
                continue;
            }
            let mut changed = whole.clone();
            changed[1] = puzzles[1].text(&lengths);
            let text = file(solver, &changed);
            let entries = read(solver, &text);
            prop_assert!(entries == expected, "{}: {:?}\n{}", solver, entries, text);
        }
    }

    /// A wrong value spoils only its own board, however the board is written.
    #[test]
    fn a_wrong_value_spoils_its_board_alone(seed in any::<u64>()) {
        let random = &mut Random::new(seed);
        for solver in STREAMS.into_iter().chain(["2048-game"]) {
            let mut puzzles = random_file(solver, random, 5);
            let whole: Vec<_> = puzzles.iter().map(Written::in_rows).collect();
            let others = read(solver, &file(solver, &whole));
            let at = random.below(5) as usize;
            let row = random.below(puzzles[at].rows.len() as u64) as usize;
            let column = random.below(puzzles[at].rows[row].len() as u64) as usize;
            let digits = match solver {
                "2048-merge" | "jump-game" => ["x", "1x", "-", "O"],
                _ => ["3", "7", "12", "x"],
            };
            let wrong = digits[random.below(4) as usize];
            puzzles[at].rows[row][column] = wrong.to_owned();
            let mut changed = whole.clone();
            changed[at] = puzzles[at].in_rows();
            let text = file(solver, &changed);
            let problem = only_invalid(solver, &text, at, &others);
            let line = text.lines().nth(problem.place.line as usize - 1).unwrap();
            prop_assert!(line[problem.place.column as usize - 1..].starts_with(wrong), "{:?}\n{}", problem, text);
            let rows = text.lines().take(problem.place.line as usize - 1).skip(first_row(solver, &changed, at, &puzzles[at]) as usize - 1);
            prop_assert_eq!(rows.filter(|line| !line.is_empty() && !line.starts_with('#')).count(), row);
        }
    }
}
