//! Tests submissions graded in the watch folder.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::Value;
use tabuleiro_jobs::archive::ArchiveWriter;

use crate::class::{Student, answers, class, packed};
use crate::corpora::sound;
use crate::harness::{Place, Service, run_in, wait_for};

/// Two boards, whose answers are 1 and 2.
const REFERENCE: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";
/// The same boards in reverse order.
const OTHER: &str = "5 3\n1 0 2 1 0 2 0 0\n3 3\n2 1 2 0 1\n0 0\n";
/// A file for jump-game.
const GAME: &str = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
const START: &str = "[intake]\nquiet_period = \"10ms\"\nrescan_interval = \"1h\"\n";
const ROUTE: &str = r#"
[[route]]
name = "lista3"
files = ["turma/**/saida*.txt"]
solver = "checkers-capture"
grade = "../lista3/entrada.txt"
student = "turma/{student}/**"
"#;
const ANSWERED: &str = r#"
[[route]]
name = "damas"
files = ["**/*entrada*"]
solver = "checkers-capture"
"#;

/// Returns a place with the route that grades, with more keys, and one that answers.
fn place(more: &str) -> Place {
    Place::new()
        .config(&format!("{START}{ROUTE}{more}{ANSWERED}"))
        .detailed()
        .file("lista3/entrada.txt", REFERENCE)
}

fn note(service: &Service, path: &str) -> Value {
    serde_json::from_str(&service.expect_some(path)).unwrap()
}

#[test]
fn a_submission_gets_its_grade_as_text_and_as_json() {
    let service = place("options = { points = 10 }\n").start();
    service.drop_file("turma/ana/saida.txt", "1\n3\n");
    service.expect(
        "turma/ana/nota.txt",
        "turma/ana/saida.txt: wrong answer at puzzle 2 (line 2): found 3\n\
         turma/ana/saida.txt: 5 of 10: wrong answer at puzzle 2 (line 2): found 3\n",
    );
    let found = note(&service, "turma/ana/nota.json");
    assert_eq!((&found["student"], &found["route"]), (&"ana".into(), &"lista3".into()));
    assert_eq!(found["submission"], "turma/ana/saida.txt");
    assert_eq!(found["puzzles"].as_array().unwrap().len(), 2);
    let grade = &found["grade"];
    assert_eq!(
        (&grade["points"], &grade["total"], &grade["first_wrong"]),
        (&5.into(), &10.into(), &2.into())
    );
    assert!(!found.to_string().contains("expected"), "{found}");
    let line = service.wait_for_log("graded|file=\"turma/ana/saida.txt\"");
    assert!(line.contains("turma/ana/saida.txt  graded 5/10, first wrong: 2   "), "{line}");
    assert!(line.contains("student=\"ana\"") && line.contains("result=\"turma/ana/nota.txt\""), "{line}");
    // Other files are answered as usual, and a submission without any answer is graded.
    service.drop_file("turma/ana/entrada.txt", REFERENCE);
    service.expect("turma/ana/saida.txt", "1\n2\n");
    service.drop_file("turma/bia/saida.txt", "%PDF-1.7\n");
    service.expect_some("turma/bia/nota.txt");
    assert_eq!(note(&service, "turma/bia/nota.json")["grade"]["verdict"], "presentation-error");
    service.wait_until_idle(0);
    let place = service.stop();
    assert_eq!(place.files("var/done").len(), 3);
    // The submission, not the input whose result has that name.
    let why = run_in(&place.at(""), &["why", "turma/ana/saida.txt"], "").stdout;
    assert!(String::from_utf8(why).unwrap().starts_with("turma/ana/saida.txt: graded\n"));
    let ask = |arguments: &[&str]| run_in(&place.at(""), arguments, "");
    let why = String::from_utf8(ask(&["why", "turma/ana/nota.txt"]).stdout).unwrap();
    assert!(why.contains(": graded\n") && why.contains("5/10, wrong-answer, first at puzzle 2"), "{why}");
    let history = String::from_utf8(ask(&["history", "--json"]).stdout).unwrap();
    let line = history.lines().find(|line| line.contains("ana/saida.txt")).unwrap();
    let record: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&record["outcome"], &record["points"]), (&"graded".into(), &"5/10".into()));
    assert_eq!((&record["student"], &record["first_wrong"]), (&"ana".into(), &2.into()));
    let retry = ask(&["retry", "turma/ana/saida.txt"]);
    assert_eq!(retry.status.code(), Some(0));
    let (place, _) = place.argument("--once").run();
    assert!(place.files("outbox").contains(&"turma/ana/nota.txt".to_owned()));
    let log = fs::read_to_string(place.at("stderr.log")).unwrap();
    assert!(log.contains("graded") && log.contains("replaced=true"), "{log}");
}

#[test]
fn a_reference_that_is_missing_or_wrong_rejects_the_configuration() {
    for (text, why) in [
        (None, "No such file"),
        (Some(""), "the file is empty"),
        (Some("# nothing\n"), "only"),
        (Some("abc\n"), "no puzzle"),
        (Some("#: witnes = true\n3 3\n2 1 2 0 1\n0 0\n"), "(line 1, column 4)"),
        (Some(&*REFERENCE.replace("2 0 0\n", "7 0 0\n")), "puzzle 2 of this reference is invalid: "),
        (Some(&*REFERENCE.replace("2 0 0\n", "7 0 0\n")), "(line 4, column 11)"),
        (
            Some(GAME),
            "this looks like jump-game (1 game can be read): write solver = \"jump-game\" in its route",
        ),
        (
            Some(&*format!("#: solver = checkers-capture\n{GAME}")),
            "write '#: solver = jump-game' in the place",
        ),
    ] {
        let place = Place::new().config(&format!("{START}{ROUTE}"));
        let place = text.into_iter().fold(place, |place, text| place.file("lista3/entrada.txt", text));
        let (place, output) = place.run();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(78), "{told}");
        assert!(
            told.contains("tabuleiro.toml:9:9: [[route]] grade = ") && told.contains(why),
            "{why}: {told}"
        );
        let checked = run_in(&place.at(""), &["check-config"], "");
        assert_eq!(checked.status.code(), Some(78), "{}", String::from_utf8_lossy(&checked.stderr));
    }
    for (route, why) in [
        ("student = \"turma/**\"\n", "{student}"),
        ("options = { points = 3 }\nstudent = \"x/{student}/**\"\n", "grade"),
    ] {
        let config = if route.starts_with("options") { ANSWERED } else { ROUTE };
        let config = config.replace("student = \"turma/{student}/**\"\n", "");
        let place =
            Place::new().config(&format!("{START}{config}{route}")).file("lista3/entrada.txt", REFERENCE);
        let (_, output) = place.run();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(78) && told.contains(why), "{route}: {told}");
    }
}

#[test]
fn submissions_wait_while_their_reference_cannot_be_used_and_are_never_graded_by_an_old_one() {
    let service = place("").start();
    service.drop_file("turma/ana/saida.txt", "1\n2\n");
    service.expect("turma/ana/nota.txt", "turma/ana/saida.txt: 2 of 2: accepted\n");
    fs::remove_file(service.at("lista3/entrada.txt")).unwrap();
    service.drop_file("turma/bia/saida.txt", "1\n2\n");
    service
        .wait_for_log("bia/saida.txt  not finished, will be tried again: |lista3/entrada.txt cannot be used");
    service.drop_file("entrada.txt", REFERENCE);
    service.expect("saida.txt", "1\n2\n");
    assert!(!service.at("outbox/turma/bia/nota.txt").exists());
    // Meanwhile the configuration is wrong, and the old one stays.
    service.signal(Signal::HUP);
    service.wait_for_log("configuration not reloaded|lista3/entrada.txt");
    fs::write(service.at("lista3/entrada.txt"), REFERENCE.replace("2 0 0\n", "7 0 0\n")).unwrap();
    service.drop_file("turma/davi/saida.txt", "1\n2\n");
    service.wait_for_log(
        "not finished, will be tried again|davi/saida.txt|puzzle 2 of this reference is invalid",
    );
    service.signal(Signal::HUP);
    service.wait_for_log("configuration not reloaded|puzzle 2 of this reference is invalid");
    fs::write(service.at("lista3/entrada.txt"), OTHER).unwrap();
    service.expect_some("turma/bia/nota.txt");
    let found = note(&service, "turma/bia/nota.json");
    assert_eq!((&found["grade"]["points"], &found["grade"]["first_wrong"]), (&0.into(), &1.into()));
    // The service notices a change however soon it comes.
    for (number, (reference, points)) in [(REFERENCE, 2), (OTHER, 0), (REFERENCE, 2)].into_iter().enumerate()
    {
        fs::write(service.at("lista3/entrada.txt"), reference).unwrap();
        service.drop_file(&format!("turma/c{number}/saida.txt"), "1\n2\n");
        service.expect_some(&format!("turma/c{number}/nota.txt"));
        let found = note(&service, &format!("turma/c{number}/nota.json"));
        assert_eq!(found["grade"]["points"], points, "{number}");
    }
}

/// The reference is cut in the middle of a puzzle, and between two puzzles.
#[test]
fn submissions_wait_while_somebody_writes_their_reference() {
    let service = place("").start();
    service.drop_file("turma/ana/saida.txt", "1\n2\n");
    service.expect("turma/ana/nota.txt", "turma/ana/saida.txt: 2 of 2: accepted\n");
    for (number, written) in ["3 3\n2 1 2 0 1\n5 3\n1 0", "3 3\n2 1 2 0 1\n"].into_iter().enumerate() {
        let submission = format!("turma/b{number}/saida.txt");
        let mut writer = fs::File::create(service.at("lista3/entrada.txt")).unwrap();
        writer.write_all(written.as_bytes()).unwrap();
        service.drop_file(&submission, "1\n2\n");
        let waits = "submissions of lista3 wait: the reference |lista3/entrada.txt is open for writing";
        wait_for(waits, || {
            let log = service.log();
            let told = log.lines().filter(|line| waits.split('|').all(|part| line.contains(part)));
            (told.count() > number).then_some(())
        });
        assert!(!service.at(&format!("outbox/turma/b{number}/nota.txt")).exists());
        writer.write_all(&REFERENCE.as_bytes()[written.len()..]).unwrap();
        drop(writer);
        service.expect(&format!("turma/b{number}/nota.txt"), &format!("{submission}: 2 of 2: accepted\n"));
    }
    // Only the complete reference was ever solved.
    service.expect_told(" solved: ", 1);
}

#[test]
fn a_reference_is_solved_once() {
    let service = place("").start();
    for number in 0..20 {
        service.drop_file(&format!("turma/s{number}/saida.txt"), "1\n2\n");
    }
    for number in 0..20 {
        service.expect_some(&format!("turma/s{number}/nota.txt"));
    }
    // Touched but unchanged: the digest shows it.
    let touched = fs::File::options().append(true).open(service.at("lista3/entrada.txt")).unwrap();
    touched.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    drop(touched);
    service.drop_file("turma/z/saida.txt", "1\n2\n");
    service.expect_some("turma/z/nota.txt");
    service.expect_told(" solved: ", 1);
}

/// A class in folders and in an archive. One student handed in twice, and one again after the correction.
#[test]
fn a_class_is_graded_again_by_its_route_after_the_reference_was_corrected() {
    let wrong = REFERENCE.replace("5 3\n1 0 2 1 0 2 0 0\n", "3 3\n2 1 2 0 1\n");
    let service = place("").file("lista3/entrada.txt", wrong).start();
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text("duda/saida.txt", b"1\n2\n").unwrap();
    service.drop_file("turma.zip", archive.finish(Vec::new()).unwrap());
    service.drop_file("turma/ana/saida.txt", "1\n7\n");
    let points = |student: &str| {
        let text = fs::read_to_string(service.at(&format!("outbox/turma/{student}/nota.json"))).ok()?;
        serde_json::from_str::<Value>(&text).ok()?["grade"]["points"].as_u64()
    };
    let wait_for_points = |student: &str, expected: u64| {
        wait_for("points", || (points(student) == Some(expected)).then_some(()));
    };
    wait_for_points("ana", 1);
    service.wait_until_idle(0);
    for student in ["ana", "bia", "caio"] {
        service.drop_file(&format!("turma/{student}/saida.txt"), "1\n2\n");
    }
    service.drop_file("outra/entrada.txt", REFERENCE);
    service.expect("outra/saida.txt", "1\n2\n");
    wait_for("the first archive", || service.at("outbox/turma.saida.zip").exists().then_some(()));
    service.wait_until_idle(0);
    for student in ["ana", "bia", "caio"] {
        wait_for_points(student, 1);
    }
    fs::remove_file(service.at("outbox/turma.saida.zip")).unwrap();
    fs::write(service.at("lista3/entrada.txt"), REFERENCE).unwrap();
    // Caio's newer submission is graded by the new reference, and stays.
    service.drop_file("turma/caio/saida.txt", "2\n2\n");
    service.wait_for_log("graded|file=\"turma/caio/saida.txt\"|verdict=\"wrong-answer\"|first_wrong=1");
    service.wait_until_idle(0);
    let ask = |route: &str| run_in(&service.at(""), &["retry", "--route", route], "");
    let retried = ask("lista3");
    let text = String::from_utf8(retried.stdout).unwrap();
    assert_eq!(retried.status.code(), Some(0), "{text}");
    let mut files: Vec<_> =
        text.lines().map(|line| line.split(": in the inbox again").next().unwrap()).collect();
    files.sort_unstable();
    assert_eq!(
        files,
        ["turma.zip", "turma/ana/saida.txt", "turma/bia/saida.txt", "turma/caio/saida.txt"],
        "{text}"
    );
    wait_for_points("ana", 2);
    wait_for_points("bia", 2);
    wait_for_points("caio", 1);
    wait_for("the archive again", || service.at("outbox/turma.saida.zip").exists().then_some(()));
    service.wait_until_idle(0);
    let members = unpacked(fs::read(service.at("outbox/turma.saida.zip")).unwrap());
    assert!(members.iter().any(|(path, text)| path == "duda/nota.txt" && text.contains("2 of 2: accepted")));
    // Ana's first submission stays where it was.
    assert_eq!(service.files("var/done").iter().filter(|path| path.starts_with("turma/ana/")).count(), 2);
    let unknown = ask("lista");
    let told = "tabuleiro: unknown route 'lista' (did you mean 'lista3'?); known: lista3, damas\n";
    assert_eq!((unknown.status.code(), unknown.stderr.as_slice()), (Some(64), told.as_bytes()));
    let none = ask("damas");
    assert_eq!(none.status.code(), Some(0));
    assert!(none.stdout.starts_with(b"outra/entrada.txt: in the inbox again"), "{none:?}");
}

#[test]
fn moodle_s_folders_name_the_student() {
    let route = ROUTE.replace("turma/{student}/**", "moodle").replace("turma/**/saida*.txt", "lista/**");
    let place = Place::new().config(&format!("{START}{route}")).file("lista3/entrada.txt", REFERENCE);
    let service = place.start();
    service.drop_file("lista/Ana da Silva_4711_assignsubmission_file_/x.txt", "1\n2\n");
    let found = note(&service, "lista/Ana da Silva_4711_assignsubmission_file_/x.nota.json");
    assert_eq!((&found["student"], &found["student_id"]), (&"Ana da Silva".into(), &"4711".into()));
}

#[test]
fn what_a_student_is_not_to_see_is_the_staff_s_alone() {
    let service = place("options = { reveal = \"none\" }\n").start();
    service.drop_file("turma/ana/saida.txt", "1\n3\n");
    service.expect("turma/ana/nota.txt", "turma/ana/saida.txt: graded\n");
    assert_eq!(note(&service, "turma/ana/nota.json")["grade"]["points"], 1);
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text("bia/saida.txt", b"1\n2\n").unwrap();
    service.drop_file("turma.zip", archive.finish(Vec::new()).unwrap());
    wait_for("the archive", || service.at("outbox/turma.saida.zip").exists().then_some(()));
    let mode =
        |path: &str| fs::metadata(service.at("outbox").join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("turma/ana/nota.txt"), 0o644);
    assert_eq!([mode("turma/ana/nota.json"), mode("turma.saida.zip")], [0o640, 0o640]);
}

/// Returns the points of a student's submission, of a class that was dropped below `folder`.
fn points_of(service: &Service, folder: &str, student: &Student) -> Value {
    let found = note(service, &format!("{folder}/{}/nota.json", student.name));
    assert_eq!(found["student"], student.name.as_str());
    found["grade"]["points"].clone()
}

#[test]
fn a_class_gets_the_same_marks_by_folder_and_in_one_archive() {
    let (reference, students) = class(7);
    let answers = answers(&reference);
    let service = place("options = { picture = true }\n").file("lista3/entrada.txt", &reference).start();
    service.drop_file("turma.zip", packed(&students));
    for student in &students {
        service.drop_file(&format!("turma/{}/saida.txt", student.name), &student.text);
    }
    for student in &students {
        service.expect_some(&format!("turma/{}/nota.txt", student.name));
        let points = points_of(&service, "turma", student);
        assert_eq!(points, student.points(&answers), "{}", student.name);
    }
    let line = service.wait_for_log("answered|file=\"turma.zip\"|members=200");
    assert!(line.contains("members_graded=200") && line.contains("members_rejected=0"), "{line}");
    let bytes = fs::read(service.at("outbox/turma.saida.zip")).unwrap();
    let members = unpacked(bytes);
    let list = &members.iter().find(|(path, _)| path == "notas.csv").unwrap().1;
    let rows: Vec<_> = csv::Reader::from_reader(list.as_bytes()).into_records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), students.len());
    for student in &students {
        let submission = format!("turma/{}/saida.txt", student.name);
        let row = rows.iter().find(|row| row[1] == submission).unwrap();
        assert_eq!(row[0].trim_start_matches('\''), student.name);
        assert_eq!(&row[2], student.points(&answers).to_string(), "{}", student.name);
        // Both ways give the same files, except for the job.
        let path = format!("{}/nota.txt", student.name);
        let text = &members.iter().find(|(found, _)| *found == path).unwrap().1;
        assert_eq!(*text, fs::read_to_string(service.at("outbox/turma").join(&path)).unwrap());
        let path = format!("{}/nota.html", student.name);
        let page = &members.iter().find(|(found, _)| *found == path).unwrap().1;
        assert_eq!(*page, fs::read_to_string(service.at("outbox/turma").join(&path)).unwrap());
        sound(page);
        let points = format!("{} of 20", student.points(&answers));
        assert!(page.contains(&points), "{}: no {points} in {page}", student.name);
    }
    assert!(members.iter().all(|(path, _)| !path.ends_with("erro.txt")));
}

/// Returns the paths and texts of an archive.
fn unpacked(bytes: Vec<u8>) -> Vec<(String, String)> {
    let archive = tabuleiro_jobs::archive::Archive::open(std::io::Cursor::new(bytes)).unwrap();
    let text = |member| std::io::read_to_string(archive.read(member).unwrap()).unwrap();
    archive.members().iter().map(|member| (member.path().to_owned(), text(member))).collect()
}

#[test]
fn a_kill_while_a_class_is_graded_loses_and_doubles_nothing() {
    let (reference, students) = class(11);
    let answers = answers(&reference);
    let version = "if_exists = \"version\"\noptions = { picture = true }\n";
    let mut place = place(version).file("lista3/entrada.txt", &reference);
    let done = |place: &std::path::Path| {
        let folder = place.join("var/done/turma");
        fs::read_dir(folder).map_or(0, Iterator::count)
    };
    let zip = packed(&students);
    for (round, part) in students.chunks(students.len() / 5).enumerate() {
        let before = done(&place.at(""));
        let service = place.spawn();
        let root = service.at("");
        if round == 2 {
            service.drop_file("turma.zip", &zip);
        }
        for student in part {
            service.drop_file(&format!("turma/{}/saida.txt", student.name), &student.text);
        }
        let wanted = before + part.len() * (round + 1) / 8;
        wait_for("some grades", || (done(&root) >= wanted).then_some(()));
        place = service.kill();
    }
    let service = place.start();
    service.wait_until_idle(0);
    let place = service.stop();
    // Every submission is kept once and has one grade, or was in progress at two kills and is set aside, as documented.
    let (grades, kept) = (place.files("outbox/turma"), place.files("var/done/turma"));
    let set_aside = place.files("var/failed/turma");
    assert_eq!(kept.len() + set_aside.len(), students.len());
    for student in &students {
        let of = |files: &[String], end: &str| -> Vec<String> {
            let begins = format!("{}/", student.name);
            files.iter().filter(|path| path.starts_with(&begins) && path.ends_with(end)).cloned().collect()
        };
        if !of(&set_aside, "").is_empty() {
            assert_eq!(of(&grades, ".erro.txt").len(), 1, "{}", student.name);
            continue;
        }
        let (texts, notes) = (of(&grades, ".txt"), of(&grades, ".json"));
        let pages = of(&grades, ".html").len();
        assert_eq!((texts.len(), notes.len(), pages), (1, 1, 1), "{}: {texts:?}", student.name);
        let found = fs::read_to_string(place.at("outbox/turma").join(&notes[0])).unwrap();
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(found["grade"]["points"], student.points(&answers), "{}", student.name);
    }
    let archives = place
        .files("outbox")
        .iter()
        .filter(|path| path.starts_with("turma.") && path.ends_with("zip"))
        .count();
    assert_eq!(archives + place.files("var/failed").iter().filter(|path| path.ends_with("zip")).count(), 1);
}

#[test]
fn an_archive_that_cannot_be_read_gets_a_report_and_a_member_costs_itself_alone() {
    let service = place("").start();
    service.drop_file("a.zip", "not at all");
    let report = service.expect_some("a.zip.erro.txt");
    assert!(report.starts_with("rejected: a.zip: "), "{report}");
    let mut archive = ArchiveWriter::in_memory();
    let members = [
        ("x/entrada.txt", REFERENCE),
        ("inner.zip", "PK"),
        ("notas.md", "x"),
        ("y/entrada.txt", "#: witnes = true\n3 3\n"),
    ];
    for (path, text) in members {
        archive.add_text(path, text.as_bytes()).unwrap();
    }
    let bytes = archive.finish(Vec::new()).unwrap();
    service.drop_file("lista/b.zip", &bytes);
    let found = || fs::read(service.at("outbox/lista/b.saida.zip")).ok();
    let first = wait_for("the results", found);
    let members = unpacked(first.clone());
    let names: Vec<_> = members.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["inner.zip.erro.txt", "notas.md.erro.txt", "x/saida.txt", "y/erro.txt"]);
    assert_eq!(members[2].1, "1\n2\n");
    assert!(members[3].1.contains("witnes"), "{}", members[3].1);
    service.wait_for_log("lista/b.zip/inner.zip  rejected: ");
    // Again, with the same bytes; and a JSON for every result if that is configured.
    service.wait_until_idle(0);
    let config = format!("{START}[results]\nformats = [\"txt\", \"json\"]\n{ROUTE}{ANSWERED}");
    service.reload(&config);
    service.drop_file("lista/b.zip", &bytes);
    let names = wait_for("the JSON", || {
        let members = unpacked(found()?);
        let names: Vec<_> = members.into_iter().map(|(path, _)| path).collect();
        names.contains(&"x/saida.json".to_owned()).then_some(names)
    });
    assert_eq!(names.len(), 5);
    service.wait_until_idle(0);
    service.reload(&format!("{START}{ROUTE}{ANSWERED}"));
    service.drop_file("lista/b.zip", &bytes);
    wait_for("the same bytes", || (found()? == first).then_some(()));
}

/// Packs a class of which only Ana's submission has the name that the route takes. Karl's folder is empty.
fn class_of_one(folder: impl Fn(&str) -> String) -> Vec<u8> {
    let mut archive = ArchiveWriter::in_memory();
    for (path, text) in [
        ("ana/saida.txt", "1\n2\n"),
        ("ana/src/x.c", "x"),
        ("bia/saída.txt", "1\n2\n"),
        ("caio/src/x.c", "x"),
        ("davi/trabalho.zip", "PK"),
    ] {
        let (student, file) = path.split_once('/').unwrap();
        archive.add_text(&format!("{}/{file}", folder(student)), text.as_bytes()).unwrap();
    }
    let bytes = archive.finish(Vec::new()).unwrap();
    let end = bytes.len() - 22;
    let field = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (size, start) = (field(end + 12), field(end + 16));
    let name = folder("karl") + "/";
    let length = (name.len() as u16).to_le_bytes();
    let local = [&b"PK\x03\x04\x14\0"[..], &[0; 20], &length, &[0; 2], name.as_bytes()].concat();
    let central = [
        &b"PK\x01\x02\x14\x03\x14\0"[..],
        &[0; 20],
        &length,
        &[0; 12],
        &start.to_le_bytes(),
        name.as_bytes(),
    ];
    let central = central.concat();
    let (size, start) = (size + central.len() as u32, start + local.len() as u32);
    let end =
        [&b"PK\x05\x06"[..], &[0; 4], &[6, 0, 6, 0], &size.to_le_bytes(), &start.to_le_bytes(), &[0; 2]]
            .concat();
    let directory = &bytes[start as usize - local.len()..bytes.len() - 22];
    [&bytes[..start as usize - local.len()], &local, directory, &central, &end].concat()
}

#[test]
fn every_folder_of_a_class_in_an_archive_has_a_line() {
    let rows = |service: &Service, name: &str| {
        let found = || fs::read(service.at("outbox").join(name)).ok();
        let members = unpacked(wait_for("the results", found));
        let list = members.iter().find(|(path, _)| path == "notas.csv").map(|(_, list)| list.clone());
        let rows: Vec<String> =
            list.iter().flat_map(|list| list.lines().skip(1)).map(str::to_owned).collect();
        (rows, members)
    };
    let service = place("").start();
    service.drop_file("turma.zip", class_of_one(str::to_owned));
    let (found, members) = rows(&service, "turma.saida.zip");
    let found: Vec<_> = found.iter().map(String::as_str).collect();
    let nothing = |student: &str, why: &str| {
        let why = format!("nothing to grade: {why}");
        let why = if why.contains(',') { format!("\"{why}\"") } else { why };
        format!("{student},turma/{student},,,,nothing-to-grade,,,,{why},,")
    };
    let expected = [
        "ana,turma/ana/saida.txt,2,2,0,accepted,,,,2 of 2: accepted,1,".to_owned(),
        nothing("bia", "found saída.txt; a submission is called saida*.txt"),
        nothing("caio", "found src/x.c; a submission is called saida*.txt"),
        nothing("davi", "trabalho.zip: not read: an archive in an archive; unpack it, and pack its files"),
        nothing("karl", "the folder is empty"),
    ];
    assert_eq!(found, expected);
    let text = |path: &str| members.iter().find(|(found, _)| found == path).map(|(_, text)| text.as_str());
    assert_eq!(text("karl/nota.txt"), Some("turma/karl: nothing to grade: the folder is empty\n"));
    let note: Value = serde_json::from_str(text("bia/nota.json").unwrap()).unwrap();
    assert_eq!(
        (&note["student"], &note["route"], &note["submission"]),
        (&"bia".into(), &"lista3".into(), &"turma/bia".into())
    );
    assert_eq!(note["grade"]["verdict"], "nothing-to-grade");
    assert!(text("bia/saída.erro.txt").is_some_and(|report| report.starts_with("rejected: ")));
    service.wait_for_log("  turma.zip  nothing to grade in caio: ");
    service.wait_for_log("  turma.zip  nothing to grade in 1 more");
    // If the route names no students, their folders do, next to a grade.
    let unnamed = ROUTE.replace("student = \"turma/{student}/**\"\n", "");
    service.reload(&format!("{START}{unnamed}{ANSWERED}"));
    service.drop_file("turma/b.zip", class_of_one(|student| format!("lista/{student}")));
    let (found, _) = rows(&service, "turma/b.saida.zip");
    let students: Vec<_> = found.iter().map(|row| row.split(',').nth(1).unwrap()).collect();
    let folder = |student: &str| format!("turma/b/lista/{student}");
    assert_eq!(
        students,
        [folder("ana/saida.txt"), folder("bia"), folder("caio"), folder("davi"), folder("karl")]
    );
    // Moodle's archives, with and without folders. If there is no grade and inputs are answered, there is no class.
    let moodle =
        ROUTE.replace("turma/{student}/**", "moodle").replace("turma/**/saida*.txt", "**/*saida*.txt");
    service.reload(&format!("{START}{moodle}{ANSWERED}"));
    service.drop_file(
        "c.zip",
        class_of_one(|student| format!("{student}_7{}_assignsubmission_file_", student.len())),
    );
    let (found, members) = rows(&service, "c.saida.zip");
    let students: Vec<_> = found.iter().map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(students, ["ana", "bia", "caio", "davi", "karl"]);
    let note = members.iter().find(|(path, _)| path == "karl_74_assignsubmission_file_/nota.json").unwrap();
    assert!(note.1.contains("\"student_id\":\"74\""), "{}", note.1);
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text("Ana_1_assignsubmission_file_saida.txt", b"1\n2\n").unwrap();
    archive.add_text("Bia_2_assignsubmission_file_resposta.txt", b"1\n2\n").unwrap();
    service.drop_file("d.zip", archive.finish(Vec::new()).unwrap());
    let (found, members) = rows(&service, "d.saida.zip");
    let students: Vec<_> =
        found.iter().map(|row| row.split(',').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        students,
        ["Ana d/Ana_1_assignsubmission_file_saida.txt", "Bia d/Bia_2_assignsubmission_file_"]
    );
    assert!(members.iter().any(|(path, _)| path == "Ana_1_assignsubmission_file_nota.txt"), "{members:?}");
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text("Ana_1_assignsubmission_file_/entrada.txt", REFERENCE.as_bytes()).unwrap();
    archive.add_text("Bia_2_assignsubmission_file_/x.md", b"x").unwrap();
    service.drop_file("e.zip", archive.finish(Vec::new()).unwrap());
    assert_eq!(rows(&service, "e.saida.zip").0, [""; 0]);
}

#[test]
fn a_member_has_the_size_limit_of_a_file() {
    let service = place("").config(&format!("{}[intake]\nsize_limit = \"1KiB\"\n{ROUTE}", "")).start();
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text("ana/saida.txt", &[b'7'; 2000]).unwrap();
    service.drop_file("turma.zip", archive.finish(Vec::new()).unwrap());
    let bytes = wait_for("the results", || fs::read(service.at("outbox/turma.saida.zip")).ok());
    let members = unpacked(bytes);
    let report =
        &members.iter().find(|(path, _)| path == "ana/erro.txt" || path == "ana/saida.erro.txt").unwrap().1;
    assert!(report.contains("2000 bytes"), "{report}");
}

#[test]
fn an_archive_has_the_limits_of_its_own_route() {
    let route = "[[route]]\nname = \"zip\"\nfiles = [\"*.zip\"]\nsolver = \"checkers-capture\"\njob_time_limit = \"1ms\"\n\
                 if_exists = \"version\"\n";
    let astar = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"2048-astar\"\n";
    let service = Place::new().config(&format!("{START}{route}{astar}")).detailed().start();
    let mut archive = ArchiveWriter::in_memory();
    for name in ["a.txt", "b.txt"] {
        archive.add_text(name, b"4\n2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 2\n").unwrap();
    }
    service.drop_file("t.zip", archive.finish(Vec::new()).unwrap());
    service.wait_for_log("  t.zip  2 files, 2 puzzles, 2 undecided   |route=\"zip\"");
    let results = service.files("outbox");
    assert_eq!(results.len(), 1);
    let id = crate::harness::job_in(&results[0]).unwrap();
    assert_eq!(results[0], format!("t.saida.{id}.zip"));
    let members = unpacked(fs::read(service.at("outbox").join(&results[0])).unwrap());
    assert!(members.iter().all(|(_, text)| text.starts_with("undecided (at least ")), "{members:?}");
    for member in ["a.txt", "b.txt"] {
        service.wait_for_log(&format!("undecided: |file=\"t.zip/{member}\"|limit=\"job_time_limit\""));
    }
}
