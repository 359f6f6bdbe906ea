//! Tests attempts and deadlines: counted, marked, and shown in the class list.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tabuleiro_jobs::naming::is_grade_json;

use crate::harness::{Place, Service, run_in, wait_for};

/// Two boards, whose answers are 1 and 2.
const REFERENCE: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";
const START: &str = "[intake]\nquiet_period = \"10ms\"\nrescan_interval = \"1h\"\n";
const ROUTE: &str = r#"
[[route]]
name = "lista3"
files = ["turma/**/saida*.txt"]
solver = "checkers-capture"
grade = "../lista3/entrada.txt"
"#;
const STUDENT: &str = "student = \"turma/{student}/**\"\n";

fn config(more: &str) -> String {
    format!("{START}{ROUTE}{more}")
}

fn place(more: &str) -> Place {
    Place::new().config(&config(more)).detailed().file("lista3/entrada.txt", REFERENCE)
}

fn note(service: &Service, path: &str) -> Value {
    serde_json::from_str(&service.expect_some(path)).unwrap()
}

/// Returns all grades below a folder of the outbox.
fn notes(service: &Service, folder: &str) -> Vec<Value> {
    let folder = format!("outbox/{folder}");
    let files = service.files(&folder).into_iter().filter(|path| is_grade_json(OsStr::new(path)));
    let read = |path: String| fs::read(service.at(&folder).join(path)).unwrap();
    files.map(|path| serde_json::from_slice(&read(path)).unwrap()).collect()
}

fn attempts(notes: &[Value]) -> Vec<u64> {
    let mut attempts: Vec<_> = notes.iter().map(|note| note["attempt"].as_u64().unwrap()).collect();
    attempts.sort_unstable();
    attempts
}

/// Returns the rows of the class list, with columns by name.
fn grades(root: &Path, options: &str) -> (Vec<Value>, Output) {
    let arguments: Vec<_> =
        format!("grades outbox --format csv {options}").leak().split_whitespace().collect();
    let output = run_in(root, &arguments, "");
    let rows = csv::Reader::from_reader(&output.stdout[..]).into_deserialize();
    let rows = rows.map(|row: Result<std::collections::BTreeMap<String, String>, _>| {
        serde_json::to_value(row.unwrap()).unwrap()
    });
    (rows.collect(), output)
}

#[test]
fn every_new_content_of_a_student_is_an_attempt_and_none_is_counted_twice() {
    let service = place(&format!("{STUDENT}options = {{ reveal = \"own\" }}\n")).start();
    // All at once, each with an answer of its own.
    for guess in 1..=10 {
        service.drop_file(&format!("turma/ana/{}/saida{guess}.txt", guess % 3), format!("1\n{guess}\n"));
    }
    service.drop_file("turma/bia/saida.txt", "1\n2\n");
    service.wait_until_idle(0);
    assert_eq!(attempts(&notes(&service, "turma/ana")), (1..=10).collect::<Vec<_>>());
    assert_eq!(attempts(&notes(&service, "turma/bia")), [1]);
    // The same content under another name is no new attempt. Nor is a file that a teacher has graded again.
    let before = note(&service, "turma/ana/0/nota3.json");
    service.drop_file("turma/ana/saida.txt", "1\n3\n");
    let again = note(&service, "turma/ana/nota.json");
    assert_eq!(
        (&again["attempt"], &again["received"], &again["sha256"]),
        (&before["attempt"], &before["received"], &before["sha256"])
    );
    assert_ne!(again["job"], before["job"]);
    let place = service.stop();
    assert_eq!(run_in(&place.at(""), &["retry", "turma/ana/0/saida3.txt"], "").status.code(), Some(0));
    let service = place.start();
    service.wait_until_idle(0);
    let retried = note(&service, "turma/ana/0/nota3.json");
    assert_eq!((&retried["attempt"], &retried["received"]), (&before["attempt"], &before["received"]));
    assert_ne!(retried["job"], before["job"]);
    service.drop_file("turma/ana/saida11.txt", "7\n7\n");
    assert_eq!(note(&service, "turma/ana/nota11.json")["attempt"], 11);
    let line = service.wait_for_log("graded|file=\"turma/ana/saida11.txt\"");
    assert!(line.contains(" attempt=11 "), "{line}");
    let (rows, _) = grades(&service.at(""), "");
    let told: Vec<_> = rows.iter().map(|row| (&row["student"], &row["points"], &row["attempts"])).collect();
    assert_eq!(told, [(&"ana".into(), &"2".into(), &"11".into()), (&"bia".into(), &"2".into(), &"1".into())]);
}

#[test]
fn without_a_student_the_attempts_of_a_path_are_counted() {
    let service = place("options = { reveal = \"own\" }\n").start();
    for guess in 1..=10 {
        service.drop_file("turma/ana/saida.txt", format!("1\n{guess}\n"));
        wait_for("the next grade", || {
            let note = fs::read(service.at("outbox/turma/ana/nota.json")).ok()?;
            (serde_json::from_slice::<Value>(&note).ok()?["attempt"] == guess).then_some(())
        });
    }
    service.drop_file("turma/ana/saida2.txt", "1\n2\n");
    assert_eq!(note(&service, "turma/ana/nota2.json")["attempt"], 1);
    let (rows, _) = grades(&service.at(""), "");
    assert_eq!((&rows[0]["attempts"], &rows[0]["submissions"]), (&"10".into(), &"2".into()));
}

#[test]
fn students_whose_files_lie_in_one_folder_are_counted_apart() {
    let route = ROUTE.replace("turma/**/saida*.txt", "turma/*.txt");
    let config = format!("{START}{route}student = \"turma/{{student}}-*.txt\"\n");
    let service = Place::new().config(&config).file("lista3/entrada.txt", REFERENCE).start();
    for (name, guess) in
        [("ana-saida", 1), ("bia-saida", 1), ("ana-saida2", 2), ("ana-x", 3), ("saida-1", 4), ("saida-2", 5)]
    {
        service.drop_file(&format!("turma/{name}.txt"), format!("1\n{guess}\n"));
        service.wait_until_idle(0);
    }
    let attempt = |name: &str| note(&service, &format!("turma/{name}.json"))["attempt"].as_u64().unwrap();
    assert_eq!([attempt("ana-nota"), attempt("ana-nota2"), attempt("ana-x.nota")], [1, 2, 3]);
    assert_eq!([attempt("bia-nota"), attempt("nota-1"), attempt("nota-2")], [1, 1, 2]);
}

#[test]
fn what_is_beyond_the_attempts_is_marked_and_replaces_no_grade_that_counts() {
    let service = place(&format!("{STUDENT}attempts = 3\n")).start();
    for (guess, told) in [(7, "1 of 3"), (8, "2 of 3"), (9, "3 of 3")] {
        service.drop_file("turma/ana/saida.txt", format!("1\n{guess}\n"));
        wait_for("the grade", || {
            let text = fs::read_to_string(service.at("outbox/turma/ana/nota.txt")).ok()?;
            text.ends_with(&format!("found {guess}; attempt {told}\n")).then_some(())
        });
    }
    service.drop_file("turma/ana/saida.txt", "1\n2\n");
    let line = service.wait_for_log("graded|file=\"turma/ana/saida.txt\"|over_attempts=true");
    assert!(line.contains(" attempt=4 ") && !line.contains("late"), "{line}");
    service.expect_own(
        "turma/ana/nota.ID.txt",
        &["turma/ana/saida.txt: 2 of 2: accepted; attempt 4, the limit is 3\n"],
    );
    let counted = note(&service, "turma/ana/nota.json");
    assert_eq!((&counted["attempt"], &counted["over_attempts"]), (&3.into(), &Value::Null));
    let mut found = notes(&service, "turma/ana");
    found.retain(|note| note["over_attempts"] == true);
    assert_eq!(attempts(&found), [4]);
    let points = |options: &str| {
        let (rows, _) = grades(&service.at(""), options);
        ["points", "attempts", "mark"].map(|column| rows[0][column].as_str().unwrap().to_owned())
    };
    assert_eq!(points(""), ["1", "4", ""]);
    assert_eq!(points("--take last"), ["1", "4", ""]);
    assert_eq!(points("--all"), ["2", "4", "over-attempts"]);
}

#[test]
fn what_is_late_is_marked_by_when_the_service_found_it_first() {
    let service = place(STUDENT).start();
    service.drop_file("turma/ana/saida.txt", "1\n3\n");
    let first = note(&service, "turma/ana/nota.json");
    // The deadline is the exact moment at which this submission arrived.
    let received = first["received"].as_str().unwrap();
    let deadline = received.replace('Z', "+00:00");
    service.reload(&config(&format!("{STUDENT}deadline = {deadline}\n")));
    // The modification time of the file changes nothing.
    let late = service.at("late.txt");
    fs::write(&late, "1\n2\n").unwrap();
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options().append(true).open(&late).unwrap().set_modified(old).unwrap();
    fs::create_dir_all(service.at("inbox/turma/bia")).unwrap();
    fs::rename(&late, service.at("inbox/turma/bia/saida.txt")).unwrap();
    service.wait_for_log("turma/bia/saida.txt  graded 2/2, late ");
    let note_of_bia = note(&service, "turma/bia/nota.json");
    assert_eq!(
        (&note_of_bia["late"], &note_of_bia["submitted"]),
        (&true.into(), &"2001-09-09T01:46:40Z".into())
    );
    let text = service.expect_some("turma/bia/nota.txt");
    assert!(text.starts_with("turma/bia/saida.txt: 2 of 2: accepted; late, the deadline was "), "{text}");
    // When it is graded again later, a submission that came in time stays in time.
    let place = service.stop();
    assert_eq!(run_in(&place.at(""), &["retry", "turma/ana/saida.txt"], "").status.code(), Some(0));
    let service = place.start();
    service.wait_until_idle(0);
    let again = note(&service, "turma/ana/nota.json");
    assert_eq!((&again["late"], &again["received"]), (&Value::Null, &first["received"]));
    assert_ne!(again["job"], first["job"]);
    let (rows, output) = grades(&service.at(""), "");
    assert_eq!(output.status.code(), Some(0));
    let told: Vec<_> = rows.iter().map(|row| [&row["student"], &row["points"], &row["mark"]]).collect();
    assert_eq!(told, [["ana", "1", ""], ["bia", "", "late"]]);
    let (rows, _) = grades(&service.at(""), "--all");
    assert_eq!((&rows[1]["points"], &rows[1]["verdict"]), (&"2".into(), &"accepted".into()));
}

/// Packs texts into an archive, each with the local hour of a fixed date, or without a date.
fn zip(members: &[(&str, &str, Option<u16>)]) -> Vec<u8> {
    let mut archive = tabuleiro_jobs::archive::ArchiveWriter::in_memory();
    for (path, text, _) in members {
        archive.add_text(path, text.as_bytes()).unwrap();
    }
    let mut bytes = archive.finish(Vec::new()).unwrap();
    for (path, _, hour) in members {
        let at = bytes.windows(path.len()).rposition(|part| part == path.as_bytes()).unwrap() - 46;
        assert_eq!(bytes[at..at + 4], *b"PK\x01\x02");
        // Changes the type of the extended time field after the name, which disables it.
        let extra = at + 46 + path.len();
        assert_eq!(bytes[extra..extra + 2], *b"UT");
        bytes[extra] = 0;
        let (date, time) = hour.map_or((33, 0), |hour| (46 * 512 + 11 * 32 + 21, hour * 2048));
        bytes[at + 12..at + 14].copy_from_slice(&u16::to_le_bytes(time));
        bytes[at + 14..at + 16].copy_from_slice(&u16::to_le_bytes(date));
    }
    bytes
}

#[test]
fn members_are_counted_and_taken_by_their_own_times() {
    let limits = "deadline = \"2026-11-21T13:30:00-03:00\"\nattempts = 2\n";
    let service = place(&format!("{STUDENT}{limits}")).start();
    service.drop_file(
        "turma.zip",
        zip(&[
            ("ana/a/saida.txt", "1\n2\n", Some(11)),
            ("ana/b/saida.txt", "1\n7\n", Some(10)),
            ("ana/c/saida.txt", "7\n7\n", Some(12)),
            ("bia/saida.txt", "1\n2\n", Some(14)),
            ("caio/saida.txt", "1\n2\n", None),
            ("caio/x/saida.txt", "1\n3\n", None),
        ]),
    );
    let bytes = wait_for("the archive", || fs::read(service.at("outbox/turma.saida.zip")).ok());
    let archive = tabuleiro_jobs::archive::Archive::open(std::io::Cursor::new(bytes)).unwrap();
    let unpacked = service.at("unpacked");
    for member in archive.members() {
        let path = unpacked.join(member.path());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, std::io::read_to_string(archive.read(member).unwrap()).unwrap()).unwrap();
    }
    let note =
        |path: &str| -> Value { serde_json::from_slice(&fs::read(unpacked.join(path)).unwrap()).unwrap() };
    let told = |path: &str| {
        let note = note(path);
        ["submitted", "attempt", "late", "over_attempts", "received", "sha256"]
            .map(|key| note[key].to_string())
    };
    let none = "null";
    assert_eq!(told("ana/a/nota.json"), ["\"2026-11-21T11:00:00\"", "2", none, none, none, none]);
    assert_eq!(told("ana/b/nota.json"), ["\"2026-11-21T10:00:00\"", "1", none, none, none, none]);
    assert_eq!(told("ana/c/nota.json"), ["\"2026-11-21T12:00:00\"", "3", none, "true", none, none]);
    // The service takes a time without a zone to be in the time zone of the deadline.
    assert_eq!(told("bia/nota.json"), ["\"2026-11-21T14:00:00\"", "1", "true", none, none, none]);
    assert_eq!(told("caio/nota.json"), [none, "1", none, none, none, none]);
    let list = fs::read_to_string(unpacked.join("notas.csv")).unwrap();
    assert!(list.contains(",reason,text,attempt,mark\n") && list.contains(",1,late\n"), "{list}");
    assert!(
        list.contains("; attempt 3, the limit is 2\",3,over-attempts\n")
            || list.contains(",3,over-attempts\n")
    );
    fs::remove_dir_all(service.at("outbox")).unwrap();
    fs::rename(&unpacked, service.at("outbox")).unwrap();
    // Neither the last path nor the one beyond the limit counts. Which of Caio's submissions is the last is unknown.
    let (rows, output) = grades(&service.at(""), "--take last");
    let told: Vec<_> = rows.iter().map(|row| [&row["student"], &row["submission"], &row["points"]]).collect();
    assert_eq!(told, [["ana", "turma/ana/a/saida.txt", "2"], ["bia", "turma/bia/saida.txt", ""]]);
    assert_eq!(output.status.code(), Some(65));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        err.contains("caio (lista3): left out, because it is unclear which submission is the last"),
        "{err}"
    );
    let (rows, _) = grades(&service.at(""), "--take last --all");
    assert_eq!([&rows[0]["submission"], &rows[0]["mark"]], ["turma/ana/c/saida.txt", "over-attempts"]);
}

#[test]
fn a_deadline_says_its_offset_and_belongs_to_a_route_that_grades() {
    let refused = |route: &str, says: &str| {
        let place = Place::new().config(&format!("{START}{route}")).file("lista3/entrada.txt", REFERENCE);
        let (_, output) = place.run();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(78) && told.contains(says), "{route}: {told}");
    };
    let expected = "deadline = 2026-12-01T23:59:00: expected a time with its offset from UTC, such as";
    refused(&format!("{ROUTE}deadline = 2026-12-01T23:59:00\n"), expected);
    refused(&format!("{ROUTE}deadline = \"2026-12-01\"\n"), "deadline = \"2026-12-01\": expected a time");
    refused(&format!("{ROUTE}attempts = 0\n"), "attempts = 0: expected");
    let answers = ROUTE.replace("grade = \"../lista3/entrada.txt\"\n", "");
    for key in ["attempts = 3", "deadline = 2026-12-01T23:59:00Z"] {
        refused(
            &format!("{answers}{key}\n"),
            &format!("[[route]] {key}: expected a key of a route that grades"),
        );
    }
    let place = place("attempts = 3\ndeadline = 2026-12-01 23:59:00-03:00\n").start().stop();
    let output = run_in(&place.at(""), &["check-config"], "");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("attempts = 3\ndeadline = \"2026-12-01T23:59:00-03:00\"\n"), "{told}");
}
