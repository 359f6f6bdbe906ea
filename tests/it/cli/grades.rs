//! Tests `grades`: the class list, made from files with grades.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{Desk, Ran, dev_full};

/// Returns a grade file as the service writes it.
fn nota(submission: &str, job: &str, points: f64, who: &Value) -> String {
    let (first, second) = (
        json!({ "number": 1, "verdict": "accepted", "points": 1, "worth": 1 }),
        json!({ "number": 2, "verdict": "wrong-answer", "points": 0, "worth": 1, "text": "found 3" }),
    );
    let mut head = json!({
        "submission": submission, "route": "lista3", "job": job, "solver": "checkers-capture", "version": "0.1.0",
    });
    head.as_object_mut().unwrap().extend(who.as_object().unwrap().clone());
    let head = head.to_string();
    let verdict = if points < 40.0 { "wrong-answer" } else { "accepted" };
    let points = if points.fract() == 0.0 { json!(points as i64) } else { json!(points) };
    let grade = json!({
        "verdict": verdict, "points": points, "total": 40, "puzzles": 40, "accepted": 37, "not_graded": 0,
        "extra": 0, "first_wrong": 2, "text": "37 of 40",
    });
    format!("{},\n\"puzzles\": [\n{first},\n{second}\n],\n\"grade\": {grade}}}\n", head.trim_end_matches('}'))
}

fn job(minute: u32) -> String {
    format!("20261121T12{minute:02}44.123456Z")
}

/// Makes a class in which Ana handed in three times and Bia once.
fn class() -> Desk {
    let ana = |minute, points| nota("t/l3/ana/saida.txt", &job(minute), points, &json!({ "student": "ana" }));
    Desk::new()
        .file("out/t/l3/ana/nota.20261121T120144.123456Z.json", ana(1, 37.0))
        .file("out/t/l3/ana/nota.20261121T120244.123456Z.json", ana(2, 37.5))
        .file("out/t/l3/ana/Nota.JSON", ana(3, 12.0))
        .file("out/t/l3/bia/lista-nota.json", {
            nota("t/l3/bia/lista-saida.txt", &job(2), 40.0, &json!({ "student": "Bia", "student_id": "7" }))
        })
        .file("out/t/l3/ana/saida.json", "{}")
        .file("out/t/l3/ana/nota.txt", "37 of 40\n")
}

/// Returns the rows of the CSV; the first one is the header.
fn rows(ran: &Ran) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(ran.out.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

const BEST: &str = "\
exercise,student,id,points,total,not_graded,verdict,when,submissions,submission,attempts,mark
lista3,Bia,7,40,40,0,accepted,2026-11-21T12:02:44.123456Z,1,t/l3/bia/lista-saida.txt,1,
lista3,ana,,37.5,40,0,wrong-answer,2026-11-21T12:02:44.123456Z,3,t/l3/ana/saida.txt,3,
";

#[test]
fn the_best_submission_counts_or_the_last() {
    let desk = class();
    desk.run("grades out --format csv").exit(0).out(BEST);
    desk.run("grades out/t --take best --format csv").exit(0).out(BEST);
    let last =
        BEST.replace("37.5", "12").replace("wrong-answer,2026-11-21T12:02", "wrong-answer,2026-11-21T12:03");
    desk.run("grades out --take last --format csv").exit(0).out(&last);
    // Of two grades with equal points, the later one counts.
    let again = nota("t/l3/bia/b.txt", &job(1), 40.0, &json!({ "student": "Bia", "student_id": "7" }));
    let desk = desk.file("out/z-nota.json", again);
    assert_eq!(
        rows(&desk.run("grades out --format csv"))[1][7..],
        ["2026-11-21T12:02:44.123456Z", "2", "t/l3/bia/lista-saida.txt", "2", ""]
    );
}

/// Returns a grade of a submission of Ana's, with further keys.
fn of_ana(path: &str, points: f64, more: &Value) -> String {
    let mut who = json!({ "student": "ana", "student_id": "7" });
    who.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    nota(path, &job(1), points, &who)
}

#[test]
fn the_last_submission_is_told_by_its_own_time_or_not_at_all() {
    // The time of the submission counts, whatever its path, and whenever it was graded.
    let desk = Desk::new()
        .file(
            "o/1/nota.json",
            of_ana("z.txt", 9.0, &json!({ "job": job(9), "submitted": "2026-11-21T10:00:00Z" })),
        )
        .file("o/2/nota.json", of_ana("a.txt", 7.0, &json!({ "submitted": "2026-11-21T09:30:00.5-03:00" })))
        .file("o/3/nota.json", of_ana("m.txt", 8.0, &json!({ "submitted": "2026-11-21T11:00:00" })));
    let last = |desk: &Desk| rows(&desk.run("grades o --take last --format csv").exit(0))[1].clone();
    assert_eq!(last(&desk)[7..10], ["2026-11-21T12:30:00.500000Z", "3", "a.txt"]);
    // If a submission has no time, or two have the same, nobody is graded by a guess.
    for (path, more) in
        [("b.txt", json!({ "job": null })), ("y.txt", json!({ "submitted": "2026-11-21T12:30:00.5Z" }))]
    {
        let other = desk.at("o/4-nota.json");
        fs::write(&other, of_ana(path, 1.0, &more)).unwrap();
        for format in ["table", "csv", "moodle"] {
            let ran = desk.run(&format!("grades o --take last --format {format}")).exit(65);
            let ran =
                ran.err_says(&["ana (lista3): left out, because it is unclear which submission is the last"]);
            assert!(!ran.out.contains("ana"), "{}", ran.out);
        }
        assert_eq!(rows(&desk.run("grades o --format csv").exit(0))[1][3], "9");
        fs::remove_file(other).unwrap();
    }
    // The job separates two submissions of the same time. If both earn the same points, the order does not matter.
    for (points, more) in [
        (1.0, json!({ "submitted": "2026-11-21T12:30:00.5Z", "job": job(2) })),
        (7.0, json!({ "job": null })),
    ] {
        fs::write(desk.at("o/4-nota.json"), of_ana("y.txt", points, &more)).unwrap();
        assert_eq!(last(&desk)[3], points.to_string());
    }
    let desk = Desk::new().file("o/nota.json", of_ana("z.txt", 9.0, &json!({ "submitted": "yesterday" })));
    desk.run("grades o").exit(65).err_says(&["no grade: submitted = yesterday: expected a time such as"]);
}

#[test]
fn what_does_not_count_is_passed_over_unless_it_is_asked_for() {
    let late = json!({ "attempt": 2, "late": true, "sha256": "a" });
    let desk = Desk::new()
        .file("o/1/nota.json", of_ana("1.txt", 5.0, &json!({ "attempt": 1 })))
        .file("o/2/nota.json", of_ana("2.txt", 9.0, &late))
        .file(
            "o/3/nota.json",
            nota("3.txt", &job(1), 40.0, &json!({ "student": "bia", "over_attempts": true, "late": true })),
        );
    let listed = |options: &str| -> Vec<String> {
        let ran = desk.run(&format!("grades o --format csv {options}")).exit(0);
        rows(&ran)[1..].iter().map(|row| [1, 3, 6, 8, 10, 11].map(|at| row[at].clone()).join(" ")).collect()
    };
    assert_eq!(listed(""), ["ana 5 wrong-answer 2 2 ", "bia  accepted 1 1 late over-attempts"]);
    assert_eq!(listed("--all"), ["ana 9 wrong-answer 2 2 late", "bia 40 accepted 1 1 late over-attempts"]);
    let table = desk.run("grades o").exit(0).out;
    assert!(table.contains("bia      -       40     late over attempts  1"), "{table}");
    assert!(desk.run("grades o --all").exit(0).out.contains("accepted, late over attempts"));
    let ran = desk
        .run("grades o --format moodle")
        .exit(65)
        .err_says(&["bia (lista3): late over attempts, so this"]);
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
    // If a content is graded again, even under another name, its newest grade counts.
    let again = json!({ "attempt": 2, "late": true, "sha256": "a", "job": job(3) });
    fs::write(desk.at("o/2/nota.x.json"), of_ana("2.txt", 4.0, &again)).unwrap();
    assert_eq!(listed("--all")[0], "ana 5 wrong-answer 2 2 ");
}

#[test]
fn who_could_not_be_graded_gets_no_grade_in_moodle() {
    let grade = of_ana("1.txt", 0.0, &json!({})).replace("\"wrong-answer\"}", "\"not-graded\"}");
    let grade = grade.replace("40,\"verdict\":\"wrong-answer\"", "0,\"verdict\":\"not-graded\"");
    let desk = Desk::new().file("o/nota.json", grade);
    let ran = desk.run("grades o --format moodle").exit(65);
    let ran =
        ran.err_says(&["ana (lista3): the submission could not be graded, so this student is left out"]);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
}

#[test]
fn a_table_is_for_people_and_fits_their_terminal() {
    let wide = "\
exercise  student  points  total  not graded  verdict       attempts  when (+00:00)        submissions  submission
lista3    Bia      40      40     0           accepted      1         2026-11-21 12:02:44  1            t/l3/bia/lista-saida.txt
lista3    ana      37.5    40     0           wrong answer  3         2026-11-21 12:02:44  3            t/l3/ana/saida.txt
";
    let desk = class();
    let shown = |columns: &str, zone: &str| {
        let mut process = super::tabuleiro();
        process.args(["grades", "out"]).current_dir(desk.0.path()).env("COLUMNS", columns).env("TZ", zone);
        Ran::new("grades out", process.output().unwrap()).exit(0).out
    };
    assert_eq!(shown("140", "UTC"), wide);
    let narrow = "\
exercise  student  points  total  verdict       attempts  when (-03:00)
lista3    Bia      40      40     accepted      1         2026-11-21 09:02:44
lista3    ana      37.5    40     wrong answer  3         2026-11-21 09:02:44
";
    assert_eq!(shown("80", "<-03>3"), narrow);
}

#[test]
fn exercises_and_students_have_lines_of_their_own() {
    let who = |student: &str, id: &str| json!({ "student": student, "student_id": id });
    let desk = Desk::new()
        .file("o/1/nota.json", nota("1/s.txt", &job(1), 1.0, &who("Ana Silva", "12")))
        .file("o/2/nota.json", nota("2/s.txt", &job(1), 2.0, &who("Ana Silva", "9")))
        // The same person with a new name.
        .file("o/3/nota.json", nota("3/s.txt", &job(2), 3.0, &who("Ana Souza", "9")))
        .file(
            "o/4/nota.json",
            nota("4/s.txt", &job(1), 4.0, &json!({ "student": "Ana Silva", "route": "lista2" })),
        )
        .file("o/5/nota.json", nota("t1/ana/s.txt", &job(1), 5.0, &json!({ "student": null })))
        .file("o/6/nota.json", nota("t2/ana/s.txt", &job(1), 6.0, &json!({ "student": "" })))
        .file("o/7/nota.json", nota("ana.txt", "", 7.0, &json!({ "job": null })));
    let ran = desk.run("grades o --format csv").exit(0);
    let listed: Vec<_> =
        rows(&ran)[1..].iter().map(|row| [0, 1, 2, 3, 8].map(|at| row[at].clone()).join(" ")).collect();
    let expected = [
        "lista2 Ana Silva  4 1",
        "lista3 Ana Silva 12 1 1",
        "lista3 Ana Souza 9 3 2",
        "lista3 ana.txt  7 1",
        "lista3 t1/ana  5 1",
        "lista3 t2/ana  6 1",
    ];
    assert_eq!(listed, expected);
    assert_eq!((rows(&ran)[4][7].as_str(), ran.err.as_str()), ("", ""));
    // Students who share a folder are not separated, but a warning says so.
    let desk = desk.file("o/8/nota.json", nota("t1/ana/x.txt", &job(1), 1.0, &json!({})));
    let ran = desk.run("grades o --format csv").exit(0);
    ran.err_says(&[
        "t1/ana (lista3): several files without a student's name count as one student's",
        "key student",
    ]);
}

#[test]
fn no_cell_is_a_formula_and_nothing_hidden_reaches_a_terminal() {
    let who = json!({ "student": "=HYPERLINK(\"x\")", "student_id": "+1", "route": "@l\u{202e}" });
    let grade = nota("-a\u{1b}[2J/s.txt", &job(1), 1.0, &who)
        .replace("40,\"verdict\":\"wrong-answer\"", "40,\"verdict\":\"\\t=1\"");
    let desk = Desk::new().file("o/nota.json", grade);
    let ran = desk.run("grades o --format csv").exit(0);
    let row = &rows(&ran)[1];
    assert_eq!(row[..3], ["'@l\\u{202e}", "'=HYPERLINK(\"x\")", "'+1"]);
    assert_eq!(row[6], "\\t=1", "escaped, and so no formula");
    assert_eq!(row[9], "'-a\\u{1b}[2J/s.txt");
    let table = desk.run("grades o").exit(0).out;
    assert!(table.contains("=HYPER") && !table.contains(['\u{1b}', '\u{202e}']), "{table}");
    let desk = Desk::new()
        .file("o/nota.json", nota("s.txt", &job(1), 1.0, &json!({ "student": "=Ana", "student_id": "1" })));
    let moodle = "Identifier,Full name,Grade,Last modified (grade),Feedback comments\nParticipant 1,'=Ana,1,-,37 of 40\n";
    desk.run("grades o --format moodle").exit(0).out(moodle);
}

#[test]
fn moodle_finds_its_columns_and_participants() {
    let who = |student: &str, id: &str| json!({ "student": student, "student_id": id });
    let desk = Desk::new()
        .file("o/1/nota.json", nota("1/s.txt", &job(1), 37.5, &who("Silva, Ana", "12345")))
        .file("o/2/nota.json", nota("2/s.txt", &job(1), 40.0, &who("Bia", "7")));
    let english = "Identifier,Full name,Grade,Last modified (grade),Feedback comments\n\
                   Participant 7,Bia,40,-,37 of 40\nParticipant 12345,\"Silva, Ana\",37.5,-,37 of 40\n";
    desk.run("grades o --format moodle").exit(0).out(english);
    let desk =
        desk.file("pt.toml", "[results]\nlanguage = \"pt\"\n").file("bad.toml", "[results]\nlanguage = 1\n");
    let portuguese = "Identificador,Nome completo,Nota,Última modificação (nota),Comentários de feedback\n\
                      Participante7,Bia,40,-,37 of 40\nParticipante12345,\"Silva, Ana\",37.5,-,37 of 40\n";
    desk.run("grades o --format moodle --config pt.toml").exit(0).out(portuguese);
    desk.run("grades o --format moodle --config bad.toml").exit(78).out("");
    // A student without an ID, or without one of Moodle's form, is left out with a message.
    let desk = desk
        .file("o/3/nota.json", nota("3/s.txt", &job(1), 1.0, &json!({ "student": "Caio" })))
        .file("o/4/nota.json", nota("4/s.txt", &job(1), 1.0, &who("Davi", "x9")));
    let ran = desk.run("grades o --format moodle").exit(65).out(english);
    ran.err_says(&[
        "Caio (lista3): no ID of Moodle is known",
        "Davi (lista3): no ID",
        "student = \"moodle\"",
    ]);
    let other = json!({ "student": "Bia", "student_id": "7", "route": "lista4" });
    let desk = desk.file("o/5/nota.json", nota("5/s.txt", &job(1), 1.0, &other));
    let ran = desk.run("grades o --format moodle").exit(64).out("");
    ran.err_says(&["participant 7 has a grade in lista3 and in lista4", "the folder of one exercise"]);
}

#[test]
fn what_holds_no_grade_is_told_and_passed_by() {
    let good = nota("a/s.txt", &job(1), 1.0, &json!({ "student": "ana" }));
    let wrong = |from: &str, to: &str| {
        assert!(good.contains(from));
        good.replacen(from, to, 1)
    };
    let desk = Desk::new()
        .file("o/00-nota.json", &good)
        .file("o/01-nota.json", "")
        .file("o/02-nota.json", &good[..good.len() - 4])
        .file("o/03-nota.json", wrong("\"route\"", "\"rout\""))
        .file("o/04-nota.json", wrong("\"points\":1,\"p", "\"points\":0.255,\"p"))
        .file("o/05-nota.json", wrong("\"points\":1,\"p", "\"points\":-1,\"p"))
        .file("o/06-nota.json", wrong("\"points\":1,\"p", "\"points\":1e300,\"p"))
        .file("o/07-nota.json", wrong(&job(1), "20261341T120144.123456Z"))
        .file("o/08-nota.json", wrong("\"ana\"", "7"))
        .file("o/09-nota.json", format!("{}null}}", good.split("{\"accepted\":37").next().unwrap()))
        .file("o/10-nota.json", wrong("40,\"verdict\":\"wrong-answer\"", "40,\"verdict \":\"x\""))
        .file("o/11-nota.json", format!("{good}{{}}"))
        .file("o/12-nota.json", b"\xff\xfe{")
        .file("o/13-nota.json", wrong("\"ana\"", "\"ana\\u001b[2J\",\"student\":\"x\""))
        .file("o/14-nota.json", wrong("\"ana\"", &format!("\"{}\"", "a".repeat(4097))));
    let ran = desk.run("grades o --format csv").exit(65);
    assert_eq!(rows(&ran).len(), 2, "{}", ran.out);
    let told: Vec<_> = ran.err.lines().collect();
    for (number, says) in [
        (1, "EOF while parsing"),
        (2, "EOF while parsing"),
        (3, "missing field `route`"),
        (4, "expected points with two decimals at most"),
        (5, "expected points with two decimals at most"),
        (6, "expected points with two decimals at most"),
        (7, "job = 20261341T120144.123456Z: expected an ID such as"),
        (8, "invalid type: integer `7`, expected a string"),
        (9, "invalid type: null"),
        (10, "missing field `verdict`"),
        (11, "trailing characters"),
        (12, "expected value"),
        (13, "duplicate field `student`"),
        (14, "a name in it has more than 4096 bytes"),
    ] {
        let begin = format!("tabuleiro: o/{number:02}-nota.json: no grade: ");
        assert!(
            told.iter().any(|line| line.starts_with(&begin) && line.contains(says)),
            "{number}: {told:#?}"
        );
    }
    assert_eq!(told.len(), 14, "{told:#?}");
}

#[test]
fn huge_and_hostile_files_are_read_in_bounds() {
    let good = nota("a/s.txt", &job(1), 1.0, &json!({ "student": "ana" }));
    let with_puzzles =
        |puzzles: &str| good.replacen("\"puzzles\": [", &format!("\"puzzles\": [{puzzles}"), 1);
    let desk = Desk::new()
        .file("o/a-nota.json", with_puzzles(&"{\"number\":1,\"text\":\"x\"},\n".repeat(200_000)))
        .file("o/b-nota.json", with_puzzles(&"[".repeat(1_000_000)))
        .file("o/c-nota.json", good.replacen("\"a/s.txt\"", &"{\"x\":".repeat(100_000), 1));
    File::create(desk.at("o/d-nota.json")).unwrap().set_len((256 << 20) + 1).unwrap();
    // None of these is a regular file, and links are not followed.
    fs::create_dir(desk.at("o/e-nota.json")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, desk.at("o/f-nota.json"), rustix::fs::Mode::RUSR).unwrap();
    std::os::unix::fs::symlink(desk.at("o/a-nota.json"), desk.at("o/g-nota.json")).unwrap();
    std::os::unix::fs::symlink(desk.at("o"), desk.at("o/loop")).unwrap();
    let ran = desk.run("grades o --format csv").exit(65);
    assert_eq!(rows(&ran)[1][8], "1");
    let ran = ran.err_says(&[
        "b-nota.json: no grade: ",
        "c-nota.json: no grade: ",
        "d-nota.json: no grade: it has 268435457 bytes",
    ]);
    assert_eq!(ran.err.lines().count(), 3, "{}", ran.err);
    // What the service keeps for itself in its outbox does not belong to the class.
    let desk = Desk::new().file("o/.tabuleiro-1-2/nota.json", &good).file("o/nota.json", &good);
    assert_eq!(rows(&desk.run("grades o --format csv").exit(0))[1][8], "1");
    let deep = (0..33).fold("o".to_owned(), |path, _| path + "/d");
    let desk = desk.file(&format!("{deep}/nota.json"), &good);
    desk.run("grades o").exit(64).out("").err_says(&["d: more than 32 folders deep; name it by itself"]);
}

#[test]
fn paths_that_are_no_text_are_told_escaped() {
    let good = nota("\\xff/s.txt", &job(1), 1.0, &json!({}));
    let desk = Desk::new();
    let folder = desk.at("o").join(Path::new(std::ffi::OsStr::from_bytes(b"\xff")));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("nota.json"), good).unwrap();
    fs::write(folder.join("x-nota.json"), "").unwrap();
    let ran = desk.run("grades o --format csv").exit(65).err_says(&["o/\\xff/x-nota.json: no grade"]);
    assert_eq!([&rows(&ran)[1][1], &rows(&ran)[1][9]], ["\\xff", "\\xff/s.txt"]);
}

#[test]
fn nothing_to_list_gives_66_and_wrong_usage_64() {
    let desk = class().file("empty/saida.json", "{}");
    desk.run("grades none")
        .exit(66)
        .out("")
        .err_says(&["none: cannot open: there is no such file or folder"]);
    desk.run("grades out/t/l3/ana/Nota.JSON").exit(66).out("");
    desk.run("grades empty")
        .exit(66)
        .out("")
        .err_says(&["no .json file below this folder has nota in its name"]);
    for wrong in ["grades", "grades out --take first", "grades out --format json"] {
        desk.run(wrong).exit(64).out("");
    }
    desk.run_on("grades out", Stdio::null(), dev_full()).exit(74);
}

#[test]
fn who_has_no_grade_is_listed_with_the_reason() {
    let nothing = |submission: &str, who: &Value| {
        let mut note = json!({ "submission": submission, "route": "lista3", "solver": "checkers-capture", "version": "0.1.0" });
        note.as_object_mut().unwrap().extend(who.as_object().unwrap().clone());
        let text = "nothing to grade: found resposta.txt; a submission is called saida*.txt";
        note["puzzles"] = json!([]);
        note["grade"] = json!({ "verdict": "nothing-to-grade", "text": text });
        note.to_string()
    };
    let ana = json!({ "student": "ana", "student_id": "1" });
    let desk = Desk::new()
        .file("o/l3/ana/nota.json", nota("t/l3/ana/saida.txt", &job(1), 0.0, &ana))
        // A later submission that cannot be graded does not replace her grade.
        .file("o/l3/ana/z-nota.json", nothing("t/l3/ana", &ana))
        .file("o/l3/bia/nota.json", nothing("t/l3/bia", &json!({ "student": "bia", "student_id": "2" })))
        .file("o/l3/caio/nota.json", nothing("t/l3/caio", &json!({})))
        .file("o/l3/davi/resposta.erro.txt", "rejected")
        .file("o/l3/davi/x/b.erro.txt", "rejected")
        .file("o/l3/fabio/aluno.saida.zip", "PK")
        .file("o/l3/eva/saida.txt", "7")
        .file("turma.csv", "name\nAna\nBia\nCaio\nDavi\nFábio\nGil\n");
    let ran = desk.run("grades o --format csv --students turma.csv").exit(0);
    assert_eq!(
        ran.out,
        "exercise,student,id,points,total,not_graded,verdict,when,submissions,submission,attempts,mark\n\
         lista3,Gil,,,,0,nothing-to-grade,,0,Gil,0,\n\
         lista3,ana,1,0,40,0,wrong-answer,2026-11-21T12:01:44.123456Z,1,t/l3/ana/saida.txt,1,\n\
         lista3,bia,2,,,0,nothing-to-grade,,0,t/l3/bia,0,\n\
         lista3,davi,,,,0,nothing-to-grade,,0,o/l3/davi,0,\n\
         lista3,fabio,,,,0,nothing-to-grade,,0,o/l3/fabio,0,\n\
         lista3,t/l3/caio,,,,0,nothing-to-grade,,0,t/l3/caio,0,\n"
    );
    assert_eq!(
        ran.err,
        "tabuleiro: t/l3/ana: nothing to grade: found resposta.txt; a submission is called saida*.txt\n\
         tabuleiro: t/l3/bia: nothing to grade: found resposta.txt; a submission is called saida*.txt\n\
         tabuleiro: t/l3/caio: nothing to grade: found resposta.txt; a submission is called saida*.txt\n\
         tabuleiro: o/l3/davi: nothing to grade: found resposta.erro.txt, x/b.erro.txt, and no grade\n\
         tabuleiro: o/l3/fabio: nothing to grade: found aluno.saida.zip, and no grade\n\
         tabuleiro: Gil: nothing to grade: nothing was handed in\n"
    );
    let table = desk.run("grades o").exit(0).out;
    assert!(
        table.lines().any(|line| line.starts_with("lista3    bia") && line.contains("nothing to grade")),
        "{table}"
    );
    // In Moodle, the comment says why, and the grade stays as it is.
    let moodle = "Participant 1,ana,0,-,37 of 40\n\
                  Participant 2,bia,,-,nothing to grade: found resposta.txt; a submission is called saida*.txt\n";
    desk.run("grades o --format moodle").exit(0).out_says(&[moodle]);
    // A file without points is no grade.
    let broken = nothing("x/s.txt", &json!({})).replace("nothing-to-grade", "accepted");
    let desk = desk.file("o/l3/gil/nota.json", broken);
    desk.run("grades o").exit(65).err_says(&["o/l3/gil/nota.json: no grade: it has no points"]);
}
