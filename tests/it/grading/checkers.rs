//! `checkers-capture`: a line an answer.

use tabuleiro::solver::{Finding, Random};

use super::{grade, key, options, references, told};

const REFERENCE: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";

/// The verdicts of a submission for [`REFERENCE`], whose answers are 1 and 2, and what was found wrong.
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
    assert_eq!(first("x\n2\n"), "presentation-error 1: 'x' is no answer");
    assert_eq!(first("-1\n2\n"), "presentation-error 1: '-1' is no answer");
    assert_eq!(
        first("Exception in thread main\n at x y\n at z t\n2"),
        "presentation-error 1: 'Exception in thread main' is no answer"
    );
    assert_eq!(first("1 x\n2\n"), "presentation-error 1: 'x' stands behind the answer");
    assert_eq!(first("1 0,2 2,0\n2\n"), "accepted: ");
    assert_eq!(first("1 2,2\n2\n"), "wrong-answer illegal-move 1: it says 1, what follows proves 0");
    assert_eq!(first("0 2,2\n2\n"), "wrong-answer not-minimal 1: found 0, which is valid and not the best");
    assert_eq!(first("1 0,0 2,2\n2\n"), "wrong-answer illegal-move 1: no piece of the player stands on 0,0");
    assert_eq!(first("1 2,2 3,3\n2\n"), "wrong-answer illegal-move 1: 3,3 is no square that is played on");
    assert_eq!(
        first("1 2,2 1,1\n2\n"),
        "wrong-answer illegal-move 1: jump 1, from 2,2 to 1,1, takes no piece"
    );
    assert_eq!(
        first("1 2,2 2,0\n2\n"),
        "wrong-answer illegal-move 1: jump 1, from 2,2 to 2,0, takes no piece"
    );
}

#[test]
fn what_is_missing_and_what_is_too_much() {
    assert_eq!(verdicts("1\n", &[]).0, ["accepted", "missing"]);
    assert_eq!(verdicts("", &[]).0, ["missing", "missing"]);
    let (solver, options) = options("checkers-capture", &[]);
    let (_, grade) = grade(&key(solver, options, REFERENCE.as_bytes()), b"1\n2\n3\nno\n");
    assert_eq!((grade.extra, grade.is_accepted(), grade.points == grade.total), (2, false, true));
}

/// Every line of own output changed in every way that lines can be, against a comparison line by line.
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
                    // A path is looked at elsewhere: here it is enough whether the number is right.
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

/// The verdicts line by line.
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

/// Every square of every path changed: no other path leads on from there.
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
                    // The square was that one, or another last jump leads there.
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
