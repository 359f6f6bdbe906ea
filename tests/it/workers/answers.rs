//! The answers of workers are those of a local run, whatever the solver, and puzzles that must stay do not travel.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;

use super::harness::{
    Worker, broker, drop_all, expect_as_local, keep_busy, merges, one_a_solver, status, wait_for_count,
    wait_for_workers,
};
use crate::harness::{BOARD_1, Place, wait_for};

#[test]
fn every_solver_s_answers_are_byte_for_byte_those_of_a_local_run() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(2);
    wait_for_workers(&service, 2);
    // First together with local threads and without patience, then by workers alone.
    let files = one_a_solver();
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    keep_busy(&service);
    for (name, content) in files {
        let solved = status(&service)["solved"].as_u64().unwrap();
        let file = [(format!("once-more/{name}"), content)];
        drop_all(&service, &file);
        expect_as_local(&service, &file);
        let now = wait_for_count(&service, "solved", solved + 1);
        assert!(now > solved, "{name} travelled");
    }
    let status = status(&service);
    assert_eq!((&status["refused"], &status["poisoned"]), (&json!(0), &json!(0)), "{status}");
    drop(service);
    assert!(worker.stop().contains("stopped after "));
}

#[test]
fn what_is_to_stay_here_does_not_travel() {
    let Some(broker) = broker() else { return };
    // No puzzle waits that long.
    let patient = broker.config("").replace("patience = \"0s\"", "patience = \"1h\"");
    let service = Place::new().config(&patient).start();
    let _worker = broker.worker(2);
    wait_for_workers(&service, 2);
    let small = [("checkers.txt".to_owned(), BOARD_1.to_owned()), ("merge.txt".to_owned(), merges(10, 5))];
    drop_all(&service, &small);
    expect_as_local(&service, &small);
    assert_eq!(status(&service)["sent"], 0);
    let service = service.stop().config(&broker.config("")).start();
    wait_for_workers(&service, 2);
    let home = [("home.txt".to_owned(), merges(20, 5))];
    drop_all(&service, &home);
    expect_as_local(&service, &home);
    assert_eq!(status(&service)["sent"], 0);
    let travels = [("merge-2.txt".to_owned(), merges(20, 5))];
    drop_all(&service, &travels);
    expect_as_local(&service, &travels);
    assert_ne!(status(&service)["sent"], 0);
}

#[test]
fn a_worker_that_is_to_work_once_ends_when_there_is_nothing() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let mut worker = Worker::start(env!("CARGO_BIN_EXE_tabuleiro"), &broker.url(), 1, &["--once"]);
    wait_for_workers(&service, 1);
    keep_busy(&service);
    let files = [("merge.txt".to_owned(), merges(5, 5))];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    assert!(worker.wait().success());
    assert!(worker.log().contains("stopped after 5 puzzles"), "{}", worker.log());
    assert_eq!(worker.state(), [""; 0]);
    wait_for("its leave", || status(&service)["workers"].as_array().is_some_and(Vec::is_empty).then_some(()));
}

#[test]
fn a_broker_must_be_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_tabuleiro"))
        .args(["work", "--threads", "1"])
        .current_dir("/")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("HOME")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(78));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--url nats://"), "{output:?}");
}

#[test]
fn the_page_tells_how_many_help_and_names_nobody() {
    let Some(mut broker) = broker() else { return };
    let config = broker.config("[page]\npath = \"outbox/index.html\"\n");
    let service = Place::new().config(&config).start();
    let page = |told: &str| {
        wait_for(told, || {
            let page = fs::read_to_string(service.at("outbox/index.html")).ok()?;
            page.contains(told).then_some(page)
        })
    };
    page("No worker on another machine is there: everything is solved here");
    let worker = broker.worker(1);
    let read = page("1 worker on other machines helps; 0 puzzles solved there.");
    let told = status(&service);
    for private in [&told["workers"][0]["name"], &told["broker"]] {
        assert!(!read.contains(private.as_str().unwrap()), "{private}: {read}");
    }
    broker.kill();
    page("The broker cannot be reached: everything is solved here");
    worker.stop();
}
