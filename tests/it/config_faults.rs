//! Tests faults in a configuration: every fault with its place, removed keys, limits on everything, hostile texts.

use std::path::Path;

use proptest::prelude::*;
use tabuleiro::config::{Config, ConfigError, SHIPPED};

use crate::solvers::{SOLVERS, known_solvers};

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, "t.toml", &SOLVERS)
}

fn errors(text: &str) -> Vec<String> {
    match parse(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string().lines().map(str::to_owned).collect(),
    }
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

/// Checks wrong texts, each with all messages about it.
#[test]
fn every_fault_has_its_place_and_a_hint() {
    let cases: &[(&str, &[&str])] = &[
        (
            "[logs]\nlevel = \"info\"\n",
            &[
                "1:2: unknown key 'logs' (did you mean 'log'?); known: folders, log, intake, workers, results, \
                 control, retention, metrics, page, remote, route",
            ],
        ),
        (
            "[log]\n  levle = \"info\"\n",
            &["2:3: unknown key 'levle' in [log] (did you mean 'level'?); known: level, format, rotation, \
               files_kept, file, stderr, journal"],
        ),
        (
            "[log]\nlevel = \"inof\"\nformat = 3\n",
            &[
                "2:9: [log] level = \"inof\": expected one of \"error\", \"warn\", \"info\", \"debug\", \"trace\" \
                 (did you mean 'info'?)",
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
                "3:8: [results] mode = \"0444\": expected octal digits in quotes, from \"0600\" to \"0777\", \
                 with reading and writing for the owner",
                "4:9: [results] group = \"a b\": expected the name of a group, or \"\" for the daemon's own",
            ],
        ),
        (
            "[control]\nsocket = \"a/\"\nmode = \"0060\"\n",
            &[
                "2:10: [control] socket = \"a/\": expected the path of a socket, or \"\" for none",
                "3:8: [control] mode = \"0060\": expected octal digits in quotes, from \"0600\" to \"0777\", \
                 with reading and writing for the owner",
            ],
        ),
        (
            "[retention]\ndone_age = \"1s\"\nlog_age = \"much\"\n[metrics]\nlisten = \"9184\"\ntextfile = \"a\"\n[page]\npath = \".html\"\n",
            &[
                "2:12: [retention] done_age = \"1s\": expected \"none\" or a duration from \"1h\" to \"100years\"",
                "3:11: [retention] log_age = \"much\": expected \"none\" or a duration from \"1h\" to \"100years\"",
                "5:10: [metrics] listen = \"9184\": expected an address with a port such as \"127.0.0.1:9184\" or \
                 \"[::1]:9184\", or \"\" for none",
                "6:12: [metrics] textfile = \"a\": expected the path of a file that ends in .prom, or \"\" for none",
                "8:8: [page] path = \".html\": expected the path of a file that ends in .html, or \"\" for none",
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
            "4:10: [[route]] solver = \"2048-mrge\": expected one of {} (did you mean '2048-merge'?)",
            known_solvers()
        ),
        "5:13: [[route]] if_exists = \"vresion\": expected one of \"replace\", \"version\" (did you \
         mean 'version'?)",
        "6:1: unknown key 'movement' in [[route]]: an option of a solver belongs in options = { movement = … }",
        "7:1: unknown key 'goal_limit' in [[route]]; known: name, files, solver, grade, student, attempts, \
         deadline, options, allow_directives, remote, if_exists, time_limit, memory_limit, job_time_limit",
        "11:8: [[route]] name = \"a\": expected another name, route 1 has this one",
        "12:9: [[route]] files = []: expected at least one glob such as \"**/entrada*\"",
        "14:14: [[route]] time_limit = \"fast\": expected \"none\" or a duration from \"1ms\" to \"100years\"",
        "15:16: [[route]] memory_limit = []: expected a size from \"1MiB\" to \"1024TiB\"",
        "16:13: unknown key 'movment' in [route.options] (did you mean 'movement'?); known: movement, tie, algorithm, \
         early_stop, compare_rules, witness, picture, language",
        "16:37: [route.options] tie = \"never\": expected one of \"previous-round\", \"first-round\"",
        "16:46: unknown key 'time_limit' in [route.options]: a limit belongs to the route itself, beside 'options', not \
         in it",
        "18:1: [[route]] has no key 'files'",
        "18:1: [[route]] has no key 'name'",
        "20:20: [route.options] goal = 3: expected a power of two from 4 to 9223372036854775808",
        "20:33: [route.options] witness = 2020-01-01: expected \"required\" or true or false",
        "23:8: [[route]] name = \"a\": expected another name, route 1 has this one",
        "28:8: [[route]] name = \"a\": expected another name, route 1 has this one",
        "33:8: [[route]] name = \"none\": expected a name of 1 to 64 printable bytes other than none and (others)",
    ];
    let expected: Vec<_> = expected.iter().map(|line| format!("t.toml:{line}")).collect();
    assert_eq!(found, expected);
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

proptest! {
    /// No text makes the parser panic, and every fault has a place inside the text.
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
            assert_eq!(config.route(Path::new(&"a/".repeat(2000))), None);
        }
    }
}
