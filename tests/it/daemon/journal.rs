//! Tests the log of a service whose standard error is the journal. A socket of the test replaces journald.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::time::Duration;

use tabuleiro::logging::kind::{self, KINDS};
use tabuleiro_puzzles::words::Language;

use crate::harness::{BOARD_1, Place, namespaces_work};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns a place whose service takes its standard error for the journal.
fn place() -> Place {
    let place = Place::new().file("stderr.log", "");
    let stderr = fs::metadata(place.at("stderr.log")).unwrap();
    place.environment("JOURNAL_STREAM", &format!("{}:{}", stderr.dev(), stderr.ino()))
}

#[test]
fn under_systemd_the_journal_gets_entries_and_standard_error_nothing() {
    if !namespaces_work() {
        return;
    }
    let place = place();
    let path = place.at("journald");
    let journald = UnixDatagram::bind(&path).unwrap();
    journald.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let folder = "/run/systemd/journal";
    let setup = format!(
        "mount -t tmpfs tmpfs /run; mkdir -p {folder}; : > {folder}/socket; mount --bind {} {folder}/socket",
        path.display()
    );
    let service = place.namespaces(&setup).spawn();
    let mut seen = Vec::new();
    let mut receive_until = |kind: kind::Kind| loop {
        let mut buffer = vec![0; 1 << 16];
        let length = journald.recv(&mut buffer).unwrap_or_else(|error| panic!("no {}: {error}", kind.name));
        let entry = String::from_utf8_lossy(&buffer[..length]).into_owned();
        seen.push(entry.clone());
        if entry.contains(kind.id) {
            return entry;
        }
    };
    receive_until(kind::READY);
    service.drop_file("entrada.txt", BOARD_1);
    let answered = receive_until(kind::ANSWERED);
    for field in
        ["\nFILE\n", "\nSOLVER\n", "\nANSWERS\n", "\nSOLVE_MS\n", "\nJOB\n", "entrada.txt  1 board: 1   "]
    {
        assert!(answered.contains(field), "no {field:?} in {answered:?}");
    }
    service.drop_file("letter-entrada.txt", "Dear sir");
    let rejected = receive_until(kind::REJECTED);
    assert!(rejected.contains("\nRULE\n") && rejected.contains("\nREASON\n"), "{rejected:?}");
    assert_eq!(service.log(), "", "what the journal has is not told twice");
    let text = fs::read_to_string(service.at("var/log/latest")).unwrap();
    assert!(text.contains("  ready\n"), "the file has lines as ever: {text}");
}

#[test]
fn without_a_journal_standard_error_gets_the_lines() {
    if Path::new("/run/systemd/journal/socket").exists() && !namespaces_work() {
        return;
    }
    let place = place();
    let place = if namespaces_work() { place.namespaces("mount -t tmpfs tmpfs /run") } else { place };
    let service = place.start();
    service.wait_for_log("cannot reach the journal, logging to standard error: ");
    let place = service.stop();
    assert!(
        fs::read_to_string(place.at("stderr.log"))
            .unwrap()
            .contains("  stopped; since the start: 0 answered, ")
    );
}

#[test]
fn who_wants_lines_in_the_journal_gets_them() {
    let place = place().config("[log]\njournal = \"never\"\n");
    let service = place.start();
    assert!(!service.log().contains("cannot reach the journal"), "{}", service.log());
}

#[test]
fn an_error_that_ends_a_service_has_its_level() {
    let (_, output) = place().config("no = 1\n").run();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78));
    assert!(told.starts_with("<3>tabuleiro: ") && told.lines().all(|line| line.starts_with("<3>")), "{told}");
}

/// The catalogue explains every message ID, and the service logs events of every kind.
#[test]
fn every_kind_is_used_documented_and_in_the_catalog() {
    let read = |path: &str| fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let (page, catalog) = (read("docs/journal.md"), read("packaging/tabuleiro.catalog"));
    let mut sources = Vec::new();
    for folder in ["src", "crates/remote/src"] {
        collect(&Path::new(ROOT).join(folder), &mut sources);
    }
    for kind in KINDS {
        let row = format!("| `{}` | `{}` | ", kind.name, kind.id);
        assert!(page.contains(&row), "docs/journal.md has no {row}");
        let entry = format!("\n-- {}\nSubject: ", kind.id);
        assert!(catalog.contains(&entry), "the catalog has no {}", kind.name);
        let constant = kind.name.to_uppercase().replace('-', "_");
        // The crate of the workers does not know the program's constants.
        let names = [format!("name: kind::{constant}.name"), format!("name: \"{}\"", kind.name)];
        // A sink's message about itself is not an event.
        let said = format!("Some(kind::{constant})");
        let is_used = |source: &String| names.iter().chain([&said]).any(|text| source.contains(text));
        assert!(sources.iter().any(is_used), "no event is of the kind {}", kind.name);
        let row = page.lines().find(|line| line.starts_with(&row)).unwrap();
        for field in row.rsplit_once(" | ").unwrap().1.split('`').skip(1).step_by(2) {
            let has_field = |name: &String| is_told(&sources, name, field);
            assert!(names.iter().any(has_field), "{}: no event of that kind has {field}", kind.name);
        }
    }
    assert_eq!(catalog.matches("\n-- ").count(), KINDS.len());
    for (name, text) in log_texts() {
        let used = [
            format!("name: kind::{}.name", name.to_uppercase().replace('-', "_")),
            format!("name: \"{name}\""),
        ];
        if sources.iter().any(|source| source.contains(&format!("\"log-{name}\""))) {
            continue;
        }
        for argument in text.split("{ $").skip(1) {
            let argument = argument.split(' ').next().unwrap();
            assert!(
                used.iter().any(|used| is_told(&sources, used, argument)),
                "no event {name} has {argument}"
            );
        }
        assert!(
            sources.iter().any(|source| used.iter().any(|used| source.contains(used))),
            "no event {name}"
        );
    }
}

/// Returns the texts of the log's events in English, by the names of the events.
fn log_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    Language::English.source().split("\nlog-").skip(1).map(|entry| entry.split_once(" = ").unwrap())
}

/// Returns whether an event of the kind has a field of that name in the sources. The journal calls the ID of the span
/// or event `job`.
fn is_told(sources: &[String], used: &str, field: &str) -> bool {
    let field = if field == "JOB" { "id".to_owned() } else { field.to_lowercase() };
    let events = sources.iter().flat_map(|source| source.split(used).skip(1));
    // Only the text up to the end of the event.
    let event = |text: &str| text.split(");").next().unwrap_or_default().to_owned();
    let is_named = |event: String| {
        let mut words = event.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.any(|word| word == field)
    };
    events.map(event).any(is_named)
}

/// Collects the texts of the program's sources, without tests.
fn collect(folder: &Path, sources: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("kind.rs") {
            sources.push(fs::read_to_string(path).unwrap());
        }
    }
}
