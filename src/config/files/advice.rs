//! How a file gets to the solver for which it was written: by folders and names that the routes really send there.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::looks_like::{Advice, count};
use super::resolve::{SOLVER_KEY, resolve};
use crate::config::document::Config;
use crate::config::route::Route;
use tabuleiro_jobs::{Recognised, recognise};
use tabuleiro_puzzles::input::{Directive, printable};
use tabuleiro_puzzles::solver::{Options, SOLVERS, Solver, default_options};
use tabuleiro_puzzles::words::Phrase;

/// What a wildcard of a glob looks like in the name that is shown.
const ANYTHING: &str = "…";
/// How much of a name or folder of a glob is shown.
const SHOWN_BYTES_MAX: usize = 100;

/// A file that its solver cannot read or answers by other rules, or that has none.
#[derive(Debug, Clone, Copy)]
pub struct UnroutedFile<'a> {
    /// Its path below the inbox, where routes decide about it.
    pub path: Option<&'a Path>,
    /// Its directives.
    pub directives: &'a [Directive],
    /// The solver that cannot read it.
    pub tried: Option<&'static dyn Solver>,
    /// Its owner may say `--solver`.
    pub on_command_line: bool,
}

/// What is to answer a file: a solver, under options of which only these matter.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    pub solver: &'static dyn Solver,
    pub rules: &'a [(&'static str, &'static str)],
}

impl Config {
    /// For which solver a file was written that `open` opens, and how it gets there. Nothing where that cannot be told, as
    /// where several can read it.
    pub fn advise<R: Read>(
        &self,
        stray: &UnroutedFile<'_>,
        open: impl FnMut() -> io::Result<R>,
    ) -> Option<Phrase> {
        let others = SOLVERS.iter().copied().filter(|solver| stray.tried != Some(*solver));
        match recognise(others, open)[..] {
            [Recognised { solver, puzzles }] => {
                let (action, puzzles) = (self.action(stray, solver)?.into(), count(solver, puzzles));
                Some(Advice::LooksLike { solver: solver.id(), puzzles, action }.into())
            }
            [] if stray.tried.is_none() => Some(Advice::Nobody.into()),
            _ => None,
        }
    }

    /// How a file gets to a solver.
    fn action(&self, stray: &UnroutedFile<'_>, solver: &'static dyn Solver) -> Option<Advice> {
        let named = stray.directives.iter().any(|directive| directive.key == SOLVER_KEY);
        if let Some(path) = stray.path {
            if named {
                let mut directives = stray.directives.to_vec();
                let named = directives.iter_mut().filter(|directive| directive.key == SOLVER_KEY);
                named.for_each(|directive| solver.id().clone_into(&mut directive.value));
                let stray = UnroutedFile { directives: &directives, ..*stray };
                return self
                    .leads_to(&stray, path, Goal { solver, rules: &[] })
                    .then_some(Advice::Directive { solver: solver.id() });
            }
            let goal = Goal { solver, rules: &[] };
            let (folder, name) = (self.folder(stray, path, goal), self.name(stray, path, goal));
            match (folder, name) {
                (Some(folder), Some(name)) => return Some(Advice::FolderOrName { folder, name }),
                (Some(folder), None) => return Some(Advice::Folder { folder }),
                (None, Some(name)) => return Some(Advice::Name { name }),
                (None, None) => {}
            }
        }
        let goal = Goal { solver, rules: &[] };
        let is_taken = stray.on_command_line && self.takes(stray, None, Some(solver), goal);
        is_taken.then_some(Advice::Option { solver: solver.id() })
    }

    /// A folder that sends the file there, with its name as it is.
    fn folder(&self, stray: &UnroutedFile<'_>, path: &Path, goal: Goal<'_>) -> Option<Phrase> {
        let name = path.file_name()?;
        let parent = path.parent().unwrap_or(Path::new(""));
        let folders = self.globs(goal).filter_map(literal_folder);
        let mut advice = folders.filter_map(|folder| {
            if !self.leads_to(stray, &Path::new(folder).join(name), goal) {
                return None;
            }
            let is_any = self.leads_to(stray, &parent.join(folder).join(name), goal);
            let folder = printable(folder.as_bytes(), SHOWN_BYTES_MAX);
            Some(if is_any { Advice::AnyFolder { folder } } else { Advice::TopFolder { folder } }.into())
        });
        advice.next()
    }

    /// A name that sends the file there from the folder it is in.
    pub(super) fn name(&self, stray: &UnroutedFile<'_>, path: &Path, goal: Goal<'_>) -> Option<String> {
        let stem = path.file_stem()?.to_string_lossy();
        let parent = path.parent().unwrap_or(Path::new(""));
        let leads = |pattern: &str| {
            let with = |text: &str| self.leads_to(stray, &parent.join(filled(pattern, text)), goal);
            // What people put in the place of the dots. A name does not begin with its ending.
            let is_ending = pattern.starts_with('*');
            ["1", &stem, &format!("-{stem}")].iter().all(|text| with(text)) && (is_ending || with(""))
        };
        let mut names = self.globs(goal).filter_map(name_pattern).filter(|pattern| leads(pattern));
        let name = filled(names.next()?, ANYTHING);
        Some(printable(name.as_bytes(), SHOWN_BYTES_MAX))
    }

    /// The globs of the routes to a goal: of those that give the solver no options of its own, where there are such routes.
    fn globs<'s>(&'s self, goal: Goal<'s>) -> impl Iterator<Item = &'s str> {
        let is_one =
            move |route: &&Arc<Route>| route.grade.is_none() && goal.is_reached(route.solver, &route.options);
        let routes = || self.routes().iter().filter(is_one);
        let has_plain = routes().any(|route| is_plain(route));
        let routes = routes().filter(move |route| !has_plain || is_plain(route));
        routes.flat_map(|route| route.files.patterns()).map(String::as_str)
    }

    /// Whether the file would reach a goal, was it at that path below the inbox.
    fn leads_to(&self, stray: &UnroutedFile<'_>, path: &Path, goal: Goal<'_>) -> bool {
        let is_ignored = path.iter().any(|part| self.intake.ignored_by(part).is_some());
        let route = self.route(path).filter(|route| route.grade.is_none());
        !is_ignored && route.is_some_and(|route| self.takes(stray, Some(route), None, goal))
    }

    /// Whether the file's directives let it reach a goal.
    fn takes(
        &self,
        stray: &UnroutedFile<'_>,
        route: Option<&Route>,
        forced: Option<&'static dyn Solver>,
        goal: Goal<'_>,
    ) -> bool {
        let language = self.results.language;
        let job = resolve(&"".into(), route, stray.directives, &[], SOLVERS, forced, language);
        job.is_ok_and(|job| goal.is_reached(job.solver, &job.options))
    }
}

impl Goal<'_> {
    /// Whether a solver under these options is it.
    pub(super) fn is_reached(&self, solver: &'static dyn Solver, options: &Options) -> bool {
        self.solver == solver && self.rules.iter().all(|rule| is_set(options, rule))
    }
}

/// Whether an option has a value.
pub(super) fn is_set(options: &Options, (name, value): &(&str, &str)) -> bool {
    options.value(name).is_some_and(|set| set.to_string() == *value)
}

/// Whether a route leaves its solver's own options as they are.
fn is_plain(route: &Route) -> bool {
    let defaults = default_options(route.solver);
    let mut own = route.solver.options().iter();
    own.all(|spec| defaults.value(spec.name) == route.options.value(spec.name))
}

/// The folder of a glob that takes everything in a folder: `jump-game` of `**/jump-game/**`.
fn literal_folder(glob: &str) -> Option<&str> {
    let folder = glob.strip_prefix("**/").unwrap_or(glob);
    let folder = ["/**/*", "/**", "/*"].iter().find_map(|end| folder.strip_suffix(end))?;
    (!folder.is_empty() && !folder.contains(['*', '?', '[', ']', '{', '}', '\\'])).then_some(folder)
}

/// The part of a glob that names are compared with, where it has letters, and no wildcard but `*`.
fn name_pattern(glob: &str) -> Option<&str> {
    let name = glob.rsplit('/').next()?;
    let is_hard = name.contains(['?', '[', ']', '{', '}', '\\']);
    (!is_hard && name.contains(char::is_alphanumeric)).then_some(name)
}

/// A name with something in the place of what may be anything; with an ending where it has none.
fn filled(pattern: &str, with: &str) -> String {
    let (stem, ending) = match pattern.strip_suffix(".*") {
        Some(stem) => (stem, ".txt"),
        None => (pattern, if pattern.ends_with('*') { ".txt" } else { "" }),
    };
    stem.replace('*', with) + ending
}
