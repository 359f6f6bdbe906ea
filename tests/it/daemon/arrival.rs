//! Tests every way in which a file can arrive in the inbox.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;

use rustix::process::Signal;

use crate::harness::{BOARD_1, BOARD_2, Place, Service, leases_work, wait_for};

#[test]
fn a_file_present_at_the_start_is_taken() {
    let service = Place::new().file("inbox/a/entrada.txt", BOARD_1).start();
    service.expect("a/saida.txt", "1\n");
    service.wait_until_idle(0);
    let done = service.files("var/done");
    assert_eq!(done.len(), 1);
    assert!(done[0].starts_with("a/entrada.") && done[0].ends_with("Z.txt"), "{done:?}");
}

#[test]
fn a_file_renamed_in_is_taken() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
}

#[test]
fn a_hard_link_is_taken() {
    let service = Place::new().file("elsewhere", BOARD_1).start();
    fs::hard_link(service.at("elsewhere"), service.at("inbox/entrada.txt")).unwrap();
    service.expect("saida.txt", "1\n");
    assert!(service.at("elsewhere").exists());
}

#[test]
fn a_file_written_slowly_is_taken_only_when_it_is_closed() {
    if !leases_work() {
        return;
    }
    let service = Place::new().start();
    let mut file = File::create(service.at("inbox/entrada.txt")).unwrap();
    for part in ["3 3\n", "2 1 2 0 1\n"] {
        file.write_all(part.as_bytes()).unwrap();
        file.sync_all().unwrap();
        // Another file that comes and goes shows that the intake ran in the meantime.
        let name = format!("other{}-entrada.txt", part.len());
        service.drop_file(&name, BOARD_2);
        service.expect(&name.replace("entrada", "saida"), "2\n");
        assert!(service.at("inbox/entrada.txt").exists());
    }
    file.write_all(b"0 0\n").unwrap();
    drop(file);
    service.expect("saida.txt", "1\n");
}

#[test]
fn new_folders_in_folders_are_walked() {
    let service = Place::new().start();
    for number in 0..20 {
        let folder = service.at(&format!("inbox/a{number}/b/c"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("entrada.txt"), BOARD_1).unwrap();
    }
    for number in 0..20 {
        service.expect(&format!("a{number}/b/c/saida.txt"), "1\n");
    }
    service.wait_until_idle(0);
}

#[test]
fn a_folder_moved_in_is_walked() {
    let service = Place::new().file("t/entrada.txt", BOARD_1).file("t/b/x-entrada.txt", BOARD_2).start();
    fs::rename(service.at("t"), service.at("inbox/t")).unwrap();
    service.expect("t/saida.txt", "1\n");
    service.expect("t/b/x-saida.txt", "2\n");
}

#[test]
fn an_empty_file_waits_for_its_content() {
    let service = Place::new().config("[intake]\nquiet_period = \"20s\"\n").start();
    fs::write(service.at("inbox/entrada.txt"), "").unwrap();
    service.drop_file("x-entrada.txt", BOARD_2);
    service.expect("x-saida.txt", "2\n");
    assert!(service.at("inbox/entrada.txt").exists(), "an empty file is only taken after the quiet period");
    fs::write(service.at("inbox/entrada.txt"), BOARD_1).unwrap();
    service.expect("saida.txt", "1\n");
}

#[test]
fn polling_alone_is_enough() {
    let place = Place::new().config("[intake]\nrescan_interval = \"20ms\"\nwatch = \"poll\"\n");
    let service = place.start();
    service.wait_for_log("listing the inbox every ");
    service.drop_file("a/entrada.txt", BOARD_1);
    service.expect("a/saida.txt", "1\n");
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
}

#[test]
fn litter_and_half_written_names_are_left_alone() {
    let names = [".entrada.txt", "entrada.txt.part", "entrada.txt~", "Thumbs.db", ".hidden/entrada.txt"];
    let service = Place::new().start();
    for name in names {
        service.drop_file(name, BOARD_1);
    }
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(names.len());
    assert_eq!(service.files("outbox"), ["saida.txt"]);
    // A half-written file is complete when it gets its right name.
    fs::rename(service.at("inbox/entrada.txt.part"), service.at("inbox/b-entrada.txt")).unwrap();
    service.expect("b-saida.txt", "1\n");
}

#[test]
fn what_is_no_regular_file_is_left_alone_and_said_once() {
    let service = Place::new().file("secret", BOARD_1).start();
    symlink(service.at("secret"), service.at("inbox/link-entrada.txt")).unwrap();
    nix::unistd::mkfifo(&service.at("inbox/fifo-entrada.txt"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    service.wait_for_log("not taken|symbolic link|link-entrada.txt");
    service.wait_for_log("not taken|not a regular file|fifo-entrada.txt");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(2);
    service.expect_told("fifo-entrada.txt", 1);
}

#[test]
fn an_inbox_deleted_and_made_again_is_watched_again() {
    let service = Place::new().config("[intake]\nrescan_interval = \"100ms\"\n").start();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    fs::remove_dir_all(service.at("inbox")).unwrap();
    service.wait_for_log("the inbox cannot be used");
    fs::create_dir(service.at("inbox")).unwrap();
    service.wait_for_log("the inbox is a new folder");
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
}

#[test]
fn an_inbox_renamed_away_and_replaced_is_noticed_by_its_parent_alone() {
    let service = Place::new().start();
    fs::rename(service.at("inbox"), service.at("old")).unwrap();
    fs::create_dir(service.at("inbox")).unwrap();
    service.wait_for_log("the inbox is a new folder");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
}

#[test]
fn names_that_are_no_utf8_or_hold_newlines_are_answered_and_cannot_forge_the_log() {
    use std::os::unix::ffi::OsStrExt;
    let service = Place::new().start();
    let odd = std::ffi::OsStr::from_bytes(b"a\xff\nINFO forged-entrada.txt");
    let made = service.at("made");
    fs::write(&made, BOARD_1).unwrap();
    fs::rename(&made, service.at("inbox").join(odd)).unwrap();
    let result = std::ffi::OsStr::from_bytes(b"a\xff\nINFO forged-saida.txt");
    wait_for("the result", || fs::read_to_string(service.at("outbox").join(result)).ok());
    service.wait_for_log("a\\xff\\n");
    assert!(!service.log().lines().any(|line| line.starts_with("INFO forged")));
}

/// Drops two files and waits for their answers. Then the intake has noticed everything that happened before.
fn let_the_intake_look(service: &Service, name: &str) {
    for number in 1..=2 {
        service.drop_file(&format!("{name}{number}-entrada.txt"), BOARD_2);
        service.expect(&format!("{name}{number}-saida.txt"), "2\n");
    }
}

#[test]
fn a_folder_deleted_and_made_again_is_watched_again() {
    let service = Place::new().file("inbox/a/b/entrada.txt", BOARD_1).start();
    service.expect("a/b/saida.txt", "1\n");
    service.wait_until_idle(0);
    // Too fast for the service to see them gone. Some file systems give the new folders the inodes of the old ones.
    service.signal(Signal::STOP);
    fs::remove_dir_all(service.at("inbox/a")).unwrap();
    fs::create_dir_all(service.at("inbox/a/b")).unwrap();
    service.signal(Signal::CONT);
    let_the_intake_look(&service, "x");
    service.drop_file("a/b/entrada.txt", BOARD_2);
    service.expect("a/b/saida.txt", "2\n");
}

#[test]
fn a_folder_renamed_within_the_inbox_stays_watched() {
    let service = Place::new().file("inbox/a/entrada.txt", BOARD_1).start();
    service.expect("a/saida.txt", "1\n");
    service.wait_until_idle(0);
    fs::rename(service.at("inbox/a"), service.at("inbox/b")).unwrap();
    let_the_intake_look(&service, "x");
    // A reload lists the whole inbox, and the service stops watching folders that are gone.
    service.signal(Signal::HUP);
    service.wait_for_log("configuration reloaded");
    let_the_intake_look(&service, "y");
    service.drop_file("b/entrada.txt", BOARD_2);
    service.expect("b/saida.txt", "2\n");
}

#[test]
fn an_inbox_deleted_and_made_again_at_once_is_watched_again() {
    let service = Place::new().start();
    for (board, answer) in [(BOARD_1, "1\n"), (BOARD_2, "2\n")] {
        service.signal(Signal::STOP);
        fs::remove_dir(service.at("inbox")).unwrap();
        fs::create_dir(service.at("inbox")).unwrap();
        service.signal(Signal::CONT);
        service.drop_file("entrada.txt", board);
        service.expect("saida.txt", answer);
        service.wait_until_idle(0);
    }
}

/// On a system without leases, a program that opened the file before it was claimed can go on writing unnoticed. The
/// test writes through the file's path in the working folder.
#[test]
fn a_file_that_grows_while_it_is_read_is_put_back() {
    let config = super::recovery::SLOW.replace("time_limit = \"none\"\n", "time_limit = \"300ms\"\n");
    let service = Place::new().config(&config).start();
    // Without its end marker, so that the appended text belongs to the file.
    service.drop_file("slow.txt", super::recovery::slow_board().strip_suffix("0 0\n").unwrap());
    super::recovery::wait_until_begun(&service, 1);
    let claim = fs::read_dir(service.at("var/work"))
        .unwrap()
        .flatten()
        .find(|entry| entry.file_name() != "lock")
        .unwrap();
    let mut input = File::options().append(true).open(claim.path()).unwrap();
    input.write_all(BOARD_1.as_bytes()).unwrap();
    drop(input);
    service.wait_for_log("slow.txt|put back into the inbox|the file changed while it was read");
    let result = service.expect_some("slow.saida.txt");
    assert!(result.starts_with("undecided") && result.ends_with("\n1\n"), "{result}");
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 1);
}
