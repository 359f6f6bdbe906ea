//! `tabuleiro why`: explains why a file was not taken, or what became of it.

use std::path::PathBuf;

use clap::Args;

use super::service_query::{ServiceQuery, printable_json};
use crate::cli::arguments::ConfigArgs;
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure, print};
use crate::daemon::JsonPath;
use crate::daemon::inspect::not_taken::{FileState, explain, origin};
use crate::daemon::inspect::socket::{Answer, Ask};

/// Arguments of `why`.
#[derive(Args)]
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

/// Prints what is known about a file.
pub fn run(args: &WhyArgs) -> Result<Exit, Failure> {
    let query = ServiceQuery::new(&args.config)?;
    let below = query.below(&args.file)?;
    let explanation = match query.ask(&Ask::Why { file: JsonPath(below.clone()) })? {
        Some(Answer::Why(explanation)) => explanation,
        Some(_) => return Err(Failure::of(Exit::Temporary, CliMessage::OtherAnswer)),
        None => explain(&query.search, &query.config, None, &origin(&query.search, &below)),
    };
    if args.json {
        print(&printable_json(&explanation))?;
    } else {
        let words = explanation.words.iter().map(|words| format!("  {words}\n")).collect::<String>();
        print(&format!("{}: {}\n{words}", explanation.file.printable(), explanation.state.name()))?;
    }
    Ok(if explanation.state == FileState::Unknown { Exit::NoInput } else { Exit::Ok })
}
