//! Tests what a reload logs: the keys that wait for a restart.

use std::fs;

use rustix::process::Signal;

use crate::harness::Place;

const START: &str = "[intake]\nquiet_period = \"50ms\"\n";
const ROUTE: &str = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";

#[test]
fn a_reload_tells_what_waits_for_a_restart() {
    let service = Place::new().config(&format!("{START}{ROUTE}")).start();
    let route = format!(
        "{ROUTE}time_limit = \"3s\"\n[[route]]\nname = \"new\"\nfiles = [\"x\"]\nsolver = \"2048-merge\"\n"
    );
    service.reload(&format!(
        "[intake]\nquiet_period = \"60ms\"\nclaims_max = 5\n[workers]\nthreads = 3\n{route}"
    ));
    service.wait_for_log(
        "warning: changed keys take effect only after a restart: intake.claims_max, workers.threads",
    );
    service.wait_for_log("configuration reloaded: 2 routes");
}

#[test]
fn what_waits_for_a_restart_is_told_until_it_is_taken_back() {
    let service = Place::new().config(START).start();
    let waiting = |log: &str| log.matches("take effect only after a restart").count();
    service.reload(&format!("{START}claims_max = 5\n"));
    assert_eq!(waiting(&service.log()), 1);
    // An unchanged configuration is read again: nothing changed, and the key still waits.
    service.reload(&format!("{START}claims_max = 5\n"));
    assert_eq!(waiting(&service.log()), 2);
    service.reload(START);
    assert_eq!(waiting(&service.log()), 2);
}

#[test]
fn hostile_values_do_not_forge_a_line_of_the_log() {
    let service = Place::new().config(START).start();
    let config = format!("{START}ignore = [\"a\\n2026 INFO ready\", \"\\u202e\"]\nclaims_max = 3\n");
    fs::write(service.at("config/tabuleiro.toml"), config).unwrap();
    service.signal(Signal::HUP);
    service.wait_for_log("configuration reloaded");
    assert!(!service.log().lines().any(|line| line.starts_with("2026 INFO")), "{}", service.log());
    assert!(!service.log().contains('\u{202e}'));
}
