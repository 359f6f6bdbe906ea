//! What journald receives; a socket in a temporary folder stands in for it.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;
use tracing::{error, info, info_span, warn};
use tracing_subscriber::layer::SubscriberExt;

use super::*;
use crate::logging::kind;

/// A socket that stands in for journald's.
struct Journald {
    folder: TempDir,
    socket: UnixDatagram,
}

impl Journald {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixDatagram::bind(folder.path().join("socket")).unwrap();
        socket.set_nonblocking(true).unwrap();
        Self { folder, socket }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// Returns the entries that `log` sends.
    fn entries(&self, log: impl FnOnce()) -> Vec<BTreeMap<String, String>> {
        let (journal, sink) = connect(&self.path()).unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(journal), log);
        sink.end(Instant::now() + Duration::from_secs(60));
        let mut buffer = vec![0; 1 << 18];
        let mut entries = Vec::new();
        while let Ok(length) = self.socket.recv(&mut buffer) {
            entries.push(decoded(&buffer[..length]));
        }
        assert!(entries.remove(0).is_empty(), "the first entry asks whether journald is there");
        entries
    }
}

/// Returns the fields of an entry in the form `NAME\nLENGTH VALUE\n`.
fn decoded(mut entry: &[u8]) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    while !entry.is_empty() {
        let end = entry.iter().position(|byte| *byte == b'\n').unwrap();
        let (name, rest) = (std::str::from_utf8(&entry[..end]).unwrap(), &entry[end + 1..]);
        let (length, rest) = rest.split_at(8);
        let length = usize::try_from(u64::from_le_bytes(length.try_into().unwrap())).unwrap();
        let value = std::str::from_utf8(&rest[..length]).unwrap();
        assert_eq!(rest[length], b'\n', "{name}");
        assert!(fields.insert(name.to_owned(), value.to_owned()).is_none(), "{name} twice");
        entry = &rest[length + 1..];
    }
    fields
}

#[test]
fn an_event_is_an_entry_with_its_fields_its_kind_and_its_job() {
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    // The entry's time is cut to whole microseconds.
    let before = now().saturating_sub(Duration::from_micros(1));
    let entries = Journald::new().entries(|| {
        let span = info_span!("job", id = "20261121T134332.582439Z");
        let _entered = span.enter();
        let (file, solver) = ("a.txt", "checkers-capture");
        info!(name: kind::ANSWERED.name, file, solver, puzzles = 2, solve_ms = 0.5, "answered{}", " with warnings");
    });
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    let logged = Duration::from_micros(entry["LOGGED_US"].parse().unwrap());
    assert!((before..=now()).contains(&logged), "{logged:?} after {before:?}");
    let message = "a.txt  2 boards   0.50 ms";
    for (name, value) in [
        ("MESSAGE", message),
        ("MESSAGE_ID", kind::ANSWERED.id),
        ("PRIORITY", "6"),
        ("SYSLOG_IDENTIFIER", "tabuleiro"),
        ("FILE", "a.txt"),
        ("SOLVER", "checkers-capture"),
        ("PUZZLES", "2"),
        ("SOLVE_MS", "0.5"),
        ("JOB", "20261121T134332.582439Z"),
        ("CODE_FILE", file!()),
    ] {
        assert_eq!(entry.get(name).map(String::as_str), Some(value), "{name} in {entry:?}");
    }
    assert_eq!(entry.len(), 12, "{entry:?}");
}

#[test]
fn levels_are_priorities_and_other_events_have_no_kind() {
    let entries = Journald::new().entries(|| {
        error!("a");
        warn!("b");
        tracing::debug!("c");
    });
    let seen: Vec<_> =
        entries.iter().map(|entry| (entry["MESSAGE"].as_str(), entry["PRIORITY"].as_str())).collect();
    assert_eq!(seen, [("error: a", "3"), ("warning: b", "4"), ("c", "7")]);
    assert!(entries.iter().all(|entry| !entry.contains_key("MESSAGE_ID")), "{entries:?}");
}

/// The text of an event cannot add fields or entries, and cannot make an entry that journald rejects.
#[test]
fn values_of_several_lines_and_long_ones_stay_one_value() {
    let long = "é".repeat(VALUE_BYTES_MAX);
    let entries = Journald::new().entries(|| {
        info!(reason = "a\nPRIORITY=0", "one\ntwo");
        let l = long.as_str();
        info!(a = l, b = l, c = l, d = l, e = l, f = l, g = l, h = l, "cut");
    });
    let [lines, long] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!((lines["REASON"].as_str(), lines["PRIORITY"].as_str()), ("a\nPRIORITY=0", "6"));
    assert_eq!((lines["MESSAGE"].as_str(), long["MESSAGE"].as_str()), ("one\ntwo", "cut"));
    assert_eq!(long["A"].len(), VALUE_BYTES_MAX);
    let bytes: usize = long.values().map(String::len).sum();
    assert!(bytes < 1 << 16 && long.contains_key("E") && !long.contains_key("H"), "{bytes}");
}

#[test]
fn an_entry_does_not_wait_for_a_journal_that_is_gone() {
    let journald = Journald::new();
    let path = journald.path();
    let entries = journald.entries(|| {
        std::fs::remove_file(&path).unwrap();
        info!("lost");
    });
    assert!(entries.is_empty(), "{entries:?}");
    assert!(connect(&path).is_err());
}

#[test]
fn a_journal_that_takes_nothing_keeps_nobody_waiting() {
    // Far more than the system buffers for a socket that nobody reads.
    const EVENTS: usize = 5000;
    let journald = Journald::new();
    let (journal, sink) = connect(&journald.path()).unwrap();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(journal), || {
        (0..EVENTS).for_each(|number| info!(number, "x"));
    });
    journald.socket.set_nonblocking(false).unwrap();
    let mut buffer = vec![0; 1 << 16];
    // The first entry is the empty one that `connect` sends.
    for _ in 0..=EVENTS {
        assert!(journald.socket.recv(&mut buffer).is_ok());
    }
    sink.end(Instant::now() + Duration::from_secs(60));
    assert_eq!(sink.lost(), 0);
}

#[test]
fn lines_that_are_missing_are_an_entry() {
    let entry = decoded(&missing(37));
    assert_eq!(entry["MESSAGE"], "37 lines of the log not written: writing them failed or took too long");
    assert_eq!((entry["PRIORITY"].as_str(), entry["MESSAGE_ID"].as_str()), ("4", kind::LINES_LOST.id));
}

#[test]
fn standard_error_is_the_journal_s_when_device_and_inode_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::create(folder.path().join("a")).unwrap();
    let stat = rustix::fs::fstat(&file).unwrap();
    let stream = format!("{}:{}", stat.st_dev, stat.st_ino);
    assert!(is_stream(OsStr::new(&stream), &file));
    assert!(!is_stream(OsStr::new(&stream), File::create(folder.path().join("b")).unwrap()));
    for odd in ["", ":", "1:1", "x", &format!("{stream} ")] {
        assert!(!is_stream(OsStr::new(odd), &file), "{odd}");
    }
    assert!(!is_stream(OsStr::from_bytes(b"\xff:1"), &file));
}

#[test]
fn every_line_for_standard_error_has_its_level() {
    assert_eq!(as_errors("a\nb"), "<3>a\n<3>b\n");
}
