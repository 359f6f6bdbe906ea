//! Tests what people expect of any program: manual pages, completions, a first configuration, one of their own.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::pty::openpty;
use tabuleiro::config::{Config, SHIPPED};
use tabuleiro_puzzles::solver::SOLVERS;

use super::{Desk, Ran, tabuleiro};

/// Returns the subcommands that `--help` lists.
fn commands(desk: &Desk) -> Vec<String> {
    let help = desk.run("--help").exit(0).out;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    // The continuation of a wrapped description is indented further.
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
        ["\n.SH EXIT STATUS\n0 success; ", "\n.SH EXAMPLES\n.nf\ntabuleiro serve ", "tabuleiro\\-serve(1)"]
    {
        assert!(page.contains(part), "no {part:?} in\n{page}");
    }
    assert!(desk.read("pages/man1/tabuleiro-serve.1").contains("\\-\\-once"));
    // The command replaces pages of an older version.
    fs::write(desk.at("pages/man1/tabuleiro.1"), "old").unwrap();
    desk.run("man pages/man1").exit(0).out("");
    assert_eq!(desk.read("pages/man1/tabuleiro.1"), page);
    desk.file("file", "").run("man file").exit(73).out("").err_says(&["file: cannot create: "]);
}

/// A heading, an option or an argument must not appear twice, because it would read as two.
#[test]
fn a_manual_page_says_everything_once() {
    let desk = Desk::new();
    desk.run("man pages").exit(0);
    for entry in fs::read_dir(desk.at("pages")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let page = desk.read(&format!("pages/{name}"));
        let lines: Vec<_> = page.lines().collect();
        let headings = lines.iter().filter(|line| line.starts_with(".SH")).copied();
        let arguments = lines.windows(2).filter(|pair| pair[0] == ".TP").map(|pair| pair[1]);
        let mut said: Vec<_> = headings.chain(arguments).collect();
        let count = said.len();
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), count, "{name}: {said:?}");
        let synopsis = lines.iter().skip_while(|line| **line != ".SH SYNOPSIS").nth(1).unwrap();
        assert!(!synopsis.contains("\\-\\-"), "{name}: the options stand below: {synopsis}");
    }
    let synopsis = "\n.SH SYNOPSIS\n\\fBtabuleiro check\\fR [OPTIONS] <FILE>...\n";
    assert!(desk.read("pages/tabuleiro-check.1").contains(synopsis));
}

/// Returns the completions of the last of these words, requested like the bash script does.
fn completed(desk: &Desk, words: &[&str]) -> Vec<String> {
    let mut command = tabuleiro();
    command.current_dir(desk.0.path()).env("COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string()).arg("--").arg("tabuleiro").args(words);
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn commands_solvers_routes_and_files_are_completed() {
    let desk = Desk::new().file("turma.txt", "");
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let found = completed(&desk, &[""]);
    assert!(commands(&desk).iter().all(|command| found.contains(command)), "{found:?}");
    let ids: Vec<_> = SOLVERS.iter().map(|solver| solver.id()).collect();
    assert_eq!(completed(&desk, &["solve", "--solver", ""]), ids);
    assert_eq!(completed(&desk, &["solvers", "jump"]), names(&["jump-game"]));
    assert!(completed(&desk, &["check", "tu"]).contains(&"turma.txt".to_owned()));
    // The shipped routes, then those of a configuration, then none because the configuration is wrong.
    assert!(completed(&desk, &["history", "--route", ""]).contains(&"entrada".to_owned()));
    let config = "[[route]]\nname = \"lista3\"\nfiles = [\"a*\"]\nsolver = \"jump-game\"\n\n\
                  [[route]]\nname = \"other\"\nfiles = [\"b*\"]\nsolver = \"jump-game\"\n";
    let desk = desk.file("config/tabuleiro.toml", config);
    assert_eq!(completed(&desk, &["history", "--route", ""]), names(&["lista3", "other"]));
    assert_eq!(completed(&desk, &["history", "--route", "li"]), names(&["lista3"]));
    let desk = desk.file("config/tabuleiro.toml", "x");
    assert_eq!(completed(&desk, &["history", "--route", ""]), names(&[]));
}

#[test]
fn scripts_of_completions_are_valid() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.run(&format!("completions {shell}")).exit(0).out;
        assert!(script.contains("tabuleiro") && script.contains("COMPLETE"), "{shell}: {script}");
        fs::write(desk.at(shell), script).unwrap();
        // `-n` reads without running. A machine may not have the shell.
        match Command::new(shell).arg("-n").arg(desk.at(shell)).output() {
            Ok(output) => {
                let found = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success() && found.is_empty(), "{shell}: {found}");
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::NotFound, "{shell}: {error}");
                eprintln!("SKIPPED: {shell} is not installed, so its completions were not parsed");
            }
        }
    }
    desk.run("completions tcsh").exit(64).out("").err_says(&["bash", "zsh", "fish"]);
}

#[test]
fn completions_and_pages_make_the_folders_that_they_are_written_to() {
    let desk = Desk::new();
    let script = desk.run("completions bash").exit(0).out;
    desk.run("completions bash -o -").exit(0).out(&script);
    desk.run("completions bash -o share/bash/tabuleiro").exit(0).out("");
    assert_eq!(desk.read("share/bash/tabuleiro"), script);
    desk.run("completions zsh -o share/bash/tabuleiro").exit(0).out("");
    assert!(desk.read("share/bash/tabuleiro").starts_with("#compdef tabuleiro"), "an older one is replaced");
    desk.run("completions bash -o beside").exit(0).out("");
    desk.run("man share/man/man1").exit(0).out("");
    assert!(desk.at("share/man/man1/tabuleiro.1").is_file());
    let ran = desk.run("completions bash -o beside/tabuleiro").exit(73).out("");
    ran.err_says(&["beside/tabuleiro: cannot create: "]);
}

/// Returns what bash offers after an unfinished line.
#[test]
fn bash_completes_solvers_and_routes() {
    let desk = Desk::new();
    desk.run("completions bash -o script").exit(0);
    let offered = |line: &str| {
        let ask = "source ./script; COMP_WORDS=($1 ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); \
                   _clap_complete_tabuleiro tabuleiro '' \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
                   printf '%s\\n' \"${COMPREPLY[@]}\"";
        let mut bash = Command::new("bash");
        // The script runs the program that it finds on the path.
        let program = Path::new(env!("CARGO_BIN_EXE_tabuleiro")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        bash.env("PATH", path).env_remove("HOME").env_remove("XDG_CONFIG_HOME");
        let output = bash.args(["-c", ask, "bash", line]).current_dir(desk.at("")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    for line in ["solve --solver", "check --solver", "solvers", "generate"] {
        let offered = offered(&format!("tabuleiro {line}"));
        for solver in SOLVERS {
            assert!(offered.contains(&solver.id().to_owned()), "{line}: {offered:?}");
        }
    }
    let routes = offered("tabuleiro history --route");
    assert!(routes.contains(&"entrada".to_owned()), "{routes:?}");
}

/// Returns what a program writes to a terminal that is its output and standard error.
fn on_terminal(mut command: Command) -> String {
    let terminal = openpty(None, None).unwrap();
    let stream = || Stdio::from(terminal.slave.try_clone().unwrap());
    command.stdin(Stdio::null()).stdout(stream()).stderr(stream());
    let mut child = command.spawn().unwrap();
    // Reading ends with an error when the last program at the other end is gone.
    drop((command, terminal.slave));
    let mut seen = Vec::new();
    let _ = fs::File::from(terminal.master).read_to_end(&mut seen);
    assert!(child.wait().unwrap().success());
    String::from_utf8_lossy(&seen).into_owned()
}

#[test]
fn nobody_gets_colours_who_wants_none() {
    let desk = Desk::new();
    fs::create_dir(desk.at("inbox")).unwrap();
    for arguments in ["--help", "serve --once"] {
        for (no_color, coloured) in [("", true), ("1", false)] {
            let mut command = tabuleiro();
            command.args(arguments.split(' ')).current_dir(desk.at(""));
            command.env("TERM", "xterm-256color").env("NO_COLOR", no_color);
            command.env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
            let seen = on_terminal(command);
            assert!(seen.contains("inbox"), "{arguments}: {seen:?}");
            assert_eq!(seen.contains("\x1b["), coloured, "{arguments}, NO_COLOR={no_color}: {seen:?}");
        }
    }
}

#[test]
fn init_makes_a_folder_that_can_serve() {
    let desk = Desk::new();
    let made = "made a/b/config/tabuleiro.toml\nmade a/b/config/tabuleiro.schema.json\nmade a/b/inbox\nmade a/b/outbox\nmade a/b/var\n";
    desk.run("init a/b").exit(0).out(made);
    let page = |path: &str| format!("\n[page]\n{}path = \"{path}\"\n", comment_of_page());
    let shipped = SHIPPED.replacen(&page(""), &page("outbox/index.html"), 1);
    assert!(shipped != SHIPPED && desk.read("a/b/config/tabuleiro.toml") == shipped);
    assert_eq!(desk.read("a/b/config/tabuleiro.schema.json"), Config::schema(SOLVERS));
    desk.run("init a/b").exit(0).out(&made.replace("made", "kept"));
    let desk = desk.file("a/b/inbox/entrada.txt", crate::harness::BOARD_1);
    let mut serve = tabuleiro();
    serve.args(["serve", "--once"]).current_dir(desk.at("a/b"));
    let _ = Ran::new("serve --once", serve.output().unwrap()).exit(0);
    assert_eq!(desk.read("a/b/outbox/saida.txt"), "1\n");
    assert!(desk.read("a/b/outbox/index.html").contains("href=\"saida.txt\""));
}

/// Returns the text between the section of the page and its path in the shipped configuration.
fn comment_of_page() -> &'static str {
    SHIPPED.split("\n[page]\n").nth(1).unwrap().split("path = ").next().unwrap()
}

#[test]
fn init_keeps_what_is_there_and_makes_the_folders_it_names() {
    let own = "[folders]\ninbox = \"entradas\"\n";
    let desk = Desk::new().file("config/tabuleiro.toml", own).file("outbox/saida.txt", "mine");
    desk.run("init")
        .exit(0)
        .out("kept ./config/tabuleiro.toml\nmade ./config/tabuleiro.schema.json\nmade ./entradas\nkept ./outbox\nmade ./var\n");
    assert_eq!(
        (desk.read("config/tabuleiro.toml").as_str(), desk.read("outbox/saida.txt").as_str()),
        (own, "mine")
    );
    assert_eq!(desk.names(), ["config", "entradas", "outbox", "var"]);
}

#[test]
fn init_says_what_is_in_its_way() {
    let desk = Desk::new().file("a/inbox", "").file("b", "").file("c/config/tabuleiro.toml", "no = 1\n");
    let _ = desk.run("init a").exit(73).err_says(&["a/inbox: cannot create: "]);
    assert_eq!(desk.read("a/inbox"), "");
    let _ = desk.run("init b").exit(73).err_says(&["b/config: cannot create: "]);
    let _ = desk.run("init c").exit(78).err_says(&["c/config/tabuleiro.toml:1:1: unknown key 'no'"]);
    assert_eq!(
        fs::read_dir(desk.at("c")).unwrap().count(),
        1,
        "no folders for a configuration that is wrong"
    );
}

#[test]
fn a_person_s_configuration_comes_after_the_folder_s() {
    let desk = Desk::new()
        .file("xdg/tabuleiro/tabuleiro.toml", "[workers]\nthreads = 3\n")
        .file("home/.config/tabuleiro/tabuleiro.toml", "[workers]\nthreads = 4\n");
    let check = |variables: &[(&str, &str)]| {
        let mut command = tabuleiro();
        command.arg("check-config").current_dir(desk.at(""));
        command.envs(variables.iter().map(|(name, folder)| (name, desk.at(folder))));
        Ran::new("check-config", command.output().unwrap())
    };
    let both = [("HOME", "home"), ("XDG_CONFIG_HOME", "xdg")];
    let _ = check(&both).exit(0).out_says(&["/xdg/tabuleiro/tabuleiro.toml\n", "threads = 3\n"]);
    let home = check(&both[..1]).exit(0);
    let _ = home.out_says(&["/home/.config/tabuleiro/tabuleiro.toml\n", "threads = 4\n"]);
    // A service has no home.
    assert!(!check(&[]).exit(0).out.contains(".config"));
    fs::write(desk.at("xdg/tabuleiro/tabuleiro.toml"), "no = 1\n").unwrap();
    check(&both).exit(78).out("").err_says(&["/xdg/tabuleiro/tabuleiro.toml:1:1: unknown key 'no'"]);
    fs::create_dir(desk.at("config")).unwrap();
    fs::write(desk.at("config/tabuleiro.toml"), "[workers]\nthreads = 5\n").unwrap();
    let _ = check(&both).exit(0).out_says(&["from config/tabuleiro.toml\n", "threads = 5\n"]);
}
