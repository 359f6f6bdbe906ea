//! An input named on the command line: opens it, reads its directives, and chooses its solver and options.

use std::cell::RefCell;
use std::fs::{File, Metadata, canonicalize};
use std::io::{self, IsTerminal, Read};
use std::path::{Component, Path, PathBuf, absolute};
use std::rc::Rc;
use std::sync::Arc;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::output::stream;
use super::summary_text::failure;
use crate::cli::arguments::{ConfigArgs, SolverId, key_value, printable_path, real_path};
use crate::cli::cli_messages::{CliMessage, say};
use crate::cli::failure::{Exit, Failure};
use crate::config::{Config, Overrides, ResolveError, ResolvedJob, UnroutedFile, read_head, resolve};
use crate::terminal_language::{chosen_language, terminal_language};
use tabuleiro_jobs::{RECOGNISED_BYTES_MAX, Rejection, recognise};
use tabuleiro_puzzles::input::{Directive, Next, Scanner};
use tabuleiro_puzzles::solver::{Choice as _, LANGUAGE, SOLVERS, Solver, find};
use tabuleiro_puzzles::words::Phrase;

/// The arguments that say how named files are read.
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
    /// Refuses a solver or option for an archive, in which each file has its own.
    ///
    /// # Errors
    /// Exit code 64 if one is given.
    pub fn refuse_choices(&self) -> Result<(), Failure> {
        if self.solver.is_none() && self.sets.is_empty() {
            return Ok(());
        }
        Err(Failure::of(Exit::Usage, CliMessage::ArchiveChoices))
    }
}

/// An input of which only the beginning has been read.
pub struct Input {
    /// What messages call the input.
    pub name: String,
    pub scanner: Scanner<'static>,
    /// The number of bytes read and, for a plain file, its size. This bar is never drawn.
    pub bytes: ProgressBar,
    /// Whether a person types the input.
    pub is_terminal: bool,
    /// `None` for standard input.
    path: Option<PathBuf>,
    /// The path that the routes match, if a route chooses the solver.
    routed: Option<PathBuf>,
    directives: Vec<Directive>,
    /// The message about a comment that looks like a directive for the solver.
    near_miss: Option<Phrase>,
    /// The beginning of an input that cannot be opened again, for the solvers that try to recognise it.
    kept: Option<Rc<RefCell<Vec<u8>>>>,
}

/// Keeps the beginning of what is read, since standard input and pipes cannot be read twice, and blanks some lines.
struct HeadRecorder<R> {
    source: R,
    kept: Option<Rc<RefCell<Vec<u8>>>>,
    /// The numbers of the lines to blank.
    blanked: Vec<u64>,
    /// The number of the line that is being read.
    line: u64,
}

impl<R: Read> Read for HeadRecorder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        if let Some(kept) = &self.kept {
            let mut kept = kept.borrow_mut();
            let room = RECOGNISED_BYTES_MAX as usize - kept.len();
            kept.extend_from_slice(&buffer[..count.min(room)]);
        }
        for byte in buffer[..count].iter_mut().filter(|_| !self.blanked.is_empty()) {
            if *byte == b'\n' {
                self.line += 1;
            } else if self.blanked.contains(&self.line) {
                *byte = b' ';
            }
        }
        Ok(count)
    }
}

impl Input {
    /// Opens the file, or standard input for `None`.
    ///
    /// # Errors
    /// Exit code 66 if the file does not exist, 74 if reading fails.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        Self::open_without(path, Vec::new())
    }

    /// Like [`Self::open`], but reads blanks in the lines with these numbers.
    ///
    /// # Errors
    /// Fails like [`Self::open`].
    pub fn open_without(path: Option<&Path>, blanked: Vec<u64>) -> Result<Self, Failure> {
        let name = path.map_or_else(|| "<stdin>".to_owned(), printable_path);
        let file = match path {
            None => stream(io::stdin()).map_err(|error| Failure::read(&name, &error))?,
            Some(path) => open(path, &name)?,
        };
        let is_terminal = file.is_terminal();
        let size = file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len());
        let bytes = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        let kept = (path.is_none() || size.is_none()).then(Rc::default);
        let source = HeadRecorder { source: bytes.wrap_read(file), kept: kept.clone(), blanked, line: 1 };
        let scanner = Scanner::new(source, name.as_str()).map_err(|error| Failure::read(&name, &error))?;
        let (path, routed, directives) = (path.map(Path::to_owned), None, Vec::new());
        let near_miss = None;
        Ok(Self { name, scanner, bytes, is_terminal, path, routed, directives, near_miss, kept })
    }

    /// Rejects a file that is not text, reads the directives, and returns the solver and options. If nothing names a
    /// solver and `recognises` is set, takes the only solver that reads the whole input.
    ///
    /// # Errors
    /// Exit code 65 if the file is wrong, 64 if the command line is wrong, 74 if reading fails.
    pub fn resolve(
        &mut self,
        config: &Config,
        reading: &ReadingArgs,
        recognises: bool,
    ) -> Result<ResolvedJob, Failure> {
        let path = self.path.as_deref().filter(|_| reading.solver.is_none());
        self.routed = path.map(|path| below_inbox(path, &config.folders.inbox));
        let route = self.routed.as_deref().and_then(|path| config.route(path)).map(Arc::as_ref);
        let read = read_head(&mut self.scanner, route);
        (self.directives, self.near_miss) = read.map_err(|error| failure(error, &self.name))?;
        let file = Arc::clone(self.scanner.name());
        let language =
            chosen_language().map(|chosen| (LANGUAGE.spec.name.to_owned(), chosen.word().to_owned()));
        let sets: Vec<_> = language.into_iter().chain(reading.sets.iter().cloned()).collect();
        let resolve_by = |directives: &[Directive], solver| {
            let overrides = Overrides { solver, sets: &sets, ..Overrides::default() };
            resolve(&file, route, directives, overrides, config.results.language)
        };
        let mut resolved = resolve_by(&self.directives, reading.solver);
        if recognises && matches!(resolved, Err(ResolveError::NoSolver(_))) {
            self.read_to_recognise();
            if let [recognised] = recognise(SOLVERS.iter().copied(), || self.beginning())[..] {
                resolved = resolve_by(&self.directives, Some(recognised.solver));
            }
        }
        resolved.map_err(|error| match error {
            ResolveError::Directive(error) => {
                Failure::rejected(&file, Rejection::directive(*error, &mut self.scanner))
            }
            ResolveError::Set(error) => Failure::set(error),
            ResolveError::NoSolver(known) => self.without_solver(config, &known),
        })
    }

    /// Reads enough of the input to recognise it, unless a person types it.
    pub fn read_to_recognise(&mut self) {
        while !self.is_terminal
            && self.scanner.bytes_consumed() < RECOGNISED_BYTES_MAX
            && self.scanner.advance().is_ok_and(|next| next != Next::End)
            && self.scanner.skip_line().is_ok()
        {}
    }

    /// Returns the error that nothing names a solver.
    fn without_solver(&mut self, config: &Config, known: &str) -> Failure {
        self.read_to_recognise();
        let found = self.near_miss.take().or_else(|| self.advice(config, None).filter(|_| !self.is_terminal));
        let advice = found.map(|found| format!("\n{}: {}", self.name, found.say(terminal_language())));
        let message = CliMessage::NoSolver { name: self.name.clone(), known: known.to_owned() };
        Failure::new(Exit::Usage, say(message) + &advice.unwrap_or_default())
    }

    /// Returns advice about the solver for which the input was written. `tried` could not read it; `None` means that
    /// nothing names a solver.
    pub fn advice(&self, config: &Config, tried: Option<&'static dyn Solver>) -> Option<Phrase> {
        config.advise(&self.unrouted_file(tried), || self.beginning())
    }

    /// Opens the input again at its beginning, or returns the part that was kept for solvers that try to recognise it.
    fn beginning(&self) -> io::Result<Box<dyn Read>> {
        Ok(match (&self.kept, &self.path) {
            (None, Some(path)) => Box::new(File::open(path)?),
            (kept, _) => {
                Box::new(io::Cursor::new(kept.as_ref().map_or_else(Vec::new, |kept| kept.borrow().clone())))
            }
        })
    }

    /// Returns what the advice needs to know about the file.
    pub fn unrouted_file(&self, tried: Option<&'static dyn Solver>) -> UnroutedFile<'_> {
        let (path, directives) = (self.routed.as_deref(), self.directives.as_slice());
        UnroutedFile { path, directives, tried, on_command_line: true }
    }
}

/// Returns the path of an argument; `None`, for `-` or no argument, means a standard stream.
pub fn named(argument: Option<&Path>) -> Option<&Path> {
    argument.filter(|path| *path != Path::new("-"))
}

/// Opens a named file.
///
/// # Errors
/// Fails with the exit codes of [`Failure::open`].
pub fn open(path: &Path, name: &str) -> Result<File, Failure> {
    let opened = File::open(path).and_then(|file| match file.metadata() {
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Ok(file),
    });
    opened.map_err(|error| match find(name) {
        Some(_) if error.kind() == io::ErrorKind::NotFound => {
            Failure::of(Exit::NoInput, CliMessage::SolverAsFile { name: name.to_owned() })
        }
        _ => Failure::open(name, &error),
    })
}

/// Returns a path as routes match it: relative to the inbox if it lies there, else without its root.
fn below_inbox(path: &Path, inbox: &Path) -> PathBuf {
    let inside =
        |path: PathBuf, inbox: io::Result<PathBuf>| path.strip_prefix(inbox.ok()?).ok().map(Path::to_owned);
    let as_written = absolute(path).ok().and_then(|path| inside(path, absolute(inbox)));
    // One of the two may be named through a link, and the other not.
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
