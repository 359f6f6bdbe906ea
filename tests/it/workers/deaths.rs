//! Tests workers that die, stop or fall silent: their puzzles are answered once, elsewhere.

use std::fs;

use rustix::process::Signal;

use super::harness::{
    Worker, broker, drop_all, endless, expect_as_local, keep_busy, merges, slow_merges, status,
    wait_for_count, wait_for_workers, whole_status,
};
use crate::harness::wait_for;

#[test]
fn what_a_killed_worker_had_in_hand_is_answered_once() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let mut worker = broker.worker(2);
    wait_for_workers(&service, 2);
    keep_busy(&service);
    let files = [("merge.txt".to_owned(), slow_merges(9))];
    drop_all(&service, &files);
    worker.wait_until_it_solves();
    worker.kill();
    assert_ne!(worker.in_hand(), [""; 0], "its file outlives it");
    worker.start_again();
    service.wait_for_log("a worker's process died with ");
    expect_as_local(&service, &files);
    service.expect_told("  merge.txt  ", 1);
    let status = status(&service);
    assert!(status["returned"].as_u64().unwrap() > 0, "{status}");
    assert_eq!(status["poisoned"], 0);
    wait_for("the burial of the dead one", || (worker.state().len() == 1).then_some(()));
    worker.stop();
}

#[test]
fn a_worker_that_is_to_stop_finishes_what_it_has_in_hand() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(1);
    wait_for_workers(&service, 1);
    keep_busy(&service);
    let files = [("merge.txt".to_owned(), slow_merges(6))];
    drop_all(&service, &files);
    let before = wait_for_count(&service, "solved", 1);
    let log = worker.stop();
    let solved = log.split("stopped after ").nth(1).unwrap();
    let solved = solved.split(' ').next().unwrap().parse::<u64>().unwrap();
    assert!(solved >= before, "{log}");
    assert_eq!(wait_for_count(&service, "solved", solved), solved, "what it solved was taken");
    // The rest is solved here, although all threads are busy.
    expect_as_local(&service, &files);
}

#[test]
fn a_worker_that_cannot_finish_gives_back_what_it_has() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("work.toml");
    fs::write(&config, "[workers]\nstop_timeout = \"100ms\"\n").unwrap();
    let config = ["--config", config.to_str().unwrap()];
    let worker = Worker::start(env!("CARGO_BIN_EXE_tabuleiro"), &broker.url(), 1, &config);
    wait_for_workers(&service, 1);
    keep_busy(&service);
    service.drop_file("hard.txt", endless() + "0 0\n");
    worker.wait_until_it_solves();
    wait_for("the puzzle that takes long, as if it were solved here", || {
        let jobs = whole_status(&service)["jobs"].clone();
        let hard = jobs.as_array()?.iter().find(|job| job["file"] == "hard.txt")?.clone();
        (hard["solving"]["number"] == 1).then_some(())
    });
    assert!(worker.stop().contains("stopped after 0 puzzles"));
    assert_eq!(wait_for_count(&service, "returned", 1), 1);
    assert_eq!(status(&service)["in_flight"], 0);
}

#[test]
fn a_silent_worker_loses_its_batch_and_gets_new_ones_when_it_speaks_again() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(1);
    wait_for_workers(&service, 1);
    keep_busy(&service);
    let files = [("merge.txt".to_owned(), slow_merges(2))];
    drop_all(&service, &files);
    worker.wait_until_it_solves();
    worker.signal(Signal::STOP);
    expect_as_local(&service, &files);
    service.wait_for_log(" is gone");
    let solved = status(&service)["solved"].as_u64().unwrap();
    worker.signal(Signal::CONT);
    wait_for_workers(&service, 1);
    let more = [("more/merge.txt".to_owned(), merges(10, 6))];
    drop_all(&service, &more);
    expect_as_local(&service, &more);
    wait_for_count(&service, "solved", solved + 10);
    assert_eq!(status(&service)["poisoned"], 0, "silence is no death");
    worker.stop();
}

#[test]
fn a_puzzle_with_which_two_workers_die_is_set_aside() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let mut worker = broker.worker(1);
    wait_for_workers(&service, 1);
    keep_busy(&service);
    service.drop_file("hard.txt", endless() + "0 0\n");
    for died in 1..=2 {
        worker.wait_until_it_solves();
        worker.kill();
        worker.start_again();
        wait_for("the second death", || {
            let told = service.log().matches("a worker's process died with ").count();
            (told == died).then_some(())
        });
    }
    let report = service.expect_some("hard.erro.txt");
    assert!(report.contains("deadly-puzzle") || report.contains("2 workers ended"), "{report}");
    assert!(report.contains("puzzle 1"), "{report}");
    wait_for("the file", || (service.files("var/failed").len() == 1).then_some(()));
    assert_eq!(wait_for_count(&service, "poisoned", 1), 1);
    // The worker itself is not affected.
    let files = [("merge.txt".to_owned(), merges(4, 5))];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    worker.stop();
}
