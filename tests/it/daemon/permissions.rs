//! Tests folders and files closed to the service: it reports them with the remedy, and takes them once it may.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::harness::{BOARD_1, Place, Service, namespaces_work, run_in, wait_for};

/// Starts a service without capabilities, also when root runs the tests.
fn start(place: Place) -> Service {
    place.namespaces("exec setpriv --bounding-set=-all --inh-caps=-all \"$0\" \"$@\"").start()
}

fn say(service: &Service, arguments: &[&str]) -> String {
    String::from_utf8(run_in(&service.at(""), arguments, "").stdout).unwrap()
}

#[test]
fn a_folder_that_is_closed_to_the_service_is_told_with_its_remedy() {
    if !namespaces_work() {
        return;
    }
    let files = ["inbox/turma1/entrada.txt", "inbox/turma1/more-entrada.txt", "inbox/turma1/sub/entrada.txt"];
    let place = files.iter().fold(Place::new(), |place, file| place.file(file, BOARD_1));
    let folders = ["inbox/turma1", "inbox/turma1/sub"].map(|folder| place.at(folder));
    let close = |mode| {
        for folder in &folders {
            fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        }
    };
    close(0o555);
    let remedy = format!("chmod -R g+rwX {}", place.at("inbox/turma1").canonicalize().unwrap().display());
    let service = start(place);
    service.wait_for_log(&format!("not taken: |the service may not take files from the folder|{remedy}"));
    service.drop_file("open-entrada.txt", BOARD_1);
    service.expect("open-saida.txt", "1\n");
    service.expect_told("not taken: ", 1);
    for file in files {
        let why = say(&service, &["why", file]);
        assert!(why.contains(": left alone\n") && why.contains(&remedy), "{why}");
    }
    let told = || say(&service, &["status"]).contains(&remedy);
    assert!(told());
    close(0o755);
    for result in ["turma1/saida.txt", "turma1/more-saida.txt", "turma1/sub/saida.txt"] {
        service.expect(result, "1\n");
    }
    wait_for("the end of the trouble", || (!told()).then_some(()));
}

#[test]
fn a_file_that_is_closed_to_the_service_is_told_with_its_remedy() {
    if !namespaces_work() {
        return;
    }
    let place = Place::new().file("inbox/entrada.txt", BOARD_1);
    let path = place.at("inbox/entrada.txt");
    fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
    let remedy = format!("chmod g+r {}", path.canonicalize().unwrap().display());
    let service = start(place);
    service.wait_for_log(&format!("not taken: |the service may not read the file|{remedy}"));
    let why = say(&service, &["why", "entrada.txt"]);
    assert!(why.contains(": left alone\n") && why.contains(&remedy), "{why}");
    assert!(say(&service, &["status"]).contains(&remedy));
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    service.expect("saida.txt", "1\n");
}

/// The page shows names below the inbox. It tells nobody who owns a file or where on the machine it is.
#[test]
fn the_page_names_all_that_is_closed_to_the_service() {
    if !namespaces_work() {
        return;
    }
    let config = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"50ms\"\n[page]\npath = \"outbox/index.html\"\n";
    let files = ["inbox/turma1/entrada.txt", "turma2/entrada.txt"];
    let place = files.iter().fold(Place::new().config(config), |place, file| place.file(file, BOARD_1));
    let close =
        |folder: &std::path::Path, mode| fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
    let folders = ["inbox/turma1", "turma2"].map(|folder| place.at(folder));
    for folder in &folders {
        close(folder, 0o555);
    }
    let service = start(place);
    let page = || fs::read_to_string(service.at("outbox/index.html")).unwrap_or_default();
    let named = |folder: &str| page().contains(&format!("<strong>{folder}</strong>: its permissions"));
    wait_for("the folder on the page", || named("turma1").then_some(()));
    assert!(
        !named("turma2") && !page().contains("chmod") && !page().contains(service.at("").to_str().unwrap())
    );
    fs::rename(service.at("turma2"), service.at("inbox/turma2")).unwrap();
    wait_for("the second one", || (named("turma1") && named("turma2")).then_some(()));
    for folder in ["turma1", "turma2"] {
        close(&service.at("inbox").join(folder), 0o755);
    }
    wait_for("the end of the trouble", || (!page().contains("Not taken")).then_some(()));
}
