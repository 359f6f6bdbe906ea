//! The content of the page: the current state, the latest jobs, and the files that were not taken.

use super::Facts;
use crate::daemon::answering::job_progress::JobProgress;
use crate::daemon::base::clock::{now, parse_stamp};
use crate::daemon::base::job_tally::OutcomeCounts;
use crate::daemon::inspect::snapshot::{Disk, QueueCounts, ServiceState};
use crate::daemon::records::history::{Outcome, Record};
use crate::logging::local_time::{parts, second};
use tabuleiro_jobs::RemoteFacts;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::picture::{Markup, html};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

/// Texts are cut to this many bytes.
const TEXT_BYTES_MAX: usize = 400;

/// A job that ended, with those of its outputs that are still there.
pub type Row = (Record, Vec<Output>);

pub struct Output {
    /// Printable, below the outbox.
    pub path: String,
    /// Relative to the page; `None` if no link can lead there.
    pub link: Option<String>,
}

/// The page's language.
#[derive(Debug, Clone, Copy)]
pub struct Words(pub Language);

impl Words {
    pub fn say(self, message: Message) -> String {
        Phrase::from(message).say(self.0)
    }

    /// Says those messages whose flag is set.
    fn say_all(self, messages: &[(bool, Message)]) -> Vec<String> {
        let applying = messages.iter().filter(|(applies, _)| *applies);
        applying.map(|(_, message)| self.say(message.clone())).collect()
    }
}

/// Renders when, and by which version, the page was written, with a link that reloads it.
pub fn head(facts: &Facts, words: Words) -> Markup {
    let version = facts.snapshot.service.version.clone();
    html! {
        p class="soft" {
            (words.say(Message::Written { time: second(now()), version })) " "
            a href="" { (words.say(Message::Reload)) }
        }
    }
}

/// Renders the part of the page that is compared with the last page: the file is rewritten only if this part changes.
pub fn content(facts: &Facts, jobs: &[Row], words: Words) -> Markup {
    html! {
        (state(facts, words))
        section class="now" {
            h2 { (words.say(Message::Now)) }
            (in_hand(facts, words))
        }
        section class="jobs" {
            h2 { (words.say(Message::Jobs)) }
            @if !facts.has_names() {
                p { (words.say(Message::Private)) }
            } @else if jobs.is_empty() {
                p { (words.say(Message::NoJobs)) }
            } @else {
                (table(jobs, words))
            }
        }
        @if !(facts.denied.is_empty() && facts.other_mounts.is_empty()) {
            section class="untaken" {
                h2 { (words.say(Message::NotTaken)) }
                ul {
                    @for file in &facts.denied {
                        (untaken(file, Message::Denied { command: format!("tabuleiro why {file}") }, words))
                    }
                    @for folder in &facts.other_mounts { (untaken(folder, Message::OtherMount, words)) }
                }
            }
        }
        section class="counts" {
            h2 { (words.say(Message::Service)) }
            p { (counts(facts, words)) }
            @if let Some(remote) = &facts.snapshot.remote { p { (helped(remote, words)) } }
        }
    }
}

/// Renders the free space of the disks. A change of this alone does not cause a new page.
pub fn disks(facts: &Facts, words: Words, is_of_results: impl Fn(&Disk) -> bool) -> Markup {
    html! {
        dl {
            @for disk in &facts.snapshot.disks {
                dt { (words.say(if is_of_results(disk) { Message::DiskOfResults } else { Message::DiskOfService })) }
                dd { (disk.room()) }
            }
        }
    }
}

/// Renders why the service takes no files, if it takes none.
fn state(facts: &Facts, words: Words) -> Markup {
    let message = match facts.snapshot.service.state {
        ServiceState::Starting => Some(Message::Starting),
        ServiceState::Running => facts.snapshot.intake.paused.as_ref().map(|_| Message::Paused),
        ServiceState::Stopping => Some(Message::Stopped),
    };
    html! { @if let Some(message) = message { p class="bad" { strong { (words.say(message)) } } } }
}

fn in_hand(facts: &Facts, words: Words) -> Markup {
    let QueueCounts { in_hand, incomplete, waiting_min, may_be_more, .. } = facts.snapshot.queue;
    let unnamed = in_hand.saturating_sub(facts.in_hand.len() as u64);
    let counted = words.say_all(&[
        (unnamed > 0, Message::MoreInHand { files: unnamed }),
        (waiting_min > 0, Message::Waiting { files: waiting_min }),
        (may_be_more, Message::MayBeMore),
        (incomplete > 0, Message::Incomplete { files: incomplete }),
    ]);
    html! {
        @if facts.in_hand.is_empty() && counted.is_empty() {
            p { (words.say(Message::Idle)) }
        } @else {
            ul {
                @for (file, progress) in &facts.in_hand {
                    li {
                        strong { (file) } ": "
                        @if let Some(job) = progress {
                            (progress_of(job, words)) " "
                            progress value=(job.per_cent) max="100" {}
                        } @else {
                            (words.say(Message::Queued))
                        }
                    }
                }
                @for line in counted { li { (line) } }
            }
        }
    }
}

/// Returns the progress of a file in the words of `tabuleiro status`.
fn progress_of(job: &JobProgress, words: Words) -> String {
    let JobProgress { per_cent, puzzles, running_s, .. } = *job;
    let progress = words.say(Message::Progress { percent: per_cent, puzzles, seconds: running_s });
    let solving = job.solving.map(|solving| format!(", {}", Phrase::from(solving).say(words.0)));
    progress + &solving.unwrap_or_default()
}

fn table(jobs: &[Row], words: Words) -> Markup {
    let offset = parts(now()).1;
    html! {
        table class="rows" {
            thead {
                tr {
                    @for message in [Message::Ended { offset }, Message::File, Message::Outcome, Message::Outputs] {
                        th scope="col" { (words.say(message)) }
                    }
                }
            }
            tbody { @for job in jobs { (row(job, words)) } }
        }
    }
}

fn row((record, outputs): &Row, words: Words) -> Markup {
    let ended = parse_stamp(&record.time).map(|time| parts(time).0).unwrap_or_default();
    html! {
        tr {
            td class="soft when" { (ended) }
            td class="named" {
                strong { (shown(&record.file.printable())) }
                @if let Some(solver) = &record.solver { " " span class="soft" { (shown(solver)) } }
            }
            td {
                @if record.outcome == Outcome::Rejected {
                    strong class="bad" { (words.say(Message::Rejected)) } ": "
                    (shown(record.told.as_ref().or(record.reason.as_ref()).map_or("", String::as_str)))
                } @else {
                    span class="mono" { (shown(record.answers.as_deref().unwrap_or_default())) }
                    " " span class="soft" { (verdicts(record, words)) }
                }
            }
            td class="links" {
                @if outputs.is_empty() { span class="soft" { (words.say(Message::Gone)) } }
                @for output in outputs { (link(output, record, words)) " " }
            }
        }
    }
}

fn verdicts(record: &Record, words: Words) -> String {
    let Record { puzzles, invalid, undecided, ignored_lines, .. } = *record;
    let said = words.say_all(&[
        (true, Message::Puzzles { puzzles }),
        (invalid > 0, Message::Invalid { puzzles: invalid }),
        (undecided > 0, Message::Undecided { puzzles: undecided }),
        (ignored_lines > 0, Message::Ignored { lines: ignored_lines }),
    ]);
    said.join(", ")
}

fn link(output: &Output, record: &Record, words: Words) -> Markup {
    let Output { path, link } = output;
    let is_rejected = record.outcome == Outcome::Rejected;
    let kind = match path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("json") => "JSON".to_owned(),
        Some("html") if is_rejected => words.say(Message::Page),
        Some("html") => words.say(Message::Picture),
        Some("zip") => words.say(Message::Archive),
        _ if is_rejected => words.say(Message::Report),
        _ => words.say(Message::Text),
    };
    html! {
        @if let Some(link) = link {
            a href=(link) title=(path) { (kind) }
        } @else {
            span { (kind) ": " (path) }
        }
    }
}

fn untaken(file: &str, message: Message, words: Words) -> Markup {
    html! { li { strong { (file) } ": " (words.say(message)) } }
}

fn counts(facts: &Facts, words: Words) -> String {
    let snapshot = &facts.snapshot;
    let time = parse_stamp(&snapshot.service.started).map(second).unwrap_or_default();
    let OutcomeCounts { answered, graded, rejected, puzzles, .. } = snapshot.since_start;
    let said = words.say_all(&[
        (true, Message::Answered { files: answered, puzzles }),
        (graded > 0, Message::Graded { files: graded }),
        (true, Message::FilesRejected { files: rejected }),
    ]);
    format!("{} {}.", words.say(Message::Since { time }), said.join(", "))
}

/// Returns how many workers on other machines help, without naming them.
fn helped(remote: &RemoteFacts, words: Words) -> String {
    let puzzles = remote.counts.solved;
    words.say(match (remote.is_connected, remote.help() as u64) {
        (false, _) => Message::NoBroker { puzzles },
        (true, 0) => Message::NoWorkers { puzzles },
        (true, workers) => Message::Workers { workers, puzzles },
    })
}

fn shown(text: &str) -> String {
    printable(text.as_bytes(), TEXT_BYTES_MAX)
}

messages! {
    "site"
    pub enum Message {
        Title = "title",
        Written = "written" { time: String, version: String },
        Reload = "reload",
        Starting = "starting",
        Stopped = "stopped",
        Paused = "paused",
        Now = "now",
        Idle = "idle",
        Queued = "queued",
        Progress = "progress" { percent: u64, puzzles: u64, seconds: u64 },
        MoreInHand = "more-in-hand" { files: u64 },
        Incomplete = "incomplete" { files: u64 },
        Waiting = "waiting" { files: u64 },
        MayBeMore = "may-be-more",
        Jobs = "jobs",
        NoJobs = "no-jobs",
        Private = "private",
        Ended = "ended" { offset: String },
        File = "file",
        Outcome = "outcome",
        Outputs = "outputs",
        Rejected = "rejected",
        Puzzles = "puzzles" { puzzles: u64 },
        Invalid = "invalid" { puzzles: u64 },
        Undecided = "undecided" { puzzles: u64 },
        Ignored = "ignored" { lines: u64 },
        Text = "text",
        Picture = "picture",
        Archive = "archive",
        Report = "report",
        Page = "page",
        Gone = "gone",
        NotTaken = "not-taken",
        Denied = "denied" { command: String },
        OtherMount = "other-mount",
        Service = "service",
        Since = "since" { time: String },
        Answered = "answered" { files: u64, puzzles: u64 },
        Graded = "graded" { files: u64 },
        FilesRejected = "files-rejected" { files: u64 },
        Workers = "workers" { workers: u64, puzzles: u64 },
        NoWorkers = "no-workers" { puzzles: u64 },
        NoBroker = "no-broker" { puzzles: u64 },
        DiskOfResults = "disk-of-results",
        DiskOfService = "disk-of-service",
    }
}
