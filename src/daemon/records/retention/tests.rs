//! Tests of retention on real folders: which files are removed, and which stay.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use super::*;
use crate::config::Config;
use tabuleiro_puzzles::solver::SOLVERS;

struct Place {
    root: tempfile::TempDir,
    folders: Folders,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            let path = fs::canonicalize(root.path()).unwrap().join(name);
            fs::create_dir_all(&path).unwrap();
            path
        };
        let folders = Folders {
            inbox: at("inbox"),
            // An unusual place for the outbox, but allowed.
            outbox: at("var/done/out"),
            staging: at("var/done/out/.tabuleiro-1"),
            work: at("var/work"),
            done: at("var/done"),
            failed: at("var/failed"),
            history: at("var/history"),
            log: at("var/log"),
        };
        Self { root, folders }
    }

    /// Creates a file of ten bytes below `var`; `{N}` in the name becomes the ID of a job N hours ago.
    fn file(&self, path: &str) -> PathBuf {
        let path = match path.split_once('{').and_then(|(a, rest)| Some((a, rest.split_once('}')?))) {
            Some((before, (hours, after))) => format!("{before}{}{after}", id(hours.parse().unwrap())),
            None => path.to_owned(),
        };
        let path = self.root.path().join("var").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "0123456789").unwrap();
        path
    }

    fn run(&self, retention: &str) {
        let config = Config::parse(&format!("[retention]\n{retention}\n"), "t", SOLVERS);
        let retention = config.unwrap().retention;
        let stop = AtomicBool::new(false);
        run(&retention, &self.folders, &stop);
    }
}

fn id(hours_ago: i64) -> String {
    let time = clock::now() - time::Duration::hours(hours_ago);
    let stamp = clock::stamp(time);
    stamp.replace(['-', ':'], "")
}

fn left(files: &[&PathBuf]) -> Vec<bool> {
    files.iter().map(|path| path.exists()).collect()
}

#[test]
fn what_is_too_old_goes() {
    let place = Place::new();
    let old = place.file("done/a.{30}.txt");
    let young = place.file("done/a.{20}.txt");
    let other_folder = place.file("failed/a.{30}.txt");
    place.run("done_age = \"1day\"");
    assert_eq!(left(&[&old, &young, &other_folder]), [false, true, true]);
    place.run("");
    assert_eq!(left(&[&young, &other_folder]), [true, true]);
}

#[test]
fn folders_left_empty_go_and_others_stay() {
    let place = Place::new();
    let old = place.file("done/a/b/c/x.{30}.txt");
    let kept = place.file("done/a/mine.txt");
    place.run("done_age = \"1h\"");
    assert!(!old.exists() && kept.exists());
    assert!(!place.folders.done.join("a/b").exists());
    place.file("done/d/x.{30}.txt");
    place.run("done_age = \"1h\"");
    assert!(!place.folders.done.join("d").exists() && place.folders.done.exists());
}

#[test]
fn nothing_that_is_no_kept_input_is_removed() {
    let place = Place::new();
    let result = place.file("done/out/saida.{3000}.txt");
    let made = place.file("done/out/.tabuleiro-1/x.{3000}.txt");
    let mine = place.file("done/notes.txt");
    let claimed = place.file("work/x.{3000}.txt");
    let elsewhere = place.file("elsewhere/x.{3000}.txt");
    symlink(place.root.path().join("var/elsewhere"), place.folders.done.join("link")).unwrap();
    symlink(&elsewhere, place.folders.done.join(format!("l.{}.txt", id(3000)))).unwrap();
    let folder = place.folders.failed.join(format!("f.{}.txt", id(3000)));
    fs::create_dir(&folder).unwrap();
    place.run("done_age = \"1h\"\nfailed_age = \"1h\"");
    assert_eq!(left(&[&result, &made, &mine, &claimed, &elsewhere, &folder]), [true; 6]);
}

#[test]
fn days_of_the_history_and_closed_log_files_go_by_their_names() {
    let place = Place::new();
    let (today, yesterday) = (clock::now().date(), clock::now().date().previous_day().unwrap());
    let day = |date| clock::day(date);
    let old = place.file("history/2001-01-01.jsonl");
    let now = place.file(&format!("history/{}.jsonl", day(today)));
    let log_old = place.file("log/tabuleiro.2001-01-01-05.log");
    let log_yesterday = place.file(&format!("log/tabuleiro.{}.log", day(yesterday)));
    let log_now = place.file(&format!("log/tabuleiro.{}.log", day(today)));
    place.run("history_age = \"1year\"\nlog_age = \"30days\"");
    assert_eq!(left(&[&old, &now, &log_old, &log_yesterday, &log_now]), [false, true, false, true, true]);
}

#[test]
fn a_run_that_is_stopped_removes_nothing() {
    let place = Place::new();
    let old = place.file("done/a.{30}.txt");
    let retention = Retention {
        done: Some(Duration::from_secs(3600)),
        ..Config::parse("", "t", SOLVERS).unwrap().retention
    };
    let stop = AtomicBool::new(true);
    run(&retention, &place.folders, &stop);
    assert!(old.exists());
}

#[test]
fn the_name_of_a_kept_input_tells_when_its_job_began() {
    let id = "20251121T134332.084191Z";
    let time = clock::parse_stamp("2025-11-21T13:43:32.084191Z");
    assert!(time.is_some());
    for dropped in ["entrada.txt", "a.b.c", ".hidden", "x", "", "no-extension", "é.txt"] {
        let name = tabuleiro_jobs::naming::archived(OsStr::new(dropped), id);
        assert_eq!(FolderContent::Inputs.time(&name), time, "{name:?}");
    }
    let long = tabuleiro_jobs::naming::archived(OsStr::new(&"n".repeat(255)), id);
    assert_eq!(FolderContent::Inputs.time(&long), time);
    let raw = tabuleiro_jobs::naming::archived(OsStr::from_bytes(b"\xff.txt"), id);
    assert_eq!(FolderContent::Inputs.time(&raw), time);
}

#[test]
fn other_names_are_somebody_s_own() {
    for name in [
        "entrada.txt",
        "20251121T134332.084191Z",
        "a.20251121T134332.084191Z.saida.txt",
        "a.20251321T134332.084191Z.txt",
        "a20251121T134332.084191Z.txt",
        "2025-11-21.jsonl",
        "",
    ] {
        assert_eq!(FolderContent::Inputs.time(OsStr::new(name)), None, "{name}");
    }
    for name in ["tabuleiro.log", "latest", "tabuleiro.2025-11-21-24.log", "other.2025-11-21.log"] {
        assert_eq!(FolderContent::Logs.time(OsStr::new(name)), None, "{name}");
    }
    for name in ["2025-11-31.jsonl", "2025-11-21.json", "notes.jsonl"] {
        assert_eq!(FolderContent::History.time(OsStr::new(name)), None, "{name}");
    }
}

#[test]
fn the_age_of_a_period_counts_from_its_end() {
    let hour = time::Duration::HOUR;
    let day = clock::parse_stamp("2025-11-22T00:00:00Z");
    assert!(day.is_some());
    assert_eq!(FolderContent::History.time(OsStr::new("2025-11-21.jsonl")), day);
    assert_eq!(FolderContent::Logs.time(OsStr::new("tabuleiro.2025-11-21.log")), day);
    assert_eq!(FolderContent::Logs.time(OsStr::new("tabuleiro.2025-11-21-23.log")), day);
    assert_eq!(
        FolderContent::Logs.time(OsStr::new("tabuleiro.2025-11-21-22.log")),
        day.map(|end| end - hour)
    );
}
