//! What several subcommands are given: the configuration, a solver, settings, paths.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, Error};
use clap_complete::{ArgValueCandidates, CompletionCandidate};

use super::failure::{Exit, Failure};
use crate::config::{self, Config, Located, SHIPPED, SHIPPED_ORIGIN};
use tabuleiro_puzzles::solver::{SOLVERS, Solver, did_you_mean, find_among};

// A constant, since the lints take the name of the variable in a comment for code.
const CONFIG_HELP: &str = "Configuration file; without it config/tabuleiro.toml below the current directory, else \
     $XDG_CONFIG_HOME/tabuleiro/tabuleiro.toml (~/.config/tabuleiro/tabuleiro.toml), else \
     /etc/tabuleiro/tabuleiro.toml, else the shipped one";

/// Which configuration a subcommand uses.
#[derive(Args)]
pub(super) struct ConfigArgs {
    #[arg(long, value_name = "FILE", help = CONFIG_HELP)]
    pub(super) config: Option<PathBuf>,
}

impl ConfigArgs {
    /// Finds and reads the configuration.
    pub(super) fn load(&self) -> Result<Config, Failure> {
        load(self.config.as_deref())
    }

    /// Reads the configuration that is named, else the shipped one. Who is graded may control every other place.
    pub(super) fn load_if_named(&self) -> Result<Config, Failure> {
        match &self.config {
            Some(path) => load(Some(path)),
            None => Ok(Config::parse(SHIPPED, SHIPPED_ORIGIN, SOLVERS)?),
        }
    }
}

/// What the help of `grade` and `validate` says of `--config`: see [`ConfigArgs::load_if_named`].
pub(super) const NAMED_CONFIG_HELP: &str =
    "Configuration file; without it the shipped one, whatever lies in the current directory";

/// Finds and reads the configuration.
pub(super) fn load(path: Option<&Path>) -> Result<Config, Failure> {
    let (located, cwd) = locate(path)?;
    Ok(Config::parse(&located.text, &located.origin(), SOLVERS)?.placed(&located, &cwd))
}

/// The same, the references of routes read; with where it is, and what deserves attention: a line each,
/// `FILE:LINE:COLUMN: MESSAGE`.
pub(super) fn load_with_warnings(path: Option<&Path>) -> Result<(Config, Located, Vec<String>), Failure> {
    let (located, cwd) = locate(path)?;
    let origin = located.origin();
    let (config, warnings) = Config::parse_with_warnings(&located.text, &origin, SOLVERS)?;
    let config = config.placed(&located, &cwd);
    config.check_references(&located.text, &origin)?;
    let origin = tabuleiro_puzzles::input::printable(origin.as_bytes(), 1024);
    let warnings = warnings.iter().map(|warning| format!("{origin}:{}: {}", warning.place, warning.message));
    Ok((config, located, warnings.collect()))
}

/// The configuration's text, and the current directory.
fn locate(path: Option<&Path>) -> Result<(Located, PathBuf), Failure> {
    let cwd = std::env::current_dir()
        .map_err(|error| Failure::new(Exit::System, format_args!("no current directory: {error}")))?;
    Ok((config::locate(path, &cwd, config::user_path().as_deref())?, cwd))
}

/// Reads the ID of a solver. A wrong one is an error that names the nearest; help and completions have them all.
#[derive(Clone)]
pub(super) struct SolverId;

impl TypedValueParser for SolverId {
    type Value = &'static dyn Solver;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        (|id: &str| find_among(SOLVERS, id).map_err(|message| message.to_string())).parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(SOLVERS.iter().map(|solver| PossibleValue::new(solver.id()))))
    }
}

/// What completes the name of a route: those of the configuration that is found without a word about it.
pub(super) fn routes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        // Where there is none that can be read, nothing is completed.
        let config = load(None).ok();
        let routes = config.iter().flat_map(Config::routes);
        routes.map(|route| CompletionCandidate::new(&route.name)).collect()
    })
}

/// Refuses a name that neither is a route of the configuration nor one of the `others`.
///
/// # Errors
/// 64 with the nearest name, and all of them.
pub(super) fn known_route(name: &str, config: &Config, others: &[&str]) -> Result<(), Failure> {
    let routes = config.routes().iter().map(|route| route.name.as_str());
    let known: Vec<_> = routes.chain(others.iter().copied()).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let (hint, shown) =
        (did_you_mean(name, &known), tabuleiro_puzzles::input::printable(name.as_bytes(), 100));
    let known = known.join(", ");
    Err(Failure::new(Exit::Usage, format_args!("unknown route '{shown}'{hint}; known: {known}")))
}

/// The file that is named by its place alone or by `option`.
///
/// # Errors
/// 64 when it is named in both ways.
pub(super) fn one_of<'a>(
    file: Option<&'a Path>,
    option: &str,
    named: Option<&'a Path>,
) -> Result<Option<&'a Path>, Failure> {
    let (Some(first), Some(second)) = (file, named) else { return Ok(file.or(named)) };
    let (first, second) = (printable_path(first), printable_path(second));
    let message = format_args!(
        "two files are named, {first} and {option} {second}, and one is read at a time: write {first} or \
         {option} {second}, not both"
    );
    Err(Failure::new(Exit::Usage, message))
}

/// Splits `KEY=VALUE`.
pub(super) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => Err("expected KEY=VALUE".to_owned()),
    }
}

/// The absolute path of a file, the links in its folder resolved; it may be a link itself, which is not followed.
pub(super) fn real_path(file: &Path) -> PathBuf {
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = absolute.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
    folder.map_or_else(|| absolute.clone(), |folder| folder.join(file.file_name().unwrap_or_default()))
}

/// The printable name of a file given on the command line.
pub(super) fn printable_path(path: &Path) -> String {
    tabuleiro_puzzles::input::printable(path.as_os_str().as_encoded_bytes(), 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_split_at_the_first_equals_sign() {
        assert_eq!(key_value("a = b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert!(key_value("a").is_err());
    }
}
