//! `tabuleiro check-config`: errors and warnings with their places, or the effective configuration.

use crate::cli::arguments::{ConfigArgs, load_with_warnings};
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print, print_error};
use crate::input::printable;

/// Prints the warnings and the effective configuration; errors come back as the failure.
pub fn run(args: &ConfigArgs) -> Result<Exit, Failure> {
    let (config, located, warnings) = load_with_warnings(args.config.as_deref())?;
    for warning in warnings {
        print_error(&format!("tabuleiro: warning: {warning}"));
    }
    // The comment must stay one line, whatever the file is called.
    let origin = printable(located.origin().as_bytes(), 1024);
    print(&format!("# effective configuration, from {origin}\n{}", config.effective()))?;
    Ok(Exit::Ok)
}
