//! Grades answers of `2048-astar`: a word, a count, or boards.

use tabuleiro_puzzles::solver::{Finding, Random};

use super::{grade, key, options, own_output, told};
use crate::stated::{Sets, generated, with};

/// Three boards: two moves, no moves, and unsolvable.
const REFERENCE: &str = "2\n0 2\n0 0\n3\n4 0 2\n0 0 0\n0 0 0\n2\n0 0\n0 0\n";
const GOAL: &[(&str, &str)] = &[("goal", "4")];
const ONE: &str = "2\n0 2\n0 0\n2\n2 2\n0 0\n2\n4 2\n0 0\n";
const TWO: &str = "3\n4 0 2\n0 0 0\n0 0 0\n";

fn verdicts(submission: &str, sets: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let (solver, options) = options("2048-astar", &[GOAL, sets].concat());
    let (findings, _) = grade(&key(solver, options, REFERENCE.as_bytes()), submission.as_bytes());
    let remark = |finding: &Finding| finding.remark.as_ref().map(ToString::to_string).unwrap_or_default();
    (told(&findings), findings.iter().map(remark).collect())
}

#[test]
fn forms_of_right_answers() {
    let lists = format!("{ONE}{TWO}unsolvable\n");
    let forms = [
        "2\n0\nunsolvable\n".to_owned(),
        "Minimum number of moves: 2\nNUMBER OF MOVES: 0 (At Least 0)\n  Unsolvable".to_owned(),
        lists.replace('\n', " \r\n\r\n"),
        format!("\u{feff}2\n{ONE}0\n{TWO}UNSOLVABLE"),
        format!("minimum number of moves : 2\n{ONE}0\nunsolvable\n"),
        format!("{ONE}0\nunsolvable\n"),
        format!("2\n{lists}"),
        lists,
    ];
    for text in forms {
        assert_eq!(verdicts(&text, &[]).0, ["accepted"; 3], "{text:?}");
    }
    let words = format!("Caso 1: Minimum number of moves: 2\n{ONE}Caso 2: 0\nCaso 3: unsolvable\n");
    assert_eq!(verdicts(&words, &[("words", "skip")]).0, ["accepted"; 3]);
    let words = format!(
        "A* do 2048\nCaso #1:\n2 movimentos\n{ONE}-----\nTraceback (most recent call last):\n  2\nKeyError: 3\n2) 0,\n{TWO}Fim: unsolvable.\n"
    );
    assert_eq!(verdicts(&words, &[("words", "skip")]).0, ["accepted"; 3]);
}

#[test]
fn forms_of_wrong_answers() {
    let first = |text: &str| {
        // A program writes all counts in one way.
        let next = if text.lines().count() == 1 && !text.starts_with("Mini") {
            "0"
        } else {
            "Minimum number of moves: 0"
        };
        let (told, remarks) = verdicts(&format!("{text}{next}\nunsolvable\n"), &[]);
        assert_eq!(told[1..], ["accepted", "accepted"], "{text:?}");
        format!("{}: {}", told[0], remarks[0])
    };
    assert_eq!(first("3\n"), "wrong-answer value 1: found 3");
    assert_eq!(first("unsolvable\n"), "wrong-answer claims-no-solution 1: it says that there is no solution");
    assert_eq!(first("x\n"), "presentation-error 1: 'x' is not an answer");
    assert_eq!(first("no way here\n"), "presentation-error 1: 'no way here' is not an answer");
    assert_eq!(
        first("Minimum number of moves\n"),
        "presentation-error 1: 'Minimum number of moves' is not an answer"
    );
    assert_eq!(first("2x\n"), "presentation-error 1: '2x' is not an answer");
    assert_eq!(
        first("99999999999999999999\n"),
        "presentation-error 1: '99999999999999999999' is not an answer"
    );
    let title = |boards: &str| first(&format!("Minimum number of moves: 2\n{boards}"));
    assert_eq!(
        title("2\n2 0\n0 0\n"),
        "wrong-answer illegal-move 3: the first board is not that of the puzzle"
    );
    assert_eq!(
        title("2\n0 2\n0 0\n2\n2 2\n2 0\n"),
        "wrong-answer illegal-move 7: no swipe leads from the board before to board 2"
    );
    let new = "in board 2 the new 2 is not in the uppermost blank square of the right column";
    assert_eq!(title("2\n0 2\n0 0\n2\n2 0\n0 2\n"), format!("wrong-answer illegal-move 6: {new}"));
    assert_eq!(title("2\n0 2\n0 0\n2\n2 0\n0 0\n"), format!("wrong-answer illegal-move 6: {new}"));
    let still = "the swipe that leads to board 2 changes nothing, so it is not valid";
    assert_eq!(title("2\n0 2\n0 0\n2\n0 2\n0 0\n"), format!("wrong-answer illegal-move 7: {still}"));
    assert_eq!(
        title("2\n0 2\n0 0\n2\n2 2\n0 0\n"),
        "wrong-answer illegal-move 5: the last board has no tile of 4"
    );
    assert_eq!(title("2\n0 2\n0 0\n2\n2 2\n"), "presentation-error 5: board 2 has 1 row, its size is 2");
    assert_eq!(
        title("2\n0 2\n0 0\n2\n2 2\n0 0 0\n"),
        "presentation-error 7: row 2 of board 2 has 3 numbers, its size is 2"
    );
    assert_eq!(title("2\n0 2\n0 0\n2\n2 2\n0 x\n"), "presentation-error 7: 'x' is not an answer");
    assert_eq!(
        title("2\n0 2\n0 0\n2\n2 3\n0 0\n"),
        "wrong-answer illegal-move 6: '3' in board 2 is neither 0 nor a power of two from 2"
    );
    assert_eq!(
        title("2\n0 2\n0 0\n3\n2 2 0\n0 0 0\n0 0 0\n"),
        "wrong-answer illegal-move 5: board 2 has the size 3, that of the puzzle has 2"
    );
    assert_eq!(
        title("0 2\n0 0\n"),
        "presentation-error 2: '0 2' is where board 1 should begin, with its size"
    );
    // A wrong swipe in a list without a count, a path longer than necessary, and a path that goes on after the goal.
    assert_eq!(
        first("2\n0 2\n0 0\n2\n2 2\n2 0\n"),
        "wrong-answer illegal-move 6: no swipe leads from the board before to board 2"
    );
    assert_eq!(first("2\n0 2\n0 0\n2\n0 2\n0 0\n"), format!("wrong-answer illegal-move 6: {still}"));
    let on = format!("{ONE}2\n0 2\n4 2\n");
    assert_eq!(first(&on), "wrong-answer not-minimal 10: board 3 has won, and boards follow it");
}

#[test]
fn a_path_that_goes_on_or_round_is_not_minimal() {
    let reference = "3\n0 0 2\n0 0 0\n0 0 0\n";
    let (solver, best) = options("2048-astar", &[("goal", "16")]);
    let round = own_output(
        solver,
        &options("2048-astar", &[("goal", "16"), ("algorithm", "left-weighted")]).1,
        reference.as_bytes(),
    );
    let far = own_output(solver, &options("2048-astar", &[("goal", "32")]).1, reference.as_bytes());
    let best = with(best, &[("partial".to_owned(), "valid".to_owned())].into());
    let least: f64 = own_output(solver, &best, reference.as_bytes())
        .lines()
        .next()
        .unwrap()
        .rsplit(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let key = key(solver, best, reference.as_bytes());
    let bare = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    for (text, expected) in [(round, "1"), (far, "16 goes on")] {
        for text in [bare(&text), text] {
            let (findings, grade) = grade(&key, text.as_bytes());
            assert!(
                told(&findings)[0].starts_with("wrong-answer not-minimal "),
                "{expected}: {:?}\n{text}",
                told(&findings)
            );
            assert_eq!(grade.extra, 0, "{text}");
            // The share of the points is the fewest moves divided by the moves made.
            let boards = text.lines().filter(|line| *line == "3").count() as f64;
            let share = (100.0 * least / (boards - 1.0)).floor() / 100.0;
            assert!(share > 0.0 && share < 1.0);
            assert_eq!(grade.points.to_string(), share.to_string(), "{text}");
        }
    }
}

#[test]
fn ways_better_than_a_published_search_are_accepted() {
    for algorithm in ["left-weighted", "distance-weighted"] {
        let (solver, published) = options("2048-astar", &[("goal", "64"), ("algorithm", algorithm)]);
        let reference = generated(solver, 6, 3, &Sets::default());
        let own = own_output(solver, &published, &reference);
        let best = own_output(solver, &options("2048-astar", &[("goal", "64")]).1, &reference);
        let key = key(solver, published, &reference);
        for output in [own, best] {
            let (findings, grade) = grade(&key, output.as_bytes());
            assert!(grade.is_accepted() && grade.accepted == 6, "{:?}", told(&findings));
        }
    }
}

/// Swipes by lists: takes the tiles out, merges them and puts them back. Returns the board with its new 2.
fn swipe(board: &[Vec<u64>], direction: usize) -> Option<Vec<Vec<u64>>> {
    let size = board.len();
    let at = |lane: usize, index: usize| match direction {
        0 => (lane, index),
        1 => (lane, size - 1 - index),
        2 => (index, lane),
        _ => (size - 1 - index, lane),
    };
    let mut next = vec![vec![0; size]; size];
    for lane in 0..size {
        let squares = (0..size).map(|index| at(lane, index)).map(|(row, column)| board[row][column]);
        let mut tiles = squares.filter(|&tile| tile > 0).peekable();
        for index in 0.. {
            let Some(tile) = tiles.next() else { break };
            let (row, column) = at(lane, index);
            next[row][column] = if tiles.next_if_eq(&tile).is_some() { 2 * tile } else { tile };
        }
    }
    let is_changed = next != board;
    let blank = (0..size).find(|&row| next[row][size - 1] == 0)?;
    next[blank][size - 1] = 2;
    is_changed.then_some(next)
}

/// A puzzle's board, and its moves and bound if it has a solution.
struct Puzzle {
    start: Vec<Vec<u64>>,
    moves: Option<(u64, u64)>,
}

/// Returns the verdict on the lines of an answer, which come with their numbers.
fn judge(puzzle: &Puzzle, goal: u64, lines: &[(usize, String)]) -> String {
    let numbers = |text: &str| text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>().ok();
    let (begin, title) = &lines[0];
    if title == "unsolvable" {
        return if puzzle.moves.is_some() {
            format!("wrong-answer claims-no-solution {begin}")
        } else {
            "accepted".into()
        };
    }
    let width = lines.get(1).and_then(|(_, row)| Some(numbers(row)?.len() as u64));
    let is_list = numbers(title).is_some_and(|size| size.len() == 1 && size[0] > 1 && Some(size[0]) == width);
    let count = title.strip_prefix("Minimum number of moves: ").unwrap_or(title);
    let counted = count.parse::<u64>().ok().filter(|_| !is_list);
    if counted.is_none() && !is_list {
        return format!("presentation-error {begin}");
    }
    let mut rest = &lines[usize::from(counted.is_some())..];
    let mut boards: Vec<Vec<Vec<u64>>> = Vec::new();
    let (size, mut illegal, mut last) = (puzzle.start.len(), None, 0);
    while let Some((line, text)) = rest.first().filter(|_| illegal.is_none()) {
        match numbers(text).as_deref() {
            Some(&[found]) if found != size as u64 => illegal = Some(*line),
            Some([_]) => {}
            _ => return format!("presentation-error {line}"),
        }
        if illegal.is_some() {
            break;
        }
        let mut board = Vec::new();
        for row in 1..=size {
            let Some((line, text)) = rest.get(row) else { return format!("presentation-error {line}") };
            let Some(values) = numbers(text).filter(|values| values.len() == size) else {
                return format!("presentation-error {line}");
            };
            if values.iter().any(|&value| value == 1 || value > 0 && !value.is_power_of_two()) {
                illegal = Some(*line);
                break;
            }
            board.push(values);
        }
        if illegal.is_some() {
            break;
        }
        let expected = match boards.last() {
            None => vec![puzzle.start.clone()],
            Some(before) => (0..4).filter_map(|direction| swipe(before, direction)).collect(),
        };
        if !expected.contains(&board) {
            let same = |other: &Vec<Vec<u64>>| {
                (0..size * size)
                    .take_while(|at| board[at / size][at % size] == other[at / size][at % size])
                    .count()
            };
            let row = expected.iter().map(same).max().map_or(0, |same| 1 + same / size);
            illegal = Some(rest[row].0);
        }
        last = *line;
        boards.push(board);
        rest = &rest[size + 1..];
    }
    let has_won = |board: &Vec<Vec<u64>>| board.iter().flatten().any(|&value| value >= goal);
    if illegal.is_none() && boards.last().is_some_and(|board| !has_won(board)) {
        illegal = Some(last);
    }
    let Some((least, most)) = puzzle.moves else { return format!("wrong-answer claims-solution {begin}") };
    let proved = boards.len().saturating_sub(1) as u64;
    match (counted, illegal) {
        (Some(count), _) if count < least || count > most => format!("wrong-answer value {begin}"),
        (_, Some(line)) => format!("wrong-answer illegal-move {line}"),
        (Some(count), None) if !boards.is_empty() && count != proved => {
            format!("wrong-answer illegal-move {}", begin + 1)
        }
        (None, None) if proved > most => format!("wrong-answer not-minimal {begin}"),
        _ => "accepted".into(),
    }
}

/// Changes every line of the program's output in every way, and compares the verdicts with those of a plain comparison.
/// The plain comparison begins an answer at every title and where a title was lost.
#[test]
fn mutations_get_the_verdicts_of_a_plain_comparison() {
    let mut random = Random::new(11);
    let (mut wrong, mut right) = (0, 0);
    for (size, moves, goal, seed) in
        (0..24).map(|seed| (2 + seed % 3, 3 + seed % 7, [8, 16, 32][seed as usize % 3], seed))
    {
        let (solver, options) = options("2048-astar", &[("goal", &goal.to_string())]);
        let sets = [("size", size.to_string()), ("moves", moves.to_string())];
        let reference = generated(
            solver,
            3,
            seed,
            &sets.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
        );
        let output = own_output(solver, &options, &reference);
        let key = key(solver, options, &reference);
        let puzzles = puzzles(&reference, &output);
        let lines: Vec<String> = output.lines().map(str::to_owned).collect();
        for at in 0..lines.len() {
            for (kind, mutant) in mutants(&lines, at, &mut random).into_iter().enumerate() {
                let expected = plainly(&puzzles, goal, &lines, &mutant, (kind == 1).then_some(at));
                let (findings, grade) = grade(&key, (mutant.join("\n") + "\n").as_bytes());
                let found = told(&findings);
                assert_eq!(
                    (&found, grade.extra),
                    (&expected.0, expected.1),
                    "kind {kind} at line {} of\n{}",
                    at + 1,
                    mutant.join("\n")
                );
                for told in found {
                    if told == "accepted" { right += 1 } else { wrong += 1 }
                }
            }
        }
    }
    assert!(wrong > 2000 && right > 2000, "{wrong} wrong, {right} right");
}

/// Returns mutants: a value changed; the line removed, doubled, swapped or cut; the file ended there.
fn mutants(lines: &[String], at: usize, random: &mut Random) -> Vec<Vec<String>> {
    let mut mutants = vec![lines.to_vec(); 6];
    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    if let [.., last] = &mut words[..]
        && let Ok(value) = last.parse::<u64>()
    {
        *last = (value + 1 + random.below(3)).to_string();
    }
    if words.len() > 1 && words.iter().all(|word| word.parse::<u64>().is_ok()) {
        let word = random.below(words.len() as u64) as usize;
        words = lines[at].split(' ').map(str::to_owned).collect();
        ["0", "2", "4", "8", "16"][random.below(5) as usize].clone_into(&mut words[word]);
    }
    mutants[0][at] = words.join(" ");
    mutants[1].remove(at);
    mutants[2].insert(at, lines[at].clone());
    mutants[3].swap(at, (at + 1).min(lines.len() - 1));
    lines[at][..lines[at].len() / 2].trim().clone_into(&mut mutants[4][at]);
    mutants[5].truncate(at);
    mutants
}

/// Returns the puzzles of a reference, with what the program's output says of them.
fn puzzles(reference: &[u8], output: &str) -> Vec<Puzzle> {
    let text = String::from_utf8_lossy(reference);
    let mut lines = text.lines();
    let mut said = output.lines().filter(|line| line.contains("moves") || *line == "unsolvable");
    let mut puzzles = Vec::new();
    while let Some(size) = lines.next() {
        let row = |line: &str| line.split(' ').map(|value| value.parse().unwrap()).collect();
        let start = lines.by_ref().take(size.parse().unwrap()).map(row).collect();
        let moves = said
            .next()
            .unwrap()
            .strip_prefix("Minimum number of moves: ")
            .map(|count| count.parse().unwrap());
        puzzles.push(Puzzle { start, moves: moves.map(|moves| (moves, moves)) });
    }
    puzzles
}

/// Returns the verdicts, and the number of surplus answers.
fn plainly(
    puzzles: &[Puzzle],
    goal: u64,
    lines: &[String],
    mutant: &[String],
    lost: Option<usize>,
) -> (Vec<String>, u64) {
    let is_title = |line: &str| line.starts_with("Mini") || line.starts_with("uns");
    // The boards of an answer are one answer even if the line before them is lost.
    let begins = lost.filter(|&lost| lines[lost].starts_with("Mini"));
    let mut answers: Vec<Vec<(usize, String)>> = Vec::new();
    for (at, line) in mutant.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let is_behind_word = answers.last().is_some_and(|answer| answer[0].1 == "unsolvable");
        // A size swapped with the count after it.
        let is_before_title = mutant.get(at + 1).is_some_and(|next| is_title(next))
            && lines.get(at).is_some_and(|old| is_title(old))
            && !is_title(line)
            && !line.contains(' ');
        let is_behind_size = answers
            .last()
            .is_some_and(|answer| answer.len() == 1 && answer[0].0 == at && !is_title(&answer[0].1));
        let begins_here =
            is_title(line) && !is_behind_size || begins == Some(at) || is_behind_word || is_before_title;
        if begins_here || answers.is_empty() {
            answers.push(Vec::new());
        }
        answers.last_mut().unwrap().push((at + 1, line.clone()));
    }
    let verdict = |(at, puzzle): (usize, &Puzzle)| {
        answers.get(at).map_or("missing".into(), |answer| judge(puzzle, goal, answer))
    };
    (puzzles.iter().enumerate().map(verdict).collect(), answers.len().saturating_sub(puzzles.len()) as u64)
}
