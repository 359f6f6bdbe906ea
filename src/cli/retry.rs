//! `tabuleiro retry`: puts archived inputs back into the inbox, to be answered again.

use std::path::{Path, PathBuf};

use clap::Args;
use time::OffsetDateTime;

use super::history::since;
use super::service_query::{Asked, printable_json};
use crate::cli::arguments::{ConfigArgs, known_route, routes};
use crate::cli::failure::{Exit, Failure, print};
use crate::daemon::JsonPath;
use crate::daemon::base::job_id::is_id;
use crate::daemon::inspect::retry_inputs::{Retried, Wanted, What, retry};
use crate::daemon::inspect::socket::{Answer, Ask};

/// What the help says after the options.
const AFTER_HELP: &str = "\
FILE is the name under which a file was dropped (its path in or below the inbox), of which the newest input in the
archive is taken; or the path of an archived input in done/ or failed/; or the ID of a job. Of a folder the newest
input of every file in it is taken. It goes back by one rename, under the name that it was dropped under, and
never over a file that is there. Its result is made anew as the route's if_exists says. The service that runs
does it; where none does, it is done here, and the next start answers.

A file of that name that is in the inbox or in hand already is answered without this, which is said.

After a reference was corrected, --route has the whole class graded again:
  tabuleiro retry --route lista3

Exit status: 0 all went back, or are there already; 66 nothing of a name is archived; 73 one cannot go back, the worst that happened; 75 the
service does not answer; 77 this user may not ask it; 64 usage; 78 configuration.";

/// Arguments of `retry`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct RetryArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Every file that failed, the newest of each name, if it was neither answered nor dropped again since
    #[arg(long, conflicts_with = "files")]
    failed: bool,
    /// Of those, the ones taken since then: 1h (an hour ago), 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = since, requires = "failed")]
    since: Option<OffsetDateTime>,
    /// Every file that goes to that route, the newest of each name; an archive if one of its members does
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "failed"], add = routes())]
    route: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// The files, or folders of them
    #[arg(value_name = "FILE", required_unless_present_any = ["failed", "route"])]
    files: Vec<PathBuf>,
}

/// Puts the files back and says of each how it went; the worst decides the exit code.
pub fn run(args: &RetryArgs) -> Result<Exit, Failure> {
    let asked = Asked::new(&args.config)?;
    let wanted: Vec<_> = if args.failed {
        vec![Wanted::Failed { since: args.since }]
    } else if let Some(name) = &args.route {
        known_route(name, &asked.config, &[])?;
        vec![Wanted::Route { name: name.clone() }]
    } else {
        let name = |file: &PathBuf| Ok(Wanted::File(JsonPath(name(&asked, file)?)));
        args.files.iter().map(name).collect::<Result<_, Failure>>()?
    };
    let mut worst = Exit::Ok;
    let mut count = 0;
    for wanted in &wanted {
        for retried in put_back(&asked, wanted)? {
            print(&if args.json { printable_json(&retried) } else { line(&retried) })?;
            worst = worse(worst, retried.result);
            count += 1;
        }
    }
    if count == 0 && !args.json {
        print("nothing failed that was not answered since\n")?;
    }
    Ok(worst)
}

/// The ID of a job is no path.
fn name(asked: &Asked, file: &Path) -> Result<PathBuf, Failure> {
    if is_id(file.as_os_str().as_encoded_bytes()) { Ok(file.to_owned()) } else { asked.below(file) }
}

fn put_back(asked: &Asked, wanted: &Wanted) -> Result<Vec<Retried>, Failure> {
    match asked.ask(&Ask::Retry { wanted: wanted.clone() })? {
        Some(Answer::Retry(retried)) => Ok(retried),
        Some(_) => Err(Failure::new(Exit::Temporary, "the service answers something else")),
        None => Ok(retry(&asked.search, &asked.search.tree(), &asked.config, wanted)),
    }
}

fn line(retried: &Retried) -> String {
    match retried.result {
        _ if retried.file.0.as_os_str().is_empty() => format!("{}\n", retried.message),
        _ => format!("{}: {}\n", retried.file.printable(), retried.message),
    }
}

fn worse(worst: Exit, what: What) -> Exit {
    match (worst, what) {
        (Exit::CannotCreate, _) | (_, What::Failed) => Exit::CannotCreate,
        (_, What::Unknown) => Exit::NoInput,
        (worst, What::PutBack | What::Already | What::More) => worst,
    }
}
