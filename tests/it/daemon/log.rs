//! Tests the log as people read it. A log whose reader is stuck does not delay answers.

use std::fs::{self, File};
use std::io::{PipeReader, Read};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;

use nix::pty::{Winsize, openpty};

use crate::harness::{BOARD_1, BOARD_2, Place, begins_with_a_time, run_in, tabuleiro, wait_for};

/// Enough files to log more lines than can wait for a sink.
const FILES: usize = 1000;
const QUIET: &str = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"1h\"\n";

/// Returns a place whose log goes into a pipe that nobody reads at first.
fn place() -> (Place, PipeReader) {
    Place::new().config(QUIET).pipe_stderr()
}

#[test]
fn nobody_reads_standard_error_and_every_file_is_answered() {
    // Long paths make lines long, and invalid puzzles make many lines: more than can wait for a sink.
    let folder = ["x", "y", "z", "w"].map(|letter| letter.repeat(200)).join("/");
    let (place, mut pipe) = place();
    let mut place = place.detailed();
    for number in 0..FILES {
        place = place.file(&format!("inbox/{folder}/{number}-entrada.txt"), "3 3\n2 1 7 0 1\n".repeat(20));
    }
    let service = place.spawn();
    wait_for("all results", || (service.files("outbox").len() == FILES).then_some(()));
    service.wait_until_idle(0);
    let status = run_in(&service.at(""), &["status", "--json"], "");
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    let lost = &status["log_lost"];
    assert_eq!((&lost[0]["sink"], &lost[1]["sink"]), (&"stderr".into(), &"file".into()), "{lost}");
    let lines = lost[0]["lines"].as_u64().unwrap();
    assert!(lines > 0 && lost[1]["lines"] == 0, "{lost}");
    let told = String::from_utf8(run_in(&service.at(""), &["status"], "").stdout).unwrap();
    let words = format!("log          {lines} lines were not written to standard error");
    assert!(told.contains(&words), "{told}");
    // The pipe is read again, and the log reports the gap.
    let read = Arc::new(Mutex::new(String::new()));
    let text = Arc::clone(&read);
    let reader = thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            text.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    });
    let gap =
        format!("  warning: {lines} lines of the log not written: writing them failed or took too long\n");
    let at = wait_for("the gap", || read.lock().unwrap().find(&gap));
    let place = service.stop();
    reader.join().unwrap();
    let text = read.lock().unwrap();
    assert!(text[at..].lines().last().unwrap().contains("  stopped; "), "{}", &text[at..]);
    let files = fs::read_to_string(place.at("var/log/latest")).unwrap();
    assert_eq!(files.matches(" boards, 20 invalid ").count(), FILES, "the files have every line");
    assert_eq!(files.matches("  invalid: ").count(), 3 * FILES);
}

#[test]
fn a_standard_error_that_nobody_reads_does_not_keep_the_service_from_ending() {
    let (place, _pipe) = place();
    let place = place.config(&format!("{QUIET}[log]\nlevel = \"trace\"\nfile = false\n"));
    let service = place.spawn();
    // More than a pipe holds.
    for number in 0..400 {
        service.drop_file(&format!("{number}-entrada.txt"), "3 3\n2 1 7 0 1\n".repeat(20));
    }
    wait_for("all results", || (service.files("outbox").len() == 400).then_some(()));
    service.wait_until_idle(0);
    let _ = service.stop();
}

#[test]
fn a_closed_standard_error_disturbs_nobody() {
    let (place, pipe) = place();
    let service = place.spawn();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    drop(pipe);
    service.drop_file("b-entrada.txt", BOARD_1);
    service.expect("b-saida.txt", "1\n");
    service.wait_until_idle(0);
    let place = service.stop();
    assert!(fs::read_to_string(place.at("var/log/latest")).unwrap().contains("  stopped; "));
}

#[test]
fn an_error_that_ends_the_service_is_not_told_to_nobody_for_ever() {
    let (place, _pipe) = place();
    let place = place.fill_stderr().config("no = 1\n");
    let mut service = place.spawn();
    assert_eq!(service.wait().code(), Some(78));
}

/// Runs the service once on a terminal of 80 columns, and returns what the terminal shows.
fn on_a_terminal(place: &Place, environment: &[(&str, &str)]) -> String {
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(Some(&size), None).unwrap();
    let mut terminal = File::from(pty.master);
    let reader = thread::spawn(move || {
        let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
        // Reading a terminal ends with an error after all programs have closed it.
        while let Ok(count @ 1..) = terminal.read(&mut buffer) {
            text.extend_from_slice(&buffer[..count]);
        }
        String::from_utf8(text).unwrap().replace('\r', "")
    });
    let mut command = tabuleiro();
    command.args(["serve", "--once"]).current_dir(place.at("")).env_remove("LC_ALL").env_remove("NO_COLOR");
    command.envs(environment.iter().copied()).stdin(Stdio::null()).stderr(Stdio::from(pty.slave));
    assert!(command.status().unwrap().success());
    drop(command);
    reader.join().unwrap()
}

#[test]
fn a_terminal_shows_lines_in_its_width_in_colour_and_in_its_language() {
    let place = || {
        let folder = "turma-de-algoritmos-2026-2/grupo-07-noturno";
        Place::new()
            .file("config/tabuleiro.toml", QUIET)
            .file("inbox/entrada.txt", BOARD_1)
            .file(&format!("inbox/{folder}/entrada-do-trabalho.txt"), BOARD_2)
            .file("inbox/bad-entrada.txt", format!("3 3\n2 1 7 0 1\n{BOARD_1}"))
            .file("inbox/letter-entrada.txt", "Dear teacher, here is my puzzle.")
    };
    let plain = place();
    let shown = on_a_terminal(&plain, &[("LANG", "pt_BR.UTF-8"), ("NO_COLOR", "1")]);
    for part in [
        "  entrada.txt  1 tabuleiro: 1   ",
        "  turma-de-algoritmos…rada-do-trabalho.txt  1 tabuleiro: 2   ",
        "  bad-entrada.txt:2:5  inválido: ",
        "  bad-entrada.txt  2 tabuleiros, 1 inválido   ",
        "  letter-entrada.txt  rejeitado: ",
        "  parado; desde o início: ",
    ] {
        assert!(shown.contains(part), "{part}:\n{shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 80 && !line.contains('\x1b')), "{shown}");
    // How long a file takes is not known, but no time has a point in Portuguese.
    let mut times = shown.lines().filter_map(|line| line.strip_suffix(" ms")?.rsplit_once("   "));
    assert!(times.all(|(_, time)| !time.contains('.')), "{shown}");
    let file = fs::read_to_string(plain.at("var/log/latest")).unwrap();
    assert!(file.contains("  bad-entrada.txt  2 boards, 1 invalid   "), "{file}");
    assert!(file.lines().all(begins_with_a_time), "{file}");
    let shown = on_a_terminal(&place(), &[("LANG", "C.UTF-8")]);
    for part in [
        "\x1b[0m  entrada.txt  1 board: 1   ",
        "\x1b[31m  2 boards, 1 invalid   \x1b[0m\x1b[2m",
        "  letter-entrada.txt\x1b[31m  rejected: ",
    ] {
        assert!(shown.contains(part), "{part:?}:\n{shown:?}");
    }
}
