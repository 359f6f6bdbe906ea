//! Grades answers of `jump-game`. The rules of the tests, which share no code with the solver, replay the paths.

use serde_json::{Value, json};
use tabuleiro_jobs::grading::Wording;
use tabuleiro_puzzles::solver::{self, Bounds, Known, Options, Random, Solver};

use super::damage::{accepts_witnesses, all_told, in_words, marks, mutated, told_by, words};
use super::{grade, key, own_output};
use crate::jump_oracle::{Game, MODES};

/// The best player is C, in round 3.
const THREE: &str = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";

/// Nobody wins.
const NONE: &str = "1 6\n3\n3 2 1 0 1 0\n0 0\n0 1\n0 2\n";

fn options(sets: &[(&str, &str)]) -> Options {
    super::options("jump-game", sets).1
}

/// Line, column and text of a word.
type Word<'a> = (u64, u64, &'a str);

fn jump_game() -> &'static dyn Solver {
    solver::find("jump-game").unwrap()
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses `row,column`.
fn square(word: &str) -> Option<(usize, usize)> {
    let (row, column) = word.split_once(',').filter(|(row, column)| is_number(row) && is_number(column))?;
    Some((row.parse().ok()?, column.parse().ok()?))
}

fn is_none(words: &[Word<'_>]) -> bool {
    words.len() == 2 && words[0].2 == "SEM" && words[1].2 == "VENCEDORES"
}

/// Returns the words of each answer. It begins with a line of one or two words, or a word and a number; not a number.
fn answers<'a>(lines: &[Vec<Word<'a>>]) -> Vec<Vec<Word<'a>>> {
    let mut answers: Vec<Vec<Word<'a>>> = Vec::new();
    for line in lines {
        let is_digit = |word: &Word<'_>| word.2.starts_with(|letter: char| letter.is_ascii_digit());
        let begins = !is_digit(&line[0]) && (line.len() < 3 || is_digit(&line[1]));
        let goes_on = answers.last().is_some_and(|words| {
            let is_win = words.len() > 1
                && words[0].2.bytes().all(|byte| byte.is_ascii_alphabetic())
                && is_number(words[1].2);
            match words.len() {
                _ if is_none(words) => false,
                2 if is_win => square(line[0].2).is_some(),
                _ => !is_win,
            }
        });
        if goes_on && !begins {
            answers.last_mut().unwrap().extend(line);
        } else {
            answers.push(line.clone());
        }
    }
    answers
}

/// Returns the round in which a path from `start` reaches the goal, or the index of the first wrong word.
fn walked(game: &Game, movement: &str, start: (usize, usize), path: &[Word<'_>]) -> Result<u64, usize> {
    let mut at = None;
    for (index, word) in path.iter().enumerate() {
        let (row, column) = square(word.2).unwrap();
        let is_inside = row < game.rows && column < game.columns;
        let to = row.wrapping_mul(game.columns).wrapping_add(column);
        let is_right = match at {
            None => is_inside && (row, column) == start,
            Some(from) => is_inside && from != game.goal() && game.ends(movement, from).contains(&to),
        };
        if !is_right {
            return Err(index);
        }
        at = Some(to);
    }
    if at == Some(game.goal()) { Ok(path.len() as u64 - 1) } else { Err(path.len() - 1) }
}

/// Returns the verdict on an answer, as mark and place, given the best player and round.
fn plain(game: &Game, movement: &str, best: Option<(&str, u64)>, words: &[Word<'_>]) -> String {
    let at = |mark: &str, word: Word<'_>| format!("{mark} {}:{}", word.0, word.1);
    let name = words[0];
    if is_none(words) {
        return best.map_or("accepted".into(), |_| at("claims-no-solution", name));
    }
    if !name.2.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return at("presentation-error", name);
    }
    let Some(&round) = words.get(1) else { return at("presentation-error", name) };
    if !round.2.starts_with(|letter: char| letter.is_ascii_digit()) {
        let line = words.iter().find(|word| word.0 == round.0).unwrap();
        return at("presentation-error", *line);
    }
    if !is_number(round.2) {
        return at("presentation-error", round);
    }
    if let Some(word) = words[2..].iter().find(|word| square(word.2).is_none()) {
        return at("presentation-error", *word);
    }
    let Some((winner, best)) = best else { return at("claims-solution", name) };
    let claimed: u64 = round.2.parse().unwrap();
    let letter = |letter: u8| usize::from(letter.to_ascii_uppercase() - b'A') + 1;
    let player = name.2.bytes().fold(0, |number, name| 26 * number + letter(name)) - 1;
    let start = game.players.get(player);
    let path = &words[2..];
    let walked =
        (!path.is_empty()).then(|| walked(game, movement, *start.unwrap_or(&(usize::MAX, usize::MAX)), path));
    match walked {
        Some(Ok(rounds)) if rounds == claimed && rounds > best => at("not-minimal", round),
        _ if !name.2.eq_ignore_ascii_case(winner) => at("value", name),
        _ if claimed != best => at("value", round),
        Some(Ok(rounds)) if rounds != best => at("not-minimal", path[0]),
        Some(Err(index)) => at("illegal-move", path[index]),
        _ => "accepted".into(),
    }
}

/// Returns an answer whose winner takes a random path.
fn wandered(game: &Game, movement: &str, random: &mut Random) -> String {
    let player = random.below(game.players.len().min(26) as u64) as usize;
    let mut way = vec![game.players[player]];
    let mut at = game.square(way[0]);
    while at != game.goal() && way.len() < 12 {
        let ends = game.ends(movement, at);
        let Some(last) = (ends.len() as u64).checked_sub(1) else { break };
        let is_goal = ends.contains(&game.goal()) && random.chance(0.3);
        at = if is_goal { game.goal() } else { ends[random.between(0, last) as usize] };
        way.push((at / game.columns, at % game.columns));
    }
    let squares: Vec<String> = way.iter().map(|(row, column)| format!("{row},{column}")).collect();
    format!("{} {} {}", char::from(b'A' + player as u8), way.len() - 1, squares.join(" "))
}

fn modes() -> impl Iterator<Item = [(&'static str, &'static str); 2]> {
    MODES.into_iter().map(|(movement, tie)| [("movement", movement), ("tie", tie)])
}

fn own(reference: &str, mode: [(&str, &str); 2], witness: &str) -> String {
    let options = options(&[mode[0], mode[1], ("witness", witness)]);
    own_output(jump_game(), &options, reference.as_bytes())
}

#[test]
fn own_output_is_accepted() {
    accepts_witnesses(jump_game());
    let mut random = Random::new(5);
    for _ in 0..150 {
        let games: Vec<Game> = (0..5).map(|_| Game::random(&mut random, 30)).collect();
        let reference: String = games.iter().map(Game::text).collect();
        for mode in modes() {
            let key = key(jump_game(), options(&mode), reference.as_bytes());
            for witness in ["false", "true"] {
                let submission = own(&reference, mode, witness);
                assert_eq!(all_told(&key, &submission), ["accepted"; 5], "{reference}{submission}");
                let lines: Vec<&str> = submission.lines().collect();
                let one_line = lines.iter().fold(String::new(), |text, line| {
                    let is_new = line.starts_with(|letter: char| letter.is_ascii_alphabetic());
                    text + if is_new { "\r\n" } else { " " } + &line.to_lowercase()
                });
                assert_eq!(all_told(&key, &one_line), ["accepted"; 5], "{reference}{one_line}");
            }
        }
    }
}

#[test]
fn whatever_is_done_to_it_shows_where_a_plain_comparison_says() {
    let mut random = Random::new(82);
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    for number in 0..160 {
        let games: Vec<Game> = (0..5).map(|_| Game::random(&mut random, 12)).collect();
        let reference: String = games.iter().map(Game::text).collect();
        let mode = modes().nth(number % 4).unwrap();
        let key = key(jump_game(), options(&mode), reference.as_bytes());
        let own = own(&reference, mode, "true");
        let best = answers(&words(&own));
        let best: Vec<_> = best
            .iter()
            .map(|words| (!is_none(words)).then(|| (words[0].2, words[1].2.parse::<u64>().unwrap())))
            .collect();
        assert_eq!(best.len(), games.len(), "{own}");
        for _ in 0..40 {
            let mut submission = mutated(&own, b"ABCx,01234 ", &mut random);
            let done = random.below(3);
            if done == 0 {
                let at = random.below(5) as usize;
                let way = wandered(&games[at], mode[0].1, &mut random);
                let answer = |(number, words): (usize, &Vec<Word<'_>>)| {
                    let words: Vec<&str> = words.iter().map(|word| word.2).collect();
                    if number == at { way.clone() } else { words.join(" ") }
                };
                submission =
                    answers(&words(&own)).iter().enumerate().map(answer).collect::<Vec<_>>().join("\n");
            } else if done == 1 {
                submission = mutated(&submission, b"ABCx,01234 ", &mut random);
            }
            let answers = answers(&words(&submission));
            let all = answers.iter().map(Some).chain(std::iter::repeat(None));
            let expected = games.iter().zip(&best).zip(all).map(|((game, best), words)| match words {
                Some(words) => plain(game, mode[0].1, *best, words),
                None => "missing".into(),
            });
            let (findings, grade) = grade(&key, submission.as_bytes());
            assert_eq!(marks(&findings), expected.collect::<Vec<_>>(), "{reference}{submission}");
            assert_eq!(grade.extra, answers.len().saturating_sub(games.len()) as u64, "{submission}");
            for mark in marks(&findings) {
                *seen.entry(mark.split(' ').next().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
    assert!(seen.len() == 8 && seen.values().all(|&times| times > 20), "{seen:?}");
}

/// Grades the answers to one game under the default rules.
fn three(answers: &str) -> String {
    all_told(&key(jump_game(), options(&[]), THREE.as_bytes()), answers).join("; ")
}

#[test]
fn forms_that_programs_print() {
    let reference = THREE.repeat(8) + &NONE.repeat(3);
    let key = key(jump_game(), options(&[]), reference.as_bytes());
    let path = "0,2 0,5 0,6 0,8";
    let submission = format!(
        "\u{feff}C 3\r\n\r\nc\t03\r\nC\n\n 3 \nC\n3\n{path}\nC 3 {path}\r\nC 3\r\n{path}\nc\n3  {path}\nC\n3\nSem  Vencedores\n\nSEM VENCEDORES\nsem vencedores"
    );
    assert_eq!(all_told(&key, &submission), ["accepted"; 11]);
}

#[test]
fn what_is_wrong_is_told_where_it_stands() {
    assert_eq!(three("B 3"), "value 1:1 found B 3");
    assert_eq!(three("\nc\n4"), "value 3:1 found C 4");
    assert_eq!(three("C 2"), "value 1:3 found C 2");
    assert_eq!(three("A 4"), "value 1:1 found A 4");
    assert_eq!(three("d 3"), "value 1:1 the game has no player D");
    assert_eq!(three("SEM vencedores"), "claims-no-solution 1:1 it says that there is no solution");
    assert_eq!(three("C"), "presentation-error 1:1 the round is missing");
    assert_eq!(three("C 3.0"), "presentation-error 1:3 '3.0' is not a round");
    assert_eq!(three("C\n-3"), "presentation-error 2:1 '-3' is not a round");
    assert_eq!(three("3"), "presentation-error 1:1 '3' is not an answer");
    assert_eq!(three("Sem vencedor"), "presentation-error 1:1 'Sem vencedor' is not an answer");
    assert_eq!(three("C 3 (0,2)"), "presentation-error 1:5 '(0,2)' follows the answer");
    assert_eq!(three("C 3\n0,2 0,5 0,\n"), "presentation-error 2:9 '0,' follows the answer");
    assert_eq!(three("C 3 0,5 0,6 0,8"), "illegal-move 1:5 player C does not start on 0,5");
    assert_eq!(three("C 3\n0,2 0,5 0,7 0,8"), "illegal-move 2:9 jump 2, of 1 from 0,5, does not end on 0,7");
    assert_eq!(
        three("C 3 0,2 0,5 0,6"),
        "illegal-move 1:13 the path ends on 0,6, which is not the last square of the board"
    );
    assert_eq!(three("C 3 0,2 0,9"), "illegal-move 1:9 0,9 is not on the board (row,column, counted from 0)");
    assert_eq!(three("C 3 0,2 0,5 0,6 0,8 0,8"), "illegal-move 1:21 the game was over before 0,8");
    let longer = "0,2 0,3 0,5 0,6 0,8";
    assert_eq!(three(&format!("C 3 {longer}")), "not-minimal 1:5 it says 3, but what follows proves 4");
    assert_eq!(three(&format!("C 4 {longer}")), "not-minimal 1:3 found 4, which is valid and not the best");
    assert_eq!(three(&format!("C 5 {longer}")), "value 1:3 found C 5");
    assert_eq!(three("C 3\nC 4"), "accepted; 1 more");
    assert_eq!(three(""), "missing the submission ends before it");
    let none = key(jump_game(), options(&[]), NONE.as_bytes());
    assert_eq!(all_told(&none, "A\n3"), ["claims-solution 1:1 found A 3"]);
    assert_eq!(all_told(&none, "A 1 0,0 0,5"), ["claims-solution 1:1 found A 1"]);
}

#[test]
fn a_line_too_many_is_named_where_all_answers_are_there() {
    let key = key(jump_game(), options(&[]), THREE.repeat(3).as_bytes());
    let told = |text: &str| Wording::to_students(&key.options).line(&grade(&key, text.as_bytes()).1);
    for banner in ["Resultado", "O jogo do pulo", "Lista de Ana Silva\n-- -- --"] {
        let line = told(&format!("{banner}\nC\n3\nC 3\nC\n3\n"));
        assert!(line.starts_with("2 of 3: presentation error at puzzle 1 (line 1): '"), "{line}");
        assert!(
            line.ends_with("; 3 answers found, but line 1 was counted as the first: remove it"),
            "{line}"
        );
    }
    // An answer with a mistake, and one too many.
    assert!(!told("C 3 x\nC 3\nC 3\nC 3\n").contains("found, but"));
}

#[test]
fn a_path_that_ends_later_earns_its_share() {
    let key = key(jump_game(), options(&[("partial", "valid"), ("points", "10")]), THREE.as_bytes());
    for (answer, points) in [
        ("C 3 0,2 0,5 0,6 0,8", "10"),
        ("C 4 0,2 0,3 0,5 0,6 0,8", "7.5"),
        ("C 3 0,2 0,3 0,5 0,6 0,8", "7.5"),
        ("C 4", "0"),
        ("C 5 0,2 0,3 0,5 0,6 0,8", "0"),
    ] {
        assert_eq!(grade(&key, answer.as_bytes()).1.points.to_string(), points, "{answer}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_costs_one_game() {
    let reference = THREE.repeat(4);
    let key = key(jump_game(), options(&[]), reference.as_bytes());
    let right = "C\n3\n".to_owned();
    // A line that is lost, or is something else.
    for (bad, told) in [
        ("3\n", "2:1 '3' is not an answer"),
        ("C\n", "2:1 the round is missing"),
        ("C\n0,2 0,5\n", "3:1 '0,2' is not a round"),
        ("Vencedor C\n3\n", "2:1 'Vencedor C' is not an answer"),
        ("o vencedor foi\nC em 3 rodadas\n", "2:1 'o vencedor foi' is not an answer"),
        ("sem ganhador\n", "2:1 'sem ganhador' is not an answer"),
        ("C 3 5\n", "2:5 '5' follows the answer"),
        ("C\nx y z\n3\n", "3:1 'x y z' is not an answer"),
    ] {
        let found = all_told(&key, &format!("C 3\n{bad}{right}{right}"));
        assert_eq!(
            found,
            ["accepted", &format!("presentation-error {told}"), "accepted", "accepted"],
            "{bad}"
        );
    }
}

#[test]
fn words_before_an_answer_are_skipped_where_that_is_wanted() {
    let reference = THREE.repeat(2) + NONE;
    let submission = "Vencedor: C\nRodada = 3\nCaso 2: C 3\n3: SEM VENCEDORES\n";
    let skip = key(jump_game(), options(&[("words", "skip")]), reference.as_bytes());
    assert_eq!(all_told(&skip, submission), ["accepted"; 3]);
    let path = "0,2 0,5 0,6 0,8";
    for submission in [
        format!(
            "O jogo do pulo\nA lista 3\n2024\nOk\nCaso #1:\nC\n3\n{path}\nfim\n1) C 3 {path}.\nKeyError: 3\nsem vencedores.\n"
        ),
        "Resultados:\nC.\n3,\n----\nC 3 rodadas\nObrigada\n2) SEM VENCEDORES".to_owned(),
    ] {
        assert_eq!(all_told(&skip, &submission), ["accepted"; 3], "{submission}");
    }
    // A line meant as an answer keeps its place.
    let told = all_told(&skip, "C\nC 3\nsem vencedor\n");
    assert_eq!(told[0], "presentation-error 1:1 the round is missing");
    assert_eq!(
        (&*told[1], &*told[2]),
        ("accepted", "presentation-error 3:1 'sem vencedor' is not an answer")
    );
    let strict = key(jump_game(), options(&[]), reference.as_bytes());
    assert!(!all_told(&strict, submission).contains(&"accepted".to_owned()));
    let reference = format!("400 400\n1\n{}1 1\n{THREE}", "1 ".repeat(160_000));
    let skip =
        key(jump_game(), options(&[("words", "skip"), ("memory_limit", "1MiB")]), reference.as_bytes());
    assert_eq!(all_told(&skip, "undecided (at least round 3)\nC\n3"), ["not-graded", "accepted"]);
}

#[test]
fn an_undecided_game_is_not_graded() {
    let reference = format!("400 400\n1\n{}1 1\n{THREE}", "1 ".repeat(160_000));
    let key = key(jump_game(), options(&[("memory_limit", "1MiB")]), reference.as_bytes());
    assert_eq!(all_told(&key, "undecided (at least round 3)\nC\n3"), ["not-graded", "accepted"]);
    assert_eq!(all_told(&key, "A 7\nC 3"), ["not-graded", "accepted"]);
}

#[test]
fn paths_that_prove_us_wrong_are_told_loudly() {
    let known = |answer: Value, least, is_proved| Known {
        headline: "held".into(),
        answer,
        bounds: Bounds { at_least: least, at_most: None },
        is_proved,
        needs_witness: false,
    };
    let told = |known: &Known, answer: &str| told_by(jump_game(), &options(&[]), THREE, known, answer);
    let four = known(json!({ "winner": "B", "round": 4 }), Some(4), true);
    let path = "0,2 0,5 0,6 0,8";
    let internal = "internal-error 1:5 it proves 3, but the best known is held";
    assert_eq!(told(&four, &format!("C 3 {path}")), internal);
    // The player, the round and what follows the path do not matter.
    assert_eq!(told(&four, &format!("B 4 {path}")), internal);
    assert_eq!(told(&four, &format!("X 4 {path} 0,0")), internal);
    assert_eq!(told(&four, "C 2 0,5 0,6 0,8"), "value 1:1 found C 2");
    assert_eq!(told(&four, "C 3"), "value 1:1 found C 3");
    let none = known("SEM VENCEDORES".into(), None, true);
    assert_eq!(told(&none, &format!("C 3 {path}")), internal);
    assert_eq!(told(&none, "C 3 0,2 0,8"), "claims-solution 1:1 found C 3");
    let open = known("undecided".into(), Some(4), false);
    assert_eq!(told(&open, &format!("C 3 {path}")), internal);
    let open = known("undecided".into(), Some(3), false);
    assert!(!told(&open, &format!("C 3 {path}")).starts_with("internal-error"));
}

/// The cost of a hostile submission is proportional to its bytes.
#[test]
fn long_lines_of_nothing_cost_what_they_are() {
    let key = key(jump_game(), options(&[]), THREE.repeat(3).as_bytes());
    let (none, long) = ("?".repeat(8 << 20), "A".repeat(8 << 20));
    let submission = format!("{none}\n{}C 3\n{long} 3\n", "7\n".repeat(100_000));
    let (findings, grade) = grade(&key, submission.as_bytes());
    assert_eq!(grade.extra, 0);
    assert_eq!(marks(&findings), ["presentation-error 1:1", "accepted", "value 100003:1"]);
    assert!(findings.iter().all(|finding| in_words(finding).len() < 200));
}
