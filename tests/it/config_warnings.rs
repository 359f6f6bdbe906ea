//! Tests warnings about a configuration: routes that no file reaches, globs that begin with the inbox, groups.

use std::path::Path;

use proptest::prelude::*;
use tabuleiro::config::{Config, SHIPPED};

use crate::harness::Place;
use crate::solvers::SOLVERS;

/// Returns each warning with its place.
fn warnings(text: &str) -> Vec<String> {
    let (_, warnings) =
        Config::parse_with_warnings(text, "t.toml", &SOLVERS).unwrap_or_else(|error| panic!("{error}"));
    warnings.iter().map(|warning| format!("{}: {}", warning.place, warning.message)).collect()
}

/// Returns routes `a`, `b`, … with these globs, as TOML.
fn routes(files: &[&str]) -> String {
    let route = |(name, files): (char, &&str)| {
        format!("[[route]]\nname = \"{name}\"\nfiles = {files}\nsolver = \"checkers-capture\"\n")
    };
    ('a'..).zip(files).map(route).collect()
}

/// Returns whether a warning says that the last of these routes never gets a file.
fn starves(files: &[&str]) -> bool {
    let found = warnings(&routes(files));
    assert!(found.len() <= 1, "{found:?}");
    found.first().is_some_and(|warning| {
        let last = char::from(b'a' + files.len() as u8 - 1);
        assert!(warning.contains(&format!("no file ever comes to the route '{last}'")), "{warning}");
        true
    })
}

#[test]
fn the_shipped_configuration_has_nothing_to_warn_of() {
    assert_eq!(warnings(SHIPPED), [""; 0]);
    assert_eq!(warnings(""), [""; 0]);
}

#[test]
fn a_route_to_which_no_file_comes_is_told() {
    let found = warnings(&routes(&[r#"["**/*entrada*"]"#, r#"["pulo*"]"#, r#"["**/entrada-turma2*"]"#]));
    let wanted = "11:9: no file ever comes to the route 'c': the first route that matches takes a file, and above it \
                  '**/*entrada*' of the route 'a' takes all of '**/entrada-turma2*'; move the route 'c' further up, or \
                  delete it";
    assert_eq!(found, [wanted]);
    for (above, below) in [
        (r#"["damas*"]"#, r#"["damas*"]"#),
        (r#"["damas*"]"#, r#"["DAMAS*"]"#),
        (r#"["{a,b}[0-9]?"]"#, r#"["{a,b}[0-9]?"]"#),
        (r#"["**"]"#, r#"["**/turma2/**"]"#),
        (r#"["**/*"]"#, r#"["a/b/c?.txt", "**", "x"]"#),
        (r#"["x", "turma2/**"]"#, r#"["turma2/**/entrada*", "turma2/*/*"]"#),
        (r#"["**/damas*"]"#, r#"["damas-1.txt", "turma2/damas*"]"#),
        (r#"["**/*.txt"]"#, r#"["**/damas*.txt"]"#),
        (r#"["**/São*"]"#, r#"["SÃO-*"]"#),
    ] {
        assert!(starves(&[above, below]), "{above} takes all of {below}");
    }
    // Several routes together, each with one glob.
    assert!(starves(&[r#"["**/a*"]"#, r#"["**/b*"]"#, r#"["ab*", "bb"]"#]));
}

#[test]
fn a_route_that_may_get_a_file_is_never_told() {
    for (above, below) in [
        (r#"["*"]"#, r#"["**/*"]"#),
        (r#"["*"]"#, r#"["a/b"]"#),
        (r#"["*/*"]"#, r#"["a/**"]"#),
        (r#"["*/**"]"#, r#"["**/x"]"#),
        (r#"["**/x"]"#, r#"["**/*x"]"#),
        (r#"["a*"]"#, r#"["a*", "b*"]"#),
        (r#"["*a*"]"#, r#"["**/a"]"#),
        (r#"["a?"]"#, r#"["a*"]"#),
        (r#"["?*"]"#, r#"["*"]"#),
        (r#"["?"]"#, r#"["*"]"#),
        (r#"["*/*/*/*/*/*/*/*/*", "*/**/*"]"#, r#"["**/x"]"#),
        (r#"["turma2/**"]"#, r#"["turma2"]"#),
        (r#"["[a-z]*"]"#, r#"["*"]"#),
        (r#"["{a,b}*"]"#, r#"["a*", "c*"]"#),
        ("[\"\u{10FFFF}\"]", r#"["*"]"#),
        ("[\"*\u{10FFFF}*\"]", r#"["a*"]"#),
        (r#"["a**"]"#, r#"["ab/**"]"#),
        // They do, but the check does not look for this.
        (r#"["{a,b}*"]"#, r#"["a*"]"#),
        (r#"["*"]"#, r#"["entrada?.txt"]"#),
        (r#"["**/turma2/**"]"#, r#"["turma2/**"]"#),
    ] {
        assert!(!starves(&[above, below]), "{above} does not take all of {below}");
    }
}

proptest! {
    /// A wrong warning is worse than none: any path that the lower route matches must match the upper one, too.
    #[test]
    fn what_is_claimed_of_globs_holds_for_paths(
        above in "(\\*\\*/)?[ab*?]{0,3}(/\\*\\*)?(/[ab*]{1,2}){0,2}",
        below in "(\\*\\*/)?[ab*?]{0,3}(/\\*\\*)?(/[ab*]{1,2}){0,2}",
        paths in prop::collection::vec("[abc]{1,3}(/[abc]{1,3}){0,9}", 200),
    ) {
        let text = |glob: &str| routes(&[&format!("[\"{glob}\"]")]);
        let (Ok(upper), Ok(lower)) = [&above, &below].map(|glob| Config::parse(&text(glob), "t", &SOLVERS)).into() else {
            return Ok(());
        };
        if starves(&[&format!("[\"{above}\"]"), &format!("[\"{below}\"]")]) {
            for path in paths.iter().map(Path::new).filter(|path| lower.route(path).is_some()) {
                prop_assert!(upper.route(path).is_some(), "{above} does not match {path:?}, which {below} does");
            }
        }
    }
}

#[test]
fn many_routes_are_compared_in_a_moment() {
    let globs: Vec<_> = (0..1000).map(|number| format!("[\"**/a{number}x*/**\"]")).collect();
    let globs: Vec<_> = globs.iter().map(String::as_str).collect();
    let text: String = routes(&globs[..26]);
    assert_eq!(warnings(&text), [""; 0]);
    let many = (0..1000).map(|number| {
        format!("[[route]]\nname = \"r{number}\"\nfiles = {}\nsolver = \"checkers-capture\"\n", globs[number])
    });
    assert_eq!(warnings(&many.collect::<String>()), [""; 0]);
}

#[test]
fn a_glob_that_begins_with_the_inbox_is_told_with_what_to_write() {
    let found = warnings(&routes(&[r#"["damas/*", "Inbox/turma2/*"]"#]));
    let wanted = "3:21: [[route]] files = \"Inbox/turma2/*\": globs begin inside the inbox, so this one takes nothing but \
                  files of a folder inbox/ in the inbox; for files of the inbox itself write \"turma2/*\"";
    assert_eq!(found, [wanted]);
    let said = |inbox: &str, glob: &str| {
        let found =
            warnings(&format!("[folders]\ninbox = \"{inbox}\"\n{}", routes(&[&format!("[\"{glob}\"]")])));
        found.first().map(|warning| warning.rsplit_once("write ").unwrap().1.to_owned())
    };
    let write = |glob: &str| Some(format!("\"{glob}\""));
    assert_eq!(said("/srv/tabuleiro/inbox", "inbox/**"), write("**"));
    assert_eq!(said("/srv/tabuleiro/inbox", "srv/tabuleiro/inbox/a"), write("a"));
    assert_eq!(said("data/entradas", "data/entradas/x*"), write("x*"));
    assert_eq!(said("data/entradas/", "entradas/x*"), write("x*"));
    for (inbox, glob) in
        [("entradas", "inbox/x*"), ("inbox", "inbox*"), ("inbox", "**/inbox/*"), ("inbox", "inbox2/a")]
    {
        assert_eq!(said(inbox, glob), None, "{inbox}: {glob}");
    }
}

#[test]
fn a_group_that_the_machine_has_not_is_told() {
    let found = warnings("[results]\ngroup = \"no-such-group\"\n[control]\ngroup = \"no-such-group\"\n");
    let way_out = "make it with `groupadd no-such-group`, or write one of /etc/group, or a number";
    assert_eq!(
        found,
        [
            format!(
                "2:9: [results] group = \"no-such-group\": this machine has no group 'no-such-group', so no result can be written; {way_out}"
            ),
            format!(
                "4:9: [control] group = \"no-such-group\": this machine has no group 'no-such-group', so nobody can ask the service; {way_out}"
            ),
        ]
    );
    assert_eq!(warnings("[results]\ngroup = \"root\"\n[control]\ngroup = \"12345\"\n"), [""; 0]);
    // `parse` alone looks up no group: only the warnings need the name service.
    Config::parse("[results]\ngroup = \"no-such-group\"\n", "t.toml", &SOLVERS).unwrap();
}

#[test]
fn serve_and_check_config_tell_the_warnings() {
    let routes = routes(&[r#"["inbox/damas/*"]"#, r#"["**/*entrada*"]"#, r#"["entrada*"]"#]);
    let config = format!("[control]\ngroup = \"no-such-group\"\n{routes}");
    let service = Place::new().config(&config).start();
    for said in
        ["control|this machine has no group", "write \"damas/*\"", "no file ever comes to the route 'c'"]
    {
        service.wait_for_log(&format!("warning: configuration: config/tabuleiro.toml:|{said}"));
    }
    let output = crate::harness::run_in(&service.at(""), &["check-config"], "");
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told.matches("tabuleiro: warning: config/tabuleiro.toml:").count(), 3, "{told}");
}
