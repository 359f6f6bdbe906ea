//! Grades answers of `2048-game`: five lines, a board and a transcript, in any order.

use tabuleiro_jobs::grading::AnswerKey;
use tabuleiro_puzzles::solver::{Finding, Random};
use tabuleiro_puzzles::words::Language;

use super::{grade, key, options, own_output, told};

/// A game of one move, a new game of three moves, and a game that the program plays.
const REFERENCE: &str =
    "4 7\n2 2 2 2\n2 2 4 8\n0 0 0 0\n0 0 0 0\nD\n3 5\n0 0 0\n0 0 0\n0 0 0\nDCD\n2 1\n0 0\n0 0\nAUTO\n";

fn verdicts(submission: &str, sets: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let (solver, options) = options("2048-game", sets);
    let (findings, grade) = grade(&key(solver, options, REFERENCE.as_bytes()), submission.as_bytes());
    assert_eq!(grade.extra, 0, "{submission}");
    let remark = |finding: &Finding| {
        let remark = finding.remark.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{remark}; {}", finding.expected.clone().unwrap_or_default())
    };
    (told(&findings), findings.iter().map(remark).collect())
}

/// Returns the program's answers, one text per game.
fn own(sets: &[(&str, &str)]) -> Vec<String> {
    let (solver, options) = options("2048-game", sets);
    let output = own_output(solver, &options, REFERENCE.as_bytes());
    let mut games: Vec<String> = Vec::new();
    for line in output.lines() {
        if line.starts_with("score") {
            games.push(String::new());
        }
        *games.last_mut().unwrap() += &format!("{line}\n");
    }
    games
}

const WHOLE: &[(&str, &str)] = &[("transcript", "true")];
const RIGHT: [&str; 3] = ["accepted"; 3];

/// Returns whether all answers are right except the last `incomplete` ones, which lack something.
fn is_right_but(incomplete: usize, submission: &str) -> bool {
    let told = verdicts(submission, &[]).0;
    let (right, lacking) = told.split_at(3 - incomplete);
    right.iter().all(|told| told == "accepted")
        && lacking.iter().all(|told| told.starts_with("wrong-answer incomplete"))
}

#[test]
fn forms_of_right_answers() {
    let (plain, whole) = (own(&[]), own(WHOLE));
    assert!(is_right_but(1, &plain.concat()));
    assert_eq!(verdicts(&whole.concat(), &[]).0, RIGHT);
    assert_eq!(verdicts(&whole.concat().to_uppercase(), &[]).0, RIGHT);
    assert_eq!(
        verdicts(&whole.concat().replace("score ", "Score: ").replace("over ", "OVER = "), &[]).0,
        RIGHT
    );
    assert_eq!(verdicts(&whole.concat().replace("score ", "score:").replace('\n', "\r\n\r\n"), &[]).0, RIGHT);
    // The necessary lines alone, and every order of the parts.
    let needed = |game: &String| {
        let is_needed = |line: &&str| !["moves", "over", "seed"].iter().any(|word| line.starts_with(word));
        game.lines().filter(is_needed).map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(verdicts(&whole.iter().map(needed).collect::<String>(), &[]).0, RIGHT);
    let part = |game: &String, which: usize| {
        let kind = |line: &str| match line.as_bytes()[0] {
            b'0'..=b'9' => 1,
            b'+' | b'A'..=b'Z' => 2,
            _ => 0,
        };
        game.lines().filter(|line| kind(line) == which).map(|line| format!("{line}\n")).collect::<String>()
    };
    for order in [&[0, 1, 2][..], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]] {
        let text: String =
            whole.iter().flat_map(|game| order.iter().map(|&which| part(game, which))).collect();
        assert_eq!(verdicts(&text, &[]).0, RIGHT, "{order:?}\n{text}");
    }
    for (incomplete, order) in [
        (1, &[1, 0][..]),
        (1, &[0, 1]),
        (3, &[0]),
        (3, &[1]),
        (3, &[0, 2]),
        (3, &[1, 2]),
        (3, &[2, 1]),
        (3, &[2, 0]),
    ] {
        let text: String =
            whole.iter().flat_map(|game| order.iter().map(|&which| part(game, which))).collect();
        assert!(is_right_but(incomplete, &text), "{order:?}\n{text}");
    }
    for first in ["moves", "over", "seed"] {
        let turned = |game: &String| {
            let (other, it): (Vec<_>, Vec<_>) = game.lines().partition(|line| !line.starts_with(first));
            [it, other].concat().join("\n") + "\n"
        };
        assert_eq!(verdicts(&whole.iter().map(turned).collect::<String>(), &[]).0, RIGHT, "{first}");
    }
}

#[test]
fn an_answer_without_score_largest_tile_and_board_earns_nothing() {
    let plain = own(&[]);
    for (kept, lacking, pt) in [
        (
            &["seed"][..],
            "the score line, the max line and the board",
            "a linha score, a linha max e o tabuleiro",
        ),
        (&["over"], "the score line, the max line and the board", "a linha score, a linha max e o tabuleiro"),
        (
            &["moves"],
            "the score line, the max line and the board",
            "a linha score, a linha max e o tabuleiro",
        ),
        (&["score", "moves", "over", "seed"], "the max line and the board", "a linha max e o tabuleiro"),
        (&["score", "moves", "max", "over", "seed"], "the board", "o tabuleiro"),
        (&["max", "over", "0", "2", "4", "8"], "the score line", "a linha score"),
    ] {
        let is_kept = |line: &&str| kept.iter().any(|word| line.starts_with(word));
        let lines = plain[..2].iter().flat_map(|game| game.lines()).filter(is_kept);
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let (solver, options) = options("2048-game", &[]);
        let (findings, grade) = grade(&key(solver, options, REFERENCE.as_bytes()), text.as_bytes());
        assert_eq!((grade.accepted, grade.points.to_string()), (0, "0".to_owned()), "{text}");
        let remark = |language| findings[0].remark.as_ref().unwrap().say(language);
        assert_eq!(remark(Language::English), format!("the answer lacks {lacking}"), "{text}");
        assert_eq!(remark(Language::Portuguese), format!("a resposta está sem {pt}"), "{text}");
        assert_eq!(findings[0].expected.as_deref(), Some("score 12 moves 1 max 8"));
    }
}

#[test]
fn words_around_the_lines_of_an_answer_are_skipped_where_that_is_wanted() {
    let banner =
        "2048 em Python\n2048\n=====\nCaso #1:\nTraceback (most recent call last):\n  2 4 8 16\nscore?\n";
    let text: String = own(WHOLE).iter().map(|game| format!("{banner}{game}\nfim do jogo\n")).collect();
    assert_eq!(verdicts(&text, &[("words", "skip")]).0, RIGHT);
    let (solver, options) = options("2048-game", &[]);
    let (findings, grade) = grade(&key(solver, options, REFERENCE.as_bytes()), text.as_bytes());
    assert!(!told(&findings).contains(&"accepted".to_owned()) && grade.extra > 0, "{:?}", told(&findings));
}

#[test]
fn forms_of_wrong_answers() {
    let whole = own(WHOLE);
    // Writes a part of one game in another way; the other games stay right.
    let changed = |game: usize, from: &str, to: &str| {
        let mut games = whole.clone();
        assert!(games[game].contains(from), "{from} in {}", games[game]);
        games[game] = games[game].replacen(from, to, 1);
        let (told, remarks) = verdicts(&games.concat(), &[]);
        for other in (0..3).filter(|&other| other != game) {
            assert_eq!(told[other], "accepted", "{from} for {to}");
        }
        format!("{}: {}", told[game], remarks[game])
    };
    assert_eq!(changed(0, "score 12", "score 4"), "wrong-answer value 1: found 'score 4'; score 12");
    assert_eq!(changed(0, "over no", "over yes"), "wrong-answer value 4: found 'over yes'; over no");
    assert_eq!(changed(0, "0 2 4 4", "0 0 4 4"), "wrong-answer value 6: found '0 0 4 4'; 0 2 4 4");
    assert_eq!(changed(0, "0 2 4 4", "0 2 4"), "wrong-answer value 6: found '0 2 4'; 0 2 4 4");
    assert_eq!(changed(0, "0 2 4 4\n", ""), "wrong-answer value 6: found '0 4 4 8'; 0 2 4 4");
    assert_eq!(
        changed(0, "0 2 4 4\n", "0 2 4 4\n0 2 4 4\n"),
        "wrong-answer value 7: found '0 2 4 4'; 0 4 4 8"
    );
    assert_eq!(
        changed(0, "0 0 0 0\n0 0 0 0\n", "0 0 0 0\n"),
        "wrong-answer value 8: the board ends after 3 rows; 0 0 0 0"
    );
    let many = "0 0 0 0\n0 0 0 0\n0 0 0 0\n";
    assert_eq!(
        changed(0, "0 0 0 0\n0 0 0 0\n", many),
        "wrong-answer value 10: row 5 of the board is one too many; score 12 moves 1 max 8"
    );
    assert_eq!(
        changed(0, "seed 7", "seed seven"),
        "presentation-error 5: 'seed seven' is not an answer; score 12 moves 1 max 8"
    );
    assert_eq!(
        changed(0, "moves 1\n", "moves 1\nmoves 1\n"),
        "presentation-error 3: moves appears twice; score 12 moves 1 max 8"
    );
    assert_eq!(
        changed(0, "score 12\n", "score 12\nscore 12\n"),
        "presentation-error 2: score appears twice; score 12 moves 1 max 8"
    );
    assert_eq!(
        changed(0, "score 12", "score 99999999999999999999999999999999999999999999"),
        "wrong-answer value 1: found 'score 9999999999999999999999999999999999…'; score 12"
    );
    let piece = "line 1 of the transcript does not have the piece that the seed gives there";
    let step = whole[0].lines().last().unwrap();
    assert_eq!(changed(0, step, "D 0 0 8"), format!("wrong-answer illegal-move 10: {piece}; {step}"));
    assert_eq!(
        changed(0, &step.replace('D', "\nD"), "\nX 1 1 1"),
        format!("presentation-error 10: 'X 1 1 1' is not an answer; score 12 moves 1 max 8")
    );
    let first = whole[1].lines().find(|line| line.starts_with('D')).unwrap();
    let line = 11 + whole[1].lines().position(|line| line == first).unwrap();
    let other = "line 3 of the transcript does not have the move that the game has there";
    assert_eq!(
        changed(1, first, &first.replace('D', "B")),
        format!("wrong-answer illegal-move {line}: {other}; {first}")
    );
    let opening = "line 3 of the transcript stands after the last move of the game";
    assert!(!changed(1, first, "+ 0 0 2").contains(opening));
    assert!(changed(1, &format!("{first}\n"), "").contains("of the transcript does not have"));
}

#[test]
fn a_game_of_the_program_is_what_its_transcript_says() {
    let whole = own(WHOLE);
    let auto = |text: &str| {
        let (told, remarks) = verdicts(&format!("{}{}{text}", whole[0], whole[1]), &[]);
        assert_eq!(told[..2], ["accepted", "accepted"], "{text}");
        format!("{}: {}", told[2], remarks[2])
    };
    // Other players play other games.
    for player in ["greedy", "random"] {
        assert_eq!(auto(&own(&[("transcript", "true"), ("player", player)])[2]), "accepted: ; ");
    }
    let game = &whole[2];
    let begin = whole[..2].concat().lines().count();
    assert!(
        auto(&game.replace("score 52", "score 53"))
            .starts_with(&format!("wrong-answer value {}: found 'score 53'", begin + 1))
    );
    let steps = |game: &str| {
        game.lines()
            .filter(|line| line.as_bytes()[0].is_ascii_uppercase() || line.starts_with('+'))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    let steps = steps(game);
    // The grader cannot separate a bare transcript from the one before it.
    let steps = format!("seed 1\n{steps}");
    let lacks = format!("wrong-answer incomplete {}: the answer lacks", begin + 1);
    assert!(auto(&steps).starts_with(&lacks));
    let but_last = steps.trim_end().rsplit_once('\n').unwrap().0;
    assert!(auto(but_last).starts_with(&lacks));
    assert!(
        auto(&game.replace(&steps[7..], &format!("{}\n", &but_last[7..]))).starts_with("wrong-answer value")
    );
    let end = begin + steps.lines().count() + 1;
    let still = format!("the move in line {} of the transcript changes nothing", end - begin - 1);
    assert_eq!(
        auto(&format!("{steps}D 0 0 2\n")),
        format!("wrong-answer illegal-move {end}: {still}; over yes")
    );
    let lines: Vec<&str> = steps.lines().collect();
    let none = [&lines[..3], &["+ 0 0 2"], &lines[3..]].concat().join("\n");
    assert!(auto(&none).starts_with(&format!(
        "wrong-answer illegal-move {}: line 3 of the transcript has no move; ",
        begin + 4
    )));
    let late = [&lines[..1], &lines[2..]].concat().join("\n");
    assert!(auto(&late).starts_with(&format!(
        "wrong-answer illegal-move {}: line 1 of the transcript does not have the piece",
        begin + 2
    )));
    let needs = format!(
        "wrong-answer incomplete {}: a game that AUTO plays needs its transcript: add a line for each piece of a new game \
         (+ 0 1 2) and for each move (D 1 0 2); ",
        begin + 1
    );
    assert_eq!(auto("undecided (stopped after 9 moves)\n"), needs);
    assert_eq!(auto("moves 9\nundecided (stopped after 9 moves)\n"), needs);
    assert_eq!(auto(&own(&[])[2]), needs);
    assert!(auto("sei la\n").starts_with("presentation-error"));
}

#[test]
fn at_most_so_many_moves_are_made() {
    let reference = "2 1\n0 0\n0 0\nAUTO 4\n2 1\n0 0\n0 0\nAUTO\n2 1\n0 0\n0 0\n-\n";
    let (solver, options) = options("2048-game", WHOLE);
    let output = own_output(solver, &options, reference.as_bytes());
    let key = key(solver, options, reference.as_bytes());
    let (findings, _) = grade(&key, output.as_bytes());
    assert_eq!(told(&findings), RIGHT);
    // The longer game instead of the shorter one.
    let begins: Vec<usize> = output.match_indices("score").map(|(at, _)| at).collect();
    let long = &output[begins[1]..begins[2]];
    let (findings, _) = grade(&key, format!("{long}{}", &output[begins[1]..]).as_bytes());
    let line = long.lines().position(|line| line.starts_with('+')).unwrap() + 1 + 2 + 4;
    assert_eq!(told(&findings), [&format!("wrong-answer illegal-move {line}"), "accepted", "accepted"]);
}

#[test]
fn a_game_of_the_program_is_played_to_its_end() {
    let (solver, options) = options("2048-game", WHOLE);
    let reference = |moves: &str| format!("2 1\n0 0\n0 0\n{moves}\n2 1\n0 0\n0 0\nE\n");
    let short = own_output(solver, &options, reference("AUTO 3").as_bytes());
    let remark = |key: &AnswerKey, text: &str| {
        let (findings, _) = grade(key, text.as_bytes());
        let remark = findings[0].remark.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{}: {remark}", told(&findings)[0])
    };
    let goes_on = "the transcript ends after 3 moves, and the game goes on: play it to its end, or as many moves as AUTO allows";
    let auto = key(solver, options.clone(), reference("AUTO").as_bytes());
    assert_eq!(remark(&auto, &short), format!("wrong-answer incomplete 1: {goes_on}"));
    let three = key(solver, options.clone(), reference("AUTO 3").as_bytes());
    assert_eq!(remark(&three, &short), "accepted: ");
    // A finished game has no transcript.
    let over = "2 1\n2 4\n8 16\nAUTO\n";
    let own = own_output(solver, &options, over.as_bytes());
    assert!(!own.contains("undecided"), "{own}");
    let over = key(solver, options, over.as_bytes());
    assert_eq!(remark(&over, &own), "accepted: ");
    assert!(remark(&over, "over yes\n").starts_with("wrong-answer incomplete 1: the answer lacks"));
}

/// A limit of the program says nothing about the games of others.
#[test]
fn a_game_of_the_program_is_graded_where_ours_is_undecided() {
    let reference = b"2 1\n0 0\n0 0\nAUTO\n";
    let (solver, all) = options("2048-game", WHOLE);
    let whole = own_output(solver, &all, reference);
    let (_, limited) = options("2048-game", &[("time_limit", "1ms"), ("depth", "8")]);
    let large = b"9 1\n0 0 0 0 0 0 0 0 0\n".to_vec();
    let large = [&large[..], &b"0 0 0 0 0 0 0 0 0\n".repeat(8), b"AUTO\n", reference].concat();
    let key = key(solver, limited, &large);
    let (findings, grade) = grade(&key, format!("score 0\nmoves 0\nmax 2\n{whole}").as_bytes());
    assert!(told(&findings)[0].starts_with("wrong-answer incomplete"), "{findings:?}");
    assert_eq!((&*told(&findings)[1], grade.not_graded, key.unjudged()), ("accepted", 0, None));
}

#[test]
fn a_game_that_a_limit_ended_says_so_in_its_own_answer() {
    let stopped = "score 0\nmoves 3\nmax 2\nover no\nseed 1\n0 2\n2 0\nundecided (stopped after 3 moves)\n";
    let none = "undecided (parou depois de 0 jogadas)\n";
    let whole = own(WHOLE);
    assert_eq!(
        verdicts(&format!("{}{stopped}{}", whole[0], whole[2]), &[]).0,
        ["accepted", "presentation-error 18", "accepted"]
    );
    assert_eq!(
        verdicts(&format!("{}{none}{}", whole[0], whole[2]), &[]).0,
        ["accepted", "presentation-error 11", "accepted"]
    );
}

/// A game of a reference: the right lines, with the transcript separate.
struct Game {
    keys: Vec<String>,
    rows: Vec<String>,
    steps: Vec<String>,
}

/// Changes every line of the program's output in every way, and compares the verdicts with a comparison line by line.
#[test]
fn mutations_get_the_verdicts_of_a_plain_comparison() {
    let mut random = Random::new(5);
    let (mut wrong, mut right) = (0, 0);
    for round in 0..60 {
        let mut reference = String::new();
        for game in 0..4 {
            let size = 2 + random.below(3) as usize;
            let row = vec!["0"; size].join(" ") + "\n";
            let moves: String =
                (0..=random.below(12)).map(|_| ['D', 'E', 'C', 'B'][random.below(4) as usize]).collect();
            reference += &format!("{size} {}\n{}{moves}\n", 10 * round + game, row.repeat(size));
        }
        let sets = [("on_illegal", "skip"), ("transcript", if round % 3 == 0 { "false" } else { "true" })];
        let (solver, options) = options("2048-game", &sets);
        let output = own_output(solver, &options, reference.as_bytes());
        let key = key(solver, options, reference.as_bytes());
        let lines: Vec<String> = output.lines().map(str::to_owned).collect();
        let games = games(&lines);
        for at in 0..lines.len() {
            for (kind, mutant) in mutants(&lines, at, &mut random).into_iter().enumerate() {
                let expected = plainly(&games, &lines, &mutant);
                let (findings, _) = grade(&key, (mutant.join("\n") + "\n").as_bytes());
                let found = told(&findings);
                assert_eq!(found, expected, "kind {kind} at line {} of\n{}", at + 1, mutant.join("\n"));
                for told in found {
                    if told == "accepted" { right += 1 } else { wrong += 1 }
                }
            }
        }
    }
    assert!(wrong > 5000 && right > 5000, "{wrong} wrong, {right} right");
}

/// Returns mutants: a value changed; the line removed, doubled, swapped with the next one, or cut; the file ended
/// there. (Lines of two games are not swapped, because then their owner is unclear.)
fn mutants(lines: &[String], at: usize, random: &mut Random) -> Vec<Vec<String>> {
    let mut mutants = vec![lines.to_vec(); 6];
    let mut words: Vec<&str> = lines[at].split(' ').collect();
    let word = usize::from(words[0].parse::<u64>().is_err());
    let word = word + random.below((words.len() - word) as u64) as usize;
    let other = if words[0] == "over" { ["yes", "no"][usize::from(words[1] == "yes")] } else { "6" };
    words[word] = other;
    mutants[0][at] = words.join(" ");
    mutants[1].remove(at);
    mutants[2].insert(at, lines[at].clone());
    if lines.get(at + 1).is_some_and(|next| !next.starts_with("score")) {
        mutants[3].swap(at, at + 1);
    }
    lines[at][..lines[at].len() / 2].trim().clone_into(&mut mutants[4][at]);
    mutants[5].truncate(at);
    mutants
}

fn is_row(line: &str) -> bool {
    line.as_bytes()[0].is_ascii_digit()
}

fn is_step(line: &str) -> bool {
    line.starts_with('+') || !is_row(line) && line.split(' ').next().unwrap().len() == 1
}

fn games(lines: &[String]) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for line in lines {
        if line.starts_with("score") {
            games.push(Game { keys: Vec::new(), rows: Vec::new(), steps: Vec::new() });
        }
        let game = games.last_mut().unwrap();
        let part = if is_row(line) {
            &mut game.rows
        } else if is_step(line) {
            &mut game.steps
        } else {
            &mut game.keys
        };
        part.push(line.clone());
    }
    games
}

/// Returns the verdicts. A game begins at each line that was the first of one, changed or not, or that replaced it.
fn plainly(games: &[Game], lines: &[String], mutant: &[String]) -> Vec<String> {
    // The lines before and after the change are those of the output.
    let same = |(a, b): &(&String, &String)| a == b;
    let head = lines.iter().zip(mutant).take_while(same).count();
    let tail = lines[head..].iter().rev().zip(mutant[head..].iter().rev()).take_while(same).count();
    let owner = |line: usize| lines[..=line].iter().filter(|line| line.starts_with("score")).count() - 1;
    let mut answers: Vec<Vec<(usize, &str)>> = vec![Vec::new(); games.len()];
    for (at, line) in mutant.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let from_end = mutant.len() - at;
        let old = if at < head {
            at
        } else if from_end <= tail {
            lines.len() - from_end
        } else {
            at.min(lines.len() - 1)
        };
        // A doubled first line belongs to its game.
        let old = if mutant.len() > lines.len() && at >= head && from_end > tail { head - 1 } else { old };
        answers[owner(old)].push((at + 1, line));
    }
    while answers.last().is_some_and(Vec::is_empty) {
        answers.pop();
    }
    let verdict =
        |(at, game): (usize, &Game)| answers.get(at).map_or("missing".into(), |answer| judge(game, answer));
    games.iter().enumerate().map(verdict).collect()
}

fn judge(game: &Game, answer: &[(usize, &str)]) -> String {
    let words: Vec<&str> = game.keys.iter().map(|line| line.split(' ').next().unwrap()).collect();
    let known = ["score", "moves", "max", "over", "seed", "skipped"];
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    for (index, (line, text)) in answer.iter().enumerate() {
        let tokens: Vec<&str> = text.split(' ').collect();
        let is_readable = if is_row(text) {
            tokens.iter().all(|token| is_number(token))
        } else if is_step(text) {
            tokens.len() == 4
                && "+DECB".contains(tokens[0])
                && tokens[1..].iter().all(|token| is_number(token))
        } else {
            let is_value = tokens.len() == 2
                && (is_number(tokens[1]) || tokens[0] == "over" && ["yes", "no"].contains(&tokens[1]));
            let is_twice =
                answer[..index].iter().any(|(_, before)| before.split(' ').next() == Some(tokens[0]));
            known.contains(&tokens[0]) && is_value && !is_twice
        };
        if !is_readable {
            return format!("presentation-error {line}");
        }
    }
    let (mut rows, mut steps) = (game.rows.iter(), game.steps.iter());
    let (mut last_row, mut last_step) = (None, None);
    for (line, text) in answer {
        if is_row(text) {
            last_row = Some(line);
            if rows.next().is_none_or(|row| row != text) {
                return format!("wrong-answer value {line}");
            }
        } else if is_step(text) {
            last_step = Some(line);
            if steps.next().is_none_or(|step| step != text) {
                return format!("wrong-answer illegal-move {line}");
            }
        } else {
            let word = text.split(' ').next().unwrap();
            let right = words.iter().position(|known| *known == word).map(|at| &game.keys[at]);
            if right.map_or(*text != "skipped 0", |right| right != text) {
                return format!("wrong-answer value {line}");
            }
        }
    }
    let last_any_row = last_row;
    match (last_row.filter(|_| rows.len() > 0), last_step.filter(|_| steps.len() > 0)) {
        (Some(row), Some(step)) if step < row => format!("wrong-answer illegal-move {step}"),
        (Some(row), _) => format!("wrong-answer value {row}"),
        (_, Some(step)) => format!("wrong-answer illegal-move {step}"),
        _ if !["score", "max"].iter().all(|word| answer.iter().any(|(_, text)| text.starts_with(word)))
            || last_any_row.is_none() =>
        {
            format!("wrong-answer incomplete {}", answer[0].0)
        }
        _ => "accepted".into(),
    }
}

#[test]
fn nobody_is_told_how_the_program_plays() {
    let (solver, options) = options("2048-game", &[]);
    let reference = "2 1\n0 0\n0 0\nAUTO\n2 1\n0 2\n0 0\nE\n";
    let key = key(solver, options, reference.as_bytes());
    for submission in ["", "score x\n"] {
        let (findings, _) = grade(&key, submission.as_bytes());
        assert!(["missing", "presentation-error"].contains(&findings[0].mark.name()), "{findings:?}");
        assert_eq!(findings[0].expected, None, "{findings:?}");
        assert!(findings[1].expected.is_some(), "{findings:?}");
    }
}
