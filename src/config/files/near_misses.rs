//! Comments before the first number that look like directives, of which people are warned.

use super::resolve::SOLVER_KEY;
use tabuleiro_puzzles::input::{
    Directive, NearMiss, QUOTE_BYTES_MAX, ReadDirectivesError, Scanner, printable,
    read_directives_and_near_misses,
};
use tabuleiro_puzzles::solver::{COMMON, SOLVERS, find};
use tabuleiro_puzzles::words::{Phrase, messages};

messages! {
    "directive"
    /// What is odd about a comment.
    enum Oddity {
        /// It looks like a directive.
        NearMiss = "near-miss" { line: u64, directive: String },
    }
}

/// Reads the directives of a file and warns of comments that look like some, if they are `allowed`. Returns as well what
/// is said of the comment that seems to name the solver.
///
/// # Errors
/// Those of [`read_directives`](tabuleiro_puzzles::input::read_directives).
pub fn read_directives_warning(
    scanner: &mut Scanner<'_>,
    allowed: bool,
) -> Result<(Vec<Directive>, Option<Phrase>), ReadDirectivesError> {
    let (directives, near_misses) = read_directives_and_near_misses(scanner)?;
    let mut solver = None;
    for near in near_misses.iter().filter(|near| allowed && seems_meant(near)) {
        let Directive { key, value, key_place, .. } = &near.directive;
        let key = key.to_ascii_lowercase();
        // Who has set it knows how that is written.
        if directives.iter().any(|directive| directive.key == key) {
            continue;
        }
        let value = printable(value.as_bytes(), QUOTE_BYTES_MAX);
        let directive = format!("`#: {key} = {value}`");
        let what = Phrase::from(Oddity::NearMiss { line: key_place.line, directive });
        scanner.warn_in_result(*key_place, what.clone());
        solver = solver.or((key == SOLVER_KEY).then_some(what));
    }
    Ok((directives, solver))
}

/// Whether a comment is rather a directive: its key is known, and its value is one of that key unless a mark shows what
/// was meant.
fn seems_meant(NearMiss { directive: Directive { key, value, .. }, has_mark }: &NearMiss) -> bool {
    if key.eq_ignore_ascii_case(SOLVER_KEY) {
        return *has_mark || find(value).is_some();
    }
    let specs = SOLVERS.iter().flat_map(|solver| solver.options()).chain(COMMON);
    let mut specs = specs.filter(|spec| key.eq_ignore_ascii_case(spec.name));
    specs.any(|spec| *has_mark || spec.parse(value).is_ok())
}
