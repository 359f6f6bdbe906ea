//! `tabuleiro retry`: puts archived inputs back into the inbox, to be answered again.

use std::path::PathBuf;

use clap::Args;
use time::OffsetDateTime;

use super::history::since;
use super::service_query::{ServiceQuery, printable_json};
use crate::cli::arguments::{ConfigArgs, known_route, routes};
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure, print};
use crate::daemon::JsonPath;
use crate::daemon::base::job_id::is_id;
use crate::daemon::inspect::retry_inputs::{Retried, RetryRequest, RetryResult, retry};
use crate::daemon::inspect::socket::{Answer, Ask};

/// Arguments of `retry`.
#[derive(Args)]
pub struct RetryArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Retry every failed file that was neither answered nor dropped again since; of equal names, only the newest
    #[arg(long, conflicts_with = "files")]
    failed: bool,
    /// Only files that the service took at TIME or later: 1h (an hour ago), 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = since, requires = "failed")]
    since: Option<OffsetDateTime>,
    /// Retry every file that goes to this route, and every archive with such a member; of equal names, only the newest
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "failed"], add = routes())]
    route: Option<String>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    /// Files, folders of files, or IDs of jobs
    #[arg(value_name = "FILE", required_unless_present_any = ["failed", "route"])]
    files: Vec<PathBuf>,
}

/// Puts the files back and prints the result for each; the worst result decides the exit code.
pub fn run(args: &RetryArgs) -> Result<Exit, Failure> {
    let query = ServiceQuery::new(&args.config)?;
    let wanted: Vec<_> = if args.failed {
        vec![RetryRequest::Failed { since: args.since }]
    } else if let Some(name) = &args.route {
        known_route(name, &query.config, &[])?;
        vec![RetryRequest::Route { name: name.clone() }]
    } else {
        let wanted = |file: &PathBuf| {
            let is_id = is_id(file.as_os_str().as_encoded_bytes());
            Ok(RetryRequest::File(JsonPath(if is_id { file.clone() } else { query.below(file)? })))
        };
        args.files.iter().map(wanted).collect::<Result<_, Failure>>()?
    };
    let mut worst = Exit::Ok;
    let mut count = 0;
    for wanted in &wanted {
        for retried in put_back(&query, wanted)? {
            print(&if args.json { printable_json(&retried) } else { line(&retried) })?;
            worst = worst.worse(exit(retried.result));
            count += 1;
        }
    }
    if count == 0 && !args.json {
        let none =
            if args.failed { "nothing failed that was not answered since" } else { "no file to put back" };
        print(&format!("{none}\n"))?;
    }
    Ok(worst)
}

fn put_back(query: &ServiceQuery, wanted: &RetryRequest) -> Result<Vec<Retried>, Failure> {
    match query.ask(&Ask::Retry { wanted: wanted.clone() })? {
        Some(Answer::Retry(retried)) => Ok(retried),
        Some(_) => Err(Failure::of(Exit::Temporary, CliMessage::OtherAnswer)),
        None => Ok(retry(&query.search, &query.search.tree(), &query.config, wanted)),
    }
}

fn line(retried: &Retried) -> String {
    match retried.result {
        _ if retried.file.0.as_os_str().is_empty() => format!("{}\n", retried.message),
        _ => format!("{}: {}\n", retried.file.printable(), retried.message),
    }
}

fn exit(what: RetryResult) -> Exit {
    match what {
        RetryResult::Failed => Exit::CannotCreate,
        RetryResult::Unknown => Exit::NoInput,
        RetryResult::PutBack | RetryResult::Already | RetryResult::More => Exit::Ok,
    }
}
