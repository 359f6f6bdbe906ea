//! A log that nobody takes: whoever drops a file does not notice.

use std::fs;
use std::io::{PipeReader, Read};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::harness::{BOARD_1, Place, run_in, wait_for};

/// Whose lines are more than wait for a sink.
const FILES: usize = 300;
const QUIET: &str = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"1h\"\n";

/// A place whose log is read by nobody, unless from the pipe.
fn place() -> (Place, PipeReader) {
    Place::new().config(QUIET).pipe_stderr()
}

#[test]
fn nobody_reads_standard_error_and_every_file_is_answered() {
    // Paths make lines long, invalid puzzles make many: more than wait for a sink.
    let folder = ["x", "y", "z", "w"].map(|letter| letter.repeat(200)).join("/");
    let (mut place, mut pipe) = place();
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
    // Somebody reads again, and learns of the gap.
    let read = Arc::new(Mutex::new(String::new()));
    let text = Arc::clone(&read);
    let reader = thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            text.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    });
    let gap = format!("  WARN {lines} lines not written: nobody took them in time\n");
    let at = wait_for("the gap", || read.lock().unwrap().find(&gap));
    let place = service.stop();
    reader.join().unwrap();
    let text = read.lock().unwrap();
    assert!(text[at..].lines().last().unwrap().contains(" stopped "), "{}", &text[at..]);
    let files = fs::read_to_string(place.at("var/log/latest")).unwrap();
    assert_eq!(files.matches("}: answered with warnings ").count(), FILES, "the files have every line");
    assert_eq!(files.matches("}: invalid puzzle ").count(), 20 * FILES);
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
    assert!(fs::read_to_string(place.at("var/log/latest")).unwrap().contains(" stopped "));
}

#[test]
fn an_error_that_ends_the_service_is_not_told_to_nobody_for_ever() {
    let (place, _pipe) = place();
    let place = place.fill_stderr().config("no = 1\n");
    let mut service = place.spawn();
    assert_eq!(service.wait().code(), Some(78));
}
