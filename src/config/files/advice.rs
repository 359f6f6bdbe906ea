//! Advice on how a file reaches the solver for which it was written: folders and names that the routes really take.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::resolve::{Overrides, SOLVER_KEY, resolve};
use crate::config::document::Config;
use crate::config::route::Route;
use tabuleiro_jobs::{Recognised, Summary, puzzle_count, puzzles_in_lines, recognise};
use tabuleiro_puzzles::input::{Directive, Warning, printable};
use tabuleiro_puzzles::solver::{Options, SOLVERS, Solver, default_options};
use tabuleiro_puzzles::words::{Argument, Phrase, messages};

/// Stands for a wildcard of a glob in a name that is shown.
const ANYTHING: &str = "…";
/// The maximum number of bytes shown of a glob's name or folder.
const SHOWN_BYTES_MAX: usize = 100;

/// A file without a solver, one that its solver cannot read, or one that its solver answers by other rules.
#[derive(Debug, Clone, Copy)]
pub struct UnroutedFile<'a> {
    /// The path below the inbox, if routes choose the solver.
    pub path: Option<&'a Path>,
    /// The directives in the file.
    pub directives: &'a [Directive],
    /// The solver that was tried.
    pub tried: Option<&'static dyn Solver>,
    /// Whether the user can add `--solver`.
    pub on_command_line: bool,
}

/// The solver that should answer a file, and the options that the file needs. Other options do not matter.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    pub solver: &'static dyn Solver,
    pub rules: &'a [(&'static str, &'static str)],
}

impl Config {
    /// Returns for which solver the file that `open` opens was written, and how it reaches that solver. Returns `None`
    /// if this is unclear, for example because several solvers can read the file.
    pub fn advise<R: Read>(
        &self,
        file: &UnroutedFile<'_>,
        mut open: impl FnMut() -> io::Result<R>,
    ) -> Option<Phrase> {
        let others = SOLVERS.iter().copied().filter(|solver| file.tried != Some(*solver));
        let mut recognised = recognise(others, &mut open);
        // Keeps only solvers that read more puzzles, each on lines of its own, than the solver that was tried.
        let valid = file.tried.map_or(0, |tried| open().map_or(0, |file| puzzles_in_lines(tried, file)));
        recognised.retain(|other| other.puzzles > valid);
        match recognised[..] {
            [Recognised { solver, puzzles }] => {
                let (action, puzzles) =
                    (self.action(file, solver)?.into(), puzzle_count(solver.info().noun, puzzles));
                Some(Advice::LooksLike { solver: solver.id(), puzzles, action }.into())
            }
            [] if file.tried.is_none() => Some(Advice::Nobody.into()),
            _ => None,
        }
    }

    /// Returns how a file reaches a solver.
    fn action(&self, file: &UnroutedFile<'_>, solver: &'static dyn Solver) -> Option<Advice> {
        let named = file.directives.iter().any(|directive| directive.key == SOLVER_KEY);
        let goal = Goal { solver, rules: &[] };
        if let Some(path) = file.path {
            if named {
                let mut directives = file.directives.to_vec();
                let named = directives.iter_mut().filter(|directive| directive.key == SOLVER_KEY);
                named.for_each(|directive| solver.id().clone_into(&mut directive.value));
                let file = UnroutedFile { directives: &directives, ..*file };
                return self.leads_to(&file, path, goal).then_some(Advice::Directive { solver: solver.id() });
            }
            let (folder, name) = (self.folder(file, path, goal), self.name(file, path, goal));
            match (folder, name) {
                (Some(folder), Some(name)) => return Some(Advice::FolderOrName { folder, name }),
                (Some(folder), None) => return Some(Advice::Folder { folder }),
                (None, Some(name)) => return Some(Advice::Name { name }),
                (None, None) => {}
            }
        }
        let is_taken = file.on_command_line && self.takes(file, None, Some(solver), goal);
        is_taken.then_some(Advice::Option { solver: solver.id() })
    }

    /// Returns a folder in which the file, with its current name, reaches the goal.
    fn folder(&self, file: &UnroutedFile<'_>, path: &Path, goal: Goal<'_>) -> Option<Phrase> {
        let name = path.file_name()?;
        let parent = path.parent().unwrap_or(Path::new(""));
        let folders = self.globs(goal).filter_map(literal_folder);
        let mut advice = folders.filter_map(|folder| {
            if !self.leads_to(file, &Path::new(folder).join(name), goal) {
                return None;
            }
            let is_any = self.leads_to(file, &parent.join(folder).join(name), goal);
            let folder = printable(folder.as_bytes(), SHOWN_BYTES_MAX);
            Some(if is_any { Advice::AnyFolder { folder } } else { Advice::TopFolder { folder } }.into())
        });
        advice.next()
    }

    /// Returns a name with which the file, in its current folder, reaches the goal.
    pub(super) fn name(&self, file: &UnroutedFile<'_>, path: &Path, goal: Goal<'_>) -> Option<String> {
        let stem = path.file_stem()?.to_string_lossy();
        let parent = path.parent().unwrap_or(Path::new(""));
        let leads = |pattern: &str| {
            let with = |text: &str| self.leads_to(file, &parent.join(filled(pattern, text)), goal);
            // Tries what people may write in place of the dots. A name must not consist of its ending alone.
            let is_ending = pattern.starts_with('*');
            ["1", &stem, &format!("-{stem}")].iter().all(|text| with(text)) && (is_ending || with(""))
        };
        let mut names = self.globs(goal).filter_map(name_pattern).filter(|pattern| leads(pattern));
        let name = filled(names.next()?, ANYTHING);
        Some(printable(name.as_bytes(), SHOWN_BYTES_MAX))
    }

    /// Returns the globs of the routes that reach a goal. If some of these routes keep the solver's own options at
    /// their defaults, returns only the globs of those.
    fn globs<'s>(&'s self, goal: Goal<'s>) -> impl Iterator<Item = &'s str> {
        let is_one =
            move |route: &&Arc<Route>| route.grade.is_none() && goal.is_reached(route.solver, &route.options);
        let routes = || self.routes().iter().filter(is_one);
        let has_plain = routes().any(|route| is_plain(route));
        let routes = routes().filter(move |route| !has_plain || is_plain(route));
        routes.flat_map(|route| route.files.patterns()).map(String::as_str)
    }

    /// Returns whether the file would reach a goal from the given path below the inbox.
    fn leads_to(&self, file: &UnroutedFile<'_>, path: &Path, goal: Goal<'_>) -> bool {
        let is_ignored = path.iter().any(|part| self.intake.ignore.first_match(part).is_some());
        let route = self.route(path).filter(|route| route.grade.is_none());
        !is_ignored && route.is_some_and(|route| self.takes(file, Some(route), None, goal))
    }

    /// Returns whether the file, with its directives, reaches a goal by a route or a forced solver.
    fn takes(
        &self,
        file: &UnroutedFile<'_>,
        route: Option<&Route>,
        forced: Option<&'static dyn Solver>,
        goal: Goal<'_>,
    ) -> bool {
        let language = self.results.language;
        let overrides = Overrides { solver: forced, ..Overrides::default() };
        let job = resolve(&"".into(), route, file.directives, overrides, language);
        job.is_ok_and(|job| goal.is_reached(job.solver, &job.options))
    }

    /// Returns how many puzzles of an answered file have another answer under the other common rules, and how the file
    /// gets these rules; `None` if all answers agree.
    pub fn other_rules(
        &self,
        file: &UnroutedFile<'_>,
        options: &Options,
        summary: &Summary,
    ) -> Option<Phrase> {
        // What another warning is about can be why the answers differ.
        let is_of_directive =
            |warning: &Warning| ["near-miss", "late-directive"].contains(&warning.what.name);
        let has_tried = summary.warnings.iter().any(is_of_directive);
        let solver = file.tried.filter(|_| summary.differing > 0 && !has_tried)?;
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
        let (differing, puzzles) = (summary.differing, puzzle_count(solver.info().noun, summary.puzzles));
        Some(Rules::Differ { differing, puzzles, rules: who.into(), action: action.into() }.into())
    }
}

impl Goal<'_> {
    /// Returns whether a solver with these options meets the goal.
    pub(super) fn is_reached(&self, solver: &'static dyn Solver, options: &Options) -> bool {
        self.solver == solver && self.rules.iter().all(|rule| is_set(options, rule))
    }
}

/// Returns whether an option has a value.
pub(super) fn is_set(options: &Options, (name, value): &(&str, &str)) -> bool {
    options.value(name).is_some_and(|set| set.to_string() == *value)
}

/// Returns whether a route keeps its solver's own options at their defaults.
fn is_plain(route: &Route) -> bool {
    let defaults = default_options(route.solver);
    let mut own = route.solver.options().iter();
    own.all(|spec| defaults.value(spec.name) == route.options.value(spec.name))
}

/// Returns the folder of a glob that takes everything in one folder: `jump-game` for `**/jump-game/**`.
fn literal_folder(glob: &str) -> Option<&str> {
    let folder = glob.strip_prefix("**/").unwrap_or(glob);
    let folder = ["/**/*", "/**", "/*"].iter().find_map(|end| folder.strip_suffix(end))?;
    (!folder.is_empty() && !folder.contains(['*', '?', '[', ']', '{', '}', '\\'])).then_some(folder)
}

/// Returns the part of a glob that matches names, if it contains letters and no wildcard other than `*`.
fn name_pattern(glob: &str) -> Option<&str> {
    let name = glob.rsplit('/').next()?;
    let is_hard = name.contains(['?', '[', ']', '{', '}', '\\']);
    (!is_hard && name.contains(char::is_alphanumeric)).then_some(name)
}

/// Returns a name for a pattern, with `with` in place of each wildcard, and with an ending.
fn filled(pattern: &str, with: &str) -> String {
    let (stem, ending) = match pattern.strip_suffix(".*") {
        Some(stem) => (stem, ".txt"),
        None => (pattern, if pattern.ends_with('*') { ".txt" } else { "" }),
    };
    stem.replace('*', with) + ending
}

messages! {
    "advice"
    /// Advice on the solver of a file. The names are the rules of warnings.
    pub(super) enum Advice {
        /// Only this solver reads the whole file.
        LooksLike = "looks-like" { solver: &'static str, puzzles: Phrase, action: Phrase },
        /// No solver reads it.
        Nobody = "nobody",
        /// Use a folder or a name.
        FolderOrName = "folder-or-name" { folder: Phrase, name: String },
        /// Use a folder.
        Folder = "folder" { folder: Phrase },
        /// Use a name.
        Name = "name" { name: String },
        /// Change the directive that the file has.
        Directive = "directive" { solver: &'static str },
        /// Change the route of a reference.
        Route = "route" { solver: &'static str },
        /// Use the command line.
        Option = "option" { solver: &'static str },
        /// A folder anywhere in the inbox.
        AnyFolder = "any-folder" { folder: String },
        /// A folder at the top of the inbox.
        TopFolder = "top-folder" { folder: String },
    }
}

/// Returns for which solver other than `tried` the reference of a route was written, and how it reaches that solver.
pub(super) fn of_reference(tried: &'static dyn Solver, names_solver: bool, text: &[u8]) -> Option<Phrase> {
    let others = SOLVERS.iter().copied().filter(|solver| *solver != tried);
    let [Recognised { solver, puzzles }] = recognise(others, || Ok(text))[..] else { return None };
    let (id, puzzles) = (solver.id(), puzzle_count(solver.info().noun, puzzles));
    let action = if names_solver { Advice::Directive { solver: id } } else { Advice::Route { solver: id } };
    Some(Advice::LooksLike { solver: id, puzzles, action: action.into() }.into())
}

messages! {
    "rules"
    /// How other rules would answer a file. The names are the rules of warnings.
    enum Rules {
        /// Some puzzles have another answer under these rules.
        Differ = "other-answers" { differing: u64, puzzles: Phrase, rules: Phrase, action: Phrase },
        /// The rules of the course.
        Course = "course",
        /// The default rules.
        Default = "default",
        /// Use a name, or directives.
        NameOrWrite = "name-or-write" { name: String, directives: Argument },
        /// Use a name.
        Name = "name" { name: String },
        /// Use directives.
        Write = "write" { directives: Argument },
        /// Set options of the route.
        Set = "set" { options: Argument },
        /// Joins two directives or options.
        And = "and" { first: Argument, second: Argument },
    }
}

/// Returns the rules to compare with: those of the course, or the defaults if the options already are the course's.
fn others(solver: &'static dyn Solver, options: &Options) -> Vec<(&'static str, &'static str)> {
    let course = solver.course_rules();
    if !(Goal { solver, rules: course }.is_reached(solver, options)) {
        return course.to_vec();
    }
    let specs = solver.options().iter().filter(|spec| course.iter().any(|(name, _)| *name == spec.name));
    specs.map(|spec| (spec.name, spec.default)).collect()
}
