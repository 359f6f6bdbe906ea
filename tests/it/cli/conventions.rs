//! What people expect of any program: manual pages, completions.

use std::fs;
use std::io::ErrorKind;
use std::process::Command;

use super::Desk;

/// The subcommands, as `--help` lists them.
fn commands(desk: &Desk) -> Vec<String> {
    let help = desk.run("--help").exit(0).out;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    // A description that is wrapped goes on further to the right.
    let lines = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn every_command_has_a_manual_page() {
    let desk = Desk::new();
    let commands = commands(&desk);
    assert!(commands.len() >= 10 && commands.contains(&"check-config".to_owned()), "{commands:?}");
    desk.run("man pages/man1").exit(0).out("");
    let mut wanted: Vec<_> = commands
        .iter()
        .filter(|command| *command != "help")
        .map(|command| format!("tabuleiro-{command}.1"))
        .collect();
    wanted.push("tabuleiro.1".to_owned());
    wanted.sort();
    let mut found: Vec<_> = fs::read_dir(desk.at("pages/man1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, wanted);
    for name in &wanted {
        let page = desk.read(&format!("pages/man1/{name}"));
        let title = format!(".TH {} 1 ", name.strip_suffix(".1").unwrap());
        for part in [title.as_str(), "\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH DESCRIPTION\n"] {
            assert!(page.contains(part), "{name}: no {part:?} in\n{page}");
        }
    }
    let page = desk.read("pages/man1/tabuleiro.1");
    for part in
        ["\n.SH EXIT STATUS\n0 all is well", "\n.SH EXAMPLES\n.nf\ntabuleiro serve ", "tabuleiro\\-serve(1)"]
    {
        assert!(page.contains(part), "no {part:?} in\n{page}");
    }
    assert!(desk.read("pages/man1/tabuleiro-serve.1").contains("\\-\\-inbox"));
    // Pages of an older version are replaced.
    fs::write(desk.at("pages/man1/tabuleiro.1"), "old").unwrap();
    desk.run("man pages/man1").exit(0).out("");
    assert_eq!(desk.read("pages/man1/tabuleiro.1"), page);
    desk.file("file", "").run("man file").exit(73).out("").err_says(&["'file'"]);
}

#[test]
fn completions_name_every_command_and_are_valid() {
    let desk = Desk::new();
    let commands = commands(&desk);
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.run(&format!("completions {shell}")).exit(0).out;
        for command in commands.iter().map(String::as_str).chain(["inbox", "once"]) {
            assert!(script.contains(command), "{shell}: no {command}");
        }
        fs::write(desk.at(shell), script).unwrap();
        // `-n`: read without running. A machine may well have no such shell.
        match Command::new(shell).arg("-n").arg(desk.at(shell)).output() {
            Ok(output) => {
                let found = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success() && found.is_empty(), "{shell}: {found}");
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{shell}: {error}"),
        }
    }
    desk.run("completions tcsh").exit(64).out("").err_says(&["bash, zsh, fish"]);
}
