//! Grades answers of `checkers-capture`, one per line.

use tabuleiro_jobs::grading::{AnswerKey, Wording};
use tabuleiro_puzzles::solver::{Finding, Random};

use super::{grade, key, options, references, told};

const REFERENCE: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";

/// Returns the verdicts and remarks on a submission for [`REFERENCE`], whose answers are 1 and 2.
fn verdicts(submission: &str, sets: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let (solver, options) = options("checkers-capture", sets);
    let key = key(solver, options, REFERENCE.as_bytes());
    let (findings, _) = grade(&key, submission.as_bytes());
    let remark = |finding: &Finding| finding.remark.as_ref().map(ToString::to_string).unwrap_or_default();
    (told(&findings), findings.iter().map(remark).collect())
}

#[test]
fn forms_of_right_answers() {
    for text in [
        "1\n2\n",
        "1\r\n\r\n 2",
        "\u{feff}1\n\n\n2\n\n",
        "1\n2 0,0 2,2 4,0\n",
        "warning: x\n1\n2\nignored: y\n",
    ] {
        assert_eq!(verdicts(text, &[]).0, ["accepted", "accepted"], "{text:?}");
    }
    let words = "Caso 1: 1\nResposta = 2 0,0 2,2 4,0\n";
    assert_eq!(verdicts(words, &[("words", "skip")]).0, ["accepted", "accepted"]);
    assert_eq!(verdicts(words, &[]).0, ["presentation-error 1", "missing"]);
}

#[test]
fn forms_of_wrong_answers() {
    let first = |text: &str| {
        let (told, remarks) = verdicts(text, &[]);
        assert_eq!(told[1], "accepted", "{text:?}");
        format!("{}: {}", told[0], remarks[0])
    };
    assert_eq!(first("7\n2\n"), "wrong-answer value 1: found 7");
    assert_eq!(first("x\n2\n"), "presentation-error 1: 'x' is not an answer");
    assert_eq!(first("-1\n2\n"), "presentation-error 1: '-1' is not an answer");
    assert_eq!(
        first("Exception in thread main\n at x y\n at z t\n2"),
        "presentation-error 1: 'Exception in thread main' is not an answer"
    );
    assert_eq!(first("1 x\n2\n"), "presentation-error 1: 'x' follows the answer");
    assert_eq!(first("1 0,2 2,0\n2\n"), "accepted: ");
    assert_eq!(first("1 2,2\n2\n"), "wrong-answer illegal-move 1: it says 1, but what follows proves 0");
    assert_eq!(first("0 2,2\n2\n"), "wrong-answer not-minimal 1: found 0, which is valid and not the best");
    assert_eq!(first("1 0,0 2,2\n2\n"), "wrong-answer illegal-move 1: no piece of the player stands on 0,0");
    assert_eq!(first("1 2,2 3,3\n2\n"), "wrong-answer illegal-move 1: 3,3 is not a square that is played on");
    assert_eq!(
        first("1 2,2 1,1\n2\n"),
        "wrong-answer illegal-move 1: jump 1, from 2,2 to 1,1, takes no piece"
    );
    assert_eq!(
        first("1 2,2 2,0\n2\n"),
        "wrong-answer illegal-move 1: jump 1, from 2,2 to 2,0, takes no piece"
    );
}

/// Returns the key of fourteen boards, whose answers are 1 and 2 in turn, and those answers.
fn fourteen(words: &str) -> (AnswerKey, Vec<&'static str>) {
    let (solver, options) = options("checkers-capture", &[("words", words)]);
    let boards = REFERENCE.strip_suffix("0 0\n").unwrap().repeat(7);
    (key(solver, options, format!("{boards}0 0\n").as_bytes()), ["1", "2"].repeat(7))
}

#[test]
fn lines_without_an_answer_cost_nothing_where_words_are_skipped() {
    let (key, answers) = fourteen("skip");
    let traceback =
        "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    x = 5\nKeyError: 3\n";
    for (before, after) in [
        ("===== Damas 2024 =====\nLista 3\nAna Silva\n", ""),
        (traceback, traceback),
        ("main.c:12\n", "Exception in thread \"main\" X: 5\n\tat Main.main(Main.java:10)\n"),
        ("Total\n\n\n", "Fim em 3 s\n"),
    ] {
        let forms: [fn(usize, &str) -> String; 6] = [
            |_, answer| format!("{answer}\n"),
            |number, answer| format!("Caso #{number}:\n{answer},\n"),
            |number, answer| format!("{number}) {answer}\n"),
            |_, answer| format!("{answer} peças\n"),
            |_, answer| format!("Resposta: {answer}.\n\n"),
            |number, answer| format!("Caso {number} = {answer} peças\n"),
        ];
        for form in forms {
            let text: String = answers.iter().enumerate().map(|(at, answer)| form(at + 1, answer)).collect();
            let (findings, grade) = grade(&key, format!("{before}{text}{after}").as_bytes());
            assert!(
                grade.is_accepted() && grade.accepted == 14,
                "{:?} of\n{before}{text}{after}",
                told(&findings)
            );
        }
    }
    // The grade counts the lines in which no answer was found.
    let (_, grade) = grade(&key, "Foram 3\n".repeat(14).as_bytes());
    let line = Wording::to_staff(&key.options).line(&grade);
    assert!(line.ends_with("; 14 lines without an answer were skipped, the first is line 1"), "{line}");
}

#[test]
fn a_line_too_many_is_named_where_all_answers_are_there() {
    let (key, answers) = fourteen("strict");
    let told = |text: &str| Wording::to_students(&key.options).line(&grade(&key, text.as_bytes()).1);
    let right = answers.join("\n");
    let line = told(&format!("Damas de Ana Silva\n{right}"));
    assert!(line.starts_with("0 of 14: presentation error at puzzle 1 (line 1): "), "{line}");
    assert!(
        line.ends_with(
            "; one answer too many; 14 answers found, but line 1 was counted as the first: remove it"
        ),
        "{line}"
    );
    let line = told(&format!("1\n2\n\n-----\n{}", answers[2..].join("\n")));
    assert!(
        line.starts_with("2 of 14: ")
            && line.ends_with("14 answers found, but line 4 was counted as answer 3: remove it"),
        "{line}"
    );
    for text in [
        format!("x\n{}", answers[1..].join("\n")),
        format!("{right}\n3\n"),
        format!("{right}\nx"),
        right.clone(),
    ] {
        assert!(!told(&text).contains("found, but"), "{text}");
    }
    let (skip, _) = fourteen("skip");
    let (_, grade) = grade(&skip, format!("7.0\n{right}").as_bytes());
    assert!(
        Wording::to_students(&skip.options)
            .line(&grade)
            .ends_with("line 1 was counted as the first: remove it")
    );
    let portuguese = options("checkers-capture", &[("language", "pt")]).1;
    let line = Wording::to_students(&portuguese).line(&grade);
    assert!(line.ends_with("; há 14 respostas, mas a linha 1 contou como a primeira: apague-a"), "{line}");
}

#[test]
fn a_legal_answer_that_is_not_the_best_earns_its_share() {
    let points = |submission: &str, sets: &[(&str, &str)]| {
        let (solver, options) = options("checkers-capture", sets);
        grade(&key(solver, options, REFERENCE.as_bytes()), submission.as_bytes()).1.points.to_string()
    };
    let partial: &[_] = &[("partial", "valid"), ("points", "9")];
    // A named piece that captures nothing; a piece that captures one of two.
    assert_eq!(points("0 2,2\n0 0,0\n", partial), "0");
    assert_eq!(points("1\n1 0,0 2,2\n", partial), "6.75");
    assert_eq!(points("1\n1 0,0 2,2\n", &[("points", "9")]), "4.5");
    // An illegal path; a number alone, which shows nothing.
    assert_eq!(points("1\n1 0,0 2,0\n", partial), "4.5");
    assert_eq!(points("1\n1\n", partial), "4.5");
    assert_eq!(points("1\n2\n", partial), "9");
}

#[test]
fn what_is_missing_and_what_is_too_much() {
    assert_eq!(verdicts("1\n", &[]).0, ["accepted", "missing"]);
    assert_eq!(verdicts("", &[]).0, ["missing", "missing"]);
    let (solver, options) = options("checkers-capture", &[]);
    let (_, grade) = grade(&key(solver, options, REFERENCE.as_bytes()), b"1\n2\n3\nno\n");
    assert_eq!((grade.extra, grade.is_accepted(), grade.points == grade.total), (2, false, true));
}

/// Changes every line of the program's output in every way, and compares the verdicts line by line.
#[test]
fn mutations_get_the_verdicts_of_a_plain_comparison() {
    let mut random = Random::new(7);
    let (mut wrong, mut right) = (0, 0);
    for (key, output) in references("checkers-capture", 60, 12, &[]) {
        let lines: Vec<&str> = output.lines().collect();
        let answers: Vec<u64> = lines.iter().map(|line| number(line).unwrap()).collect();
        for at in 0..lines.len() {
            let mut mutants = vec![lines.clone(); 5];
            let other = format!("{}", answers[at] + 1 + random.below(3));
            mutants[0][at] = &other;
            mutants[1].remove(at);
            mutants[2].insert(at, lines[at]);
            mutants[3].swap(at, (at + 1) % lines.len());
            let cut = &lines[at][..lines[at].len() / 2];
            mutants[4][at] = cut;
            for mutant in mutants {
                let (findings, _) = grade(&key, (mutant.join("\n") + "\n").as_bytes());
                let found = told(&findings);
                let expected = plainly(&mutant, &answers);
                for (found, expected) in found.iter().zip(&expected) {
                    // Another test checks paths; this one compares only the number.
                    let is_number = expected.starts_with("wrong-answer value")
                        && found.starts_with("wrong-answer not-minimal")
                        || expected == "accepted" && found.starts_with("wrong-answer illegal-move");
                    assert!(found == expected || is_number, "{found} for {expected} in {mutant:?}");
                    if found == "accepted" { right += 1 } else { wrong += 1 }
                }
                assert_eq!(found.len(), expected.len());
            }
        }
    }
    assert!(wrong > 5000 && right > 5000, "{wrong} wrong, {right} right");
}

fn number(line: &str) -> Option<u64> {
    line.split(' ').next()?.parse().ok()
}

fn is_square(word: &str) -> bool {
    word.split_once(',')
        .is_some_and(|pair| [pair.0, pair.1].iter().all(|digits| digits.parse::<u64>().is_ok()))
}

/// Returns the verdicts line by line.
fn plainly(lines: &[&str], answers: &[u64]) -> Vec<String> {
    let said: Vec<(usize, &&str)> = (1..).zip(lines).filter(|(_, line)| !line.is_empty()).collect();
    let verdict = |at: usize, answer: u64| match said.get(at) {
        None => "missing".to_owned(),
        Some((line, text)) => match number(text).filter(|_| text.split_whitespace().skip(1).all(is_square)) {
            Some(number) if number == answer => "accepted".to_owned(),
            Some(_) => format!("wrong-answer value {line}"),
            None => format!("presentation-error {line}"),
        },
    };
    answers.iter().enumerate().map(|(at, &answer)| verdict(at, answer)).collect()
}

/// Changes every square of every path. Usually no other path leads on from there.
#[test]
fn changed_paths_are_replayed() {
    let (mut illegal, mut accepted) = (0, 0);
    for (key, output) in references("checkers-capture", 30, 12, &[]) {
        let lines: Vec<&str> = output.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let squares: Vec<&str> = line.split(' ').collect();
            for square in 1..squares.len() {
                let mut changed = squares.clone();
                changed[square] = "0,0";
                let text = changed.join(" ");
                let mut mutant = lines.clone();
                mutant[at] = &text;
                let (findings, _) = grade(&key, mutant.join("\n").as_bytes());
                let found = &told(&findings)[at];
                if found == "accepted" {
                    // The square already was that one, or another last jump leads there.
                    assert!(changed == squares || square + 1 == squares.len(), "{text}");
                    accepted += 1;
                } else {
                    assert_eq!(found, &format!("wrong-answer illegal-move {}", at + 1), "{text}");
                    illegal += 1;
                }
            }
        }
    }
    assert!(illegal > 500 && accepted > 0, "{illegal} illegal, {accepted} accepted");
}
