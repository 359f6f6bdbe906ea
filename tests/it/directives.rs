//! Tests the directives of a file, and the solver and options of a job that result from route, directives and `--set`.

use std::sync::Arc;

use proptest::prelude::*;
use tabuleiro::config::{Config, Overrides, ResolveError, ResolvedJob, Route, resolve};
use tabuleiro_puzzles::input::{Directive, Place, Scanner, Token, read_directives};
use tabuleiro_puzzles::solver::Solver;
use tabuleiro_puzzles::words::Language;

use crate::solvers::{SOLVERS, known_options, known_solvers, text};

fn read(text: &[u8]) -> Result<Vec<Directive>, String> {
    let mut scanner = Scanner::new(text, "f.txt").unwrap();
    read_directives(&mut scanner).map_err(|error| error.to_string())
}

fn pairs(text: &str) -> Vec<(String, String)> {
    read(text.as_bytes()).unwrap().into_iter().map(|found| (found.key, found.value)).collect()
}

fn solver(id: &str) -> &'static dyn Solver {
    SOLVERS.iter().copied().find(|solver| solver.id() == id).unwrap()
}

/// Returns a route to `solver_id` with further keys.
fn route(solver_id: &str, keys: &str) -> Arc<Route> {
    let text = format!("[[route]]\nname = \"r\"\nfiles = [\"*\"]\nsolver = \"{solver_id}\"\n{keys}\n");
    Config::parse(&text, "t.toml", &SOLVERS).unwrap().routes()[0].clone()
}

fn job(
    route: Option<&Route>,
    text: &str,
    sets: &[(&str, &str)],
    forced: Option<&'static dyn Solver>,
) -> Result<ResolvedJob, ResolveError> {
    let directives = read(text.as_bytes()).unwrap();
    let sets: Vec<_> = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let overrides = Overrides { solvers: &SOLVERS, solver: forced, sets: &sets };
    resolve(&"f.txt".into(), route, &directives, overrides, Language::English)
}

fn refused(route: Option<&Route>, text: &str, sets: &[(&str, &str)]) -> String {
    job(route, text, sets, None).unwrap_err().to_string()
}

#[test]
fn directives_stand_before_the_first_number() {
    let text = "\u{feff}# a comment\n#: solver = 2048-merge\r\n  #:goal=512  \n// #: x = 1\n\n#:\ttime_limit = \"1h 30m\"\t\n\
                #: tie = 'first-round'\n3 3\n#: late = 1\n";
    let expected =
        [("solver", "2048-merge"), ("goal", "512"), ("time_limit", "1h 30m"), ("tie", "first-round")];
    assert_eq!(pairs(text), expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    let found = read(text.as_bytes()).unwrap();
    assert_eq!(
        (found[0].key_place, found[0].value_place),
        (Place { line: 2, column: 4 }, Place { line: 2, column: 13 })
    );
    assert_eq!(
        (found[1].key_place, found[1].value_place),
        (Place { line: 3, column: 5 }, Place { line: 3, column: 10 })
    );
    let mut scanner = Scanner::new(text.as_bytes(), "f.txt").unwrap();
    read_directives(&mut scanner).unwrap();
    assert_eq!(scanner.next_token().unwrap().token, Token::Number(3));
    while scanner.next_token().unwrap().token != Token::End {}
    assert_eq!(scanner.take_warnings().0.len(), 1);
}

#[test]
fn values_may_hold_anything_that_is_text() {
    assert_eq!(pairs("#: a = \"\""), [("a".to_owned(), String::new())]);
    assert_eq!(pairs("#: a = b = \"c\" # d"), [("a".to_owned(), "b = \"c\" # d".to_owned())]);
    assert_eq!(pairs("#: a-b_C = \"it's\""), [("a-b_C".to_owned(), "it's".to_owned())]);
    assert!(pairs("").is_empty() && pairs("1 2\n#: a = 1").is_empty() && pairs("# : a = 1\n").is_empty());
}

#[test]
fn malformed_directives_have_a_place() {
    for (text, expected) in [
        (
            "#:",
            "1:3: found the end of the line, expected the name of an option: letters, digits, '_' and '-'",
        ),
        ("\n #: = 3", "2:5: found '= 3', expected the name of an option: letters, digits, '_' and '-'"),
        ("#: é = 3", "1:4: found 'é = 3', expected the name of an option: letters, digits, '_' and '-'"),
        ("#: goal 512", "1:9: found '512' after 'goal', expected '=': a directive is `#: goal = VALUE`"),
        (
            "#: goal",
            "1:8: found the end of the line after 'goal', expected '=': a directive is `#: goal = VALUE`",
        ),
        ("#: goal =  \n3", "1:10: found no value for 'goal': a directive is `#: goal = VALUE`"),
        ("#: goal = \"512", "1:11: found \"512, expected a value in quotes with nothing after it"),
        ("#: goal = \"512\" 3", "1:11: found \"512\" 3, expected a value in quotes with nothing after it"),
        ("#: goal = '", "1:11: found ', expected a value in quotes with nothing after it"),
        ("#: goal = \"a\"b\"", "1:11: found \"a\"b\", expected a value in quotes with nothing after it"),
        ("#: goal = 5\x1b[2J", "1:12: found bytes that are not text"),
        ("#: goal = 1\n#: tie = x\n#: goal = 2", "3:4: 'goal' is set a second time, first in line 1"),
    ] {
        assert_eq!(read(text.as_bytes()), Err(format!("f.txt:{expected}")), "{text:?}");
    }
    assert_eq!(read(b"#: a = \xff"), Err("f.txt:1:8: found bytes that are not text".to_owned()));
}

#[test]
fn directives_are_bounded() {
    let many = |count: usize| (0..count).map(|key| format!("#: k{key} = 1\n")).collect::<Vec<_>>().concat();
    assert_eq!(pairs(&many(64)).len(), 64);
    assert_eq!(read(many(65).as_bytes()), Err("f.txt:65:1: the file has more than 64 directives".to_owned()));
    let long = |bytes: usize| format!("#: a = {}\n", "1".repeat(bytes - 7));
    assert_eq!(pairs(&long(4096)).len(), 1);
    let error = read(long(4097).as_bytes());
    assert_eq!(error, Err("f.txt:1:1: the directive is longer than 4096 bytes".to_owned()));
    // Ordinary comments may have any length, number and bytes.
    let mut text = b"#\xff\x00".repeat(100_000);
    text.push(b'\n');
    text.extend(b"# x\n".repeat(1000));
    text.extend(b"#: a = 1\n");
    assert_eq!(read(&text).unwrap().len(), 1);
}

#[test]
fn later_sources_win() {
    let route = route("kinds", "options = { goal = 64, weight = 0.5 }\ntime_limit = \"20s\"");
    let found = job(Some(&route), "", &[], None).unwrap();
    assert_eq!(found.solver.id(), "kinds");
    assert_eq!(text(&found.options, "goal"), "64");
    let found = job(Some(&route), "#: goal = 128\n#: time_limit = 10s\n", &[], None).unwrap();
    assert_eq!(text(&found.options, "goal"), "128");
    assert_eq!(text(&found.options, "time_limit"), "10s");
    let sets = [("goal", "256"), ("time_limit", "none"), ("goal", "512")];
    let found = job(Some(&route), "#: goal = 128\n", &sets, None).unwrap();
    assert_eq!(
        (text(&found.options, "goal").as_str(), text(&found.options, "time_limit").as_str()),
        ("512", "none")
    );
    assert_eq!(text(&found.options, "weight"), "0.5");
}

#[test]
fn another_solver_keeps_the_limits_but_not_the_options() {
    let limits = "time_limit = \"20s\"\nmemory_limit = \"64MiB\"\njob_time_limit = \"5m\"";
    let route =
        route("jump-game", &format!("options = {{ movement = \"straight\", witness = true }}\n{limits}"));
    let found = job(Some(&route), "#: goal = 8\n#: solver = 2048-astar\n", &[], None).unwrap();
    assert_eq!(found.solver.id(), "2048-astar");
    assert_eq!(text(&found.options, "goal"), "8");
    assert!(found.options.value("movement").is_none());
    assert_eq!(text(&found.options, "time_limit"), "20s");
    assert_eq!(text(&found.options, "job_time_limit"), "5m");
    assert_eq!(text(&found.options, "memory_limit"), "64MiB");
    assert_eq!(text(&found.options, "witness"), "true");
    let error = refused(Some(&route), "#: solver = 2048-merge\n#: time_limit = 21s\n", &[]);
    assert_eq!(
        error,
        "f.txt:2:17: time_limit = 21s: a file cannot loosen this limit, which is 20s; remove the directive"
    );
    // A directive that names the route's own solver overrides nothing.
    let found = job(Some(&route), "#: solver = jump-game\n", &[], None).unwrap();
    assert_eq!(text(&found.options, "movement"), "straight");
}

#[test]
fn the_command_line_decides_above_all() {
    let route = route("jump-game", "options = { movement = \"straight\" }\ntime_limit = \"20s\"");
    let forced = Some(solver("2048-astar"));
    let found = job(Some(&route), "#: solver = 2048-merge\n", &[("goal", "4")], forced).unwrap();
    assert_eq!(found.solver.id(), "2048-astar");
    assert_eq!(text(&found.options, "time_limit"), "20s");
    let error = job(None, "#: solver = merge\n", &[], forced).unwrap_err();
    assert!(error.to_string().starts_with("f.txt:1:13: unknown solver 'merge'"), "{error}");
    let found = job(None, "", &[], forced).unwrap();
    assert_eq!(text(&found.options, "goal"), "2048");
    let found = job(None, "#: solver = \"2048-game\"\n", &[], None).unwrap();
    assert_eq!(found.solver.id(), "2048-game");
}

#[test]
fn wrong_directives_name_what_is_allowed() {
    let jump = route("jump-game", "");
    let checkers = route("checkers-capture", "");
    let closed = route("jump-game", "allow_directives = false");
    let limits = known_options(
        "jump-game",
        &["job_time_limit", "language", "memory_limit", "picture", "time_limit", "witness"],
    );
    let known = known_solvers();
    for (route, text, expected) in [
        (
            &jump,
            "#: movment = walk",
            "1:4: `#: movment = walk` is not understood; write `#: movement = walk`".to_owned(),
        ),
        (
            &jump,
            "#: slover = jump-game",
            "1:4: `#: slover = jump-game` is not understood; write `#: solver = jump-game`".to_owned(),
        ),
        (
            &jump,
            "#: goal = 8",
            format!("1:4: unknown directive 'goal'; the options of jump-game: solver, {limits}"),
        ),
        (
            &jump,
            "#: tie = coin",
            "1:10: tie = coin: expected one of \"previous-round\", \"first-round\"".to_owned(),
        ),
        (
            &jump,
            "3\n#: solver = x".strip_prefix("3\n").unwrap(),
            format!("1:13: unknown solver 'x'; known: {known}"),
        ),
        (
            &jump,
            "#: solver = 2048-megre",
            format!("1:13: unknown solver '2048-megre' (did you mean '2048-merge'?); known: {known}"),
        ),
        (
            &checkers,
            "#: limits = none",
            "1:13: limits = none: a file cannot loosen this limit, which is published; remove the directive"
                .to_owned(),
        ),
        (
            &checkers,
            "#: memory_limit = 2GiB",
            "1:19: memory_limit = 2GiB: a file cannot loosen this limit, which is 1GiB; remove the directive"
                .to_owned(),
        ),
        (
            &closed,
            "# x\n#: tie = first-round",
            "2:4: found the directive 'tie', but the route 'r' allows no directives".to_owned(),
        ),
    ] {
        assert_eq!(refused(Some(route), text, &[]), format!("f.txt:{expected}"));
    }
    assert!(job(Some(&closed), "# x\n1 2", &[("tie", "first-round")], None).is_ok());
    assert_eq!(
        refused(None, "1", &[]),
        format!("no route takes the file, and no directive '#: solver = ID' names a solver; known: {known}")
    );
    assert_eq!(
        refused(Some(&jump), "", &[("tie", "x")]),
        "--set: tie = x: expected one of \"previous-round\", \"first-round\""
    );
    assert!(refused(Some(&jump), "", &[("solver", "x")]).starts_with("--set: unknown option 'solver'"));
}

/// A file can lower a limit further in its directives, and never raises it again.
#[test]
fn a_limit_of_none_is_above_all_others() {
    let bounded = route("jump-game", "");
    let unbounded = route("jump-game", "time_limit = \"none\"");
    assert!(refused(Some(&bounded), "#: time_limit = none", &[]).contains("which is 1m"));
    assert!(job(Some(&unbounded), "#: time_limit = none", &[], None).is_ok());
    assert!(job(Some(&unbounded), "#: time_limit = 100h", &[], None).is_ok());
}

proptest! {
    /// Any bytes are either read or refused at a place in the file. What is read stands at its place.
    #[test]
    fn any_bytes_are_read_or_refused(lines in prop::collection::vec("(#: ?)?[a-c=\"' é\u{1b}0-9#/_]{0,20}", 0..9)) {
        let text = lines.join("\n");
        match read(text.as_bytes()) {
            Ok(found) => for directive in found {
                let line = text.split('\n').nth(directive.key_place.line as usize - 1).unwrap();
                prop_assert!(line[directive.key_place.column as usize - 1..].starts_with(&directive.key));
                prop_assert!(line[directive.value_place.column as usize - 1..].contains(&directive.value));
            },
            Err(error) => {
                let line: usize = error.split(':').nth(1).unwrap().parse().unwrap();
                prop_assert!((1..=lines.len()).contains(&line), "{error}");
            }
        }
    }

    /// Key and value come back unchanged.
    #[test]
    fn what_is_written_is_read(
        key in "[a-zA-Z0-9_-]{1,20}",
        value in "[a-z0-9 é=#']{0,20}",
        [before, after] in ["[ \t]{0,3}", "[ \t]{0,3}"],
    ) {
        let found = read(format!("#:{before}{key}{after}={before}\"{value}\"{after}\r\n1").as_bytes());
        let found = found.map_err(TestCaseError::fail)?;
        prop_assert_eq!((&found[0].key, &found[0].value), (&key, &value));
    }
}
