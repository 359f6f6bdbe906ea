//! Tests excessive bytes, digits, boards, announced boards, and lines of a result.

use std::fs::File;
use std::io::{self, Write};

use crate::harness::{BOARD_1, Place, run_bounded};

/// More than the program needs for any file, and far less than the size of these files.
const MEMORY_BYTES: u64 = 96 << 20;
const GIANT_BYTES: usize = 384 << 20;

/// Writes `part` repeatedly, about `bytes` bytes in all.
fn repeat(out: &mut dyn Write, part: &[u8], bytes: usize) -> io::Result<()> {
    let block = part.repeat((64 << 10) / part.len());
    (0..bytes / block.len()).try_for_each(|_| out.write_all(&block))
}

fn check(
    solver: &str,
    feed: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = run_bounded(folder.path(), MEMORY_BYTES, &["check", "--solver", solver, "-"], feed);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn a_giant_number_takes_no_more_memory_than_a_small_one() {
    for (solver, head) in
        [("checkers-capture", "3 3\n2 1 "), ("2048-merge", "1\n2 50\n2 "), ("jump-game", "1 2\n1\n1 ")]
    {
        let (code, text) = check(solver, |out| {
            out.write_all(head.as_bytes())?;
            repeat(out, b"7", GIANT_BYTES / 3)
        });
        assert_eq!(code, Some(65), "{text}");
        assert!(text.contains("777777") && text.contains('…') && text.len() < 2000, "{text}");
    }
}

#[test]
fn a_giant_file_of_boards_comments_or_blanks_takes_no_more_memory_than_a_small_one() {
    let (code, text) = check("checkers-capture", |out| repeat(out, b"3 3\n2 1 2 0 1\n", GIANT_BYTES / 16));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(" valid, 0 invalid"), "{text}");
    for filler in [b"# all work and no play\n".as_slice(), b"\n", b" ", b"\r\n"] {
        let (code, text) = check("2048-merge", move |out| {
            repeat(out, filler, GIANT_BYTES / 16)?;
            out.write_all(b"\n1\n2 50\n2 2\n0 0\n")
        });
        assert_eq!((code, text.as_str()), (Some(0), "<stdin>: 2048-merge: 1 valid, 0 invalid\n"));
    }
}

#[test]
fn a_sparse_file_above_the_limit_is_rejected_unread() {
    let service = Place::new().start();
    // Not every file system allows a file of that size. Another test checks a smaller limit everywhere.
    if File::create(service.at("made")).unwrap().set_len(1 << 40).is_ok() {
        std::fs::rename(service.at("made"), service.at("inbox/entrada.txt")).unwrap();
        let report = service.expect_some("erro.txt");
        assert!(
            report
                .replace("\n  ", " ")
                .contains("has 1099511627776 bytes, the limit is 2147483648 (intake.size_limit)"),
            "{report}"
        );
    }
}

#[test]
fn a_sparse_file_below_the_limit_is_read_in_bounded_memory() {
    let service = Place::new().start();
    let file = File::create(service.at("made")).unwrap();
    file.set_len(GIANT_BYTES as u64 / 3).unwrap();
    drop(file);
    std::fs::rename(service.at("made"), service.at("inbox/entrada.txt")).unwrap();
    assert!(service.expect_some("erro.txt").replace("\n  ", " ").contains("which holds binary data"));
    service.drop_file("x-entrada.txt", BOARD_1);
    service.expect("x-saida.txt", "1\n");
    if let Some(peak) = service.peak_bytes() {
        assert!(peak < MEMORY_BYTES, "{peak}");
    }
}

#[test]
fn numbers_of_a_thousand_digits_are_invalid_and_shown_in_part() {
    let digits = "9".repeat(1000);
    let service = Place::new().start();
    service
        .drop_file("entrada.txt", format!("3 3\n2 1 {digits} 0 1\n{digits} {digits}\n3 3\n2 1 2 0 1\n0 0\n"));
    let result = service.expect_some("saida.txt");
    assert!(result.lines().all(|line| line.len() < 300), "{result}");
    assert!(result.starts_with(&format!("invalid board: found {}…", &digits[..40])), "{result}");
    assert!(result.ends_with("\n1\n"), "{result}");
}

#[test]
fn promised_boards_and_squares_cost_nothing_until_they_are_there() {
    let promises = [
        ("merge", "18446744073709551615\n2 50\n2 2\n0 0\n"),
        ("x-merge", "4000000000\n"),
        ("y-merge", "1\n20 50\n2"),
        ("pulo", "2000000000 2\n2\n1 1\n"),
        ("y-pulo", "18446744073709551615 18446744073709551615\n4294967295\n1 1\n"),
        ("astar", "18446744073709551615\n2 2\n"),
        ("damas", "#: limits = none\n4000000000 4000000000\n1 2\n"),
    ];
    let mut place = Place::new();
    for (name, content) in promises {
        place = place.file(&format!("inbox/{name}.txt"), content);
    }
    let service = place.start();
    service.wait_until_idle(0);
    assert_eq!(service.files("outbox").len(), promises.len(), "{:?}", service.files("outbox"));
    service.drop_file("entrada.txt", BOARD_1);
    service.expect("saida.txt", "1\n");
    if let Some(peak) = service.peak_bytes() {
        assert!(peak < MEMORY_BYTES, "{peak}");
    }
}

const ROUTE: &str = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";

#[test]
fn the_time_of_a_file_ends_a_flood_of_boards_and_the_answer_says_so() {
    const BOARDS: usize = 100_000;
    let config = format!("[intake]\nquiet_period = \"50ms\"\n{ROUTE}job_time_limit = \"1ms\"\n");
    let service = Place::new().config(&config).start();
    service.drop_file("entrada.txt", "3 3\n2 1 2 0 1\n".repeat(BOARDS) + "0 0\n");
    let result = service.expect_some("saida.txt");
    assert_eq!(result.lines().count(), BOARDS);
    let last = result.lines().last().unwrap();
    assert!(last.starts_with("undecided ("), "{last}");
    service.wait_for_log(&format!("entrada.txt  {BOARDS} boards, | undecided (job_time_limit 0.001 s)   "));
    if let Some(peak) = service.peak_bytes() {
        assert!(peak < MEMORY_BYTES, "{peak}");
    }
}

#[test]
fn a_result_above_its_limit_is_a_report_that_names_it() {
    // Each board has six bytes, but a line with the file's name: a result can be far larger than its file.
    let folder = "a".repeat(200);
    for formats in ["[\"txt\"]", "[\"txt\", \"json\"]"] {
        let config = format!("[results]\nformats = {formats}\nsize_limit = \"64KiB\"\n{ROUTE}");
        let service = Place::new().config(&config).start();
        service.drop_file(&format!("{folder}/entrada.txt"), "3 3\n7\n".repeat(2000));
        let report = service.expect_some(&format!("{folder}/erro.txt"));
        assert!(
            report.contains("the result would have more than 65536 bytes (results.size_limit)"),
            "{report}"
        );
        service.wait_for_log("  rejected: the result would have more than 65536");
        service.drop_file("entrada.txt", BOARD_1);
        service.expect("saida.txt", "1\n");
        service.wait_until_idle(0);
        let staging = std::fs::read_dir(service.at("outbox")).unwrap().flatten();
        let staging =
            staging.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("/.tabuleiro-"));
        assert_eq!(std::fs::read_dir(staging.unwrap()).unwrap().count(), 0, "no temporary is left");
    }
}
