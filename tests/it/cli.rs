//! Tests the command line as a user sees it: arguments, files and streams in; output, messages and exit codes out.

mod archive;
mod base;
mod conventions;
mod grade;
mod grades;
mod messages;
mod nothing_to_grade;
mod output;
mod progress;
mod warnings;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use sha2::{Digest, Sha256};
use tabuleiro_puzzles::solver::SOLVERS;
use tempfile::TempDir;

use crate::harness::{BOARD_1, BOARD_2, run_in, tabuleiro};
use crate::stated::stated;

/// A puzzle hundreds of moves from its goal, with a time limit of a millisecond.
const HOPELESS: &str = "#: solver = 2048-astar\n#: goal = 2048\n#: time_limit = 1ms\n\
                        4\n0 0 0 2\n0 0 0 0\n0 0 0 0\n0 0 0 0\n";

/// A folder in which commands run.
#[must_use]
struct Desk(TempDir);

/// The outcome of a command.
struct Ran {
    command: String,
    exit: i32,
    out: String,
    err: String,
}

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    /// Returns the names in the folder, including hidden ones.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a command line, split at blanks.
    fn run(&self, command: &str) -> Ran {
        self.run_with(command, "")
    }

    fn run_with(&self, command: &str, input: &str) -> Ran {
        let arguments: Vec<_> = command.split_whitespace().collect();
        Ran::new(command, run_in(self.0.path(), &arguments, input))
    }

    /// Runs a command line whose streams are files, or empty.
    fn run_on(&self, command: &str, input: Stdio, output: Stdio) -> Ran {
        let mut process = tabuleiro();
        process.args(command.split_whitespace()).current_dir(self.0.path()).stdin(input).stdout(output);
        Ran::new(command, process.output().unwrap())
    }
}

impl Ran {
    fn new(command: &str, output: Output) -> Self {
        Self {
            command: command.to_owned(),
            exit: output.status.code().expect("an exit code"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    fn exit(self, exit: i32) -> Self {
        assert_eq!(self.exit, exit, "{}\nout: {}\nerr: {}", self.command, self.out, self.err);
        self
    }

    #[track_caller]
    fn out(self, out: &str) -> Self {
        assert_eq!(self.out, out, "{}\nerr: {}", self.command, self.err);
        self
    }

    #[track_caller]
    fn out_says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(is_said(&self.out, part), "{}: no {part:?} in\n{}", self.command, self.out);
        }
        self
    }

    #[track_caller]
    fn err_says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(is_said(&self.err, part), "{}: no {part:?} in\n{}", self.command, self.err);
        }
        self
    }
}

/// Returns whether a text contains a part after wrapped lines are joined.
fn is_said(text: &str, part: &str) -> bool {
    text.contains(part) || text.replace("\n  ", " ").contains(part)
}

fn open(path: impl AsRef<Path>) -> Stdio {
    fs::File::open(path).unwrap().into()
}

fn dev_full() -> Stdio {
    fs::File::options().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn a_dash_or_nothing_is_a_standard_stream() {
    let desk = Desk::new().file("entrada.txt", BOARD_2);
    desk.run("solve -i entrada.txt -o saida.txt").exit(0).out("");
    assert_eq!(desk.read("saida.txt"), "2\n");
    desk.run("solve --input entrada.txt --output -").exit(0).out("2\n");
    for command in ["solve --solver checkers-capture", "solve --solver checkers-capture -i - -o -"] {
        let ran = desk.run_with(command, BOARD_1).exit(0).out("1\n");
        ran.err_says(&["1 board, 0 invalid, 0 undecided\n  user 0.", " s, system 0.", " s, wall 0."]);
    }
    let entrada = open(desk.at("entrada.txt"));
    desk.run_on("solve --solver checkers-capture", entrada, Stdio::piped()).exit(0).out("2\n");
}

#[test]
fn a_file_may_be_named_by_its_place_alone_or_by_its_option_but_not_by_both() {
    let desk = Desk::new().file("entrada.txt", BOARD_2).file("mine.toml", "[workers]\nthreads = 3\n");
    desk.run("solve entrada.txt").exit(0).out("2\n");
    desk.run("solve -o saida.txt entrada.txt").exit(0).out("");
    assert_eq!(desk.read("saida.txt"), "2\n");
    desk.run_with("solve --solver checkers-capture -", BOARD_1).exit(0).out("1\n");
    desk.run("solve entrada.txt -o ./entrada.txt").exit(64).err_says(&["are the same file"]);
    let ran = desk.run("solve entrada.txt -i other.txt -o saida.txt").exit(64).out("");
    ran.err_says(&["two files are named, entrada.txt and -i other.txt", "write entrada.txt or -i other.txt"]);
    let option = desk.run("check-config --config mine.toml").exit(0).out_says(&["threads = 3\n"]);
    desk.run("check-config mine.toml").exit(0).out(&option.out);
    let ran = desk.run("check-config mine.toml --config mine.toml").exit(64).out("");
    ran.err_says(&["two files are named, mine.toml and --config mine.toml", "not both"]);
    desk.run("check-config none.toml").exit(78).out("").err_says(&["none.toml"]);
    assert_eq!(desk.names(), ["entrada.txt", "mine.toml", "saida.txt"]);
}

#[test]
fn the_command_line_wins_over_directives_and_these_over_the_name() {
    let jump = "1 2\n1\n1 0\n0 0\n";
    let desk = Desk::new()
        .file("PULO-1.txt", jump)
        .file("entrada.txt", format!("#: solver = jump-game\n#: witness = true\n{jump}"))
        .file("damas.txt", format!("#: solver = 2048-merge\n{BOARD_1}"));
    desk.run("solve -i PULO-1.txt").exit(0).out("A\n1\n");
    desk.run("solve -i entrada.txt").exit(0).out("A\n1\n0,0 0,1\n");
    desk.run("solve -i entrada.txt --set witness=false").exit(0).out("A\n1\n");
    desk.run("solve -i damas.txt --solver checkers-capture").exit(0).out("1\n");
    let ran = desk.run_with("solve", &desk.read("entrada.txt")).exit(0).out("A\n1\n0,0 0,1\n");
    ran.err_says(&["jump-game: 1 game"]);
}

#[test]
fn invalid_puzzles_give_65_and_the_others_their_answers() {
    let desk = Desk::new().file("entrada.txt", "3 3\n2 1 7 0 1\n3 3\n2 1 2 0 1\n0 0\n");
    let ran = desk.run("solve -i entrada.txt -o saida.txt").exit(65).out("");
    ran.err_says(&["entrada.txt:2:5: invalid board 1: ", "2 boards, 1 invalid"]);
    let lines: Vec<_> = desk.read("saida.txt").lines().map(str::to_owned).collect();
    assert!(lines[0].starts_with("invalid board: ") && lines[0].ends_with("[entrada.txt:2:5]"), "{lines:?}");
    assert_eq!(lines[1..], ["1"]);
}

#[test]
fn undecided_puzzles_give_75_unless_something_is_invalid() {
    let desk = Desk::new().file("a.txt", HOPELESS).file("b.txt", format!("{HOPELESS}2\n2 3\n0 0\n"));
    let ran = desk.run("solve -i a.txt").exit(75).out_says(&["undecided (at least "]);
    ran.err_says(&["a.txt:4:1: board 1: undecided, time_limit", "0 invalid, 1 undecided"]);
    let ran = desk.run("solve -i b.txt").exit(65).out_says(&["undecided (at least ", "\ninvalid board: "]);
    ran.err_says(&["1 invalid, 1 undecided"]);
}

#[test]
fn bad_usage_gives_64_and_says_what_was_meant() {
    let desk = Desk::new().file("entrada.txt", BOARD_1).file("notes.dat", BOARD_1);
    for (command, says) in [
        ("solve --solver jump-gam -i entrada.txt", "did you mean 'jump-game'?"),
        ("solve --inptu entrada.txt", "--input"),
        ("solve --set witness -i entrada.txt", "expected KEY=VALUE"),
        ("solve --set witnes=true -i entrada.txt", "did you mean 'witness'?"),
        ("solve --set time_limit=soon -i entrada.txt", "expected \"none\" or a duration from \"1ms\" to"),
        ("solve -i notes.dat", "notes.dat: no route takes it"),
        ("solve", "<stdin>: no route takes it"),
        ("check", "<FILE>"),
        ("check --solver damas entrada.txt", "unknown solver 'damas'"),
        ("generate jump-game", "<COUNT>"),
        ("generate jump-game many", "invalid digit"),
        ("generate jmp-game 1", "did you mean 'jump-game'?"),
        ("solvers 2048-astr", "did you mean '2048-astar'?"),
        ("serv", "serve"),
    ] {
        let ran = desk.run_with(command, BOARD_1).exit(64).out("");
        ran.err_says(&[says]);
    }
    desk.run_with("solve", BOARD_1).err_says(&["--solver ID", "checkers-capture, 2048-merge"]);
    assert_eq!(desk.names(), ["entrada.txt", "notes.dat"]);
}

#[test]
fn files_that_are_missing_or_no_files_give_66() {
    let desk = Desk::new().file("entrada.txt", BOARD_1);
    fs::create_dir(desk.at("folder")).unwrap();
    for input in ["missing.txt", "entrada.txt/below", "folder"] {
        let ran = desk.run(&format!("solve -i {input} -o saida.txt")).exit(66).out("");
        ran.err_says(&[input]);
    }
    assert_eq!(desk.names(), ["entrada.txt", "folder"]);
}

#[test]
fn reading_and_writing_errors_give_74() {
    let desk = Desk::new().file("entrada.txt", BOARD_1);
    let folder = || open(desk.at("."));
    desk.run_on("solve --solver jump-game", folder(), Stdio::piped()).exit(74).out("");
    desk.run_on("check - --solver jump-game", folder(), Stdio::piped()).exit(74).out("");
    desk.run("solve -i entrada.txt -o /dev/full").exit(74).err_says(&["cannot write the output"]);
    for command in [
        "solve -i entrada.txt",
        "check entrada.txt",
        "check-config",
        "solvers",
        "solvers jump-game",
        "generate jump-game 1",
        "generate jump-game 10000",
        "--help",
    ] {
        desk.run_on(command, Stdio::null(), dev_full()).exit(74);
    }
}

#[test]
fn when_several_errors_hold_the_first_one_is_told() {
    let desk = Desk::new().file("bad.toml", "[log]\nlevle = 1\n").file("entrada.txt", "words\n");
    desk.run("solve --config bad.toml --solver x -i missing.txt").exit(64);
    desk.run("solve --config bad.toml -i missing.txt -o ./missing.txt").exit(64);
    desk.run("solve --config bad.toml -i missing.txt").exit(66);
    desk.run("solve --config bad.toml -i entrada.txt").exit(78);
    desk.run("solve --set x=1 -i entrada.txt -o missing/saida.txt").exit(64);
    desk.run("solve -i missing.txt -o missing/saida.txt").exit(66);
}

#[test]
fn check_tells_every_file_and_exits_like_the_worst() {
    let desk = Desk::new()
        .file("entrada.txt", BOARD_1)
        .file("damas.txt", "3 3\n2 1 7 0 1\n3 3\n2 1 2 0 1\n0 0\n")
        .file("pulo.txt", "no game\n")
        .file("merge.txt", "")
        .file("astar.txt", "#: gaol = 4\n2\n0 0\n0 2\n")
        .file("notes.dat", BOARD_1);
    desk.run("check entrada.txt").exit(0).out("entrada.txt: checkers-capture: 1 valid, 0 invalid\n");
    let ran = desk.run("check entrada.txt damas.txt entrada.txt").exit(65);
    ran.out_says(&[
        "damas.txt:2:5: invalid board 1: found 7, expected ",
        "\ndamas.txt: checkers-capture: 1 valid, 1 invalid\n1 mistake in 1 board\nentrada.txt: ",
    ]);
    let ran = desk.run("check pulo.txt").exit(65);
    ran.out_says(&[
        "pulo.txt:1:1: mistake: the file has only words",
        "The format is described by: tabuleiro solvers jump-game",
    ]);
    let saved = "Check that the file was saved with its puzzles, and try again.";
    let empty = format!("rejected: merge.txt: the file is empty\n{saved}\n");
    desk.run("check merge.txt").exit(65).out(&empty);
    let ran = desk.run("check astar.txt").exit(65).out_says(&["write `#: goal = 4`"]);
    assert!(ran.out.starts_with("astar.txt:1:4: mistake: `#: gaol = 4` is not understood"), "{}", ran.out);
    let ran = desk.run("check damas.txt notes.dat").exit(64).err_says(&["notes.dat: no route takes it"]);
    ran.out_says(&["damas.txt: checkers-capture: 1 valid"]);
    let ran = desk.run("check missing.txt notes.dat entrada.txt damas.txt").exit(66);
    ran.out_says(&["entrada.txt: checkers-capture"]).err_says(&["missing.txt: cannot open"]);
    desk.run("check --set witness=maybe entrada.txt").exit(64);
    let ran = desk.run_with("check - --solver checkers-capture entrada.txt", BOARD_2).exit(0);
    ran.out_says(&["<stdin>: checkers-capture: 1 valid", "entrada.txt: checkers-capture"]);
    let ran =
        desk.run_with("check --solver checkers-capture -", "3 3\n2 1 2 0 1\n0 0\n3 3\n2 1 2 0 1\n").exit(65);
    ran.out_says(&[
        "<stdin>:4:1: ignored: 2 lines after the end marker 0 0 (line 3)\n",
        "<stdin>: checkers-capture: 1 valid, 0 invalid, 2 lines ignored\n",
    ]);
    // Somebody ended each board.
    let marked = "3 3\n2 1 2 0 1\n0 0\n3 3\n2 1 2 0 1\n0 0\n3 3\n2 1 2 0 1\n0 0\n";
    let ran = desk.run_with("check --solver checkers-capture -", marked).exit(65);
    ran.out_says(&["help: these lines are 2 boards: to have them answered, remove lines 3 and 6; "]);
    // So many that the lines are not named.
    let ran =
        desk.run_with("check --solver checkers-capture -", &"3 3\n2 1 2 0 1\n0 0\n".repeat(70)).exit(65);
    ran.out_says(&["help: if these lines are puzzles, remove the end marker before them"]);
    desk.run_with("check -", HOPELESS).exit(0).out("<stdin>: 2048-astar: 1 valid, 0 invalid\n");
    desk.run_with("check -", BOARD_1).exit(64);
}

/// The report begins with the solver that the file is for, however much of the file is right.
#[test]
fn check_begins_with_the_solver_for_which_a_file_is() {
    let game = "2 3\n1\n1 1 1\n1 1 1\n0 0\n";
    let looks = "entrada.txt: this looks like jump-game (1 game can be read): ";
    let ran = Desk::new().file("entrada.txt", game).run("check entrada.txt").exit(65);
    assert!(ran.out.starts_with(looks), "{}", ran.out);
    // What this solver finds is no mistake, and is not to be fixed.
    assert!(!ran.out.contains("mistake") && ran.out.lines().count() == 2, "{}", ran.out);
    let desk = Desk::new().file("entrada.txt", game);
    assert_eq!(desk.run("check --fix entrada.txt").exit(65).out, ran.out);
    assert_eq!(desk.names(), ["entrada.txt"]);
    let mostly = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/mistakes/2048-merge/a-checkers-capture-file-mostly-invalid.entrada.txt"
    );
    let ran = Desk::new().run(&format!("check --solver 2048-merge {mostly}")).exit(65);
    let ran = ran.out_says(&[" valid, ", ": this looks like checkers-capture ("]);
    assert!(
        is_said(&ran.out, &format!("{mostly}: this looks")) && ran.out.starts_with(mostly),
        "{}",
        ran.out
    );
}

/// A seed gives the same file everywhere and for ever, because exercises are handed out by their seeds.
#[test]
fn a_seed_always_gives_the_same_file() {
    let desk = Desk::new();
    for solver in SOLVERS {
        let id = solver.id();
        let text = desk.run(&format!("generate {id} 25 --seed 7")).exit(0).out;
        assert_eq!(text, desk.run(&format!("generate {id} 25 --seed 7")).exit(0).out, "{id}");
        assert_ne!(text, desk.run(&format!("generate {id} 25 --seed 8")).exit(0).out, "{id}");
        let checked = desk.run_with(&format!("check --solver {id} -"), &text).exit(0);
        checked.out(&format!("<stdin>: {id}: 25 valid, 0 invalid\n"));
        let digest = Sha256::digest(&text);
        let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        if let Some(pinned) = stated(*solver).generated {
            assert_eq!(hex, pinned, "{id}");
        }
    }
}

#[test]
fn generate_takes_options_in_range_and_no_others() {
    let desk = Desk::new();
    let text = desk.run("generate checkers-capture 2 --set rows=5 --set columns=3").exit(0).out;
    assert_eq!(text.lines().filter(|line| *line == "5 3").count(), 2, "{text}");
    for (command, says) in [
        ("checkers-capture 1 --set rows=2", "rows = 2: expected \"random\" or a whole number from 3 to 2000"),
        ("checkers-capture 1 --set opponents=1.5", "expected a fraction from 0 to 1"),
        ("2048-astar 1 --set size=65", "from 2 to 64"),
        ("2048-merge 1 --set seize=4", "unknown option 'seize'"),
        ("jump-game 1 --set time_limit=1s", "unknown option 'time_limit'"),
    ] {
        desk.run(&format!("generate {command}")).exit(64).out("").err_says(&[says]);
    }
    desk.run("generate checkers-capture 0").exit(0).out("0 0\n");
    desk.run_with("solve --solver checkers-capture", "0 0\n").exit(0).out("");
    for solver in SOLVERS.iter().map(|solver| solver.id()) {
        let none = desk.run(&format!("generate {solver} 0")).exit(0).out;
        assert!(["", "0 0\n", "0\n"].contains(&none.as_str()), "{solver}: {none}");
    }
}

#[test]
fn check_config_names_what_is_wrong_or_prints_what_holds() {
    let desk = Desk::new()
        .file("bad.toml", "[log]\nlevle = \"info\"\n\n[intake]\nquiet_period = \"never\"\n")
        .file("good.toml", "[log]\nlevel = \"debug\"\n\n[workers]\nthreads = 3\n");
    let ran = desk.run("check-config --config bad.toml").exit(78).out("");
    ran.err_says(&[
        "bad.toml:2:1: ",
        "unknown key 'levle' in [log] (did you mean 'level'?)",
        "bad.toml:5:16: ",
    ]);
    let good = desk.run("check-config --config good.toml").exit(0);
    let good =
        good.out_says(&["# effective configuration, from good.toml\n", "level = \"debug\"", "threads = 3"]);
    let again = desk.file("again.toml", &good.out).run("check-config --config again.toml").exit(0);
    assert_eq!(again.out.replace("from again.toml", "from good.toml"), good.out);
}

#[test]
fn an_odd_name_cannot_break_the_effective_configuration() {
    let desk = Desk::new().file("a\nlevel = 1", "");
    let output = run_in(desk.0.path(), &["check-config", "--config", "a\nlevel = 1"], "");
    let text = Ran::new("check-config", output).exit(0).out;
    desk.file("again.toml", text).run("check-config --config again.toml").exit(0);
}

#[test]
fn the_configuration_is_the_one_asked_for_or_the_folder_s_or_the_shipped_one() {
    let desk = Desk::new();
    let machine = Path::new("/etc/tabuleiro/tabuleiro.toml");
    let fallback = if machine.exists() { "/etc/" } else { "from the shipped configuration\n" };
    desk.run("check-config").exit(0).out_says(&[fallback]);
    let desk = desk.file("config/tabuleiro.toml", "[workers]\nthreads = 5\n").file("mine.toml", "");
    desk.run("check-config").exit(0).out_says(&["from config/tabuleiro.toml\n", "threads = 5"]);
    let _ =
        desk.run("check-config --config mine.toml").exit(0).out_says(&["from mine.toml\n", "threads = 0"]);
    desk.run("check-config --config none.toml").exit(78).out("").err_says(&["none.toml"]);
    let desk = desk.file("config/tabuleiro.toml", "[workers]\nthreats = 5\n").file("entrada.txt", BOARD_1);
    for command in ["check-config", "solve -i entrada.txt", "check entrada.txt", "serve --once"] {
        desk.run(command).exit(78).out("").err_says(&["config/tabuleiro.toml:2:1", "'threads'"]);
    }
}

#[test]
fn a_folder_s_own_routes_decide() {
    let routes = "[folders]\ninbox = \"in\"\n\n[[route]]\nname = \"a\"\nfiles = [\"turma2/*.dat\"]\n\
                  solver = \"checkers-capture\"\nallow_directives = false\n\n[[route]]\nname = \"b\"\n\
                  files = [\"**/entrada*\"]\nsolver = \"jump-game\"\n";
    let jump = "1 2\n1\n1 0\n0 0\n";
    let desk = Desk::new()
        .file("config/tabuleiro.toml", routes)
        .file("entrada.txt", jump)
        .file("damas.txt", BOARD_1)
        .file("in/turma2/x.dat", BOARD_1)
        .file("turma2/y.dat", format!("#: witness = true\n{BOARD_1}"));
    desk.run("solve -i entrada.txt").exit(0).out("A\n1\n");
    desk.run("solve -i damas.txt").exit(64);
    // A file in the inbox gets the route that the service would give it.
    desk.run("solve -i in/turma2/x.dat").exit(0).out("1\n");
    desk.run("check in/turma2/x.dat").exit(0).out_says(&["checkers-capture: 1 valid"]);
    let ran = desk.run("solve -i turma2/y.dat").exit(65).out("");
    ran.err_says(&["turma2/y.dat:1:4: ", "the route 'a' allows no directives"]);
}

#[test]
fn solvers_lists_all_and_describes_each() {
    let desk = Desk::new();
    let list = desk.run("solvers").exit(0).out;
    let ids: Vec<_> = SOLVERS.iter().map(|solver| solver.id()).collect();
    assert_eq!(list.lines().map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>(), ids);
    for solver in ids {
        let ran = desk.run(&format!("solvers {solver}")).exit(0);
        let titles = ["\nInput:", "\nOutput:", "\nExample input:", "\nIts output:", "time_limit = 60s"];
        let ran = ran.out_says(&titles);
        assert!(ran.out.starts_with(&format!("{solver}: ")), "{}", ran.out);
    }
}

#[test]
fn help_mentions_everything() {
    let desk = Desk::new();
    let commands =
        ["serve", "solve", "check", "generate", "check-config", "solvers", "init", "man", "completions"];
    desk.run("--help").exit(0).out_says(&commands).out_says(&["Exit status", "--version"]);
    let wanted: [&[&str]; 9] = [
        &["--config", "--once"],
        &[
            "--config",
            "--solver",
            "--set",
            "-i, --input",
            "-o, --output",
            "Exit status: 0 ",
            "standard input",
        ],
        &["--config", "--solver", "--set", "<FILE>...", "Exit status"],
        &["<ID>", "<COUNT>", "--seed", "--set"],
        &["--config", "$XDG_CONFIG_HOME", "/etc/tabuleiro/tabuleiro.toml"],
        &["[ID]"],
        &["[DIR]"],
        &["<DIR>"],
        &["<SHELL>", "bash", "zsh", "fish"],
    ];
    for (command, wanted) in commands.iter().zip(wanted) {
        desk.run(&format!("{command} --help")).exit(0).out_says(wanted);
    }
    let version = format!("tabuleiro {}\n", env!("CARGO_PKG_VERSION"));
    desk.run("--version").exit(0).out(&version);
    desk.run("").exit(64).out("").err_says(&["Usage: tabuleiro", "solve", "check-config"]);
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let bad: String = (0..20_000).map(|_| "3 3\n2 1 7 0 1\n").collect();
    let good = format!("{}0 0\n", "3 3\n2 1 2 0 1\n".repeat(200_000));
    let desk = Desk::new().file("bad-entrada.txt", bad + "0 0\n").file("entrada.txt", good);
    // `check` still exits with 65, because its exit code is part of its answer.
    for (command, exit) in [
        ("generate jump-game 200000", 0),
        ("solve -i entrada.txt", 0),
        ("solve -i entrada.txt -o /dev/stdout", 0),
        ("check bad-entrada.txt", 65),
    ] {
        let mut process = tabuleiro();
        process.args(command.split(' ')).current_dir(desk.0.path());
        let mut child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{command}");
        let ran = Ran::new(command, child.wait_with_output().unwrap()).exit(exit);
        assert_eq!(ran.err, "", "{command}");
    }
}

#[test]
fn nobody_has_to_read_the_messages() {
    let desk = Desk::new();
    let mut process = tabuleiro();
    process.args(["solve", "--solver", "checkers-capture"]).current_dir(desk.0.path());
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().unwrap();
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(BOARD_2.as_bytes()).unwrap();
    Ran::new("solve", child.wait_with_output().unwrap()).exit(0).out("2\n");
}
