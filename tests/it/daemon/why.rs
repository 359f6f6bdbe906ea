//! Tests `tabuleiro why` and `tabuleiro retry`: the same answers with and without a running service.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;
use tabuleiro_jobs::archive::ArchiveWriter;

use super::recovery::{SLOW, slow_board, wait_until_begun};
use crate::harness::{BOARD_1, BOARD_2, Place, leases_work, run_in, wait_for};

/// Returns the output and the exit code of `tabuleiro why`.
fn why(root: &Path, file: &str) -> (String, Option<i32>) {
    let output = run_in(root, &["why", file], "");
    assert!(output.stderr.is_empty(), "{output:?}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// Waits until the output of `tabuleiro why` contains all of `parts`, separated by `|`.
fn wait_for_why(root: &Path, file: &str, parts: &str) -> String {
    let says = || Some(why(root, file).0).filter(|text| parts.split('|').all(|part| text.contains(part)));
    wait_for(parts, says)
}

fn retry(root: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = run_in(root, &[&["retry"], arguments].concat(), "");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn what_became_of_a_file_is_told_by_any_of_its_names() {
    let service = Place::new().start();
    service.drop_file("turma/entrada.txt", BOARD_1);
    service.drop_file("letter-entrada.txt", "Dear Sir");
    service.expect("turma/saida.txt", "1\n");
    service.expect_some("letter-erro.txt");
    service.wait_until_idle(0);
    let root = service.at("");
    let up = wait_for_why(&root, "turma/entrada.txt", ": answered");
    assert!(up.starts_with("turma/entrada.txt: answered\n  answered 2"), "{up}");
    assert!(up.contains("1 puzzle; result ") && up.contains("outbox/turma/saida.txt"), "{up}");
    let kept = service.files("var/done").pop().unwrap();
    assert!(up.contains(&format!("var/done/{kept}")), "{up}");
    let absolute = service.at("inbox/turma/entrada.txt");
    let kept = format!("var/done/{kept}");
    let names = [
        absolute.to_str().unwrap(),
        "inbox/turma/entrada.txt",
        "outbox/turma/saida.txt",
        "turma/saida.txt",
        &kept,
    ];
    for name in names {
        assert_eq!(why(&root, name), (up.clone(), Some(0)), "{name}");
    }
    let rejected = wait_for_why(&root, "letter-entrada.txt", "rejected");
    assert!(rejected.contains("only words") && rejected.contains("letter-erro.txt"), "{rejected}");
    assert!(rejected.contains("tabuleiro retry letter-entrada.txt"), "{rejected}");
    let place = service.stop();
    assert_eq!(why(&root, "turma/entrada.txt").0, up);
    let (unknown, code) = why(&root, "other.txt");
    assert_eq!(code, Some(66));
    assert!(unknown.contains("no service runs"), "{unknown}");
    // The files are the truth.
    fs::remove_dir_all(place.at("var/history")).unwrap();
    let (text, code) = why(&root, "letter-entrada.txt");
    assert!(code == Some(0) && text.contains("rejected; the history has no more about it"), "{text}");
    assert_eq!(run_in(&root, &["why", "/etc/passwd"], "").status.code(), Some(64));
    assert_eq!(run_in(&root, &["why", "../x"], "").status.code(), Some(64));
}

#[test]
fn what_is_left_alone_says_why_and_what_to_do() {
    let place = Place::new().file("inbox/draft.TMP", BOARD_1).file("inbox/.git/entrada.txt", BOARD_1);
    symlink("/etc/passwd", place.at("inbox/link-entrada.txt")).unwrap();
    fs::create_dir(place.at("elsewhere")).unwrap();
    fs::write(place.at("elsewhere/entrada.txt"), BOARD_1).unwrap();
    symlink("../elsewhere", place.at("inbox/folder")).unwrap();
    let deep = format!("{}entrada.txt", "d/".repeat(70));
    let place = place.file(&format!("inbox/{deep}"), BOARD_1);
    let cases = [
        ("draft.TMP", "'draft.TMP' matches '*.tmp' of intake.ignore; rename it"),
        (".git/entrada.txt", "'.git' matches '.*' of intake.ignore"),
        ("link-entrada.txt", "a symbolic link, which is not followed; copy the file itself"),
        ("folder/entrada.txt", "inbox/folder is a symbolic link"),
        (&deep, "70 folders deep, and 64 are allowed"),
    ];
    let service = place.start();
    let up = cases.map(|(file, _)| why(&service.at(""), file));
    let place = service.stop();
    for ((file, expected), up) in cases.iter().zip(up) {
        assert!(up.0.contains("left alone\n") && up.0.contains(expected) && up.1 == Some(0), "{up:?}");
        assert_eq!(why(&place.at(""), file), up, "the same with the service down");
    }
}

#[test]
fn what_waits_says_for_what() {
    let place = Place::new().config("[intake]\nquiet_period = \"1h\"\nfree_space_min = \"0B\"\n");
    let service = place.start();
    let root = service.at("");
    service.drop_file("empty-entrada.txt", "");
    let empty =
        wait_for_why(&root, "empty-entrada.txt", "not complete|it is empty|(intake.quiet_period): in 3");
    assert!(empty.contains("route 'entrada' gives it to checkers-capture"), "{empty}");
    if leases_work() {
        let writer = fs::File::create(root.join("inbox/busy.txt")).unwrap();
        fs::write(root.join("inbox/busy.txt"), "1").unwrap();
        let busy = wait_for_why(&root, "busy.txt", "a program still has it open for writing");
        assert!(busy.contains("no route takes it") && busy.contains("entrada (**/*entrada*)"), "{busy}");
        drop(writer);
    }
    let place = service.stop().file("inbox/entrada.txt", BOARD_1);
    let (down, code) = why(&root, "entrada.txt");
    assert!(
        code == Some(0)
            && down.starts_with("entrada.txt: waiting\n  no service runs; the next start takes it"),
        "{down}"
    );
    let full = "[intake]\nfree_space_min = \"1024TiB\"\n";
    let service = place.config(full).start();
    wait_for_why(&root, "entrada.txt", "waiting|the service takes no files for now: |intake.free_space_min");
    drop(service);
}

#[test]
fn what_is_in_hand_says_what_is_done_with_it() {
    let service = Place::new().config(SLOW).start();
    let root = service.at("");
    service.drop_file("slow.txt", slow_board());
    wait_until_begun(&service, 1);
    service.drop_file("slow.txt", BOARD_1);
    service.wait_for_claims(2);
    let two = wait_for_why(&root, "slow.txt", "in hand|it is being answered|it waits for an older file");
    assert!(two.starts_with("slow.txt: in hand\n  in hand since 2"), "{two}");
    let place = service.kill();
    let (down, code) = why(&root, "slow.txt");
    assert_eq!((code, down.matches("the next start answers it").count()), (Some(0), 2), "{down}");
    let status = run_in(&root, &["status"], "");
    let status = String::from_utf8(status.stdout).unwrap();
    assert!(status.contains("in hand      2 files taken and not answered"), "{status}");
    drop(place);
}

#[test]
fn a_retry_has_a_file_answered_again_with_the_service_up_and_down() {
    let service = Place::new().start();
    let root = service.at("");
    service.drop_file("a/entrada.txt", "Dear Sir");
    service.expect_some("a/erro.txt");
    service.wait_until_idle(0);
    let kept = service.files("var/failed").pop().unwrap();
    fs::write(service.at("var/failed").join(&kept), BOARD_1).unwrap();
    let (text, code) = retry(&root, &["a/entrada.txt", "missing.txt"]);
    assert_eq!(code, Some(66));
    assert_eq!(
        text,
        format!(
            "a/entrada.txt: in the inbox again, from failed/{kept}\nmissing.txt: nothing of that name is kept in done/ or failed/\n"
        )
    );
    service.expect("a/saida.txt", "1\n");
    service.wait_until_idle(0);
    assert_eq!(
        (service.files("var/failed").len(), service.files("outbox").len()),
        (0, 1),
        "the report is gone"
    );

    // By the path of the kept input, and by the ID in it. The same input is answered again.
    let kept = service.files("var/done").pop().unwrap();
    fs::remove_file(service.at("outbox/a/saida.txt")).unwrap();
    assert_eq!(retry(&root, &[&format!("var/done/{kept}")]).1, Some(0));
    service.expect("a/saida.txt", "1\n");
    service.wait_until_idle(0);
    let place = service.stop();
    let kept = place.files("var/done").pop().unwrap();
    let id = kept.strip_prefix("a/entrada.").unwrap().strip_suffix(".txt").unwrap();
    let place = place.file("inbox/a/entrada.txt", BOARD_2);
    let (text, code) = retry(&root, &[id]);
    assert!(code == Some(73) && text.contains("which is not replaced"), "{text}");
    fs::remove_file(place.at("inbox/a/entrada.txt")).unwrap();
    assert_eq!(retry(&root, &[id]).1, Some(0));
    assert_eq!(fs::read_to_string(place.at("inbox/a/entrada.txt")).unwrap(), BOARD_1);
    fs::remove_file(place.at("outbox/a/saida.txt")).unwrap();
    let service = place.start();
    service.expect("a/saida.txt", "1\n");
}

#[test]
fn all_that_failed_can_be_tried_again() {
    let service = Place::new().start();
    let root = service.at("");
    assert_eq!(
        retry(&root, &["--failed"]),
        ("nothing failed that was not answered since\n".to_owned(), Some(0))
    );
    for name in ["x-entrada.txt", "y-entrada.txt", "mended-entrada.txt"] {
        service.drop_file(name, "Dear Sir");
    }
    for name in ["x-erro.txt", "y-erro.txt", "mended-erro.txt"] {
        service.expect_some(name);
    }
    service.wait_until_idle(0);
    service.drop_file("mended-entrada.txt", BOARD_2);
    service.expect("mended-saida.txt", "2\n");
    service.wait_until_idle(0);
    for kept in service.files("var/failed") {
        fs::write(service.at("var/failed").join(kept), BOARD_1).unwrap();
    }
    let output = run_in(&root, &["retry", "--failed", "--since", "1h", "--json"], "");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> =
        lines.iter().map(|line| (line["file"].as_str().unwrap(), line["result"].as_str().unwrap())).collect();
    assert_eq!(told, [("x-entrada.txt", "put-back"), ("y-entrada.txt", "put-back")]);
    service.expect("x-saida.txt", "1\n");
    service.expect("y-saida.txt", "1\n");
    service.expect("mended-saida.txt", "2\n");
}

#[test]
fn why_tells_the_first_mistakes_of_an_answered_file() {
    let service = Place::new().start();
    let root = service.at("");
    let wrong = "3 3\n2 1 2 0 7\n";
    service.drop_file("entrada.txt", format!("{wrong}{BOARD_1}"));
    service.drop_file("many-entrada.txt", format!("{}{BOARD_1}", wrong.repeat(40)));
    let mut archive = ArchiveWriter::in_memory();
    archive.add_text("ana/entrada.txt", format!("{}0 0\n", wrong.repeat(3)).as_bytes()).unwrap();
    archive.add_text("ana/notas.md", b"?").unwrap();
    archive.add_text("bia/entrada.txt", BOARD_1.as_bytes()).unwrap();
    service.drop_file("turma.zip", archive.finish(Vec::new()).unwrap());
    let mistake = |puzzle: usize| {
        let what = "found 7, expected 0, 1 or 2 (row 3, number 2)";
        format!("puzzle {puzzle} (line {}, column 9): {what}\n", 2 * puzzle)
    };
    let up = wait_for_why(&root, "entrada.txt", ": answered\n|2 puzzles, of which 1 invalid");
    assert!(up.ends_with(&format!("\n  {}", mistake(1))) && up.lines().count() == 3, "{up}");
    let many = wait_for_why(&root, "many-entrada.txt", ": answered\n");
    let told = format!("\n  {}  {}  {}  and 37 more\n", mistake(1), mistake(2), mistake(3));
    assert!(many.ends_with(&told), "{many}");
    let class = wait_for_why(&root, "turma.zip", ": answered\n");
    let told = format!("  ana/entrada.txt: {}  ana/entrada.txt: {}  and 1 more\n", mistake(1), mistake(2));
    assert!(
        class.contains("\n  ana/notas.md: no route takes the file; ") && class.ends_with(&told),
        "{class}"
    );
    service.wait_until_idle(0);
    let place = service.stop();
    assert_eq!(why(&place.at(""), "many-entrada.txt").0, many);
}

#[test]
fn a_retry_of_a_folder_puts_back_what_was_dropped_in_it() {
    let service = Place::new().start();
    let root = service.at("");
    service.drop_file("turma/a/entrada.txt", BOARD_1);
    service.drop_file("turma/b/entrada.txt", "Dear Sir");
    service.drop_file("entrada.txt", BOARD_2);
    service.expect("turma/a/saida.txt", "1\n");
    service.expect_some("turma/b/erro.txt");
    service.expect("saida.txt", "2\n");
    service.wait_until_idle(0);
    let kept = service.files("var/failed").pop().unwrap();
    fs::write(service.at("var/failed").join(kept), BOARD_2).unwrap();
    for output in ["turma/a/saida.txt", "saida.txt"] {
        fs::remove_file(service.at("outbox").join(output)).unwrap();
    }
    // A folder of the inbox that exists and is empty.
    assert!(service.at("inbox/turma").is_dir());
    let (text, code) = retry(&root, &["turma"]);
    assert_eq!(code, Some(0), "{text}");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.iter().all(|line| line.contains(": in the inbox again, from ")), "{text}");
    assert_eq!(lines.len(), 2, "{text}");
    service.expect("turma/a/saida.txt", "1\n");
    service.expect("turma/b/saida.txt", "2\n");
    service.wait_until_idle(0);
    assert!(!service.at("outbox/saida.txt").exists(), "it lies elsewhere");
    let place = service.stop();
    // A folder that is gone from the inbox, and one into which nothing was dropped.
    fs::remove_dir_all(place.at("inbox/turma")).unwrap();
    let (text, code) = retry(&root, &["inbox/turma/b"]);
    assert!(
        code == Some(0) && text.starts_with("turma/b/entrada.txt: in the inbox again, from done/turma/b/")
    );
    fs::create_dir(place.at("inbox/empty")).unwrap();
    assert_eq!(
        retry(&root, &["empty"]),
        (
            "empty: it is a folder, and no input that was dropped in it is kept in done/ or failed/\n".into(),
            Some(66)
        )
    );
}
