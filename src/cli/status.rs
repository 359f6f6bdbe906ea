//! `tabuleiro status`: shows the state of the service or, if it does not run, what is in its folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use crate::cli::arguments::{ConfigArgs, printable_path};
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure, print};
use crate::cli::history::{find_records, outcome};
use crate::cli::service_query::{ServiceQuery, printable_json};
use crate::cli::terminal_table::{Column, Shrink, columns, labelled, table};
use crate::config;
use crate::daemon::answering::job_progress::JobProgress;
use crate::daemon::base::clock::{now, parse_stamp, stamp};
use crate::daemon::claims::find;
use crate::daemon::inspect::snapshot::{Disk, LogLost, QueueCounts, RouteCounts, ServiceState};
use crate::daemon::inspect::socket::{Answer, Ask};
use crate::daemon::intake::{Backend, IntakeReport};
use crate::daemon::records::history::{Query, Record};
use crate::daemon::{OutcomeCounts, Snapshot};
use crate::logging::local_time::second;
use tabuleiro_jobs::{RemoteCounts, RemoteFacts, WorkerFact};
use tabuleiro_puzzles::input::printable;

/// Arguments of `status`.
#[derive(Args)]
pub struct StatusArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the state of the service.
pub fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let query = ServiceQuery::new(&args.config)?;
    let (text, exit) = match query.ask(&Ask::Status)? {
        Some(Answer::Status(snapshot)) => {
            let exit = if snapshot.trouble.is_some() { Exit::Temporary } else { Exit::Ok };
            (if args.json { printable_json(&snapshot) } else { up(&snapshot) }, exit)
        }
        Some(_) => return Err(Failure::of(Exit::Temporary, CliMessage::OtherAnswer)),
        None => {
            let down = Down::look(&query)?;
            (if args.json { printable_json(&down.json()) } else { down.text() }, Exit::NotRunning)
        }
    };
    print(&text)?;
    Ok(exit)
}

/// The maximum number of bytes of a text that is shown.
const TEXT_BYTES_MAX: usize = 1024;

/// Returns lines about the service and a table of the routes, which fit the terminal.
pub fn up(snapshot: &Snapshot) -> String {
    let available = columns();
    let Snapshot { service, intake, queue, .. } = snapshot;
    let state = match service.state {
        ServiceState::Starting => "starts",
        ServiceState::Running => "runs",
        ServiceState::Stopping => "stops: it finishes what is in hand",
    };
    let mut lines = vec![
        ("tabuleiro", format!("{} {state} (process {})", service.version, service.pid)),
        ("started", ago(&service.started)),
        ("inbox", show(&service.inbox)),
        ("outbox", show(&service.outbox)),
        ("found by", backend(intake)),
        ("listed", listed(intake)),
    ];
    lines.extend(snapshot.trouble.iter().map(|why| ("NOT WELL", why.clone())));
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

/// Returns a time, and how long ago it was.
pub fn ago(stamp: &str) -> String {
    match parse_stamp(stamp) {
        Some(time) => format!("{} ({} ago)", second(time), since(time)),
        None => show(stamp),
    }
}

/// Returns how long ago a time was, in whole seconds, or in whole minutes if that is an hour or more.
fn since(time: OffsetDateTime) -> String {
    let seconds = (now() - time).whole_seconds().max(0).unsigned_abs();
    let rounded = if seconds < 3600 { seconds } else { seconds / 60 * 60 };
    humantime::format_duration(Duration::from_secs(rounded)).to_string()
}

fn backend(intake: &IntakeReport) -> String {
    let allowed = intake.watches_max.map(|max| format!(" (of {max} watches allowed)")).unwrap_or_default();
    match (intake.backend, &intake.reason) {
        (Backend::Events, _) => format!("events of {} watched folders{allowed}", intake.watches),
        (Backend::Polling, reason) => {
            format!("polling: {}", show(reason.as_deref().unwrap_or("no reason is known")))
        }
    }
}

fn listed(intake: &IntakeReport) -> String {
    let last = intake.last_rescan.as_deref().map_or("not yet".to_owned(), ago);
    let lost = match (&intake.last_overflow, intake.overflows) {
        (Some(when), count) => format!("; events were lost {count} times, last {}", ago(when)),
        (None, _) => String::new(),
    };
    let times = if intake.rescans == 1 { "once".to_owned() } else { format!("{} times", intake.rescans) };
    format!("{last}, {times}{lost}")
}

fn in_hand(queue: &QueueCounts) -> String {
    let resting = match queue.resting {
        0 => String::new(),
        count => format!("; {count} of them could not be published and are tried again"),
    };
    format!("{} of at most {}{resting}", queue.in_hand, queue.in_hand_max)
}

/// Returns lines about the broker, the connected workers, and their work.
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
                let (build, version) = (show(&worker.build), show(&worker.version));
                format!("gets nothing: another build, {build} of version {version}")
            }
            WorkerFact { is_resting: true, .. } => "takes nothing for a while".to_owned(),
            _ => format!("{} of {} threads busy", worker.busy, worker.threads),
        };
        let heard =
            if worker.heard_s > 2 { format!(", heard {} s ago", worker.heard_s) } else { String::new() };
        let name = show(&worker.name);
        lines.push(("worker", format!("{name}: {state}, {} puzzles solved{heard}", worker.solved)));
    }
    let poisoned = match facts.counts.poisoned {
        0 => String::new(),
        count => format!("; {count} puzzles were deadly to workers"),
    };
    let RemoteFacts { in_flight, waiting, counts: RemoteCounts { solved, sent, returned, .. }, .. } = facts;
    let batches = format!("{in_flight} are in progress, {waiting} wait, {returned} came back");
    lines.push(("by workers", format!("{solved} puzzles; of {sent} batches {batches}{poisoned}")));
    lines
}

/// Returns the progress of a file, how long it has been answered, and the puzzle that blocks it.
fn answering(job: &JobProgress) -> String {
    let running = humantime::format_duration(Duration::from_secs(job.running_s));
    let solving = job.solving.map(|puzzle| format!(": {puzzle}")).unwrap_or_default();
    format!("{}, for {running}{solving}", JobProgress { solving: None, ..job.clone() })
}

fn waiting(queue: &QueueCounts) -> String {
    let more = if queue.may_be_more { ", perhaps more" } else { "" };
    let complete = match queue.waiting_min {
        0 if queue.may_be_more => "perhaps some".to_owned(),
        0 => "0".to_owned(),
        count => format!("at least {count}{more}"),
    };
    format!("{} not complete yet; complete: {complete}", queue.incomplete)
}

fn counts(counts: &OutcomeCounts) -> String {
    let OutcomeCounts { answered, graded, rejected, undecided, invalid, puzzles } = counts;
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
    format!("{} lines were not written to {sink}: writing them failed or took too long", lost.lines)
}

fn routes(snapshot: &Snapshot, available: usize) -> String {
    let routes = &snapshot.routes[..];
    let number = |head, number: fn(&RouteCounts) -> u64| {
        Column::new(head, Shrink::Nothing, routes, |route| number(route).to_string())
    };
    let waiting = |route: &RouteCounts| {
        if route.waiting_min > 0 { format!(">={}", route.waiting_min) } else { "0".to_owned() }
    };
    let columns = vec![
        Column::new("route", Shrink::Middle, routes, |route| show(&route.name)),
        number("in hand", |route| route.in_hand),
        Column::new("waiting", Shrink::Nothing, routes, waiting),
        number("incomplete", |route| route.incomplete),
        number("answered", |route| route.since_start.answered + route.since_start.graded),
        number("rejected", |route| route.since_start.rejected),
        number("undecided", |route| route.since_start.undecided),
    ];
    table(columns, available)
}

/// The maximum number of entries examined below one of the service's folders.
const COUNTED_MAX: u64 = 100_000;

/// A service that does not run.
pub struct Down {
    /// For each folder: its name in JSON, its name for people, the count of its files, and an explanation.
    files: [(&'static str, &'static str, Count, String); 4],
    /// The job that ended last.
    last_job: Option<Record>,
    /// Why no service answers.
    why_no_answer: String,
}

/// The number of files below a folder.
#[derive(Debug, Default, Serialize)]
struct Count {
    files: u64,
    /// Whether counting stopped early, so that there may be more files.
    more: bool,
}

impl Down {
    /// Counts the files in the folders.
    ///
    /// # Errors
    /// Exit code 74 if the history cannot be read. A folder that is missing or cannot be read counts as empty.
    pub fn look(query: &ServiceQuery) -> Result<Self, Failure> {
        let folders = &query.config.folders;
        let newest = Query { limit: Some(1), ..Query::default() };
        let found = find_records(&query.config, newest, |_| true)?;
        let claims = find::claimed_paths(&query.search.work(), &query.search.tree()).unwrap_or_default();
        let claims = Count { files: claims.len() as u64, more: false };
        let place = |folder: &Path| format!("in {}", printable_path(folder));
        let (inbox, done, failed) = (&folders.inbox, folders.done(), folders.failed());
        let files = [
            ("inbox", "inbox", Count::of(inbox, Some(&query.config.intake)), place(inbox)),
            ("work", "in hand", claims, "taken and not answered; the next start answers them".to_owned()),
            ("done", "done", Count::of(&done, None), place(&done)),
            ("failed", "failed", Count::of(&failed, None), place(&failed)),
        ];
        let last_job = found.records.into_iter().next();
        Ok(Self { files, last_job, why_no_answer: query.why_no_answer() })
    }

    /// Returns the state as a JSON object. Programs read it, so its keys must not change.
    pub fn json(&self) -> Value {
        let files: Map<_, _> =
            self.files.iter().map(|(name, _, count, _)| ((*name).to_owned(), json!(count))).collect();
        let service = json!({ "state": "stopped" });
        json!({ "time": stamp(now()), "service": service, "files": files, "last_job": self.last_job })
    }

    /// Returns lines that fit the terminal.
    pub fn text(&self) -> String {
        let available = columns();
        let line = |label, text: &str| labelled(label, text, available);
        let mut text = line("tabuleiro", &format!("does not run: {}", self.why_no_answer));
        for (_, label, count, what) in &self.files {
            text += &line(label, &format!("{} {what}", count.text()));
        }
        let last = self.last_job.as_ref().map_or("none is known".to_owned(), |record| {
            format!("{}: {} {}", ago(&record.time), record.file.printable(), outcome(record))
        });
        text + &line("last job", &last)
    }
}

impl Count {
    /// Counts the files below a folder, except those that the intake ignores.
    fn of(root: &Path, ignoring: Option<&config::Intake>) -> Self {
        let mut count = Self::default();
        let mut looked_at = 0;
        let mut folders: Vec<PathBuf> = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                looked_at += 1;
                if looked_at > COUNTED_MAX {
                    count.more = true;
                    return count;
                }
                if ignoring.is_some_and(|intake| intake.ignore.first_match(&entry.file_name()).is_some()) {
                    continue;
                }
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    Ok(kind) if kind.is_file() => count.files += 1,
                    _ => {}
                }
            }
        }
        count
    }

    fn text(&self) -> String {
        match (self.files, self.more) {
            (1, false) => "1 file".to_owned(),
            (files, false) => format!("{files} files"),
            (files, true) => format!("{files} files or more"),
        }
    }
}
