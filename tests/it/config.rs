//! The configuration: the shipped file, every fault with its place, routes, and the way back to text.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use tabuleiro::config::{
    Config, ConfigError, Durability, Folders, Formats, IfExists, JournalMode, Level, LogFormat, MemoryLimit,
    Readiness, Retention, Rotation, SHIPPED, WatchMode,
};
use tabuleiro::solver::Choice;

use crate::solvers::{SOLVERS, known_options, known_solvers, text};

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, "t.toml", &SOLVERS)
}

fn errors(text: &str) -> Vec<String> {
    match parse(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string().lines().map(str::to_owned).collect(),
    }
}

fn route_of(config: &Config, path: &str) -> Option<(String, &'static str)> {
    config.route(Path::new(path)).map(|route| (route.name().to_owned(), route.solver().id()))
}

#[test]
fn the_shipped_file_documents_the_defaults() {
    let shipped = parse(SHIPPED).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(parse("").unwrap(), shipped, "a default in the file is not the one in force");
    assert_eq!(
        parse("[log]\n[intake]\n[folders]\n[results]\n[workers]\n[retention]\n[metrics]\n").unwrap(),
        shipped
    );
    assert_eq!(shipped.folders.inbox, Path::new("inbox"));
    assert_eq!(shipped.folders.work(), Path::new("var/work"));
    assert_eq!(shipped.intake.size_limit_bytes, 2 << 30);
    assert_eq!(shipped.workers.threads, None);
    assert!(shipped.workers.thread_count().get() >= 1);
    assert_eq!(shipped.results.group, None);
    assert_eq!(shipped.control.socket.as_deref(), Some(Path::new("control.sock")));
    assert_eq!((shipped.control.mode, shipped.control.group), (0o660, None));
    assert_eq!(parse("[control]\nsocket = \"\"\n").unwrap().control.socket, None);
}

#[test]
fn the_shipped_file_fits_the_real_solvers() {
    let shipped = Config::parse(SHIPPED, "config/tabuleiro.toml", &SOLVERS);
    let shipped = shipped.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Config::parse(&shipped.effective(), "effective", &SOLVERS), Ok(shipped));
}

/// Every key of every section stands in the shipped file, so that people find it there.
#[test]
fn the_shipped_file_has_every_key() {
    let shipped: toml::Table = SHIPPED.parse().unwrap();
    let effective: toml::Table = parse("").unwrap().effective().parse().unwrap();
    assert_eq!(shipped.keys().collect::<Vec<_>>(), effective.keys().collect::<Vec<_>>());
    for (name, value) in &effective {
        let keys = |table: &toml::Table| {
            let first = match &table[name] {
                toml::Value::Array(list) => list[0].as_table(),
                value => value.as_table(),
            };
            first.unwrap().keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(keys(&shipped), keys(&effective), "{name}: {value}");
    }
}

#[test]
fn every_value_can_be_set() {
    let config = parse(
        r#"
        [folders]
        inbox = "/srv/in"
        outbox = "/srv/out"
        var = "/srv/var"
        [log]
        level = "trace"
        format = "json"
        rotation = "never"
        files_kept = 0
        file = false
        stderr = false
        journal = "never"
        [intake]
        ignore = ["*.bak"]
        quiet_period = "10ms"
        readiness = "quiet"
        watch = "poll"
        rescan_interval = "1h 30m"
        poll_interval = "3s"
        free_space_min = "0B"
        free_files_min = 0
        size_limit = 0x1000
        claims_max = 1
        [workers]
        threads = 7
        memory_limit = "96MiB"
        stop_timeout = "1ms"
        [results]
        formats = ["txt", "json"]
        durability = "none"
        size_limit = "1MiB"
        mode = "0660"
        group = "alunos"
        [retention]
        done_age = "90days"
        failed_age = "1h"
        history_age = "none"
        log_age = "100years"
        [metrics]
        listen = "[::1]:9184"
        textfile = "/var/lib/tabuleiro.prom"
        [[route]]
        name = "only"
        files = ["a*"]
        solver = "kinds"
        options = { goal = 0x200, weight = 0.5, beam = "12", witness = true }
        time_limit = "none"
        memory_limit = 1048576
        job_time_limit = "2h"
        allow_directives = false
        if_exists = "version"
        "#,
    )
    .unwrap();
    assert_eq!(config.folders.below(Path::new("/home")).var, Path::new("/srv/var"));
    let log = &config.log;
    assert_eq!((log.level, log.format, log.rotation), (Level::Trace, LogFormat::Json, Rotation::Never));
    assert_eq!((log.files_kept, log.file, log.stderr), (0, false, false));
    assert_eq!(log.journal, JournalMode::Never);
    let intake = &config.intake;
    assert_eq!(intake.ignored_by(OsStr::new("X.BAK")), Some("*.bak"));
    assert_eq!(intake.ignored_by(OsStr::new(".x")), None);
    assert_eq!(intake.rescan_interval, Duration::from_secs(5400));
    assert_eq!((intake.readiness, intake.watch), (Readiness::Quiet, WatchMode::Poll));
    assert_eq!(intake.poll_interval, Duration::from_secs(3));
    assert_eq!((intake.free_space_min_bytes, intake.free_files_min), (0, 0));
    assert_eq!((intake.size_limit_bytes, intake.claims_max), (4096, 1));
    assert_eq!(config.workers.threads, NonZeroUsize::new(7));
    assert_eq!(config.workers.memory_limit, MemoryLimit::Bytes(96 << 20));
    assert_eq!((config.results.formats, config.results.mode), (Formats::TextAndJson, 0o660));
    assert_eq!(config.results.size_limit_bytes, 1 << 20);
    assert_eq!(config.results.durability, Durability::None);
    assert_eq!(config.results.group.as_deref(), Some("alunos"));
    let days = |days: u64| Some(Duration::from_secs(days * 86_400));
    let Retention { done, failed, history, log } = &config.retention;
    assert_eq!((*done, *failed), (days(90), Some(Duration::from_secs(3600))));
    assert_eq!((*history, *log), (None, days(36_525)));
    assert_eq!(config.metrics.listen, Some("[::1]:9184".parse().unwrap()));
    assert_eq!(config.metrics.textfile.as_deref(), Some(Path::new("/var/lib/tabuleiro.prom")));
    let [route] = config.routes() else { panic!("{:?}", config.routes()) };
    let options = route.options();
    let names = ["goal", "beam", "weight", "witness", "time_limit", "memory_limit"];
    assert_eq!(names.map(|name| text(&options, name)), ["512", "12", "0.5", "true", "none", "1MiB"]);
    assert_eq!((route.allow_directives(), route.if_exists()), (false, IfExists::Version));
    assert_eq!(parse(&config.effective()), Ok(config));
}

#[test]
fn syntax_errors_have_a_place() {
    let found = errors("[log]\nlevel = \n\n[folders\ninbox = \"a\"\n");
    assert!(found[0].starts_with("t.toml:2:9: no valid TOML: "), "{found:?}");
    assert!(found.iter().any(|line| line.starts_with("t.toml:4:9: no valid TOML: ")), "{found:?}");
    let found = errors("[log]\nlevel = \"info\"\nlevel = \"warn\"\n");
    assert_eq!(found, ["t.toml:3:1: no valid TOML: duplicate key, found 'level'"]);
    assert!(errors("a = \"").len() == 1);
    assert!(errors(&"[".repeat(100_000)).len() <= ConfigError::FAULTS_MAX + 1);
}

/// Each wrong text with all that is said about it.
#[test]
fn every_fault_has_its_place_and_a_hint() {
    let cases: &[(&str, &[&str])] = &[
        (
            "[logs]\nlevel = \"info\"\n",
            &[
                "1:2: unknown key 'logs', did you mean 'log'?; known: folders, log, intake, workers, results, \
                 control, retention, metrics, route",
            ],
        ),
        (
            "[log]\n  levle = \"info\"\n",
            &["2:3: unknown key 'levle' in [log], did you mean 'level'?; known: level, format, rotation, \
               files_kept, file, stderr, journal"],
        ),
        (
            "[log]\nlevel = \"inof\"\nformat = 3\n",
            &[
                "2:9: [log] level = \"inof\": expected one of \"error\", \"warn\", \"info\", \"debug\", \"trace\", \
                 did you mean 'info'?",
                "3:10: [log] format = 3: expected one of \"text\", \"json\"",
            ],
        ),
        ("log = 1\n", &["1:7: log = 1: expected a section [log]"]),
        ("[log]\nfile = \"yes\"\n", &["2:8: [log] file = \"yes\": expected true or false"]),
        (
            "[log]\nfiles_kept = -1\n[workers]\nthreads = 1.5\n",
            &[
                "2:14: [log] files_kept = -1: expected a whole number from 0 to 10000",
                "4:11: [workers] threads = 1.5: expected a whole number from 0 to 1024",
            ],
        ),
        (
            "[intake]\nquiet_period = 2\nrescan_interval = \"1y\"\nsize_limit = \"-1\"\nclaims_max = 0\n",
            &[
                "2:16: [intake] quiet_period = 2: expected a duration from \"10ms\" to \"1h\"",
                "3:19: [intake] rescan_interval = \"1y\": expected a duration from \"10ms\" to \"1day\"",
                "4:14: [intake] size_limit = \"-1\": expected a size from \"1B\" to \"1024TiB\"",
                "5:14: [intake] claims_max = 0: expected a whole number from 1 to 10000",
            ],
        ),
        (
            "[intake]\nignore = [\"a/b\", \"\", 3, \"[\"]\n",
            &[
                "2:11: glob 'a/b': it is compared with a name alone, expected no '/'",
                "2:18: glob '': expected at least one character",
                "2:22: [intake] ignore = 3: expected a string",
                "2:25: glob '[': unclosed character class; missing ']', expected a glob such as '**/entrada*'",
            ],
        ),
        (
            "[results]\nformats = [\"json\"]\nmode = \"0444\"\ngroup = \"a b\"\n",
            &[
                "2:11: [results] formats = [\"json\"]: expected [\"txt\"] or [\"txt\", \"json\"]",
                "3:8: [results] mode = \"0444\": expected three octal digits in quotes, from \"0600\" to \"0777\", \
                 with reading and writing for the owner",
                "4:9: [results] group = \"a b\": expected the name of a group, or \"\" for the daemon's own",
            ],
        ),
        (
            "[control]\nsocket = \"a/\"\nmode = \"0060\"\n",
            &[
                "2:10: [control] socket = \"a/\": expected the path of a socket, or \"\" for none",
                "3:8: [control] mode = \"0060\": expected three octal digits in quotes, from \"0600\" to \"0777\", \
                 with reading and writing for the owner",
            ],
        ),
        (
            "[retention]\ndone_age = \"1s\"\nlog_age = \"much\"\n[metrics]\nlisten = \"9184\"\ntextfile = \"a\"\n",
            &[
                "2:12: [retention] done_age = \"1s\": expected a duration from \"1h\" to \"100years\", or \"none\"",
                "3:11: [retention] log_age = \"much\": expected a duration from \"1h\" to \"100years\", or \"none\"",
                "5:10: [metrics] listen = \"9184\": expected an address with a port such as \"127.0.0.1:9184\" or \
                 \"[::1]:9184\", or \"\" for none",
                "6:12: [metrics] textfile = \"a\": expected the path of a file that ends in .prom, or \"\" for none",
            ],
        ),
        ("[folders]\ninbox = \"\"\n", &["2:9: [folders] inbox = \"\": expected the path of a folder"]),
        (
            "[folders]\ninbox = \"a\"\nvar = \"./a/var\"\n",
            &[
                "3:7: [folders] var = \"./a/var\" lies in inbox = \"a\": expected folders apart from each other",
            ],
        ),
    ];
    for (text, expected) in cases {
        let expected: Vec<_> = expected.iter().map(|line| format!("t.toml:{line}")).collect();
        assert_eq!(errors(text), expected, "{text}");
    }
    for mode in ["644", "0644", "0777", "0600"] {
        assert!(parse(&format!("[results]\nmode = \"{mode}\"\n")).is_ok());
    }
    for mode in ["\"4755\"", "\"0o644\"", "\"+644\"", "\"\"", "\"00644\"", "\"abc\"", "644", "0o644"] {
        assert_eq!(errors(&format!("[results]\nmode = {mode}\n")).len(), 1, "{mode}");
    }
}

#[test]
fn every_fault_of_a_route_is_named() {
    let found = errors(
        r#"[[route]]
name = "a"
files = ["**/x*", "/x", "y/", "{a"]
solver = "2048-mrge"
if_exists = "vresion"
movement = "straight"
goal_limit = 3
options = { gaol = 3 }

[[route]]
name = "a"
files = []
solver = "jump-game"
time_limit = "fast"
memory_limit = []
options = { movment = "walk", tie = "never", time_limit = "3s" }

[[route]]
solver = "2048-astar"
options = { goal = 3, witness = 2020-01-01 }

[[route]]
name = "a"
files = ["x"]
solver = "2048-merge"

[[route]]
name = "a"
files = ["y"]
solver = "2048-merge"

[[route]]
name = "none"
files = ["z"]
solver = "2048-merge"
"#,
    );
    let expected = [
        "3:19: glob '/x': it is compared with the path below the inbox, expected no '/' at the start",
        "3:25: glob 'y/': expected the name of a file; for all files of a folder write '/**' at the end",
        "3:31: glob '{a': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?), expected a glob \
         such as '**/entrada*'",
        &format!(
            "4:10: [[route]] solver = \"2048-mrge\": expected one of {}, did you mean '2048-merge'?",
            known_solvers()
        ),
        "5:13: [[route]] if_exists = \"vresion\": expected one of \"replace\", \"version\", did you \
         mean 'version'?",
        "6:1: unknown key 'movement' in [[route]]: an option of a solver belongs in options = { movement = … }",
        "7:1: unknown key 'goal_limit' in [[route]]; known: name, files, solver, time_limit, memory_limit, \
         job_time_limit, options, allow_directives, if_exists",
        "11:8: [[route]] name = \"a\": expected another name, route 1 has this one",
        "12:9: [[route]] files = []: expected at least one glob such as \"**/entrada*\"",
        "14:14: [[route]] time_limit = \"fast\": expected a duration such as 10s or 500ms, or none",
        "15:16: [[route]] memory_limit = []: expected a string, a number, true or false",
        &format!(
            "16:13: [[route]] options: unknown option 'movment' of jump-game, did you mean 'movement'?; known: {}",
            known_options("jump-game", &["witness"])
        ),
        "16:37: [[route]] tie = \"never\": expected previous-round, first-round",
        "16:46: [[route]] options.time_limit: a limit belongs to the route itself, beside 'options', not in it",
        "18:1: [[route]] number 3 has no key 'files'",
        "18:1: [[route]] number 3 has no key 'name'",
        "20:20: [[route]] goal = 3: expected a power of two from 4 to 9223372036854775808",
        "20:33: [[route]] witness = 2020-01-01: expected a string, a number, true or false",
        "23:8: [[route]] name = \"a\": expected another name, route 1 has this one",
        "28:8: [[route]] name = \"a\": expected another name, route 1 has this one",
        "33:8: [[route]] name = \"none\": expected a name of 1 to 64 printable bytes other than none and (others)",
    ];
    let expected: Vec<_> = expected.iter().map(|line| format!("t.toml:{line}")).collect();
    assert_eq!(found, expected);
}

/// A key or a value that was removed is told, with what to write instead, and keeps no service from starting.
#[test]
fn what_was_removed_is_a_warning() {
    let text = "[retention]\ndone_age = \"3days\"\nlog_size = \"1GiB\"\n[[route]]\nname = \"a\"\nfiles = [\"a\"]\n\
                solver = \"2048-merge\"\npriority = 7\nshare = \"x\"\nif_exists = \"reject\"\n";
    let (config, warnings) = Config::parse_with_warnings(text, "t.toml", &SOLVERS).unwrap();
    assert_eq!(config.routes()[0].if_exists(), IfExists::Version);
    let told: Vec<_> =
        warnings.iter().map(|warning| format!("{}: {}", warning.place, warning.message)).collect();
    assert_eq!(
        told,
        [
            "3:1: retention.log_size is gone and is ignored; write an age, such as \
             log_age = \"30days\", or log.files_kept",
            "8:1: route.priority is gone and is ignored; delete it: routes take turns, so none \
             has to come first",
            "9:1: route.share is gone and is ignored; delete it: routes take turns, and each has \
             room for its files",
            "10:13: route.if_exists = \"reject\" is gone and is ignored; write \"version\", which \
             is in force now: each answer has a file of its own",
        ]
    );
    assert_eq!(
        Config::parse_with_warnings(&config.effective(), "t.toml", &SOLVERS),
        Ok((config, Vec::new()))
    );
    // A key of the same name elsewhere is none of them.
    assert_eq!(errors("[intake]\nshare = 1\n").len(), 1);
}

#[test]
fn shapes_of_routes_that_are_no_list_of_sections() {
    for text in ["route = 3", "route = []", "[route]\nname = \"a\"", "route = [1]"] {
        let found = errors(text);
        assert!(found.len() == 1 && found[0].contains("[[route]]"), "{found:?}");
    }
}

#[test]
fn there_is_a_limit_on_everything() {
    let route = |name: usize, globs: usize, bytes: usize| {
        let globs = vec![format!("\"{}\"", "x".repeat(bytes)); globs].join(", ");
        format!("[[route]]\nname = \"r{name}\"\nfiles = [{globs}]\nsolver = \"2048-merge\"\n")
    };
    let routes = |count: usize| (0..count).map(|name| route(name, 1, 1)).collect::<String>();
    assert!(parse(&routes(1000)).is_ok());
    assert_eq!(errors(&routes(1001)), ["t.toml:4001:1: 1001 routes: expected at most 1000"]);
    assert!(parse(&route(0, 100, 1024)).is_ok());
    assert_eq!(errors(&route(0, 101, 1)).len(), 1);
    assert_eq!(errors(&route(0, 1, 1025)).len(), 1);
    assert_eq!(errors(&route(0, 1, 1).replace("r0", &"n".repeat(65))).len(), 1);
    assert_eq!(errors(&route(0, 1, 1).replace("r0", "a\\nb")).len(), 1);
    let many = (0..200).map(|key| format!("k{key} = 1\n")).collect::<Vec<_>>().concat();
    let found = errors(&many);
    assert_eq!(found.len(), ConfigError::FAULTS_MAX + 1);
    assert_eq!(found.last().unwrap(), "t.toml: and 150 more");
}

#[test]
fn the_shipped_routes_take_what_the_issue_says() {
    let config = parse("").unwrap();
    for (path, route, solver) in [
        ("pulo-reto.txt", "pulo-reto", "jump-game"),
        ("a/b/Jump-Straight-1.txt", "pulo-reto", "jump-game"),
        ("2048-merge/pulo-reto.txt", "pulo-reto", "jump-game"),
        ("jump-game/x.txt", "folder-jump-game", "jump-game"),
        ("a/JUMP-GAME/b/c/entrada.txt", "folder-jump-game", "jump-game"),
        ("checkers-capture/merge.txt", "folder-checkers-capture", "checkers-capture"),
        ("2048-merge/x", "folder-2048-merge", "2048-merge"),
        ("2048-astar/x", "folder-2048-astar", "2048-astar"),
        ("2048-game/entrada.txt", "folder-2048-game", "2048-game"),
        ("turma/my-MERGE-2.txt", "merge", "2048-merge"),
        ("entrada-astar.txt", "astar", "2048-astar"),
        ("jogo2048.txt", "jogo2048", "2048-game"),
        ("x2048-game.txt", "jogo2048", "2048-game"),
        ("pulo.txt", "pulo", "jump-game"),
        ("jump-game", "pulo", "jump-game"),
        ("damas1.txt", "damas", "checkers-capture"),
        ("x/Checkers.txt", "damas", "checkers-capture"),
        ("MEGADAMAS.TXT", "damas", "checkers-capture"),
        ("entrada.txt", "entrada", "checkers-capture"),
        ("ENTRADA.TXT", "entrada", "checkers-capture"),
        ("t/turma2-entrada.txt", "entrada", "checkers-capture"),
    ] {
        assert_eq!(route_of(&config, path), Some((route.to_owned(), solver)), "{path}");
    }
    for path in ["x.txt", "merge/x.txt", "entrada/x.txt", "jump-game-2/x.txt", "my-pulo.txt", ""] {
        assert_eq!(route_of(&config, path), None, "{path}");
    }
    let straight = config.route(Path::new("pulo-reto.txt")).unwrap().options();
    assert_eq!(["movement", "tie"].map(|name| text(&straight, name)), ["straight", "first-round"]);
    let walk = config.route(Path::new("pulo.txt")).unwrap().options();
    assert_eq!(["movement", "tie"].map(|name| text(&walk, name)), ["walk", "previous-round"]);
    let tried: Vec<_> = config.tried().collect();
    assert_eq!(tried.len(), config.routes().len());
    assert_eq!(tried[0], "pulo-reto (**/pulo-reto*, **/jump-straight*) to jump-game");
}

#[test]
fn globs_know_folders_case_and_odd_names() {
    let config = |glob: &str| {
        let text = format!("[[route]]\nname = \"g\"\nfiles = ['{glob}']\nsolver = \"2048-merge\"\n");
        parse(&text).unwrap()
    };
    for (glob, yes, no) in [
        ("*.txt", &["a.txt", "A.TXT", ".txt"][..], &["a/b.txt", "a.txt.gz"][..]),
        ("**/x*", &["x", "X1", "a/x", "a/b/x.txt"], &["ax", "x/a"]),
        ("a/**", &["a/b", "A/b/c"], &["a", "b/a/c"]),
        ("?.t", &["a.t"], &["ab.t", "/.t"]),
        ("[A-C]?{x,Yy}", &["b1x", "c1yy"], &["d1x"]),
        ("**/ação*", &["AÇÃO.txt", "b/Ação"], &["acao"]),
    ] {
        let config = config(glob);
        for path in yes {
            assert!(config.route(Path::new(path)).is_some(), "{glob} leaves {path}");
        }
        for path in no {
            assert!(config.route(Path::new(path)).is_none(), "{glob} takes {path}");
        }
    }
    let odd = Path::new(OsStr::from_bytes(b"\xff/\n x\xfe.txt"));
    assert!(config("**/*x*").route(odd).is_some());
    assert!(config("*x*").route(odd).is_none());
}

#[test]
fn litter_and_half_written_names_are_ignored() {
    let intake = parse("").unwrap().intake;
    for name in [
        ".gitkeep",
        ".DS_Store",
        "._a.txt",
        "Thumbs.db",
        "THUMBS.DB",
        "desktop.ini",
        "a.txt.part",
        "x.tmp",
        "entrada.txt.crdownload",
        "entrada.txt~",
        "~$entrada.txt",
        ".entrada.txt.swp",
        "#entrada.txt#",
        "a.filepart",
        "@eaDir",
        "__MACOSX",
    ] {
        assert!(intake.ignored_by(OsStr::new(name)).is_some(), "{name}");
    }
    for name in ["entrada.txt", "tmp", "part.txt", "a.tmp.txt", "~a", "#1.txt", "-x"] {
        assert_eq!(intake.ignored_by(OsStr::new(name)), None, "{name}");
    }
}

#[test]
fn folders_must_be_apart() {
    let check = |inbox: &str, outbox: &str, var: &str| {
        let [inbox, outbox, var] = [inbox, outbox, var].map(PathBuf::from);
        Folders { inbox, outbox, var }.check_apart().err().map(|error| (error.inner_key, error.outer_key))
    };
    assert_eq!(check("inbox", "outbox", "var"), None);
    assert_eq!(check("in", "inbox", "in.var"), None);
    assert_eq!(check("a/../in", "a", "var"), None);
    assert_eq!(check(".", "../out", "../var"), None);
    assert_eq!(check("/srv/in", "/srv/out", "var"), None);
    assert_eq!(check("in", "out", "out/var"), None);
    assert_eq!(check("in", "in", "var"), Some(("outbox", "inbox")));
    assert_eq!(check("in", "./in/out", "var"), Some(("outbox", "inbox")));
    assert_eq!(check(".", "out", "../var"), Some(("outbox", "inbox")));
    assert_eq!(check("out/in", "out", "var"), Some(("inbox", "outbox")));
    assert_eq!(check("in", "out", "x/../in/v"), Some(("var", "inbox")));
    assert_eq!(check("v/in", "out", "v/"), Some(("inbox", "var")));
    assert_eq!(check("in", "o", "./o"), Some(("var", "outbox")));
}

#[test]
fn choices_have_names() {
    assert_eq!(Level::WORDS.join(" "), "error warn info debug trace");
    assert!(Level::ALL.iter().all(|(name, level)| level.word() == *name));
    assert!(IfExists::ALL.iter().all(|(name, value)| value.word() == *name));
}

proptest! {
    /// The effective text is the same configuration, whatever the values.
    #[test]
    fn effective_text_parses_back(
        inbox in "[a-z\"\\\\é\n\u{202e} ]{1,9}",
        quiet_ms in 10..3_600_000_u64,
        size_limit in 1..(1_u64 << 50),
        threads in 0..1025_u64,
        mode in 0o600..0o1000_u32,
        goal in 2..64_u32,
        weight in 0.0..1.0_f64,
        beam in any::<u64>(),
        memory in (1_u64 << 20)..(1 << 50),
        glob in "[a-z*\"é]{1,9}",
    ) {
        let quote = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let text = format!(
            "[folders]\ninbox = {}\noutbox = \"/o\"\nvar = \"/v\"\n[intake]\nquiet_period = \"{quiet_ms}ms\"\n\
             size_limit = {size_limit}\n[workers]\nthreads = {threads}\n[results]\nmode = \"{mode:o}\"\n\
             [[route]]\nname = \"a\\\"b\"\nfiles = [{}]\nsolver = \"kinds\"\nmemory_limit = {memory}\n\
             options = {{ goal = \"{}\", weight = {weight:?}, beam = \"{beam}\" }}\n",
            quote(&inbox), quote(&glob), 1_u64 << goal.min(63),
        );
        let parsed = parse(&text);
        if beam == 0 {
            prop_assert!(parsed.is_err());
        } else {
            let config = parsed.map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(parse(&config.effective()), Ok(config));
        }
    }

    /// No text makes the parser panic; every fault has a place inside the text.
    #[test]
    fn no_text_is_too_strange(cut in 0..SHIPPED.len(), length in 0..40_usize, junk in "[\\[\\]={}\",a-z0-9\n.]{0,12}") {
        let mut text = SHIPPED.as_bytes().to_vec();
        let end = (cut + length).min(text.len());
        text.splice(cut..end, junk.into_bytes());
        let text = String::from_utf8_lossy(&text);
        if let Err(error) = parse(&text) {
            let lines = text.split('\n').count() as u64;
            prop_assert!(!error.faults().is_empty());
            for fault in error.faults() {
                let place = fault.place;
                prop_assert!(place.line >= 1 && place.line <= lines && place.column >= 1);
            }
        }
    }
}

#[test]
fn hostile_texts_are_refused_in_time() {
    let deep_key = vec!["a"; 100_000].join(".");
    for text in [
        format!("{deep_key} = 1\n"),
        format!("[{deep_key}]\nx = 1\n"),
        format!("x = {}1{}\n", "[".repeat(50_000), "]".repeat(50_000)),
        format!("x = {}", "{a=".repeat(50_000)),
    ] {
        assert!(!errors(&text).is_empty());
    }
    let glob = |pattern: &str| {
        let globs = vec![format!("\"{pattern}\""); 100].join(", ");
        parse(&format!("[[route]]\nname = \"g\"\nfiles = [{globs}]\nsolver = \"2048-merge\"\n"))
    };
    for pattern in ["?*".repeat(512), "{a,b}".repeat(204), "**/".repeat(341), "[a-z]".repeat(204)] {
        if let Ok(config) = glob(&pattern) {
            assert_eq!(route_of(&config, &"a/".repeat(2000)), None);
        }
    }
}
