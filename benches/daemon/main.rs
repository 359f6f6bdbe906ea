//! Loads of `benches/daemon.sh`: drops files into the inbox of a service, or makes the bare system calls.
//!
//! ```text
//! throughput STAGING INBOX OUTBOX COUNT        seconds until COUNT files dropped at once are answered
//! latency    STAGING INBOX OUTBOX COUNT        nanoseconds of each of COUNT files, dropped one by one, one per line
//! bare       FOLDER COUNT GROUP SYNC CALLS     seconds of the system calls alone: SYNC is group, each or none;
//!                                              CALLS is least or same (the calls of the service)
//! bare-syncs FOLDER COUNT                      nanoseconds of the syncs of a lone file, one per line
//! ```
//!
//! Every answer is compared: a service that answers wrongly gets no figure.

mod bare;
mod load;

use std::path::PathBuf;
use std::process::ExitCode;

use bare::{Calls, Sync};

type Error = Box<dyn std::error::Error>;

/// A 3 × 3 board; its answer is 1.
const BOARD: &str = "3 3\n2 1 2 0 1\n0 0\n";
const ANSWER: &str = "1\n";

fn main() -> ExitCode {
    // Cargo adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", arguments.join(" "));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), Error> {
    match *arguments {
        ["throughput", staging, inbox, outbox, count] => {
            let place = load::Place::new(staging, inbox, outbox);
            println!("{:.4}", place.throughput(count.parse()?)?.as_secs_f64());
        }
        ["latency", staging, inbox, outbox, count] => {
            for time in load::Place::new(staging, inbox, outbox).latency(count.parse()?)? {
                println!("{}", time.as_nanos());
            }
        }
        ["bare", folder, count, group, sync, calls] => {
            let sync = match sync {
                "group" => Sync::Group,
                "each" => Sync::Each,
                "none" => Sync::None,
                _ => return Err("SYNC is group, each or none".into()),
            };
            let calls = match calls {
                "least" => Calls::Least,
                "same" => Calls::Same,
                _ => return Err("CALLS is least or same".into()),
            };
            let time = bare::jobs(&PathBuf::from(folder), count.parse()?, group.parse()?, sync, calls)?;
            println!("{:.4}", time.as_secs_f64());
        }
        ["bare-syncs", folder, count] => {
            for time in bare::lone_syncs(&PathBuf::from(folder), count.parse()?)? {
                println!("{}", time.as_nanos());
            }
        }
        _ => return Err("what? See benches/daemon/main.rs".into()),
    }
    Ok(())
}
