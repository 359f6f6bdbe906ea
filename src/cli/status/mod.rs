//! `tabuleiro status`: how the service is; where it does not run, what lies on the disk.

// Where no service runs.
mod down;
// A service that runs, in words.
mod text;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::Args;

use super::asking::Asked;
use crate::cli::arguments::ConfigArgs;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print};
use crate::daemon::Snapshot;
use crate::daemon::inspect::socket::{Answer, Ask};
use crate::solver::duration;
use down::Down;

/// The shortest time between two looks of `--watch`.
const WATCH_INTERVAL_MIN: Duration = Duration::from_millis(100);
/// The longest.
const WATCH_DAYS_MAX: u64 = 1;
/// Clears a terminal and goes to its first line.
const CLEAR: &str = "\u{1b}[H\u{1b}[2J";

/// What the help says after the options.
const AFTER_HELP: &str = "\
Asks the service over its control socket (control.socket); where none runs, counts what lies in its folders.
Days and times are UTC. docs/asking.md describes what --json prints.

Exit status: 0 the service runs; 3 it does not; 75 it does not answer; 77 this user may not ask it; 64 usage;
74 a folder cannot be read; 78 configuration.";

/// Arguments of `status`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct StatusArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Again and again, every 2 seconds or so often, until it is interrupted; one line each where standard output is
    /// no terminal
    #[arg(long, value_name = "INTERVAL", num_args = 0..=1, default_missing_value = "2s", value_parser = interval)]
    watch: Option<Duration>,
}

/// The service at one moment.
enum Seen {
    Up(Box<Snapshot>),
    Down(Box<Down>),
}

/// Prints how the service is, once or until nobody reads it any more.
pub fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let asked = Asked::new(&args.config)?;
    let Some(interval) = args.watch else {
        let seen = look(&asked)?;
        print(&if args.json { seen.json() } else { seen.text() })?;
        return Ok(seen.exit());
    };
    let is_terminal = io::stdout().is_terminal();
    loop {
        let seen = look(&asked)?;
        let text = match (args.json, is_terminal) {
            (true, _) => seen.json(),
            (false, true) => format!("{CLEAR}{}", seen.text()),
            (false, false) => seen.line(),
        };
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // Whoever read it has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(seen.exit()),
            Err(error) => return Err(Failure::output(&error)),
            Ok(()) => {}
        }
        drop(out);
        std::thread::sleep(interval);
    }
}

fn look(asked: &Asked) -> Result<Seen, Failure> {
    match asked.ask(&Ask::Status)? {
        Some(Answer::Status(snapshot)) => Ok(Seen::Up(snapshot)),
        Some(_) => Err(Failure::new(Exit::Temporary, "the service answers something else")),
        None => Ok(Seen::Down(Box::new(Down::look(asked)?))),
    }
}

impl Seen {
    fn exit(&self) -> Exit {
        match self {
            Self::Up(_) => Exit::Ok,
            Self::Down(_) => Exit::NotRunning,
        }
    }

    fn json(&self) -> String {
        let text = match self {
            Self::Up(snapshot) => serde_json::to_string(snapshot),
            Self::Down(down) => serde_json::to_string(down),
        };
        // Text and numbers always can be written.
        text.unwrap_or_default() + "\n"
    }

    fn text(&self) -> String {
        match self {
            Self::Up(snapshot) => text::up(snapshot),
            Self::Down(down) => down.text(),
        }
    }

    fn line(&self) -> String {
        match self {
            Self::Up(snapshot) => format!("{} {}\n", text::second(&snapshot.time), snapshot.line()),
            Self::Down(down) => format!("{} not running\n", text::second(&down.time)),
        }
    }
}

/// A number of seconds, or a duration.
fn interval(text: &str) -> Result<Duration, String> {
    let seconds = || text.parse::<u32>().ok().map(|seconds| Duration::from_secs(seconds.into()));
    let longest = Duration::from_secs(WATCH_DAYS_MAX * 86_400);
    let range = WATCH_INTERVAL_MIN..=longest;
    let found = seconds().or_else(|| duration(text)).filter(|interval| range.contains(interval));
    found.ok_or_else(|| "expected seconds or a duration, from 100ms to 1day".to_owned())
}
