//! `tabuleiro check-config`: errors with their places, or the effective configuration.

use std::io::{self, Write};

use super::{ConfigArgs, Failure, load};
use crate::error::Exit;

/// Prints the effective configuration; errors come back as the failure.
pub fn run(args: &ConfigArgs) -> Result<Exit, Failure> {
    let (config, located) = load(args.config.as_deref())?;
    write!(io::stdout(), "# effective configuration, from {}\n{}", located.origin(), config.effective())
        .map_err(|error| Failure::output(&error))?;
    Ok(Exit::Ok)
}
