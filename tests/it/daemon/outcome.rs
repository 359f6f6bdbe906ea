//! Tests what becomes of a file: results, reports, kept inputs, log lines.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use tabuleiro_jobs::archive::ArchiveWriter;
use tabuleiro_puzzles::solver::SOLVERS;

use crate::harness::{BOARD_1, BOARD_2, Place, job_in, run_in, wait_for};

#[test]
fn the_log_line_says_it_all() {
    let service = Place::new().detailed().start();
    service.drop_file("turma/entrada.txt", "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n");
    service.expect("turma/saida.txt", "1\n2\n");
    let line = service.wait_for_log("  turma/entrada.txt  2 boards: 1, 2   | ms   ");
    for part in [
        "solver=\"checkers-capture\"",
        "puzzles=2",
        "answers=\"1, 2\"",
        "invalid=0",
        "undecided=0",
        "waited_ms=",
        "parse_ms=",
        "solve_ms=",
        "solve_cpu_ms=",
        "publish_ms=",
        "bytes=",
        "result=\"turma/saida.txt\"",
        "route=",
    ] {
        assert!(line.contains(part), "{part} is missing in {line}");
    }
    // Another thread writes the file.
    wait_for("the line in the file", || {
        fs::read_to_string(service.at("var/log/latest")).unwrap().contains("2 boards: 1, 2").then_some(())
    });
}

#[test]
fn a_name_dropped_twice_is_answered_in_order() {
    let service = Place::new().start();
    for round in 0..20 {
        let (board, answer) = if round % 2 == 0 { (BOARD_1, "1\n") } else { (BOARD_2, "2\n") };
        service.drop_file("entrada.txt", board);
        service.wait_until_idle(0);
        service.expect("saida.txt", answer);
    }
    assert_eq!(service.files("var/done").len(), 20);
}

#[test]
fn two_inputs_that_lead_to_one_result_are_told_apart() {
    let service = Place::new().config("[results]\nformats = [\"txt\", \"json\"]\n").detailed().start();
    let root = service.at("");
    let one_line =
        |text: Vec<u8>| String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    service.drop_file("checkers-capture/a", BOARD_1);
    service.expect("checkers-capture/a.saida.txt", "1\n");
    service.wait_until_idle(0);
    let first = service.wait_for_log("  1 board: 1 |file=\"checkers-capture/a\"");
    assert!(!first.contains("replaced=") && !first.contains("name_taken="), "{first}");
    service.drop_file("checkers-capture/a.txt", BOARD_2);
    let taken = "name_taken=\"checkers-capture/a.saida.txt\" taken_by=\"checkers-capture/a\"";
    let second = service.wait_for_log(&format!(
        "because checkers-capture/a.saida.txt belongs to another file|file=\"checkers-capture/a.txt\"|{taken}"
    ));
    let id = job_in(&second).unwrap().to_owned();
    let result = format!("checkers-capture/a.saida.{id}.txt");
    assert!(second.contains(&format!("result=\"{result}\"")), "{second}");
    let words =
        format!("checkers-capture/a.saida.txt is the result of checkers-capture/a; this one is {result}");
    let history = || Some(one_line(run_in(&root, &["history"], "").stdout));
    wait_for("the history", || history().filter(|text| text.contains(&words)));
    // A result can also be the question, because it names its input.
    let why = |file: &str| one_line(run_in(&root, &["why", file], "").stdout);
    let told = why(&format!("outbox/{result}"));
    assert!(told.starts_with("checkers-capture/a.txt: answered answered "), "{told}");
    assert!(told.contains(&words) && told.contains(&format!(", by job {id}.")), "{told}");
    fs::remove_dir_all(service.at("var/history")).unwrap();
    assert!(why(&result).starts_with("checkers-capture/a.txt: answered taken "), "without a history");
    assert!(why("outbox/checkers-capture/a.saida.txt").starts_with("checkers-capture/a: answered "));
    service.drop_file("checkers-capture/a", BOARD_2);
    service.wait_for_log(
        "  checkers-capture/a  1 board: 2 (again)  |result=\"checkers-capture/a.saida.txt\" replaced=true",
    );
    service.expect("checkers-capture/a.saida.txt", "2\n");
}

#[test]
fn invalid_puzzles_are_warnings_and_the_others_are_answered() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", "3 3\n2 1 7 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n");
    let result = service.expect_some("saida.txt");
    let lines: Vec<_> = result.lines().collect();
    assert_eq!(lines.len(), 2, "{result}");
    assert!(lines[0].starts_with("invalid board: ") && lines[0].ends_with("[entrada.txt:2:5]"), "{result}");
    assert_eq!(lines[1], "2");
    service.wait_for_log("  entrada.txt:2:5  invalid: found 7, expected 0, 1 or 2");
    service.wait_for_log("  entrada.txt  2 boards, 1 invalid   ");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 1);
}

#[test]
fn after_three_invalid_puzzles_the_log_counts() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", "3 3\n2 1 7 0 1\n".repeat(30) + "0 0\n");
    service.wait_for_log("  entrada.txt  27 more invalid");
    service.expect_told("  invalid: ", 3);
}

#[test]
fn what_is_no_board_file_is_rejected_with_a_report() {
    let gzip: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00";
    let binary: &[u8] = &[0, 1, 2, 3, 0, 0, 255, 254, 10, 0];
    let files: [(&str, &[u8], &str, &str, &str); 6] = [
        (
            "a-entrada.txt",
            b"Dear teacher,\nhere it is.\n",
            "a-erro.txt",
            "no-puzzle",
            "no puzzle for checkers-capture",
        ),
        ("entrada.gz", gzip, "erro.gz.txt", "compressed-file", "compressed (gzip)"),
        ("b-entrada.txt", binary, "b-erro.txt", "no-puzzle", "which holds binary data"),
        ("homework.dat", BOARD_1.as_bytes(), "homework.dat.erro.txt", "no-route", "checkers-capture"),
        (
            "c-entrada.txt",
            b"#: speed = 9\n3 3\n2 1 2 0 1\n",
            "c-erro.txt",
            "directive",
            "c-entrada.txt:1:4: ",
        ),
        ("d-entrada.txt", b"\xff\xfe3\0 \x003\0", "d-erro.txt", "wide-text", "UTF-16"),
    ];
    let service = Place::new().detailed().start();
    for (name, content, ..) in files {
        service.drop_file(name, content);
    }
    for (name, _, report, rule, words) in files {
        let text = service.expect_some(report);
        let told = text.replace("\n  ", " ");
        assert!(told.starts_with(&format!("rejected: {name}:")) && told.contains(words), "{text}");
        service.wait_for_log(&format!("  rejected: |{name}|{rule}|{report}"));
    }
    fs::write(service.at("inbox/entrada.txt"), "").unwrap();
    assert!(service.expect_some("erro.txt").contains("empty"));
    service.wait_until_idle(0);
    assert_eq!(service.files("var/failed").len(), 7);
    assert_eq!(service.files("var/done").len(), 0);
}

#[test]
fn a_file_that_no_route_takes_learns_what_was_tried_and_who_could_read_it() {
    let service = Place::new().start();
    service.drop_file("homework.dat", BOARD_1);
    let report = service.expect_some("homework.dat.erro.txt");
    assert!(report.contains("**/*entrada*"), "{report}");
    let advice = "this looks like checkers-capture (1 board can be read): put it into a folder checkers-capture or call it \
                  damas….txt; no route takes the file";
    assert!(report.replace("\n  ", " ").contains(advice), "{report}");
    let config = "[results]\nlanguage = \"pt\"\n[[route]]\nname = \"all\"\nfiles = [\"*.txt\"]\nsolver = \"jump-game\"\n";
    let service = Place::new().config(config).start();
    service.drop_file("homework.dat", "?");
    let report = service.expect_some("homework.dat.erro.txt");
    assert!(report.ends_with("Rotas tentadas, nesta ordem:\n  all (*.txt) vai para jump-game\n"), "{report}");
}

#[test]
fn a_later_success_removes_the_report_and_a_later_rejection_keeps_the_result() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", "nothing");
    service.expect_some("erro.txt");
    service.wait_until_idle(0);
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    assert_eq!(service.files("outbox"), ["saida.txt"]);
    service.drop_file("entrada.txt", "nothing");
    assert!(service.expect_some("erro.txt").contains("older result is still beside this report: saida.txt"));
    service.expect("saida.txt", "1\n");
}

const ROUTE: &str = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";

#[test]
fn results_are_versioned_where_the_route_says_so() {
    let config = format!("[results]\nformats = [\"txt\", \"json\"]\n{ROUTE}if_exists = \"version\"\n");
    let service = Place::new().config(&config).start();
    let boards = [(BOARD_1, "1\n"), (BOARD_2, "2\n"), (BOARD_1, "1\n")];
    for (board, _) in boards {
        service.drop_file("entrada.txt", board);
        service.wait_until_idle(0);
    }
    let names = service.files("outbox");
    service.expect_own("saida.ID.txt", &boards.map(|(_, answer)| answer));
    let archived = service.files("var/done");
    let as_outputs =
        |name: &String| ["json", "txt"].map(|end| name.replace("entrada", "saida").replace("txt", end));
    assert_eq!(names, archived.iter().flat_map(as_outputs).collect::<Vec<_>>());
}

#[test]
fn a_json_result_stands_beside_the_text() {
    let config = format!("[results]\nformats = [\"txt\", \"json\"]\nmode = \"0640\"\n{ROUTE}");
    let service = Place::new().config(&config).start();
    service.drop_file("entrada.txt", "3 3\n2 1 2 0 1\n3 3\n2 1 7 0 1\n0 0\n");
    service.wait_until_idle(0);
    let json: serde_json::Value = serde_json::from_str(&service.expect_some("saida.json")).unwrap();
    assert_eq!(json["solver"], "checkers-capture");
    assert_eq!(json["puzzles"][0]["answer"], 1);
    assert_eq!(json["puzzles"][1]["invalid"]["line"], 4);
    assert_eq!(json["puzzles"][1]["line"], 3);
    // The result of sha256sum on the 38 bytes above.
    let digest = json["job"]["input_sha256"].as_str().unwrap();
    assert_eq!(digest.len(), 64);
    let mode = fs::metadata(service.at("outbox/saida.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn directives_choose_the_solver_and_lower_limits() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", "#: solver = 2048-merge\n1\n2 50\n2 2\n0 0\n");
    service.expect("saida.txt", "1\n");
    service.drop_file("x-entrada.txt", "#: time_limit = 100h\n3 3\n2 1 2 0 1\n");
    assert!(service.expect_some("x-erro.txt").contains("loosen"));
}

/// Also if no route takes the file, and in an archive.
#[test]
fn an_unknown_solver_is_told_as_that_by_report_log_history_and_why() {
    let service = Place::new().config("[results]\nlanguage = \"pt\"\n").detailed().start();
    let ask = |arguments: &[&str]| String::from_utf8(run_in(&service.at(""), arguments, "").stdout).unwrap();
    let text = format!("# pulo\n  #: solver = jump\n{BOARD_1}");
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text("ana/lista.dat", text.as_bytes()).unwrap();
    service.drop_file("turma.zip", archive.finish(Vec::new()).unwrap());
    let known = SOLVERS.iter().map(|solver| solver.id()).collect::<Vec<_>>().join(", ");
    let cause = format!(
        "unknown solver 'jump' (did you mean 'jump-game'?); known: {known}; nothing in the file is answered \
         until this is corrected (line 2, column 15)"
    );
    service.wait_for_log(&format!("  turma.zip/ana/lista.dat  rejected: {cause}"));
    service.drop_file("lista.dat", &text);
    let report = service.expect_some("lista.dat.erro.txt");
    let told = "rejeitado: lista.dat:2:15: solver desconhecido 'jump' (você quis dizer 'jump-game'?); ";
    assert!(report.replace("\n  ", " ").starts_with(told), "{report}");
    assert!(report.contains("2 |   #: solver = jump\n  |               ^^^^\n"), "{report}");
    service.wait_for_log(&format!("  lista.dat  rejected: {cause}"));
    let history = wait_for("the history", || {
        let text = ask(&["history", "--json", "--route", "none"]);
        text.contains("\"lista.dat\"").then_some(text)
    });
    assert!(history.contains(&cause), "{history}");
    let why = ask(&["why", "lista.dat"]);
    assert!(why.contains(": rejected\n") && why.contains(&cause), "{why}");
    let why = ask(&["why", "turma.zip"]);
    assert!(why.contains(&format!("\n  ana/lista.dat: {cause}\n")), "{why}");
}

#[test]
fn a_directive_that_comes_too_late_is_told_in_the_result() {
    let service = Place::new().config("[results]\nformats = [\"txt\", \"json\"]\n").detailed().start();
    service.drop_file("entrada.txt", BOARD_1.replacen('\n', "\n#: witness = true\n", 1));
    let warning = "the directive in line 2 is only a comment: write it before the first number";
    service.expect("saida.txt", &format!("1\nwarning: {warning}\n"));
    let json: Value = serde_json::from_str(&service.expect_some("saida.json")).unwrap();
    let told = &json["job"]["warnings"];
    assert_eq!((told.as_array().unwrap().len(), &told[0]["rule"]), (1, &"late-directive".into()));
    assert_eq!((&told[0]["line"], &told[0]["text"]), (&2.into(), &warning.into()));
    service.wait_for_log(&format!("  entrada.txt:2:1  warning: {warning}"));
    // After the last puzzle of any solver.
    for solver in SOLVERS {
        let (id, example) = (solver.id(), solver.info().example.input);
        let lines = example.trim_end().lines().count() + 1;
        service.drop_file(
            &format!("{id}/x.txt"),
            format!("#: language = pt\n{}\n#: goal = 8\n", example.trim_end()),
        );
        let result = service.expect_some(&format!("{id}/x.saida.txt"));
        let line = lines + 1;
        let warning = format!(
            "\nwarning: a diretiva da linha {line} é só um comentário: escreva-a antes do primeiro número\n"
        );
        assert!(result.ends_with(&warning), "{id}: {result}");
    }
}

#[test]
fn a_file_above_the_size_limit_is_rejected() {
    let service = Place::new().config("[intake]\nsize_limit = \"20B\"\n").start();
    service.drop_file("entrada.txt", "3 3\n2 1 2 0 1\n# a long comment\n0 0\n");
    assert!(service.expect_some("erro.txt").contains("intake.size_limit"));
}

#[test]
fn every_golden_case_is_answered_the_same_when_it_is_dropped() {
    let cases = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut place = Place::new();
    let mut expected = Vec::new();
    for path in fs::read_dir(cases).unwrap().flat_map(|solver| fs::read_dir(solver.unwrap().path()).unwrap())
    {
        let path = path.unwrap().path();
        let solver = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let Some(stem) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".entrada.txt") else {
            continue;
        };
        let input = fs::read(&path).unwrap();
        // Here the route sets the options.
        if String::from_utf8_lossy(&input).contains("# set: ") {
            continue;
        }
        place = place.file(&format!("inbox/{solver}/{stem}.entrada.txt"), &input);
        let result = fs::read_to_string(path.with_file_name(format!("{stem}.saida.txt"))).unwrap();
        let result = result.replace(&format!(" [{stem}.entrada"), &format!(" [{solver}/{stem}.entrada"));
        expected.push((format!("{solver}/{stem}"), result));
    }
    assert!(expected.len() > 60, "{}", expected.len());
    let (place, output) = place.argument("--once").run();
    assert!(output.status.success());
    for (name, result) in expected {
        // In a name with `erro` in it, such as "errors", nothing is translated.
        let stem = if name.contains("erro") { format!("{name}.entrada") } else { name.clone() };
        let read = |kind| fs::read_to_string(place.at(&format!("outbox/{stem}.{kind}.txt"))).ok();
        match (read("saida"), read("erro")) {
            (Some(found), None) => {
                // What concerns the whole file follows the answers.
                let told = found.strip_prefix(&result).unwrap_or_else(|| panic!("{name}: {found}\n{result}"));
                let is_odd = name == "checkers-capture/text-after-end-marker";
                assert_eq!(told.starts_with("ignored: 3 lines"), is_odd, "{name}: {told}");
                let is_of_rules = name.starts_with("jump-game/")
                    && told.contains(" another answer by the course's rules: ");
                let is_wrapped = ["2048-merge/wrong-count-of-values", "jump-game/wrapped-like-a-game"]
                    .contains(&&*name)
                    && told.contains(" has 2 numbers, but a row has 3, so rows were read across ");
                assert!(is_odd || is_of_rules || is_wrapped || told.is_empty(), "{name}: {told}");
            }
            (None, Some(_)) => {
                assert!(result.lines().all(|line| line.starts_with("invalid")), "{name}: {result}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_log_is_json_for_machines() {
    let service = Place::new().config("[log]\nformat = \"json\"\n").start();
    service.drop_file("entrada.txt", "3 3\n2 1 7 0 1\n3 3\n2 1 2 0 1\n0 0\n");
    service.wait_for_log("answered with warnings");
    let lines: Vec<serde_json::Value> =
        service.log().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let invalid = lines.iter().find(|line| line["message"] == "invalid puzzle").unwrap();
    assert_eq!(
        (&invalid["line"], &invalid["column"], &invalid["rule"]),
        (&2.into(), &5.into(), &"square-value".into())
    );
    let answered = lines.iter().find(|line| line["message"] == "answered with warnings").unwrap();
    assert_eq!(answered["puzzles"], 2);
    assert!(answered["solve_ms"].is_number() && answered["span"]["id"].is_string());
}

#[test]
fn a_mixed_folder_of_200_files_is_answered_each_once() {
    let mut place = Place::new();
    for number in 0..200 {
        let (name, content) = match number % 5 {
            0 => (format!("{number}-entrada.txt"), BOARD_1),
            1 => (format!("t{}/damas{number}.txt", number % 7), BOARD_2),
            2 => (format!("pulo{number}.txt"), "1 2\n1\n1 0\n0 0\n"),
            3 => (format!("a/merge{number}.txt"), "1\n2 50\n2 2\n0 0\n"),
            _ => (format!("note{number}.doc"), "hello"),
        };
        place = place.file(&format!("inbox/{name}"), content);
    }
    let (place, output) = place.argument("--once").run();
    assert!(output.status.success());
    assert_eq!(place.files("inbox").len(), 0);
    let outputs = place.files("outbox");
    assert_eq!(outputs.len(), 200);
    assert_eq!(outputs.iter().filter(|name| name.contains("saida")).count(), 160);
    assert_eq!(outputs.iter().filter(|name| name.contains("erro")).count(), 40);
    assert_eq!((place.files("var/done").len(), place.files("var/failed").len()), (160, 40));
    let log = String::from_utf8(output.stderr).unwrap();
    assert_eq!(log.lines().filter(|line| line.ends_with(" ms")).count(), 160);
    assert_eq!(log.matches("  rejected: ").count(), 40);
    assert!(log.lines().all(|line| line.chars().count() <= 100), "{log}");
}
