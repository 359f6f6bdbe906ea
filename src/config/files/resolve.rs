//! The solver and the options of one job: from its route, then its directives, then the command line.

use std::sync::Arc;

use crate::config::faults::quoted;
use crate::config::route::Route;
use tabuleiro_puzzles::input::{Directive, DirectiveError, Place};
use tabuleiro_puzzles::solver::{
    Authority, COMMON, COMPARE_RULES, Choice as _, GRADING, Hint, LANGUAGE, OptionError, OptionValue,
    Options, Solver, default_options, find_among, is_of_grading, meant,
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

/// Puts together what a job is solved by and under. `file` is how errors call the file, `language` what people are told
/// in where neither a route nor anything else says so.
///
/// - The solver is the command line's `forced`, else that of a directive `solver`, else the route's.
/// - Options are those of the route, then the directives', then `sets`; a later one wins. When the solver is
///   not the route's, the route's options do not apply, but what all solvers share does: its limits, which
///   stay ceilings for directives, and `witness`.
/// - Directives may lower limits, never raise them; `sets` are the owner's and may set anything in range.
///
/// # Errors
/// When there is no solver, or at the first directive or set that is unknown, forbidden or out of range.
pub fn resolve(
    file: &Arc<str>,
    route: Option<&Route>,
    directives: &[Directive],
    sets: &[(String, String)],
    solvers: &[&'static dyn Solver],
    forced: Option<&'static dyn Solver>,
    language: Language,
) -> Result<ResolvedJob, ResolveError> {
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
