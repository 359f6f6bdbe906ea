//! How a file gets to the solver for which it was written: by folders and names that the routes really send there.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::resolve::{SOLVER_KEY, resolve};
use crate::config::document::Config;
use crate::config::route::Route;
use crate::input::{Directive, printable};
use crate::job::{Recognised, recognise};
use crate::solver::{SOLVERS, Solver, default_options};
use crate::words::{Phrase, messages};

/// What a wildcard of a glob looks like in the name that is shown.
const ANYTHING: &str = "…";
/// How much of a name or folder of a glob is shown.
const SHOWN_BYTES_MAX: usize = 100;

/// A file that its solver cannot read, or that has none.
#[derive(Debug, Clone, Copy)]
pub struct Stray<'a> {
    /// Its path below the inbox, where routes decide about it.
    pub path: Option<&'a Path>,
    /// Its directives.
    pub directives: &'a [Directive],
    /// The solver that cannot read it.
    pub tried: Option<&'static dyn Solver>,
    /// Its owner may say `--solver`.
    pub on_command_line: bool,
}

messages! {
    "advice"
    /// For which solver a file is. Names are rules of warnings.
    enum Advice {
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

impl Config {
    /// For which solver a file was written that `open` opens, and how it gets there. Nothing where that cannot be told, as
    /// where several can read it.
    pub fn advise<R: Read>(&self, stray: &Stray<'_>, open: impl FnMut() -> io::Result<R>) -> Option<Phrase> {
        let others = SOLVERS.iter().copied().filter(|solver| stray.tried != Some(*solver));
        match recognise(others, open)[..] {
            [Recognised { solver, puzzles }] => {
                let (action, puzzles) = (self.action(stray, solver)?.into(), count(solver, puzzles).into());
                Some(Advice::LooksLike { solver: solver.id(), puzzles, action }.into())
            }
            [] if stray.tried.is_none() => Some(Advice::Nobody.into()),
            _ => None,
        }
    }

    /// How a file gets to a solver.
    fn action(&self, stray: &Stray<'_>, solver: &'static dyn Solver) -> Option<Advice> {
        let named = stray.directives.iter().any(|directive| directive.key == SOLVER_KEY);
        if let Some(path) = stray.path {
            if named {
                let mut directives = stray.directives.to_vec();
                let named = directives.iter_mut().filter(|directive| directive.key == SOLVER_KEY);
                named.for_each(|directive| solver.id().clone_into(&mut directive.value));
                let stray = Stray { directives: &directives, ..*stray };
                return self
                    .leads_to(&stray, path, solver)
                    .then_some(Advice::Directive { solver: solver.id() });
            }
            let (folder, name) = (self.folder(stray, path, solver), self.name(stray, path, solver));
            match (folder, name) {
                (Some(folder), Some(name)) => return Some(Advice::FolderOrName { folder, name }),
                (Some(folder), None) => return Some(Advice::Folder { folder }),
                (None, Some(name)) => return Some(Advice::Name { name }),
                (None, None) => {}
            }
        }
        let is_taken = stray.on_command_line && self.takes(stray, None, Some(solver), solver);
        is_taken.then_some(Advice::Option { solver: solver.id() })
    }

    /// A folder that sends the file there, with its name as it is.
    fn folder(&self, stray: &Stray<'_>, path: &Path, solver: &'static dyn Solver) -> Option<Phrase> {
        let name = path.file_name()?;
        let parent = path.parent().unwrap_or(Path::new(""));
        let folders = self.globs(solver).filter_map(literal_folder);
        let mut advice = folders.filter_map(|folder| {
            if !self.leads_to(stray, &Path::new(folder).join(name), solver) {
                return None;
            }
            let is_any = self.leads_to(stray, &parent.join(folder).join(name), solver);
            let folder = printable(folder.as_bytes(), SHOWN_BYTES_MAX);
            Some(if is_any { Advice::AnyFolder { folder } } else { Advice::TopFolder { folder } }.into())
        });
        advice.next()
    }

    /// A name that sends the file there from the folder it is in.
    fn name(&self, stray: &Stray<'_>, path: &Path, solver: &'static dyn Solver) -> Option<String> {
        let stem = path.file_stem()?.to_string_lossy();
        let parent = path.parent().unwrap_or(Path::new(""));
        let leads = |pattern: &str| {
            let with = |text: &str| self.leads_to(stray, &parent.join(filled(pattern, text)), solver);
            // What people put in the place of the dots. A name does not begin with its ending.
            let is_ending = pattern.starts_with('*');
            ["1", &stem, &format!("-{stem}")].iter().all(|text| with(text)) && (is_ending || with(""))
        };
        let mut names = self.globs(solver).filter_map(name_pattern).filter(|pattern| leads(pattern));
        let name = filled(names.next()?, ANYTHING);
        Some(printable(name.as_bytes(), SHOWN_BYTES_MAX))
    }

    /// The globs of the routes to a solver: of those that give it no options of its own, where there are such routes.
    fn globs(&self, solver: &'static dyn Solver) -> impl Iterator<Item = &str> {
        let is_one = move |route: &&Arc<Route>| route.solver == solver && route.grade.is_none();
        let routes = || self.routes().iter().filter(is_one);
        let has_plain = routes().any(|route| is_plain(route));
        let routes = routes().filter(move |route| !has_plain || is_plain(route));
        routes.flat_map(|route| route.files.patterns()).map(String::as_str)
    }

    /// Whether the file would be answered by a solver, was it at that path below the inbox.
    fn leads_to(&self, stray: &Stray<'_>, path: &Path, solver: &'static dyn Solver) -> bool {
        let is_ignored = path.iter().any(|part| self.intake.ignored_by(part).is_some());
        let route = self.route(path).filter(|route| route.grade.is_none());
        !is_ignored && route.is_some_and(|route| self.takes(stray, Some(route), None, solver))
    }

    /// Whether the file's directives let it come to a solver.
    fn takes(
        &self,
        stray: &Stray<'_>,
        route: Option<&Route>,
        forced: Option<&'static dyn Solver>,
        solver: &'static dyn Solver,
    ) -> bool {
        let language = self.results.language;
        let job = resolve(&"".into(), route, stray.directives, &[], SOLVERS, forced, language);
        job.is_ok_and(|job| job.solver == solver)
    }
}

fn count(solver: &'static dyn Solver, puzzles: u64) -> Advice {
    match solver.info().noun {
        "board" => Advice::Boards { puzzles },
        "case" => Advice::Cases { puzzles },
        "game" => Advice::Games { puzzles },
        _ => Advice::Puzzles { puzzles },
    }
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
