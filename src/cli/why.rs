//! `tabuleiro why`: why a file was not taken, or what became of it.

use std::path::PathBuf;

use clap::Args;

use super::service_query::{Asked, printable_json};
use crate::cli::arguments::ConfigArgs;
use crate::cli::failure::{Exit, Failure, print};
use crate::daemon::JsonPath;
use crate::daemon::inspect::socket::{Answer, Ask};
use crate::daemon::inspect::why::{State, explain, origin};

/// What the help says after the options.
const AFTER_HELP: &str = "\
FILE is a file in the inbox: its path, or its path below the inbox; or one that was there. The path of a
result, a report or an archived input, or its path below the outbox, asks for the file that led to it.

The service that runs is asked; where none does, the same is told from the disk. docs/asking.md has the
states that --json tells.

Exit status: 0 something is known; 66 nothing is; 75 the service does not answer; 77 this user may not ask
it; 64 usage; 78 configuration.";

/// Arguments of `why`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct WhyArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Prints what is known of a file.
pub fn run(args: &WhyArgs) -> Result<Exit, Failure> {
    let asked = Asked::new(&args.config)?;
    let below = asked.below(&args.file)?;
    let explanation = match asked.ask(&Ask::Why { file: JsonPath(below.clone()) })? {
        Some(Answer::Why(explanation)) => explanation,
        Some(_) => return Err(Failure::new(Exit::Temporary, "the service answers something else")),
        None => explain(&asked.search, &asked.config, None, &origin(&asked.search, &below)),
    };
    if args.json {
        print(&printable_json(&explanation))?;
    } else {
        let words = explanation.words.iter().map(|words| format!("  {words}\n")).collect::<String>();
        print(&format!("{}: {}\n{words}", explanation.file.printable(), explanation.state.name()))?;
    }
    Ok(if explanation.state == State::Unknown { Exit::NoInput } else { Exit::Ok })
}
