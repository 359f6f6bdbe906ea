//! `tabuleiro status`: how the service is; where it does not run, what lies on the disk.

// Where no service runs.
mod down;

use std::time::Duration;

use clap::Args;
use down::Down;
use time::OffsetDateTime;

use super::service_query::{Asked, printable_json};
use crate::cli::arguments::ConfigArgs;
use crate::cli::failure::{Exit, Failure, print};
use crate::cli::terminal_table::{Column, Gives, columns, labelled, table};
use crate::daemon::answering::job_progress::JobProgress;
use crate::daemon::base::clock::{now, parse_stamp};
use crate::daemon::inspect::snapshot::{Backend, Disk, Intake, LogLost, Queue, State};
use crate::daemon::inspect::socket::{Answer, Ask};
use crate::daemon::{Counts, Snapshot};
use crate::logging::local_time::second;
use tabuleiro_jobs::{RemoteFacts, WorkerFact};
use tabuleiro_puzzles::input::printable;

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
            (if args.json { printable_json(&snapshot) } else { up(&snapshot) }, Exit::Ok)
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

/// How much of a text is shown.
const TEXT_BYTES_MAX: usize = 1024;

/// Some lines and a table of the routes, that fit the terminal.
pub fn up(snapshot: &Snapshot) -> String {
    let available = columns();
    let Snapshot { service, intake, queue, .. } = snapshot;
    let state = match service.state {
        State::Starting => "starts",
        State::Running => "runs",
        State::Stopping => "stops: it finishes what is in hand",
    };
    let mut lines = vec![
        ("tabuleiro", format!("{} {state} (process {})", service.version, service.pid)),
        ("started", ago(&service.started)),
        ("inbox", show(&service.inbox)),
        ("outbox", show(&service.outbox)),
        ("found by", backend(intake)),
        ("listed", listed(intake)),
    ];
    if let Some(paused) = &intake.paused {
        lines.push(("PAUSED", format!("nothing is taken for now: {}", show(paused))));
    }
    lines.extend(intake.denied.iter().map(|why| ("NOT TAKEN", show(why))));
    lines.extend(intake.other_mounts.iter().map(|folder| {
        ("NOT TAKEN", format!("{} is on another mount than the working folder", show(folder)))
    }));
    lines.push(("in hand", in_hand(queue)));
    lines.extend(snapshot.jobs.iter().map(|job| ("answering", show(&answering(job)))));
    lines.push(("waiting", waiting(queue)));
    lines.push(("since start", counts(&snapshot.since_start)));
    lines.extend(snapshot.remote.iter().flat_map(remote));
    lines.extend(snapshot.disks.iter().map(|disk| ("disk", room(disk))));
    lines.extend(snapshot.page.iter().map(|why| ("page", format!("not written: {}", show(why)))));
    if snapshot.history_lost > 0 {
        lines.push(("history", format!("{} jobs could not be written into it", snapshot.history_lost)));
    }
    lines.extend(
        snapshot.log_lost.iter().filter(|lost| lost.lines > 0).map(|lost| ("log", not_written(lost))),
    );
    let mut text: String = lines.iter().map(|(label, what)| labelled(label, what, available)).collect();
    if !snapshot.routes.is_empty() {
        text.push('\n');
        text.push_str(&routes(snapshot, available));
    }
    text
}

fn show(text: &str) -> String {
    printable(text.as_bytes(), TEXT_BYTES_MAX)
}

/// A time, and how long ago that was.
pub fn ago(stamp: &str) -> String {
    match parse_stamp(stamp) {
        Some(time) => format!("{} ({} ago)", second(time), since(time)),
        None => show(stamp),
    }
}

/// How long ago a time was, in whole seconds, or whole minutes after an hour.
fn since(time: OffsetDateTime) -> String {
    let seconds = (now() - time).whole_seconds().max(0).unsigned_abs();
    let rounded = if seconds < 3600 { seconds } else { seconds / 60 * 60 };
    humantime::format_duration(Duration::from_secs(rounded)).to_string()
}

fn backend(intake: &Intake) -> String {
    let allowed = intake.watches_max.map(|max| format!(" (of {max} watches allowed)")).unwrap_or_default();
    match (intake.backend, &intake.reason) {
        (Backend::Events, _) => format!("events of {} watched folders{allowed}", intake.watches),
        (Backend::Polling, reason) => {
            format!("polling: {}", show(reason.as_deref().unwrap_or("no reason is known")))
        }
    }
}

fn listed(intake: &Intake) -> String {
    let last = intake.last_rescan.as_deref().map_or("not yet".to_owned(), ago);
    let lost = match (&intake.last_overflow, intake.overflows) {
        (Some(when), count) => format!("; events were lost {count} times, last {}", ago(when)),
        (None, _) => String::new(),
    };
    let times = if intake.rescans == 1 { "once".to_owned() } else { format!("{} times", intake.rescans) };
    format!("{last}, {times}{lost}")
}

fn in_hand(queue: &Queue) -> String {
    let resting = match queue.resting {
        0 => String::new(),
        count => format!("; {count} of them could not be published and are tried again"),
    };
    format!("{} of at most {}{resting}", queue.in_hand, queue.in_hand_max)
}

/// The broker, the workers that are there, and what they do.
fn remote(facts: &RemoteFacts) -> Vec<(&'static str, String)> {
    let broker = show(&facts.broker);
    let mut lines = vec![match (&facts.trouble, facts.is_connected) {
        (_, true) => ("broker", format!("{broker}, build {}", show(&facts.build))),
        (Some(trouble), false) => ("BROKER", format!("{broker}: {}; all is solved here", show(trouble))),
        (None, false) => ("broker", format!("{broker}: connecting")),
    }];
    for worker in &facts.workers {
        let state = match worker {
            _ if !worker.is_same_build => {
                format!(
                    "gets nothing: another build, {} of version {}",
                    show(&worker.build),
                    show(&worker.version)
                )
            }
            WorkerFact { is_resting: true, .. } => "takes nothing for a while".to_owned(),
            _ => format!("{} of {} threads busy", worker.busy, worker.threads),
        };
        let heard =
            if worker.heard_s > 2 { format!(", heard {} s ago", worker.heard_s) } else { String::new() };
        lines.push((
            "worker",
            format!("{}: {state}, {} puzzles solved{heard}", show(&worker.name), worker.solved),
        ));
    }
    let poisoned = match facts.poisoned {
        0 => String::new(),
        count => format!("; {count} puzzles were deadly to workers"),
    };
    lines.push((
        "by workers",
        format!(
            "{} puzzles; of {} parcels {} are under way, {} wait, {} came back{poisoned}",
            facts.solved, facts.sent, facts.in_flight, facts.waiting, facts.returned
        ),
    ));
    lines
}

/// How far a file is, for how long it is being answered, and the puzzle that keeps it.
fn answering(job: &JobProgress) -> String {
    let running = humantime::format_duration(Duration::from_secs(job.running_s));
    let solving = job.solving.map(|puzzle| format!(": {puzzle}")).unwrap_or_default();
    format!("{}, for {running}{solving}", JobProgress { solving: None, ..job.clone() })
}

fn waiting(queue: &Queue) -> String {
    let more = if queue.may_be_more { ", perhaps more" } else { "" };
    let complete = match queue.waiting_min {
        0 if queue.may_be_more => "perhaps some".to_owned(),
        0 => "0".to_owned(),
        count => format!("at least {count}{more}"),
    };
    format!("{} not complete yet; complete: {complete}", queue.incomplete)
}

fn counts(counts: &Counts) -> String {
    let Counts { answered, graded, rejected, undecided, invalid, puzzles } = counts;
    let graded = if *graded > 0 { format!("{graded} graded, ") } else { String::new() };
    format!(
        "{answered} answered ({puzzles} puzzles; {undecided} files with undecided ones, {invalid} with invalid ones), \
         {graded}{rejected} rejected"
    )
}

fn room(disk: &Disk) -> String {
    let files = disk.files_free.map(|files| format!(" and room for {files} files")).unwrap_or_default();
    format!("{}{files} free in {}", disk.room(), show(&disk.folder))
}

fn not_written(lost: &LogLost) -> String {
    let sink = match lost.sink.as_str() {
        "stderr" => "standard error".to_owned(),
        "file" => "its files".to_owned(),
        sink => format!("the {}", show(sink)),
    };
    format!("{} lines were not written to {sink}, because nobody took them", lost.lines)
}

fn routes(snapshot: &Snapshot, available: usize) -> String {
    let row = |route: &crate::daemon::inspect::snapshot::Route| {
        let waiting = if route.waiting_min > 0 { format!(">={}", route.waiting_min) } else { "0".to_owned() };
        let numbers = [
            route.in_hand.to_string(),
            waiting,
            route.incomplete.to_string(),
            (route.since_start.answered + route.since_start.graded).to_string(),
            route.since_start.rejected.to_string(),
            route.since_start.undecided.to_string(),
        ];
        std::iter::once(show(&route.name)).chain(numbers).collect()
    };
    let rows: Vec<_> = snapshot.routes.iter().map(row).collect();
    let number = |head| Column { head, gives: Gives::Nothing };
    let numbers = ["in hand", "waiting", "incomplete", "answered", "rejected", "undecided"].map(number);
    let head: Vec<_> = [Column { head: "route", gives: Gives::Middle }].into_iter().chain(numbers).collect();
    table(&head, &rows, available)
}
