//! Grades answers of `2048-merge`. The rules of the tests, which share no code with the solver, replay the slides.

use tabuleiro_puzzles::solver::{Bounds, Known, Merge2048, Options, Random, Solver};

use super::damage::{accepts_witnesses, all_told, marks, mutated, told_by, words};
use super::{grade, key, own_output};
use crate::merge_cases::{Case, file, generated, parse, slide, small_cases, tiles};

const SOLVER: &dyn Solver = &Merge2048;

fn options(sets: &[(&str, &str)]) -> Options {
    super::options("2048-merge", sets).1
}

/// A case with the answer 3, for example by `D C E`.
const THREE: &str = "1\n3 5\n2 0 2\n4 0 8\n0 0 0\n";

/// Returns so many cases of three slides, and so many without a solution.
fn cases(three: usize, none: usize) -> String {
    let repeated = |text, count| std::iter::repeat_n(parse(text), count).flatten();
    file(&repeated(THREE, three).chain(repeated("1\n2 50\n2 4\n2 4\n", none)).collect::<Vec<_>>())
}

/// Returns the verdict on a line, as mark and place, if the fewest slides are `best`.
fn plain(case: &Case, best: Option<u64>, line: &[(u64, u64, &str)]) -> String {
    let at = |mark: &str, (line, column, _): (u64, u64, &str)| format!("{mark} {line}:{column}");
    let (number, rest) = (line[0], &line[1..]);
    let lower = line.iter().map(|word| word.2.to_lowercase()).collect::<Vec<_>>().join(" ");
    if lower == "no solution" {
        return best.map_or("accepted".into(), |_| at("claims-no-solution", number));
    }
    if !number.2.bytes().all(|byte| byte.is_ascii_digit()) {
        return at("presentation-error", number);
    }
    if let Some(word) = rest.iter().find(|word| word.2.contains(|letter| !"EDCBedcb".contains(letter))) {
        return at("presentation-error", *word);
    }
    let Some(best) = best else { return at("claims-solution", number) };
    let value: u64 = number.2.parse().unwrap();
    let mut slides = Vec::new();
    for &(line, column, word) in rest {
        slides.extend((column..).zip(word.chars()).map(|(column, letter)| (line, column, letter)));
    }
    let mut rows = case.rows.clone();
    for (_, _, letter) in &slides {
        rows = slide(&rows, letter.to_ascii_uppercase());
    }
    let count = slides.len() as u64;
    let is_legal = count <= case.moves_max as u64 && tiles(&rows) <= 1;
    if count > 0 && is_legal && value == count && value > best {
        return at("not-minimal", number);
    }
    if value != best {
        return at("value", number);
    }
    let illegal = |slide: usize| format!("illegal-move {}:{}", slides[slide].0, slides[slide].1);
    match slides.len() {
        0 => "accepted".into(),
        count if count as u64 == best && is_legal => "accepted".into(),
        _ if is_legal => illegal(0),
        count => illegal(case.moves_max.min(count - 1)),
    }
}

#[test]
fn own_output_is_accepted() {
    accepts_witnesses(SOLVER);
    for seed in 0..300 {
        let reference = generated(5, seed, &[("size", "4"), ("tiles", "9")]);
        for settings in [[("witness", "false")], [("witness", "true")]] {
            let submission = own_output(SOLVER, &options(&settings), reference.as_bytes());
            let key = key(SOLVER, options(&[]), reference.as_bytes());
            assert_eq!(all_told(&key, &submission), ["accepted"; 5], "{reference}{submission}");
        }
    }
}

#[test]
fn whatever_is_done_to_it_shows_where_a_plain_comparison_says() {
    let mut random = Random::new(81);
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..200 {
        let cases = small_cases(seed, 5, 9);
        let reference = file(&cases);
        let key = key(SOLVER, options(&[]), reference.as_bytes());
        let own = own_output(SOLVER, &options(&[("witness", "true")]), reference.as_bytes());
        let best: Vec<Option<u64>> = own.lines().map(|line| line.split(' ').next()?.parse().ok()).collect();
        for _ in 0..40 {
            let mut submission = mutated(&own, b"EDCBdx0139 ", &mut random);
            if random.chance(0.3) {
                submission = mutated(&submission, b"EDCBdx0139 ", &mut random);
            }
            let mut lines = words(&submission);
            // Consecutive lines that are no answers count as one answer.
            let is_none =
                |line: &Vec<(_, _, &str)>| line.len() > 2 && !line[0].2.as_bytes()[0].is_ascii_digit();
            lines.dedup_by(|line, before| is_none(line) && is_none(before));
            let answers = lines.iter().map(Some).chain(std::iter::repeat(None));
            let expected = cases.iter().zip(&best).zip(answers).map(|((case, best), line)| match line {
                Some(line) => plain(case, *best, line),
                None => "missing".into(),
            });
            let (findings, grade) = grade(&key, submission.as_bytes());
            assert_eq!(marks(&findings), expected.collect::<Vec<_>>(), "{reference}{submission}");
            assert_eq!(grade.extra, lines.len().saturating_sub(cases.len()) as u64);
            for mark in marks(&findings) {
                *seen.entry(mark.split(' ').next().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
    assert!(seen.len() == 8 && seen.values().all(|&times| times > 20), "{seen:?}");
}

#[test]
fn forms_that_programs_print() {
    let reference = cases(7, 3);
    let key = key(SOLVER, options(&[]), reference.as_bytes());
    let own = own_output(SOLVER, &options(&[("witness", "true")]), THREE.as_bytes());
    let slides = own.trim_end().strip_prefix("3 ").unwrap();
    let together = slides.replace(' ', "");
    let submission = format!(
        "\u{feff}3\r\n\r\n 3 {slides} \r\n\t3\t{}\r\n\n003 {together}\r\n3 {} {}\r\n3\r\n3\r\nNo Solution\r\nno  solution\r\nNO SOLUTION",
        slides.to_lowercase(),
        &together[..1],
        &together[1..],
    );
    assert_eq!(all_told(&key, &submission), ["accepted"; 10]);
}

#[test]
fn what_is_wrong_is_told_where_it_stands() {
    let three = |answer: &str| all_told(&key(SOLVER, options(&[]), THREE.as_bytes()), answer).join("; ");
    assert_eq!(three("4"), "value 1:1 found 4");
    assert_eq!(three("2\n"), "value 1:1 found 2");
    assert_eq!(three("no solution"), "claims-no-solution 1:1 it says that there is no solution");
    assert_eq!(three("3 E E E"), "illegal-move 1:7 after 3 slides 3 tiles are left");
    assert_eq!(three("3 E"), "illegal-move 1:3 after 1 slide 3 tiles are left");
    assert_eq!(three("3 EDEDED"), "illegal-move 1:8 slide 6 is one too many, at most 5 are allowed");
    let own = own_output(SOLVER, &options(&[("witness", "true")]), THREE.as_bytes());
    let own = own.trim_end().strip_prefix("3 ").unwrap();
    assert_eq!(three(&format!("4 {own} C")), "not-minimal 1:1 found 4, which is valid and not the best");
    assert_eq!(three(&format!("3 {own} C")), "illegal-move 1:3 it says 3, but what follows proves 4");
    assert_eq!(three(&format!("5 {own}")), "value 1:1 found 5");
    assert_eq!(three("3 U D"), "presentation-error 1:3 'U' is not a slide: slides are E, D, C and B");
    assert_eq!(three("3 D, C, E"), "presentation-error 1:3 'D,' is not a slide: slides are E, D, C and B");
    assert_eq!(three("-3"), "presentation-error 1:1 '-3' is not an answer");
    assert_eq!(
        three("99999999999999999999"),
        "presentation-error 1:1 '99999999999999999999' is not an answer"
    );
    assert_eq!(three("três"), "presentation-error 1:1 'três' is not an answer");
    assert_eq!(three("sem solução"), "presentation-error 1:1 'sem solução' is not an answer");
    assert_eq!(three("\n \n"), "missing the submission ends before it");
    assert_eq!(three("3\n4\n5"), "accepted; 2 more");
    assert_eq!(three("\n  x\u{1b}[2J"), "presentation-error 2:3 'x\\u{1b}[2J' is not an answer");
}

#[test]
fn slides_that_are_too_many_earn_their_share() {
    let own = own_output(SOLVER, &options(&[("witness", "true")]), THREE.as_bytes());
    let slides = own.trim_end().strip_prefix("3 ").unwrap();
    let key = key(SOLVER, options(&[("partial", "valid"), ("points", "10")]), THREE.as_bytes());
    for (answer, points) in [
        (format!("3 {slides}"), "10"),
        (format!("4 {slides} C"), "7.5"),
        (format!("5 {slides} CE"), "6"),
        ("4".to_owned(), "0"),
        ("3 EEE".to_owned(), "0"),
    ] {
        assert_eq!(grade(&key, answer.as_bytes()).1.points.to_string(), points, "{answer}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_costs_one_case() {
    let reference = cases(4, 0);
    let key = key(SOLVER, options(&[]), reference.as_bytes());
    let unreadable =
        |place: &str, what: &str| format!("presentation-error {place} '{what}' is not an answer");
    let told = all_told(&key, "3\nException in thread main\n at some line far away\n3\n3\n");
    let first = unreadable("2:1", "Exception in thread main");
    assert_eq!(told, ["accepted", &first, "accepted", "accepted"]);
    let told = all_told(&key, "sem solucao\nsem solucao\n?\n3");
    let expected =
        [unreadable("1:1", "sem solucao"), unreadable("2:1", "sem solucao"), unreadable("3:1", "?")];
    assert_eq!(told, [&expected[..], &["accepted".to_owned()]].concat());
}

#[test]
fn words_before_an_answer_are_skipped_where_that_is_wanted() {
    let reference = cases(3, 1);
    let skip = key(SOLVER, options(&[("words", "skip")]), reference.as_bytes());
    let own = own_output(SOLVER, &options(&[("witness", "true")]), THREE.as_bytes());
    for submission in [
        "Caso 1: 3\nResposta = 3\n3 movimentos\nCaso 4: no solution\n",
        &format!(
            "Lista 3\nCaso #1:\n{own}1) 3,\nJuntar: {}.\nFim do caso\nno solution.\nTotal\n",
            own.trim_end()
        ),
        "1) 3\nKeyError: 3\n2) 3\n3) 3\n4) No solution",
    ] {
        assert_eq!(all_told(&skip, submission), ["accepted"; 4], "{submission}");
    }
    // Words meant as an answer keep its place.
    let told = all_told(&skip, "3\n3\nsem solução\nno solution\n");
    assert_eq!(told[2], "presentation-error 3:1 'sem solução' is not an answer");
    assert_eq!(told[3], "accepted");
    let submission = "Caso 1: 3\nResposta = 3\n3 movimentos\nCaso 4: no solution\n";
    let strict = key(SOLVER, options(&[]), reference.as_bytes());
    assert!(!all_told(&strict, submission).contains(&"accepted".to_owned()));
}

#[test]
fn tiles_of_any_value_are_replayed() {
    let max = u64::MAX;
    for (rows, slides) in [
        (format!("{max} {max}\n0 0\n"), "1 E"),
        (format!("{max} 0\n{max} 0\n"), "1 c"),
        ("3 3\n6 0\n".into(), "2 EC"),
        ("0 0\n0 0\n".into(), "0"),
        ("0 5\n0 0\n".into(), "0"),
    ] {
        let key = key(SOLVER, options(&[]), format!("1\n2 9\n{rows}").as_bytes());
        assert_eq!(all_told(&key, slides), ["accepted"], "{rows}");
        let longer = format!("{} {}B", slides[..1].parse::<u64>().unwrap() + 1, &slides[1..]);
        let expected = format!("not-minimal 1:1 found {}, which is valid and not the best", &longer[..1]);
        assert_eq!(all_told(&key, &longer), [expected], "{rows}");
    }
    // Tiles that never become one, and more values than the tiles of one number can have.
    let values: Vec<String> = (1..=100).map(|value| value.to_string()).collect();
    for rows in ["10 9\n".to_owned() + &values.join(" "), "2 9\n3 5\n0 0".into()] {
        let key = key(SOLVER, options(&[]), format!("1\n{rows}\n").as_bytes());
        assert_eq!(all_told(&key, "1 E"), ["claims-solution 1:1 found 1"]);
        assert_eq!(all_told(&key, "NO solution"), ["accepted"]);
    }
}

#[test]
fn a_board_that_was_not_kept_is_compared_by_the_number() {
    let reference = format!("2\n400 50\n2 2 {}\n1 5\n7\n", "0 ".repeat(400 * 400 - 2));
    let settings = [("limits", "none"), ("memory_limit", "1MiB")];
    let key = key(SOLVER, options(&settings), reference.as_bytes());
    assert_eq!(all_told(&key, "1 E\n0"), ["not-graded", "accepted"]);
    assert_eq!(all_told(&key, "undecided (at least 1)\n0"), ["not-graded", "accepted"]);
    assert_eq!(all_told(&key, "0 B\n1 B")[1], "not-minimal 2:1 found 1, which is valid and not the best");
}

#[test]
fn slides_that_prove_us_wrong_are_told_loudly() {
    let known = |answer: serde_json::Value, least, is_proved| Known {
        headline: answer.to_string().into(),
        answer,
        bounds: Bounds { at_least: least, at_most: None },
        is_proved,
        needs_witness: false,
    };
    let own = own_output(SOLVER, &options(&[("witness", "true")]), THREE.as_bytes());
    let told = |known: &Known, answer: &str| told_by(SOLVER, &options(&[]), THREE, known, answer);
    let four = known(4.into(), Some(4), true);
    let internal = "internal-error 1:3 it proves 3, but the best known is 4";
    assert_eq!(told(&four, &own), internal);
    // Whatever the answer claims, and whatever follows the slides that suffice.
    assert_eq!(told(&four, &format!("4{}", &own[1..])), internal);
    assert_eq!(told(&four, &format!("4 {}CEBD", own[2..].trim())), internal);
    assert_eq!(told(&four, "3"), "value 1:1 found 3");
    let none = known("no solution".into(), None, true);
    assert_eq!(told(&none, &own), internal.replace("is 4", "is \"no solution\""));
    assert_eq!(told(&none, "3 E E E"), "claims-solution 1:1 found 3");
    let open = known("undecided".into(), Some(4), false);
    assert_eq!(told(&open, &own), internal.replace("is 4", "is \"undecided\""));
    let open = known("undecided".into(), Some(3), false);
    assert!(!told(&open, &own).starts_with("internal-error"));
}
