//! What several subcommands are given: the configuration, a solver, settings, paths.

use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::Exit;
use super::failure::Failure;
use crate::config::{self, Config, Located};
use crate::solver::{SOLVERS, Solver, find_among};

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
        load_with_warnings(self.config.as_deref()).map(|(config, ..)| config)
    }
}

/// Finds and reads the configuration; with where it is, and what deserves attention: a line each,
/// `FILE:LINE:COLUMN: MESSAGE`.
pub(super) fn load_with_warnings(path: Option<&Path>) -> Result<(Config, Located, Vec<String>), Failure> {
    let cwd = std::env::current_dir()
        .map_err(|error| Failure::new(Exit::System, format_args!("no current directory: {error}")))?;
    let located = config::locate(path, &cwd, config::user_path().as_deref())?;
    let origin = located.origin();
    let (config, warnings) = Config::parse_with_warnings(&located.text, &origin, SOLVERS)?;
    let origin = crate::input::printable(origin.as_bytes(), 1024);
    let warnings = warnings.iter().map(|warning| format!("{origin}:{}: {}", warning.place, warning.message));
    Ok((config, located, warnings.collect()))
}

/// The solver of that ID, or an error that names the nearest.
pub(super) fn solver(id: &str) -> Result<&'static dyn Solver, String> {
    find_among(SOLVERS, id).map_err(|message| message.to_string())
}

/// Splits `KEY=VALUE`.
pub(super) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => Err("expected KEY=VALUE".to_owned()),
    }
}

/// The printable name of a file given on the command line.
pub(super) fn printable_path(path: &Path) -> String {
    crate::input::printable(path.as_os_str().as_encoded_bytes(), 1024)
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
