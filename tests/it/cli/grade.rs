//! Tests `grade` and `validate`: exit codes, formats, and texts.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::{Desk, Ran, open};
use crate::harness::tabuleiro;

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
fn by_a_reference_that_its_solver_cannot_read_nobody_is_graded() {
    let game = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
    let desk = desk()
        .file("pulo.txt", game)
        .file("slip.txt", REFERENCE.replace("2 0 0\n", "7 0 0\n"))
        .file("end.txt", "0 0\n")
        .file("open.txt", REFERENCE.replace("\n0 0\n", "\n"))
        .file("cut.txt", format!("{REFERENCE}3 3\n2 1 2 0 1\n"))
        .file("f/x", "");
    for command in ["grade", "validate"] {
        let run = |reference: &str, solver: &str| match command {
            "grade" => desk.run(&format!("grade --solver {solver} {reference} ana.txt bia.txt")),
            _ => desk.run_with(&format!("validate --solver {solver} {reference} none.ans f"), "1\n2\n"),
        };
        let ran = run("pulo.txt", "checkers-capture").exit(65).out("");
        ran.err_says(&["this looks like jump-game (1 game can be read): use --solver jump-game"]);
        let ran = run("slip.txt", "checkers-capture").exit(65).out("");
        ran.err_says(&["rejected: slip.txt:4:11: puzzle 2 of this reference is invalid: ", "2 1 0 7 0 0"]);
        run("end.txt", "checkers-capture").exit(65).err_says(&["no puzzle for checkers-capture in the file"]);
        let ran = run("cut.txt", "checkers-capture").exit(65).out("");
        ran.err_says(&["this reference has 2 lines after the end marker 0 0 (line ", "remove these lines"]);
    }
    desk.run("grade --solver checkers-capture open.txt bia.txt").exit(0).out("bia.txt: 2 of 2: accepted\n");
}

#[test]
fn what_could_not_be_graded_is_never_accepted() {
    let desk = Desk::new().file("u.txt", super::HOPELESS).file("ana.txt", "1033\n").file("f/x", "");
    let grade = |options: &str| desk.run(&format!("grade {options} u.txt ana.txt")).exit(1).out;
    let told = "not graded: no answer could be compared with a proved one";
    for format in ["text", "json", "csv", "gradescope", "vpl", "junit"] {
        for reveal in ["full", "points", "none"] {
            let out = grade(&format!("--format {format} --reveal {reveal}"));
            assert!(
                !out.replace("\"accepted\":0", "").contains("accepted") && !out.contains("0 of 0"),
                "{format} {reveal}: {out}"
            );
            assert!(out.contains(told) || (format, reveal) == ("json", "none"), "{format} {reveal}: {out}");
        }
    }
    assert!(
        grade("--format json").contains("\"grade\": {\"verdict\":\"not-graded\",\"points\":0,\"total\":0,")
    );
    assert!(grade("--format csv").contains("ana.txt,0,0,1,not-graded,,,,"));
    assert!(!grade("--format vpl").contains("Grade :=>>"));
    assert!(grade("--format junit").contains("skipped=\"1\""));
    assert!(grade("--set language=pt").contains("ana.txt: sem nota: nenhuma resposta"));
    desk.run_with("validate u.txt none.ans f", "1033\n").exit(65).err_says(&["no submission can be judged"]);
}

#[test]
fn who_wrote_no_answer_is_told_what_answers_look_like() {
    let game = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
    let cases = [
        (
            "checkers-capture",
            REFERENCE,
            "sete\n2\n",
            "'sete' is not an answer, expected 1; an answer is a number such as 7",
        ),
        ("2048-merge", "1\n3 5\n2 0 2\n4 0 8\n0 0 0\n", "três\n", "'três' is not an answer, expected 3"),
        ("2048-astar", "2\n2 0\n0 2\n", "x\n", "or: unsolvable"),
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
    desk.run("grade entrada.txt ana.txt").exit(1).out_says(&["ana.txt: 2.5 of 5: wrong answer at puzzle 2"]);
    desk.run("grade --set all_or_nothing=true entrada.txt ana.txt").exit(1).out_says(&["ana.txt: 0 of 5: "]);
    let ran = desk.run("grade --set words=strict entrada.txt c.txt").exit(1);
    assert!(ran.out.contains("0 of 5: presentation error at puzzle 1 (line 1)"), "{}", ran.out);
    // The file itself is answered as usual.
    desk.run("solve entrada.txt").exit(0).out_says(&["1\n2\n"]);
    desk.run("solve --set points=x entrada.txt").exit(64);
}

#[test]
fn who_lacks_a_path_that_is_required_is_told_what_to_print() {
    let desk = desk();
    let ran = desk.run("grade --set witness=required entrada.txt bia.txt").exit(1);
    ran.out_says(&["bia.txt: 0 of 2: wrong answer at puzzle 1 (line 1): the answer needs its path: print the squares of the"]);
    let ran =
        desk.run("grade --set witness=required --set language=pt --reveal own entrada.txt bia.txt").exit(1);
    ran.out_says(&[
        "a resposta precisa do caminho: escreva as casas da peça depois do número, como 1 0,2 2,0; mais 1\n",
    ]);
    let desk = desk.file("entrada.txt", format!("#: witness = required\n{REFERENCE}"));
    desk.run("grade --format csv entrada.txt bia.txt")
        .exit(1)
        .out_says(&[",0,2,0,wrong-answer,1,1,no-witness,"]);
    let out = desk.run("solve entrada.txt").exit(0).out;
    let desk = desk.file("own.txt", out);
    desk.run("grade entrada.txt own.txt").exit(0).out_says(&["2 of 2: accepted"]);
    desk.run("grade --set witness=needed entrada.txt own.txt")
        .exit(64)
        .err_says(&["\"required\" or true or false"]);
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
fn only_what_the_staff_reads_reveals_the_answers() {
    let desk = desk();
    for (format, is_for_staff) in [
        ("text", true),
        ("json", true),
        ("csv", true),
        ("gradescope", false),
        ("vpl", false),
        ("junit", false),
    ] {
        let ran = desk.run(&format!("grade --format {format} entrada.txt ana.txt")).exit(1);
        assert!(ran.out.contains("found 3"), "{}", ran.out);
        assert_eq!(ran.out.contains("expected 2"), is_for_staff, "{format}: {}", ran.out);
    }
    // An explicit setting holds for everyone, even in the reference. A team never sees an answer.
    let own = desk.file("own.txt", format!("#: reveal = own\n{REFERENCE}"));
    let ran = own.run("grade own.txt ana.txt").exit(1);
    assert!(!ran.out.contains("expected"), "{}", ran.out);
    let desk = own.file("f/x", "");
    desk.run_with("validate --set reveal=full entrada.txt none.ans f", "1\n3\n").exit(43);
    assert!(!desk.read("f/teammessage.txt").contains("expected"));
    assert!(desk.read("f/judgemessage.txt").contains("expected 2"));
}

#[test]
fn points_are_shared_in_fractions() {
    let reference = format!("{}{REFERENCE}", REFERENCE.split_once("5 3").unwrap().0);
    let desk = Desk::new()
        .file("r.txt", reference)
        .file("two.txt", "1\n1\n3\n")
        .file("one.txt", "1\n3\n3\n")
        .file("all.txt", "1\n1\n2\n");
    let ran = desk.run("grade --set points=10 --format csv r.txt all.txt two.txt one.txt").exit(1);
    let mut rows = csv::Reader::from_reader(ran.out.as_bytes());
    let points: Vec<_> = rows.records().map(|row| row.unwrap()[1].to_owned()).collect();
    assert_eq!(points, ["10", "6.66", "3.33"]);
    let json: Value =
        serde_json::from_str(&desk.run("grade --set points=10 --format json r.txt two.txt").exit(1).out)
            .unwrap();
    assert_eq!(json[0]["grade"]["points"].to_string(), "6.66");
    assert_eq!(
        (&json[0]["grade"]["total"], &json[0]["puzzles"][0]["worth"].to_string()),
        (&10.into(), &"3.33".to_owned())
    );
    desk.run("grade --set points=10 --format vpl r.txt two.txt").exit(1).out_says(&["Grade :=>> 6.66\n"]);
    desk.run("grade --set points=10 --set language=pt r.txt two.txt")
        .exit(1)
        .out_says(&["two.txt: 6,66 de 10: "]);
    let desk = desk.file("f/x", "");
    desk.run_with("validate --score --set points=10 r.txt none.ans f", "1\n1\n3\n").exit(42);
    assert_eq!(desk.read("f/score.txt"), "6.66\n");
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
    // A score with a rejection would be an error of the judge.
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
    // The judge is at fault, whatever the submission.
    for submission in ["1033\n", "x\n", ""] {
        let ran = undecided.run_with("validate u.txt none.ans f", submission).exit(65);
        ran.err_says(&["u.txt: the answer to puzzle 1 is undecided"]);
    }
    undecided.run_with("validate none.txt none.ans f", "").exit(66);
    undecided.run_with("validate entrada.txt none.ans none", "1\n2\n").exit(73);
    fs::remove_dir_all(undecided.at("f")).unwrap();
}

/// A contestant may be able to write into the current folder, and may even be its user.
#[test]
fn a_configuration_counts_only_where_it_is_named() {
    let route = "[[route]]\nname = \"mine\"\nfiles = [\"**\"]\nsolver = \"2048-merge\"\n";
    let mut desk = desk().file("01.in", REFERENCE).file("f/x", "");
    for config in [route, "no configuration"] {
        desk = desk.file("config/tabuleiro.toml", config).file("home/tabuleiro/tabuleiro.toml", config);
        for reference in ["entrada.txt", "01.in"] {
            let run = |command: &str, input: &str| {
                let mut process = tabuleiro();
                process.env("XDG_CONFIG_HOME", desk.at("home")).current_dir(desk.at(""));
                fs::write(desk.at("input"), input).unwrap();
                process.args(command.split_whitespace()).stdin(fs::File::open(desk.at("input")).unwrap());
                Ran::new(command, process.output().unwrap())
            };
            run(&format!("grade {reference} ana.txt"), "").exit(1).out_says(&[WRONG]);
            run(&format!("validate {reference} none.ans f"), "1\n2\n").exit(42);
            run(&format!("validate {reference} none.ans f"), "1\n3\n").exit(43);
        }
    }
    // If a configuration is not named, the shipped routes decide by name.
    let game = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
    let desk = desk.file("pulo.txt", game).file("entrada.in", game).file("c.txt", "C 3\n");
    let desk = desk.file("named.toml", route.replace("2048-merge", "jump-game"));
    desk.run("grade pulo.txt c.txt").exit(0);
    desk.run("grade --config named.toml entrada.in c.txt").exit(0);
    desk.run("grade --config config/tabuleiro.toml pulo.txt c.txt").exit(78);
    for command in ["grade", "validate"] {
        let help = desk.run(&format!("{command} --help")).exit(0).out;
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("without it the shipped one, whatever lies in the current directory"),
            "{help}"
        );
    }
}

#[test]
fn a_judge_sees_the_right_answer_drawn_and_the_team_its_own_alone() {
    let desk = desk().file("f/x", "");
    desk.run_with("validate entrada.txt none.ans f", "1\n2\n").exit(42);
    assert!(!desk.at("f/judgeimage.svg").exists());
    // The second board, 5 × 3: the submitted answer and, for the judge alone, the one path that captures two.
    desk.run_with("validate entrada.txt none.ans f", "1\n1 0,0 2,2\n").exit(43);
    let [judge, team] = ["judge", "team"].map(|who| desk.read(&format!("f/{who}image.svg")));
    for image in [&judge, &team] {
        assert!(image.starts_with("<svg ") && image.contains("found 1"), "{image}");
    }
    assert_eq!([&judge, &team].map(|image| image.matches("role=\"img\"").count()), [2, 1]);
    assert!(judge.contains("expected 2") && !team.contains("expected 2") && !team.contains("4,0"), "{team}");
}

#[test]
fn a_program_is_run_on_the_reference_and_graded() {
    let desk = desk();
    let program = |script: &str| {
        let mut process = tabuleiro();
        process.args(["grade", "entrada.txt", "--run", script]).current_dir(desk.at(""));
        Ran::new(script, process.output().unwrap())
    };
    program("echo 1; echo 2").exit(0).out("program: 2 of 2: accepted\n");
    // The program gets the reference, and may first remove everything.
    let ran = program("rm entrada.txt; exec head -n 1").exit(1);
    ran.out_says(&["presentation error at puzzle 1 (line 1): '3' follows the answer"]);
    let desk = self::desk();
    desk.run("grade entrada.txt saida.txt --run true").exit(64);
    desk.run("grade entrada.txt").exit(64);
}

#[test]
fn a_judge_s_folder_needs_the_static_program() {
    let desk = desk();
    for judge in ["kattis", "vpl", "gradescope"] {
        let ran = desk.run(&format!("init --judge {judge} folder --reference entrada.txt")).exit(78);
        ran.err_says(&["packaging/static", "target/static/tabuleiro init"]);
    }
    assert!(!desk.at("folder").exists());
    for command in ["init --judge kattis x", "init --reference entrada.txt", "init --solver 2048-merge"] {
        desk.run(command).exit(64);
    }
}

#[test]
fn a_test_case_is_held_to_what_the_solver_writes() {
    let desk = desk();
    let check = |text: &str| desk.run_with("validate-input checkers-capture", text);
    check("3 3\n2 1\n2\n0 1\n0 0\n").exit(42).out("");
    check("3 3\n2 1 2 0 7\n0 0\n").exit(43).out_says(&["line 2: "]);
    check("3 3\n2 1 2 0 1\n0 0\n").exit(43).out_says(&["line 1: the puzzle is not written as in "]);
    desk.run_with("validate-input", "").exit(64);
}

/// Any output of a contestant is judged.
#[test]
fn no_output_of_a_contestant_is_an_error_of_the_judge() {
    let outputs: [&[u8]; 16] = [
        b"",
        b"\n\n \t\r\n",
        b"\xff\xfe1\0\n\0",
        b"\xed\xa0\x80\n\xc0\x80\n",
        b"%PDF-1.4\n",
        b"\x7fELF\x02\x01\x01\0\0\0",
        b"99999999999999999999999999999999999999999\n-1\n1e999\n",
        b"18446744073709551615\n18446744073709551615 18446744073709551615,18446744073709551615\n",
        b"undecided (at least 1)\nundecided (stopped after 9 moves)\ninvalid board\n",
        b"unsolvable\nno solution\nSEM VENCEDORES\n",
        b"Minimum number of moves: 0\n2\n0 0\n0 0\n18446744073709551615\n",
        b"1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        b"A 1 0,0 0,1\nZZZZZZZZZZZZZZZZZZZZ 3\nA\n",
        b"score 340282366920938463463374607431768211456\nover no\nseed 1\n+ 9 9 9\nD 0 0 2\n",
        b"+ 0 0 2\n+ 18446744073709551615 0 2\nD 0 0 18446744073709551615\n",
        b"3 DDDD\n0 D\n1 EEEEEEEE\n",
    ];
    for solver in tabuleiro_puzzles::solver::SOLVERS {
        let reference = solver.info().example.input;
        let desk = Desk::new().file("in.txt", reference).file("f/x", "");
        for output in outputs.iter().chain([&"7".repeat(17 << 20).as_bytes()]) {
            fs::write(desk.at("output"), output).unwrap();
            for more in ["", " --score --set words=skip"] {
                let command = format!("validate --solver {}{more} in.txt none.ans f", solver.id());
                let ran = desk.run_on(&command, open(desk.at("output")), Stdio::piped());
                let told = String::from_utf8_lossy(&output[..output.len().min(80)]);
                assert!([42, 43].contains(&ran.exit), "{command}: {} of {told}: {}", ran.exit, ran.err);
                for image in ["f/judgeimage.svg", "f/teamimage.svg"].map(|name| desk.read(name)) {
                    let mut reader = quick_xml::Reader::from_str(&image);
                    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
                }
            }
        }
    }
}

#[test]
fn a_contest_of_games_that_auto_plays_is_judged() {
    let reference = "2 1\n0 0\n0 0\nAUTO\n2 2\n0 0\n0 0\nAUTO 3\n";
    let desk = Desk::new().file("in.txt", reference).file("f/x", "");
    let solve = |sets: &str| desk.run(&format!("solve --solver 2048-game {sets} in.txt")).exit(0).out;
    let validate = |output: &str| desk.run_with("validate --solver 2048-game in.txt none.ans f", output);
    // The game of any player is right with a transcript, and no game is right without one.
    for player in ["expectimax", "greedy", "random"] {
        validate(&solve(&format!("--set transcript=true --set player={player}"))).exit(42);
    }
    validate(&solve("")).exit(43);
    let told = "0 of 2: wrong answer at puzzle 1 (line 1): a game that AUTO plays needs its transcript: add ";
    assert!(desk.read("f/teammessage.txt").starts_with(told), "{}", desk.read("f/teammessage.txt"));
    validate("seed 1\nseed 2\n").exit(43);
    validate("").exit(43);
}

/// A number that nobody proves to be the best is not accepted, and is not the judge's fault.
#[test]
fn a_count_that_nobody_proves_is_not_accepted_by_a_judge() {
    let reference = "#: goal = 16\n#: algorithm = left-weighted\n3\n0 0 2\n0 0 0\n0 0 0\n";
    let desk = Desk::new().file("in.txt", reference).file("f/x", "");
    let own = desk.run("solve --solver 2048-astar in.txt").exit(0).out;
    let validate = |output: &str| desk.run_with("validate --solver 2048-astar in.txt none.ans f", output);
    assert!(own.starts_with("Number of moves: ") && own.contains("(at least "), "{own}");
    validate(&own).exit(42);
    validate(own.lines().next().unwrap()).exit(43);
    assert!(
        desk.read("f/teammessage.txt").contains("not graded: neither"),
        "{}",
        desk.read("f/teammessage.txt")
    );
    desk.run_with("validate --score --solver 2048-astar in.txt none.ans f", own.lines().next().unwrap())
        .exit(43);
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
    // The memory limit applies to one answer; the next one is read.
    let desk = desk.file("large.txt", format!("1 {}\n2\n", "0,2 ".repeat(1 << 18)));
    desk.run("grade entrada.txt large.txt").exit(1).out_says(&["1 of 2: ", "takes no piece"]);
    let ran = desk.run("grade --set memory_limit=1MiB entrada.txt large.txt").exit(1);
    ran.out_says(&[
        "puzzle 1 (line 1): the answer is too long to be read in the 1MiB of memory that it may use (memory_limit, ",
        "large.txt: 1 of 2: presentation error",
    ]);
    let ran = desk.run("grade --set memory_limit=1MiB --set language=pt entrada.txt large.txt").exit(1);
    ran.out_says(&[
        "a resposta é longa demais para ser lida nos 1MiB de memória que pode usar (memory_limit, ",
    ]);
    // The comments of VPL: the first 100, and a line for all.
    let reference = desk.run("generate checkers-capture 120").exit(0).out;
    let desk = desk.file("many.txt", reference).file("wrong.txt", "99\n".repeat(120));
    let ran = desk.run("grade --solver checkers-capture --format vpl many.txt wrong.txt").exit(1);
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("Comment :=>> ")).count(), 101);
    ran.out_says(&["Comment :=>> 0 of 120: ", "; 119 more\n", "Grade :=>> 0\n"]);
}
