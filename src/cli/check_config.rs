//! `tabuleiro check-config`: errors with their places, or the effective configuration.

use super::{ConfigArgs, Failure, load, print};
use crate::error::Exit;
use crate::input::printable;

/// Prints the effective configuration; errors come back as the failure.
pub fn run(args: &ConfigArgs) -> Result<Exit, Failure> {
    let (config, located) = load(args.config.as_deref())?;
    // The comment must stay one line, whatever the file is called.
    let origin = printable(located.origin().as_bytes(), 1024);
    print(&format!("# effective configuration, from {origin}\n{}", config.effective()))?;
    Ok(Exit::Ok)
}
