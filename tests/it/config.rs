//! Tests the configuration: the shipped file, every fault with its place, routes, and printing it as text.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use tabuleiro::config::{
    Config, ConfigError, Durability, Folders, Formats, IfExists, JournalMode, Level, LogFormat, MemoryLimit,
    Readers, Readiness, Retention, Rotation, SHIPPED, WatchMode,
};
use tabuleiro_puzzles::solver::Choice;
use tabuleiro_puzzles::words::Language;

use crate::solvers::{SOLVERS, text};

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, "t.toml", &SOLVERS)
}

fn route_of(config: &Config, path: &str) -> Option<(String, &'static str)> {
    config.route(Path::new(path)).map(|route| (route.name.clone(), route.solver.id()))
}

#[test]
fn the_shipped_file_documents_the_defaults() {
    let shipped = parse(SHIPPED).unwrap_or_else(|error| panic!("{error}"));
    // The base is the only key that depends on where the file lies.
    let base = "[folders]\nbase = \"..\"\n";
    assert_eq!(parse(base).unwrap(), shipped, "a default in the file is not the one in force");
    let sections = "[log]\n[intake]\n[results]\n[workers]\n[retention]\n[metrics]\n[page]\n";
    assert_eq!(parse(&(sections.to_owned() + base)).unwrap(), shipped);
    assert_eq!(parse("").unwrap(), parse("[folders]\nbase = \"\"\n").unwrap());
    assert_eq!((parse("").unwrap(), parse("").unwrap().folders.base), (parse("[folders]\n").unwrap(), None));
    assert_eq!(shipped.folders.inbox, Path::new("inbox"));
    assert_eq!(shipped.folders.done(), Path::new("var/done"));
    assert_eq!(shipped.intake.size_limit_bytes, 2 << 30);
    assert_eq!(shipped.workers.threads, 0);
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

/// Every key of every section is in the shipped file, so that people find it there.
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
        base = "/srv"
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
        readers = "owner"
        [retention]
        done_age = "90days"
        failed_age = "1h"
        history_age = "none"
        log_age = "100years"
        [metrics]
        listen = "[::1]:9184"
        textfile = "/var/lib/tabuleiro.prom"
        [page]
        path = "outbox/index.html"
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
    assert_eq!(config.folders.base.as_deref(), Some(Path::new("/srv")));
    assert_eq!(config.folders.below(Path::new("/home")).var, Path::new("/srv/var"));
    let log = &config.log;
    assert_eq!((log.level, log.format, log.rotation), (Level::Trace, LogFormat::Json, Rotation::Never));
    assert_eq!((log.files_kept, log.file, log.stderr), (0, false, false));
    assert_eq!(log.journal, JournalMode::Never);
    let intake = &config.intake;
    assert_eq!(intake.ignore.first_match(OsStr::new("X.BAK")), Some("*.bak"));
    assert_eq!(intake.ignore.first_match(OsStr::new(".x")), None);
    assert_eq!(intake.rescan_interval, Duration::from_secs(5400));
    assert_eq!((intake.readiness, intake.watch), (Readiness::Quiet, WatchMode::Poll));
    assert_eq!(intake.poll_interval, Duration::from_secs(3));
    assert_eq!((intake.free_space_min_bytes, intake.free_files_min), (0, 0));
    assert_eq!((intake.size_limit_bytes, intake.claims_max), (4096, 1));
    assert_eq!((config.workers.threads, config.workers.thread_count()), (7, NonZeroUsize::new(7).unwrap()));
    assert_eq!(config.workers.memory_limit, MemoryLimit::Bytes(96 << 20));
    assert_eq!((config.results.formats, config.results.mode), (Formats::TextAndJson, 0o660));
    assert_eq!(config.results.size_limit_bytes, 1 << 20);
    assert_eq!(config.results.durability, Durability::None);
    assert_eq!((config.results.group.as_deref(), config.results.readers), (Some("alunos"), Readers::Owner));
    let days = |days: u64| Some(Duration::from_secs(days * 86_400));
    let Retention { done, failed, history, log } = &config.retention;
    assert_eq!((*done, *failed), (days(90), Some(Duration::from_secs(3600))));
    assert_eq!((*history, *log), (None, days(36_525)));
    assert_eq!(config.metrics.listen, Some("[::1]:9184".parse().unwrap()));
    assert_eq!(config.metrics.textfile.as_deref(), Some(Path::new("/var/lib/tabuleiro.prom")));
    assert_eq!(config.page.path.as_deref(), Some(Path::new("outbox/index.html")));
    let [route] = config.routes() else { panic!("{:?}", config.routes()) };
    let options = &route.options;
    let names = ["goal", "beam", "weight", "witness", "time_limit", "memory_limit"];
    assert_eq!(names.map(|name| text(options, name)), ["512", "12", "0.5", "true", "none", "1MiB"]);
    assert_eq!((route.allow_directives, route.if_exists), (false, IfExists::Version));
    assert_eq!(parse(&config.effective()), Ok(config));
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
    let straight = config.route(Path::new("pulo-reto.txt")).unwrap().options.clone();
    assert_eq!(["movement", "tie"].map(|name| text(&straight, name)), ["straight", "first-round"]);
    let walk = config.route(Path::new("pulo.txt")).unwrap().options.clone();
    assert_eq!(["movement", "tie"].map(|name| text(&walk, name)), ["walk", "previous-round"]);
    let tried: Vec<_> = config.tried().collect();
    assert_eq!(tried.len(), config.routes().len());
    let [english, portuguese] =
        [Language::English, Language::Portuguese].map(|language| tried[0].say(language));
    assert_eq!(english, "pulo-reto (**/pulo-reto*, **/jump-straight*) to jump-game");
    assert_eq!(portuguese, "pulo-reto (**/pulo-reto*, **/jump-straight*) vai para jump-game");
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
        assert!(intake.ignore.first_match(OsStr::new(name)).is_some(), "{name}");
    }
    for name in ["entrada.txt", "tmp", "part.txt", "a.tmp.txt", "~a", "#1.txt", "-x"] {
        assert_eq!(intake.ignore.first_match(OsStr::new(name)), None, "{name}");
    }
}

#[test]
fn folders_must_be_apart() {
    let check = |inbox: &str, outbox: &str, var: &str| {
        let [inbox, outbox, var] = [inbox, outbox, var].map(PathBuf::from);
        Folders { base: None, inbox, outbox, var }
            .check_apart()
            .err()
            .map(|error| (error.inner.0, error.outer.0))
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
    /// The effective text parses as the same configuration, whatever the values.
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

}
