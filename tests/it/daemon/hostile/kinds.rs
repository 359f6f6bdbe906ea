//! Tests files that are not regular, or that have odd permission bits.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;

use nix::sys::stat::{Mode, SFlag, makedev, mknod};

use crate::harness::{BOARD_1, BOARD_2, Place, job_in};

#[test]
fn fifos_sockets_and_devices_are_left_alone_and_said_once() {
    let service = Place::new().start();
    nix::unistd::mkfifo(&service.at("inbox/fifo-entrada.txt"), Mode::S_IRWXU).unwrap();
    // Bound elsewhere and moved in, because the address of a socket has room for only about a hundred bytes.
    let socket = tempfile::Builder::new().tempdir_in("/tmp").unwrap();
    let listener = UnixListener::bind(socket.path().join("s")).unwrap();
    let moved = fs::rename(socket.path().join("s"), service.at("inbox/socket-entrada.txt")).is_ok();
    let device = service.at("inbox/device-entrada.txt");
    // The zero device, which never ends. Only root can make one, and not everywhere.
    let made = mknod(&device, SFlag::S_IFCHR, Mode::S_IRWXU, makedev(1, 5)).is_ok();
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    let mut left = 1;
    for (name, there) in [("fifo", true), ("socket", moved), ("device", made)] {
        if there {
            service.wait_for_log(&format!("not taken|not a regular file|{name}-entrada.txt"));
            left += usize::from(name != "fifo");
        }
    }
    service.wait_until_idle(left);
    service.expect_told("fifo-entrada.txt", 1);
    drop(listener);
}

#[test]
fn links_are_never_followed_inside_or_outwards() {
    let place = Place::new()
        .file("secret/entrada.txt", BOARD_1)
        .file("inbox/a/x-entrada.txt", BOARD_2)
        .file("outbox/old-entrada.txt", BOARD_1);
    let link = |target: &str, name: &str| symlink(target, place.at("inbox").join(name)).unwrap();
    link("../secret", "folder");
    link("../secret/entrada.txt", "outwards-entrada.txt");
    link("a/x-entrada.txt", "inside-entrada.txt");
    link("nowhere", "dangling-entrada.txt");
    link("loop-entrada.txt", "loop-entrada.txt");
    link("../outbox", "feedback");
    link(".", "endless");
    let service = place.start();
    service.expect("a/x-saida.txt", "2\n");
    for name in ["folder", "outwards", "inside", "dangling", "loop", "feedback", "endless"] {
        service.wait_for_log(&format!("not taken|it is a symbolic link|{name}"));
    }
    service.wait_until_idle(7);
    assert_eq!(service.files("outbox"), ["a/x-saida.txt", "old-entrada.txt"]);
    assert_eq!(service.files("secret"), ["entrada.txt"]);
}

#[test]
fn a_folder_named_like_a_file_is_a_folder() {
    let service = Place::new().start();
    service.drop_file("entrada.txt/entrada.txt", BOARD_1);
    service.expect("entrada.txt/saida.txt", "1\n");
    fs::remove_dir(service.at("inbox/entrada.txt")).unwrap();
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
}

#[test]
fn a_folder_that_has_the_name_of_a_result_or_report_blocks_nobody() {
    let service = Place::new()
        .config("[intake]\nquiet_period = \"50ms\"\n[results]\nformats = [\"txt\", \"json\"]\n")
        .file("inbox/saida.json/a-entrada.txt", BOARD_1)
        .file("inbox/x-erro.txt/a-entrada.txt", BOARD_1)
        .start();
    service.expect("saida.json/a-saida.txt", "1\n");
    service.expect("x-erro.txt/a-saida.txt", "1\n");
    service.drop_file("entrada.txt", BOARD_2);
    service.drop_file("x-entrada.txt", "nothing");
    service.wait_until_idle(0);
    service.expect_own("saida.ID.txt", &["2\n"]);
    assert!(!service.at("outbox/saida.txt").exists(), "all outputs of a job are named alike");
    let names: Vec<_> = service
        .files("outbox")
        .into_iter()
        .map(|name| job_in(&name).map_or(name.clone(), |id| name.replace(id, "ID")))
        .collect();
    let own: Vec<_> = names.iter().filter(|name| name.contains("ID")).collect();
    assert_eq!(own, ["saida.ID.json", "saida.ID.txt", "x-erro.ID.txt"]);
}

#[test]
fn a_file_that_has_the_name_of_a_folder_blocks_nobody() {
    let config = "[intake]\nquiet_period = \"50ms\"\nclaims_max = 2\n";
    let service = Place::new().config(config).start();
    service.drop_file("damas.txt", BOARD_1);
    service.expect("damas.saida.txt", "1\n");
    service.wait_until_idle(0);
    for number in 0..5 {
        service.drop_file(&format!("damas.saida.txt/b/{number}-entrada.txt"), BOARD_2);
        service.drop_file(&format!("damas.saida.txt/{number}-bad-entrada.txt"), "nothing");
    }
    for number in 0..5 {
        service.expect_own(&format!("damas.saida.ID.txt/b/{number}-saida.txt"), &["2\n"]);
    }
    service.wait_until_idle(0);
    let reports = service.files("outbox").into_iter().filter(|name| name.ends_with("-bad-erro.txt"));
    assert_eq!(reports.count(), 5);
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.expect("damas.saida.txt", "1\n");
    // The same among the archived inputs.
    service.wait_until_idle(0);
    let archived = service.files("var/done").into_iter().find(|name| name.starts_with("damas.2")).unwrap();
    service.drop_file(&format!("{archived}/entrada.txt"), BOARD_1);
    service.expect(&format!("{archived}/saida.txt"), "1\n");
    service.wait_until_idle(0);
    let stem = archived.strip_suffix(".txt").unwrap();
    let is_beside = |name: &String| name.starts_with(&format!("{stem}.2")) && name.contains("/entrada.2");
    assert!(service.files("var/done").iter().any(is_beside), "{:?}", service.files("var/done"));
}

#[test]
fn a_hard_link_leaves_the_other_name_as_it_was() {
    let service = Place::new().file("elsewhere", BOARD_1).start();
    fs::set_permissions(service.at("elsewhere"), Permissions::from_mode(0o640)).unwrap();
    fs::hard_link(service.at("elsewhere"), service.at("inbox/entrada.txt")).unwrap();
    fs::hard_link(service.at("elsewhere"), service.at("inbox/b-entrada.txt")).unwrap();
    service.expect("saida.txt", "1\n");
    service.expect("b-saida.txt", "1\n");
    service.wait_until_idle(0);
    assert_eq!(fs::read_to_string(service.at("elsewhere")).unwrap(), BOARD_1);
    assert_eq!(mode(&service.at("elsewhere")), 0o640);
    assert_eq!(service.files("var/done").len(), 2);
}

#[test]
fn setuid_setgid_and_sticky_bits_never_reach_a_result() {
    let service = Place::new().start();
    for (bits, name) in [(0o4755, "u"), (0o2755, "g"), (0o1777, "t"), (0o7777, "all")] {
        for (content, ends) in [(BOARD_1, "entrada.txt"), ("nothing", "bad-entrada.txt")] {
            let made = service.at("made");
            fs::write(&made, content).unwrap();
            fs::set_permissions(&made, Permissions::from_mode(bits)).unwrap();
            fs::rename(&made, service.at("inbox").join(format!("{name}-{ends}"))).unwrap();
        }
        service.expect(&format!("{name}-saida.txt"), "1\n");
        service.expect_some(&format!("{name}-bad-erro.txt"));
    }
    service.wait_until_idle(0);
    for file in service.files("outbox") {
        assert_eq!(mode(&service.at("outbox").join(&file)), 0o644, "{file}");
    }
    // The owner can have other names for the kept file, so its permissions must not change.
    let kept = service.files("var/done").into_iter().find(|name| name.starts_with("all-")).unwrap();
    assert_eq!(mode(&service.at("var/done").join(kept)), 0o7777);
}

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}
