//! Tests the history: one line per ended job, which `tabuleiro history` shows with and without a service.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

use nix::pty::{Winsize, openpty};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::harness::{BOARD_1, BOARD_2, Place, Service, run_in, tabuleiro, wait_for};

/// Returns the lines of the history, of all days.
fn lines(root: &Path) -> Vec<Value> {
    let mut days: Vec<_> =
        fs::read_dir(root.join("var/history")).unwrap().map(|day| day.unwrap().path()).collect();
    days.sort();
    let text: String = days.iter().map(|day| fs::read_to_string(day).unwrap()).collect();
    // The last line may be incomplete.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn wait_for_lines(service: &Service, count: usize) -> Vec<Value> {
    wait_for("lines in the history", || Some(lines(&service.at(""))).filter(|lines| lines.len() >= count))
}

fn ask(root: &Path, arguments: &[&str]) -> String {
    let output = run_in(root, &[&["history"], arguments].concat(), "");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Lines that belong to no puzzle are mistakes, but no invalid puzzles, as in the summary of `solve`.
#[test]
fn a_title_is_no_puzzle() {
    let text = "2\nCaso 1:\n2 1\n2 2\n0 0\nCaso 2:\n2 1\n4 4\n0 0\n";
    let service = Place::new().config("[results]\nformats = [\"txt\", \"json\"]\n").start();
    service.drop_file("merge.txt", text);
    let lines = wait_for_lines(&service, 1);
    let answered = &lines[0];
    assert_eq!((&answered["puzzles"], &answered["answers"]), (&2.into(), &"1, 1".into()), "{answered}");
    assert_eq!(answered["invalid"].as_u64().unwrap_or(0), 0, "{answered}");
    assert_eq!(answered["mistakes"].as_array().map(Vec::len), Some(1), "{answered}");
    let result = fs::read_to_string(service.at("outbox/merge.saida.json")).unwrap();
    let result: Value = serde_json::from_str(&result).unwrap();
    assert_eq!((&result["job"]["puzzles"], &result["job"]["invalid"]), (&2.into(), &0.into()), "{result}");
    let solved = run_in(&service.at(""), &["solve", "--solver", "2048-merge"], text);
    assert_eq!(solved.status.code(), Some(65), "{solved:?}");
}

#[test]
fn every_job_that_ended_has_a_line_that_tells_all() {
    let service = Place::new().start();
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff\n-entrada.txt");
    service.drop_file("turma/entrada.txt", BOARD_1.replace("0 0\n", "9 9 9 9\n") + BOARD_2);
    wait_for_lines(&service, 1);
    service.drop_file("letter-entrada.txt", "Dear Sir");
    wait_for_lines(&service, 2);
    fs::write(service.at("inbox").join(odd), BOARD_1).unwrap();
    let lines = wait_for_lines(&service, 3);
    let answered = &lines[0];
    assert_eq!(answered["file"], "turma/entrada.txt");
    assert_eq!((&answered["route"], &answered["solver"]), (&"entrada".into(), &"checkers-capture".into()));
    assert_eq!((&answered["outcome"], &answered["output"]), (&"answered".into(), &"turma/saida.txt".into()));
    assert!(answered["answers"].as_str().unwrap().starts_with("1, "), "{answered}");
    assert!(answered["invalid"].as_u64() > Some(0) && answered["bytes"].as_u64() > Some(10), "{answered}");
    let rejected = &lines[1];
    assert_eq!((&rejected["outcome"], &rejected["rule"]), (&"rejected".into(), &"no-puzzle".into()));
    assert!(rejected["reason"].as_str().unwrap().contains("only words"), "{rejected}");
    assert_eq!(rejected["output"], "letter-erro.txt");
    // A name that is no UTF-8 is kept without loss.
    assert_eq!(lines[2]["file"]["hex"], "6f6464ff0a2d656e74726164612e747874");
    for line in &lines[..2] {
        assert!(service.at("var").join(line["kept"].as_str().unwrap()).is_file(), "{line}");
        assert!(line["publish_ms"].as_f64() > Some(0.0) && line["time"].as_str().unwrap().ends_with('Z'));
    }
    assert!(lines[0]["kept"].as_str().unwrap().starts_with("done/turma/entrada.2"));
    assert!(lines[1]["kept"].as_str().unwrap().starts_with("failed/letter-entrada.2"));
}

#[test]
fn the_history_is_told_with_the_service_up_and_down() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", BOARD_1);
    wait_for_lines(&service, 1);
    service.drop_file("a/letter-entrada.txt", "Dear\u{1b}[31m Sir");
    wait_for_lines(&service, 2);
    let up = ask(&service.at(""), &[]);
    let place = service.stop();
    let root = place.at("");
    assert_eq!(ask(&root, &[]), up);
    let rows: Vec<_> = up.lines().collect();
    assert!(rows[0].starts_with("ended (+00:00)") && rows.len() == 3, "{up}");
    assert!(rows[1].contains("  answered  entrada  entrada.txt"), "{up}");
    assert!(rows[2].contains("  rejected  entrada  a/letter-entrada.txt  no puzzle"), "{up}");
    assert!(!up.contains('\u{1b}'), "{up}");
    assert!(!ask(&root, &["--failed"]).contains(" entrada.txt"));
    assert_eq!(ask(&root, &["--route", "pulo"]), "nothing found\n");
    assert_eq!(ask(&root, &["--undecided"]), "nothing found\n");
    assert_eq!(ask(&root, &["--route", "none"]), "nothing found\n");
    for (route, told) in [
        ("entrda", "unknown route 'entrda' (did you mean 'entrada'?); known: pulo-reto,"),
        ("turma", "unknown route 'turma'; known: pulo-reto,"),
    ] {
        let wrong = run_in(&root, &["history", "--route", route], "");
        let told = format!("tabuleiro: {told}");
        assert!(wrong.status.code() == Some(64) && wrong.stderr.starts_with(told.as_bytes()), "{wrong:?}");
    }
    // A route that the configuration no longer has; a time span without any job.
    let other = "[[route]]\nname = \"other\"\nfiles = [\"**\"]\nsolver = \"jump-game\"\n";
    let place = place.file("other.toml", other);
    let config = ["--config", "other.toml", "--route", "entrada"];
    assert!(ask(&place.at(""), &config).contains("  answered  entrada  entrada.txt"));
    assert_eq!(ask(&place.at(""), &[&config[..], &["--since", "0s"]].concat()), "nothing found\n");
    assert_eq!(ask(&root, &["--since", "1h"]), up);
    let json = ask(&root, &["--json", "--limit", "1"]);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), lines(&root)[1]);
    let wrong = run_in(&root, &["history", "--since", "yesterday"], "");
    assert_eq!(wrong.status.code(), Some(64), "{wrong:?}");
}

#[test]
fn files_with_invalid_puzzles_are_found() {
    let service = Place::new().start();
    service.drop_file("right-entrada.txt", BOARD_1);
    service.drop_file("wrong-entrada.txt", format!("3 3\n2 1 2 0 7\n{BOARD_1}"));
    service.drop_file("letter-entrada.txt", "Dear Sir");
    wait_for_lines(&service, 3);
    let files = |arguments: &[&str]| {
        let json = ask(&service.at(""), &[&["--json"], arguments].concat());
        let file = |line| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_owned();
        let mut files: Vec<_> = json.lines().map(file).collect();
        files.sort();
        files
    };
    assert_eq!(files(&["--invalid"]), ["wrong-entrada.txt"]);
    assert_eq!(files(&["--invalid", "--failed"]), ["letter-entrada.txt", "wrong-entrada.txt"]);
    let lines = lines(&service.at(""));
    let told = |file: &str| lines.iter().find(|line| line["file"] == file).unwrap()["mistakes"].clone();
    assert_eq!(
        told("wrong-entrada.txt"),
        serde_json::json!(["puzzle 1 (line 2, column 9): found 7, expected 0, 1 or 2 (row 3, number 2)"])
    );
    assert_eq!(told("right-entrada.txt"), Value::Null);
}

/// Returns what `tabuleiro` prints on a terminal of so many columns.
fn on_terminal(root: &Path, arguments: &[&str], columns: u16) -> String {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).unwrap();
    let mut command = tabuleiro();
    command.args(arguments).current_dir(root).stdin(Stdio::null()).stdout(terminal.slave);
    assert!(command.stderr(Stdio::null()).status().unwrap().code() < Some(4));
    drop(command);
    let mut text = Vec::new();
    // Reading a terminal ends with an error after all programs have closed it.
    let _ = File::from(terminal.master).read_to_end(&mut text);
    String::from_utf8(text).unwrap().replace('\r', "")
}

#[test]
fn the_history_and_the_status_fit_80_columns_or_a_wider_terminal() {
    let service = Place::new().start();
    let file = "turma2/trabalho-final-de-algoritmos/Ângela-de-Assunção-课题-entrada.txt";
    service.drop_file(file, BOARD_1.replace("0 0\n", "9 9 9 9\n") + BOARD_2);
    wait_for_lines(&service, 1);
    let root = service.at("");
    let width = |text: &str| text.lines().map(UnicodeWidthStr::width).max().unwrap();
    let piped = ask(&root, &[]);
    assert!(width(&piped) <= 80 && piped.contains("turma2/tr"), "{piped}");
    assert!(piped.contains("trada.txt  1, ") && piped.contains(" invalid  "), "{piped}");
    let status = run_in(&root, &["status"], "").stdout;
    assert!(width(std::str::from_utf8(&status).unwrap()) <= 80, "{status:?}");
    let wide = on_terminal(&root, &["history"], 200);
    assert!(width(&wide) > 80 && width(&wide) <= 200 && wide.contains(file), "{wide}");
    let told = tabuleiro().arg("history").current_dir(&root).env("COLUMNS", "120").output().unwrap();
    assert!((81..=120).contains(&width(std::str::from_utf8(&told.stdout).unwrap())), "{told:?}");
}

#[test]
fn people_read_local_times_and_programs_utc() {
    let service = Place::new().environment("TZ", "<-03>3").start();
    service.drop_file("entrada.txt", BOARD_1);
    let time = wait_for_lines(&service, 1)[0]["time"].as_str().unwrap().to_owned();
    let root = service.at("");
    let told = |zone: &str, arguments: &[&str]| {
        let output = tabuleiro().args(arguments).current_dir(&root).env("TZ", zone).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let utc = told("UTC", &["history"]);
    assert!(utc.starts_with("ended (+00:00)") && utc.contains(&time[..19].replace('T', " ")), "{utc}");
    let local = told("<-03>3", &["history"]);
    assert!(local.starts_with("ended (-03:00)") && !local.contains(&time[11..19]), "{local}");
    assert!(told("<+14>-14", &["history", "--json"]).contains(&time));
    let status = told("<+0545>-5:45", &["status"]);
    assert!(status.contains("started      2") && status.contains(" +05:45 ("), "{status}");
    assert!(told("<+0545>-5:45", &["status", "--json"]).contains("\"started\":\"2"));
    // The service writes this, in its own time zone.
    let why = told("UTC", &["why", "entrada.txt"]);
    assert!(why.contains(" -03:00: 1 puzzle;"), "{why}");
    let log = service.log();
    assert!(!log.is_empty() && log.lines().next().unwrap().ends_with(" -03:00"), "{log}");
}

#[test]
fn a_history_that_cannot_be_written_costs_no_answer() {
    let service = Place::new().start();
    // The history is a file instead of a folder, because that stops even root.
    fs::remove_dir(service.at("var/history")).unwrap();
    fs::write(service.at("var/history"), "").unwrap();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_for_log("warning: the history in |cannot be written");
    service.drop_file("b-entrada.txt", BOARD_2);
    service.expect("b-saida.txt", "2\n");
    service.wait_until_idle(0);
    fs::remove_file(service.at("var/history")).unwrap();
    service.drop_file("c-entrada.txt", BOARD_2);
    service.wait_for_log("the history can be written again");
    // On a busy machine, the second job's line is written only now.
    let is_late = wait_for_lines(&service, 1)[0]["file"] == "b-entrada.txt";
    let lines = wait_for_lines(&service, 1 + usize::from(is_late));
    assert_eq!(lines[lines.len() - 1]["file"], "c-entrada.txt");
    service.expect_told("cannot be written", 1);
}

/// Lines after the end of the puzzles are reported everywhere.
#[test]
fn what_is_ignored_at_the_end_is_told_by_result_log_history_and_why() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", format!("{BOARD_1}3 3\n2 1 2 0 1\n# no line\n\n0 0\n"));
    service.expect("saida.txt", "1\nignored: 3 lines after the end marker 0 0 (line 3)\n");
    service.wait_for_log("ignored: 3 lines after the end marker 0 0");
    service.wait_for_log("entrada.txt  1 board: 1 ");
    service.wait_until_idle(0);
    let told = ask(&service.at(""), &[]);
    assert!(told.contains("answered, 3 lines ignored"), "{told}");
    let told = run_in(&service.at(""), &["why", "entrada.txt"], "");
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("1 puzzle; 3 lines behind the end of the puzzles were ignored"), "{told}");
}
