//! `tabuleiro status`: how the service is; where it does not run, what lies on the disk.

// Where no service runs.
mod down;
// A service that runs, in words.
mod text;

use clap::Args;

use super::asking::{Asked, printable_json};
use crate::cli::arguments::ConfigArgs;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print};
use crate::daemon::inspect::socket::{Answer, Ask};
use down::Down;

/// What the help says after the options.
const AFTER_HELP: &str = "\
Asks the service over its control socket (control.socket); where none runs, counts what lies in its folders.
Times are local (TZ), in UTC with --json, which docs/asking.md describes.

Exit status: 0 the service runs; 3 it does not; 75 it does not answer; 77 this user may not ask it; 64 usage;
74 a folder cannot be read; 78 configuration.";

/// Arguments of `status`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct StatusArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Prints how the service is.
pub fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let asked = Asked::new(&args.config)?;
    let (text, exit) = match asked.ask(&Ask::Status)? {
        Some(Answer::Status(snapshot)) => {
            (if args.json { printable_json(&snapshot) } else { text::up(&snapshot) }, Exit::Ok)
        }
        Some(_) => return Err(Failure::new(Exit::Temporary, "the service answers something else")),
        None => {
            let down = Down::look(&asked)?;
            (if args.json { printable_json(&down.json()) } else { down.text() }, Exit::NotRunning)
        }
    };
    print(&text)?;
    Ok(exit)
}
