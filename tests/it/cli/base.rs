//! Tests `folders.base`: every command finds the same folders, wherever it runs and however it found the configuration.

use std::fs;

use super::{Desk, Ran, tabuleiro};
use crate::harness::{BOARD_1, BOARD_2, Place, run_in};

/// The folder in which people run the commands.
const ELSEWHERE: &str = "home/ana";

impl Desk {
    /// Runs a command line in [`ELSEWHERE`].
    fn elsewhere(&self, command: &str) -> Ran {
        let arguments: Vec<_> = command.split_whitespace().collect();
        Ran::new(command, run_in(&self.at(ELSEWHERE), &arguments, ""))
    }

    /// Returns the names in a folder.
    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Returns the folder as messages show it.
    fn shown(&self, path: &str) -> String {
        self.at(path).canonicalize().unwrap().display().to_string()
    }
}

/// Makes a folder with `init`, and one elsewhere.
fn class() -> Desk {
    let desk = Desk::new();
    desk.run("init class").exit(0);
    fs::create_dir_all(desk.at(ELSEWHERE)).unwrap();
    desk
}

#[test]
fn every_command_finds_the_folders_elsewhere() {
    let desk = class().file("class/inbox/entrada.txt", BOARD_2);
    let relative = "--config ../../class/config/tabuleiro.toml".to_owned();
    let absolute = format!("--config {}", desk.shown("class/config/tabuleiro.toml"));
    let (relative, absolute) = (&relative, &absolute);
    let inbox = desk.shown("class/inbox");
    desk.elsewhere(&format!("status {relative}")).exit(3).out_says(&[&format!("1 file in {inbox}\n")]);
    desk.elsewhere(&format!("why {relative} entrada.txt")).exit(0).out_says(&["entrada.txt: "]);
    desk.elsewhere(&format!("serve --once {absolute}")).exit(0);
    assert_eq!(desk.read("class/outbox/saida.txt"), "2\n");
    for config in [relative, absolute] {
        desk.elsewhere(&format!("status {config}")).exit(3).out_says(&[&format!("0 files in {inbox}\n")]);
        desk.elsewhere(&format!("history {config}")).exit(0).out_says(&["entrada.txt"]);
        for file in ["entrada.txt", "../../class/outbox/saida.txt"] {
            let ran = desk.elsewhere(&format!("why {config} {file}")).exit(0);
            ran.out_says(&["entrada.txt: answered"]);
        }
        desk.elsewhere(&format!("check-config {config}"))
            .exit(0)
            .out_says(&[&format!("base = \"{}\"\n", desk.shown("class")), &format!("inbox = \"{inbox}\"\n")]);
    }
    desk.elsewhere(&format!("retry {relative} entrada.txt")).exit(0);
    assert_eq!(desk.names_in("class/inbox"), ["entrada.txt"]);
    assert_eq!(desk.names_in(ELSEWHERE), [""; 0], "nothing was made here");
}

#[test]
fn a_file_below_the_inbox_has_its_route_elsewhere() {
    let route = "[[route]]\nname = \"a\"\nfiles = [\"turma2/*\"]\nsolver = \"checkers-capture\"\n";
    let desk = class().file("class/inbox/turma2/x.dat", BOARD_1);
    let desk = desk.file("class/config/tabuleiro.toml", format!("[folders]\nbase = \"..\"\n{route}"));
    std::os::unix::fs::symlink(desk.at("class"), desk.at("link")).unwrap();
    for config in ["../../class/config", "../../link/config"] {
        for class in ["../../class", "../../link"] {
            let command =
                |name| format!("{name} --config {config}/tabuleiro.toml {class}/inbox/turma2/x.dat");
            desk.elsewhere(&command("solve")).exit(0).out("1\n");
            desk.elsewhere(&command("check")).exit(0).out_says(&["checkers-capture: 1 valid"]);
        }
    }
    // Without a base, the inbox is in the current directory, and the file is not in it.
    let desk = desk.file("class/config/tabuleiro.toml", route);
    let ran =
        desk.elsewhere("solve --config ../../class/config/tabuleiro.toml ../../class/inbox/turma2/x.dat");
    ran.exit(64);
}

#[test]
fn a_base_holds_however_the_configuration_was_found() {
    let desk = class().file("class/inbox/entrada.txt", BOARD_1);
    let inbox = format!("1 file in {}\n", desk.shown("class/inbox"));
    // The configuration of the current directory.
    Ran::new("status", run_in(&desk.at("class"), &["status"], "")).exit(3).out_says(&[&inbox]);
    // A person's own configuration, with an absolute base.
    let own = format!("[folders]\nbase = \"{}\"\n", desk.shown("class"));
    let desk = desk.file("xdg/tabuleiro/tabuleiro.toml", own);
    let mut status = tabuleiro();
    status.arg("status").current_dir(desk.at(ELSEWHERE)).env("XDG_CONFIG_HOME", desk.at("xdg"));
    Ran::new("status", status.output().unwrap()).exit(3).out_says(&[&inbox]);
    // A configuration named through a link: the folder of the link counts, not that of the file.
    fs::create_dir(desk.at("class/other")).unwrap();
    std::os::unix::fs::symlink("../config/tabuleiro.toml", desk.at("class/other/link.toml")).unwrap();
    desk.elsewhere("status --config ../../class/other/link.toml").exit(3).out_says(&[&inbox]);
    // The shipped configuration counts as the current directory's. Without a base, the current directory is the base.
    let here = desk.shown(ELSEWHERE);
    let machine = std::path::Path::new("/etc/tabuleiro/tabuleiro.toml");
    if !machine.exists() {
        desk.elsewhere("check-config").exit(0).out_says(&[&format!("inbox = \"{here}/inbox\"\n")]);
    }
    let desk = desk.file("old.toml", "");
    desk.elsewhere("check-config ../../old.toml").exit(0).out_says(&["base = \"\"\ninbox = \"inbox\"\n"]);
}

#[test]
fn the_textfile_lies_below_the_base_and_the_socket_in_the_var_folder() {
    let config = "[folders]\nbase = \"..\"\nvar = \"own\"\n[metrics]\ntextfile = \"numbers.prom\"\n";
    let service = Place::new().config(config).start();
    let elsewhere = tempfile::tempdir().unwrap();
    let config = service.at("config/tabuleiro.toml");
    let ask = |command: &str| {
        let output = run_in(elsewhere.path(), &[command, "--config", config.to_str().unwrap()], "");
        Ran::new(command, output).exit(0)
    };
    ask("status").out_says(&["runs (process "]);
    let textfile = service.at("").canonicalize().unwrap().join("numbers.prom");
    ask("check-config").out_says(&[&format!("textfile = \"{}\"\n", textfile.display())]);
    let place = service.stop();
    assert!(place.at("numbers.prom").is_file() && !place.at("config/numbers.prom").exists());
}
