//! Tests that put archived inputs back into the inbox, each in its own folders.

use super::*;
use crate::config::{SHIPPED, SHIPPED_ORIGIN};
use crate::daemon::base::clock::parse_stamp;
use tabuleiro_jobs::archive::ArchiveWriter;
use tabuleiro_puzzles::solver::SOLVERS;

fn config() -> Config {
    Config::parse(SHIPPED, SHIPPED_ORIGIN, SOLVERS).unwrap()
}

#[test]
fn a_kept_input_goes_back_under_its_name_and_never_over_another() {
    let root = tempfile::tempdir().unwrap();
    let folder = |name: &str| root.path().join(name);
    for name in ["inbox", "outbox", "var/done/a", "var/failed"] {
        fs::create_dir_all(folder(name)).unwrap();
    }
    let place =
        Search { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var"), deadline: None };
    let disk = place.tree();
    let kept = "var/done/a/x.20261121T121744.000001Z.txt";
    fs::write(folder(kept), "old").unwrap();
    let wanted = RetryRequest::File(Path::new("a/x.txt").into());
    assert_eq!(retry(&place, &disk, &config(), &wanted)[0].result, RetryResult::PutBack);
    assert_eq!(fs::read_to_string(folder("inbox/a/x.txt")).unwrap(), "old");
    assert_eq!(
        retry(&place, &disk, &config(), &wanted)[0].result,
        RetryResult::Already,
        "it is in the inbox"
    );
    fs::write(folder(kept), "other").unwrap();
    assert_eq!(retry(&place, &disk, &config(), &wanted)[0].result, RetryResult::Already);
    let by_path = RetryRequest::File(Path::new("done/a/x.20261121T121744.000001Z.txt").into());
    let retried = &retry(&place, &disk, &config(), &by_path)[0];
    assert!(retried.result == RetryResult::Failed && retried.message.contains("not replaced"), "{retried:?}");
    assert_eq!(fs::read_to_string(folder("inbox/a/x.txt")).unwrap(), "old");
    assert!(folder(kept).exists());
    // Files outside the service's folders are not moved.
    fs::write(folder("x.20261121T121744.000001Z.txt"), "mine").unwrap();
    for outside in ["../x.20261121T121744.000001Z.txt", "done/../../x.20261121T121744.000001Z.txt"] {
        let retried = &retry(&place, &disk, &config(), &RetryRequest::File(Path::new(outside).into()))[0];
        assert_ne!(retried.result, RetryResult::PutBack, "{outside}");
    }
    assert!(folder("x.20261121T121744.000001Z.txt").exists());
}

const FOLDERS: [&str; 6] = ["inbox", "outbox", "var/done", "var/failed", "var/work", "var/history"];

fn place(root: &Path, kept: &[&str]) -> Search {
    for name in FOLDERS {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    for path in kept {
        fs::write(root.join("var").join(path), path).unwrap();
    }
    let folder = |name: &str| root.join(name);
    Search { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var"), deadline: None }
}

/// Requests all inputs that failed, and returns each file with its result.
fn files(place: &Search, since: Option<&str>) -> Vec<(String, RetryResult)> {
    asked(place, &RetryRequest::Failed { since: since.map(|since| parse_stamp(since).unwrap()) })
}

/// Makes a request, and returns each file with its result.
fn asked(place: &Search, wanted: &RetryRequest) -> Vec<(String, RetryResult)> {
    let retried = retry(place, &place.tree(), &config(), wanted);
    retried.iter().map(|retried| (retried.file.printable(), retried.result)).collect()
}

fn back(name: &str) -> (String, RetryResult) {
    (name.to_owned(), RetryResult::PutBack)
}

#[test]
fn all_that_failed_goes_back_but_for_what_was_answered_since() {
    let root = tempfile::tempdir().unwrap();
    let kept = [
        "failed/x.20261121T100000.000001Z.txt",
        "failed/x.20261121T110000.000001Z.txt",
        "failed/y.20261121T100000.000001Z.txt",
        "done/y.20261121T110000.000001Z.txt",
        "failed/z.20261121T090000.000001Z.txt",
    ];
    let place = place(root.path(), &kept);
    assert_eq!(files(&place, Some("2026-11-21T10:30:00Z")), [back("x.txt")]);
    assert!(fs::read_to_string(place.inbox.join("x.txt")).unwrap().contains("T11"), "the newest");
    assert_eq!(files(&place, None), [back("z.txt")], "x.txt lies in the inbox");
    assert_eq!(files(&place, None), []);
}

#[test]
fn nothing_comes_back_that_is_in_hand_or_has_a_newer_job() {
    let root = tempfile::tempdir().unwrap();
    let kept = [
        "failed/told.20261121T100000.000001Z.txt",
        "failed/claimed.20261121T100000.000001Z.txt",
        "failed/long.20261121T100000.000001Z.txt",
        "failed/w.20261121T100000.000001Z.txt",
    ];
    let place = place(root.path(), &kept);
    // Somebody removed the input of the newer job, or it was put back into the inbox and removed there.
    let line = |time: &str, id: &str, file: &str| {
        format!(r#"{{"time":"{time}","id":"{id}","file":"{file}","outcome":"rejected"}}"#) + "\n"
    };
    let lines = line("2026-11-21T10:00:01Z", "20261121T100000.000001Z", "w.txt")
        + &line("2026-11-21T12:00:00Z", "20261121T115900.000001Z", "told.txt");
    fs::write(place.history().join("2026-11-21.jsonl"), lines).unwrap();
    fs::write(place.var.join("work/20261121T120000.000001Z!1=claimed.txt"), "1").unwrap();
    let long = place.var.join("work/20261121T120000.000002Z");
    fs::create_dir_all(&long).unwrap();
    fs::write(long.join("long.txt"), "1").unwrap();
    let asked = retry(&place, &place.tree(), &config(), &RetryRequest::File(Path::new("claimed.txt").into()));
    assert!(asked[0].result == RetryResult::Already && asked[0].message.contains("in hand"), "{asked:?}");
    assert_eq!(files(&place, None), [back("w.txt")]);
}

/// Archived inputs of three students: one handed in twice, and the newer input of another is gone.
fn class(root: &Path) -> Search {
    for folder in ["turma/ana", "turma/bia", "turma/caio"] {
        for kept in ["done", "failed"] {
            fs::create_dir_all(root.join("var").join(kept).join(folder)).unwrap();
        }
    }
    let kept = [
        "failed/turma/ana/pulo.20261121T120000.000001Z.txt",
        "done/turma/ana/pulo.20261121T130000.000001Z.txt",
        "done/turma/bia/pulo.20261121T110000.000001Z.txt",
        "done/turma/caio/pulo.20261121T100000.000001Z.txt",
        "done/entrada.20261121T100000.000002Z.txt",
    ];
    let place = place(root, &kept);
    let line = r#"{"time":"2026-11-21T12:00:00Z","id":"20261121T115900.000001Z","file":"turma/caio/pulo.txt","outcome":"answered"}"#;
    fs::write(place.history().join("2026-11-21.jsonl"), format!("{line}\n")).unwrap();
    place
}

#[test]
fn the_newest_of_every_file_of_a_route_or_folder_goes_back_and_what_stays_is_told() {
    let route = RetryRequest::Route { name: "pulo".to_owned() };
    let folder = |path: &str| RetryRequest::File(Path::new(path).into());
    let went = [
        ("turma/caio/pulo.txt".to_owned(), RetryResult::Failed),
        back("turma/bia/pulo.txt"),
        back("turma/ana/pulo.txt"),
    ];
    for wanted in [route, folder("turma"), folder("done/turma")] {
        let root = tempfile::tempdir().unwrap();
        let place = class(root.path());
        assert_eq!(asked(&place, &wanted), went, "{wanted:?}");
        let ana = fs::read_to_string(place.inbox.join("turma/ana/pulo.txt")).unwrap();
        assert!(ana.contains("T13"), "{wanted:?}: the newest: {ana}");
        assert!(place.var.join("done/entrada.20261121T100000.000002Z.txt").exists(), "{wanted:?}");
        assert!(place.var.join("done/turma/caio/pulo.20261121T100000.000001Z.txt").exists());
    }
    // One student has a newer file in the inbox, another has one in progress.
    let root = tempfile::tempdir().unwrap();
    let place = class(root.path());
    fs::create_dir_all(place.inbox.join("turma/bia")).unwrap();
    fs::write(place.inbox.join("turma/bia/pulo.txt"), "newer").unwrap();
    fs::write(place.var.join("work/20261121T140000.000001Z!1=turma%2Fana%2Fpulo.txt"), "1").unwrap();
    let stays = |name: &str, result| (format!("turma/{name}/pulo.txt"), result);
    assert_eq!(
        asked(&place, &folder("turma")),
        [
            stays("caio", RetryResult::Failed),
            stays("bia", RetryResult::Already),
            stays("ana", RetryResult::Already)
        ]
    );
    assert_eq!(fs::read_to_string(place.inbox.join("turma/bia/pulo.txt")).unwrap(), "newer");
}

#[test]
fn an_archive_goes_back_with_the_route_of_a_member() {
    let root = tempfile::tempdir().unwrap();
    let place = place(root.path(), &["done/broken.20261121T100000.000001Z.zip"]);
    for (name, member) in [("a", "ana/pulo.txt"), ("b", "entrada.txt")] {
        let mut archive = ArchiveWriter::new(std::array::from_fn(|_| tempfile::tempfile().unwrap()));
        archive.add_text(member, b"1").unwrap();
        let kept = place.var.join(format!("done/{name}.20261121T100000.000001Z.zip"));
        archive.finish(File::create(kept).unwrap()).unwrap();
    }
    assert_eq!(asked(&place, &RetryRequest::Route { name: "pulo".to_owned() }), [back("a.zip")]);
}

#[test]
fn a_route_or_folder_without_kept_inputs_is_told() {
    let root = tempfile::tempdir().unwrap();
    let place = place(root.path(), &[]);
    fs::create_dir(place.inbox.join("turma")).unwrap();
    for (wanted, words) in [
        (RetryRequest::File(Path::new("turma").into()), "it is a folder, and no input"),
        (RetryRequest::Route { name: "pulo".to_owned() }, "no input of the route 'pulo' is kept"),
        (RetryRequest::Route { name: "pula".to_owned() }, "no route 'pula'"),
    ] {
        let retried = retry(&place, &place.tree(), &config(), &wanted);
        assert!(retried.len() == 1 && retried[0].result == RetryResult::Unknown, "{retried:?}");
        assert!(retried[0].message.contains(words), "{retried:?}");
    }
}

#[test]
fn of_more_than_one_request_puts_back_the_oldest_go_first() {
    let root = tempfile::tempdir().unwrap();
    let names = |number: usize| format!("done/pulo-{number:04}.20261121T100000.{:06}Z.txt", 2000 - number);
    let kept: Vec<_> = (0..=RETRIED_MAX).map(names).collect();
    let place = place(root.path(), &kept.iter().map(String::as_str).collect::<Vec<_>>());
    let retried = asked(&place, &RetryRequest::Route { name: "pulo".to_owned() });
    assert_eq!((retried.len(), retried[RETRIED_MAX].1), (RETRIED_MAX + 1, RetryResult::More));
    let left: Vec<_> = fs::read_dir(place.var.join("done")).unwrap().collect();
    assert_eq!(left.len(), 1);
    assert!(left[0].as_ref().unwrap().file_name().to_string_lossy().starts_with("pulo-0000"), "{left:?}");
}

#[test]
fn what_could_not_be_looked_for_in_time_is_left_and_said() {
    let root = tempfile::tempdir().unwrap();
    let mut place = place(root.path(), &["failed/x.20261121T100000.000001Z.txt"]);
    place.deadline = Some(std::time::Instant::now());
    assert_eq!(files(&place, None), [(String::new(), RetryResult::Failed)]);
    let asked = retry(&place, &place.tree(), &config(), &RetryRequest::File(Path::new("no.txt").into()));
    assert!(asked[0].message.contains("in the time"), "{asked:?}");
}

#[test]
fn a_time_that_cannot_be_read_is_an_error() {
    let read = |text: &str| serde_json::from_str::<RetryRequest>(text);
    read(r#"{"failed":{"since":"yesterday"}}"#).unwrap_err();
    assert_eq!(read(r#"{"failed":{}}"#).unwrap(), RetryRequest::Failed { since: None });
    let since = RetryRequest::Failed { since: parse_stamp("2026-11-21T10:00:00Z") };
    assert_eq!(read(&serde_json::to_string(&since).unwrap()).unwrap(), since);
}
