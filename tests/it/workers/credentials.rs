//! Tests keys that the broker knows, does not know, or no longer knows.

use std::fs;
use std::path::Path;

use nkeys::KeyPair;

use super::harness::{
    Broker, Worker, drop_all, expect_as_local, keep_busy, merges, status, wait_for_workers,
};
use crate::harness::{Service, run_in, wait_for};

const NOT_ALLOWED: &str = "the broker does not accept the credentials";

/// Returns settings of a broker that accepts the holders of these keys.
fn lets_in(keys: &[&KeyPair]) -> String {
    let users: Vec<_> = keys.iter().map(|key| format!("{{ nkey: {} }}", key.public_key())).collect();
    format!("authorization {{ users: [ {} ] }}", users.join(", "))
}

fn seed(key: &KeyPair) -> String {
    key.seed().unwrap()
}

fn answers(service: &Service, folder: &str) {
    let files = [(format!("{folder}/merge.txt"), merges(10, 5))];
    drop_all(service, &files);
    expect_as_local(service, &files);
}

fn worker(broker: &Broker, key: &Path) -> Worker {
    let key = key.to_str().unwrap();
    Worker::start(env!("CARGO_BIN_EXE_tabuleiro"), &broker.url(), 1, &["--credentials", key])
}

#[test]
fn keys_are_needed_may_change_and_are_never_told() {
    let Some(mut broker) = Broker::stopped() else { return };
    let [known, unknown, later] = [(); 3].map(|()| KeyPair::new_user());
    broker.start(&lets_in(&[&known]));
    let place =
        broker.place().config(&broker.config("credentials = \"key\"")).file("config/key", seed(&unknown));
    let service = place.start();
    service.wait_for_log(&format!("{NOT_ALLOWED}; all puzzles are solved here until it is back"));
    let keys = tempfile::tempdir().unwrap();
    let key = keys.path().join("worker");
    fs::write(&key, seed(&unknown)).unwrap();
    let worker = worker(&broker, &key);
    worker.wait_for_log(&format!("{NOT_ALLOWED}; trying again"));
    answers(&service, "wrong");
    assert_eq!(status(&service)["trouble"], NOT_ALLOWED);
    let refused = run_in(
        &service.at(""),
        &["workers", "--url", &broker.url(), "--credentials", key.to_str().unwrap()],
        "",
    );
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    // The service and the worker read the right key without a restart.
    let put = |key_now: &KeyPair| {
        fs::write(service.at("config/key"), seed(key_now)).unwrap();
        fs::write(&key, seed(key_now) + "\n").unwrap();
    };
    put(&known);
    wait_for_workers(&service, 1);
    keep_busy(&service);
    answers(&service, "right");
    // From now on, the broker accepts another key.
    broker.reload(&lets_in(&[&later]));
    wait_for("the loss", || (status(&service)["is_connected"] == false).then_some(()));
    put(&later);
    wait_for_workers(&service, 1);
    answers(&service, "later");
    assert!(status(&service)["solved"].as_u64().unwrap() > 0);
    for log in [service.log(), worker.log(), format!("{refused:?}")] {
        for secret in [&known, &unknown, &later].map(seed) {
            assert!(!log.contains(&secret), "a seed is told: {log}");
        }
        assert!(log.matches(NOT_ALLOWED).count() <= 2, "{log}");
    }
    worker.stop();
}

#[test]
fn a_file_without_a_key_is_told_and_the_service_goes_on() {
    let Some(mut broker) = Broker::stopped() else { return };
    broker.start(&lets_in(&[&KeyPair::new_user()]));
    let place = broker.place().config(&broker.config("credentials = \"key\"")).file("config/key", "hello\n");
    let service = place.start();
    service.wait_for_log("warning: |config/key|neither an nkey's seed");
    answers(&service, "a");
    fs::remove_file(service.at("config/key")).unwrap();
    service.wait_for_log("warning: |config/key|No such file");
}
