//! Tests names that are no UTF-8, hold control characters, quotes or dashes, or have the maximum length.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::harness::{BOARD_1, Place, Service, begins_with_a_time, wait_for};

/// Text before `entrada.txt`.
const ODD: [&[u8]; 16] = [
    b"\xff\xfe\xc3",
    b"a\nINFO forged: answered file=\"x\"\n",
    b"a\r2026-01-01T00:00:00.000000Z  INFO forged",
    b"\x1b[2J\x1b]0;forged\x07\x9b1m",
    b"a\"b\" forged=\"1\" 'c' `d`",
    b"$(touch forged);|& ${HOME} *?[x]{y}",
    b"-rf --help ",
    b"--",
    b"a\\nb\\x1b",
    b" \t ",
    b"%s%n%x{}{0}",
    b"\xe2\x80\xaetxt.\xe2\x81\xa6\xe2\x80\xa8\xef\xbb\xbf\xd8\x9c",
    b"CON:NUL|AUX",
    b"\x7f\x08\x08\x0b\x0c\xc2\x85",
    b"<script>&amp;",
    b"</inbox>\xf0\x9f\x92\xa3",
];

fn drop_odd(service: &Service, name: &OsStr, content: &str) {
    let made = service.at("made");
    fs::write(&made, content).unwrap();
    fs::rename(&made, service.at("inbox").join(name)).unwrap();
}

/// Checks that every line begins like a line of the log, and that no character can move a cursor or reorder text.
fn assert_not_forged(log: &str, lines_of_jobs: usize) {
    // Folded lines continue below their text.
    let log = log.replace("\n          ", " ");
    for line in log.lines() {
        assert!(begins_with_a_time(line), "{line:?}");
        let odd = |c: char| {
            c.is_control()
                || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        };
        assert!(!line.contains(odd), "{line:?}");
    }
    let of_jobs = log.lines().filter(|line| line.ends_with(" ms") || line.contains("  rejected: "));
    assert_eq!(of_jobs.count(), lines_of_jobs, "{log}");
}

#[test]
fn odd_names_are_answered_and_forge_neither_log_nor_report() {
    let service = Place::new().start();
    // A slash is not part of a name: the text before it is a folder.
    for odd in ODD {
        let name = |kind: &[u8]| OsString::from_vec([odd, kind].concat());
        let folder = service.at("inbox").join(name(b"x"));
        fs::create_dir_all(folder.parent().unwrap()).unwrap();
        drop_odd(&service, &name(b"entrada.txt"), BOARD_1);
        drop_odd(&service, &name(b"bad-entrada.txt"), "3 3\n2 1 2 0 1\n2 2 nothing");
        drop_odd(&service, &name(b"none-entrada.txt"), "nothing");
    }
    let read = |odd: &[u8], kind: &[u8]| {
        let path = service.at("outbox").join(OsString::from_vec([odd, kind].concat()));
        wait_for(&format!("{}\n{}", path.display(), service.log()), || fs::read_to_string(&path).ok())
    };
    for odd in ODD {
        assert_eq!(read(odd, b"saida.txt"), "1\n");
        // One line per board, whatever name appears in it.
        let result = read(odd, b"bad-saida.txt");
        assert!(!result.chars().any(|c| c.is_control() && c != '\n'), "{result:?}");
        assert!(result.lines().all(|line| line == "1" || line.starts_with("invalid board: ")), "{result:?}");
        let report = read(odd, b"none-erro.txt");
        assert!(!report.chars().any(|c| c.is_control() && c != '\n'), "{report:?}");
        assert_eq!(report.lines().filter(|line| line.starts_with("rejected: ")).count(), 1, "{report:?}");
        // The message, and the line that it marks with carets.
        let shown = report.split("The format is described by").next().unwrap_or_default();
        assert_eq!(shown.replace("\n  ", " ").lines().count(), 2, "{report:?}");
    }
    wait_for("an empty inbox", || service.files("inbox").iter().all(|name| name.contains('/')).then_some(()));
    assert!(!service.at("forged").exists());
    let place = service.stop();
    let latest = fs::read_to_string(place.at("var/log/latest")).unwrap();
    assert_not_forged(&latest, 3 * ODD.len());
    assert_not_forged(&fs::read_to_string(place.at("stderr.log")).unwrap(), 3 * ODD.len());
}

#[test]
fn odd_names_stay_one_json_object_a_line() {
    let mut place =
        Place::new().config("[log]\nformat = \"json\"\n[results]\nformats = [\"txt\", \"json\"]\n");
    for odd in ODD.iter().filter(|odd| !odd.contains(&b'/')) {
        let name = OsString::from_vec([odd, b"entrada.txt".as_slice()].concat());
        fs::write(place.at("inbox").join(name), "3 3\n2 1 \x1b[2J\"},{\"x\":\"\n3 3\n2 1 2 0 1\n").unwrap();
    }
    place = place.argument("--once").run().0;
    let log = fs::read_to_string(place.at("stderr.log")).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered = lines.iter().filter(|line| line["message"] == "answered with warnings");
    let odd = ODD.iter().filter(|odd| !odd.contains(&b'/')).count();
    assert_eq!(answered.count(), odd);
    let results = fs::read_dir(place.at("outbox")).unwrap().flatten();
    let json = results.filter(|entry| entry.file_name().as_bytes().ends_with(b".json"));
    let read =
        |entry: fs::DirEntry| serde_json::from_slice::<serde_json::Value>(&fs::read(entry.path()).unwrap());
    let files = json.map(|entry| read(entry).unwrap()["puzzles"].as_array().unwrap().len());
    assert_eq!(files.collect::<Vec<_>>(), vec![2; odd]);
}

#[test]
fn names_of_255_bytes_end_with_a_result_or_a_report() {
    let fill = |filler: &str, ends: &str| {
        let room = 255 - ends.len();
        filler.repeat(room / filler.len()) + &"x".repeat(room % filler.len()) + ends
    };
    let names = [
        fill("a", ".txt"),
        fill("A", ".TXT"),
        fill("a", "entrada.txt"),
        fill("é", "-entrada.txt"),
        fill("日本", ".txt"),
        "entrada".to_owned() + &fill("b", ".txt")[7..],
        "entrada.".to_owned() + &fill("c", "")[8..],
        fill("d", ""),
        fill("entrada", ""),
        fill(".txt", "")[1..].to_owned() + "z",
    ];
    let mut place = Place::new().config(
        "[intake]\nignore = []\nquiet_period = \"50ms\"\n[results]\nformats = [\"txt\", \"json\"]\n\
         [[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\nif_exists = \"version\"\n",
    );
    for name in &names {
        assert_eq!(name.len(), 255, "{name}");
        place = place.file(&format!("inbox/{name}"), BOARD_1).file(&format!("inbox/bad/{name}"), "nothing");
    }
    // Twice: each result has the ID of its job in its name.
    place = place.argument("--once");
    for round in 1..=2 {
        place = place.run().0;
        assert_eq!(place.files("inbox").len(), 0);
        assert_eq!(place.files("outbox").len(), names.len() * (1 + 2 * round), "{:?}", place.files("outbox"));
        for name in &names {
            place = place.file(&format!("inbox/{name}"), BOARD_1);
        }
    }
    let outputs: HashSet<_> = place.files("outbox").into_iter().collect();
    let results = outputs.iter().filter(|name| !name.starts_with("bad/") && !name.contains(".json"));
    assert_eq!(
        results.filter(|name| fs::read_to_string(place.at("outbox").join(name)).unwrap() == "1\n").count(),
        20
    );
    assert_eq!((place.files("var/done").len(), place.files("var/failed").len()), (20, 10));
}
