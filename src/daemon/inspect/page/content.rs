//! What the page says: what is so now, the jobs that ended last, what was not taken.

use super::facts::{Facts, InHand, NotTaken};
use super::told::Told;
use crate::daemon::answering::progress::JobProgress;
use crate::daemon::base::clock::{now, parse_stamp};
use crate::daemon::base::tally::Counts;
use crate::daemon::inspect::snapshot::{Disk, Queue, State};
use crate::daemon::records::history::{Outcome, Record};
use crate::logging::local_time::{parts, second};
use tabuleiro_jobs::RemoteFacts;
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::picture::{Markup, html};
use tabuleiro_puzzles::words::{Language, Phrase};

/// How much of a text is shown.
const TEXT_BYTES_MAX: usize = 400;

/// A job that ended, with what is left of it.
pub struct Ended {
    /// What became of it.
    pub record: Record,
    /// Its outputs; `None` where a later job has their names.
    pub outputs: Option<Vec<Output>>,
}

/// An output of a job.
pub struct Output {
    /// Its printable path below the outbox.
    pub path: String,
    /// Where it leads to, relative to the page; `None` where no link can.
    pub link: Option<String>,
    /// It is no longer there.
    pub is_gone: bool,
}

/// The page's own words.
#[derive(Debug, Clone, Copy)]
pub struct Words(pub Language);

impl Words {
    fn say(self, told: Told) -> String {
        Phrase::from(told).say(self.0)
    }
}

/// When the page was written, and by what: above everything.
pub fn head(facts: &Facts, words: Words, refresh_seconds: u64) -> Markup {
    let version = facts.snapshot.service.version.clone();
    html! {
        p class="soft" {
            (words.say(Told::Written { time: second(now()), version })) " "
            (words.say(Told::Refreshed { seconds: refresh_seconds }))
        }
    }
}

/// All that makes a new page worthwhile.
pub fn content(facts: &Facts, jobs: &[Ended], words: Words) -> Markup {
    html! {
        (state(facts, words))
        section class="now" {
            h2 { (words.say(Told::Now)) }
            (in_hand(facts, words))
        }
        section class="jobs" {
            h2 { (words.say(Told::Jobs)) }
            @if !facts.has_names() {
                p { (words.say(Told::Private)) }
            } @else if jobs.is_empty() {
                p { (words.say(Told::NoJobs)) }
            } @else {
                (table(jobs, words))
            }
        }
        @if !facts.not_taken.is_empty() {
            section class="untaken" {
                h2 { (words.say(Told::NotTaken)) }
                ul { @for what in &facts.not_taken { (untaken(what, words)) } }
            }
        }
        section class="counts" {
            h2 { (words.say(Told::Service)) }
            p { (counts(facts, words)) }
            @if let Some(remote) = &facts.snapshot.remote { p { (helped(remote, words)) } }
        }
    }
}

/// The room on the disks, which alone makes no new page.
pub fn disks(facts: &Facts, words: Words, is_of_results: impl Fn(&Disk) -> bool) -> Markup {
    html! {
        dl {
            @for disk in &facts.snapshot.disks {
                dt { (words.say(if is_of_results(disk) { Told::DiskOfResults } else { Told::DiskOfService })) }
                dd { (disk.room()) }
            }
        }
    }
}

/// What keeps everything waiting.
fn state(facts: &Facts, words: Words) -> Markup {
    let told = match facts.snapshot.service.state {
        State::Starting => Some(Told::Starting),
        State::Running => facts.snapshot.intake.paused.as_ref().map(|_| Told::Paused),
        State::Stopping => Some(Told::Stopped),
    };
    html! { @if let Some(told) = told { p class="bad" { strong { (words.say(told)) } } } }
}

fn in_hand(facts: &Facts, words: Words) -> Markup {
    let Queue { in_hand, incomplete, waiting_min, may_be_more, .. } = facts.snapshot.queue;
    let unnamed = in_hand.saturating_sub(facts.in_hand.len() as u64);
    let counted = [
        (unnamed > 0, Told::MoreInHand { files: unnamed }),
        (waiting_min > 0, Told::Waiting { files: waiting_min }),
        (may_be_more, Told::MayBeMore),
        (incomplete > 0, Told::Incomplete { files: incomplete }),
    ];
    let counted: Vec<_> =
        counted.into_iter().filter_map(|(is_so, told)| is_so.then(|| words.say(told))).collect();
    html! {
        @if facts.in_hand.is_empty() && counted.is_empty() {
            p { (words.say(Told::Idle)) }
        } @else {
            ul {
                @for InHand { file, progress } in &facts.in_hand {
                    li {
                        strong { (file) } ": "
                        @if let Some(job) = progress {
                            (progress_of(job, words)) " "
                            progress value=(job.per_cent) max="100" {}
                        } @else {
                            (words.say(Told::Queued))
                        }
                    }
                }
                @for told in counted { li { (told) } }
            }
        }
    }
}

/// How far a file is, as `tabuleiro status` tells it.
fn progress_of(job: &JobProgress, words: Words) -> String {
    let JobProgress { per_cent, puzzles, running_s, .. } = *job;
    let mut told = vec![words.say(Told::Progress { percent: per_cent, puzzles, seconds: running_s })];
    if let Some(puzzle) = job.solving {
        let (number, seconds) = (puzzle.number, puzzle.running_s);
        told.push(words.say(match puzzle.of {
            Some(of) => Told::SolvingOf { number, of, seconds },
            None => Told::Solving { number, seconds },
        }));
        told.extend(puzzle.limit_s.map(|seconds| words.say(Told::Limit { seconds })));
    }
    told.join(", ")
}

fn table(jobs: &[Ended], words: Words) -> Markup {
    let offset = parts(now()).1;
    html! {
        table class="rows" {
            thead {
                tr {
                    @for told in [Told::Ended { offset }, Told::File, Told::Outcome, Told::Outputs] {
                        th scope="col" { (words.say(told)) }
                    }
                }
            }
            tbody { @for job in jobs { (row(job, words)) } }
        }
    }
}

fn row(Ended { record, outputs }: &Ended, words: Words) -> Markup {
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
                    strong class="bad" { (words.say(Told::Rejected)) } ": "
                    (shown(record.told.as_ref().or(record.reason.as_ref()).map_or("", String::as_str)))
                } @else {
                    span class="mono" { (shown(record.answers.as_deref().unwrap_or_default())) }
                    " " span class="soft" { (verdicts(record, words)) }
                }
            }
            td class="links" {
                @match outputs {
                    None => span class="soft" { (words.say(Told::Replaced)) },
                    Some(outputs) => @for output in outputs { (link(output, record, words)) " " },
                }
            }
        }
    }
}

/// How many puzzles, and how many of them are otherwise than answered.
fn verdicts(record: &Record, words: Words) -> String {
    let Record { puzzles, invalid, undecided, ignored_lines, .. } = *record;
    let told = [
        (true, Told::Puzzles { puzzles }),
        (invalid > 0, Told::Invalid { puzzles: invalid }),
        (undecided > 0, Told::Undecided { puzzles: undecided }),
        (ignored_lines > 0, Told::Ignored { lines: ignored_lines }),
    ];
    let told = told.into_iter().filter_map(|(is_so, told)| is_so.then(|| words.say(told)));
    told.collect::<Vec<_>>().join(", ")
}

fn link(output: &Output, record: &Record, words: Words) -> Markup {
    let Output { path, link, is_gone } = output;
    let kind = match path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("json") => "JSON".to_owned(),
        Some("html") => words.say(Told::Picture),
        Some("zip") => words.say(Told::Archive),
        _ if record.outcome == Outcome::Rejected => words.say(Told::Report),
        _ => words.say(Told::Text),
    };
    html! {
        @if *is_gone {
            span class="soft" { (kind) " (" (words.say(Told::Gone)) ")" }
        } @else if let Some(link) = link {
            a href=(link) title=(path) { (kind) }
        } @else {
            span { (kind) ": " (path) }
        }
    }
}

fn untaken(what: &NotTaken, words: Words) -> Markup {
    let (file, told) = match what {
        NotTaken::Denied(file) => (file, Told::Denied { command: format!("tabuleiro why {file}") }),
        NotTaken::OtherMount(file) => (file, Told::OtherMount),
    };
    html! { li { strong { (file) } ": " (words.say(told)) } }
}

fn counts(facts: &Facts, words: Words) -> String {
    let snapshot = &facts.snapshot;
    let time = parse_stamp(&snapshot.service.started).map(second).unwrap_or_default();
    let Counts { answered, graded, rejected, puzzles, .. } = snapshot.since_start;
    let mut told = vec![words.say(Told::Answered { files: answered, puzzles })];
    if graded > 0 {
        told.push(words.say(Told::Graded { files: graded }));
    }
    told.push(words.say(Told::FilesRejected { files: rejected }));
    format!("{} {}.", words.say(Told::Since { time }), told.join(", "))
}

/// Who solves on other machines, by numbers alone.
fn helped(remote: &RemoteFacts, words: Words) -> String {
    let puzzles = remote.solved;
    words.say(match (remote.is_connected, remote.help() as u64) {
        (false, _) => Told::NoBroker { puzzles },
        (true, 0) => Told::NoWorkers { puzzles },
        (true, workers) => Told::Workers { workers, puzzles },
    })
}

fn shown(text: &str) -> String {
    printable(text.as_bytes(), TEXT_BYTES_MAX)
}
