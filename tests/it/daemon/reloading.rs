//! What a reload tells: what changed, what waits for a restart.

use std::fs;

use rustix::process::Signal;

use crate::harness::Place;

const START: &str = "[intake]\nquiet_period = \"50ms\"\n";
const ROUTE: &str = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";

#[test]
fn a_reload_tells_what_changed_and_what_waits_for_a_restart() {
    let service = Place::new().config(&format!("{START}{ROUTE}")).start();
    let route = format!(
        "{ROUTE}time_limit = \"3s\"\n[[route]]\nname = \"new\"\nfiles = [\"x\"]\nsolver = \"2048-merge\"\n"
    );
    service.reload(&format!(
        "[intake]\nquiet_period = \"60ms\"\nclaims_max = 5\n[workers]\nthreads = 3\n{route}"
    ));
    service.wait_for_log("INFO|changed|key=\"intake.quiet_period\"|old=\"50ms\"|new=\"60ms\"");
    service.wait_for_log(
        "WARN|changed, and takes effect only after a restart|key=\"intake.claims_max\"|old=64|new=5",
    );
    service.wait_for_log(
        "WARN|changed, and takes effect only after a restart|key=\"workers.threads\"|old=0|new=3",
    );
    service.wait_for_log("INFO|route changed|route=\"all\"|key=\"time_limit\"|old=\"1m\"|new=\"3s\"");
    service.wait_for_log("INFO|route added|new (x) to 2048-merge");
    service.wait_for_log("INFO|configuration reloaded|routes=2|changed=3|wait_for_restart=2");
}

#[test]
fn what_waits_for_a_restart_is_told_until_it_is_taken_back() {
    let service = Place::new().config(START).start();
    let waiting = |log: &str| log.matches("takes effect only after a restart").count();
    service.reload(&format!("{START}claims_max = 5\n"));
    assert_eq!(waiting(&service.log()), 1);
    // Read again as it is: nothing changed, and the key still waits.
    service.reload(&format!("{START}claims_max = 5\n"));
    assert_eq!(waiting(&service.log()), 2);
    service.reload(START);
    assert_eq!(waiting(&service.log()), 2);
    service.wait_for_log("as it runs again, no restart is needed for it|key=\"intake.claims_max\"|new=64");
    service.wait_for_log("configuration reloaded|changed=0|wait_for_restart=0");
}

#[test]
fn a_flood_of_changes_is_counted() {
    let service = Place::new().config(&format!("{START}{ROUTE}")).start();
    let flood: String = (0..1000).map(|number| ROUTE.replace("all", &format!("r{number}"))).collect();
    service.reload(&format!("{START}{flood}"));
    service.wait_for_log("configuration reloaded|routes=1000|changed=1001");
    service.wait_for_log("further changes|more=801");
    assert_eq!(service.log().matches("route added").count(), 199);
}

#[test]
fn hostile_values_do_not_forge_a_line_of_the_log() {
    let service = Place::new().config(START).start();
    let config = format!("{START}ignore = [\"a\\n2026 INFO ready\", \"\\u202e\"]\n");
    fs::write(service.at("config/tabuleiro.toml"), config).unwrap();
    service.signal(Signal::HUP);
    service.wait_for_log("configuration reloaded");
    let line = service.wait_for_log("changed|intake.ignore");
    assert!(line.contains("INFO ready"), "{line}");
    assert!(!service.log().contains('\u{202e}'));
}
