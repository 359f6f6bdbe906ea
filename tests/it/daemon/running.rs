//! Tests starting, stopping, reloading, messages to systemd, and problems with the outbox.

use std::collections::VecDeque;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::time::{Duration, SystemTime};

use rustix::process::Signal;

use super::recovery::{SLOW, slow_board, wait_until_begun};
use crate::harness::{BOARD_1, BOARD_2, Place, leases_work};

#[test]
fn once_answers_what_is_there_and_ends() {
    let (place, output) = Place::new()
        .file("inbox/entrada.txt", BOARD_1)
        .file("inbox/empty-entrada.txt", "")
        .argument("--once")
        .run();
    assert!(output.status.success());
    assert_eq!(place.files("outbox"), ["empty-erro.txt", "saida.txt"]);
}

#[test]
fn a_stop_puts_back_what_takes_too_long() {
    let service = Place::new().config(SLOW).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    let place = service.stop();
    assert_eq!(place.files("inbox"), ["slow.txt"]);
    assert_eq!(fs::read_dir(place.at("var/work")).unwrap().count(), 1, "only the lock is left");
    assert_eq!(place.files("outbox").len(), 0);
}

#[test]
fn a_stop_finishes_what_is_in_hand() {
    let config =
        SLOW.replace("time_limit = \"none\"\njob", "time_limit = \"300ms\"\njob").replace("100ms", "60s");
    let service = Place::new().config(&config).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    let place = service.stop();
    assert_eq!(place.files("inbox").len(), 0);
    let result = fs::read_to_string(place.at("outbox/slow.saida.txt")).unwrap();
    assert!(result.starts_with("undecided (at least "), "{result}");
}

#[test]
fn two_files_of_one_name_are_put_back_in_their_order() {
    let service = Place::new().config(SLOW).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    service.drop_file("slow.txt", BOARD_1);
    service.wait_for_claims(2);
    let place = service.stop();
    // The older file waits in the working folder and comes first at the next start.
    assert_eq!(fs::read_to_string(place.at("inbox/slow.txt")).unwrap(), BOARD_1);
    let fast = SLOW.replace("algorithm = \"backtracking\", ", "").replace("if_exists", "#").replace(
        "job_time_limit = \"none\"\n[[route]]\nname = \"fast\"",
        "job_time_limit = \"none\"\nif_exists = \"version\"\n[[route]]\nname = \"fast\"",
    );
    let service = place.config(&fast).start();
    service.wait_until_idle(0);
    let answers = service.files("outbox");
    assert!(answers.len() == 2 && answers[1].starts_with("slow.saida.20"), "{answers:?}");
    service.expect(&answers[1], "1\n");
}

#[test]
fn one_worker_puts_two_files_of_one_name_back_in_their_order() {
    let service = Place::new().config(&SLOW.replace("[workers]", "[workers]\nthreads = 1")).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    service.drop_file("slow.txt", BOARD_1);
    service.wait_for_claims(2);
    let place = service.stop();
    assert_eq!(fs::read_to_string(place.at("inbox/slow.txt")).unwrap(), BOARD_1);
    assert_eq!(fs::read_dir(place.at("var/work")).unwrap().count(), 2, "the older one, and the lock");
}

/// In the inbox, the file would be claimed again, answered last, and replace the newer one's result.
#[test]
fn a_file_that_changed_is_answered_before_a_newer_one_of_its_name() {
    let config = SLOW.replace("time_limit = \"none\"\n", "time_limit = \"2s\"\n");
    let service = Place::new().config(&config).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    let claims = fs::read_dir(service.at("var/work")).unwrap().flatten();
    let older = claims.map(|entry| entry.path()).find(|path| !path.ends_with("lock")).unwrap();
    service.drop_file("slow.txt", BOARD_1);
    service.wait_for_claims(2);
    File::open(older).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    service.wait_for_log("slow.txt|not finished, will be tried again|a newer file of its name waits for it");
    service.expect("slow.saida.txt", "1\n");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 2);
    assert!(!service.log().contains("put back"), "{}", service.log());
    service.expect("slow.saida.txt", "1\n");
}

#[test]
fn a_reload_takes_a_good_configuration_and_refuses_a_broken_one() {
    let service = Place::new().start();
    service.drop_file("homework.dat", BOARD_1);
    service.expect_some("homework.dat.erro.txt");
    let route = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";
    fs::write(service.at("config/tabuleiro.toml"), route).unwrap();
    service.signal(Signal::HUP);
    service.wait_for_log("configuration reloaded");
    service.drop_file("homework.dat", BOARD_1);
    service.expect("homework.dat.saida.txt", "1\n");
    fs::write(service.at("config/tabuleiro.toml"), "[intake]\nquiet_perod = \"1s\"\n").unwrap();
    service.signal(Signal::HUP);
    service.wait_for_log("error: configuration not reloaded|tabuleiro.toml:2:1|quiet_period");
    service.drop_file("homework.dat", BOARD_2);
    service.expect("homework.dat.saida.txt", "2\n");
}

#[test]
fn a_second_service_on_one_working_folder_is_refused() {
    let service = Place::new().start();
    let output = crate::harness::run_in(&service.at(""), &["serve"], "");
    assert_eq!(output.status.code(), Some(75));
    assert!(String::from_utf8_lossy(&output.stderr).contains("another tabuleiro"), "{output:?}");
}

#[test]
fn nested_folders_and_broken_configurations_are_refused() {
    for config in [
        "[folders]\noutbox = \"inbox/out\"\n",
        "[folders]\noutbox = \"inbox\"\n",
        "[folders]\noutbax = \"x\"\n",
    ] {
        let (_, output) = Place::new().config(config).run();
        assert_eq!(output.status.code(), Some(78), "{config}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn an_outbox_that_cannot_be_written_is_tried_again_until_it_can() {
    let service = Place::new().start();
    let outbox = service.at("outbox");
    // A link in place of a folder stops even root.
    std::os::unix::fs::symlink("elsewhere", outbox.join("sub")).unwrap();
    service.drop_file("sub/entrada.txt", BOARD_1);
    service.wait_for_log("not finished, will be tried again");
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
    fs::remove_file(outbox.join("sub")).unwrap();
    service.expect("sub/saida.txt", "1\n");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 2);
}

#[test]
fn once_gives_up_when_results_cannot_be_published() {
    let place = Place::new().file("inbox/sub/entrada.txt", BOARD_1).file("inbox/entrada.txt", BOARD_2);
    fs::create_dir(place.at("outbox")).unwrap();
    std::os::unix::fs::symlink("elsewhere", place.at("outbox/sub")).unwrap();
    let (place, output) = place.argument("--once").run();
    assert_eq!(output.status.code(), Some(74));
    assert_eq!(place.files("inbox"), ["sub/entrada.txt"]);
    assert_eq!(fs::read_to_string(place.at("outbox/saida.txt")).unwrap(), "2\n");
}

#[test]
fn once_leaves_a_file_that_somebody_keeps_open_and_says_so() {
    if !leases_work() {
        return;
    }
    let place = Place::new().file("inbox/entrada.txt", BOARD_1).argument("--once");
    let writer = fs::File::options().append(true).open(place.at("inbox/entrada.txt")).unwrap();
    let (place, output) = place.run();
    drop(writer);
    assert!(output.status.success());
    assert_eq!(place.files("inbox"), ["entrada.txt"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("somebody still has it open for writing"));
}

#[test]
fn a_deleted_outbox_is_made_again() {
    let service = Place::new().start();
    fs::remove_dir_all(service.at("outbox")).unwrap();
    service.drop_file("a/entrada.txt", BOARD_1);
    service.expect("a/saida.txt", "1\n");
}

#[test]
fn an_unreadable_file_is_left_and_taken_once_it_is_readable() {
    if nix::unistd::geteuid().is_root() {
        return; // Root reads everything.
    }
    let service = Place::new().start();
    fs::write(service.at("made"), BOARD_1).unwrap();
    fs::set_permissions(service.at("made"), Permissions::from_mode(0o000)).unwrap();
    fs::rename(service.at("made"), service.at("inbox/entrada.txt")).unwrap();
    service.wait_for_log("not taken|cannot be read");
    fs::set_permissions(service.at("inbox/entrada.txt"), Permissions::from_mode(0o644)).unwrap();
    service.expect("saida.txt", "1\n");
}

#[test]
fn systemd_is_told_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut seen = VecDeque::new();
    let mut wait_for_message = |what: &str| {
        loop {
            let mut buffer = [0; 4096];
            let length = socket.recv(&mut buffer).unwrap_or_else(|error| panic!("{what}: {error}, {seen:?}"));
            let message = String::from_utf8(buffer[..length].to_vec()).unwrap();
            seen.push_back(message.clone());
            if message.contains(what) {
                return message;
            }
        }
    };
    let mut service = Place::new()
        .environment("NOTIFY_SOCKET", path.to_str().unwrap())
        .environment("WATCHDOG_USEC", "200000")
        .spawn();
    let ready = wait_for_message("READY=1");
    assert!(ready.contains("STATUS="), "{ready}");
    wait_for_message("WATCHDOG=1");
    wait_for_message("WATCHDOG=1");
    service.drop_file("entrada.txt", BOARD_1);
    wait_for_message("1 answered");
    service.signal(Signal::HUP);
    assert!(wait_for_message("RELOADING=1").contains("MONOTONIC_USEC="));
    wait_for_message("READY=1");
    service.signal(Signal::TERM);
    wait_for_message("STOPPING=1");
    assert!(service.wait().success());
}

#[test]
fn the_status_counts_what_is_in_hand_and_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let service = Place::new().config(SLOW).environment("NOTIFY_SOCKET", path.to_str().unwrap()).start();
    let ready = wait_for_told(&socket, "READY=1");
    assert!(!ready.contains("watching 0 folders"), "{ready}");
    service.drop_file("slow.txt", slow_board());
    wait_for_told(&socket, "1 in hand");
}

#[test]
fn a_short_file_is_not_stuck_behind_long_ones_of_its_route() {
    let service = Place::new().config(&SLOW.replace("[workers]", "[workers]\nthreads = 2")).start();
    // The text after the end marker makes these files long.
    let long = slow_board() + &" ".repeat(16 << 20);
    for name in ["slow-1.txt", "slow-2.txt", "slow-3.txt"] {
        service.drop_file(name, &long);
    }
    service.wait_for_claims(3);
    service.drop_file("slow-short.txt", BOARD_1);
    service.expect("slow-short.saida.txt", "1\n");
    let place = service.stop();
    assert_eq!(place.files("inbox"), ["slow-1.txt", "slow-2.txt", "slow-3.txt"]);
}

#[test]
fn what_puzzles_may_use_is_bounded_at_the_start_and_the_limit_is_named() {
    let config =
        "[workers]\nthreads = 1\nmemory_limit = \"64MiB\"\n[results]\nformats = [\"txt\", \"json\"]\n";
    let service = Place::new().config(config).start();
    service.wait_for_log("warning: workers.threads = 1 needs up to |lower workers.threads");
    service.wait_for_log("may use only 8MiB|raise workers.memory_limit");
    // This search needs about a million boards to reach the limit.
    service.drop_file("astar.txt", "#: algorithm = left-weighted\n4\n0 0 0 2\n0 0 0 0\n0 0 0 0\n0 0 0 0\n");
    let json = service.expect_some("astar.saida.json");
    assert!(json.contains("\"undecided\":\"workers.memory_limit\""), "{json}");
}

#[test]
fn a_service_that_stops_never_says_ready_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let config = SLOW.replace("100ms", "60s");
    let mut service =
        Place::new().config(&config).environment("NOTIFY_SOCKET", path.to_str().unwrap()).start();
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    service.signal(Signal::TERM);
    wait_for_told(&socket, "STOPPING=1");
    service.signal(Signal::HUP);
    service.wait_for_log("not reloaded|stopping");
    service.signal(Signal::TERM);
    assert!(service.wait().success());
    socket.set_nonblocking(true).unwrap();
    let mut buffer = [0; 4096];
    while let Ok(length) = socket.recv(&mut buffer) {
        let told = String::from_utf8_lossy(&buffer[..length]);
        assert!(!told.contains("READY=1"), "{told}");
    }
}

/// Returns the first message to systemd that contains `what`.
fn wait_for_told(socket: &UnixDatagram, what: &str) -> String {
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    loop {
        let mut buffer = [0; 4096];
        let length = socket.recv(&mut buffer).unwrap_or_else(|error| panic!("{what}: {error}"));
        let message = String::from_utf8_lossy(&buffer[..length]).into_owned();
        if message.contains(what) {
            return message;
        }
    }
}
