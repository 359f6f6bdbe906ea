//! The messages between dispatcher and workers: subjects, batches, reports, heartbeats.
//!
//! Both sides check each message like any other input. Batches and reports are encoded with postcard, since only the
//! same build reads them. Their puzzles are text as in files, and their outcomes are JSON. Heartbeats are JSON, since
//! other builds read them, too.

use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tabuleiro_jobs::sha256_of;

/// The most batches that one [`AtWork`] may name.
pub const AT_WORK_BATCHES_MAX: usize = 1_000;

/// Consecutive puzzles of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// The number of the dispatcher that sent it.
    pub dispatcher: u64,
    /// The number of this dispatch; a puzzle that is sent again has another one.
    pub number: u64,
    pub solver: String,
    /// The file's name in messages.
    pub file: String,
    /// The options that differ from their defaults.
    pub options: Vec<(String, String)>,
    /// The time limit of a puzzle.
    pub time: Option<Duration>,
    /// What is left of the job's time.
    pub job_left: Option<Duration>,
    pub memory_bytes: u64,
    /// Whether a worker died with the puzzle before. The next worker solves nothing else at the same time.
    pub alone: bool,
    pub puzzles: Vec<PuzzleText>,
}

/// A puzzle in the text form that its `Display` writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleText {
    /// The line of the file on which the text would begin.
    pub first_line: u64,
    pub text: String,
}

/// A message from a worker to a dispatcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// Answers to a part of a batch. By a part without answers, the worker asks whether to begin the batch.
    Part(Part),
    /// The batches that the worker is solving, sent every second.
    AtWork(AtWork),
    /// The batches that a process was solving when it died.
    Died(Died),
}

/// Answers to some puzzles of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub number: u64,
    pub worker: u64,
    /// Distinguishes this delivery of the batch from others.
    pub token: u64,
    /// The index in the batch of the first puzzle answered here.
    pub first: u32,
    pub answers: Vec<WorkerAnswer>,
    /// CPU time of the answers.
    pub cpu: Duration,
    /// The index in the batch of the first puzzle given back. All puzzles after it are given back, too.
    pub given_back_from: Option<u32>,
}

/// The batches that a worker is solving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtWork {
    pub worker: u64,
    /// Its batches of this dispatcher with the tokens of their deliveries; at most [`AT_WORK_BATCHES_MAX`].
    pub batches: Vec<(u64, u64)>,
}

/// The result for a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerAnswer {
    Solved {
        /// The outcome as JSON.
        outcome: String,
        wall: Duration,
    },
    /// The solver panicked.
    Panicked { message: String },
    /// The answer is too large for a message.
    TooLarge,
    /// The puzzle cannot be read.
    Unreadable,
}

/// A worker's process is known to have died with these batches of the dispatcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Died {
    pub worker: u64,
    pub batches: Vec<u64>,
}

/// The dispatcher's reply to [`Part`] and [`Died`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// The report was stored; continue.
    Stored,
    /// The rest of the batch is no longer needed.
    Stale,
    /// The report cannot be read, or is wrong.
    Refused,
}

/// The dispatcher's reply to [`AtWork`]: the batches that are no longer needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwanted(pub Vec<u64>);

/// Encodes a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Postcard fails only for types that no message has, such as lists of unknown length.
    postcard::to_stdvec(message).unwrap_or_default()
}

/// Decodes a whole message; returns `None` if it is malformed.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (message, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(message)
}

const NAME_BYTES_MAX: usize = 64;

/// The state of a worker, which it publishes every two seconds and when a client asks. Readers ignore unknown fields,
/// which other builds may add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// A random number that identifies this run of the worker.
    pub worker: u64,
    /// Its machine and process: `lab-3/812`.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The build of the program.
    pub build: String,
    /// The version of the protocol.
    pub wire: u32,
    /// Puzzles that the worker can solve at the same time.
    pub threads: u32,
    /// Puzzles that the worker is solving.
    pub busy: u32,
    /// Puzzles solved since the worker started.
    pub solved: u64,
    /// Bytes that a puzzle may use on this worker.
    pub memory_bytes: u64,
    /// Whether the worker takes no batches now.
    pub is_resting: bool,
    /// Whether the worker is ending.
    pub is_leaving: bool,
}

impl Heartbeat {
    /// Parses a heartbeat; returns `None` if it is malformed.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut read: Self = serde_json::from_slice(bytes).ok()?;
        for text in [&mut read.name, &mut read.version, &mut read.build] {
            *text = tabuleiro_puzzles::input::printable(text.as_bytes(), NAME_BYTES_MAX);
        }
        Some(read)
    }

    /// Writes the heartbeat as it is sent.
    pub fn write(&self) -> Vec<u8> {
        // Serialising numbers and texts cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// The version of the protocol. It changes with the messages, so that no build misreads the messages of another.
pub const WIRE: u32 = 1;

const BUILD_DIGITS: usize = 12;

/// Returns the build of the running program: the beginning of the digest of its file, in hexadecimal. Another build may
/// answer differently.
///
/// # Errors
/// Fails if the program's file cannot be read.
pub fn own_build() -> io::Result<String> {
    // The file that runs, even if an upgrade has replaced it.
    let mut digest = sha256_of(File::open("/proc/self/exe")?)?;
    digest.truncate(BUILD_DIGITS);
    Ok(digest)
}

/// The subjects below the name of a stream: `tabuleiro.job.1.3f0c….checkers-capture`.
#[derive(Debug, Clone)]
pub struct Subjects {
    prefix: String,
}

impl Subjects {
    pub fn of(stream: &str) -> Self {
        Self { prefix: stream.to_lowercase() }
    }

    pub fn jobs(&self) -> String {
        format!("{}.job.>", self.prefix)
    }

    /// Returns the subject of batches for a build, of one solver or (`>`) of all.
    pub fn job(&self, build: &str, solver: &str) -> String {
        format!("{}.job.{WIRE}.{build}.{solver}", self.prefix)
    }

    /// Returns the subject of reports to a dispatcher.
    pub fn dispatcher(&self, dispatcher: u64) -> String {
        format!("{}.intake.{dispatcher:016x}", self.prefix)
    }

    /// Returns the subject of heartbeats, of one worker or (`None`) of all.
    pub fn worker(&self, worker: Option<u64>) -> String {
        let worker = worker.map_or_else(|| "*".to_owned(), |worker| format!("{worker:016x}"));
        format!("{}.worker.{worker}", self.prefix)
    }

    /// Returns the subject on which clients ask for heartbeats.
    pub fn who(&self) -> String {
        format!("{}.who", self.prefix)
    }

    /// Returns the inbox of a kind of client. The broker can forbid the other kinds to read it.
    pub fn inbox(&self, client: &str) -> String {
        format!("_INBOX_{}_{client}", self.prefix)
    }
}

/// Returns a random number that can identify a process or a delivery.
pub fn random() -> u64 {
    // Each state has keys of its own, which come from the system's random numbers.
    RandomState::new().hash_one(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_wholly_or_not_at_all() {
        let part = Part {
            number: 7,
            worker: u64::MAX,
            token: 3,
            first: 1,
            answers: vec![
                WorkerAnswer::Solved { outcome: "7".to_owned(), wall: Duration::from_millis(5) },
                WorkerAnswer::Panicked { message: "unlucky".to_owned() },
                WorkerAnswer::TooLarge,
                WorkerAnswer::Unreadable,
            ],
            cpu: Duration::from_nanos(1),
            given_back_from: Some(9),
        };
        let report = Report::Part(part);
        let wire = encode(&report);
        assert_eq!(decode(&wire), Some(report));
        for length in 0..wire.len() {
            assert_eq!(decode::<Report>(&wire[..length]), None);
        }
        assert_eq!(decode::<Report>(&[wire, vec![0]].concat()), None);
        assert_eq!(decode::<Batch>(&[0xff; 64]), None);
    }

    #[test]
    fn subjects_stand_below_the_name_of_the_stream() {
        let subjects = Subjects::of("TABULEIRO");
        assert_eq!(subjects.job("b1", "jump-game"), "tabuleiro.job.1.b1.jump-game");
        assert_eq!(subjects.dispatcher(255), "tabuleiro.intake.00000000000000ff");
        assert_eq!(subjects.worker(None), "tabuleiro.worker.*");
    }

    #[test]
    fn a_build_is_told_by_the_program() {
        let build = own_build().unwrap();
        assert_eq!(build, own_build().unwrap());
        assert_eq!(build.len(), BUILD_DIGITS);
    }
}
