//! The solver and the options of one job: from its route, then its directives, then the command line.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::advice::UnroutedFile;
use super::directive_help::{Instead, in_words, meant_directive, meant_directives};
use crate::config::document::Config;
use crate::config::route::Route;
use crate::config::toml_reader::quoted;
use tabuleiro_jobs::{Job, JobError, Rejection, Sink, Summary, refuse_by_head};
use tabuleiro_puzzles::input::{
    Directive, DirectiveError, Place, ReadDirectivesError, Scanner, read_directives_and_near_misses,
};
use tabuleiro_puzzles::solver::{
    Authority, COMMON, COMPARE_RULES, Choice as _, GRADING, Hint, LANGUAGE, OptionError, OptionValue,
    Options, SOLVERS, Solver, default_options, find_among, is_of_grading, meant as likeliest,
};
use tabuleiro_puzzles::words::{Argument, Language, Phrase, messages};

/// The directive that names a solver.
pub(super) const SOLVER_KEY: &str = "solver";

/// The solver whose games have a seed.
const GAME: &str = "2048-game";

/// The solver and the options of a job.
#[derive(Debug, Clone)]
pub struct ResolvedJob {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// All options of the solver, including the common ones and the limits.
    pub options: Options,
}

/// The choices of the command line, which override routes and directives.
#[derive(Debug, Clone, Copy)]
pub struct Overrides<'a> {
    /// The solvers that directives may name.
    pub solvers: &'a [&'static dyn Solver],
    /// The solver; overrides route and directives.
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
    Directive(#[from] Box<DirectiveError>),
    /// A `--set` of the command line is wrong.
    #[error("--set: {0}")]
    Set(OptionError),
    /// No route takes the file, and neither a directive nor the command line names a solver.
    #[error("no route takes the file, and no directive '#: solver = ID' names a solver; known: {0}")]
    NoSolver(String),
}

messages! {
    "directive"
    /// Why a directive is rejected.
    enum Refusal {
        /// The route allows no directives.
        Forbidden = "forbidden" { key: String, route: String },
        /// The directive sets the seed, which a game has on its first line instead.
        Seed = "seed" { seed: String },
        /// The key is not an option of the solver.
        Unknown = "unknown" { key: String, hint: Option<Hint>, solver: &'static str, known: String },
    }
}

/// Determines the solver and the options of a job. `file` is the file's name in errors. Messages are in `language`
/// unless the route, a directive or an override sets another language.
///
/// - The solver comes from the overrides, else from a directive `solver`, else from the route.
/// - Options come from the route, then from the directives, then from the overrides; a later one wins. If the solver is
///   not the route's, only those options of the route apply that all solvers share, such as the limits and `witness`.
/// - Directives may lower limits, never raise them. Overrides may set anything in range.
///
/// # Errors
/// Fails if there is no solver, or if directives or overrides are unknown, forbidden or out of range.
pub fn resolve(
    file: &Arc<str>,
    route: Option<&Route>,
    directives: &[Directive],
    overrides: Overrides<'_>,
    language: Language,
) -> Result<ResolvedJob, ResolveError> {
    let Overrides { solvers, solver: forced, sets } = overrides;
    let wrong = |place, what: Phrase| Box::new(DirectiveError::new(file, place, what));
    if let (Some(route), Some(first)) = (route, directives.first())
        && !route.allow_directives
    {
        let refusal = Refusal::Forbidden { key: quoted(&first.key), route: route.name.clone() };
        return Err(wrong(first.key_place, refusal.into()).into());
    }
    // A wrong name is an error even if the command line chooses the solver, because the file is wrong in any case.
    let named = directives.iter().find(|directive| directive.key == SOLVER_KEY).map(|directive| {
        find_among(solvers, &directive.value).map_err(|what| {
            let instead = meant_directives(SOLVER_KEY, &directive.value, |_| true).unwrap_or_default();
            Box::new(DirectiveError { instead, ..*wrong(directive.value_place, what) })
        })
    });
    let named = named.transpose()?;
    let Some(solver) = forced.or(named).or(route.map(|route| route.solver)) else {
        let known: Vec<_> = solvers.iter().map(|solver| solver.id()).collect();
        return Err(ResolveError::NoSolver(known.join(", ")));
    };
    let mut options = starting_options(route, solver, language);
    let mut faulty = None;
    for directive in directives.iter().rev().filter(|directive| directive.key != SOLVER_KEY) {
        if let Err((place, what, instead)) = apply(directive, solver, &mut options) {
            faulty = Some(Box::new(DirectiveError { instead, also: faulty, ..*wrong(place, what) }));
        }
    }
    if let Some(error) = faulty {
        return Err(error.into());
    }
    for (key, value) in sets {
        options
            .set(key, value, Authority::Owner)
            .map_err(|error| ResolveError::Set(with_meant(error, key, value)))?;
    }
    let mut chosen = directives.iter().map(|directive| &directive.key).chain(sets.iter().map(|(key, _)| key));
    if chosen.any(|key| solver.course_rules().iter().any(|(rule, _)| rule == key)) {
        // A file that chooses its rules needs no warning about others.
        options.put(COMPARE_RULES.spec.name, OptionValue::Flag(false));
    }
    Ok(ResolvedJob { solver, options })
}

/// Adds the word that was probably meant to an error that has no hint yet.
fn with_meant(mut error: OptionError, key: &str, value: &str) -> OptionError {
    let (name, value) = meant_directive(key, value).unwrap_or_default();
    match &mut error {
        OptionError::Unknown { hint: hint @ None, .. } if !name.is_empty() => {
            *hint = Some(Hint::Meant { word: name });
        }
        OptionError::OutOfRange { hint: hint @ None, .. } if !value.is_empty() => {
            *hint = Some(Hint::Meant { word: value });
        }
        _ => {}
    }
    error
}

/// Returns the route's options if the route has this solver. Otherwise returns the solver's defaults, with the options
/// that all solvers share from the route.
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

/// Sets the option of a directive. Returns what is wrong with the directive, and the lines that it probably meant.
fn apply(
    directive: &Directive,
    solver: &'static dyn Solver,
    options: &mut Options,
) -> Result<(), (Place, Phrase, Vec<String>)> {
    let Err(error) = options.set(&directive.key, &directive.value, Authority::Directive) else {
        return Ok(());
    };
    let (key, value) = (&directive.key, &directive.value);
    let is_known = |name: &str| name == SOLVER_KEY || options.value(name).is_some();
    let all: Vec<_> = [SOLVER_KEY].into_iter().chain(options.iter().map(|(name, _)| name)).collect();
    let hint = likeliest(key, &all);
    let meant = meant_directives(key, value, is_known).or_else(|| {
        let Some(Hint::Meant { word }) = &hint else { return None };
        meant_directives(word, value, is_known)
    });
    let same = [format!("#: {key} = {value}")];
    let meant = meant.filter(|meant| *meant != same && !matches!(error, OptionError::Raised { .. }));
    // A limit that the file may not loosen is not proposed.
    let refusal = meant.iter().flatten().find_map(|line| {
        let (name, value) = line.strip_prefix("#: ")?.split_once(" = ")?;
        let error = options.clone().set(name, value, Authority::Directive).err()?;
        matches!(error, OptionError::Raised { .. }).then_some(error)
    });
    if let Some(error) = refusal {
        return Err((directive.value_place, error.into(), Vec::new()));
    }
    if let Some(lines) = meant {
        let found = format!("{} = {}", quoted(key), quoted(value));
        let directives = in_words(&lines);
        let is_number = value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty();
        let what = if is_number && is_known(key) {
            Instead::Unit { found, directives }
        } else {
            Instead::Meant { found, directives }
        };
        let is_key = !lines[0].starts_with(&format!("#: {key} = "));
        let place = if is_key { directive.key_place } else { directive.value_place };
        return Err((place, what.into(), lines));
    }
    let (place, what) = match error {
        OptionError::Unknown { .. } if is_seed(key) && solver.id() == GAME => {
            (directive.key_place, Refusal::Seed { seed: quoted(value) }.into())
        }
        OptionError::Unknown { .. } => {
            let key = quoted(&directive.key);
            // Options of grading would only confuse the reader here.
            let known: Vec<_> = all.into_iter().filter(|name| !is_of_grading(name)).collect();
            let refusal = Refusal::Unknown { key, hint, solver: solver.id(), known: known.join(", ") };
            (directive.key_place, refusal.into())
        }
        error => (directive.value_place, error.into()),
    };
    Err((place, what, Vec::new()))
}

fn is_seed(key: &str) -> bool {
    ["seed", "semente"].contains(&&*key.to_lowercase())
}

messages! {
    "directive"
    /// Messages about lines that look like directives.
    enum CommentWarning {
        /// The line is no comment, but sets an option.
        Bare = "bare" { line: u64, directive: Argument },
        /// The comment looks like a directive.
        NearMiss = "near-miss" { line: u64, directive: Argument },
    }
}

/// Reads the directives. Unless `route` forbids directives, warns about comments that look like one, and rejects the
/// file if the first line after the comments looks like one. Also returns the warning about the first comment that
/// seems to name the solver.
///
/// # Errors
/// Returns the rejection, also of a file that is not text, or why the file cannot be read.
pub fn read_head(
    scanner: &mut Scanner<'_>,
    route: Option<&Route>,
) -> Result<(Vec<Directive>, Option<Phrase>), JobError> {
    refuse_by_head(scanner)?;
    let read = read_directives_and_near_misses(scanner);
    let (directives, near_misses) = read.map_err(|error| match error {
        ReadDirectivesError::Io(error) => JobError::Read(error),
        ReadDirectivesError::Faulty(error) => Rejection::directive(meant_by(*error), scanner).into(),
    })?;
    let mut solver = None;
    for near in near_misses.iter().filter(|_| route.is_none_or(|route| route.allow_directives)) {
        let (key, value) = key_and_value(&near.text);
        let key = key.to_ascii_lowercase();
        // No warning if a correct directive sets the key.
        let is_set = directives.iter().any(|directive| directive.key == key);
        let mut names =
            SOLVERS.iter().flat_map(|solver| solver.options()).chain(COMMON).map(|spec| spec.name);
        // With a mark the line was meant as a directive, whatever the value.
        let is_option = near.has_mark && (key == SOLVER_KEY || names.any(|name| name == key));
        let written = || vec![format!("#: {key} = {}", quoted(value))];
        let meant = meant_directives(&key, value, |_| true).or_else(|| is_option.then(written));
        let Some(instead) = meant.filter(|_| !is_set) else { continue };
        let directive = in_words(&instead);
        if near.is_bare {
            let what = CommentWarning::Bare { line: near.place.line, directive };
            let error = DirectiveError::new(scanner.name(), near.place, what);
            return Err(Rejection::directive(DirectiveError { instead, ..error }, scanner).into());
        }
        let what = Phrase::from(CommentWarning::NearMiss { line: near.place.line, directive });
        scanner.warn_in_result(near.place, what.clone());
        solver = solver.or((key == SOLVER_KEY).then_some(what));
    }
    Ok((directives, solver))
}

/// Adds the directive that was meant to the error about a line without `=`, if that directive is clear.
fn meant_by(error: DirectiveError) -> DirectiveError {
    let Some(found) = &error.text else { return error };
    let (key, value) = key_and_value(found);
    // A file may not lift its limits.
    let may_be = |meant: &Vec<String>| !meant.iter().any(|line| line == "#: limits = none");
    match meant_directives(key, value, |_| true).filter(may_be) {
        Some(instead) => {
            let (found, directives) = (quoted(found), in_words(&instead));
            DirectiveError { what: Instead::Meant { found, directives }.into(), instead, ..error }
        }
        None => error,
    }
}

/// Splits a text that is not a directive into key and value, at its first `=` or colon, or else at a space.
fn key_and_value(text: &str) -> (&str, &str) {
    let at = text.find(['=', ':']).or_else(|| text.find(char::is_whitespace)).unwrap_or(text.len());
    (text[..at].trim(), text[at..].trim_start_matches(['=', ':']).trim())
}

/// A file below the inbox, or a member of an archive, whose path determines the solver.
pub struct Routed<'a, O> {
    /// The configuration.
    pub config: &'a Config,
    /// The path below the inbox.
    pub path: &'a Path,
    /// The route that takes the file.
    pub route: Option<&'a Route>,
    /// Opens the file again, to find out for which solver it was written.
    pub open: O,
}

impl<R: Read, O: Fn() -> io::Result<R>> Routed<'_, O> {
    /// Reads the head of the file, and returns the solver and options with the directives.
    ///
    /// # Errors
    /// Returns why the file cannot be answered. A directive with a wrong solver is an error even if no route takes the
    /// file.
    pub fn resolve(&self, scanner: &mut Scanner<'_>) -> Result<(ResolvedJob, Vec<Directive>), JobError> {
        let (directives, near_miss) = read_head(scanner, self.route)?;
        let (name, language) = (Arc::clone(scanner.name()), self.config.results.language);
        match resolve(&name, self.route, &directives, Overrides::default(), language) {
            Ok(job) if self.route.is_some() => Ok((job, directives)),
            Err(ResolveError::Directive(error)) => Err(Rejection::directive(*error, scanner).into()),
            Err(ResolveError::Set(error)) => Err(JobError::Read(io::Error::other(error))),
            Ok(_) | Err(ResolveError::NoSolver(_)) => {
                let advice = near_miss.or_else(|| self.advice(&directives, None));
                let tried = self.config.tried().collect();
                Err(Rejection::NoRoute { tried, advice }.into())
            }
        }
    }

    /// Answers the rest of a file whose beginning [`Self::resolve`] has read.
    ///
    /// # Errors
    /// Fails like [`tabuleiro_jobs::answer`], with a report if a solver panics or cannot read the file.
    pub fn answer(
        &self,
        scanner: &mut Scanner<'_>,
        job: &Job<'_>,
        directives: &[Directive],
        sink: &mut dyn Sink,
    ) -> Result<Summary, JobError> {
        let solver = job.solver.id();
        let advice = || self.advice(directives, Some(job.solver));
        let here = job.pool.without_guests();
        let pool = if self.route.is_some_and(|route| route.remote) { job.pool } else { &here };
        let answered = tabuleiro_jobs::answer(scanner, &Job { pool, ..*job }, sink);
        let mut summary = answered.map_err(|error| match error {
            JobError::Panicked { number, message } => {
                Rejection::solver_panicked(solver, number, message).into()
            }
            JobError::Rejected(rejection @ Rejection::NoPuzzle { .. }) => rejection.advised(advice()).into(),
            error => error,
        })?;
        scanner.drain().map_err(JobError::Read)?;
        summary.advise(solver, advice)?;
        let file = self.unrouted_file(directives, Some(job.solver));
        summary.warn(self.config.other_rules(&file, job.options, &summary));
        Ok(summary)
    }

    fn unrouted_file<'d>(
        &'d self,
        directives: &'d [Directive],
        tried: Option<&'static dyn Solver>,
    ) -> UnroutedFile<'d> {
        UnroutedFile { path: Some(self.path), directives, tried, on_command_line: false }
    }

    /// Returns advice on which solver the file was written for, if `tried` cannot read it or nothing names a solver.
    pub fn advice(&self, directives: &[Directive], tried: Option<&'static dyn Solver>) -> Option<Phrase> {
        self.config.advise(&self.unrouted_file(directives, tried), || (self.open)())
    }
}
