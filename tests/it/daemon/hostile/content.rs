//! Tests content that is no text, that forges lines, or that abuses directives.

use std::fs;

use crate::harness::{BOARD_1, Place, begins_with_a_time};

/// Encodes `text` with `bytes` bytes per character, with its byte order mark if it has one.
fn wide(text: &str, bytes: usize, little_endian: bool) -> Vec<u8> {
    let unit = |c: char| {
        let mut unit = (c as u32).to_be_bytes()[4 - bytes..].to_vec();
        if little_endian {
            unit.reverse();
        }
        unit
    };
    text.chars().flat_map(unit).collect()
}

#[test]
fn what_is_no_utf8_text_is_rejected_by_its_name() {
    let mut service = Place::new();
    let mut expected = Vec::new();
    let mut add = |name: &str, content: &[u8], rule: &'static str, words: &'static str| {
        expected.push((format!("{name}-erro.txt"), rule, words));
        (format!("inbox/{name}-entrada.txt"), content.to_vec())
    };
    let mut files = Vec::new();
    for (little, order) in [(true, "le"), (false, "be")] {
        for (mark, marked) in [("\u{feff}", "bom"), ("", "plain")] {
            let text = format!("{mark}{BOARD_1}");
            let name = |bits: u32| format!("utf{bits}-{order}-{marked}");
            files.push(add(
                &name(16),
                &wide(&text, 2, little),
                "wide-text",
                "the file is UTF-16 text; save it as UTF-8",
            ));
            files.push(add(
                &name(32),
                &wide(&text, 4, little),
                "wide-text",
                "the file is UTF-32 text; save it as UTF-8",
            ));
        }
    }
    files.push(add("nul", &[0; 5000], "no-puzzle", "which holds binary data"));
    files.push(add(
        "elf",
        &[b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0".as_slice(), &[0; 44]].concat(),
        "program-file",
        "the file is a program (ELF), not plain text",
    ));
    files.push(add(
        "png",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0",
        "image-file",
        "the file is an image (PNG), not plain text",
    ));
    files.push(add(
        "pdf",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
        "document-file",
        "the file is a document (PDF)",
    ));
    files.push(add("docx", b"PK\x03\x04\x14\0\x06\0", "compressed-file", "compressed (zip)"));
    files.push(add("latin1", b"Ol\xe1, professor\n", "no-puzzle", "1 | Ol\\xe1, professor"));
    for (name, content) in files {
        service = service.file(&name, content);
    }
    let service = service.detailed().start();
    for (report, rule, words) in expected {
        let text = service.expect_some(&report);
        assert!(text.replace("\n  ", " ").contains(words), "{report}: {text}");
        service.wait_for_log(&format!("  rejected: |{report}|rule=\"{rule}\""));
    }
    service.wait_until_idle(0);
}

#[test]
fn a_nul_byte_in_a_board_is_an_invalid_board_and_the_next_is_answered() {
    let service = Place::new().start();
    service.drop_file("entrada.txt", "3 3\n2 1 2\0 0 1\n3 3\n2 1 2 0 1\n0 0\n");
    let result = service.expect_some("saida.txt");
    let lines: Vec<_> = result.lines().collect();
    assert!(
        lines[0].contains("(U+0000) in '2\\u{0}'") && lines[0].ends_with("[entrada.txt:2:6]"),
        "{result}"
    );
    assert_eq!(lines[1..], ["1"]);
}

#[test]
fn content_cannot_forge_results_logs_or_reports() {
    let forged = "7\u{61c}\x1b[2J\x1b]0;x\x07\u{202e}\u{2028}\x0885\r\u{85}1";
    let service = Place::new().start();
    service.drop_file("entrada.txt", format!("3 3\n2 1 {forged} 0 1\n3 3\n2 1 2 0 1\n0 0\n{forged}"));
    service.drop_file("a-entrada.txt", forged);
    service.drop_file("b-entrada.txt", format!("#: solver = {forged}\n{BOARD_1}"));
    service.drop_file("c-entrada.txt", format!("#: {forged} = 1\n{BOARD_1}"));
    service.drop_file("d-entrada.txt", format!("#: witness = '{}'\n{BOARD_1}", "\u{202e}forged"));
    let texts = ["saida.txt", "a-erro.txt", "b-erro.txt", "c-erro.txt", "d-erro.txt"]
        .map(|name| service.expect_some(name));
    assert_eq!(texts[0].lines().count(), 3, "{:?}", texts[0]);
    assert!(texts[0].ends_with("ignored: 1 line after the end marker 0 0 (line 5)\n"), "{:?}", texts[0]);
    service.wait_until_idle(0);
    for text in texts.iter().chain([&service.log()]) {
        let odd = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{2028}' | '\u{61c}');
        assert!(!text.contains(odd), "{text:?}");
    }
    assert!(service.log().lines().all(begins_with_a_time), "{}", service.log());
}

#[test]
fn directives_name_no_path_and_no_program() {
    let tricks = [
        "solver = ../../../../etc/passwd",
        "solver = /bin/sh",
        "solver = checkers-capture/../2048-merge",
        "output = /etc/cron.d/x",
        "outbox = ..",
        "inbox = /",
        "include = ../secret",
        "../../x = 1",
        "witness = $(touch forged)",
        "memory_limit = 1024TiB",
        "time_limit = none",
        "job_time_limit = 99999999999999999999s",
        "memory_limit = -1",
        "memory_limit = 1e400",
        "algorithm = `id`",
    ];
    let mut place = Place::new();
    for (number, trick) in tricks.iter().enumerate() {
        place = place.file(&format!("inbox/{number}-entrada.txt"), format!("#: {trick}\n{BOARD_1}"));
    }
    let (place, output) = place.file("secret", BOARD_1).argument("--once").run();
    assert!(output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    assert_eq!(log.matches("  rejected: ").count(), tricks.len(), "{log}");
    assert_eq!(place.files("outbox").len(), tricks.len());
    for (number, trick) in tricks.iter().enumerate() {
        let report = fs::read_to_string(place.at(&format!("outbox/{number}-erro.txt"))).unwrap();
        assert!(report.starts_with(&format!("rejected: {number}-entrada.txt:1:")), "{trick}: {report}");
    }
    assert!(!place.at("forged").exists());
}

#[test]
fn too_many_and_too_long_directives_are_named() {
    let many: String = (0..65).map(|number| format!("#: k{number} = 1\n")).collect();
    let long = format!("#: witness = \"{}\"\n", "x".repeat(1 << 20));
    let twice = "#: witness = true\n#: witness = true\n";
    let service = Place::new().start();
    for (name, head, words) in [
        ("many", many.as_str(), "many-entrada.txt:65:1: the file has more than 64 directives"),
        ("long", &long, "long-entrada.txt:1:1: the directive is longer than 4096 bytes"),
        ("twice", twice, "'witness' is set a second time"),
    ] {
        service.drop_file(&format!("{name}-entrada.txt"), format!("{head}{BOARD_1}"));
        let report = service.expect_some(&format!("{name}-erro.txt"));
        assert!(report.contains(words), "{report}");
    }
}
