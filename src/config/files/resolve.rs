//! The solver and the options of one job: from its route, then its directives, then the command line.

use std::sync::Arc;

use crate::config::faults::quoted;
use crate::config::route::Route;
use tabuleiro_puzzles::input::{
    Directive, DirectiveError, NearMiss, Place, QUOTE_BYTES_MAX, ReadDirectivesError, Scanner, printable,
    read_directives_and_near_misses,
};
use tabuleiro_puzzles::solver::{
    Authority, COMMON, COMPARE_RULES, Choice as _, GRADING, Hint, LANGUAGE, OptionError, OptionValue,
    Options, SOLVERS, Solver, default_options, find, find_among, is_of_grading, meant,
};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// The directive that names a solver.
pub(super) const SOLVER_KEY: &str = "solver";

/// What a job is solved by and under.
#[derive(Debug, Clone)]
pub struct ResolvedJob {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// All its options, the common ones and the limits included.
    pub options: Options,
}

/// What wins over routes and directives: the choices of the command line.
#[derive(Debug, Clone, Copy)]
pub struct Overrides<'a> {
    /// The solvers that directives may name.
    pub solvers: &'a [&'static dyn Solver],
    /// The solver, whatever else says so.
    pub solver: Option<&'static dyn Solver>,
    /// Options with their values.
    pub sets: &'a [(String, String)],
}

impl Default for Overrides<'_> {
    fn default() -> Self {
        Self { solvers: SOLVERS, solver: None, sets: &[] }
    }
}

/// Why a job has no solver or no valid options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// A directive is forbidden, unknown or out of range, or would raise a limit.
    #[error(transparent)]
    Directive(#[from] DirectiveError),
    /// A `--set` of the command line is wrong.
    #[error("--set: {0}")]
    Set(OptionError),
    /// No route takes the file, and neither a directive nor the command line names a solver.
    #[error("no route takes the file, and no directive '#: solver = ID' names a solver; known: {known}")]
    NoSolver {
        /// All solvers.
        known: String,
    },
}

messages! {
    "directive"
    /// Why a directive is refused.
    enum Refusal {
        /// The route allows none.
        Forbidden = "forbidden" { key: String, route: String },
        /// It names no option of the solver.
        Unknown = "unknown" { key: String, hint: Option<Hint>, solver: &'static str, known: String },
    }
}

/// Finds the solver and the options of a job. Errors call the file `file`. Messages are in `language` unless a route, a directive or
/// an override says otherwise.
///
/// - The solver is that of the overrides, else of a directive `solver`, else of the route.
/// - Options are those of the route, then of the directives, then of the overrides; a later one wins. If the solver is not the
///   route's, only the options that all solvers share apply: the limits, which directives may still only lower, and `witness`.
/// - Directives may lower limits, never raise them. Overrides may set anything in range.
///
/// # Errors
/// If there is no solver, or at the first directive or override that is unknown, forbidden or out of range.
pub fn resolve(
    file: &Arc<str>,
    route: Option<&Route>,
    directives: &[Directive],
    overrides: Overrides<'_>,
    language: Language,
) -> Result<ResolvedJob, ResolveError> {
    let Overrides { solvers, solver: forced, sets } = overrides;
    let wrong = |(place, what)| DirectiveError { file: file.clone(), place, what };
    if let (Some(route), Some(first)) = (route, directives.first())
        && !route.allow_directives
    {
        let refusal = Refusal::Forbidden { key: quoted(&first.key), route: route.name.clone() };
        return Err(wrong((first.key_place, refusal.into())).into());
    }
    let named = named(directives, solvers).map_err(wrong)?;
    let Some(solver) = forced.or(named).or(route.map(|route| route.solver)) else {
        let known: Vec<_> = solvers.iter().map(|solver| solver.id()).collect();
        return Err(ResolveError::NoSolver { known: known.join(", ") });
    };
    let mut options = starting_options(route, solver, language);
    for directive in directives.iter().filter(|directive| directive.key != SOLVER_KEY) {
        apply(directive, solver, &mut options).map_err(wrong)?;
    }
    for (key, value) in sets {
        options.set(key, value, Authority::Owner).map_err(ResolveError::Set)?;
    }
    let mut chosen = directives.iter().map(|directive| &directive.key).chain(sets.iter().map(|(key, _)| key));
    if chosen.any(|key| solver.course_rules().iter().any(|(rule, _)| rule == key)) {
        // Who chooses the rules of this very file need not be told of others.
        options.put(COMPARE_RULES.spec.name, OptionValue::Flag(false));
    }
    Ok(ResolvedJob { solver, options })
}

/// The solver that the directives name. A wrong name is an error even where the command line decides: the file is
/// wrong all the same.
fn named(
    directives: &[Directive],
    solvers: &[&'static dyn Solver],
) -> Result<Option<&'static dyn Solver>, (Place, Phrase)> {
    let directive = directives.iter().find(|directive| directive.key == SOLVER_KEY);
    let named = directive
        .map(|directive| find_among(solvers, &directive.value).map_err(|what| (directive.value_place, what)));
    named.transpose()
}

/// The route's options where they are the solver's; else the solver's defaults under what all solvers share.
fn starting_options(route: Option<&Route>, solver: &'static dyn Solver, language: Language) -> Options {
    let mut options = default_options(solver);
    let Some(route) = route else {
        options.put(LANGUAGE.spec.name, OptionValue::Word(language.word()));
        return options;
    };
    if route.solver == solver {
        return route.options.clone();
    }
    let shared = |name: &str| COMMON.iter().chain(GRADING).any(|spec| spec.name == name);
    for (name, value) in route.options.iter().filter(|(name, _)| shared(name)) {
        options.put(name, value);
    }
    options
}

fn apply(
    directive: &Directive,
    solver: &'static dyn Solver,
    options: &mut Options,
) -> Result<(), (Place, Phrase)> {
    options.set(&directive.key, &directive.value, Authority::Directive).map_err(|error| match error {
        OptionError::Unknown { .. } => {
            let all: Vec<_> = [SOLVER_KEY].into_iter().chain(options.iter().map(|(name, _)| name)).collect();
            let (key, hint) = (quoted(&directive.key), meant(&directive.key, &all));
            // Who wants answers is not told of what grades them.
            let known: Vec<_> = all.into_iter().filter(|name| !is_of_grading(name)).collect();
            let refusal = Refusal::Unknown { key, hint, solver: solver.id(), known: known.join(", ") };
            (directive.key_place, refusal.into())
        }
        error => (directive.value_place, error.into()),
    })
}

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
