//! Tests a broker that dies, returns empty, or starts late; and a dispatcher that dies.

use std::fs;
use std::process::Command;
use std::time::Instant;

use super::harness::{
    Broker, HEAL_MAX, Worker, broker, drop_all, expect_as_local, local_results, merges, slow_merges, status,
    wait_for_count, wait_for_workers,
};
use crate::harness::{Service, run_in, wait_for};

const LOST: &str = "; all puzzles are solved here until it is back";

/// Waits until puzzles travel again, and checks how long that took.
fn wait_until_it_heals(service: &Service) {
    let begun = Instant::now();
    wait_for_workers(service, 1);
    let took = begun.elapsed();
    println!("healed after {took:?}");
    assert!(took <= HEAL_MAX, "{took:?}\n{}", service.log());
}

#[test]
fn a_broker_that_comes_back_empty_is_used_again_within_seconds() {
    let Some(mut broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(1);
    wait_for_workers(&service, 1);
    for round in 1..=2 {
        let files = [(format!("{round}/merge.txt"), slow_merges(4))];
        drop_all(&service, &files);
        worker.wait_until_it_solves();
        broker.kill();
        expect_as_local(&service, &files);
        service.expect_told(LOST, round);
        broker.wipe();
        broker.start("");
        wait_until_it_heals(&service);
        let sent = status(&service)["solved"].as_u64().unwrap();
        let more = [(format!("{round}/more/merge.txt"), merges(20, 5))];
        drop_all(&service, &more);
        expect_as_local(&service, &more);
        wait_for_count(&service, "solved", sent + 1);
        // The worker may also arrive before the stream exists.
        for (log, lost) in [(service.log(), LOST), (worker.log(), "the connection was lost; trying again")] {
            assert_eq!(log.matches(lost).count(), round, "{log}");
            assert_eq!(log.matches("connected to the broker").count(), round + 1, "{log}");
        }
        assert!(worker.log().matches("warning: ").count() <= 2 * round, "{}", worker.log());
    }
    worker.stop();
}

#[test]
fn a_broker_may_come_late() {
    let Some(mut broker) = Broker::stopped() else { return };
    let service = broker.place().start();
    let worker = Worker::start(env!("CARGO_BIN_EXE_tabuleiro"), &broker.url(), 1, &[]);
    let files = [("merge.txt".to_owned(), merges(10, 5))];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    worker.wait_for_log("; trying again");
    service.wait_for_log(LOST);
    let told = status(&service);
    assert!(told["is_connected"] == false && told["trouble"].is_string(), "{told}");
    broker.start("");
    wait_until_it_heals(&service);
    let more = [("more/merge.txt".to_owned(), merges(30, 5))];
    drop_all(&service, &more);
    expect_as_local(&service, &more);
    service.expect_told(LOST, 1);
    worker.stop();
}

#[test]
fn a_stream_that_somebody_deletes_is_made_again() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let worker = broker.worker(1);
    wait_for_workers(&service, 1);
    for round in 0..2 {
        broker.say(|client| async {
            async_nats::jetstream::new(client).delete_stream("TABULEIRO").await.unwrap();
        });
        let solved = status(&service)["solved"].as_u64().unwrap();
        let files = [(format!("{round}/merge.txt"), merges(30, 5))];
        drop_all(&service, &files);
        expect_as_local(&service, &files);
        let more = [(format!("{round}/more/merge.txt"), merges(30, 5))];
        drop_all(&service, &more);
        expect_as_local(&service, &more);
        wait_for_count(&service, "solved", solved + 1);
    }
    worker.stop();
}

#[test]
fn an_intake_that_is_killed_answers_every_file_once() {
    let Some(broker) = broker() else { return };
    let version = |config: String| {
        config.replace("solver = \"2048-merge\"", "solver = \"2048-merge\"\nif_exists = \"version\"")
    };
    let service = broker.place().config(&version(broker.config(""))).start();
    let workers = [broker.worker(1), broker.worker(1)];
    wait_for_workers(&service, 2);
    let files: Vec<_> = (0..12).map(|number| (format!("merge-{number}.txt"), merges(6, number))).collect();
    drop_all(&service, &files);
    wait_for("some answers", || (service.files("var/done").len() >= 3).then_some(()));
    let service = service.kill().start();
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), files.len());
    let mut found: Vec<_> =
        service.files("outbox").into_iter().filter(|name| name.ends_with("Z.txt")).collect();
    found.sort();
    assert_eq!(found.len(), files.len(), "{found:?}");
    for (name, expected) in local_results(&files).iter().filter(|(name, _)| name.ends_with("saida.txt")) {
        let start = name.replace("saida.txt", "saida.");
        let own: Vec<_> = found.iter().filter(|found| found.starts_with(&start)).collect();
        assert_eq!(own.len(), 1, "{name}: {found:?}");
        assert_eq!(&fs::read_to_string(service.at("outbox").join(own[0])).unwrap(), expected, "{name}");
    }
    for worker in workers {
        worker.stop();
    }
}

#[test]
fn a_worker_of_another_build_is_told_and_gets_nothing() {
    let Some(broker) = broker() else { return };
    let service = broker.place().start();
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tabuleiro");
    // Another process copies: a child of another test could inherit the copy open for writing, and it could not run.
    let copy = ["-c", "cp \"$0\" \"$1\" && echo >> \"$1\"", env!("CARGO_BIN_EXE_tabuleiro")];
    assert!(Command::new("sh").args(copy).arg(&program).status().unwrap().success());
    let other = Worker::start(&program, &broker.url(), 2, &[]);
    other.wait_for_log("  ready\n");
    let line = service.wait_for_log("warning: the worker | runs another build and gets no puzzles");
    assert!(line.contains("install the same program on both machines"), "{line}");
    let files = [("merge.txt".to_owned(), merges(10, 5))];
    drop_all(&service, &files);
    expect_as_local(&service, &files);
    let listed = run_in(&service.at(""), &["workers", "--url", &broker.url()], "");
    let text = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.status.success() && text.contains("another build"), "{text}");
    let told = status(&service);
    assert_eq!((told["sent"].as_u64(), &told["workers"][0]["is_same_build"]), (Some(0), &false.into()));
    assert!(other.stop().contains("stopped after 0 puzzles"));
}
