//! Tests which inputs, logs and days of the history are kept, and which are removed.

use std::fs;

use crate::harness::{BOARD_1, BOARD_2, Place, wait_for};

const QUIET: &str = "[intake]\nquiet_period = \"50ms\"\n";
const OLD: &str = "20200101T000000.000000Z";

#[test]
fn old_inputs_go_at_the_start_and_results_stay() {
    let service = Place::new()
        .config(&format!("{QUIET}[retention]\ndone_age = \"30days\"\n"))
        .file(&format!("var/done/a/entrada.{OLD}.txt"), BOARD_1)
        .file(&format!("var/failed/b.{OLD}.txt"), "?")
        .file("var/done/notes.txt", "mine")
        .file("var/history/2020-01-01.jsonl", "{}\n")
        .file(&format!("outbox/a/saida.{OLD}.txt"), "1\n")
        .start();
    service.wait_for_log("1 old file removed from done: ");
    service.wait_for_log("1 old file removed from history: ");
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
    service.wait_until_idle(0);
    let place = service.stop();
    let done = place.files("var/done");
    assert_eq!(done.len(), 2, "{done:?}");
    assert!(done[0].starts_with("entrada.2") && done[1] == "notes.txt", "{done:?}");
    assert!(!place.at("var/done/a").exists(), "left empty");
    assert_eq!(place.files("var/failed"), [format!("b.{OLD}.txt")]);
    assert_eq!(place.files("outbox"), [format!("a/saida.{OLD}.txt"), "saida.txt".to_owned()]);
}

#[test]
fn a_reload_that_keeps_less_removes_the_oldest_at_once() {
    let service = Place::new().config(QUIET).file(&format!("var/done/b.{OLD}.txt"), BOARD_2).start();
    service.drop_file("checkers-capture/a.txt", BOARD_1);
    service.expect("checkers-capture/a.saida.txt", "1\n");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 2);
    service.reload(&format!("{QUIET}[retention]\ndone_age = \"90days\"\n"));
    wait_for("the oldest to go", || (service.files("var/done").len() == 1).then_some(()));
    let left = service.files("var/done");
    assert!(left[0].contains("a.2"), "{left:?}");
    assert_eq!(service.files("outbox").len(), 1);
}

#[test]
fn a_run_that_ends_by_itself_tidies_first() {
    let (place, output) = Place::new()
        .config(&format!("{QUIET}[retention]\nfailed_age = \"1h\"\n"))
        .file(&format!("var/failed/b.{OLD}.txt"), "?")
        .argument("--once")
        .run();
    assert!(output.status.success());
    assert_eq!(place.files("var/failed").len(), 0);
}

#[test]
fn results_below_the_folder_of_kept_inputs_stay() {
    let folders = "[folders]\noutbox = \"var/done/out\"\n";
    let (place, output) = Place::new()
        .config(&format!("{QUIET}{folders}[retention]\ndone_age = \"1h\"\n"))
        .file(&format!("var/done/out/saida.{OLD}.txt"), "1\n")
        .file(&format!("var/done/entrada.{OLD}.txt"), BOARD_1)
        .argument("--once")
        .run();
    assert!(output.status.success());
    assert_eq!(place.files("var/done"), [format!("out/saida.{OLD}.txt")]);
}

#[test]
fn links_are_not_followed() {
    let place = Place::new().config(&format!("{QUIET}[retention]\ndone_age = \"1h\"\n"));
    fs::create_dir_all(place.at("elsewhere")).unwrap();
    fs::write(place.at("elsewhere").join(format!("x.{OLD}.txt")), BOARD_1).unwrap();
    fs::create_dir_all(place.at("var/done")).unwrap();
    // The service does not follow the link, and does not complain about it.
    std::os::unix::fs::symlink("../../elsewhere", place.at("var/done/link")).unwrap();
    let service = place.file(&format!("var/done/y.{OLD}.txt"), BOARD_1).start();
    service.wait_for_log("1 old file removed from done: ");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    assert!(service.at("elsewhere").join(format!("x.{OLD}.txt")).exists());
}
