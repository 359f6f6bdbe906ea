//! Kills the service at random points, again and again. A ledger compares the dropped files with those that are there.
//!
//! `KILL_FILES`, `KILL_ROUNDS` and `KILL_SEED` change length and course; `docs/reliability.md` has the long form.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::harness::{BOARD_1, BOARD_2, Place, job_in, wait_for};

/// Every result gets a name of its own, so that a second answer would show under a second name.
const ROUTE: &str = r#"
[intake]
quiet_period = "10ms"
rescan_interval = "1h"
[[route]]
name = "all"
files = ["**/*"]
solver = "checkers-capture"
if_exists = "version"
"#;

fn number(key: &str, default: usize) -> usize {
    std::env::var(key).map_or(default, |value| value.parse().unwrap())
}

/// What one dropped file must lead to.
struct Expected {
    content: String,
    output: String,
    answer: Option<&'static str>,
}

/// The dropped files, by path below the inbox.
#[derive(Default)]
struct Ledger {
    files: BTreeMap<String, Expected>,
    set_aside: usize,
}

impl Ledger {
    /// Adds the `number`th file. Every tenth file is rejected, the others hold one of two boards; some are in folders.
    fn add(&mut self, number: usize) -> (String, String) {
        let folder = if number.is_multiple_of(3) { format!("d{}/", number % 7) } else { String::new() };
        let name = format!("{folder}f{number}.txt");
        let (content, kind, answer) = match number {
            _ if number % 10 == 9 => (format!("Dear {number}\n"), "erro", None),
            _ if number.is_multiple_of(2) => (format!("# {number}\n{BOARD_1}"), "saida", Some("1\n")),
            _ => (format!("# {number}\n{BOARD_2}"), "saida", Some("2\n")),
        };
        let output = format!("{folder}f{number}.{kind}.ID.txt");
        self.files.insert(name.clone(), Expected { content: content.clone(), output, answer });
        (name, content)
    }

    /// Checks that every file is in one place and every answered file has its answer. If `ended`, all must be answered.
    fn check(&mut self, place: &Place, ended: bool) {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for folder in ["inbox", "var/work", "var/done", "var/failed"] {
            for file in place.files(folder) {
                let path = format!("{folder}/{file}");
                let content = fs::read_to_string(place.at(&path)).unwrap();
                places.entry(content).or_default().push(path);
            }
        }
        let mut expected_outputs = Vec::new();
        self.set_aside = 0;
        for (name, Expected { content, output, answer }) in &self.files {
            let at = places.get(content).map_or(&[][..], Vec::as_slice);
            assert_eq!(at.len(), 1, "{name} is in {at:?}");
            let is_done = at[0].starts_with("var/done/");
            let is_failed = at[0].starts_with("var/failed/");
            assert!(is_done || is_failed || !ended, "{name} is in {at:?} at the end");
            let report = output.replace(".saida.ID.", ".erro.").replace(".erro.ID.", ".erro.");
            let output = &output.replace("ID", job_in(&at[0]).unwrap_or("ID"));
            let read = |output: &str| fs::read_to_string(place.at("outbox").join(output)).unwrap_or_default();
            if is_done {
                assert_eq!(Some(read(output).as_str()), *answer, "{name} is done");
                expected_outputs.push(output.clone());
            } else if is_failed {
                let text = read(&report);
                assert!(text.starts_with("rejected: ") && text.ends_with('\n'), "{name} failed: {text:?}");
                if answer.is_some() {
                    // It was in progress at two kills and is set aside, as documented.
                    assert!(text.contains("ended 2 times"), "{name} failed: {text:?}");
                    self.set_aside += 1;
                }
                expected_outputs.push(report);
            } else if let text @ ("1\n" | "2\n" | "") = read(output).as_str() {
                assert!(text.is_empty() || Some(text) == *answer, "{name}: {text:?}");
            } else if answer.is_some() {
                panic!("{name}: {:?}", read(output));
            }
        }
        if ended {
            expected_outputs.sort();
            assert!(
                place.files("outbox") == expected_outputs,
                "the outbox holds {:?}",
                place.files("outbox")
            );
            assert_eq!(place.files("var/work"), ["lock"]);
            let staging =
                fs::read_dir(place.at("outbox")).unwrap().flatten().find(|entry| is_hidden(&entry.path()));
            assert_eq!(fs::read_dir(staging.unwrap().path()).unwrap().count(), 0, "temporaries");
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap().to_string_lossy().starts_with(".tabuleiro-")
}

#[test]
fn a_kill_at_any_moment_loses_nothing_and_answers_nothing_twice() {
    let (files, rounds) = (number("KILL_FILES", 300), number("KILL_ROUNDS", 5));
    let mut random = number("KILL_SEED", 1) as u64;
    let mut below = |bound: usize| {
        // Knuth's MMIX generator; its high bits are good enough for points in time.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound.max(1)
    };
    let mut ledger = Ledger::default();
    let mut place = Place::new().config(ROUTE);
    let answered = |place: &Path| count(&place.join("var/done")) + count(&place.join("var/failed"));
    let mut dropped = 0;
    for round in 1..=rounds {
        let service = place.spawn();
        let root = service.at("");
        // Some files arrive while the service runs, some while it starts.
        if below(2) == 0 {
            service.wait_for_log("ready");
        }
        while dropped < files * round / rounds {
            let (name, content) = ledger.add(dropped);
            service.drop_file(&name, content);
            dropped += 1;
        }
        let before = answered(&root);
        let (wanted, claims) = (before + below((dropped - before).min(2 * files / rounds)), 1 + below(8));
        match below(4) {
            0 => wait_for("a start", || service.at("var/work/lock").exists().then_some(())),
            1 => wait_for("claims", || {
                let over = answered(&root) == dropped;
                (over || count(&service.at("var/work")) > claims).then_some(())
            }),
            _ => wait_for("some progress", || (answered(&root) >= wanted).then_some(())),
        }
        place = service.kill();
        ledger.check(&place, false);
    }
    let service = place.start();
    service.wait_until_idle(0);
    let place = service.stop();
    ledger.check(&place, true);
    println!("{files} files, {rounds} kills, {} set aside after two of them", ledger.set_aside);
}

/// Counts the files below a folder. A folder counts at least one.
fn count(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { count(&entry.path()).max(1) } else { 1 }).sum()
}
