//! Tests the advice about files for another solver: it names the right solver, and following it leads there.

use std::path::Path;

use tabuleiro::config::{Config, SHIPPED, SHIPPED_ORIGIN, UnroutedFile};
use tabuleiro_jobs::{Reading, recognise};
use tabuleiro_puzzles::input::{Directive, Scanner, read_directives};
use tabuleiro_puzzles::solver::{Options, Random, SOLVERS, Solver, Work, default_options, find};
use tabuleiro_puzzles::words::{Argument, Language, Phrase};

use crate::laid_out::laid_out;

const JUMP: &str = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n1 6\n3\n3 2 1 0 1 0\n0 0\n0 1\n0 2\n";

fn solver(id: &str) -> &'static dyn Solver {
    find(id).unwrap()
}

fn shipped() -> Config {
    Config::parse(SHIPPED, SHIPPED_ORIGIN, SOLVERS).unwrap()
}

fn routes(routes: &[(&str, &str)]) -> Config {
    let route = |(number, (files, solver)): (usize, &(&str, &str))| {
        format!("[[route]]\nname = \"r{number}\"\nfiles = [\"{files}\"]\nsolver = \"{solver}\"\n")
    };
    let text: String = routes.iter().enumerate().map(route).collect();
    Config::parse(&text, "t", SOLVERS).unwrap()
}

fn directives(text: &str) -> Vec<Directive> {
    read_directives(&mut Scanner::new(text.as_bytes(), "").unwrap()).unwrap()
}

/// Returns the advice about a file in the inbox that `tried` cannot read.
fn said(config: &Config, path: &str, text: &str, tried: Option<&str>) -> Option<Phrase> {
    let (path, directives) = (Some(Path::new(path)), directives(text));
    let stray =
        UnroutedFile { path, directives: &directives, tried: tried.map(solver), on_command_line: false };
    config.advise(&stray, || Ok(text.as_bytes()))
}

fn line(config: &Config, path: &str, text: &str, tried: Option<&str>) -> Option<String> {
    said(config, path, text, tried).map(|phrase| phrase.to_string())
}

/// Returns files of a solver: its example, and files from its generator.
fn files(solver: &dyn Solver) -> Vec<String> {
    let options = Options::defaults(&[solver.generator_options()]);
    let generated = (1..=4).map(|seed| {
        let mut text = Vec::new();
        solver.generate(&options, 1 + 3 * seed, &mut Random::new(seed), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    });
    std::iter::once(solver.info().example.input.to_owned()).chain(generated).collect()
}

fn argument<'a>(phrase: &'a Phrase, name: &str) -> Option<&'a Argument> {
    phrase.arguments.iter().find(|(known, _)| *known == name).map(|(_, argument)| argument)
}

/// Follows the advice by the routes and returns the solver that it names.
fn follow(config: &Config, phrase: &Phrase) -> String {
    let Some(Argument::Text(named)) = argument(phrase, "solver") else { panic!("{phrase:?}") };
    let Some(Argument::Phrase(action)) = argument(phrase, "action") else { panic!("{phrase:?}") };
    let mut ways = Vec::new();
    if let Some(Argument::Phrase(folder)) = argument(action, "folder") {
        let Some(Argument::Text(folder)) = argument(folder, "folder") else { panic!("{phrase:?}") };
        ways.push(format!("{folder}/entrada.txt"));
    }
    if let Some(Argument::Text(name)) = argument(action, "name") {
        ways.extend(["7", "-turma", "entrada"].map(|text| name.replace('…', text)));
    }
    assert!(!ways.is_empty(), "{phrase}");
    for way in ways {
        let route = config.route(Path::new(&way)).unwrap_or_else(|| panic!("{phrase}: nothing takes {way}"));
        assert_eq!(route.solver.id(), named, "{phrase}: {way}");
    }
    named.clone()
}

#[test]
fn what_is_said_of_any_file_before_any_solver_is_right_or_nothing() {
    let config = shipped();
    let (mut said_of, mut asked) = (0, 0);
    let solvers = laid_out();
    for meant in &solvers {
        for text in files(*meant) {
            for tried in solvers.iter().filter(|tried| tried.id() != meant.id()) {
                let advice = said(&config, "entrada.txt", &text, Some(tried.id()));
                if let Some(phrase) = &advice {
                    assert_eq!(follow(&config, phrase), meant.id(), "before {}:\n{text}", tried.id());
                }
                said_of += usize::from(advice.is_some());
                asked += 1;
            }
            let advice = said(&config, "what.dat", &text, None);
            assert_eq!(advice.map(|phrase| follow(&config, &phrase)).as_deref(), Some(meant.id()), "{text}");
        }
    }
    // All except a few files that more than one solver can read.
    assert_eq!(asked, solvers.len() * (solvers.len() - 1) * 5);
    assert!(said_of >= 90, "{said_of} of {asked}");
}

/// In the folder of any other solver, a file has an invalid puzzle. Then the advice names the solver the file is for.
#[test]
fn all_pairs_of_solvers_are_told_apart_whatever_the_count_of_puzzles() {
    let config = shipped();
    let mut missed = Vec::new();
    for meant in laid_out() {
        for (count, seed) in [(1, 1), (2, 1), (2, 2), (2, 3), (3, 4), (10, 5)] {
            let mut text = Vec::new();
            let options = Options::defaults(&[meant.generator_options()]);
            meant.generate(&options, count, &mut Random::new(seed), &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            for tried in laid_out().into_iter().filter(|tried| *tried != meant) {
                let mut scanner = Scanner::new(text.as_bytes(), "").unwrap();
                let mut reading = Reading::open(tried, &default_options(tried));
                let mut entries = std::iter::from_fn(|| reading.read(&mut scanner).unwrap());
                let is_invalid = entries.any(|entry| !matches!(entry.work, Work::Solve(_)));
                let path = Some(Path::new("entrada.txt"));
                let stray =
                    UnroutedFile { path, directives: &[], tried: Some(tried), on_command_line: false };
                let phrase = config.advise(&stray, || Ok(text.as_bytes()));
                if !is_invalid || phrase.is_none_or(|phrase| phrase.name != "looks-like") {
                    missed.push((meant.id(), tried.id(), count, seed, is_invalid));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn files_of_a_solver_are_not_said_to_be_for_another_where_they_are_right() {
    for meant in laid_out() {
        for text in files(meant) {
            let recognised = recognise([meant], || Ok(text.as_bytes()));
            assert_eq!(recognised.len(), 1, "{text}");
        }
    }
}

#[test]
fn only_ways_that_lead_there_are_shown() {
    let shipped = shipped();
    let looks = "this looks like jump-game (2 games can be read): ";
    for (path, action) in [
        ("entrada.txt", "put it into a folder jump-game or call it pulo….txt"),
        ("turma 1/entrada.txt", "put it into a folder jump-game or call it pulo….txt"),
        // The route of this folder sends everything elsewhere.
        ("checkers-capture/a.txt", "put it into a folder jump-game in the inbox itself"),
        // Even with `pulo` before this name, it would still contain `merge`.
        ("merge-1.txt", "put it into a folder jump-game"),
    ] {
        let advice = line(&shipped, path, JUMP, Some("checkers-capture"));
        assert_eq!(advice, Some(format!("{looks}{action}")), "{path}");
    }
    for (config, advice) in [
        (routes(&[("**/*", "checkers-capture")]), None),
        // A route above takes everything.
        (
            routes(&[("**/*.txt", "checkers-capture"), ("**/pulo*", "jump-game"), ("**/j/**", "jump-game")]),
            None,
        ),
        (routes(&[("**/j/*", "jump-game"), ("**", "checkers-capture")]), Some("put it into a folder j")),
        (routes(&[("**/x.[ab]*", "jump-game"), ("*.jump", "jump-game")]), Some("call it ….jump")),
        (routes(&[("pulo.*", "jump-game"), ("**", "2048-merge")]), Some("call it pulo.txt")),
        // Files with such names are not taken from the inbox.
        (routes(&[("**/*.tmp", "jump-game"), ("**/.j/**", "jump-game"), ("**", "2048-merge")]), None),
    ] {
        let expected = advice.map(|action| format!("{looks}{action}"));
        assert_eq!(line(&config, "entrada.txt", JUMP, Some("checkers-capture")), expected);
    }
}

#[test]
fn directives_of_the_file_are_heeded() {
    let shipped = shipped();
    let with =
        |directive: &str| line(&shipped, "entrada.txt", &format!("{directive}\n{JUMP}"), Some("2048-game"));
    assert_eq!(
        with("#: solver = 2048-game").unwrap(),
        "this looks like jump-game (2 games can be read): write '#: solver = jump-game' in the place of the solver that it \
         names"
    );
    assert!(with("#: movement = straight").is_some());
    // That solver would reject the file for its directive.
    assert_eq!(with("#: player = random"), None);
    let text =
        "[[route]]\nname = \"j\"\nfiles = [\"**/j/**\"]\nsolver = \"jump-game\"\nallow_directives = false\n";
    let closed = Config::parse(text, "t", SOLVERS).unwrap();
    assert_eq!(line(&closed, "a", &format!("#: witness = true\n{JUMP}"), Some("2048-game")), None);
    assert!(line(&closed, "a", JUMP, Some("2048-game")).is_some());
}

#[test]
fn the_command_line_has_a_way_of_its_own() {
    let config = routes(&[("**/*", "checkers-capture")]);
    for path in [None, Some(Path::new("entrada.txt"))] {
        let tried = Some(solver("checkers-capture"));
        let stray = UnroutedFile { path, directives: &[], tried, on_command_line: true };
        let said = config.advise(&stray, || Ok(JUMP.as_bytes())).unwrap().say(Language::Portuguese);
        assert_eq!(said, "o arquivo parece ser de jump-game (dá para ler 2 jogos): use --solver jump-game");
    }
}

#[test]
fn nothing_is_said_of_what_nobody_reads_unless_nothing_takes_it() {
    assert_eq!(line(&shipped(), "entrada.txt", "Dear teacher", Some("jump-game")), None);
    let nobody = "no solver can read all of it either";
    assert_eq!(line(&shipped(), "what.dat", "Dear teacher", None).as_deref(), Some(nobody));
    // No solver reads a comment as a puzzle, and a mistake anywhere makes a file unreadable.
    assert_eq!(line(&shipped(), "what.dat", "# 3 3", None).as_deref(), Some(nobody));
    assert_eq!(line(&shipped(), "entrada.txt", &format!("{JUMP}x"), Some("2048-game")), None);
}

#[test]
fn a_long_file_is_looked_at_as_far_as_the_limit_allows() {
    let board = "0 ".repeat(1200) + "\n";
    let game = format!("1000 1200\n1\n{}0 0\n", board.repeat(1000));
    let text = game.repeat(2);
    let recognised = |text: &str| {
        recognise([solver("jump-game")], || Ok(text.as_bytes())).first().map(|found| found.puzzles)
    };
    assert_eq!(recognised(&text), Some(1), "the second one is cut");
    assert_eq!(recognised(&(text + "x")), Some(1), "and so is what is wrong");
    assert_eq!(recognised(&(game + "x")), None);
    assert_eq!(recognised(&JUMP.repeat(10_000)), Some(5000));
}

/// Its numbers are also a jump game, but nobody would write one like this.
#[test]
fn numbers_that_another_solver_reads_across_lines_are_no_file_of_it() {
    for text in ["3 3\n2 1 7 0 1\n3 3\n2 1 2 0 1\n0 0\n", "3 3\n2 1 7 0 1\n3 3\n2 1 7 0 1\n0 0\n"] {
        assert_eq!(line(&shipped(), "entrada.txt", text, Some("checkers-capture")), None, "{text}");
    }
}
