//! Tests of the history without a service.

use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use time::Date;

use super::{day_of, path_of, write, *};
use crate::daemon::base::clock;
use crate::daemon::base::json_path::JsonPath;

const DAY: &str = "2026-11-21";

fn record(second: u32, file: &str, outcome: Outcome) -> Record {
    Record {
        time: format!("{DAY}T10:00:{second:02}.000000Z"),
        id: format!("20261121T1000{second:02}.000000Z"),
        file: JsonPath(file.into()),
        route: Some("entrada".to_owned()),
        outcome,
        puzzles: 2,
        invalid: 1,
        waited_ms: 0.5,
        publish_ms: 1.25,
        bytes: 12,
        ..Record::default()
    }
}

fn day() -> Date {
    clock::parse_day(DAY).unwrap()
}

fn line(record: &Record) -> String {
    serde_json::to_string(record).unwrap() + "\n"
}

fn folder_with(content: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(path_of(folder.path(), day()), content).unwrap();
    folder
}

fn files(found: &Matches) -> Vec<String> {
    found.records.iter().map(|record| record.file.printable()).collect()
}

fn all(folder: &Path) -> io::Result<Matches> {
    find(folder, Query::default(), |_| true)
}

#[test]
fn what_is_written_is_found_the_newest_last() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    let first = [record(1, "a", Outcome::Answered), record(2, "b\n\u{1}", Outcome::Rejected)];
    write(&history, day(), &[&first[0], &first[1]]).unwrap();
    write(&history, day().next_day().unwrap(), &[&record(3, "c", Outcome::Answered)]).unwrap();
    let found = all(&history).unwrap();
    assert_eq!(found.records[..2], first);
    assert_eq!((files(&found)[2].as_str(), found.unreadable), ("c", 0));
    assert_eq!(all(&folder.path().join("missing")).unwrap().records, []);
}

#[test]
fn only_what_is_asked_for_is_found() {
    let all = [1, 2, 3].map(|second| record(second, &second.to_string(), Outcome::Answered));
    let folder = folder_with(&all.iter().map(line).collect::<String>());
    let ask = |query: Query| files(&find(folder.path(), query, |_| true).unwrap());
    assert_eq!(ask(Query { since: clock::parse_stamp(&all[1].time), ..Query::default() }), ["2", "3"]);
    assert_eq!(ask(Query { limit: Some(2), ..Query::default() }), ["2", "3"]);
    let found = find(folder.path(), Query::default(), |record| record.file.0 == Path::new("1")).unwrap();
    assert_eq!((files(&found), found.is_searched_in_part), (vec!["1".to_owned()], false));
    let late = Query { deadline: Some(Instant::now()), ..Query::default() };
    let found = find(folder.path(), late, |_| true).unwrap();
    assert_eq!((files(&found), found.is_searched_in_part), (vec!["3".to_owned()], true));
}

#[test]
fn torn_and_endless_lines_are_passed_over() {
    let (whole, last) = (record(1, "a", Outcome::Answered), record(2, "b", Outcome::Answered));
    let endless = "x".repeat(600 << 10);
    let torn = &line(&last)[..40];
    let folder = folder_with(&format!("{endless}\n{}{endless}\n{}{torn}", line(&whole), line(&last)));
    let found = all(folder.path()).unwrap();
    assert_eq!((files(&found), found.unreadable), (vec!["a".to_owned(), "b".to_owned()], 1));
    // A new line does not continue the torn one.
    write(folder.path(), day(), &[&record(3, "c", Outcome::Answered)]).unwrap();
    assert_eq!(files(&all(folder.path()).unwrap()), ["a", "b", "c"]);
}

#[test]
fn a_long_file_is_read_to_its_beginning() {
    let records: Vec<_> =
        (0..2000).map(|number| record(number % 60, &number.to_string(), Outcome::Answered)).collect();
    let folder = folder_with(&records.iter().map(line).collect::<String>());
    assert_eq!(all(folder.path()).unwrap().records, records);
}

#[test]
fn a_removed_file_is_made_anew_and_a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = path_of(folder.path(), day());
    for name in ["a", "b"] {
        write(folder.path(), day(), &[&record(1, name, Outcome::Answered)]).unwrap();
        assert_eq!(files(&all(folder.path()).unwrap()), [name]);
        fs::remove_file(&path).unwrap();
    }
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), &path).unwrap();
    write(folder.path(), day(), &[&record(1, "c", Outcome::Answered)]).unwrap_err();
    assert!(!folder.path().join("elsewhere").exists());
}

#[test]
fn names_of_days_are_told_from_others() {
    assert_eq!(day_of("2026-11-21.jsonl"), Some(day()));
    for other in ["2026-11-21", "2026-13-21.jsonl", "x.jsonl", ".jsonl", "2026-11-21.jsonl.gz"] {
        assert_eq!(day_of(other), None, "{other}");
    }
}
