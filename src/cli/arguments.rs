//! Arguments that several subcommands share: the configuration, a solver, settings, paths.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, Error};
use clap_complete::{ArgValueCandidates, CompletionCandidate};

use super::cli_messages::{CliMessage, reason, say};
use super::failure::{Exit, Failure};
use crate::config::{self, Config, Fault, Located, SHIPPED, SHIPPED_ORIGIN, SYSTEM_PATH};
pub(super) use tabuleiro_jobs::naming::printable_path;
use tabuleiro_puzzles::solver::{SOLVERS, Solver, find_among, meant};

// A constant, since a lint takes the variable's name in a doc comment for code.
const CONFIG_HELP: &str = "Configuration file; without it config/tabuleiro.toml below the current directory, else \
     $XDG_CONFIG_HOME/tabuleiro/tabuleiro.toml (~/.config/tabuleiro/tabuleiro.toml), else \
     /etc/tabuleiro/tabuleiro.toml, else the shipped one";

/// The argument that names the configuration of a subcommand.
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

    /// Reads the named configuration, else the shipped one: a student who is graded may control any other location.
    pub(super) fn load_if_named(&self) -> Result<Config, Failure> {
        match &self.config {
            Some(path) => load(Some(path)),
            None => Ok(Config::parse(SHIPPED, SHIPPED_ORIGIN, SOLVERS)?),
        }
    }
}

/// The help of `--config` for `grade` and `validate`: see [`ConfigArgs::load_if_named`].
pub(super) const NAMED_CONFIG_HELP: &str =
    "Configuration file; without it the shipped one, whatever lies in the current directory";

/// Finds and reads the configuration.
pub(super) fn load(path: Option<&Path>) -> Result<Config, Failure> {
    locate(path).map(|(config, ..)| config)
}

/// Returns the configuration, after checking the references of its routes; the file it came from; and its warnings,
/// one line each: `FILE:LINE:COLUMN: MESSAGE`.
pub(super) fn load_with_warnings(path: Option<&Path>) -> Result<(Config, Located, Vec<String>), Failure> {
    let (config, located, warnings) = locate(path)?;
    let origin = located.origin();
    config.check_references(config::REFERENCES_BYTES_MAX, &located.text, &origin)?;
    let origin = tabuleiro_puzzles::input::printable(origin.as_bytes(), 1024);
    let warnings = warnings.iter().map(|warning| format!("{origin}:{}: {}", warning.place, warning.message));
    Ok((config, located, warnings.collect()))
}

/// Returns the configuration, the file it came from, and its warnings.
fn locate(path: Option<&Path>) -> Result<(Config, Located, Vec<Fault>), Failure> {
    let cwd = std::env::current_dir()
        .map_err(|error| Failure::of(Exit::System, CliMessage::NoCurrentFolder { reason: reason(&error) }))?;
    let located = config::locate(path, &cwd, config::user_path().as_deref(), Path::new(SYSTEM_PATH))
        .map_err(|error| Failure::new(Exit::Config, error))?;
    let (config, warnings) = Config::parse_with_warnings(&located.text, &located.origin(), SOLVERS)?;
    Ok((config.placed(&located, &cwd), located, warnings))
}

/// Parses the ID of a solver. The error for a wrong ID suggests the nearest one; help and completions list all IDs.
#[derive(Clone)]
pub(super) struct SolverId;

impl TypedValueParser for SolverId {
    type Value = &'static dyn Solver;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        (|id: &str| find_among(SOLVERS, id).map_err(say)).parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(SOLVERS.iter().map(|solver| PossibleValue::new(solver.id()))))
    }
}

/// Completes the name of a route, from the configuration that is found without `--config`.
pub(super) fn routes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        // If no configuration can be read, nothing is completed.
        let config = load(None).ok();
        let routes = config.iter().flat_map(Config::routes);
        routes.map(|route| CompletionCandidate::new(&route.name)).collect()
    })
}

/// Returns an error unless `name` is a route of the configuration or one of `others`.
///
/// # Errors
/// Exit code 64, with the nearest name and all known ones.
pub(super) fn known_route(name: &str, config: &Config, others: &[&str]) -> Result<(), Failure> {
    let routes = config.routes().iter().map(|route| route.name.as_str());
    let known: Vec<_> = routes.chain(others.iter().copied()).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let (hint, route) =
        (meant(name, &known).into(), tabuleiro_puzzles::input::printable(name.as_bytes(), 100));
    Err(Failure::of(Exit::Usage, CliMessage::UnknownRoute { route, hint, known: known.join(", ") }))
}

/// Returns the file, which is either a positional argument or the value of `option`.
///
/// # Errors
/// Exit code 64 if both are given.
pub(super) fn one_of<'a>(
    file: Option<&'a Path>,
    option: &str,
    named: Option<&'a Path>,
) -> Result<Option<&'a Path>, Failure> {
    let (Some(first), Some(second)) = (file, named) else { return Ok(file.or(named)) };
    let (first, second) = (printable_path(first), printable_path(second));
    Err(Failure::of(Exit::Usage, CliMessage::TwoFiles { first, option: option.to_owned(), second }))
}

/// Splits `KEY=VALUE`.
pub(super) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => Err(say(CliMessage::NoEquals)),
    }
}

/// Returns the absolute path of a file, with the links in its folder resolved. If the file itself is a link, it is not
/// followed.
pub(super) fn real_path(file: &Path) -> PathBuf {
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = absolute.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
    folder.map_or_else(|| absolute.clone(), |folder| folder.join(file.file_name().unwrap_or_default()))
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
