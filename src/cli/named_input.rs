//! An input named on the command line: opened, its directives read, and its solver and options settled.

use std::cell::RefCell;
use std::fs::{File, Metadata, canonicalize};
use std::io::{self, IsTerminal, Read};
use std::path::{Component, Path, PathBuf, absolute};
use std::rc::Rc;
use std::sync::Arc;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::output::stream;
use crate::cli::arguments::{ConfigArgs, SolverId, key_value, printable_path, real_path};
use crate::cli::failure::{Exit, Failure};
use crate::config::{
    Config, Overrides, ResolveError, ResolvedJob, UnroutedFile, read_directives_warning, resolve,
};
use tabuleiro_jobs::{RECOGNISED_BYTES_MAX, Rejection, excerpt_lines, recognise, refuse_by_head};
use tabuleiro_puzzles::input::{
    Directive, DirectiveError, Ignored, Next, ReadDirectivesError, Scanner, Warning,
};
use tabuleiro_puzzles::solver::{Problem, SOLVERS, Solver};
use tabuleiro_puzzles::words::{Language, Phrase};

/// How files that are named are read.
#[derive(Args)]
pub struct ReadingArgs {
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Solver; without it a directive in the file or the file's name decides, by the routes
    #[arg(long, value_name = "ID", value_parser = SolverId)]
    solver: Option<&'static dyn Solver>,
    /// Set an option; wins over the route and the file's directives
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    sets: Vec<(String, String)>,
}

impl ReadingArgs {
    /// Refuses choices for one file where an archive is named.
    ///
    /// # Errors
    /// 64 when anything is chosen.
    pub fn refuse_choices(&self) -> Result<(), Failure> {
        if self.solver.is_none() && self.sets.is_empty() {
            return Ok(());
        }
        let message =
            "the members of an archive are routed by their own paths; --solver and --set are for one file";
        Err(Failure::new(Exit::Usage, message))
    }
}

/// An input of which only the head was read.
pub struct Input {
    /// What messages call it.
    pub name: String,
    pub scanner: Scanner<'static>,
    /// Counts how much of it is read, of its size where it has one. It is not shown.
    pub bytes: ProgressBar,
    /// A person types it.
    pub is_terminal: bool,
    /// `None`: standard input.
    path: Option<PathBuf>,
    /// Its path as the routes see it, where they decide about it.
    routed: Option<PathBuf>,
    directives: Vec<Directive>,
    /// What is said of a comment that seems to name the solver.
    near_miss: Option<Phrase>,
    /// What was read of it, as far as it is looked at a second time.
    kept: Rc<RefCell<Vec<u8>>>,
}

/// Keeps the beginning of what is read: standard input cannot be read twice.
struct Keeping<R> {
    source: R,
    kept: Rc<RefCell<Vec<u8>>>,
}

impl<R: Read> Read for Keeping<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        let mut kept = self.kept.borrow_mut();
        let room = RECOGNISED_BYTES_MAX as usize - kept.len();
        kept.extend_from_slice(&buffer[..count.min(room)]);
        Ok(count)
    }
}

impl Input {
    /// Opens the file, or standard input for `None`.
    ///
    /// # Errors
    /// 66 when there is no such file, 74 when reading fails.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let name = path.map_or_else(|| "<stdin>".to_owned(), printable_path);
        let file = match path {
            None => stream(io::stdin()).map_err(|error| unreadable(&name, &error))?,
            Some(path) => open(path, &name)?,
        };
        let is_terminal = file.is_terminal();
        let size = file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len());
        let bytes = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        let kept = Rc::default();
        let source = Keeping { source: bytes.wrap_read(file), kept: Rc::clone(&kept) };
        let scanner = Scanner::new(source, name.as_str()).map_err(|error| unreadable(&name, &error))?;
        let (path, routed, directives) = (path.map(Path::to_owned), None, Vec::new());
        let near_miss = None;
        Ok(Self { name, scanner, bytes, is_terminal, path, routed, directives, near_miss, kept })
    }

    /// Refuses what is no text, reads the directives, and puts together what the file is solved by and under.
    ///
    /// # Errors
    /// 65 when the file is wrong, 64 when the command line is, 74 when reading fails.
    pub fn resolve(&mut self, config: &Config, reading: &ReadingArgs) -> Result<ResolvedJob, Failure> {
        self.prepare(config, reading)?;
        self.settle(config, reading, reading.solver)?.map_err(|known| self.without_solver(config, &known))
    }

    /// The same; where nobody says what solves it, the one solver does that reads all of it.
    ///
    /// # Errors
    /// Those of [`Self::resolve`].
    pub fn resolve_or_recognise(
        &mut self,
        config: &Config,
        reading: &ReadingArgs,
    ) -> Result<ResolvedJob, Failure> {
        self.prepare(config, reading)?;
        let mut settled = self.settle(config, reading, reading.solver)?;
        if settled.is_err() {
            self.read_on();
            let kept = Rc::clone(&self.kept);
            let recognised =
                recognise(SOLVERS.iter().copied(), || Ok(io::Cursor::new(kept.borrow().clone())));
            if let [recognised] = recognised[..] {
                settled = self.settle(config, reading, Some(recognised.solver))?;
            }
        }
        settled.map_err(|known| self.without_solver(config, &known))
    }

    /// Refuses what is no text, and reads the directives.
    fn prepare(&mut self, config: &Config, reading: &ReadingArgs) -> Result<(), Failure> {
        let (name, scanner) = (&self.name, &mut self.scanner);
        refuse_by_head(scanner)
            .map_err(|rejection| Failure::new(Exit::Data, format_args!("{name}: {rejection}")))?;
        self.routed = self
            .path
            .as_deref()
            .filter(|_| reading.solver.is_none())
            .map(|path| below_inbox(path, &config.folders.inbox));
        let route = self.routed.as_deref().and_then(|path| config.route(path));
        let read = read_directives_warning(scanner, route.is_none_or(|route| route.allow_directives));
        (self.directives, self.near_miss) = read.map_err(|error| match error {
            ReadDirectivesError::Io(error) => unreadable(name, &error),
            ReadDirectivesError::Faulty(error) => faulty(error, scanner),
        })?;
        Ok(())
    }

    /// Its solver and options; the IDs of all solvers where nobody says which one it is.
    fn settle(
        &mut self,
        config: &Config,
        reading: &ReadingArgs,
        forced: Option<&'static dyn Solver>,
    ) -> Result<Result<ResolvedJob, String>, Failure> {
        let route = self.routed.as_deref().and_then(|path| config.route(path)).map(Arc::as_ref);
        let file = Arc::clone(self.scanner.name());
        let overrides = Overrides { solver: forced, sets: &reading.sets, ..Overrides::default() };
        match resolve(&file, route, &self.directives, overrides, config.results.language) {
            Ok(job) => Ok(Ok(job)),
            Err(ResolveError::Directive(error)) => Err(faulty(error, &mut self.scanner)),
            Err(ResolveError::Set(error)) => Err(Failure::set(&error)),
            Err(ResolveError::NoSolver { known }) => Ok(Err(known)),
        }
    }

    /// Reads as much of it as is looked at to tell what it is; nobody is to type it all for that.
    pub fn read_on(&mut self) {
        while !self.is_terminal
            && self.scanner.bytes_consumed() < RECOGNISED_BYTES_MAX
            && self.scanner.advance().is_ok_and(|next| next != Next::End)
            && self.scanner.skip_line().is_ok()
        {}
    }

    /// Nobody says what solves it.
    fn without_solver(&mut self, config: &Config, known: &str) -> Failure {
        let mut advice = String::new();
        self.read_on();
        let found = self.near_miss.take().or_else(|| self.advice(config, None).filter(|_| !self.is_terminal));
        if let Some(found) = found {
            advice = format!("\n{}: {found}", self.name);
        }
        Failure::new(
            Exit::Usage,
            format_args!(
                "{}: no route takes it and no directive names a solver; choose with --solver ID, one of {known}{advice}",
                self.name
            ),
        )
    }

    /// For which solver it was written, of what was read of it, where `tried` cannot read it or it has none.
    pub fn advice(&self, config: &Config, tried: Option<&'static dyn Solver>) -> Option<Phrase> {
        let kept = self.kept.borrow();
        config.advise(&self.stray(tried), || Ok(&kept[..]))
    }

    /// The file as the configuration sees it.
    pub fn stray(&self, tried: Option<&'static dyn Solver>) -> UnroutedFile<'_> {
        let (path, directives) = (self.routed.as_deref(), self.directives.as_slice());
        UnroutedFile { path, directives, tried, on_command_line: true }
    }
}

/// A directive is wrong; its line follows.
fn faulty(error: DirectiveError, scanner: &mut Scanner<'_>) -> Failure {
    let told = error.to_string();
    let rejection = Rejection::directive(error, scanner);
    let excerpt = rejection.problem().map(excerpt_lines).unwrap_or_default();
    Failure::new(Exit::Data, format!("{told}\n{excerpt}").trim_end())
}

/// The file of an argument where `-` or nothing is a standard stream.
pub fn named(argument: Option<&Path>) -> Option<&Path> {
    argument.filter(|path| *path != Path::new("-"))
}

/// Reading failed.
pub fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::new(Exit::Io, format_args!("{name}: cannot read: {error}"))
}

/// What is wrong with a puzzle, and the line of the file.
pub fn problem_lines(name: &str, puzzle: u64, problem: &Problem) -> String {
    let told = problem.say(Language::English);
    let line = format!("{name}:{}: puzzle {puzzle}: {told} [{}]\n", problem.place, problem.rule());
    line + &excerpt_lines(problem)
}

/// What deserves attention, a line each.
pub fn warning_lines(name: &str, warnings: &[Warning], dropped: u64) -> String {
    let line = |warning: &Warning| format!("{name}:{}: warning: {}\n", warning.place, warning.what);
    let more = if dropped > 0 { format!("{name}: {dropped} further warnings\n") } else { String::new() };
    warnings.iter().map(line).collect::<String>() + &more
}

/// What nobody read at the end of a file.
pub fn ignored_line(name: &str, ignored: &Ignored) -> String {
    format!("{name}:{}: ignored: {}\n", ignored.place, ignored.what)
}

/// How many lines nobody read, behind how a file ended.
pub fn lines_ignored(lines: u64) -> String {
    match lines {
        0 => String::new(),
        1 => ", 1 line ignored".to_owned(),
        lines => format!(", {lines} lines ignored"),
    }
}

/// Opens a file that is named.
///
/// # Errors
/// 66 when there is no such file, 74 when it cannot be opened.
pub fn open(path: &Path, name: &str) -> Result<File, Failure> {
    let file = File::open(path).map_err(|error| {
        let exit = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
                Exit::NoInput
            }
            _ => Exit::Io,
        };
        Failure::new(exit, format_args!("{name}: cannot open: {error}"))
    })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Failure::new(Exit::NoInput, format_args!("{name}: is a folder, not a file")));
    }
    Ok(file)
}

/// A path as the routes see it: below the inbox where it lies there; elsewhere with its folders, but no root.
fn below_inbox(path: &Path, inbox: &Path) -> PathBuf {
    let inside =
        |path: PathBuf, inbox: io::Result<PathBuf>| path.strip_prefix(inbox.ok()?).ok().map(Path::to_owned);
    let as_written = absolute(path).ok().and_then(|path| inside(path, absolute(inbox)));
    // The one may be named through a link and the other not.
    let inside = as_written.or_else(|| inside(real_path(path), canonicalize(inbox)));
    inside.unwrap_or_else(|| path.components().filter(|part| matches!(part, Component::Normal(_))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_see_the_path_below_the_inbox() {
        let below = |path: &str, inbox: &str| below_inbox(Path::new(path), Path::new(inbox));
        assert_eq!(below("inbox/a/b.txt", "inbox"), Path::new("a/b.txt"));
        assert_eq!(below("/srv/in/a/b.txt", "/srv/in"), Path::new("a/b.txt"));
        assert_eq!(below("/srv/input/b.txt", "/srv/in"), Path::new("srv/input/b.txt"));
        assert_eq!(below("../x/./b.txt", "/srv/in"), Path::new("x/b.txt"));
    }
}
