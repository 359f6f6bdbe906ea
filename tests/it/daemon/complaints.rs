//! Tests what users of watch folders complain about, as far as no other module does.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::time::{Duration, Instant, SystemTime};

use super::recovery::{SLOW, slow_board, wait_until_begun};
use crate::harness::{BOARD_1, BOARD_2, Place, leases_work, wait_for};

#[test]
fn a_file_without_a_name_that_is_linked_in_is_taken() {
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    let service = Place::new().start();
    let Ok(unnamed) = open(service.at(""), OFlags::TMPFILE | OFlags::RDWR, Mode::from_raw_mode(0o644)) else {
        eprintln!("SKIPPED: this file system has no files without a name");
        return;
    };
    let mut unnamed = File::from(unnamed);
    unnamed.write_all(BOARD_1.as_bytes()).unwrap();
    let descriptor = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&unnamed));
    let target = service.at("inbox/entrada.txt");
    linkat(CWD, descriptor, CWD, target, AtFlags::SYMLINK_FOLLOW).unwrap();
    drop(unnamed);
    service.expect("saida.txt", "1\n");
}

#[test]
fn a_file_given_up_on_is_taken_as_soon_as_it_is_closed() {
    if !leases_work() {
        return;
    }
    let service =
        Place::new().config("[intake]\nquiet_period = \"10ms\"\nrescan_interval = \"20ms\"\n").start();
    let mut file = File::create(service.at("inbox/entrada.txt")).unwrap();
    file.write_all(BOARD_1.as_bytes()).unwrap();
    service.wait_for_log("not taken|somebody still has it open for writing|entrada.txt");
    drop(file);
    service.expect("saida.txt", "1\n");
}

#[test]
fn a_file_with_many_events_is_answered_once() {
    let route = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\nif_exists = \"version\"\n";
    let config = format!(
        "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"10ms\"\nignore = [\"made\"]\n{route}"
    );
    let service = Place::new().config(&config).start();
    let made = service.at("inbox/made");
    let mut file = File::create(&made).unwrap();
    for part in BOARD_1.split_inclusive('\n') {
        file.write_all(part.as_bytes()).unwrap();
        fs::set_permissions(&made, Permissions::from_mode(0o600)).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
        fs::set_permissions(&made, Permissions::from_mode(0o644)).unwrap();
    }
    drop(file);
    for name in ["a", "b", "c", "entrada.txt"] {
        let from = if name == "a" { made.clone() } else { service.at("inbox").join(previous(name)) };
        // The service may claim the file under any of its names. Then nothing is left to rename.
        if fs::rename(from, service.at("inbox").join(name)).is_err() {
            break;
        }
    }
    service.wait_until_idle(0);
    service.drop_file("last.txt", BOARD_2);
    service.expect_own("last.saida.ID.txt", &["2\n"]);
    service.wait_until_idle(0);
    assert_eq!(service.files("outbox").len(), 2, "{:?}", service.files("outbox"));
    assert_eq!(service.files("var/done").len(), 2);
}

fn previous(name: &str) -> &str {
    match name {
        "b" => "a",
        "c" => "b",
        _ => "c",
    }
}

#[test]
fn a_file_with_any_modification_time_is_taken() {
    let service = Place::new().start();
    let year = Duration::from_secs(365 * 86_400);
    let times = [SystemTime::UNIX_EPOCH, SystemTime::now() - 30 * year, SystemTime::now() + 30 * year];
    for (number, time) in times.into_iter().enumerate() {
        fs::write(service.at("made"), BOARD_1).unwrap();
        File::options().write(true).open(service.at("made")).unwrap().set_modified(time).unwrap();
        fs::rename(service.at("made"), service.at(&format!("inbox/{number}-entrada.txt"))).unwrap();
        service.expect(&format!("{number}-saida.txt"), "1\n");
    }
}

#[test]
fn an_unreadable_folder_ends_no_watch_of_the_others() {
    if nix::unistd::geteuid().is_root() {
        return; // Root lists everything.
    }
    let place = Place::new().file("inbox/a/entrada.txt", BOARD_1).file("inbox/b/entrada.txt", BOARD_1);
    fs::set_permissions(place.at("inbox/a"), Permissions::from_mode(0o000)).unwrap();
    let service = place.start();
    service.wait_for_log("not taken|the folder cannot be listed");
    service.expect("b/saida.txt", "1\n");
    service.wait_until_idle(0);
    service.drop_file("c/entrada.txt", BOARD_2);
    service.expect("c/saida.txt", "2\n");
    service.drop_file("b/entrada.txt", BOARD_2);
    service.expect("b/saida.txt", "2\n");
    fs::set_permissions(service.at("inbox/a"), Permissions::from_mode(0o755)).unwrap();
    service.expect("a/saida.txt", "1\n");
}

#[test]
fn one_bad_file_stops_no_other() {
    let service = Place::new().config(&SLOW.replace("\"none\"\njob", "\"200ms\"\njob")).start();
    service.drop_file("slow.txt", slow_board());
    for (number, content) in ["", "nothing", "\0\0\0", "3 3\n9 9 9\n", "#: x = 1\n"].iter().enumerate() {
        service.drop_file(&format!("bad{number}.txt"), content);
        service.drop_file(&format!("good{number}.txt"), BOARD_1);
    }
    for number in 0..5 {
        service.expect_own(&format!("good{number}.saida.ID.txt"), &["1\n"]);
    }
    service.wait_until_idle(0);
    assert_eq!(service.files("outbox").len(), 11);
}

#[test]
fn a_backlog_delays_no_readiness_and_waits_in_the_inbox() {
    let mut place = Place::new().config(&SLOW.replace("[intake]", "[intake]\nclaims_max = 3"));
    for number in 0..50 {
        place = place.file(&format!("inbox/a/slow{number}.txt"), slow_board());
    }
    // The service becomes ready although no file can be answered.
    let service = place.start();
    wait_until_begun(&service, 1);
    // The third slot is kept for another route.
    wait_for("two claims", || (service.files("inbox").len() == 48).then_some(()));
    let place = service.stop();
    assert_eq!(place.files("inbox").len(), 50);
}

#[test]
fn a_service_that_polls_is_idle_in_between() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut place = Place::new()
        .config("[intake]\nrescan_interval = \"50ms\"\nwatch = \"poll\"\n")
        .environment("NOTIFY_SOCKET", path.to_str().unwrap())
        .environment("WATCHDOG_USEC", "200000");
    for number in 0..200 {
        place = place.file(&format!("inbox/{}/{number}.tmp", number % 10), BOARD_1);
    }
    let service = place.start();
    // The watchdog messages serve as a clock.
    let wait_for_watchdog = |times: usize| {
        let mut buffer = [0; 4096];
        let mut seen = 0;
        while seen < times {
            let length = socket.recv(&mut buffer).unwrap();
            seen += usize::from(String::from_utf8_lossy(&buffer[..length]).contains("WATCHDOG=1"));
        }
    };
    wait_for_watchdog(2);
    let Some(before) = service.processor_time() else { return };
    let started = Instant::now();
    wait_for_watchdog(10);
    let used = service.processor_time().unwrap().saturating_sub(before);
    assert!(used < started.elapsed() / 3, "{used:?} of {:?}", started.elapsed());
}

#[test]
fn no_line_of_the_log_is_dropped() {
    let mut place = Place::new();
    for number in 0..100 {
        place = place.file(&format!("inbox/{number}-entrada.txt"), "3 3\n2 1 7 0 1\n".repeat(20));
    }
    let (place, output) = place.argument("--once").run();
    assert!(output.status.success());
    for log in ["stderr.log", "var/log/latest"] {
        let log = fs::read_to_string(place.at(log)).unwrap();
        assert_eq!(log.matches("  invalid: ").count(), 300);
        assert_eq!(log.matches(" boards, 20 invalid ").count(), 100);
        assert!(log.lines().last().unwrap().contains("stopped"));
    }
}

#[test]
fn a_kept_input_may_be_dropped_again() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    let kept = service.files("var/done").pop().unwrap();
    fs::rename(service.at("var/done").join(&kept), service.at("inbox").join(&kept)).unwrap();
    service.expect(&kept.replace("entrada", "saida"), "1\n");
    // Or under its first name; then the result is replaced.
    wait_for("the kept input", || (service.files("var/done").len() == 1).then_some(()));
    let kept = service.files("var/done").pop().unwrap();
    fs::remove_file(service.at("outbox/saida.txt")).unwrap();
    fs::rename(service.at("var/done").join(kept), service.at("inbox/entrada.txt")).unwrap();
    service.expect("saida.txt", "1\n");
}

/// Returns the lines of the shipped unit, without comments.
fn unit() -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd/tabuleiro.service");
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn the_unit_may_write_to_the_parent_of_the_inbox() {
    let value = |key: &str| unit().iter().find_map(|line| Some(line.strip_prefix(key)?.to_owned())).unwrap();
    // If the inbox itself were listed, an inbox deleted and made again would be read-only.
    assert_eq!(value("ReadWritePaths="), value("WorkingDirectory="));
    let shipped = tabuleiro::config::SHIPPED;
    assert!(shipped.contains("inbox = \"inbox\"\n"), "the inbox lies right below the working directory");
}

#[test]
fn the_unit_is_understood_by_systemd_252() {
    let unit = unit();
    assert!(unit.iter().any(|line| line == "Type=notify"), "notify-reload needs 253");
    assert!(unit.iter().any(|line| line.starts_with("ExecReload=") && line.contains("-HUP")));
}
