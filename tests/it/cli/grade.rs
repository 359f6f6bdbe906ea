//! `grade` and `validate`: exit codes, formats, and what is told.

use std::fs;

use serde_json::Value;

use super::Desk;

const REFERENCE: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";
const WRONG: &str = "ana.txt: 1 of 2: wrong answer at puzzle 2 (line 2): found 3, expected 2\n";

fn desk() -> Desk {
    Desk::new().file("entrada.txt", REFERENCE).file("ana.txt", "1\n3\n").file("bia.txt", "1\n2\n")
}

#[test]
fn the_exit_code_says_whether_all_is_right() {
    let desk = desk();
    desk.run("grade entrada.txt bia.txt").exit(0).out_says(&["bia.txt: 2 of 2: accepted\n"]);
    desk.run("grade entrada.txt bia.txt ana.txt").exit(1).out_says(&["bia.txt: 2 of 2: accepted\n", WRONG]);
    desk.run("grade entrada.txt none.txt bia.txt").exit(66).out_says(&["bia.txt: 2 of 2: accepted\n"]);
    desk.run("grade none.txt bia.txt").exit(66);
    desk.run("grade ana.txt bia.txt").exit(64);
    let desk = desk.file("words.txt", "no board\n");
    desk.run("grade --solver checkers-capture words.txt bia.txt").exit(65);
    desk.run("grade --set points=x entrada.txt bia.txt").exit(64);
    desk.run("grade --reveal x entrada.txt bia.txt").exit(64);
    desk.run("grade entrada.txt").exit(64);
}

#[test]
fn the_solver_is_found_by_reading_where_no_name_says_it() {
    let game = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
    let desk = Desk::new().file("01.in", game).file("ana.txt", "c\n3\n").file("01.ans", "").file("f/x", "");
    desk.run("grade 01.in ana.txt").exit(0).out_says(&["ana.txt: 1 of 1: accepted\n"]);
    desk.run_with("validate 01.in 01.ans f", "B 3").exit(43);
}

#[test]
fn who_wrote_no_answer_is_told_what_answers_look_like() {
    let game = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
    let cases = [
        (
            "checkers-capture",
            REFERENCE,
            "sete\n2\n",
            "'sete' is no answer, expected 1; an answer is a number such as 7",
        ),
        ("2048-merge", "1\n3 5\n2 0 2\n4 0 8\n0 0 0\n", "três\n", "'três' is no answer, expected 3"),
        ("2048-astar", "2\n2 0\n0 2\n0\n", "x\n", "or: unsolvable"),
        ("jump-game", game, "o vencedor foi\n", "an answer is the winner and the round, such as C 3"),
    ];
    for (solver, reference, submission, told) in cases {
        let desk = Desk::new().file("r.txt", reference).file("s.txt", submission);
        desk.run(&format!("grade --solver {solver} r.txt s.txt"))
            .exit(1)
            .out_says(&[told, "; an answer is "]);
        desk.run(&format!("grade --solver {solver} --set language=pt r.txt s.txt"))
            .exit(1)
            .out_says(&["; uma resposta é "]);
    }
}

#[test]
fn a_class_is_walked_in_order_of_name() {
    let desk = desk()
        .file("t/b/saida.txt", "1\n2\n")
        .file("t/a/Saida2.TXT", "1\n3\n")
        .file("t/a/notes.txt", "x")
        .file("t/a/saida.c", "x")
        .file("u/z.txt", "1\n")
        .file("v/x.c", "");
    std::os::unix::fs::symlink(desk.at("t/b/saida.txt"), desk.at("t/saida.txt")).unwrap();
    let ran = desk.run("grade entrada.txt t u").exit(1);
    let names: Vec<_> = ran.out.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(names, ["t/a/Saida2.TXT", "t/b/saida.txt", "u/z.txt"]);
    desk.run("grade entrada.txt v").exit(66);
}

#[test]
fn options_stand_in_the_reference_and_never_in_a_submission() {
    let desk = desk()
        .file("entrada.txt", format!("#: points = 5\n#: words = skip\n{REFERENCE}"))
        .file("c.txt", "#: points = 9\nCaso 1: 1\nCaso 2: 2");
    desk.run("grade entrada.txt ana.txt").exit(1).out_says(&["ana.txt: 3 of 5: wrong answer at puzzle 2"]);
    desk.run("grade --set all_or_nothing=true entrada.txt ana.txt").exit(1).out_says(&["ana.txt: 0 of 5: "]);
    let ran = desk.run("grade --set words=strict entrada.txt c.txt").exit(1);
    assert!(ran.out.contains("0 of 5: presentation error at puzzle 1 (line 1)"), "{}", ran.out);
    // The file is answered as ever.
    desk.run("solve entrada.txt").exit(0).out_says(&["1\n2\n"]);
    desk.run("solve --set points=x entrada.txt").exit(64);
}

#[test]
fn what_is_told_is_what_may_be_told() {
    let desk = desk();
    for format in ["text", "json", "csv", "gradescope", "vpl", "junit"] {
        let told = |reveal: &str| {
            desk.run(&format!("grade --format {format} --reveal {reveal} entrada.txt ana.txt")).exit(1).out
        };
        let (full, own, points, none) = (told("full"), told("own"), told("points"), told("none"));
        assert!(full.contains("expected 2") && full.contains("found 3"), "{full}");
        assert!(!own.contains("expected") && own.contains("found 3"), "{own}");
        assert!(
            !points.contains("found") && !points.contains("puzzle 2") && points.contains("1 of 2"),
            "{points}"
        );
        assert!(!none.contains("found") && !none.contains("1 of 2"), "{none}");
    }
}

#[test]
fn json_is_an_array_of_grades() {
    let ran = desk().run("grade --format json entrada.txt ana.txt bia.txt").exit(1);
    let grades: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let expected = serde_json::json!({
        "submission": "ana.txt", "solver": "checkers-capture", "version": env!("CARGO_PKG_VERSION"),
        "puzzles": [
            { "number": 1, "verdict": "accepted", "points": 1, "worth": 1 },
            {
                "number": 2, "verdict": "wrong-answer", "reason": "value", "points": 0, "worth": 1, "line": 2,
                "column": 1, "text": "found 3, expected 2", "rule": "found", "expected": "2",
            },
        ],
        "grade": {
            "verdict": "wrong-answer", "points": 1, "total": 2, "puzzles": 2, "accepted": 1, "not_graded": 0,
            "extra": 0, "first_wrong": 2,
            "text": "1 of 2: wrong answer at puzzle 2 (line 2): found 3, expected 2",
        },
    });
    assert_eq!(grades[0], expected);
    assert_eq!(grades[1]["grade"]["verdict"], "accepted");
    assert_eq!(grades.len(), 2);
}

#[test]
fn a_table_holds_no_formula() {
    let desk = desk().file("=1+1.txt", "1\n2\n").file("a,b\".txt", "1\n2\n3\n");
    let ran = desk.run("grade --format csv entrada.txt =1+1.txt a,b\".txt").exit(1);
    let mut rows = csv::Reader::from_reader(ran.out.as_bytes());
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    assert_eq!(&rows[0][0], "'=1+1.txt");
    assert_eq!((&rows[1][0], &rows[1][4]), ("a,b\".txt", "extra"));
    assert_eq!(&rows[1][8], "2 of 2: one answer too many");
}

#[test]
fn formats_for_one_submission_take_one() {
    let desk = desk();
    for format in ["vpl", "gradescope"] {
        desk.run(&format!("grade --format {format} entrada.txt ana.txt bia.txt")).exit(64);
    }
    let ran = desk.run("grade --format gradescope entrada.txt ana.txt").exit(1);
    let results: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&results["score"], &results["tests"][1]["status"]), (&1.into(), &"failed".into()));
    let ran = desk.run("grade --format vpl entrada.txt ana.txt").exit(1);
    assert!(
        ran.out.lines().all(|line| line.starts_with("Comment :=>> ") || line == "Grade :=>> 1"),
        "{}",
        ran.out
    );
}

#[test]
fn junit_counts_its_cases() {
    let desk = desk().file("<&\">.txt", "1\n\u{1}<&]]>\n");
    let ran = desk.run("grade --format junit entrada.txt ana.txt <&\">.txt").exit(1);
    let mut reader = quick_xml::Reader::from_str(&ran.out);
    let (mut suites, mut cases, mut failures) = (0, 0, 0);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                match tag.name().as_ref() {
                    "testsuite" => {
                        suites += 1;
                        let value =
                            |name: &str| tag.try_get_attribute(name).unwrap().unwrap().value.into_owned();
                        assert_eq!(
                            ["tests", "failures", "errors", "skipped"].map(value),
                            ["2", "1", "0", "0"].map(str::to_owned)
                        );
                    }
                    "testcase" => cases += 1,
                    "failure" => failures += 1,
                    _ => {}
                }
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!((suites, cases, failures), (2, 4, 2), "{}", ran.out);
}

#[test]
fn a_judge_is_told_by_exit_codes_and_files() {
    let desk = desk().file("f/x", "");
    desk.run_with("validate entrada.txt none.ans f", "1\n2\n").exit(42);
    assert_eq!(desk.read("f/judgemessage.txt"), "2 of 2: accepted\n");
    assert!(!desk.at("f/score.txt").exists());
    desk.run_with("validate entrada.txt none.ans f", "1\n3\n").exit(43);
    assert!(!desk.at("f/score.txt").exists());
    // A score beside a rejection would be an error of the judge.
    desk.run_with("validate entrada.txt none.ans f --score", "2\n3\n").exit(43);
    desk.run_with("validate entrada.txt none.ans f --score --set all_or_nothing=true", "1\n3\n").exit(43);
    assert!(!desk.at("f/score.txt").exists());
    desk.run_with("validate entrada.txt none.ans f --score", "1\n3\n").exit(42);
    assert_eq!(
        desk.read("f/judgemessage.txt"),
        "1 of 2: wrong answer at puzzle 2 (line 2): found 3, expected 2\n"
    );
    assert_eq!(desk.read("f/teammessage.txt"), "1 of 2: wrong answer at puzzle 2 (line 2): found 3\n");
    assert_eq!(desk.read("f/score.txt"), "1\n");
    let undecided = desk.file("u.txt", super::HOPELESS);
    undecided.run_with("validate u.txt none.ans f", "1033\n").exit(65);
    undecided.run_with("validate none.txt none.ans f", "").exit(66);
    undecided.run_with("validate entrada.txt none.ans none", "1\n2\n").exit(73);
    fs::remove_dir_all(undecided.at("f")).unwrap();
}

#[test]
fn what_is_no_text_is_told_as_that() {
    let desk = desk().file("p.txt", b"%PDF-1.4\n").file("w.txt", b"\xff\xfe1\0\n\0");
    let ran = desk.run("grade entrada.txt p.txt w.txt").exit(1);
    assert!(ran.out.contains("p.txt: 0 of 2: presentation error: the file is a document"), "{}", ran.out);
    assert!(ran.out.contains("w.txt: 0 of 2: presentation error: the file is UTF-16"), "{}", ran.out);
}

#[test]
fn limits_that_are_hit_are_named() {
    let deep = format!("t/{}saida.txt", "d/".repeat(33));
    let desk = desk().file(&deep, "1\n2\n").file("long.txt", "1".repeat(17 << 20));
    desk.run("grade entrada.txt t").exit(64).err_says(&["d: more than 32 folders deep; name it by itself"]);
    desk.run("grade entrada.txt t/d").exit(0).out_says(&["saida.txt: 2 of 2: accepted"]);
    let ran = desk.run("grade entrada.txt long.txt").exit(1);
    ran.out_says(&[
        "puzzle 1 (line 1): the answer is too long to be read: it may have 64MiB, a line of it 16MiB",
    ]);
    let ran = desk.run("grade --set language=pt entrada.txt long.txt").exit(1);
    ran.out_says(&["a resposta é longa demais para ser lida: ela pode ter 64MiB, e uma linha dela 16MiB"]);
    // The comments of VPL: the first 100, and the line for all.
    let reference = desk.run("generate checkers-capture 120").exit(0).out;
    let desk = desk.file("many.txt", reference).file("wrong.txt", "99\n".repeat(120));
    let ran = desk.run("grade --solver checkers-capture --format vpl many.txt wrong.txt").exit(1);
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("Comment :=>> ")).count(), 101);
    ran.out_says(&["Comment :=>> 0 of 120: ", "; 119 more\n", "Grade :=>> 0\n"]);
}
