//! The solver and the options of one job: from its route, then its directives, then the command line.

use std::fmt;
use std::sync::Arc;

use super::faults::did_you_mean;
use super::route::Route;
use crate::input::{Directive, Place, printable};
use crate::solver::{Authority, COMMON, OptionError, Options, Solver, default_options};

/// The directive that names a solver.
const SOLVER_KEY: &str = "solver";

/// Who chose a job's solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// The route that takes the file.
    Route,
    /// A directive in the file.
    Directive,
    /// The command line.
    CommandLine,
}

/// What a job is solved by and under.
#[derive(Clone)]
pub struct ResolvedJob {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// Who chose it.
    pub chosen: Chosen,
    /// All its options, the common ones and the limits included.
    pub options: Options,
}

impl fmt::Debug for ResolvedJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResolvedJob")
            .field("solver", &self.solver.id())
            .field("chosen", &self.chosen)
            .field("options", &self.options)
            .finish()
    }
}

/// Why a job has no solver or no valid options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The route allows no directives, and the file has one.
    #[error("{file}:{place}: found the directive '{key}', but the route '{route}' allows no directives")]
    Forbidden {
        /// The file as errors call it.
        file: Arc<str>,
        /// The first directive.
        place: Place,
        /// Its key.
        key: String,
        /// The route's name.
        route: String,
    },
    /// A directive names a solver that there is not.
    #[error("{file}:{place}: unknown solver '{found}'{hint}; known: {known}")]
    UnknownSolver {
        /// The file as errors call it.
        file: Arc<str>,
        /// Where it is named.
        place: Place,
        /// The name.
        found: String,
        /// The name that was probably meant, as the end of a sentence; or empty.
        hint: String,
        /// All solvers.
        known: String,
    },
    /// A directive sets what there is not.
    #[error("{file}:{place}: unknown directive '{found}'{hint}; the options of {solver}: solver, {known}")]
    UnknownDirective {
        /// The file as errors call it.
        file: Arc<str>,
        /// Where its key stands.
        place: Place,
        /// The key.
        found: String,
        /// The name that was probably meant, as the end of a sentence; or empty.
        hint: String,
        /// The job's solver.
        solver: &'static str,
        /// All options.
        known: String,
    },
    /// A directive's value is out of range, or would raise a limit.
    #[error("{file}:{place}: {error}")]
    Value {
        /// The file as errors call it.
        file: Arc<str>,
        /// Where the value stands.
        place: Place,
        /// What is wrong with it.
        error: OptionError,
    },
    /// A `--set` of the command line is wrong.
    #[error("--set {key}: {error}")]
    Set {
        /// The option.
        key: String,
        /// What is wrong with it.
        error: OptionError,
    },
    /// No route takes the file, and neither a directive nor the command line names a solver.
    #[error("no route takes the file, and no directive '#: solver = ID' names a solver; known: {known}")]
    NoSolver {
        /// All solvers.
        known: String,
    },
}

/// Puts together what a job is solved by and under. `file` is how errors call the file.
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
) -> Result<ResolvedJob, ResolveError> {
    if let (Some(route), Some(first)) = (route, directives.first())
        && !route.allow_directives()
    {
        return Err(ResolveError::Forbidden {
            file: file.clone(),
            place: first.key_place,
            key: printable(first.key.as_bytes(), 40),
            route: route.name().to_owned(),
        });
    }
    let (solver, chosen) = choose(file, route, directives, solvers, forced)?;
    let mut options = starting_options(route, solver);
    for directive in directives.iter().filter(|directive| directive.key != SOLVER_KEY) {
        apply(file, directive, solver, &mut options)?;
    }
    for (key, value) in sets {
        options
            .set(key, value, Authority::Owner)
            .map_err(|error| ResolveError::Set { key: printable(key.as_bytes(), 40), error })?;
    }
    Ok(ResolvedJob { solver, chosen, options })
}

fn choose(
    file: &Arc<str>,
    route: Option<&Route>,
    directives: &[Directive],
    solvers: &[&'static dyn Solver],
    forced: Option<&'static dyn Solver>,
) -> Result<(&'static dyn Solver, Chosen), ResolveError> {
    let known = || solvers.iter().map(|solver| solver.id()).collect::<Vec<_>>();
    // A wrong name is an error even where the command line decides: the file is wrong all the same.
    let mut named = None;
    for directive in directives.iter().filter(|directive| directive.key == SOLVER_KEY) {
        named = solvers.iter().copied().find(|solver| solver.id() == directive.value);
        if named.is_none() {
            return Err(ResolveError::UnknownSolver {
                file: file.clone(),
                place: directive.value_place,
                found: printable(directive.value.as_bytes(), 40),
                hint: did_you_mean(&directive.value, &known()),
                known: known().join(", "),
            });
        }
    }
    let choice = forced
        .map(|solver| (solver, Chosen::CommandLine))
        .or(named.map(|solver| (solver, Chosen::Directive)))
        .or(route.map(|route| (route.solver(), Chosen::Route)));
    choice.ok_or_else(|| ResolveError::NoSolver { known: known().join(", ") })
}

/// The route's options where they are the solver's; else the solver's defaults under what all solvers share.
fn starting_options(route: Option<&Route>, solver: &'static dyn Solver) -> Options {
    let Some(route) = route else { return default_options(solver) };
    if route.solver().id() == solver.id() {
        return route.options();
    }
    let mut options = default_options(solver);
    let ours = route.options();
    for (name, value) in ours.iter().filter(|(name, _)| COMMON.iter().any(|common| common.name == *name)) {
        // The value comes from the same table, so it is in range.
        let _ = options.set(name, &value.to_string(), Authority::Owner);
    }
    options
}

fn apply(
    file: &Arc<str>,
    directive: &Directive,
    solver: &'static dyn Solver,
    options: &mut Options,
) -> Result<(), ResolveError> {
    let Err(error) = options.set(&directive.key, &directive.value, Authority::Directive) else {
        return Ok(());
    };
    if options.knows(&directive.key) {
        return Err(ResolveError::Value { file: file.clone(), place: directive.value_place, error });
    }
    let names: Vec<_> = options.iter().map(|(name, _)| name).collect();
    let candidates: Vec<_> = names.iter().copied().chain([SOLVER_KEY]).collect();
    Err(ResolveError::UnknownDirective {
        file: file.clone(),
        place: directive.key_place,
        found: printable(directive.key.as_bytes(), 40),
        hint: did_you_mean(&directive.key, &candidates),
        solver: solver.id(),
        known: names.join(", "),
    })
}
