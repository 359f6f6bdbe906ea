//! `tabuleiro check-config`: prints errors and warnings with their positions, or the effective configuration.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::{ConfigArgs, load_with_warnings, one_of};
use crate::cli::failure::{Exit, Failure, print, print_error};
use tabuleiro_puzzles::input::printable;

/// Arguments of `check-config`.
#[derive(Args)]
pub struct CheckConfigArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// The same file without --config before it
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Prints the warnings and the effective configuration. Errors in the configuration are returned as the failure.
pub fn run(args: &CheckConfigArgs) -> Result<Exit, Failure> {
    let path = one_of(args.file.as_deref(), "--config", args.config.config.as_deref())?;
    let (config, located, warnings) = load_with_warnings(path)?;
    for warning in warnings.into_iter().chain(config.open_to_others()) {
        print_error(&format!("tabuleiro: warning: {warning}"));
    }
    // The comment must stay on one line, whatever characters the file name contains.
    let origin = printable(located.origin().as_bytes(), 1024);
    print(&format!("# effective configuration, from {origin}\n{}", config.effective())).map(|()| Exit::Ok)
}
