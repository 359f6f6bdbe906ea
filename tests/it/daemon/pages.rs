//! Tests the pages for results, reports and grades.

use std::fs;
use std::io::Cursor;

use serde_json::Value;
use tabuleiro_jobs::archive::{Archive, ArchiveWriter};

use crate::corpora::sound;
use crate::harness::{Place, Service, run_in, wait_for};

const INPUT: &str = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n";
const START: &str = "[intake]\nquiet_period = \"10ms\"\nrescan_interval = \"1h\"\n";

fn place(options: &str, more: &str) -> Place {
    // Without grading, nothing is revealed.
    let own = options.split(", reveal").next().unwrap();
    Place::new().config(&format!(
        "{START}{more}\n[[route]]\nname = \"lista\"\nfiles = [\"**/saida*.txt\"]\nsolver = \"checkers-capture\"\n\
         grade = \"../lista.txt\"\noptions = {{ {options} }}\n\
         [[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\noptions = {{ {own} }}\n"
    )).file("lista.txt", INPUT)
}

/// Returns a page, complete and sound.
fn page(service: &Service, path: &str) -> String {
    let page = service.expect_some(path);
    sound(&page);
    page
}

fn outbox(service: &Service) -> Vec<String> {
    service.files("outbox").into_iter().filter(|path| !path.contains(".tabuleiro")).collect()
}

#[test]
fn a_page_stands_beside_a_result_and_a_report_and_goes_with_them() {
    let service = place("picture = true", "[results]\nformats = [\"txt\", \"json\"]").start();
    service.drop_file("t/entrada.txt", INPUT);
    let answers = page(&service, "t/saida.html");
    assert!(answers.contains("<h1 id=\"top\">Answers to t/entrada.txt</h1>"), "{answers}");
    // Two pictures, and the thumbnails that lead to them.
    assert_eq!(answers.matches("<svg role").count(), 2, "{answers}");
    assert_eq!(answers.matches("<svg class=\"thumb").count(), 2, "{answers}");
    assert!(answers.contains("href=\"saida.txt\"") && !answers.contains("index.html"), "{answers}");
    service.expect("t/saida.txt", "1\n2\n");
    // The witness was made only for the page.
    let json: Value = serde_json::from_str(&service.expect_some("t/saida.json")).unwrap();
    assert_eq!(json["puzzles"][1]["answer"], 2);
    assert!(json["puzzles"][1].get("witness").is_none(), "{json}");
    service.drop_file("t/entrada.txt", "#: language = pt\nDear all\n");
    let report = page(&service, "t/erro.html");
    assert!(report.contains("lang=\"pt-BR\"") && report.contains("t/entrada.txt foi rejeitado"), "{report}");
    assert!(report.contains("<mark>Dear</mark>") && report.contains("t/saida.txt"), "{report}");
    service.drop_file("t/entrada.txt", format!("#: picture = false\n{INPUT}"));
    wait_for("the report to go", || (outbox(&service) == ["t/saida.json", "t/saida.txt"]).then_some(()));
}

#[test]
fn a_directive_asks_for_a_page() {
    let service = place("", "").start();
    service.drop_file("entrada.txt", format!("#: picture = true\n{INPUT}"));
    page(&service, "saida.html");
    service.drop_file("b.txt", INPUT);
    service.expect_some("b.saida.txt");
    service.wait_until_idle(0);
    assert_eq!(outbox(&service), ["b.saida.txt", "saida.html", "saida.txt"]);
}

#[test]
fn a_page_follows_the_name_of_its_text() {
    let service = place("picture = true", "").file("outbox/saida.html", "mine").start();
    service.drop_file("entrada.txt", INPUT);
    service.expect_own("saida.ID.txt", &["1\n2\n"]);
    service.wait_until_idle(0);
    let files = outbox(&service);
    assert_eq!(files.len(), 3, "{files:?}");
    assert_eq!(fs::read_to_string(service.at("outbox/saida.html")).unwrap(), "mine");
    let own = files.iter().find(|path| path.contains(".html") && *path != "saida.html").unwrap();
    let text = own.replace(".html", ".txt");
    assert!(page(&service, own).contains(&format!("href=\"{text}\"")), "{text}");
}

#[test]
fn a_page_leads_to_the_page_of_the_service() {
    let service = place("picture = true", "[page]\npath = \"outbox/site/index.html\"").start();
    service.drop_file("t/entrada.txt", INPUT);
    let answers = page(&service, "t/saida.html");
    assert!(answers.contains("href=\"../site/index.html\""), "{answers}");
}

#[test]
fn no_answer_is_lost_to_the_size_of_its_page() {
    let service = place("picture = true", "[results]\nsize_limit = \"1KiB\"").start();
    service.drop_file("entrada.txt", INPUT);
    service.expect("saida.txt", "1\n2\n");
    assert!(page(&service, "saida.html").len() > 1024);
}

#[test]
fn the_page_of_a_grade_tells_no_more_than_the_text() {
    let answers = "1\n3\n";
    for (reveal, shows_puzzles, shows_right) in [
        ("full", true, true),
        ("own", true, false),
        ("auto", true, false),
        ("points", false, false),
        ("none", false, false),
    ] {
        let service = place(&format!("picture = true, reveal = \"{reveal}\""), "").start();
        service.drop_file("ana/saida.txt", answers);
        let grade = page(&service, "ana/nota.html");
        assert!(grade.contains("Grade of ana/saida.txt"), "{grade}");
        assert_eq!(grade.contains("found 3"), shows_puzzles, "{reveal}: {grade}");
        assert_eq!(grade.contains("expected 2"), shows_right, "{reveal}: {grade}");
        assert_eq!(grade.contains("The right answer"), shows_right, "{reveal}: {grade}");
        // The student's own answer is drawn, but no path of the program.
        assert_eq!(grade.contains("<svg"), shows_puzzles, "{reveal}: {grade}");
        assert_eq!(grade.contains("class=\"way\""), shows_right, "{reveal}: {grade}");
        assert_eq!(grade.contains("1 of 2"), reveal != "none", "{reveal}: {grade}");
    }
}

#[test]
fn a_path_of_a_student_is_drawn_beside_the_right_one() {
    let service = place("picture = true, reveal = \"full\"", "").start();
    // The submission claims two jumps, and the second is illegal.
    service.drop_file("ana/saida.txt", "1\n2 0,0 2,2 0,0\n");
    let grade = page(&service, "ana/nota.html");
    let (theirs, ours) = grade.split_once("<h3>The right answer: ").unwrap();
    assert!(theirs.contains("<h3>Your answer: ") && theirs.contains("<svg"), "{grade}");
    assert!(ours.contains("<svg"), "{grade}");
    assert_eq!(grade.matches("≠ The two answers differ for the first time in step").count(), 2, "{grade}");
}

#[test]
fn members_of_an_archive_have_their_pages() {
    let service = place("picture = true", "").start();
    let mut archive = ArchiveWriter::in_memory();
    for (path, text) in [("ana/saida.txt", "1\n3\n"), ("b/entrada.txt", INPUT), ("c/entrada.txt", "Dear\n")] {
        archive.add_text(path, text.as_bytes()).unwrap();
    }
    service.drop_file("turma.zip", archive.finish(Vec::new()).unwrap());
    let bytes = wait_for("the archive", || fs::read(service.at("outbox/turma.saida.zip")).ok());
    let archive = Archive::open(Cursor::new(bytes)).unwrap();
    let names: Vec<_> = archive.members().iter().map(|member| member.path().to_owned()).collect();
    assert_eq!(
        names,
        [
            "ana/nota.html",
            "ana/nota.json",
            "ana/nota.txt",
            // Next to a grade, every folder counts as a student's, and says why it has no grade.
            "b/nota.json",
            "b/nota.txt",
            "b/saida.html",
            "b/saida.txt",
            "c/erro.html",
            "c/erro.txt",
            "c/nota.json",
            "c/nota.txt",
            "notas.csv"
        ]
    );
    for member in archive.members().iter().filter(|member| member.path().ends_with("html")) {
        sound(&std::io::read_to_string(archive.read(member).unwrap()).unwrap());
    }
}

#[test]
fn show_draws_an_input_and_a_result_alike() {
    let place = place("witness = true", "[results]\nformats = [\"txt\", \"json\"]").argument("--once");
    let (place, _) = place.file("inbox/entrada.txt", INPUT).run();
    let root = place.at("");
    let show = |arguments: &[&str]| run_in(&root, &[&["show"], arguments].concat(), "");
    let of_input = show(&["--solver", "checkers-capture", "lista.txt"]);
    assert_eq!(of_input.status.code(), Some(0), "{}", String::from_utf8_lossy(&of_input.stderr));
    let of_input = String::from_utf8(of_input.stdout).unwrap();
    sound(&of_input);
    // The service finds the kept input by the job's ID.
    let of_result = String::from_utf8(show(&["outbox/saida.json"]).stdout).unwrap();
    sound(&of_result);
    let pictures = |page: &str| page[page.find("<svg").unwrap()..].to_owned();
    assert_eq!(pictures(&of_input), pictures(&of_result));
    // Another input does not belong to the result, and a file that is no result is reported as such.
    fs::write(root.join("other.txt"), "3 3\n2 1 2 0 1\n0 0\n").unwrap();
    let told = |output: &std::process::Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let other = show(&["outbox/saida.json", "--input", "other.txt"]);
    assert_eq!((other.status.code(), told(&other).contains("is not the input of")), (Some(65), true));
    fs::write(root.join("x.json"), "{\"a\": 1}").unwrap();
    let wrong = show(&["x.json"]);
    assert_eq!((wrong.status.code(), told(&wrong).contains("no result of tabuleiro")), (Some(65), true));
    fs::remove_dir_all(root.join("var/done")).unwrap();
    let lost = show(&["outbox/saida.json"]);
    assert_eq!((lost.status.code(), told(&lost).contains("name it with --input")), (Some(66), true));
}

#[test]
fn solve_puts_the_page_beside_its_output() {
    let (place, _) = place("", "").argument("--once").run();
    let root = place.at("");
    let solve = |arguments: &[&str]| {
        let common = ["solve", "--solver", "checkers-capture", "lista.txt"];
        run_in(&root, &[&common, arguments].concat(), "")
    };
    assert!(solve(&["-o", "saida.txt", "--set", "picture=true"]).status.success());
    sound(&fs::read_to_string(root.join("saida.html")).unwrap());
    assert!(solve(&["-o", "b.dat", "--set", "picture=true"]).status.success());
    assert!(root.join("b.dat.html").exists());
    let plain = solve(&["--set", "picture=true"]);
    assert_eq!(String::from_utf8(plain.stdout).unwrap(), "1\n2\n");
}
