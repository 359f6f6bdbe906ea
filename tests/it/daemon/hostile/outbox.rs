//! Results never leave the outbox, kept inputs never leave their folder, and nothing is put back elsewhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::super::recovery::{SLOW, slow_board, wait_until_begun};
use crate::harness::{BOARD_1, BOARD_2, Place, Service};

#[test]
fn a_linked_folder_in_the_outbox_takes_no_result_and_no_report() {
    let place = Place::new().file("elsewhere/b/keep.txt", "mine");
    fs::create_dir(place.at("outbox")).unwrap();
    symlink("../elsewhere", place.at("outbox/a")).unwrap();
    let service = place.start();
    service.drop_file("a/entrada.txt", BOARD_1);
    service.drop_file("a/b/entrada.txt", BOARD_1);
    service.drop_file("a/c/x-entrada.txt", "nothing");
    for _ in 0..3 {
        service.wait_for_log("not finished, will be tried again|symbolic link");
    }
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("saida.txt", "2\n");
    assert_eq!(service.files("elsewhere"), ["b/keep.txt"]);
    fs::remove_file(service.at("outbox/a")).unwrap();
    service.expect("a/saida.txt", "1\n");
    service.expect("a/b/saida.txt", "1\n");
    service.expect_some("a/c/x-erro.txt");
    service.wait_until_idle(0);
    assert_eq!(service.files("elsewhere"), ["b/keep.txt"]);
}

#[test]
fn a_link_that_has_a_results_name_stays_with_its_target() {
    let place = Place::new().file("elsewhere", "mine");
    fs::create_dir(place.at("outbox")).unwrap();
    let links = ["saida.txt", "x-erro.txt", "y-saida.txt"];
    for (link, target) in links.iter().zip(["../elsewhere", "../elsewhere", "../missing"]) {
        symlink(target, place.at("outbox").join(link)).unwrap();
    }
    let service = place.start();
    service.drop_file("entrada.txt", BOARD_1);
    service.drop_file("x-entrada.txt", "nothing");
    service.drop_file("y-entrada.txt", BOARD_2);
    service.wait_until_idle(0);
    service.expect_own("saida.ID.txt", &["1\n"]);
    service.expect_own("y-saida.ID.txt", &["2\n"]);
    assert_eq!(service.files("outbox").iter().filter(|name| name.starts_with("x-erro.2")).count(), 1);
    for link in links {
        assert!(fs::symlink_metadata(service.at("outbox").join(link)).unwrap().is_symlink(), "{link}");
    }
    assert_eq!(fs::read_to_string(service.at("elsewhere")).unwrap(), "mine");
    assert!(!service.at("missing").exists());
}

/// Returns the service's own folder in the outbox.
fn staging(service: &Service) -> PathBuf {
    let mut entries = fs::read_dir(service.at("outbox")).unwrap().flatten();
    entries.find(|entry| entry.file_name().to_string_lossy().starts_with(".tabuleiro-")).unwrap().path()
}

#[test]
fn a_link_in_place_of_the_folder_of_temporaries_is_refused_and_nothing_behind_it_removed() {
    let service = Place::new().file("elsewhere/keep.txt", "mine").start();
    let staging = staging(&service);
    let place = service.stop();
    fs::remove_dir(&staging).unwrap();
    symlink("../elsewhere", &staging).unwrap();
    let (place, output) = place.run();
    assert_eq!(output.status.code(), Some(73));
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains(".tabuleiro-") && words.contains("symbolic link"), "{words}");
    assert_eq!(place.files("elsewhere"), ["keep.txt"]);
}

#[test]
fn a_link_put_in_place_of_the_folder_of_temporaries_takes_none() {
    let service = Place::new().file("elsewhere/keep.txt", "mine").start();
    let staging = staging(&service);
    fs::remove_dir(&staging).unwrap();
    symlink("../elsewhere", &staging).unwrap();
    service.drop_file("entrada.txt", BOARD_1);
    service.wait_for_log("not finished, will be tried again|symbolic link");
    assert_eq!(service.files("elsewhere"), ["keep.txt"]);
    fs::remove_file(&staging).unwrap();
    service.expect("saida.txt", "1\n");
}

#[test]
fn nobody_can_name_the_folder_of_temporaries_from_the_inbox() {
    let service = Place::new().config("[intake]\nignore = []\nquiet_period = \"50ms\"\n").start();
    let name = staging(&service).file_name().unwrap().to_string_lossy().into_owned();
    service.drop_file(&format!("{name}/sub/entrada.txt"), BOARD_1);
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(0);
    assert!(service.at("inbox").join(&name).join("sub/entrada.txt").exists());
    assert_eq!(fs::read_dir(staging(&service)).unwrap().count(), 0);
    // The next start finds nothing there that it cannot remove.
    let _ = service.stop().start().stop();
}

#[test]
fn a_linked_folder_among_the_kept_inputs_takes_none() {
    let service = Place::new().file("elsewhere/keep.txt", "mine").start();
    for kept in ["done", "failed"] {
        symlink("../../elsewhere", service.at("var").join(kept).join("a")).unwrap();
    }
    service.drop_file("a/entrada.txt", BOARD_1);
    service.drop_file("a/x-entrada.txt", "nothing");
    service.wait_for_log("not finished, will be tried again|the input cannot be moved to|done|symbolic link");
    service
        .wait_for_log("not finished, will be tried again|the input cannot be moved to|failed|symbolic link");
    assert_eq!(service.files("elsewhere"), ["keep.txt"]);
    for kept in ["done", "failed"] {
        fs::remove_file(service.at("var").join(kept).join("a")).unwrap();
    }
    service.wait_until_idle(0);
    assert_eq!((service.files("var/done").len(), service.files("var/failed").len()), (1, 1));
}

#[test]
fn a_file_is_never_put_back_through_a_link() {
    let service = Place::new().config(SLOW).file("elsewhere/keep.txt", "mine").start();
    service.drop_file("a/slow.txt", slow_board());
    wait_until_begun(&service, 1);
    fs::remove_dir(service.at("inbox/a")).unwrap();
    symlink("../elsewhere", service.at("inbox/a")).unwrap();
    let place = service.stop();
    assert_eq!(place.files("elsewhere"), ["keep.txt"]);
    // The claim stays and comes first at the next start.
    let fast = SLOW.replace("algorithm = \"backtracking\", ", "");
    let service = place.config(&fast).start();
    service.expect_some("a/slow.saida.txt");
}

#[test]
fn a_path_too_long_for_the_outbox_is_published_all_the_same() {
    // Too long for a path once the outbox precedes it, but short enough for the inbox.
    let outbox = vec!["o".repeat(200); 16].join("/");
    let folders = vec!["d".repeat(200); 3].join("/");
    let deeper = vec!["e".repeat(200); 2].join("/");
    let place = Place::new().config(&format!("[folders]\noutbox = \"{outbox}\"\n"));
    let service = place.start();
    service.drop_file(&format!("{folders}/{deeper}/entrada.txt"), BOARD_1);
    service.drop_file("entrada.txt", BOARD_1);
    service.wait_until_idle(0);
    assert_eq!(service.files("var/done").len(), 2);
    // Relative to the outbox, the path is short enough.
    let shown = std::process::Command::new("cat")
        .arg(format!("{folders}/{deeper}/saida.txt"))
        .current_dir(service.at(&outbox))
        .output()
        .unwrap();
    assert_eq!(shown.stdout, b"1\n", "{}", service.log());
}

#[test]
fn folders_too_deep_to_reach_are_left_alone_and_said() {
    let service = Place::new().start();
    let deep = vec!["d"; 70].join("/");
    service.drop_file(&format!("{deep}/entrada.txt"), BOARD_1);
    service.wait_for_log("not taken|the folder is too deep below the inbox");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(1);
}

#[test]
fn folders_with_too_long_a_path_are_left_alone_and_said() {
    let service = Place::new().start();
    let long = vec!["d".repeat(200); 6].join("/");
    service.drop_file(&format!("{long}/entrada.txt"), BOARD_1);
    service
        .wait_for_log("not taken|the folder's path below the inbox is 1205 bytes long and 1024 are allowed");
    let why = crate::harness::run_in(&service.at("."), &["why", &format!("{long}/entrada.txt")], "");
    assert!(String::from_utf8_lossy(&why.stdout).contains("1024 are allowed"), "{why:?}");
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    service.wait_until_idle(1);
}
