//! How a file gets to the solver for which it was written: by folders and names that the routes really send there.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::resolve::{Overrides, SOLVER_KEY, resolve};
use crate::config::document::Config;
use crate::config::route::Route;
use tabuleiro_jobs::{Recognised, Summary, recognise};
use tabuleiro_puzzles::input::{Directive, printable};
use tabuleiro_puzzles::solver::{Options, SOLVERS, Solver, default_options};
use tabuleiro_puzzles::words::{Argument, Phrase, messages};

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
        let overrides = Overrides { solver: forced, ..Overrides::default() };
        let job = resolve(&"".into(), route, stray.directives, overrides, language);
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

messages! {
    "advice"
    /// For which solver a file is. Names are rules of warnings.
    pub(super) enum Advice {
        /// It alone reads all of the file.
        LooksLike = "looks-like" { solver: &'static str, puzzles: Phrase, action: Phrase },
        /// None does.
        Nobody = "nobody",
        /// By folder or by name.
        FolderOrName = "folder-or-name" { folder: Phrase, name: String },
        /// By folder.
        Folder = "folder" { folder: Phrase },
        /// By name.
        Name = "name" { name: String },
        /// By another directive than the one it has.
        Directive = "directive" { solver: &'static str },
        /// In the route of a reference.
        Route = "route" { solver: &'static str },
        /// On the command line.
        Option = "option" { solver: &'static str },
        /// A folder anywhere.
        AnyFolder = "any-folder" { folder: String },
        /// A folder of the inbox itself.
        TopFolder = "top-folder" { folder: String },
        /// So many puzzles, by the words of the solvers' pages.
        Boards = "board" { puzzles: u64 },
        /// Likewise.
        Cases = "case" { puzzles: u64 },
        /// Likewise.
        Games = "game" { puzzles: u64 },
        /// Of any other word.
        Puzzles = "puzzle" { puzzles: u64 },
    }
}

/// For which other solver the reference of a route was written, which `tried` cannot read, and how it gets there.
pub(super) fn of_reference(tried: &'static dyn Solver, names_solver: bool, text: &[u8]) -> Option<Phrase> {
    let others = SOLVERS.iter().copied().filter(|solver| *solver != tried);
    let [Recognised { solver, puzzles }] = recognise(others, || Ok(text))[..] else { return None };
    let (id, puzzles) = (solver.id(), count(solver, puzzles));
    let action = if names_solver { Advice::Directive { solver: id } } else { Advice::Route { solver: id } };
    Some(Advice::LooksLike { solver: id, puzzles, action: action.into() }.into())
}

/// So many puzzles, by the word of the solver's page.
pub(super) fn count(solver: &'static dyn Solver, puzzles: u64) -> Phrase {
    match solver.info().noun {
        "board" => Advice::Boards { puzzles },
        "case" => Advice::Cases { puzzles },
        "game" => Advice::Games { puzzles },
        _ => Advice::Puzzles { puzzles },
    }
    .into()
}

messages! {
    "rules"
    /// What other rules would answer. Names are rules of warnings.
    enum Rules {
        /// Some puzzles have another answer by them.
        Differ = "other-answers" { differing: u64, puzzles: Phrase, rules: Phrase, action: Phrase },
        /// Those of the course.
        Course = "course",
        /// Those that nobody has to choose.
        Default = "default",
        /// By name, or by directives.
        NameOrWrite = "name-or-write" { name: String, directives: Argument },
        /// By name.
        Name = "name" { name: String },
        /// By directives.
        Write = "write" { directives: Argument },
        /// By the options of a route.
        Set = "set" { options: Argument },
        /// Two things.
        And = "and" { first: Argument, second: Argument },
    }
}

/// Returns the rules of the course, or the default ones under options that mean the course's.
fn others(solver: &'static dyn Solver, options: &Options) -> Vec<(&'static str, &'static str)> {
    let course = solver.course_rules();
    if !(Goal { solver, rules: course }.is_reached(solver, options)) {
        return course.to_vec();
    }
    let specs = solver.options().iter().filter(|spec| course.iter().any(|(name, _)| *name == spec.name));
    specs.map(|spec| (spec.name, spec.default)).collect()
}

impl Config {
    /// Says how many puzzles of an answered file have another answer by other rules in use, and how the file gets these;
    /// nothing if all agree.
    #[must_use]
    pub fn other_rules(
        &self,
        file: &UnroutedFile<'_>,
        options: &Options,
        summary: &Summary,
    ) -> Option<Phrase> {
        let solver = file.tried.filter(|_| summary.differing > 0)?;
        let rules = others(solver, options);
        let missing = |write: fn(&str, &str) -> String| {
            let missing = rules.iter().filter(|rule| !is_set(options, rule));
            let written = missing.map(|(name, value)| Argument::from(write(name, value)));
            written.reduce(|first, second| Phrase::from(Rules::And { first, second }).into())
        };
        let name = file.path.and_then(|path| self.name(file, path, Goal { solver, rules: &rules }));
        let route = file.path.and_then(|path| self.route(path));
        let directives = missing(|name, value| format!("`#: {name} = {value}`"))
            .filter(|_| route.is_none_or(|route| route.allow_directives));
        let action = match (name, directives) {
            (Some(name), Some(directives)) => Rules::NameOrWrite { name, directives },
            (Some(name), None) => Rules::Name { name },
            (None, Some(directives)) => Rules::Write { directives },
            (None, None) => Rules::Set { options: missing(|name, value| format!("{name} = {value}"))? },
        };
        let who = if rules == solver.course_rules() { Rules::Course } else { Rules::Default };
        let (differing, puzzles) = (summary.differing, count(solver, summary.puzzles));
        Some(Rules::Differ { differing, puzzles, rules: who.into(), action: action.into() }.into())
    }
}
