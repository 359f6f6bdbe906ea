//! Follows the suggestions for generated mistakes: the puzzle becomes valid, and all other numbers of the file stay.

use tabuleiro_jobs::Reading;
use tabuleiro_puzzles::input::{Place, Scanner};
use tabuleiro_puzzles::solver::{Options, Problem, Proposal, Random, Solver, Work, default_options, find};
use tabuleiro_puzzles::words::Language;

use crate::laid_out::laid_out;

/// Number of files with mistakes, for each solver.
const FILES: u64 = 400;
/// Minimum number of suggestions for them.
const SUGGESTIONS_MIN: usize = 40;

/// Words to put in the place of a number, or beside one.
const WORDS: [&str; 16] = [
    "x",
    "sete",
    "O",
    "1O",
    "l",
    "4x4",
    "3,5",
    "2.0",
    "-1",
    "+3",
    "3+4",
    "99999999999999999999999",
    "7",
    "0",
    "(2)",
    "# 3 de 5",
];

/// Returns where the puzzles of a file begin, with what is wrong with them.
fn read(solver: &'static dyn Solver, text: &str) -> Vec<(Place, Option<Problem>)> {
    let mut scanner = Scanner::new(text.as_bytes(), "entrada.txt").unwrap();
    let mut reading = Reading::open(solver, &default_options(solver));
    let entries = std::iter::from_fn(|| reading.read(&mut scanner).unwrap());
    let entries = entries.map(|entry| match entry.work {
        Work::Invalid(problem) => (entry.place, Some(*problem)),
        _ => (entry.place, None),
    });
    entries.collect()
}

/// Returns a few valid puzzles, some of them with values that no generator makes.
fn valid(solver: &'static dyn Solver, seed: u64) -> String {
    if seed.is_multiple_of(5) {
        return solver.info().example.input.to_owned();
    }
    let options = Options::defaults(&[solver.generator_options()]);
    let mut text = Vec::new();
    solver.generate(&options, 1 + seed % 3, &mut Random::new(seed), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Makes one mistake.
fn mistake(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let line = random.below(lines.len() as u64) as usize;
    let token = random.below(lines[line].len() as u64) as usize;
    let word = WORDS[random.below(WORDS.len() as u64) as usize];
    match random.below(12) {
        0 => lines.push(vec!["0", "0"]),
        1 => lines.push(vec!["0"]),
        2 => lines[line][token] = word,
        3 => lines[line].insert(token, word),
        4 => lines[line].push(word),
        5 => drop(lines[line].remove(token)),
        6 => lines.insert(line, lines[line].clone()),
        7 => drop(lines.remove(line)),
        8 => lines[line].reverse(),
        9 => lines.insert(line, vec![word]),
        // The first line of a puzzle more often than other lines.
        10 => lines[0].push(word),
        _ => return text.replace(' ', [",", "; ", " | "][random.below(3) as usize]),
    }
    lines.iter().map(|line| line.join(" ") + "\n").collect()
}

/// Returns the tokens of a text that are numbers, with their places, without those in comments.
fn numbers(text: &str) -> Vec<(Place, &str)> {
    let mut numbers = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = &line[..line.find('#').or(line.find("//")).unwrap_or(line.len())];
        let mut column = 1;
        for token in line.split(' ') {
            if !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit()) {
                numbers.push((Place { line: number, column }, token));
            }
            column += token.len() as u64 + 1;
        }
    }
    numbers
}

/// Returns whether a suggestion corrects the number at a place.
fn is_corrected(place: Place, proposal: &Proposal) -> bool {
    match proposal {
        Proposal::Replace { place: at, bytes, .. } => {
            place.line == at.line && (at.column..at.column + bytes).contains(&place.column)
        }
        Proposal::RemoveLines { from_line, to_line } | Proposal::ReplaceLines { from_line, to_line, .. } => {
            (*from_line..=*to_line).contains(&place.line)
        }
        Proposal::All { changes } => changes.iter().any(|change| is_corrected(place, change)),
        Proposal::ReplaceAll { .. }
        | Proposal::RemoveComments { .. }
        | Proposal::JoinLines { .. }
        | Proposal::InsertLine { .. } => false,
    }
}

/// Splits the numbers of a text into those that a suggestion corrects and all others.
fn corrected<'t>(text: &'t str, proposal: &Proposal) -> (Vec<&'t str>, Vec<&'t str>) {
    let (corrected, others): (Vec<_>, Vec<_>) =
        numbers(text).into_iter().partition(|(place, _)| is_corrected(*place, proposal));
    let tokens = |numbers: Vec<(Place, &'t str)>| numbers.into_iter().map(|(_, token)| token).collect();
    (tokens(corrected), tokens(others))
}

/// Follows the suggestion of a problem, whose puzzle begins at `place`. Panics if the puzzle stays invalid or another
/// number is lost.
fn follow(solver: &'static dyn Solver, text: &str, place: Place, (wrong, proposal): (&Problem, &Proposal)) {
    let told = || format!("{}: {proposal:?}\n{text}", solver.id());
    let mended =
        String::from_utf8(proposal.apply(text.as_bytes(), 1).unwrap_or_else(|| panic!("{}", told())));
    let mended = mended.unwrap();
    let entries = read(solver, &mended);
    let puzzle = entries.iter().find(|(begins, _)| begins.line >= place.line);
    // Without a line that belongs to no puzzle, the next puzzle can have a mistake of its own.
    let is_known = |problem: &Problem| {
        wrong.rule() == "stray-line" && problem.recognised && problem.rule() != "stray-line"
    };
    // Nothing is left of an end marker.
    let is_mended = puzzle.is_none_or(|(_, problem)| problem.as_ref().is_none_or(is_known));
    assert!(is_mended && !entries.is_empty(), "{}\nafter it:\n{mended}", told());

    let (corrected, others) = corrected(text, proposal);
    let after = numbers(&mended);
    let mut left = after.iter();
    let is_kept = others.iter().all(|number| left.any(|(_, token)| token == number));
    assert!(is_kept, "another number is lost: {}\nafter it:\n{mended}", told());
    // If a first line is rewritten, each of its numbers is kept or replaced by another one.
    if let (Proposal::Replace { with, .. }, [_, _, ..]) = (proposal, &corrected[..]) {
        let with: Vec<_> = with.split(' ').collect();
        let is_kept = with.len() == corrected.len() || corrected.iter().all(|number| with.contains(number));
        assert!(is_kept, "a number of the line is lost: {}\nafter it:\n{mended}", told());
    }
}

#[test]
fn a_suggestion_makes_the_puzzle_valid_and_keeps_every_other_number() {
    for solver in laid_out() {
        let mut made = 0;
        for seed in 0..FILES {
            let mut random = Random::new(seed);
            let mut text = mistake(&valid(solver, seed), &mut random);
            if random.chance(0.3) && !text.is_empty() {
                text = mistake(&text, &mut random);
            }
            for (place, problem) in read(solver, &text) {
                if let Some(problem) = problem
                    && let Some(proposal) = &problem.proposal
                {
                    follow(solver, &text, place, (&problem, proposal));
                    made += 1;
                }
            }
        }
        assert!(made >= SUGGESTIONS_MIN, "{}: {made}", solver.id());
    }
}

/// Returns the message about the last invalid puzzle of a file, in both languages.
fn said(solver: &str, text: &str) -> [String; 2] {
    let mut problems = read(find(solver).unwrap(), text).into_iter().filter_map(|(_, problem)| problem);
    let last = problems.next_back().unwrap_or_else(|| panic!("{solver}: nothing is wrong with\n{text}"));
    [Language::English, Language::Portuguese]
        .map(|language| format!("{}: {}", last.place, last.say(language)))
}

#[test]
fn zeros_that_end_a_file_are_to_be_removed() {
    let jump = "1 3\n1\n1 1 1\n0 0\n";
    for (solver, puzzles) in [
        ("jump-game", jump),
        ("jump-game", "# dois\n3 4\n1\n1 2 2 3\n3 3 1 2\n1 2 2 0\n0 3\n1 3\n1\n1 1 1\n0 0\n"),
        ("2048-game", "2 7\n2 4\n8 0\n-\n"),
        ("2048-game", "2\n2 4\n8 0\nAUTO 5\n2\n2 4\n8 0\nDE\n"),
        ("2048-astar", "2\n2 4\n8 0\n"),
        ("2048-astar", "4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n"),
        ("2048-merge", "1\n2 3\n2 2\n4 0\n"),
        ("2048-merge", "2\n2 3\n2 2\n4 0\n3 5\n2 0 2\n4 0 8\n0 0 0\n"),
    ] {
        for marker in ["0", "0 0"] {
            for (before, behind) in [("", "\n"), ("", ""), ("\n", "\n\n# fim\n")] {
                let text = format!("{puzzles}{before}{marker}{behind}");
                let line = 1 + (puzzles.to_owned() + before).lines().count();
                let told = [
                    format!(
                        "{line}:1: files of {solver} have no end marker: remove line {line}, which has only {marker}"
                    ),
                    format!(
                        "{line}:1: arquivos de {solver} não têm marca de fim: apague a linha {line}, que tem só {marker}"
                    ),
                ];
                assert_eq!(said(solver, &text), told, "{text}");
            }
        }
    }
}

#[test]
fn zeros_that_may_be_something_else_are_left() {
    // The line may be a player: another game follows, so nothing shows which of the two was meant.
    let [english, _] = said("jump-game", "1 3\n1\n1 1 1\n0 1\n0 0\n1 3\n1\n1 1 1\n0 0\n");
    assert!(
        english.starts_with("2:1: 2 players follow the board, but line 2 says 1: write 2 there, or remove")
    );
    // A case is missing, so T is reported as well.
    let [english, _] = said("2048-merge", "2\n2 3\n2 2\n4 0\n0 0\n");
    assert_eq!(english, "1:1: T is 2 (line 1), but only 1 case follows; write 1 instead");
    // Nothing would be left.
    let [english, _] = said("2048-astar", "0\n");
    assert_eq!(english, "1:1: the size of the board is 0, but must be at least 2");
}

#[test]
fn a_first_line_keeps_its_seed() {
    let board = "2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 2 4\nAUTO 5\n";
    for (header, advice) in [
        ("4 sete", ""),
        ("4 7 sete", "write 4 7 instead"),
        ("4 seed 7", "write 4 7 instead"),
        ("tamanho 4", "write 4 instead"),
        ("tamanho 4 semente 7", "write 4 7 instead"),
        ("4x4 7", "write 4 7 instead"),
        ("4 4 7", "write 4 7 instead"),
        ("7 4", "write 4 7 instead"),
        ("5 7", "write 4 7 instead"),
        ("x", "write 4 instead"),
        ("4 7 9", ""),
        ("4 99999999999999999999999", ""),
        ("4 -7", ""),
    ] {
        let [english, _] = said("2048-game", &format!("{header}\n{board}"));
        let is_said = if advice.is_empty() {
            !english.contains("; ")
        } else {
            english.ends_with(&format!("; {advice}"))
        };
        assert!(is_said, "{header}: {english}");
    }
    let [_, portuguese] = said("2048-game", &format!("4 seed 7\n{board}"));
    assert!(portuguese.ends_with("; troque por 4 7"), "{portuguese}");
}

#[test]
fn lines_that_look_like_headers_everywhere_are_looked_at_a_bounded_number_of_times() {
    let solver = find("2048-astar").unwrap();
    let text = "1000\n".repeat(20_000);
    let mut input = Scanner::new(text.as_bytes(), "t").unwrap();
    let mut reading = Reading::open(solver, &default_options(solver));
    let mut entries = 0;
    while reading.read(&mut input).unwrap().is_some() {
        entries += 1;
    }
    assert!(entries > 1000, "{entries}");
    // Each entry alone could look at all lines after it, 100 KB.
    assert!(input.bytes_looked() < 100 << 20, "{}", input.bytes_looked());
}

/// Once, changes after the first 5,000 puzzles counted as right whatever followed, and took a valid board with them.
#[test]
fn a_missing_header_after_thousands_of_boards_spoils_one_board() {
    let board = "4 4\n1 0\n0 2\n1 2\n0 1\n";
    let text = board.repeat(6000) + "1 0 1\n2 2\n0 0 1\n" + &board.repeat(20) + "0 0\n";
    let wrong: Vec<_> = read(find("checkers-capture").unwrap(), &text)
        .into_iter()
        .enumerate()
        .filter_map(|(at, (place, problem))| Some((at, place.line, problem?.rule())))
        .collect();
    assert_eq!(wrong, [(6000, 30_001, "header-missing")]);
}
