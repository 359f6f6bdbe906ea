//! Tests crashes: the next run finishes every claim, once.

use std::fs;

use rustix::fs::XattrFlags;

use crate::harness::{BOARD_1, BOARD_2, Place, Service, wait_for};

/// A route on which the published exponential program gets a board that it cannot finish.
pub const SLOW: &str = r#"
[intake]
quiet_period = "50ms"
rescan_interval = "1h"
[workers]
stop_timeout = "100ms"
[[route]]
name = "slow"
files = ["**/slow*"]
solver = "checkers-capture"
options = { algorithm = "backtracking", limits = "none" }
time_limit = "none"
job_time_limit = "none"
[[route]]
name = "fast"
files = ["**/*"]
solver = "checkers-capture"
if_exists = "version"
"#;

/// Returns the dense lattice of 20 × 20: every even row is full of opponents.
pub fn slow_board() -> String {
    let mut text = "20 20\n".to_owned();
    for row in 0..20 {
        for square in 0..10 {
            let value = if row % 2 == 0 { 2 } else { i32::from(row == 1 && square == 0) };
            text.push_str(&format!("{value} "));
        }
        text.push('\n');
    }
    text + "0 0\n"
}

/// Waits until the slow file is being answered.
pub fn wait_until_begun(service: &Service, tries: u32) {
    wait_for("a job in hand", || {
        let mut claims = fs::read_dir(service.at("var/work")).ok()?.flatten();
        claims.find(|claim| claim.file_name().to_string_lossy().contains(&format!("Z!{tries}=")))
    });
}

#[test]
fn what_was_claimed_when_the_process_died_is_finished_by_the_next() {
    let service = Place::new().config(SLOW).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    let place = service.kill();
    assert_eq!(place.files("inbox").len(), 0);
    let fast = SLOW.replace("algorithm = \"backtracking\", ", "");
    let service = place.config(&fast).start();
    service.wait_for_log("finishing 1 file of an earlier run");
    service.expect_some("slow.saida.txt");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 1);
}

#[test]
fn a_file_that_killed_the_process_takes_no_other_with_it() {
    // Both files were being answered when the process died.
    let place = Place::new()
        .config(SLOW)
        .file("var/work/20260101T000000.000000Z!1=slow.txt", slow_board())
        .file("var/work/20260101T000000.000001Z!1=x.txt", BOARD_1)
        .file("inbox/y.txt", BOARD_2);
    let service = place.spawn();
    wait_until_begun(&service, 2);
    let place = service.kill();
    assert!(place.at("var/work/20260101T000000.000000Z!2=slow.txt").exists());
    assert!(
        place.at("var/work/20260101T000000.000001Z!1=x.txt").exists(),
        "it was not begun beside the other"
    );
    let service = place.start();
    assert!(service.expect_some("slow.erro.txt").contains("ended 2 times"));
    service.expect("x.saida.20260101T000000.000001Z.txt", "1\n");
    service.expect_own("y.saida.ID.txt", &["2\n"]);
    service.wait_until_idle(0);
}

#[test]
fn a_file_that_killed_the_process_twice_is_set_aside() {
    let mut place = Place::new().config(SLOW);
    for tries in 1..=2 {
        let service = if tries == 1 { place.start() } else { place.spawn() };
        if tries == 1 {
            service.drop_file("slow.txt", slow_board());
        }
        wait_until_begun(&service, tries);
        place = service.kill();
    }
    let service = place.start();
    assert!(service.expect_some("slow.erro.txt").contains("ended 2 times"));
    service.drop_file("x.txt", BOARD_1);
    service.expect_own("x.saida.ID.txt", &["1\n"]);
    service.wait_until_idle(0);
    assert_eq!(service.files("var/failed").len(), 1);
}

#[test]
fn a_result_published_just_before_a_crash_is_not_published_again_under_another_name() {
    // The state after a crash between the rename of the result and the move of the input.
    let place = Place::new()
        .config(SLOW)
        .file("var/work/20260101T000000.000000Z!1=x.txt", BOARD_1)
        .file("outbox/x.saida.20260101T000000.000000Z.txt", "1\n");
    let result = place.at("outbox/x.saida.20260101T000000.000000Z.txt");
    // If the file system has no attributes, none is needed.
    let _ = rustix::fs::setxattr(result, "user.tabuleiro.input", b"x.txt", XattrFlags::empty());
    let service = place.start();
    service.wait_until_idle(0);
    assert_eq!(service.files("outbox"), ["x.saida.20260101T000000.000000Z.txt"]);
    assert_eq!(service.files("var/done"), ["x.20260101T000000.000000Z.txt"]);
}

#[test]
fn claims_with_names_and_in_folders_are_finished_beside_somebodys_result() {
    let place = Place::new()
        .config(SLOW)
        .file("var/work/20260101T000000.000000Z!1/x.txt", BOARD_1)
        .file("var/work/20260101T000000.000001Z=y.txt", BOARD_2)
        .file("outbox/x.saida.2.txt", "somebody's\n");
    let service = place.start();
    service.wait_until_idle(0);
    service.expect("x.saida.20260101T000000.000000Z.txt", "1\n");
    service.expect("y.saida.20260101T000000.000001Z.txt", "2\n");
    service.expect("x.saida.2.txt", "somebody's\n");
    assert_eq!(service.files("outbox").len(), 3);
}

#[test]
fn a_claim_that_an_earlier_run_left_stays_claimed_when_the_service_stops() {
    let place = Place::new().config(SLOW).file("var/work/20260101T000000.000000Z=slow.txt", slow_board());
    let service = place.start();
    wait_until_begun(&service, 1);
    let place = service.stop();
    assert_eq!(place.files("inbox").len(), 0, "its result may stand already");
    let service = place.config(&SLOW.replace("algorithm = \"backtracking\", ", "")).start();
    service.expect_some("slow.saida.txt");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done"), ["slow.20260101T000000.000000Z.txt"]);
}

#[test]
fn claims_of_one_name_are_finished_in_their_order_and_before_the_inbox() {
    let place = Place::new()
        .file("var/work/20260101T000000.000001Z/a/entrada.txt", BOARD_2)
        .file("var/work/20260101T000000.000000Z/a/entrada.txt", BOARD_1)
        .file("inbox/a/entrada.txt", BOARD_1);
    let service = place.config("[results]\nformats = [\"txt\"]\n[[route]]\nname = \"v\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\nif_exists = \"version\"\n").start();
    service.wait_until_idle(0);
    service.expect_own("a/saida.ID.txt", &["1\n", "2\n", "1\n"]);
}

#[test]
fn temporaries_and_empty_claims_of_a_dead_process_are_removed() {
    let service = Place::new().start();
    let place = service.kill();
    let staging = fs::read_dir(place.at("outbox")).unwrap().flatten().next().unwrap().path();
    fs::write(staging.join("20260101T000000.000000Z.result"), "half").unwrap();
    fs::create_dir_all(place.at("var/work/20260101T000000.000000Z!1/a")).unwrap();
    let service = place.start();
    assert_eq!(fs::read_dir(&staging).unwrap().count(), 0);
    service.wait_until_idle(0);
}
