//! Compares README.md and docs/ with the program: the output they show is real, and the names they use exist.
//!
//! The first word after a fence says what a block is; `documents/page.rs` lists the kinds. The test runs the commands
//! of `console` blocks, those of a page one after the other in one folder. `…` stands for what varies.

mod backquotes;
mod matching;
mod page;
mod session;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tabuleiro_puzzles::solver::{COMMON, OptionSpec, Range, SOLVERS, Solver};

use self::page::{BlockKind, Page, REASONS};
use super::harness::tabuleiro;
use crate::stated::stated;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn what_the_pages_show_is_what_comes_out() {
    let pages = page::all();
    let commands: usize = pages.iter().map(|page| page.commands().count()).sum();
    assert!(commands >= 120, "only {commands} commands are run");
    let faults: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = pages.iter().map(|page| scope.spawn(|| session::run(page))).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{} of {commands} commands:\n\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn what_a_page_shows_wrongly_is_found() {
    let run = |text: &str| session::run(&Page::parse("docs/wrong.md", text));
    let right = "The file `a.txt`:\n```text file=a.txt\n3 3\n2 1 2 0 1\n0 0\n```\n\
                 ```console\n$ tabuleiro check --solver checkers-capture a.txt\na.txt: checkers-capture: 1 valid, 0 invalid\n\
                 $ x=7\n$ echo $x; cat none\n7\ncat: …\n$ echo $?\n1\n```\n\
                 ```toml\n[workers]\nthreads = 3\n```\n\
                 ```text columns\ndamas.txt  damas.saida.txt\n3 3        0\n2 1 0 0 1\n0 0\n```\n";
    assert_eq!(run(right), [""; 0]);
    for (part, wrong) in [
        ("1 valid", "2 valid"),
        ("2 1 2 0 1", "2 1 2 0 7"),
        ("$ echo $?\n1\n", ""),
        ("$ echo $?\n1\n", "$ echo $?\n2\n"),
        ("cat: …\n", ""),
        ("threads", "threats"),
        ("3 3        0", "3 3        1"),
    ] {
        let faults = run(&right.replace(part, wrong));
        assert_eq!(faults.len(), 1, "{wrong}: {faults:?}");
        assert!(faults[0].starts_with("docs/wrong.md:"), "{faults:?}");
    }
}

#[test]
fn what_is_not_run_says_why_and_names_what_is_there() {
    let (mut reasons, mut run, mut not_run) = (BTreeSet::new(), 0, 0);
    let mut helps = BTreeMap::new();
    for page in page::all() {
        run += page.commands().count();
        for span in
            prose(&page.text).split('`').skip(1).step_by(2).filter(|span| span.starts_with("tabuleiro "))
        {
            check_names(&page.path, span, &mut helps);
        }
        for block in &page.blocks {
            let BlockKind::NotRun(reason) = &block.kind else { continue };
            reasons.insert(reason.clone());
            for command in block.commands(&page.path) {
                not_run += 1;
                for part in command.text.split([';', '|', '&']) {
                    let place = format!("{}:{}", page.path, command.line);
                    check_names(&place, part.split(" #").next().unwrap(), &mut helps);
                }
            }
        }
    }
    assert_eq!(reasons, REASONS.map(str::to_owned).into(), "reasons that no block gives");
    assert!(not_run * 2 <= run, "{not_run} commands are not run, {run} are");
}

/// Checks that the subcommands, options, and repository files that a command names exist.
fn check_names(place: &str, command: &str, helps: &mut BTreeMap<String, String>) {
    let words: Vec<_> = command.split_whitespace().collect();
    for word in &words {
        let top = word.split('/').next().unwrap();
        if ["packaging", "systemd", "benches", "fuzz", "config", "examples"].contains(&top) {
            assert!(Path::new(ROOT).join(word).exists(), "{place}: there is no {word}");
        }
    }
    // In a checkout, cargo runs the program.
    let words = words
        .strip_prefix(&["cargo", "run", "--release", "--"])
        .unwrap_or_else(|| words.strip_prefix(&["tabuleiro"]).unwrap_or_default());
    let Some(subcommand) = words.first().filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
    else {
        return;
    };
    // Without the feature, the program has no such commands.
    if !cfg!(feature = "workers") && ["work", "workers"].contains(subcommand) {
        return;
    }
    let help = helps.entry((*subcommand).to_owned()).or_insert_with(|| {
        let output = tabuleiro().args([subcommand, "--help"]).output().unwrap();
        assert!(output.status.success(), "{place}: there is no command {subcommand}");
        String::from_utf8(output.stdout).unwrap()
    });
    for option in words.iter().filter(|word| word.starts_with("--")) {
        assert!(help.contains(option), "{place}: {subcommand} has no {option}");
    }
}

/// Returns the anchor of a heading, as the usual viewers make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the text of a page without its blocks.
fn prose(page: &str) -> String {
    page.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for page in page::all() {
        let folder = Path::new(&page.path).parent().unwrap();
        for target in prose(&page.text).split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if target.contains("://") {
                continue;
            }
            links += 1;
            let (path, part) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { page.path.clone().into() } else { folder.join(path) };
            let full = Path::new(ROOT).join(&path);
            assert!(full.exists(), "{}: there is no {target}", page.path);
            if !part.is_empty() {
                let text = prose(&fs::read_to_string(full).unwrap());
                let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == part);
                assert!(found, "{}: {target}: no such heading", page.path);
            }
        }
    }
    assert!(links >= 40, "{links} links");
}

#[test]
fn every_solver_has_a_page_with_its_options_and_verdicts() {
    for solver in SOLVERS {
        let path = format!("docs/solvers/{}.md", solver.id());
        let page = Page::read(&path);
        let missing = missing_options(*solver, &page);
        assert!(missing.is_empty(), "{path}: {missing:#?}");
        let shown: Vec<_> = page.commands().flat_map(|command| command.shown).collect();
        let stated = stated(*solver).page_shows;
        for verdict in stated.iter().map(String::as_str).chain(["invalid "]) {
            assert!(shown.iter().any(|line| line.starts_with(verdict)), "{path} shows no '{verdict}'");
        }
    }
}

/// Returns what a page omits: each option of its solver must appear with all its words, and in an example.
fn missing_options(solver: &dyn Solver, page: &Page) -> Vec<String> {
    let commands: Vec<_> = page.commands().map(|command| command.text).collect();
    let files: String = page
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::File(_)))
        .fold(String::new(), |all, block| all + "\n" + &block.text);
    let generates = |command: &&String| command.contains(&format!("generate {} ", solver.id()));
    let mut missing = Vec::new();
    let mut check = |option: &OptionSpec, shown: bool| {
        let mut words = vec![option.name];
        if let Range::Nothing = option.kind.range {
            words.extend(option.kind.words);
        }
        let unsaid = words.into_iter().filter(|word| !page.text.contains(&format!("`{word}`")));
        missing.extend(unsaid.map(|word| format!("`{word}` is not explained")));
        if !shown {
            missing.push(format!("no example with {}", option.name));
        }
    };
    // One page shows the options that all solvers have.
    let common = COMMON.iter().filter(|_| solver.id() == SOLVERS[0].id());
    for option in common.chain(solver.options()) {
        let set = format!("--set {}=", option.name);
        let directive = format!("#: {} = ", option.name);
        let mut solves = commands.iter().filter(|command| !generates(command));
        check(option, files.contains(&directive) || solves.any(|command| command.contains(&set)));
    }
    for option in solver.generator_options() {
        let set = format!("--set {}=", option.name);
        check(option, commands.iter().filter(generates).any(|command| command.contains(&set)));
    }
    missing
}
