//! Checks the directives of a file, and the job that they lead to under the shipped routes.

use std::path::Path;
use std::sync::LazyLock;

use tabuleiro::config::{Config, Overrides, SHIPPED, SHIPPED_ORIGIN, resolve};
use tabuleiro_puzzles::input::{
    DIRECTIVE_BYTES_MAX, DIRECTIVES_MAX, Directive, ReadDirectivesError, Scanner, read_directives,
};
use tabuleiro_puzzles::solver::SOLVERS;
use tabuleiro_puzzles::words::Language;

use super::reading::Trickle;

static CONFIG: LazyLock<Config> =
    LazyLock::new(|| Config::parse(SHIPPED, SHIPPED_ORIGIN, SOLVERS).expect("it is checked by a test"));

/// Reads the directives in one piece and in small ones, and resolves the options of a job with them.
pub fn check(data: &[u8]) {
    let found = read(Scanner::new(data, "f").expect("memory can be read"));
    assert_eq!(found, read(Scanner::new(Trickle::new(data), "f").expect("memory can be read")));
    let Ok((directives, _)) = found else { return };
    assert!(directives.len() <= DIRECTIVES_MAX);
    for directive in &directives {
        assert!(!directive.key.is_empty() && !directive.value.contains('\n'));
        // Written again in quotes, the directive stays the same.
        let line = format!("#: {} = \"{}\"\n", directive.key, directive.value);
        if !directive.value.contains('"') && line.len() < DIRECTIVE_BYTES_MAX {
            let (again, _) = read(Scanner::new(line.as_bytes(), "f").expect("memory can be read"))
                .unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!((&again[0].key, &again[0].value), (&directive.key, &directive.value), "{line}");
        }
    }
    let route = CONFIG.route(Path::new("entrada.txt")).map(|route| &**route);
    match resolve(&"f".into(), route, &directives, Overrides::default(), Language::English) {
        // Resolved options can open a reader.
        Ok(job) => drop(job.solver.open(&job.options)),
        Err(error) => printable(&error.to_string()),
    }
}

type Found = Result<(Vec<Directive>, u64), String>;

fn read(mut scanner: Scanner<'_>) -> Found {
    match read_directives(&mut scanner) {
        Ok(directives) => Ok((directives, scanner.bytes_consumed())),
        Err(ReadDirectivesError::Faulty(error)) => {
            let text = error.to_string();
            printable(&text);
            Err(text)
        }
        Err(ReadDirectivesError::Io(error)) => panic!("memory can be read: {error}"),
    }
}

/// Panics if an error has control characters other than line feeds, because errors reach logs and reports.
fn printable(text: &str) {
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
}
